// SPDX-License-Identifier: MIT
//
// `subscribe` (headerd-states(7), SUBSCRIPTIONS): the parameters, their errors, and the subscription that each shard makes of them.

public import HeaderModel
internal import HeaderWire

/// A client's request, not yet in any shard.
public struct SubscriptionRequest: Sendable {
  /// Which states are sent: the newest when the client is ready for it, or every one.
  public enum Mode: String, CaseIterable, Sendable { case latest, every }
  /// What happens when a client does not read fast enough for `every`.
  public enum Overflow: String, CaseIterable, Sendable { case gap, disconnect }

  /// The names and globs of the subscription.
  public let patterns: [String]
  let mode: Mode
  let onOverflow: Overflow
  let parts: StateEncoder.Parts
  let selection: StateSelection?
  /// The grid of lengths; nil: they are exact.
  let grid: Grid?
  /// Nanoseconds between two states of a header at least (`maxRate`).
  let interval: Int64
  /// By header, the last state that the client has seen; nil: it does not resume.
  let resumePoints: [String: ResumePoint]?

  /// The patterns that stand for exactly one name.
  public var exactNames: [String] { patterns.filter { !$0.contains("*") } }
  /// The patterns that are no names.
  public var globs: [String] { patterns.filter { $0.contains("*") } }

  /// Whether states are to say why they are there.
  public var explains: Bool { parts.contains(.explanation) }

  /// Whether states are to say how they go on.
  public var predicts: Bool { parts.contains(.ahead) }

  /// Bytes that the patterns take, as an estimate.
  public var patternBytes: Int { patterns.reduce(0) { $0 + 48 + $1.utf8.count } }

  /// Whether it may match headers of any name.
  public var hasGlobs: Bool { patterns.contains { $0.contains("*") } }

  /// Reads the parameters of `subscribe`.
  public init(_ fields: inout FieldReader) throws(HeaderError) {
    patterns = try Self.patterns(&fields)
    mode = try fields.choice("mode", Mode.self) ?? .latest
    let onOverflow = try fields.choice("onOverflow", Overflow.self)
    if onOverflow != nil, mode != .every {
      throw HeaderError(
        .invalidParams, "params.onOverflow: it belongs to the mode \"every\", this subscription has \"latest\"",
        field: "params.onOverflow", hint: "\"latest\" never overflows")
    }
    self.onOverflow = onOverflow ?? .gap
    interval = try Self.interval(&fields, mode)
    selection = try Self.selection(&fields)
    grid = try fields.number("grid", in: Grid.units).map { Grid(unit: $0) }
    resumePoints = try Self.resumePoints(&fields)
    let include = try fields.words("include", of: ["routine", "calls", "contentOffset"])
    var parts: StateEncoder.Parts = []
    if include.contains("routine") { parts.insert(.routine) }
    if include.contains("calls") { parts.insert(.calls) }
    if include.contains("contentOffset") { parts.insert(.contentOffset) }
    if try fields.bool("explain") ?? false { parts.insert(.explanation) }
    if try fields.bool("predict") ?? false { parts.insert(.ahead) }
    self.parts = parts
  }

  /// A name or glob, or a list of them.
  private static func patterns(_ fields: inout FieldReader) throws(HeaderError) -> [String] {
    let needed = "a header's name or glob, or a list of 1 to 1024 of them"
    let path = fields.path + "headers"
    fields.note(itemsOf: "headers", [Names.globForm])
    switch fields.value("headers", as: [Names.globForm, .list(1...1024)]) {
    case .text(let glob) where Names.isGlob(glob): return [glob]
    case .list(let list) where !list.isEmpty:
      guard list.count <= 1024 else {
        throw .unexpected(
          .number(Double(list.count)), at: path, needed: "at most 1024 names or globs", expected: "list")
      }
      var globs: [String] = []
      for (index, value) in list.enumerated() {
        guard case .text(let glob) = value, Names.isGlob(glob) else {
          throw .unexpected(value, at: path[index], needed: "a header's name or glob", expected: "glob")
        }
        if !globs.contains(glob) { globs.append(glob) }
      }
      return globs
    case let value: throw .unexpected(value, at: path, needed: needed, expected: "glob")
    }
  }

  /// Nanoseconds between two states at least; 0 for as many as there are.
  private static func interval(_ fields: inout FieldReader, _ mode: Mode) throws(HeaderError) -> Int64 {
    let rate = try fields.number("maxRate", in: 0...1_000_000, of: "states a second") ?? 0
    guard rate > 0 else { return 0 }
    if mode == .every {
      throw fields.unexpected("maxRate", needed: "0: with \"every\" each state comes", expected: "0")
    }
    // A state in some thousand years is none; and the clock can be added to.
    return Int64(min((1e9 / rate).rounded(.up), 0x1p62))
  }

  /// The parts of a state that are wanted; nil: all.
  private static func selection(_ fields: inout FieldReader) throws(HeaderError) -> StateSelection? {
    fields.note(itemsOf: "fields", [StateSelection.form])
    guard let list = try fields.list("fields", count: 0...256) else { return nil }
    let path = fields.path + "fields"
    guard list.count <= 256 else {
      throw .unexpected(.number(Double(list.count)), at: path, needed: "at most 256 parts of a state", expected: "list")
    }
    var selection = StateSelection.nothing
    for (index, value) in list.enumerated() {
      guard case .text(let field) = value, selection.add(field) else {
        let parts = StateSelection.parts.joined(separator: ", ")
        throw .unexpected(
          value, at: path[index], needed: "a part of a state (\(parts)) or one entry of it, such as values.progress",
          expected: "field", hint: hint(for: value))
      }
    }
    return selection.isEverything ? nil : selection
  }

