// SPDX-License-Identifier: MIT
//
// A frame's way. A JSON frame is a line and goes the line's way. A frame of a kind of its own is what one method's params
// are, already apart: it meets the same handlers, behind the same permissions, and its answer goes to its id.

internal import HeaderCore
internal import HeaderWire

extension Session {
  /// A whole frame.
  func handle(_ frame: Frame, by service: Service) {
    if service.traffic.mayHaveToWait, waits(frame) { return }
    if let scroll = ScrollFrame(frame), scroll.id == 0 {
      if !passes(scroll, by: service) { handle(scroll, frame) }
      return
    }
    if frame.isEvent { return handleEvent(frame) }
    let address: ReplyAddress
    let request: FrameRequest
    do throws(EnvelopeRefusal) {
      (address, request) = try frame.read()
    } catch {
      return refuse(error.address, error.error)
    }
    if abroad != nil, let (method, params) = request.mayBeForEveryone,
      isForEveryone(method, { params }, { .frame(frame.contents) })
    {
      return
    }
    var unknown: [UnknownField] = []
    do throws(HeaderError) {
      guard let reply = try perform(request, &unknown) else { return }
      answer(address, reply, unknown)
      follow(reply)
    } catch {
      if goesElsewhere(.frame(frame.contents)) { return }
      refuse(address, error)
    }
  }

  /// The frame that comes by the thousand. Nobody is told what became of it but of an error.
  private func handle(_ scroll: ScrollFrame, _ frame: Frame) {
    do throws(HeaderError) {
      try permit(.event)
      if let reply = try event(scroll) { answer(.notification, reply, []) }
    } catch {
      if goesElsewhere(.frame(frame.contents)) { return }
      refuse(.notification, error)
    }
  }

  /// The short way of any other event.
  private func handleEvent(_ frame: Frame) {
    let event: EventFrame
    do throws(EnvelopeRefusal) {
      event = try frame.event()
    } catch {
      return refuse(error.address, error.error)
    }
    var unknown: [UnknownField] = []
    do throws(HeaderError) {
      try permit(.event)
      guard let reply = try single(event, &unknown) else { return }
      if waitingWork != nil { return park(event.address, unknown) }
      if event.id != 0 || !unknown.isEmpty { answer(event.address, reply, unknown) }
    } catch {
      if goesElsewhere(.frame(frame.contents)) { return }
      refuse(event.address, error)
    }
  }

  /// Does what a frame asks for; nil when it was a JSON-RPC object, which has been answered.
  private func perform(_ request: FrameRequest, _ unknown: inout [UnknownField]) throws(HeaderError) -> Reply? {
    switch request {
    case .event: preconditionFailure("handled before")
    case .events(let events):
      try permit(.event)
      return try batch(events, &unknown)
    case .json(let object):
      unsafe handle(object, by: service)
      return nil
    case .hello(let version, let client):
      let params: Value = ["protocol": .number(Double(version)), "client": .text(client)]
      var fields = try FieldReader(client.isEmpty ? ["protocol": .number(Double(version))] : params, at: Path("params"))
      return try hello(&fields)
    case .ping: return .time
    case .open(let text):
      try permit(.headerOpen)
      return try openHeader(text.tree(), &unknown)
    case .subscribe(let text):
      try permit(.subscribe)
      var fields = try FieldReader(text.tree(), at: Path("params"))
      let reply = try subscribe(&fields, &unknown)
      unknown += fields.unknown
      return reply
    case .unsubscribe(let number):
      try permit(.unsubscribe)
      var fields = FieldReader(["subscription": .number(Double(number))], at: Path("params"))
      return try unsubscribe(&fields)
    case .close(let handle):
      try permit(.headerClose)
      return close(try header(at: handle))
    }
  }

  /// An open header by its handle.
  func header(at handle: UInt64) throws(HeaderError) -> HeaderEntry {
    if let last = lastPublishing?.entry, last.isOpen, UInt64(last.handle.number) == handle { return last }
    if let number = Int(exactly: handle) {
      if let entry = service.table[HeaderHandle(number: number)] { return entry }
      try lookElsewhere(for: number)
    }
    throw HeaderError(
      .headerNotFound, "params.handle: there is no header with the handle \(handle)", field: "params.handle",
      got: .number(Double(handle)), hint: "OPENED, NAMES and header.list tell handles; one ends with its header")
  }
}

extension FrameRequest {
  /// Its method and parameters, where it may concern all services.
  fileprivate var mayBeForEveryone: (RequestMethod, Value)? {
    switch self {
    case .ping: (.ping, .null)
    case .subscribe(let text): (.subscribe, (try? text.tree()) ?? .null)
    case .unsubscribe: (.unsubscribe, .null)
    case .json, .event, .events, .hello, .open, .close: nil
    }
  }
}
