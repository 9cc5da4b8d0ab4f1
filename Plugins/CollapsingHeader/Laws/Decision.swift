// SPDX-License-Identifier: MIT
//
// A header that does not go along with the content: each look at where the content is decides whether it is shown or hidden
// as a whole (`decides = "event"`). The rules are those of headroom.js and react-headroom (README.md, Decisions).
//
//     look ─▶ direction and distance since the last look ─▶ at the top? beyond the tolerance? ─▶ show, hide, or nothing

/// How a look decides.
package struct DecisionRules: Equatable, Sendable {
  /// What is above the content while the content is at its top.
  package enum Place: String, CaseIterable, Sendable {
    /// The header lies over the content, always.
    case over
    /// The header is the first thing in the content, until it is hidden for the first time.
    case flow
  }

  /// The least distance of a look that does not count is this one; nil: none counts.
  package var tolerance: (hide: Double?, show: Double?) = (0, 0)
  /// Up to this offset the content counts as being at its top.
  package var topZone = Pair()
  package var place = Place.over
  /// Looks are rounded to whole points, halves up.
  package var wholePoints = false
  /// It stays shown.
  package var holds = false

  /// Headroom's.
  package init() {}

  package static func == (left: Self, right: Self) -> Bool {
    left.tolerance == right.tolerance && left.topZone == right.topZone && left.place == right.place
      && left.wholePoints == right.wholePoints && left.holds == right.holds
  }

  func exceeds(_ distance: Double, hides: Bool) -> Bool {
    (hides ? tolerance.hide : tolerance.show).map { distance > $0 } ?? false
  }
}

