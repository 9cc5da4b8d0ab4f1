// SPDX-License-Identifier: MIT
//
// A client's frame, read: which request it is, where its answer goes, what it carries. The layouts are header_wire.h's own
// structs, copied out of the frame; this file only says which one a kind has and what is wrong when it does not fit.

internal import CHeaderWire
public import HeaderCore

/// What a client's frame asks for.
@safe public enum FrameRequest {
  /// A JSON-RPC object: everything that the protocol has.
  case json(UnsafeRawBufferPointer)
  /// One event, or a batch of them.
  case event(EventFrame)
  case events(EventFrame)
  case hello(protocol: UInt32, client: String)
  case ping
  /// The params of `header.open`.
  case open(FrameText)
  /// The params of `subscribe`.
  case subscribe(FrameText)
  case unsubscribe(UInt64)
  /// A header's handle.
  case close(UInt64)
}

/// JSON in a frame, not read yet. Good for as long as the frame is.
@safe public struct FrameText {
  let bytes: UnsafeRawBufferPointer

  /// The value; an empty record when there is none.
  /// - Throws: `parseError`.
  public func tree() throws(HeaderError) -> Value {
    try unsafe bytes.count == 0 ? .record(Value.Record()) : Envelope.tree(bytes)
  }
}

extension Frame {
  /// Reads the frame.
  /// - Throws: `parseError` when its bytes do not fit its kind, `methodNotFound` when there is no such kind.
  public func read() throws(EnvelopeRefusal) -> (ReplyAddress, FrameRequest) {
    switch Int(kind) {
    case HEADER_WIRE_EVENT:
      let event = try event()
      return (event.address, .event(event))
    case HEADER_WIRE_EVENTS:
      let events = try events()
      return (events.address, .events(events))
    case HEADER_WIRE_JSON: return (.notification, unsafe .json(UnsafeRawBufferPointer(rebasing: bytes[8...])))
    case HEADER_WIRE_HELLO:
      let hello = try load(header_wire_hello.self, "HELLO")
      let client = unsafe String(decoding: bytes[MemoryLayout<header_wire_hello>.size...], as: UTF8.self)
      return (address, .hello(protocol: hello.protocol, client: client))
    case HEADER_WIRE_PING:
      try fit(header_wire_request.self, "PING")
      return (address, .ping)
    case HEADER_WIRE_OPEN: return (address, .open(try text("OPEN")))
    case HEADER_WIRE_SUBSCRIBE: return (address, .subscribe(try text("SUBSCRIBE")))
    case HEADER_WIRE_UNSUBSCRIBE:
      try fit(header_wire_request_for.self, "UNSUBSCRIBE")
      return (address, .unsubscribe(try load(header_wire_request_for.self, "UNSUBSCRIBE").what))
    case HEADER_WIRE_CLOSE:
      try fit(header_wire_request_for.self, "CLOSE")
      return (address, .close(try load(header_wire_request_for.self, "CLOSE").what))
    default:
      let error = HeaderError(
        .methodNotFound, "there is no frame of kind \(kind) that a client sends", got: .number(Double(kind)),
        hint: "header_wire.h lists them; a JSON frame (1) takes every method")
      throw EnvelopeRefusal(address: .unreadable, error: error)
    }
  }

  /// Whether it is an EVENT frame: nearly all frames that ever come are.
  @inline(__always)
  public var isEvent: Bool { kind == UInt16(HEADER_WIRE_EVENT) }

  /// Reads an EVENT frame.
  @inline(__always)
  public func event() throws(EnvelopeRefusal) -> EventFrame {
    let events = try events()
    guard events.remaining == 1 else {
      throw refusal("an EVENT frame has one event, its count says \(events.remaining); EVENTS takes several", at: 24)
    }
    return events
  }

  /// Where the answer goes, if the frame has an id at all.
  private var address: ReplyAddress {
    guard unsafe bytes.count >= MemoryLayout<header_wire_request>.size else { return .unreadable }
    let id = UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    return id == 0 ? .notification : .frame(id)
  }

  @inline(__always)
  func events() throws(EnvelopeRefusal) -> EventFrame {
    unsafe EventFrame(try load(header_wire_events.self, "EVENT"), bytes)
  }

  private func text(_ name: String) throws(EnvelopeRefusal) -> FrameText {
    _ = try load(header_wire_request.self, name)
    return unsafe FrameText(bytes: UnsafeRawBufferPointer(rebasing: bytes[MemoryLayout<header_wire_request>.size...]))
  }

  /// Copies the struct out that the frame begins with.
  @inline(__always)
  private func load<Head: BitwiseCopyable>(_: Head.Type, _ name: @autoclosure () -> String) throws(EnvelopeRefusal)
    -> Head
  {
    guard unsafe bytes.count >= MemoryLayout<Head>.size else {
      throw unsafe refusal(
        "a frame of kind \(kind) (\(name())) has at least \(MemoryLayout<Head>.size) bytes, got \(bytes.count)",
        at: bytes.count)
    }
    return unsafe bytes.loadUnaligned(as: Head.self)
  }

  private func fit<Head: BitwiseCopyable>(_: Head.Type, _ name: String) throws(EnvelopeRefusal) {
    guard unsafe bytes.count == MemoryLayout<Head>.size else {
      throw unsafe refusal(
        "a frame of kind \(kind) (\(name)) has \(MemoryLayout<Head>.size) bytes, got \(bytes.count)",
        at: min(bytes.count, MemoryLayout<Head>.size))
    }
  }

  private func refusal(_ message: String, at byte: Int) -> EnvelopeRefusal {
    EnvelopeRefusal(address: address, error: .frame(message, at: byte))
  }
}

extension HeaderError {
  /// A frame whose bytes are not what its kind says.
  static func frame(_ message: String, at byte: Int) -> HeaderError {
    HeaderError(.parseError, message, facts: ["byte": .number(Double(byte))])
  }
}
