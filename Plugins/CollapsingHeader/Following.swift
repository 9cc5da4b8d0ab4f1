// SPDX-License-Identifier: MIT
//
// Headers that do not follow the content's position (`follows`): what handles each kind, and the call `facts`.
//
//     movement    Movement.swift    offers and scrolls as they come
//     looks       this file         each look at the content shows or hides all of it (Laws/Decision.swift)
//     ratio       this file         two drawers share one progress (Laws/BoundPair.swift)
//     block       this file         drawers that move as one block, in whole points (Laws/Block.swift)

internal import CollapsingLaws
internal import HeaderPluginKit

extension CollapsingHeader {
  func attachOtherwise() {
    chain.place(initially.traveled)
    movement.contentMoved = initially.contentMoved
    movement.delayLeft = movementRules.delay
    last = scrollView?.contentOffset.y
    fits = contentFits
    makeLaw()
    switch follows {
    case .ratio: makePair()
    case .block: changesBlock { $0.begin(expanded: self.beginsExpanded) }
    case .movement, .looks, .place: drawOtherwise()
    }
  }

  /// The law of a header that does not go by its drawers' laws.
  func makeLaw() {
    switch follows {
    case .looks: decision = Decision(decisionRules, at: last ?? 0)
    case .ratio: pair = freshPair
    case .block: block = presentBlock
    case .movement, .place: break
    }
  }

  func drawOtherwise() {
    if follows == .ratio { return makePair() }
    if follows == .block { return }
    layOut()
    if chain.violation != nil { check() }
  }

  // MARK: Looks

  /// The content is on the screen, and is looked at from now on.
  func beginLooking() {
    guard follows == .looks, let view = scrollView else { return }
    decision?.last = view.contentOffset.y
    look()
  }

  func look() {
    guard let view = scrollView else { return }
    let top = view.adjustedContentInset.top
    let scene = (
      offset: view.contentOffset.y + top, viewport: view.frame.height, content: view.contentSize.height,
      header: headerHeight
    )
    decide { $0.look(scene, self.decisionRules, counts: enabled) }
  }

  /// Changes the decision and performs its steps.
  func decide(_ change: (inout Decision) -> [Decision.Step]) {
    guard var changed = decision else { return }
    let steps = change(&changed)
    decision = changed
    for step in steps { perform(step) }
    layOut()
  }

  private func perform(_ step: Decision.Step) {
    let outputs = Self.outputs
    switch step {
    case .reachTop: outputs.didReachTop.post(in: host)
    case .leaveTop: outputs.didLeaveTop.post(in: host)
    case .reachBottom: outputs.didReachBottom.post(in: host)
    case .leaveBottom: outputs.didLeaveBottom.post(in: host)
    case .show:
      stand(at: 0, animated: true)
      outputs.didShow.post(in: host)
    case .hide(let animated):
      stand(at: chain.way, animated: animated)
      outputs.didHide.post(in: host)
    case .returnToFlow:
      stand(at: 0, animated: false)
      outputs.didReturnToFlow.post(in: host)
      host.startTimer(Self.flowToken, after: 0.001)
    }
  }

  /// Looks are switched off: a header of the content's goes back into it at once.
  func switchLooks(_ isOn: Bool) {
    guard follows == .looks, isAttached, !rests, !isOn, decisionRules.place == .flow else { return }
    guard var changed = decision, changed.standing != .inFlow else { return }
    changed.goBackIntoFlow()
    decision = changed
    stand(at: 0, animated: false)
    Self.outputs.didReturnToFlow.post(in: host)
  }

  /// Other heights, or other surroundings: the block stays as it was seen.
  func layOutBlock(_ event: Event) {
    let matters: LayoutKeys = [.drawers, .structure, .safeAreaInset, .viewport]
    if !event.given.intersection(matters).isEmpty { makeBlock() }
  }

  // MARK: Facts

