// SPDX-License-Identifier: MIT
//
// The metrics' socket: what it says over HTTP, with one thread and with several, whatever is sent to it; and that the dashboard
// asks for nothing that is not there.

import DaemonTestKit
import Foundation
import Testing

@Suite struct MetricsTests {
  private let folder: TemporaryFolder
  private let daemon: RunningDaemon
  private var path: String { folder("metrics.sock") }

  init() throws {
    folder = try TemporaryFolder()
    let config = "[metrics]\npath = \"\(folder("metrics.sock"))\"\ngroups = [\"app.**\"]\n"
    daemon = try RunningDaemon(config: config, plugins: ["ShyNavBar"])
  }

  /// Sends bytes and reads until the daemon ends the connection.
  private func ask(_ request: String, at other: String? = nil) throws -> String {
    let client = try WireClient(other ?? path)
    try client.write(request)
    return try client.linesToTheEnd().joined(separator: "\n") + "\n"
  }

  /// The samples of an answer by name with labels.
  private func samples(_ answer: String) throws -> [String: Double] {
    let body = try #require(answer.components(separatedBy: "\r\n\r\n").last)
    #expect(body.hasSuffix("# EOF\n"))
    var samples: [String: Double] = [:]
    var types: Set<String> = []
    for line in body.split(separator: "\n") {
      if line.hasPrefix("# TYPE ") {
        let isNew = types.insert(String(line.split(separator: " ")[2])).inserted
        #expect(isNew, "\(line)")
      }
      guard !line.hasPrefix("#") else { continue }
      let cut = try #require(line.lastIndex(of: " "))
      let name = String(line[..<cut])
      let number = try #require(Double(line[line.index(after: cut)...]), "\(line)")
      #expect(samples.updateValue(number, forKey: name) == nil, "\(name) is there twice")
    }
    return samples
  }

