// SPDX-License-Identifier: MIT
//
// A member of the chain. The base class answers nothing; PluginHost's delegate hands every call over the C boundary, tests subclass it
// directly. It is a class because a delegate is entered again while it is being called: a write of an offset comes back as a nested
// didScroll.
//
//   life:  made → options set, one by one → attach → events, calls, timers, frames … → detach → gone
//
// Every call gets the header, through which the delegate makes changes (DrawerChain.swift, Header+ScrollViews.swift,
// Header+Requests.swift). A delegate that throws `failed` is bypassed from then on; the header keeps working. `refused` is an answer, not
// a failure.

import HeaderModel

/// Why a delegate did not carry out a call.
public enum DelegateFailure: Error, Equatable, Sendable {
  /// The delegate refuses, with its reason; nothing changed.
  case refused(String)
  /// The delegate gave a wrong result or broke a rule: it is bypassed.
  case failed(String)
  /// The thing that it claims belongs to another delegate.
  case conflict(owner: String, what: String)

  /// The reason for people.
  public var reason: String {
    switch self {
    case .refused(let reason), .failed(let reason): reason
    case .conflict(let owner, let what): "\(what) belongs to \(owner)"
    }
  }
}

/// A member of a header's chain of delegates.
open class ScrollDelegate {
  /// The name, unique within the header.
  public let name: String
  private let sharedBehavior: SharedBehavior
  /// The place in the chain; the header sets it.
  public internal(set) final var index: Int32 = -1
  /// The edge that it belongs to; nil: it sees everything as it is.
  public internal(set) final var side: HeaderSide?

  /// A delegate of a behavior under a name.
  public init(name: String, behavior: BehaviorDescription) {
    self.name = name
    sharedBehavior = SharedBehavior(behavior)
  }

  /// Creates a delegate of a behavior whose description all its delegates share.
  public init(name: String, sharing behavior: SharedBehavior) {
    self.name = name
    sharedBehavior = behavior
  }

  /// The behavior's own description.
  public final var behavior: BehaviorDescription { sharedBehavior.description }

  /// The events that this instance responds to, asked after its options are set; at most the behavior's declared ones.
  open var responds: EventSet { behavior.events }

  /// Of a client: the events that it gets after the chain, as far as it is not asked about them.
  var listens: EventSet { [] }

  /// Sets one option; the value has passed the option's schema.
  /// - Parameter index: the option's place in its behavior's list.
  open func setOption(_ index: Int, _ value: Value, in header: Header) throws(DelegateFailure) {}

  /// The header is made and its records can be read; drawers are claimed here. Delegates are attached from the last to the first, so that
  /// observers are there when a behavior first moves something.
  open func attach(to header: Header) throws(DelegateFailure) {}

  /// The delegate leaves the chain; no call follows.
  open func detach(from header: Header) {}

  /// An event on its way through the chain. May be entered again from within.
  open func receive(_ event: PassingEvent, _ answer: inout DelegateAnswer, in header: Header)
    throws(DelegateFailure)
  {}

  /// `receive` with its failure as a value; nil: none.
  @inline(__always)
  final func answer(to event: PassingEvent, _ answer: inout DelegateAnswer, _ header: Header) -> DelegateFailure? {
    do {
      try receive(event, &answer, in: header)
      return nil
    } catch {
      return error
    }
  }

  /// A call of the behavior's own, by its place in the behavior's list; the arguments have passed their schemas.
  open func call(_ index: Int, _ arguments: Value.Record, in header: Header) throws(DelegateFailure) -> Value { .null }

  /// A layout pass that it asked for.
  open func layout(in header: Header) throws(DelegateFailure) {}

  /// A frame of its display link; duration in seconds.
  open func frame(duration: Double, in header: Header) throws(DelegateFailure) {}

  /// A timer of its own is due.
  open func timer(_ token: UInt64, in header: Header) throws(DelegateFailure) {}

  /// An animation that the delegate announced has ended, by the clock.
  open func completion(_ token: UInt64, in header: Header) throws(DelegateFailure) {}

  /// Work that it put off to after the event.
  open func afterEvent(_ token: UInt64, in header: Header) throws(DelegateFailure) {}

  /// How its drawers can be brought to a position.
  open var positioning: Positioning { .none }

  /// Where its drawers are; of `own` positioning only.
  open func position(in header: Header) throws(DelegateFailure) -> Position { Position(traveled: 0, travel: 0) }

  /// Brings its drawers to a position, in points from fully expanded, at once. They stay there until something moves them; of
  /// `own` positioning only.
  open func move(to traveled: Double, in header: Header) throws(DelegateFailure) {}

  /// From now on its drawers stay within a range of progress, and come there at once; `0...1` permits everything. Of `own`
  /// positioning only.
  open func permit(_ range: ClosedRange<Double>, in header: Header) throws(DelegateFailure) {}

  /// Where one drawer of its edge is, counted from the edge's first; nil: its frame says so. Of `own` positioning only.
  open func place(of drawer: Int, in header: Header) throws(DelegateFailure) -> DrawerPlace? { nil }

  /// The position at which one drawer is gone by some points, on the way from the present positions; nil: unknown. Used with `own`
  /// positioning only.
  open func position(where drawer: Int, isGone points: Double, in header: Header) throws(DelegateFailure) -> Double? {
    nil
  }

  /// Places on the way that have names, beside `expanded` and `collapsed`.
  open func stops(in header: Header) throws(DelegateFailure) -> [NamedStop] { [] }

  /// The state that a new instance needs to take over. Empty when there is none.
  open func save(in header: Header) throws(DelegateFailure) -> SavedState {
    SavedState(version: behavior.savedVersion, state: .null)
  }

  /// Takes over a saved state, in place of `attach`: the header looks as it did when the state was saved.
  open func restore(_ saved: SavedState, in header: Header) throws(DelegateFailure) {}
}
