// SPDX-License-Identifier: MIT
//
// The tables of the state's members against their output: a line has the members of the schema and no others, a frame sets each field
// of header_wire.h, and FrameTranslator makes of a line the frame that the daemon writes itself.

import CHeaderWire
import HeaderCore
import HeaderModel
import HeaderTestKit
import HeaderWire
import Testing

@Suite struct StateTableTests {
  /// Each member is in one of these states.
  @Test func aLineHasTheMembersOfTheSchema() throws {
    var random = SplitMix64(seed: 1)
    var members = Members()
    for _ in 0..<60 {
      let state = Self.state(&random)
      var bytes: [UInt8] = []
      var places = 0..<0
      let template = StateTemplate()
      template.ahead = Self.ahead(of: state, &random)
      for parts in [StateEncoder.Parts.snapshot, [.routine, .calls, .explanation]] {
        let line = written { places = StateEncoder.notification(state, parts, template, into: &$0) }
        bytes = Array(line.utf8)
        members.walk(try document(bytes).member("params"), "State")
      }
      // The second notice is counted, the second command has no room.
      var lists = ConflatedLists(limit: 3)
      for _ in 0..<2 { lists.append(state.happened, state.names, changes: [], owners: [], includingRoutine: true) }
      members.walk(
        try document(lists.line(after: bytes, positions: places.upperBound, calls: nil)).member("params"), "State")
    }
    #expect(members.unknown == [])
    for (place, seen) in members.seen {
      #expect(members.known[place] == seen, "\(place) of the schema, and of lines")
    }
    // The state, its eight kinds of records, notices, constraints, and four shapes; its ahead and that of a drag, each with
    // twice a keyframe with six records.
    #expect(members.seen.count == 15 + 2 * (1 + 2 * 7))
  }

  @Test(arguments: UInt64(0)..<8) func aFrameOfALineIsTheFrame(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<40 {
      let state = Self.state(&random)
      let parts: StateEncoder.Parts = random.oneIn(4) ? .snapshot : [.routine, .calls, .explanation]
      let grid = random.oneIn(2) ? Grid(unit: 0.3) : nil
      let template = StateTemplate(on: grid)
      template.ahead = random.oneIn(2) ? Self.ahead(of: state, &random) : nil
      let line = written { _ = StateEncoder.notification(state, parts, template, into: &$0) }
      var translator = FrameTranslator(OneHandle())
      let frames = translator.frames(of: Array(line.dropLast().utf8))
      var writer = FrameWriter()
      _ = StateEncoder.frame(state, handle: 7, parts, on: grid, ahead: template.ahead, into: &writer)
      // The names come first.
      let names = Int(frames[0]) + Int(frames[1]) << 8
      #expect(Array(frames[names...]) == writer.copy(), "\(line)")
    }
  }