  /// The answer to the call `facts`.
  var facts: Value {
    var fields: [(name: String, value: Value)] = [
      ("traveled", .number(chain.total)), ("travel", .number(chain.way)),
      ("progress", .number(presentWay > 0 ? chain.total / presentWay : 0)),
      ("phase", .text(phase.rawValue)),
      ("lastMovement", chain.lastHides.map { .text($0 ? "hide" : "show") } ?? .null),
    ]
    switch follows {
    case .place: fields += contentFacts
    case .movement: fields += movementFacts
    case .looks: fields += lookFacts
    case .ratio: fields += pairFacts
    case .block: fields += blockFacts
    }
    return .record(fields)
  }

  private var movementFacts: [(name: String, value: Value)] {
    var travel = 0.0
    for drawer in host.drawers { travel += drawer.maximumHeight - drawer.minimumHeight }
    let covered = max(0, min(travel, movement.contentMoved))
    return [
      ("contentMoved", .number(movement.contentMoved)), ("delayLeft", .number(movement.delayLeft)),
      ("carried", .list(movement.carried.map { .number($0) })), ("carryWasCut", .bool(movement.carryWasCut)),
      ("overlap", .number(travel > 0 ? covered / travel : 0)),
    ]
  }

  private var lookFacts: [(name: String, value: Value)] {
    guard let decision else { return [] }
    return [
      ("place", .text(decision.standing.rawValue)), ("isFrozen", .bool(decision.isFrozen)),
      ("isAtTop", decision.isAtTop.map { .bool($0) } ?? .null),
      ("isAtBottom", decision.isAtBottom.map { .bool($0) } ?? .null), ("isAnimated", .bool(isAnimated)),
      ("seen", .text(decision.seen.rawValue)), ("hasMoved", .bool(hasMoved)), ("look", Self.value(of: decision.found)),
      ("marks", .list(decision.marks.list.map { .text($0) })),
    ]
  }

  private static func value(of found: Decision.Findings) -> Value {
    .record([
      ("offset", .number(found.offset)), ("before", .number(found.before)),
      ("direction", .text(found.hides ? "down" : "up")), ("distance", .number(abs(found.offset - found.before))),
      ("isOutOfBounds", .bool(found.isOutOfBounds)), ("isAtTop", .bool(found.isAtTop)),
      ("isAtBottom", .bool(found.isAtBottom)), ("exceeds", .bool(found.exceeds)),
    ])
  }

  private var pairFacts: [(name: String, value: Value)] {
    guard let pair else { return [] }
    func facts(_ name: String, _ place: String, _ side: PairSide) -> [(name: String, value: Value)] {
      [
        ("\(name)ShownRatio", .number(Double(side.ratio))), ("content\(place)Offset", .number(side.shown)),
        ("\(name)MinimumShown", .number(Double(side.minimumOffset))),
        ("\(name)Lowest", .number(Double(side.lowest))), ("\(name)Highest", .number(Double(side.highest))),
      ]
    }
    return facts("top", "Top", pair.top) + facts("bottom", "Bottom", pair.bottom) + [
      ("isAnimating", .bool(pair.isAnimating)), ("isShowing", .bool(pair.isGoingToShow)),
      ("held", .text(pair.constraint.rawValue)),
    ]
  }

  // MARK: Calls

  /// Moves all of the header off the screen.
  func hideAll(animated: Bool, duration: Double) {
    if follows == .looks { return decide { $0.hide() } }
    guard chain.total == 0 else { return }
    // Counted by the screen: a drawer that goes further than off its edge may stop before its end.
    let goal = holdsShortContent ? 0 : min(chain.way, expandedEdge)
    stand(at: goal, animated: animated, for: duration)
    carryAfterCall(by: headerHeight - goal)
  }

  /// Brings all of the header back.
  func showAll(animated: Bool, duration: Double, scrollsToTop: Bool) {
    if follows == .looks { return decide { $0.show() } }
    guard chain.total == chain.way, chain.way > 0 else { return }
    let goal = max(0, chain.way - expandedEdge)
    stand(at: goal, animated: animated, for: duration)
    carryAfterCall(by: chain.way - goal - headerHeight)
    guard scrollsToTop else { return }
    if animated { host.startTimer(Self.scrollToken, after: duration) } else { scrollToTop() }
  }

