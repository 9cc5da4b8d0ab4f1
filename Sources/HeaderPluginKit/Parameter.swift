// SPDX-License-Identifier: MIT
//
// Options and arguments as the host checks them before the behavior sees them.
//
// The host does not check the content of a record. A behavior whose call takes options by name checks those itself (`Parameter.check`),
// with the words that the host has for the same mistake; `Fields` reads records.

/// The type of an option, of a call's argument or of a value.
public enum ValueType: UInt8, Sendable {
  case number = 0
  case integer, bool, text, `case`, color, point, size, rect, insets, transform, record
}

/// One option or argument, as the host checks it before the behavior sees it.
public struct Parameter: Sendable {
  var name: String
  var type: ValueType
  var isList = false
  var isNullable = false
  var unit: String?
  var defaultValue: Value
  var minimum: Double?
  var maximum: Double?
  var cases: [String] = []
  var meaning: String

  /// A number within a range, both ends allowed.
  public static func number(
    _ name: String, unit: String?, default value: Double, minimum: Double? = nil, maximum: Double? = nil,
    _ meaning: String
  ) -> Parameter {
    Parameter(
      name: name, type: .number, unit: unit, defaultValue: .number(value), minimum: minimum, maximum: maximum,
      meaning: meaning)
  }

  /// A number within a range, or null.
  public static func numberOrNull(
    _ name: String, unit: String?, minimum: Double? = nil, maximum: Double? = nil, _ meaning: String
  ) -> Parameter {
    Parameter(
      name: name, type: .number, isNullable: true, unit: unit, defaultValue: .null, minimum: minimum, maximum: maximum,
      meaning: meaning)
  }

  /// An option that is true or false.
  public static func bool(_ name: String, default value: Bool, _ meaning: String) -> Parameter {
    Parameter(name: name, type: .bool, defaultValue: .bool(value), meaning: meaning)
  }

  /// A color: red, green, blue and alpha, or white and alpha; 0…1.
  public static func color(_ name: String, default value: Value, _ meaning: String) -> Parameter {
    Parameter(name: name, type: .color, defaultValue: value, meaning: meaning)
  }

  /// Insets; an edge left out is the behavior's to fill in.
  public static func insets(_ name: String, _ meaning: String) -> Parameter {
    Parameter(name: name, type: .insets, unit: "points", defaultValue: .record([]), meaning: meaning)
  }

  /// An option that is one of an enumeration's words, or null.
  public static func caseOrNull<Choice: RawRepresentable & CaseIterable>(
    _ name: String, _ choice: Choice.Type, _ meaning: String
  ) -> Parameter where Choice.RawValue == String {
    Parameter(
      name: name, type: .case, isNullable: true, defaultValue: .null, cases: Choice.allCases.map(\.rawValue),
      meaning: meaning)
  }

  /// An option that is one of an enumeration's words.
  public static func `case`<Choice: RawRepresentable & CaseIterable>(
    _ name: String, default value: Choice, _ meaning: String
  ) -> Parameter where Choice.RawValue == String {
    Parameter(
      name: name, type: .case, defaultValue: .text(value.rawValue), cases: Choice.allCases.map(\.rawValue),
      meaning: meaning)
  }

  /// An option that is a text.
  public static func text(_ name: String, default value: String, _ meaning: String) -> Parameter {
    Parameter(name: name, type: .text, defaultValue: .text(value), meaning: meaning)
  }

  /// Any record; the behavior checks what is in it.
  public static func record(_ name: String, _ meaning: String) -> Parameter {
    Parameter(name: name, type: .record, defaultValue: .record([]), meaning: meaning)
  }

  /// An option that is a text, or null.
  public static func textOrNull(_ name: String, _ meaning: String) -> Parameter {
    Parameter(name: name, type: .text, isNullable: true, defaultValue: .null, meaning: meaning)
  }

  /// A whole number within a range, both ends allowed.
  public static func integer(
    _ name: String, unit: String? = nil, default value: Int = 0, minimum: Int, maximum: Int, _ meaning: String
  ) -> Parameter {
    Parameter(
      name: name, type: .integer, unit: unit, defaultValue: .number(Double(value)), minimum: Double(minimum),
      maximum: Double(maximum), meaning: meaning)
  }

  /// A list of records; the behavior checks what is in them.
  public static func records(_ name: String, _ meaning: String) -> Parameter {
    Parameter(name: name, type: .record, isList: true, defaultValue: .list([]), meaning: meaning)
  }
}

// MARK: - Checking

extension Parameter {
  /// Whether a value is one that the parameter takes.
  /// - Throws: the parameter's name and what it takes.
  public func check(_ value: Value) throws(Refusal) {
    if isNullable, value == .null { return }
    if isList {
      guard let items = value.list, items.allSatisfy(takes) else {
        throw .unexpected(value, at: name, needed: "a list, each \(wanted)")
      }
    } else if !takes(value) {
      throw .unexpected(value, at: name, needed: "\(wanted)\(isNullable ? " or null" : "")")
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
