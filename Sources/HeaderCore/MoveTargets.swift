// SPDX-License-Identifier: MIT
//
// Where a `move` leads: the words of a request turned into points of travel of those who can be moved.

/// Finds the targets of moves in one header.
struct MoveTargets {
  let header: Header
  /// Delegates that can be brought to a position.
  let movers: [Int]
  private var controller: PositionController { PositionController(header) }

  /// What each delegate has to do.
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

  /// The drawer's place in the chain, and who owns it.
  private func owner(of name: String, _ chosen: [Int]) throws(HeaderError) -> (drawer: Int, delegate: Int) {
    let names = header.state.names.drawers
    guard let drawer = names.firstIndex(of: name) else {
      throw .notFound(.drawerNotFound, "drawer", name, in: header.name, known: names, at: Path("to") + "drawer")
    }
    guard let delegate = chosen.first(where: { header.owns(drawer, header.proxy.slots[$0].delegate) }) else {
      throw .cannotBePositioned(header)
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
    let position = controller.position(of: delegate)
    return controller.part(
      of: delegate, from: position.traveled,
      to: max(0, min(position.travel, header.drawers[drawer].maximumHeight - height)))
  }

  /// A chain reaches the drawer in its own order: those that contract before it are contracted first.
  private func part(of name: String, shift: Double, _ chosen: [Int]) throws(HeaderError) -> Motion.Part {
    let (drawer, delegate) = try owner(of: name, chosen)
    let position = controller.position(of: delegate)
    guard case .chain = header.proxy.slots[delegate].delegate.positioning else {
      let record = header.drawers[drawer]
      let collapse = max(0, record.maximumHeight - record.minimumHeight)
      return controller.part(
        of: delegate, from: position.traveled, to: max(0, min(position.travel, collapse + shift)))
    }
    let present = header.contraction(of: drawer)
    let wanted = min(shift, header.drawers[drawer].travel)
    var distance = wanted - present
    let chain = header.policy(of: drawer)
    let rest = drawer + 1..<header.chainEnd(of: drawer)
    if distance > 0, chain.contractsFirst == .last {
      let behind = header.chainPosition(of: rest)
      distance += behind.travel - behind.traveled
    } else if distance < 0, chain.expandsFirst == .last {
      distance -= header.chainPosition(of: rest).traveled
    }
    return controller.part(
      of: delegate, from: position.traveled, to: position.traveled + distance, drawer: drawer)
  }
}

extension PositionController {
  /// Every stop that has a name, but those that all headers have: the description's, then the behaviors'. One of the
  /// description that cannot be reached now is left out.
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
