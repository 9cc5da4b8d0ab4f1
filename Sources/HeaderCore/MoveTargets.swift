// SPDX-License-Identifier: MIT
//
// The target of a `move`: turns the words of a request into points of travel of the delegates that can be moved.

import HeaderModel

/// Finds the targets of moves in one header.
struct MoveTargets {
  let header: Header
  /// Delegates that can be brought to a position.
  let movers: [Int]
  private var controller: PositionController { PositionController(header) }

  /// Each delegate's part of the motion.
  func parts(of wanted: HeaderMove) throws(HeaderError) -> [Motion.Part] {
    let chosen = try chosen(wanted.delegate)
    switch wanted.target {
    case .progress(let progress): return chosen.map { part(of: $0, progress: progress) }
    case .stop("expanded"): return chosen.map { part(of: $0, progress: 0) }
    case .stop("collapsed"): return chosen.map { part(of: $0, progress: 1) }
    case .stop(let name):
      // The header's own stops come first, which its description can change, where those of a behavior cannot be.
      guard let stop = header.plans.plan.description.stops.first(where: { $0.name == name }) else {
        return try parts(to: name, chosen)
      }
      return try parts(of: HeaderMove(to: stop.target, delegate: wanted.delegate))
    case .height(let drawer, let height): return [try part(of: drawer, height: height, chosen)]
    case .shift(let drawer, let shift): return [try part(of: drawer, shift: shift, chosen)]
    }
  }

  private func chosen(_ name: String?) throws(HeaderError) -> [Int] {
    guard let name else {
      guard !movers.isEmpty else { throw .cannotBePositioned(header) }
      return movers
    }
    let index = try header.delegateIndex(named: name)
    guard movers.contains(index) else { throw .cannotBePositioned(header) }
    return [index]
  }

  private func part(of index: Int, progress: Double) -> Motion.Part {
    let position = controller.position(of: index)
    return controller.part(of: index, from: position.traveled, to: progress * position.travel)
  }

  private func parts(to name: String, _ chosen: [Int]) throws(HeaderError) -> [Motion.Part] {
    var parts: [Motion.Part] = []
    var known = StopDescription.everywhere + header.plans.plan.description.stops.map(\.name)
    for index in chosen {
      let stops = controller.stops(of: index)
      known += stops.map(\.name)
      if let stop = stops.first(where: { $0.name == name }) { parts.append(part(of: index, progress: stop.progress)) }
    }
    guard parts.isEmpty else { return parts }
    throw HeaderError(
      .invalidParams, "to: there is no stop \"\(name)\"", field: "to", got: .text(name), expected: "stop",
      hint: "there are \(known.joined(separator: ", "))")
  }

  /// The drawer's place in the chain, and the delegate that owns it.
  private func owner(of name: String, _ chosen: [Int]) throws(HeaderError) -> (drawer: Int, delegate: Int) {
    let names = header.state.names.drawers
    guard let drawer = names.firstIndex(of: name) else {
      throw .notFound(.drawerNotFound, "drawer", name, in: header.name, known: names, at: Path("to") + "drawer")
    }
    guard let delegate = chosen.first(where: { header.owns(drawer, header.proxy.slots[$0].delegate) }) else {
      let names = chosen.map { header.proxy.slots[$0].delegate.name }.joined(separator: ", ")
      throw HeaderError(
        .unsupported, "to.drawer: \"\(name)\" is no drawer that \(names) moves", field: "to.drawer", got: .text(name),
        hint: "give expanded, collapsed, a stop or a progress")
    }
    return (drawer, delegate)
  }

  private func part(of name: String, height: Double, _ chosen: [Int]) throws(HeaderError) -> Motion.Part {
    let (drawer, delegate) = try owner(of: name, chosen)
    guard case .own = header.proxy.slots[delegate].delegate.positioning else {
      throw HeaderError(
        .unsupported,
        "to.height: \(header.proxy.slots[delegate].delegate.name) moves its drawers and keeps their heights",
        field: "to.height", hint: "give shift")
    }
    let (record, place) = (header.drawers[drawer], place(of: drawer))
    let wanted = try within(record.maximumHeight - place.collapse, record.maximumHeight, height, "height", of: name)
    return part(of: delegate, drawer, goneBy: record.maximumHeight - wanted)
  }

  private func part(of name: String, shift: Double, _ chosen: [Int]) throws(HeaderError) -> Motion.Part {
    let (drawer, delegate) = try owner(of: name, chosen)
    guard case .chain = header.proxy.slots[delegate].delegate.positioning else {
      let place = place(of: drawer)
      let wanted = try within(0, place.shift, shift, "shift", of: name)
      return part(of: delegate, drawer, goneBy: place.collapse + wanted)
    }
    let wanted = try within(
      0, header.drawers[drawer].isSticky ? 0 : header.drawers[drawer].travel, shift, "shift", of: name)
    let (first, end) = (header.chainStart(of: drawer), header.chainEnd(of: drawer))
    // As from where all are expanded, so that it does not matter where the header comes from.
    let before = header.policy(of: drawer).contractsFirst == .last ? drawer + 1..<end : first..<drawer
    let target = header.chainPosition(of: before).travel + wanted
    var part = controller.part(of: delegate, from: controller.position(of: delegate).traveled, to: target)
    part.ends = header.centers(ofChainFrom: first, contractedBy: target)
    return part
  }

