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

extension Header {
  /// How often the description has changed, modulo 2^32.
  public var descriptionRevision: UInt32 { plans.revision }

  /// The header's metadata for a mirror.
  public var rest: MirrorMetadata {
    var rest = MirrorMetadata()
    rest.now = hasTime ? now : nil
    rest.nextDue = nextDue
    for (index, slot) in proxy.slots.enumerated() {
      if let reason = slot.bypassed { rest.bypassed.append((index, reason)) }
    }
    rest.question = question.map { ($0.delegate, $0.event) }
    rest.failure = failure
    rest.places = rare.isMirror ? rare.mirror?.places : rare.hasFollowers ? drawers.indices.map(leaderPlace) : nil
    return rest
  }

  /// Brings a mirror's structure, chain and options up to date. Its records get the new structure with the next state.
  public func mirror(
    _ description: HeaderDescription, provider: any BehaviorProvider
  ) throws(HeaderError) {
    var slots: ContiguousArray<DelegateProxy.Slot> = []
    let editor = ChainEditor(header: self)
    for (index, wanted) in description.delegates.enumerated() {
      let delegate = try editor.makeDelegate(wanted, provider, at: Path("delegates")[index])
      delegate.index = Int32(index)
      var slot = DelegateProxy.Slot(delegate)
      slot.isActive = true
      slots.append(slot)
    }
    proxy.slots = slots
    self.description = description
    proxy.updateListeners()
    // The positions come with the next state: an engine that is elsewhere has none here to make them from.
    rebuildNames()
  }

  /// Whether there is nothing in `rest` but times.
  public var isRestPlain: Bool { !isWaiting && rare.isPlain && proxy.slots.allSatisfy { $0.bypassed == nil } }

  /// Whether the state has other positions than were emitted; asked once.
  public func takeUnpublished() -> Bool {
    defer { work.hasUnpublished = false }
    return work.hasUnpublished
  }

  /// Lends the state for the length of a call, without a copy.
  public func lendState(to body: (borrowing HeaderState) -> Void) { stateRecord.lend(to: body) }

  /// Brings a mirror's state up to date.
  public func mirror(_ state: HeaderState) { stateRecord.state = state }

  /// The same without a copy: the old state is left in `state`.
  public func mirror(swapping state: inout HeaderState) { swap(&stateRecord.state, &state) }

  /// Brings the rest of a mirror up to date, in which there is nothing but times.
  public func mirror(now: Instant?, nextDue: Instant?) {
    if let now, rare.mirror(now: now, nextDue: nextDue) { return (self.now, hasTime) = (now, true) }
    var rest = MirrorMetadata()
    (rest.now, rest.nextDue) = (now, nextDue)
    mirror(rest)
  }

  /// The engine's report of its shadow; nil: there is none.
  public var mirroredShadow: Value? { rare.mirror?.shadow }

  /// How many events clients are to be sent.
  public var clientEventCount: Int { rare.clientEvents.count }

  /// Adds an event that a client is to be sent.
  public func mirror(_ event: ClientEvent) { rare.clientEvents.append(event) }

  /// Brings the rest of a mirror up to date, at the end of an input.
  public func mirror(_ rest: MirrorMetadata) {
    var rest = rest
    rest.places = rest.places ?? rare.mirror?.places
    hasTime = rest.now != nil
    if let time = rest.now { now = time }
    rare.mirror = rest
    proxy.isWaiting = rest.question != nil
    rare.failure = rest.failure
    rare.remarks = rest.remarks
    for index in proxy.slots.indices { proxy.slots[index].bypassed = nil }
    for (index, reason) in rest.bypassed where proxy.slots.indices.contains(index) {
      proxy.slots[index].bypassed = reason
    }
  }
}
