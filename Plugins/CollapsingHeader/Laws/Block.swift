// SPDX-License-Identifier: MIT
//
// Drawers that move as one block in whole points (`follows = "block"`): each says by flags how it takes part. The rules are those of
// Material's AppBarLayout (LAWS.md, Blocks), with its names where there is no better one.
//
//     offset 0 … −total   of the whole block; `total`, `down`, `downPre`: how far it goes up, comes down after the content, before it
//
// Whole numbers are cut towards zero; intermediate results are in single precision, as in the original.

/// How a drawer takes part in a block.
package enum BlockFlag: String, CaseIterable, Sendable {
  case scroll, exitUntilCollapsed, enterAlways, enterAlwaysCollapsed, snap, snapMargins
}

/// One drawer of a block.
package struct BlockPart: Equatable, Sendable {
  package var (height, minimumHeight) = (0, 0)
  package var flags: Set<BlockFlag> = []
  package var (marginTop, marginBottom) = (0, 0)
  package var isGone = false
  /// The part lies under the safe area.
  package var fitsInset = false
  /// From its movement to its look.
  package var curve = Easing.linear
  /// The part is clipped and drawn slower as it leaves.
  package var compresses = false
  /// The part's edges in the block.
  package internal(set) var (top, bottom) = (0, 0)
  /// The effect of the compression.
  package internal(set) var translation: Float = 0
  package internal(set) var alpha: Float = 1
  package internal(set) var clip: Clip?

  /// What of a part is seen, from its upper edge.
  package struct Clip: Equatable, Sendable, RememberedOptional {
    package static let blank = Clip(top: 0, bottom: 0)
    package var top: Int
    package var bottom: Int

    package mutating func remember(in memory: inout Memory) { memory.parts(&self, \.top, \.bottom) }
  }

  package init() {}

  /// Takes over another part's place: points that are gone stay gone.
  package mutating func keepPlace(of other: BlockPart) {
    (top, bottom) = (other.top, other.bottom)
    (translation, alpha, clip) = (other.translation, other.alpha, other.clip)
  }

  var scrolls: Bool { flags.contains(.scroll) }
  var outer: Int { height + marginTop + marginBottom }
}

/// The surroundings of a block: the option of that name, the safe area, and the height of its parent.
package struct BlockRules: Sendable {
  package var (paddingTop, paddingBottom) = (0, 0)
  package var (fitsInset, liftsOnScroll) = (false, false)
  package var (inset, overlap, parentHeight) = (0, 0, 0)

  package init() {}

  var topInset: Int { fitsInset ? inset : 0 }
}

/// A kind of scroll, with a beginning and an end of its own.
package enum BlockScroll: Int, RememberedCase, Sendable {
  case touch, fling
}

/// Outputs of a block.
package enum BlockNews: Equatable, Sendable {
  case offset(Int)
  case rest(from: Int, to: Int, milliseconds: Int)
}

