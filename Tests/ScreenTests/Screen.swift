// SPDX-License-Identifier: MIT
//
// A header, its content and a person before them: after each step it knows where the content is on the screen and where the header
// ends, and what a person would see between the two.
//
//     the edge ─┬──────────┐
//               │  header  │  far: how far it reaches from its edge; gone: what it reaches less than when all is shown
//               ├──────────┤  ◀ a gap, or content that is hidden at its beginning, where gone is not what the content is scrolled
//               │ content  │  place: how far that is scrolled from its beginning

import ConformanceKit
import HeaderCore
import HeaderInsight
import HeaderModel
import HeaderTestKit

/// What is wrong with what is seen.
struct Flaw: Error, CustomStringConvertible {
  var description: String
}

/// What is seen. Points along the edge's axis.
struct Look: Equatable {
  var far: Double
  /// The offset as the publisher counts it.
  var offset: Double
  /// The header's own moves of the content.
  var correction: Double
}

struct Screen {
  let subject: Subject
  /// Gets what each event has made of the header.
  var watcher: ((Header, EventAnswer) -> Void)?
  private(set) var header: Header
  private var time = 1.0
  /// How far the header reaches when all of it is shown.
  private var whole = 0.0
  /// What of that no drawer's height says.
  private var beyondDrawers = 0.0
  /// A call has put the header where the content is not, and it has not been back yet.
  private var isDisplaced = false
  /// The next movement may put it where its content has it.
  private var comesNext = false
  private var isDown = false
  /// Another scroll view has been shown.
  private var hasMetOther = false
  private var slack: Double { subject.excuses.contains(.singlePrecision) ? 1e-5 : Sight.slack }

  init(_ subject: Subject, restores: Bool) throws {
    self.subject = subject
    header = try Header(try subject.description(restores: restores), epoch: 1, provider: Built.registry())
    try requireHealth()
    whole = max(far, Self.height(of: header.description))
    beyondDrawers = whole - Self.height(of: header.description)
  }

  private static func height(of description: HeaderDescription) -> Double {
    description.drawers.reduce(0) { $0 + $1.maximumHeight }
  }

  // MARK: Looking

  private var index: Int { max(0, header.trackingScrollView) }
  private var view: ScrollView { header.scrollViews[index] }
  private var placement: Placement { subject.placement }
  private var length: Double { placement.isVertical ? view.contentSize.height : view.contentSize.width }
  private var extent: Double { placement.isVertical ? view.frame.size.height : view.frame.size.width }

  private func along(_ point: Point) -> Double { placement.isVertical ? point.y : point.x }

  private var far: Double {
    guard let last = header.state.drawers.last else { return 0 }
    let frame = last.frame
    switch placement {
    case .top: return frame.maxY
    case .leading: return frame.maxX
    case .bottom, .bottomByFinger:
      return view.viewport.height - header.environment.keyboardHeight - frame.origin.y
    case .trailing: return view.viewport.width - frame.origin.x
    }
  }

  var look: Look { Look(far: far, offset: along(view.contentOffset), correction: along(view.correction)) }

  private var insets: (near: Double, far: Double) {
    let inset = view.adjustedContentInset
    switch placement {
    case .top: return (inset.top, inset.bottom)
    case .bottom: return (inset.bottom, inset.top)
    case .bottomByFinger: return (inset.top, inset.bottom)
    case .leading: return (inset.left, inset.right)
    case .trailing: return (inset.right, inset.left)
    }
  }

  /// How far the content is scrolled, as the edge sees it.
  private var place: Double {
    let offset = along(view.contentOffset)
    return (placement.turnsRound ? farthest - offset : offset) + insets.near
  }

  /// The offset at which the content's end is in sight, without insets; content that fits has but one place.
  private var farthest: Double { max(length - extent, -insets.near - insets.far) }

  /// How far it can be scrolled.
  private var end: Double { max(0, length - extent + insets.near + insets.far) }

  /// The offset of the publisher's at a place.
  private func offset(at place: Double) -> PartialPoint {
    let own = place - insets.near
    let real = placement.turnsRound ? farthest - own : own
    return placement.isVertical ? PartialPoint(y: real) : PartialPoint(x: real)
  }

