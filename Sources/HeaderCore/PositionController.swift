// SPDX-License-Identifier: MIT
//
// Moves a header by call and keeps it within its constraints (headerd-position(7)).
//
//     move ──────▶ targets ─▶ motion ──frame──▶ place ──frame──▶ place ─▶ … ─▶ at its time: the end, `didArrive`
//                                │ an event moves it: it continues from there          ╰▶ `wasInterrupted`
//     constrain ─▶ permitted ─▶ where it is not permitted: an imposed motion, or at once
//
// A motion is a pure function of time: before each event the header is put where the motion is at that time, so that a finger that
// catches it finds it there. Frames only sample it.

import HeaderModel

/// Changes the position of one header.
struct PositionController {
  let header: Header
  private var proxy: DelegateProxy { header.proxy }

  init(_ header: Header) { self.header = header }

  private var control: PositionControl { header.rare.control ?? PositionControl() }

  /// The engine, where delegates stand in the schedule.
  static let engine: Int32 = -1

  // MARK: Asked by requests

  /// Goes somewhere.
  /// - Returns: `id`, which the notice of its end has, and `progress`, where it leads.
  /// - Throws: `unsupported`, `drawerNotFound`, `delegateNotFound`, `invalidParams` for a stop that there is not.
  func move(_ wanted: HeaderMove) throws(HeaderError) -> Value {
    let targets = MoveTargets(header: header, movers: movers)
    // Errors come before any change; the present positions are known only once the motion under way has ended.
    _ = try targets.parts(of: wanted)
    // A renderer has it on its way still.
    if let motion = control.motion, motion.drawnBy == .renderer {
      place(share: motion.path.share(at: elapsed(of: motion)))
    }
    interrupt(goingOn: true)
    var parts = try targets.parts(of: wanted)
    let permitted = control.permitted
    for index in parts.indices {
      let position = position(of: Int(parts[index].delegate))
      let (low, high) = (permitted.lowerBound * position.travel, permitted.upperBound * position.travel)
      parts[index].to = max(low, min(high, parts[index].to))
    }
    let id = start(parts, wanted.style, velocity: wanted.velocity)
    return ["id": .number(Double(id)), "progress": .number(progress(of: parts))]
  }

  /// Bounds the header.
  /// - Returns: `permitted`, the range that all constraints together permit now.
  /// - Throws: `unsupported`, `limitExceeded`.
  func constrain(_ constraint: Constraint) throws(HeaderError) -> Value {
    guard !movers.isEmpty else { throw .cannotBePositioned(header) }
    var control = control
    if let index = control.index(of: constraint.name) {
      control.constraints[index] = constraint
    } else {
      guard control.constraints.count < PositionControl.maxConstraints else {
        throw .limitExceeded(
          "constraints", control.constraints.count + 1, PositionControl.maxConstraints, field: "name")
      }
      control.constraints.append(constraint)
    }
    impose(control, constraint.style, wish: constraint.wish)
    return ["permitted": self.control.permitted.ends]
  }

