// SPDX-License-Identifier: MIT
//
// A state's line that is put together from a template is the line that is written name by name, byte for byte, whatever
// stands in the state and whatever its reader chose.

import HeaderCore
import HeaderModel
import HeaderTestKit
import HeaderWire
import Testing

@Suite struct StateTemplateTests {
  @Test(arguments: UInt64(0)..<8) func bothWaysWriteTheSame(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<10 {
      var state = try Self.header(&random).state
      let selection = random.oneIn(3) ? nil : Self.selection(of: state, &random)
      let template = StateTemplate(selection)
      var writer = JSONWriter()
      for _ in 0..<50 {
        Self.change(&state, &random)
        let parts = StateEncoder.Parts(rawValue: UInt8.random(in: 0..<16, using: &random))
        var lists = 0
        let expected = written { lists = plainNotification(state, parts, selection, into: &$0) }
        // Also into little room, and behind what another state left.
        if random.oneIn(3) { writer = JSONWriter() } else { writer.removeAll() }
        #expect(StateEncoder.notification(state, parts, template, into: &writer).upperBound == lists)
        #expect(String(decoding: writer.copy(), as: UTF8.self) == expected)
      }
    }
  }

  /// A state of nothing but drawers, scroll views and plain values is written in one piece.
  @Test func aFrameInOnePieceIsThatOfItsParts() throws {
    var random = SplitMix64(seed: 3)
    var description = HeaderDescription(header: "h")
    description.drawers = ["a", "b"].map { DrawerDescription(name: $0, height: 10, y: 0, width: 20) }
    description.scrollViews = [ScrollViewDescription(name: "content")]
    var state = try Header(description, epoch: 1, provider: Tellers()).state
    for _ in 0..<100 {
      Self.change(&state, &random)
      if random.oneIn(2) { state.wants = Wants() }
      let parts = StateEncoder.Parts(rawValue: UInt8.random(in: 0..<16, using: &random))
      var whole = FrameWriter()
      var inParts = FrameWriter()
      whole.opening()
      inParts.opening()
      let lists = StateEncoder.frame(state, handle: 7, parts, into: &whole)
      #expect(StateEncoder.frame(state, handle: 7, parts, StateSelection(), into: &inParts) == lists)
      #expect(whole.copy() == inParts.copy() && lists < whole.count)
    }
  }

