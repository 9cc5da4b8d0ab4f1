// SPDX-License-Identifier: MIT
//
// Files that anybody may have written: config, recordings, and the saved states in recordings and in `header.open`. Saved
// states and recordings are taken as they are if they begin with `{`; else the bytes choose a right one and what is spoiled in it.

internal import HeaderConfig
internal import HeaderCore
internal import HeaderModel
internal import HeaderTestKit
internal import HeaderTrace
internal import HeaderWire
package import PluginHost

package final class ConfigTarget: FuzzTarget {
  package static let name = "config"

  package init(_ plugins: PluginRegistry) {}

  package func run(_ bytes: [UInt8]) throws(FuzzFinding) -> Int {
    let file = ConfigFile(bytes: bytes.span, file: "f")
    try check(file.errors.map { "\($0)" })
    for header in file.config.headers { try read(header) }
    _ = file.diagnostic(at: "roles.publish[1]", "is there")
    _ = Config.changesNeedingRestart(from: Config(), to: file.config)
    _ = file.config.roles.publish.map { "\($0.member)" }
    try readOthers(bytes)
    return 1
  }

  /// The same bytes as a description, as a preset, and as the bridges' config files.
  private func readOthers(_ bytes: [UInt8]) throws(FuzzFinding) {
    do throws(ConfigErrors) {
      for header in try DescriptionFile(bytes: bytes.span, file: "f").headers {
        try? read(header)
        _ = header.mistakes
      }
    } catch { try check(error.diagnostics.map(\.description)) }
    do throws(ConfigErrors) { _ = try Preset(bytes: bytes.span, file: "f") } catch {
      try check(error.diagnostics.map(\.description))
    }
    do throws(ConfigErrors) { _ = try WebConfig(bytes: bytes.span, file: "f") } catch {
      try check(error.diagnostics.map(\.description))
    }
    do throws(ConfigErrors) { _ = try NatsConfig(bytes: bytes.span, file: "f") } catch {
      try check(error.diagnostics.map(\.description))
    }
  }

  private func check(_ diagnostics: [String]) throws(FuzzFinding) {
    for line in diagnostics where !line.hasPrefix("f:") { throw FuzzFinding("no place in \"\(line)\"") }
  }

  private func read(_ header: ConfiguredHeader) throws(FuzzFinding) {
    do throws(HeaderError) {
      var unknown: [UnknownField] = []
      let description = try HeaderDescription(header.value, at: Path(""), unknown: &unknown)
      for field in unknown { _ = header.diagnostic(for: field).description }
      _ = try HeaderDescription(description.value, unknown: &unknown)
    } catch {
      guard "\(header.diagnostic(for: error))".hasPrefix("f:") else { throw FuzzFinding("no place in \"\(error)\"") }
    }
  }

  package func seeds() throws -> [[UInt8]] { try Corpus.files("config", ".toml") + Corpus.configValues }

  package var words: [String] { Corpus.configWords + Corpus.wireWords }
}

