// SPDX-License-Identifier: MIT
//
// `header_host.log`: what a behavior says reaches the log with its plugin, behavior and header, at any time of its life, bounded and
// without effect on the header.

import HeaderCore
import HeaderModel
import HeaderTestKit
import PluginHost
import Testing

/// Keeps the lines.
private final class KeptLog: PluginLog {
  var lines: [PluginLogLine] = []
  var hidden: LogLevel?

  func isWritten(_ level: LogLevel) -> Bool { level != hidden }
  func write(_ line: PluginLogLine) { lines.append(line) }
}

@Suite struct LogTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  /// Runs a header with one faulty delegate from opening to its end.
  private func run(
    _ act: String, _ when: String, hiding: LogLevel? = nil, _ definitions: String..., keyboard: Double = 0,
    edge: Edge = .top
  ) throws -> [PluginLogLine] {
    let log = KeptLog()
    log.hidden = hiding
    try folder.compile("Faulty", definitions: definitions)
    let registry = PluginRegistry(folders: [folder.path], log: log)
    try registry.load("Faulty")
    var description = HeaderDescription.stage
    description.environment.keyboardHeight = keyboard
    for drawer in description.drawers.indices { description.drawers[drawer].edge = edge }
    let options: [Value.Record.Field] = [
      .init(name: "act", value: .text(act)), .init(name: "when", value: .text(when)),
      .init(name: "claims", value: .bool(act == "followTail")),
    ]
    description.delegates = [DelegateDescription(behavior: "Faulty", options: Value.Record(fields: options))]
    let plugins = registry.set(forThread: 0)
    // A trial and a replay take the registry itself, and say nothing.
    _ = try Header(description, epoch: 1, provider: registry)
    #expect(log.lines == [])
    let header = try Header(description, epoch: 1, provider: plugins)
    for y in [5.0, 10] {
      _ = try header.receive(ScrollEvent(.didScroll, offset: PartialPoint(y: y)), at: nil) { _ in }
    }
    _ = try header.receive(ScrollEvent(.advance(frameDuration: nil)), at: Instant(seconds: 1)) { _ in }
    #expect(!header.isBypassed(0))
    _ = try header.apply(.removeDelegate("faulty"), at: nil, provider: plugins) { _ in }
    return log.lines
  }

  private func line(_ level: LogLevel, _ message: String, header: String? = "main") -> PluginLogLine {
    PluginLogLine(level: level, plugin: "Faulty", behavior: "Faulty", header: header, message: message)
  }

  @Test(arguments: ["option", "attach", "didScroll", "layout", "timer", "frame", "completion", "afterEvent", "detach"])
  func `a line says whose it is`(_ when: String) throws {
    let lines = try run("log", when)
    #expect(Array(lines.prefix(2)) == [line(.info, "what it says"), line(.debug, "and more")])
  }

  @Test func `on its way out it may look at the header`() throws {
    let seen = try run("logSurroundings", "detach", keyboard: 300)
    #expect(seen == [line(.info, "2 drawers, a keyboard of 300 points")])
  }

  /// Its edge is the keyboard's upper one, and nothing covers that.
  @Test func `a behavior of another edge sees no keyboard`() throws {
    let seen = try run("logSurroundings", "attach", keyboard: 300, edge: .bottom)
    #expect(seen == [line(.info, "2 drawers, a keyboard of 0 points")])
  }

  @Test func `in create and destroy no header is known`() throws {
    #expect(try run("nothing", "never", "CREATE_LOGS").first == line(.info, "made", header: nil))
    #expect(try run("log", "destroy").first == line(.info, "what it says", header: nil))
  }

  @Test func `what is not written is not made`() throws {
    #expect(try run("log", "attach", hiding: .debug) == [line(.info, "what it says")])
  }

  /// A behavior that asks for its tail and has none has forgotten it: told once.
  @Test func `a missing tail is told`() throws {
    let lines = try run("followTail", "didScroll")
    #expect(lines.map(\.level) == [.warning] && lines[0].message.contains("the chain has no tail"), "\(lines)")
  }

  /// No more than 1,024 bytes, and no half character; an unknown level, what is no UTF-8 and what is nothing do no harm.
  @Test func `odd and long messages`() throws {
    #expect(try run("logLong", "attach") == [line(.error, String(repeating: "x", count: 1_022) + "…")])
    #expect(try run("logOdd", "attach") == [line(.warning, "\u{fffd}\n")])
  }
}