/// What was decided so far.
package struct Decision: Equatable, Sendable {
  /// Where a header is.
  package enum Standing: String, CaseIterable, Sendable {
    /// It was never hidden, and lies over the content.
    case untouched
    /// It was never hidden, or came back to the content's top, and scrolls with the content.
    case inFlow
    case shown
    case hidden
  }

  /// What the header has to do or to tell, in order.
  package enum Step: Equatable, Sendable {
    case reachTop, leaveTop, reachBottom, leaveBottom
    case show
    case hide(animated: Bool)
    /// Back into the content, once the turn is over.
    case returnToFlow
  }

  /// What a look found.
  package struct Findings: Equatable, Sendable {
    package var offset = 0.0
    package var before = 0.0
    package var hides = false
    package var isOutOfBounds = false
    package var isAtTop = false
    package var isAtBottom = false
    package var exceeds = false
  }

  /// Where the content is, as looks see it.
  package struct Scene: Equatable, Sendable {
    package var offset: Double
    package var viewport: Double
    package var content: Double
    package var header: Double

    /// A scene from its parts; content that is shorter than the viewport is as long.
    package init(offset: Double, viewport: Double, content: Double, header: Double) {
      self.offset = offset
      self.viewport = viewport
      self.content = max(content, viewport)
      self.header = header
    }
  }

  package private(set) var standing: Standing
  /// Whether the content is at its top; nil: nobody has looked.
  package private(set) var isAtTop: Bool?
  package private(set) var isAtBottom: Bool?
  /// Looks change nothing.
  package var isFrozen = false
  /// Where the content was at the last look.
  package private(set) var last: Double

  /// What the last look found; it is not remembered.
  package private(set) var found = Findings()
  /// Where the header is seen: back in the content a moment before it stands there.
  package private(set) var seen = Standing.untouched

  /// Nothing is decided.
  package init(_ rules: DecisionRules, at offset: Double) {
    standing = rules.place == .flow ? .inFlow : .untouched
    last = offset
    seen = standing
  }

  /// Goes on from a place that somebody remembers.
  package init(standing: Standing, last: Double, isAtTop: Bool? = nil, isAtBottom: Bool? = nil, isFrozen: Bool = false)
  {
    self.standing = standing
    seen = standing
    self.last = last
    self.isAtTop = isAtTop
    self.isAtBottom = isAtBottom
    self.isFrozen = isFrozen
  }

  /// The header was put somewhere by others: what is not whole can be shown.
  package mutating func stand(hidden: Bool) {
    standing = hidden ? .hidden : .shown
    seen = standing
  }

  /// Looks begin anew from here.
  package mutating func begin(at offset: Double) { last = offset }

  /// Looks where the content is.
  package mutating func look(_ scene: Scene, _ rules: DecisionRules) -> [Step] {
    var scene = scene
    var steps: [Step] = []
    if rules.wholePoints { scene.offset = (scene.offset + 0.5).rounded(.down) }
    find(scene, rules)
    defer {
      last = scene.offset
      see(steps)
    }
    guard !found.isOutOfBounds, !isFrozen else { return [] }
    steps = rules.place == .over ? lookOver(scene) : lookInFlow(scene, rules)
    return steps
  }

  private mutating func see(_ steps: [Step]) {
    for step in steps {
      switch step {
      case .returnToFlow: seen = .inFlow
      case .show, .hide: seen = standing
      case .reachTop, .leaveTop, .reachBottom, .leaveBottom: break
      }
    }
  }

  /// headroom.js takes no movement for one up, react-headroom for one down.
  private mutating func find(_ scene: Scene, _ rules: DecisionRules) {
    found.hides = rules.place == .over ? scene.offset > last : scene.offset >= last
    (found.offset, found.before) = (scene.offset, last)
    found.exceeds = rules.exceeds(abs(scene.offset - last), hides: found.hides)
    found.isOutOfBounds = scene.offset < 0 || scene.offset + scene.viewport > scene.content
    found.isAtTop = scene.offset <= rules.topZone[found.hides]
    found.isAtBottom = scene.offset + scene.viewport >= scene.content
  }

  /// headroom.js: `update`.
  private mutating func lookOver(_ scene: Scene) -> [Step] {
    let (hides, exceeds, top, bottom) = (found.hides, found.exceeds, found.isAtTop, found.isAtBottom)
    var steps: [Step] = []
    if isAtTop != top { steps.append(top ? .reachTop : .leaveTop) }
    if isAtBottom != bottom { steps.append(bottom ? .reachBottom : .leaveBottom) }
    (isAtTop, isAtBottom) = (top, bottom)
    if hides, !top, exceeds { steps += hide() } else if top || (!hides && exceeds) { steps += show() }
    return steps
  }

  /// react-headroom: `shouldUpdate`.
  private mutating func lookInFlow(_ scene: Scene, _ rules: DecisionRules) -> [Step] {
    let (hides, exceeds) = (found.hides, found.exceeds)
    let start = rules.topZone.hide
    if rules.holds { return standing == .shown ? [] : pin() }
    if scene.offset <= start, standing != .inFlow { return [.returnToFlow] }
    if standing == .inFlow, hides, scene.offset <= scene.header { return [] }
    if standing == .inFlow, hides, scene.offset > scene.header + start {
      standing = .hidden
      return [.hide(animated: false)]
    }
    if hides, standing != .hidden, scene.offset > scene.header + start, exceeds {
      standing = .hidden
      return [.hide(animated: true)]
    }
    guard !hides, standing == .hidden, exceeds || scene.offset <= scene.header else { return [] }
    return pin()
  }

  private mutating func pin() -> [Step] {
    standing = .shown
    return [.show]
  }

  /// Hides it, if it is not hidden.
  package mutating func hide() -> [Step] {
    guard standing != .hidden else { return [] }
    standing = .hidden
    return [.hide(animated: true)]
  }

  /// Shows it, if it is hidden.
  package mutating func show() -> [Step] {
    guard standing == .hidden else { return [] }
    return pin()
  }

  /// It is in the content again.
  package mutating func arriveInFlow() {
    standing = .inFlow
    seen = .inFlow
  }
}
