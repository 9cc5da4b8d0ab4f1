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
    var leaders: [String: [String]] = [:]
    for following in drawers.compactMap(\.follow) {
      guard let other = following.header, other != header else { continue }
      if leaders[other]?.contains(following.drawer) != true { leaders[other, default: []].append(following.drawer) }
    }
    return leaders
  }

  /// The drawer of this header that a drawer follows; nil: it follows none here.
  package func leader(of drawer: Int) -> Int? {
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
  package func checkFollowers() throws(HeaderError) {
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
  package var followerOrder: [Int] {
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