  // MARK: Doing

  @discardableResult
  private mutating func send(_ kind: ScrollEvent.Kind, to place: Double? = nil, _ reason: ScrollReason? = nil) throws
    -> EventAnswer
  {
    time += 1.0 / 64
    return try receive(ScrollEvent(kind, offset: place.map { self.offset(at: $0) }, reason: reason))
  }

  @discardableResult
  private func receive(_ event: ScrollEvent) throws -> EventAnswer {
    let answer = try header.receive(event, at: Instant(seconds: time))
    watcher?(header, answer)
    return answer
  }

  private func point(_ distance: Double) -> Point {
    let real = placement.turnsRound ? -distance : distance
    return placement.isVertical ? Point(y: real) : Point(x: real)
  }

  private func distance(_ point: Point?) -> Double {
    point.map { placement.turnsRound ? -along($0) : along($0) } ?? 0
  }

  /// One movement of the finger; the content goes at most 80 points beyond its ends.
  private mutating func drag(by wanted: Double, offered: Bool) throws {
    let before = look
    let runs = header.state.framesActive
    let beyond = subject.excuses.contains(.staysInside) ? 0.0 : 80
    let reach = max(-beyond, min(end + beyond, place + wanted)) - place
    var moved = 0.0
    if offered || subject.excuses.contains(.offersOnly) {
      let rest = distance(try send(.willScroll(delta: point(wanted), source: .drag)).residual)
      let target = min(max(place + rest, min(place, 0)), max(place, end))
      moved = target - place
      if moved != 0 { try send(.didScroll, to: target) }
      if rest != moved { try send(.didOverscroll(delta: point(rest - moved), source: .drag)) }
    } else {
      moved = reach
      try send(.didScroll, to: place + reach)
    }
    let after = look
    guard after != before else { return }
    // One that has left over content that is near goes on until it is where that is.
    defer { comesNext = comesNext && subject.excuses.contains(.snapsOver) && whole - far > max(0, place) + slack }
    guard !subject.excuses.contains(.leaps), !runs, !header.state.framesActive, !comesNext else { return }
    let took = abs(max(0, after.far) - max(0, before.far))
    guard took <= max(abs(wanted), abs(moved)) + slack else {
      throw Flaw(description: "the finger moved by \(wanted), the header's edge by \(after.far - before.far)")
    }
    let own = abs(after.correction - before.correction)
    guard own <= max(took, abs(wanted)) + slack else {
      throw Flaw(description: "the finger moved by \(wanted), and the header its content by \(own)")
    }
  }

  /// The finger lifts; content that is beyond its ends springs back.
  private mutating func lift() throws {
    isDown = false
    let target = max(0, min(end, place))
    if abs(target - place) <= slack {
      try send(.didEndDragging(willDecelerate: false))
    } else {
      try send(.didEndDragging(willDecelerate: true))
      try send(.willBeginDecelerating)
      try send(.didScroll, to: (place + target) / 2)
      try send(.didScroll, to: max(0, min(end, place)))
      try send(.didEndDecelerating)
    }
    try rest()
  }

  /// All has come to rest: it stays there.
  private mutating func rest() throws {
    try wait(3)
    guard !header.state.framesActive else { throw Flaw(description: "after three seconds it does not rest") }
    if subject.excuses.contains(.snapsOver), whole - far > place + slack { comesNext = true }
    // Where the inset at the content's end goes with the bar, content that is hardly longer than its view ends before the bar is gone.
    if placement == .bottomByFinger, option("insets") == "follow", place >= end - slack { return }
    let before = look
    try send(.didEndDragging(willDecelerate: false))
    try wait(3)
    if let flaw = Sight.flaw(restingAt: whole - before.far, goal: whole - far) { throw Flaw(description: flaw) }
    try expectSame(before, "let go again at rest", header: false)
  }

  private mutating func wait(_ seconds: Double) throws {
    time += seconds
    try send(.advance(frameDuration: nil))
  }

  private mutating func layOut(_ keys: Value.Record, to place: Double? = nil, _ reason: ScrollReason? = nil) throws {
    try send(.layout(try LayoutChange(keys)), to: place, reason)
  }

