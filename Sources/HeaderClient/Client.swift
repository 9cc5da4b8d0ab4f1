// SPDX-License-Identifier: MIT
//
// A client of the daemon: one connection, used by one thread, that blocks. Answers and notifications come one by one from `next`, in the
// order in which the daemon sent them. `call` waits for one answer; messages that come meanwhile are kept for `next`.
//
//     let client = try Client()
//     try client.call("subscribe", ["headers": "main", "mode": "every"])
//     while case .message(.notification(let state)) = try client.next() { print(state) }
//
// While it waits to write, it reads: else client and daemon could block each other.
//
// After a lost connection, `resume` connects anew and subscribes again from the last states that were received.

internal import Clocks
private import Glibc
public import HeaderModel
internal import HeaderTrace
internal import HeaderWire
internal import Installation
internal import Posix

/// A connection to the daemon. Not Sendable: one thread uses it.
public final class Client {
  /// What woke a client that waited.
  public enum Wakeup: Sendable {
    case message(Incoming)
    /// The deadline has passed.
    case timeout
    /// The other descriptor has something to read, or has ended.
    case readable
  }

  /// A descriptor that ends every wait with `interrupted` once it can be read, such as a signalfd.
  public var interruptDescriptor: Int32 = -1
  /// A descriptor that is written to, such as stdout. Waits end with `interrupted` once its reader has closed it.
  public var outputDescriptor: Int32 = -1
  /// Seconds that `call` waits for its answer.
  public var patience = 10.0

  /// Where `resume` connects; nil for a descriptor that was taken over.
  private let path: String?
  private var socket: Int32
  private var conversation = Conversation()
  private var lines = MessageSplitter(limit: Client.longestLine, encoding: .lines)
  private var subscriptions: [Subscription] = []
  private var resumePoints = ResumePoints()
  private var received: [Incoming] = []
  private var firstReceived = 0
  private var outgoing: [UInt8] = []
  private var hasEnded = false
  private var failure: ClientError?

  /// Connects to the daemon of this user: `HEADERD_SOCKET`, else its default place (headerd(8), FILES).
  /// - Throws: as `init(path:)`.
  public convenience init() throws(ClientError) {
    let variables = environmentValues(["HEADERD_SOCKET", "XDG_RUNTIME_DIR"])
    try self.init(path: SocketPath.resolve(option: nil, environment: variables, user: geteuid()).path)
  }

  /// Connects to a daemon.
  /// - Throws: `noDaemon`, `notPermitted`, `pathTooLong`, `system`.
  public init(path: String) throws(ClientError) {
    self.path = path
    socket = try Self.connected(to: path)
    prepare()
  }

  private static func connected(to path: String) throws(ClientError) -> Int32 {
    guard path.utf8.count <= maxSocketPath else { throw .pathTooLong(path: path, limit: maxSocketPath) }
    do throws(SocketRefusal) {
      return try connectSocket(to: path)
    } catch {
      let reason = error.error.text
      switch error.error.code {
      case ENOENT, ECONNREFUSED, ENOTDIR, ENOTSOCK: throw .noDaemon(path: path, reason: reason)
      case EACCES, EPERM: throw .notPermitted(path: path)
      default: throw .system(call: error.call, path: path, reason: reason)
      }
    }
  }

  /// Takes over a connected descriptor and closes it in the end.
  public init(takingDescriptor descriptor: Int32) {
    path = nil
    socket = descriptor
    prepare()
  }

  private func prepare() {
    _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
  }

  deinit { Glibc.close(socket) }

  /// A subscription that `resume` makes again.
  private struct Subscription {
    var number: Value?
    var params: Value.Record
  }

  private static let longestLine = 64 << 20

  /// Requests that have no answer yet.
  public var unansweredCount: Int { conversation.unansweredCount }

  // MARK: - Asking

  /// Sends a request; its answer comes from `next`.
  /// - Throws: `ended`, `badLine`, `interrupted`.
  @discardableResult
  public func send(_ method: String, _ params: Value? = nil) throws(ClientError) -> RequestNumber {
    let (number, line) = conversation.request(method, params)
    try write(line)
    return number
  }

  /// Sends a notification; only its errors come back.
  /// - Throws: `ended`, `badLine`, `interrupted`.
  public func notify(_ method: String, _ params: Value? = nil) throws(ClientError) {
    try write(conversation.notice(method, params))
  }

