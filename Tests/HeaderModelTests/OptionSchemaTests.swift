// SPDX-License-Identifier: MIT
//
// The check of options against their schemas: for each type what fits, and what does not with its exact words.

import HeaderModel
import Testing

@Suite struct OptionSchemaTests {
  /// The options of a behavior that has one of each type.
  static let schemas: [OptionSchema] = [
    OptionSchema(name: "speed", type: .number, unit: "points", defaultValue: 1, minimum: 0, maximum: 10, meaning: ""),
    OptionSchema(name: "gain", type: .number, defaultValue: 1, minimum: 0, meaning: ""),
    OptionSchema(name: "loss", type: .number, defaultValue: 1, maximum: 0, meaning: ""),
    OptionSchema(name: "free", type: .number, unit: "seconds", defaultValue: 1, meaning: ""),
    OptionSchema(name: "count", type: .integer, unit: "frames", defaultValue: 1, minimum: 1, maximum: 4, meaning: ""),
    OptionSchema(name: "enabled", type: .bool, defaultValue: true, meaning: ""),
    OptionSchema(name: "title", type: .text, defaultValue: "", meaning: "", isNullable: true),
    OptionSchema(
      name: "fade", type: .case, defaultValue: "none", cases: ["none", "subviews", "navbar"], meaning: ""),
    OptionSchema(name: "tint", type: .color, defaultValue: ["white": 0], meaning: ""),
    OptionSchema(name: "point", type: .point, defaultValue: [:], meaning: ""),
    OptionSchema(name: "size", type: .size, defaultValue: [:], meaning: ""),
    OptionSchema(name: "rect", type: .rect, defaultValue: [:], meaning: ""),
    OptionSchema(name: "insets", type: .insets, defaultValue: [:], meaning: ""),
    OptionSchema(name: "transform", type: .transform, defaultValue: [], meaning: ""),
    OptionSchema(name: "words", type: .list(of: .text), defaultValue: [], meaning: ""),
    OptionSchema(name: "stops", type: .list(of: .number), defaultValue: [], minimum: 0, maximum: 1, meaning: ""),
    OptionSchema(name: "extra", type: .record, defaultValue: [:], meaning: ""),
  ]

  /// One option and its value.
  struct Row: CustomTestStringConvertible {
    var name: String
    var value: Value
    var message = ""
    var hint: String?
    var testDescription: String { message.isEmpty ? "\(name) \(value)" : message }
  }

  static func check(_ row: Row) throws(HeaderError) -> [(index: Int, value: Value)] {
    try schemas.checked(Value.Record(fields: [.init(name: row.name, value: row.value)]), at: Path("options"))
  }

  @Test(arguments: [
    Row(name: "speed", value: 0), Row(name: "speed", value: 10), Row(name: "speed", value: 0.125),
    Row(name: "gain", value: 1e9), Row(name: "loss", value: -1e9), Row(name: "free", value: -1e9),
    Row(name: "count", value: 1), Row(name: "count", value: 4), Row(name: "enabled", value: false),
    Row(name: "title", value: "x"), Row(name: "title", value: nil), Row(name: "fade", value: "navbar"),
    Row(name: "tint", value: ["red": 1, "green": 0, "blue": 0.5, "alpha": 1]),
    Row(name: "tint", value: ["white": 0.5, "alpha": 0]), Row(name: "tint", value: ["white": 1]),
    Row(name: "point", value: ["x": 1, "y": -1]), Row(name: "point", value: ["y": 1]),
    Row(name: "size", value: ["width": 1, "height": 2]), Row(name: "rect", value: ["x": 1, "height": 2]),
    Row(name: "insets", value: ["top": 1, "left": 2, "bottom": 3, "right": 4]),
    Row(name: "transform", value: Transform.identity.value),
    Row(name: "words", value: []), Row(name: "words", value: ["a", "b"]), Row(name: "stops", value: [0, 0.5, 1]),
    Row(name: "extra", value: ["anything": ["goes": nil]]),
  ])
  func `what fits is taken`(_ row: Row) throws {
    let checked = try Self.check(row)
    #expect(checked.count == 1)
    #expect(checked.first.map { Self.schemas[$0.index].name } == row.name)
    #expect(checked.first?.value == row.value)
  }