  private mutating func track(_ name: String) throws {
    hasMetOther = true
    try send(.willChangeTrackingScrollView(to: name))
    try send(.setTrackingScrollView(to: name))
  }

  private var sizeKeys: (Double) -> Value.Record {
    let isVertical = placement.isVertical
    return { ["contentSize": isVertical ? ["height": .number($0)] : ["width": .number($0)]] }
  }

  private func inset(adding points: Double) -> Value.Record {
    let inset = view.contentInset
    let side = placement == .bottomByFinger ? "top" : subject.nearSide
    let present =
      switch side {
      case "top": inset.top
      case "bottom": inset.bottom
      case "left": inset.left
      default: inset.right
      }
    return ["contentInset": [side: .number(present + points)]]
  }

  private func expectSame(_ before: Look, _ what: String, header: Bool = true, content: Bool = true) throws {
    let after = look
    let isSame =
      (!header || abs(after.far - before.far) <= slack) && (!content || abs(after.offset - before.offset) <= slack)
    guard !isSame else { return }
    throw Flaw(
      description:
        "\(what): the header reaches \(after.far) and not \(before.far), the content is at \(after.offset) and not "
        + "\(before.offset)")
  }

  // MARK: Steps

  /// Does one step and looks at what comes of it.
  mutating func perform(_ step: Step) throws {
    switch step {
    case .drag(let way, let offered):
      if !isDown { try send(.willBeginDragging) }
      isDown = true
      for distance in way { try drag(by: distance, offered: offered) }
    case .fling(let way):
      try send(.didEndDragging(willDecelerate: true))
      try send(.willBeginDecelerating)
      isDown = false
      for distance in way {
        let target = max(0, min(end, place + distance))
        if target != place, !subject.excuses.contains(.offersOnly) { try send(.didScroll, to: target) }
      }
      try send(.didEndDecelerating)
      try rest()
    case .lift: try lift()
    case .jump(let share, let animated):
      try lift()
      try send(.didScroll, to: end * share, .program)
      if animated { try send(.didEndScrollingAnimation) }
    case .rows(let count): try rows(count)
    case .tab(let name):
      // A finger that is on this one is not on the other; content that it has pulled beyond its ends springs back.
      if place < 0 || place > end { try lift() }
      isDown = false
      try track(name)
      comesNext = subject.excuses.contains(.comesAtOnce)
    case .tabAndBack(let name): try tabAndBack(name)
    case .refresh(let height): try refresh(height)
    case .keyboard(let height):
      try lift()
      let (before, wasDisplaced) = (look, isDisplaced)
      try layOut(["keyboardHeight": .number(height)])
      try judge()
      try layOut(["keyboardHeight": 0])
      if subject.excuses.contains(.turns) { comesNext = true }
      if !subject.excuses.contains(.turns), !wasDisplaced { try expectSame(before, "a keyboard has come and gone") }
    case .turn: try turn()
    case .reopen:
      let before = look
      header = try Header(header.description, epoch: 1, provider: Built.registry(), saved: try header.save())
      try expectSame(before, "it was opened again")
    case .openAnew: try openAnew()
    case .height(let height): try change(height)
    case .length(let length):
      try lift()
      try layOut(sizeKeys(length))
      if place > end || place < 0 { try send(.didScroll, to: max(0, min(end, place))) }
      // What the content did while it was too short counts from when it is not.
      if subject.excuses.isSuperset(of: [.comesAtOnce, .shortStays]) { comesNext = true }
    case .move(let progress):
      guard !subject.excuses.contains(.calls) else { return }
      guard header.positionReport?.report.position.travel ?? 0 > 0 else { return }
      try receive(ScrollEvent(.move(HeaderMove(to: .progress(progress)))))
      isDisplaced = true
    case .wait(let seconds): try wait(seconds)
    }
    try judge()
  }

