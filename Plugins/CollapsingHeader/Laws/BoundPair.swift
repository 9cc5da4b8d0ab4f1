// SPDX-License-Identifier: MIT
//
// Two drawers, one at each end of the viewport, that share one progress (`follows = "ratio"`): each shows a ratio of its height, 1 is all
// of it, and both arrive at their ends together, however tall they are. The rules are those of Chromium's browser controls (LAWS.md,
// Pairs), with its names where there is no better one.
//
//     finger ─▶ accumulated since the baseline ─▶ normalized ratio of the lead ─▶ both ratios
//     release ─▶ thresholds ─▶ the rest of the way in constant speed
//
// Single precision throughout: an arrival is an exact comparison with ==, as in the original.

/// The constraints of a pair.
package enum PairConstraint: String, RememberedCase, Sendable {
  case both, shown, hidden
}

/// How a pair moves: options of the behavior, which explain them.
package struct PairRules: Equatable, Sendable {
  package var (showThreshold, hideThreshold) = (0.5, 0.5)
  package var (isSmooth, playsWhole, heightChangesCancel) = (false, false, false)
  /// A frame's duration in milliseconds.
  package var frame = 16.666
  package var (showsAtTopOnly, cutsToRange) = (false, true)

  /// Chromium's rules.
  package init() {}
}

/// One drawer's heights.
package struct PairHeights: Equatable, Sendable {
  /// The whole height; 0: there is no such drawer.
  package var height: Float
  /// The height that is always shown.
  package var minimum: Float

  package init(height: Double, minimum: Double) {
    self.height = Float(height)
    self.minimum = Float(minimum)
  }

  var minimumRatio: Float { height != 0 ? minimum / height : 0 }
  func offset(_ ratio: Float) -> Float { height > 0 ? ratio * height : 0 }
}

/// Two ends of a range.
struct Span<Number: Equatable & Sendable & RememberedOptional>: Equatable, Sendable, RememberedOptional {
  package static var blank: Self { Span(.blank, .blank) }
  var start: Number
  var stop: Number

  init(_ start: Number, _ stop: Number) { (self.start, self.stop) = (start, stop) }

  package mutating func remember(in memory: inout Memory) { memory.parts(&self, \.start, \.stop) }
}

/// One drawer of a pair on its way.
struct PairAnimation: Equatable, Sendable, RememberedOptional {
  package static let blank = PairAnimation()
  enum Direction: RememberedCase { case none, showing, hiding }

  /// Constant speed, or how Chromium plays a whole hide and a whole show.
  enum Pace: RememberedCase {
    case linear, hiding, showing

    var curve: Easing {
      switch self {
      case .linear: .linear
      case .hiding: .bezier(x1: 0.4, y1: 0, x2: 1, y2: 1)
      case .showing: .bezier(x1: 0, y1: 0, x2: 0.2, y2: 1)
      }
    }
  }

  var direction = Direction.none
  /// Microseconds, from the first frame on; one that takes the place of another keeps the other's.
  var time: Span<Double>?
  var way = Span<Float>(0, 0)
  /// The duration in milliseconds.
  var duration = 0.0
  /// Where it may lead, in shown ratio.
  var range = Span<Float>(0, 1)
  var jumps = false
  var pace = Pace.linear

  var finalValue: Float { max(range.start, min(range.stop, way.stop)) }

  /// The value at a time in microseconds.
  mutating func value(at now: Double) -> Float {
    let time = time ?? Span(now, now + duration * 1000)
    self.time = time
    if now <= time.start { return way.start }
    if now >= time.stop { return way.stop }
    let part = pace.curve.share(at: (now - time.start) / (time.stop - time.start))
    return Float(Double(way.start) + Double(way.stop - way.start) * part)
  }

  /// Whether the animation has arrived with a value.
  func isOver(at value: Float) -> Bool {
    switch direction {
    case .none: false
    case .showing: value >= way.stop || value >= range.stop
    case .hiding: value <= way.stop || value <= range.start
    }
  }