  /// All of the header comes back from wherever it is, and the last movement is forgotten.
  func reset(animated: Bool) {
    if follows == .looks { return decide { $0.show() } }
    chain.lastHides = nil
    stand(at: 0, animated: animated)
    fadeElements()
  }

  func scrollToTop() {
    guard let index = host.trackingScrollView else { return }
    let top = (content == .under ? -expandedEdge : 0) - between - topMargin
    host.command("scrollTo", .record([("y", .number(top)), ("animated", .bool(true))]), for: index)
  }

  private func stand(at traveled: Double, animated: Bool, for duration: Double = 0.2) {
    catchRest()
    let before = chain.total
    chain.place(traveled)
    isAnimated = animated
    hasMoved = true
    if animated { host.animate(duration: duration, .easeInOut) }
    if follows == .movement, before != traveled { tellPhase() }
    settle()
  }

  /// AMScrollingNavbar moves the content by the header's height after a call, whatever the header did.
  private func carryAfterCall(by distance: Double) {
    guard follows == .movement, movementRules.holdsContent, permitted == 0...1, let index = host.trackingScrollView
    else { return }
    host.carry(index, by: distance)
  }

  func becomeActive() {
    movement.phase = phase
    switch onActive {
    case .stays: break
    case .expands: showAll(animated: false, duration: 0, scrollsToTop: false)
    case .resets: reset(animated: false)
    }
  }

  /// Continues from a place that the application has remembered: a page that was left and is shown again.
  func remember(_ standing: Decision.Standing, at offset: Double) {
    decision = Decision(standing: standing, last: offset, names: decisionRules.marks)
    chain.place(standing == .hidden ? chain.way : 0)
    layOut()
  }

  /// Nothing is known any more.
  func forgetLooks() {
    guard let view = scrollView else { return }
    var fresh = Decision(decisionRules, at: view.contentOffset.y)
    fresh.marks.clear()
    fresh.isFrozen = decision?.isFrozen ?? false
    decision = fresh
    chain.place(0)
    layOut()
  }
}

// MARK: - Pairs
//
// Two drawers that share one progress (`follows = "ratio"`): the first hangs on the top edge, the second stands at the bottom of the
// viewport. `BoundPair` (Laws/) decides, this file applies its decisions.

extension CollapsingHeader {
  /// Header time in whole microseconds.
  private var microseconds: Double { Double(host.time / 1000) }

  private var contentOffset: Double { scrollView?.contentOffset.y ?? 0 }

  /// The heights of a drawer as the header has them; a pair of one has no second.
  private func heights(_ index: Int) -> PairHeights {
    guard index < host.drawerCount else { return PairHeights(height: 0, minimum: 0) }
    let drawer = host.drawer(index)
    return PairHeights(height: drawer.maximumHeight, minimum: drawer.minimumHeight)
  }

  var freshPair: BoundPair { BoundPair(top: heights(0), bottom: heights(1), rules: pairRules) }

  /// The pair of the drawers that there are.
  func makePair() {
    pair?.setHeights(top: heights(0), bottom: heights(1), animated: animatesHeights)
    showPair()
  }

  /// The pair has changed, and is shown.
  func changesPair(_ change: (inout BoundPair) -> Void) {
    guard var changed = pair else { return }
    change(&changed)
    pair = changed
    showPair()
  }

  /// The part that the pair takes of an offer. A pair that catches up with the finger, or turns, moves further than the offer. The
  /// content, which hangs on its edge, is scrolled by the difference, and stays under the finger.
  func followPairOffer(_ offer: Point) -> Point {
    guard pair != nil else { return Point() }
    var left: Double?
    changesPair { left = $0.scroll(by: offer.y, at: contentOffset, time: microseconds) }
    guard let left else { return offer }
    // Single precision is no movement.
    let whole = Double(Float(offer.y))
    let taken = NestedScroll.part(whole - left, of: whole)
    carryPairContent(by: left - (whole - taken))
    return Point(y: NestedScroll.part(taken, of: offer.y))
  }

