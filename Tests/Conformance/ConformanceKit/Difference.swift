// SPDX-License-Identifier: MIT
//
// Where what a header shows and what the original showed first part: numbers within the recording's tolerance, everything
// else exactly. Every field that the original showed must be shown, and none beside them, but for `internal`, which is the
// original's own, and for what an adapter leaves out with a reason.

import HeaderModel

/// A place at which two trees differ.
public struct Difference: Sendable, CustomStringConvertible {
  /// The step.
  public var place: String
  /// What was wrong there, as one sentence.
  public var reason: String

  init(place: String, reason: String) {
    self.place = place
    self.reason = reason
  }

  /// The first difference between what was expected of a step and what was shown; nil when there is none.
  init?(_ expected: Value, _ shown: Value, within tolerance: Tolerance, without leftOut: [LeftOut] = []) {
    var expected = expected
    if case .record(var record) = expected {
      record["internal"] = nil
      for field in leftOut { record[field.name] = nil }
      expected = .record(record)
    }
    guard let (path, reason) = Self.find(expected, shown, Path(""), tolerance, tolerance.length) else { return nil }
    self.init(place: "", reason: "\(path.text): \(reason)")
  }

  func at(_ place: String) -> Difference { Difference(place: place, reason: reason) }

  /// The place and the reason.
  public var description: String { place.isEmpty ? reason : "\(place): \(reason)" }

  /// - Parameter near: how near numbers must be at this place.
  private static func find(
    _ expected: Value, _ shown: Value, _ path: Path, _ tolerance: Tolerance, _ near: Double
  ) -> (Path, String)? {
    switch (expected, shown) {
    case (.number(let left), .number(let right)) where abs(left - right) <= near: return nil
    case (.record(let left), .record(let right)): return find(left, right, path, tolerance, near)
    case (.list(let left), .list(let right)) where left.count == right.count:
      for index in left.indices {
        if let found = find(left[index], right[index], path[index], tolerance, near) { return found }
      }
      return nil
    default:
      return expected == shown ? nil : (path, "expected \(expected.short), got \(shown.short)")
    }
  }

  private static func find(
    _ expected: Value.Record, _ shown: Value.Record, _ path: Path, _ tolerance: Tolerance, _ near: Double
  ) -> (Path, String)? {
    for field in expected.fields {
      guard let other = shown[field.name] else {
        return (path + field.name, "expected \(field.value.short), and nothing of that name is shown")
      }
      let near = tolerance.near(field.name, otherwise: near)
      if let found = find(field.value, other, path + field.name, tolerance, near) { return found }
    }
    for field in shown.fields where expected[field.name] == nil {
      return (path + field.name, "the recording lacks it, got \(field.value.short)")
    }
    return nil
  }
}

/// How near numbers must be to be equal. A recording says it; which of its fields are ratios and counts, its adapter says.
public struct Tolerance: Sendable {
  /// Of offsets, heights, positions.
  public var length = 1e-6
  /// Of shares.
  public var ratio = 1e-6
  /// The fields whose numbers are shares.
  public var ratios: Set<String> = []
  /// The fields whose numbers count something.
  public var counts: Set<String> = []

  func near(_ field: String, otherwise near: Double) -> Double {
    if ratios.contains(field) { return ratio }
    return counts.contains(field) ? 0 : near
  }
}

/// A field of a neighbor's recordings that no header shows, with the reason why.
public struct LeftOut: Sendable {
  /// The field of `expect`.
  public var name: String
  /// A sentence.
  public var reason: String
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
