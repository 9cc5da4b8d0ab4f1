// SPDX-License-Identifier: MIT
//
// A drawer that is a part of the content (`follows = "sliver"`): it is laid out from the scroll position alone, but for what a
// floating one remembers. The rules are those of Flutter's persistent headers (README.md, Slivers), with its names.
//
//     position ─▶ scroll offset of the header ─▶ floating: effective offset, back with the finger ─▶ extent, place

/// What a sliver is.
package struct SliverRules: Equatable, Sendable {
  /// It keeps its least extent at the edge.
  package var isPinned = false
  /// It comes back with the finger, wherever the content is.
  package var isFloating = false
  package var least = 0.0
  package var most = 0.0
  /// Points of content before it.
  package var before = 0.0
  /// Let go half-way, a floating one goes to an end.
  package var snaps = false
  /// It grows beyond the content's top.
  package var stretches = false
  package var trigger: Double?

  /// One that scrolls away.
  package init() {}
}

/// A finger's direction.
package enum SliverDirection: String, CaseIterable, Sendable {
  case idle
  /// Towards the content's top.
  case forward
  case reverse
}

/// Where a sliver lies, in Flutter's words.
package struct SliverLayout: Equatable, Sendable {
  package var scrollOffset = 0.0
  package var overlap = 0.0
  package var remaining = 0.0
  package var shrinkOffset = 0.0
  package var overlapsContent = false
  package var paintOrigin = 0.0
  package var paintExtent = 0.0
  package var layoutExtent = 0.0
  package var maxPaintExtent = 0.0
  package var childExtent = 0.0
  package var childPosition = 0.0
  /// The upper edge of what is drawn, in the viewport.
  package var childTop = 0.0
  /// Where what comes after it begins.
  package var nextTop = 0.0
}

