// SPDX-License-Identifier: MIT
//
// Headers that follow movements alone (`follows = "movement"`): the content's position does not matter, and no gap between header and
// content is closed. Compose's bars, AMScrollingNavbar and GTScrollNavigationBar work like this; the peculiarities of each are options
// here, with their source in LAWS.md.
//
//     offer, scroll, leftover ─▶ is there room? past the delay? no bounce? ─▶ Chain ─▶ frames, values, notices

internal import CollapsingLaws
internal import HeaderPluginKit

/// Which scrolls count as movements, and their effects beside moving drawers.
struct MovementRules {
  enum ContentMoves: String, CaseIterable { case none, hide, both }
  enum Bounce: String, CaseIterable { case counts, noted, refused }
  // Each is an option, which explains it.
  var contentMoves = ContentMoves.both
  var bounce = Bounce.counts
  var (delay, factor, room) = (0.0, 1.0, 0.0)
  var carriesFling = false
  var snaps = true
  var takesOffers = true
  var fadesElements = false
  var holdsContent = false
  /// Movement of the content after the finger has lifted does not count: a bar that follows a pan does not see it.
  var endsWithFinger: Bool { bounce == .noted }
}

/// The state of a header that follows movements.
struct MovementState: Equatable {
  /// How far the content has moved by itself since it was at its top, points.
  var contentMoved = 0.0
  /// Points that are left of the delay.
  var delayLeft = 0.0
  /// A fling continues with the header.
  var carries = false
  /// Where the header was after each frame of it, and whether it ended because the header did not follow.
  var carried: [Double] = []
  var carryWasCut = false
  /// The content's movement since the last offer.
  var contentDid = 0.0
  /// The last scroll was none that counts.
  var isIgnored = false
  /// Each drawer's maximum and minimum height, where they are other ones now that count from the next movement on.
  var heights: [Double] = []

  /// The phase that was published last.
  var phase = Surroundings.Phase.expanded
}

extension CollapsingHeader {
  // MARK: Events

  /// Follows a movement of the content, by itself or under a finger.
  func followScroll(_ event: Event) {
    guard let view = scrollView else { return }
    let offset = view.contentOffset.y
    let distance = offset - (last ?? offset)
    movement.isIgnored = true
    guard hasRoom(view), !(movementRules.endsWithFinger && view.isDecelerating) else { return }
    guard movementRules.bounce == .noted else {
      movement.isIgnored = false
      last = offset
      followContent(distance)
      return drawOtherwise()
    }
    if distance != 0 { chain.lastHides = distance > 0 }
    let bounces = offset < -view.adjustedContentInset.top
    if bounces, chain.total == 0 {
      last = offset
      return drawOtherwise()
    }
    movement.isIgnored = false
    if enabled { _ = go(distance, .before) }
    if !bounces || chain.total == 0 { last = offset }
    drawOtherwise()
    fadeElements()
  }

  private func followContent(_ distance: Double) {
    guard enabled else { return }
    movement.contentDid = distance
    movement.contentMoved += distance
    let follows =
      switch movementRules.contentMoves {
      case .none: false
      case .hide: distance > 0
      case .both: true
      }
    // Also by nothing: other heights are taken into account by the next movement.
    if follows { _ = go(distance, .atTop) }
  }

  /// The part of a movement that the header takes before the content makes it.
  func followOffer(_ offer: Double) -> Double {
    guard enabled, movementRules.takesOffers, let view = scrollView, hasRoom(view), !isBounce(offer, view),
      passesDelay(offer, view)
    else {
      return 0
    }
    let taken = go(offer, .before)
    if movementRules.holdsContent, taken != 0, let index = host.trackingScrollView { host.carry(index, by: -taken) }
    tellPhase()
    drawOtherwise()
    guard taken != 0, consumes == .whole else { return NestedScroll.part(taken, of: offer) }
    return offer
  }

