// SPDX-License-Identifier: MIT
//
// Drawers that no behavior moves: each follows another drawer, of this header or of another one (headerd-position(7), FOLLOWERS).
//
//     leader: how much of it is out of sight, and of how much that can be
//        │ in this header: after the behaviors, before the state
//        │ in another one: the host of both gives this header an input (`HeaderInput.lead`) after the leader's state
//        ▼
//     follower: moved off its edge by the same share of its own way, or by the same points
//
// A follower's way is its height less its minimum. Its place depends only on the leader's present place; a leader that is gone leaves it
// where it is.

/// A drawer's rule to follow another one.
public struct Following: Equatable, Sendable {
  /// The leader's header; nil: its own.
  public var header: String?
  /// The name of the leading drawer.
  public var drawer: String
  /// The quantity that both have in common.
  public var by: Measure

  /// The quantity that a follower takes over from its leader.
  public enum Measure: String, Sendable, CaseIterable {
    /// The share of the way.
    case progress
    /// The points that are gone.
    case points
  }

  /// Creates a rule; without a measure the progress is followed.
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

  /// Creates a place from points gone and the whole way in points.
  public init(points: Double, way: Double) {
    self.points = points
    self.way = way
  }

  /// A place by numbers that may be out of range.
  package init(within points: Double, _ way: Double) {
    self.init(points: max(0, min(points, FieldReader.bound)), way: max(0, min(way, FieldReader.bound)))
  }

  /// Whether the numbers are in the valid range.
  public var isValid: Bool { [points, way].allSatisfy((0...FieldReader.bound).contains) }

  /// The share of the way, 0…1; 0 where there is none.
  public var progress: Double { way > 0 ? min(1, points / way) : 0 }
}

/// A header's report to the followers of its drawers.
public struct LeaderNews: Equatable, Sendable {
  /// The name of the leading header.
  public var header: String
  /// The places of its drawers that are followed, by name, in the order of their header; nil: it leads no more.
  public var places: [(drawer: String, place: LeaderPlace)]?
  /// Why it leads no more.
  public var reason: String?

  /// Creates a report; without places the header leads no more.
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

// MARK: - In a description

extension HeaderDescription {
  /// The other headers that drawers of this one follow, with their drawers.
  public var leaders: [String: [String]] {
    var (leaders, known) = ([String: [String]](), Set<[String]>())
    for following in drawers.compactMap(\.follow) {
      guard let other = following.header, other != header else { continue }
      if known.insert([other, following.drawer]).inserted { leaders[other, default: []].append(following.drawer) }
    }
    return leaders
  }

  /// For each drawer the one of this header that it follows; nil: it follows none here.
  private var ownLeaders: [Int?] {
    let places = Dictionary(zip(drawers.lazy.map(\.name), drawers.indices)) { first, _ in first }
    return drawers.map { drawer in
      guard let following = drawer.follow, following.header == nil || following.header == header else { return nil }
      return places[following.drawer]
    }
  }

  /// The header outside that decides in the end where a drawer is; nil: none does.
  public func outerLeader(of name: String) -> String? {
    let leaders = ownLeaders
    var index = drawers.firstIndex { $0.name == name }
    for _ in drawers {
      guard let present = index, let following = drawers[present].follow else { return nil }
      if let other = following.header, other != header { return other }
      index = leaders[present]
    }
    return nil
  }

  /// Refuses followers of nothing or of themselves, and edges of which only some drawers follow.
  package func checkFollowers() throws(HeaderError) {
    guard drawers.contains(where: { $0.follow != nil }) else { return }
    let (leaders, moved) = (ownLeaders, Set(drawers.lazy.filter { $0.follow == nil }.map(\.edge)))
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
      guard leaders[index] != nil else {
        throw .notFound(
          .drawerNotFound, "drawer", following.drawer, in: header, known: drawers.map(\.name),
          at: Path("drawers")[index] + "follow" + "drawer")
      }
    }
    if let circle = Self.circle(of: leaders), let first = circle.first {
      throw .followsItself(
        (circle + [first]).map { drawers[$0].name }, field: (Path("drawers")[first] + "follow").text)
    }
  }

  /// Drawers that follow each other in a circle, from the first one on; nil: there is none.
  private static func circle(of leaders: [Int?]) -> ArraySlice<Int>? {
    // The walk that has come by a drawer.
    var walks = Array(repeating: -1, count: leaders.count)
    for index in leaders.indices {
      var (walk, next) = ([Int](), Optional(index))
      while let drawer = next, walks[drawer] < 0 {
        walks[drawer] = index
        walk.append(drawer)
        next = leaders[drawer]
      }
      guard let met = next, walks[met] == index, let start = walk.firstIndex(of: met) else { continue }
      let circle = walk[start...]
      let first = circle.indices.min { circle[$0] < circle[$1] } ?? start
      return circle[first...] + circle[..<first]
    }
    return nil
  }

  /// A drawer that follows another one.
  package struct Follower: Equatable, Sendable {
    package let drawer: Int
    /// The drawer of the same header that it follows; nil: one of another header.
    package let leader: Int?
  }

  /// Followers, in the order in which they are moved: each behind its leader.
  package var followers: [Follower] {
    guard drawers.contains(where: { $0.follow != nil }) else { return [] }
    let leaders = ownLeaders
    var isThere = drawers.map { $0.follow == nil }
    var followers: [Follower] = []
    for index in drawers.indices {
      var (chain, next) = ([Follower](), Optional(index))
      while let drawer = next, !isThere[drawer] {
        isThere[drawer] = true
        chain.append(Follower(drawer: drawer, leader: leaders[drawer]))
        next = leaders[drawer]
      }
      followers += chain.reversed()
    }
    return followers
  }
}

extension HeaderError {
  /// Drawers, or headers, that follow each other in a circle.
  public static func followsItself(_ round: [String], field: String) -> HeaderError {
    let names = round.count > 12 ? round.prefix(11) + ["…"] : round[...]
    return HeaderError(
      .conflict, "\(field): \(names.joined(separator: " follows ")): nobody leads", field: field,
      hint: "let one of them be moved by a behavior")
  }
}

// MARK: - As plain data

extension LeaderNews {
  /// The recorded form, beside `event` and `time`.
  package var fields: Value.Record {
    var record: Value.Record = ["header": .text(header)]
    record["drawers"] = places.map { places in
      .record(Value.Record(fields: places.map { Value.Record.Field(name: $0.drawer, value: $0.place.value) }))
    }
    record["reason"] = reason.map { .text($0) }
    return record
  }

  package init(_ fields: inout FieldReader) throws(HeaderError) {
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
