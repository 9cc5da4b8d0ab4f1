// SPDX-License-Identifier: MIT
//
// A conversation with a service, of steps that bytes choose, and whether all that is said is right.

internal import Clocks
internal import Fanout
internal import HeaderHost
internal import HeaderJournal
internal import HeaderModel
internal import HeaderService
internal import HeaderTrace
internal import HeaderWire
internal import JournalTestKit
internal import PluginHost

/// What the steps of a conversation are made of.
struct ConversationScript {
  private static let maxSteps = 64
  private let templates: [Value]
  private let answers: [Value]
  private let ownEvents: [String: [Value]]

  init(_ plugins: PluginRegistry) throws {
    templates = try CommandTable.messages.map { try Value(json: Array($0.utf8)) }.filter { $0["method"] != nil }
    answers = try CommandTable.answers.map { try Value(json: Array($0.utf8)) }
    var events: [String: [Value]] = [:]
    for name in plugins.behaviorNames {
      events[name] = plugins.behavior(named: name).map { CommandTable.events(of: $0) } ?? []
    }
    ownEvents = events
  }

  /// Bytes by which a client in the chain of a header without behaviors answers: each answer as it is, to each event that is
  /// answered otherwise than others.
  func answeringSeeds() -> [[UInt8]] {
    let asked: [EventName] = [.willEndDragging, .willScroll, .willFling, .shouldScrollToTop, .willAppear]
    let questions = templates.indices.filter { index in
      asked.contains { templates[index]["params"]?["event"] == .text($0.rawValue) }
    }
    return answers.indices.map { answer -> [UInt8] in
      let steps = questions.flatMap { question -> [UInt8] in [9, UInt8(question), 0, 1, 4, UInt8(answer), 0] }
      return [UInt8(CommandsTarget.arrangements.count - 1), 15] + steps
    }
  }

  /// Opens a header, and says what bytes choose.
  func follow(_ bytes: inout FuzzBytes, in talk: Conversation) throws(FuzzFinding) {
    let behaviors = bytes.pick(CommandsTarget.arrangements)
    talk.open(behaviors, bytes.byte())
    let own = behaviors.flatMap { ownEvents[$0] ?? [] }
    var steps = 0
    while !bytes.isEmpty, steps < Self.maxSteps {
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
  }
}

extension Value {
  fileprivate func paramsText(_ bytes: inout FuzzBytes) -> String { (self["params"] ?? [:]).spoiledText(&bytes) }
}

/// A service with one header, a connection of lines and one of frames.
final class Conversation {
  private let output = KeptOutput()
  private let plugins: FuzzPlugins
  private var disk: SimulatedDisk?
  private let service: Service
  private var clock: MonotonicTime = 1_000_000_000
  private var lines = ConnectionID(number: 0)
  private var frames = ConnectionID(number: 0)
  private var lastID = 0
  /// Requests of the lines' connection that have no answer, and what they were.
  private var owed: [Int: String] = [:]
  /// Those that may be answered with `"id":null` as well: no JSON, too deep, or with a number beyond all doubles.
  private var doubtful: Set<Int> = []
  private var asked: [String] = []
  /// What keeps the service busy without an end.
  private var unrest: String?
  private(set) var sent = 0
  private(set) var handle: UInt64 = 0

  init(_ plugins: FuzzPlugins) {
    self.plugins = plugins
    var settings = ServiceSettings { 1_763_690_400_000_000 }
    settings.limits.subscriptions = 4
    settings.limits.traces = 2
    settings.limits.framesPerEvent = 3
    settings.limits.headers = 6
    settings.limits.batchEvents = 8
    settings.limits.resumeStates = 8
    settings.limits.lineBytes = 16_384
    service = Service(settings: settings, plugins: plugins, output: output, log: output)
    lines = service.connected(Peer(name: "fuzz"), at: clock)
    frames = service.connected(Peer(name: "fuzz"), at: clock)
    give([0x89, 0x48, 0x44, 1], to: frames)
  }

  private func give(_ bytes: [UInt8], to connection: ConnectionID) {
    guard !output.pipe(connection).isClosed else { return }
    service.received(unsafe bytes.span.bytes, from: connection, at: clock)
    endTurn()
  }

  /// The disk writes, processes say what they have to say, and so on until all is quiet.
  private func endTurn() {
    service.endTurn()
    while disk?.step != nil || plugins.workers?.isSilent == false {
      disk?.finish()
      service.workerSpeaks(at: clock)
      plugins.workers?.speak()
      service.endTurn()
    }
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
    var rounds = 0
    while let wake = service.nextWake, wake <= end {
      clock = max(clock, wake)
      rounds += 1
      guard rounds < 100_000 else {
        unrest = "it has something to do at \(wake), \(end - wake) ns before the end, again and again"
        break
      }
      service.tick(at: clock)
      endTurn()
    }
    clock = end
  }

  // MARK: - The journal

  /// Goes on with the headers of a journal and writes it from now on; at the beginning.
  /// - Returns: the names of those that are back.
  func keepJournal(in folder: SimulatedFolder, _ stored: StoredJournal, goesOn: Bool) -> Set<String> {
    let disk = SimulatedDisk(folder)
    disk.finished = { [unowned self] in service.journalFinished($0, at: clock) }
    self.disk = disk
    service.host.keep(
      ShardJournal(
        shard: 0, settings: JournalSettings(), numbers: JournalNumbers(after: stored, shards: 1), disk: disk,
        takingOver: stored, at: clock),
      after: stored.lastEpoch)
    var back: Set<String> = []
    for header in stored.headers {
      service.restore(header, goesOn: goesOn, at: clock) { if $0 == nil { back.insert(header.name) } }
    }
    endTurn()
    return back
  }

  /// Asks headers for all that there is of them, lets time pass, and scrolls them.
  func exercise(_ names: [String]) {
    request("subscribe", #"{"headers":"**","mode":"every","include":["calls","routine"]}"#)
    for name in names {
      let header = Value.text(name).json
      request("header.get", #"{"header":\#(header),"include":["environment","description","saved"]}"#)
      request("event", #"{"header":\#(header),"event":"didScroll","offset":{"y":30}}"#)
    }
    pass(0.2)
  }

  // MARK: - Looking

  func look() throws(FuzzFinding) {
    if let unrest { throw FuzzFinding("\(unrest); it has logged last: \(output.lastLines)") }
    if let complaint = plugins.workers?.complaint { throw FuzzFinding("a worker was ordered nonsense: \(complaint)") }
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
