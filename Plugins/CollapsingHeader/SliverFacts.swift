// SPDX-License-Identifier: MIT
//
// The first drawer as a part of the content, in the words of Flutter's slivers: the values that Flutter's viewport would report with
// content and drawer where they are now. Nothing here moves anything.

internal import CollapsingLaws
internal import HeaderPluginKit

extension CollapsingHeader {
  var contentFacts: [(name: String, value: Value)] {
    guard let view = scrollView, let link = chain.links.first else { return [] }
    let pixels = view.contentOffset.y + view.adjustedContentInset.top
    let (height, least, stretch) = (link.reach.height, link.reach.height - link.reach.collapse, link.stretch)
    // Its least height stays at the edge; more of it comes back anywhere.
    let (isPinned, floats) = (!chain.laws[0].shifts, chain.laws[0].returns == .anywhere)
    // The way of the content that is seen before the drawer, and the drawer's own room.
    let painted = max(0, min(view.frame.height + min(0, pixels), start - max(0, pixels)))
    let room = max(0, view.frame.height + min(0, pixels) - painted)
    // How far the content is scrolled beyond the drawer's upper edge, and how far that is gone.
    let scrolled = Grid.nearest(max(0, pixels - start))
    let gone =
      if floats, link.gone < link.reach.way {
        link.gone
      } else if floats, let surplus {
        min(scrolled, link.gone + surplus)
      } else {
        scrolled
      }
    let overlap = start > 0 ? 0 : min(0, pixels)
    let extent = max(least, height - min(gone, height)) + stretch
    let paintExtent =
      isPinned && !floats
      ? min(extent, max(0, room - overlap)) : max(isPinned ? min(least, room) : 0, min(room, height - gone))
    let free = isPinned ? (floats ? paintExtent : max(0, room - overlap)) : room
    let layoutExtent = max(0, min(free, height - scrolled))
    return [
      ("scrollOffset", .number(scrolled)), ("overlap", .number(overlap)), ("remainingPaintExtent", .number(room)),
      ("shrinkOffset", .number(min(gone, height))), ("overlapsContent", .bool(floats && gone < scrolled)),
      ("effectiveOffset", floats ? .number(gone) : .null), ("scrollExtent", .number(height)),
      ("paintOrigin", .number(overlap)), ("paintExtent", .number(paintExtent)),
      ("layoutExtent", .number(layoutExtent)), ("maxPaintExtent", .number(height + stretch)),
      ("maxScrollObstructionExtent", .number(isPinned ? least : 0)),
      ("childPosition", .number(isPinned || stretch > 0 ? 0 : min(0, height - gone - extent))),
      ("nextTop", .number(max(0, -pixels) + painted + layoutExtent)), ("isVisible", .bool(paintExtent > 0)),
    ]
  }
}
