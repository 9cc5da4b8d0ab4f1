// SPDX-License-Identifier: MIT
//
// Drawers that no behavior moves: each follows another drawer, of this header or of another one (headerd-position(7), FOLLOWERS).
//
//     leader: how much of it is out of sight, and of how much that can be
//        │ in this header: after the behaviors, before the state
//        │ in another one: whoever drives both tells this header by an input (`HeaderInput.lead`), after the leader's state
//        ▼
//     follower: moved off its edge by the same share of its own way, or by the same points
//
// A follower's way is what its height is above its minimum. Its place depends on the leader's alone, so that it is the same
// however it got there; a leader that is gone leaves it where it is.

/// What a drawer follows.
public struct Following: Equatable, Sendable {
  /// The leader's header; nil: its own.
  public var header: String?
  /// The leader.
  public var drawer: String
  /// What is the same of both.
  public var by: Measure

  /// What a follower has of its leader.
  public enum Measure: String, Sendable, CaseIterable {
    /// The share of the way.
    case progress
    /// The points.
    case points
  }

  /// A leader.
  public init(header: String? = nil, drawer: String, by measure: Measure = .progress) {
    self.header = header
    self.drawer = drawer
    by = measure
  }

  init(_ fields: inout FieldReader) throws(HeaderError) {
    _ = fields.value("header", as: [Names.headerForm])
    let header = fields.has("header") ? try fields.headerName("header") : nil
    self.init(
      header: header, drawer: try fields.plainName("drawer", of: "drawer"),
      by: try fields.choice("by", Measure.self) ?? .progress)
  }

  /// As a description has it.
  var value: Value {
    var record = Value.Record()
    record["header"] = header.map { .text($0) }
    record["drawer"] = .text(drawer)
    record["by"] = .text(by.rawValue)
    return .record(record)
  }
}

/// Where a drawer is that others follow. Points.
public struct LeaderPlace: Equatable, Sendable {
  /// How much of it is out of sight: beyond its edge or the drawer before it, or because it is lower than it can be.
  public var points: Double
  /// How much of it can be: its greatest height above its least one.
  public var way: Double

  /// A place.
  public init(points: Double, way: Double) {
    self.points = points
    self.way = way
  }

  /// A place by numbers that may be out of range.
  init(within points: Double, _ way: Double) {
    self.init(points: max(0, min(points, FieldReader.bound)), way: max(0, min(way, FieldReader.bound)))
  }

  /// Whether it is one that a header can be told.
  public var isValid: Bool { [points, way].allSatisfy((0...FieldReader.bound).contains) }

  /// The share of the way, 0…1; 0 where there is none.
  public var progress: Double { way > 0 ? min(1, points / way) : 0 }
}

/// What a header is told of another one that its drawers follow.
public struct LeaderNews: Equatable, Sendable {
  /// The leading header.
  public var header: String
  /// The places of its drawers that are followed, by name, in the order of their header; nil: it leads no more.
  public var places: [(drawer: String, place: LeaderPlace)]?
  /// Why it leads no more.
  public var reason: String?

  /// News.
  public init(header: String, places: [(drawer: String, place: LeaderPlace)]?, reason: String? = nil) {
    self.header = header
    self.places = places
    self.reason = reason
  }

  /// Whether both say the same.
  public static func == (left: LeaderNews, right: LeaderNews) -> Bool {
    left.header == right.header && left.reason == right.reason && (left.places == nil) == (right.places == nil)
      && (left.places ?? []).elementsEqual(right.places ?? []) { $0 == $1 }
  }
}

/// What a header knows of those that its drawers follow.
struct Leaders: Equatable, Sendable {
  /// By header and drawer.
  var places: [String: [String: LeaderPlace]] = [:]
  /// Headers that lead now.
  var present: Set<String> = []
  /// The places of followers among the drawers: who is followed comes before who follows.
  var order: [Int] = []
}

// MARK: - In a description

extension HeaderDescription {
  /// The other headers that drawers of this one follow, with their drawers.
  public var leaders: [String: [String]] {
    var leaders: [String: [String]] = [:]
    for following in drawers.compactMap(\.follow) {
      guard let other = following.header, other != header else { continue }
      if leaders[other]?.contains(following.drawer) != true { leaders[other, default: []].append(following.drawer) }
    }
    return leaders
  }

  /// The drawer of this header that a drawer follows; nil: it follows none here.
  func leader(of drawer: Int) -> Int? {
    guard let following = drawers[drawer].follow, following.header == nil || following.header == header else {
      return nil
    }
    return drawers.firstIndex { $0.name == following.drawer }
  }

