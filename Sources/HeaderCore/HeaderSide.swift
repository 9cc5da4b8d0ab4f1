// SPDX-License-Identifier: MIT
//
// One edge of a header that has others than the top: its drawers, their chain, and the records in its terms. A header that has the top
// alone, as nearly all have, has no sides: its records are read as they are.
//
//     drawers      stand together in the header's row, in the edge's terms; a side is a part of the row
//     scroll views, surroundings   are shared, and real; a side has a copy in its terms, brought up to date before each
//                  call of a delegate that reads it, and after each request of that delegate

import HeaderModel

/// An edge that has drawers.
public final class HeaderSide {
  /// What turns real things into the edge's terms.
  public internal(set) var lens: EdgeLens
  /// The range of its drawers among the header's.
  public internal(set) var drawers: Range<Int> = 0..<0 { didSet { chainEnd = nil } }
  /// The range of their elements among the header's.
  public internal(set) var elements: Range<Int> = 0..<0
  /// How its drawers hang together.
  public internal(set) var chain = ChainPolicy()
  /// Where the chain ends that begins at its first drawer; nil: it has to be looked for.
  var chainEnd: Int?
  private var places: FixedBuffer<HeaderPlaces>
  private var scrollViews: FixedBuffer<ScrollView>

  /// The edge of the drawers.
  public var edge: Edge { lens.edge }

  init(_ lens: EdgeLens, _ environment: Environment) {
    self.lens = lens
    places = FixedBuffer([HeaderPlaces(environment: environment)])
    scrollViews = FixedBuffer([])
  }

  /// The address of the records that its delegates read in place.
  public var recordsAddress: UnsafePointer<HeaderRecords> { unsafe places.address(of: 0, \.records) }

  /// Points its records to the header's rows as they lie now.
  func point(_ header: Header) {
    if scrollViews.count != header.scrollViews.count { scrollViews = FixedBuffer(header.scrollViews.elements) }
    var records = places[0].records
    unsafe records.point(
      to: header.drawers, drawers, header.elements, elements, scrollViews, places.address(of: 0, \.environment))
    places[0].records = records
    refresh(header)
  }

  /// Brings the copies of shared records up to date.
  func refresh(_ header: Header) {
    if lens.direction == .finger { lens.extent = extent(in: header) }
    for view in scrollViews.indices { scrollViews[view] = lens.view(header.scrollViews[view]) }
    places[0].environment = lens.environment(header.environment)
    places[0].records.time = header.now.nanoseconds
    places[0].records.trackingScrollView = Int32(header.trackingScrollView)
    places[0].records.isExplained = header.isExplained
  }

  /// The inset at the edge while all drawers are shown: the application's, where no behavior writes it.
  private func extent(in header: Header) -> Double {
    let index = max(0, header.trackingScrollView)
    guard header.scrollViews.indices.contains(index) else { return 0 }
    let view = header.scrollViews[index]
    // A behavior that writes one view's insets writes those of each view that it tracks, even if nothing changes.
    let isWritten =
      header.scrollViews.elements.contains(where: \.decidesIndicatorInsets)
      || (chain.tail >= 0 && chain.writesTailInsets)
    guard isWritten else { return lens.insets(view.adjustedContentInset).top }
    return drawers.reduce(chain.origin - lens.rect(view.frame).origin.y) { $0 + header.drawers[$1].maximumHeight }
  }

  /// The header's place of a drawer of the edge's; one that there is none of stays none.
  public func drawer(_ own: Int) -> Int { own < drawers.count ? drawers.lowerBound + own : .max }

  /// The header's place of an element of the edge's.
  public func element(_ own: Int) -> Int { own < elements.count ? elements.lowerBound + own : .max }
}

extension Header {
  /// The edges in use; none where that is the top alone.
  var sides: [HeaderSide] { isEdged ? rare.sides : [] }

