// SPDX-License-Identifier: MIT
//
// One header of a worker, on the daemon's side: its mirror, and the log from which a new worker makes it again.
//
//     save 7 │ scroll · scroll · event · scroll     the worker dies: the next one opens it from save 7 and does what follows again
//            ╰──── acknowledged ───╯

internal import Clocks
internal import HeaderCore
internal import HeaderModel

/// A header whose engine is in a worker.
public final class RemoteHeader {
  let number: UInt32
  /// The daemon's copy of the header, which its users see.
  var mirror: Header
  var log: ReplayLog
  /// The end of its opening was reported.
  var wasOpened = false
  /// How often workers died of the first order that was not acknowledged, and how many in a row of those before it.
  var deathsOfOrder = 0
  var deathsOfReopening = 0
  /// Set if the next worker's state will differ from what was reported: the epoch that begins then.
  var nextEpoch: Int64?
  /// When workers died of a delegate, by its name.
  var deaths: [String: [MonotonicTime]] = [:]
  /// The worker has a shadow of it, which the next one does not get.
  var hasShadow = false
  var present = Presence()
  /// `Header.observation` as the worker has it.
  var observation = Header.Observation()
  var shape: StateShape
  var spare = SpareRecords()

  /// The header's state in the present worker.
  struct Presence {
    /// The worker has opened or refused it.
    var hasAnswered = false
    /// The worker has said that it opened it.
    var hasHeader = false
    /// Orders without a report of their end. While there are none, the worker sends nothing about the header.
    var openOrders = 0
    /// While a new worker catches up: the header as that worker has it. Only this file's owner sees it.
    var catchUpMirror: Header?
    /// The new worker's orders differ from the old one's, so it need not reach the old one's state.
    var isRestarting = false
    /// Reports of ends that are still to be dropped, since the owner had them from an earlier worker.
    var suppressedEnds = 0
    /// Orders before the last of those, which the worker does not report.
    var silentOrders = 0
    /// A description that comes into force with the next state, and the events for clients then.
    var next: (description: HeaderDescription, events: [ClientEvent])?
  }

  init(_ number: UInt32, _ mirror: Header, from saved: RemoteSave?, _ provider: MirrorProvider) {
    (self.number, self.mirror) = (number, mirror)
    shape = StateShape(of: mirror.description, provider)
    // Headers that move together are saved at different times, so that a new worker never has to repeat the most orders for all of them.
    log = ReplayLog(mirror.description, saved, spread: Int(number))
  }

  /// The mirror that the worker's messages bring up to date.
  var target: Header { present.catchUpMirror ?? mirror }

  /// The worker has come to where the one before it was.
  var hasCaughtUp: Bool { present.hasAnswered && present.suppressedEnds == 0 }
}

/// A header's last save, and the orders since as they were sent.
struct ReplayLog {
  /// The state that a new worker begins with.
  private(set) var description: HeaderDescription
  private(set) var saved: RemoteSave?
  /// The orders' bytes, one after the other.
  private(set) var bytes: [UInt8] = []
  private(set) var entries: [Entry] = []
  /// How many of them have ended and were reported.
  private(set) var acknowledged = 0
  /// An order has not ended yet.
  var isAwaited: Bool { acknowledged < entries.count }
  /// Orders that the present worker has had and a later save has made unnecessary.
  var dropped = 0
  /// Bytes in the log at which the header is saved again; nil: a save is under way.
  private var saveAt: Int?

  /// Bytes between two saves: 500 plain scrolls, which a worker does again in the time that it takes to save a header three times.
  private static let saveBytes = 16_384

  struct Entry {
    let ticket: Ticket
    /// Bytes of the order in `bytes`.
    var size: UInt32
  }

  /// What to do at the end of an order.
  enum Ticket {
    case owner
    /// Only count it.
    case none
    /// The save makes this log shorter; the owner may want it as well.
    case save(isOwn: Bool)
    /// A bypass that the owner did not order, and that is reported.
    indirect case bypass(delegate: String, reason: String)
  }

  init(_ description: HeaderDescription, _ saved: RemoteSave?, spread: Int) {
    (self.description, self.saved) = (description, saved)
    saveAt = Self.saveBytes - spread % 64 * (Self.saveBytes / 64)
  }

  /// Whether it is time for a save, which the caller then orders.
  mutating func takeSave() -> Bool {
    guard let place = saveAt, bytes.count >= place else { return false }
    saveAt = nil
    return true
  }

  mutating func append(_ order: [UInt8], _ ticket: Ticket) {
    bytes += order
    entries.append(Entry(ticket: ticket, size: UInt32(order.count)))
  }

  /// Takes the end of the next order.
  /// - Returns: what to do at its end; nil: no order was open, and the report of a worker that ends more than it was sent is dropped.
  mutating func acknowledge() -> Ticket? {
    guard acknowledged < entries.count else { return nil }
    acknowledged += 1
    let ticket = entries[acknowledged - 1].ticket
    if case .save(isOwn: true) = ticket { saveAt = bytes.count + Self.saveBytes }
    return ticket
  }

  /// Takes a save, which contains all acknowledged orders.
  mutating func begin(from saved: RemoteSave, _ description: HeaderDescription) {
    (self.saved, self.description) = (saved, description)
    bytes.removeFirst(start(of: acknowledged))
    entries.removeFirst(acknowledged)
    dropped += acknowledged
    acknowledged = 0
    saveAt = saveAt.map { min($0, bytes.count + Self.saveBytes) }
  }

  /// The bytes of one order.
  subscript(index: Int) -> ArraySlice<UInt8> { bytes[start(of: index)...].prefix(Int(entries[index].size)) }

  private func start(of index: Int) -> Int { entries[..<index].reduce(0) { $0 + Int($1.size) } }

  /// Makes the next worker bypass a delegate before an order.
  /// - Parameter isAcknowledged: the order was acknowledged.
  mutating func insert(_ order: [UInt8], _ bypass: Ticket, at index: Int, isAcknowledged: Bool) {
    bytes.insert(contentsOf: order, at: start(of: index))
    entries.insert(Entry(ticket: bypass, size: UInt32(order.count)), at: index)
    if isAcknowledged { acknowledged += 1 }
  }

  /// Puts an order in the place of those that a test holds for.
  mutating func replace(with order: [UInt8], where isReplaced: (ArraySlice<UInt8>) -> Bool) {
    var (all, start) = ([UInt8](), 0)
    for index in entries.indices {
      let present = bytes[start..<start + Int(entries[index].size)]
      start = present.endIndex
      guard isReplaced(present) else { all += present; continue }
      all += order
      entries[index].size = UInt32(order.count)
    }
    bytes = all
  }
}
