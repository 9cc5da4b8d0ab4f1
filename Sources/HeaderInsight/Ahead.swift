// SPDX-License-Identifier: MIT
//
// What a header becomes while its content is scrolled: its states at other offsets of the tracking scroll view. Between two keyframes
// each number of a state is a straight line of the offset, so a renderer that knows where the content is draws in its own frame what
// the daemon will decide. Trial.swift finds the keyframes.
//
//     number
//       │ ●───────────●                     ● keyframes, in the order of their offsets
//       │              ╲
//       │               ●──────────────●    two at one offset: what is no number changes there
//       ╰─────────────────────────────────▶ offset

public import HeaderModel

/// What a header will be at other offsets than the present one.
public struct Ahead: Sendable {
  /// A state at an offset.
  public struct Keyframe: Sendable {
    /// Points, along the axis of the tracking scroll view.
    public let offset: Double
    /// The numbers that are on lines.
    let numbers: [Double]
    /// The state with 0 in place of each; nothing happened in it.
    private(set) var rest: HeaderState

    init(_ offset: Double, _ state: HeaderState) {
      self.offset = offset
      rest = state
      rest.happened = HeaderState.Happened()
      var numbers: [Double] = []
      rest.forEachNumber { number, _ in
        numbers.append(number)
        number = 0
      }
      self.numbers = numbers
    }

    /// The same with other numbers.
    init(_ offset: Double, _ numbers: [Double], like other: Keyframe) {
      (self.offset, self.numbers, rest) = (offset, numbers, other.rest)
    }

    /// The state there.
    public var state: HeaderState {
      var (state, index) = (rest, 0)
      state.forEachNumber { number, _ in
        number = numbers[index]
        index += 1
      }
      return state
    }

    /// Which of the numbers are those of values: in front of those of wants and of the position.
    var numbersOfValues: Range<Int> {
      var (wants, position, behind) = (rest.wants, rest.position, 0)
      if rest.hasWants { wants.forEachNumber { _, _ in behind += 1 } }
      if rest.hasPosition { position?.forEachNumber { _, _ in behind += 1 } }
      let count = rest.values.count { if case .number = $0.content { true } else { false } }
      let end = numbers.count - behind
      return end - count..<end
    }

    /// Whether all that is no number is the same.
    func isAlike(_ other: Keyframe) -> Bool { rest.isLike(other.rest) { _, _ in } }

    /// Whether it is the same but for numbers that differ by so much at most.
    func isLike(_ other: Keyframe, within slack: Double) -> Bool {
      abs(offset - other.offset) <= slack && numbers.count == other.numbers.count
        && zip(numbers, other.numbers).allSatisfy { abs($0 - $1) <= slack } && isAlike(other)
    }
  }

  /// Keyframes in one direction at most.
  public static let maxKeyframes = 10
  /// By how much a number may differ from the decided one.
  public static let slack = 1e-6

  /// All keyframes, by offset; one is the state that was tried out.
  public let keyframes: [Keyframe]
  /// The present offset.
  public private(set) var offset: Double
  /// The keyframes that are reached as the offset grows, the nearest first. Beyond the last one nothing is known.
  public private(set) var growing: Range<Int>
  /// Those that are reached as it shrinks, the nearest last.
  public private(set) var shrinking: Range<Int>
  /// All but the values depends on the offset alone. Otherwise the keyframes hold for a movement that does not turn back.
  public private(set) var isReversible: Bool
  /// The keyframes reached to both ends of the content when they were found.
  public internal(set) var coversContent = false
  /// The keyframes around the present offset.
  private var present: (from: Int, to: Int)

  /// - Parameters:
  ///   - origin: the present state.
  ///   - growing: keyframes as the offset grows, the nearest first.
  ///   - shrinking: the same as it shrinks.
  init(origin: Keyframe, growing: [Keyframe], shrinking: [Keyframe], isReversible: Bool) {
    keyframes = shrinking.reversed() + [origin] + growing
    offset = origin.offset
    self.isReversible = isReversible
    let place = shrinking.count
    (self.shrinking, self.growing) = (0..<place, place + 1..<keyframes.count)
    present = (place, place)
  }

  /// Nothing is known.
  public var isEmpty: Bool { growing.isEmpty && shrinking.isEmpty }

  /// The two keyframes around an offset; nil: it is beyond the last one.
  func segment(at offset: Double) -> (from: Int, to: Int)? {
    if offset > self.offset {
      for place in growing where keyframes[place].offset >= offset {
        if keyframes[place].offset != keyframes[place - 1].offset { return (place - 1, place) }
      }
    } else if offset < self.offset {
      for place in shrinking.reversed() where keyframes[place].offset <= offset {
        if keyframes[place].offset != keyframes[place + 1].offset { return (place + 1, place) }
      }
    } else {
      return present
    }
    return nil
  }

