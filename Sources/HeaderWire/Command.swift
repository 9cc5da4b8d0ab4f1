// SPDX-License-Identifier: MIT
//
// One message of a client, decoded. In either encoding it is one of three things:
//
//     ScrollMessage   a didScroll with nothing but time and offset that wants no answer: nearly every message. Plain data
//                     that borrows the header's name from the message, so that decoding allocates nothing
//     Command         everything else. It owns its contents, so it may wait in a queue or go to another thread
//     opening         the beginning of the binary encoding
//
// A command has its method, its header and the address of its answer. Its parameters are a tree that is read field by field when it is
// performed; usual events are decoded already.

public import HeaderModel

/// The header that a message is for.
public enum HeaderTarget: Sendable {
  /// The header's name.
  case name(String)
  /// By the handle in OPENED, NAMES and `header.list`.
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
  /// The requested method; nil for an answer, or an unknown method.
  public var method: RequestMethod?
  /// The header that it is for.
  public var header: HeaderTarget
  /// The parameters, read or not yet.
  public var body: Body
  /// Unknown members of its envelope, or of a usual event.
  public var unknown: [UnknownField] = []
  /// Bytes of the message.
  public var byteCount: Int

  /// The content of a command.
  public enum Body: Sendable {
    /// The parameters, as they came; of an `event` one event or several.
    case params(Value)
    /// An event without rare fields, which is read at once.
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
  public internal(set) var header = Header.only
  /// The publisher's time; nil: when it was read.
  public internal(set) var time: Instant?
  /// Where the content is; one axis at least is given.
  public internal(set) var offset = PartialPoint()
  /// The header's own moves that were in it; nil: all of them.
  public internal(set) var correction: PartialPoint?
  /// Bytes of the message.
  public let byteCount: Int

  @inline(__always)
  package var timed: TimedEvent {
    TimedEvent(ScrollEvent(.didScroll, offset: offset, correction: correction), time: time)
  }

  /// The same as a command, which outlives the message.
  public var command: Command {
    let target: HeaderTarget
    switch header {
    case .name(let name): target = .name(name.string)
    case .handle(let handle): target = .handle(handle)
    case .only: target = .only
    }
    return Command(.notification, .event, header: target, body: .event(timed), byteCount: byteCount)
  }
}

// MARK: - Lines

extension Command {
  /// Reads a line, or the object of a JSON frame. A plain didScroll is read faster by `ScrollMessage`.
  package init(line: UnsafeRawBufferPointer) {
    var event = PlainEvent()
    self = unsafe event.read(line) ? event.command ?? Command(unusual: line) : Command(unusual: line)
  }

  /// Reads one that is no plain event.
  package init(unusual line: UnsafeRawBufferPointer) {
    var command: Command?
    do throws(EnvelopeRefusal) {
      try unsafe Envelope.read(line) { envelope in
        command = Command(envelope, byteCount: line.count)
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
  static func header(in params: Value, of method: RequestMethod) -> HeaderTarget {
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
