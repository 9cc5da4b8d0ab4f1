// SPDX-License-Identifier: MIT
//
// One connection as a shard writes to it: messages in the connection's encoding, and log lines about the client. At the connection's home
// the session, the host and the fan-out share one writer; each other shard that the client uses has one whose bytes go to the home.

public import Clocks
public import HeaderModel
public import HeaderWire

/// Learns that a shard ends a connection.
public protocol ClientWriterOwner: AnyObject {
  /// The writer is about to end the connection: held output goes out before its last messages, which say why, or is dropped.
  func writerWillEnd()
  /// The writer has ended the connection; its output is still to be written.
  func writerEnded()
}

extension ClientWriterOwner {
  /// For owners that hold nothing back.
  public func writerWillEnd() {}
}

/// Writes messages to one connection.
public final class ClientWriter {
  /// The connection as all threads see it.
  public let connection: SharedConnection
  /// How messages are written; lines as long as the client has not chosen.
  public var encoding: Encoding
  /// The connection has ended: nothing more is sent.
  public private(set) var isEnded = false
  /// When something was last sent or received, by the daemon's clock.
  public var lastTraffic: MonotonicTime
  /// How the client calls itself (`hello`).
  public var clientName: String?
  /// Notified when the connection is ended here.
  public unowned var owner: (any ClientWriterOwner)?
  /// Clock, limits, log and counters of its thread.
  public let context: ShardContext
  private let outbox: any Outbox
  /// Bytes sent since it was last looked how many wait.
  private var unchecked = 0
  /// The most that may wait while too much waits for its user's connections; else any number.
  private var share = Int.max

  /// How often it is looked how many bytes wait, and how many are not counted on the user's account.
  private static let checkedBytes = 16_384
  /// Bytes that may wait for each connection of a user with too many waiting bytes.
  private static let shortQueue = 65_536

  /// A writer of a connection.
  public init(_ connection: SharedConnection, _ outbox: any Outbox, encoding: Encoding, context: ShardContext) {
    self.connection = connection
    self.outbox = outbox
    self.encoding = encoding
    self.context = context
    lastTraffic = context.now
  }

  /// The connection's number.
  public var id: ConnectionID { connection.id }

  // MARK: - Room

  /// Bytes that the kernel has not taken.
  public var queuedBytes: Int { outbox.queuedBytes }

  /// The bytes that the client has not read yet.
  public var backlog: Backlog { outbox.backlog(at: context.now) }

  /// Room for another answer: the queue is not longer than one subscriber's may be.
  public var hasRoom: Bool { queuedBytes <= min(context.limits.queueBytes, share) }

  /// There are enough unsent bytes that `latest` states are gathered instead of sent, and a gap is not closed yet.
  public var isBehind: Bool { queuedBytes > min(65_536, context.limits.queueBytes / 2) }

  /// Room for a state of a subscription that takes every one: the queue stays within its bound, or is empty.
  func hasRoom(forState size: Int) -> Bool {
    outbox.hasRoom(for: size, within: min(context.limits.queueBytes, share))
  }

  /// Requests one notification of the fan-out when the queue is empty.
  public func notifyWhenDrained() { outbox.notifyWhenDrained() }

  // MARK: - Sending

  /// Sends a state's message if the queue stays within a bound, or is empty.
  /// - Returns: whether there was room for it.
  @inline(__always)
  func offer(_ message: StateMessage, within bound: Int, _ context: ShardContext) -> Bool {
    let bytes = unsafe message.bytes.bytes
    let bound = min(bound, share)
    let hasRoom =
      if let buffer = unsafe message.buffer {
        unsafe buffer._withUnsafeGuaranteedRef { outbox.offer(bytes, lentBy: $0, within: bound) }
      } else {
        outbox.offer(bytes, lentBy: nil, within: bound)
      }
    guard hasRoom else { return false }
    lastTraffic = context.now
    context.counters.bytesSent += bytes.byteCount
    unchecked &+= bytes.byteCount
    if unchecked > Self.checkedBytes { checkQueue() }
    return true
  }

  /// Charges the bytes that wait to the user's account. If the user has too many, the connection gets a short queue.
  @inline(never)
  private func checkQueue() {
    unchecked = 0
    let queued = queuedBytes
    guard queued > Self.checkedBytes else { return }
    connection.charge(queued)
    outbox.notifyWhenDrained()
    guard connection.account.isBehind else { return share = .max }
    share = Self.shortQueue
    guard queued > share, connection.isFirstFullQueue() else { return }
    let quota: Quota =
      connection.account[.queueBytes].used > connection.account[.queueBytes].allowed ? .queueBytes : .memoryBytes
    let error = connection.account.refusal(quota, for: "this connection does not read")
    context.counters.errors += 1
    sendError(error, about: .notification)
    logWarning("quotaExceeded", [("message", error.message)])
  }

  /// Notes that all output went to the kernel.
  public func queueIsEmpty() {
    share = .max
    connection.chargeNothing()
  }

  /// Writes one JSON message, a line or a frame, and sends it. The body must not send anything itself.
  public func write(_ body: (inout JSONWriter) -> Void) {
    guard encoding == .lines else { return writeFrame { $0.jsonFrame(body) } }
    context.writer.removeAll(keepingUpTo: 65_536)
    body(&context.writer)
    unsafe context.writer.withUnsafeBytes { unsafe put($0.bytes) }
    // Not from within: it may have to write something itself.
    if unchecked > Self.checkedBytes { checkQueue() }
  }

