// SPDX-License-Identifier: MIT
//
// Delegates that work after others: followers, yielding, elements with an owner, named values.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

/// A delegate made of what it shall do.
private final class Part: ScrollDelegate {
  var onAttach: (Part, Header) throws(DelegateFailure) -> Void = { (_, _) throws(DelegateFailure) in }
  var onLayout: (Part, Header) throws(DelegateFailure) -> Void = { (_, _) throws(DelegateFailure) in }
  var layouts = 0

  override func attach(to header: Header) throws(DelegateFailure) { try onAttach(self, header) }

  override func restore(_ saved: SavedState, in header: Header) throws(DelegateFailure) { try onAttach(self, header) }

  override func layout(in header: Header) throws(DelegateFailure) {
    layouts += 1
    try onLayout(self, header)
  }

  /// A frame, a timer or a call moves the first drawer ten points down.
  override func frame(duration: Double, in header: Header) throws(DelegateFailure) { try moveOn(header) }
  override func timer(_ token: UInt64, in header: Header) throws(DelegateFailure) { try moveOn(header) }
  override func afterEvent(_ token: UInt64, in header: Header) throws(DelegateFailure) { try moveOn(header) }
  override func call(_ index: Int, _ arguments: Value.Record, in header: Header) throws(DelegateFailure) -> Value {
    try moveOn(header)
    return .null
  }

  private func moveOn(_ header: Header) throws(DelegateFailure) {
    var frame = header.drawers[0].frame
    frame.origin.y += 10
    try header.setFrame(frame, ofDrawer: 0, by: self)
  }

  /// didScroll moves the first drawer to the offset.
  override func receive(_ event: PassingEvent, _ answer: inout DelegateAnswer, in header: Header)
    throws(DelegateFailure)
  {
    let y = header.scrollViews[0].contentOffset.y
    guard header.owns(0, self) else { return }
    try header.setFrame(Rect(x: 0, y: -y, width: 100, height: 40), ofDrawer: 0, by: self)
    try header.setValue(0, .number(y), by: self)
  }
}

private final class Parts: BehaviorProvider {
  var parts: [String: Part] = [:]
  var behaviorNames: [String] { ["Mover", "Follower"] }

  func behavior(named name: String) -> BehaviorDescription? { description(of: name) }

  private func description(of name: String) -> BehaviorDescription {
    let values =
      name == "Mover" ? [ValueDescription(name: "place", type: .number, initial: .number(0), meaning: "y")] : []
    return BehaviorDescription(
      name: name, plugin: "Parts", summary: "", moves: name == "Mover", events: name == "Mover" ? .all : [],
      options: [OptionSchema(name: "yields", type: .bool, defaultValue: false, meaning: "")], values: values,
      calls: name == "Mover" ? [CallDescription(name: "go", meaning: "")] : [])
  }

  func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
    if let part = parts[name] { return part }
    let part = Part(name: name, behavior: description(of: behavior))
    parts[name] = part
    return part
  }

  /// The part of a name, made before the header is.
  subscript(name: String, behavior: String) -> Part {
    let part = Part(name: name, behavior: description(of: behavior))
    parts[name] = part
    return part
  }
}

@Suite struct FollowingTests {
  private func description(_ delegates: [DelegateDescription]) throws -> HeaderDescription {
    var unknown: [UnknownField] = []
    var description = try HeaderDescription(
      [
        "header": "main", "drawers": [["name": "bar", "height": 40, "elements": [["name": "title"]]]],
      ], at: Path(""), unknown: &unknown)
    description.delegates = delegates
    return description
  }

  private static func claims(_ part: Part, _ header: Header) throws(DelegateFailure) {
    guard header.isFree(0, for: part) || header.description.delegates[Int(part.index)].options["yields"] != true else {
      return
    }
    try header.claimDrawer(0, by: part)
  }

  private static func follows(_ part: Part, _ header: Header) throws(DelegateFailure) {
    header.followChanges(by: part)
    try header.claimElement(0, by: part)
  }

  /// The follower stands before the mover and still sees where the drawer ends up in the same event.
  @Test func aFollowerRunsAfterEverybody() throws {
    let parts = Parts()
    parts["mover", "Mover"].onAttach = Self.claims
    let follower = parts["follower", "Follower"]
    follower.onAttach = Self.follows
    follower.onLayout = { (part, header) throws(DelegateFailure) in
      var look = header.elements[0]
      guard case .number(let place)? = header.value(named: "place") else { return }
      look.center = Point(x: place, y: header.drawers[0].frame.origin.y)
      try header.setElement(0, look, by: part)
    }
    let header = try Header(
      description([
        DelegateDescription(behavior: "Follower", name: "follower"),
        DelegateDescription(behavior: "Mover", name: "mover"),
      ]),
      epoch: 1, provider: parts)
    #expect(follower.layouts == 1)
    _ = try header.receive(ScrollEvent(.didScroll, offset: PartialPoint(y: 7)))
    #expect(header.state.elements[0].center == Point(x: 7, y: -7))
    #expect(follower.layouts == 2)
    // Nothing changes, nothing is followed.
    _ = try header.receive(ScrollEvent(.didScroll, offset: PartialPoint(y: 7)))
    #expect(follower.layouts == 2)
    #expect(header.value(named: "mood") == nil)
  }

