// SPDX-License-Identifier: MIT
//
// What happens around a header that waits for a client (protocol.md §8). Nothing blocks: the event is parked in the header,
// everything else for that header queues as it came, other headers go on.
//
//     event ─▶ header waits ─▶ delegate.ask ─▶ … ─▶ answer, or the deadline ─▶ the rest of the chain ─▶ state, answer
//     later messages for the header ─▶ queue ──────────────────────────────────────────────────────────▶ one by one
//
// A message that queues is kept as the bytes that came and is handled as if it came now, so nothing here knows what is in
// it but the header it is for. What concerns the connection as a whole (`ping`, `subscribe`) comes after everything that the
// connection sent before. The queue is bounded by stopping to read from who fills it; its length in time is bounded
// too: an event that has waited for long is not shown to clients any more (ClientChain.swift).

internal import HeaderCore
internal import HeaderWire

/// A message that waits for its turn.
final class LaterMessage {
  /// A line, a frame, or the leaving of a client whose connection is gone.
  enum Content: Sendable {
    case line([UInt8])
    case frame([UInt8])
    case leaving(String)
    /// The end of the input, where all services have to hear of it.
    case endOfInput

    var count: Int {
      switch self {
      case .line(let bytes), .frame(let bytes): bytes.count
      case .leaving, .endOfInput: 0
      }
    }
  }

  let session: Session
  let content: Content
  let ticket: Int
  /// When it was read, by the daemon's clock.
  let arrivedAt: Int64
  /// It waits again in its turn: it is not done yet.
  var isParked = false
  /// It waited for its own connection; the header that it is for may not be free.
  var isLoose = false
  /// Nobody knew which header it is for.
  var isUnknown = false
  /// All that came before it is done.
  var isCleared = false

  init(_ session: Session, _ content: Content, ticket: Int, arrivedAt: Int64) {
    self.session = session
    self.content = content
    self.ticket = ticket
    self.arrivedAt = arrivedAt
  }

  var count: Int { content.count }
}

/// What has to be looked at before each message; connections have it at hand.
final class Traffic {
  /// Headers for which messages wait.
  var busyHeaders = 0
  /// The message that is handled late, now.
  var serving: LaterMessage?

  /// Whether the message at hand may have to wait.
  @inline(__always)
  var mayHaveToWait: Bool { busyHeaders > 0 && serving?.isLoose != false }
}

/// The event or batch of a message, as far as it has come.
final class EventWork {
  let session: Session
  let entry: HeaderEntry
  let path: Path
  let isBatch: Bool
  let keepsAnswers: Bool
  /// When its message was read.
  let arrivedAt: Int64
  /// Its message stood in the header's queue.
  let wasQueued: Bool
  var events: [TimedEvent]
  var next = 0
  /// Why the event behind the last one is none.
  var end: HeaderError?
  var answers: [(answer: EventAnswer, name: EventName)] = []
  var failure: HeaderError?
  /// What clients answered to the present event, for recordings.
  var asked: [Value] = []
  /// Where the answer goes once there is one.
  var address = ReplyAddress.notification
  var unknown: [UnknownField] = []
  var ticket = 0

  init(
    _ events: [TimedEvent], for session: Session, of entry: HeaderEntry, at path: Path, isBatch: Bool,
    keepsAnswers: Bool
  ) {
    self.events = events
    self.session = session
    self.entry = entry
    self.path = path
    self.isBatch = isBatch
    self.keepsAnswers = keepsAnswers
    arrivedAt = session.service.readTime
    wasQueued = session.service.serving != nil
  }

  var isAtEnd: Bool { next == events.count }
  var event: ScrollEvent { events[next].event }
  var eventPath: Path { isBatch ? path[next] : path }

