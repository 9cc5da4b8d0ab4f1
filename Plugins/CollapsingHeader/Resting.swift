// SPDX-License-Identifier: MIT
//
// Coming to rest: when nothing moves the header any more, each drawer with a rest goes to one of its stops.
//
//     release, with a fling ─▶ the fling's target is moved, so that the content comes to rest where the drawer does
//     no movement any more  ─▶ frames from where the drawers are to their stops; a finger that comes catches them there

internal import CollapsingLaws
internal import HeaderPluginKit

/// Drawers on their way to their stops.
struct Resting {
  /// One drawer's way; points of movement.
  struct Leg {
    var link: Int
    var from: Double
    var to: Double
  }

  var legs: [Leg] = []
  var motion = Rest().motion
  /// Seconds since the start; below 0: the next frame is the start.
  var elapsed = 0.0
  /// The first time some drawers did not get to a stop, and nothing has moved them since: now they rest where they get to.
  var isSecond = false

  var isActive: Bool { !legs.isEmpty }

  /// Advances the motion.
  /// - Returns: the share of the way that is gone now; nil: the motion has ended.
  mutating func advance(by duration: Double) -> Double? {
    elapsed = elapsed < 0 ? 0 : elapsed + duration
    return elapsed < motion.duration ? motion.share(at: elapsed) : nil
  }
}

extension CollapsingHeader {
  /// Nothing moves the header any more.
  func rest() {
    guard chain.rests, !resting.isActive else { return }
    start(legsToRest)
  }

  private var legsToRest: [Resting.Leg] {
    chain.goals(speed: releaseVelocity, within: room).map {
      Resting.Leg(link: $0.link, from: chain.links[$0.link].gone, to: $0.gone)
    }
  }

  /// Points that the drawers may have gone together, where the content moves along and has an end.
  private var room: Double {
    guard follows == .place, content == .under, let index = host.trackingScrollView else { return .infinity }
    return (end(of: index, at: position(of: host.scrollView(index))) ?? 0) + displacement
  }

  /// Lets drawers set out to places on their ways.
  func start(_ legs: [Resting.Leg], isSecond: Bool = false) {
    guard let first = legs.first else { return }
    let rest = chain.laws[first.link].rest ?? Rest()
    if rest.drawnBy == .renderer { return announce(legs, first, rest) }
    let motion = rest.motion
    resting = Resting(legs: legs, motion: motion, elapsed: rest.beginsWithFrame ? -1 : 0, isSecond: isSecond)
    guard motion.duration > 0, !host.environment.limitsMotion else { return arrive() }
    Self.outputs.isResting.set(true, in: host)
    host.startFrames()
  }

  /// The drawers are at their stops at once, and renderers draw the way there.
  private func announce(_ legs: [Resting.Leg], _ first: Resting.Leg, _ rest: Rest) {
    let way = chain.links[first.link].reach.way
    let duration = rest.scalesDuration ? rest.motion.duration * abs(first.to - first.from) / way : rest.motion.duration
    for leg in legs { put(leg.link, at: leg.to) }
    host.animate(duration: duration, .easeInOut)
    settle()
    tellRest(for: duration)
  }

  func goOnResting(for duration: Double) {
    guard resting.isActive else { return host.stopFrames() }
    guard let share = resting.advance(by: duration) else { return arrive() }
    for leg in resting.legs { put(leg.link, at: leg.from + (leg.to - leg.from) * share) }
    settle()
  }

  private func arrive() {
    let legs = resting.legs
    endRest()
    for leg in legs { put(leg.link, at: leg.to) }
    settle()
    // Content may have moved other drawers meanwhile, or its way may have become shorter under these. Back they can always go.
    let left = legsToRest.filter {
      $0.to < $0.from || !chain.isAtStop($0.link) && chain.laws[$0.link].rest.map { $0.takesContent != .never } == true
    }
    let next = resting.isSecond ? left.filter { $0.to < $0.from && permitted == 0...1 } : left
    if follows == .place, !next.isEmpty { return start(next, isSecond: true) }
    if follows == .place { check(goal: left.reduce(chain.total) { $0 + $1.to - $1.from }) }
    Self.outputs.didRest.post(in: host)
  }

