// SPDX-License-Identifier: MIT
//
// A connection to NATS on a loop of ours. libnats has its own threads for the socket and for callbacks; its messages come to the loop by
// mail, in the order in which the server sent them, since one thread alone delivers. Published messages go to the socket from the
// library's buffer and never wait longer than `writeDeadline`; while there is no server they are refused here.
//
//     server ──▶ library's reader ──▶ its one deliverer ──mail──▶ loop     subscribe
//                        ╰─────────── kept ◀──asks── loop                  subscribePolled: for answers, which come by the thousand
//
// The library can also be put on a loop (natsOptions_SetEventLoop). With TLS its reads then wait for the rest of a record on the loop's
// thread, so that is not used.

internal import CNats
private import Glibc
public import EventLoop

/// Settings of a connection.
public struct NatsSettings: Sendable {
  /// URLs: nats://HOST:PORT, tls://HOST:PORT.
  public var servers: [String] = []
  /// How the server's lists show it.
  public var name = ""
  /// A file of credentials (a JWT and its seed).
  public var credentials: String?
  /// A file in PEM: the authorities that sign servers' certificates.
  public var authorities: String?
  /// A file in PEM: this client's certificate.
  public var certificate: String?
  /// A file in PEM: its key.
  public var privateKey: String?

  /// Settings without servers.
  public init() {}
}

/// Why a function of libnats failed.
public struct NatsError: Error, Equatable, Sendable {
  /// A sentence for people.
  public fileprivate(set) var message: String
}

/// A message as it was received.
public struct NatsMessage: Sendable {
  /// The subject that it was sent to.
  public var subject: String
  /// The subject for an answer; nil: none is wanted.
  public var reply: String?
  /// Headers, for subscriptions that want them.
  public var headers: [String: String]
  /// The payload.
  public var bytes: [UInt8]

  /// Creates a message.
  public init(subject: String, reply: String? = nil, headers: [String: String] = [:], bytes: [UInt8]) {
    (self.subject, self.reply, self.headers, self.bytes) = (subject, reply, headers, bytes)
  }
}

/// Messages and changes of a connection.
public enum NatsNews: Sendable {
  case message(NatsMessage, subscription: Int)
  case connected
  case disconnected
  /// Messages were dropped, since they came faster than they were taken.
  case slow
  /// A server cannot be reached, or does not let this client in; why.
  case refused(String)
  /// The connection has given up, for this reason.
  case closed(String)
}

/// A connection to NATS. It must be closed.
@safe public final class NatsConnection {
  private var raw: OpaquePointer?
  private let mailbox: Mailbox<NatsNews>
  private var subscriptions: [Int: Subscription] = [:]
  /// Subscriptions that the loop polls.
  private var polled: [Int] = []
  private var lastSubscription: Int
  private var spent: [OpaquePointer] = unsafe []
  private let context: Unmanaged<CallbackContext>

  /// The context of the callbacks; it is never freed before the library's threads have ended.
  final class CallbackContext: Sendable {
    let door: Mailbox<NatsNews>.Door
    let subscription: Int
    let wantsHeaders: Bool

    init(_ door: Mailbox<NatsNews>.Door, subscription: Int = 0, wantsHeaders: Bool = false) {
      (self.door, self.subscription, self.wantsHeaders) = (door, subscription, wantsHeaders)
    }
  }

  @safe private struct Subscription {
    let raw: OpaquePointer
  }

  private static let pingInterval: Int64 = 500
  private static let writeDeadline: Int64 = 250
  private static let reconnectWait: Int64 = 100
  /// Bytes that the library keeps while there is no server: hardly any, since nothing is published then.
  private static let reconnectBuffer: Int32 = 65_536
  private static let pendingMessages: Int32 = 262_144
  private static let pendingBytes: Int32 = 67_108_864
  /// Messages that one `poll` takes of a subscription.
  private static let maxPoll = 1_024
  /// Messages that wait to be freed.
  private static let maxSpent = 256

  /// Begins to connect, and keeps trying until it is closed.
  /// - Parameters:
  ///   - first: the number of the first subscription; later ones count on.
  ///   - received: called on the loop.
  public init(
    _ settings: NatsSettings, on loop: Loop, numberingFrom first: Int = 1, received: @escaping (NatsNews) -> Void
  ) throws(NatsError) {
    lastSubscription = first - 1
    do throws(UVError) { mailbox = try Mailbox(on: loop) } catch { throw NatsError(message: error.description) }
    mailbox.received = received
    unsafe context = Unmanaged.passRetained(CallbackContext(mailbox.door))
    _ = nats_SetMessageDeliveryPoolSize(1)
    var options: OpaquePointer?
    try unsafe check(natsOptions_Create(&options), "natsOptions_Create")
    defer { unsafe natsOptions_Destroy(options) }
    try unsafe apply(settings, options)
    try unsafe tell(options)
    try unsafe connect(options, settings.servers, attemptsToSign: settings.credentials == nil ? 1 : 3)
  }

