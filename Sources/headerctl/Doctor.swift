// SPDX-License-Identifier: MIT
//
// `headerctl doctor HEADER`: why nothing moves. Facts are gathered first (the header, its saved state, its connections,
// the events of a while), then judged without a daemon, so that each rule has its test.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderModel
internal import HeaderTrace

func runDoctor(_ context: Context) throws -> Int32 {
  let name = context.invocation.required(Words.header)
  let client = try context.connect(Interrupts())
  var facts = DoctorFacts(header: name)
  let params: Value.Record = ["header": .text(name), "include": ["description", "environment", "position", "saved"]]
  switch try client.answer(to: "header.get", .record(params)).result {
  case .success(let got): facts.got = got
  case .failure(let error) where error.name == "headerNotFound": throw ClientError.refused(error)
  case .failure:
    // A behavior that cannot save must not keep the doctor away.
    facts.got = try client.call(
      "header.get", ["header": .text(name), "include": ["description", "environment", "position"]])
  }
  facts.row = try client.call("header.list", ["match": .text(name)])["headers"]?.elements.first
  facts.plugins = (try? client.call("plugin.list"))?.list("plugins") ?? []
  let seconds = context.invocation[Words.listening] ?? 1
  if seconds > 0 { try observe(client, seconds, context, &facts) }
  let findings = diagnose(facts)
  let isSick = findings.contains { $0.isProblem }
  for finding in findings { context.show(finding.value, finding.text) }
  if !context.isJSON, let line = life(facts, context.console.size.columns) { context.console.print("\n\(line)") }
  return isSick ? ExitStatus.refused : ExitStatus.done
}

/// Records a header's events and notices for a while, as far as that is permitted.
private func observe(_ client: Client, _ seconds: Double, _ context: Context, _ facts: inout DoctorFacts) throws {
  let name = facts.header
  let answer = try? client.answer(to: "trace.start", ["header": .text(name)]).result
  if case .failure(let error)? = answer, error.name == "limitExceeded" { facts.recordingRefusal = error.description }
  guard case .success(let begun)? = answer, let trace = begun["trace"] else { return }
  // Routine notices stand in no recording.
  let states = try? client.call(
    "subscribe", ["headers": .text(name), "mode": "every", "include": ["routine"]])
  if !context.isJSON { context.console.progress("listening to \(name) for \(shown(seconds)) s") }
  var steps: [Value] = []
  var notices: [Value] = []
  var limit = StateLimit(seconds: seconds)
  try listen(client, &limit) { notification in
    if notification.method == "trace", let step = notification.params["step"] { steps.append(step) }
    if notification.method == "state" { notices += notification.params.list("notices") }
    return false
  }
  context.console.progress("")
  client.interruptDescriptor = -1
  _ = try? client.call("trace.stop", ["trace": trace])
  if let id = states?["subscription"] { _ = try? client.call("unsubscribe", ["subscription": id]) }
  facts.steps = steps
  facts.notices = notices
}

/// The recorded events, as a timeline.
private func life(_ facts: DoctorFacts, _ width: Int) -> String? {
  guard let steps = facts.steps, !steps.isEmpty else { return nil }
  var timeline = Timeline()
  var offset: Double?
  for step in steps {
    timeline.add(event: Value.Record(fields: step.fields), offsetBefore: offset, refused: step["error"] != nil)
    offset = step["offset"]?["y"]?.asNumber ?? offset
    if let state = step["state"].flatMap(StatePicture.init) { timeline.add(state: state) }
  }
  return timeline.lines(width: width).joined(separator: "\n")
}

struct DoctorFacts {
  let header: String
  /// The answer to `header.get`, with description, environment and, if it could be had, the saved state.
  var got: Value = [:]
  var row: Value?
  /// The rows of `plugin.list`.
  var plugins: [Value] = []
  /// The steps that came while we listened; nil: we could not.
  var steps: [Value]?
  /// The notices of its states meanwhile, routine ones too.
  var notices: [Value] = []
  /// Why we could not listen: there are as many recordings as there may be.
  var recordingRefusal: String?
}

struct Finding: Equatable {
  var isProblem: Bool
  /// The finding's name in JSON.
  var name: String
  var sentence: String
  var advice: String?

  var text: String { "\(isProblem ? "problem" : "note"): \(sentence)" + (advice.map { "\n         \($0)" } ?? "") }