  /// How far an offset is between two keyframes, from 0 to 1.
  private func share(of offset: Double, in segment: (from: Int, to: Int)) -> Double {
    let (from, to) = (keyframes[segment.from].offset, keyframes[segment.to].offset)
    return from == to ? 0 : (offset - from) / (to - from)
  }

  /// The state at an offset; nil: it is not known.
  public func keyframe(at offset: Double) -> Keyframe? {
    guard let segment = segment(at: offset) else { return nil }
    let (from, to, share) = (keyframes[segment.from], keyframes[segment.to], share(of: offset, in: segment))
    return Keyframe(offset, zip(from.numbers, to.numbers).map { $0 + ($1 - $0) * share }, like: from)
  }

  /// Whether a decided state is the one that the keyframes have at its offset.
  /// - Parameters:
  ///   - slack: by how much a number may differ.
  ///   - butValues: whether its values may be others.
  public func foresees(
    _ decided: borrowing HeaderState, within slack: Double = slack, butValues: Bool = false
  ) -> Bool {
    guard let offset = decided.trackedOffset, let segment = segment(at: offset) else { return false }
    let share = share(of: offset, in: segment)
    let (from, to) = (keyframes[segment.from].numbers, keyframes[segment.to].numbers)
    var (index, isOnLine) = (0, true)
    let ignored = butValues ? keyframes[segment.from].numbersOfValues : 0..<0
    let isLike = decided.isLike(keyframes[segment.from].rest, butValues: butValues) { number, _ in
      defer { (number, index) = (0, index + 1) }
      if ignored.contains(index) { return }
      guard index < from.count, index < to.count else { return isOnLine = false }
      let expected = from[index] + (to[index] - from[index]) * share
      if !(abs(expected - number) <= slack) { isOnLine = false }
    }
    return isLike && isOnLine
  }

  /// Whether both have the same keyframes from here on.
  public func isSame(as other: Ahead) -> Bool {
    func isSame(_ mine: Range<Int>, _ others: Range<Int>) -> Bool {
      mine.count == others.count
        && zip(mine, others).allSatisfy { keyframes[$0].isLike(other.keyframes[$1], within: Self.slack) }
    }
    return isReversible == other.isReversible && abs(offset - other.offset) <= Self.slack
      && isSame(growing, other.growing) && isSame(shrinking, other.shrinking)
  }

  /// Moves to a state that it foresees: what remains holds from there.
  public mutating func move(to state: borrowing HeaderState) {
    guard let offset = state.trackedOffset, offset != self.offset, let segment = segment(at: offset) else { return }
    let grows = offset > self.offset
    (self.offset, present) = (offset, segment)
    guard keyframes[segment.to].offset == offset else {
      let back = isReversible
      growing = !grows && !back ? 0..<0 : (grows ? segment.to : segment.from)..<growing.upperBound
      shrinking = grows && !back ? 0..<0 : shrinking.lowerBound..<(grows ? segment.from : segment.to) + 1
      return
    }
    // A line may bend at a keyframe, and the way back begins at none.
    isReversible = false
    let (step, end) = grows ? (1, growing.upperBound - 1) : (-1, shrinking.lowerBound)
    var next = segment.to
    while next != end, keyframes[next + step].offset == offset { next += step }
    // Of two at one offset the second one holds from here.
    if keyframes[next].isAlike(keyframes[segment.from]) { next += step }
    (growing, shrinking) = grows ? (next..<growing.upperBound, 0..<0) : (0..<0, shrinking.lowerBound..<next + 1)
  }
}

// MARK: - States as numbers

extension HeaderState {
  /// The offset of the tracking scroll view along its axis; nil: there is none.
  public var trackedOffset: Double? {
    guard scrollViews.indices.contains(Int(trackingScrollView)) else { return nil }
    let view = scrollViews[Int(trackingScrollView)]
    return view.axis == .vertical ? view.contentOffset.y : view.contentOffset.x
  }

  /// Visits the numbers that a renderer may interpolate, always in the same order.
  /// - Parameter body: also gets whether the number is kept in single precision.
  mutating func forEachNumber(_ body: (inout Double, _ isSingle: Bool) -> Void) {
    for index in drawers.indices { drawers[index].forEachNumber(body) }
    for index in elements.indices { elements[index].forEachNumber(body) }
    for index in scrollViews.indices { scrollViews[index].forEachNumber(body) }
    for index in values.indices { values[index].forEachNumber(body) }
    if hasWants { wants.forEachNumber(body) }
    if hasPosition { position?.forEachNumber(body) }
  }

