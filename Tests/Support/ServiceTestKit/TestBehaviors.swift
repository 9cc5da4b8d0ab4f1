// SPDX-License-Identifier: MIT
//
// Behaviors for the service's tests, each a few lines: one that moves drawers with the offset, one that runs frames and
// timers, one that fails on demand.

package import HeaderCore
package import HeaderHost
import HeaderJournal
package import HeaderModel

/// Plugins in memory.
package final class TestPlugins: PluginControl, ShardPlugins {
  package struct Kind {
    package var description: BehaviorDescription
    package var make: (String, BehaviorDescription) -> ScrollDelegate

    package init(
      description: BehaviorDescription, make: @escaping (String, BehaviorDescription) -> ScrollDelegate
    ) {
      (self.description, self.make) = (description, make)
    }
  }

  package var kinds: [Kind] = [
    Kind(description: Shifter.description("ShyNavBar"), make: Shifter.init),
    Kind(description: Ticker.description, make: Ticker.init),
    Kind(description: Faulty.description, make: Faulty.init),
    Kind(description: Scripted.description, make: Scripted.init),
    Kind(description: Scripted.teller, make: Scripted.init),
  ]
  /// What the next reload brings; and whether reloading fails altogether.
  package var fresh: [Kind]?
  package var refusal: HeaderError?
  /// Nobody has changed the files of the plugins.
  package var isUntouched = false
  /// Plugins whose headers are in processes, and those.
  package var isolated: Set<String> = []
  package let workers = LocalWorkers()

  package init() {}
  private var beforeReload: [Kind] = []

  package func isIsolated(_ name: String) -> Bool {
    behavior(named: name).map { isolated.contains($0.plugin) } ?? false
  }
  package func launch(_ plugins: [String]) -> any WorkerLaunch { LocalLaunch(self, in: workers) }
  package func usage(reset: Bool) -> [PluginUsageEntry] { [] }
  package func plugins(forShard index: Int) -> any ShardPlugins { self }

  package func behavior(named name: String) -> BehaviorDescription? {
    kinds.first { $0.description.name == name }?.description
  }
  package var behaviorNames: [String] { kinds.map(\.description.name).sorted() }

  package func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
    guard let kind = kinds.first(where: { $0.description.name == behavior }) else {
      throw .behaviorNotFound(behavior, known: behaviorNames, at: Path("behavior"))
    }
    return kind.make(name, kind.description)
  }

  package var loadedPlugins: [PluginEntry] {
    var names: [String] = []
    for kind in kinds where !names.contains(kind.description.plugin) { names.append(kind.description.plugin) }
    return names.map { name in
      PluginEntry(
        plugin: name, version: "1.0", abi: "1.0", path: "/plugins/lib\(name).so",
        behaviors: kinds.map(\.description).filter { $0.plugin == name })
    }
  }

  package func loadPlugin(_ name: String) throws(HeaderError) -> PluginEntry {
    if let present = loadedPlugins.first(where: { $0.plugin == name }) { return present }
    throw HeaderError(.pluginNotFound, "there is no plugin \"\(name)\" (lib\(name).so)", got: .text(name))
  }

  package func unloadPlugin(_ name: String) throws(HeaderError) {
    beforeReload = kinds
    kinds.removeAll { $0.description.plugin == name }
  }

  package func isUnchanged(_ plugin: String) -> Bool { isUntouched }

  package func reloadPlugin(_ name: String) throws(HeaderError) {
    if let refusal { throw refusal }
    beforeReload = kinds
    if let fresh { kinds = fresh }
  }

  package func restorePlugin(_ name: String) { kinds = beforeReload }
}