  /// Ends a constraint.
  /// - Returns: `permitted`, the range that the others together permit.
  /// - Throws: `invalidParams` when there is none of that name.
  func release(_ name: String, _ style: MotionStyle?) throws(HeaderError) -> Value {
    var control = control
    guard let index = control.index(of: name), name != Constraint.accessibility else {
      let known = control.constraints.map(\.name).filter { $0 != Constraint.accessibility }
      throw HeaderError(
        .invalidParams, "name: header \"\(header.name)\" has no constraint \"\(name)\"", field: "name",
        got: .text(name),
        hint: known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))")
    }
    control.constraints.remove(at: index)
    impose(control, style, wish: nil)
    return ["permitted": self.control.permitted.ends]
  }

  /// Collapses by a distance in points, as far as that is permitted.
  /// - Parameter edge: only the delegates at this edge move; nil: all.
  func collapse(by distance: Double, at edge: Edge? = nil) {
    // Where it is going is not for it to say.
    guard control.motion?.isImposed != true else { return }
    var left = distance
    var parts: [Motion.Part] = []
    for index in movers where edge == nil || proxy.slots[index].delegate.side?.edge == edge {
      let position = position(of: index)
      let most = control.permitted.upperBound * position.travel
      let target = max(position.traveled, min(most, position.traveled + left))
      left -= target - position.traveled
      if target != position.traveled { parts.append(part(of: index, from: position.traveled, to: target)) }
    }
    guard !parts.isEmpty else { return }
    interrupt()
    _ = start(parts, nil, velocity: 0)
  }

  /// Puts a delegate somewhere at once, within the permitted range.
  func put(_ index: Int, at traveled: Double) {
    let position = position(of: index)
    let permitted = control.permitted
    let target = max(
      permitted.lowerBound * position.travel,
      min(permitted.upperBound * position.travel, min(position.travel, traveled)))
    guard target != position.traveled else { return }
    place(part(of: index, from: position.traveled, to: target), at: target, isImposed: false)
  }

  // MARK: Constraints

  /// Where the header is, and how far it can go.
  struct Places: Equatable {
    let drawers: [Drawer]
    let positions: [Position]
  }

  /// Where a motion has led the header; nil: there is none.
  var placesInMotion: Places? {
    guard control.motion != nil else { return nil }
    return Places(drawers: header.drawers.elements, positions: movers.map { position(of: $0) })
  }

  /// Adds or removes the engine's own constraint, after the surroundings or the set of movable delegates may have changed, and applies
  /// the present constraints to all delegates.
  /// - Parameter before: where a motion had led the header before. While it is there still, the motion goes on as it was.
  func update(since before: Places? = nil) {
    let wants = header.plans.plan.description.accessibility == .shown && header.environment.needsShown
    var control = control
    let index = control.index(of: Constraint.accessibility)
    guard wants != (index != nil) || control.isBounded else { return }
    if wants == (index != nil), let before, before == placesInMotion { return }
    if wants, index == nil, !movers.isEmpty {
      control.constraints.append(
        Constraint(name: Constraint.accessibility, permitted: 0...0, priority: .max, holder: "the environment"))
    } else if !wants, let index {
      control.constraints.remove(at: index)
    }
    impose(control, nil, wish: nil)
  }

  /// Brings delegates back to where they are permitted to be, after one may have changed how far it goes.
  func enforce() {
    guard control.isBounded, control.motion == nil else { return }
    let (low, high) = (control.permitted.lowerBound - 1e-6, control.permitted.upperBound + 1e-6)
    guard movers.contains(where: { !(low...high).contains(position(of: $0).progress) }) else { return }
    impose(control, nil, wish: nil)
  }

  /// Sends all delegates the permitted range, after the header was restored.
  func takeUp() {
    guard header.rare.control != nil else { return }
    updateFlags()
    for index in movers { permit(index) }
  }

  /// The same for a delegate with new code. One that starts anew may be anywhere.
  func hasNewCode(_ index: Int, startsAnew: Bool) {
    if startsAnew { update() } else if control.isBounded { permit(index) }
  }

  /// Lets a set of constraints hold: at once, or by a motion that leads to where the header is permitted to be.
  private func impose(_ next: PositionControl, _ style: MotionStyle?, wish: Double?) {
    interrupt(goingOn: true)
    let before = movers.map { (index: $0, position: position(of: $0)) }
    var control = next
    control.motion = nil
    control.lastMotion = self.control.lastMotion
    control.updatePermitted()
    let permitted = control.permitted
    header.rare.control = control
    updateFlags()
    var parts: [Motion.Part] = []
    // A delegate with positions of its own reports its position within the new bounds, and need not be moved there at once.
    let isAnimated = style != nil && !header.environment.limitsMotion
    var isLawful = true
    for (index, position) in before {
      let mayMoveItself = permitted.contains(position.progress)
      if mayMoveItself { permit(index) }
      let present = mayMoveItself ? self.position(of: index) : position
      let progress = max(permitted.lowerBound, min(permitted.upperBound, wish ?? present.progress))
      let isOwnSay = mayMoveItself && progress == present.progress
      let target = progress == present.progress ? present.traveled : progress * present.travel
      guard target != position.traveled, isAnimated || !isOwnSay else {
        // The delegate is at a bound, but for the last bit of the division.
        if !mayMoveItself { permit(index) }
        continue
      }
      isLawful = isLawful && isOwnSay
      parts.append(part(of: index, from: position.traveled, to: target))
    }
    if !parts.isEmpty { _ = start(parts, style, velocity: 0, isLawful: isLawful) }
  }

  /// Sends the permitted range to a delegate with positions of its own.
  private func permit(_ index: Int) {
    guard positioning(of: index) == .own else { return }
    var range = control.permitted
    // What leads into that range holds those that it leads where they are, and no others.
    if let motion = control.motion, motion.isImposed, motion.parts.contains(where: { Int($0.delegate) == index }) {
      let progress = position(of: index).progress
      range = progress...progress
    }
    proxy.guarded(index, in: header) { (delegate: ScrollDelegate) throws(DelegateFailure) in
      try delegate.permit(range, in: header)
    }
  }

  // MARK: Motion

  /// Begins a motion, or goes to its end at once.
  /// - Returns: its number.
  private func start(
    _ parts: [Motion.Part], _ style: MotionStyle?, velocity: Double, isLawful: Bool = false
  ) -> Int {
    let way = parts.lazy.map { abs($0.to - $0.from) }.max() ?? 0
    var motion = Motion(path: MotionPath(.linear, duration: 0), start: header.now, drawnBy: .frames, parts: parts)
    motion.isLawful = isLawful
    motion.isImposed = parts.contains { part in
      !control.permitted.contains(position(of: Int(part.delegate)).progress)
    }
    let isAnimated = way > 0 && !header.environment.limitsMotion
    if isAnimated, let style {
      motion.drawnBy = style.drawnBy
      motion.path = MotionPath(style.curve.beginning(velocity, parts), duration: style.duration)
    }
    let id = begin(motion)
    guard motion.path.duration > 0 else {
      finish()
      return id
    }
    for index in parts.indices { expect(index) }
    switch motion.drawnBy {
    case .frames: header.schedule.startFrames(delegate: Self.engine, at: header.now)
    case .renderer:
      place(share: 1)
      header.work.happened.animations.append(
        HeaderState.Animation(
          delegate: parts.first?.delegate ?? 0, duration: motion.path.duration, delay: 0, curve: motion.path.curve))
    }
    if header.frames != .manual || motion.drawnBy == .renderer { complete(id, after: motion.path.duration) }
    return id
  }

  /// Makes a motion the one under way.
  /// - Returns: the number that it gets.
  private func begin(_ motion: Motion) -> Int {
    var control = control
    control.lastMotion += 1
    control.motion = motion
    control.motion?.id = control.lastMotion
    header.rare.control = control
    updateFlags()
    return control.lastMotion
  }

  /// The motion with this number ends after `duration` seconds.
  private func complete(_ id: Int, after duration: Double) {
    header.schedule.add(
      .completion, due: header.now.advanced(bySeconds: duration), delegate: Self.engine, token: UInt64(id))
  }

  /// Follows the motion that a behavior's own call has begun, and reports its progress and end like those of any motion. It moves nothing
  /// itself.
  /// - Parameter duration: seconds, until the last of the announced animations ends; nil: it runs by frames.
  /// - Returns: the number of the motion.
  func follow(_ index: Int, for duration: Double?) -> Int {
    interrupt()
    let traveled = position(of: index).traveled
    var motion = Motion(
      path: MotionPath(.linear, duration: duration ?? 0), start: header.now, drawnBy: .renderer,
      parts: [part(of: index, from: traveled, to: traveled)])
    motion.followed = duration == nil ? .frames : .animation
    let id = begin(motion)
    expect(0)
    if let duration { complete(id, after: duration) }
    return id
  }

  /// A delegate has run a frame of its own: its last one ends a motion that is followed by them.
  func frameRan(of delegate: Int32) {
    guard let motion = control.motion, motion.followed == .frames, motion.parts.first?.delegate == delegate else {
      return
    }
    if !header.schedule.frameIsActive(delegate: delegate) { finish() }
  }

  /// Draws a frame of the motion under way.
  /// - Parameter duration: of frames that come without a clock, seconds; nil: the clock says where it is.
  func frame(_ duration: Double?) {
    guard let motion = control.motion, motion.drawnBy == .frames else { return }
    if let duration { header.rare.control?.motion?.framed += duration }
    let elapsed = elapsed(of: motion) + (duration ?? 0)
    if elapsed >= motion.path.duration { finish() } else { place(share: motion.path.share(at: elapsed)) }
  }

  /// Ends the motion of that number, by the clock.
  func completion(_ token: UInt64) {
    if let motion = control.motion, UInt64(motion.id) == token { finish() }
  }

  func elapsed(of motion: Motion) -> Double {
    header.frames == .manual && motion.drawnBy == .frames
      ? motion.framed : Instant(nanoseconds: header.now.nanoseconds(since: motion.start)).seconds
  }

  /// The header is where the motion leads.
  private func finish() {
    place(share: 1)
    guard let motion = control.motion else { return }
    end(motion)
    header.work.note(
      .didArrive, of: Int(motion.parts.first?.delegate ?? -1),
      ["id": .number(Double(motion.id)), "progress": .number(progress)])
  }

  /// Ends the motion under way where it is.
  /// - Parameter goingOn: another one begins there.
  func interrupt(goingOn: Bool = false) {
    guard let motion = control.motion else { return }
    end(motion, goingOn: goingOn)
    header.work.note(
      .wasInterrupted, of: Int(motion.parts.first?.delegate ?? -1),
      ["id": .number(Double(motion.id)), "progress": .number(progress)])
  }

  private func end(_ motion: Motion, goingOn: Bool = false) {
    header.rare.control?.motion = nil
    header.schedule.forget(delegate: Self.engine)
    updateFlags()
    guard !goingOn, motion.isImposed || motion.isLawful else { return }
    for part in motion.parts {
      permit(Int(part.delegate))
      if !motion.isLawful { put(Int(part.delegate), at: part.to) }
    }
  }

  /// Puts the delegates where the motion is.
  private func place(share: Double) {
    guard let motion = control.motion, motion.followed == nil else { return }
    for (number, part) in motion.parts.enumerated() {
      let wanted = share == 1 ? part.to : part.from + (part.to - part.from) * share
      place(part, at: permitted(wanted, of: part, motion), isImposed: motion.isImposed)
      expect(number)
    }
  }

  /// A spring overshoots its end, but not the permitted range; nor does a motion end beyond it, if the way has become another one.
  private func permitted(_ traveled: Double, of part: Motion.Part, _ motion: Motion) -> Double {
    guard !motion.isImposed, control.isBounded else { return traveled }
    let bounds = control.bounds(of: position(of: Int(part.delegate)))
    return max(bounds.lowerBound, min(bounds.upperBound, traveled))
  }

  private func place(_ part: Motion.Part, at traveled: Double, isImposed: Bool) {
    let index = Int(part.delegate)
    switch positioning(of: index) {
    case .none: return
    case .chain: header.placeChain(at: traveled, from: part)
    case .own:
      let travel = position(of: index).travel
      proxy.guarded(index, in: header) { (delegate: ScrollDelegate) throws(DelegateFailure) in
        if isImposed, travel > 0 {
          let progress = max(0, min(1, traveled / travel))
          try delegate.permit(progress...progress, in: header)
        } else {
          try delegate.move(to: max(0, min(travel, traveled)), in: header)
        }
      }
    }
  }

  /// Notes where a delegate says that it is.
  private func expect(_ number: Int) {
    guard let motion = control.motion, motion.parts.indices.contains(number) else { return }
    let position = position(of: Int(motion.parts[number].delegate))
    header.rare.control?.motion?.parts[number].expected = position.traveled
  }

  // MARK: Events

  /// An event is about to be handled: the header is put where the motion is, so that the event finds it there.
  /// - Parameter catches: a finger takes hold of the header.
  func beginEvent(catches: Bool) {
    guard let motion = control.motion else { return }
    if motion.drawnBy == .frames || catches { place(share: motion.path.share(at: elapsed(of: motion))) }
    if catches, !motion.isImposed, motion.followed == nil { interrupt() }
  }

  /// Interrupts the motion if a delegate has moved the same drawers during the event.
  func endEvent() {
    guard let motion = control.motion, !motion.isImposed else { return }
    if motion.followed == .frames {
      let runs = motion.parts.first.map { header.schedule.frameIsActive(delegate: $0.delegate) } ?? false
      return runs ? () : interrupt()
    }
    let isMoved = motion.parts.contains { position(of: Int($0.delegate)).traveled != $0.expected }
    if isMoved || motion.parts.isEmpty { interrupt() }
  }

  // MARK: Positions

  /// Delegates that can be brought to a position, by their places in the chain.
  var movers: [Int] { proxy.slots.indices.filter { positioning(of: $0) != .none } }

  func positioning(of index: Int) -> Positioning {
    guard proxy.slots.indices.contains(index), proxy.slots[index].isActive, !proxy.slots[index].isBypassed else {
      return .none
    }
    let delegate = proxy.slots[index].delegate
    let positioning = delegate.positioning
    // A chain is positioned by the owner of its first drawer.
    if case .chain = positioning, !header.owns(header.firstDrawer(of: delegate), delegate) { return .none }
    return positioning
  }

  func position(of index: Int) -> Position {
    var position = Position(traveled: 0, travel: 0)
    switch positioning(of: index) {
    case .none: break
    case .chain: position = header.chainPosition(from: header.firstDrawer(of: proxy.slots[index].delegate))
    case .own:
      proxy.guarded(index, in: header) { (delegate: ScrollDelegate) throws(DelegateFailure) in
        position = try delegate.position(in: header)
      }
    }
    return position
  }

  /// A part of a motion that begins where a delegate is.
  func part(of index: Int, from: Double, to target: Double) -> Motion.Part {
    let first = header.firstDrawer(of: proxy.slots[index].delegate)
    var part = Motion.Part(delegate: Int32(index), from: from, to: target, drawer: first)
    if case .chain = positioning(of: index) {
      part.centers = header.drawers.indices.map { header.drawers[$0].center.y }
    }
    return part
  }

  /// The position of all movers together.
  var wholePosition: Position {
    var whole = Position(traveled: 0, travel: 0)
    for index in movers {
      let position = position(of: index)
      whole.traveled += position.traveled
      whole.travel += position.travel
    }
    return whole
  }

  private var progress: Double { wholePosition.progress }

  private func progress(of parts: [Motion.Part]) -> Double {
    let travel = parts.reduce(0) { $0 + position(of: Int($1.delegate)).travel }
    return travel > 0 ? parts.reduce(0) { $0 + $1.to } / travel : 0
  }

  /// The report in a state; nil: nothing holds the header.
  var report: PositionReport? {
    let tellsObstruction = header.plans.plan.description.tellsObstruction
    guard !control.isIdle || tellsObstruction else { return nil }
    let view = header.trackingScrollView
    return wholeReport(tellsObstruction && view >= 0 ? header.obstruction(of: view) : nil)
  }

  func wholeReport(_ obstruction: Insets?) -> PositionReport {
    let control = control
    return PositionReport(
      position: wholePosition, permitted: control.permitted, motion: control.motion?.id, constraints: control.ranked,
      obstruction: obstruction)
  }

  /// Brings the flags up to date that stand where every event looks.
  func updateFlags() {
    header.isBounded = control.isBounded
    header.isControlled =
      !control.isIdle || header.state.position != nil || header.plans.plan.description.tellsObstruction
  }
}

extension AnimationCurve {
  /// A spring that begins with a velocity in points per millisecond, on the way of the first part.
  fileprivate func beginning(_ velocity: Double, _ parts: [Motion.Part]) -> AnimationCurve {
    guard case .spring(let mass, let stiffness, let damping, _) = self, let part = parts.first, part.to != part.from
    else { return self }
    let ways = velocity * 1000 / (part.to - part.from)
    // It is saved, within what a number may be.
    return .spring(
      mass: mass, stiffness: stiffness, damping: damping,
      initialVelocity: max(-FieldReader.bound, min(ways, FieldReader.bound)))
  }
}