  /// Asks and waits for the answer; what else comes is kept for `next`.
  /// - Throws: `refused`, `timeout`, `ended`, `badLine`, `interrupted`.
  @discardableResult
  public func call(_ method: String, _ params: Value? = nil) throws(ClientError) -> Value {
    switch try answer(to: method, params).result {
    case .success(let value): return value
    case .failure(let error): throw .refused(error)
    }
  }

  /// The same, with the whole answer beside its result.
  public func answer(to method: String, _ params: Value? = nil) throws(ClientError) -> Answer {
    let number = try send(method, params)
    let end = steadySeconds() + patience
    while true {
      if let index = received[firstReceived...].firstIndex(where: { $0.isAnswer(to: number) }),
        case .answer(let answer) = received.remove(at: index)
      {
        return answer
      }
      let left = end - steadySeconds()
      guard left > 0 else { throw .timeout(method: method, seconds: patience) }
      try checkEnd()
      _ = try wait(seconds: left, watching: -1)
    }
  }

  /// Subscribes to headers, names or globs.
  /// - Parameters:
  ///   - include: `routine`, `calls`.
  ///   - maxRate: states a second and header at most; 0: no such bound.
  ///   - fields: the parts of a state that are wanted, `values.progress`; nil: all.
  ///   - grid: lengths are multiples of so many points, and states that are the same then are left out; nil: they are exact.
  ///   - explain: each state says why it was sent.
  ///   - predict: states say how they go on, for `HeaderView.at`.
  ///   - resumeFrom: by header, the epoch and the number of the last state seen; nil: the subscription will not be resumed.
  /// - Returns: the daemon's answer: `subscription`, `matched`.
  @discardableResult
  public func subscribe(
    to headers: [String], mode: String, include: [String] = [], maxRate: Double = 0, fields: [String]? = nil,
    grid: Double? = nil, explain: Bool = false, predict: Bool = false, resumeFrom: Value.Record? = nil
  ) throws(ClientError) -> Value {
    var params = Value.Record()
    params["headers"] = .list(headers.map { .text($0) })
    params["mode"] = .text(mode)
    if !include.isEmpty { params["include"] = .list(include.map { .text($0) }) }
    if maxRate > 0 { params["maxRate"] = .number(maxRate) }
    if let fields { params["fields"] = .list(fields.map { .text($0) }) }
    if let grid { params["grid"] = .number(grid) }
    if explain { params["explain"] = true }
    if predict { params["predict"] = true }
    if let resumeFrom { params["resumeFrom"] = .record(resumeFrom) }
    let answer = try call("subscribe", .record(params))
    subscriptions.append(Subscription(number: answer["subscription"], params: params))
    return answer
  }

  /// Ends a subscription.
  /// - Throws: as `call`.
  public func unsubscribe(_ subscription: Int) throws(ClientError) {
    let number = Value.number(Double(subscription))
    try call("unsubscribe", ["subscription": number])
    subscriptions.removeAll { $0.number == number }
  }

  /// Connects anew, and subscribes again from the last states that were received.
  ///
  /// Missed states come from `next`; a gap is reported where the daemon no longer has them. That takes subscriptions with `resumeFrom`;
  /// the others begin with a snapshot. Headers are not opened again.
  /// - Precondition: the client was made with a path.
  /// - Throws: `noDaemon`, `notPermitted`, `system`: try again later; else as `call`.
  public func resume() throws(ClientError) {
    guard let path else { preconditionFailure("a client of a descriptor cannot connect anew") }
    let fresh = try Self.connected(to: path)
    Glibc.close(socket)
    socket = fresh
    prepare()
    conversation = Conversation()
    lines = MessageSplitter(limit: Client.longestLine, encoding: .lines)
    outgoing = []
    (hasEnded, failure) = (false, nil)
    // Answers of the old connection belong to no request any more; its notifications stay.
    received = received[firstReceived...].filter { if case .notification = $0 { true } else { false } }
    firstReceived = 0
    for index in subscriptions.indices {
      var params = subscriptions[index].params
      if params["resumeFrom"] != nil { params["resumeFrom"] = .record(resumePoints.record) }
      subscriptions[index].number = try call("subscribe", .record(params))["subscription"]
    }
  }

