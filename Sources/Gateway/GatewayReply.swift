// SPDX-License-Identifier: MIT
//
// Answers to requests that concern no single header, in both encodings.

internal import Clocks
internal import Fanout
internal import HeaderHost
internal import HeaderModel
internal import HeaderWire
internal import Shards

/// What such a request is answered with.
enum GatewayReply {
  case record(Value.Record)
  /// What `hello` is answered with, the connection's roles, and the daemon's clock.
  case welcome(Value.Record, Roles, MonotonicTime)
  /// The daemon's clock.
  case time(MonotonicTime)
  case subscribed(id: Int, matched: Int)

  static var nothing: GatewayReply { .record(Value.Record()) }

  /// The rows of all shards, by name.
  static func list(_ parts: [ShardReply]) -> GatewayReply {
    var rows: [(name: String, row: Value)] = []
    for case .rows(let part) in parts { rows += part }
    return .record(["headers": .list(rows.sorted { $0.name < $1.name }.map(\.row))])
  }

  /// The sums of all shards' counters, and the users' accounts.
  static func statistics(_ parts: [ShardReply], _ users: [Value], _ rows: StatisticsRows) -> GatewayReply {
    let sum = ShardStatistics(summing: parts)
    var record = Value.Record(fields: sum.counts.map { .init(name: $0.0, value: .number(Double($0.1))) })
    record.fields += sum.process.fields
    record["journal"] = sum.journal?.value
    record["workers"] = sum.workers?.value
    record["users"] = .list(users)
    if !sum.plugins.isEmpty || !sum.process.fields.isEmpty {
      var plugins = Value.Record()
      for usage in sum.plugins {
        plugins[usage.plugin] = ["calls": .number(Double(usage.calls)), "time": .number(usage.seconds)]
      }
      record["plugins"] = .record(plugins)
    }
    if rows.contains(.headers) { record["headerRows"] = .list(sum.headerRows.map(\.row)) }
    if rows.contains(.subscribers) { record["subscribers"] = .list(sum.subscribers.map(\.value)) }
    return .record(record)
  }
}

extension ClientWriter {
  /// Sends the answer to a request.
  func answer(_ address: ReplyAddress, _ reply: GatewayReply, _ unknown: [UnknownField]) {
    let connection = id.number
    answer(address, unknown) { writer in
      switch reply {
      case .record(let record), .welcome(let record, _, _): writer.value(.record(record))
      case .time(let time): writer.value(["time": .number(time.seconds)])
      case .subscribed(let id, let matched):
        writer.value(["subscription": .number(Double(id)), "matched": .number(Double(matched))])
      }
    } frame: { writer, id, warnings in
      switch reply {
      case .record: writer.done(id, warnings: warnings)
      case .welcome(let record, let roles, let time):
        writer.welcome(
          id, protocol: 1, roles: roles.rawValue, connection: connection, time: Instant(nanoseconds: time.nanoseconds),
          result: record, warnings: warnings)
      case .time(let time): writer.pong(id, time: Instant(nanoseconds: time.nanoseconds))
      case .subscribed(let subscription, let matched):
        writer.subscribed(id, subscription: subscription, matched: matched, warnings: warnings)
      }
    }
  }
}
