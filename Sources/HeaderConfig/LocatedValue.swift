// SPDX-License-Identifier: MIT
//
// The tree of a TOML file, in which every key and value has its place in the file. `Schema` reads the daemon's keys from it;
// `ConfiguredHeader` turns a `[[header]]` into a plain `Value` and keeps the tree, so that an error with a path such as
// `drawers[0].height` can be shown at its line and column.

/// A config value and its place in the file.
public struct LocatedValue: Sendable, Equatable {
  /// A place in a file: line and column count from 1, columns in code points.
  public struct Position: Sendable, Equatable, Comparable {
    /// From 1.
    public var line: Int
    /// From 1, in code points; a tab is one.
    public var column: Int

    /// The order of the file.
    public static func < (left: Self, right: Self) -> Bool {
      (left.line, left.column) < (right.line, right.column)
    }
  }

  /// The values of TOML.
  public enum Content: Sendable, Equatable {
    case bool(Bool)
    case integer(Int64)
    /// A floating-point number; TOML has infinities and NaN too.
    case number(Double)
    case text(String)
    /// A date, a time or both. Nothing in this project is one, so its value is not kept.
    case date
    case list([LocatedValue])
    /// The entries in the order of the file; no key stands twice.
    case table([Entry])
  }

  /// A key of a table, its place, and its value.
  public struct Entry: Sendable, Equatable {
    /// The key, without quotes and without the tables around it.
    public var key: String
    /// The position of the key.
    public var position: Position
    /// The value of the key.
    public var value: LocatedValue
  }

  /// The value without its position.
  public var content: Content
  /// Where the value begins; for a table under a `[name]` the bracket.
  public var position: Position

  init(_ content: Content, at position: Position) {
    self.content = content
    self.position = position
  }

  /// Where the value at a path stands, such as `drawers[0].height` or `delegates[0].options.fadeBehavior`.
  ///
  /// A path that leads nowhere, as that of a field that is missing, ends at the last value on its way that exists.
  /// The empty path is the value itself.
  public func position(of path: String) -> Position { end(of: path[...], key: nil).value.position }

  /// The same for the key that leads to the value, where the path ends at one.
  public func keyPosition(of path: String) -> Position {
    let end = end(of: path[...], key: nil)
    return end.key ?? end.value.position
  }

  /// The last value that exists along a path, and its key's place if it has a key. Keys may contain any character: of several keys that
  /// fit, the longest wins.
  private func end(of path: Substring, key: Position?) -> (value: LocatedValue, key: Position?) {
    var step: (name: String, value: LocatedValue, key: Position?)?
    switch content {
    case .list(let elements):
      for (index, element) in elements.enumerated() where path.hasPrefix("[\(index)]") {
        step = ("[\(index)]", element, nil)
      }
    case .table(let entries):
      for entry in entries where !entry.key.isEmpty {
        let name = path.first == "." ? ".\(entry.key)" : entry.key
        guard path.hasPrefix(name), [nil, ".", "["].contains(path.dropFirst(name.count).first) else { continue }
        if name.count > step?.name.count ?? 0 { step = (name, entry.value, entry.position) }
      }
    case .bool, .integer, .number, .text, .date: break
    }
    guard let step else { return (self, key) }
    return step.value.end(of: path.dropFirst(step.name.count), key: step.key)
  }

  /// The value as messages show it after `got`: short values as written, long ones by their type.
  var shown: String {
    switch content {
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let value): quoted(value)
    case .date: "a date"
    case .list: "a list"
    case .table: "a table"
    }
  }
}

/// A text in quotes for a message: control characters escaped, cut after 60 characters.
func quoted(_ text: String) -> String {
  (text.count > 60 ? text.prefix(60) + "…" : text).debugDescription
}