  package mutating func remember(in memory: inout Memory) {
    memory.parts(
      &self, \.direction, \.time, \.duration, \.way, \.range, \.jumps, \.pace)
  }
}

/// One of the two drawers.
package struct PairSide: Equatable, Sendable, Remembering {
  var heights: PairHeights
  package internal(set) var ratio: Float = 1
  var animation: PairAnimation?
  /// What of it is the least that is shown now, while its minimum changes.
  package internal(set) var minimumOffset: Float = 0
  var minimumChanges = false
  var span = Span<Float>(0, 0)
  /// What of it was shown when the movement began.
  var baseline: Float = 0
  var old: PairHeights

  init(_ heights: PairHeights) {
    self.heights = heights
    old = heights
  }

  var minimumRatio: Float { heights.minimumRatio }
  var offset: Float { heights.offset(ratio) }
  package var height: Double { Double(heights.height) }
  /// What of it is shown, points.
  package var shown: Double { Double(offset) }
  package var lowest: Float { animation?.range.start ?? 0 }
  package var highest: Float { animation?.range.stop ?? 1 }
  var end: Float { animation?.finalValue ?? ratio }

  /// The ratio at a share of the way that is gone.
  func ratio(gone share: Double) -> Float { Float(1 - share * (1 - Double(minimumRatio))) }

  mutating func start(
    _ direction: PairAnimation.Direction, to stop: Float, within range: Span<Float>, for duration: Double,
    _ pace: PairAnimation.Pace, jumps: Bool
  ) {
    animation = PairAnimation(
      direction: direction, time: animation?.time, way: .init(ratio, stop), duration: duration, range: range,
      jumps: jumps, pace: pace)
  }

  /// One frame.
  /// - Returns: the ratio now.
  mutating func tick(_ now: Double) -> Float {
    guard var running = animation else { return ratio }
    let value = running.value(at: now)
    let isOver = running.isOver(at: value)
    animation = isOver ? nil : running
    return isOver ? running.finalValue : value
  }

  /// Moves the animated minimum height by the change of the frame.
  mutating func follow(_ change: Float) {
    guard minimumChanges else { return }
    minimumOffset = max(span.start, min(span.stop, minimumOffset + change))
    minimumChanges = animation != nil
  }

  package mutating func remember(in memory: inout Memory) {
    memory.parts(
      &self, \.ratio, \.animation, \.minimumOffset, \.minimumChanges, \.span, \.baseline,
      \.old.height, \.old.minimum)
  }
}

