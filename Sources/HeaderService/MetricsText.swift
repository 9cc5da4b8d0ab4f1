// SPDX-License-Identifier: MIT
//
// The counters as OpenMetrics text (version 1.0.0), for Prometheus and its like. The number of series is bounded by the plugins and
// by the groups of headers that the config names: no header, user or connection has one of its own.

internal import Fanout
internal import HeaderHost
internal import HeaderModel
internal import Shards

/// All counters as OpenMetrics text.
struct MetricsText {
  private(set) var text = ""

  init(_ parts: [ShardReply]) {
    let sum = ShardStatistics(summing: parts)
    gauges(sum)
    counters(sum)
    if let ages = sum.eventAges { histograms(of: ages) }
    plugins(sum.plugins)
    text += "# EOF\n"
  }

  // MARK: - Gauges

  private mutating func gauges(_ sum: ShardStatistics) {
    gauge("headerd_connections", "Connections that are open.", sum.connections)
    gauge("headerd_headers", "Headers that are open.", sum.headers)
    gauge("headerd_subscriptions", "Subscriptions that there are.", sum.subscriptions)
    gauge("headerd_resume_states", "States kept for those who come back.", sum.kept.states)
    gauge("headerd_resume_bytes", "Bytes of these states.", sum.kept.bytes)
    if case .number(let memory)? = sum.process["memory"] {
      gauge("headerd_memory_bytes", "Resident memory of the process.", Int(memory))
    }
    if let workers = sum.workers {
      gauge("headerd_workers", "Processes with isolated plugins.", workers.processes)
      counter("headerd_worker_deaths", "Such processes that have died.", [("", workers.deaths)])
    }
  }

  private mutating func counters(_ sum: ShardStatistics) {
    counter("headerd_events", "Events handed to headers.", [("", sum.counters.events)])
    counter("headerd_states", "States made.", [("", sum.counters.states)])
    counter("headerd_gaps", "Gaps sent to slow subscribers.", [("", sum.counters.gaps)])
    counter("headerd_errors", "Errors answered.", [("", sum.counters.errors)])
    counter("headerd_received_bytes", "Bytes read from connections.", [("", sum.counters.bytesReceived)])
    counter("headerd_sent_bytes", "Bytes handed to connections.", [("", sum.counters.bytesSent)])
  }

  private mutating func histograms(of ages: EventAges) {
    head(
      "headerd_event_age_seconds", "histogram", "How much later events came than the least late of their connection.")
    for (group, histogram) in ages.histograms.enumerated() {
      add(histogram, "headerd_event_age_seconds", "group=\"\(Self.escaped(ages.name(of: group)))\"")
    }
  }

  private mutating func plugins(_ plugins: [PluginUsageEntry]) {
    let label = { (usage: PluginUsageEntry) in "plugin=\"\(Self.escaped(usage.plugin))\"" }
    counter("headerd_plugin_calls", "Calls of plugins.", plugins.map { (label($0), $0.calls) })
    head("headerd_plugin_seconds", "counter", "Seconds in plugins, an estimate.")
    for usage in plugins { text += "headerd_plugin_seconds_total{\(label(usage))} \(usage.seconds)\n" }
    head("headerd_plugin_call_seconds", "histogram", "How long calls of plugins take; one in 64 is timed.")
    for usage in plugins { add(usage.samples, "headerd_plugin_call_seconds", label(usage)) }
  }

  // MARK: - Lines

  private mutating func head(_ name: String, _ type: String, _ help: String) {
    text += "# TYPE \(name) \(type)\n# HELP \(name) \(help)\n"
  }

  private mutating func gauge(_ name: String, _ help: String, _ value: Int) {
    head(name, "gauge", help)
    text += "\(name) \(value)\n"
  }

  private mutating func counter(_ name: String, _ help: String, _ values: [(labels: String, value: Int)]) {
    head(name, "counter", help)
    for (labels, value) in values {
      text += "\(name)_total\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n"
    }
  }

  private mutating func add(_ histogram: Histogram, _ name: String, _ labels: String) {
    var below = 0
    for (bucket, count) in histogram.counts.enumerated() {
      below += count
      let end = histogram.end(of: bucket).map { "\($0)" } ?? "+Inf"
      text += "\(name)_bucket{\(labels),le=\"\(end)\"} \(below)\n"
    }
    text += "\(name)_sum{\(labels)} \(Double(histogram.sum) / 1e9)\n\(name)_count{\(labels)} \(below)\n"
  }

  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "\n": "\\n"
      default: String(character)
      }
    }.joined()
  }
}
