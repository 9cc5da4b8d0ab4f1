// SPDX-License-Identifier: MIT
//
// `subscribe` and `unsubscribe` (headerd-protocol(7), SUBSCRIPTIONS): what a client may ask for, and in which words it
// is refused.

internal import HeaderCore
internal import HeaderWire

extension Session {
  func subscribe(_ fields: inout FieldReader, _ unknown: inout [UnknownField]) throws(HeaderError) -> Reply {
    let patterns = try patterns(&fields)
    let mode = try fields.choice("mode", Subscription.Mode.self) ?? .latest
    let onOverflow = try fields.choice("onOverflow", Subscription.Overflow.self)
    if onOverflow != nil, mode != .every {
      throw HeaderError(
        .invalidParams, "params.onOverflow: it belongs to the mode \"every\", this subscription has \"latest\"",
        field: "params.onOverflow", hint: "\"latest\" never overflows")
    }
    let interval = try interval(&fields, mode)
    let selection = try selection(&fields)
    let points = try resumePoints(&fields, &unknown)
    let include = try words(&fields, "include", of: ["routine", "calls"])
    var parts: StateEncoder.Parts = []
    if include.contains("routine") { parts.insert(.routine) }
    if include.contains("calls") { parts.insert(.calls) }
    guard subscriptions.count < service.limits.subscriptions else {
      throw .limit(
        "subscriptions", service.limits.subscriptions, "this connection has \(subscriptions.count) subscriptions")
    }
    lastSubscription += 1
    let subscription = Subscription(
      id: lastSubscription, session: self, patterns: patterns, mode: mode, onOverflow: onOverflow ?? .gap,
      view: service.router.view(StateView.Key(encoding: encoding, parts: parts, selection: selection)),
      interval: interval,
      resumes: points != nil)
    subscriptions.append(subscription)
    return .subscribed(
      MatchedHeaders(subscription: subscription, entries: service.headers(for: subscription)),
      elsewhere: guestsSubscribe(subscription), after: points ?? [:])
  }

  func unsubscribe(_ fields: inout FieldReader) throws(HeaderError) -> Reply {
    guard let id = try fields.integer("subscription", in: 0...Int(Int32.max)) else {
      throw fields.unexpected("subscription", needed: "a subscription's number", expected: "integer")
    }
    guard let index = subscriptions.firstIndex(where: { $0.id == id }) else {
      throw HeaderError(
        .subscriptionNotFound, "params.subscription: this connection has no subscription \(id)",
        field: "params.subscription", got: .number(Double(id)))
    }
    service.end(subscriptions.remove(at: index))
    for guest in guests {
      guard let index = guest.subscriptions.firstIndex(where: { $0.id == id }) else { continue }
      guest.service.end(guest.subscriptions.remove(at: index))
    }
    return .nothing
  }

  /// A name or glob, or a list of them.
  private func patterns(_ fields: inout FieldReader) throws(HeaderError) -> [String] {
    let needed = "a header's name or glob, or a list of them"
    let path = fields.path + "headers"
    switch fields.value("headers") {
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
  private func interval(_ fields: inout FieldReader, _ mode: Subscription.Mode) throws(HeaderError) -> Int64 {
    let rate = try fields.number("maxRate", in: 0...1_000_000, of: "states a second") ?? 0
    guard rate > 0 else { return 0 }
    if mode == .every {
      throw fields.unexpected("maxRate", needed: "0: with \"every\" each state comes", expected: "0")
    }
    // A state in some thousand years is none; and the clock can be added to.
    return Int64(min((1e9 / rate).rounded(.up), 0x1p62))
  }

  /// The parts of a state that are wanted; nil: all.
  private func selection(_ fields: inout FieldReader) throws(HeaderError) -> StateSelection? {
    guard let list = try fields.list("fields") else { return nil }
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
  private func hint(for field: Value) -> String? {
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
  private func resumePoints(
    _ fields: inout FieldReader, _ unknown: inout [UnknownField]
  ) throws(HeaderError) -> [String: ResumePoint]? {
    guard let record = try record(&fields, "resumeFrom") else { return nil }
    let path = fields.path + "resumeFrom"
    var points: [String: ResumePoint] = [:]
    for field in record.fields {
      guard Names.isHeaderName(field.name) else {
        throw .unexpected(.text(field.name), at: path, needed: "headers' names as keys", expected: "name")
      }
      var inner = try FieldReader(field.value, at: path + field.name)
      points[field.name] = ResumePoint(
        epoch: try number(&inner, "epoch", "a header's epoch"),
        seq: try number(&inner, "seq", "the sequence number of the last state seen"))
      unknown += inner.unknown
    }
    return points
  }

  private func number(_ fields: inout FieldReader, _ name: String, _ needed: String) throws(HeaderError) -> Int64 {
    guard let number = try fields.integer(name, in: 0...9_007_199_254_740_991) else {
      throw fields.unexpected(name, needed: needed, expected: "integer")
    }
    return Int64(number)
  }
}

/// A subscription in one service, and the headers there that it matches.
struct MatchedHeaders {
  let subscription: Subscription
  let entries: [HeaderEntry]

  /// The headers here and elsewhere.
  func count(with elsewhere: [MatchedHeaders]) -> Int { elsewhere.reduce(entries.count) { $0 + $1.entries.count } }
}

extension Session {
  /// Gives the same subscription to the guests at all neighbors where a header may match it, now or later.
  private func guestsSubscribe(_ subscription: Subscription) -> [MatchedHeaders] {
    // Where the others do not stand still, it is for headers of this service alone.
    guard let abroad, let neighbors = service.neighbors, neighbors.areStill else { return [] }
    let holders = Set(subscription.exactNames.map { neighbors.shard.holder(of: $0) })
    return neighbors.services.enumerated().compactMap { index, neighbor in
      guard index != neighbors.shard.index, !subscription.globs.isEmpty || holders.contains(index) else { return nil }
      abroad.guests |= 1 << UInt64(index)
      let guest = neighbor.guest(id, peer, abroad.link, encoding, clientName)
      // It has just ended the connection.
      guard !guest.isEnded else { return nil }
      let twin = Subscription(
        id: subscription.id, session: guest, patterns: subscription.patterns, mode: subscription.mode,
        onOverflow: subscription.onOverflow, view: neighbor.router.view(subscription.view.key),
        interval: subscription.interval, resumes: subscription.resumes)
      guest.subscriptions.append(twin)
      return MatchedHeaders(subscription: twin, entries: neighbor.headers(for: twin))
    }
  }
}

extension Service {
  /// The open headers that a subscription matches, in the order of their opening.
  func headers(for subscription: Subscription) -> [HeaderEntry] {
    guard subscription.globs.isEmpty else { return table.entries { subscription.matches($0.name) } }
    return subscription.exactNames.compactMap { table[$0] }.sorted { $0.handle < $1.handle }
  }
}