/// The pair of a top and a bottom bar.
package struct BoundPair: Equatable, Sendable, Remembering {
  package var rules: PairRules
  package internal(set) var top: PairSide
  package internal(set) var bottom: PairSide
  package internal(set) var constraint = PairConstraint.both
  /// The permitted range, in shares of the way that the pair may have gone.
  package internal(set) var permitted = 0.0...1.0
  var (accumulated, unapplied): (Float, Float) = (0, 0)
  package internal(set) var isPinching = false
  var (showsAfterScroll, hasPlayed) = (false, false)
  var samples: [Sample] = []

  struct Sample: Equatable, Sendable, Remembering {
    var time: Double
    var delta: Float

    package mutating func remember(in memory: inout Memory) { memory.parts(&self, \.time, \.delta) }
  }

  /// A pair that is shown.
  package init(top: PairHeights, bottom: PairHeights, rules: PairRules) {
    self.rules = rules
    self.top = PairSide(top)
    self.bottom = PairSide(bottom)
  }

  package mutating func remember(in memory: inout Memory) {
    memory.parts(
      &self, \.top, \.bottom, \.constraint, \.accumulated, \.unapplied, \.isPinching, \.showsAfterScroll, \.hasPlayed)
    memory.rest(&samples, new: Sample(time: 0, delta: 0))
  }

  package var isAnimating: Bool { top.animation != nil || bottom.animation != nil || unapplied != 0 }
  package var isGoingToShow: Bool { top.animation?.direction == .showing }

  /// The drawer by which scrolls are counted.
  var lead: PairSide { top.heights.height != 0 ? top : bottom }

  mutating func both(_ change: (inout PairSide) -> Void) {
    change(&top)
    change(&bottom)
  }

  // MARK: Telling

  mutating func tell(_ first: Float, _ second: Float) {
    top.ratio = permitted(first, of: top)
    bottom.ratio = permitted(second, of: bottom)
  }

  private func permitted(_ ratio: Float, of side: PairSide) -> Float {
    let ratio = rules.cutsToRange ? max(side.lowest, min(side.highest, ratio)) : max(ratio, 0)
    guard permitted != 0...1 else { return ratio }
    return max(side.ratio(gone: permitted.upperBound), min(side.ratio(gone: permitted.lowerBound), ratio))
  }

  mutating func resetBaseline() {
    accumulated = 0
    unapplied = 0
    both { $0.baseline = $0.offset }
  }

  mutating func resetAnimations() {
    let goals = [top, bottom].map { $0.animation?.jumps == true ? $0.end : nil }
    both { $0.animation = nil }
    if goals[0] != nil || goals[1] != nil {
      tell(goals[0] ?? top.ratio, goals[1] ?? bottom.ratio)
      both { if $0.minimumChanges { $0.minimumOffset = $0.heights.minimum } }
    }
    both { $0.minimumChanges = false }
  }

  private mutating func go(
    _ direction: PairAnimation.Direction, for duration: Double = 200, _ pace: PairAnimation.Pace = .linear
  ) {
    if top.animation?.direction == direction, bottom.animation?.direction == direction { return }
    let way: Float = direction == .showing ? 1 : -1
    guard top.heights.height != 0 || bottom.heights.height != 0 else { return tell(max(0, way), max(0, way)) }
    both {
      $0.start(
        direction, to: $0.ratio + way, within: .init($0.minimumRatio, 1), for: duration, pace, jumps: false)
    }
    unapplied = 0
  }

  private mutating func startIfNeeded() {
    if [top, bottom].allSatisfy({ $0.ratio == $0.minimumRatio || $0.ratio == 1 }) { return }
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

  /// Scrolls the pair.
  /// - Parameters:
  ///   - delta: points, positive towards the content's end.
  ///   - offset: how far the content is scrolled.
  ///   - time: microseconds, whole.
  /// - Returns: what is left for the content, which may be more than `delta`, or of the other sign; nil: nothing, also of a sideways
  ///   part.
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
    let (lead, old) = (lead, top.offset)
    let minimum = lead.minimumRatio
    func normalized(_ ratio: Float) -> Float {
      minimum == 1 ? 1 : (max(minimum, min(1, ratio)) - minimum) / (1 - minimum)
    }
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
    let lead = lead
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

  /// More than a device makes in the time for which they count.
  private static let maxSamples = 256

  private mutating func add(_ delta: Float, _ time: Double) {
    samples.removeAll { time - $0.time > 200_000 }
    if let last = samples.indices.last, samples[last].time == time {
      samples[last].delta += delta
    } else {
      if samples.count >= Self.maxSamples { samples.removeFirst() }
      samples.append(Sample(time: time, delta: delta))
    }
  }

  // MARK: Time

  /// Advances the animation.
  /// - Returns: by how much the content has to be scrolled back, points.
  package mutating func advance(to time: Double, at offset: Double) -> Double {
    guard isAnimating else { return 0 }
    if unapplied != 0 {
      let rest = unapplied
      let left = scroll(rest, Float(offset), time)
      unapplied = rest - (left ?? 0)
      return 0
    }
    let before = (top.offset, bottom.offset)
    let (first, second) = (top.tick(time), bottom.tick(time))
    tell(first, second)
    let change = top.offset - before.0
    top.follow(change)
    let bottomChanged = bottom.minimumChanges
    bottom.follow(bottom.offset - before.1)
    if bottomChanged, !bottom.minimumChanges { bottom.minimumOffset = bottom.heights.minimum }
    return Double(change)
  }

  // MARK: Constraints of the browser

  /// Sets the constraint from now on, and moves the pair.
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

  /// Sets the ratios from outside.
  package mutating func set(top: Double, bottom: Double) { tell(Float(top), Float(bottom)) }
}
