// SPDX-License-Identifier: MIT
//
// JSON-RPC's envelope (headerd-connection(7)): one line in, one request out, its params
// unread.
//
//     {"jsonrpc":"2.0","id":7,"method":"event","params":{…}}
//                          │           │               ╰─ checked, and left in place until the method is performed
//                          │           ╰─ one of RequestMethod
//                          ╰─ echoed digit by digit; without it nothing is answered
//
// An error comes with the address of its answer: the id, `"id":null` if it could not be read, or a notification. A
// number beyond every double (1e999) is valid JSON; it is passed on as its text, so that the field that expects a
// number refuses it by name.

package import HeaderModel

/// A request's id, as it was written.
public enum RequestID: Equatable, Sendable {
  /// A whole number of at most 15 digits.
  case integer(Int)
  /// Any other number or string, byte for byte.
  case raw([UInt8])
}

/// Where the answer to a line goes.
public enum ReplyAddress: Equatable, Sendable {
  case request(RequestID)
  /// No id could be read: the answer has null.
  case unreadable
  /// It was a notification: only its errors come back, as notifications.
  case notification
  /// A frame of its own kind with this id, which is not 0.
  case frame(UInt64)
}

/// The error for a line or frame that is no known request, and the address for it.
package struct EnvelopeRefusal: Error {
  package var address: ReplyAddress
  package var error: HeaderError
}

/// A request or a notification as it lies in its line. Good for as long as the line's bytes are.
@safe package struct Envelope {
  package var method: RequestMethod
  package var address: ReplyAddress
  /// Members of the envelope that JSON-RPC does not have.
  package var unknown: [UnknownField]
  /// A reader that stands on the parameters; nil when there are none.
  package var params: JSONReader?

  /// Reads a line, checks that all of it is JSON, and lends the envelope; it is good during the call only.
  package static func read(
    _ line: UnsafeRawBufferPointer, quotingAtMost count: Int = 16, _ body: (Envelope) -> Void
  ) throws(EnvelopeRefusal) {
    var reader = unsafe JSONReader(line)
    let parts: Parts
    do {
      parts = try Parts(&reader)
    } catch {
      guard error.isNumberOutOfRange, count > 0 else {
        throw unsafe EnvelopeRefusal(address: .unreadable, error: .unreadable(error, in: line))
      }
      let quoted = unsafe quotingNumber(at: error.offset, in: line)
      try unsafe quoted.span.bytes.withUnsafeBytes { (bytes) throws(EnvelopeRefusal) in
        try unsafe read(bytes, quotingAtMost: count - 1, body)
      }
      return
    }
    body(try unsafe Envelope(parts, reader, line))
  }

  /// Reads a text that holds one value, for frames that carry parameters alone; numbers beyond every double as above.
  static func tree(
    _ text: UnsafeRawBufferPointer, quotingAtMost count: Int = 16
  ) throws(HeaderError) -> Value {
    do {
      return try unsafe JSONReader.document(text)
    } catch {
      guard error.isNumberOutOfRange, count > 0 else { throw unsafe .unreadable(error, in: text) }
      let quoted = unsafe quotingNumber(at: error.offset, in: text)
      return try unsafe quoted.span.bytes.withUnsafeBytes { (bytes) throws(HeaderError) in
        try unsafe tree(bytes, quotingAtMost: count - 1)
      }
    }
  }

  /// The line with the number at a place made a text.
  private static func quotingNumber(at start: Int, in line: UnsafeRawBufferPointer) -> [UInt8] {
    let end = unsafe line[start...].firstIndex { !"+-.0123456789eE".utf8.contains($0) } ?? line.count
    return unsafe line[..<start] + [UInt8(ascii: "\"")] + line[start..<end] + [UInt8(ascii: "\"")] + line[end...]
  }

  private init(_ parts: Parts, _ reader: JSONReader, _ line: UnsafeRawBufferPointer) throws(EnvelopeRefusal) {
    if let notAnObject = parts.notAnObject { throw EnvelopeRefusal(address: .unreadable, error: notAnObject) }
    let address: ReplyAddress
    do {
      address = try unsafe Self.address(of: parts.id, in: reader, line)
    } catch {
      throw EnvelopeRefusal(address: .unreadable, error: error)
    }
    self.address = address
    unknown = parts.unknown
    params = parts.params.map { reader.reader(over: $0) }
    do {
      try Self.checkVersion(parts.version, reader)
      method = try Self.method(parts.method, in: reader)
    } catch {
      let isNobodys = address == .notification && error.name == .invalidRequest
      throw EnvelopeRefusal(address: isNobodys ? .unreadable : address, error: error)
    }
  }

  /// The parameters as a tree; an empty record when there are none.
  package func paramsTree() -> Value {
    guard var reader = params else { return .record(Value.Record()) }
    do {
      return try reader.value()
    } catch {
      preconditionFailure("the envelope checked the whole line")
    }
  }

  private static func address(
    of id: Range<Int>?, in reader: JSONReader, _ line: UnsafeRawBufferPointer
  ) throws(HeaderError) -> ReplyAddress {
    guard let id else { return .notification }
    switch tree(id, reader) {
    case .number, .text: return unsafe .request(RequestID(UnsafeRawBufferPointer(rebasing: line[id])))
    case let value:
      throw .unexpected(
        value, at: Path("id"), needed: "a number or a text", expected: "number or text", name: .invalidRequest)
    }
  }

  private static func checkVersion(_ version: Range<Int>?, _ reader: JSONReader) throws(HeaderError) {
    guard let version, let value = tree(version, reader), value != .text("2.0") else { return }
    throw .unexpected(
      value, at: Path("jsonrpc"), needed: "\"2.0\"", expected: "\"2.0\"", name: .invalidRequest,
      hint: "it may be left out")
  }

  private static func method(_ place: Range<Int>?, in reader: JSONReader) throws(HeaderError) -> RequestMethod {
    guard let place else {
      throw HeaderError(
        .invalidRequest, "method: it is missing; a request has a method, and an id if it wants an answer",
        field: "method",
        expected: "text", hint: "{\"id\":1,\"method\":\"ping\"}")
    }
    var at = reader.reader(over: place)
    guard let word = try? at.string() else {
      throw .unexpected(
        tree(place, reader), at: Path("method"), needed: "a text", expected: "text", name: .invalidRequest)
    }
    if let method = RequestMethod(word) { return method }
    let name = word.string
    let guess = nearest(to: name, in: RequestMethod.allCases.lazy.map(\.rawValue))
    throw HeaderError(
      .methodNotFound, "there is no method \(Value.text(name).brief)", field: "method",
      got: .text(String(name.prefix(256))),
      hint: guess.map { "did you mean \"\($0)\"?" })
  }

  private static func tree(_ place: Range<Int>, _ reader: JSONReader) -> Value? {
    var at = reader.reader(over: place)
    return try? at.value()
  }
}