  /// Keeps the content where it is visible while the edge that it hangs on moves in an animation.
  func pairFrame() {
    var scrolled = 0.0
    changesPair { scrolled = $0.advance(to: microseconds, at: contentOffset) }
    carryPairContent(by: scrolled)
    // One more frame follows, in which nothing is scrolled back.
    if pair?.isAnimating == false, scrolled == 0 { host.stopFrames() }
  }

  private func carryPairContent(by distance: Double) {
    guard content == .below, distance != 0, let index = host.trackingScrollView else { return }
    host.carry(index, by: distance)
  }

  /// How the extent of the viewport will change by a scroll, as Chromium asks.
  func predict(_ current: Double, distance: Double) -> Double {
    guard let pair else { return current }
    let sides = [pair.top, pair.bottom]
    if distance > 0, current > 0 { return sides.reduce(current) { $0 + ($1.ratio < 1 ? $1.shown : 0) } }
    guard distance < 0, current < 0 else { return current }
    return sides.reduce(current) { $0 - ($1.ratio > 0 ? $1.height - $1.shown : 0) }
  }

  private func showPair() {
    guard let pair else { return }
    place(0, at: pair.top.shown - pair.top.height)
    if host.drawerCount > 1 { place(1, at: (scrollView?.frame.height ?? 0) - pair.bottom.shown) }
    if pair.isAnimating, !host.framesAreActive { host.startFrames() }
    if knowsSurroundings { lookAround(edge: pair.top.shown) }
  }

  private func place(_ index: Int, at top: Double) {
    let record = host.drawer(index)
    let size = Size(width: record.size.width, height: record.maximumHeight)
    host.setCenter(Point(x: record.center.x, y: top + size.height * 0.5), size: size, of: index)
  }
}

// MARK: - Blocks
//
// Drawers that move as one block (`follows = "block"`): Laws/Block.swift decides, this file applies its decisions. Heights, minimum
// heights and the points that are gone (hidden) are the drawers' own, flags and margins are the option `blocks`.

/// The content of a record of `blocks`.
struct BlockGiven {
  var drawer: String?
  var part = BlockPart()

  /// Reads the option: the record without a name at a place is for the drawer at that place.
  static func list(_ value: Value) throws(Refusal) -> [BlockGiven] {
    var all: [BlockGiven] = []
    for var fields in try Fields.list(value, at: "blocks") {
      var given = BlockGiven()
      if fields.has("drawer") { given.drawer = try fields.text("drawer") }
      given.part.flags = Set(try fields.choices("flags"))
      given.part.marginTop = Int(try fields.number("marginTop", default: 0, in: 0...1e6))
      given.part.marginBottom = Int(try fields.number("marginBottom", default: 0, in: 0...1e6))
      given.part.fitsInset = try fields.bool("fitsInset", default: false)
      given.part.curve = try fields.curve("curve", default: .linear)
      given.part.compresses = try fields.bool("compresses", default: false)
      try fields.finish()
      all.append(given)
    }
    return all
  }
}

extension CollapsingHeader {
  /// The block with the drawers and options as they are.
  var presentBlock: Block {
    var fresh = block ?? Block()
    fresh.rules = blockRules
    fresh.rules.inset = whole(host.environment.safeAreaInset.top)
    fresh.rules.parentHeight = whole(scrollView?.frame.height ?? 0)
    fresh.parts = (0..<host.drawerCount).map { index in
      var part = given(index)?.part ?? BlockPart()
      let drawer = host.drawer(index)
      part.height = whole(drawer.maximumHeight)
      part.minimumHeight = whole(drawer.minimumHeight)
      part.isGone = drawer.isHidden
      if let old = block?.parts, old.indices.contains(index) { part.keepPlace(of: old[index]) }
      return part
    }
    return fresh
  }

  /// Options or drawers of a block have changed.
  func remakeBlock() { if isAttached, !rests, follows == .block { makeBlock() } }

  func makeBlock() {
    block = presentBlock
    changesBlock { $0.layOut() }
  }