  /// The part or the wish that was probably meant.
  private static func hint(for field: Value) -> String? {
    guard case .text(let text) = field else { return nil }
    let words = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if words[0] == "wants", words.count == 2 {
      return nearest(to: words[1], in: StateSelection.wishes).map { "did you mean \"wants.\($0)\"?" }
    }
    let rest = words.count == 2 ? ".\(words[1])" : ""
    guard !StateSelection.parts.contains(words[0]), let part = nearest(to: words[0], in: StateSelection.parts) else {
      return nil
    }
    return "did you mean \"\(part)\(rest)\"?"
  }

  /// By header, the last state that the client has seen; nil without the field.
  private static func resumePoints(
    _ fields: inout FieldReader
  ) throws(HeaderError) -> [String: ResumePoint]? {
    let path = fields.path + "resumeFrom"
    let given = try fields.records("resumeFrom", named: Names.headerForm) { field throws(HeaderError) in
      guard Names.isHeaderName(field.name) else {
        throw .unexpected(.text(field.name), at: path, needed: "headers' names as keys", expected: "name")
      }
    } _: { name, inner throws(HeaderError) in
      (
        name,
        ResumePoint(
          epoch: try number(&inner, "epoch", "a header's epoch"),
          seq: try number(&inner, "seq", "the sequence number of the last state seen"))
      )
    }
    return given.map { Dictionary($0, uniquingKeysWith: { $1 }) }
  }

  private static func number(_ fields: inout FieldReader, _ name: String, _ needed: String) throws(HeaderError) -> Int64
  {
    guard let number = try fields.integer(name, in: 0...9_007_199_254_740_991) else {
      throw fields.unexpected(name, needed: needed, expected: "integer")
    }
    return Int64(number)
  }
}

/// A subscription in one shard.
public final class Subscription {
  /// Counts up within the connection.
  public let id: Int
  unowned let subscriber: Subscriber
  let request: SubscriptionRequest
  let view: StateProjection
  /// The subscription was ended: nothing of it begins any more.
  var isOver = false

  init(id: Int, _ request: SubscriptionRequest, of subscriber: Subscriber, view: StateProjection) {
    self.id = id
    self.request = request
    self.subscriber = subscriber
    self.view = view
  }

  /// The client may resume and ask for missed states.
  var resumes: Bool { request.resumePoints != nil }

  /// Whether it is for a header of that name, and its client may have the header's states.
  public func matches(_ name: String) -> Bool {
    let access = subscriber.writer.connection.peer.access
    return request.patterns.contains { Names.glob($0, matches: name) } && access.allows(.subscribe, header: name)
      && (!request.explains || access.allows(Right.explainStates.roles, header: name))
  }
}

/// Finds the subscriptions that match a header.
struct SubscriptionIndex {
  /// Many subscriptions may end at once, each in constant time.
  private typealias Subscriptions = [ObjectIdentifier: Subscription]

  /// Subscriptions by an exact name, so that a header's opening does not look at all of them.
  private var exact: [String: Subscriptions] = [:]
  /// Subscriptions by the parts before a glob's first asterisk: one by `shop.oslo.*` is looked at for headers of `shop.oslo` alone,
  /// one by `**` for all, under the empty text.
  private var globbing: [String: Subscriptions] = [:]
  /// The views that subscriptions have.
  private var views: [StateProjection.Key: StateProjection] = [:]

  /// The one view for a way of reading.
  func view(_ key: StateProjection.Key) -> StateProjection { views[key] ?? StateProjection(key) }

  mutating func add(_ subscription: Subscription) {
    subscription.view.users += 1
    views[subscription.view.key] = subscription.view
    let id = ObjectIdentifier(subscription)
    for name in subscription.request.exactNames { exact[name, default: [:]][id] = subscription }
    for glob in subscription.request.globs { globbing[Self.beginning(of: glob), default: [:]][id] = subscription }
  }

  private static func beginning(of glob: String) -> String {
    glob.split(separator: ".").prefix { !$0.contains("*") }.joined(separator: ".")
  }

  mutating func remove(_ subscription: Subscription) {
    let id = ObjectIdentifier(subscription)
    for name in subscription.request.exactNames {
      exact[name]?[id] = nil
      if exact[name]?.isEmpty == true { exact[name] = nil }
    }
    for glob in subscription.request.globs {
      let beginning = Self.beginning(of: glob)
      globbing[beginning]?[id] = nil
      if globbing[beginning]?.isEmpty == true { globbing[beginning] = nil }
    }
    subscription.view.users -= 1
    if subscription.view.users == 0 { views[subscription.view.key] = nil }
  }

  /// All subscriptions that match a name, each once, by connection and age.
  func matching(_ name: String) -> [Subscription] {
    var found = exact[name] ?? [:]
    let ends = name.indices.filter { name[$0] == "." } + [name.endIndex]
    for beginning in [""] + ends.map({ String(name[..<$0]) }) {
      guard let subscriptions = globbing[beginning] else { continue }
      for (id, subscription) in subscriptions where found[id] == nil && subscription.matches(name) {
        found[id] = subscription
      }
    }
    return found.values.sorted { ($0.subscriber.writer.id, $0.id) < ($1.subscriber.writer.id, $1.id) }
  }
}
