// SPDX-License-Identifier: MIT
//
// What a header needs when a delegate fails, a movement is offered, a client takes part or its time begins far away. Most
// headers never see any of these: then all of it takes one word. Once made it stays, so that no later event allocates.

/// What hardly an event needs.
final class Seldom {
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
  private var madeSeldom: Seldom {
    let made = seldom ?? Seldom()
    seldom = made
    return made
  }

  /// The first failure of a delegate during the event at hand.
  public internal(set) var failure: HeaderError? {
    get { seldom?.failure }
    set { if newValue != nil || seldom != nil { madeSeldom.failure = newValue } }
  }

  /// Whether a delegate has failed during the event at hand.
  public var hasFailure: Bool { seldom?.hasFailure ?? false }

  /// Where the content was when a movement was offered.
  var offsetBeforeOffer: Point {
    get { seldom?.offsetBeforeOffer ?? Point() }
    set { madeSeldom.offsetBeforeOffer = newValue }
  }

  /// What of the offer clients have kept from those behind them.
  var withheld: Point {
    get { seldom?.withheld ?? Point() }
    set { madeSeldom.withheld = newValue }
  }

  /// The event that waits for a client.
  var parked: ParkedEvent? {
    get { seldom?.parked }
    set { madeSeldom.parked = newValue }
  }

  /// What was wrong with an input that was handled all the same; see `takeRemarks`.
  var remarks: InputRemarks? {
    get { seldom?.remarks }
    set { if newValue != nil || seldom != nil { madeSeldom.remarks = newValue } }
  }

  /// Where header time ends, which is nearly always where an instant does. What is due later never happens.
  var timeEnd: Instant {
    get { seldom?.timeEnd ?? Instant(nanoseconds: Instant.nanosecondsMost) }
    set { if newValue != timeEnd { madeSeldom.timeEnd = newValue } }
  }

  /// What clients are to be told, in order; see `takeTold`.
  var told: ContiguousArray<ToldEvent> {
    get { seldom?.told ?? [] }
    _modify { yield &madeSeldom.told }
  }
}
