// SPDX-License-Identifier: MIT
//
// A service with all that the fuzzer sends messages to: headers with the shipped behaviors, subscriptions of both modes,
// clients in the chains, recordings; and beside it a header that nobody names but its publisher, whose subscriber must go on
// hearing what it would hear in silence.
//
//     clean lines ─┐                      each message spoiled inside its params alone: exactly one answer to its id
//     clean frames ┼─▶ f0 f1 f2 …
//     dirty ───────┘                      bytes flipped, cut, with sizes that lie: no answer is owed
//     publisher ─▶ control ─▶ subscriber  exactly the state that the law of its behavior gives

import Clocks
import DaemonTestKit
import Fanout
import FuzzTargets
import HeaderCore
import HeaderJournal
import HeaderModel
import HeaderService
import HeaderTestKit
import HeaderWire
import PluginHost
import ServiceTestKit

/// What went wrong.
struct FuzzFailure: Error, CustomStringConvertible {
  var description: String
}

/// A connection and what it is owed.
private final class FuzzClient {
  let id: ConnectionID
  let header: String
  let speaksFrames: Bool
  /// Requests without an answer, and what they were.
  var owed: [Int: [UInt8]] = [:]
  /// The daemon's questions.
  var asked: [String] = []

  init(_ id: ConnectionID, header: String, speaksFrames: Bool) {
    self.id = id
    self.header = header
    self.speaksFrames = speaksFrames
  }
}

/// One seed's world.
final class FuzzWorld {
  private static let headers: [[String]] = [
    ["ShyNavBar", "Keyframes"], ["FlexibleHeader"], ["FlexibleHeightBar"], ["StretchyHeader", "Scripted"],
    ["Painter"], ["Ticker"],
  ]
  private let daemon: TestDaemon
  private let registry: PluginRegistry
  private let kinds: [TestPlugins.Kind]
  private var random: SplitMix64
  private var clean: [FuzzClient] = []
  private let publisher: TestClient
  private let subscriber: TestClient
  private var controlHandle: [UInt8] = []
  private var controlSeq = 1
  private var controlTime = 1.0
  private var lastID = 0
  private var templates: [String: [Value]] = [:]
  /// Those of single events.
  private var events: [String: [Value]] = [:]
  private var handles: [String: Int] = [:]
  private(set) var count = 0
  /// Told of each message before it is sent: who dies of it can be found.
  var before: ((String) -> Void)?
  /// What came back, to see that the fuzzer does what it says.
  private(set) var results = 0
  private(set) var errors = 0
  private(set) var states = 0
  private(set) var questions = 0

  /// The same in words.
  var summary: String { "\(results) results, \(errors) errors, \(questions) questions, \(states) states and others" }

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    registry = PluginRegistry(folders: [TestFiles.build])
    for name in ["ShyNavBar", "FlexibleHeader", "FlexibleHeightBar", "StretchyHeader", "CollapsingHeader", "Keyframes"]
    {
      try registry.load(name)
    }
    daemon = TestDaemon { settings in
      settings.limits.subscriptions = 4
      settings.limits.traces = 2
      settings.limits.framesPerEvent = 3
      settings.limits.headers = 12
      settings.limits.batchEvents = 8
      settings.limits.resumeStates = 8
      settings.limits.lineBytes = 16_384
    }
    let registry = registry
    kinds =
      daemon.plugins.kinds.filter { $0.description.name != "ShyNavBar" }
      + [
        .init(description: Painter.description, make: Painter.init),
        .init(description: Shifter.description("Control"), make: Shifter.init),
      ]
      + registry.behaviorNames.compactMap { name in
        registry.behavior(named: name).map { description in
          TestPlugins.Kind(description: description) { name, described in
            (try? registry.makeDelegate(behavior: described.name, name: name))
              ?? ScrollDelegate(name: name, behavior: described)
          }
        }
      }
    daemon.plugins.kinds = kinds
    publisher = daemon.connect()
    subscriber = daemon.connect()
    // Handles that a message names by chance are not the control's.
    for _ in 0..<0x155 { publisher.send(TestDaemon.open("control", behavior: "Nothing")) }
    let opened = publisher.send(TestDaemon.open("control", behavior: "Control"))
    guard let handle = opened.results.first?.at("handle").number, handle > 300 else {
      throw FuzzFailure(description: "the control was not opened: \(opened)")
    }
    controlHandle = (0..<8).map { UInt8(truncatingIfNeeded: Int(handle) >> (8 * $0)) }
    subscriber.send(#"{"id":1,"method":"subscribe","params":{"headers":"control","mode":"every"}}"#)
    makeTemplates()
    for index in Self.headers.indices {
      clean += [connect(index, frames: false), connect(index, frames: true)]
    }
    for client in clean { setUp(client) }
  }

