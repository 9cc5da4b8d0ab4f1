// SPDX-License-Identifier: MIT
//
// `header-trace/1`: what the real code of another system did, in that system's words. Systems whose words are known
// (HeaderOriginals) are adapted by them, as the conformance tests do; of any other the scene becomes a description of one
// header by the names that it shares with ours (protocol.md §4), and nothing is computed.
//
//     "system": "TLYLift"                  delegates: [{behavior: "Lift", options}]
//     "scene": {viewport, contentSize,     scrollViews.content
//               contentInset, offset,
//               safeAreaInset, statusBar…  environment
//               drawers, navBarSubviews}   drawers, elements of the first one
//     "steps": [{navBarHeight: 32}]        {drawers: [{name: "navBar", height: 32}]}
//
// The recordings drive their clocks themselves, so frames are `manual`. What `expect` says is in the original's terms
// and left to the conformance tests, which know how to compare it; here a trace is a script to stream, replay and watch.

internal import HeaderCore
internal import HeaderOriginals

extension Recording {
  /// Reads a `header-trace/1` document.
  init(trace document: Value) throws(RecordingError) {
    guard let scene = document["scene"], case .list(let list)? = document["steps"] else {
      throw RecordingError(line: 0, "a header-trace/1 file has \"scene\" and \"steps\"")
    }
    if let system = document["system"]?.asText, AdaptedRecording.systems.contains(system) {
      try self.init(adapting: document, list)
    } else {
      try self.init(sharing: document, scene, list)
    }
  }

  /// A recording of any other system, by the words that it shares with us.
  private init(sharing document: Value, _ scene: Value, _ list: [Value]) throws(RecordingError) {
    format = .trace
    title = document["title"]?.asText
    description = Self.description(scene: scene, options: document["options"], system: document["system"]?.asText)
    let drawer = scene["drawers"]?.elements.first?["name"]?.asText ?? "navBar"
    steps = []
    for (index, value) in list.enumerated() {
      guard case .record(let record) = value else {
        throw RecordingError(line: index + 1, "steps[\(index)]: expected an object, got \(value.brief)")
      }
      var step = try Step(.record(Self.inOurWords(record, drawer: drawer)), line: index + 1)
      step.states = nil
      steps.append(step)
    }
  }

  /// A recording of a system whose words are known. A delegate that the original had beside its own is left out: it is a
  /// plugin of the tests' alone.
  private init(adapting document: Value, _ list: [Value]) throws(RecordingError) {
    format = .trace
    title = document["title"]?.asText
    let adapted = try Self.adapted(document, list)
    var opened = adapted.description
    opened.delegates.removeAll { $0.behavior == "OriginalDelegate" }
    description = opened.value
    steps = []
    for (index, step) in adapted.steps.enumerated() {
      for event in step.events {
        var ours = try Step(.record(event.value), line: index + 1)
        // What the original refused, ours refuses too.
        if step.mayBeRefused, let reason = step.expect["error"]?.asText { ours.error = ["message": .text(reason)] }
        steps.append(ours)
      }
    }
  }

  private static func adapted(_ document: Value, _ list: [Value]) throws(RecordingError) -> AdaptedRecording {
    do throws(HeaderError) {
      var original = try OriginalRecording(document)
      // A script need not say what is expected.
      original.steps = list.map { step in
        guard case .record(var record) = step, record["expect"] == nil else { return step }
        record["expect"] = [:]
        return .record(record)
      }
      return try AdaptedRecording(original)
    } catch {
      throw RecordingError(line: 0, error)
    }
  }

  /// The behavior that stands for an original: its name without the letters that its makers put in front.
  public static func behavior(ofSystem system: String) -> String {
    for prefix in ["TLY", "MDC", "BLK"] where system.hasPrefix(prefix) { return String(system.dropFirst(prefix.count)) }
    return system
  }

  private static func description(scene: Value, options: Value?, system: String?) -> Value {
    var view = Value.Record()
    for key in [
      "viewport", "contentSize", "contentInset", "scrollIndicatorInsets", "offset", "contentInsetAdjustment",
      "pagingEnabled",
    ] { view[key] = scene[key] }
    if let control = scene["refreshControl"] { view["refreshControl"] = control }
    var environment = Value.Record()
    for key in [
      "safeAreaInset", "deviceHasHardwareSafeArea", "statusBarHeight", "statusBarHidden", "statusBarFollowsHeader",
      "screenScale", "keyWindow", "voiceOverRunning", "appExtension", "clockSecondOfMinute",
    ] { environment[key] = scene[key] }
    if let y = scene["navigationViewY"] { environment["viewOrigin"] = ["y": y] }
    var description = Value.Record()
    description["header"] = "trace"
    description["scrollViews"] = ["content": .record(view)]
    description["drawers"] = .list(drawers(of: scene))
    description["environment"] = .record(environment)
    if let system {
      description["delegates"] = [["behavior": .text(behavior(ofSystem: system)), "options": options ?? [:]]]
    }
    description["frames"] = "manual"
    return .record(description)
  }

  private static func drawers(of scene: Value) -> [Value] {
    scene["drawers"]?.elements.enumerated().map { index, drawer in
      guard index == 0, case .record(var record) = drawer else { return drawer }
      if let y = scene["navBarY"] { record["y"] = y }
      if let subviews = scene["navBarSubviews"] { record["elements"] = .list(elements(subviews)) }
      return .record(record)
    } ?? []
  }

  private static func elements(_ subviews: Value) -> [Value] {
    subviews.elements.enumerated().map { index, subview in
      var element: Value.Record = ["name": .text("subview\(index)")]
      for field in subview.fields { element[field.name] = field.value }
      return .record(element)
    }
  }

  private static func inOurWords(_ step: Value.Record, drawer: String) -> Value.Record {
    var record = step
    var change = Value.Record()
    if let height = record["navBarHeight"] { change["height"] = height }
    if let subviews = record["navBarSubviews"] { change["elements"] = .list(elements(subviews)) }
    if !change.fields.isEmpty {
      change.fields.insert(.init(name: "name", value: .text(drawer)), at: 0)
      record["drawers"] = [.record(change)]
    }
    if let y = record["navigationViewY"] { record["viewOrigin"] = ["y": y] }
    var control = Value.Record()
    control["hidden"] = record["refreshControlHidden"]
    control["height"] = record["refreshControlHeight"]
    control["refreshing"] = record["refreshing"]
    if !control.fields.isEmpty { record["refreshControl"] = .record(control) }
    for key in [
      "navBarHeight", "navBarSubviews", "navigationViewY", "refreshControlHidden", "refreshControlHeight", "refreshing",
    ] { record[key] = nil }
    return record
  }
}