  /// Whether all that is no number is the same.
  /// - Parameters:
  ///   - rest: a state with 0 in place of each number.
  ///   - butValues: whether the values may be others; those of `rest` are visited.
  ///   - body: visits this state's numbers, as in `forEachNumber`, and puts 0 in their place.
  @inline(__always)
  borrowing func isLike(
    _ rest: borrowing HeaderState, butValues: Bool = false, _ body: (inout Double, _ isSingle: Bool) -> Void
  ) -> Bool {
    guard names === rest.names, trackingScrollView == rest.trackingScrollView, framesActive == rest.framesActive,
      hasPosition == rest.hasPosition, drawers.count == rest.drawers.count, elements.count == rest.elements.count,
      scrollViews.count == rest.scrollViews.count, values.count == rest.values.count
    else { return false }
    guard isLike(drawers, rest.drawers, body), isLike(elements, rest.elements, body),
      isLike(scrollViews, rest.scrollViews, body), isLike(butValues ? rest.values : values, rest.values, body)
    else { return false }
    if hasWants || rest.hasWants {
      var wants = wants
      wants.forEachNumber(body)
      if wants != rest.wants { return false }
    }
    guard hasPosition else { return true }
    var position = position
    position?.forEachNumber(body)
    return position == rest.position
  }

  /// The same of as many parts.
  @inline(__always)
  private func isLike<Part: NumberedPart>(
    _ parts: [Part], _ rest: [Part], _ body: (inout Double, _ isSingle: Bool) -> Void
  ) -> Bool {
    for index in parts.indices {
      var part = parts[index]
      part.forEachNumber(body)
      if part != rest[index] { return false }
    }
    return true
  }
}

/// A part of a state with numbers that a renderer may interpolate.
private protocol NumberedPart: Equatable {
  mutating func forEachNumber(_ body: (inout Double, Bool) -> Void)
}

extension NamedValue: NumberedPart {
  fileprivate mutating func forEachNumber(_ body: (inout Double, Bool) -> Void) {
    guard case .number(var number) = content else { return }
    body(&number, false)
    content = .number(number)
  }
}

extension Wants {
  fileprivate mutating func forEachNumber(_ body: (inout Double, Bool) -> Void) {
    additionalSafeAreaInset?.forEachNumber(body)
    if var length = topLayoutGuideLength {
      body(&length, false)
      topLayoutGuideLength = length
    }
  }
}

extension PositionReport {
  fileprivate mutating func forEachNumber(_ body: (inout Double, Bool) -> Void) {
    body(&position.traveled, false)
    obstruction?.forEachNumber(body)
  }
}

extension Drawer: NumberedPart {
  fileprivate mutating func forEachNumber(_ body: (inout Double, Bool) -> Void) {
    center.forEachNumber(body)
    body(&size.width, false)
    body(&size.height, false)
    translation.forEachNumber(body)
    var opacity = Double(alpha)
    body(&opacity, true)
    alpha = Float(opacity)
  }
}

extension Element: NumberedPart {
  /// Those of an element that a delegate has changed; others stand in no state.
  fileprivate mutating func forEachNumber(_ body: (inout Double, Bool) -> Void) {
    guard isChanged else { return }
    center.forEachNumber(body)
    bounds.forEachNumber(body)
    transform.row1.forEachNumber(body)
    transform.row2.forEachNumber(body)
    transform.row3.forEachNumber(body)
    transform.row4.forEachNumber(body)
    body(&cornerRadius, false)
    var opacity = Double(alpha)
    body(&opacity, true)
    alpha = Float(opacity)
  }
}

extension ScrollView: NumberedPart {
  fileprivate mutating func forEachNumber(_ body: (inout Double, Bool) -> Void) {
    contentOffset.forEachNumber(body)
    contentInset.forEachNumber(body)
    scrollIndicatorInsets.forEachNumber(body)
    adjustedContentInset.forEachNumber(body)
    if decidesFrame { frame.forEachNumber(body) }
    if decidesContentSize {
      body(&contentSize.width, false)
      body(&contentSize.height, false)
    }
  }
}

extension Point {
  fileprivate mutating func forEachNumber(_ body: (inout Double, Bool) -> Void) {
    body(&x, false)
    body(&y, false)
  }
}

extension Rect {
  fileprivate mutating func forEachNumber(_ body: (inout Double, Bool) -> Void) {
    origin.forEachNumber(body)
    body(&size.width, false)
    body(&size.height, false)
  }
}

extension Insets {
  fileprivate mutating func forEachNumber(_ body: (inout Double, Bool) -> Void) {
    body(&top, false)
    body(&left, false)
    body(&bottom, false)
    body(&right, false)
  }
}

extension Transform.Row {
  fileprivate mutating func forEachNumber(_ body: (inout Double, Bool) -> Void) {
    body(&m1, false)
    body(&m2, false)
    body(&m3, false)
    body(&m4, false)
  }
}
