// SPDX-License-Identifier: MIT
//
// Fields that a header needs only when a delegate fails, a movement is offered, a client takes part, or its time begins far
// away. Most headers never see any of these and pay one pointer for them. Once made, the object stays, so that no later
// event allocates.

import HeaderModel

/// Fields that events rarely touch.
struct HeaderRareState {
  private final class Fields {
    var failure: HeaderError?
    var offsetBeforeOffer = Point()
    var withheld = Point()
    var parked: ParkedEvent?
    var remarks: InputRemarks?
    var clientEvents: ContiguousArray<ClientEvent> = []
    var timeEnd = Instant(nanoseconds: Instant.maxNanoseconds)
    /// Whether there is a `failure`, without a look at the error, which is large.
    var hasFailure = false
    var mirror: MirrorMetadata?
    var isPlainMirror = false
    var control: PositionControl?
    var isMovedWithinBounds = false
    var insetsBefore: [String: InsetsBefore] = [:]
    var turns: [Instant] = []
    var sides: [HeaderSide] = []
    var leaders = Leaders()
    var hasFollowers = false
    var space = Point()
    var keptInStack: [Int] = []
  }

  private var fields: Fields?

  private mutating func made() -> Fields {
    let made = fields ?? Fields()
    fields = made
    return made
  }

  /// The first failure of a delegate during the current event.
  var failure: HeaderError? {
    get { fields?.failure }
    set {
      guard newValue != nil || fields != nil else { return }
      made().failure = newValue
      made().hasFailure = newValue != nil
    }
  }

  /// Whether a delegate has failed during the current event.
  var hasFailure: Bool { fields?.hasFailure ?? false }

  /// Whether no delegate has failed, nothing was wrong with the last input, and no header follows.
  var isPlain: Bool {
    guard let fields else { return true }
    return !fields.hasFailure && !fields.hasFollowers && fields.remarks == nil
  }

  /// Brings the times of a mirror up to date.
  /// - Returns: false, and nothing has happened: the rest of it is not plain.
  func mirror(now: Instant, nextDue: Instant?) -> Bool {
    guard let fields, fields.isPlainMirror else { return false }
    fields.mirror?.now = now
    fields.mirror?.nextDue = nextDue
    return true
  }

  /// Where the content was when a movement was offered.
  var offsetBeforeOffer: Point {
    get { fields?.offsetBeforeOffer ?? Point() }
    set { made().offsetBeforeOffer = newValue }
  }

  /// What of the offer clients have kept from those behind them.
  var withheld: Point {
    get { fields?.withheld ?? Point() }
    set { made().withheld = newValue }
  }

  /// The event that waits for a client.
  var parked: ParkedEvent? {
    get { fields?.parked }
    set { made().parked = newValue }
  }

  /// Remarks about an input that was handled all the same; see `Header.takeRemarks`.
  var remarks: InputRemarks? {
    get { fields?.remarks }
    set { if newValue != nil || fields != nil { made().remarks = newValue } }
  }

  /// For a mirror: the metadata that the engine has sent last.
  var mirror: MirrorMetadata? {
    get { fields?.mirror }
    set {
      made().mirror = newValue
      made().isPlainMirror = newValue?.isPlain ?? false
    }
  }

  var isMirror: Bool { fields?.mirror != nil }

  /// Constraints, and the motion under way; nil: there never were any.
  var control: PositionControl? {
    get { fields?.control }
    _modify { yield &made().control }
  }

  /// A movement is under way that constraints have cut.
  var isMovedWithinBounds: Bool {
    get { fields?.isMovedWithinBounds ?? false }
    set { made().isMovedWithinBounds = newValue }
  }

  /// When the header turned round lately, without a finger.
  var turns: [Instant] {
    get { fields?.turns ?? [] }
    _modify { yield &made().turns }
  }

  /// The edges in use, where that is not the top alone.
  var sides: [HeaderSide] {
    get { fields?.sides ?? [] }
    _modify { yield &made().sides }
  }

  /// Other headers that drawers of this one follow.
  var leaders: Leaders {
    get { fields?.leaders ?? Leaders() }
    _modify { yield &made().leaders }
  }

  /// Whether drawers of other headers follow some of this one (`Header.Observation`).
  var hasFollowers: Bool {
    get { fields?.hasFollowers ?? false }
    set { if newValue || fields != nil { made().hasFollowers = newValue } }
  }

  /// The far corner of header space, where there are sides.
  var space: Point {
    get { fields?.space ?? Point() }
    set { made().space = newValue.bounded }
  }

  /// Drawers that hung on another mover's when one of the two failed or left (`Header.keepStack`).
  var keptInStack: [Int] {
    get { fields?.keptInStack ?? [] }
    set { if !newValue.isEmpty || fields != nil { made().keptInStack = newValue } }
  }

  /// What scroll views had before the header followed them, by name.
  var insetsBefore: [String: InsetsBefore] {
    get { fields?.insetsBefore ?? [:] }
    _modify { yield &made().insetsBefore }
  }

  /// The end of header time, nearly always the last instant. Anything due later never happens.
  var timeEnd: Instant {
    get { fields?.timeEnd ?? Instant(nanoseconds: Instant.maxNanoseconds) }
    set { if newValue != timeEnd { made().timeEnd = newValue } }
  }

  /// What clients are to be sent, in order; see `Header.takeClientEvents`.
  var clientEvents: ContiguousArray<ClientEvent> {
    get { fields?.clientEvents ?? [] }
    _modify { yield &made().clientEvents }
  }
}
