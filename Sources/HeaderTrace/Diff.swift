// SPDX-License-Identifier: MIT
//
// Two trees compared field by field. Each difference has a path; members of lists that have a `name` are addressed by
// it: `drawers.navBar.frame.y` and not `drawers[0].frame.y`. Numbers must be the same double,
// down to the sign of a zero. Lists are compared by index; an additional or missing entry is one difference.

public import HeaderModel

/// A place where two trees differ.
public struct Difference: Equatable, Sendable, CustomStringConvertible {
  /// Where, such as `drawers.navBar.frame.y`; empty: the trees as a whole.
  public var field: String
  /// nil: it should not be there.
  public var expected: Value?
  /// The actual value; nil: it is missing.
  public var got: Value?

  /// `drawers.navBar.frame.y: expected 7.5, got 8`
  public var description: String {
    let place = field.isEmpty ? "" : "\(field): "
    return "\(place)expected \(Self.shown(expected)), got \(Self.shown(got))"
  }

  private static func shown(_ value: Value?) -> String {
    guard let value else { return "nothing" }
    let text = value.json
    return text.count > 120 ? "\(text.prefix(117))…" : text
  }
}

/// A comparison of two trees of values.
public struct Diff: Sendable {
  /// Fields that are not compared, at any depth.
  public var ignored: Set<String>

  /// Compares everything but these fields.
  public init(ignoring ignored: Set<String> = []) { self.ignored = ignored }

  /// All differences, in the order of the expected tree; additional members come at the end of their record.
  public func differences(expected: Value?, got: Value?) -> [Difference] {
    var found: [Difference] = []
    compare(expected, got, "", &found)
    return found
  }

  private func compare(_ expected: Value?, _ got: Value?, _ field: String, _ found: inout [Difference]) {
    switch (expected, got) {
    case (.record(let expected), .record(let got)): compare(expected, got, field, &found)
    case (.list(let expected), .list(let got)):
      // Not `nil`, which would be read as the value null.
      let nothing = Value?.none
      for index in 0..<max(expected.count, got.count) {
        let left = index < expected.count ? expected[index] : nothing
        let right = index < got.count ? got[index] : nothing
        compare(left, right, Self.path(field, index, left ?? right), &found)
      }
    case (.number(let left), .number(let right)):
      if left.bitPattern != right.bitPattern { found.append(Difference(field: field, expected: expected, got: got)) }
    default:
      if expected != got { found.append(Difference(field: field, expected: expected, got: got)) }
    }
  }

  private func compare(
    _ expected: Value.Record, _ got: Value.Record, _ field: String, _ found: inout [Difference]
  ) {
    func path(_ name: String) -> String { field.isEmpty ? name : "\(field).\(name)" }
    for member in expected.fields where !ignored.contains(member.name) {
      compare(member.value, got[member.name], path(member.name), &found)
    }
    for member in got.fields where !ignored.contains(member.name) && expected[member.name] == nil {
      compare(nil, member.value, path(member.name), &found)
    }
  }

  private static func path(_ field: String, _ index: Int, _ value: Value?) -> String {
    guard let name = value?["name"]?.asText else { return "\(field)[\(index)]" }
    return field.isEmpty ? name : "\(field).\(name)"
  }
}
