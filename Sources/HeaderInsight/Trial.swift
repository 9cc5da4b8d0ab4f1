// SPDX-License-Identifier: MIT
//
// Finds out how a header goes on (Ahead.swift) by scrolling copies of it: whatever its behaviors do, a copy does the same.
//
//     1. sample    one copy scrolls away in steps; samples on one line are a segment, and where two lines cross is a keyframe
//     2. check     other copies go the same way in one step, in small ones, slowly and fast; what differs is cut off
//     3. go back   others go back and forth; if their states are those of the keyframes, only the offset counts
//
// What does not settle within an event (a client that is asked, another process, motions, timers) has no keyframes, and neither has a
// law that is no line.

public import HeaderCore
internal import HeaderModel

extension Ahead {
  /// Tries out how a header goes on.
  /// - Parameter isDragged: a drag begins first, and nothing is known while there is one.
  /// - Returns: nil: nothing is known.
  public init?(of header: Header, isDragged: Bool = false, _ provider: any BehaviorProvider) {
    guard let trial = Trial(header, isDragged, provider) else { return nil }
    let ways = (trial.keyframes(1), trial.keyframes(-1))
    let found = Ahead(origin: trial.origin, growing: ways.0, shrinking: ways.1, isReversible: false)
    guard !found.isEmpty else { return nil }
    self.init(origin: trial.origin, growing: ways.0, shrinking: ways.1, isReversible: trial.isReversible(found))
    coversContent = trial.coversContent(found)
  }
}

/// Copies of one header, which are scrolled.
private struct Trial {
  let origin: Ahead.Keyframe
  private let real: Header
  private let provider: any BehaviorProvider
  private let saved: [SavedState]
  private let view: ScrollView
  /// A drag begins before it is scrolled.
  private let isDragged: Bool
  /// Which of a state's numbers are kept in single precision.
  private let singles: [Bool]

  /// - Returns: nil: the header is not at rest, or cannot be copied, or the beginning of a drag changes it.
  init?(_ header: Header, _ isDragged: Bool, _ provider: any BehaviorProvider) {
    guard Self.isAtRest(header), let offset = header.state.trackedOffset, let saved = try? header.savedDelegates()
    else {
      return nil
    }
    (real, self.provider, self.saved, self.isDragged) = (header, provider, saved, isDragged)
    view = header.state.scrollViews[Int(header.state.trackingScrollView)]
    var state = header.state
    if isDragged {
      guard view.isAtRest, let copy = Self.copy(of: header, saved, isDragged, provider), Self.isAtRest(copy.header)
      else { return nil }
      state = copy.header.state
    }
    origin = Ahead.Keyframe(offset, state)
    var singles: [Bool] = []
    state.forEachNumber { singles.append($1) }
    self.singles = singles
  }

  /// Whether nothing is under way that time alone, or somebody else, continues.
  private static func isAtRest(_ header: Header) -> Bool {
    !header.isWaiting && !header.hasListeners && !header.hasInterceptors && !header.hasFailure
      && !header.state.framesActive && header.nextDue == nil
  }

  // MARK: Copies

  /// A copy, and the time at which it was scrolled last.
  private struct Copy {
    let header: Header
    var time: Instant
  }

  private func copy() -> Copy? { Self.copy(of: real, saved, isDragged, provider) }

  /// - Returns: nil: there is none, or a drag cannot begin without a change.
  private static func copy(
    of real: Header, _ saved: [SavedState], _ isDragged: Bool, _ provider: any BehaviorProvider
  ) -> Copy? {
    guard let header = try? Header(copying: real, saved, provider: provider) else { return nil }
    guard isDragged else { return Copy(header: header, time: real.now) }
    var isChanged = false
    let drag = try? header.apply(.event(ScrollEvent(.willBeginDragging)), at: real.now, provider: provider) { _ in
      isChanged = true
    }
    return drag == nil || isChanged ? nil : Copy(header: header, time: real.now)
  }