  /// The header outside that decides in the end where a drawer is; nil: none does.
  public func outerLeader(of name: String) -> String? {
    var index = drawers.firstIndex { $0.name == name }
    for _ in drawers {
      guard let present = index, let following = drawers[present].follow else { return nil }
      if let other = following.header, other != header { return other }
      index = leader(of: present)
    }
    return nil
  }

  /// Refuses followers of nothing or of themselves, and edges of which only some drawers follow.
  func checkFollowers() throws(HeaderError) {
    let moved = Set(drawers.lazy.filter { $0.follow == nil }.map(\.edge))
    for (index, drawer) in drawers.enumerated() {
      guard let following = drawer.follow else { continue }
      let isAlike = !moved.contains(drawer.edge)
      let field = (Path("drawers")[index] + "follow").text
      guard isAlike else {
        throw HeaderError(
          .invalidParams,
          "\(field): either all drawers of an edge follow or none does, and at the \(drawer.edge.rawValue) some do not",
          field: field, hint: "hang \"\(drawer.name)\" on an edge of its own")
      }
      guard following.header == nil || following.header == header else { continue }
      guard let leader = leader(of: index) else {
        throw .notFound(
          .drawerNotFound, "drawer", following.drawer, in: header, known: drawers.map(\.name),
          at: Path("drawers")[index] + "follow" + "drawer")
      }
      var (next, round) = (leader, [drawer.name])
      while round.count <= drawers.count {
        round.append(drawers[next].name)
        guard next != index else { throw .followsItself(round, field: field) }
        guard let further = self.leader(of: next) else { break }
        next = further
      }
    }
  }

  /// Followers, in the order in which they are moved.
  var followerOrder: [Int] {
    var order: [Int] = []
    func add(_ drawer: Int) {
      guard drawers[drawer].follow != nil, !order.contains(drawer), order.count < drawers.count else { return }
      if let leader = leader(of: drawer), leader != drawer { add(leader) }
      if !order.contains(drawer) { order.append(drawer) }
    }
    for index in drawers.indices { add(index) }
    return order
  }
}

extension HeaderError {
  /// Drawers, or headers, that follow each other in a circle.
  public static func followsItself(_ round: [String], field: String) -> HeaderError {
    HeaderError(
      .conflict, "\(field): \(round.joined(separator: " follows ")): nobody leads", field: field,
      hint: "let one of them be moved by a behavior")
  }
}

// MARK: - In a header

extension Header {
  /// Whether a drawer follows another one, and so belongs to no behavior.
  func follows(_ drawer: Int) -> Bool { isEdged && plans.plan.description.drawers[drawer].follow != nil }

  /// Where a drawer is, as its followers need it.
  func leaderPlace(of drawer: Int) -> LeaderPlace {
    if let place = ownPlace(of: drawer) {
      // One that is stretched is gone by less than nothing.
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

  /// Where drawers are that other headers follow; those that there are not are left out.
  /// - Returns: nil: it is a mirror whose engine has not said it yet.
  public func leaderPlaces(of names: [String]) -> [(drawer: String, place: LeaderPlace)]? {
    let known = description.drawers.map(\.name)
    let isMirror = rare.isMirror
    guard !isMirror || rare.mirror?.places?.count == known.count else { return nil }
    return known.indices.filter { names.contains(known[$0]) }.map {
      (known[$0], isMirror ? rare.mirror?.places?[$0] ?? leaderPlace(of: $0) : leaderPlace(of: $0))
    }
  }

  /// Makes ready for followers: their chains begin where they are described, and end at what scrolls.
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

  /// Takes over what is told of another header. One that leads no more leaves its followers where they are.
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

extension LeaderNews {
  /// The recorded form, beside `event` and `time`.
  var fields: Value.Record {
    var record: Value.Record = ["header": .text(header)]
    record["drawers"] = places.map { places in
      .record(Value.Record(fields: places.map { Value.Record.Field(name: $0.drawer, value: $0.place.value) }))
    }
    record["reason"] = reason.map { .text($0) }
    return record
  }

  init(_ fields: inout FieldReader) throws(HeaderError) {
    self.init(header: try fields.headerName("header"), places: nil, reason: try fields.text("reason"))
    guard let given = try fields.record("drawers") else { return }
    var places: [(drawer: String, place: LeaderPlace)] = []
    for field in given.fields {
      var row = try FieldReader(field.value, at: fields.path + "drawers" + field.name)
      places.append((field.name, try LeaderPlace(&row)))
    }
    self.places = places
  }
}

extension LeaderPlace {
  var value: Value { ["points": .number(points), "way": .number(way)] }

  init(_ fields: inout FieldReader) throws(HeaderError) {
    self.init(
      points: try fields.required(number: "points", in: 0...FieldReader.bound),
      way: try fields.required(number: "way", in: 0...FieldReader.bound))
  }
}

extension Leaders {
  /// What the followers' places depend on.
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