  @Test(arguments: [
    Row(name: "speed", value: 10.5, message: "options.speed: expected a number of points from 0 to 10, got 10.5"),
    Row(name: "speed", value: -1, message: "options.speed: expected a number of points from 0 to 10, got -1"),
    Row(name: "speed", value: "5", message: "options.speed: expected a number of points, got \"5\""),
    Row(name: "speed", value: nil, message: "options.speed: expected a number of points, got null"),
    Row(name: "gain", value: -0.5, message: "options.gain: expected a number of at least 0, got -0.5"),
    Row(name: "loss", value: 3, message: "options.loss: expected a number of at most 0, got 3"),
    Row(
      name: "free", value: 2e9, message: "options.free: expected a number of seconds within ±1e9, got 2000000000"),
    Row(
      name: "free", value: .number(.nan), message: "options.free: expected a number of seconds within ±1e9, got nan"),
    Row(name: "count", value: 1.5, message: "options.count: expected a whole number of frames, got 1.5"),
    Row(name: "count", value: 5, message: "options.count: expected a whole number of frames from 1 to 4, got 5"),
    Row(name: "enabled", value: 1, message: "options.enabled: expected true or false, got 1"),
    Row(name: "title", value: true, message: "options.title: expected a text, got true"),
    Row(
      name: "fade", value: "subview",
      message: "options.fade: expected one of \"none\", \"subviews\", \"navbar\", got \"subview\"",
      hint: "did you mean \"subviews\"?"),
    Row(
      name: "fade", value: 2, message: "options.fade: expected one of \"none\", \"subviews\", \"navbar\", got 2"),
    Row(name: "tint", value: "red", message: "options.tint: expected a color, got \"red\""),
    Row(name: "tint", value: ["red": 255], message: "options.tint.red: expected a number from 0 to 1, got 255"),
    Row(
      name: "tint", value: ["white": 1, "red": 1],
      message: "options.tint.red: there is no such field, expected white, alpha"),
    Row(name: "point", value: [1, 2], message: "options.point: expected a point {x, y}, got [1, 2]"),
    Row(name: "point", value: ["z": 1], message: "options.point.z: there is no such field, expected x, y"),
    Row(name: "point", value: ["x": "1"], message: "options.point.x: expected a finite number, got \"1\""),
    Row(name: "size", value: 5, message: "options.size: expected a size {width, height}, got 5"),
    Row(
      name: "size", value: ["widht": 5], message: "options.size.widht: there is no such field, expected width, height",
      hint: "did you mean \"width\"?"),
    Row(name: "rect", value: nil, message: "options.rect: expected a rect {x, y, width, height}, got null"),
    Row(
      name: "insets", value: true, message: "options.insets: expected insets {top, left, bottom, right}, got true"),
    Row(name: "transform", value: [1], message: "options.transform: expected a list of 16 numbers, got [1]"),
    Row(
      name: "transform", value: .list(Array(repeating: "1", count: 16)),
      message: "options.transform[0]: expected a number, got \"1\""),
    Row(name: "words", value: "a", message: "options.words: expected a list, got \"a\""),
    Row(name: "words", value: ["a", 1], message: "options.words[1]: expected a text, got 1"),
    Row(name: "extra", value: [], message: "options.extra: expected a record, got an empty list"),
  ])
  func `what does not fit is refused`(_ row: Row) throws {
    let error = try #require(throws: HeaderError.self) { try Self.check(row) }
    #expect(error.name == .invalidOption)
    #expect(error.message == row.message)
    #expect(error.hint == row.hint)
    #expect(error.field.map { row.message.hasPrefix("\($0): ") } == true)
  }

  @Test func `what a list holds is checked as if it stood alone`() throws {
    let stop = try #require(throws: HeaderError.self) { try Self.check(Row(name: "stops", value: [0, 2])) }
    #expect(stop.message == "options.stops[1]: expected a number from 0 to 1, got 2")
    let tints = OptionSchema(name: "tints", type: .list(of: .color), defaultValue: [], meaning: "")
    let tint = try #require(throws: HeaderError.self) { try tints.check([["red": 255]], at: Path("tints")) }
    #expect(tint.message == "tints[0].red: expected a number from 0 to 1, got 255")
  }

  @Test func `an unknown option is refused with the nearest`() throws {
    let schemas = Array(Self.schemas.prefix(2))
    let given = Value.Record(fields: [.init(name: "speed", value: 1), .init(name: "sped", value: 1)])
    let error = try #require(throws: HeaderError.self) { try schemas.checked(given, at: Path("options")) }
    #expect(
      error
        == HeaderError(
          .invalidOption, "options.sped: there is no such option, expected one of speed, gain", field: "options.sped",
          expected: "speed, gain", hint: "did you mean \"speed\"?"))
  }

  @Test func `options come in the order of the list`() throws {
    let given: [(String, Value)] = [("fade", "none"), ("gain", 1), ("speed", 2)]
    let record = Value.Record(fields: given.map { .init(name: $0.0, value: $0.1) })
    let checked = try Self.schemas.checked(record, at: Path("options"))
    #expect(checked.map(\.index) == [0, 1, 7])
  }

  @Test func `each type has its word`() {
    #expect(
      Self.schemas.map(\.type.word) == [
        "number", "number", "number", "number", "integer", "bool", "text", "case", "color", "point", "size", "rect",
        "insets", "transform", "list of text", "list of number", "record",
      ])
  }
}
