// SPDX-License-Identifier: MIT
//
// A client of the daemon: one connection, used by one thread, that waits. Requests go out in the order asked; answers
// and notifications come back in the order sent, one by one, from `next`. `call` is for those who want one answer: what
// comes in the meantime is kept for `next`.
//
//     let client = try Client(path: "/run/headerd/headerd.sock")
//     try client.call("subscribe", ["headers": "main", "mode": "every"])
//     while case .message(.notification(let state)) = try client.next() { print(state) }
//
// While it waits to write, it reads: a client that only wrote would sooner or later wait for a daemon that waits for it.

private import Glibc
public import HeaderCore
internal import HeaderTrace
internal import HeaderWire

/// A connection to the daemon. Not Sendable: one thread uses it.
@safe public final class Client {
  /// What woke a client that waited.
  public enum Wakeup: Sendable {
    case message(Incoming)
    /// The time is over.
    case timeout
    /// The other descriptor has something to read, or has ended.
    case readable
  }

  /// A descriptor that ends every wait with `interrupted` once it can be read: a signalfd of whoever handles signals.
  public var interruptDescriptor: Int32 = -1
  /// A descriptor that is written to, such as stdout: once nobody reads from it any more, waits end with `interrupted`.
  public var outputDescriptor: Int32 = -1
  /// Seconds that `call` waits for its answer.
  public var patience = 10.0

  private let socket: ClientSocket
  private var conversation = Conversation()
  private var lines = LineSplitter(limit: 64 << 20)
  private var received: [Incoming] = []
  /// The first one of `received` that was not handed out.
  private var firstReceived = 0
  private var outgoing: [UInt8] = []
  private var hasEnded = false
  private var failure: ClientError?

  /// Connects to a daemon.
  /// - Throws: `noDaemon`, `notPermitted`, `pathTooLong`, `system`.
  public init(path: String) throws(ClientError) {
    socket = try ClientSocket(path: path)
  }

  /// Takes over a connected descriptor and closes it in the end.
  public init(takingDescriptor descriptor: Int32) {
    socket = ClientSocket(taking: descriptor)
  }

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

  /// The same with what belongs to the answer beside its result.
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
  ///   - resumeFrom: by header, the epoch and the number of the last state seen; nil: nobody will come back.
  /// - Returns: the daemon's answer: `subscription`, `matched`.
  @discardableResult
  public func subscribe(
    to headers: [String], mode: String, include: [String] = [], maxRate: Double = 0, fields: [String]? = nil,
    resumeFrom: Value.Record? = nil
  ) throws(ClientError) -> Value {
    var params = Value.Record()
    params["headers"] = .list(headers.map { .text($0) })
    params["mode"] = .text(mode)
    if !include.isEmpty { params["include"] = .list(include.map { .text($0) }) }
    if maxRate > 0 { params["maxRate"] = .number(maxRate) }
    if let fields { params["fields"] = .list(fields.map { .text($0) }) }
    if let resumeFrom { params["resumeFrom"] = .record(resumeFrom) }
    return try call("subscribe", .record(params))
  }

  /// Closes the writing half: answers to what was asked still come, then `next` throws `ended`.
  public func finish() throws(ClientError) {
    try flush()
    conversation.finish()
    socket.finishWriting()
  }

  // MARK: - Listening

  /// The next message, in the order the daemon sent them.
  /// - Parameters:
  ///   - seconds: how long to wait for it; nil: forever; 0: only look.
  ///   - descriptor: another one to wait for, such as stdin.
  /// - Throws: `ended`, `badLine`, `interrupted`; what came before is handed out first.
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
      switch unsafe outgoing.withUnsafeBytes({ unsafe socket.write($0) }) {
      case .bytes(let count): outgoing.removeFirst(count)
      case .later: _ = try wait(seconds: nil, watching: -1, toWrite: true)
      case .ended:
        readAll()
        hasEnded = true
        try checkEnd()
      }
    }
  }

  /// Waits once; true when the other descriptor is ready.
  private func wait(seconds: Double?, watching descriptor: Int32, toWrite: Bool = false) throws(ClientError) -> Bool {
    var descriptors = [
      pollfd(fd: socket.descriptor, events: Int16(POLLIN | (toWrite ? POLLOUT : 0)), revents: 0),
      pollfd(fd: interruptDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: outputDescriptor, events: 0, revents: 0),
    ]
    // Rounded up, so that waiting for the last half millisecond is not done by looking a thousand times.
    let milliseconds = seconds.map { Int32(min(1e9, ($0 * 1000).rounded(.up))) } ?? -1
    guard unsafe poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return false }
    if descriptors[0].revents & ~Int16(POLLOUT) != 0 { readAll() }
    if descriptors[1].revents != 0 || descriptors[3].revents != 0 { throw .interrupted }
    return descriptors[2].revents != 0
  }

  /// Reads what is there; the end and what is no protocol are kept for when the messages before have been handed out.
  private func readAll() {
    unsafe withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { buffer in
      while !hasEnded, failure == nil {
        switch unsafe socket.read(into: buffer) {
        case .bytes(let count): unsafe take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        case .later: return
        case .ended: hasEnded = true
        }
      }
    }
  }

  private func take(_ piece: UnsafeRawBufferPointer) {
    var cursor = 0
    do {
      while let line = try unsafe lines.next(in: piece, from: &cursor) {
        if let message = try unsafe conversation.receive(line), !message.isPing { received.append(message) }
      }
    } catch let error as ClientError {
      failure = error
    } catch {
      failure = .badLine(reason: "\(error)", line: "")
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
