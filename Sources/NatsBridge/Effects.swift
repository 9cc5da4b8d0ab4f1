// SPDX-License-Identifier: MIT
//
// The bridge's effects on the host, as protocols: NATS, the daemon's socket, clients' sockets, the log. The bridge has no clock: times
// come with the calls.

/// The connection to NATS.
public protocol Bus: AnyObject {
  /// Sends a message; one that cannot be sent is lost, as NATS may lose any.
  func publish(_ bytes: [UInt8], to subject: String, reply: String?, headers: [(name: String, value: String)])
  /// Subscribes to a subject; nil: it cannot be subscribed to.
  func subscribe(_ subject: String, wantsHeaders: Bool) -> Int?
  /// Subscribes to answers, whose order among other messages does not matter.
  func subscribeToAnswers(_ subject: String) -> Int?
  /// Ends a subscription.
  func unsubscribe(_ id: Int)
}

/// A message of the bus.
public struct BusMessage: Sendable {
  /// The subject that it was sent to.
  public var subject: String
  /// The subject for an answer; nil: none is wanted.
  public var reply: String?
  /// Headers, for subscriptions that want them.
  public var headers: [String: String]
  /// The payload.
  public var bytes: [UInt8]

  /// Creates a message that was received.
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
  /// Stops or resumes reading.
  func setReading(_ isOn: Bool)
  /// Closes the connection; its owner is not called any more.
  func close()
}

/// The owner of a connection to the daemon.
public protocol DaemonOwner: AnyObject {
  /// A line without its end.
  func received(_ line: [UInt8])
  /// The connection is closed.
  func daemonIsGone()
}

/// The rest of the host.
public protocol BridgeHost: AnyObject {
  /// Begins to connect to the daemon.
  func connectDaemon(_ owner: any DaemonOwner) -> any LineStream
  /// Writes a line of the log.
  func log(_ event: String, _ facts: [(key: String, value: String)])
  /// Ends the process with a reason.
  func fail(_ reason: String)
}
