// SPDX-License-Identifier: MIT
//
// A header whose engine runs in another process is here as its mirror: a header with the same description, whose delegates do nothing and
// whose inputs are not applied. Its owner forwards the inputs, and updates the mirror from the engine's messages, in order. So all
// readers of a header (subscribers, snapshots, timers, client delegates) can read a mirror as well.
//
//     input ─▶ engine elsewhere ─▶ states ─▶ mirror(state) ─▶ emit
//                               ─▶ its end ─▶ mirror(rest)
//
// The values are not checked here: the decoder has checked them.

import HeaderModel

/// A header's metadata between two inputs, beside its description and its state.
public struct MirrorMetadata: Sendable {
  /// Header time, nil before the first event.
  public var now: Instant?
  /// When the header has something to do next without an input.
  public var nextDue: Instant?
  /// The places in the chain of the delegates that are bypassed, with the reasons.
  public var bypassed: [(delegate: Int, reason: String)] = []
  /// The question of the event that waits for a client; nil: none waits.
  public var question: (delegate: Int, event: Value.Record)?
  /// The first failure of a delegate during the last input.
  public var failure: HeaderError?
  /// Remarks about the last input.
  public var remarks: InputRemarks?
  /// The shadow's own report (`Shadow.value`); nil: there is no shadow.
  public var shadow: Value?
  /// The drawers' places for followers; nil: as before, or there are no followers.
  public var places: [LeaderPlace]?

  /// As it is before the first event.
  public init() {}

  /// There is nothing but times.
  var isPlain: Bool {
    bypassed.isEmpty && question == nil && failure == nil && remarks == nil && shadow == nil
  }
}

/// Makes delegates that do nothing, for mirrors.
public final class MirrorProvider: BehaviorProvider {
  private let behaviors: [String: SharedBehavior]

  /// Knows behaviors by their descriptions alone.
  public init(_ descriptions: [BehaviorDescription]) {
    behaviors = Dictionary(descriptions.map { ($0.name, SharedBehavior($0)) }) { first, _ in first }
  }

  /// The description of a behavior.
  public func behavior(named name: String) -> BehaviorDescription? { behaviors[name]?.description }

  /// The names of all behaviors, sorted.
  public var behaviorNames: [String] { behaviors.keys.sorted() }

  /// A delegate that does nothing.
  public func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
    guard let shared = behaviors[behavior] else {
      throw .behaviorNotFound(behavior, known: behaviorNames, at: Path("behavior"))
    }
    return ScrollDelegate(name: name, sharing: shared)
  }
}