  /// A number that a drawer can have.
  private func within(
    _ low: Double, _ high: Double, _ wanted: Double, _ field: String, of name: String
  ) throws(HeaderError) -> Double {
    guard wanted >= low - 1e-6, wanted <= high + 1e-6 else {
      throw HeaderError(
        .invalidParams,
        "to.\(field): expected a number from \(Value.number(low).brief) to \(Value.number(high).brief), which \"\(name)\" can have, got "
          + Value.number(wanted).brief, field: "to.\(field)", got: .number(wanted), expected: "number")
    }
    return max(low, min(high, wanted))
  }

  /// Where a drawer of a behavior with positions of its own is; where the behavior does not say, it is the only one that moves.
  private func place(of drawer: Int) -> DrawerPlace {
    if let place = header.ownPlace(of: drawer) { return place }
    let record = header.drawers[drawer]
    let delegate = Int(header.owners.drawers[drawer])
    let (collapse, position) = (
      max(0, record.maximumHeight - record.minimumHeight), controller.position(of: delegate)
    )
    return DrawerPlace(
      gone: position.traveled, collapse: min(collapse, position.travel), shift: position.travel - collapse)
  }

  /// The part of a motion that leads to where one drawer is gone by some points.
  private func part(of delegate: Int, _ drawer: Int, goneBy points: Double) -> Motion.Part {
    let position = controller.position(of: delegate)
    var target: Double?
    header.proxy.guarded(delegate, in: header) { (member: ScrollDelegate) throws(DelegateFailure) in
      target = try member.position(where: drawer - header.firstDrawer(of: member), isGone: points, in: header)
    }
    return controller.part(of: delegate, from: position.traveled, to: max(0, min(position.travel, target ?? points)))
  }
}

extension PositionController {
  /// All named stops but those that every header has: the description's, then the behaviors'. A stop of the description that cannot be
  /// reached now is left out.
  var stops: [NamedStop] {
    let (movers, travel) = (movers, wholePosition.travel)
    let targets = MoveTargets(header: header, movers: movers)
    let described: [NamedStop] = header.plans.plan.description.stops.compactMap { stop in
      if case .progress(let progress) = stop.target { return NamedStop(name: stop.name, progress: progress) }
      guard let parts = try? targets.parts(of: HeaderMove(to: stop.target)), travel > 0 else { return nil }
      let way = parts.reduce(0) { $0 + $1.to }
      return NamedStop(name: stop.name, progress: max(0, min(1, way / travel)))
    }
    return described + movers.flatMap(stops)
  }

  /// The stops that a delegate has by name.
  func stops(of index: Int) -> [NamedStop] {
    var stops: [NamedStop] = []
    header.proxy.guarded(index, in: header) { (delegate: ScrollDelegate) throws(DelegateFailure) in
      stops = try delegate.stops(in: header)
    }
    return stops
  }
}

// MARK: - Drawers that get another height on the way

extension PositionController {
  /// Goes on with the motion under way, after drawers of chains that it moves have got another height. In proportion to its height
  /// each is contracted as before: where the motion began, now, and where it ends.
  /// - Returns: whether there were any.
  func fitMotion(since old: [Drawer]) -> Bool {
    guard let motion = header.rare.control?.motion, motion.followed == nil else { return false }
    var isFitted = false
    for (number, part) in motion.parts.enumerated() where positioning(of: Int(part.delegate)) == .chain {
      let first = header.chainStart(of: part.drawer)
      let all = first..<header.chainEnd(of: first)
      let isOther = all.contains { header.drawers[$0].size.height != old[$0].size.height }
      guard isOther, part.centers.count == old.count else { continue }
      var next = part
      (next.from, next.centers) = fitted(part.centers, all, old)
      if part.ends.isEmpty {
        let before = all.reduce(0.0) { $0 + old[$1].travel }
        let now = all.reduce(0.0) { $0 + header.drawers[$1].travel }
        next.to = before > 0 ? part.to / before * now : 0
      } else {
        (next.to, next.ends) = fitted(part.ends, all, old)
      }
      // Where a renderer draws it, the drawers are at the end.
      let share = motion.drawnBy == .renderer ? 1 : motion.path.share(at: elapsed(of: motion))
      header.placeChain(at: share == 1 ? next.to : next.from + (next.to - next.from) * share, from: next)
      guard header.rare.control?.motion?.id == motion.id else { return false }
      next.expected = position(of: Int(part.delegate)).traveled
      header.rare.control?.motion?.parts[number] = next
      isFitted = true
    }
    return isFitted
  }

  /// Centers of a chain's drawers for their new heights, and the points that they have then contracted together.
  private func fitted(_ centers: [Double], _ all: Range<Int>, _ old: [Drawer]) -> (traveled: Double, centers: [Double])
  {
    var parts = [Double](repeating: 0, count: old.count)
    var edge = header.policy(of: all.lowerBound).origin
    for index in all {
      let half = old[index].size.height / 2
      let share = old[index].travel > 0 ? (edge + half - centers[index]) / old[index].travel : 0
      parts[index] = max(0, min(1, share)) * header.drawers[index].travel
      edge = centers[index] + half
    }
    return (parts.reduce(0, +), header.centers(of: all, contractedBy: parts))
  }
}

extension HeaderError {
  /// The header has no delegate that can be brought to a position.
  static func cannotBePositioned(_ header: Header) -> HeaderError {
    let movers = header.delegates.filter { $0.behavior.moves }
    return HeaderError(
      .unsupported,
      movers.isEmpty
        ? "header \"\(header.name)\" has no delegate that moves drawers"
        : "no delegate of header \"\(header.name)\" can be brought to a position: "
          + movers.map { "\($0.name) (\($0.behavior.name))" }.joined(separator: ", ")
          + " neither moves the chain nor has the extension header.position/1")
  }
}