  /// The first attempt finds mistakes in the settings; only for a missing server the client waits.
  /// - Parameter attemptsToSign: how often to try before a refusal counts. libnats (3.4.1) leaves out a signature that begins with a zero
  ///   byte, as one in 256 does; the server sends something else to sign the next time.
  private func connect(_ options: OpaquePointer?, _ servers: [String], attemptsToSign: Int) throws(NatsError) {
    var status = unsafe natsConnection_Connect(&raw, options)
    for _ in 1..<attemptsToSign where status == NATS_CONNECTION_AUTH_FAILED {
      status = unsafe natsConnection_Connect(&raw, options)
    }
    if status == NATS_OK {
      mailbox.door.post(.connected)
      return
    }
    var error = NatsError(status, servers.map(Self.withoutPassword).joined(separator: ", "))
    error.message += Self.hint(status)
    guard Self.isAbsence(status) else { throw error }
    mailbox.door.post(.refused(error.message))
    let pointer = unsafe context.toOpaque()
    try unsafe check(
      natsOptions_SetRetryOnFailedConnect(options, true, { _, at in unsafe post(.connected, at) }, pointer), "retry")
    let second = unsafe natsConnection_Connect(&raw, options)
    guard second == NATS_OK || second == NATS_NOT_YET_CONNECTED else { throw error }
    if second == NATS_OK { mailbox.door.post(.connected) }
  }

  /// A URL as it may be shown.
  private static func withoutPassword(_ url: String) -> String {
    guard let end = url.lastIndex(of: "@") else { return url }
    // A password may have a slash, and a URL no scheme.
    let scheme = ["nats://", "tls://"].first { url.hasPrefix($0) } ?? ""
    return scheme + url[url.index(after: end)...]
  }

  /// Which setting may be wrong.
  private static func hint(_ status: natsStatus) -> String {
    switch status {
    case NATS_SSL_ERROR: "; nats.authorities names who signs the server's certificate"
    case NATS_CONNECTION_AUTH_FAILED: "; nats.credentials, or user and password in the URL, say who this is"
    case NATS_PROTOCOL_ERROR, NATS_CONNECTION_CLOSED:
      "; the server ended the connection, as one does that wants another nats.certificate"
    default: ""
    }
  }

  private static func isAbsence(_ status: natsStatus) -> Bool {
    status == NATS_NO_SERVER || status == NATS_IO_ERROR || status == NATS_TIMEOUT || status == NATS_ADDRESS_MISSING
  }

  private func apply(_ settings: NatsSettings, _ options: OpaquePointer?) throws(NatsError) {
    try unsafe withCStrings(settings.servers) { (servers) throws(NatsError) in
      try unsafe check(
        natsOptions_SetServers(options, servers.baseAddress, Int32(settings.servers.count)), "nats.servers")
    }
    try unsafe check(natsOptions_SetName(options, settings.name), "natsOptions_SetName")
    try unsafe check(natsOptions_SetMaxReconnect(options, -1), "natsOptions_SetMaxReconnect")
    try unsafe check(natsOptions_SetReconnectWait(options, Self.reconnectWait), "natsOptions_SetReconnectWait")
    try unsafe check(natsOptions_SetReconnectJitter(options, 50, 50), "natsOptions_SetReconnectJitter")
    try unsafe check(natsOptions_SetReconnectBufSize(options, Self.reconnectBuffer), "natsOptions_SetReconnectBufSize")
    try unsafe check(natsOptions_SetPingInterval(options, Self.pingInterval), "natsOptions_SetPingInterval")
    try unsafe check(natsOptions_SetMaxPingsOut(options, 2), "natsOptions_SetMaxPingsOut")
    try unsafe check(natsOptions_SetTimeout(options, 1_000), "natsOptions_SetTimeout")
    try unsafe check(natsOptions_SetWriteDeadline(options, Self.writeDeadline), "natsOptions_SetWriteDeadline")
    try unsafe check(natsOptions_SetNoEcho(options, true), "natsOptions_SetNoEcho")
    try unsafe check(natsOptions_UseGlobalMessageDelivery(options, true), "natsOptions_UseGlobalMessageDelivery")
    if let file = settings.credentials {
      try unsafe check(natsOptions_SetUserCredentialsFromFiles(options, file, nil), "nats.credentials")
    }
    if let file = settings.authorities {
      try unsafe check(natsOptions_SetSecure(options, true), "nats.authorities")
      try unsafe check(natsOptions_LoadCATrustedCertificates(options, file), "nats.authorities")
    }
    if let certificate = settings.certificate, let key = settings.privateKey {
      try unsafe check(natsOptions_LoadCertificatesChain(options, certificate, key), "nats.certificate")
    }
  }