  /// The part that the header takes of a movement that the content left over.
  func followLeftover(_ left: Double, isFling: Bool) -> Double {
    if isFling { return movementRules.carriesFling ? carryFling(by: left) : 0 }
    guard enabled else { return 0 }
    if left < 0, movement.contentDid == 0, contentIsAtTop { movement.contentMoved = 0 }
    movement.contentDid = 0
    let taken = left < 0 && movementRules.takesOffers ? go(left, .atTop, isLeftover: true) : 0
    drawOtherwise()
    return NestedScroll.part(taken, of: left)
  }

  /// Compose forgets where its content was when that can go no further down: bars that return anywhere only at one of their ends.
  private var contentIsAtTop: Bool {
    guard returnsAnywhere else { return true }
    return chain.total == 0 || chain.total == chain.way
  }

  private var returnsAnywhere: Bool {
    chain.links.indices.contains { chain.links[$0].reach.way > 0 && chain.laws[$0].returns == .anywhere }
  }

  func followBegin() {
    guard let view = scrollView, hasRoom(view) else { return }
    if movementRules.bounce == .noted {
      last = view.contentOffset.y
      chain.lastHides = nil
      drawOtherwise()
    }
    catchRest()
  }

  // MARK: Moving

  /// The drawers go by a part of a movement.
  private func go(_ movement: Double, _ phase: Phase, isLeftover: Bool = false) -> Double {
    let distance = Grid.nearest(movement * movementRules.factor)
    let before = chain.total
    if isLeftover, returnsAnywhere { return 0 }
    takeHeights()
    _ = takeAlong(distance, phase)
    return chain.total - before
  }

  /// Keeps the former heights until the next movement, although the drawers have others.
  func holdHeights() {
    guard movement.heights.isEmpty else { return }
    movement.heights = chain.links.flatMap { [$0.reach.height, $0.reach.height - $0.reach.collapse] }
  }

  /// Other heights count from now on.
  func takeHeights() {
    guard !movement.heights.isEmpty else { return }
    movement.heights = []
    do { try makeChain() } catch { host.log(.warning, error.reason) }
  }

  /// The way with the heights that the drawers have.
  var presentWay: Double {
    guard !movement.heights.isEmpty else { return chain.way }
    var way = 0.0
    for index in chain.links.indices {
      let drawer = host.drawer(index)
      way += Reach(chain.laws[index], maximum: drawer.maximumHeight, minimum: drawer.minimumHeight).way
    }
    return way
  }

  private func hasRoom(_ view: ScrollView) -> Bool {
    movementRules.room == 0 || view.frame.height + movementRules.room * headerHeight < view.contentSize.height
  }

  /// What of the content is seen: a view below the header grows as that goes.
  private func seenHeight(_ view: ScrollView) -> Double {
    view.frame.height + (content == .below ? chain.total : 0)
  }

  private func isBounce(_ offer: Double, _ view: ScrollView) -> Bool {
    guard movementRules.bounce == .refused else { return false }
    let top = content == .under ? -expandedEdge : -between
    let offset = view.contentOffset.y
    let movement = offer * movementRules.factor
    if offset < top + movement { return true }
    let (length, seen) = (length(of: view), seenHeight(view))
    return movement < 0 && offset + seen > length && seen < length
  }

  private func length(of view: ScrollView) -> Double {
    view.contentSize.height + view.contentInset.top + view.contentInset.bottom
  }

  /// Content that fits keeps the header where it is, as in AMScrollingNavbar.
  var holdsShortContent: Bool {
    guard follows == .movement, shortContent == .holds, movementRules.bounce == .refused, let view = scrollView else {
      return false
    }
    return seenHeight(view) >= length(of: view)
  }

