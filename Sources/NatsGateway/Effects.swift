// SPDX-License-Identifier: MIT
//
// What the gateway does to the host, as protocols: NATS, the daemon's socket, clients' sockets, the log. It has no clock: times come
// with what happens.

/// NATS.
public protocol Bus: AnyObject {
  /// Sends a message; one that cannot be sent is lost, as NATS may lose any.
  func publish(_ bytes: [UInt8], to subject: String, reply: String?, headers: [(name: String, value: String)])
  /// Begins to receive.
  func subscribe(_ subject: String, wantsHeaders: Bool) -> Int?
  /// The same for answers, whose order among other messages does not matter.
  func subscribeToAnswers(_ subject: String) -> Int?
  /// Ends that.
  func unsubscribe(_ id: Int)
}

/// A message of the bus.
public struct BusMessage: Sendable {
  /// Where it was sent.
  public var subject: String
  /// Where an answer is wanted.
  public var reply: String?
  /// Of subscriptions that want them.
  public var headers: [String: String]
  /// What it says.
  public var bytes: [UInt8]

  /// A message.
  public init(subject: String, reply: String? = nil, headers: [String: String] = [:], bytes: [UInt8]) {
    (self.subject, self.reply, self.headers, self.bytes) = (subject, reply, headers, bytes)
  }
}

/// One end of a connection of lines.
public protocol LineStream: AnyObject {
  /// Writes bytes, whole lines.
  func write(_ bytes: [UInt8])
  /// Bytes that the kernel has not taken.
  var queuedBytes: Int { get }
  /// Stops and goes on reading.
  func setReading(_ isOn: Bool)
  /// Ends it; nothing is told any more.
  func close()
}

/// Whoever has a connection to the daemon.
public protocol DaemonOwner: AnyObject {
  /// A line without its end.
  func received(_ line: [UInt8])
  /// It is over.
  func daemonIsGone()
}

/// The rest of the host.
public protocol GatewayHost: AnyObject {
  /// Begins to connect to the daemon.
  func connectDaemon(_ owner: any DaemonOwner) -> any LineStream
  /// Writes a line of the log.
  func log(_ event: String, _ facts: [(key: String, value: String)])
  /// The process cannot go on.
  func fail(_ reason: String)
}
