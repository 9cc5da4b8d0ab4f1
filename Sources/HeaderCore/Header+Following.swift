// SPDX-License-Identifier: MIT
//
// Drawers that follow: moved after the behaviors have moved theirs, to where their leaders are (Following.swift in HeaderModel).

import HeaderModel

/// A header's record of its leaders.
struct Leaders: Equatable, Sendable {
  /// Places of leading drawers, by header and drawer.
  var places: [String: [String: LeaderPlace]] = [:]
  /// The names of headers that lead at present.
  var present: Set<String> = []
  /// The places of followers among the drawers: a leader comes before its followers.
  var order: [Int] = []
}

// MARK: - In a header

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

  /// Prepares the header for followers: their chains begin where they are described, and end at the scroll view.
  func beginFollowing() {
    let description = plans.plan.description
    rare.leaders.order = description.followerOrder
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
    for drawer in rare.leaders.order {
      guard let following = description.drawers[drawer].follow else { continue }
      var place = LeaderPlace(points: 0, way: 0)
      if let leader = description.leader(of: drawer) {
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

// MARK: - As plain data

extension Leaders {
  /// The state that the followers' places depend on.
  var saved: Value {
    .list(
      places.sorted { $0.key < $1.key }.map { header, drawers in
        let places = drawers.sorted { $0.key < $1.key }.map { (drawer: $0.key, place: $0.value) }
        var row = LeaderNews(header: header, places: places).fields
        row["present"] = .bool(present.contains(header))
        return .record(row)
      })
  }

  /// Takes over what `saved` gave.
  mutating func restore(_ rows: [FieldReader]) throws(HeaderError) {
    for row in rows {
      var fields = row
      let news = try LeaderNews(&fields)
      for (drawer, place) in news.places ?? [] { places[news.header, default: [:]][drawer] = place }
      if try fields.bool("present") ?? false { present.insert(news.header) }
    }
  }
}
