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
    guard resting.isActive, !rests else { return host.stopFrames() }
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
