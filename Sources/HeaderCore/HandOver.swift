// SPDX-License-Identifier: MIT
//
// The tracking scroll view becomes another one: by an event, by a call, by a configuration, or because the old one was removed.
//
//     before   the header's place, and what the old view's insets were before it began to track
//              `onLeave = "restore"`: a view that was left gets back what it had then, so that the delegates find it as they know it
//     header space ends where the new view ends · the chain's tail goes over
//     the delegates receive the change, and act as their originals do
//     after    `handOver = "keep"`: the header is put back where it was; its inset and the content follow on the new view
//              `onLeave = "restore"`: the old view gets its insets back, and its content stays where it is on the screen

import HeaderModel

/// The insets of a scroll view before the header followed it.
struct InsetsBefore: Equatable, Sendable {
  var content: Insets
  var indicators: Insets
  /// The insets when the header left the view; nil: it has not left it.
  var left: Left?

  /// A view as it was left.
  struct Left: Equatable, Sendable {
    var content: Insets
    var indicators: Insets
    var offset: Point
    /// The offset that it was given then: where it still is unless something else has moved it.
    var given: Point
  }
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

  /// Begins, once the new scroll view is the tracking one and before the delegates receive the change.
  func begin() {
    let new = header.trackingScrollView
    header.fitSpace(to: new)
    if header.chain.tail >= 0, Int(header.chain.tail) == old { header.chain.tail = Int32(new) }
    for side in header.sides where side.chain.tail >= 0 && Int(side.chain.tail) == old { side.chain.tail = Int32(new) }
    // No behavior hangs the chains of followers on a scroll view after there was none.
    if header.isEdged { header.beginFollowing() }
    header.noteInsets(of: new)
    header.comeBack(to: new)
  }

  /// Ends, after the delegates have received the change.
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
    guard var before = header.rare.insetsBefore[name] else { return }
    let view = header.scrollViews[old]
    header.writeContentInset(before.content, old)
    header.writeIndicatorInsets(before.indicators, old)
    before.left = InsetsBefore.Left(
      content: view.contentInset, indicators: view.scrollIndicatorInsets, offset: view.contentOffset,
      given: header.scrollViews[old].contentOffset)
    header.rare.insetsBefore[name] = before
  }
}

// MARK: - As plain data

extension InsetsBefore {
  var saved: Value {
    var record: Value.Record = ["content": content.value, "indicators": indicators.value]
    record["left"] = left.map { left in
      [
        "content": left.content.value, "indicators": left.indicators.value, "offset": left.offset.value,
        "given": left.given.value,
      ]
    }
    return .record(record)
  }

  init(saved row: inout FieldReader) throws(HeaderError) {
    content = try row.shape("content", from: Insets()) ?? Insets()
    indicators = try row.shape("indicators", from: Insets()) ?? Insets()
    guard row.has("left") else { return }
    left = try row.nested("left") { left throws(HeaderError) in
      Left(
        content: try left.shape("content", from: Insets()) ?? Insets(),
        indicators: try left.shape("indicators", from: Insets()) ?? Insets(),
        offset: try left.shape("offset", from: Point()) ?? Point(),
        given: try left.shape("given", from: Point()) ?? Point())
    }
  }
}