  /// A finger, or another content, takes the header where it is.
  func catchRest() { if resting.isActive { endRest() } }

  private func endRest() {
    resting.legs = []
    host.stopFrames()
    Self.outputs.isResting.set(false, in: host)
  }

  /// The header moves over its content; where that would open a gap, or cover rows that it touched, the content goes along if
  /// the law says so.
  private func put(_ link: Int, at gone: Double) {
    let before = chain.total
    let moved = chain.put(link, at: gone)
    let takesContent = chain.laws[link].rest?.takesContent ?? .hiding
    guard moved != 0, follows == .place, content == .under, takesContent != .never, let index = host.trackingScrollView
    else { return }
    let place = position(of: host.scrollView(index)) + displacement
    if moved > 0 { return host.carry(index, by: max(0, min(moved, min(chain.total, room) - max(0, place)))) }
    guard takesContent == .both, place <= before else { return }
    host.carry(index, by: min(0, max(moved, chain.total - place)))
  }

  /// Where a fling shall end, so that the content comes to rest where the drawers do; nil: where it would.
  func target(for event: Event) -> Point? {
    guard follows == .place, chain.rests, let index = event.scrollView, index == host.trackingScrollView else {
      return nil
    }
    let view = host.scrollView(index)
    let offset = view.contentOffset.y
    guard event.targetOffset.y != offset, let end = end(of: index, at: position(of: view)) else { return nil }
    var target = event.targetOffset
    let (first, needed) = outcome(at: target.y, of: view, end)
    guard needed != 0, first != chain.total || chain.lastHides != nil else { return nil }
    target.y += needed
    let place = position(of: view) + target.y - offset
    // Where the content ends, or the way would lead through other drawers, the header goes to rest afterwards.
    guard place >= 0, place <= end, outcome(at: target.y, of: view, end).needed == 0 else { return nil }
    return target
  }

  /// The drawers' total when the content has moved to an offset, and their way from there to rest.
  private func outcome(at offset: Double, of view: ScrollView, _ end: Double) -> (total: Double, needed: Double) {
    var copy = chain
    let from = position(of: view)
    let place = Grid.nearest(from + offset - view.contentOffset.y)
    let movement = max(0, min(end, place)) - max(0, min(end, from))
    if movement > 0 || mayReturn(view) { _ = copy.take(movement, .before) }
    _ = copy.close(to: max(0, place + displacement))
    var needed = 0.0
    for goal in copy.goals(speed: releaseVelocity) where copy.laws[goal.link].rest?.movesTarget == true {
      needed += goal.gone - copy.links[goal.link].gone
    }
    return (copy.total, needed)
  }

  /// Checks the laws of the chain and of visibility after a movement. A header at rest must be at `goal`, where it would go if it were
  /// released again.
  @inline(never)
  func check(goal: Double? = nil) {
    let seen = permitted == 0...1 ? goal.flatMap { Sight.flaw(restingAt: chain.total, goal: $0) } ?? sight?.flaw : nil
    guard let violation = chain.violation ?? (invariants == .strict ? seen : nil) else { return }
    chain.isChecked = false
    host.log(.error, "an invariant does not hold, movements are no longer checked: \(violation)")
    if invariants == .strict { fail("an invariant does not hold: \(violation)") }
  }
}

// MARK: - Positions
//
// Positions by call and constraints (header.position/1): the way is what all drawers go together.
//
//     call         the drawers go as a finger would take them; what that is further than the content is a displacement, which
//                  the content uses up as it follows
//     constraint   bounds of the way, kept by the chain itself