  /// Closes the writing half: answers to open requests still come, then `next` throws `ended`.
  public func finish() throws(ClientError) {
    try flush()
    conversation.finish()
    shutdown(socket, Int32(SHUT_WR))
  }

  /// Ends the connection at once; received messages can still be read, then `next` throws `ended`.
  public func close() {
    hasEnded = true
    shutdown(socket, Int32(SHUT_RDWR))
  }

  // MARK: - Listening

  /// The next message, in the order the daemon sent them.
  /// - Parameters:
  ///   - seconds: how long to wait for it; nil: forever; 0: only look.
  ///   - descriptor: another one to wait for, such as stdin.
  /// - Throws: `ended`, `badLine`, `interrupted`, after all earlier messages.
  public func next(within seconds: Double? = nil, watching descriptor: Int32 = -1) throws(ClientError) -> Wakeup {
    let end = seconds.map { steadySeconds() + $0 }
    var isFirst = true
    while true {
      if firstReceived < received.count { return .message(takeFirst()) }
      try checkEnd()
      let left = end.map { max(0, $0 - steadySeconds()) }
      if !isFirst, left == 0 { return .timeout }
      isFirst = false
      if try wait(seconds: left, watching: descriptor), firstReceived == received.count { return .readable }
    }
  }

  private func takeFirst() -> Incoming {
    let message = received[firstReceived]
    firstReceived += 1
    if firstReceived == received.count || firstReceived >= 1024 {
      received.removeFirst(firstReceived)
      firstReceived = 0
    }
    return message
  }

  private func checkEnd() throws(ClientError) {
    if let failure { throw failure }
    if hasEnded { throw .ended(goodbye: conversation.goodbye) }
  }

  // MARK: - Bytes

  private func write(_ line: [UInt8]) throws(ClientError) {
    try checkEnd()
    outgoing += line
    try flush()
  }

  private func flush() throws(ClientError) {
    while !outgoing.isEmpty {
      do throws(SystemError) {
        outgoing.removeFirst(try Posix.send(outgoing, to: socket))
        continue
      } catch {
        guard error.code == EAGAIN else {
          readAll()
          hasEnded = true
          return try checkEnd()
        }
      }
      _ = try wait(seconds: nil, watching: -1, toWrite: true)
    }
  }

  /// Waits once; true when the other descriptor is ready.
  private func wait(seconds: Double?, watching descriptor: Int32, toWrite: Bool = false) throws(ClientError) -> Bool {
    let ready = waitUntilReady(
      [
        Wait(socket, for: toWrite ? .both : .reading), Wait(interruptDescriptor, for: .reading),
        Wait(descriptor, for: .reading), Wait(outputDescriptor, for: .end),
      ], seconds: seconds)
    if ready[0].canRead { readAll() }
    if ready[1].canRead || ready[3].canRead { throw .interrupted }
    return ready[2].canRead
  }

  /// Reads all available bytes. The end, and an invalid line, are kept until the messages before have been read.
  private func readAll() {
    while !hasEnded, failure == nil {
      do throws(SystemError) {
        let piece = try readSome(from: socket)
        if piece.isEmpty { hasEnded = true } else { take(piece) }
      } catch {
        if error.code == EAGAIN { return }
        hasEnded = true
      }
    }
  }

  private func take(_ piece: [UInt8]) {
    do {
      try lines.forEachLine(in: piece) { line in
        guard let message = try conversation.receive(line), !message.isPing else { return }
        if case .notification(let notification) = message { resumePoints.note(notification) }
        received.append(message)
      }
    } catch let error as ClientError {
      failure = error
    } catch {
      failure = .badLine(reason: "a line has more than \(Client.longestLine) bytes", line: "")
    }
  }
}

extension Incoming {
  fileprivate func isAnswer(to number: RequestNumber) -> Bool {
    if case .answer(let answer) = self { answer.number == number } else { false }
  }

  /// The daemon asks whether we are there; nothing is owed in return.
  fileprivate var isPing: Bool {
    if case .notification(let notification) = self { notification.method == "ping" } else { false }
  }
}

/// Seconds on a clock that never goes back; its origin means nothing.
public func steadySeconds() -> Double { Double(monotonicTime().nanoseconds) / 1e9 }