  /// The side of a delegate; nil: it sees everything as it is.
  func side(for wanted: DelegateDescription) -> HeaderSide? {
    guard isEdged, wanted.client == nil else { return nil }
    let edge = description.edge(of: wanted)
    if let side = rare.sides.first(where: { $0.edge == edge }) { return side }
    let side = HeaderSide(lens(of: edge), environment)
    rare.sides.append(side)
    side.point(self)
    return side
  }

  /// Refuses other edges than the top in a header that was opened without: its behaviors read its records as they are.
  func requireEdges(_ isTopAlone: Bool, field: String) throws(HeaderError) {
    guard !isEdged, !isTopAlone else { return }
    throw HeaderError(
      .unsupported, "\(field): header \"\(name)\" was opened with the top edge alone", field: field,
      hint: "open it with a drawer at each edge that it needs; one without elements and height will do")
  }

  /// Makes a side for each edge with drawers, and gives it its part of the rows. Present sides keep their state.
  func updateSides() {
    let next = plans.plan.description
    guard isEdged || next.hasEdges else { return }
    isEdged = true
    let starts = next.elementStarts
    for edge in Edge.allCases {
      let indices = next.drawers.indices.filter { next.drawers[$0].edge == edge }
      let side = rare.sides.first { $0.edge == edge }
      guard let first = indices.first else {
        side?.drawers = 0..<0
        side?.elements = 0..<0
        continue
      }
      let known = side ?? HeaderSide(lens(of: edge), environment)
      if side == nil { rare.sides.append(known) }
      known.drawers = first..<first + indices.count
      known.elements = starts[first]..<starts[first + indices.count]
    }
    for wanted in next.delegates where wanted.client == nil { _ = side(for: wanted) }
    for side in rare.sides {
      side.lens = lens(of: side.edge)
      side.point(self)
    }
    beginFollowing()
  }

  private func lens(of edge: Edge) -> EdgeLens {
    let description = plans.plan.description
    var lens = EdgeLens(
      edge, in: rare.space, description.layoutDirection, keyboardHeight: environment.keyboardHeight)
    lens.pull = PullShare(description.refreshOrder, upTo: description.stretchTrigger)
    lens.direction = description.direction(of: edge)
    return lens
  }

  /// Header space or the keyboard has changed.
  func updateLenses() {
    for side in sides {
      side.lens = lens(of: side.edge)
      side.refresh(self)
    }
  }

  /// Moves the insets that follow far edges, after an edge has moved.
  func followLines() {
    for side in sides where side.lens.line != lens(of: side.edge).line {
      side.lens = lens(of: side.edge)
      if let first = side.drawers.first { followTail(of: first) }
      changed()
    }
    updateLenses()
  }

  /// Header space grows, and with it the drawers that are as wide as it is high; those of the far edges stay at them.
  func growSpace(by growth: Size) {
    let described = plans.plan.description.drawers
    for index in drawers.indices where !described[index].edge.isVertical {
      var drawer = drawers[index]
      drawer.frame.size = drawer.frame.size.grown(by: Size(width: growth.height))
      drawers[index] = drawer
    }
    rare.space += Point(x: growth.width, y: growth.height)
    updateLenses()
    changed()
  }

  /// Header space ends where the frame of the scroll view ends that tracks from now on.
  func fitSpace(to view: Int) {
    guard isEdged, scrollViews.indices.contains(view) else { return }
    let (record, described) = (scrollViews[view], plans.plan.description.scrollViews[view].record)
    var growth = Size(width: record.frame.maxX - rare.space.x, height: record.frame.maxY - rare.space.y)
    // A frame that a behavior has written may end elsewhere.
    if record.decidesFrame {
      growth.width = described.frame.maxX + record.viewport.width - described.viewport.width - rare.space.x
      growth.height = described.frame.maxY + record.viewport.height - described.viewport.height - rare.space.y
    }
    // Space is a sum of differences: nothing moves for the last bits of it.
    if abs(growth.width) > 1e-6 || abs(growth.height) > 1e-6 { growSpace(by: growth) }
  }

