// SPDX-License-Identifier: MIT
//
// Whole conversations with a service that has the shipped behaviors: messages of the protocol's table with extremes planted,
// members missing and doubled, frames whose numbers are anything, questions answered, and time. What must hold: each request
// of a line is answered once, and all that is said can be read.
//
//     behaviors │ how they join │ step │ step │ …        a step: what kind of message, which one, what is planted where

internal import HeaderCore
internal import HeaderService
internal import HeaderTrace
internal import HeaderWire
package import PluginHost

package final class CommandsTarget: FuzzTarget {
  package static let name = "commands"
  private static let mostSteps = 64
  private let plugins: PluginRegistry
  private let templates: [Value]
  private let answers: [Value]
  private let ownEvents: [String: [Value]]

  package init(_ plugins: PluginRegistry) throws {
    self.plugins = plugins
    templates = try CommandTable.messages.map { try Value(json: Array($0.utf8)) }.filter { $0["method"] != nil }
    answers = try CommandTable.answers.map { try Value(json: Array($0.utf8)) }
    var events: [String: [Value]] = [:]
    for name in plugins.behaviorNames {
      events[name] = plugins.behavior(named: name).map { CommandTable.events(of: $0) } ?? []
    }
    ownEvents = events
  }

  static let arrangements = [
    ["ShyNavBar", "Keyframes"], ["FlexibleHeader"], ["FlexibleHeightBar"], ["StretchyHeader", "Keyframes"],
    ["ShyNavBar"], ["FlexibleHeightBar", "Keyframes"], [],
  ]

  package func run(_ input: [UInt8]) throws(FuzzFinding) -> Int {
    var bytes = FuzzBytes(input)
    let behaviors = bytes.pick(Self.arrangements)
    let talk = Conversation(plugins)
    talk.open(behaviors, bytes.byte())
    let own = behaviors.flatMap { ownEvents[$0] ?? [] }
    var steps = 0
    while !bytes.isEmpty, steps < Self.mostSteps {
      steps += 1
      switch bytes.below(10) {
      case 0: talk.pass(Double(bytes.below(65_536)) / 16_384)
      case 1, 2:
        talk.frame(FrameBytes.any(&bytes, handle: talk.handle, params: bytes.pick(templates).paramsText(&bytes)))
      case 3: talk.dirty(bytes.some(48))
      case 4: talk.answer(bytes.pick(answers).spoiledText(&bytes))
      case 5 where !own.isEmpty: talk.event(bytes.pick(own).spoiledText(&bytes), wantsAnswer: bytes.flag())
      case 6: talk.scroll(bytes.number())
      default: talk.request(bytes.pick(templates), &bytes)
      }
      try talk.look()
    }
    try talk.end()
    return talk.sent
  }

  package func seeds() throws -> [[UInt8]] { choices(256) }

  package let words: [String] = []
}

extension Value {
  fileprivate func paramsText(_ bytes: inout FuzzBytes) -> String { (self["params"] ?? [:]).spoiledText(&bytes) }
}

/// A service with one header, a connection of lines and one of frames.
private final class Conversation {
  private let output = KeptOutput()
  private let service: Service
  private var clock: Int64 = 1_000_000_000
  private var lines = ConnectionID(number: 0)
  private var frames = ConnectionID(number: 0)
  private var lastID = 0
  /// Requests of the lines' connection that have no answer, and what they were.
  private var owed: [Int: String] = [:]
  /// Those that may be answered with `"id":null` as well: no JSON, too deep, or with a number beyond all doubles.
  private var doubtful: Set<Int> = []
  private var asked: [String] = []
  private(set) var sent = 0
  private(set) var handle: UInt64 = 0

  init(_ plugins: PluginRegistry) {
    var settings = ServiceSettings { 1_763_690_400_000_000 }
    settings.limits.subscriptions = 4
    settings.limits.traces = 2
    settings.limits.framesPerEvent = 3
    settings.limits.headers = 6
    settings.limits.batchEvents = 8
    settings.limits.resumeStates = 8
    settings.limits.lineBytes = 16_384
    service = Service(settings: settings, plugins: FuzzPlugins(plugins), output: output, log: output)
    lines = service.connected(Peer(name: "fuzz"), at: clock)
    frames = service.connected(Peer(name: "fuzz"), at: clock)
    give([0x89, 0x48, 0x44, 1], to: frames)
  }