  /// Takes what was decided about the present event and goes on to the next.
  func take(_ answer: EventAnswer) {
    if keepsAnswers || !isBatch { answers.append((answer, event.kind.name)) }
    if failure == nil, let failed = answer.failure {
      let failure = failed.of(header: entry.name)
      self.failure = isBatch ? failure.at(index: next) : failure
    }
    next += 1
    asked = []
  }

  /// The present event is refused, and with it the rest.
  func refusal(_ error: HeaderError) -> HeaderError {
    let refusal = error.ofEvent(at: eventPath).of(header: entry.name)
    return isBatch ? refusal.at(index: next) : refusal
  }

  func reply() throws(HeaderError) -> Reply {
    if let end { throw end }
    if let failure { throw failure }
    guard !isBatch, let only = answers.first else { return .events(seq: entry.header.state.seq, answers) }
    return .event(only.answer, only.name)
  }
}

// MARK: - Whose turn it is

extension Session {
  /// Whether a line has to wait; it is then kept.
  func waits(_ envelope: Envelope, _ line: UnsafeRawBufferPointer) -> Bool {
    let turn = turn(of: envelope.method) { envelope.paramsTree() }
    return unsafe keep(.line([UInt8](line)), for: turn)
  }

  /// The same for a frame of a kind of its own.
  func waits(_ frame: Frame) -> Bool {
    guard let (_, request) = try? frame.read() else { return false }
    let turn: Turn
    switch request {
    case .json: return false
    case .event(let events), .events(let events): turn = behindEvent(events.handle)
    case .close(let handle): turn = behind { () throws(HeaderError) in try header(at: handle) }
    case .open(let text): turn = self.turn(of: .headerOpen) { (try? text.tree()) ?? .null }
    case .ping, .subscribe, .unsubscribe: turn = isNext ? .now : .afterAll
    case .hello: turn = .now
    }
    return keep(.frame(frame.contents), for: turn)
  }

  private enum Turn {
    case now
    case behind(HeaderEntry)
    /// After all that this connection has sent before.
    case afterAll
    /// The same, for a header that nobody knows yet.
    case unknown
  }

  private func turn(of method: RequestMethod, _ params: () -> Value) -> Turn {
    switch method {
    case .headerOpen, .headerClose, .headerGet, .headerConfigure, .headerCall, .delegateAdd, .delegateRemove,
      .delegateMove, .delegateConfigure, .traceStart:
      return behindNamed(params())
    case .event:
      let params = params()
      if case .record(let fields) = params, fields["header"] != nil { return behindNamed(params) }
      return behindEvent(0)
    case .ping, .subscribe, .unsubscribe, .headerList, .stats, .traceStop:
      return isNext ? .now : .afterAll
    case .hello, .pluginList, .pluginLoad, .pluginUnload, .pluginReload: return .now
    }
  }

  private func behindNamed(_ params: Value) -> Turn {
    guard case .record(let fields) = params, case .text(let name)? = fields["header"] else { return behind(nil) }
    return behind { () throws(HeaderError) in try header(named: name) }
  }

  private func behindEvent(_ handle: UInt64) -> Turn {
    behind { () throws(HeaderError) in try eventHeader(handle) }
  }

  /// Behind a header, if it is found; one that is elsewhere has its turns there.
  private func behind(_ find: () throws(HeaderError) -> HeaderEntry) -> Turn {
    do {
      return behind(try find())
    } catch {
      guard let abroad, abroad.destination != nil else { return behind(nil) }
      abroad.destination = nil
      return .now
    }
  }

  private func behind(_ entry: HeaderEntry?) -> Turn {
    // Who names no header that there is may have asked for one that is not open yet.
    guard let entry else { return isNext ? .now : .unknown }
    // It may turn out to be the one that an earlier message is for.
    if later.contains(where: \.isUnknown), !isNext { return .unknown }
    return entry.isBusy ? .behind(entry) : .now
  }

  /// All that this connection sent before is done.
  private var isNext: Bool { openTickets.isEmpty || openTickets.first == service.serving?.ticket }