  /// Registers callbacks for the connection's changes.
  private func tell(_ options: OpaquePointer?) throws(NatsError) {
    let pointer = unsafe context.toOpaque()
    try unsafe check(
      natsOptions_SetDisconnectedCB(options, { _, at in unsafe post(.disconnected, at) }, pointer), "disconnected")
    try unsafe check(
      natsOptions_SetReconnectedCB(options, { _, at in unsafe post(.connected, at) }, pointer), "reconnected")
    try unsafe check(
      natsOptions_SetErrorHandler(
        options,
        { _, _, status, at in
          let news =
            status == NATS_SLOW_CONSUMER ? .slow : NatsNews.refused(unsafe String(cString: natsStatus_GetText(status)))
          unsafe post(news, at)
        }, pointer), "error")
    try unsafe check(
      natsOptions_SetClosedCB(
        options,
        { connection, at in
          var text: UnsafePointer<CChar>?
          _ = unsafe natsConnection_GetLastError(connection, &text)
          unsafe post(.closed(text.map { unsafe String(cString: $0) } ?? "closed"), at)
        }, pointer), "closed")
  }

  /// Ends the connection; `received` is not called any more.
  public func close() {
    mailbox.received = nil
    guard let raw = unsafe raw else { return }
    for id in Array(subscriptions.keys) { unsubscribe(id) }
    freeSpent()
    _ = unsafe natsConnection_FlushTimeout(raw, 200)
    unsafe natsConnection_Destroy(raw)
    unsafe self.raw = nil
  }

  // MARK: - Messages

  /// Begins to receive the messages of a subject.
  /// - Returns: the subscription's number; nil: the connection is closed.
  public func subscribe(_ subject: String, wantsHeaders: Bool) -> Int? {
    guard let connection = unsafe raw else { return nil }
    lastSubscription += 1
    let context = CallbackContext(mailbox.door, subscription: lastSubscription, wantsHeaders: wantsHeaders)
    let held = unsafe Unmanaged.passRetained(context)
    var subscription: OpaquePointer?
    let status = unsafe natsConnection_Subscribe(
      &subscription, connection, subject, { _, _, message, at in unsafe deliver(message, at) }, held.toOpaque())
    guard status == NATS_OK, let subscription = unsafe subscription else {
      unsafe held.release()
      return nil
    }
    return unsafe keep(subscription)
  }

  /// Subscribes without calls of `received`: `poll` takes the messages, which saves two changes of threads for each. Their order among
  /// those of other subscriptions is lost.
  public func subscribePolled(_ subject: String) -> Int? {
    guard let connection = unsafe raw else { return nil }
    var subscription: OpaquePointer?
    guard unsafe natsConnection_SubscribeSync(&subscription, connection, subject) == NATS_OK,
      let subscription = unsafe subscription
    else { return nil }
    lastSubscription += 1
    polled.append(lastSubscription)
    return unsafe keep(subscription)
  }

  private func keep(_ subscription: OpaquePointer) -> Int {
    _ = unsafe natsSubscription_SetPendingLimits(subscription, Self.pendingMessages, Self.pendingBytes)
    subscriptions[lastSubscription] = unsafe Subscription(raw: subscription)
    return lastSubscription
  }

  /// Delivers the messages of polled subscriptions, without waiting.
  public func poll() {
    for id in polled {
      for _ in 0..<Self.maxPoll {
        guard let subscription = subscriptions[id] else { break }
        var message: OpaquePointer?
        guard unsafe natsSubscription_NextMsg(&message, subscription.raw, 0) == NATS_OK, let message = unsafe message
        else { break }
        let received = unsafe NatsMessage(message, wantsHeaders: true)
        unsafe discard(message)
        if let received { mailbox.received?(.message(received, subscription: id)) }
      }
    }
  }

  /// The library frees messages on a thread of its own, which it wakes for each one when there are no others: that costs more than
  /// all the rest of a message. Freed together they wake it once.
  private func discard(_ message: OpaquePointer) {
    unsafe spent.append(message)
    if unsafe spent.count >= Self.maxSpent { freeSpent() }
  }

  private func freeSpent() {
    for index in unsafe spent.indices { unsafe natsMsg_Destroy(spent[index]) }
    unsafe spent.removeAll(keepingCapacity: true)
  }