  // MARK: The chain of a drawer

  /// The side that a drawer hangs on; nil where there is the top alone.
  @inline(__always)
  func side(of drawer: Int) -> HeaderSide? { isEdged ? edgedSide(of: drawer) : nil }

  @inline(never)
  private func edgedSide(of drawer: Int) -> HeaderSide? { rare.sides.first { $0.drawers.contains(drawer) } }

  /// Where the elements of a drawer's edge begin.
  @inline(__always)
  func firstElement(ofSideOf drawer: Int) -> Int { isEdged ? edgedSide(of: drawer)?.elements.lowerBound ?? 0 : 0 }

  /// The first drawer of the chain that a drawer belongs to.
  @inline(__always)
  func chainStart(of drawer: Int) -> Int { side(of: drawer)?.drawers.lowerBound ?? 0 }

  /// The end of the chain that a drawer belongs to.
  @inline(__always)
  func chainEnd(of drawer: Int) -> Int {
    if let side = side(of: drawer) { return end(of: SideChain(side: side), from: drawer) }
    return end(of: WholeChain(), from: drawer)
  }

  /// How the drawers hang together that one belongs to.
  @inline(__always)
  func policy(of drawer: Int) -> ChainPolicy { side(of: drawer)?.chain ?? chain }

  /// How the drawers of a delegate's edge hang together.
  public func chain(of delegate: ScrollDelegate) -> ChainPolicy { delegate.side?.chain ?? chain }

  /// The first drawer of a delegate's chain.
  public func firstDrawer(of delegate: ScrollDelegate) -> Int { delegate.side?.drawers.lowerBound ?? 0 }

  /// Brings the records that a delegate reads up to date.
  @inline(__always)
  public func refresh(for delegate: ScrollDelegate) { delegate.side?.refresh(self) }

  // MARK: States

  /// The drawers as a state has them: real, whichever edge they hang on.
  var realDrawers: [Drawer] {
    let shifts = stackShifts
    return drawers.indices.map { index in
      var drawer = drawers[index]
      drawer.center.y += shifts?[index] ?? 0
      guard let side = side(of: index) else { return drawer }
      drawer = side.lens.real(drawer)
      drawer.firstElement += Int32(side.elements.lowerBound)
      return drawer
    }
  }

  /// The elements as a state has them.
  var realElements: [Element] {
    guard isEdged else { return elements.elements }
    var all = elements.elements
    for side in rare.sides {
      for index in side.elements {
        let drawer = side.drawer(Int(all[index].drawer))
        all[index] = side.lens.real(all[index], in: drawers[drawer])
        all[index].drawer = Int32(drawer)
      }
    }
    return all
  }
}

extension HeaderDescription {
  /// Something in it is not as the top sees it.
  var hasEdges: Bool {
    drawers.contains { $0.edge != .top || $0.follow != nil || $0.direction != .content }
      || delegates.contains { ($0.edge ?? .top) != .top }
      || scrollViews.contains { $0.record.isReversed } || refreshOrder != .together
  }

  /// The far corner of header space, from the scroll view that the header lies over.
  var space: Point {
    let frame = scrollViews[max(0, trackingScrollViewIndex)].record.frame
    return Point(x: frame.maxX, y: frame.maxY)
  }

  /// Which movement hides an edge's drawers.
  func direction(of edge: Edge) -> EdgeDirection { drawers.first { $0.edge == edge }?.direction ?? .content }

  /// The edge of a delegate: its own, else that of the first drawer.
  func edge(of delegate: DelegateDescription) -> Edge { delegate.edge ?? drawers.first?.edge ?? .top }

  /// Where each drawer's elements begin among the header's, and where they end.
  var elementStarts: [Int] {
    drawers.reduce(into: [0]) { starts, drawer in starts.append((starts.last ?? 0) + drawer.elements.count) }
  }

