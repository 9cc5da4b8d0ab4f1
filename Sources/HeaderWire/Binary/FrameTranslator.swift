// SPDX-License-Identifier: MIT
//
// Translates a daemon's lines into frames, for a bridge between a binary client and a daemon that speaks lines (LineOfFrame.swift has the
// other direction). A client gets those of a header's names that its states use: NAMES comes again when there is a new one. Lines are
// untrusted input: a part that is missing, or of another type, has its default.

internal import CHeaderWire
internal import HeaderModel

/// Writes the messages of one connection.
public struct FrameTranslator: ~Copyable {
  private let handles: any HeaderHandles
  private var names: [Int: StateNames] = [:]
  private var writer = FrameWriter()

  /// A translator at the beginning of a connection.
  public init(_ handles: any HeaderHandles) { self.handles = handles }

  /// The first bytes, before the first frame.
  public static var opening: [UInt8] { MessageSplitter.openingBytes }

  /// Translates a line into frames.
  public mutating func frames(of line: [UInt8]) -> [UInt8] {
    writer.removeAll(keepingUpTo: 65_536)
    let message = LenientRecord(try? JSONReader.document(line))
    let params = message["params"]
    switch message.text("method") {
    case "state": state(params)
    case "gap":
      let (from, to) = (params.integer("from"), params.integer("to"))
      writer.gap(
        handle: handle(params, StateNames(LenientRecord(nil))), epoch: params.integer("epoch"),
        range: params.has("from") && from <= to ? from...to : nil, reason: params.text("reason"))
    case "closed":
      let handle = handle(params, StateNames(LenientRecord(nil)))
      writer.closed(
        handle: handle, epoch: params.integer("epoch"), seq: params.integer("seq"), reason: params.text("reason"))
      names[handle] = nil
    case "error": writer.error(HeaderError(params), about: .notification)
    case "bye": writer.bye(reason: params.text("reason"))
    case "ping": writer.ping()
    case "": answer(message, line)
    default: writer.jsonFrame(line)
    }
    return writer.copy()
  }

  /// The answer to a frame that could not be read.
  package mutating func frames(of refusal: EnvelopeRefusal) -> [UInt8] {
    writer.removeAll()
    switch refusal.address {
    case .request(let id): writer.jsonFrame { $0.refusal(id, refusal.error) }
    case .frame(let id): writer.error(refusal.error, about: .request(id))
    case .unreadable: writer.error(refusal.error, about: .unreadable)
    case .notification: writer.error(refusal.error, about: .notification)
    }
    return writer.copy()
  }

  // MARK: - Answers

  private mutating func answer(_ message: LenientRecord, _ line: [UInt8]) {
    guard let request = FramedRequest(lineID: message.text("id")) else {
      let isNobodys = message.value("id") == .null && message.has("error")
      return isNobodys ? writer.error(HeaderError(message["error"]), about: .unreadable) : writer.jsonFrame(line)
    }
    guard !message.has("error") else {
      return writer.error(HeaderError(message["error"]), about: .request(request.id))
    }
    let (id, result) = (request.id, message["result"])
    switch request.method {
    case .hello: welcome(id, result)
    case .ping: writer.pong(id, time: Instant(seconds: result.number("time")))
    case .headerOpen:
      writer.opened(
        id, handle: Int(result.integer("handle")), epoch: result.integer("epoch"), seq: result.integer("seq"),
        isNew: result.flag("created"), digest: UInt32(truncatingIfNeeded: result.integer("digest")), warnings: [])
    case .subscribe:
      writer.subscribed(
        id, subscription: Int(result.integer("subscription")), matched: Int(result.integer("matched")), warnings: [])
    case .event: decided(request, result)
    default: writer.done(id, warnings: [])
    }
    if let warnings = message.value("warnings") { writer.add(warnings: warnings) }
  }