  private func give(_ bytes: [UInt8], to connection: ConnectionID) {
    guard !output.pipe(connection).isClosed else { return }
    service.received(unsafe bytes.span.bytes, from: connection, at: clock)
  }

  private func say(_ line: String, to connection: ConnectionID) { give(Array(line.utf8) + [10], to: connection) }

  /// Opens the header and lets everybody join who does in life; which of them, bits say.
  func open(_ behaviors: [String], _ bits: Int) {
    request("header.open", CommandTable.open(behaviors: behaviors))
    request("subscribe", #"{"headers":"*","mode":"every","include":["calls","routine"]}"#)
    if bits & 1 == 1 {
      request("delegate.add", #"{"header":"main","client":"intercept","name":"guard","deadline":0.05}"#)
    }
    if bits & 2 == 2 { request("trace.start", #"{"header":"main"}"#) }
    if bits & 4 == 4 {
      give(FrameBytes.json(#"{"id":1,"method":"subscribe","params":{"headers":"**","maxRate":30}}"#), to: frames)
    }
    if bits & 8 == 8 {
      let add = #"{"id":2,"method":"delegate.add","params":{"header":"main","client":"observe","name":"eye"}}"#
      give(FrameBytes.json(add), to: frames)
    }
    handle = 1
  }

  // MARK: - Saying

  private func request(_ method: String, _ params: String) {
    lastID += 1
    let line = #"{"id":\#(lastID),"method":"\#(method)","params":\#(params)}"#
    if isMessage(line) { owed[lastID] = line } else { doubtful.insert(lastID) }
    sent += 1
    say(line, to: lines)
  }

  /// Whether the daemon reads a line at all.
  private func isMessage(_ line: String) -> Bool {
    unsafe (try? Array(line.utf8).span.bytes.withUnsafeBytes { try unsafe JSONReader.document($0) }) != nil
  }

  func request(_ template: Value, _ bytes: inout FuzzBytes) {
    let params = (template["params"] ?? [:]).spoiledText(&bytes)
    guard let method = template["method"]?.asText else { return }
    if bytes.below(4) == 0 {
      sent += 1
      give(FrameBytes.json(#"{"id":7,"method":"\#(method)","params":\#(params)}"#), to: frames)
    } else {
      request(method, params)
    }
  }

  func event(_ fields: String, wantsAnswer: Bool) {
    guard fields.hasPrefix("{") else { return dirty(Array(fields.utf8)) }
    let params = #"{"header":"main","# + fields.dropFirst()
    if wantsAnswer { return request("event", params) }
    sent += 1
    say(#"{"method":"event","params":\#(params)}"#, to: lines)
  }

  /// A plain didScroll, of a number as its bits are.
  func scroll(_ y: Double) {
    sent += 1
    let bits = FrameBytes.integer(y.bitPattern, 8)
    let record = FrameBytes.integer(32, 4) + [4, 0, 0, 0] + FrameBytes.integer(0, 16) + bits
    give(
      FrameBytes.frame(
        2, FrameBytes.integer(0, 8) + FrameBytes.integer(handle, 8) + [1, 0, 0, 0, 0, 0, 0, 0] + record), to: frames)
  }

  func frame(_ frame: [UInt8]) {
    sent += 1
    give(frame, to: frames)
  }

  /// Bytes that need be nothing, on a connection of their own.
  func dirty(_ bytes: [UInt8]) {
    sent += 1
    let connection = service.connected(Peer(name: "dirty"), at: clock)
    give(bytes + [10], to: connection)
    if !output.pipe(connection).isClosed { service.endOfInput(connection) }
    service.disconnected(connection)
    output.pipes[connection] = nil
  }

  func answer(_ result: String) {
    guard let id = asked.popLast() else { return }
    sent += 1
    say(#"{"id":"\#(id)","result":\#(result)}"#, to: lines)
  }

  func pass(_ seconds: Double) {
    let end = clock + Int64(seconds * 1e9)
    while let wake = service.nextWake, wake <= end {
      clock = max(clock, wake)
      service.tick(at: clock)
    }
    clock = end
  }

  // MARK: - Looking

  func look() throws(FuzzFinding) {
    try look(atFrames: output.pipe(frames).take())
    for line in output.pipe(lines).take().split(separator: 10) {
      guard let message = try? Value(json: Array(line)) else {
        throw FuzzFinding("no JSON: \(String(decoding: line, as: UTF8.self))")
      }
      if message["method"] == .text("delegate.ask") {
        if let id = message["id"]?.asText { asked.append(id) }
      } else if let id = message["id"]?.asNumber {
        guard owed.removeValue(forKey: Int(id)) != nil || doubtful.remove(Int(id)) != nil else {
          throw FuzzFinding("an answer to \(id), which nobody waits for")
        }
        if let handle = message["result"]?["handle"]?.asNumber { self.handle = UInt64(handle) }
      }
    }
  }

  private func look(atFrames bytes: [UInt8]) throws(FuzzFinding) {
    var rest = bytes[...]
    if rest.starts(with: [0x89, 0x48, 0x44, 1]) { rest = rest.dropFirst(4) }
    while !rest.isEmpty {
      let size = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      guard rest.count >= 8, size >= 8, size <= rest.count else { throw FuzzFinding("a frame of \(size) bytes is cut") }
      rest = rest.dropFirst(size)
    }
  }

  /// Everybody who is owed an answer gets it, once the questions are answered.
  func end() throws(FuzzFinding) {
    for _ in 0..<100 where !owed.isEmpty {
      if asked.isEmpty { pass(0.2) } else { answer(#"{"verdict":"pass"}"#) }
      try look()
    }
    if let first = owed.min(by: { $0.key < $1.key }), !output.pipe(lines).isClosed {
      throw FuzzFinding("it has no answer: \(first.value)")
    }
    for connection in [lines, frames] { service.disconnected(connection) }
  }
}

/// Keeps what is sent.
private final class KeptOutput: ServiceOutput, ServiceLog {
  final class Pipe: Outbox {
    private var bytes: [UInt8] = []
    var isClosed = false
    var queuedBytes: Int { 0 }

    func send(_ sent: RawSpan) { unsafe sent.withUnsafeBytes { unsafe bytes += $0 } }

    func take() -> [UInt8] {
      defer { bytes = [] }
      return bytes
    }
  }

  var pipes: [ConnectionID: Pipe] = [:]

  func pipe(_ id: ConnectionID) -> Pipe {
    if let pipe = pipes[id] { return pipe }
    let pipe = Pipe()
    pipes[id] = pipe
    return pipe
  }

  func output(of connection: ConnectionID) -> any Outbox { pipe(connection) }
  func close(_ connection: ConnectionID) { pipe(connection).isClosed = true }
  func log(_ level: LogLevel, _ what: String, _ facts: [(key: String, value: String)]) {}
}

/// The loaded plugins, which nobody changes: unloading is refused, and a reload finds the same file.
private final class FuzzPlugins: PluginControl, ShardPlugins {
  private let registry: PluginRegistry

  init(_ registry: PluginRegistry) { self.registry = registry }

  func behavior(named name: String) -> BehaviorDescription? { registry.behavior(named: name) }
  var behaviorNames: [String] { registry.behaviorNames }
  func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
    try registry.makeDelegate(behavior: behavior, name: name)
  }

  var loadedPlugins: [PluginEntry] { registry.plugins.map(entry) }
  func loadPlugin(_ name: String) throws(HeaderError) -> PluginEntry {
    guard let plugin = registry.plugin(named: name) else {
      throw HeaderError(.pluginNotFound, "there is no plugin \"\(name)\"", got: .text(name))
    }
    return entry(plugin)
  }
  func unloadPlugin(_ name: String) throws(HeaderError) {
    throw HeaderError(.pluginNotFound, "plugin \"\(name)\" stays", got: .text(name))
  }
  func isUnchanged(_ plugin: String) -> Bool { false }
  func reloadPlugin(_ name: String) throws(HeaderError) { _ = try loadPlugin(name) }
  func restorePlugin(_ name: String) {}

  private func entry(_ plugin: Plugin) -> PluginEntry {
    PluginEntry(
      plugin: plugin.name, version: plugin.version, abi: plugin.abi, path: "", behaviors: plugin.behaviors)
  }
}
