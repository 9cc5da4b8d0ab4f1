// SPDX-License-Identifier: MIT
//
// The client's side of the protocol as a state machine without a socket: numbers requests and classifies incoming lines.
//
//     request("header.list") ─▶ {"id":1,"method":"header.list"}⏎          {"id":1,"result":{…}} ─▶ answer to 1
//     notice("event", …)     ─▶ {"method":"event","params":{…}}⏎          {"method":"state",…}  ─▶ notification
//
//        open ── finished (`isFinished`): nothing more is asked, answers still come
//          └──── goodbye received (`bye`): nothing more comes
//
// Unknown messages of a newer daemon come out as notifications of an unknown method, which the caller ignores.

public import HeaderModel
internal import HeaderTrace
internal import HeaderWire

/// A request's number; answers name it.
public struct RequestNumber: Hashable, Comparable, Sendable {
  /// Counts up from 1.
  public let value: Int

  /// Compares the order of the requests.
  public static func < (left: RequestNumber, right: RequestNumber) -> Bool { left.value < right.value }
}

/// A refusal, as the daemon worded it.
public struct RemoteError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The number of the error, 0 if it has none.
  public var code: Int
  /// `invalidParams`, `headerNotFound`…: what programs read.
  public var name: String
  /// A sentence for people.
  public var message: String
  /// A suggestion: a valid value, or the name that was probably meant.
  public var hint: String?
  /// The error object as it came.
  public var object: Value

  /// Reads an error object; missing members are empty.
  public init(_ object: Value) {
    self.object = object
    code = object["code"]?.asNumber.flatMap { Int(exactly: $0) } ?? 0
    message = object["message"]?.asText ?? object.json
    name = object["data"]?["name"]?.asText ?? ""
    hint = object["data"]?["hint"]?.asText
  }

  /// The sentence, with the hint behind it.
  public var description: String { sentence(message, hint: hint) }
}

/// The answer to a request.
public struct Answer: Sendable {
  /// The request that it belongs to.
  public var number: RequestNumber
  /// The method that was called.
  public var method: String
  /// The result, or why the daemon refused the request.
  public var result: Result<Value, RemoteError>
  /// Unknown fields of the request, with the names that were probably meant.
  public var warnings: [String]
}

/// A message that the daemon sends without a request.
public struct Notification: Sendable {
  /// `state`, `gap`, `closed`, `bye`, `error`, `trace`, `ping`…
  public var method: String
  /// An empty object if it has none.
  public var params: Value
  /// The parameters byte for byte as they came, to be forwarded.
  public var text: [UInt8]
}

/// One line that came in.
public enum Incoming: Sendable {
  case answer(Answer)
  case notification(Notification)
}

/// The state of a client's connection.
public struct Conversation {
  private var last = 0
  private var asked: [Int: String] = [:]
  /// Nothing more will be asked.
  public private(set) var isFinished = false
  /// Why the daemon ended the connection, once it said so.
  public private(set) var goodbye: String?

  /// A conversation in which nothing was said yet.
  public init() {}

  /// Requests that have no answer yet.
  public var unansweredCount: Int { asked.count }

  /// Makes a request's line, and expects its answer.
  public mutating func request(_ method: String, _ params: Value? = nil) -> (number: RequestNumber, line: [UInt8]) {
    precondition(!isFinished, "a conversation that is finished asks nothing")
    last += 1
    asked[last] = method
    return (RequestNumber(value: last), Self.line(id: last, method, params))
  }

  /// Makes a notification's line: no answer, errors come back as notifications.
  public func notice(_ method: String, _ params: Value? = nil) -> [UInt8] {
    precondition(!isFinished, "a conversation that is finished says nothing")
    return Self.line(id: nil, method, params)
  }

  /// Nothing more will be asked.
  public mutating func finish() { isFinished = true }

  private static func line(id: Int?, _ method: String, _ params: Value?) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    if let id { writer.member("id", id) }
    writer.member("method", method)
    if let params { writer.member("params", params) }
    writer.endObject()
    writer.endLine()
    return writer.copy()
  }

  /// Reads a line.
  /// - Returns: nil for a line to ignore: a request of the daemon's, or an answer to no open request.
  /// - Throws: `badLine`: this is no daemon, or one with a bug.
  public mutating func receive(_ line: [UInt8]) throws(ClientError) -> Incoming? {
    var parts = Parts()
    do throws(JSONError) {
      try JSONReader.reading(line) { (reader) throws(JSONError) in try parts.read(&reader, line) }
    } catch {
      throw Self.bad(line, error.message)
    }
    if let method = parts.method {
      guard parts.id == nil else { return nil }
      if method == "bye" { goodbye = parts.params["reason"]?.asText ?? "" }
      return .notification(Notification(method: method, params: parts.params, text: parts.paramsText))
    }
    guard let outcome = parts.outcome else {
      throw Self.bad(line, "it is neither an answer nor a notification")
    }
    guard let id = parts.number, let method = asked.removeValue(forKey: id) else {
      // A request that could not be read has no number: the error is the connection's.
      guard case .failure(let error) = outcome else { return nil }
      return .notification(Notification(method: "error", params: error.object, text: error.object.jsonBytes))
    }
    return .answer(
      Answer(number: RequestNumber(value: id), method: method, result: outcome, warnings: parts.warnings))
  }

  private static func bad(_ line: [UInt8], _ reason: String) -> ClientError {
    .badLine(reason: reason, line: String(decoding: line.prefix(80), as: UTF8.self))
  }
}

private struct Parts {
  var id: Value?
  var method: String?
  var params = Value.record(Value.Record())
  var paramsText: [UInt8] = []
  var outcome: Result<Value, RemoteError>?
  var warnings: [String] = []

  /// The id as a request's number, nil if it is none.
  var number: Int? {
    guard case .number(let number)? = id else { return nil }
    return Int(exactly: number)
  }

  mutating func read(_ reader: inout JSONReader, _ line: [UInt8]) throws(JSONError) {
    var members = try reader.beginObject()
    while let name = try reader.nextName(in: &members) {
      switch name {
      case "id": id = try reader.value()
      case "method": method = try reader.string().string
      case "params":
        let start = reader.offset
        params = try reader.value()
        paramsText = Array(line[start..<reader.offset])
      case "result": outcome = .success(try reader.value())
      case "error": outcome = .failure(RemoteError(try reader.value()))
      case "warnings": warnings = try reader.value().elements.map(Self.warning)
      default: break
      }
    }
    try reader.finish()
  }

  private static func warning(_ value: Value) -> String {
    let hint = value["hint"]?.asText.map { ": \($0)" } ?? ""
    return "unknown field \(value["field"]?.asText ?? "?")\(hint)"
  }
}
