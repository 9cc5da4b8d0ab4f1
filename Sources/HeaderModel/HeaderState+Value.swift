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
  package var saved: Value {
    [
      "prefersStatusBarHidden": .bool(prefersStatusBarHidden),
      "preferredStatusBarStyle": preferredStatusBarStyle.map { .text($0.rawValue) } ?? .null,
      "additionalSafeAreaInset": additionalSafeAreaInset?.value ?? .null,
      "topLayoutGuideLength": topLayoutGuideLength.map { .number($0) } ?? .null,
    ]
  }

  package init(saved: Value?, at path: Path) throws(HeaderError) {
    self.init()
    var row = try FieldReader(saved, at: path)
    try read(&row)
  }

  /// Takes over the fields that are there; null asks for nothing.
  package mutating func read(_ fields: inout FieldReader) throws(HeaderError) {
    prefersStatusBarHidden = try fields.bool("prefersStatusBarHidden") ?? prefersStatusBarHidden
    try fields.unlessNull("preferredStatusBarStyle", &preferredStatusBarStyle) { fields throws(HeaderError) in
      try fields.choice("preferredStatusBarStyle", StatusBarStyle.self)
    }
    let present = additionalSafeAreaInset ?? Insets()
    try fields.unlessNull("additionalSafeAreaInset", &additionalSafeAreaInset) { fields throws(HeaderError) in
      try fields.shape("additionalSafeAreaInset", from: present)
    }
    try fields.unlessNull("topLayoutGuideLength", &topLayoutGuideLength) { fields throws(HeaderError) in
      try fields.number("topLayoutGuideLength")
    }
  }
}

extension FieldReader {
  /// A field that null makes nil, and that stays as it is when it is left out.
  fileprivate mutating func unlessNull<Content>(
    _ name: String, _ content: inout Content?, _ read: (inout FieldReader) throws(HeaderError) -> Content?
  ) throws(HeaderError) {
    if value(name, as: [.null]) == .null {
      content = nil
    } else if let given = try read(&self) {
      content = given
    }
  }
}
