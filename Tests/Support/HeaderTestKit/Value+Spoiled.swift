// SPDX-License-Identifier: MIT
//
// A tree with one place spoiled at a time, for readers that must refuse or take whatever comes.

public import HeaderModel

extension Value {
  /// What stands in the place of a leaf, a list or a record.
  private static let replacements: [Value] = [
    nil, true, .number(-1), .number(0.5), .number(63), .number(300), .number(1e18), .number(1e300), .number(-1e300),
    .number(.leastNonzeroMagnitude), "x", "9223372036854775807", "-9223372036854775808", "18446744073709551615",
    [], [:], [nil],
  ]

  /// Every value that differs from this one in one place: another value there, or a field left out.
  public var spoiled: [Value] {
    switch self {
    case .record(let record):
      return Self.replacements
        + record.fields.flatMap { field in
          var without = record
          without[field.name] = nil
          return [Value.record(without)]
            + field.value.spoiled.map { spoiled in
              var changed = record
              changed[field.name] = spoiled
              return Value.record(changed)
            }
        }
    case .list(let list):
      return Self.replacements
        + list.indices.flatMap { index in
          list[index].spoiled.map { spoiled in
            var changed = list
            changed[index] = spoiled
            return Value.list(changed)
          }
        }
    default: return Self.replacements
    }
  }
}