  private func keep(_ content: LaterMessage.Content, for turn: Turn) -> Bool {
    if case .now = turn { return false }
    service.serving?.isParked = true
    let ticket = service.serving?.ticket ?? openTicket()
    let message = LaterMessage(self, content, ticket: ticket, arrivedAt: service.readTime)
    deferredBytes += message.count
    if case .behind(let entry) = turn {
      entry.queue.append(message)
    } else {
      message.isLoose = true
      if case .unknown = turn { message.isUnknown = true }
      // One that comes back from the queue of a header that has closed is older than others here.
      later.insert(message, at: later.firstIndex { $0.ticket > ticket } ?? later.endIndex)
    }
    return true
  }

  /// Something that this connection sent is not done yet.
  func openTicket() -> Int {
    lastTicket += 1
    openTickets.append(lastTicket)
    return lastTicket
  }

  /// It is; what waited for all before it may follow.
  func closeTicket(_ ticket: Int) {
    if openTickets.first == ticket { openTickets.removeFirst() } else { openTickets.removeAll { $0 == ticket } }
    while let first = later.first, openTickets.first == first.ticket {
      later.removeFirst()
      service.serve(first)
    }
    if abroad != nil { guestHasClosed(ticket) }
    guard openTickets.isEmpty else { return }
    if isEnded { service.marked(self) } else { service.freed(self) }
  }

  /// Handles a message whose turn has come.
  func handle(_ content: LaterMessage.Content) {
    switch content {
    case .line(let bytes): unsafe bytes.withUnsafeBytes { unsafe handle($0, by: service) }
    case .frame(let bytes): Frame.with(bytes) { handle($0, by: service) }
    case .leaving: break
    case .endOfInput: inputHasEnded()
    }
  }
}

extension Service {
  /// The message that is handled late, now.
  var serving: LaterMessage? {
    get { traffic.serving }
    set { traffic.serving = newValue }
  }

  /// Handles what has queued for a header, until it waits again.
  func serveQueue(of entry: HeaderEntry) {
    guard !entry.isServing else { return }
    entry.isServing = true
    while entry.work == nil, let message = entry.queue.first {
      entry.queue.removeFirst()
      // Its header is gone: another one of that name may not be free.
      if !entry.isOpen { message.isLoose = true }
      if case .leaving(let name) = message.content { removeClient(name, of: entry) } else { serve(message) }
    }
    entry.isServing = false
    schedule(entry)
    countBusy(entry)
  }

  func serve(_ message: LaterMessage) {
    let session = message.session
    session.deferredBytes -= message.count
    let outer = (serving, readTime)
    (serving, readTime) = (message, message.arrivedAt)
    session.handle(message.content)
    (serving, readTime) = outer
    if !message.isParked { session.closeTicket(message.ticket) }
    freed(session)
  }

  /// Keeps count of the headers for which messages wait: as long as there is none, nobody looks.
  func countBusy(_ entry: HeaderEntry) {
    guard entry.isBusy != entry.isCountedBusy else { return }
    entry.isCountedBusy.toggle()
    traffic.busyHeaders += entry.isCountedBusy ? 1 : -1
  }

  /// Less of a connection waits than before: it may have room for input again. Also when none was held back here: then it
  /// is the shell that has stopped reading.
  func freed(_ session: Session) {
    guard !freedSessions.contains(where: { $0 === session }) else { return }
    freedSessions.append(session)
  }

  /// Takes up the input of connections that had too much waiting.
  func resumeInput() {
    while let session = freedSessions.popLast() {
      session.resumeInput()
      unblocked.append(session.id)
    }
  }

  /// Connections that are to be read from again, if `wantsInput`: what waited for a client is done. To be asked for after
  /// each turn.
  public func takeUnblocked() -> [ConnectionID] {
    defer { unblocked.removeAll() }
    return unblocked
  }
}
