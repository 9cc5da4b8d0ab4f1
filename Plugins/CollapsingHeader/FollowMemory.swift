// SPDX-License-Identifier: MIT
//
// What headers that follow movements, looks, a ratio or blocks remember, beyond what all remember (Saved.swift).

internal import CollapsingLaws
internal import HeaderPluginKit

extension CollapsingHeader {
  /// What is to go on; nil: the header goes by where its content is.
  var savedFollowing: Value? {
    var fields: [(name: String, value: Value)] = [("isAnimated", .bool(isAnimated))]
    switch follows {
    case .place: return nil
    case .movement: fields.append(("movement", savedMovement))
    case .looks: fields.append(("law", Self.list(decision?.memory ?? [])))
    case .ratio:
      fields.append(("law", Self.list(pair?.memory ?? [])))
    case .block: fields.append(("law", Self.list(block?.memory ?? [])))
    }
    return .record(fields)
  }

  private static func list(_ numbers: [Double]) -> Value { .list(numbers.map { .number($0) }) }

  private static func numbers(_ value: Value?) -> [Double] { (value?.list ?? []).compactMap(\.number) }

  private var savedMovement: Value {
    .record([
      ("contentMoved", .number(movement.contentMoved)), ("delayLeft", .number(movement.delayLeft)),
      ("contentDid", .number(movement.contentDid)), ("carries", .bool(movement.carries)),
      ("isIgnored", .bool(movement.isIgnored)), ("phase", .text(movement.phase.rawValue)),
      ("heights", Self.list(movement.heldHeights.flatMap { [$0.maximum, $0.minimum] })),
    ])
  }

  /// Heights that the saved header still went by, before its chain is made.
  func takeHeldHeights(_ state: Value) {
    let numbers = Self.numbers(state["following"]?["movement"]?["heights"])
    guard follows == .movement, numbers.count == 2 * host.drawerCount else { return }
    movement.heldHeights = stride(from: 0, to: numbers.count, by: 2).map {
      MovementState.Held(maximum: numbers[$0], minimum: numbers[$0 + 1])
    }
  }

  /// Goes on from what was saved.
  func restoreFollowing(_ state: Value) {
    let saved = state["following"]
    isAnimated = saved?["isAnimated"]?.bool ?? false
    let memory = Self.numbers(saved?["law"])
    switch follows {
    case .place: break
    case .movement: restoreMovement(saved?["movement"])
    case .looks: decision = Decision(memory: memory, decisionRules.marks) ?? Decision(decisionRules, at: last ?? 0)
    case .ratio:
      pair = freshPair
      pair?.takeMemory(memory)
    case .block:
      block = presentBlock
      block?.takeMemory(memory)
    }
  }

  private func restoreMovement(_ saved: Value?) {
    guard let saved else { return }
    movement.contentMoved = saved["contentMoved"]?.number ?? 0
    movement.delayLeft = saved["delayLeft"]?.number ?? 0
    movement.contentDid = saved["contentDid"]?.number ?? 0
    movement.carries = saved["carries"]?.bool ?? false
    movement.isIgnored = saved["isIgnored"]?.bool ?? false
    movement.phase = saved["phase"]?.text.flatMap(Surroundings.Phase.init(rawValue:)) ?? .expanded
  }
}