/// The parts of a header that move as one block.
package struct Block: Sendable, Remembering {
  package var rules = BlockRules()
  package var parts: [BlockPart] = []
  /// How far the content is scrolled, at the time of an event.
  package var contentScroll = 0.0
  /// The permitted range, in shares of the way that the block may have gone.
  package private(set) var permitted = 0.0...1.0
  package private(set) var (offset, height) = (0, 0)
  private var behind = 0
  package private(set) var (total, down, downPre) = (0, 0, 0)
  package private(set) var (contentTop, contentHeight) = (0, 0)
  package private(set) var (isLifted, accepted) = (false, false)
  package var news: [BlockNews] = []
  private var isAccepted = [false, false]
  private var lastStarted = BlockScroll.touch
  private var (isRemembered, isLaidOut, isDropped) = (false, false, false)
  private var wish: (expands: Bool, animated: Bool)?
  private var rest: Resting?
  private var dragged: Int?

  struct Resting: Equatable, Sendable, RememberedOptional {
    package static let blank = Resting()
    var (from, to, milliseconds) = (0, 0, 0)
    /// Microseconds; nil: no frame yet.
    var start: Double?

    package mutating func remember(in memory: inout Memory) {
      memory.parts(&self, \.from, \.to, \.milliseconds, \.start)
      milliseconds = max(1, milliseconds)
    }
  }

  /// A block that was never laid out.
  package init() {}

  package var logical: Int { offset + behind }
  package var isResting: Bool { rest != nil }
  /// Whether a frame would do something.
  package var wantsFrames: Bool { rest != nil || isDropped }

  // MARK: Ranges

  private mutating func measure() {
    let shown = parts.filter { !$0.isGone }
    height = rules.paddingTop + rules.paddingBottom + shown.reduce(0) { $0 + $1.outer }
    let isShifted = rules.fitsInset && parts.first.map { !$0.isGone && !$0.fitsInset } ?? false
    if isShifted { height += rules.inset }
    total = range(countsInset: true)
    down = range(countsInset: false)
    downPre = returningRange
    var edge = rules.paddingTop
    for index in parts.indices {
      if !parts[index].isGone {
        parts[index].top = edge + parts[index].marginTop
        parts[index].bottom = parts[index].top + parts[index].height
        edge = parts[index].bottom + parts[index].marginBottom
      }
    }
    guard isShifted else { return }
    for index in parts.indices {
      parts[index].top += rules.inset
      parts[index].bottom += rules.inset
    }
  }

  private func range(countsInset: Bool) -> Int {
    var sum = 0
    for (index, part) in parts.enumerated() where !part.isGone {
      guard part.scrolls else { break }
      sum += part.outer
      if countsInset, index == 0, part.fitsInset { sum -= rules.topInset }
      if part.flags.contains(.exitUntilCollapsed) {
        sum -= part.minimumHeight
        break
      }
    }
    return max(0, sum)
  }

  private var returningRange: Int {
    var sum = 0
    for (index, part) in parts.enumerated().reversed() where !part.isGone {
      guard part.scrolls, part.flags.contains(.enterAlways) else {
        if sum > 0 { break }
        continue
      }
      var own = part.marginTop + part.marginBottom
      if part.flags.contains(.enterAlwaysCollapsed) {
        own += part.minimumHeight
      } else if part.flags.contains(.exitUntilCollapsed) {
        own += part.height - part.minimumHeight
      } else {
        own += part.height
      }
      if index == 0, part.fitsInset { own = min(own, part.height - rules.topInset) }
      sum += own
    }
    return max(0, sum)
  }

  // MARK: Moving

  private func part(at distance: Int) -> BlockPart? { parts.first { $0.top <= distance && distance <= $0.bottom } }

  private mutating func set(_ new: Int, _ low: Int = .min, _ high: Int = .max) -> Int {
    let present = logical
    guard low != 0, present >= low, present <= high else {
      behind = 0
      return 0
    }
    let next = bounded(max(low, min(high, new)))
    guard next != present else { return 0 }
    let seen = interpolated(next)
    let hasMoved = seen != offset
    offset = seen
    behind = next - seen
    if hasMoved { compress() }
    news.append(.offset(offset))
    lift(next, isShowing: next > present)
    placeContent()
    return present - next
  }

  private func interpolated(_ offset: Int) -> Int {
    guard let part = part(at: abs(offset)), part.curve != .linear else { return offset }
    var span = 0
    if part.scrolls {
      span = part.outer
      if part.flags.contains(.exitUntilCollapsed) { span -= part.minimumHeight }
    }
    if part.fitsInset { span -= rules.topInset }
    guard span > 0 else { return offset }
    let share = Float(part.curve.share(at: Double(Float(abs(offset) - part.top) / Float(span))))
    let seen = part.top + Int((Float(span) * share + 0.5).rounded(.down))
    return offset < 0 ? -seen : seen
  }

  private mutating func lift(_ offset: Int, isShowing: Bool) {
    guard let part = part(at: abs(offset)) else { return }
    if rules.liftsOnScroll { return isLifted = contentScroll > 0 }
    isLifted = false
    guard part.scrolls else { return }
    let enters = part.flags.contains(.enterAlways) || part.flags.contains(.enterAlwaysCollapsed)
    if (isShowing && enters) || part.flags.contains(.exitUntilCollapsed) {
      isLifted = -offset >= part.bottom - part.minimumHeight - rules.topInset
    }
  }

  private mutating func liftByContent() { if rules.liftsOnScroll { isLifted = contentScroll > 0 } }

  private mutating func compress() {
    for index in parts.indices where parts[index].compresses && parts[index].scrolls {
      let distance = Float(parts[index].top - rules.topInset) - Float(abs(offset))
      guard distance <= 0 else {
        (parts[index].translation, parts[index].alpha, parts[index].clip) = (0, 1, nil)
        continue
      }
      let height = Float(parts[index].bottom - parts[index].top)
      let part = max(0, min(1, abs(distance / height)))
      let y = -distance - height * 0.3 * (1 - (1 - part) * (1 - part))
      parts[index].translation = y
      parts[index].alpha = y >= height ? 0 : 1
      let top = Int(-y)
      parts[index].clip = BlockPart.Clip(top: top, bottom: max(top, Int(height) + top))
    }
  }

  // MARK: Content

  private var overlapPixels: Int {
    guard rules.overlap > 0 else { return 0 }
    var ratio: Float = 0
    if downPre == 0 || total + logical > downPre {
      let available = total - downPre
      ratio = available != 0 ? 1 + Float(logical) / Float(available) : 0
    }
    return max(0, min(rules.overlap, Int(ratio * Float(rules.overlap))))
  }

  private mutating func placeContent() {
    contentTop = offset + height + behind - overlapPixels
    liftByContent()
  }

  // MARK: Positions by call

  /// How far the block has gone, whole points but at a bound (header.position/1, which the original does not know).
  package var traveled: Double {
    let way = Double(total)
    return max(way * permitted.lowerBound, min(way * permitted.upperBound, Double(-logical)))
  }

  /// Moves to a place at once, and ends motions and drags.
  package mutating func move(to traveled: Double) {
    (rest, dragged, isDropped) = (nil, nil, false)
    _ = set(-Int(max(0, min(Double(total), traveled)).rounded()))
  }

  /// Whatever comes, the block stays within these shares of its way.
  package mutating func permit(_ range: ClosedRange<Double>) {
    permitted = range
    _ = set(logical)
  }

  /// The nearest permitted whole point.
  private func bounded(_ offset: Int) -> Int {
    guard permitted != 0...1 else { return offset }
    let way = Double(total)
    let most = Int((way * permitted.upperBound).rounded(.down))
    let least = min(most, Int((way * permitted.lowerBound).rounded(.up)))
    return max(-most, min(-least, offset))
  }

  // MARK: Scrolls

  /// A scroll of a kind begins.
  package mutating func start(_ kind: BlockScroll) {
    accepted =
      rules.liftsOnScroll || isLifted || (total != 0 && rules.parentHeight - contentHeight <= height)
    isAccepted[kind.rawValue] = accepted
    if accepted { rest = nil }
    isRemembered = false
    lastStarted = kind
  }

  /// Offers a movement before the content makes it.
  /// - Returns: the part that the block took.
  package mutating func offer(_ distance: Int, _ kind: BlockScroll) -> Int {
    guard isAccepted[kind.rawValue], distance != 0 else { return 0 }
    let low = -total
    let high = distance < 0 ? low + downPre : 0
    let taken = low != high ? set(logical - distance, low, high) : 0
    liftByContent()
    return taken
  }

  /// Offers the part that the content left over.
  package mutating func offerLeft(_ distance: Int, _ kind: BlockScroll) -> Int {
    guard isAccepted[kind.rawValue], distance < 0 else { return 0 }
    return set(logical - distance, -down, 0)
  }

  /// Ends a scroll of a kind.
  package mutating func stop(_ kind: BlockScroll) {
    guard isAccepted[kind.rawValue] else { return }
    if lastStarted == .touch || kind == .fling {
      snap()
      liftByContent()
    }
    isRemembered = true
    isAccepted[kind.rawValue] = false
  }

  // MARK: Resting

  private mutating func snap() {
    let shift = rules.topInset + rules.paddingTop
    let place = logical - shift
    let found = parts.firstIndex { part in
      let usesMargins = part.flags.contains(.snapMargins)
      let top = part.top - (usesMargins ? part.marginTop : 0)
      let bottom = part.bottom + (usesMargins ? part.marginBottom : 0)
      return top <= -place && -place <= bottom
    }
    guard let found, parts[found].scrolls, parts[found].flags.contains(.snap) else { return }
    let part = parts[found]
    var high = -part.top
    var low = -part.bottom
    if found == 0, part.fitsInset, rules.fitsInset { high -= rules.topInset }
    if part.flags.contains(.exitUntilCollapsed) {
      low += part.minimumHeight
    } else if part.flags.contains(.enterAlways) {
      let seam = low + part.minimumHeight
      if place < seam { high = seam } else { low = seam }
    }
    if part.flags.contains(.snapMargins) {
      high += part.marginTop
      low -= part.marginBottom
    }
    let goal = (place < (low + high) / 2 ? low : high) + shift
    go(to: max(-total, min(0, goal)))
  }

  private mutating func go(to goal: Int) {
    rest = nil
    guard goal != logical else { return }
    // A saved state may hold any height, also none.
    let share = Float(abs(logical - goal)) / Float(max(1, height))
    let milliseconds = min(600, Int((share + 1) * 150))
    rest = Resting(from: logical, to: goal, milliseconds: milliseconds)
    news.append(.rest(from: logical, to: goal, milliseconds: milliseconds))
  }

  /// Advances running motions by a frame. `time` is in microseconds.
  package mutating func advance(to time: Double) {
    if var running = rest {
      let start = running.start ?? time
      running.start = start
      let part = max(0, min(1, Float((time - start) / 1000) / Float(running.milliseconds)))
      rest = part >= 1 ? nil : running
      let eased = 1 - (1 - part) * (1 - part)
      let value = Float(running.from) + eased * Float(running.to - running.from)
      _ = set(part >= 1 ? running.to : Int(value))
    }
    guard isDropped else { return }
    isDropped = false
    snap()
    liftByContent()
  }

  // MARK: A finger on the block

  package mutating func touch(at y: Double) {
    let isWithin = y >= Double(offset) && y < Double(offset + height)
    dragged = isWithin && (!isRemembered || contentScroll <= 0) ? Int(y) : nil
  }

  package mutating func drag(to y: Double) {
    guard let last = dragged else { return }
    dragged = Int(y)
    _ = set(logical - last + Int(y), -down + rules.topInset, 0)
  }

  /// Ends a drag: the finger lifts, or the system cancels it.
  package mutating func drop(isCancelled: Bool) {
    if dragged != nil, !isCancelled { isDropped = true }
    dragged = nil
  }

  // MARK: Layout

  /// Shows all of the block, or none of it.
  package mutating func expand(_ expands: Bool, animated: Bool) {
    wish = (expands, animated)
    layOut()
  }

  /// The place of a block that is kept over a layout.
  private enum Kept {
    case expanded, gone
    /// The drawer at its upper edge shows its least height, or a share of its height.
    case least(Int)
    case share(Int, Float)
  }

  private var kept: Kept? {
    guard isLaidOut else { return .expanded }
    guard let index = parts.firstIndex(where: { $0.top + offset <= 0 && 0 <= $0.bottom + offset }) else { return nil }
    if offset == 0 { return .expanded }
    if -offset >= total { return .gone }
    let (part, shown) = (parts[index], parts[index].bottom + offset)
    if shown == part.minimumHeight + rules.topInset { return .least(index) }
    let height = part.bottom - part.top
    return .share(index, height > 0 ? Float(shown) / Float(height) : 0)
  }

  /// Other heights, flags or surroundings: the block stays as it was seen.
  package mutating func layOut() {
    let kept = wish == nil ? kept : nil
    let before = (offset, offset + height)
    measure()
    if let kept { keep(kept) } else if let wish { fulfill(wish) }
    wish = nil
    isLaidOut = true
    offset = max(-total, min(0, offset))
    lift(offset, isShowing: false)
    news.append(.offset(offset))
    contentHeight = rules.parentHeight + total - height
    contentTop = offset + height - overlapPixels
    if before != (offset, offset + height) { placeContent() }
  }

  private mutating func keep(_ kept: Kept) {
    switch kept {
    case .expanded: _ = set(0)
    case .gone: _ = set(-total)
    case .least(let index): _ = set(-parts[index].bottom + parts[index].minimumHeight + rules.topInset)
    case .share(let index, let share):
      let shown = Float(parts[index].bottom - parts[index].top) * share
      _ = set(-parts[index].bottom + Int((shown + 0.5).rounded(.down)))
    }
  }

  private mutating func fulfill(_ wish: (expands: Bool, animated: Bool)) {
    let goal = wish.expands ? 0 : -total
    if wish.animated { go(to: goal) } else { _ = set(goal) }
  }

  /// Sets the first place; nil: expanded.
  package mutating func begin(expanded: Bool?) {
    if let expanded { wish = (expanded, false) }
    layOut()
  }

  // MARK: Being born again

  package mutating func remember(in memory: inout Memory) {
    memory.parts(
      &self, \.offset, \.behind, \.height, \.total, \.down, \.downPre, \.contentTop, \.contentHeight, \.isLifted,
      \.accepted, \.isAccepted[0], \.isAccepted[1], \.isRemembered, \.isLaidOut, \.isDropped, \.lastStarted, \.dragged,
      \.rest)
    for index in parts.indices {
      memory.parts(&parts[index], \.top, \.bottom, \.translation, \.alpha, \.clip)
    }
  }
}
