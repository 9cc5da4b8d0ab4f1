// SPDX-License-Identifier: MIT
//
// Plugins' descriptions as trees (headerd-recordings(7)).

public import HeaderModel

extension BehaviorDescription {
  /// A behavior as `plugin.list` shows it.
  public var asValue: Value {
    [
      "behavior": .text(name), "summary": .text(summary), "moves": .bool(moves),
      "events": .list(events.kinds.map { .text($0.word) }),
      "calls": .list(
        calls.map {
          ["name": .text($0.name), "arguments": .list($0.arguments.map(\.asValue)), "meaning": .text($0.meaning)]
        }),
      "values": .list(
        values.map { value in
          var record: Value.Record = ["name": .text(value.name), "type": .text(value.type.word)]
          record["unit"] = value.unit.map { .text($0) }
          if !value.cases.isEmpty { record["cases"] = .list(value.cases.map { .text($0) }) }
          record["initial"] = value.initial.value
          record["meaning"] = .text(value.meaning)
          return .record(record)
        }), "notices": .list(notices.map { .text($0) }), "options": .list(options.map(\.asValue)),
    ]
  }
}

extension OptionSchema {
  fileprivate var asValue: Value {
    var record: Value.Record = ["name": .text(name), "type": .text(type.word)]
    record["unit"] = unit.map { .text($0) }
    record["default"] = defaultValue
    record["minimum"] = minimum.map { .number($0) }
    record["maximum"] = maximum.map { .number($0) }
    if !cases.isEmpty { record["cases"] = .list(cases.map { .text($0) }) }
    if isNullable { record["nullable"] = true }
    record["meaning"] = .text(meaning)
    return .record(record)
  }
}
