// SPDX-License-Identifier: MIT
//
// Errors for lines that are no JSON: the column, the reason, and the field being read, which is found by reading the
// line again.

internal import HeaderModel

extension HeaderError {
  static func unreadable(_ error: JSONError, in line: UnsafeRawBufferPointer) -> HeaderError {
    let field = unsafe whereabouts(in: line)
    let words = ["expected a value, found 'N'", "expected a value, found 'I'", "expected a digit, found 'I'"]
    let hint = words.contains(error.reason) ? "JSON has no NaN and no Infinity" : nil
    let place = field.map { " (at \($0))" } ?? ""
    return HeaderError(
      .parseError, "column \(error.column)\(place): \(error.reason)", field: field, hint: hint,
      facts: ["column": .number(Double(error.column))])
  }

  /// The path of the value at which a line stops being JSON; nil at the top.
  private static func whereabouts(in line: UnsafeRawBufferPointer) -> String? {
    var reader = unsafe JSONReader(line)
    var path: [String] = []
    do {
      try walk(&reader, &path)
    } catch {
      let text = path.joined()
      return text.isEmpty ? nil : String(text.drop { $0 == "." }.prefix(256))
    }
    return nil
  }

  /// Goes through a value; when it throws, the path leads to where it was.
  private static func walk(_ reader: inout JSONReader, _ path: inout [String]) throws(JSONError) {
    switch try reader.kind() {
    case .object:
      var members = try reader.beginObject()
      while let name = try reader.nextName(in: &members) {
        path.append("." + name.string)
        try walk(&reader, &path)
        path.removeLast()
      }
    case .array:
      var elements = try reader.beginArray()
      var index = 0
      while try reader.nextElement(in: &elements) {
        path.append("[\(index)]")
        try walk(&reader, &path)
        path.removeLast()
        index += 1
      }
    default: _ = try reader.skipValue()
    }
  }
}
