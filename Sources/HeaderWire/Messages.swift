// SPDX-License-Identifier: MIT
//
// The envelopes of the daemon's messages: answers, errors, notifications. Each begins with `jsonrpc`, as headerd-protocol(7)
// promises, and ends its line.

public import HeaderModel

extension JSONWriter {
  /// A line with the members that `body` writes.
  private mutating func message(_ body: (inout JSONWriter) -> Void) {
    beginObject()
    raw("\"jsonrpc\":\"2.0\"")
    body(&self)
    endObject()
    endLine()
  }

  /// The answer to a request: what `result` writes, one value, and the unknown fields.
  public mutating func answer(
    _ id: RequestID, warnings: [UnknownField] = [], result: (inout JSONWriter) -> Void
  ) {
    message { writer in
      writer.key("id")
      writer.id(id)
      writer.key("result")
      result(&writer)
      if !warnings.isEmpty { writer.member("warnings", .list(warnings.map(\.value))) }
    }
  }

  /// The answer that a request is refused; without an id the id is null.
  public mutating func refusal(_ id: RequestID?, _ error: HeaderError) {
    message { writer in
      writer.key("id")
      if let id { writer.id(id) } else { writer.null() }
      writer.key("error")
      writer.error(error)
    }
  }

  /// A notification; `params` writes one value.
  public mutating func notification(_ method: StaticString, params: (inout JSONWriter) -> Void) {
    request(nil, method, params: params)
  }

  /// A request of the daemon's own: a client is asked. `id` is plain text, nil in a notification; `params` writes one value.
  public mutating func request(_ id: String?, _ method: StaticString, params: (inout JSONWriter) -> Void) {
    message { writer in
      if let id { writer.member("id", id) }
      writer.key("method")
      writer.word(method)
      writer.key("params")
      params(&writer)
    }
  }

  /// `{"method":"ping"}`: nothing is owed in return.
  public mutating func ping() { message { $0.raw("\"method\":\"ping\"") } }

  /// A notification whose params are the members that `members` writes.
  private mutating func notify(_ method: StaticString, _ members: (inout JSONWriter) -> Void) {
    notification(method) { writer in
      writer.beginObject()
      members(&writer)
      writer.endObject()
    }
  }

  /// Writes the connection's last line.
  public mutating func bye(reason: String) { notify("bye") { $0.member("reason", reason) } }

  /// Writes the error of a notification, or of the connection itself.
  public mutating func errorNotification(_ error: HeaderError) {
    notification("error") { $0.error(error) }
  }

  /// Writes a gap: states that a subscriber does not get; `range` is nil where the header has a new life.
  public mutating func gap(header: String, epoch: Int64, range: ClosedRange<Int64>?, reason: StaticString) {
    notify("gap") { writer in
      writer.member("header", header)
      writer.member("epoch", Int(epoch))
      if let range {
        writer.member("from", Int(range.lowerBound))
        writer.member("to", Int(range.upperBound))
      }
      writer.key("reason")
      writer.word(reason)
    }
  }

  /// A header's end, for its subscribers.
  public mutating func closed(header: String, epoch: Int64, seq: Int64, reason: String) {
    notify("closed") { writer in
      writer.member("header", header)
      writer.member("epoch", Int(epoch))
      writer.member("seq", Int(seq))
      writer.member("reason", reason)
    }
  }

  /// The object of an error, the same in answers and notifications.
  public mutating func error(_ error: HeaderError) {
    beginObject()
    member("code", error.name.code)
    member("message", error.message)
    member("data", .record(error.data))
    endObject()
  }

  /// An id as it came.
  public mutating func id(_ id: RequestID) {
    switch id {
    case .integer(let number): integer(number)
    case .raw(let bytes): unsafe bytes.withUnsafeBytes { unsafe raw($0) }
    }
  }
}

extension UnknownField {
  /// As it appears in warnings.
  var value: Value {
    var record: Value.Record = ["field": .text(field)]
    record["hint"] = hint.map { .text("did you mean \"\($0)\"?") }
    return .record(record)
  }
}

extension HeaderError {
  /// The error as data for programs.
  var data: Value.Record {
    var data: Value.Record = ["name": .text(name.rawValue)]
    data["field"] = field.map { .text($0) }
    data["got"] = got
    data["expected"] = expected.map { .text($0) }
    data["hint"] = hint.map { .text($0) }
    data.fields += facts.fields
    return data
  }
}
