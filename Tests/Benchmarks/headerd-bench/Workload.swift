// SPDX-License-Identifier: MIT
//
// What is measured: each workload is one part of an event's way, warm, with everything around it left out.

import Clocks
import CountedAllocations
import Fanout
import Gateway
import Glibc
import HeaderCore
import HeaderHost
import HeaderModel
import HeaderService
import HeaderWire
import PluginHost

/// A part of an event's way. `run` does it so many times.
struct Workload: Sendable {
  var name: String
  /// What one of its runs is, for the table.
  var meaning: String
  /// Of how many events allocations are counted: fewer where one takes long.
  var events = 10_000
  /// Sets it up; the result handles events `count` times.
  var make: @Sendable (PluginRegistry) throws(HeaderError) -> (_ count: Int) -> Void
}

extension Workload {
  static let all: [Workload] = [
    Workload(name: "engine", meaning: "didScroll, two drawers, no delegate") { plugins throws(HeaderError) in
      try scroll(delegates: "", plugins)
    },
    Workload(name: "plugin", meaning: "the same with ShyNavBar") { plugins throws(HeaderError) in
      try scroll(delegates: shyNavBar, plugins)
    },
    Workload(name: "laws", meaning: "the same with CollapsingHeader instead of ShyNavBar") {
      plugins throws(HeaderError) in
      try scroll(delegates: #"{"behavior":"CollapsingHeader"}"#, plugins)
    },
    Workload(name: "laws-2", meaning: "the same with slop and rest for each of the two drawers") {
      plugins throws(HeaderError) in
      try scroll(delegates: laws(2), plugins)
    },
    Workload(name: "laws-8", meaning: "the same with eight drawers and laws, of which an event moves one or two") {
      plugins throws(HeaderError) in
      try scroll(delegates: laws(8), drawers: 8, plugins)
    },
    Workload(name: "laws-32", meaning: "the same with 32 of them") { plugins throws(HeaderError) in
      try scroll(delegates: laws(32), drawers: 32, plugins)
    },
    Workload(name: "three", meaning: "the same with ShyNavBar and two delegates in C behind it") {
      plugins throws(HeaderError) in
      try scroll(delegates: "\(shyNavBar),\(listener("a")),\(listener("b"))", plugins)
    },
    Workload(name: "listeners-1", meaning: "the same with one delegate in C that does nothing") {
      plugins throws(HeaderError) in
      try scroll(delegates: listener("a"), plugins)
    },
    Workload(name: "listeners-3", meaning: "the same with three of them: the engine and its chain") {
      plugins throws(HeaderError) in
      try scroll(delegates: "abc".map { listener(String($0)) }.joined(separator: ","), plugins)
    },
    Workload(name: "listeners-9", meaning: "the same with nine of them") { plugins throws(HeaderError) in
      try scroll(delegates: "abcdefghi".map { listener(String($0)) }.joined(separator: ","), plugins)
    },
    Workload(name: "keyframes", meaning: "the same with ShyNavBar and two elements that follow it") {
      plugins throws(HeaderError) in
      try scroll(delegates: "\(shyNavBar),\(keyframes)", plugins)
    },
    Workload(name: "decode", meaning: "a JSON line of a didScroll without white space, to the event") {
      _ throws(HeaderError) in decodeScroll()
    },
    Workload(name: "decode-spaced", meaning: "the same with a space behind each colon and comma, as Python writes it") {
      _ throws(HeaderError) in decodeScroll(spaced)
    },
    Workload(name: "decode-other", meaning: "a JSON line of a willEndDragging that wants an answer, to the command") {
      _ throws(HeaderError) in decodeRequest()
    },
    Workload(name: "encode", meaning: "states of two drawers that move, to their JSON lines") {
      plugins throws(HeaderError) in
      try encode(plugins)
    },
    Workload(name: "decode-long", meaning: "decode, of an offset with 14 decimals") { _ throws(HeaderError) in
      decodeScroll(long)
    },
    Workload(name: "encode-long", meaning: "encode, of positions with 14 decimals and more") {
      plugins throws(HeaderError) in
      try encode(plugins, decimals: 1.0 / 3)
    },
    Workload(
      name: "encode-grid", meaning: "the same on a grid of 1/16, and a look whether the state before was the same"
    ) {
      plugins throws(HeaderError) in
      try encode(plugins, decimals: 1.0 / 3, grid: Grid(unit: 0.0625))
    },
    Workload(name: "decode-binary", meaning: "a frame of a didScroll, to the event") { _ throws(HeaderError) in
      decodeBinary()
    },
    Workload(name: "decode-batch", meaning: "one of 100 events of a frame, to the event") { _ throws(HeaderError) in
      decodeBatch()
    },
    Workload(name: "encode-fields", meaning: "encode, of one drawer and the values: what `fields` chose") {
      plugins throws(HeaderError) in
      try encode(plugins, fields: ["drawers.extension", "values"])
    },
    Workload(name: "encode-binary", meaning: "a state of two drawers, to its frame") { plugins throws(HeaderError) in
      try encodeBinary(plugins)
    },
    Workload(name: "service-binary", meaning: "a frame in, ShyNavBar, a frame out to one subscriber") {
      plugins throws(HeaderError) in
      try serviceBinary(plugins)
    },
    Workload(name: "service", meaning: "a JSON line in, ShyNavBar, a JSON line out to one subscriber") {
      plugins throws(HeaderError) in
      try service(plugins)
    },
    Workload(name: "service-predict", meaning: "the same from a connection that has `predict`, with its trials") {
      plugins throws(HeaderError) in
      try service(plugins, subscribers: 0, predicts: true)
    },
    opening("open", ""), opening("open-ShyNavBar", shyNavBar), opening("open-Keyframes", "\(shyNavBar),\(keyframes)"),
    opening("open-FlexibleHeader", #"{"behavior":"FlexibleHeader"}"#),
    opening("open-FlexibleHeightBar", #"{"behavior":"FlexibleHeightBar"}"#),
    opening("open-StretchyHeader", #"{"behavior":"StretchyHeader"}"#),
    opening("open-CollapsingHeader", #"{"behavior":"CollapsingHeader"}"#),
    Workload(name: "fanout-16", meaning: "the same to 16 subscribers, up to what a connection is handed") {
      plugins throws(HeaderError) in
      try service(plugins, subscribers: 16)
    },
    Workload(name: "worker", meaning: "a scroll to a worker's header with ShyNavBar and its state back, as bytes") {
      plugins throws(HeaderError) in
      try worker(plugins)
    },
  ]

  static let shyNavBar = #"{"behavior":"ShyNavBar","options":{"expansionResistance":0}}"#

  /// CollapsingHeader with a law for each drawer.
  private static func laws(_ drawers: Int) -> String {
    let laws = names(drawers).map { #"{"drawer":"\#($0)","shift":true,"slop":2,"rest":{"by":"direction"}}"# }
    return #"{"behavior":"CollapsingHeader","options":{"drawers":[\#(laws.joined(separator: ","))]}}"#
  }

  /// The drawers' names: two, or more that share the same height.
  private static func names(_ drawers: Int) -> [String] {
    drawers == 2 ? ["navBar", "extension"] : (0..<drawers).map { "drawer\($0)" }
  }

  /// One element by the drawer's place, one by another's place and by a value.
  private static let keyframes = #"""
    {"behavior":"Keyframes","options":{"tracks":[\#
    {"element":"title","drawer":"navBar","by":"contraction",\#
    "keys":[{"progress":0},{"progress":0.5,"alpha":0.25},{"progress":1,"alpha":0,"scale":{"x":0.5,"y":0.5}}]},\#
    {"element":"search","drawer":"extension","by":"top","from":64,"to":-20,\#
    "keys":[{"progress":0,"size":{"width":300,"height":40}},{"progress":1,"size":{"width":200,"height":30}}]},\#
    {"element":"search","value":"isContracting","keys":[{"progress":0,"zIndex":1},{"progress":1,"zIndex":2}]}]}}
    """#

  private static func listener(_ name: String) -> String {
    #"{"name":"\#(name)","behavior":"OriginalDelegate","options":{"methods":["didScroll"]}}"#
  }

  static func description(_ delegates: String, drawers count: Int = 2) throws(HeaderError) -> Value {
    let elements = delegates.contains("Keyframes")
    let more = names(count).map { #"{"name":"\#($0)","height":\#(84.0 / Double(count))}"# }.joined(separator: ",")
    func element(_ name: String) -> String { elements ? #","elements":[{"name":"\#(name)"}]"# : "" }
    let two = """
      {"name":"navBar","height":44\(element("title"))},{"name":"extension","height":40\(element("search"))}
      """
    let text = """
      {"header":"bench",\
      "scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},\
      "environment":{"statusBarHeight":20},"drawers":[\(count == 2 ? two : more)],\
      "delegates":[\(delegates)],"frames":"events"}
      """
    return try tree(of: text)
  }

  private static func tree(of text: String) throws(HeaderError) -> Value {
    let bytes = Array(text.utf8)
    do {
      return try unsafe bytes.withUnsafeBytes { (bytes) throws(JSONError) in try unsafe JSONReader.document(bytes) }
    } catch {
      preconditionFailure("the benchmark's own JSON is wrong: \(error)")
    }
  }

  /// Down and up by 1.25 points an event between offsets 100 and 150: with no resistance the bar moves in nearly all.
  static func offset(_ step: Int) -> Double {
    let place = step % 80
    return 100 + 1.25 * Double(place < 40 ? place : 80 - place)
  }

  static func header(
    _ delegates: String, drawers: Int = 2, _ plugins: PluginRegistry
  ) throws(HeaderError) -> Header {
    var unknown: [UnknownField] = []
    let description = try HeaderDescription(try description(delegates, drawers: drawers), unknown: &unknown)
    let header = try Header(description, epoch: 1, provider: plugins)
    _ = try header.apply(.event(ScrollEvent(.willAppear)), at: Instant(seconds: 0), provider: plugins)
    _ = try header.apply(.event(ScrollEvent(.willBeginDragging)), at: Instant(seconds: 0), provider: plugins)
    return header
  }

  private static func scroll(
    delegates: String, drawers: Int = 2, _ plugins: PluginRegistry
  ) throws(HeaderError) -> (_ count: Int) -> Void {
    let header = try header(delegates, drawers: drawers, plugins)
    var step = 0
    return { count in
      for _ in 0..<count {
        step += 1
        let time = Instant(nanoseconds: Int64(step) * 8_333_333)
        let input = HeaderInput.scroll(to: PartialPoint(y: offset(step)), correction: nil)
        _ = try? header.apply(input, at: time, provider: plugins)
        precondition(!header.hasFailure, "a delegate failed")
      }
    }
  }

  /// A didScroll's line. Numbers have at most four decimals, as a publisher's have.
  private static func line(_ step: Int) -> [UInt8] {
    let hundredths = Int((offset(step) * 100).rounded())
    let offset = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    var line = Array(
      #"{"method":"event","params":{"header":"bench","event":"didScroll","time":1000000.0000,"offset":{"y":\#(offset)}}}"#
        .utf8)
    setTime(step, in: &line)
    return line
  }

  /// Writes a step's time over the one in a line: 1000000 s and 8.3 ms a step.
  private static func setTime(_ step: Int, in line: inout [UInt8]) {
    var rest = 10_000_000_000 + step * 83
    for place in stride(from: timePlace + 11, through: timePlace, by: -1) where place != timePlace + 7 {
      line[place] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
  }

  private static let timePlace = #"{"method":"event","params":{"header":"bench","event":"didScroll","time":"#.utf8.count

  /// The line with more decimals.
  private static func long(_ line: [UInt8]) -> [UInt8] { line.dropLast(3) + "123456789012}}}".utf8 }

  /// The line as Python's json module writes it.
  private static func spaced(_ line: [UInt8]) -> [UInt8] {
    line.flatMap { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ",") ? [$0, UInt8(ascii: " ")] : [$0] }
  }

  /// As a connection reads its lines.
  private static func decodeScroll(_ written: ([UInt8]) -> [UInt8] = { $0 }) -> (_ count: Int) -> Void {
    let lines = (0..<640).map { written(line($0)) + [10] }
    let text = lines.flatMap(\.self)
    var decoder = CommandDecoder(limit: 262_144, encoding: .lines)
    return { count in
      unsafe text.withUnsafeBytes { text in
        var cursor = 0
        for _ in 0..<count {
          if cursor == text.count { cursor = 0 }
          unsafe takeScroll(in: text, from: &cursor, &decoder)
        }
      }
    }
  }

  /// Decodes one didScroll, as a connection does.
  @inline(__always)
  static func takeScroll(
    in text: UnsafeRawBufferPointer, from cursor: inout Int, _ decoder: inout CommandDecoder
  ) {
    do {
      guard case .scroll? = try unsafe decoder.next(in: text, from: &cursor) else {
        preconditionFailure("the benchmark's own message is no plain didScroll")
      }
      let scroll = decoder.scroll
      var timed = TimedEvent(
        ScrollEvent(.didScroll, offset: scroll.offset, correction: scroll.correction), time: scroll.time)
      take(&timed)
    } catch {
      preconditionFailure("the benchmark's own message is refused")
    }
  }

  /// Where a decoded event goes: somewhere that the compiler does not see.
  @inline(__always)
  static func take<Event>(_ event: inout Event) { unsafe withUnsafePointer(to: &event) { unsafe counted_take($0) } }

  /// The end of a drag, whose answer says where the content is to rest.
  private static func decodeRequest() -> (_ count: Int) -> Void {
    let lines = (0..<640).flatMap { step in
      let (y, target) = (offset(step), offset(step) + 210.5)
      return """
        {"id":\(step),"method":"event","params":{"header":"bench","event":"willEndDragging","time":1000000.\(1000 + step),\
        "offset":{"y":\(y)},"velocity":{"y":-0.75},"targetOffset":{"y":\(target)}}}\n
        """.utf8
    }
    var decoder = CommandDecoder(limit: 262_144, encoding: .lines)
    return { count in
      unsafe lines.withUnsafeBytes { lines in
        var cursor = 0
        for _ in 0..<count {
          if cursor == lines.count { cursor = 0 }
          guard case .command? = try? unsafe decoder.next(in: lines, from: &cursor),
            var command = decoder.takeCommand(), case .event = command.body
          else { preconditionFailure("the benchmark's own event is not plain") }
          take(&command)
        }
      }
    }
  }

  /// The states of a scroll down and up again, one after the other: their numbers change, as those that a daemon tells.
  private static func encode(
    _ plugins: PluginRegistry, decimals: Double = 0, fields: [String] = [], grid: Grid? = nil
  ) throws(HeaderError) -> (_ count: Int) -> Void {
    let header = try header(shyNavBar, plugins)
    var states = unsafe [Unmanaged<KeptState>]()
    for step in 0..<80 {
      let event = ScrollEvent(.didScroll, offset: PartialPoint(y: offset(step + 1) + decimals))
      _ = try header.apply(.event(event), at: Instant(nanoseconds: Int64(step + 1) * 8_300_000), provider: plugins)
      unsafe states.append(.passRetained(KeptState(header.state)))
    }
    var selection: StateSelection?
    if !fields.isEmpty {
      var chosen = StateSelection.nothing
      for field in fields { precondition(chosen.add(field), "the benchmark's own field is one") }
      selection = chosen
    }
    var writer = JSONWriter()
    let (template, sent) = (StateTemplate(selection, on: grid), SentPlaces())
    var step = 0
    return { count in
      for _ in 0..<count {
        writer.removeAll()
        unsafe states[step]._withUnsafeGuaranteedRef {
          $0.lend { state in
            let places = StateEncoder.notification(state, [], template, into: &writer)
            guard grid != nil else { return }
            let bytes = unsafe writer.withUnsafeBytes { unsafe UnsafeRawBufferPointer(rebasing: $0[places]) }
            let isRepeated = unsafe sent.replace(with: state, bytes)
            precondition(!isRepeated, "each state of the benchmark differs on its grid")
          }
        }
        step = step == 79 ? 0 : step + 1
      }
    }
  }

  /// What a header costs before its first event: opened by a line of JSON, answered, and closed.
  private static func opening(_ name: String, _ delegates: String) -> Workload {
    let meaning = delegates.isEmpty ? "a header of two drawers opened and closed" : "the same with this behavior"
    return Workload(name: name, meaning: meaning, events: 500) { plugins throws(HeaderError) in
      let surroundings = Surroundings(plugins)
      let service = Service(
        settings: ServiceSettings { 1_763_690_400_000_000 }, plugins: surroundings, output: surroundings,
        log: surroundings)
      let publisher = service.input(of: service.connected(Peer(name: "publisher"), at: 1))
      var open = JSONWriter()
      open.value(["id": 1, "method": "header.open", "params": try description(delegates)])
      let lines = open.copy() + [10] + Array(#"{"method":"header.close","params":{"header":"bench"}}"#.utf8) + [10]
      return { count in
        let before = surroundings.lines
        for _ in 0..<count { publisher?.received(unsafe lines.span.bytes, at: 3) }
        withExtendedLifetime(service) {}
        precondition(surroundings.lines - before >= count && surroundings.complaints == 0, "a header was not opened")
      }
    }
  }

  private static func service(
    _ plugins: PluginRegistry, subscribers count: Int = 1, predicts: Bool = false
  ) throws(HeaderError) -> (_ count: Int) -> Void {
    let surroundings = Surroundings(plugins)
    let service = Service(
      settings: ServiceSettings { 1_763_690_400_000_000 }, plugins: surroundings, output: surroundings,
      log: surroundings)
    let publisher = service.input(of: service.connected(Peer(name: "publisher"), at: 1))
    func send(_ bytes: [UInt8], _ input: (any ConnectionInput)?, _ time: MonotonicTime = 3) {
      input?.received(unsafe bytes.span.bytes, at: time)
    }
    var open = JSONWriter()
    open.value(["method": "header.open", "params": try description(shyNavBar)])
    send(open.copy() + [10], publisher)
    for _ in 0..<count {
      let subscriber = service.connected(Peer(name: "subscriber"), at: 1)
      send(
        Array(#"{"method":"subscribe","params":{"headers":["bench"],"mode":"every"}}"#.utf8) + [10],
        service.input(of: subscriber))
    }
    if predicts {
      send(Array(#"{"method":"subscribe","params":{"headers":["bench"],"predict":true}}"#.utf8) + [10], publisher)
    }
    send(
      Array(#"{"method":"event","params":{"header":"bench","event":"willBeginDragging","time":1000000}}"#.utf8) + [10],
      publisher)
    precondition(surroundings.bytes > 0 && surroundings.complaints == 0, "the benchmark's header is open")
    var step = 0
    var lines = (0..<640).map { line($0) + [10] }
    return { events in
      let before = surroundings.lines
      for _ in 0..<events {
        step += 1
        setTime(step, in: &lines[step % 640])
        let time: MonotonicTime = 4 + Int64(step) * 8_300_000
        send(lines[step % 640], publisher, time)
        if predicts, let wake = service.nextWake, wake <= time { service.tick(at: time) }
      }
      withExtendedLifetime(service) {}
      // An event at a turning point may leave the bar where it is.
      precondition(surroundings.lines - before >= events * count * 9 / 10, "events were not told")
      precondition(!predicts || surroundings.lines - before <= events / 10, "states were not foreseen")
    }
  }
}

/// A state, lent without a copy of what is in it.
private final class KeptState {
  private struct Record: ~Copyable { let state: HeaderState }
  private let record: Record

  init(_ state: HeaderState) { record = Record(state: state) }

  @inline(__always)
  func lend(to body: (borrowing HeaderState) -> Void) { body(record.state) }
}

/// What a service needs around it: plugins, an output that forgets, a log that counts.
final class Surroundings: PluginControl, ShardPlugins, ServiceOutput, ServiceLog {
  /// Where all connections' bytes go.
  private final class Output: Outbox {
    var bytes = 0
    var lines = 0

    func send(_ sent: RawSpan) {
      bytes += sent.byteCount
      lines += 1
    }
    var queuedBytes: Int { 0 }
  }

  private let registry: PluginRegistry
  private let output = Output()
  var bytes: Int { output.bytes }
  var lines: Int { output.lines }
  var complaints = 0

  init(_ registry: PluginRegistry) { self.registry = registry }

  func behavior(named name: String) -> BehaviorDescription? { registry.behavior(named: name) }
  var behaviorNames: [String] { registry.behaviorNames }
  func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
    try registry.makeDelegate(behavior: behavior, name: name)
  }
  var loadedPlugins: [PluginEntry] {
    [PluginEntry(plugin: "ShyNavBar", version: "", abi: "", path: "", behaviors: [])]
  }
  func plugins(forShard index: Int) -> any ShardPlugins { self }
  func usage(reset: Bool) -> [PluginUsageEntry] { [] }
  func isIsolated(_ behavior: String) -> Bool { false }
  func launch(_ plugins: [String]) throws(HeaderError) -> any WorkerLaunch { throw nothing }
  func loadPlugin(_ name: String) throws(HeaderError) -> PluginEntry { throw nothing }
  func unloadPlugin(_ name: String) throws(HeaderError) { throw nothing }
  func isUnchanged(_ plugin: String) -> Bool { false }
  /// The same code again; headers get new delegates all the same.
  func reloadPlugin(_ name: String) {}
  func restorePlugin(_ name: String) {}
  private var nothing: HeaderError { HeaderError(.unsupported, "a benchmark loads its plugins before it begins") }

  func output(of connection: ConnectionID) -> any Outbox { output }
  func close(_ connection: ConnectionID) { complaints += 1 }
  func log(_ level: LogLevel, _ what: String, _ facts: [(key: String, value: String)]) {
    complaints += level >= .warning ? 1 : 0
  }
}
