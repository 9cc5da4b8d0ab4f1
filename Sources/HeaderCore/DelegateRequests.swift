// SPDX-License-Identifier: MIT
//
// Requests to one delegate by name: its options, and the calls of its behavior (headerd-events(7), KINDS: setOptions and call).

import HeaderModel

/// Requests to one delegate of a header.
struct DelegateRequests {
  let header: Header
  var proxy: DelegateProxy { header.proxy }

  private func delegateIndex(_ name: String?) throws(HeaderError) -> Int {
    if let name { return try header.delegateIndex(named: name) }
    guard proxy.slots.count == 1 else {
      let known = proxy.slots.map(\.delegate.name)
      throw HeaderError(
        .delegateNotFound,
        "header \"\(header.name)\" has \(known.isEmpty ? "no delegates" : "several delegates, name one of \(known.joined(separator: ", "))")",
        field: "delegate")
    }
    return 0
  }

  /// Sets options in the order of the behavior's list, all or nothing: when one is refused, those set before it get
  /// their old values back.
  func setOptions(_ options: Value.Record, of name: String?) throws(HeaderError) {
    let index = try delegateIndex(name)
    let delegate = proxy.slots[index].delegate
    guard !proxy.slots[index].isBypassed else { throw .isBypassed(delegate.name, "takes no options") }
    let schemas = delegate.behavior.options
    let path = Path("options")
    let given = try schemas.checked(options, at: path)
    var present = header.description.delegates[index].options
    if let yields = options["yields"], yields != present["yields"] ?? false {
      throw HeaderError(
        .invalidOption, "options.yields: who owns a drawer is settled when a delegate joins; it cannot yield later",
        field: "options.yields", got: yields, hint: "delegate.remove it and add it again with the option")
    }
    for (place, (option, value)) in given.enumerated() {
      do {
        try proxy.answering(for: delegate, at: path + schemas[option].name) { () throws(DelegateFailure) in
          try delegate.setOption(option, value, in: header)
        }
        // An option may change the events that the delegate responds to, before the next one is set.
        proxy.updateResponds(of: index)
      } catch {
        if error.name == .behaviorFailed { proxy.bypass(index, error.hint ?? error.message, in: header) }
        for (done, _) in given[..<place] {
          let old = present[schemas[done].name] ?? schemas[done].defaultValue
          proxy.guarded(index, in: header) { (delegate: ScrollDelegate) throws(DelegateFailure) in
            try delegate.setOption(done, old, in: header)
          }
        }
        proxy.updateResponds(of: index)
        throw error
      }
    }
    for (option, value) in given { present[schemas[option].name] = value }
    header.description.delegates[index].options = present
    proxy.updateResponds(of: index)
  }

  /// Calls a behavior's own function by name; without a delegate the first one that knows the name.
  /// - Returns: its result; with `report` a record of `returned` and, if it animates, the `id` that the notice of the animation's end
  ///   has.
  func call(
    _ name: String, _ arguments: Value.Record, of delegate: String?, report: Bool
  ) throws(HeaderError) -> Value {
    let announced = header.work.happened.animations.count
    let (returned, index) = try call(name, arguments, of: delegate)
    guard report else { return returned }
    var answer: Value.Record = ["returned": returned]
    let animations = header.work.happened.animations.dropFirst(announced).filter { Int($0.delegate) == index }
    let duration = animations.lazy.map { $0.delay + $0.duration }.max()
    if duration != nil || header.schedule.frameIsActive(delegate: Int32(index)) {
      answer["id"] = .number(Double(PositionController(header).follow(index, for: duration)))
    }
    return .record(answer)
  }

  private func call(
    _ name: String, _ arguments: Value.Record, of delegate: String?
  ) throws(HeaderError) -> (returned: Value, delegate: Int) {
    let candidates: [Int]
    if let delegate { candidates = [try delegateIndex(delegate)] } else { candidates = Array(proxy.slots.indices) }
    for index in candidates {
      let member = proxy.slots[index].delegate
      guard let number = member.behavior.calls.firstIndex(where: { $0.name == name }) else { continue }
      guard !proxy.slots[index].isBypassed else { throw .isBypassed(member.name, "answers no calls") }
      do {
        _ = try member.behavior.calls[number].arguments.checked(arguments, at: Path("arguments"))
      } catch {
        var refusal = error
        refusal.name = .invalidParams
        throw refusal
      }
      return (try perform(number, arguments, by: index), index)
    }
    // Recordings of the originals begin with it; here a behavior is attached at opening (headerd-headers(7), The
    // description).
    if name == "attach" { return (.null, 0) }
    let known = candidates.flatMap { proxy.slots[$0].delegate.behavior.calls.map(\.name) }
    throw HeaderError(
      .callFailed,
      "no delegate of header \"\(header.name)\" knows the call \"\(name)\"\(known.isEmpty ? "" : ", there are \(known.joined(separator: ", "))")",
      field: "name", got: .text(name), hint: nearest(to: name, in: known).map { "did you mean \"\($0)\"?" })
  }

  private func perform(_ number: Int, _ arguments: Value.Record, by index: Int) throws(HeaderError) -> Value {
    let member = proxy.slots[index].delegate
    proxy.depth += 1
    defer { proxy.depth -= 1 }
    // A call may change the events that the delegate responds to, as an option may.
    defer { proxy.updateResponds(of: index) }
    proxy.ledger?.beginTurn(of: member.name, "request", depth: 0, nil)
    defer { proxy.ledger?.endWork() }
    do {
      return try member.call(number, arguments, in: header)
    } catch {
      var kind = ErrorName.callFailed
      var verb = "refuses"
      if case .failed(let reason) = error {
        proxy.bypass(index, reason, in: header)
        kind = .behaviorFailed
        verb = "failed"
      }
      let name = member.behavior.calls[number].name
      throw HeaderError(
        kind, "\(name): \(member.behavior.name) \(verb): \(error.reason)", field: "name",
        hint: error.reason, facts: ["culprit": .text(member.name)])
    }
  }
}

extension HeaderError {
  /// A request to a delegate that failed before.
  fileprivate static func isBypassed(_ delegate: String, _ consequence: String) -> HeaderError {
    HeaderError(
      .behaviorFailed, "delegate \"\(delegate)\" is bypassed since it failed, it \(consequence)",
      facts: ["culprit": .text(delegate)])
  }
}