  var value: Value {
    [
      "name": .text(name), "problem": .bool(isProblem), "message": .text(sentence),
      "advice": advice.map { .text($0) } ?? .null,
    ]
  }
}

/// Judges the facts: problems first, in the order in which they would have to be solved.
func diagnose(_ facts: DoctorFacts) -> [Finding] {
  var findings: [Finding] = []
  for judge in [
    structure, surroundings, content, delegates, movers, holders, tail, traffic, otherScrollViews, offers, oscillation,
    answers, recordings,
  ] {
    judge(facts, &findings)
  }
  let states = (facts.steps ?? []).compactMap { $0["state"] }
  guard findings.contains(where: \.isProblem) || states.isEmpty else {
    let moves = ([facts.got["state"] ?? .null] + states).map { $0["drawers"] ?? .null }
    let count = zip(moves, moves.dropFirst()).count { $0 != $1 }
    guard count > 0 else {
      return findings + [
        Finding(
          isProblem: false, name: "holdsStill",
          sentence: "\(counted(states.count, "state")) came while we listened, and no drawer moved in them",
          advice: "what became of the last event says: headerctl explain \(facts.header)")
      ]
    }
    return findings + [
      Finding(isProblem: false, name: "moves", sentence: "it moves: \(counted(count, "state")) while we listened")
    ]
  }
  guard findings.isEmpty else { return findings.filter(\.isProblem) + findings.filter { !$0.isProblem } }
  return [
    Finding(
      isProblem: false, name: "nothingFound", sentence: "nothing is wrong with it that the doctor knows of",
      advice: "scroll while the doctor listens longer: headerctl doctor \(facts.header) --for 10")
  ]
}

extension [Finding] {
  fileprivate mutating func problem(_ name: String, _ sentence: String, _ advice: String) {
    append(Finding(isProblem: true, name: name, sentence: sentence, advice: advice))
  }

  fileprivate mutating func note(_ name: String, _ sentence: String, _ advice: String) {
    append(Finding(isProblem: false, name: name, sentence: sentence, advice: advice))
  }
}

/// Finds mistakes in the header's parts.
private func structure(_ facts: DoctorFacts, _ found: inout [Finding]) {
  let description = facts.got["description"] ?? [:]
  if description["drawers"]?.elements.isEmpty ?? true {
    found.problem(
      "noDrawers", "it has no drawers: there is nothing to move", "open it with drawers, such as --drawer navBar:44")
  }
  if description["delegates"]?.elements.isEmpty ?? true {
    found.problem(
      "noDelegates", "it has no delegates: nobody decides anything",
      "open it with a behavior ('headerctl plugin list' shows them), such as --behavior ShyNavBar")
  }
  if let tracking = description["trackingScrollView"], tracking == .null {
    found.problem(
      "noTrackingScrollView", "it follows no scroll view: trackingScrollView is null, so events reach no delegate",
      "name one in the description, or: \(sending(#"{"event":"setTrackingScrollView","scrollView":"NAME"}"#, to: facts))"
    )
  }
}

/// Finds out whether the header can be visible at all.
private func surroundings(_ facts: DoctorFacts, _ found: inout [Finding]) {
  let environment = facts.got["environment"] ?? [:]
  guard environment["visible"]?.asBool == false else { return }
  found.problem(
    "notVisible", "it is not visible: didDisappear came, or environment.visible is false",
    "behaviors ignore scrolls until it appears: \(sending(#"{"event":"willAppear"}"#, #"{"event":"didAppear"}"#, to: facts))"
  )
}

