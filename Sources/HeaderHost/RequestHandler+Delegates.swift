// SPDX-License-Identifier: MIT
//
// `delegate.*` (headerd-protocol(7), DELEGATES): behaviors and clients join a header's chain, leave it, change places,
// get other options. Each is an input of the header's one ordered stream, between two events, and a step of its
// recordings.

internal import Fanout
internal import HeaderCore
internal import HeaderWire

extension RequestHandler {
  func addDelegate(_ fields: inout FieldReader) throws(HeaderError) -> Reply {
    let entry = try header(&fields)
    let options = try fields.record("options") ?? Value.Record()
    try host.checkSize(of: options, at: "params.options")
    let place = try fields.integer("at", in: 0...Int(Int32.max))
    var wanted = try wantedDelegate(&fields, of: entry)
    wanted.options = options
    do {
      let index = try host.addDelegate(wanted, at: place, to: entry, client: wanted.client == nil ? nil : client)
      return .fields(("delegate", .text(wanted.name)), ("index", .number(Double(index))))
    } catch {
      throw error.ofEvent(at: fields.path).of(header: entry.name)
    }
  }

  /// A behavior or this client, under a name.
  private func wantedDelegate(
    _ fields: inout FieldReader, of entry: HeaderEntry
  ) throws(HeaderError) -> DelegateDescription {
    let behavior = try fields.text("behavior")
    let name = try fields.text("name")
    if let name, !Names.isName(name) {
      throw fields.unexpected(
        "name", needed: "a name: a letter, then letters, digits, _ and -, at most 64 bytes", expected: "name")
    }
    guard var description = try ClientDescription(&fields) else {
      guard let behavior else {
        throw fields.unexpected("behavior", needed: "a behavior's name, or client", expected: "text")
      }
      for field in ["events", "deadline"] where fields.has(field) {
        throw HeaderError(
          .invalidParams, "params.\(field): it belongs to a client, a behavior says itself what it hears",
          field: "params.\(field)", hint: "leave it out, or give client in place of behavior")
      }
      return DelegateDescription(behavior: behavior, name: name)
    }
    guard behavior == nil else {
      throw HeaderError(
        .invalidParams, "params.client: a delegate is a behavior or a client, both are given", field: "params.client")
    }
    if fields.has("deadline") {
      guard description.deadline <= limits.deadline else {
        throw .limit(
          "deadline", limits.deadline,
          "params.deadline: an event waits for a client at most \(Value.number(limits.deadline).brief) seconds, got \(Value.number(description.deadline).brief)",
          field: "params.deadline")
      }
    } else {
      description.deadline = min(description.deadline, limits.deadline)
    }
    return DelegateDescription(client: description, name: name ?? freeName(in: entry))
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

  func removeDelegate(_ fields: inout FieldReader) throws(HeaderError) -> Reply {
    let (entry, index) = try delegate(&fields)
    try host.removeDelegate(at: index, of: entry)
    return .chain(of: entry)
  }

  func moveDelegate(_ fields: inout FieldReader) throws(HeaderError) -> Reply {
    let (entry, index) = try delegate(&fields)
    guard let place = try fields.integer("at", in: 0...Int(Int32.max)) else {
      throw fields.unexpected("at", needed: "a place in the chain, from 0", expected: "integer")
    }
    do {
      try host.moveDelegate(from: index, to: place, of: entry)
    } catch {
      throw error.under("params").of(header: entry.name)
    }
    return .chain(of: entry)
  }

  func configureDelegate(_ fields: inout FieldReader) throws(HeaderError) -> Reply {
    let (entry, index) = try delegate(&fields)
    guard let options = try fields.record("options") else {
      throw fields.unexpected("options", needed: "an object", expected: "record")
    }
    try host.checkSize(of: options, at: "params.options")
    let name = entry.header.description.delegates[index].name
    let answer = try call(.setOptions(options, delegate: name), of: entry, at: fields.path)
    return .fields(("seq", .number(Double(answer.seq))))
  }

  /// The delegate that `header` and `delegate` name.
  private func delegate(_ fields: inout FieldReader) throws(HeaderError) -> (HeaderEntry, Int) {
    let entry = try header(&fields)
    let name = try fields.required(text: "delegate")
    do {
      return (entry, try entry.header.delegateIndex(named: name))
    } catch {
      var refusal = error
      refusal.field = "params.delegate"
      refusal.message = "params.delegate: \(error.message)"
      throw refusal
    }
  }
}

extension Reply {
  /// The chain now.
  fileprivate static func chain(of entry: HeaderEntry) -> Reply {
    .fields(("delegates", .list(entry.header.description.delegates.map { .text($0.name) })))
  }
}