  /// Scrolls a copy.
  /// - Parameter seconds: how long after the step before.
  /// - Returns: nil: what comes of it is no function of the offset.
  private func scroll(_ copy: inout Copy?, to offset: Double, after seconds: Double) -> HeaderState? {
    guard copy != nil, let header = copy?.header, let time = copy?.time.advanced(bySeconds: seconds) else { return nil }
    copy?.time = time
    var isEvent = false
    let place = view.axis == .vertical ? PartialPoint(y: offset) : PartialPoint(x: offset)
    let outcome = try? header.apply(.scroll(to: place, correction: nil), at: time, provider: provider) { state in
      if !state.happened.animations.isEmpty || !state.happened.commands.isEmpty { isEvent = true }
    }
    guard outcome != nil, !isEvent, Self.isAtRest(header) else { return nil }
    let state = header.state
    guard state.names === origin.rest.names, state.trackingScrollView == origin.rest.trackingScrollView,
      let reached = state.trackedOffset, abs(reached - offset) < 1e-9,
      zip(state.scrollViews, origin.rest.scrollViews).allSatisfy({ $0.correction == $1.correction })
    else { return nil }
    return state
  }

  // MARK: Sampling

  /// By how much a number may miss a line.
  private func tolerance(_ index: Int, _ number: Double) -> Double {
    singles[index] ? 3e-7 : 1e-9 * max(1, abs(number))
  }

  /// Whether a sample is on the line of those before it.
  private func fits(_ line: [Ahead.Keyframe], _ next: Ahead.Keyframe) -> Bool {
    guard let first = line.first, next.numbers.count == singles.count, first.numbers.count == singles.count,
      first.isAlike(next)
    else { return false }
    var index = line.count - 1
    while index > 0 {
      let share = (line[index].offset - first.offset) / (next.offset - first.offset)
      for (place, number) in line[index].numbers.enumerated() {
        let expected = first.numbers[place] + (next.numbers[place] - first.numbers[place]) * share
        guard abs(expected - number) <= tolerance(place, number) else { return false }
      }
      index -= max(1, line.count / 6)
    }
    return true
  }

  /// Where two lines meet; nil: they do not, or nobody knows where.
  private func bend(_ left: [Ahead.Keyframe], _ right: [Ahead.Keyframe]) -> (
    left: Ahead.Keyframe, right: Ahead.Keyframe
  )? {
    guard let start = left.first, let near = left.last, let far = right.first, let end = right.last,
      far.numbers.count == singles.count
    else { return nil }
    func slope(_ from: Ahead.Keyframe, _ to: Ahead.Keyframe, _ index: Int) -> Double {
      from.offset == to.offset ? 0 : (to.numbers[index] - from.numbers[index]) / (to.offset - from.offset)
    }
    var way = 0.0
    if left.count > 1 {
      var sharpest = (index: -1, turn: 1e-7)
      for index in singles.indices {
        // A line through rounded numbers says less of where it meets another one.
        let turn = abs(slope(start, near, index) - slope(far, end, index)) * (singles[index] ? 1e-3 : 1)
        if turn > sharpest.turn { sharpest = (index, turn) }
      }
      guard sharpest.index >= 0 else { return nil }
      let (one, other) = (slope(start, near, sharpest.index), slope(far, end, sharpest.index))
      let gap = far.numbers[sharpest.index] + other * (near.offset - far.offset) - near.numbers[sharpest.index]
      way = gap / (one - other)
    }
    let room = far.offset - near.offset
    guard way / room > -1e-6, way / room < 1 + 1e-6 else { return nil }
    let offset = near.offset + way
    var ends = (left: near.numbers, right: far.numbers)
    for index in singles.indices {
      ends.left[index] += slope(start, near, index) * way
      ends.right[index] += slope(far, end, index) * (offset - far.offset)
      guard abs(ends.left[index] - ends.right[index]) <= 10 * tolerance(index, ends.left[index]) else { return nil }
    }
    return (
      Ahead.Keyframe(offset, ends.left, like: near), Ahead.Keyframe(offset, ends.right, like: far)
    )
  }

