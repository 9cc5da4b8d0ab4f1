// SPDX-License-Identifier: MIT
//
// The rows of `stats` about single headers and subscribers of a shard.

public import Fanout
internal import HeaderCore
public import HeaderModel

/// The rows that `stats` includes beside the counters.
public struct StatisticsRows: OptionSet, Sendable {
  /// One bit for each kind of row.
  public var rawValue: UInt8
  /// Creates the set of the kinds whose bits are set.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A row for each header.
  public static let headers = StatisticsRows(rawValue: 1)
  /// A row for each connection with subscriptions.
  public static let subscribers = StatisticsRows(rawValue: 2)

  /// The names of the kinds in `stats`.
  public static let words: [(String, StatisticsRows)] = [("headers", .headers), ("subscribers", .subscribers)]
}

/// What one shard knows of a connection with subscriptions.
public struct SubscriberEntry: Sendable {
  /// The connection's number.
  public let connection: ConnectionID
  /// How many of the shard's headers it gets states of.
  public var headers: Int
  /// The rest, which only the connection's home knows; nil elsewhere.
  public var home: Home?

  /// The facts that only the thread with its socket has.
  public struct Home: Sendable {
    let client: String?
    let user: UInt32
    let subscriptions: Int
    let backlog: Backlog

    /// A connection with this many subscriptions.
    public init(_ writer: ClientWriter, subscriptions: Int) {
      client = writer.clientName
      user = writer.connection.peer.user
      backlog = writer.backlog
      self.subscriptions = subscriptions
    }
  }

  /// Creates a row; `home` is set only by the connection's own shard.
  public init(connection: ConnectionID, headers: Int, home: Home? = nil) {
    self.connection = connection
    self.headers = headers
    self.home = home
  }

  /// As `stats` shows it.
  public var value: Value {
    var record: Value.Record = ["connection": .number(Double(connection.number)), "headers": .number(Double(headers))]
    guard let home else { return .record(record) }
    record["client"] = home.client.map { .text($0) }
    record["user"] = .number(Double(home.user))
    record["subscriptions"] = .number(Double(home.subscriptions))
    record["queueBytes"] = .number(Double(home.backlog.queuedBytes))
    record["age"] = .number(Double(home.backlog.age) / 1e9)
    return .record(record)
  }
}