package final class RecordingsTarget: FuzzTarget {
  package static let name = "recordings"
  private let plugins: PluginRegistry
  private let models: [[Value]]
  /// Steps of a recording that are run, so that none takes long.
  private static let maxSteps = 200

  package init(_ plugins: PluginRegistry) throws {
    self.plugins = plugins
    let saved = try (0..<SavesTarget.arrangements.count).map { try SavesTarget.recording($0, plugins) }
    let files = try Corpus.files("Tests/Conformance/Recordings", ".jsonl") + saved
    models = try files.map { file in try file.split(separator: 10).prefix(80).map { try Value(json: Array($0)) } }
  }

  package func run(_ bytes: [UInt8]) throws(FuzzFinding) -> Int {
    let file = bytes.first == UInt8(ascii: "{") ? bytes : spoiled(bytes)
    var recording: Recording
    do throws(RecordingError) { recording = try Recording(file) } catch {
      guard !"\(error)".isEmpty else { throw FuzzFinding("an error says nothing") }
      return 1
    }
    for step in recording.steps { try checkInput(step) }
    recording.steps = Array(recording.steps.prefix(Self.maxSteps))
    guard var replay = try? Replay(recording, provider: plugins) else { return 1 }
    var timeline = Timeline()
    if let opening = StatePicture(replay.opening) { timeline.add(state: opening) }
    while let outcome = try? replay.step() {
      timeline.add(event: outcome.step.event, offsetBefore: 0, refused: outcome.refusal != nil)
      for state in (outcome.step.states ?? []) + outcome.states {
        if let picture = StatePicture(state) { timeline.add(state: picture) }
      }
    }
    _ = timeline.lines(width: 60)
    try checkAgain(recording)
    return 1
  }

  /// What is read of a step is written as it is read again.
  private func checkInput(_ step: Recording.Step) throws(FuzzFinding) {
    var (time, unknown) = (Instant?.none, [UnknownField]())
    guard let input = try? HeaderInput(recorded: step.event, time: &time, unknown: &unknown) else { return }
    let written = input.recorded(at: time)
    var again = Instant?.none
    guard let second = try? HeaderInput(recorded: written, time: &again, unknown: &unknown),
      second.recorded(at: again) == written
    else {
      throw FuzzFinding(
        "\(step.kind) at \(step.time ?? 0) is read otherwise than it is written: \(Value.record(written).json)")
    }
  }

  /// Replayed twice, it is the same.
  private func checkAgain(_ recording: Recording) throws(FuzzFinding) {
    guard var first = try? Replay(recording, provider: plugins), var second = try? Replay(recording, provider: plugins)
    else { throw FuzzFinding("it was opened once, not twice") }
    while let outcome = try? first.step() {
      guard let again = try? second.step(), again.states == outcome.states, again.result == outcome.result else {
        throw FuzzFinding("step \(outcome.index) is another one the second time")
      }
    }
    _ = try? Verification(recording, provider: plugins)
  }

  private func spoiled(_ choices: [UInt8]) -> [UInt8] {
    var bytes = FuzzBytes(choices)
    let model = bytes.pick(models)
    var lines = model.map(\.json)
    for _ in 0...bytes.below(3) {
      let place = bytes.below(model.count)
      lines[place] = model[place].spoiledText(&bytes)
    }
    if bytes.below(8) == 0 { lines.removeLast(bytes.below(lines.count)) }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  package func seeds() throws -> [[UInt8]] {
    try Corpus.files("Tests/Conformance/Recordings", ".jsonl") + Corpus.files("config/demo", ".jsonl")
      + (0..<SavesTarget.arrangements.count).map { try SavesTarget.recording($0, plugins) } + choices(64)
  }

  package var words: [String] {
    Corpus.wireWords + ["\"state\":", "\"frames\":", "\"asked\":", "\"passedOver\":", "\"nanoseconds\":", "\"ended\":"]
  }
}

package final class SavesTarget: FuzzTarget {
  package static let name = "saves"
  static let arrangements = CommandsTarget.arrangements
  private let plugins: PluginRegistry
  private let models: [(description: HeaderDescription, saved: Value)]

  package init(_ plugins: PluginRegistry) throws {
    self.plugins = plugins
    let headers = try Self.arrangements.indices.map { try Self.header($0, plugins) } + [Self.edged(plugins)]
    models = try headers.map { ($0.description, try $0.save()) }
  }

  /// A header with drawers at three edges, one of which follows another header's, that has left its first scroll view and whose
  /// time does not go to the end of all time.
  private static func edged(_ plugins: PluginRegistry) throws -> Header {
    let opening = #"""
      {"header":"main","frames":"events","onLeave":"restore","tellsObstruction":true,"stretchTrigger":9,"trackingScrollView":"content",\#
      "scrollViews":{"content":{"viewport":{"width":320,"height":480},"contentSize":{"width":900,"height":2000},\#
      "contentInset":{"top":7}},"side":{"viewport":{"width":320,"height":480}}},\#
      "drawers":[{"name":"address","height":44},{"name":"controls","edge":"bottom","height":60,"follow":{"drawer":"address"}},\#
      {"name":"rail","edge":"trailing","height":50}],\#
      "delegates":[{"behavior":"ShyNavBar"},{"behavior":"ShyNavBar","name":"side","edge":"trailing"}]}
      """#
    var unknown: [UnknownField] = []
    let description = try HeaderDescription(Value(json: Array(opening.utf8)), unknown: &unknown)
    let header = try Header(description, epoch: 1, provider: plugins)
    for event in [
      #"{"event":"didScroll","time":-100000000,"offset":{"y":60,"x":20}}"#,
      #"{"event":"setTrackingScrollView","time":-99999999,"scrollView":"side"}"#,
      #"{"event":"didScroll","time":-99999998,"offset":{"y":12}}"#,
    ] {
      let timed = try TimedEvent(Value(json: Array(event.utf8)), unknown: &unknown)
      _ = try header.receive(timed.event, at: timed.time)
    }
    return header
  }

  private static let held = [
    #"{"event":"constrain","name":"tour","permitted":[0.25,0.75],"wish":0.5,"priority":-3,"lease":60}"#,
    #"{"event":"move","to":{"progress":0.75},"animated":{"duration":2,"curve":"easeInOut"}}"#,
  ]

  /// A header that has moved: in the middle of a drag, with something ahead of the content, held and on its way elsewhere.
  private static func header(_ arrangement: Int, _ plugins: PluginRegistry) throws -> Header {
    let behaviors = arrangements[arrangement]
    var unknown: [UnknownField] = []
    let description = try HeaderDescription(
      Value(json: Array(CommandTable.open(behaviors: behaviors).utf8)), unknown: &unknown, alsoKnown: ["ifExists"])
    let header = try Header(description, epoch: 1, provider: plugins)
    for step in 0..<30 {
      let y = Double(step % 10) * 23.5 - 64
      let event = ScrollEvent(.didScroll, offset: PartialPoint(y: y), isTracking: step < 25, isDragging: step < 25)
      _ = try header.receive(event, at: Instant(seconds: Double(step) / 60))
    }
    _ = try header.receive(ScrollEvent(.willBeginDragging), at: Instant(seconds: 1))
    _ = try header.receive(ScrollEvent(.willScroll(delta: Point(x: 0, y: 13.5), source: .drag)))
    for event in held {
      let timed = try TimedEvent(Value(json: Array(event.utf8)), unknown: &unknown)
      // Not every arrangement can be positioned.
      _ = try? header.receive(timed.event, at: Instant(seconds: 1.1))
    }
    return header
  }

  private static let changes = [
    #"{"event":"addDelegate","time":2.5,"client":"intercept","name":"guard","deadline":0.05,"at":0}"#,
    #"{"event":"willEndDragging","time":2.6,"velocity":{"y":1},"targetOffset":{"y":200},"asked":[{"delegate":"guard","#
      + #""answer":{"verdict":"rewrite","targetOffset":{"y":176}}}]}"#,
    #"{"event":"willEndDragging","time":2.7,"velocity":{"y":1},"asked":[{"delegate":"guard","passedOver":"gone","late":true}]}"#,
    #"{"event":"willEndDragging","time":2.8,"velocity":{"y":1},"asked":[{"delegate":"guard"}]}"#,
    #"{"event":"configure","time":2.9,"frameSource":"manual","frameRate":30,"environment":{"statusBarHeight":24}}"#,
    #"{"event":"configure","time":3,"drawers":[{"name":"navBar","height":50},{"name":"new","height":9}]}"#,
    #"{"event":"moveDelegate","time":3.1,"delegate":"guard","at":1}"#,
    #"{"event":"removeDelegate","time":3.2,"delegate":"guard"}"#,
    #"{"event":"addDelegate","time":3.3,"behavior":"Keyframes","name":"late","options":{}}"#,
    #"{"event":"reload","time":3.4,"delegate":"late","plugin":"Keyframes"}"#,
    #"{"event":"lead","time":3.42,"header":"shop","drawers":{"navBar":{"points":12,"way":44}}}"#,
    #"{"event":"bypass","time":3.45,"delegate":"late","reason":"its process crashed"}"#,
    #"{"event":"unload","time":3.5,"delegate":"late","plugin":"Keyframes"}"#,
    #"{"event":"didScroll","time":100000000.1,"nanoseconds":"100000000100000001","offset":{"y":12}}"#,
  ]

  /// A recording that begins with such a header: every event, every change, what came of it, and its end.
  static func recording(_ arrangement: Int, _ plugins: PluginRegistry) throws -> [UInt8] {
    let header = try header(arrangement, plugins)
    let description = header.description.value
    let saved = try header.save()
    let events = CommandTable.events.map { name, fields in
      #"{"event":"\#(name.rawValue)","# + (fields == "{}" ? #""time":2}"# : fields.dropFirst())
    }
    let script = RecordingLine.head(description: description, saved: saved, server: nil)
    let steps = (events + changes).joined(separator: "\n") + "\n"
    var replay = try Replay(Recording(script + Array(steps.utf8)), provider: plugins)
    var file = RecordingLine.head(description: description, saved: saved, server: "0.2.0", title: "All", ends: true)
    var count = 0
    while let outcome = try? replay.step() {
      var step = outcome.step
      (step.states, step.result) = (outcome.states, outcome.result)
      step.error = outcome.refusal.map { ["code": -32_602, "data": ["name": .text($0.name.rawValue)]] }
      file += RecordingLine.step(step)
      count += 1
    }
    var checksum = RecordingChecksum()
    checksum.add(file)
    return file + RecordingLine.end(["closed", "lost", "overflow"][arrangement % 3], steps: count, checksum)
  }

  package func run(_ input: [UInt8]) throws(FuzzFinding) -> Int {
    var bytes = FuzzBytes(input)
    let model = bytes.pick(models)
    let isText = input.dropFirst().first == UInt8(ascii: "{")
    let text = isText ? Array(input.dropFirst()) : Array(model.saved.spoiledText(&bytes).utf8)
    guard let saved = try? Value(json: text),
      let header = try? Header(model.description, epoch: 2, provider: plugins, saved: saved)
    else { return 1 }
    for step in 0..<8 {
      let event = ScrollEvent(.didScroll, offset: PartialPoint(y: Double(step) * 40 - 70))
      _ = try? header.receive(event, at: Instant(seconds: 2 + Double(step) / 60))
    }
    _ = try? header.receive(ScrollEvent(.willFling(velocity: Point(x: 0, y: 2))))
    _ = try? header.receive(ScrollEvent(.advance(frameDuration: 0.1)), at: Instant(seconds: 9e9))
    guard let again = try? header.save() else { return 1 }
    // What it saves itself it takes.
    do throws(HeaderError) {
      _ = try Header(header.description, epoch: 3, provider: plugins, saved: again)
    } catch {
      throw FuzzFinding("its own saved state is refused: \(error.message)")
    }
    return 1
  }

  package func seeds() throws -> [[UInt8]] {
    models.indices.map { [UInt8($0)] + models[$0].saved.jsonBytes } + choices(64)
  }

  package var words: [String] {
    let texts = models.flatMap { $0.saved.json.split(separator: "\"").map(String.init) }
    return Set(texts.filter { $0.first?.isLetter == true && $0.utf8.count < 40 }).sorted().map { "\"\($0)\":" }
      + Corpus.numbers
  }
}

/// Bytes that choose something.
func choices(_ count: Int) -> [[UInt8]] {
  var random = SplitMix64(seed: 1)
  return (0..<count).map { _ in (0..<8 + random.below(64)).map { _ in UInt8(random.below(256)) } }
}