/// Moves the first drawer with the offset, between 0 and its height, before the content where it is asked; tells `progress`
/// and `phase`.
package class Shifter: ScrollDelegate {
  package static func description(_ name: String) -> BehaviorDescription {
    BehaviorDescription(
      name: name, plugin: name, summary: "Shifts the first drawer with the content", moves: true,
      events: EventSet(rawValue: EventSet.all.rawValue),
      options: [
        OptionSchema(
          name: "expansionResistance", type: .number, unit: "points", defaultValue: 0, minimum: 0,
          meaning: "Points of scrolling before it expands")
      ],
      values: [
        ValueDescription(name: "progress", type: .number, initial: .number(0), meaning: "0 expanded, 1 contracted"),
        ValueDescription(name: "phase", type: .text, initial: .text("expanded"), meaning: "How far it is"),
      ],
      calls: [
        CallDescription(
          name: "expand",
          arguments: [OptionSchema(name: "animated", type: .bool, defaultValue: false, meaning: "With an animation")],
          meaning: "Shows everything")
      ],
      notices: ["didFinishContracting", "frameDidChange"])
  }

  package override func attach(to header: Header) throws(DelegateFailure) {
    for drawer in header.drawers.indices { try header.claimDrawer(drawer, by: self) }
  }

  package override func receive(
    _ event: PassingEvent, _ answer: inout DelegateAnswer, in header: Header
  ) throws(DelegateFailure) {
    switch event.kind {
    case .didScroll:
      try shift(to: max(0, min(44, header.scrollViews[Int(event.scrollView)].contentOffset.y)), in: header)
    case .willScroll:
      let shifted = 20 - header.drawers[0].frame.origin.y
      let taken = max(0, min(44, shifted + event.delta.y)) - shifted
      try shift(to: shifted + taken, in: header)
      answer.consumed = Point(x: 0, y: taken)
      answer.hasConsumed = true
    case .willFling:
      // It has an eye for slow flings up.
      answer.consumed = Point(x: 0, y: max(-0.25, min(0, event.velocity.y)))
      answer.hasConsumed = true
    case .willEndDragging:
      answer.targetOffset = Point(x: 0, y: 176)
      answer.hasTargetOffset = true
      answer.returned = true
      answer.hasReturned = true
    default: break
    }
  }

  package func shift(to distance: Double, in header: Header) throws(DelegateFailure) {
    guard header.drawers.count >= 2 else { return }
    var frame = header.drawers[0].frame
    guard frame.origin.y != 20 - distance else { return }
    frame.origin.y = 20 - distance
    try header.setFrame(frame, ofDrawer: 0, by: self)
    try header.setAlpha(1 - distance / 44, ofDrawer: 1, by: self)
    try header.setValue(0, .number(distance / 44), by: self)
    try header.setValue(1, .text(distance == 0 ? "expanded" : distance == 44 ? "contracted" : "between"), by: self)
    try header.post(1, nil, isRoutine: true, by: self)
    if distance == 44 { try header.post(0, nil, isRoutine: false, by: self) }
  }

  package override func call(_ index: Int, _ arguments: Value.Record, in header: Header) throws(DelegateFailure)
    -> Value
  {
    try shift(to: 0, in: header)
    if arguments["animated"] == true {
      try header.animate(duration: 0.2, delay: 0, curve: .easeInOut, token: nil, by: self)
    }
    return ["expanded": true]
  }

  package override func save(in header: Header) throws(DelegateFailure) -> SavedState {
    SavedState(version: 1, state: ["claims": true])
  }
}

/// After `didEndDragging` five frames, each a point; and a timer of half a second, which posts a notice.
package final class Ticker: ScrollDelegate {
  package static let description = BehaviorDescription(
    name: "Ticker", plugin: "Ticker", summary: "Runs frames", moves: true, events: .all,
    values: [ValueDescription(name: "frames", type: .number, initial: .number(0), meaning: "Frames so far")],
    notices: ["rang"])
  private var count = 0

  package override func attach(to header: Header) throws(DelegateFailure) { try header.claimDrawer(0, by: self) }

  package override func receive(
    _ event: PassingEvent, _ answer: inout DelegateAnswer, in header: Header
  ) throws(DelegateFailure) {
    guard event.kind == .didEndDragging else { return }
    header.startFrames(by: self)
    try header.startTimer(1, after: 0.5, by: self)
  }

  package override func frame(duration: Double, in header: Header) throws(DelegateFailure) {
    count += 1
    try header.setValue(0, .number(Double(count)), by: self)
    if count % 5 == 0 { header.stopFrames(by: self) }
  }

  package override func timer(_ token: UInt64, in header: Header) throws(DelegateFailure) {
    try header.post(0, (["frames": .number(Double(count))] as Value).record, isRoutine: false, by: self)
  }
}

/// Fails when the content is scrolled beyond 100, refuses its option `poison`, refuses its call.
package final class Faulty: ScrollDelegate {
  package static let description = BehaviorDescription(
    name: "Faulty", plugin: "Faulty", summary: "Fails on demand", moves: true, events: .all,
    options: [OptionSchema(name: "poison", type: .number, defaultValue: 0, meaning: "Refused unless 0")],
    calls: [CallDescription(name: "refuse", meaning: "Always refused")])

  package override func setOption(_ index: Int, _ value: Value, in header: Header) throws(DelegateFailure) {
    guard value == .number(0) else { throw .refused("poison is poison") }
  }

  package override func receive(
    _ event: PassingEvent, _ answer: inout DelegateAnswer, in header: Header
  ) throws(DelegateFailure) {
    if event.kind == .didScroll, header.scrollViews[0].contentOffset.y > 100 {
      throw .failed("it gave NaN for a frame")
    }
  }

  package override func call(_ index: Int, _ arguments: Value.Record, in header: Header) throws(DelegateFailure)
    -> Value
  {
    throw .refused("not today")
  }
}

