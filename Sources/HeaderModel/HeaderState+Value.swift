// SPDX-License-Identifier: MIT
//
// Named values and wishes as plain data.

extension NamedValue.Content {
  /// The content as plain data.
  public var value: Value {
    switch self {
    case .null: .null
    case .bool(let bool): .bool(bool)
    case .number(let number): .number(number)
    case .text(let text): .text(text)
    }
  }

  /// The content of plain data; nil for lists and records.
  public init?(_ value: Value) {
    switch value {
    case .null: self = .null
    case .bool(let bool): self = .bool(bool)
    case .number(let number): self = .number(number)
    case .text(let text): self = .text(text)
    case .list, .record: return nil
    }
  }
}

extension Wants {
  package static let members: [Member<Wants>] = [
    Member("prefersStatusBarHidden", \.prefersStatusBarHidden, .flag),
    Member("preferredStatusBarStyle", \.preferredStatusBarStyle, .orNull(.word, before: .default)),
    Member("additionalSafeAreaInset", \.additionalSafeAreaInset, .orNull(.shape, before: Insets())),
    Member("topLayoutGuideLength", \.topLayoutGuideLength, .orNull(.points, before: 0)),
  ]

  package var saved: Value { .record(Self.members.write(self)) }

  package init(saved: Value?, at path: Path) throws(HeaderError) {
    self.init()
    var row = try FieldReader(saved, at: path)
    try Self.members.read(&row, into: &self)
  }

  /// The wishes with these names; the others as if nothing were asked.
  package func chosen(_ names: [String]) -> Wants {
    var chosen = Wants()
    for member in Self.members where names.contains(member.name) { member.copy(&chosen, self) }
    return chosen
  }
}
