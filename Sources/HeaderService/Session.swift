// SPDX-License-Identifier: MIT
//
// One connection: bytes in, cut into messages, each a request that is answered before the next one is looked at.
//
//     greeting ──first byte `{` or white space──▶ JSON Lines ──▶ ended
//         ├── 89 48 44 01 ──▶ frames ──▶ ended
//         ╰── any other first byte, a message over the limit, overflow, drain, the peer's end ──▶ ended
//
// The first byte decides the encoding, for both directions; below this file only what writes messages knows which it
// is. Input waits while too many answers do: a client that asks and never reads stops itself and nobody else.
//
// What a session may ask of headers is in Session+Headers.swift, Session+Events.swift and so on; here are its bytes.

internal import HeaderCore
internal import HeaderWire

/// A client's place in a header's chain.
struct DelegateKey: Hashable, Comparable {
  let header: HeaderHandle
  let name: String

  init(_ header: HeaderHandle, _ name: String) {
    self.header = header
    self.name = name
  }

  static func < (left: DelegateKey, right: DelegateKey) -> Bool {
    (left.header, left.name) < (right.header, right.name)
  }
}

/// One client's side of a connection.
@safe final class Session: Sleeper, ConnectionInput {
  /// Whether anything came at all.
  private(set) var hasSpoken = false
  private(set) var isEnded = false
  private(set) var inputIsOver = false
  /// It ends when what it sent is done.
  private var endWaits = false
  let id: ConnectionID
  let peer: Peer
  let output: any ConnectionOutput
  /// It owns its sessions, so it is there as long as they are; a checked reference would cost more than most of its uses.
  @safe unowned(unsafe) let service: Service
  private var decoder: CommandDecoder
  /// Input that waits until the answers before it are taken.
  private var waitingInput: [UInt8] = []
  private var lastTraffic: Int64

  var subscriptions: [Subscription] = []
  var lastSubscription = 0
  /// By header: what is on its way to this connection.
  var feeds: [HeaderHandle: Feed] = [:]
  /// Feeds that are owed something, in the order of their waiting.
  private var pending: [Feed] = []
  var recorders: [TraceRecorder] = []
  /// The headers that it has sent events to.
  var bindings = PublisherBindings()
  var hasToldUnknownField = false
  /// Names of headers that it opened or attached to.
  var opened: Set<String> = []
  /// Headers that end with it.
  var owned: [HeaderHandle: HeaderEntry] = [:]
  var clientName: String?
  /// Its delegates in the chains of headers, and what they are asked.
  var delegates: [DelegateKey: HeaderEntry] = [:]
  var asked: [(id: Int, entry: HeaderEntry)] = [] { didSet { forgetOldQuestions() } }
  /// The events of the message at hand, if they have to wait.
  var waitingWork: EventWork?
  /// What it sent and is not done, in order; and what waits for all before it.
  var openTickets: [Int] = []
  var lastTicket = 0
  var later: [LaterMessage] = []
  /// Bytes of its messages that wait.
  var deferredBytes = 0
  private(set) var loggedErrors: Set<ErrorName> = []
  var rate = RateBucket()
  /// What is beside when the service has neighbors.
  var abroad: Abroad?

  /// A connection's session; a guest has an output of its own, and others have found out how its messages are written.
  init(
    id: ConnectionID, peer: Peer, service: Service, output: (any ConnectionOutput)? = nil, speaking: Encoding? = nil
  ) {
    self.id = id
    self.peer = peer
    self.service = service
    self.output = output ?? service.output.output(of: id)
    decoder = CommandDecoder(limit: service.limits.lineBytes, encoding: speaking)
    lastTraffic = service.now
    super.init(order: id.number)
  }

  var traffic: Traffic { service.traffic }

  // MARK: - Input

  /// How messages are written; lines as long as nobody said otherwise.
  var encoding: Encoding { decoder.encoding ?? .lines }

  var wantsInput: Bool { !isEnded && waitingInput.isEmpty && hasRoom }

  /// Room for another answer: the queue is not longer than one subscriber's may be.
  var hasRoom: Bool { hasRoomForOutput && deferredBytes <= service.limits.queueBytes }

  var hasRoomForOutput: Bool { queuedBytes <= service.limits.queueBytes }

  /// Input was held back.
  var waitsForRoom: Bool { !waitingInput.isEmpty || endWaits }

  func received(_ bytes: RawSpan, at time: Int64) { service.received(bytes, by: self, at: time) }

  func drained(at time: Int64) { service.drained(self, at: time) }

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

