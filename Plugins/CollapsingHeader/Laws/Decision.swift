// SPDX-License-Identifier: MIT
//
// A header that does not move with the content: each look at the content's offset decides whether the whole header is shown or hidden
// (`follows = "looks"`). The rules are those of headroom.js and react-headroom (LAWS.md, Looks).
//
//     look ─▶ direction and distance since the last look ─▶ at the top? beyond the tolerance? ─▶ show, hide, or nothing

/// How a look decides: options of the behavior, which explain them.
package struct DecisionRules: Equatable, Sendable {
  /// The header's place while the content is at its top: over the content, or as the first part of it.
  package enum Place: String, CaseIterable, Sendable { case over, flow }

  package var (tolerance, topZone) = (Pair(), Pair())
  package var place = Place.over
  package var (wholePoints, holds) = (false, false)
  /// The names of the header's states.
  package var marks = MarkNames()

  /// Headroom's rules.
  package init() {}
}

/// The state of the decisions so far.
package struct Decision: Equatable, Sendable, Remembering {
  /// Where a header stands.
  package enum Standing: String, RememberedCase, Sendable {
    /// The header was never hidden, and lies over the content.
    case untouched
    /// It was never hidden, or came back to the content's top, and scrolls with the content.
    case inFlow
    case shown
    case hidden
  }

  /// What the header has to do or to publish, in order.
  package enum Step: Equatable, Sendable {
    case reachTop, leaveTop, reachBottom, leaveBottom
    case show
    case hide(animated: Bool)
    /// Returns the header into the content, once the turn is over.
    case returnToFlow
  }

  /// The result of a look at the content.
  package struct Findings: Equatable, Sendable {
    package var (offset, before) = (0.0, 0.0)
    package var (hides, exceeds, isOutOfBounds, isAtTop, isAtBottom) = (false, false, false, false, false)
  }

  /// Where the content is, as looks see it, and the header's height.
  package typealias Scene = (offset: Double, viewport: Double, content: Double, header: Double)

  package private(set) var standing: Standing
  /// Whether the content is at its top; nil before the first look.
  package private(set) var isAtTop: Bool?
  package private(set) var isAtBottom: Bool?
  /// While frozen, looks change nothing.
  package var isFrozen = false
  /// What styles know of it.
  package var marks: Marks
  /// The content's offset at the last look, or where looks start anew.
  package var last: Double

  /// The findings of the last look; they are not saved.
  package private(set) var found = Findings()
  /// Where the header is seen: back in the content a moment before it stands there.
  package internal(set) var seen = Standing.untouched

  package init(_ rules: DecisionRules, at offset: Double) {
    standing = rules.place == .flow ? .inFlow : .untouched
    // react-headroom takes the page to have been at its top.
    last = rules.place == .flow ? 0 : offset
    marks = Marks(rules.marks)
    marks.add(.initial)
    seen = standing
  }

  /// Continues from a remembered place.
  package init(standing: Standing, last: Double, names: MarkNames) {
    marks = Marks(names)
    marks.add(.initial)
    if standing == .shown || standing == .hidden { marks.add(standing == .shown ? .shown : .hidden) }
    (self.standing, seen, self.last) = (standing, standing, last)
  }

  /// Notes that the header was put somewhere from outside; a header that is not whole can be shown.
  package mutating func stand(hidden: Bool) {
    stand(hidden ? .hidden : .shown)
    seen = standing
  }

  /// Looks where the content is.
  /// - Parameter counts: the look may change something.
  package mutating func look(_ scene: Scene, _ rules: DecisionRules, counts: Bool = true) -> [Step] {
    var scene = scene
    // Content that is shorter than the viewport is as long.
    scene.content = max(scene.content, scene.viewport)
    var steps: [Step] = []
    if rules.wholePoints { scene.offset = (scene.offset + 0.5).rounded(.down) }
    find(scene, rules)
    defer {
      last = scene.offset
      see(steps)
    }
    guard counts, !found.isOutOfBounds, !isFrozen else { return [] }
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
    found.exceeds = abs(scene.offset - last) > rules.tolerance[found.hides]
    found.isOutOfBounds = scene.offset < 0 || scene.offset + scene.viewport > scene.content
    found.isAtTop = scene.offset <= rules.topZone[found.hides]
    found.isAtBottom = scene.offset + scene.viewport >= scene.content
  }

  /// headroom.js: `update`.
  private mutating func lookOver(_ scene: Scene) -> [Step] {
    let (hides, exceeds, top, bottom) = (found.hides, found.exceeds, found.isAtTop, found.isAtBottom)
    var steps: [Step] = []
    if top ? marks.change(to: .top, from: .notTop) : marks.change(to: .notTop, from: .top) {
      steps.append(top ? .reachTop : .leaveTop)
    }
    if bottom ? marks.change(to: .bottom, from: .notBottom) : marks.change(to: .notBottom, from: .bottom) {
      steps.append(bottom ? .reachBottom : .leaveBottom)
    }
    (isAtTop, isAtBottom) = (top, bottom)
    if hides, !top, exceeds {
      steps += hide()
    } else if top || (!hides && exceeds) {
      steps += show()
    }
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
      stand(.hidden)
      return [.hide(animated: false)]
    }
    if hides, standing != .hidden, scene.offset > scene.header + start, exceeds {
      stand(.hidden)
      return [.hide(animated: true)]
    }
    guard !hides, standing == .hidden, exceeds || scene.offset <= scene.header else { return [] }
    return pin()
  }

  private mutating func pin() -> [Step] {
    stand(.shown)
    return [.show]
  }

  private mutating func stand(_ place: Standing) {
    standing = place
    if place != .shown, place != .hidden { marks.remove(.shown) } else { marks.add(place == .shown ? .shown : .hidden) }
    marks.remove(place == .hidden ? .shown : .hidden)
  }

  /// Hides it, if it is not hidden, or not known as that.
  package mutating func hide() -> [Step] {
    guard marks.has(.shown) || !marks.has(.hidden) else { return [] }
    stand(.hidden)
    return [.hide(animated: true)]
  }

  /// Shows it, if it is known as hidden.
  package mutating func show() -> [Step] { marks.has(.hidden) ? pin() : [] }

  /// Looks change nothing, or count again; pins and hides by call do.
  package mutating func freeze(_ isFrozen: Bool) {
    self.isFrozen = isFrozen
    if isFrozen { marks.add(.frozen) } else { marks.remove(.frozen) }
  }

  /// It stands in the content again, where it was seen since it set out.
  package mutating func arriveInFlow() { stand(.inFlow) }

  package mutating func remember(in memory: inout Memory) {
    memory.parts(&self, \.standing, \.isAtTop, \.isAtBottom, \.isFrozen, \.last, \.seen, \.marks)
  }

  /// Puts the header back into the content at once.
  package mutating func goBackIntoFlow() {
    stand(.inFlow)
    seen = .inFlow
  }
}
