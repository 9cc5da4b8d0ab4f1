// SPDX-License-Identifier: MIT
//
// One `[[header]]` of the config file: plain data with the keys of `header.open`, kept with the tree that has its lines and columns. Only
// values that plain data cannot hold are checked here: dates, infinities, integers beyond 2^53. The core decodes the rest, and its errors
// are shown at their line:
//
//     error of the core       drawers[0].height: expected a finite number of points, got "tall"
//     the same from the file  headerd.toml:7:26: header[0].drawers[0].height: expected a finite number of points, …

public import HeaderModel

/// The description of a header that is opened at start, not yet decoded.
public struct ConfiguredHeader: Sendable {
  /// The description as plain data, as `header.open` would get it.
  public let value: Value
  /// The same with the place of every key and value.
  public let source: LocatedValue
  /// The beginning of its paths in messages: `header[0]`; empty for a description that is the whole file.
  public let path: String
  /// The file's name for messages.
  public let file: String

  /// The header's name, nil if the description has none (the decoder says so).
  public var name: String? {
    guard case .record(let record) = value, case .text(let name)? = record["header"] else { return nil }
    return name
  }

  /// Where the value at a path of the description stands; see `LocatedValue.position(of:)`.
  public func position(of path: String) -> LocatedValue.Position { source.position(of: path) }

  /// A sentence about the value at a path of the description, such as `drawers[0].height`, at its place in the file.
  public func diagnostic(at field: String, _ message: String) -> Diagnostic {
    Diagnostic(file: file, position: position(of: field), message: full(message, about: field))
  }

  /// An error that the core found in the description, at its place in the file. Its field is a path from the top of
  /// the description. A hint that is the end of the sentence is not said twice.
  public func diagnostic(for error: HeaderError) -> Diagnostic {
    let said = error.hint.map(error.message.hasSuffix) ?? true
    let hint = said ? "" : error.hint.map { ". \($0.prefix(1).uppercased())\($0.dropFirst())" } ?? ""
    return diagnostic(at: error.field ?? "", error.message + hint)
  }

  /// The diagnostic for an unknown key of the description, which is a warning on the wire but an error in a file.
  public func diagnostic(for unknown: UnknownField) -> Diagnostic {
    let hint = unknown.hint.map { ". Did you mean \"\($0)\"?" } ?? ""
    let message = full("\(unknown.field): unknown key\(hint)", about: unknown.field)
    return Diagnostic(file: file, position: source.keyPosition(of: unknown.field), message: message)
  }

  /// The core's sentences begin with their field, those of the file with the whole path to it.
  private func full(_ message: String, about field: String) -> String {
    if path.isEmpty { return field.isEmpty || message.hasPrefix(field) ? message : "\(field): \(message)" }
    if field.isEmpty { return "\(path): \(message)" }
    return message.hasPrefix(field) ? "\(path).\(message)" : "\(path).\(field): \(message)"
  }
}

extension ConfiguredHeader: Equatable {
  /// Descriptions are equal if they say the same; where they say it does not matter.
  public static func == (left: Self, right: Self) -> Bool { left.value == right.value }
}

/// The plain data of a tree. What plain data cannot say becomes null and a complaint.
func plainValue(of located: LocatedValue, path: String = "", _ complaints: inout [Complaint]) -> Value {
  switch located.content {
  case .bool(let value): return .bool(value)
  case .text(let value): return .text(value)
  case .number(let value) where value.isFinite: return .number(value)
  case .integer(let value) where value.magnitude <= 1 << 53: return .number(Double(value))
  case .number:
    complaints.append(.expected("a finite number", got: located, path: path))
    return .null
  case .integer:
    complaints.append(.expected("an integer between -2^53 and 2^53", got: located, path: path))
    return .null
  case .date:
    complaints.append(.expected("a number, text, bool, list or table", got: located, path: path))
    return .null
  case .list(let elements):
    var values: [Value] = []
    for (index, element) in elements.enumerated() {
      values.append(plainValue(of: element, path: "\(path)[\(index)]", &complaints))
    }
    return .list(values)
  case .table(let entries):
    var fields: [Value.Record.Field] = []
    for entry in entries {
      let value = plainValue(of: entry.value, path: "\(path).\(entry.key)", &complaints)
      fields.append(Value.Record.Field(name: entry.key, value: value))
    }
    return .record(Value.Record(fields: fields))
  }
}
