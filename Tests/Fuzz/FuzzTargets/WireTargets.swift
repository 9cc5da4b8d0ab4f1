// SPDX-License-Identifier: MIT
//
// A connection's bytes, in both encodings. What must hold beside living through it: however the bytes are cut into pieces the
// messages are the same, and the fast decoders mean what the general one does.

internal import HeaderHost
internal import HeaderModel
internal import HeaderWire
package import PluginHost

/// Bytes of a connection that has not said how it speaks.
package final class LinesTarget: FuzzTarget {
  package static let name = "lines"

  package init(_ plugins: PluginRegistry) {}

  package func run(_ bytes: [UInt8]) throws(FuzzFinding) -> Int { try Stream.check(bytes) }

  package func seeds() throws -> [[UInt8]] {
    try Corpus.goldenLines().map { Array($0.utf8) + [10] }
      + Corpus.usualLines.map { Array($0.utf8) + [10] }
  }

  package var words: [String] { Corpus.wireWords }
}

/// Frames, behind the opening.
package final class FramesTarget: FuzzTarget {
  package static let name = "frames"

  package init(_ plugins: PluginRegistry) {}

  package func run(_ bytes: [UInt8]) throws(FuzzFinding) -> Int { try Stream.check([0x89, 0x48, 0x44, 1] + bytes) }

  package func seeds() throws -> [[UInt8]] { try Corpus.goldenFrames() + CommandTable.messages.map(FrameBytes.json) }

  package var words: [String] { Corpus.wireWords + ["\u{1}", "\u{20}", "\u{58}"] }
}

/// What a stream came to, to compare two readings of it.
private struct Stream: Equatable {
  var messages: [Message] = []
  var error: StreamError?

  struct Message: Equatable {
    var byteCount: Int
    var address = ReplyAddress.notification
    var method: RequestMethod?
    var body: Value
  }

  private static let limit = 4096

  /// Reads a stream whole and in pieces, and each message in each way that there is.
  static func check(_ bytes: [UInt8]) throws(FuzzFinding) -> Int {
    let whole = read(bytes, pieces: max(1, bytes.count))
    let last = Int(bytes.last ?? 0)
    // Each takes as long again as reading: one input in two goes either way.
    if last & 1 == 0 {
      try checkRoads(bytes)
    } else {
      let inPieces = read(bytes, pieces: 1 + last / 4)
      guard whole == inPieces else { throw FuzzFinding("in pieces: \(inPieces), whole: \(whole)") }
    }
    return whole.messages.count
  }

  private static func read(_ bytes: [UInt8], pieces: Int) -> Stream {
    var stream = Stream()
    var decoder = CommandDecoder(limit: limit)
    do throws(StreamError) {
      for start in stride(from: 0, to: bytes.count, by: pieces) {
        let piece = Array(bytes[start..<min(bytes.count, start + pieces)])
        try unsafe piece.span.bytes.withUnsafeBytes { (piece) throws(StreamError) in
          var cursor = 0
          while let message = try unsafe decoder.next(in: piece, from: &cursor) {
            switch message {
            case .scroll: stream.take(decoder.scroll.command)
            case .command: if let command = decoder.takeCommand() { stream.take(command) }
            case .opening: stream.messages.append(Message(byteCount: 4, body: .null))
            }
          }
        }
      }
    } catch {
      stream.error = error
    }
    return stream
  }

  private mutating func take(_ command: Command) {
    messages.append(
      Message(
        byteCount: command.byteCount, address: command.address, method: command.method, body: Self.body(of: command)))
  }

  /// What is in a command, read to its end.
  private static func body(of command: Command) -> Value {
    switch command.body {
    case .params(let params): return .list([params, meaning(of: params, command.method)])
    case .event(let timed): return .record(timed.value)
    case .events(let events): return .list(meanings(of: events))
    case .answer(let question, let reply, _): return .text("\(question) \(reply)")
    case .refused(let error): return .text(error.message)
    }
  }