  /// Ends a subscription. Messages on their way may still come.
  public func unsubscribe(_ id: Int) {
    guard let subscription = subscriptions.removeValue(forKey: id) else { return }
    polled.removeAll { $0 == id }
    _ = unsafe natsSubscription_Unsubscribe(subscription.raw)
    // The library's thread may be in the callback: its context, 32 bytes, stays.
    unsafe natsSubscription_Destroy(subscription.raw)
  }

  /// Sends a message.
  /// - Returns: whether the library took it.
  @discardableResult public func publish(
    _ bytes: RawSpan, to subject: String, reply: String? = nil, headers: [(name: String, value: String)] = []
  ) -> Bool {
    guard let connection = unsafe raw else { return false }
    return unsafe bytes.withUnsafeBytes { buffer in
      let data = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      if headers.isEmpty {
        guard let reply else {
          return unsafe natsConnection_Publish(connection, subject, data, Int32(buffer.count)) == NATS_OK
        }
        return unsafe natsConnection_PublishRequest(connection, subject, reply, data, Int32(buffer.count)) == NATS_OK
      }
      var message: OpaquePointer?
      guard unsafe natsMsg_Create(&message, subject, reply, data, Int32(buffer.count)) == NATS_OK else { return false }
      defer { unsafe message.map { unsafe discard($0) } }
      for header in headers { _ = unsafe natsMsgHeader_Set(message, header.name, header.value) }
      return unsafe natsConnection_PublishMsg(connection, message) == NATS_OK
    }
  }
}

// MARK: - Callbacks, on threads of the library

private func post(_ news: NatsNews, _ at: UnsafeMutableRawPointer?) {
  guard let at = unsafe at else { return }
  unsafe Unmanaged<NatsConnection.CallbackContext>.fromOpaque(at)._withUnsafeGuaranteedRef { _ = $0.door.post(news) }
}

private func deliver(_ message: OpaquePointer?, _ at: UnsafeMutableRawPointer?) {
  defer { unsafe natsMsg_Destroy(message) }
  guard let message = unsafe message, let at = unsafe at else { return }
  unsafe Unmanaged<NatsConnection.CallbackContext>.fromOpaque(at)._withUnsafeGuaranteedRef { context in
    guard let received = unsafe NatsMessage(message, wantsHeaders: context.wantsHeaders) else { return }
    _ = context.door.post(.message(received, subscription: context.subscription))
  }
}

extension NatsMessage {
  /// A copy of the library's; nil: it has no subject.
  fileprivate init?(_ message: OpaquePointer, wantsHeaders: Bool) {
    guard let subject = unsafe natsMsg_GetSubject(message) else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(
      start: natsMsg_GetData(message), count: Int(natsMsg_GetDataLength(message)))
    unsafe self.init(
      subject: String(cString: subject), reply: natsMsg_GetReply(message).map { unsafe String(cString: $0) },
      headers: wantsHeaders ? Nats.headers(of: message) : [:], bytes: [UInt8](bytes))
  }
}

private func headers(of message: OpaquePointer) -> [String: String] {
  var names: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  var count: Int32 = 0
  guard unsafe natsMsgHeader_Keys(message, &names, &count) == NATS_OK, let names = unsafe names else { return [:] }
  defer { unsafe free(names) }
  var headers: [String: String] = [:]
  for index in 0..<Int(count) {
    var value: UnsafePointer<CChar>?
    guard let name = unsafe names[index], unsafe natsMsgHeader_Get(message, name, &value) == NATS_OK,
      let value = unsafe value
    else { continue }
    unsafe headers[String(cString: name)] = unsafe String(cString: value)
  }
  return headers
}

private func check(_ status: natsStatus, _ what: String) throws(NatsError) {
  if status != NATS_OK { throw NatsError(status, what) }
}

extension NatsError {
  fileprivate init(_ status: natsStatus, _ what: String) {
    var last = NATS_OK
    var detail = unsafe nats_GetLastError(&last).map { unsafe String(cString: $0) } ?? ""
    // The library's file and line.
    if detail.hasPrefix("("), let end = detail.firstIndex(of: ")") { detail = String(detail[end...].dropFirst(3)) }
    let text = unsafe String(cString: natsStatus_GetText(status))
    message = "\(what): \(detail.isEmpty ? text : detail)"
  }
}

private func withCStrings(
  _ texts: [String], _ body: (UnsafeMutableBufferPointer<UnsafePointer<CChar>?>) throws(NatsError) -> Void
) throws(NatsError) {
  let copies = UnsafeMutableBufferPointer<UnsafePointer<CChar>?>.allocate(capacity: texts.count)
  for (index, text) in texts.enumerated() { unsafe copies.initializeElement(at: index, to: strdup(text)) }
  defer {
    for index in copies.indices { unsafe free(UnsafeMutablePointer(mutating: copies[index])) }
    unsafe copies.deallocate()
  }
  try unsafe body(copies)
}
