// SPDX-License-Identifier: MIT
//
// Errors that several requests to a header have in common: limits, unknown names, conflicting claims.

extension HeaderError {
  package static func limitExceeded(_ name: String, _ count: Int, _ limit: Int, field: String) -> HeaderError {
    HeaderError(
      .limitExceeded, "\(field): a header has at most \(limit) \(name), got \(count)", field: field,
      got: .number(Double(count)),
      facts: ["limit": ["name": .text(name), "value": .number(Double(limit)), "key": .text("limits.\(name)")]])
  }

  /// A behavior that no loaded plugin offers, with the nearest one that is there.
  public static func behaviorNotFound(_ name: String, known: [String], at path: Path) -> HeaderError {
    let listed = known.isEmpty ? "no plugin is loaded" : "there are \(known.joined(separator: ", "))"
    let guess = nearest(to: name, in: known)
    return HeaderError(
      .behaviorNotFound, "\(path.text): no plugin offers behavior \"\(name)\"; \(listed)", field: path.text,
      got: .text(name), hint: guess.map { "did you mean \"\($0)\"?" })
  }

  /// Two delegates claim the same thing.
  /// - Parameter yielder: the delegate that can leave it to the other by the option `yields`, in words; nil: neither can, as where two
  ///   behaviors declare a value of the same name.
  package static func conflict(
    _ owner: String, _ other: String, over what: String, yielder: String? = "one of them", at path: Path
  ) -> HeaderError {
    HeaderError(
      .conflict, "\(path.text): \"\(owner)\" and \"\(other)\" both want \(what)", field: path.text,
      hint: yielder.map { "set \"yields\": true in the options of \($0)" },
      facts: ["delegates": [.text(owner), .text(other)]])
  }

  /// The refusal of a behavior. If the reason begins with the path of an option's part, such as `drawers[1].fade: …`, the error is
  /// reported at that part, whether the behavior refused the option or, as it was attached, its delegate.
  package static func refusal(by behavior: BehaviorDescription, _ reason: String, at path: Path) -> HeaderError {
    let whole = path.text
    let end = reason.utf8.firstIndex { [UInt8(ascii: ":"), UInt8(ascii: " ")].contains($0) }
    guard let end, reason.utf8[end] == UInt8(ascii: ":"),
      let option = behavior.options.first(where: { option in
        let rest = reason[..<end].dropFirst(option.name.count)
        return reason.hasPrefix(option.name) && (rest.isEmpty || rest.first == "[" || rest.first == ".")
      })
    else {
      return HeaderError(.invalidOption, "\(whole): \(behavior.name) refuses it: \(reason)", field: whole, hint: reason)
    }
    let isOption = whole.hasSuffix("options.\(option.name)")
    // A delegate that joins is refused at its behavior, beside which its options stand.
    let delegate = whole.hasSuffix(".behavior") ? String(whole.dropLast(".behavior".count)) : whole
    let options = isOption ? String(whole.dropLast(option.name.count)) : "\(delegate).options."
    let field = options + reason[..<end]
    let sentence = String(reason[end...].dropFirst().drop { $0 == " " })
    return HeaderError(.invalidOption, "\(field): \(sentence)", field: field, hint: sentence)
  }

  /// A name that is not there, with the nearest one that is.
  /// - Parameter path: where it was given; nil: the error names no field.
  public static func notFound(
    _ error: ErrorName, _ what: String, _ name: String, in owner: String, known: [String], at path: Path? = nil
  ) -> HeaderError {
    let listed = known.isEmpty ? "there is none" : "there are \(known.joined(separator: ", "))"
    let place = path.map { "\($0.text): " } ?? ""
    return HeaderError(
      error, "\(place)header \"\(owner)\" has no \(what) \"\(name)\"; \(listed)", field: path?.text, got: .text(name),
      hint: nearest(to: name, in: known).map { "did you mean \"\($0)\"?" },
      facts: ["header": .text(owner)])
  }
}
