// SPDX-License-Identifier: MIT
//
// Two drawers, one at each end of the viewport, that share one progress (`follows = "ratio"`): each shows a ratio of its height,
// 1 is all of it, and both arrive at their ends together, however tall they are. The rules are those of Chromium's browser
// controls (README.md, Bound pairs), with its names where there is no better one.
//
//     finger ─▶ accumulated since the baseline ─▶ normalized ratio of the lead ─▶ both ratios
//     release ─▶ thresholds ─▶ the rest of the way in constant speed
//
// Single precision throughout: whether a ratio has arrived is decided by comparing with ==, as the original does.

/// What a pair of drawers is held to.
package enum PairConstraint: String, CaseIterable, Sendable {
  case both, shown, hidden
}

/// How a pair moves.
package struct PairRules: Equatable, Sendable {
  /// A release shows what is hidden by no more than this share.
  package var showThreshold = 0.5
  /// A release hides what is shown by no more than this share.
  package var hideThreshold = 0.5
  /// A scroll moves the ratio by so much a frame at most, the rest follows.
  package var isSmooth = false
  /// The pair does not follow the finger, it plays a whole show or hide.
  package var playsWhole = false
  /// A change of heights without animation ends animations of heights.
  package var heightChangesCancel = false
  /// Milliseconds.
  package var frame = 16.666
  /// Away from the content's top it is not shown by scrolling.
  package var showsAtTopOnly = false
  /// What is told beyond the ratios' range is cut to it; else only what is negative.
  package var cutsToRange = true

  /// Chromium's.
  package init() {}
}

/// One drawer's heights.
package struct PairHeights: Equatable, Sendable {
  /// All of it; 0: there is no such drawer.
  package var height: Float
  /// What is always shown.
  package var minimum: Float

  /// Heights in points.
  package init(height: Double, minimum: Double) {
    self.height = Float(height)
    self.minimum = Float(minimum)
  }

  var minimumRatio: Float { height != 0 ? minimum / height : 0 }
  func offset(_ ratio: Float) -> Float { height > 0 ? ratio * height : 0 }
}

/// One drawer of a pair on its way.
struct PairAnimation: Equatable, Sendable {
  enum Direction: CaseIterable { case none, showing, hiding }

  /// Constant speed, or how Chromium plays a whole hide and a whole show.
  enum Pace: CaseIterable {
    case linear, hiding, showing

    var curve: Easing {
      switch self {
      case .linear: .linear
      case .hiding: .bezier(x1: 0.4, y1: 0, x2: 1, y2: 1)
      case .showing: .bezier(x1: 0, y1: 0, x2: 0.2, y2: 1)
      }
    }
  }

  var isInitialized = false
  var direction = Direction.none
  var isStarted = false
  var startTime = 0.0
  var stopTime = 0.0
  var start: Float = 0
  var stop: Float = 0
  /// Milliseconds.
  var duration = 0.0
  var jumps = false
  var low: Float = 0
  var high: Float = 1
  var curve = Pace.linear

  mutating func initialize(
    _ direction: Direction, from start: Float, to stop: Float, duration: Double, jumps: Bool, _ curve: Pace
  ) {
    isInitialized = true
    self.direction = direction
    self.start = start
    self.stop = stop
    self.duration = duration
    self.jumps = jumps
    self.curve = curve
    low = min(start, stop)
    high = max(start, stop)
  }

  var finalValue: Float { max(low, min(high, stop)) }

  /// The value at a time in microseconds; nil: it does not run.
  mutating func tick(_ now: Double) -> Float? {
    guard isInitialized else { return nil }
    if !isStarted {
      isStarted = true
      startTime = now
      stopTime = now + duration * 1000
    }
    let value: Float
    if now <= startTime {
      value = start
    } else if now >= stopTime {
      value = stop
    } else {
      let part = curve.curve.share(at: (now - startTime) / (stopTime - startTime))
      value = Float(Double(start) + Double(stop - start) * part)
    }
    let isComplete =
      (direction == .showing && (value >= stop || value >= high))
      || (direction == .hiding && (value <= stop || value <= low))
    guard isComplete else { return value }
    let final = finalValue
    self = PairAnimation()
    return final
  }