  /// The peer sends no more. An unfinished message is nobody's request.
  func endOfInput() {
    guard !isEnded else { return }
    inputIsOver = true
    guard waitingInput.isEmpty else { return }
    endsInput()
    if let abroad, abroad.guests != 0, !abroad.isEnding {
      abroad.isEnding = true
      noteUnfinished()
      hold(.endOfInput)
    }
    if abroad?.isEnding == true { return }
    endWaits = !openTickets.isEmpty
    guard !endWaits else { return }
    noteUnfinished()
    if subscriptions.isEmpty, recorders.isEmpty, delegates.isEmpty { end(reason: nil) }
  }

  /// Nothing more comes: who cannot answer is not asked.
  func endsInput() {
    inputIsOver = true
    if !delegates.isEmpty { leaveChains(observersToo: false) }
  }

  /// The connection broke.
  func vanished() {
    guard !isEnded else { return }
    noteUnfinished()
    isEnded = true
    service.marked(self)
  }

  /// A message that has begun and will not end.
  private func noteUnfinished() {
    let count = decoder.unfinishedCount
    guard count > 0 else { return }
    misbehaved(decoder.encoding == .lines ? "unfinishedLine" : "unfinishedFrame", [("bytes", String(count))])
  }

  private func consume(_ bytes: UnsafeRawBufferPointer) {
    let service = service
    var cursor = 0
    do throws(StreamError) {
      while !isEnded, cursor < bytes.count || decoder.holdsSpentBytes {
        guard hasRoom else {
          unsafe waitingInput = Array(bytes[cursor...])
          return
        }
        switch unsafe try decoder.next(in: bytes, from: &cursor) {
        case nil: return
        case .scroll(let scroll):
          if service.traffic.mayHaveToWait || !passes(scroll, by: service) { handle(scroll.command) }
        case .command(let command): handle(command)
        case .opening: writeFrame { $0.opening() }
        }
      }
    } catch {
      refuse(error)
    }
  }

  /// The stream makes no sense from here on; the connection is told why, if it can be told, and ends.
  private func refuse(_ error: StreamError) {
    switch error {
    case .lineTooLong(let limit):
      tooLong("a line has at most \(limit) bytes; the connection ends here", limit)
      misbehaved("lineTooLong", [("limit", String(limit))])
    case .frameTooLong(let size, let limit):
      tooLong(
        "a frame has at most \(limit) bytes behind its first eight, its size says \(size); the connection ends here",
        limit)
      misbehaved("frameTooLong", [("size", String(size)), ("limit", String(limit))])
    case .frameTooShort(let size):
      unreadable("a frame has at least 8 bytes, its size says \(size); the connection ends here", "byte", 0)
      misbehaved("frameTooShort", [("size", String(size))])
    case .unknownOpening(let first):
      unreadable("a connection begins with { or white space, or with 89 48 44 01, got byte \(first)", "column", 1)
      misbehaved("unknownOpening", [("firstByte", String(first))])
    case .unknownBinary(let place, let byte):
      // Nobody knows which frames the other end would understand.
      misbehaved("binaryNotSpoken", [("place", String(place)), ("byte", String(byte))])
    }
    end(reason: nil)
  }

  private func tooLong(_ message: String, _ limit: Int) {
    service.counters.errors += 1
    tell(.limit("lineBytes", limit, message), about: .unreadable)
  }

  private func unreadable(_ message: String, _ fact: String, _ place: Int) {
    let facts: Value.Record = [fact: .number(Double(place))]
    tell(HeaderError(.parseError, message, facts: facts), about: .unreadable)
  }

  // MARK: - Output

  var queuedBytes: Int { output.queuedBytes }

  /// Room for a state of a subscription that takes every one: the queue stays within its bound, or is empty.
  func hasRoom(forState size: Int, by service: Service) -> Bool {
    output.hasRoom(for: size, within: service.settings.limits.queueBytes)
  }

  /// Sends a state's message if the queue stays within a bound, or is empty.
  /// - Returns: whether there was room for it.
  @inline(__always)
  func pass(_ message: StateMessage, within bound: Int, by service: Service) -> Bool {
    let bytes = unsafe message.bytes.bytes
    let hasRoom =
      if let run = unsafe message.run {
        unsafe run._withUnsafeGuaranteedRef { output.offer(bytes, lentBy: $0, within: bound) }
      } else {
        output.offer(bytes, lentBy: nil, within: bound)
      }
    guard hasRoom else { return false }
    lastTraffic = service.now
    service.counters.bytesSent += bytes.byteCount
    return true
  }

  /// So many unsent bytes that `latest` states are gathered instead of sent, and a gap is not closed yet.
  var isBehind: Bool { queuedBytes > min(65_536, service.limits.queueBytes / 2) }

