// SPDX-License-Identifier: MIT
//
// Where what a header shows and what the original showed first part: numbers within 1e-6, everything else exactly. Every
// field that the original showed must be shown, and none beside them, but for `internal`, which is the original's own.

import HeaderCore

/// A place at which two trees differ.
public struct Difference: Sendable, CustomStringConvertible {
  /// The step.
  public var place: String
  /// What was wrong there, as one sentence.
  public var reason: String

  /// Numbers that are this near are equal.
  public static let tolerance = 1e-6

  init(place: String, reason: String) {
    self.place = place
    self.reason = reason
  }

  /// The first difference between what was expected of a step and what was shown; nil when there is none.
  init?(_ expected: Value, _ shown: Value) {
    var expected = expected
    if case .record(var record) = expected {
      record["internal"] = nil
      expected = .record(record)
    }
    guard let (path, reason) = Self.find(expected, shown, Path("")) else { return nil }
    self.init(place: "", reason: "\(path.text): \(reason)")
  }

  func at(_ place: String) -> Difference { Difference(place: place, reason: reason) }

  /// The place and the reason.
  public var description: String { place.isEmpty ? reason : "\(place): \(reason)" }

  private static func find(_ expected: Value, _ shown: Value, _ path: Path) -> (Path, String)? {
    switch (expected, shown) {
    case (.number(let left), .number(let right)) where abs(left - right) <= tolerance: return nil
    case (.record(let left), .record(let right)): return find(left, right, path)
    case (.list(let left), .list(let right)) where left.count == right.count:
      for index in left.indices {
        if let found = find(left[index], right[index], path[index]) { return found }
      }
      return nil
    default:
      return expected == shown ? nil : (path, "expected \(expected.short), got \(shown.short)")
    }
  }

  private static func find(_ expected: Value.Record, _ shown: Value.Record, _ path: Path) -> (Path, String)? {
    for field in expected.fields {
      guard let other = shown[field.name] else {
        return (path + field.name, "expected \(field.value.short), and nothing of that name is shown")
      }
      if let found = find(field.value, other, path + field.name) { return found }
    }
    for field in shown.fields where expected[field.name] == nil {
      return (path + field.name, "the recording lacks it, got \(field.value.short)")
    }
    return nil
  }
}

extension Value {
  /// The value on one line, for messages.
  var short: String {
    switch self {
    case .list(let items): "[\(items.map(\.short).joined(separator: ", "))]"
    case .record(let record): "{\(record.fields.map { "\($0.name) \($0.value.short)" }.joined(separator: ", "))}"
    case .number, .null, .bool, .text: brief
    }
  }
}