/// Whether there is anything to scroll.
private func content(_ facts: DoctorFacts, _ found: inout [Finding]) {
  let description = facts.got["description"] ?? [:]
  let views = description["scrollViews"]?.fields ?? []
  guard let index = views.firstIndex(where: { .text($0.name) == description["trackingScrollView"] }) else { return }
  let name = views[index].name
  // What events have changed since is in the saved state; the description is of the opening.
  let saved = facts.got["saved"]?["scrollViews"]?.elements
  let view = saved.flatMap { index < $0.count ? $0[index] : Value?.none } ?? views[index].value
  let viewport = Size(json: view["viewport"])
  let size = Size(json: view["contentSize"])
  let inset = Insets(json: view["contentInset"])
  if viewport.height <= 0 {
    found.problem(
      "noViewport", "scroll view \"\(name)\" has no height", "give its viewport, or send layout with viewport")
  } else if size.height <= viewport.height - inset.top - inset.bottom {
    let room = shown(viewport.height - inset.top - inset.bottom)
    found.problem(
      "contentFits",
      "the content of \"\(name)\" (\(shown(size.height)) points) fits into what is visible (\(room) points)",
      "behaviors hold still when there is nothing to scroll; send layout with contentSize when the content has grown")
  }
  if views[index].value["forwardsEvents"]?.asBool == false {
    found.problem(
      "notForwarded", "scroll view \"\(name)\" does not forward its events", "set its forwardsEvents to true")
  }
}

/// Finds delegates that failed, do not answer or are switched off.
private func delegates(_ facts: DoctorFacts, _ found: inout [Finding]) {
  // Those that fail while the doctor listens, too, and clients that do not answer.
  var reasons: [String: String?] = [:]
  for bypassed in facts.got.list("bypassed") { reasons[bypassed.text("delegate")] = bypassed["reason"]?.asText }
  for step in facts.steps ?? [] {
    for notice in step["state"]?.list("notices") ?? [] where notice["name"] == "delegatePassedOver" {
      let name = notice.text("delegate")
      if reasons[name] == nil { reasons[name] = notice["arguments"]?["reason"]?.asText }
    }
  }
  for (name, reason) in reasons.sorted(by: { $0.key < $1.key }) {
    found.problem(
      "bypassed", "delegate \"\(name)\" failed and is bypassed: \(reason ?? "it does not say why")",
      "once its plugin is repaired, 'headerctl plugin reload' begins it anew")
  }
  for delegate in facts.got["description"]?.list("delegates") ?? [] {
    let options = delegate["options"] ?? [:]
    let off = options.fields.first { field in
      switch field.name {
      case "disable", "disabled", "isDisabled": field.value == true
      case "enable", "enabled", "isEnabled": field.value == false
      default: false
      }
    }
    guard let off else { continue }
    let name = delegate["name"]?.asText ?? "?"
    found.problem(
      "disabled", "delegate \"\(name)\" is switched off: its option \(off.name) is \(off.value.json)",
      "try: headerctl delegate configure \(facts.header) \(name) --option \(off.name)=\(off.value == true ? "false" : "true")"
    )
  }
}

/// Finds out whether a delegate moves the drawers, and which delegates only wait for drawers.
private func movers(_ facts: DoctorFacts, _ found: inout [Finding]) {
  let chain = facts.got["description"]?.list("delegates") ?? []
  guard !chain.isEmpty, !(facts.got["description"]?.list("drawers").isEmpty ?? true) else { return }
  let behaviors = facts.plugins.flatMap { $0.list("behaviors") }
  func moves(_ delegate: Value) -> Bool? {
    behaviors.first { $0["behavior"] == delegate["behavior"] }?["moves"]?.asBool
  }
  // A delegate that could not be saved may own any drawer; only what its behavior is made for is known.
  let saved = facts.got["saved"]?.list("delegates")
  let owners = facts.got["saved"]?.list("drawerOwners").compactMap(\.asNumber).filter { $0 >= 0 }.map { Int(cut: $0) }
  func owns(_ name: Value?) -> Bool {
    guard let owners, let saved else { return true }
    return owners.contains { $0 < saved.count && saved[$0]["name"] == name }
  }
  let bypassed = facts.got.list("bypassed").map { $0["delegate"] }
  let able = chain.filter { moves($0) != false && !bypassed.contains($0["name"]) }
  for delegate in able where moves(delegate) == true && delegate["options"]?["yields"] == true {
    guard !owns(delegate["name"]) else { continue }
    let name = delegate.text("name")
    let others = Set((owners ?? []).compactMap { $0 < (saved?.count ?? 0) ? saved?[$0].text("name") : nil })
    found.note(
      "rests",
      "delegate \"\(name)\" moves nothing: it has the option yields, and the drawers that it needs belong to \(others.sorted().joined(separator: ", "))",
      "give it a drawer of its own, or remove it: headerctl delegate remove \(facts.header) \(name)")
  }
  // A client delegate may move drawers without an owner.
  let names = chain.compactMap { $0["name"]?.asText }
  guard facts.row?.texts("delegates").allSatisfy(names.contains) ?? true else { return }
  // One that does not yield would have been refused if the drawers were another's.
  guard !able.contains(where: { owns($0["name"]) || $0["options"]?["yields"] != true }) else { return }
  found.problem(
    "nothingMoves", "nothing can move it: none of its delegates (\(names.joined(separator: ", "))) moves a drawer",
    bypassed.isEmpty
      ? "add a behavior that does, such as: headerctl delegate add \(facts.header) ShyNavBar"
      : "reload the plugin of the one that failed, or add a behavior that moves drawers")
}

