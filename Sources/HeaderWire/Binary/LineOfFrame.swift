// SPDX-License-Identifier: MIT
//
// Translates a client's frames into lines, for a bridge between a binary client and a daemon that speaks lines (FrameTranslator.swift
// translates the answers back). The line's id encodes how its answer is to be written:
//
//     EVENT, id 7, handle 3, didScroll …  ──▶  {"id":"frame event 7","method":"event","params":{"header":"main","event":…}}
//     JSON, {"id":7,"method":…}           ──▶  the same

internal import CHeaderWire
public import HeaderModel

/// The numbers by which frames name headers.
public protocol HeaderHandles: AnyObject {
  /// The header's number; from now on it has one.
  func handle(of header: String) -> Int
  /// The name of the header with a number.
  func header(with handle: Int) -> String?
}

/// The facts that decide how a frame's answer is written, encoded in the id of its line.
struct FramedRequest {
  var method: RequestMethod
  var id: UInt64
  /// The indices of events that are calls, whose results are JSON.
  var calls: Set<Int>

  var lineID: String {
    (["frame", method.rawValue, String(id)] + calls.sorted().map { String($0) }).joined(separator: " ")
  }

  init(_ method: RequestMethod, _ id: UInt64, calls: Set<Int>) {
    (self.method, self.id, self.calls) = (method, id, calls)
  }

  /// nil: it is another id.
  init?(lineID: String) {
    let words = lineID.split(separator: " ")
    guard words.count >= 3, words[0] == "frame", let method = RequestMethod(rawValue: String(words[1])),
      let id = UInt64(words[2])
    else { return nil }
    self.init(method, id, calls: Set(words[3...].compactMap { Int($0) }))
  }
}

extension Frame {
  /// Translates the frame into a line without its end.
  /// - Throws: a mistake in the frame, or a line of more than `limit` bytes.
  package func line(_ handles: any HeaderHandles, limit: Int) throws(EnvelopeRefusal) -> [UInt8] {
    let command = Command(frame: self)
    if case .refused(let error) = command.body { throw EnvelopeRefusal(address: command.address, error: error) }
    // White space that does not end a line.
    if kind == HEADER_WIRE_JSON { return unsafe bytes[8...].map { $0 == 0x0A ? 0x0D : $0 } }
    do throws(HeaderError) {
      let line = try line(of: command, handles)
      guard line.count <= limit else {
        throw HeaderError(
          .limitExceeded, "the frame is a line of \(line.count) bytes here, \(limit) are permitted",
          facts: ["limit": ["name": "lineBytes"]])
      }
      return line
    } catch {
      throw EnvelopeRefusal(address: command.address, error: error)
    }
  }

  private func line(of command: Command, _ handles: any HeaderHandles) throws(HeaderError) -> [UInt8] {
    guard let method = command.method else { preconditionFailure("headerd bug: a frame of its own kind has a method") }
    var (params, calls) = (Value.record(Value.Record()), Set<Int>())
    switch command.body {
    case .params(let given): params = given
    case .event, .events: (params, calls) = try eventParams(isBatch: kind == HEADER_WIRE_EVENTS)
    case .answer, .refused: break
    }
    if case .handle(let handle) = command.header, case .record(let record) = params {
      guard let name = Int(exactly: handle).flatMap({ handles.header(with: $0) }) else { throw .noHeader(with: handle) }
      params = .record(Value.Record(fields: [.init(name: "header", value: .text(name))] + record.fields))
    }
    var line: Value.Record = ["method": .text(method.rawValue), "params": params]
    if case .frame(let id) = command.address { line["id"] = .text(FramedRequest(method, id, calls: calls).lineID) }
    return Value.record(line).jsonBytes
  }

  /// The events as their line has them, and which of them are calls.
  private func eventParams(isBatch: Bool) throws(HeaderError) -> (Value, Set<Int>) {
    var given: EventFrame
    do { given = try events() } catch { throw error.error }
    var (list, calls) = ([Value](), Set<Int>())
    while let record = try given.next() {
      let path = isBatch ? (Path("params") + "events")[list.count] : Path("params")
      let fields = try record.fields(at: path)
      if fields["event"] == .text(EventName.call.rawValue) { calls.insert(list.count) }
      list.append(Value.record(fields).sayable)
    }
    return (isBatch ? ["events": .list(list)] : list.first ?? .null, calls)
  }
}

extension HeaderError {
  /// A frame's handle that no header has.
  public static func noHeader(with handle: UInt64) -> HeaderError {
    HeaderError(
      .headerNotFound, "params.handle: there is no header with the handle \(handle)", field: "params.handle",
      got: .number(Double(handle)), hint: "OPENED, NAMES and header.list tell handles; one ends with its header")
  }
}

extension Value {
  /// Numbers that JSON does not have become texts, so that the reader of a number refuses them by name.
  fileprivate var sayable: Value {
    switch self {
    case .number(let number) where !number.isFinite: .text(number.isNaN ? "nan" : number < 0 ? "-inf" : "inf")
    case .list(let list): .list(list.map(\.sayable))
    case .record(let record):
      .record(Value.Record(fields: record.fields.map { .init(name: $0.name, value: $0.value.sayable) }))
    default: self
    }
  }
}