/// Does what a call tells it, so that a test can write down a life word by word: `a` posts notice a, `~r` posts it as
/// routine, `phase=x` and `on=true` set values, `p=0.5` moves, `!` animates, `>` commands, `@` posts notice c half a second later.
package final class Scripted: ScrollDelegate {
  package static let description = BehaviorDescription(
    name: "Scripted", plugin: "Scripted", summary: "Does as told", moves: false, events: .all,
    values: [
      ValueDescription(name: "phase", type: .text, initial: .text("x"), meaning: "A meaning"),
      ValueDescription(name: "on", type: .bool, initial: .bool(false), meaning: "A meaning"),
      ValueDescription(name: "p", type: .number, initial: .number(0), meaning: "A position"),
    ],
    calls: [
      CallDescription(
        name: "say",
        arguments: [OptionSchema(name: "words", type: .text, defaultValue: "", meaning: "What to do")],
        meaning: "Does it")
    ],
    notices: ["a", "b", "c", "r"])

  /// The same beside a shifter, whose values have other names.
  package static let teller = {
    var teller = description
    (teller.name, teller.plugin) = ("Teller", "Teller")
    teller.values[0] = ValueDescription(name: "mood", type: .text, initial: .text("x"), meaning: "A meaning")
    return teller
  }()

  package override func call(_ index: Int, _ arguments: Value.Record, in header: Header) throws(DelegateFailure)
    -> Value
  {
    for word in (arguments["words"] ?? "").text.split(separator: " ").map(String.init) { try say(word, in: header) }
    return .null
  }

  package override func timer(_ token: UInt64, in header: Header) throws(DelegateFailure) { try say("c", in: header) }

  private func say(_ word: String, in header: Header) throws(DelegateFailure) {
    switch word {
    case "!": try header.animate(duration: 0.2, delay: 0, curve: .linear, token: nil, by: self)
    case ">": try header.command("flashScrollIndicators", Value.Record(), for: 0, by: self)
    case "@": try header.startTimer(1, after: 0.5, by: self)
    case "~r": try header.post(3, nil, isRoutine: true, by: self)
    case "phase=a", "phase=b", "phase=x": try header.setValue(0, .text(String(word.suffix(1))), by: self)
    case "on=true", "on=false": try header.setValue(1, .bool(word == "on=true"), by: self)
    case _ where word.hasPrefix("p="): try header.setValue(2, .number(Double(word.dropFirst(2)) ?? 0), by: self)
    default:
      let number = Self.description.notices.firstIndex(of: word) ?? 0
      // With arguments a repeat is no routine.
      try header.post(number, Value.Record(fields: [.init(name: "n", value: 1)]), isRoutine: false, by: self)
    }
  }
}

/// A shifter that takes no drawer, moves nothing and has no values (`bystanders`), so that a header may have several.
package final class Bystander: Shifter {
  package override func attach(to header: Header) throws(DelegateFailure) {}
  package override func receive(
    _ event: PassingEvent, _ answer: inout DelegateAnswer, in header: Header
  ) throws(DelegateFailure) {}
}

/// A shifter that moves the content with itself, unless a finger does.
package final class Carrier: Shifter {
  private var isCarrying = false

  package override func receive(
    _ event: PassingEvent, _ answer: inout DelegateAnswer, in header: Header
  ) throws(DelegateFailure) {
    guard !isCarrying else { return }
    let before = header.drawers[0].frame.origin.y
    try super.receive(event, &answer, in: header)
    let (view, moved) = (Int(event.scrollView), header.drawers[0].frame.origin.y - before)
    guard event.kind == .didScroll, moved != 0, !header.scrollViews[view].isDragging else { return }
    isCarrying = true
    let place = header.scrollViews[view].contentOffset
    try header.setContentOffset(Point(x: place.x, y: place.y - moved), of: view, by: self)
    isCarrying = false
  }
}

/// A shifter that goes half the way from the moment at which the application becomes active.
package final class Halving: Shifter {
  private var isHalf = false

  package override func receive(
    _ event: PassingEvent, _ answer: inout DelegateAnswer, in header: Header
  ) throws(DelegateFailure) {
    if event.kind == .didBecomeActive { isHalf = true }
    guard isHalf, event.kind == .didScroll else { return try super.receive(event, &answer, in: header) }
    try shift(to: max(0, min(22, header.scrollViews[Int(event.scrollView)].contentOffset.y)), in: header)
  }

  package override func save(in header: Header) throws(DelegateFailure) -> SavedState {
    SavedState(version: 1, state: ["claims": true, "isHalf": .bool(isHalf)])
  }

  package override func restore(_ saved: SavedState, in header: Header) throws(DelegateFailure) {
    isHalf = saved.state.at("isHalf") == true
  }
}

/// A shifter that does not take over what another one saved.
package final class StubbornShifter: Shifter {
  package override func restore(_ saved: SavedState, in header: Header) throws(DelegateFailure) {
    throw .refused("version \(saved.version) of the saved state is unknown")
  }
}

/// What a reload brings in place of the behavior `ShyNavBar`.
package func shifters(_ make: @escaping (String, BehaviorDescription) -> ScrollDelegate) -> [TestPlugins.Kind] {
  [TestPlugins.Kind(description: Shifter.description("ShyNavBar"), make: make)]
}

/// The same for behaviors without values.
package func bystanders(_ make: @escaping (String, BehaviorDescription) -> ScrollDelegate) -> [TestPlugins.Kind] {
  var description = Shifter.description("ShyNavBar")
  description.values = []
  return [TestPlugins.Kind(description: description, make: make)]
}

extension Value {
  package var record: Value.Record {
    if case .record(let record) = self { return record }
    return Value.Record()
  }
}