  /// Refuses drawers of one edge that do not stand together: they are one chain.
  func checkEdges() throws(HeaderError) {
    var seen: [Edge] = []
    for (index, drawer) in drawers.enumerated() where drawer.edge != seen.last {
      guard !seen.contains(drawer.edge) else {
        let field = (Path("drawers")[index] + "edge").text
        throw HeaderError(
          .invalidParams,
          "\(field): the drawers of one edge stand together, and drawer \"\(drawer.name)\" stands apart from the others at "
            + "the \(drawer.edge.rawValue)", field: field, got: .text(drawer.edge.rawValue),
          hint: "list the drawers edge by edge")
      }
      seen.append(drawer.edge)
    }
    for (index, drawer) in drawers.enumerated() where drawer.direction != direction(of: drawer.edge) {
      let field = (Path("drawers")[index] + "direction").text
      throw HeaderError(
        .invalidParams, "\(field): all drawers of an edge have the same direction", field: field,
        got: .text(drawer.direction.rawValue), hint: "give it to each drawer at the \(drawer.edge.rawValue)")
    }
  }
}

// MARK: - Followers: moved after the behaviors have moved theirs, to where their leaders are

extension Header {
  /// Whether a drawer follows another one, and so belongs to no behavior.
  func follows(_ drawer: Int) -> Bool { isEdged && plans.plan.description.drawers[drawer].follow != nil }

  /// Where a drawer is, as its followers need it.
  func leaderPlace(of drawer: Int) -> LeaderPlace {
    if let place = ownPlace(of: drawer) {
      // For a stretched drawer the points gone are below 0.
      return LeaderPlace(within: place.gone, place.collapse + place.shift)
    }
    let record = drawers[drawer]
    let before = drawer > chainStart(of: drawer) ? drawers[drawer - 1].farEdge : policy(of: drawer).origin
    let height = record.size.height
    let shown = max(0, min(height, record.farEdge + record.translation.y - before))
    return LeaderPlace(within: record.maximumHeight - shown, record.maximumHeight - record.minimumHeight)
  }

  /// Where a drawer is as its behavior says; nil: it does not.
  func ownPlace(of drawer: Int) -> DrawerPlace? {
    guard owners.drawers.indices.contains(drawer), !rare.isMirror else { return nil }
    let owner = Int(owners.drawers[drawer])
    guard proxy.slots.indices.contains(owner), case .own = PositionController(self).positioning(of: owner) else {
      return nil
    }
    var place: DrawerPlace?
    proxy.guarded(owner, in: self) { (delegate: ScrollDelegate) throws(DelegateFailure) in
      place = try delegate.place(of: drawer - firstDrawer(of: delegate), in: self)
    }
    return place
  }

  /// The places of drawers that other headers follow; names without a drawer are left out.
  /// - Returns: nil: the header is a mirror whose engine has not sent them yet.
  public func leaderPlaces(of names: [String]) -> [(drawer: String, place: LeaderPlace)]? {
    let known = description.drawers.map(\.name)
    let isMirror = rare.isMirror
    guard !isMirror || rare.mirror?.places?.count == known.count else { return nil }
    return known.indices.filter { names.contains(known[$0]) }.map {
      (known[$0], isMirror ? rare.mirror?.places?[$0] ?? leaderPlace(of: $0) : leaderPlace(of: $0))
    }
  }

  /// Prepares the header for followers: their chains begin where they are described, and end at the scroll view. Headers that no drawer
  /// follows any more are forgotten.
  func beginFollowing() {
    // With its name, by which a drawer may follow one of its own header.
    let description = description
    rare.leaders.followers = description.followers
    let leaders = description.leaders
    rare.leaders.places = rare.leaders.places.filter { leaders[$0.key] != nil }
    rare.leaders.present.formIntersection(leaders.keys)
    for side in sides {
      guard let first = side.drawers.first, description.drawers[first].follow != nil else { continue }
      side.chain.origin = description.drawers[first].y
      side.chain.tail = Int32(trackingScrollView)
    }
  }

