// SPDX-License-Identifier: MIT
//
// The messages between threads. Messages between two threads keep their order; threads share nothing and never wait for each other.
//
//     gateway ──command, question, drained, disconnected──▶ shard of the header
//     gateway ◀──────────output, done, part, ended──────── shard of the header

public import Clocks
public import Fanout
public import HeaderHost
public import HeaderModel
public import HeaderWire

/// A set of shards, one bit each.
public struct ShardSet: OptionSet, Sendable {
  /// As many bits as shards.
  public var rawValue: UInt64
  /// The shards whose bits are set.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// The set of one shard, 0 to 63.
  public init(_ shard: Int) { rawValue = 1 << UInt64(shard) }
  /// The first `count` shards, 1 to 64.
  public static func all(of count: Int) -> ShardSet { ShardSet(rawValue: .max >> UInt64(64 - count)) }

  /// How many shards are in it.
  public var count: Int { rawValue.nonzeroBitCount }
  /// The members, ascending.
  public var shards: [Int] { (0..<64).filter { contains(ShardSet($0)) } }
  /// The first shard; nil: there is none.
  public var first: Int? { isEmpty ? nil : rawValue.trailingZeroBitCount }
}

/// A connection as a command or question for another shard names it.
public struct ClientReference: Sendable {
  /// What all threads know of it.
  public let connection: SharedConnection
  /// How its messages are written.
  public let encoding: Encoding
  /// How the client calls itself.
  public let name: String?

  /// A connection that a writer writes to.
  public init(_ writer: ClientWriter) {
    connection = writer.connection
    encoding = writer.encoding
    name = writer.clientName
  }
}

/// What a shard is asked together with others.
public enum Question: Sendable {
  /// Whether everything before it is done: messages keep their order.
  case ping
  /// The rows of `header.list`.
  case list(glob: String)
  /// The counters, and rows beside them.
  case statistics(reset: Bool, rows: StatisticsRows)
  /// The headers that the client opened.
  case openedHeaders
  /// Begin a subscription.
  case subscribe(SubscriptionRequest, id: Int)
  /// End a subscription.
  case unsubscribe(id: Int)
  /// The client sends no more; whether it listens to something.
  case endInput
  /// Send the clients of one home all that is held for them, because the daemon ends.
  case finish
  /// Take new limits, and open the shard's headers of the config file.
  case configure(Limits, [HeaderDescription])
  /// Change or list plugins; for the shard that keeps them.
  case plugins(PluginRequest)
  /// A step of a change of plugins.
  case pluginStep(PluginStep)
}

/// A request about plugins.
public enum PluginRequest: Sendable {
  case list(plugin: String?)
  case load(String)
  case unload(String, force: Bool)
  case reload(String)
}

/// A step of a change of plugins, for every shard.
public enum PluginStep: Sendable {
  case users(plugin: String)
  case use(PluginHandover)
  case prepareReload(plugin: String, PluginHandover)
  case commitReload(plugin: String, PluginHandover)
  case abortReload
  case unload(plugin: String, PluginHandover, force: Bool)
}

/// One shard's answer to a question.
public enum ShardReply: Sendable {
  case done
  case rows([(name: String, row: Value)])
  case statistics(ShardStatistics)
  /// A header that the client opened, and how many there are.
  case opened(String?, count: Int)
  case matched(Int)
  case listens(Bool)
  case users([DependentHeader])
  case record(Value.Record)
  case refused(HeaderError)
}

/// One shard's part of `stats`.
public struct ShardStatistics: Sendable {
  /// Events, states, errors and bytes, as counted so far.
  public var counters = Counters()
  /// Connections that have their home there.
  public var connections = 0
  /// Subscriptions of those connections.
  public var subscriptions = 0
  /// Open headers of the shard.
  public var headers = 0
  /// States kept for subscribers that resume, and their bytes.
  public var kept: (states: Int, bytes: Int) = (0, 0)
  /// Calls of plugins on that thread.
  public var plugins: [PluginUsageEntry] = []
  /// Rows of headers by name, if they were asked for.
  public var headerRows: [(name: String, row: Value)] = []
  /// What is known of subscribers, if that was asked for.
  public var subscribers: [SubscriberEntry] = []
  /// How old events were that came there; nil: it is not counted.
  public var eventAges: EventAges?
  /// What is recorded of the headers there; nil: nothing is.
  public var journal: JournalStatistics?
  /// The processes that headers are in; nil: there are none.
  public var workers: WorkerStatistics?
  /// What the first shard alone knows, such as the process's memory.
  public var process = Value.Record()

  /// Statistics with nothing counted.
  public init() {}
}

/// What shards send each other.
public enum ShardMessage: Sendable {
  /// To a shard: a command for one of its headers, with the gateway's slot for it; nil: the client expects no answer.
  case command(Command, of: ClientReference, slot: Int?)
  /// To a shard: a question that is put to several.
  case question(Question, of: ClientReference?, gather: Int, from: Int)
  /// To a shard: all that was sent to a connection has gone to the kernel.
  case outputDrained(ConnectionID)
  /// To a shard: a connection is gone.
  case disconnected(ConnectionID)
  /// To a shard: disconnect all clients for this reason. A client that does not read is cut off at the deadline, by the daemon's clock.
  case drain(reason: String, deadline: MonotonicTime)
  /// To a shard: another one has no connections left, and will have none.
  case drained(shard: Int)
  /// To a home: bytes for a connection.
  case output(ConnectionID, [UInt8], from: Int)
  /// To a home: a command is done.
  case done(ConnectionID, slot: Int)
  /// To a home: the shard has ended a connection, with these bytes as the last.
  case ended(ConnectionID, [UInt8], from: Int)
  /// To a shard: of headers that follow others.
  case follow(FollowMessage)
  /// To the shard that asked: another shard's answer.
  case part(ShardReply, gather: Int, from: Int)
}

/// How messages get to other shards: a thread's mailbox, or a simulation's.
public protocol ShardTransport: AnyObject {
  /// Takes a message to another shard, behind those before it.
  func post(_ message: ShardMessage, to shard: Int)
}
