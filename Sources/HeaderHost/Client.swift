// SPDX-License-Identifier: MIT

internal import Clocks
public import Fanout
internal import HeaderModel
internal import HeaderWire

/// The sender of a client's commands, which learns when a command that was left open is done.
public protocol CommandOrigin: AnyObject {
  /// A command for which `HeaderHost.handle` returned `open` is done.
  func commandIsDone(slot: Int)
}

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

/// A connection as one shard's host knows it: the headers that it publishes to, has opened, subscribes to and has delegates in.
public final class Client {
  /// The way out to the client.
  public let writer: ClientWriter
  /// Learns when the client's commands are done.
  public internal(set) unowned var origin: (any CommandOrigin)?
  /// The connection's deliveries; made with the first subscription.
  public internal(set) var subscriber: Subscriber?
  /// The headers that it has sent events to.
  var bindings = PublisherBindings()
  /// Names of headers that it opened or attached to.
  var opened: Set<String> = []
  /// Headers that end with it.
  var owned: [HeaderHandle: HeaderEntry] = [:]
  var recorders: [TraceRecorder] = []
  /// Its delegates in the chains of headers, and the questions sent to them, the oldest first.
  var delegates: [DelegateKey: HeaderEntry] = [:]
  var questions: [(id: Int, entry: HeaderEntry)] = []
  /// Headers with constraints that end with it.
  var leased: [HeaderHandle: HeaderEntry] = [:]
  /// Commands of it that are not done.
  var openCommands = 0
  /// Answers to it that wait for the journal.
  var heldReplies = 0
  /// The client sends no more, so it cannot answer and is not asked.
  var inputHasEnded = false
  /// The client's connection has ended.
  var hasLeft = false
  /// Events that it may send before its user's account is asked for more: so the account is not touched at each event.
  var credit = 0

  /// A connection that has done nothing here yet.
  public init(_ writer: ClientWriter, origin: (any CommandOrigin)?) {
    self.writer = writer
    self.origin = origin
  }

  var account: UserAccount { writer.connection.account }

  /// Takes one event from the credit of the client's user.
  /// - Parameter perSecond: the connection's own rate; 0: any. Then no credit is kept, and each event is counted.
  func takeEvent(ofConnection perSecond: Int, at now: MonotonicTime) throws(HeaderError) {
    if perSecond > 0, let wait = writer.connection.takeEvent(of: perSecond, at: now) {
      throw HeaderError(
        .rateExceeded, "a connection may send \(perSecond) events a second",
        hint: "limits.eventsPerSecond in the daemon's config sets it",
        facts: ["retryAfter": .number(wait)])
    }
    if credit == 0 {
      let (count, wait) = account.takeEvents(atMost: perSecond > 0 ? 1 : Self.maxCredit, at: now)
      guard count > 0 else {
        var error = account.refusal(.eventsPerSecond, for: "event")
        error.facts["retryAfter"] = .number(wait)
        throw error
      }
      credit = count
    }
    credit -= 1
  }

  /// Returns unused credit, so that the account's count is true.
  func returnCredit() {
    account[.eventsPerSecond].add(-credit)
    credit = 0
  }

  private static let maxCredit = 1_024

  /// The number of the client's connection.
  public var id: ConnectionID { writer.id }
  /// Whether the client can still answer questions.
  var mayAnswer: Bool { !writer.isEnded && !inputHasEnded }
  /// It listens to something, so that it stays when its input has ended.
  public var listens: Bool {
    !(subscriber?.subscriptions.isEmpty ?? true) || !recorders.isEmpty || !delegates.isEmpty
  }

  /// Notes a question that was sent. The oldest questions whose answers no header awaits are forgotten.
  func note(question id: Int, for entry: HeaderEntry) {
    questions.append((id, entry))
    if questions.count > 64 { questions.removeFirst(questions.count - 64) }
  }
}
