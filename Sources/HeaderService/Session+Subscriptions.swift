// SPDX-License-Identifier: MIT
//
// `subscribe` and `unsubscribe` (protocol.md §5). What belongs to a later issue is refused by name: `resumeFrom`,
// `maxRate` above 0, `fields`.

internal import HeaderCore
internal import HeaderWire

extension Session {
  func subscribe(_ fields: inout FieldReader) throws(HeaderError) -> Reply {
    let patterns = try patterns(&fields)
    let mode = try fields.choice("mode", Subscription.Mode.self) ?? .latest
    let onOverflow = try fields.choice("onOverflow", Subscription.Overflow.self)
    if onOverflow != nil, mode != .every {
      throw HeaderError(
        .invalidParams, "params.onOverflow: it belongs to the mode \"every\", this subscription has \"latest\"",
        field: "params.onOverflow", hint: "\"latest\" never overflows")
    }
    try refuseLaterIssues(&fields, mode)
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
      id: lastSubscription, session: self, patterns: patterns, mode: mode, onOverflow: onOverflow ?? .gap, parts: parts)
    subscriptions.append(subscription)
    return .subscribed(subscription, service.headers(for: subscription))
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
        throw .unexpected(.number(Double(list.count)), at: path, needed: "at most 1024 names or globs", expected: "list")
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

  private func refuseLaterIssues(_ fields: inout FieldReader, _ mode: Subscription.Mode) throws(HeaderError) {
    let rate = try fields.number("maxRate", in: 0...1_000_000, of: "states a second") ?? 0
    if rate > 0 {
      if mode == .every {
        throw fields.unexpected("maxRate", needed: "0: with \"every\" each state comes", expected: "0")
      }
      throw .unsupported("maxRate", field: "params.maxRate", capability: "maxRate")
    }
    if fields.value("resumeFrom") != nil {
      throw .unsupported("resumeFrom", field: "params.resumeFrom", capability: "resume")
    }
    if fields.value("fields") != nil { throw .unsupported("fields", field: "params.fields", capability: "fields") }
  }
}

extension Service {
  /// The open headers that a subscription matches, in the order of their opening.
  func headers(for subscription: Subscription) -> [HeaderEntry] {
    guard subscription.globs.isEmpty else { return table.entries { subscription.matches($0.name) } }
    return subscription.exactNames.compactMap { table[$0] }.sorted { $0.handle < $1.handle }
  }
}
