// SPDX-License-Identifier: MIT
//
// Messages as frames, for tests: the same JSON-RPC object that a line would hold, put into the frame that its method has,
// or into a JSON frame where it has none. Like FrameDecoding.swift it knows the layouts by header_wire.h's tables alone.

package import Fanout
package import HeaderModel
import HeaderWire
import Testing

/// Little-endian bytes that grow at the end.
package struct FrameBuilder {
  package static let opening: [UInt8] = [0x89, 0x48, 0x44, 0x01]
  package var bytes: [UInt8] = []

  package init() {}

  package mutating func integer(_ value: UInt64, _ size: Int) {
    for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
  }

  package mutating func u8(_ value: Int) { integer(UInt64(value), 1) }
  package mutating func u16(_ value: Int) { integer(UInt64(value), 2) }
  package mutating func u32(_ value: Int) { integer(UInt64(value), 4) }
  package mutating func u64(_ value: Int) { integer(UInt64(value), 8) }
  package mutating func i64(_ value: Int64) { integer(UInt64(bitPattern: value), 8) }
  package mutating func f64(_ value: Double) { integer(value.bitPattern, 8) }
  package mutating func text(_ text: String) { bytes += Array(text.utf8) }

  /// A whole frame.
  package static func frame(_ kind: Int, _ body: (inout FrameBuilder) -> Void = { _ in }) -> [UInt8] {
    var inside = FrameBuilder()
    body(&inside)
    var frame = FrameBuilder()
    frame.u32(8 + inside.bytes.count)
    frame.u16(kind)
    frame.u16(0)
    return frame.bytes + inside.bytes
  }

  package static func json(_ message: Value) -> [UInt8] { frame(1) { $0.text(line(message)) } }

  package static func line(_ value: Value) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return String(decoding: writer.copy(), as: UTF8.self)
  }

  /// The frame that a request is in: nil when none of its own kind can hold it.
  package static func frame(of message: Value, handles: [String: Int]) -> [UInt8]? {
    guard case .record(let envelope) = message, let id = id(envelope["id"]) else { return nil }
    let params = envelope["params"]?.record ?? Value.Record()
    guard envelope.fields.allSatisfy({ ["id", "method", "params"].contains($0.name) }) else { return nil }
    switch message.at("method").text {
    case "hello":
      guard case .number(let version)? = params["protocol"], version >= 0, case .text(let client)? = params["client"],
        params.fields.count == 2
      else { return nil }
      return frame(4) {
        $0.u64(id)
        $0.u32(Int(version))
        $0.u32(0)
        $0.text(client)
      }
    case "ping" where params.fields.isEmpty: return frame(5) { $0.u64(id) }
    case "header.open", "subscribe":
      return frame(message.at("method") == "subscribe" ? 7 : 6) {
        $0.u64(id)
        $0.text(line(.record(params)))
      }
    case "unsubscribe":
      guard case .number(let number)? = params["subscription"], number >= 0, params.fields.count == 1 else {
        return nil
      }
      return frame(8) {
        $0.u64(id)
        $0.u64(Int(number))
      }
    case "header.close":
      guard params.fields.count == 1, let handle = handles[(params["header"] ?? .null).text] else { return nil }
      return frame(9) {
        $0.u64(id)
        $0.u64(handle)
      }
    case "event": return events(id, params, handles)
    default: return nil
    }
  }

  private static func id(_ value: Value?) -> Int? {
    switch value {
    case nil: 0
    case .number(let number): number >= 1 ? Int(number) : nil
    default: nil
    }
  }

  private static func events(_ id: Int, _ params: Value.Record, _ handles: [String: Int]) -> [UInt8]? {
    var rest = params
    var handle = 0
    if let header = params["header"] {
      guard let known = handles[header.text] else { return nil }
      handle = known
      rest["header"] = nil
    }
    var records: [[UInt8]] = []
    let isBatch = rest["events"] != nil
    if isBatch {
      guard rest.fields.count == 1, case .list(let list)? = rest["events"] else { return nil }
      for event in list {
        guard case .record(let fields) = event, let record = record(of: fields) else { return nil }
        records.append(record)
      }
    } else {
      guard let record = record(of: rest) else { return nil }
      records = [record]
    }
    return frame(isBatch ? 3 : 2) { builder in
      builder.u64(id)
      builder.u64(handle)
      builder.u32(records.count)
      builder.u32(0)
      for record in records { builder.bytes += record }
    }
  }

  /// An event's fields in its layout; what has no place there stands in its JSON.
  package static func record(of event: Value.Record) -> [UInt8]? {
    guard let kind = FrameDecoder.number(of: (event["event"] ?? .null).text) else { return nil }
    var rest = event
    rest["event"] = nil
    var layout = EventLayout(rest: rest)
    guard layout.takeTime() else { return nil }
    layout.takePoint("offset", bit: 1, \.offset)
    layout.takePoint("correction", bit: 7, \.correction)
    layout.takeFlags(kind)
    switch kind {
    case 10, 11: layout.takePoint("delta", bit: 9, \.amount)
    case 19: layout.takePoint("size", bit: 9, \.amount, axes: ("width", "height"))
    case 131: layout.takeDuration()
    default: layout.takePoint("velocity", bit: 9, \.amount)
    }
    layout.takePoint("targetOffset", bit: 11, \.target)
    layout.takeSource()
    guard layout.takeScrollView(isRequired: kind == 22 || kind == 23) else { return nil }
    return layout.bytes(kind)
  }
}

