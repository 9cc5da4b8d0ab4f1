// SPDX-License-Identifier: MIT
//
// Events, questions and answers of clients in a chain.

/// An event for a client.
public struct ClientEvent: Sendable {
  /// The delegate's place in the chain.
  public let delegate: Int
  /// The event's fields as the wire has them (headerd-events(7)), `time` and `depth` included.
  public let event: Value.Record

  /// Creates an event that came from another process.
  public init(delegate: Int, event: Value.Record) {
    self.delegate = delegate
    self.event = event
  }
}

/// A question to a client.
public struct DelegateQuestion: Sendable {
  /// The delegate's place in the chain.
  public let delegate: Int
  /// The delegate's name.
  public let name: String
  /// Seconds that the event waits.
  public let deadline: Double
  /// The event as those before it in the chain have made it, with the fields of headerd-events(7).
  public let event: Value.Record

  package init(delegate: Int, name: String, deadline: Double, event: Value.Record) {
    (self.delegate, self.name, self.deadline, self.event) = (delegate, name, deadline, event)
  }
}

/// The end of a question.
public enum DelegateReply: Sendable {
  /// The client's answer, as it came; an invalid one is dropped.
  case answer(Value)
  /// There is none, and why.
  case passedOver(String)
  /// There is none before the deadline. After three such in a row the client is no longer asked (`ClientTurn.maxMissedDeadlines`).
  case late(String)
}
