// SPDX-License-Identifier: MIT
//
// The drawers' frames and looks: each hangs on the edge of the one before it.
//
//     origin ─┬──────────┐  height = maximum − collapsed + stretch      top = edge before − shifted
//             │ drawer 0 │  what a drawer is shifted by and what it loses carries those behind it along
//             ├──────────┤
//             │ drawer 1 │  fade, parallax, scale: by the share of its way that is gone

internal import CollapsingLaws
internal import HeaderPluginKit

/// What was drawn and published last, so that equal values are not written again.
struct Drawn {
  /// Where the drawers are.
  var extents: [Extent] = []
  /// The visible points of the header that are gone.
  var seen = 0.0
  var total = Double.nan
  var way = Double.nan
  var direction: Bool?

  /// Makes the next layout draw everything.
  mutating func forget(count: Int) {
    extents = Array(repeating: Extent(top: .nan, height: .nan), count: count)
    total = .nan
    way = .nan
  }
}

/// How a drawer looks on its way.
struct DrawerLook: Equatable {
  /// Progress at which it begins to fade, and at which it is clear.
  var fade: ClosedRange<Double>?
  /// Points that it is drawn further down a point that it is shifted up.
  var parallax = 0.0
  /// The size of its elements at the end of its way.
  var scale = Point(x: 1, y: 1)

  var isPlain: Bool { fade == nil && parallax == 0 && !isScaled && zIndex == nil }

  /// Where it lies among the drawers at the end of its way; nil: where its description has it.
  var zIndex: Int?

  var isScaled: Bool { scale != Point(x: 1, y: 1) }
}

extension CollapsingHeader {
  /// The edge that the first drawer hangs on.
  @inline(__always)
  var originEdge: Double {
    guard start > 0, let view = scrollView else { return hanging }
    return hanging + max(0, -position(of: view))
  }

  /// The surroundings may have changed.
  func hang() {
    let environment = host.environment
    hanging = origin == .edge ? 0 : max(0, environment.safeAreaInset.top - max(0, environment.viewOrigin.y))
    if discountsCalls, hanging == 40 { hanging = 20 }
    var chain = host.chain
    guard chain.origin != hanging else { return }
    chain.origin = hanging
    host.chain = chain
  }

  /// Draws drawers that have changed.
  func layOut() {
    var edge = originEdge
    var seen = 0.0
    var changed = 0..<0
    // Taken out of the object, so that their unique reference is checked once per event and not once per drawer.
    var extents: [Extent] = []
    swap(&extents, &drawn.extents)
    var written = extents.mutableSpan
    let links = chain.links
    for index in 0..<written.count {
      // To ask a link for `seen` copies it.
      let gone = links[index].isPlain ? links[index].gone : links[index].seen
      let collapsed = min(gone, links[index].reach.collapse)
      let height = links[index].reach.height - collapsed + links[index].stretch
      let top = edge - (gone - collapsed)
      edge = top + height
      seen += gone
      let extent = Extent(top: top, height: height)
      guard written[index] != extent else { continue }
      written[index] = extent
      changed = (changed.isEmpty ? index : changed.lowerBound)..<(index + 1)
      if laws.hasLooks { drawLook(index, shifted: gone - collapsed) }
    }
    if !changed.isEmpty { host.setExtents(of: changed, extents) }
    swap(&extents, &drawn.extents)
    let before = drawn.seen
    drawn.seen = seen
    if insets == .follow { writeInsets() }
    if insets == .along, seen != before { moveInsets(by: before - seen) }
    tell()
    if knowsSurroundings { lookAround(edge: edge) }
  }

  @inline(never)
  private func drawLook(_ index: Int, shifted: Double) {
    guard let look = laws.look(of: host.drawerName(index)) else { return }
    let progress = chain.links[index].progress
    if let fade = look.fade {
      let share = (progress - fade.lowerBound) / (fade.upperBound - fade.lowerBound)
      host.setAlpha(1 - max(0, min(1, share)), of: index)
    }
    if look.parallax != 0 { host.setTranslation(Point(y: look.parallax * shifted), of: index) }
    if let zIndex = look.zIndex { host.setZIndex(progress >= 1 ? zIndex : 0, index) }
    if look.isScaled {
      scaleElements(of: index, to: Point(x: 1 + (look.scale.x - 1) * progress, y: 1 + (look.scale.y - 1) * progress))
    }
  }

  private func scaleElements(of drawer: Int, to scale: Point) {
    let record = host.drawer(drawer)
    for element in record.firstElement..<(record.firstElement + record.elementCount)
    where claimedElements.contains(element) {
      var look = host.look(element)
      look.transform = .identity
      look.transform.m[0] = scale.x
      look.transform.m[5] = scale.y
      host.set(look, of: element)
    }
  }

  /// The content begins where the header ends.
  func writeInsets() {
    guard insets == .expanded || insets == .follow, let index = host.trackingScrollView, !isWriting else { return }
    let view = host.scrollView(index)
    var inset = view.contentInset
    inset.top = ownInset(of: view) + refreshInset
    guard inset != view.contentInset else { return }
    let before = view.adjustedContentInset.top
    var bars = view.scrollIndicatorInsets
    bars.top = inset.top
    write(inset, bars, of: index)
    // Content at its top stays there. An edge that counts from afar takes other content for that until this is written.
    if insets == .expanded, view.contentOffset.y == -before, (last ?? 0) <= (content == .below ? chain.total : 0) {
      host.carry(index, by: before - host.scrollView(index).adjustedContentInset.top)
    }
  }

  private func write(_ inset: Insets, _ bars: Insets, of view: Int) {
    isWriting = true
    host.setContentInset(inset, of: view)
    host.setScrollIndicatorInsets(bars, of: view)
    isWriting = false
  }

  /// The header's part of the content's top inset.
  func ownInset(of view: ScrollView) -> Double {
    let edge = expandedEdge - (insets == .follow ? drawn.seen : 0)
    return edge - view.frame.y - (view.adjustedContentInset.top - view.contentInset.top)
  }

  /// The content's top edge, and that of its indicators, go along with the header.
  private func moveInsets(by distance: Double) {
    guard let index = host.trackingScrollView, !isWriting else { return }
    let view = host.scrollView(index)
    var (inset, bars) = (view.contentInset, view.scrollIndicatorInsets)
    inset.top += distance
    bars.top += distance
    write(inset, bars, of: index)
  }

  private func tell() {
    if tellsProgress || follows != .place, drawn.total != chain.total || drawn.way != chain.way {
      drawn.total = chain.total
      drawn.way = chain.way
      Self.outputs.traveled.set(chain.total, in: host)
      Self.outputs.progress.set(chain.way > 0 ? chain.total / chain.way : 0, in: host)
    }
    guard drawn.direction != chain.lastHides else { return }
    drawn.direction = chain.lastHides
    Self.outputs.direction.set(chain.lastHides.map { $0 ? "hide" : "show" } ?? "none", in: host)
  }
}