  private mutating func rows(_ count: Double) throws {
    let (before, length, wasDisplaced) = (look, length, isDisplaced)
    // Content that fits, or that is pulled, is no content whose rows above are kept out of sight.
    guard length - extent + insets.near + insets.far > 0, place >= 0, place <= end else { return }
    // What is on its way goes on.
    guard !header.state.framesActive else { return }
    // What a refresh has left half-way over content too short for it, comes back when that changes.
    guard !view.hasRefreshControl || !subject.excuses.contains(.insetStays) || length - extent > whole else { return }
    for rows in [count, -count] {
      // Above, or to the left of, what is read: at a far edge that is the end which the edge does not see.
      let real = along(view.contentOffset) + rows
      let point = placement.isVertical ? PartialPoint(y: real) : PartialPoint(x: real)
      time += 1.0 / 64
      let keys = sizeKeys(rows > 0 ? length + rows : length)
      try receive(ScrollEvent(.layout(try LayoutChange(keys)), offset: point, reason: .content))
      if rows > 0, !subject.excuses.contains(.rows) {
        guard abs(look.far - before.far) <= slack, abs(look.offset - before.offset - rows) <= slack else {
          throw Flaw(description: "\(rows) points of rows came, and the header went from \(before.far) to \(look.far)")
        }
      }
    }
    // What a call has put out of place, comes back as soon as its content is where it belongs.
    if !subject.excuses.contains(.rows) {
      try expectSame(before, "rows have come and gone", header: !wasDisplaced || look.far < before.far)
    }
  }

  private mutating func tabAndBack(_ name: String) throws {
    try lift()
    let (before, present, gone) = (look, header.description.scrollViews[index].name, whole - far)
    let missing = gone - place
    guard name != present else { return }
    let wasDisplaced = isDisplaced
    try track(name)
    try judge()
    let hasRoom = place >= gone - slack
    try track(present)
    comesNext = subject.excuses.contains(.comesAtOnce)
    guard !subject.excuses.contains(.tabs) else { return }
    // What a call has put out of place comes back by it, and the content with the header; or that goes along with what is gone.
    let way = max(abs(look.far - before.far), missing)
    // Content that fits but for a header whose inset follows is at its end beneath one that came back over the other.
    let isPushed = option("insets") == "follow" && look.far > before.far + slack && abs(place - end) <= slack
    if !isPushed, !wasDisplaced || abs(look.offset - before.offset) > way + slack {
      try expectSame(before, "\(name) was shown, and this again", header: false)
    }
    // The first time it may have come to where its law has it; from then on nothing moves.
    let found = look
    try track(name)
    try track(present)
    try expectSame(found, "\(name) was shown, and this again twice", header: hasRoom && !wasDisplaced)
  }

  private mutating func refresh(_ height: Double) throws {
    try lift()
    let (before, gone) = (look, whole - far)
    var keys: Value.Record = ["refreshControl": ["refreshing": true, "height": .number(height)]]
    keys.fields += inset(adding: height).fields
    // It begins at the top, pulled down; elsewhere nothing moves. What is gone there comes back with the content.
    let isPulled = place <= 0
    let isLike = !subject.excuses.contains(.refreshes) && !(isPulled && gone > slack)
    let wasDisplaced = isDisplaced
    try layOut(keys)
    if isPulled { try send(.didScroll, to: 0) }
    if isLike { try expectSame(before, "a refresh has begun", content: !isPulled) }
    keys = ["refreshControl": ["refreshing": false, "height": 0]]
    keys.fields += inset(adding: -height).fields
    try layOut(keys)
    if place < 0 { try send(.didScroll, to: 0) }
    // The beginning of the content was nearer meanwhile: by so much of it is not displaced any more.
    let back = look.far - before.far
    let isBack = wasDisplaced && back >= 0 && back <= height + slack
    if isLike { try expectSame(before, "a refresh has ended", header: !isBack) }
  }

  private mutating func turn() throws {
    try lift()
    let (before, gone, wasDisplaced) = (look, whole - far, isDisplaced)
    try layOut(["viewport": ["width": 600, "height": 400]])
    let isMoved = abs(place - max(0, min(end, place))) > slack || place < gone - slack
    try judge()
    try layOut(["viewport": ["width": 400, "height": 600]])
    if subject.excuses.contains(.turns) { comesNext = true }
    guard !isMoved, !wasDisplaced, !subject.excuses.contains(.turns), end > whole else { return }
    // What is at the end of the content stays at that.
    guard abs(look.correction - before.correction) <= slack else { return }
    try expectSame(before, "the phone was turned, and turned back")
  }