/// One event on its way into its layout.
package struct EventLayout {
  package var rest: Value.Record
  package var given = 0
  package var flags = 0
  package var time: Int64 = 0
  package var offset = (0.0, 0.0)
  package var correction = (0.0, 0.0)
  package var amount = (0.0, 0.0)
  package var target = (0.0, 0.0)
  package var source = 0
  package var scrollView = ""

  package init(rest: Value.Record) { self.rest = rest }

  /// False when the layout cannot say it.
  package mutating func takeTime() -> Bool {
    guard let value = rest["time"] else { return true }
    guard case .number(let seconds) = value, abs(seconds) < 9e9 else { return false }
    time = Instant.nanoseconds(seconds)
    given |= 1
    rest["time"] = nil
    return true
  }

  package mutating func takePoint(
    _ name: String, bit: Int, _ place: WritableKeyPath<EventLayout, (Double, Double)>,
    axes: (String, String) = ("x", "y")
  ) {
    guard case .record(let point)? = rest[name], !point.fields.isEmpty,
      point.fields.allSatisfy({ $0.name == axes.0 || $0.name == axes.1 })
    else { return }
    for field in point.fields { guard case .number = field.value else { return } }
    if case .number(let x)? = point[axes.0] {
      self[keyPath: place].0 = x
      given |= 1 << bit
    }
    if case .number(let y)? = point[axes.1] {
      self[keyPath: place].1 = y
      given |= 2 << bit
    }
    rest[name] = nil
  }

  package mutating func takeFlags(_ kind: UInt8) {
    takeFlag("isTracking", 1 << 3, 1)
    takeFlag("isDragging", 1 << 4, 2)
    takeFlag("isDecelerating", 1 << 5, 4)
    takeFlag(kind == 128 ? "animated" : kind == 13 ? "pass" : "willDecelerate", 1 << 6, 8)
  }

  private mutating func takeFlag(_ name: String, _ bit: Int, _ flag: Int) {
    guard case .bool(let value)? = rest[name] else { return }
    given |= bit
    flags |= value ? flag : 0
    rest[name] = nil
  }

  package mutating func takeDuration() {
    guard case .number(let seconds)? = rest["frameDuration"] else { return }
    amount.0 = seconds
    given |= 1 << 9
    rest["frameDuration"] = nil
  }

  package mutating func takeSource() {
    guard let word = rest["source"], let index = ["drag", "fling", "program"].firstIndex(of: word.text) else { return }
    source = index
    given |= 1 << 13
    rest["source"] = nil
  }

  /// False when the layout cannot say it: null is told by nothing, and only where nothing does not mean the default.
  package mutating func takeScrollView(isRequired: Bool) -> Bool {
    switch rest["scrollView"] {
    case nil: return !isRequired
    case .null?:
      rest["scrollView"] = nil
      return isRequired
    case .text(let name)? where !name.isEmpty && name.utf8.count < 256:
      scrollView = name
      rest["scrollView"] = nil
      return true
    default: return !isRequired
    }
  }

  package func bytes(_ kind: UInt8) -> [UInt8] {
    let json = rest.fields.isEmpty ? "" : FrameBuilder.line(.record(rest))
    let isLong = given >= 1 << 7 || !scrollView.isEmpty || !json.isEmpty
    var builder = FrameBuilder()
    builder.u32(isLong ? 88 + scrollView.utf8.count + json.utf8.count : 32)
    builder.u16(given)
    builder.u8(Int(kind))
    builder.u8(flags)
    builder.i64(time)
    builder.point(offset)
    guard isLong else { return builder.bytes }
    builder.point(correction)
    builder.point(amount)
    builder.point(target)
    builder.u8(source)
    builder.u8(scrollView.utf8.count)
    builder.u16(0)
    builder.u32(json.utf8.count)
    builder.text(scrollView)
    builder.text(json)
    return builder.bytes
  }
}

