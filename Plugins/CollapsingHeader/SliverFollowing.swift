// SPDX-License-Identifier: MIT
//
// A drawer that is a part of the content (`follows = "sliver"`): Laws/Sliver.swift decides, this file puts it to use. The first
// drawer's heights are its extents.

internal import CollapsingLaws
internal import HeaderPluginKit

extension CollapsingHeader {
  var presentSliverRules: SliverRules {
    var rules = sliverRules
    let drawer = host.drawer(0)
    rules.least = drawer.minimumHeight
    rules.most = drawer.maximumHeight
    rules.before = start
    return rules
  }

  func makeSliver() {
    let rules = presentSliverRules
    if sliver == nil { sliver = Sliver(rules) } else { sliver?.rules = rules }
    laySliverOut()
  }

  /// The content has moved; a finger gives the direction.
  func followSliver(_ view: ScrollView) {
    let offset = view.contentOffset.y
    let distance = offset - (last ?? offset)
    last = offset
    if !(view.isTracking || view.isDragging || view.isDecelerating) {
      sliver?.direction = .idle
    } else if distance != 0 {
      sliver?.direction = distance < 0 ? .forward : .reverse
    }
    laySliverOut()
  }

  func changesSliver(_ change: (inout Sliver) -> Void) {
    guard var changed = sliver else { return }
    change(&changed)
    sliver = changed
    laySliverOut()
    if sliver?.isSnapping == true, !host.framesAreActive { host.startFrames() }
  }

  func sliverFrame() {
    changesSliver { $0.advance(to: Double(host.time / 1000)) }
    if sliver?.isSnapping == false { host.stopFrames() }
  }

  func laySliverOut() {
    guard var laid = sliver, let view = scrollView else { return }
    let pixels = view.contentOffset.y + view.adjustedContentInset.top
    let fires = laid.lay(out: pixels, viewport: view.frame.height)
    sliver = laid
    if fires { Self.outputs.didStretch.post([("drawer", .text(host.drawerName(0)))], in: host) }
    let layout = laid.layout
    let record = host.drawer(0)
    host.setCenter(
      Point(x: record.center.x, y: layout.childTop + layout.childExtent * 0.5),
      size: Size(width: record.size.width, height: layout.childExtent), of: 0)
    host.setHidden(layout.paintExtent <= 0, 0)
    let travel = laid.rules.most - (laid.rules.isPinned ? laid.rules.least : 0)
    let traveled = min(travel, layout.shrinkOffset)
    if tellsProgress {
      Self.outputs.traveled.set(traveled, in: host)
      Self.outputs.progress.set(travel > 0 ? traveled / travel : 0, in: host)
    }
    Self.outputs.isResting.set(laid.isSnapping, in: host)
  }

  var sliverFacts: [(name: String, value: Value)] {
    guard let sliver else { return [] }
    let layout = sliver.layout
    return [
      ("scrollOffset", .number(layout.scrollOffset)), ("overlap", .number(layout.overlap)),
      ("remainingPaintExtent", .number(layout.remaining)), ("shrinkOffset", .number(layout.shrinkOffset)),
      ("overlapsContent", .bool(layout.overlapsContent)),
      ("effectiveOffset", sliver.rules.isFloating ? sliver.effective.map { .number($0) } ?? .null : .null),
      ("paintOrigin", .number(layout.paintOrigin)), ("paintExtent", .number(layout.paintExtent)),
      ("layoutExtent", .number(layout.layoutExtent)), ("maxPaintExtent", .number(layout.maxPaintExtent)),
      ("scrollExtent", .number(sliver.rules.most)),
      ("maxScrollObstructionExtent", .number(sliver.rules.isPinned ? sliver.rules.least : 0)),
      ("childPosition", .number(layout.childPosition)), ("nextTop", .number(layout.nextTop)),
      ("isSnapping", .bool(sliver.isSnapping)),
    ]
  }
}