  private mutating func welcome(_ id: UInt64, _ result: LenientRecord) {
    let bits = [
      "publish": HEADER_WIRE_ROLE_PUBLISH, "subscribe": HEADER_WIRE_ROLE_SUBSCRIBE, "admin": HEADER_WIRE_ROLE_ADMIN,
      "tune": HEADER_WIRE_ROLE_TUNE,
    ]
    let roles = result.values("roles").compactMap(\.text).reduce(0) { $0 | (bits[$1] ?? 0) }
    writer.welcome(
      id, protocol: Int(result.integer("protocol")), roles: UInt8(roles), connection: Int(result.integer("connection")),
      time: Instant(seconds: result.number("time")), result: result.record)
  }

  private mutating func decided(_ request: FramedRequest, _ result: LenientRecord) {
    let results = result.has("results") ? result.list("results") : [result]
    writer.decided(request.id, seq: result.integer("seq"), count: results.count, warnings: []) { writer in
      for (index, record) in results.enumerated() {
        var answer = EventAnswer()
        answer.seq = record.integer("seq")
        answer.targetOffset = record.value("targetOffset").map { Point().filled(from: $0) }
        answer.consumed = record.value("consumed").map { Point().filled(from: $0) }
        answer.residual = record.value("residual").map { Point().filled(from: $0) }
        if request.calls.contains(index) {
          answer.result = record.value("returned")
          writer.decision(answer, .call)
        } else {
          if case .bool(let returned)? = record.value("returned") { answer.returned = returned }
          answer.rewrittenBy = record.value("rewrittenBy")?.text
          writer.decision(answer, record.has("rewrittenBy") ? .willEndDragging : .didScroll)
        }
      }
    }
  }

  // MARK: - States

  /// The header's number, once its names are written.
  private mutating func handle(_ params: LenientRecord, _ used: StateNames) -> Int {
    let header = params.text("header")
    let handle = handles.handle(of: header)
    guard names[handle].map({ !used.isSubset(of: $0) }) ?? true else { return handle }
    names[handle] = used
    writer.names(
      handle: handle, of: header,
      HeaderNames(
        drawers: used.drawers.all, scrollViews: used.scrollViews.all, elements: used.elements.all, delegates: [],
        values: used.values.all, notices: []))
    return handle
  }

  private mutating func state(_ state: LenientRecord) {
    let counts = [
      state.values("drawers").count, state.values("elements").count, state["scrollViews"].record.fields.count,
      state["values"].record.fields.count,
    ]
    guard counts.allSatisfy({ $0 <= Int(UInt16.max) / 2 }) else { return }
    let used = StateNames(state)
    let handle = handle(state, used)
    writer.state(state, handle, names[handle] ?? used)
  }
}

extension FrameWriter {
  fileprivate mutating func jsonFrame(_ line: [UInt8]) {
    jsonFrame { writer in unsafe line.withUnsafeBytes { unsafe writer.raw($0) } }
  }

  fileprivate mutating func state(_ state: LenientRecord, _ handle: Int, _ names: StateNames) {
    let entries = StateEntries(state, names)
    var head = header_wire_state()
    head.handle = UInt64(handle)
    head.tracking_scroll_view = tracking(state, names)
    line = state
    header_wire_state.members(&self, &head, HeaderState(header: "", epoch: 0), [])
    head.flags |= entries.flags
    if state.has("explanation") { head.flags |= UInt32(HEADER_WIRE_HAS_EXPLANATION) }
    (head.drawers, head.scroll_views) = (entries.drawerCount, entries.viewCount)
    (head.elements, head.values) = (entries.elementCount, entries.valueCount)
    begin(head)
    put(entries, names)
    let lists = count
    happened(state)
    if state.has("ahead") { ahead(state["ahead"], names, lists: lists) }
    end(HEADER_WIRE_STATE)
  }

