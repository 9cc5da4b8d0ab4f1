// SPDX-License-Identifier: MIT
//
// The tracking scroll view becomes another one: by an event, by a call, by a configuration, or because the old one is gone.
//
//     before   the header's place, and what the old view's insets were before it began to track
//     the chain's tail goes over · the delegates are told, and do what their originals do
//     after    `handOver = "keep"`: the header is put back where it was; its inset and the content follow on the new view
//              `onLeave = "restore"`: the old view gets its insets back, and its content stays where it is on the screen

/// What a scroll view had before the header followed it.
struct InsetsBefore: Equatable, Sendable {
  var content: Insets
  var indicators: Insets
}

/// A change of the tracking scroll view.
struct HandOver {
  private let header: Header
  private let old: Int
  private let positions: [(delegate: Int, position: Position)]

  /// To be made before anything changes.
  init(of header: Header) {
    self.header = header
    old = header.trackingScrollView
    let controller = PositionController(header)
    let keeps = header.plans.plan.description.handOver == .keep
    positions = keeps ? controller.movers.map { ($0, controller.position(of: $0)) } : []
  }

  /// The new one is the tracking one, and nobody has been told yet.
  func begin() {
    let new = header.trackingScrollView
    if header.chain.tail >= 0, Int(header.chain.tail) == old { header.chain.tail = Int32(new) }
    for side in header.sides where side.chain.tail >= 0 && Int(side.chain.tail) == old { side.chain.tail = Int32(new) }
    header.noteInsets(of: new)
  }

  /// The delegates have been told.
  func conclude() {
    let controller = PositionController(header)
    for (delegate, position) in positions where controller.position(of: delegate) != position {
      controller.put(delegate, at: position.traveled)
    }
    if header.plans.plan.description.onLeave == .restore { restoreInsets() }
  }

  private func restoreInsets() {
    guard header.scrollViews.indices.contains(old) else { return }
    let name = header.description.scrollViews[old].name
    guard let before = header.rare.insetsBefore.removeValue(forKey: name) else { return }
    let present = header.scrollViews[old].contentInset
    header.writeContentInset(before.content, old)
    header.writeIndicatorInsets(before.indicators, old)
    var offset = header.scrollViews[old].contentOffset
    if header.isEdged {
      for side in header.sides {
        let more = side.lens.insets(present).top - side.lens.insets(before.content).top
        offset += side.lens.realScroll(Point(y: more), of: header.scrollViews[old])
      }
    } else {
      offset.y += present.top - before.content.top
    }
    header.moveContent(of: old, to: offset)
  }
}

extension Header {
  /// Keeps what a scroll view has before the header follows it, if it is to get that back and nothing is kept of it yet.
  func noteInsets(of view: Int) {
    guard plans.plan.description.onLeave == .restore, scrollViews.indices.contains(view) else { return }
    let (record, name) = (scrollViews[view], description.scrollViews[view].name)
    guard rare.insetsBefore[name] == nil else { return }
    rare.insetsBefore[name] = InsetsBefore(
      content: record.contentInset, indicators: record.scrollIndicatorInsets)
  }
}