  mutating func remember(in memory: inout Memory) {
    memory.part(&isInitialized)
    memory.part(&direction)
    memory.part(&isStarted)
    memory.part(&startTime)
    memory.part(&stopTime)
    memory.part(&duration)
    memory.part(&start)
    memory.part(&stop)
    memory.part(&low)
    memory.part(&high)
    memory.part(&jumps)
    memory.part(&curve)
  }

  /// Ends it; what it jumps to, if it does.
  mutating func reset() -> Float? {
    let final = isInitialized && jumps ? finalValue : nil
    self = PairAnimation()
    return final
  }
}

/// One of the two drawers.
struct PairSide: Equatable, Sendable {
  var heights: PairHeights
  var ratio: Float = 1
  var animation = PairAnimation()
  /// What of it is the least that is shown now, while its minimum changes.
  var minimumOffset: Float = 0
  var minimumChanges = false
  var span: (Float, Float) = (0, 0)
  /// What of it was shown when the movement began.
  var baseline: Float = 0
  var old: PairHeights

  init(_ heights: PairHeights) {
    self.heights = heights
    old = heights
  }

  static func == (left: Self, right: Self) -> Bool {
    left.heights == right.heights && left.ratio == right.ratio && left.animation == right.animation
      && left.minimumOffset == right.minimumOffset && left.minimumChanges == right.minimumChanges
      && left.span == right.span && left.baseline == right.baseline && left.old == right.old
  }

  mutating func remember(in memory: inout Memory) {
    memory.part(&ratio)
    animation.remember(in: &memory)
    memory.part(&minimumOffset)
    memory.part(&minimumChanges)
    memory.part(&span.0)
    memory.part(&span.1)
    memory.part(&baseline)
    memory.part(&old.height)
    memory.part(&old.minimum)
  }

  var minimumRatio: Float { heights.minimumRatio }
  var offset: Float { heights.offset(ratio) }
  var range: (low: Float, high: Float) { animation.isInitialized ? (animation.low, animation.high) : (0, 1) }
  var end: Float { animation.isInitialized ? animation.finalValue : ratio }
}

