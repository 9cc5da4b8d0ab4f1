// SPDX-License-Identifier: MIT
//
// The first drawer as a part of the content, in the words of Flutter's slivers: what its viewport would say of it, where content
// and drawer are now. Nothing here moves anything.

internal import CollapsingLaws
internal import HeaderPluginKit

/// What a sliver is told, and where it lies.
struct SliverFacts {
  private let height: Double
  private let least: Double
  /// Its least height stays at the edge.
  private let isPinned: Bool
  private let floats: Bool
  /// What it has grown by.
  private let stretch: Double
  /// How far the content is scrolled beyond its upper edge, how far it is gone, where it begins, and its room.
  private let scrolled: Double
  private let gone: Double
  private let first: Double
  private let room: Double
  private let overlap: Double
}

extension SliverFacts {
  /// - Parameters:
  ///   - pixels: how far the content is scrolled.
  ///   - before: points of content before the drawer.
  init(_ link: Link, _ law: Law, pixels: Double, viewport: Double, before: Double, surplus: Double?) {
    height = link.reach.height
    least = height - link.reach.collapse
    isPinned = !law.shifts
    floats = law.returns == .anywhere
    stretch = link.stretch
    let painted = max(0, min(viewport + min(0, pixels), before - max(0, pixels)))
    scrolled = Grid.nearest(max(0, pixels - before))
    gone =
      if floats, link.gone < link.reach.way {
        link.gone
      } else if floats, let surplus {
        min(scrolled, link.gone + surplus)
      } else {
        scrolled
      }
    first = max(0, -pixels) + painted
    room = max(0, viewport + min(0, pixels) - painted)
    overlap = before > 0 ? 0 : min(0, pixels)
  }

  private var extent: Double { max(least, height - min(gone, height)) + stretch }

  private var paintExtent: Double {
    if isPinned, !floats { return min(extent, max(0, room - overlap)) }
    return max(isPinned ? min(least, room) : 0, min(room, height - gone))
  }

  private var layoutExtent: Double {
    let free = isPinned ? (floats ? paintExtent : max(0, room - overlap)) : room
    return max(0, min(free, height - scrolled))
  }

  private var childPosition: Double { isPinned || stretch > 0 ? 0 : min(0, height - gone - extent) }

  var fields: [(name: String, value: Value)] {
    [
      ("scrollOffset", .number(scrolled)), ("overlap", .number(overlap)), ("remainingPaintExtent", .number(room)),
      ("shrinkOffset", .number(min(gone, height))), ("overlapsContent", .bool(floats && gone < scrolled)),
      ("effectiveOffset", floats ? .number(gone) : .null), ("scrollExtent", .number(height)),
      ("paintOrigin", .number(overlap)), ("paintExtent", .number(paintExtent)),
      ("layoutExtent", .number(layoutExtent)), ("maxPaintExtent", .number(height + stretch)),
      ("maxScrollObstructionExtent", .number(isPinned ? least : 0)), ("childPosition", .number(childPosition)),
      ("nextTop", .number(first + layoutExtent)), ("isVisible", .bool(paintExtent > 0)),
    ]
  }
}

extension CollapsingHeader {
  var contentFacts: [(name: String, value: Value)] {
    guard let view = scrollView, let link = chain.links.first else { return [] }
    let pixels = view.contentOffset.y + view.adjustedContentInset.top
    return SliverFacts(
      link, chain.laws[0], pixels: pixels, viewport: view.frame.height, before: start, surplus: surplus
    ).fields
  }
}