extension FrameBuilder {
  package mutating func point(_ point: (Double, Double)) {
    f64(point.0)
    f64(point.1)
  }
}

/// A connection that speaks frames; what comes back is read as lines would be.
package final class FrameClient {
  package let client: TestClient
  package var decoder = FrameDecoder()
  private var seen = 0
  private let translation: Translation?

  /// - Parameter handles: set for a daemon who is told lines, with a translator between.
  package init(_ daemon: TestDaemon, _ roles: Roles = .all, translatedBy handles: TestHandles? = nil) {
    client = daemon.connect(roles)
    translation = handles.map { Translation($0) }
    say(FrameBuilder.opening)
  }

  package func say(_ frames: [UInt8]) {
    guard let translation else {
      client.send(frames)
      return
    }
    for line in translation.lines(of: frames) { client.send(line + [0x0A]) }
  }

  @discardableResult package func send(_ frames: [UInt8]) -> [Value] {
    say(frames)
    return received()
  }

  /// Messages that came since the last look.
  package func received() -> [Value] {
    let bytes = Array(client.transcript[seen...])
    seen = client.transcript.count
    return decoder.take(translation?.frames(of: bytes) ?? bytes)
  }
}

/// Numbers of headers as the daemon's answers tell them, or others where none has told yet.
package final class TestHandles: HeaderHandles {
  private var numbers: [String: Int] = [:]
  private var names: [Int: String] = [:]

  package init() {}

  package func set(_ header: String, _ handle: Int) { (numbers[header], names[handle]) = (handle, header) }
  package func header(with handle: Int) -> String? { names[handle] }

  package func handle(of header: String) -> Int {
    if numbers[header] == nil { set(header, 1_000_000_000 + names.count) }
    return numbers[header] ?? 0
  }
}

/// Between a client's frames and a daemon's lines.
package final class Translation {
  private let handles: TestHandles
  private var translator: FrameTranslator
  private var splitter = MessageSplitter(limit: 262_144)
  private var tail: [UInt8] = []
  private var answered: [UInt8] = []

  package init(_ handles: TestHandles) {
    self.handles = handles
    translator = FrameTranslator(handles)
  }

  package func lines(of frames: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    unsafe frames.withUnsafeBytes { bytes in
      var cursor = 0
      while let message = unsafe try? splitter.next(in: bytes, from: &cursor) {
        switch message {
        case .opening: answered += FrameTranslator.opening
        case .line: Issue.record("frames were sent")
        case .frame(let frame):
          do throws(EnvelopeRefusal) {
            lines.append(try frame.line(handles, limit: 262_144))
          } catch {
            answered += translator.frames(of: error)
          }
        }
      }
    }
    return lines
  }

  /// What the daemon has said, behind what was answered without it.
  package func frames(of bytes: [UInt8]) -> [UInt8] {
    tail += bytes
    while let end = tail.firstIndex(of: 0x0A) {
      let line = Array(tail[..<end])
      tail.removeFirst(end + 1)
      let result = tree(String(decoding: line, as: UTF8.self)).at("result")
      if case .number(let handle) = result.at("handle") { handles.set(result.at("header").text, Int(handle)) }
      answered += translator.frames(of: line)
    }
    defer { answered = [] }
    return answered
  }
}

extension FrameBuilder {
  package static func request(_ kind: Int, _ id: Int, _ json: String) -> [UInt8] {
    frame(kind) {
      $0.u64(id)
      $0.text(json)
    }
  }

  package static func event(_ event: Value, id: Int = 0, handle: Int = 0) -> [UInt8] {
    events([event], id: id, handle: handle, kind: 2)
  }

  package static func events(_ events: [Value], id: Int, handle: Int, kind: Int = 3) -> [UInt8] {
    frame(kind) { builder in
      builder.u64(id)
      builder.u64(handle)
      builder.u32(events.count)
      builder.u32(0)
      for event in events { builder.bytes += record(of: event.record) ?? [] }
    }
  }
}
