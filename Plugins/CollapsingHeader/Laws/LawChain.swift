// SPDX-License-Identifier: MIT
//
// The drawers together: a movement is offered along the chain, each drawer takes its part, and the rest is offered to the next.
//
//     offer 30 ─▶ search: 12 ─▶ 18 ─▶ title: pinned ─▶ 18 ─▶ hero: 18 ─▶ 0 left for the content
//
// Everything that moves drawers comes through `move`, so the points that they take are counted in one place. Points on the grid; a
// movement has the offset's sign: positive hides.

/// A header's drawers with their laws.
public struct LawChain: Equatable, Sendable {
  /// The drawers, from the edge to the content.
  public private(set) var links: [Link]
  /// The drawers' laws, in the order of the chain.
  public let laws: [Law]
  /// Points that are gone, of all drawers together.
  public private(set) var total = 0.0
  /// Points that can be gone, of all drawers together.
  public private(set) var way = 0.0
  /// The part of `way` that may be gone.
  public private(set) var bounds = 0.0...0.0
  /// The last movement that counted hid drawers; nil: none yet.
  public var lastHides: Bool?
  /// The order of hiding and of showing.
  private var steps: [Step]
  private let isGated: Bool
  /// Movements are checked, and the first broken rule is kept in `violation`.
  public var isChecked = false
  /// The first rule that a movement broke; nil: none, or movements are not checked.
  public private(set) var violation: String?
  /// What gates hold back, during a movement that is explained; nil otherwise.
  var held: [Held]?
  /// Some drawers have the same place in an order.
  private let sharesPlaces: Bool
  /// The drawers move as one block: see `blockRoom`.
  private let isBlock: Bool
  /// What of a block comes back before the content is at its top.
  private var blockReturn = 0.0

  /// The part of a movement that a drawer's gate has held back; points without a sign.
  struct Held: Equatable, Sendable {
    let link: Int
    let offered: Double
    let passed: Double
  }

  /// A place in the order of hiding and one in that of showing; drawers of one place stand beside each other, the last marked.
  private struct Step: Equatable, Sendable {
    var hiding: Int
    var showing: Int
    var endsHiding: Bool
    var endsShowing: Bool

    @inline(__always)
    func link(_ hides: Bool) -> Int { hides ? hiding : showing }
    @inline(__always)
    func isLast(_ hides: Bool) -> Bool { hides ? endsHiding : endsShowing }
  }

  /// A chain of drawers, from the edge to the content, all shown.
  /// - Parameters:
  ///   - drawers: their laws, with the heights that they have fully shown and may be given at least.
  ///   - isBlock: they move as one block; see LAWS.md.
  public init(_ drawers: [(law: Law, maximum: Double, minimum: Double)], isBlock: Bool = false) {
    laws = drawers.map(\.law)
    links = drawers.map { Link($0.law, maximum: $0.maximum, minimum: $0.minimum) }
    self.isBlock = isBlock
    isGated = laws.contains { $0.isGated }
    stretches = laws.contains { $0.stretch != nil }
    rests = laws.contains { $0.rest != nil }
    let count = Double(laws.count)
    let hiding = Self.order(laws) { isBlock ? Double($0) : $1.hideOrder ?? count - Double($0) }
    let showing = Self.order(laws) { isBlock ? count - Double($0) : $1.showOrder ?? Double($0 + 1) }
    steps = zip(hiding, showing).map {
      Step(hiding: $0.link, showing: $1.link, endsHiding: $0.isLast, endsShowing: $1.isLast)
    }
    sharesPlaces = steps.contains { !$0.endsHiding || !$0.endsShowing }
    if isBlock { cutBlock() }
    way = links.reduce(0) { $0 + $1.reach.way }
    bounds = 0...way
    if isBlock { blockReturn = returningBlock }
  }

  private static func order(_ laws: [Law], _ place: (Int, Law) -> Double) -> [(link: Int, isLast: Bool)] {
    let places = laws.indices.map { place($0, laws[$0]) }
    let sorted = laws.indices.sorted { (places[$0], $0) < (places[$1], $1) }
    return sorted.indices.map { index in
      let isLast = index + 1 == sorted.count || places[sorted[index]] != places[sorted[index + 1]]
      return (sorted[index], isLast)
    }
  }