/// Finds constraints that hold the header, and headers without a way to go.
private func holders(_ facts: DoctorFacts, _ found: inout [Finding]) {
  guard let position = facts.got["position"], position != .null else { return }
  for constraint in position.list("constraints") {
    let (name, ends) = (constraint.text("name"), constraint.list("permitted").compactMap(\.asNumber))
    guard ends.count == 2 else { continue }
    if name == "accessibility" {
      found.problem(
        "heldShown",
        "it is held shown, since its environment has voiceOverRunning, fullKeyboardAccess or alwaysShown",
        "it moves again when none of them is set; \"accessibility\": \"original\" in its description does without that")
      continue
    }
    let holder = constraint["holder"].map { " (\($0.asText ?? ""))" } ?? ""
    let release = "release it: headerctl release \(facts.header) \(name)"
    if ends[0] == ends[1] {
      found.problem("held", "constraint \"\(name)\"\(holder) holds it at progress \(shown(ends[0]))", release)
    } else {
      found.note(
        "bounded", "constraint \"\(name)\"\(holder) keeps it from progress \(shown(ends[0])) to \(shown(ends[1]))",
        release)
    }
  }
  guard position["travel"] == 0 else { return }
  found.problem(
    "noWay", "its drawers have no way to go: they are pinned or sticky, or as high as their minimum height",
    "headerctl header get \(facts.header) shows them; a drawer needs a height above its minimumHeight, or a law that shifts it"
  )
}

/// Whether a behavior that moves by offers alone gets any.
private func offers(_ facts: DoctorFacts, _ found: inout [Finding]) {
  let steps = facts.steps ?? []
  let events = Set(steps.compactMap { $0["event"]?.asText })
  guard events.contains("didScroll"), events.isDisjoint(with: ["willScroll", "didOverscroll"]) else { return }
  for delegate in facts.got["description"]?.list("delegates") ?? []
  where delegate["behavior"] == "CollapsingHeader" {
    let (name, options) = (delegate.text("name"), delegate["options"] ?? [:])
    let follows = options["follows"]?.asText ?? "place"
    let (reason, instead): (String, String)
    switch follows {
    case "block", "ratio": (reason, instead) = ("follows = \"\(follows)\"", "open it with follows = \"place\"")
    // Where a bounce is noted, all movements of the content count.
    case "movement" where options["contentMoves"] == "none" && options["bounce"] != "noted":
      guard options["takesOffers"] != false else {
        found.note(
          "noMovements",
          "delegate \"\(name)\" has contentMoves = \"none\" and takesOffers = false: only calls move it",
          "set contentMoves to \"both\": \(configuring(name, #"contentMoves="both""#, of: facts))")
        continue
      }
      (reason, instead) = (
        "contentMoves = \"none\"",
        "set contentMoves to \"both\": \(configuring(name, #"contentMoves="both""#, of: facts))"
      )
    default: continue
    }
    found.problem(
      "noOffers",
      "delegate \"\(name)\" has \(reason): it moves by what it is offered, and only didScroll comes",
      "publish willScroll before a movement and didOverscroll after it (nestedScroll), or \(instead)")
  }
}

/// A command that gives a delegate another option.
private func configuring(_ delegate: String, _ option: String, of facts: DoctorFacts) -> String {
  "headerctl delegate configure \(facts.header) \(delegate) --option '\(option)'"
}

