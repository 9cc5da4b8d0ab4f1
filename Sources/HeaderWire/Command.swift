// SPDX-License-Identifier: MIT
//
// One message of a client, read once. Whatever encoding it came in and whichever way it was read, it is one of three things
// from here on:
//
//     ScrollMessage   a didScroll with nothing but time and offset that wants no answer: nearly every message. It is plain
//                     data and borrows the header's name from the message, so that reading it allocates nothing
//     Command         everything else. It owns what it has, so that it may wait in a queue or go to another thread
//     opening         the beginning of the binary encoding
//
// A command knows its method, the header that it is for and where its answer goes. Its parameters are a tree that whoever
// performs it reads field by field; usual events are read to the end already.

public import HeaderCore

/// The header that a message is for.
public enum HeaderTarget: Sendable {
  /// By name.
  case name(String)
  /// By the handle that OPENED, NAMES and `header.list` tell.
  case handle(UInt64)
  /// The only one that the connection has opened.
  case only
  /// None, or none that could be read.
  case none
}

/// A message of a client.
public struct Command: Sendable {
  /// Where its answer, or an error, goes.
  public var address: ReplyAddress
  /// What it asks for; nil when it is an answer, or nothing that we know.
  public var method: RequestMethod?
  /// The header that it is for.
  public var header: HeaderTarget
  /// What belongs to it.
  public var body: Body
  /// Members of its envelope, or of a usual event, that nobody knows.
  public var unknown: [UnknownField] = []
  /// Bytes of the message.
  public var byteCount: Int

  /// What belongs to a command.
  public enum Body: Sendable {
    /// The parameters, as they came; of an `event` one event or several.
    case params(Value)
    /// A usual event.
    case event(TimedEvent)
    /// The events of a frame, not read yet.
    case events(FrameEvents)
    /// The client's answer to the question `d…` of that number (`delegate.ask`). If it was not asked, the message is refused.
    case answer(question: Int, DelegateReply, otherwise: HeaderError)
    /// The message is no request that we know.
    case refused(HeaderError)
  }

  init(
    _ address: ReplyAddress, _ method: RequestMethod?, header: HeaderTarget = .none, body: Body, byteCount: Int
  ) {
    self.address = address
    self.method = method
    self.header = header
    self.body = body
    self.byteCount = byteCount
  }
}

/// A didScroll with nothing but time and offset that wants no answer. Good for as long as its message's bytes are.
@safe public struct ScrollMessage {
  /// The header that it is for.
  public enum Header {
    /// As it lies in the line.
    case name(JSONString)
    case handle(UInt64)
    case only
  }

  /// The header that it is for.
  public let header: Header
  /// The publisher's time; nil: when it was read.
  public let time: Instant?
  /// Where the content is; one axis at least is given.
  public let offset: PartialPoint
  /// The header's own moves that were in it; nil: all of them.
  public let correction: PartialPoint?
  /// Bytes of the message.
  public let byteCount: Int

  @inline(__always)
  init(_ scroll: PlainScroll, byteCount: Int) {
    header = scroll.header.map { .name($0) } ?? .only
    time = scroll.time
    offset = scroll.offset
    correction = scroll.correction
    self.byteCount = byteCount
  }

  @inline(__always)
  init(_ scroll: ScrollFrame, byteCount: Int) {
    header = scroll.handle == 0 ? .only : .handle(scroll.handle)
    time = scroll.time
    offset = scroll.offset
    correction = nil
    self.byteCount = byteCount
  }

  /// The same as a command, which outlives the message.
  public var command: Command {
    let target: HeaderTarget
    switch header {
    case .name(let name): target = .name(name.string)
    case .handle(let handle): target = .handle(handle)
    case .only: target = .only
    }
    let event = ScrollEvent(.didScroll, offset: offset, correction: correction)
    return Command(
      .notification, .event, header: target, body: .event(TimedEvent(event, time: time)), byteCount: byteCount)
  }
}

/// The events of one EVENT or EVENTS frame, with a copy of its bytes.
public struct FrameEvents: Sendable {
  private let bytes: [UInt8]
  /// Whether the frame was EVENTS, whose answer has a list of results.
  public let isBatch: Bool
  /// How many there are by the frame's count.
  public let count: Int

  init(_ frame: Frame, _ events: EventFrame, isBatch: Bool) {
    bytes = frame.contents
    count = events.remaining
    self.isBatch = isBatch
  }

