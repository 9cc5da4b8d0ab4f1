// SPDX-License-Identifier: MIT
//
// A behavior describes its options once: name, type, unit, default, range, meaning. From that the config is checked,
// `headerctl plugin info` prints them, and a page can draw sliders.

/// The type of an option, as headerd-recordings(7), names it.
public indirect enum OptionType: Equatable, Sendable {
  case number
  case integer
  case bool
  case text
  /// One of `OptionSchema.cases`.
  case `case`
  case color
  case point
  case size
  case rect
  case insets
  case transform
  case list(of: OptionType)
  /// Any record; its behavior checks the content.
  case record

  /// The word for it: `number`, `list of text`…
  public var word: String {
    if case .list(let element) = self { "list of \(element.word)" } else { "\(self)" }
  }
}

/// One option of a behavior, or one argument of a call.
public struct OptionSchema: Equatable, Sendable {
  /// A letter, then letters, digits, `_`, `-`; unique within its list.
  public var name: String
  /// The type of its values.
  public var type: OptionType
  /// `points`, `seconds`…; nil when it has none.
  public var unit: String?
  /// The value when the option is not given.
  public var defaultValue: Value
  /// The range of a number, both ends allowed; nil: no bound but ±1e9.
  public var minimum: Double?
  /// The upper end of the range; nil: no bound but 1e9.
  public var maximum: Double?
  /// The words that a `case` may be.
  public var cases: [String]
  /// A sentence for people about the option.
  public var meaning: String
  /// Whether null is a valid value.
  public var isNullable: Bool

  /// An option as its behavior describes it; PluginHost has checked that the default fits.
  public init(
    name: String, type: OptionType, unit: String? = nil, defaultValue: Value, minimum: Double? = nil,
    maximum: Double? = nil, cases: [String] = [], meaning: String, isNullable: Bool = false
  ) {
    self.name = name
    self.type = type
    self.unit = unit
    self.defaultValue = defaultValue
    self.minimum = minimum
    self.maximum = maximum
    self.cases = cases
    self.meaning = meaning
    self.isNullable = isNullable
  }

  /// Refuses a value that does not fit, with `invalidOption` and the path.
  public func check(_ value: Value, at path: Path) throws(HeaderError) {
    if isNullable, value == .null { return }
    try check(value, type, path)
  }

  private func check(_ value: Value, _ type: OptionType, _ path: Path) throws(HeaderError) {
    switch (type, value) {
    case (.number, .number(let number)): try checkRange(number, type, path)
    case (.integer, .number(let number)) where number == number.rounded(): try checkRange(number, type, path)
    case (.bool, .bool), (.text, .text), (.record, .record): break
    case (.case, .text(let text)) where cases.contains(text): break
    case (.case, .text(let text)):
      let guess = nearest(to: text, in: cases).map { "did you mean \"\($0)\"?" }
      throw .unexpected(
        value, at: path, needed: "one of \(listed)", expected: "case", name: .invalidOption, hint: guess)
    case (.color, .record(let record)): try checkFields(record, colorFields(of: record), type, path)
    case (.point, .record(let record)): try checkFields(record, ["x", "y"], type, path)
    case (.size, .record(let record)): try checkFields(record, ["width", "height"], type, path)
    case (.rect, .record(let record)): try checkFields(record, ["x", "y", "width", "height"], type, path)
    case (.insets, .record(let record)): try checkFields(record, ["top", "left", "bottom", "right"], type, path)
    case (.transform, .list(let numbers)) where numbers.count == 16:
      for (index, number) in numbers.enumerated() { try check(number, .number, path[index]) }
    case (.list(let element), .list(let values)):
      for (index, value) in values.enumerated() { try check(value, element, path[index]) }
    default:
      throw .unexpected(value, at: path, needed: phrase(type), expected: type.word, name: .invalidOption)
    }
  }

  private func checkRange(_ number: Double, _ type: OptionType, _ path: Path) throws(HeaderError) {
    let low = minimum ?? -1e9
    let high = maximum ?? 1e9
    guard number.isFinite, number >= low, number <= high else {
      throw .unexpected(
        .number(number), at: path, needed: "\(phrase(type)) \(range)", expected: type.word, name: .invalidOption)
    }
  }

  private func checkFields(_ record: Value.Record, _ names: [String], _ type: OptionType, _ path: Path)
    throws(HeaderError)
  {
    for field in record.fields {
      guard names.contains(field.name) else {
        throw HeaderError(
          .invalidOption,
          "\((path + field.name).text): there is no such field, expected \(names.joined(separator: ", "))",
          field: (path + field.name).text, expected: names.joined(separator: ", "),
          hint: nearest(to: field.name, in: names).map { "did you mean \"\($0)\"?" })
      }
      guard case .number(let number) = field.value, number.isFinite, abs(number) <= 1e9 else {
        throw .unexpected(
          field.value, at: path + field.name, needed: "a finite number", expected: "number", name: .invalidOption)
      }
      if type == .color, number < 0 || number > 1 {
        throw .unexpected(
          field.value, at: path + field.name, needed: "a number from 0 to 1", expected: "number", name: .invalidOption)
      }
    }
  }

  private func colorFields(of record: Value.Record) -> [String] {
    record["white"] != nil ? ["white", "alpha"] : ["red", "green", "blue", "alpha"]
  }

  /// The range in words.
  public var range: String {
    switch (minimum, maximum) {
    case (let low?, let high?): "from \(Value.brief(low)) to \(Value.brief(high))"
    case (let low?, nil): "of at least \(Value.brief(low))"
    case (nil, let high?): "of at most \(Value.brief(high))"
    case (nil, nil): "within ±1e9"
    }
  }

  private var listed: String { cases.map { "\"\($0)\"" }.joined(separator: ", ") }

  private func phrase(_ type: OptionType) -> String {
    switch type {
    case .number: unit.map { "a number of \($0)" } ?? "a number"
    case .integer: unit.map { "a whole number of \($0)" } ?? "a whole number"
    case .bool: "true or false"
    case .text: "a text"
    case .case: "one of \(listed)"
    case .color: "a color"
    case .point: "a point {x, y}"
    case .size: "a size {width, height}"
    case .rect: "a rect {x, y, width, height}"
    case .insets: "insets {top, left, bottom, right}"
    case .transform: "a list of 16 numbers"
    case .list: "a list"
    case .record: "a record"
    }
  }
}

extension [OptionSchema] {
  /// Checks given options against the list and returns them in the list's order, as pairs of index and value.
  /// - Throws: `invalidOption` naming the first option that is unknown, mistyped or out of range.
  public func checked(_ given: Value.Record, at path: Path) throws(HeaderError) -> [(index: Int, value: Value)] {
    for field in given.fields where !contains(where: { $0.name == field.name }) {
      let names = map(\.name)
      let guess = nearest(to: field.name, in: names)
      throw HeaderError(
        .invalidOption,
        "\((path + field.name).text): there is no such option, expected one of \(names.joined(separator: ", "))",
        field: (path + field.name).text, expected: names.joined(separator: ", "),
        hint: guess.map { "did you mean \"\($0)\"?" })
    }
    var result: [(index: Int, value: Value)] = []
    for (index, schema) in enumerated() {
      guard let value = given[schema.name] else { continue }
      try schema.check(value, at: path + schema.name)
      result.append((index, value))
    }
    return result
  }
}
