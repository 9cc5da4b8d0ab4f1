// SPDX-License-Identifier: MIT
//
// What happens around a header that waits for a client (headerd-protocol(7), DELEGATES). Nothing blocks: the event is
// parked in the header, everything else for that header queues as it came, other headers go on.
//
//     event ─▶ header waits ─▶ delegate.ask ─▶ … ─▶ answer, or the deadline ─▶ the rest of the chain ─▶ state, answer
//     later messages for the header ─▶ queue ──────────────────────────────────────────────────────────▶ one by one
//
// A command that queues is handled in its turn as if it came now, so nothing here knows what is in it but the header it is
// for. What concerns the connection as a whole (`ping`, `subscribe`) comes after everything that the
// connection sent before. The queue is bounded by stopping to read from who fills it; its length in time is bounded
// too: an event that has waited for long is not shown to clients any more (ClientChain.swift).

internal import HeaderCore
internal import HeaderWire

/// A message that waits for its turn.
final class LaterMessage {
  /// A command, or the leaving of a client whose connection is gone.
  enum Content: Sendable {
    case command(Command)
    case leaving(String)
    /// The end of the input, where all services have to hear of it.
    case endOfInput

    var count: Int {
      switch self {
      case .command(let command): command.byteCount
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
  /// Whether a command has to wait; it is then kept.
  func waits(_ command: Command) -> Bool { keep(.command(command), for: turn(of: command)) }

  private enum Turn {
    case now
    case behind(HeaderEntry)
    /// After all that this connection has sent before.
    case afterAll
    /// The same, for a header that nobody knows yet.
    case unknown
  }

  private func turn(of command: Command) -> Turn {
    switch command.method {
    case .headerOpen, .headerClose, .headerGet, .headerConfigure, .headerCall, .delegateAdd, .delegateRemove,
      .delegateMove, .delegateConfigure, .traceStart, .event:
      // One that is elsewhere has its turns there.
      return destination(of: command) == nil ? behind(entry(of: command.header)) : .now
    case .ping, .subscribe, .unsubscribe, .headerList, .stats, .traceStop:
      return isNext ? .now : .afterAll
    case .hello, .pluginList, .pluginLoad, .pluginUnload, .pluginReload, nil: return .now
    }
  }

  /// The header that a command is for, if it is open here.
  private func entry(of target: HeaderTarget) -> HeaderEntry? {
    switch target {
    case .name(let name): service.table[name]
    case .handle(let handle): Int(exactly: handle).flatMap { service.table[HeaderHandle(number: $0)] }
    case .only: try? onlyHeader()
    case .none: nil
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
    case .command(let command): handle(command)
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