  /// Lends the events one by one.
  /// - Parameter body: called for each event with its place; false ends it.
  /// - Throws: `parseError` when the bytes are not so many as the sizes say, and what `body` throws.
  public func forEach(_ body: (EventRecord, Int) throws(HeaderError) -> Bool) throws(HeaderError) {
    var failure: HeaderError?
    Frame.with(bytes) { frame in
      do throws(HeaderError) {
        var events = try frame.storedEvents()
        var index = 0
        while let record = try events.next(), try body(record, index) { index += 1 }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}

extension Frame {
  /// The events of a frame that has been read before.
  fileprivate func storedEvents() throws(HeaderError) -> EventFrame {
    do {
      return try events()
    } catch {
      throw error.error
    }
  }
}

// MARK: - Lines

extension Command {
  /// Reads a line that is no plain didScroll, or the object of a JSON frame.
  init(line: UnsafeRawBufferPointer) {
    var command: Command?
    do throws(EnvelopeRefusal) {
      try unsafe Envelope.read(line) { envelope in
        if envelope.method == .event, let params = envelope.params, let plain = PlainEvent(params) {
          let target = plain.header.map { HeaderTarget.name($0.string) } ?? .only
          command = Command(envelope.address, .event, header: target, body: .event(plain.timed), byteCount: line.count)
        } else {
          command = Command(envelope, byteCount: line.count)
        }
        command?.unknown = envelope.unknown
      }
    } catch {
      if error.error.field == "method", let answer = unsafe Command(answer: line, otherwise: error) {
        command = answer
      } else {
        command = Command(error.address, nil, body: .refused(error.error), byteCount: line.count)
      }
    }
    guard let command else { preconditionFailure("headerd bug: a line was neither read nor refused") }
    self = command
  }

  private init(_ envelope: Envelope, byteCount: Int) {
    let params = envelope.paramsTree()
    self.init(
      envelope.address, envelope.method, header: Self.header(in: params, of: envelope.method), body: .params(params),
      byteCount: byteCount)
  }

  /// The header that parameters name; an event without one is for the only header of its connection.
  private static func header(in params: Value, of method: RequestMethod) -> HeaderTarget {
    guard case .record(let fields) = params else { return .none }
    switch fields["header"] {
    case .text(let name)?: return .name(name)
    case nil: return method == .event ? .only : .none
    default: return .none
    }
  }

  /// A line without a method that may answer a question of the daemon's.
  private init?(answer line: UnsafeRawBufferPointer, otherwise refusal: EnvelopeRefusal) {
    guard case .record(let object)? = unsafe try? JSONReader.document(line), object["method"] == nil,
      case .text(let id)? = object["id"], id.hasPrefix("d"), let number = Int(id.dropFirst())
    else { return nil }
    let reply: DelegateReply
    if let result = object["result"] {
      reply = .answer(result)
    } else if let error = object["error"] {
      var message = Value.null
      if case .record(let fields) = error { message = fields["message"] ?? .null }
      reply = .passedOver("it answered with an error: \(message.brief)")
    } else {
      return nil
    }
    self.init(
      refusal.address, nil, body: .answer(question: number, reply, otherwise: refusal.error), byteCount: line.count)
  }
}

// MARK: - Frames

extension Command {
  /// Reads a frame that is no plain didScroll. A frame of a kind of its own is what one method's parameters are, already
  /// apart.
  init(frame: Frame) {
    let count = frame.byteCount
    do throws(EnvelopeRefusal) {
      let (address, request) = try frame.read()
      switch request {
      case .json(let object): unsafe self.init(line: object)
      case .event(let events): self.init(frame, events, isBatch: false)
      case .events(let events): self.init(frame, events, isBatch: true)
      case .hello(let version, let client):
        var params: Value.Record = ["protocol": .number(Double(version))]
        if !client.isEmpty { params["client"] = .text(client) }
        self.init(address, .hello, body: .params(.record(params)), byteCount: count)
      case .ping: self.init(address, .ping, body: .params(.record(Value.Record())), byteCount: count)
      case .open(let text): self.init(address, .headerOpen, reading: text, byteCount: count)
      case .subscribe(let text): self.init(address, .subscribe, reading: text, byteCount: count)
      case .unsubscribe(let number):
        self.init(
          address, .unsubscribe, body: .params(["subscription": .number(Double(number))]), byteCount: count)
      case .close(let handle):
        self.init(
          address, .headerClose, header: .handle(handle), body: .params(.record(Value.Record())), byteCount: count)
      }
    } catch {
      self.init(error.address, nil, body: .refused(error.error), byteCount: count)
    }
  }

  private init(_ address: ReplyAddress, _ method: RequestMethod, reading text: FrameText, byteCount: Int) {
    do {
      let params = try text.tree()
      self.init(
        address, method, header: Self.header(in: params, of: method), body: .params(params), byteCount: byteCount)
    } catch {
      self.init(address, method, body: .refused(error), byteCount: byteCount)
    }
  }

  /// The events of a frame; a usual single one is read to the end.
  private init(_ frame: Frame, _ given: EventFrame, isBatch: Bool) {
    let header: HeaderTarget = given.handle == 0 ? .only : .handle(given.handle)
    if !isBatch, let timed = Self.usualEvent(of: given) {
      self.init(given.address, .event, header: header, body: .event(timed), byteCount: frame.byteCount)
      return
    }
    let body = Body.events(FrameEvents(frame, given, isBatch: isBatch))
    self.init(given.address, .event, header: header, body: body, byteCount: frame.byteCount)
  }

  /// The one event of a frame, if it is a usual one and nothing follows it.
  private static func usualEvent(of given: EventFrame) -> TimedEvent? {
    var events = given
    do {
      var timed = TimedEvent(ScrollEvent(.didScroll))
      guard let record = try events.next(), record.read(into: &timed) else { return nil }
      return try events.next() == nil ? timed : nil
    } catch {
      return nil
    }
  }
}