  /// Writes one frame and sends it. The body must not send anything itself.
  public func writeFrame(_ body: (inout FrameWriter) -> Void) {
    context.frameWriter.removeAll(keepingUpTo: 65_536)
    body(&context.frameWriter)
    unsafe context.frameWriter.withUnsafeBytes { unsafe put($0.bytes) }
    if unchecked > Self.checkedBytes { checkQueue() }
  }

  /// Writes a message that has a form of its own as a frame.
  func write(line: (inout JSONWriter) -> Void, frame: (inout FrameWriter) -> Void) {
    if encoding == .lines { write(line) } else { writeFrame(frame) }
  }

  /// Sends bytes that are encoded already.
  public func send(_ bytes: [UInt8]) { send(unsafe bytes.span.bytes) }

  /// The same for bytes that the caller keeps.
  func send(_ bytes: RawSpan) {
    put(bytes)
    if unchecked > Self.checkedBytes { checkQueue() }
  }

  private func put(_ bytes: RawSpan) {
    guard !isEnded else { return }
    lastTraffic = context.now
    context.counters.bytesSent += bytes.byteCount
    outbox.send(bytes)
    unchecked &+= bytes.byteCount
  }

  // MARK: - Messages

  /// Sends an error: of a notification, of the connection itself, or of something whose id could not be read.
  public func sendError(_ error: HeaderError, about subject: ErrorSubject) {
    switch (encoding, subject) {
    case (.frames, _): writeFrame { $0.error(error, about: subject) }
    case (.lines, .notification): write { $0.errorNotification(error) }
    case (.lines, .unreadable), (.lines, .request): write { $0.refusal(nil, error) }
    }
  }

  /// Answers a request with its result. A notification gets no answer, but its unknown fields are reported.
  /// - Parameters:
  ///   - unknown: the first 64 are the answer's warnings.
  ///   - result: writes the result in JSON.
  ///   - frame: writes the whole answer as a frame, for a request that was one.
  public func answer(
    _ address: ReplyAddress, _ unknown: [UnknownField], result: (inout JSONWriter) -> Void,
    frame: (inout FrameWriter, _ id: UInt64, _ warnings: [UnknownField]) -> Void
  ) {
    let warnings = Array(unknown.prefix(64))
    switch address {
    case .request(let id): write { $0.answer(id, warnings: warnings, result: result) }
    case .frame(let id): writeFrame { frame(&$0, id, warnings) }
    case .notification, .unreadable: reportUnknown(unknown)
    }
  }

  /// Answers a message with an error, and logs it if it is the first of its kind.
  public func refuse(_ address: ReplyAddress, _ error: HeaderError) {
    context.counters.errors += 1
    logOnce(error)
    switch address {
    case .request(let id): write { $0.refusal(id, error) }
    case .frame(let id): sendError(error, about: .request(id))
    case .unreadable: sendError(error, about: .unreadable)
    case .notification: sendError(error, about: .notification)
    }
  }

  /// Sends that it is pinged.
  public func sendPing() {
    write {
      $0.ping()
    } frame: {
      $0.ping()
    }
  }

  /// Reports the first unknown field of a notification, once for each connection.
  public func reportUnknown(_ unknown: [UnknownField]) {
    guard let first = unknown.first, connection.isFirstUnknownField() else { return }
    let error = HeaderError(
      .unknownField, "\(first.field): there is no such field, it is ignored", field: first.field,
      hint: first.hint.map { "did you mean \"\($0)\"?" })
    sendError(error, about: .notification)
    logOnce(error)
  }

  // MARK: - Ending

  /// Ends the connection if its user has used up the memory that there may be.
  /// - Parameter what: what is needed more of, for the message.
  public func requireMemory(for what: String, about subject: ErrorSubject, reason: String? = nil) {
    do throws(HeaderError) { try connection.account.requireMemory(for: what) } catch {
      context.counters.errors += 1
      logWarning("quotaExceeded", [("message", error.message)])
      end(because: error, about: subject, reason: reason)
    }
  }

  /// Ends the connection because of an error, which is sent last.
  public func end(because error: HeaderError, about subject: ErrorSubject, reason: String? = nil) {
    end(reason: reason) { self.sendError(error, about: subject) }
  }

  /// Ends the connection: with a `bye` if there is a reason to give, after all that was sent is written.
  public func end(reason: String?) { end(reason: reason) {} }

  private func end(reason: String?, _ sendError: () -> Void) {
    guard !isEnded else { return }
    owner?.writerWillEnd()
    sendError()
    if let reason {
      write {
        $0.bye(reason: reason)
      } frame: {
        $0.bye(reason: reason)
      }
    }
    isEnded = true
    owner.take()?.writerEnded()
  }

  /// Stops sending, because the connection is gone. The owner is not notified.
  public func disconnect() {
    isEnded = true
    owner = nil
  }

  // MARK: - Log

  /// Logs one line about what this client did wrong.
  public func logWarning(_ what: String, _ facts: [(key: String, value: String)]) {
    var all = [(key: "connection", value: String(id.number)), (key: "peer", value: connection.peer.name)]
    if let clientName { all.append((key: "client", value: clientName)) }
    context.log.log(.warning, what, all + facts)
  }

  /// Logs an error if it is the first of its kind that the connection makes.
  public func logOnce(_ error: HeaderError) {
    guard connection.isFirst(error.name) else { return }
    logWarning("requestRefused", [("error", error.name.rawValue), ("message", error.message)])
  }
}