extension CollapsingHeader {
  func go(to traveled: Double) {
    giveUp(nested.forget())
    // One call after the other is one way: where it leads does not depend on how often it was looked at, though a spring may go
    // to and fro and drawers hide in another order than they show.
    let from = calledFrom
    displace {
      chain = from
      chain.place(traveled)
      placed = (from, chain)
      if isFresh { takeContentAlong() }
      if follows == .looks {
        host.cancelTimer(Self.flowToken)
        decision?.stand(hidden: chain.total > 0)
      }
    }
  }

  /// A finger on the header itself.
  /// - Returns: by how much it moved, in the offset's sign.
  func drag(by delta: Double) -> Double {
    let before = chain.total
    displace { _ = chain.take(Grid.nearest(delta), .atTop) }
    return chain.total - before
  }

  func bind(to range: ClosedRange<Double>) {
    permitted = range
    displace { chain.permit(range) }
  }

  /// The header is moved by others, and the content follows from where it is then. One that does not move is not displaced by it.
  private func displace(_ move: () -> Void) {
    catchRest()
    let before = chain.total
    move()
    if chain.total != before, let view = scrollView { displacement = max(0, chain.total - position(of: view)) }
    settle()
  }

  /// Places the header over content that it has not followed.
  func meetContent(_ place: NewContent) {
    fits = contentFits
    displacement = 0
    guard follows == .place, let view = scrollView else { return settle() }
    switch place {
    case .automatic: chain.meet(fits ? 0 : max(0, position(of: view)))
    case .expanded: chain.place(0)
    case .collapsed: chain.place(chain.way)
    case .keep: if fits { chain.place(0) }  // Nothing would bring it back.
    }
    takeContentAlong()
    settle()
  }

  /// Where a gap would open between the header and the content, that goes along, as far as its way leads.
  private func takeContentAlong() {
    guard follows == .place, content == .under, let index = host.trackingScrollView else { return }
    let place = position(of: host.scrollView(index))
    guard chain.total > max(0, place), let end = end(of: index, at: place) else { return }
    host.carry(index, by: max(0, min(chain.total, end) - place))
  }

  /// Content that fits cannot bring the header back.
  var contentFits: Bool {
    guard let index = host.trackingScrollView else { return false }
    let place = position(of: host.scrollView(index))
    // Content that hangs on the header has not moved by the part of the header that is gone.
    return end(of: index, at: content == .below ? place - chain.total : place) == nil
  }

  /// The visible header and content; nil: a call, a constraint, an offer or a refresh has put them apart, the content is beyond its ends,
  /// or it hangs on the header, which comes back a turn after it fits.
  var sight: Sight? {
    guard follows == .place, content == .under, insets != .follow, permitted == 0...1, displacement == 0, start == 0,
      nested.ahead == 0, refreshInset == 0, let index = host.trackingScrollView
    else { return nil }
    let place = position(of: host.scrollView(index))
    let end = end(of: index, at: place) ?? 0
    guard place >= 0, place <= end else { return nil }
    return Sight(gone: min(drawn.seen, chain.total), scrolled: place, end: shortContent == .moves ? .infinity : end)
  }

  /// The content may fit from now on, and the header comes back then.
  func noteFit() {
    let fitted = fits
    fits = contentFits
    guard fits, !fitted, chain.total > 0, follows == .place || follows == .movement else { return }
    catchRest()
    chain.place(0)
    displacement = 0
    settle()
  }

  /// A refresh control that is at work adds to the content's inset.
  func noteRefresh() {
    guard insets == .expanded || insets == .follow, let view = scrollView else { return }
    refreshInset = view.isRefreshing ? max(0, Grid.nearest(view.contentInset.top - ownInset(of: view))) : 0
  }

  /// The chain as the first of the calls found it that nothing has come between.
  var calledFrom: LawChain { placed.map { chain == $0.to ? $0.from : chain } ?? chain }
}