  @Test func aTranslatorTellsNamesOnceInAHeadersLife() {
    var random = SplitMix64(seed: 3)
    let state = Self.state(&random)
    let text = written { _ = StateEncoder.notification(state, .snapshot, StateTemplate(), into: &$0) }
    let line = Array(text.dropLast().utf8)
    let end = Array(#"{"method":"closed","params":{"header":"h","epoch":7,"seq":9,"reason":"closed"}}"#.utf8)
    var translator = FrameTranslator(OneHandle())
    var kinds: [UInt8] = []
    for line in [line, line, end, line] { kinds.append(translator.frames(of: line)[4]) }
    // NAMES before the first state, STATE, CLOSED, and NAMES again.
    #expect(kinds == [0x91, 0x92, 0x94, 0x91])
  }

  @Test func aFrameHasEachField() throws {
    var random = SplitMix64(seed: 2)
    var fields = Fields()
    for _ in 0..<60 {
      let state = Self.state(&random)
      var writer = FrameWriter()
      let ahead = Self.ahead(of: state, &random)
      _ = StateEncoder.frame(state, handle: 7, [.routine, .calls, .explanation], ahead: ahead, into: &writer)
      fields.read(writer.copy())
      var lists = ConflatedLists(limit: 3)
      for _ in 0..<2 { lists.append(state.happened, state.names, changes: [], owners: [], includingRoutine: true) }
      writer = FrameWriter()
      let positions = StateEncoder.frame(state, handle: 7, .snapshot, ahead: ahead, into: &writer)
      fields.read(lists.frame(after: writer.copy(), positions: positions, calls: nil))
    }
    #expect(fields.missing == [])
    #expect(fields.records.count == 15)
  }

  /// A wish that is added to `Wants` and to no table is missed here.
  @Test func eachWishIsSavedWrittenAndCanBeChosen() throws {
    let stored = Mirror(reflecting: Wants()).children.compactMap(\.label)
    #expect(Wants.members.map(\.name) == stored)
    #expect(StateSelection.wishes == stored)
    let state = JSONSchema.written["State"]?.member("properties").member("wants").member("properties")
    guard case .record(let written)? = state else { throw MissingSchema() }
    #expect(Set(written.fields.map(\.name)) == Set(stored))

    var wants = Wants()
    (wants.prefersStatusBarHidden, wants.preferredStatusBarStyle) = (true, .lightContent)
    (wants.additionalSafeAreaInset, wants.topLayoutGuideLength) = (Insets(top: 1), 2)
    #expect(try Wants(saved: wants.saved, at: Path("wants")) == wants)
    let inset: Value = ["additionalSafeAreaInset": ["left": 3], "topLayoutGuideLength": .null]
    var fields = try FieldReader(inset, at: Path("wants"))
    try Wants.members.read(&fields, into: &wants)
    #expect(wants.additionalSafeAreaInset == Insets(top: 1, left: 3))
    #expect(wants.topLayoutGuideLength == nil)
    for name in stored {
      guard case .record(let saved) = wants.chosen([name]).saved else { throw MissingSchema() }
      for field in saved.fields where field.name != name {
        #expect(field.value == .null || field.value == false, "\(field.name) was not chosen")
      }
    }
  }

  private struct MissingSchema: Error {}

  // MARK: - States

  /// How a state goes on, with all that a keyframe can have.
  private static func ahead(of state: HeaderState, _ random: inout SplitMix64) -> StateAhead {
    func keyframe() -> Value.Record { StateEncoder.keyframe(Self.state(&random), at: 40, StateSelection()) }
    func ahead(_ dragged: StateAhead? = nil) -> StateAhead {
      StateAhead(
        seq: state.seq, offset: 20, growing: [keyframe(), keyframe()], shrinking: [keyframe()],
        isReversible: random.oneIn(2), dragged: dragged)
    }
    return ahead(random.oneIn(2) ? ahead() : nil)
  }

  /// A state of whose members each has its default or something else.
  static func state(_ random: inout SplitMix64) -> HeaderState {
    var state = HeaderState(header: "h", epoch: 7)
    state.names = HeaderNames(
      drawers: ["navBar", "tools"], scrollViews: ["content", "list"], elements: ["title", "back"],
      delegates: ["guard", "bar"], values: ["open", "height", "phase", "none"],
      lengths: [false, true, false, false], notices: [["didHide"], ["didShow"]])
    func maybe<Content>(_ content: Content, _ other: Content) -> Content { random.oneIn(2) ? content : other }
    func number() -> Double { Double(1 + random.below(4000)) / 16 }
    func point() -> Point { Point(x: number(), y: -number()) }
    func rect() -> Rect { Rect(x: number(), y: number(), width: number(), height: number()) }
    func insets() -> Insets { Insets(top: number(), left: number(), bottom: number(), right: number()) }
    state.seq = Int64(1 + random.below(1000))
    state.time = Instant(seconds: number())
    state.framesActive = random.oneIn(2)
    state.trackingScrollView = Int32(random.below(3)) - 1
    state.drawers = (0..<2).map { _ in
      var drawer = Drawer(frame: rect())
      drawer.alpha = maybe(0.3, 1)
      drawer.isHidden = random.oneIn(2)
      drawer.zIndex = maybe(-3, 0)
      drawer.translation = maybe(point(), Point())
      return drawer
    }
    state.scrollViews = (0..<2).map { _ in
      var view = ScrollView()
      (view.contentOffset, view.contentInset) = (point(), insets())
      view.scrollIndicatorInsets = maybe(insets(), view.contentInset)
      view.adjustedContentInset = maybe(insets(), view.contentInset)
      (view.decidesFrame, view.decidesContentSize) = (random.oneIn(2), random.oneIn(2))
      (view.frame, view.contentSize) = (rect(), Size(width: number(), height: number()))
      view.correction = maybe(point(), Point())
      return view
    }
    state.elements = (0..<2).map { drawer in
      var element = Element(drawer: Int32(drawer), frame: rect())
      element.bounds.origin = point()
      element.transform = maybe(Transform(numbers: (0..<16).map { _ in number() }) ?? .identity, .identity)
      (element.zIndex, element.cornerRadius) = (maybe(number(), 0), maybe(number(), 0))
      (element.alpha, element.isHidden, element.isChanged) = (maybe(0.7, 1), random.oneIn(2), true)
      return element
    }
    state.values = [.bool(random.oneIn(2)), .number(number()), .text("é"), .null].map {
      NamedValue(delegate: 0, content: $0)
    }
    state.wants.prefersStatusBarHidden = random.oneIn(2)
    state.wants.preferredStatusBarStyle = maybe(.lightContent, nil)
    state.wants.additionalSafeAreaInset = maybe(insets(), nil)
    state.wants.topLayoutGuideLength = maybe(number(), nil)
    if random.oneIn(2) {
      let isHeld = random.oneIn(2)
      state.position = PositionReport(
        position: Position(traveled: number(), travel: 500), permitted: isHeld ? 0.25...0.75 : 0...1,
        motion: maybe(3, nil),
        constraints: isHeld ? [Constraint(name: "tour", permitted: 0.25...0.75, priority: 2, holder: "app")] : [],
        obstruction: maybe(insets(), nil))
    }
    state.happened.notices = [
      .init(delegate: 1, name: .behavior(0), arguments: maybe(["x": 1], nil), isRoutine: random.oneIn(2))
    ]
    state.happened.commands = [.init(scrollView: 1, name: "scrollBy", arguments: maybe(["animated": true], [:]))]
    let spring = AnimationCurve.spring(mass: 1, stiffness: 200, damping: 26, initialVelocity: 0.5)
    state.happened.animations = [
      .init(delegate: 1, duration: number(), delay: maybe(number(), 0), curve: maybe(spring, .easeOut))
    ]
    state.happened.calls = [.init(delegate: 1, kind: .willEndDragging, depth: 1)]
    state.happened.explanation = maybe(.init(["states": 1]), nil)
    return state
  }
}

extension Value {
  func member(_ name: String) -> Value {
    if case .record(let record) = self, let value = record[name] { value } else { .null }
  }
}

private final class OneHandle: HeaderHandles {
  func handle(of _: String) -> Int { 7 }
  func header(with _: Int) -> String? { nil }
}

/// The members that lines have, by the places of their records in the schema.
private struct Members {
  private let schemas = JSONSchema.written
  private(set) var known: [String: Set<String>] = [:]
  private(set) var seen: [String: Set<String>] = [:]
  private(set) var unknown: Set<String> = []