  /// How a state goes on, at the end of its frame.
  /// - Parameter lists: where its lists begin, which have the size.
  mutating func ahead(_ ahead: LenientRecord, _ names: StateNames, lists: Int) {
    let (place, offset, isDragged) = (count, ahead.number("offset"), ahead.has("dragged"))
    ways(ahead, offset, names, isDragged ? HEADER_WIRE_HAS_DRAGGED : 0)
    if isDragged { ways(ahead["dragged"], offset, names, 0) }
    patch(UInt32(truncatingIfNeeded: count - place), at: lists + 20)
  }

  /// - Parameter flags: those beside REVERSIBLE.
  private mutating func ways(_ ahead: LenientRecord, _ offset: Double, _ names: StateNames, _ flags: Int) {
    let (growing, shrinking) = (ahead.entries("growing"), ahead.entries("shrinking"))
    put(
      header_wire_ahead(
        offset: offset, growing: UInt16(growing.count), shrinking: UInt16(shrinking.count),
        flags: UInt32(flags | (ahead.flag("reversible") ? HEADER_WIRE_REVERSIBLE : 0))))
    for keyframe in growing + shrinking {
      let (place, entries) = (count, StateEntries(keyframe, names))
      put(
        header_wire_keyframe(
          size: 0, flags: entries.flags, offset: keyframe.number("offset"), drawers: entries.drawerCount,
          scroll_views: entries.viewCount, elements: entries.elementCount, values: entries.valueCount))
      put(entries, names)
      patch(UInt32(truncatingIfNeeded: count - place), at: place)
    }
  }

  private mutating func put(_ entries: StateEntries, _ names: StateNames) {
    for drawer in entries.drawers {
      record(header_wire_drawer(named: names.drawers.place(of: drawer.text("name"))), line: drawer)
    }
    for field in entries.views {
      let (line, place) = (LenientRecord(field.value), names.scrollViews.place(of: field.name))
      var view = ScrollView()
      view.contentInset = line.value("contentInset").flatMap { Insets.read($0) } ?? Insets()
      record(header_wire_scroll_view(named: place), view, line: line)
    }
    for element in entries.elements {
      var wire = header_wire_element(named: names.elements.place(of: element.text("name")))
      wire.drawer = UInt16(names.drawers.place(of: element.text("drawer")))
      record(wire, line: element)
    }
    for value in entries.values {
      content(NamedValue.Content(value.value) ?? .null, name: names.values.place(of: value.name))
    }
    if entries.line.has("wants") { record(header_wire_wants(), line: entries.line["wants"]) }
    if entries.line.has("position") { record(header_wire_position(), line: entries.line["position"]) }
  }

  /// Absent means the only one; that is unknown where `fields` leaves the scroll views out.
  private func tracking(_ state: LenientRecord, _ names: StateNames) -> Int16 {
    switch state.value("trackingScrollView") {
    case nil: names.scrollViews.all.isEmpty ? -1 : 0
    case .text(let name)?: Int16(truncatingIfNeeded: names.scrollViews.place(of: name))
    default: -1
    }
  }

  private mutating func happened(_ state: LenientRecord) {
    let (notices, commands) = (state.list("notices"), state.list("commands"))
    let (animations, calls) = (state.list("animations"), state.list("calls"))
    lists(
      notices: notices.count, commands: commands.count, animations: animations.count, calls: calls.count,
      lost: Int(state.integer("noticesLost")))
    for notice in notices { record(header_wire_notice(), line: notice) }
    for command in commands { record(header_wire_command(), line: command) }
    for animation in animations { record(header_wire_animation(), line: animation) }
    for call in calls { record(header_wire_call(), line: call) }
    if state.has("explanation") { explanation(HeaderState.Explained(state["explanation"].record)) }
  }
}

// MARK: - Records of a line

/// A record of a line, in which missing members and members of another type have their defaults.
struct LenientRecord {
  let record: Value.Record

  init(_ value: Value?) {
    if case .record(let record)? = value { self.record = record } else { record = Value.Record() }
  }

