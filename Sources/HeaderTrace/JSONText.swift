// SPDX-License-Identifier: MIT
//
// Trees and their JSON text, outside the hot path: recordings, messages of a client, output of a command.

public import HeaderModel
public import HeaderWire

extension Value {
  /// The tree as JSON on one line, without a line end.
  public var json: String { String(decoding: jsonBytes, as: UTF8.self) }

  /// Reads a text that holds one value and nothing else.
  public init(json bytes: [UInt8]) throws(JSONError) {
    self = try JSONReader.reading(bytes) { (reader) throws(JSONError) in
      let value = try reader.value()
      try reader.finish()
      return value
    }
  }

  /// The tree of one value that is written.
  public init(written body: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    body(&writer)
    do {
      try self.init(json: writer.copy())
    } catch {
      preconditionFailure("headerd bug: what was written cannot be read: \(error)")
    }
  }

  /// A field of a record; nil for everything else.
  public subscript(field: String) -> Value? {
    if case .record(let record) = self { record[field] } else { nil }
  }

  /// The number, nil if it is none.
  public var asNumber: Double? { if case .number(let number) = self { number } else { nil } }

  /// The text, nil if it is none.
  public var asText: String? { if case .text(let text) = self { text } else { nil } }

  /// The bool, nil if it is none.
  public var asBool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

  /// The elements of a list; none for everything else.
  public var elements: [Value] { if case .list(let list) = self { list } else { [] } }

  /// The fields of a record; none for everything else.
  public var fields: [Record.Field] { if case .record(let record) = self { record.fields } else { [] } }
}