  /// The whole of the movement that uses the delay up counts, as in AMScrollingNavbar.
  private func passesDelay(_ offer: Double, _ view: ScrollView) -> Bool {
    let (hides, shows) = (offer > 0, offer < 0)
    if movementRules.delay > 0, hides || shows {
      movement.delayLeft -= abs(offer * movementRules.factor)
      if movement.delayLeft > 0, hides || movementRules.delay < view.contentOffset.y { return false }
    }
    if hides, chain.total < chain.way, holdsShortContent { return false }
    if hides && chain.total == chain.way || shows && chain.total == 0 { movement.delayLeft = movementRules.delay }
    return true
  }

  /// The far edge of the header when all of it is shown.
  var expandedEdge: Double { originEdge + headerHeight }

  /// The height of the header when all of it is shown.
  var headerHeight: Double {
    var height = 0.0
    for link in chain.links { height += link.reach.height }
    return height
  }

  // MARK: Flings

  /// Compose carries a fling that its content left over on, frame by frame, until a frame does not move the bar as it should.
  func followFling(_ velocity: Double) {
    let progress = chain.way > 0 ? chain.total / chain.way : 0
    movement.carried = []
    movement.carryWasCut = false
    movement.carries = movementRules.carriesFling && abs(velocity) > 0.001 && progress >= 0.01 && progress < 1
  }

  private func carryFling(by left: Double) -> Double {
    guard movement.carries else { return 0 }
    let before = chain.total
    _ = takeAlong(Grid.nearest(left), .atTop)
    let moved = chain.total - before
    // The original compares the frame's distance, in the finger's sign, with the bar's movement without one.
    if abs(-left - abs(moved)) > 0.5 {
      movement.carries = false
      movement.carryWasCut = true
    }
    movement.carried.append(chain.total)
    drawOtherwise()
    return NestedScroll.part(moved, of: left)
  }

  // MARK: Rest

  func followRest() {
    movement.carries = false
    guard movementRules.bounce != .noted || !movement.isIgnored else { return }
    takeHeights()
    if surroundings.tellsPhases { tellPhases() }
    movement.delayLeft = movementRules.delay
    // GTScrollNavigationBar does not snap before a first movement.
    if movementRules.snaps, movementRules.bounce != .noted || chain.lastHides != nil { rest() }
    drawOtherwise()
    fadeElements(isAtRest: chain.lastHides != nil)
    if movementRules.bounce == .noted, chain.total == 0, let view = scrollView { last = view.contentOffset.y }
  }

  // MARK: Phases

  func tellPhase() {
    guard surroundings.tellsPhases else { return }
    tellOffset()
    guard phase != movement.phase else { return }
    movement.phase = phase
    Self.outputs.willChangePhase.post([("phase", .text(phase.rawValue))], in: host)
  }

  private func tellPhases() {
    Self.outputs.willChangePhase.post([("phase", .text(phase.rawValue))], in: host)
  }

  private func tellOffset() {
    guard insets == .follow || insets == .along, let view = scrollView else { return }
    drawOtherwise()
    Self.outputs.didChangeInset.post(
      [("top", .number(view.contentInset.top)), ("phase", .text(phase.rawValue))], in: host)
  }

  /// Announces a rest that renderers draw. Even an animation of no length ends a turn later.
  func tellRest(for duration: Double) {
    guard surroundings.tellsPhases else { return }
    host.startTimer(Self.phaseToken, after: max(duration, 0.001))
    tellOffset()
    tellPhases()
  }

  func phaseIsOver() { Self.outputs.didChangePhase.post([("phase", .text(phase.rawValue))], in: host) }
}

extension CollapsingHeader {
  /// GTScrollNavigationBar fades the views on its bar, but for the background, which is the first. They are clear when the bar has gone
  /// as far as it is tall below its edge, less the parts that it keeps and that lie above it. Below a taller bar they never are, and only
  /// grow denser; at rest they are clear there, too.
  func fadeElements(isAtRest: Bool = false) {
    guard movementRules.fadesElements, host.drawerCount > 0, let link = chain.links.first else { return }
    let way = link.reach.travel - max(0, originEdge)
    let share = link.gone == 0 ? 0 : isAtRest || way == 0 ? 1 : link.seen / way
    let alpha = Double(max(Float(1e-6), Float(1 - share)))
    let record = host.drawer(0)
    for element in (record.firstElement..<(record.firstElement + record.elementCount)).dropFirst() {
      var look = host.look(element)
      guard !look.isHidden, look.alpha != 0 else { continue }
      look.alpha = alpha
      host.set(look, of: element)
    }
  }
}