  mutating func walk(_ value: Value, _ name: String) { walk(value, schemas[name] ?? .null, name) }

  private mutating func walk(_ value: Value, _ schema: Value, _ place: String) {
    if case .text(let reference) = schema.member("$ref") {
      let name = String(reference.split(separator: "/").last ?? "")
      // How an explanation is written stands with the explanation.
      return name == "Explanation" ? () : walk(value, schemas[name] ?? .null, name)
    }
    if case .list(let choices) = schema.member("oneOf") {
      for choice in choices where value != .null { walk(value, choice, place) }
    }
    if case .list(let entries) = value { for entry in entries { walk(entry, schema.member("items"), place) } }
    guard case .record(let record) = value else { return }
    if case .record(let properties) = schema.member("properties") {
      known[place] = Set(properties.fields.map(\.name))
      seen[place, default: []].formUnion(record.fields.map(\.name))
      for field in record.fields {
        guard let inner = properties[field.name] else {
          unknown.insert("\(place).\(field.name)")
          continue
        }
        walk(field.value, inner, "\(place).\(field.name)")
      }
    } else if case .record = schema.member("additionalProperties") {
      for field in record.fields { walk(field.value, schema.member("additionalProperties"), place) }
    }
  }
}

/// The fields of a STATE frame's structs that were something else than 0.
private struct Fields {
  private(set) var records: [String: [String: Bool]] = [:]
  private var bytes: [UInt8] = []
  private var place = 0