  @Test func countsWhatHappens() throws {
    let client = try daemon.client()
    for name in ["app.main", "other"] {
      _ = try client.result(
        "header.open",
        #"{"header":"\#(name)","drawers":[{"name":"navBar","height":44}],"delegates":[{"behavior":"ShyNavBar"}],"#
          + #""scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000}}}}"#)
    }
    for step in 0..<200 {
      let time = 1 + Double(step) / 60
      _ = try client.result(
        "event", #"{"header":"app.main","event":"didScroll","time":\#(time),"offset":{"y":\#(step)}}"#)
    }
    let answer = try ask("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: application/openmetrics-text; version=1.0.0"))
    let samples = try samples(answer)
    #expect(samples["headerd_headers"] == 2 && samples["headerd_events_total"] == 200)
    #expect((samples["headerd_plugin_calls_total{plugin=\"ShyNavBar\"}"] ?? 0) >= 200)
    // The first event of a connection for a header is the measure of the others.
    #expect(samples["headerd_event_age_seconds_count{group=\"app.**\"}"] == 199)
    #expect(samples["headerd_event_age_seconds_bucket{group=\"app.**\",le=\"+Inf\"}"] == 199)
    #expect(samples["headerd_event_age_seconds_count{group=\"other\"}"] == 0)
    let timed = samples["headerd_plugin_call_seconds_count{plugin=\"ShyNavBar\"}"] ?? 0
    #expect(timed >= 3 && timed < 20)
    // Buckets only grow.
    let ages = ["0.001", "0.002", "0.004", "+Inf"].map {
      samples["headerd_event_age_seconds_bucket{group=\"app.**\",le=\"\($0)\"}"] ?? -1
    }
    #expect(ages == ages.sorted() && ages[0] >= 0)
    // No header has a series of its own.
    #expect(!answer.contains("app.main"))
  }

  @Test func aHeaderStaysInItsGroupWhenTheDaemonStartsAgain() throws {
    let folder = try TemporaryFolder()
    let socket = folder("headerd.sock")
    try RunningDaemon.providePlugins(["ShyNavBar"], in: folder)
    try folder.write(
      "[metrics]\npath = \"\(folder("metrics.sock"))\"\ngroups = [\"app.**\"]\n"
        + "[state]\ndirectory = \"\(folder("state"))\"\ndurability = \"acknowledged\"\n", to: "headerd.toml")
    func start() throws -> RunningDaemon {
      try RunningDaemon(
        in: folder, socket: socket, arguments: ["--config", folder("headerd.toml"), "--socket", socket])
    }
    let first = try start()
    _ = try first.client().result(
      "header.open",
      #"{"header":"other","drawers":[{"name":"navBar","height":44}],"delegates":[{"behavior":"ShyNavBar"}],"#
        + #""scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000}}}}"#)
    try first.kill()
    let second = try start()
    defer { withExtendedLifetime(second) {} }
    let client = try second.client()
    for step in 1...3 {
      _ = try client.result(
        "event", #"{"header":"other","event":"didScroll","time":\#(step),"offset":{"y":\#(step)}}"#)
    }
    let samples = try samples(try ask("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", at: folder("metrics.sock")))
    #expect(samples["headerd_event_age_seconds_count{group=\"app.**\"}"] == 0)
    #expect(samples["headerd_event_age_seconds_count{group=\"other\"}"] == 2)
  }

  @Test func theDashboardAsksForWhatIsThere() throws {
    let answer = try ask("GET / HTTP/1.0\n\n")
    let text = try String(contentsOfFile: "\(Toolchain.sources)/config/grafana.json", encoding: .utf8)
    let expression = try NSRegularExpression(pattern: "headerd_[a-z_]+")
    let names = Set(
      expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap {
        Range($0.range, in: text).map { String(text[$0]) }
      })
    #expect(names.count > 10)
    for name in names {
      let family = name.replacingOccurrences(of: "_(total|bucket)$", with: "", options: .regularExpression)
      #expect(answer.contains("# TYPE \(family) "), "\(name)")
    }
  }

  @Test func whatIsNoRequestIsRefused() throws {
    #expect(try ask("POST /metrics HTTP/1.1\r\n\r\n").hasPrefix("HTTP/1.1 405 "))
    #expect(try ask("GET /elsewhere HTTP/1.1\r\n\r\n").hasPrefix("HTTP/1.1 404 "))
    #expect(try ask("nonsense\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
    #expect(try ask(String(repeating: "x", count: 9_000)).hasPrefix("HTTP/1.1 431 "))
    let head = try ask("HEAD /metrics HTTP/1.1\r\n\r\n")
    #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.hasSuffix("\r\n\r\n"))
    let lost = try ask("HEAD /elsewhere HTTP/1.1\r\n\r\n")
    #expect(lost.hasPrefix("HTTP/1.1 404 ") && lost.hasSuffix("\r\n\r\n"))
    // One after the other, more than may be open at once.
    for _ in 0..<40 { #expect(try ask("GET /metrics HTTP/1.1\r\n\r\n").contains("# EOF")) }
  }

  @Test func thePortIsThisMachinesAlone() throws {
    let python = try #require(Toolchain.find("python3"))
    func run(_ program: String) throws -> String {
      let child = try ChildProcess(python, ["-c", program], environment: ["PATH": "/usr/bin:/bin"])
      #expect(try child.waitForExit() == 0)
      return child.output
    }
    let port = try run(
      "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1], end='')")
    let daemon = try RunningDaemon(config: "[metrics]\nport = \(port)\n", plugins: [], threads: 2)
    let answer = try run(
      "import urllib.request as r; print(r.urlopen('http://127.0.0.1:\(port)/metrics').read().decode(), end='')")
    #expect(answer.contains("headerd_connections 0\n") && answer.hasSuffix("# EOF\n"))
    let listening = try run("print(open('/proc/net/tcp').read())")
    let hexadecimal = String(try #require(Int(port)), radix: 16, uppercase: true)
    let padded = String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
    #expect(listening.contains("0100007F:\(padded) ") && !listening.contains("00000000:\(padded) 00000000"))
    _ = daemon
  }
}