  /// The drawers in the order in which they are offered a movement; those of the same place in it together.
  func places(hides: Bool) -> [[Int]] {
    var places: [[Int]] = [[]]
    for step in steps {
      places[places.count - 1].append(step.link(hides))
      if step.isLast(hides) { places.append([]) }
    }
    return places
  }

  // MARK: Moving

  /// Moves the chain by a movement of the finger.
  /// - Returns: the part that the drawers took, with its sign.
  public mutating func take(_ movement: Double, _ phase: Phase) -> Double {
    guard movement != 0 else { return 0 }
    lastHides = movement > 0
    return move(movement, phase, isGated: isGated && (movement > 0 || phase == .before))
  }

  /// Closes a gap between the header and content that is this far from its top: the missing part comes back.
  /// - Returns: the points that came back, not positive.
  public mutating func close(to distance: Double) -> Double {
    let limit = Grid.cut(distance)
    return total <= limit ? 0 : move(limit - total, .atTop, isGated: false)
  }

  /// Goes to where the drawers have gone this far together; as a finger would take them, without gates.
  public mutating func place(_ gone: Double) {
    let target = max(bounds.lowerBound, min(bounds.upperBound, Grid.nearest(gone)))
    _ = move(target - total, .atTop, isGated: false)
  }

  /// Moves to where the chain is when content has been scrolled this far from its top: drawers that return at the top only are gone,
  /// others stay; no gap opens.
  public mutating func meet(_ distance: Double) {
    _ = close(to: distance)
    let limit = min(Grid.cut(distance), bounds.upperBound)
    if isBlock, total < min(limit, way - blockReturn) { place(min(limit, way - blockReturn)) }
    for step in steps where !isBlock && total < limit {
      let link = links[step.hiding]
      if link.gone < link.reach.floor { put(step.hiding, at: min(link.reach.floor, link.gone + limit - total)) }
    }
  }

  /// The chain's total after a finger has moved one drawer from its present place to where `seen` points of it are visibly gone.
  public func total(where link: Int, isGone seen: Double) -> Double {
    let hides = links[link].seen < seen
    guard links[link].seen != seen else { return total }
    // The nearer end is not there yet, the further one is; further apart than the grid's step there is a place between.
    var (near, far) = (total, hides ? way : 0)
    while abs(far - near) > Grid.step {
      let middle = Grid.nearest((near + far) / 2)
      // On ways beyond the grid's bound two numbers that have none between them are further apart than a step.
      guard middle != near, middle != far else { break }
      var copy = self
      copy.bounds = 0...way
      copy.place(middle)
      let isThere = hides ? copy.links[link].seen >= seen : copy.links[link].seen <= seen
      if isThere { far = middle } else { near = middle }
    }
    return far
  }

  /// Puts one drawer somewhere on its way.
  /// - Returns: by how far it went.
  @discardableResult
  public mutating func put(_ index: Int, at gone: Double) -> Double {
    let target = Grid.nearest(max(0, min(links[index].reach.way, gone)))
    let distance = max(bounds.lowerBound - total, min(bounds.upperBound - total, target - links[index].gone))
    guard distance != 0 else { return 0 }
    links[index].go(abs(distance), hides: distance > 0)
    total += distance
    return distance
  }

  private mutating func move(_ movement: Double, _ phase: Phase, isGated: Bool) -> Double {
    let hides = movement > 0
    var pass = Pass(hides: hides, phase: phase, isGated: isGated, left: abs(movement))
    pass.room = hides ? bounds.upperBound - total : total - bounds.lowerBound
    if isBlock, !hides, phase == .before {
      pass.room = min(pass.room, total - (way - blockReturn))
      pass.phase = .atTop
    }
    guard pass.room > 0 || isGated else { return 0 }
    if sharesPlaces { shareAlong(&pass) } else { passAlong(&pass) }
    let taken = hides ? pass.taken : -pass.taken
    let before = total
    total += taken
    if isChecked, let broken = violation(from: before, offered: movement, taken: taken) {
      violation = violation ?? broken
    }
    return taken
  }