  /// Fields that were 0 in all records, `zero` and what is like it left out.
  var missing: Set<String> {
    Set(
      records.flatMap { record, fields in
        fields.filter { !$0.value && !$0.key.contains("zero") }.map { "\(record).\($0.key)" }
      })
  }

  mutating func read(_ frame: [UInt8]) {
    (bytes, place) = (frame, 0)
    let head = next(header_wire_state.self)
    entries(head.drawers, head.scroll_views, head.elements, head.values, Int(head.flags))
    let lists = next(header_wire_lists.self)
    for _ in 0..<lists.notices {
      let notice = next(header_wire_notice.self)
      place += Int(notice.name_size) + Int(notice.delegate_size) + Int(notice.arguments_size)
    }
    for _ in 0..<lists.commands {
      let command = next(header_wire_command.self)
      place += Int(command.name_size) + Int(command.scroll_view_size) + Int(command.arguments_size)
    }
    for _ in 0..<lists.animations { place += Int(next(header_wire_animation.self).delegate_size) }
    for _ in 0..<lists.calls { place += Int(next(header_wire_call.self).delegate_size) }
    if Int(head.flags) & HEADER_WIRE_HAS_EXPLANATION != 0 { place += Int(next(header_wire_explanation.self).size) }
    #expect(place + Int(lists.ahead_size) == frame.count)
    guard lists.ahead_size > 0 else { return }
    if Int(ways()) & HEADER_WIRE_HAS_DRAGGED != 0 { #expect(Int(ways()) & HEADER_WIRE_HAS_DRAGGED == 0) }
    #expect(place == frame.count)
  }

  /// - Returns: the flags.
  private mutating func ways() -> UInt32 {
    let ahead = next(header_wire_ahead.self)
    for _ in 0..<ahead.growing + ahead.shrinking {
      let start = place
      let keyframe = next(header_wire_keyframe.self)
      entries(keyframe.drawers, keyframe.scroll_views, keyframe.elements, keyframe.values, Int(keyframe.flags))
      #expect(place == start + Int(keyframe.size))
    }
    return ahead.flags
  }

  private mutating func entries(_ drawers: UInt16, _ views: UInt16, _ elements: UInt16, _ values: UInt16, _ flags: Int)
  {
    for _ in 0..<drawers { _ = next(header_wire_drawer.self) }
    for _ in 0..<views { _ = next(header_wire_scroll_view.self) }
    for _ in 0..<elements {
      if Int(next(header_wire_element.self).flags) & HEADER_WIRE_HAS_TRANSFORM != 0 { place += 128 }
    }
    for _ in 0..<values { place += Int(next(header_wire_value.self).text_size) }
    if flags & HEADER_WIRE_HAS_WANTS != 0 { _ = next(header_wire_wants.self) }
    if flags & HEADER_WIRE_HAS_POSITION != 0 { place += Int(next(header_wire_position.self).more_size) }
  }

  private mutating func next<Record: BitwiseCopyable>(_: Record.Type) -> Record {
    let record = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: place, as: Record.self) }
    place += MemoryLayout<Record>.size
    note(record, "", in: "\(Record.self)")
    return record
  }

  private mutating func note(_ value: Any, _ path: String, in record: String) {
    let children = Mirror(reflecting: value).children
    for child in children { note(child.value, "\(path).\(child.label ?? "")", in: record) }
    if children.isEmpty {
      records[record, default: [:]][path, default: false] =
        records[record]?[path] == true || !["0", "0.0"].contains("\(value)")
    }
  }
}
