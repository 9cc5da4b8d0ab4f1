// SPDX-License-Identifier: MIT
//
// The shells of everything that the daemon writes: answers, errors, notifications. `jsonrpc` stands first in each, as
// headerd-protocol(7) promises, and each ends its line.

public import HeaderCore

extension JSONWriter {
  /// The answer to a request: what `result` writes, one value, and the fields that nobody knew.
  public mutating func answer(
    _ id: RequestID, warnings: [UnknownField] = [], result: (inout JSONWriter) -> Void
  ) {
    beginObject()
    raw("\"jsonrpc\":\"2.0\"")
    key("id")
    self.id(id)
    key("result")
    result(&self)
    if !warnings.isEmpty { self.warnings(warnings) }
    endObject()
    endLine()
  }

  /// The answer that a request is refused; without an id the id is null.
  public mutating func refusal(_ id: RequestID?, _ error: HeaderError) {
    beginObject()
    raw("\"jsonrpc\":\"2.0\"")
    key("id")
    if let id { self.id(id) } else { null() }
    key("error")
    self.error(error)
    endObject()
    endLine()
  }

  /// A notification; `params` writes one value.
  public mutating func notification(_ method: StaticString, params: (inout JSONWriter) -> Void) {
    beginObject()
    raw("\"jsonrpc\":\"2.0\"")
    key("method")
    word(method)
    key("params")
    params(&self)
    endObject()
    endLine()
  }

  /// A request of the daemon's own: a client is asked. `id` is plain text; `params` writes one value.
  public mutating func request(_ id: String, _ method: StaticString, params: (inout JSONWriter) -> Void) {
    beginObject()
    raw("\"jsonrpc\":\"2.0\"")
    key("id")
    string(id)
    key("method")
    word(method)
    key("params")
    params(&self)
    endObject()
    endLine()
  }

  /// `{"method":"ping"}`: nothing is owed in return.
  public mutating func ping() {
    beginObject()
    raw("\"jsonrpc\":\"2.0\",\"method\":\"ping\"")
    endObject()
    endLine()
  }

  /// The connection's last line.
  public mutating func bye(reason: String) {
    notification("bye") { writer in
      writer.beginObject()
      writer.key("reason")
      writer.string(reason)
      writer.endObject()
    }
  }

  /// What a notification, or the connection itself, did wrong.
  public mutating func errorNotification(_ error: HeaderError) {
    notification("error") { $0.error(error) }
  }

  /// States that a subscriber does not get; `range` is nil where the header has a new life.
  public mutating func gap(header: String, epoch: Int64, range: ClosedRange<Int64>?, reason: StaticString) {
    notification("gap") { writer in
      writer.beginObject()
      writer.key("header")
      writer.string(header)
      writer.key("epoch")
      writer.integer(Int(epoch))
      if let range {
        writer.key("from")
        writer.integer(Int(range.lowerBound))
        writer.key("to")
        writer.integer(Int(range.upperBound))
      }
      writer.key("reason")
      writer.word(reason)
      writer.endObject()
    }
  }

  /// A header's end, as its subscribers are told it.
  public mutating func closed(header: String, epoch: Int64, seq: Int64, reason: String) {
    notification("closed") { writer in
      writer.beginObject()
      writer.key("header")
      writer.string(header)
      writer.key("epoch")
      writer.integer(Int(epoch))
      writer.key("seq")
      writer.integer(Int(seq))
      writer.key("reason")
      writer.string(reason)
      writer.endObject()
    }
  }

  /// The object of an error, the same in answers and notifications.
  public mutating func error(_ error: HeaderError) {
    beginObject()
    key("code")
    integer(error.name.code)
    key("message")
    string(error.message)
    key("data")
    value(.record(error.data))
    endObject()
  }

  /// An id as it came.
  public mutating func id(_ id: RequestID) {
    switch id {
    case .integer(let number): integer(number)
    case .raw(let bytes): unsafe bytes.withUnsafeBytes { unsafe raw($0) }
    }
  }

  private mutating func warnings(_ fields: [UnknownField]) {
    key("warnings")
    value(.list(fields.map(\.value)))
  }
}

extension UnknownField {
  /// As warnings tell it.
  var value: Value {
    var record: Value.Record = ["field": .text(field)]
    if let hint { record.fields.append(.init(name: "hint", value: .text("did you mean \"\(hint)\"?"))) }
    return .record(record)
  }
}

extension HeaderError {
  /// What programs read.
  var data: Value.Record {
    var data: Value.Record = ["name": .text(name.rawValue)]
    if let field { data.fields.append(.init(name: "field", value: .text(field))) }
    if let got { data.fields.append(.init(name: "got", value: got)) }
    if let expected { data.fields.append(.init(name: "expected", value: .text(expected))) }
    if let hint { data.fields.append(.init(name: "hint", value: .text(hint))) }
    data.fields += facts.fields
    return data
  }
}
