// SPDX-License-Identifier: MIT
//
// Notices of the header itself, with any behavior: that a finger lets go of it while it is stretched, and that it goes back and forth
// without a finger.

import HeaderModel

extension Header {
  /// Posts a notice when a finger lets go of a drawer that is taller than its maximum height by the trigger, with the points.
  func noteStretch() {
    let trigger = plans.plan.description.stretchTrigger
    guard trigger > 0 else { return }
    for index in drawers.indices {
      let stretch = drawers[index].size.height - drawers[index].maximumHeight
      guard stretch >= trigger else { continue }
      work.note(
        .didTriggerStretch, of: Int(owners.drawers[index]),
        ["drawer": .text(presentName(ofDrawer: index)), "stretch": .number(stretch)])
    }
  }

  /// Movements are seen from here on.
  func noteEdge() { if drawers.count > 0 { lastEdge = isEdged ? farEdges : drawers[drawers.count - 1].farEdge } }

  /// How far the drawers of all edges reach together.
  var farEdges: Double { sides.reduce(0) { $0 + ($1.drawers.last.map { drawers[$0].farEdge } ?? 0) } }

  /// Drawers have changed: one that moves the other way than before has turned round.
  @inline(__always)
  func noteDirection() {
    guard drawers.count > 0 else { return }
    let edge = isEdged ? farEdges : drawers[drawers.count - 1].farEdge
    guard edge != lastEdge else { return }
    let isExpanding = edge > lastEdge
    lastEdge = edge
    guard isExpanding != wasExpanding else { return }
    wasExpanding = isExpanding
    noteTurn(to: isExpanding)
  }

  /// Posts a routine notice when the header has turned round too often in too short a time; called before a state is made.
  @inline(never)
  func noteTurn(to isExpanding: Bool) {
    // The original libraries have no such notice.
    guard plans.plan.description.accessibility == .shown else { return }
    guard trackingScrollView < 0 || !(scrollViews[trackingScrollView].isTracking) else {
      rare.turns = []
      return
    }
    rare.turns.append(now)
    while let first = rare.turns.first, now.nanoseconds(since: first) > Self.turnsWithin { rare.turns.removeFirst() }
    guard rare.turns.count > Self.maxTurns else { return }
    work.happened.notices.append(
      HeaderState.Notice(
        delegate: owners.drawers.first ?? -1, name: .didOscillate,
        arguments: ["turns": .number(Double(rare.turns.count))], isRoutine: true))
    rare.turns = []
  }

  /// More turns than these …
  static var maxTurns: Int { 6 }
  /// … within one second, in nanoseconds, are no intended movement.
  static var turnsWithin: Int64 { 1_000_000_000 }
}