  /// Each drawer has a place of its own in the order.
  @inline(__always)
  private mutating func passAlong(_ pass: inout Pass) {
    for index in 0..<steps.count {
      offer(pass.left, to: steps[index].link(pass.hides), &pass)
      guard pass.left > 0, pass.room > 0 || pass.isGated else { return }
    }
  }

  /// Some have the same place.
  private mutating func shareAlong(_ pass: inout Pass) {
    let hides = pass.hides
    var first = 0
    for index in 0..<links.count {
      guard steps[index].isLast(hides) else { continue }
      if first == index {
        offer(pass.left, to: steps[index].link(hides), &pass)
      } else {
        share(first...index, &pass)
      }
      guard pass.left > 0 else { return }
      first = index + 1
    }
  }

  /// A movement on its way along the chain; points without a sign.
  private struct Pass {
    let hides: Bool
    var phase: Phase
    let isGated: Bool
    /// Points that no drawer has taken yet.
    var left: Double
    var taken = 0.0
    /// Points that all drawers together may still take.
    var room = 0.0
  }

  @inline(__always)
  private mutating func offer(_ distance: Double, to link: Int, _ pass: inout Pass) {
    guard pass.isGated, !links[link].isOpen(hides: pass.hides) else { return take(distance, from: link, &pass) }
    let passed = links[link].open(distance, hides: pass.hides)
    if passed < distance, held != nil { hold(distance, passed, at: link, pass) }
    take(passed, from: link, &pass)
  }

  /// Notes how much a gate has held back from a drawer that had room.
  @inline(never)
  private mutating func hold(_ offered: Double, _ passed: Double, at link: Int, _ pass: Pass) {
    guard links[link].room(hides: pass.hides, pass.phase) > 0 else { return }
    held?.append(Held(link: link, offered: offered, passed: passed))
  }

  @inline(__always)
  private mutating func take(_ distance: Double, from link: Int, _ pass: inout Pass) {
    let part = min(distance, links[link].room(hides: pass.hides, pass.phase), pass.room)
    guard part > 0 else { return }
    links[link].go(part, hides: pass.hides)
    pass.left -= part
    pass.taken += part
    pass.room -= part
  }

  /// Shares a movement among the drawers of one place in the order, by their weights. The part that one drawer has no room for, or that
  /// its gate uses up, goes to the others. The movement is divided where a gate opens, so that the number of events does not matter.
  private mutating func share(_ places: ClosedRange<Int>, _ pass: inout Pass) {
    guard pass.isGated else { return divide(places, &pass) }
    var (undivided, left) = (pass.left, 0.0)
    // A gate opens once; a rest by rounding takes another round.
    for _ in 0..<4 * places.count where undivided > 0 {
      pass.left = min(undivided, max(Grid.nearest(nextGate(places, pass.hides)), 4 * Grid.step))
      undivided -= pass.left
      divide(places, &pass)
      left += pass.left
    }
    pass.left = undivided
    if undivided > 0 { divide(places, &pass) }
    pass.left += left
  }

  /// The movement after which the next shut gate of these places opens.
  private func nextGate(_ places: ClosedRange<Int>, _ hides: Bool) -> Double {
    var (weights, next) = (0.0, Double.infinity)
    for step in places { weights += weight(steps[step].link(hides)) }
    for step in places {
      let link = steps[step].link(hides)
      if !links[link].isOpen(hides: hides), weight(link) > 0 {
        next = min(next, links[link].shut(hides: hides) * weights / weight(link))
      }
    }
    return min(next, Grid.bound)
  }

