// SPDX-License-Identifier: MIT
//
// `headerctl top`: what the daemon does at present. Counters are read twice, and the differences are shown by the second, the busiest
// first.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderModel
internal import HeaderTrace

func runTop(_ context: Context) throws -> Int32 {
  let interval = context.invocation[Words.interval] ?? 1
  if context.invocation.has(Words.once), context.invocation.has(Words.rounds) {
    throw CommandError.usage("options \"--once\" and \"--count\" exclude each other")
  }
  let client = try context.connect(Interrupts(), needsReader: true)
  var rounds = context.invocation.has(Words.once) ? 1 : context.invocation[Words.rounds] ?? .max
  var screen = TopScreen(context.console)
  defer { screen.finish() }
  do {
    var before = try TopSample(client)
    while rounds > 0 {
      rounds -= 1
      try wait(client, interval)
      let now = try TopSample(client)
      let report = TopReport(from: before, to: now)
      before = now
      if context.isJSON {
        context.console.print(report.value.json)
      } else {
        screen.show(report.lines, redraws: context.draws && !context.invocation.has(Words.once))
      }
    }
  } catch {
    guard isInterruption(error) else { throw error }
  }
  return ExitStatus.done
}

/// Waits, and drops the messages that come meanwhile.
private func wait(_ client: Client, _ seconds: Double) throws(ClientError) {
  let end = steadySeconds() + seconds
  while case .message = try client.next(within: max(0, end - steadySeconds())) {}
}

/// The counters at a moment.
struct TopSample {
  let time: Double
  let stats: Value

  init(_ client: Client) throws(ClientError) {
    stats = try client.call("stats", ["include": ["headers", "subscribers"]])
    time = steadySeconds()
  }
}

/// What happened between two samples.
struct TopReport {
  let value: Value

  /// A subscriber whose oldest unread state has waited for longer is slow, in seconds.
  static let slow = 1.0

  init(from before: TopSample, to now: TopSample) {
    let seconds = max(now.time - before.time, 1e-3)
    func rate(_ field: String, _ new: Value?, _ old: Value?) -> Double {
      max(0, (new?[field]?.asNumber ?? 0) - (old?[field]?.asNumber ?? 0)) / seconds
    }
    let old = Dictionary(before.stats.list("headerRows").map { ($0.text("header"), $0) }, uniquingKeysWith: { $1 })
    let headers = now.stats.list("headerRows").map { row -> Value.Record in
      let previous = old[row.text("header")]
      var record: Value.Record = [
        "header": row["header"] ?? .null, "events": .number(rate("events", row, previous)),
        "states": .number(rate("states", row, previous)), "queue": row["queue"] ?? .null,
        "subscribers": row["subscribers"] ?? .null, "publishers": row["publishers"] ?? .null,
      ]
      record["shadow"] = row["shadow"]
      return record
    }
    let plugins = (now.stats["plugins"]?.fields ?? []).map { field -> Value.Record in
      let previous = before.stats["plugins"]?[field.name]
      return [
        "plugin": .text(field.name), "calls": .number(rate("calls", field.value, previous)),
        "cpu": .number(rate("time", field.value, previous)),
      ]
    }
    let subscribers = now.stats.list("subscribers").map { row -> Value.Record in
      var record = Value.Record(fields: row.fields)
      record["slow"] = .bool((row["age"]?.asNumber ?? 0) > Self.slow)
      return record
    }
    func sorted(_ rows: [Value.Record], by keys: String...) -> Value {
      func rank(_ row: Value.Record) -> [Double] { keys.map { row[$0]?.asNumber ?? 0 } }
      return .list(
        rows.enumerated().sorted { one, other in
          let (left, right) = (rank(one.element), rank(other.element))
          return left == right ? one.offset < other.offset : right.lexicographicallyPrecedes(left)
        }.map { .record($0.element) })
    }
    value = [
      "seconds": .number(seconds), "connections": now.stats["connections"] ?? .null,
      "memory": now.stats["memory"] ?? .null, "events": .number(rate("events", now.stats, before.stats)),
      "states": .number(rate("states", now.stats, before.stats)),
      "gaps": .number(rate("gaps", now.stats, before.stats)),
      "errors": .number(rate("errors", now.stats, before.stats)),
      "bytesSent": .number(rate("bytesSent", now.stats, before.stats)),
      "headers": sorted(headers, by: "events", "states"), "plugins": sorted(plugins, by: "cpu", "calls"),
      "subscribers": sorted(subscribers, by: "age", "queueBytes"),
    ]
  }

  /// The screen, line by line.
  var lines: [String] {
    func number(_ row: Value, _ field: String, decimals: Int = 0) -> String {
      row[field]?.asNumber.map { shown($0, decimals: decimals) } ?? "-"
    }
    let (headers, plugins) = (value.list("headers"), value.list("plugins"))
    let subscribers = value.list("subscribers")
    var lines = [
      "\(counted(headers.count, "header")), \(counted(Int(cut: value["connections"]?.asNumber ?? 0), "connection")): "
        + "\(number(value, "events")) events/s, \(number(value, "states")) states/s, "
        + "\(number(value, "gaps", decimals: 1)) gaps/s, \(number(value, "errors", decimals: 1)) errors/s, "
        + "\(bytes(value["bytesSent"]?.asNumber ?? 0))/s sent",
      "",
    ]
    func table(_ title: [String], _ rows: [[String]]) {
      if !rows.isEmpty { lines += aligned([title] + rows) + [""] }
    }
    table(
      ["HEADER", "EVENTS/S", "STATES/S", "QUEUE", "PUBLISHERS", "SUBSCRIBERS", "SHADOW DIFFERS"],
      headers.map { row in
        [row.text("header")]
          + ["events", "states", "queue", "publishers", "subscribers"].map { number(row, $0) }
          + [row["shadow"].map { "\(number($0, "differences")) of \(number($0, "events"))" } ?? ""]
      })
    table(
      ["PLUGIN", "CALLS/S", "CPU %"],
      plugins.map { row in
        [row.text("plugin"), number(row, "calls"), shown((row["cpu"]?.asNumber ?? 0) * 100)]
      })
    table(
      ["CONNECTION", "CLIENT", "USER", "HEADERS", "QUEUE", "AGE", ""],
      subscribers.map { row in
        [
          number(row, "connection"), row["client"]?.asText ?? "-", userName(row), number(row, "headers"),
          row["queueBytes"]?.asNumber.map(bytes) ?? "-",
          row["age"]?.asNumber.map { "\(shown($0, decimals: 3)) s" } ?? "-", row["slow"] == true ? "SLOW" : "",
        ]
      })
    lines.removeLast()
    return lines
  }
}

/// The screen of a terminal, redrawn from its upper left corner; elsewhere one report after the other.
struct TopScreen {
  private let console: Console
  private var hasDrawn = false

  init(_ console: Console) { self.console = console }

  mutating func show(_ lines: [String], redraws: Bool) {
    guard redraws else {
      if hasDrawn { console.print("") }
      hasDrawn = true
      for line in lines { console.print(line) }
      return
    }
    let size = console.size
    var text = hasDrawn ? "\u{1B}[H" : "\u{1B}[?25l\u{1B}[2J\u{1B}[H"
    hasDrawn = true
    for line in lines.prefix(max(1, size.rows - 2)) { text += line.prefix(size.columns) + "\u{1B}[K\n" }
    console.print(text + "\u{1B}[JCtrl-C ends", terminator: "")
    isDrawing = true
  }

  private var isDrawing = false

  mutating func finish() {
    if isDrawing { console.print("\u{1B}[?25h") }
    isDrawing = false
  }
}