  /// Whatever moved the drawer, the element follows in the state that says so.
  @Test(arguments: ["frame", "timer", "afterEvent", "call"]) func aFollowerHearsOfEverything(_ what: String) throws {
    let parts = Parts()
    let mover = parts["mover", "Mover"]
    mover.onAttach = Self.claims
    let follower = parts["follower", "Follower"]
    follower.onAttach = Self.follows
    follower.onLayout = { (part, header) throws(DelegateFailure) in
      var look = header.elements[0]
      look.center.y = header.drawers[0].frame.origin.y
      try header.setElement(0, look, by: part)
    }
    var description = try description([
      DelegateDescription(behavior: "Follower", name: "follower"),
      DelegateDescription(behavior: "Mover", name: "mover"),
    ])
    description.frames = .events
    let header = try Header(description, epoch: 1, provider: parts)
    _ = try header.receive(ScrollEvent(.didAppear), at: Instant(nanoseconds: 0))
    var states = 0
    func check(_ state: borrowing HeaderState) {
      states += 1
      #expect(state.elements[0].center.y == state.drawers[0].frame.origin.y)
    }
    let kind: ScrollEvent.Kind =
      what == "call"
      ? .call(name: "go", arguments: Value.Record(), delegate: nil) : .advance(frameDuration: nil)
    switch what {
    case "frame": header.startFrames(by: mover)
    case "timer": try header.startTimer(1, after: 0.5, by: mover)
    case "afterEvent": try header.afterEvent(1, by: mover)
    default: break
    }
    _ = try header.receive(ScrollEvent(kind), at: Instant(nanoseconds: 1_000_000_000), emit: check)
    #expect(states > 0)
    #expect(header.drawers[0].frame.origin.y >= 10)
  }

  /// A claimed element is free again for its owner's successor only.
  @Test func aReloadKeepsItsElements() throws {
    let parts = Parts()
    parts["first", "Follower"].onAttach = Self.follows
    let second = parts["second", "Mover"]
    let header = try Header(
      description([
        DelegateDescription(behavior: "Follower", name: "first"),
        DelegateDescription(behavior: "Mover", name: "second"),
      ]),
      epoch: 1, provider: parts)
    #expect(!header.isElementFree(0, for: second))
    #expect(!header.isElementFree(1, for: second))
    let fresh = parts["first", "Follower"]
    fresh.onAttach = Self.follows
    try header.replaceDelegate(at: 0, with: fresh)
    #expect(header.isElementFree(0, for: fresh))
    #expect(!header.isElementFree(0, for: second))
    let modest = parts["first", "Follower"]
    try header.replaceDelegate(at: 0, with: modest)
    #expect(header.isElementFree(0, for: second))
  }

  @Test func twoThatWantADrawerAreNamed() throws {
    let parts = Parts()
    parts["first", "Mover"].onAttach = Self.claims
    parts["second", "Follower"].onAttach = Self.claims
    let description = try description([
      DelegateDescription(behavior: "Mover", name: "first"), DelegateDescription(behavior: "Follower", name: "second"),
    ])
    let error = #expect(throws: HeaderError.self) { try Header(description, epoch: 1, provider: parts) }
    #expect(error?.name == .conflict)
    #expect(error?.message == "delegates[0]: \"second\" and \"first\" both want the drawer \"bar\"")
  }

  /// Whoever yields is attached last, wherever it stands in the chain.
  @Test(arguments: [0, 1]) func whoYieldsGetsWhatIsLeft(_ place: Int) throws {
    let parts = Parts()
    let mover = parts["mover", "Mover"]
    mover.onAttach = Self.claims
    let other = parts["other", "Follower"]
    other.onAttach = Self.claims
    var delegates = [DelegateDescription(behavior: "Mover", name: "mover")]
    delegates.insert(
      DelegateDescription(
        behavior: "Follower", name: "other", options: Value.Record(fields: [.init(name: "yields", value: true)])),
      at: place)
    let header = try Header(description(delegates), epoch: 1, provider: parts)
    #expect(header.owns(0, mover))
    #expect(!header.owns(0, other))
  }

  /// Each of the sixteen numbers is looked at.
  @Test(arguments: 0..<16) func aTransformWithoutEndIsRefused(_ place: Int) throws {
    let parts = Parts()
    let follower = parts["follower", "Follower"]
    follower.onAttach = Self.follows
    let header = try Header(
      description([DelegateDescription(behavior: "Follower", name: "follower")]), epoch: 1, provider: parts)
    var numbers = Transform.identity.numbers
    numbers[place] = .infinity
    var look = header.elements[0]
    look.transform = try #require(Transform(numbers: numbers))
    #expect(throws: DelegateFailure.self) { try header.setElement(0, look, by: follower) }
    #expect(header.elements[0].transform == .identity)
  }

  @Test func anElementHasOneOwner() throws {
    let parts = Parts()
    parts["first", "Follower"].onAttach = Self.follows
    parts["second", "Follower"].onAttach = Self.follows
    #expect(throws: HeaderError.self) {
      try Header(
        description([
          DelegateDescription(behavior: "Follower", name: "first"),
          DelegateDescription(behavior: "Follower", name: "second"),
        ]),
        epoch: 1, provider: parts)
    }
  }
}
