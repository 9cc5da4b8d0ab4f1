// SPDX-License-Identifier: MIT
//
// The host checks options and arguments before a behavior sees them, but not what lies in a record. A behavior whose call
// takes options by name checks those itself, with the words that the host has for the same mistake.

extension Parameter {
  /// Whether a value is one that the parameter takes.
  /// - Throws: the parameter's name and what it takes.
  public func check(_ value: Value) throws(Refusal) {
    if isNullable, value == .null { return }
    if isList {
      guard let items = value.list, items.allSatisfy(takes) else {
        throw Refusal("\(name): expected a list, each \(wanted)")
      }
    } else if !takes(value) {
      throw Refusal("\(name): expected \(wanted)\(isNullable ? " or null" : "")")
    }
  }

  private func takes(_ value: Value) -> Bool {
    switch type {
    case .number, .integer:
      guard let number = value.number, number.isFinite else { return false }
      let isWhole = type == .number || number.rounded() == number
      return isWhole && number >= minimum ?? number && number <= maximum ?? number
    case .bool: return value.bool != nil
    case .text: return value.text != nil
    case .case: return value.text.map(cases.contains) ?? false
    case .color: return Self.hasNumbers(value, ["red", "green", "blue", "white", "alpha"], in: 0...1)
    case .point: return Self.hasNumbers(value, ["x", "y"])
    case .size: return Self.hasNumbers(value, ["width", "height"], in: 0...Double.greatestFiniteMagnitude)
    case .rect: return Self.hasNumbers(value, ["x", "y", "width", "height"])
    case .insets: return Self.hasNumbers(value, ["top", "left", "bottom", "right"])
    case .transform: return value.list.map { $0.count == 16 && $0.allSatisfy { $0.number != nil } } ?? false
    case .record: if case .record = value { return true } else { return false }
    }
  }

  /// A record of these fields and no others, each a number if it is there.
  private static func hasNumbers(
    _ value: Value, _ names: [String],
    in range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
  ) -> Bool {
    guard case .record(let fields) = value, !fields.isEmpty else { return false }
    return fields.allSatisfy { field in names.contains(field.name) && field.value.number.map(range.contains) ?? false }
  }

  private var wanted: String {
    switch type {
    case .number, .integer:
      let noun = (type == .number ? "a number" : "a whole number") + (unit.map { " of \($0)" } ?? "")
      return switch (minimum, maximum) {
      case (let low?, let high?): "\(noun) from \(low) to \(high)"
      case (let low?, nil): "\(noun) of at least \(low)"
      case (nil, let high?): "\(noun) of at most \(high)"
      case (nil, nil): noun
      }
    case .bool: return "true or false"
    case .case: return "one of \(cases.map { "\"\($0)\"" }.joined(separator: ", "))"
    default: return "a \(type)"
    }
  }
}

extension Definition {
  /// The option of a name.
  public func option(named name: String) -> Parameter? { options.first { $0.parameter.name == name }?.parameter }
}