/// Whether the inset that follows the header is that of the scroll view that the header follows.
private func tail(_ facts: DoctorFacts, _ found: inout [Finding]) {
  guard let saved = facts.got["saved"], let tail = saved["chain"]?["tail"]?.asNumber,
    let tracking = saved["trackingScrollView"]?.asNumber, tail >= 0, tracking >= 0, tail != tracking
  else { return }
  let views = (facts.got["description"]?["scrollViews"]?.fields ?? []).map(\.name)
  func name(_ index: Double) -> String { Int(cut: index) < views.count ? views[Int(cut: index)] : "?" }
  found.problem(
    "wrongTail",
    "the top inset of scroll view \"\(name(tail))\" follows the header, but the header tracks \"\(name(tracking))\"",
    "assign it again: \(sending(#"{"event":"setTrackingScrollView","scrollView":"\#(name(tracking))"}"#, to: facts))")
}

/// A command that sends events to the header.
private func sending(_ events: String..., to facts: DoctorFacts) -> String {
  let words = events.map { "'\($0)'" }.joined(separator: " ")
  return "printf '%s\\n' \(words) | headerctl stream \(facts.header)"
}

/// Finds out whether events come in, and how they differ from what the header expects.
private func traffic(_ facts: DoctorFacts, _ found: inout [Finding]) {
  let steps = facts.steps ?? []
  let publishers = facts.row?["publishers"]?.asNumber ?? 0
  if facts.got["saved"]?["hasTime"]?.asBool == false, steps.isEmpty {
    found.problem(
      "noEvents", "no event has come since it was opened",
      publishers > 0
        ? "a publisher is connected; is it scrolled?"
        : "nobody publishes; try: \(sending(#"{"event":"didScroll","offset":{"y":10}}"#, to: facts))")
  } else if steps.isEmpty, facts.steps != nil {
    let who = publishers > 0 ? "\(counted(Int(cut: publishers), "publisher")) connected" : "no publisher connected"
    found.note("silence", "no event came while we listened (\(who))", "scroll while the doctor listens: --for 10")
  }
}

/// Finds out whether events are accepted, and states go out.
private func answers(_ facts: DoctorFacts, _ found: inout [Finding]) {
  let steps = facts.steps ?? []
  let refused = steps.filter { $0["error"] != nil }
  if let error = refused.first?["error"] {
    found.problem(
      "refused", "\(counted(refused.count, "event")) of \(steps.count) refused: \(RemoteError(error))",
      "the publisher gets the same error as its answer")
  }
  if facts.row?["subscribers"]?.asNumber == 0 {
    found.note("noSubscribers", "nobody subscribes to it, so nobody draws it", "try: headerctl watch \(facts.header)")
  }
  if facts.got["description"]?["frames"] == "manual" {
    found.note(
      "manualFrames", "its frames are manual: animations by frames stand still without advance",
      "open it with frames live")
  }
}

/// Whether there can be a further recording.
private func recordings(_ facts: DoctorFacts, _ found: inout [Finding]) {
  guard let refusal = facts.recordingRefusal else { return }
  found.problem(
    "noRecordings", "the daemon begins no further recording: \(refusal)",
    "raise limits.traces; a daemon of a realm needs twice its headers, or their owner's changes are not kept")
}

/// Finds out whether the header goes back and forth without a finger.
private func oscillation(_ facts: DoctorFacts, _ found: inout [Finding]) {
  guard let notice = facts.notices.last(where: { $0["name"] == "didOscillate" }) else { return }
  let turns = notice["arguments"]?["turns"]?.asNumber.map { "\(shown($0)) times" } ?? "many times"
  found.problem(
    "oscillates",
    "it turns round without a finger, \(turns) within a second: the header and the content push each other",
    "see who moves it: headerctl explain \(facts.header); a publisher that sends the offset it gets closes such a circle"
  )
}

/// Whether events are of the scroll view that it follows.
private func otherScrollViews(_ facts: DoctorFacts, _ found: inout [Finding]) {
  let steps = facts.steps ?? []
  guard let tracking = facts.got["description"]?["trackingScrollView"]?.asText else { return }
  // An event that names none is the tracking one's.
  let views = Set(steps.filter { $0["event"]?.asText == "didScroll" }.map { $0["scrollView"]?.asText ?? tracking })
  guard !views.isEmpty, !views.contains(tracking) else { return }
  found.problem(
    "otherScrollView",
    "all events are of scroll view \(views.sorted().joined(separator: ", ")), but it follows \"\(tracking)\"",
    "send them as scrollView \"\(tracking)\", or send setTrackingScrollView")
}