  private func makeTemplates() {
    for (index, behaviors) in Self.headers.enumerated() {
      let own = behaviors.flatMap { name in
        kinds.first { $0.description.name == name }.map { CommandTable.events(of: $0.description) } ?? []
      }
      func named(_ text: String) -> Value { tree(Self.renamed(text, "f\(index)")) }
      var all = CommandTable.params.map { named(#"{"method":"\#($0.0.rawValue)","params":\#($0.1)}"#) }
      let events = CommandTable.events.map { event -> Value in
        var fields = named(event.1).record
        fields.fields.insert(.init(name: "event", value: .text(event.0.rawValue)), at: 0)
        return .record(fields)
      }
      // As many as everything else together: behaviors hear them.
      for event in events + own + events { all.append(["method": "event", "params": event]) }
      all.append(["method": "event", "params": ["events": .list(Array(events.prefix(6)))]])
      templates["f\(index)"] = all
      self.events["f\(index)"] = all.filter { $0.at("method") == "event" && $0.at("params.events") == .null }
    }
  }

  private static func renamed(_ text: String, _ header: String) -> String {
    text.replacingOccurrences(#""main""#, #""\#(header)""#)
  }

  private func connect(_ index: Int, frames: Bool) -> FuzzClient {
    let client = FuzzClient(daemon.connect().id, header: "f\(index)", speaksFrames: frames)
    if frames { give(FrameBuilder.opening, to: client) }
    return client
  }

  /// Opens its header, subscribes, joins the chain, records.
  private func setUp(_ client: FuzzClient) {
    let behaviors = Self.headers[Int(client.header.dropFirst()) ?? 0]
    say("header.open", CommandTable.open(behaviors: behaviors), client)
    say("subscribe", #"{"headers":"main","mode":"every","include":["calls","routine"],"resumeFrom":{}}"#, client)
    if client.speaksFrames {
      say("subscribe", #"{"headers":"main","maxRate":1000}"#, client)
      say("delegate.add", #"{"header":"main","client":"observe","name":"eye"}"#, client)
    } else {
      if ["f0", "f2"].contains(client.header) {
        let guarding = #""client":"intercept","name":"guard","deadline":0.05,"events":["willEndDragging","willScroll"]"#
        say("delegate.add", #"{"header":"main",\#(guarding)}"#, client)
      }
      say("trace.start", #"{"header":"main"}"#, client)
    }
  }

  private func say(_ method: String, _ params: String, _ client: FuzzClient) {
    lastID += 1
    let message = Self.renamed(#"{"id":\#(lastID),"method":"\#(method)","params":\#(params)}"#, client.header)
    send(message, lastID, client)
  }

  // MARK: - Sending

  private func give(_ bytes: [UInt8], to client: FuzzClient) {
    daemon.service.received(unsafe bytes.span.bytes, from: client.id, at: daemon.clock)
  }

  /// A JSON message, as a line or in a frame.
  private func send(_ text: String, _ id: Int?, _ client: FuzzClient) {
    if let id { client.owed[id] = Array(text.utf8) }
    give(client.speaksFrames ? FrameBuilder.frame(1) { $0.text(text) } : Array((text + "\n").utf8), to: client)
  }

  /// The next message, and what comes of it.
  func step() throws(FuzzFailure) {
    count += 1
    let place = random.below(clean.count)
    if daemon.output.pipe(clean[place].id).isClosed { try renew(place) }
    let client = clean[place]
    if let asked = clean.first(where: { !$0.asked.isEmpty && !daemon.output.pipe($0.id).isClosed }), random.oneIn(2) {
      answer(asked)
    } else {
      switch random.below(12) {
      case 0: dirty(client)
      case 1...4 where client.speaksFrames: frame(client)
      default: message(client)
      }
    }
    for client in clean { try look(at: client) }
    if count % 16 == 0 { try check() }
    if count % 64 == 0 { daemon.pass(0.06) }
    if count % 128 == 0 { try settle() }
  }

  private func renew(_ place: Int) throws(FuzzFailure) {
    daemon.service.disconnected(clean[place].id)
    clean[place] = connect(Int(clean[place].header.dropFirst()) ?? 0, frames: clean[place].speaksFrames)
    setUp(clean[place])
  }

  // MARK: - Spoiling

  private func template(_ client: FuzzClient) -> Value { random.pick(templates[client.header] ?? [.null]) }

  /// A request whose params are spoiled in one to three leaves.
  private func message(_ client: FuzzClient) {
    var message = template(client).record
    let params = withCommonFields(message["params"] ?? [:], isEvent: message["method"] == "event", client)
    message["params"] = random.oneIn(40) ? random.pick(Wild.others) : spoiled(params)
    var id: Int?
    if !random.oneIn(5) {
      lastID += 1
      id = lastID
      message.fields.insert(.init(name: "id", value: .number(Double(lastID))), at: 0)
    }
    let text = written(.record(message))
    before?(text)
    send(text, id, client)
  }

  /// Events have a header, and of some connections a time.
  private func withCommonFields(_ params: Value, isEvent: Bool, _ client: FuzzClient) -> Value {
    guard isEvent else { return params }
    var fields = params.record
    fields["header"] = .text(client.header)
    if fields["events"] == nil, !client.speaksFrames { fields["time"] = .number(Double(count) / 100) }
    return .record(fields)
  }

  /// A mark that stands for a number's text until the line is written.
  private static let mark = "\u{1}"

  /// One in four is right as it is, so that there is a life to be hurt.
  private func spoiled(_ tree: Value) -> Value {
    var result = tree
    for _ in 0..<random.pick([0, 1, 1, 3]) {
      let numbers = result.numberLeaves
      let leaf = numbers.isEmpty || random.oneIn(6) ? random.below(result.leafCount) : random.pick(numbers)
      switch random.below(10) {
      case 0: result = result.removing(leaf: leaf)
      case 1: result = result.replacing(leaf: leaf, with: random.pick(Wild.others))
      case 2...4: result = result.replacing(leaf: leaf, with: .number(random.pick(Wild.numbers)))
      default: result = result.replacing(leaf: leaf, with: .text(Self.mark + random.pick(Wild.texts)))
      }
    }
    return result
  }

  private func written(_ value: Value) -> String {
    // The writer escapes the mark: the quotes around it and around the number's end go.
    FrameBuilder.line(value).unquoted(after: #""\u0001"#)
  }

  private func answer(_ client: FuzzClient) {
    let id = client.asked.removeFirst()
    let result = written(spoiled(tree(Self.renamed(random.pick(CommandTable.answers), client.header))))
    let wrong = ["d-9223372036854775808", "d99999999999999999999", "d-1", "d0", "d"]
    let text = #"{"id":"\#(random.oneIn(8) ? random.pick(wrong) : id)","result":\#(result)}"#
    before?(text)
    send(text, nil, client)
  }

  /// A frame of a kind of its own, with numbers planted behind its id: its size and its id stay.
  private func frame(_ client: FuzzClient) {
    lastID += 1
    var bytes = ownFrame(client, lastID)
    let end = bytes.count
    for _ in 0..<random.pick([0, 1, 1, 3]) where end > 16 {
      // Anywhere, or where an event's time and numbers lie.
      let isNumber = bytes[4] <= 3 && !random.oneIn(4)
      let place = isNumber ? 40 + 8 * random.below(9) : 16 + 4 * random.below((end - 16) / 4 + 1)
      let width = isNumber ? 8 : random.pick([1, 2, 4, 8])
      guard place + width <= end else { continue }
      let number: UInt64 =
        switch random.below(4) {
        case 0: UInt64(bitPattern: random.pick([0, 1, -1, .min, .max, 255, 256, 1 << 16, 1 << 31, 1 << 32, 1 << 53]))
        case 1: random.pick(Wild.infinite).bitPattern
        case 2: random.next()
        default: random.pick(Wild.numbers).bitPattern
        }
      for index in 0..<width { bytes[place + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index)) }
    }
    guard !names(control: bytes) else { return }
    before?("frame \(bytes)")
    client.owed[lastID] = bytes
    give(bytes, to: client)
  }

  private func ownFrame(_ client: FuzzClient, _ id: Int) -> [UInt8] {
    let handle = handles[client.header] ?? 0
    let isEvent = !random.oneIn(5)
    guard isEvent else {
      switch 4 + random.below(6) {
      case 4:
        return FrameBuilder.frame(4) {
          $0.u64(id)
          $0.u32(1)
          $0.u32(0)
          $0.text("fuzz")
        }
      case 5: return FrameBuilder.frame(5) { $0.u64(id) }
      case 6:
        let behaviors = Self.headers[Int(client.header.dropFirst()) ?? 0]
        let open = spoiled(tree(Self.renamed(CommandTable.open(behaviors: behaviors), client.header)))
        return FrameBuilder.request(6, id, written(open))
      case 7:
        return FrameBuilder.request(7, id, written(spoiled(["headers": .text(client.header), "maxRate": 3])))
      case let kind:
        return FrameBuilder.frame(kind) {
          $0.u64(id)
          $0.u64(kind == 8 ? 1 : handle)
        }
      }
    }
    let events = events[client.header] ?? []
    let records = (0...random.below(3)).compactMap { _ in
      FrameBuilder.record(of: withCommonFields(random.pick(events).at("params"), isEvent: true, client).withoutHeader)
    }
    return FrameBuilder.frame(records.count == 1 ? 2 : 3) { builder in
      builder.u64(id)
      builder.u64(random.oneIn(4) ? 0 : handle)
      builder.u32(records.count)
      builder.u32(0)
      for record in records { builder.bytes += record }
    }
  }

  /// Bytes that need not be a message at all, on a connection of their own.
  private func dirty(_ like: FuzzClient) {
    let connection = FuzzClient(daemon.connect().id, header: like.header, speaksFrames: like.speaksFrames)
    var bytes: [UInt8] = []
    for _ in 0...random.below(3) {
      lastID += 1
      var message = template(like).record
      message.fields.insert(.init(name: "id", value: .number(Double(lastID))), at: 0)
      if !like.speaksFrames {
        bytes += Array((written(.record(message)) + "\n").utf8)
      } else if random.oneIn(3) {
        bytes += FrameBuilder.json(.record(message))
      } else {
        bytes += ownFrame(like, lastID)
      }
    }
    for _ in 0...random.below(4) where !bytes.isEmpty {
      let place = random.below(bytes.count)
      switch random.below(5) {
      case 0: bytes[place] ^= 1 << UInt8(random.below(8))
      case 1: bytes[place] = UInt8(random.below(256))
      case 2: bytes.remove(at: place)
      case 3: bytes.insert(UInt8(random.below(256)), at: place)
      default: bytes.removeLast(random.below(bytes.count / 2 + 1))
      }
    }
    let opening: [UInt8] = like.speaksFrames ? FrameBuilder.opening : []
    guard !names(control: bytes) else { return }
    before?("dirty \(bytes)")
    give(opening + bytes, to: connection)
    if random.oneIn(2), !daemon.output.pipe(connection.id).isClosed { daemon.service.endOfInput(connection.id) }
    daemon.service.disconnected(connection.id)
    daemon.output.pipes[connection.id] = nil
  }

  /// Whether bytes have the control's handle somewhere.
  private func names(control bytes: [UInt8]) -> Bool {
    guard bytes.count >= 8 else { return false }
    return (0...bytes.count - 8).contains { place in
      bytes[place] == controlHandle[0] && bytes[place..<place + 8].elementsEqual(controlHandle)
    }
  }

  // MARK: - Looking

  private func look(at client: FuzzClient) throws(FuzzFailure) {
    let pipe = daemon.output.pipe(client.id)
    guard !pipe.taken.isEmpty else { return }
    let bytes = pipe.taken
    pipe.taken = []
    if client.speaksFrames { try look(frames: bytes, client) } else { try look(lines: bytes, client) }
  }

  private func look(lines bytes: [UInt8], _ client: FuzzClient) throws(FuzzFailure) {
    guard bytes.last == 10 else { throw FuzzFailure(description: "a line without its end") }
    for line in bytes.split(separator: 10) { try look(message: Array(line), client) }
  }

  private func look(frames all: [UInt8], _ client: FuzzClient) throws(FuzzFailure) {
    var bytes = all[...]
    if bytes.starts(with: FrameBuilder.opening) { bytes = bytes.dropFirst(4) }
    while !bytes.isEmpty {
      var head = FrameBytes(Array(bytes.prefix(32)))
      guard bytes.count >= 8 else { throw FuzzFailure(description: "a frame's head is cut") }
      let (size, kind) = (head.u32(), head.u16())
      guard size >= 8, size <= bytes.count else { throw FuzzFailure(description: "a frame of \(size) bytes is cut") }
      let frame = Array(bytes.prefix(size))
      bytes = bytes.dropFirst(size)
      switch kind {
      case 0x01: try look(message: Array(frame[8...]), client)
      case 0x82, 0x84...0x88:
        results += 1
        if kind == 0x86 { handles[client.header] = FrameBytes(frame, at: 24).number }
        try paid(FrameBytes(frame, at: 8).number, client)
      case 0x90:
        errors += 1
        if frame[20] == 0 { try paid(FrameBytes(frame, at: 8).number, client) }
      case 0x92: states += 1
      default: break
      }
    }
  }

  private static let head = Array(#"{"jsonrpc":"2.0","id":"#.utf8)

  private func look(message: [UInt8], _ client: FuzzClient) throws(FuzzFailure) {
    if random.oneIn(16) { try requireJSON(message) }
    guard message.starts(with: Self.head) else {
      states += 1
      return
    }
    let rest = message[Self.head.count...]
    if rest.first == UInt8(ascii: "\"") {
      questions += 1
      let id = rest.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
      client.asked.append(String(decoding: id, as: UTF8.self))
      return
    }
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    let tail = rest.dropFirst(digits.count)
    if tail.starts(with: #","error""#.utf8) { errors += 1 } else { results += 1 }
    let opened = Array(#","result":{"header":"\#(client.header)","handle":"#.utf8)
    if tail.starts(with: opened) {
      let handle = tail.dropFirst(opened.count).prefix { (0x30...0x39).contains($0) }
      handles[client.header] = Int(String(decoding: handle, as: UTF8.self))
    }
    guard let id = Int(String(decoding: digits, as: UTF8.self)) else {
      throw FuzzFailure(
        description: "an answer to nobody: \(String(decoding: message.prefix(400), as: UTF8.self))")
    }
    try paid(id, client)
  }

  private func paid(_ id: Int, _ client: FuzzClient) throws(FuzzFailure) {
    guard client.owed.removeValue(forKey: id) != nil else {
      throw FuzzFailure(description: "an answer to \(id), which nobody waits for")
    }
  }

  private func requireJSON(_ message: [UInt8]) throws(FuzzFailure) {
    do {
      _ = try unsafe message.withUnsafeBytes { try unsafe JSONReader.document($0) }
    } catch {
      throw FuzzFailure(description: "no JSON (\(error)): \(String(decoding: message, as: UTF8.self))")
    }
  }

  /// The control's subscriber hears what it would hear in silence.
  private func check() throws(FuzzFailure) {
    controlTime += 1
    controlSeq += 1
    let y = controlSeq % 2 == 0 ? 10.0 : 30
    let refused = publisher.send(TestDaemon.scroll("control", controlTime, y))
    guard refused.isEmpty else { throw FuzzFailure(description: "the control's publisher was told \(refused)") }
    let told = subscriber.received().states
    guard let state = told.last, told.count == 1, state.at("seq") == .number(Double(controlSeq)),
      state.at("time") == .number(controlTime), state.at("drawers.0.frame.y") == .number(20 - y)
    else { throw FuzzFailure(description: "the control's subscriber was told \(told.map(FuzzWorld.text))") }
  }

  private static func text(_ value: Value) -> String { FrameBuilder.line(value) }

  /// Everybody who is owed an answer gets it once the deadlines have passed; then things are as in the beginning.
  func settle() throws(FuzzFailure) {
    for _ in 0..<4 where clean.contains(where: { !$0.owed.isEmpty }) {
      daemon.pass(0.2)
      for client in clean { try look(at: client) }
    }
    daemon.plugins.kinds = kinds
    for (place, client) in clean.enumerated() {
      if daemon.output.pipe(client.id).isClosed {
        try renew(place)
      } else if let (id, message) = client.owed.first {
        let text = client.speaksFrames ? "\(message)" : String(decoding: message, as: UTF8.self)
        throw FuzzFailure(description: "request \(id) has no answer: \(text)")
      }
    }
    closeOthers()
    // Some come anew, and what they had goes; who stays has its header.
    try renew(random.below(clean.count))
    for client in clean {
      say("header.open", CommandTable.open(behaviors: Self.headers[Int(client.header.dropFirst()) ?? 0]), client)
    }
    // A header of which nothing is left, or whose time has leaped to its end, begins anew.
    let worn = clean[random.below(clean.count)]
    let open = CommandTable.open(behaviors: Self.headers[Int(worn.header.dropFirst()) ?? 0])
    say("header.open", open.replacingOccurrences(#""attach""#, #""replace""#), worn)
    for client in clean { try look(at: client) }
  }

  /// Closes headers that came of spoiled names.
  private func closeOthers() {
    let cleaner = daemon.connect()
    let known = ["control"] + Self.headers.indices.map { "f\($0)" }
    for header in cleaner.send(#"{"id":1,"method":"header.list"}"#).results[0].at("headers").list {
      let name = header.at("header")
      guard !known.contains(name.text) else { continue }
      cleaner.send(FrameBuilder.line(["id": 2, "method": "header.close", "params": ["header": name]]))
    }
    cleaner.hangUp()
    daemon.output.pipes[cleaner.id] = nil
  }
}

extension FrameBytes {
  /// The next eight bytes.
  fileprivate var number: Int {
    var copy = self
    return copy.u64()
  }
}

extension Value {
  fileprivate var withoutHeader: Value.Record {
    var fields = record
    fields["header"] = nil
    return fields
  }
}

extension String {
  fileprivate func replacingOccurrences(_ text: String, _ other: String) -> String {
    split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
  }

  /// Without the quotes around texts that begin with a mark, and without the mark.
  fileprivate func unquoted(after mark: String) -> String {
    var parts = split(separator: mark, omittingEmptySubsequences: false).map(String.init)
    for index in parts.indices.dropFirst() {
      guard let quote = parts[index].firstIndex(of: "\"") else { continue }
      parts[index].remove(at: quote)
    }
    return parts.joined()
  }
}