  /// The keyframes in one direction, checked.
  func keyframes(_ sign: Double) -> [Ahead.Keyframe] {
    var scrolled = copy()
    var places = places(sign).makeIterator()
    func next() -> Ahead.Keyframe? {
      places.next().flatMap { place in
        scroll(&scrolled, to: place, after: 1 / 64).map { Ahead.Keyframe(place, $0) }
      }
    }
    var keyframes: [Ahead.Keyframe] = []
    var line = [origin]
    while keyframes.count < Ahead.maxKeyframes - 4, let sample = next() {
      guard !fits(line, sample) else {
        line.append(sample)
        continue
      }
      var other = [sample]
      while other.count < 3, let sample = next(), fits(other, sample) { other.append(sample) }
      guard other.count == 3, let (left, right) = bend(line, other) else { break }
      if left.offset != origin.offset { keyframes.append(left) }
      if !left.isAlike(right) { keyframes.append(right) }
      line = [right] + other
    }
    if let last = line.last, last.offset != origin.offset, last.offset != keyframes.last?.offset {
      keyframes.append(last)
    }
    return checked(split(keyframes, sign), sign)
  }

  /// The range of offsets in which content rests.
  private func range(_ view: ScrollView) -> ClosedRange<Double> {
    let (low, high) = view.restingRange
    return view.axis == .vertical ? low.y...high.y : low.x...high.x
  }

  func coversContent(_ ahead: Ahead) -> Bool {
    let (range, ends) = (range(view), (ahead.keyframes[0].offset, ahead.keyframes[ahead.keyframes.count - 1].offset))
    return ends.0 <= range.lowerBound && range.upperBound <= ends.1
  }

  /// Puts keyframes at the ends of the content, with the present insets and those to come: a header that moves the insets may bring
  /// content back that goes beyond them in one step.
  private func split(_ keyframes: [Ahead.Keyframe], _ sign: Double) -> [Ahead.Keyframe] {
    let ahead = way(keyframes, sign)
    let views = keyframes.map(\.state).map { $0.scrollViews[Int($0.trackingScrollView)] }
    let ends = ([view] + views).map(range).flatMap { [$0.lowerBound, $0.upperBound] }
    var result = keyframes
    for offset in ends where (offset - origin.offset) * sign > 0 {
      guard !result.contains(where: { abs($0.offset - offset) < 1e-3 }), let keyframe = ahead.keyframe(at: offset),
        let place = result.firstIndex(where: { ($0.offset - offset) * sign > 0 })
      else { continue }
      result.insert(keyframe, at: place)
    }
    return Array(result.prefix(Ahead.maxKeyframes))
  }