/// Where the members of an envelope lie.
private struct Parts {
  var id: Range<Int>?
  var method: Range<Int>?
  var params: Range<Int>?
  var version: Range<Int>?
  var unknown: [UnknownField] = []
  var notAnObject: HeaderError?

  init(_ reader: inout JSONReader) throws(JSONError) {
    let kind = try reader.kind()
    guard kind == .object else {
      _ = try reader.skipValue()
      try reader.finish()
      notAnObject = HeaderError(
        .invalidRequest, "a line is one request, an object; got \(kind.phrase)", expected: "object",
        hint: kind == .array
          ? "write each request as a line of its own; event takes several events as params.events" : nil)
      return
    }
    var others: [Value.Record.Field] = []
    var members = try reader.beginObject()
    while let name = try reader.nextName(in: &members) {
      switch name {
      case "id": id = try reader.skipValue()
      case "method": method = try reader.skipValue()
      // Many libraries send null where there is nothing to give.
      case "params": params = try reader.takeNull() ? nil : try reader.skipValue()
      case "jsonrpc": version = try reader.skipValue()
      default:
        others.append(Value.Record.Field(name: name.string, value: .null))
      }
    }
    try reader.finish()
    guard !others.isEmpty else { return }
    var fields = FieldReader(Value.Record(fields: others), at: Path(""))
    for name in ["jsonrpc", "id", "method", "params"] { _ = fields.value(name) }
    unknown = fields.unknown
  }
}

extension RequestID {
  /// An id as it stands in the text.
  init(_ bytes: UnsafeRawBufferPointer) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard bytes.count <= 15, unsafe bytes.allSatisfy({ digits.contains($0) }) else {
      self = unsafe .raw([UInt8](bytes))
      return
    }
    self = unsafe .integer(bytes.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
  }
}