  @Test func statesBehindOneAnotherAreLines() throws {
    var random = SplitMix64(seed: 2)
    let (one, other) = (try Self.header(&random).state, try Self.header(&random).state)
    let template = StateTemplate()
    let lines = written { writer in
      for state in [one, other] { _ = StateEncoder.notification(state, [], template, into: &writer) }
      writer.beginObject()
      writer.endObject()
    }
    #expect(
      lines == written { writer in
        for state in [one, other] { _ = plainNotification(state, into: &writer) }
      } + "{}")
  }

  @Test(arguments: [
    ("values", true), ("values.progress", true), ("values.guard.progress", true), ("values.a.b.c", false),
    ("drawers.navBar", true), ("drawers.a.b", false), ("drawers.", false), ("drawers.a b", false), ("", false),
    ("windows", false), ("wants", true), ("wants.topLayoutGuideLength", true), ("wants.progress", false),
    ("wants.", false),
  ])
  func aSelectionTakesWhatAStateMayHave(_ field: String, _ isTaken: Bool) {
    var selection = StateSelection.nothing
    #expect(selection.add(field) == isTaken)
    #expect((selection == .nothing) == !isTaken)
  }

  @Test func aTemplateFollowsItsHeader() throws {
    var random = SplitMix64(seed: 1)
    let (one, other) = (try Self.header(&random), try Self.header(&random))
    var later = one.state
    later.epoch += 1
    let template = StateTemplate()
    for state in [one.state, other.state, later, one.state] {
      #expect(
        written { _ = StateEncoder.notification(state, [], template, into: &$0) }
          == written { _ = plainNotification(state, into: &$0) })
    }
  }

  /// Numbers of which the template keeps the text, and one by one others: none of them is left from before.
  @Test func eachNumberThatChangesIsWritten() throws {
    var description = HeaderDescription(header: "h")
    description.drawers = [DrawerDescription(name: "d", height: 10, y: 0, width: 20)]
    description.scrollViews = [ScrollViewDescription(name: "content")]
    let state = try Header(description, epoch: 1, provider: Tellers()).state
    let changes: [(inout HeaderState) -> Void] = [
      { $0.drawers[0].center.x += 1 }, { $0.drawers[0].center.y += 1 }, { $0.drawers[0].size.width += 2 },
      { $0.drawers[0].size.height += 2 }, { $0.drawers[0].translation.x = 3 }, { $0.drawers[0].alpha = 0.5 },
      { $0.drawers[0].isHidden = true }, { $0.scrollViews[0].contentOffset.x = -0.0 },
      { $0.scrollViews[0].contentOffset.y = 1e300 }, { $0.scrollViews[0].contentInset.left = 7 },
      { $0.scrollViews[0].correction.x = 1 }, { $0.scrollViews[0].correction.y = 2 },
    ]
    let template = StateTemplate()
    for change in changes {
      var changed = state
      change(&changed)
      for state in [state, changed, changed, state] {
        #expect(
          written { _ = StateEncoder.notification(state, [], template, into: &$0) }
            == written { _ = plainNotification(state, into: &$0) })
      }
    }
  }

  /// Some of a state's parts, and some names that it does not have.
  private static func selection(of state: HeaderState, _ random: inout SplitMix64) -> StateSelection {
    var selection = StateSelection.nothing
    func add(_ part: String, _ names: [String]) {
      switch random.below(4) {
      case 0: _ = selection.add(part)
      case 1: break
      default:
        for name in names + ["nobody"] where random.oneIn(2) { _ = selection.add("\(part).\(name)") }
      }
    }
    let names = state.names
    add("drawers", names.drawers)
    add("elements", names.elements)
    add("scrollViews", names.scrollViews)
    add("values", names.values)
    add("wants", StateSelection.wishes)
    return selection
  }

  private static func header(_ random: inout SplitMix64) throws -> Header {
    var description = HeaderDescription(header: ["h", "a.much-longer.name_of.a.header"][random.below(2)])
    description.scrollViews = (0..<random.below(3)).map { index in
      ScrollViewDescription(name: ["content", "other", "x"][index])
    }
    if description.scrollViews.isEmpty { description.scrollViews = [ScrollViewDescription(name: "c")] }
    description.drawers = (0..<random.below(4)).map { index in
      var drawer = DrawerDescription(
        name: ["navBar", "extension", "d", String(repeating: "n", count: 64)][index], height: 10, y: 0, width: 20)
      drawer.elements = (0..<random.below(3)).map { number in
        ElementDescription(name: "e\(index)\(number)", frame: Rect(x: 1, y: 2, width: 4, height: 6))
      }
      return drawer
    }
    if random.oneIn(2) { description.delegates = [DelegateDescription(behavior: "Teller")] }
    let epoch = Int64.random(in: 1...9_007_199_254_740_991, using: &random)
    return try Header(description, epoch: epoch, provider: Tellers())
  }

  /// Numbers as headers have them, and all others.
  private static func number(_ random: inout SplitMix64) -> Double {
    switch random.below(6) {
    case 0: 0
    case 1: Double(random.below(20_000)) - 500
    case 2: Double(random.below(40_000_000)) / 10_000 - 200
    case 3: Double(random.below(1_000_000_000)) / 1e9
    case 4: -0.0
    default: randomNumber(using: &random)
    }
  }

  private static func point(_ random: inout SplitMix64) -> Point { Point(x: number(&random), y: number(&random)) }

  private static func insets(_ random: inout SplitMix64) -> Insets {
    Insets(top: number(&random), left: number(&random), bottom: number(&random), right: number(&random))
  }

  private static func change(_ state: inout HeaderState, _ random: inout SplitMix64) {
    state.seq = Int64.random(in: 1...(random.oneIn(2) ? 100_000 : .max), using: &random)
    let nanoseconds: Int64 =
      switch random.below(9) {
      case 0: Int64(random.below(2_000_000_000)) * 100_000
      case 1: Int64(random.below(2_000_000_000)) * 100_000_000
      case 2: Int64(random.below(1_000_000_000_000_000))
      case 3: -Int64(random.below(1_000_000_000)) * 100_000
      case 4: 1_763_690_400_000_000_000 + Int64(random.below(1_000_000_000)) * 100_000
      case 5: Instant(seconds: 1_763_690_400 + Double(random.below(1_000_000_000)) / 10_000).nanoseconds
      case 6: Int64(random.below(20_000_000_000_000_000))
      case 7: (1 << 23) * 1_000_000_000 + Int64(random.below(20)) - 10
      default: Int64(bitPattern: random.next())
      }
    state.time = Instant(nanoseconds: nanoseconds)
    state.framesActive = random.oneIn(4)
    state.trackingScrollView = Int32(random.below(state.scrollViews.count + 1)) - 1
    for index in state.drawers.indices {
      // A frame comes of sums; those of huge numbers would not be finite.
      state.drawers[index].center = Point(x: number(&random) / 8, y: number(&random) / 8)
      state.drawers[index].size = Size(width: abs(number(&random)) / 8, height: abs(number(&random)) / 8)
      state.drawers[index].translation =
        random.oneIn(3) ? Point(x: number(&random) / 8, y: number(&random) / 8) : Point()
      state.drawers[index].alpha = random.oneIn(2) ? 1 : Float(random.below(1001)) / 1000
      state.drawers[index].isHidden = random.oneIn(4)
    }
    for index in state.scrollViews.indices {
      var view = ScrollView()
      view.contentOffset = point(&random)
      view.contentInset = insets(&random)
      view.scrollIndicatorInsets = random.oneIn(3) ? insets(&random) : view.contentInset
      view.adjustedContentInset = random.oneIn(3) ? insets(&random) : view.contentInset
      view.decidesFrame = random.oneIn(3)
      view.frame = Rect(origin: point(&random), size: Size(width: number(&random), height: number(&random)))
      view.decidesContentSize = random.oneIn(3)
      view.contentSize = Size(width: number(&random), height: number(&random))
      view.correction = random.oneIn(2) ? Point() : point(&random)
      state.scrollViews[index] = view
    }
    for index in state.elements.indices {
      state.elements[index].isChanged = random.oneIn(2)
      state.elements[index].center = Point(x: number(&random) / 8, y: number(&random) / 8)
    }
    for index in state.values.indices {
      state.values[index].content =
        switch random.below(5) {
        case 0: .null
        case 1: .bool(true)
        case 2: .bool(false)
        case 3: .number(number(&random))
        default: .text(["", "short", "with \"quotes\" and \u{1}", String(repeating: "é", count: 300)][random.below(4)])
        }
    }
    state.wants = Wants()
    if random.oneIn(3) { state.wants.prefersStatusBarHidden = true }
    if random.oneIn(3) { state.wants.additionalSafeAreaInset = insets(&random) }
  }
}

/// A behavior with values of all lengths.
private final class Tellers: BehaviorProvider {
  func behavior(named name: String) -> BehaviorDescription? {
    BehaviorDescription(
      name: "Teller", plugin: "Teller", summary: "", moves: true, events: .all,
      values: ["v", "scrollPhasePercentage", "isContracting", "a\"b"].map { name in
        ValueDescription(name: name, type: .text, initial: .null, meaning: "")
      })
  }
  var behaviorNames: [String] { ["Teller"] }

  func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
    guard let description = self.behavior(named: behavior) else { throw HeaderError(.behaviorNotFound, "none") }
    return ScrollDelegate(name: name, behavior: description)
  }
}
