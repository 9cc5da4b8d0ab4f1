// SPDX-License-Identifier: MIT
//
// `headerctl status`, `users`, `ping` and `socket`: is there a daemon, what does it do, for whom, how fast does it answer, where
// is it.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderModel
internal import HeaderTrace
internal import Installation
internal import Posix

func runStatus(_ context: Context) throws -> Int32 {
  let client = try context.connect()
  let hello = try client.call("hello", ["protocol": 1, "client": .text("headerctl \(headerdVersion)")])
  let stats = try client.call("stats")
  if context.isJSON {
    context.console.print(Value.record(["hello": hello, "stats": stats]).json)
    return ExitStatus.done
  }
  context.console.print(table: statusRows(hello: hello, stats: stats, socket: context.socketPath))
  return ExitStatus.done
}

/// The table for people; unknown counters of a newer daemon are shown as they are.
func statusRows(hello: Value, stats: Value, socket: String) -> [[String]] {
  var rows = [
    ["server", hello.text("server")], ["socket", socket], ["protocol", hello.number("protocol")],
    ["capabilities", hello.texts("capabilities").joined(separator: ", ")],
    ["roles", hello.texts("roles").joined(separator: ", ")],
  ]
  for field in stats.fields {
    switch field.value {
    case .number(let number) where field.name == "memory": rows.append([field.name, bytes(number)])
    case .number(let number): rows.append([field.name, shown(number)])
    case .list(let users) where field.name == "users":
      rows.append([field.name, users.map(userName).joined(separator: ", ")])
    case .record(let record):
      for inner in record.fields {
        rows.append(["\(field.name).\(inner.name)", counters(inner.value)])
      }
    default: rows.append([field.name, field.value.asText ?? field.value.json])
    }
  }
  return rows
}

/// `headerctl users`: each user's use of the daemon, and the quotas.
func runUsers(_ context: Context) throws -> Int32 {
  let users = try context.ask(try context.connect(), "stats", [:]).list("users")
  return context.show(
    users, nothing: "nobody",
    ["USER", "CONNECTIONS", "HEADERS", "SUBSCRIPTIONS", "QUEUED", "MEMORY", "EVENTS", "EVENTS/S"]
  ) { user in
    func cell(_ quota: Quota, _ text: (Double) -> String) -> String {
      let used = text(user["used"]?[quota.rawValue]?.asNumber ?? 0)
      return user["allowed"]?[quota.rawValue]?.asNumber.map { "\(used) of \(text($0))" } ?? used
    }
    func count(_ number: Double) -> String { shown(number, decimals: 0) }
    return [
      userName(user), cell(.connections, count), cell(.headers, count), cell(.subscriptions, count),
      cell(.queueBytes, bytes), cell(.memoryBytes, bytes), count(user["used"]?["events"]?.asNumber ?? 0),
      user["allowed"]?[Quota.eventsPerSecond.rawValue]?.asNumber.map { "at most \(count($0))" } ?? "-",
    ]
  }
}

/// A user's name on this machine, or the number.
func userName(_ user: Value) -> String {
  guard let number = user["user"]?.asNumber, let known = UInt32(exactly: number) else { return "?" }
  return userName(of: known) ?? "\(known)"
}

/// A number, or `calls 12, time 0.001`.
private func counters(_ value: Value) -> String {
  if let number = value.asNumber { return shown(number, decimals: 6) }
  guard case .record(let record) = value else { return value.json }
  return record.fields.map { "\($0.name) \($0.value.asNumber.map { shown($0, decimals: 6) } ?? $0.value.json)" }
    .joined(separator: ", ")
}

func bytes(_ count: Double) -> String {
  count < 1_048_576 ? "\(shown(count / 1024, decimals: 1)) KiB" : "\(shown(count / 1_048_576, decimals: 1)) MiB"
}

/// `headerctl socket`: where the daemon would be looked for.
func runSocket(_ context: Context) -> Int32 {
  let socket = context.socket
  context.show(["socket": .text(socket.path), "origin": .text("\(socket.origin)")], socket.path)
  return ExitStatus.done
}

func runPing(_ context: Context) throws -> Int32 {
  let client = try context.connect(Interrupts())
  guard let count = context.invocation[Words.answers] else { preconditionFailure("--count has a default") }
  var times: [Double] = []
  do {
    // The first answer pays for the connection; it is not the one that people ask about.
    try client.call("ping")
    for number in 1...count {
      let start = steadySeconds()
      let answer = try client.call("ping")
      let micros = (steadySeconds() - start) * 1e6
      times.append(micros)
      guard context.isJSON || count <= 20 else { continue }
      context.show(
        ["ping": .integer(number), "microseconds": .number(micros), "time": answer["time"] ?? .null],
        "answer \(number): \(shown(micros, decimals: 1)) µs")
    }
  } catch {
    guard isInterruption(error) else { throw error }
  }
  times.sort()
  guard !context.isJSON, let least = times.first, let most = times.last else { return ExitStatus.done }
  let median = times[times.count / 2]
  context.console.print(
    "\(counted(times.count, "answer")): \(shown(least, decimals: 1)) µs at least, \(shown(median, decimals: 1)) µs in the middle, "
      + "\(shown(most, decimals: 1)) µs at most")
  return ExitStatus.done
}