  /// Writes one JSON message, a line or a frame, and sends it. The body must not send anything itself.
  func write(_ body: (inout JSONWriter) -> Void) {
    guard encoding == .lines else { return writeFrame { $0.jsonFrame(body) } }
    service.writer.removeAll(keepingUpTo: 65_536)
    body(&service.writer)
    send(service.writer)
  }

  /// Writes one frame and sends it. The body must not send anything itself.
  func writeFrame(_ body: (inout FrameWriter) -> Void) {
    service.frameWriter.removeAll(keepingUpTo: 65_536)
    body(&service.frameWriter)
    send(service.frameWriter)
  }

  func send(_ writer: borrowing FrameWriter) {
    unsafe writer.withUnsafeBytes { unsafe send($0.bytes) }
  }

  func send(_ writer: borrowing JSONWriter) {
    unsafe writer.withUnsafeBytes { unsafe send($0.bytes) }
  }

  func send(_ bytes: [UInt8]) { send(unsafe bytes.span.bytes) }

  private func send(_ bytes: RawSpan) {
    guard !isEnded else { return }
    lastTraffic = service.now
    service.counters.bytesSent += bytes.byteCount
    output.send(bytes)
  }

  /// Puts a feed into the row of those that are owed something.
  func pend(_ feed: Feed) {
    guard !feed.isPending else { return }
    feed.isPending = true
    pending.append(feed)
    output.tellWhenDrained()
  }

  /// A guest's bytes went out here, at its home.
  func passedOn() { lastTraffic = service.now }

  /// The output is empty: what waits goes out, then what was asked meanwhile is answered.
  func drained() {
    guard !isEnded else { return }
    if !pending.isEmpty { flush() }
    resumeInput()
  }

  /// Hands over the input that was held back.
  func takeWaitingInput() -> [UInt8] {
    defer { waitingInput = [] }
    return waitingInput
  }

  /// Takes up input that came with it from another service, behind what is held back.
  func takeUp(_ input: [UInt8]) {
    waitingInput += input
    resumeInput()
  }

  /// It goes on at another service; here nothing is left of it.
  func leaves() { isEnded = true }

  /// It comes from another service.
  func comes(with errors: Set<ErrorName>) {
    hasSpoken = true
    loggedErrors = errors
  }

  /// Takes up the input that was held back, if there is room now.
  func resumeInput() {
    guard !isEnded else { return }
    guard !waitingInput.isEmpty else {
      if endWaits { endOfInput() }
      return
    }
    guard hasRoom else { return }
    let input = waitingInput
    waitingInput = []
    unsafe input.withUnsafeBytes { unsafe consume($0) }
    if inputIsOver { endOfInput() }
  }

  /// Sends what feeds are owed, first come first served, until the connection is behind again.
  private func flush() {
    var next = 0
    // Who comes back into the row meanwhile waits for the next time.
    let count = pending.count
    while next < count, !isEnded, !isBehind {
      let feed = pending[next]
      next += 1
      feed.isPending = false
      if !feed.isGone { feed.deliver() }
    }
    if !isEnded { pending.removeFirst(next) }
    if !pending.isEmpty { output.tellWhenDrained() }
  }

  /// Sends all that waits, whatever room there is: the daemon is about to end.
  func finish() {
    let row = pending
    pending = []
    for feed in row where !feed.isGone { feed.finish() }
    for feed in feeds.values.sorted(by: { $0.entry.handle < $1.entry.handle }) { feed.finish() }
  }

  /// The connection ends: with a `bye` if there is a reason to tell, after all that was sent is written.
  func end(reason: String?) {
    guard !isEnded else { return }
    if let reason { tellBye(reason) }
    isEnded = true
    pending = []
    waitingInput = []
    service.output.close(id)
    service.marked(self)
  }

  // MARK: - Time

  /// When this connection is looked at again: its greeting is overdue, or it has been silent for long. Times that are set
  /// to less than a millisecond are one: with none at all it would be looked at again and again at the same moment.
  var dueWake: Int64 {
    let wanted = Instant.nanoseconds(hasSpoken ? service.limits.idlePing : service.limits.handshakeTimeout)
    return lastTraffic + max(1_000_000, wanted)
  }

  func wakeIsDue() {
    guard !isEnded, dueWake <= service.now else { return }
    if hasSpoken {
      // Who has not taken what was sent before learns nothing from a ping, and shall not gather them.
      if queuedBytes == 0 { tellPing() } else { lastTraffic = service.now }
    } else {
      misbehaved("handshakeTimeout", [])
      end(reason: nil)
    }
  }

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
    misbehaved("requestRefused", [("error", error.name.rawValue), ("message", error.message)])
  }
}