  private func given(_ index: Int) -> BlockGiven? {
    let name = host.drawerName(index)
    if let named = blocks.first(where: { $0.drawer == name }) { return named }
    return blocks.indices.contains(index) && blocks[index].drawer == nil ? blocks[index] : nil
  }

  private func whole(_ number: Double) -> Int { Int(max(-1e6, min(1e9, number))) }

  func changesBlock(_ change: (inout Block) -> Void) {
    guard var changed = block else { return }
    changed.contentScroll = scrollView.map { $0.contentOffset.y + $0.adjustedContentInset.top } ?? 0
    change(&changed)
    let news = changed.news
    changed.news = []
    block = changed
    for new in news { tell(new) }
    drawBlock()
  }

  private func tell(_ news: BlockNews) {
    switch news {
    case .offset(let offset): Self.outputs.didMove.post([("offset", .number(Double(offset)))], in: host)
    case .rest(let from, let to, let milliseconds):
      Self.outputs.willRest.post(
        [
          ("from", .number(Double(from))), ("to", .number(Double(to))),
          ("duration", .number(Double(milliseconds) / 1000)),
        ], in: host)
    }
  }

  private func drawBlock() {
    guard let block else { return }
    for (index, part) in block.parts.enumerated() where index < host.drawerCount {
      let record = host.drawer(index)
      let height = Double(part.bottom - part.top)
      host.setCenter(
        Point(x: record.center.x, y: Double(part.top + block.offset) + height * 0.5),
        size: Size(width: record.size.width, height: height), of: index)
      guard part.compresses else { continue }
      host.setTranslation(Point(y: Double(part.translation)), of: index)
      host.setAlpha(Double(part.alpha), of: index)
    }
    if tellsProgress {
      Self.outputs.traveled.set(Double(-block.logical), in: host)
      Self.outputs.progress.set(block.total > 0 ? Double(-block.logical) / Double(block.total) : 0, in: host)
    }
    if knowsSurroundings { lookAround(edge: Double(block.offset + block.height)) }
    Self.outputs.isLifted.set(block.isLifted, in: host)
    Self.outputs.isResting.set(block.isResting, in: host)
    if block.wantsFrames { if !host.framesAreActive { host.startFrames() } } else { host.stopFrames() }
  }

  func blockFrame() { changesBlock { $0.advance(to: Double(host.time / 1000)) } }

  func offerToBlock(_ distance: Double, isFling: Bool, isLeftover: Bool) -> Double {
    let kind: BlockScroll = isFling ? .fling : .touch
    var taken = 0
    changesBlock {
      taken = isLeftover ? $0.offerLeft(whole(distance), kind) : $0.offer(whole(distance), kind)
    }
    return NestedScroll.part(Double(taken), of: distance)
  }

  /// A finger on the block itself.
  func touchBlock(_ action: String, at y: Double) {
    changesBlock {
      switch action {
      case "down": $0.touch(at: y)
      case "move": $0.drag(to: y)
      default: $0.drop(isCancelled: action == "cancel")
      }
    }
  }

  var blockFacts: [(name: String, value: Value)] {
    guard let block else { return [] }
    func number(_ number: Int) -> Value { .number(Double(number)) }
    let parts = block.parts.map { part -> Value in
      var fields: [(name: String, value: Value)] = [("top", number(part.top)), ("bottom", number(part.bottom))]
      if part.compresses {
        fields += [
          ("translationY", .number(Double(part.translation))), ("alpha", .number(Double(part.alpha))),
          ("clip", part.clip.map { .list([number($0.top), number($0.bottom)]) } ?? .null),
        ]
      }
      return .record(fields)
    }
    return [
      ("offset", number(block.offset)), ("logicalOffset", number(block.logical)),
      ("bottom", number(block.offset + block.height)), ("contentTop", number(block.contentTop)),
      ("contentHeight", number(block.contentHeight)), ("total", number(block.total)), ("down", number(block.down)),
      ("downPre", number(block.downPre)), ("isLifted", .bool(block.isLifted)), ("accepted", .bool(block.accepted)),
      ("parts", .list(parts)),
    ]
  }
}
