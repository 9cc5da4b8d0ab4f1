// SPDX-License-Identifier: MIT
//
// The daemon's frames other than states: answers, errors, names, and the short messages to subscribers. The same facts as Messages.swift
// writes into lines.

internal import CHeaderWire
public import HeaderModel

/// The subject of an error.
public enum ErrorSubject: Sendable {
  /// The request with this id.
  case request(UInt64)
  /// A notification, or the connection itself.
  case notification
  /// A message whose id could not be read.
  case unreadable
}

extension FrameWriter {
  // MARK: - Answers

  /// Answers HELLO.
  /// - Parameter result: the result as in JSON Lines, which the frame contains too.
  public mutating func welcome(
    _ id: UInt64, protocol version: Int, roles: UInt8, connection: Int, time: Instant, result: Value.Record,
    warnings: [UnknownField] = []
  ) {
    answer(id, header_wire_welcome(), HEADER_WIRE_WELCOME, warnings) { head, writer in
      head.protocol = UInt32(truncatingIfNeeded: version)
      head.roles = UInt32(roles)
      head.connection = UInt64(connection)
      head.time = time.nanoseconds
      head.json_size = writer.value(.record(result))
    }
  }

  /// Answers PING with the daemon's time.
  public mutating func pong(_ id: UInt64, time: Instant) {
    answer(id, header_wire_pong(), HEADER_WIRE_PONG, []) { head, _ in head.time = time.nanoseconds }
  }

  /// Answers OPEN with the header's handle.
  public mutating func opened(
    _ id: UInt64, handle: Int, epoch: Int64, seq: Int64, isNew: Bool, digest: UInt32, warnings: [UnknownField]
  ) {
    answer(id, header_wire_opened(), HEADER_WIRE_OPENED, warnings) { head, _ in
      head.handle = UInt64(handle)
      head.epoch = epoch
      head.seq = seq
      head.created = isNew ? 1 : 0
      head.digest = digest
    }
  }

  /// Answers SUBSCRIBE with the subscription's number.
  public mutating func subscribed(_ id: UInt64, subscription: Int, matched: Int, warnings: [UnknownField]) {
    answer(id, header_wire_subscribed(), HEADER_WIRE_SUBSCRIBED, warnings) { head, _ in
      head.subscription = UInt64(subscription)
      head.matched = UInt64(matched)
    }
  }

  /// Answers requests whose result is empty.
  public mutating func done(_ id: UInt64, warnings: [UnknownField]) {
    answer(id, header_wire_answer(), HEADER_WIRE_DONE, warnings) { _, _ in }
  }

  /// Answers EVENT and EVENTS: what `decisions` writes, one `decision` an event.
  public mutating func decided(
    _ id: UInt64, seq: Int64, count: Int, warnings: [UnknownField], decisions: (inout FrameWriter) -> Void
  ) {
    let place = self.count
    answer(id, header_wire_decided(), HEADER_WIRE_DECIDED, warnings) { head, writer in
      head.seq = seq
      decisions(&writer)
    }
    patch(UInt32(count), at: place + 20)
  }

  /// Writes the answer to one event.
  public mutating func decision(_ answer: EventAnswer, _ name: EventName) {
    var head = header_wire_decision()
    var told = 0
    head.seq = answer.seq
    if let target = answer.targetOffset {
      told |= HEADER_WIRE_TOLD_TARGET
      head.target = target.wire
    }
    if let returned = answer.returned {
      told |= HEADER_WIRE_TOLD_RETURNED | (returned ? HEADER_WIRE_RETURNED_YES : 0)
    }
    if name == .willEndDragging {
      told |= HEADER_WIRE_TOLD_REWRITTEN
      head.rewritten_size = answer.rewrittenBy?.wire ?? 0
    }
    if let consumed = answer.consumed, let residual = answer.residual {
      told |= HEADER_WIRE_TOLD_CONSUMED
      head.consumed = consumed.wire
      head.residual = residual.wire
    }
    head.told = UInt16(told)
    let place = count
    put(head)
    if name == .willEndDragging, let delegate = answer.rewrittenBy { text(delegate, atMost: Int(UInt16.max)) }
    if name == .call {
      let size = value(answer.result ?? .null)
      patch(size, at: place + 60)
    }
  }