  private mutating func divide(_ places: ClosedRange<Int>, _ pass: inout Pass) {
    let hides = pass.hides
    var weights = 0.0
    for step in places { weights += weight(steps[step].link(hides)) }
    var undivided = pass.left
    // One bit for each; more than 64 drawers of one place share bits, and some of them take no more than their share.
    var shut: UInt64 = 0
    for step in places where weights > 0 {
      let link = steps[step].link(hides)
      let part = min(undivided, Grid.nearest(undivided * min(1, weight(link) / weights)))
      weights -= weight(link)
      undivided -= part
      let passed = pass.isGated ? links[link].open(part, hides: hides) : part
      if passed < part, held != nil { hold(part, passed, at: link, pass) }
      if passed < part { shut |= bit(of: step, in: places) }
      take(passed, from: link, &pass)
    }
    // A drawer whose gate has used up a part of its share gets none of the rest, which is for the others.
    for step in places where pass.left > 0 && shut & bit(of: step, in: places) == 0 {
      take(pass.left, from: steps[step].link(hides), &pass)
    }
  }

  private func bit(of step: Int, in places: ClosedRange<Int>) -> UInt64 { 1 << UInt64((step - places.lowerBound) & 63) }

  private func weight(_ link: Int) -> Double { laws[link].weight ?? links[link].reach.way }

  // MARK: Pulling

  /// Stretches the drawers that can, in the order of showing, while the content is pulled beyond its top.
  /// - Returns: the numbers of drawers whose trigger was passed.
  public mutating func pull(_ distance: Double) -> [Int] {
    var left = distance
    var triggered: [Int] = []
    for step in steps {
      let link = step.showing
      guard let stretch = laws[link].stretch else { continue }
      let part = min(left, stretch.limit.map { $0 / stretch.factor } ?? .infinity)
      left -= part
      let before = links[link].stretch
      let after = Grid.nearest(part * stretch.factor)
      links[link].stretch = after
      guard let trigger = stretch.trigger, after >= trigger else { continue }
      if before < trigger || (stretch.repeats && before == trigger) { triggered.append(link) }
    }
    return triggered
  }

  /// The pull after which no drawer grows any more, points.
  public var pullRoom: Double {
    var room = 0.0
    for law in laws {
      guard let stretch = law.stretch else { continue }
      room += stretch.limit.map { $0 / stretch.factor } ?? Grid.bound
    }
    return room
  }

  /// Whether a drawer grows while the content is pulled.
  public let stretches: Bool

  /// Whether a drawer has a place to rest.
  public let rests: Bool

  // MARK: Bounds

  /// From now on the drawers stay within a part of their way, and go there at once.
  public mutating func permit(_ progress: ClosedRange<Double>) {
    let low = progress.lowerBound > 0 ? Grid.nearest(min(1, progress.lowerBound) * way) : 0
    let high = progress.upperBound < 1 ? Grid.nearest(max(0, progress.upperBound) * way) : way
    bounds = low...max(low, high)
    if total < low || total > high {
      // The way there may lead from outside.
      _ = move(max(low, min(high, total)) - total, .atTop, isGated: false)
    }
  }

  // MARK: Blocks

  /// Drawers behind one that stays, or that keeps a part, cannot move with the block.
  private mutating func cutBlock() {
    var isOver = false
    for index in links.indices {
      if isOver { links[index].stop() }
      let reach = links[index].reach
      if reach.travel < reach.height { isOver = true }
    }
  }

  /// The length at the block's lower end that returns anywhere.
  private var returningBlock: Double {
    var sum = 0.0
    for link in links.reversed() {
      let part = link.reach.way - link.reach.floor
      if part == 0, sum > 0 { break }
      sum += part
    }
    return sum
  }

  // MARK: Being changed and born again

  /// Takes over the positions of another chain.
  /// - Parameters:
  ///   - places: where each of these drawers stood in it; nil: not at all.
  ///   - keepsPoints: a drawer keeps the points by which it is gone, not the share of its way.
  public mutating func resume(from other: LawChain, places: [Int?], keepsPoints: Bool = false) {
    for index in links.indices {
      if let place = places[index] { links[index].resume(from: other.links[place], keepsPoints: keepsPoints) }
    }
    total = links.reduce(0) { $0 + $1.gone }
    lastHides = other.lastHides
  }

  /// The drawers' state, to save and restore.
  public var memory: [[Double]] {
    get { links.map(\.memory) }
    set {
      guard newValue.count == links.count else { return }
      for index in links.indices { links[index].take(memory: newValue[index]) }
      total = links.reduce(0) { $0 + $1.gone }
    }
  }
}
