// SPDX-License-Identifier: MIT
//
// One connection: bytes in, cut into lines, each line a request that is answered before the next one is looked at.
//
//     greeting ──first byte `{` or white space──▶ JSON Lines ──▶ ended
//         ╰── any other first byte, a line over the limit, overflow, drain, the peer's end ──▶ ended
//
// The first byte decides the encoding; the binary one (0x89) is not spoken yet and ends the connection without a word.
// Input waits while too many answers do: a client that asks and never reads stops itself and nobody else.
//
// What a session may ask of headers is in Session+Headers.swift, Session+Events.swift and so on; here are its bytes.

internal import HeaderCore
internal import HeaderWire

/// One client's side of a connection.
final class Session: Sleeper {
  let id: ConnectionID
  let peer: Peer
  unowned let service: Service
  private var lineSplitter: LineSplitter
  /// Input that waits until the answers before it are taken.
  private var waitingInput: [UInt8] = []
  private var hasEncoding = false
  private(set) var isEnded = false
  private var inputIsOver = false
  private let connectedAt: Int64
  private var lastTraffic: Int64

  var subscriptions: [Subscription] = []
  var lastSubscription = 0
  /// By header: what is on its way to this connection.
  var feeds: [HeaderHandle: Feed] = [:]
  /// Feeds that are owed something, in the order of their waiting.
  private var pending: [Feed] = []
  var recorders: [TraceRecorder] = []
  /// The clocks that this connection has as a publisher, and the headers that they are for.
  var publishers: [HeaderHandle: PublisherClock] = [:]
  var published: [HeaderHandle: HeaderEntry] = [:]
  /// Names of headers that it opened or attached to.
  var opened: Set<String> = []
  /// Headers that end with it.
  var owned: [HeaderHandle: HeaderEntry] = [:]
  /// The header of its last event: most connections have one.
  var lastEntry: HeaderEntry?
  var clientName: String?
  var hasToldUnknownField = false
  private var loggedErrors: Set<ErrorName> = []
  var rate = RateBucket()

  init(id: ConnectionID, peer: Peer, service: Service) {
    self.id = id
    self.peer = peer
    self.service = service
    lineSplitter = LineSplitter(limit: service.limits.lineBytes)
    connectedAt = service.now
    lastTraffic = service.now
    super.init(order: id.number)
  }

  // MARK: - Input

  /// Whether anything came at all.
  private(set) var hasSpoken = false

  var wantsInput: Bool { !isEnded && waitingInput.isEmpty && hasRoom }

  /// Room for another answer: the queue is not longer than one subscriber's may be.
  var hasRoom: Bool { queuedBytes <= service.limits.queueBytes }

  func received(_ bytes: UnsafeRawBufferPointer) {
    guard !isEnded, bytes.count > 0 else { return }
    hasSpoken = true
    lastTraffic = service.now
    service.counters.bytesReceived += bytes.count
    if waitingInput.isEmpty {
      unsafe consume(bytes)
    } else {
      unsafe waitingInput += bytes
    }
  }

  /// The peer sends no more. An unfinished line is nobody's request.
  func endOfInput() {
    guard !isEnded else { return }
    inputIsOver = true
    guard waitingInput.isEmpty else { return }
    if lineSplitter.unfinishedCount > 0 {
      misbehaved("unfinishedLine", [("bytes", String(lineSplitter.unfinishedCount))])
    }
    if subscriptions.isEmpty, recorders.isEmpty { end(reason: nil) }
  }

  /// The connection broke.
  func vanished() {
    guard !isEnded else { return }
    if lineSplitter.unfinishedCount > 0 {
      misbehaved("unfinishedLine", [("bytes", String(lineSplitter.unfinishedCount))])
    }
    isEnded = true
    service.marked(self)
  }

  private func consume(_ bytes: UnsafeRawBufferPointer) {
    guard unsafe hasEncoding || chooseEncoding(bytes[0]) else { return }
    var cursor = 0
    do {
      while !isEnded {
        guard hasRoom else {
          unsafe waitingInput = Array(bytes[cursor...])
          return
        }
        guard let line = unsafe try lineSplitter.next(in: bytes, from: &cursor) else { return }
        unsafe handle(line)
      }
    } catch {
      service.counters.errors += 1
      let refusal = HeaderError.limit(
        "lineBytes", error.limit, "a line has at most \(error.limit) bytes; the connection ends here")
      write { $0.refusal(nil, refusal) }
      misbehaved("lineTooLong", [("limit", String(error.limit))])
      end(reason: nil)
    }
  }

  private func chooseEncoding(_ first: UInt8) -> Bool {
    switch first {
    case UInt8(ascii: "{"), 0x20, 0x09, 0x0A, 0x0D:
      hasEncoding = true
      return true
    case 0x89:
      misbehaved("binaryNotSpoken", [])
    default:
      let error = HeaderError(
        .parseError, "a connection begins with { or white space, got byte \(first)",
        facts: Value.Record(fields: [.init(name: "column", value: 1)]))
      write { $0.refusal(nil, error) }
      misbehaved("notJSONLines", [("firstByte", String(first))])
    }
    end(reason: nil)
    return false
  }