  /// Parameters as the one who performs the method reads them.
  private static func meaning(of params: Value, _ method: RequestMethod?) -> Value {
    guard let method, var fields = try? FieldReader(params, at: Path("params")) else { return .null }
    do {
      var unknown: [UnknownField] = []
      switch method {
      case .event:
        guard case .record(let record) = params, case .list(let events)? = record["events"] else {
          return .record(try TimedEvent(fields, unknown: &unknown, alsoKnown: ["header"]).value)
        }
        return .list(try events.map { .record(try TimedEvent($0, unknown: &unknown).value) })
      case .headerOpen:
        guard case .open(let description, _, _) = try HeaderRequest(method, &fields) else { return .null }
        return try HeaderDescription(description.value, unknown: &unknown).value
      case .headerClose, .headerGet, .headerConfigure, .headerCall, .headerMove, .headerConstrain, .headerRelease,
        .headerReveal, .headerExplain, .traceStart, .traceStop, .delegateAdd, .delegateRemove, .delegateMove,
        .delegateConfigure, .delegateShadow, .delegatePromote:
        _ = try HeaderRequest(method, &fields)
        return true
      case .hello, .ping, .discover, .stats, .headerList, .subscribe, .unsubscribe, .pluginList, .pluginLoad,
        .pluginUnload, .pluginReload:
        return .null
      }
    } catch let error as HeaderError {
      return .text(error.message)
    } catch {
      return .null
    }
  }

  private static func meanings(of events: FrameEvents) -> [Value] {
    var read: [Value] = []
    do throws(HeaderError) {
      try events.forEach { (record, _) throws(HeaderError) in read.append(meaning(of: record)) }
    } catch {
      read.append(.text(error.message))
    }
    return read
  }

  /// An event as its tree says it.
  static func meaning(of record: EventRecord) -> Value {
    do throws(HeaderError) {
      var unknown: [UnknownField] = []
      return .record(try TimedEvent(.record(record.fields(at: Path("params"))), unknown: &unknown).value)
    } catch {
      return .text(error.message)
    }
  }

  // MARK: - The fast decoders

  private static func checkRoads(_ bytes: [UInt8]) throws(FuzzFinding) {
    var splitter = MessageSplitter(limit: limit)
    var cursor = 0
    try unsafe bytes.span.bytes.withUnsafeBytes { (bytes) throws(FuzzFinding) in
      while let message = unsafe try? splitter.next(in: bytes, from: &cursor) {
        switch message {
        case .line(let line): try unsafe checkRoads(ofLine: line)
        case .frame(let frame): try checkRoads(of: frame)
        case .opening: break
        }
      }
    }
  }

  private static func checkRoads(ofLine line: UnsafeRawBufferPointer) throws(FuzzFinding) {
    var scroll = ScrollMessage()
    let shortest = unsafe scroll.read(line) ? Road(scroll.command) : nil
    var event = PlainEvent()
    let short = unsafe event.read(line) ? event.command.flatMap { Road($0) } : nil
    let long = Road(unsafe Command(unusual: line))
    guard shortest == nil || shortest == long else {
      throw FuzzFinding("the shortest way: \(String(describing: shortest)), the long: \(String(describing: long))")
    }
    guard short == nil || short == long else {
      throw FuzzFinding("the short way: \(String(describing: short)), the long: \(String(describing: long))")
    }
  }

  /// An event and its header.
  private struct Road: Equatable {
    var address: ReplyAddress
    var header: String?
    var event: Value

    init?(_ command: Command) {
      guard command.method == .event, command.unknown.isEmpty else { return nil }
      address = command.address
      switch command.body {
      case .event(let timed):
        if case .name(let name) = command.header { header = name }
        event = .record(timed.value)
      case .params(let params):
        var unknown: [UnknownField] = []
        guard var fields = try? FieldReader(params, at: Path("params")),
          let header = try? fields.text("header") as String??,
          let timed = try? TimedEvent(fields, unknown: &unknown, alsoKnown: ["header"]), unknown.isEmpty
        else { return nil }
        self.header = header
        event = .record(timed.value)
      default: return nil
      }
    }
  }

  private static func checkRoads(of frame: Frame) throws(FuzzFinding) {
    guard var events = try? frame.events() else { return }
    let shortest = ScrollMessage(frame: frame).map { Value.record($0.timed.value) }
    while let record = try? events.next() {
      var timed = TimedEvent(ScrollEvent(.didScroll))
      let short = record.read(into: &timed) ? Value.record(timed.value) : nil
      let long = meaning(of: record)
      guard short == nil || short == long else {
        throw FuzzFinding("a record's short way: \(String(describing: short)), the long: \(long)")
      }
      guard shortest == nil || shortest == long else {
        throw FuzzFinding("a frame's short way: \(String(describing: shortest)), the long: \(long)")
      }
    }
  }
}
