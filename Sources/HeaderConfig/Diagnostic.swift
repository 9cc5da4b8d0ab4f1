// SPDX-License-Identifier: MIT
//
// A mistake in a config file, in the form of compilers:
//
//     headerd.toml:14:13: limits.lineBytes: expected a positive integer, got "12k"
//
// All errors of a file are reported at once, in its order; a syntax error stands alone.

import HeaderModel

/// A mistake in a config file, and its place.
public struct Diagnostic: Sendable, Equatable, CustomStringConvertible {
  /// The file's name, as the reader of the file gave it.
  public var file: String
  /// Line and column of the mistake.
  public var position: LocatedValue.Position
  /// A sentence without its position: key, what would do, what was found.
  public var message: String

  /// `file:line:column: message`, as compilers print it.
  public var description: String { "\(file):\(position.line):\(position.column): \(message)" }
}

/// Everything that is wrong with a config file, in the order of the file; never empty.
public struct ConfigErrors: Error, Equatable, CustomStringConvertible {
  /// The order is that of the file.
  public var diagnostics: [Diagnostic]

  /// Creates the error of all diagnostics of a config.
  public init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

  /// The diagnostics, one a line.
  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

/// A diagnostic before it knows its file and its key: readers of single values make these.
struct Complaint {
  var position: LocatedValue.Position
  /// The rest of the path behind the key's own: `[1]`, `[0].drawers`; mostly empty.
  var path = ""
  var message: String
}

extension Complaint {
  /// The complaint about an unknown key or table.
  static func unknown(
    _ what: String, _ entry: LocatedValue.Entry, path: String, among known: [String]
  ) -> Complaint {
    let hint = nearest(to: entry.key, in: known).map { ". Did you mean \"\($0)\"?" } ?? ""
    return Complaint(position: entry.position, path: path, message: "unknown \(what)\(hint)")
  }

  /// The same complaint with a key's path before its own.
  func below(_ key: String) -> Complaint {
    Complaint(position: position, path: key + path, message: message)
  }

  /// The diagnostic for this complaint in a file.
  func diagnostic(in file: String) -> Diagnostic {
    Diagnostic(file: file, position: position, message: path.isEmpty ? message : "\(path): \(message)")
  }

  /// The usual sentence: `expected SOMETHING, got WHAT STANDS THERE`.
  static func expected(_ expectation: String, got value: LocatedValue, path: String = "") -> Complaint {
    Complaint(position: value.position, path: path, message: "expected \(expectation), got \(value.shown)")
  }
}

extension [Complaint] {
  /// Reads a part of a value, whose path goes before those of its complaints.
  mutating func reading<Setting>(_ part: LocatedValue, at path: String, _ read: Reader<Setting>) -> Setting? {
    var found: [Complaint] = []
    defer { self += found.map { $0.below(path) } }
    return read(part, &found)
  }
}
