// SPDX-License-Identifier: MIT
//
// A client's frame, decoded into a command. The layouts are header_wire.h's structs, copied out of the frame; each kind of request frame
// carries the parameters of one method.

internal import CHeaderWire
internal import HeaderModel

/// One frame, its first eight bytes included. Good for as long as the bytes are.
@safe package struct Frame {
  /// `HEADER_WIRE_…` of header_wire.h; any number.
  package let kind: UInt16
  /// The whole frame, its head included.
  package let bytes: UnsafeRawBufferPointer

  /// How many bytes it has, the first eight included.
  var byteCount: Int { unsafe bytes.count }
}

extension Command {
  /// Reads a frame that is no plain didScroll.
  package init(frame: Frame) {
    do throws(EnvelopeRefusal) {
      self = try frame.command()
    } catch {
      self.init(error.address, nil, body: .refused(error.error), byteCount: frame.byteCount)
    }
  }
}

extension Frame {
  fileprivate func command() throws(EnvelopeRefusal) -> Command {
    switch Int(kind) {
    case HEADER_WIRE_EVENT: return command(try event(), isBatch: false)
    case HEADER_WIRE_EVENTS: return command(try events(), isBatch: true)
    case HEADER_WIRE_JSON: return unsafe Command(line: UnsafeRawBufferPointer(rebasing: bytes[8...]))
    case HEADER_WIRE_HELLO:
      var params: Value.Record = ["protocol": .number(Double(try load(header_wire_hello.self, "HELLO").protocol))]
      let client = unsafe String(decoding: bytes[MemoryLayout<header_wire_hello>.size...], as: UTF8.self)
      if !client.isEmpty { params["client"] = .text(client) }
      return command(.hello, params)
    case HEADER_WIRE_PING:
      _ = try loadExactly(header_wire_request.self, "PING")
      return command(.ping)
    case HEADER_WIRE_OPEN: return try command(.headerOpen, readingParamsOf: "OPEN")
    case HEADER_WIRE_SUBSCRIBE: return try command(.subscribe, readingParamsOf: "SUBSCRIBE")
    case HEADER_WIRE_UNSUBSCRIBE:
      let number = try loadExactly(header_wire_request_for.self, "UNSUBSCRIBE").what
      return command(.unsubscribe, ["subscription": .number(Double(number))])
    case HEADER_WIRE_CLOSE:
      return command(.headerClose, header: .handle(try loadExactly(header_wire_request_for.self, "CLOSE").what))
    default:
      let error = HeaderError(
        .methodNotFound, "there is no frame of kind \(kind) that a client sends", got: .number(Double(kind)),
        hint: "header_wire.h lists them; a JSON frame (1) takes every method")
      throw EnvelopeRefusal(address: .unreadable, error: error)
    }
  }

  private func command(
    _ method: RequestMethod, header: HeaderTarget = .none, _ params: Value.Record = Value.Record()
  ) -> Command {
    Command(address, method, header: header, body: .params(.record(params)), byteCount: byteCount)
  }

  /// A request whose parameters are JSON behind its head.
  private func command(
    _ method: RequestMethod, readingParamsOf name: String
  ) throws(EnvelopeRefusal) -> Command {
    _ = try load(header_wire_request.self, name)
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[MemoryLayout<header_wire_request>.size...])
    do {
      let params = try unsafe text.isEmpty ? .record(Value.Record()) : Envelope.tree(text)
      let header = Command.header(in: params, of: method)
      return Command(address, method, header: header, body: .params(params), byteCount: byteCount)
    } catch {
      return Command(address, method, body: .refused(error), byteCount: byteCount)
    }
  }

  /// The events of a frame; a usual single one is decoded.
  private func command(_ given: EventFrame, isBatch: Bool) -> Command {
    let body: Command.Body =
      if !isBatch, let timed = given.onlyUsualEvent {
        .event(timed)
      } else {
        unsafe .events(FrameEvents([UInt8](bytes), count: given.remaining, isBatch: isBatch))
      }
    let header: HeaderTarget = given.handle == 0 ? .only : .handle(given.handle)
    return Command(given.address, .event, header: header, body: body, byteCount: byteCount)
  }

  /// Whether it is an EVENT frame: nearly all frames that ever come are.
  @inline(__always)
  package var isEvent: Bool { kind == UInt16(HEADER_WIRE_EVENT) }

  @inline(__always)
  package func event() throws(EnvelopeRefusal) -> EventFrame {
    let events = try events()
    guard events.remaining == 1 else {
      throw refusal("an EVENT frame has one event, its count says \(events.remaining); EVENTS takes several", at: 24)
    }
    return events
  }

  /// The address of the answer, if the frame has an id at all.
  private var address: ReplyAddress {
    guard unsafe bytes.count >= MemoryLayout<header_wire_request>.size else { return .unreadable }
    let id = UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    return id == 0 ? .notification : .frame(id)
  }

  @inline(__always)
  package func events() throws(EnvelopeRefusal) -> EventFrame {
    unsafe EventFrame(try load(header_wire_events.self, "EVENT"), bytes)
  }

  /// Copies the struct out that the frame begins with.
  @inline(__always)
  private func load<Head: BitwiseCopyable>(
    _: Head.Type, _ name: @autoclosure () -> String
  ) throws(EnvelopeRefusal) -> Head {
    guard unsafe bytes.count >= MemoryLayout<Head>.size else {
      throw unsafe refusal(
        "a frame of kind \(kind) (\(name())) has at least \(MemoryLayout<Head>.size) bytes, got \(bytes.count)",
        at: bytes.count)
    }
    return unsafe bytes.loadUnaligned(as: Head.self)
  }

  /// Copies the struct out that is the whole frame.
  private func loadExactly<Head: BitwiseCopyable>(_ type: Head.Type, _ name: String) throws(EnvelopeRefusal) -> Head {
    guard unsafe bytes.count == MemoryLayout<Head>.size else {
      throw unsafe refusal(
        "a frame of kind \(kind) (\(name)) has \(MemoryLayout<Head>.size) bytes, got \(bytes.count)",
        at: min(bytes.count, MemoryLayout<Head>.size))
    }
    return try load(type, name)
  }

  private func refusal(_ message: String, at byte: Int) -> EnvelopeRefusal {
    EnvelopeRefusal(address: address, error: .frame(message, at: byte))
  }
}

extension HeaderError {
  /// The error of a frame whose bytes do not fit its kind.
  static func frame(_ message: String, at byte: Int) -> HeaderError {
    HeaderError(.parseError, message, facts: ["byte": .number(Double(byte))])
  }
}