  // MARK: - Output

  var queuedBytes: Int { service.output.queuedBytes(of: id) }

  /// So many unsent bytes that `latest` states are gathered instead of sent, and a gap is not closed yet.
  var isBehind: Bool { queuedBytes > min(65_536, service.limits.queueBytes / 2) }

  /// Writes one message and sends it. The body must not send anything itself.
  func write(_ body: (inout JSONWriter) -> Void) {
    service.writer.removeAll(keepingUpTo: 65_536)
    body(&service.writer)
    send(service.writer)
  }

  func send(_ writer: borrowing JSONWriter) {
    unsafe writer.withUnsafeBytes { unsafe send($0.bytes) }
  }

  func send(_ bytes: [UInt8]) { send(unsafe bytes.span.bytes) }

  private func send(_ bytes: RawSpan) {
    guard !isEnded else { return }
    lastTraffic = service.now
    service.counters.bytesSent += bytes.byteCount
    service.output.send(bytes, to: id)
  }

  /// The state as it is, positions alone.
  func sendSnapshot(of entry: HeaderEntry, _ parts: StateEncoder.Parts) {
    write { StateEncoder.notification(entry.header.state, parts.union(.snapshot), into: &$0) }
  }

  /// Puts a feed into the row of those that are owed something.
  func pend(_ feed: Feed) {
    guard !feed.isPending else { return }
    feed.isPending = true
    pending.append(feed)
  }

  /// The output is empty: what waits goes out, then what was asked meanwhile is answered.
  func drained() {
    guard !isEnded else { return }
    if !pending.isEmpty { flush(ignoringRoom: false) }
    guard !waitingInput.isEmpty, hasRoom else { return }
    let input = waitingInput
    waitingInput = []
    unsafe input.withUnsafeBytes { unsafe consume($0) }
    if inputIsOver { endOfInput() }
  }

  /// Sends what feeds are owed, first come first served, until the connection is behind again.
  func flush(ignoringRoom: Bool) {
    var next = 0
    while next < pending.count, !isEnded, ignoringRoom || !isBehind {
      let feed = pending[next]
      next += 1
      feed.isPending = false
      if !feed.isGone { feed.deliver() }
    }
    pending.removeFirst(next)
  }

  /// The connection ends: with a `bye` if there is a reason to tell, after all that was sent is written.
  func end(reason: String?) {
    guard !isEnded else { return }
    if let reason { write { $0.bye(reason: reason) } }
    isEnded = true
    pending = []
    waitingInput = []
    service.output.close(id)
    service.marked(self)
  }

  /// A header that it published to is gone.
  func forget(_ entry: HeaderEntry) {
    publishers[entry.handle] = nil
    published[entry.handle] = nil
    if lastEntry === entry { lastEntry = nil }
  }

  // MARK: - Time

  /// When this connection is looked at again: its greeting is overdue, or it has been silent for long.
  var dueWake: Int64 {
    hasSpoken
      ? lastTraffic + nanoseconds(service.limits.idlePing)
      : connectedAt + nanoseconds(service.limits.handshakeTimeout)
  }

  func wakeIsDue() {
    guard !isEnded, dueWake <= service.now else { return }
    if hasSpoken {
      write { $0.ping() }
    } else {
      misbehaved("handshakeTimeout", [])
      end(reason: nil)
    }
  }

  private func nanoseconds(_ seconds: Double) -> Int64 { Instant.nanoseconds(seconds) }

  // MARK: - Log

  /// One line about what this client did wrong.
  func misbehaved(_ what: String, _ facts: [(key: String, value: String)]) {
    var all = [(key: "connection", value: String(id.number)), (key: "peer", value: peer.name)]
    if let clientName { all.append((key: "client", value: clientName)) }
    service.log.log(.warning, what, all + facts)
  }

  /// The first error of each kind that a connection makes is worth a line, the thousandth is not.
  func logOnce(_ error: HeaderError) {
    guard loggedErrors.insert(error.name).inserted else { return }
    misbehaved("clientBug", [("error", error.name.rawValue), ("message", error.message)])
  }
}

/// So many events a second, with as many saved up at most.
struct RateBucket {
  private var tokens = 0.0
  private var filledAt: Int64?

  /// Takes one; nil when there was one, else the seconds until there is.
  mutating func take(_ perSecond: Int, at now: Int64) -> Double? {
    guard perSecond > 0 else { return nil }
    let rate = Double(perSecond)
    if let filledAt { tokens = min(rate, tokens + Double(now - filledAt) / 1e9 * rate) } else { tokens = rate }
    filledAt = now
    guard tokens >= 1 else { return (1 - tokens) / rate }
    tokens -= 1
    return nil
  }
}
