// SPDX-License-Identifier: MIT
//
// Fields that a header needs only when a delegate fails, a movement is offered, a client takes part, or its time begins far
// away. Most headers never see any of these and pay one pointer for them. Once made, the object stays, so that no later
// event allocates.

/// Fields that events rarely touch.
final class HeaderRareState {
  var failure: HeaderError? { didSet { hasFailure = failure != nil } }
  /// The same, told without a look at the error, which is large.
  private(set) var hasFailure = false
  var offsetBeforeOffer = Point()
  var withheld = Point()
  var parked: ParkedEvent?
  var remarks: InputRemarks?
  var told: ContiguousArray<ToldEvent> = []
  var timeEnd = Instant(nanoseconds: Instant.nanosecondsMost)
}

extension Header {
  private var madeRareState: HeaderRareState {
    let made = rareState ?? HeaderRareState()
    rareState = made
    return made
  }

  /// The first failure of a delegate during the event at hand.
  public internal(set) var failure: HeaderError? {
    get { rareState?.failure }
    set { if newValue != nil || rareState != nil { madeRareState.failure = newValue } }
  }

  /// Whether a delegate has failed during the event at hand.
  public var hasFailure: Bool { rareState?.hasFailure ?? false }

  /// Where the content was when a movement was offered.
  var offsetBeforeOffer: Point {
    get { rareState?.offsetBeforeOffer ?? Point() }
    set { madeRareState.offsetBeforeOffer = newValue }
  }

  /// What of the offer clients have kept from those behind them.
  var withheld: Point {
    get { rareState?.withheld ?? Point() }
    set { madeRareState.withheld = newValue }
  }

  /// The event that waits for a client.
  var parked: ParkedEvent? {
    get { rareState?.parked }
    set { madeRareState.parked = newValue }
  }

  /// What was wrong with an input that was handled all the same; see `takeRemarks`.
  var remarks: InputRemarks? {
    get { rareState?.remarks }
    set { if newValue != nil || rareState != nil { madeRareState.remarks = newValue } }
  }

  /// Where header time ends, which is nearly always where an instant does. What is due later never happens.
  var timeEnd: Instant {
    get { rareState?.timeEnd ?? Instant(nanoseconds: Instant.nanosecondsMost) }
    set { if newValue != timeEnd { madeRareState.timeEnd = newValue } }
  }

  /// What clients are to be told, in order; see `takeTold`.
  var told: ContiguousArray<ToldEvent> {
    get { rareState?.told ?? [] }
    _modify { yield &madeRareState.told }
  }
}
