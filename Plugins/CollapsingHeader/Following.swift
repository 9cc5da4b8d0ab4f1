// SPDX-License-Identifier: MIT
//
// Headers that do not follow the content's position (`follows`): the file that handles each kind, and the call `facts`.
//
//     movement    Movement.swift    offers and scrolls as they come
//     looks       this file         each look at the content shows or hides all of it (Laws/Decision.swift)
//     ratio       Pair.swift        two drawers share one progress (Laws/BoundPair.swift)
//     block       BlockFollowing.swift    drawers that move as one block, in whole points (Laws/Block.swift)

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
    guard follows == .looks, isAttached, !isOn, decisionRules.place == .flow, var changed = decision else { return }
    guard changed.standing != .inFlow else { return }
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