/// A sliver and what it remembers.
package struct Sliver: Equatable, Sendable {
  package var rules: SliverRules
  package private(set) var layout = SliverLayout()
  /// How far a floating one is gone; nil: it is not laid out yet.
  package private(set) var effective: Double?
  private var lastScroll = 0.0
  private var lastStretch = 0.0
  private var lastPosition: Double?
  package var direction = SliverDirection.idle
  private var startDirection = SliverDirection.idle
  private var snap: Snap?

  private struct Snap: Equatable, Sendable {
    var from: Double
    var to: Double
    /// Microseconds; nil: no frame yet.
    var start: Double?
  }

  /// A sliver that was never laid out.
  package init(_ rules: SliverRules) { self.rules = rules }

  package var isSnapping: Bool { snap != nil }

  // MARK: Layout

  /// Lays it out.
  /// - Returns: whether the stretch has passed its trigger.
  package mutating func lay(out pixels: Double, viewport: Double) -> Bool {
    var room = pixels >= 0 ? viewport : viewport + pixels
    var first = max(0, -pixels)
    var line = 0.0
    var scroll = max(0, pixels)
    if rules.before > 0 {
      let taken = max(0, min(room, rules.before - scroll))
      line = max(first + taken, line)
      scroll -= rules.before
      first += taken
      room = max(0, room - taken)
    }
    layout.scrollOffset = max(0, scroll)
    layout.overlap = line - first
    layout.remaining = room
    if rules.isFloating { float() }
    return place(at: first)
  }

  /// How far a floating one is gone.
  private mutating func float() {
    let scroll = layout.scrollOffset
    defer { lastScroll = scroll }
    guard var gone = effective, scroll < lastScroll || gone < rules.most else {
      effective = scroll
      return
    }
    var distance = lastScroll - scroll
    if direction == .forward || startDirection == .forward {
      gone = min(gone, rules.most)
    } else {
      distance = min(distance, 0)
    }
    effective = max(0, min(scroll, gone - distance))
  }

  private mutating func place(at first: Double) -> Bool {
    let scroll = layout.scrollOffset
    let overlap = layout.overlap
    let room = layout.remaining
    let base = rules.isFloating ? effective ?? scroll : scroll
    layout.shrinkOffset = min(base, rules.most)
    let isPulled = rules.stretches && scroll == 0
    let stretch = isPulled ? abs(overlap) : 0
    layout.childExtent = max(rules.least, rules.most - layout.shrinkOffset) + stretch
    let trigger = rules.stretches ? rules.trigger : nil
    let fires = trigger.map { stretch >= $0 && lastStretch <= $0 } ?? false
    lastStretch = stretch
    let pulled = rules.stretches ? abs(overlap) : 0
    if rules.isPinned, !rules.isFloating {
      let free = max(0, room - overlap)
      layout.overlapsContent = overlap > 0
      layout.paintOrigin = overlap
      layout.paintExtent = min(layout.childExtent, free)
      layout.layoutExtent = max(0, min(free, rules.most - scroll))
      layout.maxPaintExtent = rules.most + pulled
      layout.childPosition = 0
    } else {
      layout.overlapsContent = rules.isFloating && base < scroll
      layout.paintOrigin = min(overlap, 0)
      let low = rules.isPinned ? min(rules.least, room) : 0
      layout.paintExtent = max(low, min(room, rules.most - base))
      layout.layoutExtent = max(0, min(rules.isPinned ? layout.paintExtent : room, rules.most - scroll))
      placeChild(base, pulled)
    }
    lastPosition = layout.childPosition
    layout.childTop = first + layout.paintOrigin + layout.childPosition
    layout.nextTop = first + layout.layoutExtent
    return fires
  }

  private mutating func placeChild(_ base: Double, _ pulled: Double) {
    guard !rules.isPinned else {
      layout.maxPaintExtent = rules.most + pulled
      layout.childPosition = 0
      return
    }
    let grown = lastPosition == 0 ? pulled : 0
    layout.maxPaintExtent = rules.most + grown
    layout.childPosition = grown > 0 ? 0 : min(0, rules.most - base - layout.childExtent)
  }

  // MARK: Gestures

  /// A scroll begins; a snap stops where it is.
  package mutating func begin() {
    startDirection = direction
    snap = nil
  }

  /// A scroll ends.
  package mutating func end() {
    defer { direction = .idle }
    guard rules.snaps, rules.isFloating, let gone = effective else { return }
    if direction == .forward ? gone <= 0 : direction == .reverse && gone >= rules.most { return }
    snap = Snap(from: gone, to: direction == .forward ? 0 : rules.most)
  }

  /// One frame, in microseconds.
  package mutating func advance(to time: Double) {
    guard var running = snap else { return }
    let start = running.start ?? time
    running.start = start
    let part = min(1, (time - start) / 200_000)
    effective = running.from + (running.to - running.from) * Self.ease(part)
    if part == 0 { effective = running.from }
    if part == 1 { effective = running.to }
    snap = time - start > 200_000 ? nil : running
  }

  /// cubic (0, 0, 0.58, 1), as near as Flutter looks for it.
  private static func ease(_ part: Double) -> Double {
    guard part > 0, part < 1 else { return part }
    func at(_ u: Double, _ one: Double, _ two: Double) -> Double {
      3 * one * (1 - u) * (1 - u) * u + 3 * two * (1 - u) * u * u + u * u * u
    }
    var (low, high) = (0.0, 1.0)
    while true {
      let middle = (low + high) / 2
      let x = at(middle, 0, 0.58)
      if abs(part - x) < 0.001 { return at(middle, 0, 1) }
      if x < part { low = middle } else { high = middle }
    }
  }

  // MARK: Being born again

  /// What is remembered.
  package var memory: [Double] {
    var writer = MemoryWriter()
    writer.add(effective)
    writer.add(lastScroll)
    writer.add(lastStretch)
    writer.add(lastPosition)
    writer.add(case: direction)
    writer.add(case: startDirection)
    writer.add(snap != nil)
    writer.add(snap?.from ?? 0)
    writer.add(snap?.to ?? 0)
    writer.add(snap?.start)
    return writer.numbers
  }

  /// Goes on from what was remembered, if it is that.
  package mutating func takeMemory(_ memory: [Double]) {
    var (reader, next) = (MemoryReader(memory), self)
    next.effective = reader.doubleOrNil()
    (next.lastScroll, next.lastStretch, next.lastPosition) = (reader.double(), reader.double(), reader.doubleOrNil())
    next.direction = reader.value(orElse: .idle)
    next.startDirection = reader.value(orElse: .idle)
    let snaps = reader.bool()
    let snap = Snap(from: reader.double(), to: reader.double(), start: reader.doubleOrNil())
    next.snap = snaps ? snap : nil
    if reader.isExact { self = next }
  }
}