// MARK: - Offers
//
// Nested scrolling: a movement is offered before the content makes it, and the part that the content could not make is offered again.
//
//     willScroll      what hides, and of what shows the part that returns anywhere; the rest is left to the content
//     didOverscroll   down, at the content's top: everything comes back, then what stretches grows
//     under           the content goes along with what was taken, as a move of the header's own: where a didScroll of the whole
//                     movement would have brought both
//     below           the content's view hangs on the header's edge: nothing is written

extension CollapsingHeader {
  /// The part that the header takes of an offer, points in the offset's sign.
  func take(_ offer: Double, _ phase: Phase) -> Double {
    guard enabled, offer != 0, let index = host.trackingScrollView else { return 0 }
    let view = host.scrollView(index)
    giveUp(nested.begin(offer, at: view.contentOffset.y))
    let from = position(of: view)
    // Drawers that a call has hidden over content that fits come back with a pull.
    let end = end(of: index, at: from - nested.ahead) ?? (phase == .atTop ? 0 : nil)
    guard let end, abs(from + offer) <= NestedScroll.bound else { return 0 }
    let way = offer > 0 && content == .under ? min(offer, max(0, end - from)) : offer
    let before = chain.total
    let consumed = offer < 0 && phase == .before && !mayReturn(view) ? 0 : consume(way, from: from, phase)
    // A displacement by a call is used up as the header comes back.
    let over = phase == .atTop ? max(0, min(displacement, before - chain.total)) : 0
    displacement -= over
    if content == .under { carry(index, by: consumed + over, phase) }
    nested.advance(by: way)
    nested.took(consumed, at: host.scrollView(index).contentOffset.y)
    if phase == .atTop { _ = nested.drop(way - consumed) }
    settle()
    guard consumed != 0, consumes == .whole, phase == .before else { return consumed }
    _ = nested.drop(nested.ahead)
    return offer
  }

  /// Carries the content along by the taken part, but not beyond its top unless a drawer stretches there.
  private func carry(_ index: Int, by consumed: Double, _ phase: Phase) {
    let room = phase == .atTop && isStretchy ? Double.infinity : max(0, position(of: host.scrollView(index)))
    host.carry(index, by: max(consumed, -room))
  }

  /// The part that is taken of a way: by drawers that are stretched, by the drawers' laws, by drawers that stretch.
  private func consume(_ way: Double, from: Double, _ phase: Phase) -> Double {
    guard content == .under else { return consume(way, phase) }
    if way > 0 {
      // Beyond the content's top nothing hides.
      let beyond = min(way, max(0, -from))
      return (isStretchy ? beyond : 0) + consume(way - beyond, phase)
    }
    let taken = consume(way, phase)
    guard phase == .atTop, isStretchy else { return taken }
    return taken + max(way - taken, min(0, -from) - chain.pullRoom)
  }

  private var isStretchy: Bool { stretches && !host.environment.limitsMotion }

  /// The drawers' part of a movement, as a part of the way; the rest by the grid is remembered.
  private func consume(_ way: Double, _ phase: Phase) -> Double {
    let movement = Grid.nearest(way + dust)
    let taken = takeAlong(movement, phase)
    guard taken == movement else { return NestedScroll.part(taken, of: way) }
    dust = way + dust - movement
    return way
  }

  /// The part that the header takes of a movement that the content could not make.
  func takeLeft(_ left: Double) -> Double {
    guard left < 0, let view = scrollView else { return 0 }
    giveUp(nested.leave(left, at: view.contentOffset.y).given)
    return take(left, .atTop)
  }
}
