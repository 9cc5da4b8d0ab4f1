// SPDX-License-Identifier: MIT
//
// Explanations of a movement: each drawer's part of it, and the law that cut it. Points have the frame's sign.

internal import CollapsingLaws
internal import HeaderPluginKit

extension CollapsingHeader {
  /// The drawers take their part of a movement.
  @inline(__always)
  func takeAlong(_ movement: Double, _ phase: Phase) -> Double {
    host.isExplained ? tell(movement, phase) { $0.take(movement, phase) } : chain.take(movement, phase)
  }

  /// No gap opens between the header and content that is this far from its top.
  @inline(__always)
  func closeAlong(to distance: Double) -> Double {
    host.isExplained
      ? tell(distance - chain.total, .atTop) { $0.close(to: distance) } : chain.close(to: distance)
  }

  @inline(never)
  private func tell(_ movement: Double, _ phase: Phase, _ move: (inout LawChain) -> Double) -> Double {
    let (taken, parts) = chain.explained(movement, phase, move)
    host.noteMovement(-movement, taken: -taken)
    for part in parts {
      host.notePart(
        of: part.link, -part.offered, taken: -part.taken, rule: part.rule.map { word(for: $0, hides: movement > 0) })
    }
    return taken
  }

  private func word(for rule: LawChain.Rule, hides: Bool) -> Host.Rule {
    switch rule {
    case .end: hides ? .contracted : .expanded
    case .pinned: .sticky
    case .bounds: .constraint
    case .gate: .resistance
    case .top: .top
    }
  }
}