  private mutating func openAnew() throws {
    try lift()
    var description = header.description
    for index in description.scrollViews.indices {
      description.scrollViews[index].record.contentOffset = header.scrollViews[index].contentOffset
      description.scrollViews[index].record.contentInset = header.scrollViews[index].contentInset
      description.scrollViews[index].record.contentSize = header.scrollViews[index].contentSize
    }
    description.trackingScrollView = header.description.scrollViews[index].name
    header = try Header(description, epoch: 1, provider: Built.registry())
    isDisplaced = false
    whole = Self.height(of: description) + beyondDrawers
  }

  private mutating func change(_ height: Double) throws {
    guard !subject.excuses.contains(.heights) else { return }
    try lift()
    guard let first = header.description.drawers.first, let record = header.drawers.elements.first else { return }
    let (gone, seen) = (whole - far, far)
    let isCollapsed = gone > 0 && header.positionReport?.report.position.progress == 1
    try layOut([
      "drawers": [["name": .text(first.name), "height": .number(height), "maximumHeight": .number(height)]]
    ])
    whole += height - record.maximumHeight
    // What is collapsed stays so, where its content leaves room.
    guard isCollapsed, !isDisplaced, record.minimumHeight < min(height, record.maximumHeight) else { return }
    if far > seen + slack, whole - far < max(0, place) - slack, end > 0 {
      throw Flaw(description: "its first drawer is \(height) points high now, and it went from \(seen) to \(far)")
    }
  }

  // MARK: Laws

  private func requireHealth() throws {
    for index in header.delegates.indices where header.isBypassed(index) {
      throw Flaw(description: "it is bypassed: \(header.failure?.message ?? "")")
    }
  }

  private mutating func judge() throws {
    try requireHealth()
    let gone = whole - far
    // Content that is pulled beyond its end goes back there; and the way that a call has put a header may be longer than what is seen.
    let way = max(gone, isDisplaced ? header.positionReport?.report.position.traveled ?? 0 : 0)
    if gone <= slack || min(place, end) >= way - slack { isDisplaced = false }
    guard !subject.excuses.contains(.gaps), !isDisplaced else { return }
    // Where the content's inset follows the header, its beginning does so as well.
    let scrolled = place + hiddenInset + (isBelow ? gone : 0)
    let room = length - extent + insets.near + insets.far + (isBelow ? 0 : hiddenInset)
    let sight = Sight(
      gone: gone, scrolled: placement == .bottomByFinger ? .infinity : scrolled, end: room)
    if let flaw = sight.flaw { throw Flaw(description: flaw) }
  }

  private var isBelow: Bool { option("content") == "below" }
  private var hiddenInset: Double { option("insets") == "follow" && placement != .bottomByFinger ? whole - far : 0 }

  private func option(_ name: String) -> Value? { header.description.delegates.first?.options[name] }

  /// A finger brings it back: the content goes to its beginning, and beyond.
  mutating func comeBack() throws {
    try lift()
    try send(.willBeginDragging)
    // What the content's own moves alone bring back, they bring back from afar.
    if subject.excuses.contains(.movesOnly) || hasMetOther && subject.excuses.contains(.countsFromDrag)
      || view.hasRefreshControl && subject.excuses.contains(.insetStays)
    {
      guard end > 4 * whole else { return }
      for _ in 0..<200 where place < 4 * whole { try drag(by: 60, offered: true) }
      try lift()
      try send(.willBeginDragging)
    }
    for _ in 0..<200 where place > 0 { try drag(by: -60, offered: true) }
    for _ in 0..<12 { try drag(by: -40, offered: true) }
    if subject.excuses.isDisjoint(with: [.offersOnly, .staysInside]) {
      for _ in 0..<3 { try send(.didScroll, to: min(place, 0) - 10) }
    }
    try lift()
    // What some libraries have hidden stays so over content that has become too short for them.
    guard !subject.excuses.contains(.shortStays) || end > 2 * whole else { return }
    // Blocks move by whole points.
    guard far >= whole - (subject.excuses.contains(.offersOnly) ? 0.5 : slack) else {
      throw Flaw(description: "at the content's beginning \(whole - far) points of it are gone for ever")
    }
  }
}