  /// Offsets to try, away from the present one: close together where the header and the ends of the content are, and unevenly, so that
  /// no law that repeats itself looks like a line; at most 1,024.
  private func places(_ sign: Double) -> [Double] {
    let isVertical = view.axis == .vertical
    let header = real.state.drawers.reduce(60) {
      $0 + max($1.maximumHeight, isVertical ? $1.size.height : $1.size.width)
    }
    let step = max(1, header / 48)
    var places: [Double] = [origin.offset + sign / 1024]
    func add(_ first: Double, _ last: Double, _ step: Double) {
      var place = first
      while place <= last, places.count < 1_024 {
        places.append(place)
        // Shares of the golden section never repeat.
        let share = (Double(places.count) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
        place += step * (0.75 + share / 2)
      }
    }
    let (start, end) = (range(view).lowerBound, range(view).upperBound)
    add(origin.offset - 2 * header, origin.offset + 2 * header, step)
    add(start - header, header - start, 2 * step)
    add(end - 2 * header + start, end + header, 2 * step)
    add(start, end, max((end - start) / 8, step))
    places.removeAll { ($0 - origin.offset) * sign < 1 / 1024 }
    places.sort { ($0 - $1) * sign < 0 }
    // Of two at nearly one place one is enough.
    var kept: [Double] = []
    for place in places where kept.isEmpty || abs(place - kept[kept.count - 1]) > step / 8 { kept.append(place) }
    return kept
  }

  // MARK: Checking

  /// Cuts off what copies that go otherwise do not confirm.
  private func checked(_ keyframes: [Ahead.Keyframe], _ sign: Double) -> [Ahead.Keyframe] {
    guard let last = keyframes.last else { return [] }
    var kept = keyframes
    func confirm(_ offsets: [Double], _ seconds: Double) {
      var scrolled = copy()
      for offset in offsets {
        let ahead = way(kept, sign)
        guard let segment = ahead.segment(at: offset) else { return }
        if let state = scroll(&scrolled, to: offset, after: seconds), ahead.foresees(state, within: Ahead.slack / 4) {
          continue
        }
        let from = ahead.keyframes[segment.from]
        kept = kept.filter { abs($0.offset - origin.offset) < abs(from.offset - origin.offset) }
        if from.offset != origin.offset { kept.append(from) }
        // A keyframe where something changes says nothing without what follows.
        while kept.count > 1, kept[kept.count - 1].offset == kept[kept.count - 2].offset { kept.removeLast() }
        if kept.count == 1, kept[0].offset == origin.offset { kept = [] }
        return
      }
    }
    var inside: [Double] = []
    var from = origin.offset
    for keyframe in keyframes where keyframe.offset != from {
      for share in [0.07, 0.23, 0.61, 0.93] { inside.append(from + (keyframe.offset - from) * share) }
      from = keyframe.offset
    }
    let small = (1...6).map { origin.offset + sign * 0.3 * Double($0) }.filter { ($0 - last.offset) * sign < 0 }
    confirm((small + inside).sorted { ($0 - $1) * sign < 0 }, 1 / 250)
    confirm(inside.enumerated().filter { $0.offset % 2 == 1 }.map(\.element), 1 / 4)
    confirm([origin.offset + (last.offset - origin.offset) * 0.97], 0)
    // In one step into each of the segments, quickly and slowly: some laws know how far and how fast the content has gone.
    let seconds = [0.001, 1.0 / 120, 1.0]
    for (index, offset) in inside.enumerated() where index % 4 != 1 { confirm([offset], seconds[index % 3]) }
    for index in Set([2, (inside.count / 8) * 4 + 2, inside.count - 2]).sorted() where inside.indices.contains(index) {
      for seconds in seconds { confirm([inside[index]], seconds) }
    }
    return kept
  }

  private func way(_ keyframes: [Ahead.Keyframe], _ sign: Double) -> Ahead {
    Ahead(
      origin: origin, growing: sign > 0 ? keyframes : [], shrinking: sign < 0 ? keyframes : [], isReversible: false)
  }

  /// Whether copies that go back and forth are where the keyframes have them, but for their values.
  func isReversible(_ ahead: Ahead) -> Bool {
    let bends = ahead.keyframes.map(\.offset)
    let (low, high) = (bends[0], bends[bends.count - 1])
    var walks: [[Double]] = [[], [], [], []]
    for number in 1...24 {
      let share = (Double(number) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
      walks[0].append(low + (high - low) * share)
      walks[1].append(bends[number % bends.count] + (share - 0.5) * 40)
    }
    // Back and forth within each segment: a value may say which way the content goes. Then up to its ends: the state that was tried out is
    // one, and the way there may have been another.
    for (from, to) in zip(bends, bends.dropFirst()) where from != to {
      for share in [0.9, 0.5, 0.7, 0.1] { walks[2].append(from + (to - from) * share) }
      walks[3] += [to - 1e-3, from + 1e-3]
    }
    for (walk, seconds) in zip(walks, [1.0 / 50, 1.0 / 500, 1.0 / 120, 1.0 / 60]) {
      var scrolled = copy()
      for offset in walk {
        guard ahead.segment(at: offset) != nil else { continue }
        guard let state = scroll(&scrolled, to: offset, after: seconds),
          ahead.foresees(state, within: Ahead.slack / 4, butValues: true)
        else { return false }
      }
    }
    return true
  }
}