  /// Moves the followers to where their leaders are.
  @inline(never)
  func runFollowing() {
    let description = plans.plan.description
    for follower in rare.leaders.followers {
      let drawer = follower.drawer
      guard let following = description.drawers[drawer].follow else { continue }
      var place = LeaderPlace(points: 0, way: 0)
      if let leader = follower.leader {
        place = leaderPlace(of: leader)
      } else if let other = following.header, let known = rare.leaders.places[other]?[following.drawer] {
        place = known
      }
      let way = max(0, drawers[drawer].maximumHeight - drawers[drawer].minimumHeight)
      let points = following.by == .progress ? place.progress * way : min(place.points, way)
      let expanded = expandedCenter(of: drawer)
      move(drawer, to: Point(x: expanded.x, y: expanded.y - points))
    }
  }

  /// Takes over the places of a leader. When it leads no more, its followers stay where they are.
  func follow(_ news: LeaderNews) {
    if let places = news.places {
      rare.leaders.present.insert(news.header)
      for (drawer, place) in places { rare.leaders.places[news.header, default: [:]][drawer] = place }
      return
    }
    guard rare.leaders.present.remove(news.header) != nil || news.reason != nil else { return }
    work.note(
      .didLoseLeader, of: -1,
      ["header": .text(news.header), "reason": .text(news.reason ?? "closed")])
  }
}

// MARK: - Stacks
//
// Two movers at one edge: the drawers of the second hang on those of the first. Each of them knows only its own drawers, at their
// described places; the published state has the second's moved by the points that the first's reach less far than described, or further.
//
//     as each sees it    bar 100 → 44 at 0     two at 100
//     as it is drawn     bar 44 at 0           two at 44
//
// That does not end when one of them fails or leaves: what is drawn there would jump.

extension Header {
  /// Whether the drawers of one edge have several owners, or had.
  var movesInStack: Bool {
    let description = plans.plan.description.drawers
    guard owners.drawers.count == description.count else { return false }
    return !rare.keptInStack.isEmpty || description.indices.dropFirst().contains { startsInStack($0) }
  }

  /// A delegate is about to fail or leave: drawers that hang on another mover's go on doing so.
  func keepStack() {
    guard hasStack else { return }
    for drawer in drawers.indices.dropFirst() where hangs(drawer) && !rare.keptInStack.contains(drawer) {
      rare.keptInStack.append(drawer)
    }
  }

  /// Whether a drawer is the first of its owner, and hangs on a drawer of another owner.
  private func startsInStack(_ drawer: Int) -> Bool {
    let description = plans.plan.description.drawers
    guard owners.drawers[drawer] >= 0, owners.drawers[drawer - 1] >= 0 else { return false }
    return owners.drawers[drawer] != owners.drawers[drawer - 1]
      && description[drawer].edge == description[drawer - 1].edge
  }

  /// Whether a drawer is the first of a mover's that hang on another mover's, or was before one of the two failed or left.
  private func hangs(_ drawer: Int) -> Bool {
    let description = plans.plan.description.drawers
    let isKept = rare.keptInStack.contains(drawer) && description[drawer].edge == description[drawer - 1].edge
    guard isKept || startsInStack(drawer) else { return false }
    let owner = Int(owners.drawers[drawer])
    if isKept, owner < 0 || isBypassed(owner) { return true }
    guard case .own = PositionController(self).positioning(of: owner) else { return false }
    return owners.drawers[drawer] != owners.drawers[drawer - 1]
  }

  /// How much further from its edge each drawer is drawn than its owner places it, points: negative where drawers before it have gone;
  /// nil: no drawers hang on another mover's.
  var stackShifts: [Double]? {
    guard hasStack else { return nil }
    let described = plans.plan.description.drawers
    var shift = 0.0
    return drawers.indices.map { index in
      if index > 0, described[index].edge != described[index - 1].edge { shift = 0 }
      if index > 0, hangs(index) {
        shift += drawers[index - 1].farEdge - (described[index - 1].y + described[index - 1].height)
      }
      return shift
    }
  }
}
