// SPDX-License-Identifier: MIT
//
// `delegate.*` (headerd-delegates(7)): behaviors and clients join a header's chain, leave it, change places,
// get other options. Each is an input of the header's one ordered stream, between two events, and a step of its
// recordings.

internal import Fanout
internal import HeaderCore
internal import HeaderModel
internal import HeaderWire

extension RequestHandler {
  func addDelegate(_ given: NewDelegate, to entry: HeaderEntry) throws(HeaderError) -> Reply? {
    try host.checkSize(of: given.options, at: "params.options")
    try entry.account?.requireMemory(for: "delegate.add")
    var wanted = try description(of: given, in: entry)
    wanted.options = given.options
    wanted.preset = given.preset
    wanted = try wanted.taking(host.plugins.presets, at: Path("params"))
    return try later { [wanted] then in
      host.addDelegate(wanted, at: given.place, to: entry, client: wanted.client == nil ? nil : client) { result in
        if result.refusal == nil { entry.chargeMemory() }
        then(
          result.mapError { $0.ofEvent(at: Path("params")).of(header: entry.name) }
            .map { .record(["delegate": .text(wanted.name), "index": .number(Double($0))]) })
      }
    }
  }

  /// A behavior or this client, under a name.
  private func description(of given: NewDelegate, in entry: HeaderEntry) throws(HeaderError) -> DelegateDescription {
    switch given.kind {
    case .behavior(let behavior):
      var wanted = DelegateDescription(behavior: behavior, name: given.name)
      wanted.edge = given.edge
      return wanted
    case .client(var description, let hasDeadline):
      guard description.deadline <= limits.deadline || !hasDeadline else {
        throw .limit(
          "deadline", limits.deadline,
          "params.deadline: an event waits for a client at most \(Value.number(limits.deadline).brief) seconds, got \(Value.number(description.deadline).brief)",
          field: "params.deadline")
      }
      description.deadline = min(description.deadline, limits.deadline)
      return DelegateDescription(client: description, name: given.name ?? freeName(in: entry))
    }
  }

  /// A name for a client that gives none: its connection's number, and a second number when it has that one already.
  private func freeName(in entry: HeaderEntry) -> String {
    let names = entry.header.description.delegates.map(\.name)
    let first = "client\(client.id.number)"
    guard names.contains(first) else { return first }
    var number = 2
    while names.contains("\(first)-\(number)") { number += 1 }
    return "\(first)-\(number)"
  }

  func removeDelegate(_ name: String, of entry: HeaderEntry) throws(HeaderError) -> Reply? {
    _ = try place(ofDelegate: name, of: entry)
    return try later { then in
      host.removeDelegate(name, of: entry) { then($0.map { .chain(of: entry) }) }
    }
  }

  func moveDelegate(_ name: String, of entry: HeaderEntry, to place: Int) throws(HeaderError) -> Reply? {
    _ = try self.place(ofDelegate: name, of: entry)
    return try later { then in
      host.change(entry, .moveDelegate(name, to: place)) { result in
        then(result.mapError { $0.under("params").of(header: entry.name) }.map { _ in .chain(of: entry) })
      }
    }
  }

  func configureDelegate(
    _ name: String, of entry: HeaderEntry, _ options: Value.Record
  ) throws(HeaderError) -> Reply? {
    _ = try place(ofDelegate: name, of: entry)
    try host.checkSize(of: options, at: "params.options")
    try entry.account?.requireMemory(for: "delegate.configure")
    let event = ScrollEvent(.setOptions(options, delegate: name))
    return try later { then in
      call(event, of: entry) { answer in
        if answer.refusal == nil { entry.chargeMemory() }
        then(answer.map { .record(["seq": .number(Double($0.seq))]) })
      }
    }
  }

  /// The place in the chain of the delegate that `delegate` names.
  func place(ofDelegate name: String, of entry: HeaderEntry) throws(HeaderError) -> Int {
    do {
      return try entry.header.delegateIndex(named: name)
    } catch {
      var refusal = error
      refusal.field = "params.delegate"
      refusal.message = "params.delegate: \(error.message)"
      throw refusal
    }
  }
}

extension Reply {
  fileprivate static func chain(of entry: HeaderEntry) -> Reply {
    .record(["delegates": .list(entry.header.description.delegates.map { .text($0.name) })])
  }
}