  /// An answer: its struct, what `body` writes behind it, the warnings at the end.
  private mutating func answer<Head: BitwiseCopyable>(
    _ id: UInt64, _ head: Head, _ kind: Int, _ warnings: [UnknownField], body: (inout Head, inout FrameWriter) -> Void
  ) {
    var head = head
    let place = count
    begin(head)
    body(&head, &self)
    patch(head, at: place)
    patch(id, at: place + 8)
    if !warnings.isEmpty { patch(value(.list(warnings.map(\.value))), at: place + 16) }
    // A decision may have begun and ended nothing of its own, so the frame still begins where it did.
    end(kind)
  }

  /// Adds warnings that are JSON already to the answer written last.
  mutating func add(warnings: Value) {
    patch(value(warnings), at: start + 16)
    patch(UInt32(truncatingIfNeeded: count - start), at: start)
  }

  // MARK: - Errors

  /// Writes an error and its subject.
  public mutating func error(_ error: HeaderError, about subject: ErrorSubject) {
    var head = header_wire_error()
    switch subject {
    case .request(let id): head.id = id
    case .notification: head.about = UInt32(HEADER_WIRE_ABOUT_NOTIFICATION)
    case .unreadable: head.about = UInt32(HEADER_WIRE_ABOUT_UNREADABLE)
    }
    head.code = Int32(error.name.code)
    head.message_size = UInt32(error.message.utf8.count)
    let place = count
    begin(head)
    text(error.message)
    patch(value(.record(error.data)), at: place + 28)
    end(HEADER_WIRE_ERROR)
  }

  // MARK: - To subscribers

  /// A header's name, and those that its states refer to from here on.
  public mutating func names(handle: Int, of header: String, _ names: HeaderNames) {
    var head = header_wire_names()
    head.handle = UInt64(handle)
    head.drawers = UInt16(names.drawers.count)
    head.scroll_views = UInt16(names.scrollViews.count)
    head.elements = UInt16(names.elements.count)
    head.values = UInt16(names.values.count)
    head.delegates = UInt16(names.delegates.count)
    begin(head)
    name(header)
    for list in [names.drawers, names.scrollViews, names.elements, names.values, names.delegates] {
      for word in list { name(word) }
    }
    end(HEADER_WIRE_NAMES)
  }

  private mutating func name(_ name: String) {
    put(UInt8(clamping: name.utf8.count))
    text(name, atMost: Int(UInt8.max))
  }

  /// Writes a gap: states that a subscriber does not get; `range` is nil where the header has a new life.
  public mutating func gap(handle: Int, epoch: Int64, range: ClosedRange<Int64>?, reason: String) {
    var head = header_wire_gap()
    head.handle = UInt64(handle)
    head.epoch = epoch
    head.from = range?.lowerBound ?? 0
    head.to = range?.upperBound ?? 0
    begin(head)
    text(reason)
    end(HEADER_WIRE_GAP)
  }

  /// Writes a header's end, as subscribers get it.
  public mutating func closed(handle: Int, epoch: Int64, seq: Int64, reason: String) {
    var head = header_wire_closed()
    head.handle = UInt64(handle)
    head.epoch = epoch
    head.seq = seq
    begin(head)
    text(reason)
    end(HEADER_WIRE_CLOSED)
  }

  /// Writes the connection's last frame.
  public mutating func bye(reason: String) {
    begin(header_wire_frame())
    text(reason)
    end(HEADER_WIRE_BYE)
  }

  /// Nothing is owed in return.
  public mutating func ping() {
    begin(header_wire_frame())
    end(HEADER_WIRE_PING)
  }
}