/// The pair.
package struct BoundPair: Equatable, Sendable, Remembering {
  package var rules: PairRules
  var top: PairSide
  var bottom: PairSide
  package internal(set) var constraint = PairConstraint.both
  /// What others permit, in shares of the way that the pair may have gone.
  package internal(set) var permitted = 0.0...1.0
  var accumulated: Float = 0
  var unapplied: Float = 0
  package internal(set) var isPinching = false
  var showsAfterScroll = false
  var hasPlayed = false
  var samples: [Sample] = []

  struct Sample: Equatable, Sendable {
    var time: Double
    var delta: Float
  }

  /// A pair that is shown.
  package init(top: PairHeights, bottom: PairHeights, rules: PairRules) {
    self.rules = rules
    self.top = PairSide(top)
    self.bottom = PairSide(bottom)
  }

  package mutating func remember(in memory: inout Memory) {
    top.remember(in: &memory)
    bottom.remember(in: &memory)
    memory.part(&constraint)
    memory.part(&accumulated)
    memory.part(&unapplied)
    memory.part(&isPinching)
    memory.part(&showsAfterScroll)
    memory.part(&hasPlayed)
    memory.rest(&samples, new: Sample(time: 0, delta: 0)) {
      $0.part(&$1.time)
      $0.part(&$1.delta)
    }
  }

  // MARK: What is seen

  package var topRatio: Double { Double(top.ratio) }
  package var bottomRatio: Double { Double(bottom.ratio) }
  /// What of the drawers is shown, points.
  package var topShown: Double { Double(top.offset) }
  package var bottomShown: Double { Double(bottom.offset) }
  package var topMinimum: Double { Double(top.minimumOffset) }
  package var bottomMinimum: Double { Double(bottom.minimumOffset) }
  package var topRange: (low: Double, high: Double) { (Double(top.range.low), Double(top.range.high)) }
  package var bottomRange: (low: Double, high: Double) { (Double(bottom.range.low), Double(bottom.range.high)) }
  package var isAnimating: Bool { top.animation.isInitialized || bottom.animation.isInitialized || unapplied != 0 }
  package var isGoingToShow: Bool { top.animation.isInitialized && top.animation.direction == .showing }

  // MARK: Telling

  mutating func tell(_ first: Float, _ second: Float) {
    top.ratio = permitted(cut(first, top.range), of: top)
    bottom.ratio = permitted(cut(second, bottom.range), of: bottom)
  }

  private func cut(_ ratio: Float, _ range: (low: Float, high: Float)) -> Float {
    rules.cutsToRange ? max(range.low, min(range.high, ratio)) : max(ratio, 0)
  }

  mutating func resetBaseline() {
    accumulated = 0
    unapplied = 0
    top.baseline = top.offset
    bottom.baseline = bottom.offset
  }

  mutating func resetAnimations() {
    let (first, second) = (top.animation.reset(), bottom.animation.reset())
    if first != nil || second != nil {
      tell(first ?? top.ratio, second ?? bottom.ratio)
      if top.minimumChanges { top.minimumOffset = top.heights.minimum }
      if bottom.minimumChanges { bottom.minimumOffset = bottom.heights.minimum }
    }
    top.minimumChanges = false
    bottom.minimumChanges = false
  }

  private mutating func go(
    _ direction: PairAnimation.Direction, for duration: Double = 200, _ curve: PairAnimation.Pace = .linear
  ) {
    if top.animation.isInitialized, bottom.animation.isInitialized, top.animation.direction == direction,
      bottom.animation.direction == direction
    {
      return
    }
    guard top.heights.height != 0 || bottom.heights.height != 0 else {
      return direction == .hiding ? tell(0, 0) : tell(1, 1)
    }
    let way: Float = direction == .showing ? 1 : -1
    func start(_ side: inout PairSide) {
      side.animation.initialize(
        direction, from: side.ratio, to: side.ratio + way, duration: duration, jumps: false, curve)
      side.animation.low = side.minimumRatio
      side.animation.high = 1
    }
    start(&top)
    start(&bottom)
    unapplied = 0
  }

  private mutating func startIfNeeded() {
    let topRests = top.ratio == top.minimumRatio || top.ratio == 1
    let bottomRests = bottom.ratio == bottom.minimumRatio || bottom.ratio == 1
    if topRests, bottomRests { return }
    let share = (top.ratio - top.minimumRatio) / (1 - top.minimumRatio)
    if share >= 1 - Float(rules.showThreshold) {
      go(.showing)
    } else if share <= Float(rules.hideThreshold) {
      go(.hiding)
    } else {
      go(accumulated <= 0 ? .showing : .hiding)
    }
  }

  // MARK: Scrolling

  /// A scroll begins.
  package mutating func beginScroll() {
    guard !isPinching else { return }
    if rules.playsWhole, isAnimating {
      hasPlayed = true
      return
    }
    if !rules.playsWhole { showsAfterScroll = isGoingToShow }
    resetAnimations()
    resetBaseline()
  }

  /// A scroll goes on.
  /// - Parameters:
  ///   - delta: points, positive towards the content's end.
  ///   - offset: how far the content is scrolled.
  ///   - time: microseconds, whole.
  /// - Returns: what is left for the content, also more than all of it, or of the other sign; nil: nothing, also of what goes along
  ///   sideways.
  package mutating func scroll(by delta: Double, at offset: Double, time: Double) -> Double? {
    scroll(Float(delta), Float(offset), time).map { Double($0) }
  }

  private mutating func scroll(_ delta: Float, _ offset: Float, _ time: Double) -> Float? {
    if top.heights.height == 0, bottom.heights.height == 0 { return delta }
    if isPinching || (constraint == .shown && delta > 0) || (constraint == .hidden && delta < 0) { return delta }
    if rules.playsWhole {
      play(delta, offset, time)
      return delta
    }
    if rules.showsAtTopOnly, delta < 0, offset > 0 {
      resetBaseline()
      accumulated = min(0, delta + offset)
    } else {
      accumulated += delta
    }
    let lead = top.heights.height != 0 ? top : bottom
    let minimum = lead.minimumRatio
    func normalized(_ ratio: Float) -> Float {
      minimum == 1 ? 1 : (max(minimum, min(1, ratio)) - minimum) / (1 - minimum)
    }
    let old = top.offset
    let want = normalized((lead.baseline - accumulated + unapplied) / lead.heights.height)
    let have = normalized(lead.ratio)
    let limit = frameLimit(minimum)
    let next = max(have - limit, min(have + limit, want))
    if next != want {
      let rest = (want - next) * (1 - minimum) * lead.heights.height
      if rest.sign != unapplied.sign { unapplied = 0 }
      unapplied += rest
    }
    let (topLeast, bottomLeast) = (top.minimumRatio, bottom.minimumRatio)
    tell(topLeast + next * (1 - topLeast), bottomLeast + next * (1 - bottomLeast))
    if top.ratio == 1, bottom.ratio == 1 {
      resetBaseline()
      showsAfterScroll = false
    }
    resetAnimations()
    if next < 1, delta < 0, offset == 0 { return nil }
    return delta - (old - top.offset)
  }

  private func frameLimit(_ minimum: Float) -> Float {
    guard rules.isSmooth else { return 1 }
    let frame = Float(rules.frame)
    let span = 200 * min(1 - Float(rules.hideThreshold), Float(rules.showThreshold) - minimum)
    return frame / max(frame, min(200, span))
  }

  /// A scroll ends.
  package mutating func endScroll() {
    guard !isPinching else { return }
    if rules.playsWhole {
      samples = []
      hasPlayed = false
    } else if showsAfterScroll, top.ratio != 1 {
      go(.showing)
    } else {
      startIfNeeded()
    }
  }

  /// Two fingers begin to zoom.
  package mutating func beginPinch() {
    isPinching = true
    startIfNeeded()
  }

  /// They end.
  package mutating func endPinch() {
    isPinching = false
    beginScroll()
  }

  // MARK: Playing whole

  private mutating func play(_ delta: Float, _ offset: Float, _ time: Double) {
    accumulated += delta
    let speed = velocity
    if !(speed >= 0 && delta >= 0), !(speed <= 0 && delta <= 0) { samples = [] }
    add(delta, time)
    guard !isAnimating else { return }
    let lead = top.heights.height != 0 ? top : bottom
    let travel = lead.heights.height - lead.heights.minimum
    let always = top.heights.height > 0 ? 2 * (top.heights.height - top.heights.minimum) : 0
    let direction: PairAnimation.Direction
    if delta >= 0 {
      guard offset > 2 * always, !hasPlayed, accumulated >= travel, lead.ratio != lead.minimumRatio else { return }
      direction = .hiding
    } else {
      guard offset <= always || accumulated <= -travel, lead.ratio != 1 else { return }
      direction = .showing
    }
    let milliseconds = Double(travel / abs(velocity))
    let duration = max(50, min(200, milliseconds.isFinite ? milliseconds.rounded(.towardZero) : 200))
    go(direction, for: duration, direction == .hiding ? .hiding : .showing)
    hasPlayed = true
  }

  private var velocity: Float {
    guard let first = samples.first, let last = samples.last else { return 0 }
    guard samples.count > 1 else {
      return first.delta == 0 ? 0 : (first.delta > 0 ? .greatestFiniteMagnitude : -.greatestFiniteMagnitude)
    }
    var sum: Float = 0
    for sample in samples { sum += sample.delta }
    return sum / Float((last.time - first.time) / 1000)
  }

  private mutating func add(_ delta: Float, _ time: Double) {
    samples.removeAll { time - $0.time > 200_000 }
    if let last = samples.indices.last, samples[last].time == time {
      samples[last].delta += delta
    } else {
      samples.append(Sample(time: time, delta: delta))
    }
  }

  // MARK: Time

  /// Time goes on.
  /// - Returns: by how much the content has to be scrolled back, points.
  package mutating func advance(to time: Double, at offset: Double) -> Double {
    guard isAnimating else { return 0 }
    if unapplied != 0 {
      let rest = unapplied
      let left = scroll(rest, Float(offset), time)
      unapplied = rest - (left ?? 0)
      return 0
    }
    let (before, beforeBottom) = (top.offset, bottom.offset)
    let first = top.animation.isInitialized ? tick(&top, time) : nil
    let second = bottom.animation.isInitialized ? tick(&bottom, time) : nil
    tell(first ?? top.ratio, second ?? bottom.ratio)
    let (change, changeBottom) = (top.offset - before, bottom.offset - beforeBottom)
    follow(&top, change)
    follow(&bottom, changeBottom, endsExactly: true)
    return Double(change)
  }

  private func tick(_ side: inout PairSide, _ time: Double) -> Float? { side.animation.tick(time) }

  private func follow(_ side: inout PairSide, _ change: Float, endsExactly: Bool = false) {
    guard side.minimumChanges else { return }
    side.minimumOffset = max(side.span.0, min(side.span.1, side.minimumOffset + change))
    side.minimumChanges = side.animation.isInitialized
    if endsExactly, !side.minimumChanges { side.minimumOffset = side.heights.minimum }
  }

  // MARK: Being told where to be

  /// What is allowed from now on, and where the pair goes.
  package mutating func update(_ constraint: PairConstraint, going current: PairConstraint, animated: Bool) {
    self.constraint = constraint
    if constraint == .both, current == .both { return }
    let hides = constraint == .hidden || current == .hidden
    let (first, second) = hides ? (top.minimumRatio, bottom.minimumRatio) : (1, 1)
    if top.ratio == first, bottom.ratio == second { return resetAnimations() }
    if top.end == first, bottom.end == second { return }
    resetAnimations()
    if animated {
      if !hides { showsAfterScroll = true }
      go(hides ? .hiding : .showing)
    } else {
      tell(first, second)
    }
  }

  /// Ratios that somebody else has set.
  package mutating func set(top: Double, bottom: Double) { tell(Float(top), Float(bottom)) }

  // MARK: Heights

  /// Other heights: what is shown stays, or goes to its place in time.
  package mutating func setHeights(top newTop: PairHeights, bottom newBottom: PairHeights, animated: Bool) {
    guard newTop != top.old || newBottom != bottom.old else {
      top.heights = newTop
      bottom.heights = newBottom
      return
    }
    top.heights = newTop
    bottom.heights = newBottom
    let first = kept(top, animated)
    let second = kept(bottom, animated)
    let jumps =
      (top.animation.isInitialized && top.animation.jumps) || (bottom.animation.isInitialized && bottom.animation.jumps)
    if !animated, rules.heightChangesCancel, jumps { resetAnimations() }
    let (firstGoal, secondGoal) = (goal(top, animated), goal(bottom, animated))
    change(&top, from: first, to: firstGoal, isBottom: false)
    change(&bottom, from: second, to: secondGoal, isBottom: true)
    top.old = newTop
    bottom.old = newBottom
    tell(first, second)
  }

  /// The ratio that shows as much as before.
  private func kept(_ side: PairSide, _ animated: Bool) -> Float {
    let ratio = side.heights.height != 0 ? side.ratio * side.old.height / side.heights.height : side.ratio
    guard !animated else { return ratio }
    if constraint == .hidden { return side.heights.minimumRatio }
    if side.ratio == 1 { return 1 }
    return side.ratio == side.old.minimumRatio ? side.heights.minimumRatio : ratio
  }

  /// Where a drawer has to go in time; nil: nowhere.
  private func goal(_ side: PairSide, _ animated: Bool) -> Float? {
    guard animated, side.heights.height != 0 else { return nil }
    if side.ratio == 1, side.heights.height != side.old.height { return 1 }
    let isAtLeast = side.end == side.old.minimumRatio && side.heights.minimum != side.old.minimum
    return isAtLeast ? side.heights.minimumRatio : nil
  }

  private func change(_ side: inout PairSide, from ratio: Float, to goal: Float?, isBottom: Bool) {
    guard let goal else {
      side.minimumOffset = side.heights.minimum
      return
    }
    side.animation.initialize(
      ratio < goal ? .showing : .hiding, from: ratio, to: goal, duration: 200, jumps: true, .linear)
    guard side.heights.minimum != side.old.minimum else { return }
    side.minimumOffset = side.old.minimum
    if isBottom {
      let taller = (side.heights.height - side.old.height).rounded(.towardZero)
      let more = (side.heights.minimum - side.old.minimum).rounded(.towardZero)
      if more > taller { side.minimumOffset += more - taller }
    }
    side.minimumChanges = true
    side.span = (
      min(side.minimumOffset, side.heights.minimum), max(side.minimumOffset, side.heights.minimum)
    )
  }
}