  subscript(name: String) -> LenientRecord { LenientRecord(record[name]) }
  func value(_ name: String) -> Value? { record[name] }
  func has(_ name: String) -> Bool { record[name] != nil }
  func flag(_ name: String) -> Bool { record[name] == .bool(true) }
  func text(_ name: String) -> String { record[name]?.text ?? "" }
  func values(_ name: String) -> [Value] { if case .list(let list)? = record[name] { list } else { [] } }
  func list(_ name: String) -> [LenientRecord] { values(name).map { LenientRecord($0) } }
  /// As many of a list as a frame can count.
  func entries(_ name: String) -> [LenientRecord] { values(name).prefix(Int(UInt16.max)).map { LenientRecord($0) } }
  func number(_ name: String) -> Double { record[name]?.number ?? 0 }

  /// At least 0.
  func integer(_ name: String) -> Int64 { Int64(max(0, min(number(name), 0x1p53))) }
}

/// The entries of a line's state or keyframe that have names.
private struct StateEntries {
  let line: LenientRecord
  let drawers: [LenientRecord]
  let views: [Value.Record.Field]
  let elements: [LenientRecord]
  let values: [Value.Record.Field]

  init(_ line: LenientRecord, _ names: StateNames) {
    self.line = line
    drawers = line.entries("drawers").filter { names.drawers.has($0.text("name")) }
    views = line["scrollViews"].record.fields.prefix(Int(UInt16.max)).filter { names.scrollViews.has($0.name) }
    elements = line.entries("elements").filter { names.elements.has($0.text("name")) }
    values = line["values"].record.fields.prefix(Int(UInt16.max)).filter { names.values.has($0.name) }
  }

  /// Which parts there are beside those that are counted.
  var flags: UInt32 {
    UInt32((line.has("wants") ? HEADER_WIRE_HAS_WANTS : 0) | (line.has("position") ? HEADER_WIRE_HAS_POSITION : 0))
  }

  var drawerCount: UInt16 { UInt16(drawers.count) }
  var viewCount: UInt16 { UInt16(views.count) }
  var elementCount: UInt16 { UInt16(elements.count) }
  var valueCount: UInt16 { UInt16(values.count) }
}

/// Names of one part, and where each stands.
struct NameList {
  private(set) var all: [String] = []
  private var places: [String: Int] = [:]

  init(_ names: [String]) {
    for name in names where places[name] == nil {
      places[name] = all.count
      all.append(name)
    }
  }

  func has(_ name: String) -> Bool { places[name] != nil }
  func place(of name: String) -> Int { places[name] ?? 0 }
  func isSubset(of other: NameList) -> Bool { all.allSatisfy { other.places[$0] != nil } }
}

/// The names that stand in a state, also those that `fields` leaves out and others refer to.
struct StateNames {
  let drawers: NameList
  let scrollViews: NameList
  let elements: NameList
  let values: NameList

  init(_ names: HeaderNames) {
    (drawers, scrollViews) = (NameList(names.drawers), NameList(names.scrollViews))
    (elements, values) = (NameList(names.elements), NameList(names.values))
  }

  init(_ state: LenientRecord) {
    let changed = state.list("elements")
    elements = NameList(changed.map { $0.text("name") })
    drawers = NameList(state.list("drawers").map { $0.text("name") } + changed.map { $0.text("drawer") })
    let tracking = state.text("trackingScrollView")
    scrollViews = NameList(state["scrollViews"].record.fields.map(\.name) + (tracking.isEmpty ? [] : [tracking]))
    values = NameList(state["values"].record.fields.map(\.name))
  }

  func isSubset(of other: StateNames) -> Bool {
    drawers.isSubset(of: other.drawers) && scrollViews.isSubset(of: other.scrollViews)
      && elements.isSubset(of: other.elements) && values.isSubset(of: other.values)
  }
}

extension HeaderError {
  fileprivate init(_ record: LenientRecord) {
    var data = record["data"].record
    let name = data["name"]?.text.flatMap { ErrorName(rawValue: $0) }
    data["name"] = nil
    self.init(name ?? .internalError, record.text("message"), facts: data)
  }
}
