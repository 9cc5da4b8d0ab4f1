// SPDX-License-Identifier: MIT
//
// The text between the numbers of a header's states, for one way of reading them, ready to be copied:
//
//     {"jsonrpc":"2.0","method":"state","params":{"header":"main","epoch":1763690400000001,"seq":    58,"time":1.25 …
//     ╰─────────────────────────────────────── the head ─────────────────────────────────────────╯
//     {"name":"navBar","frame":{"x":0,"y":    7.5    ,"width":375,"height":44    …
//     ╰─────────── a piece ──────────────╯           ╰─────── a piece ───────╯
//
// This is the only way in which states become JSON; a template that is used once serves as well. Numbers that rarely change
// are part of a piece, with their bits stored beside it: the piece is copied if the state has the
// same bits, else written anew and kept. Numbers that do change are written into the gaps between the pieces.
//
// A template is valid as long as its header keeps its `HeaderNames`, and has pieces for the entries that the subscription's
// `fields` choose. Rare parts are written anew for each state (StateEncoder.swift).

internal import CHeaderWire
public import HeaderModel

/// The text of one header's states for one way of reading them; about 500 bytes for two drawers.
public final class StateTemplate {
  /// The wanted positions; nil: all.
  let selection: StateSelection?
  /// The grid of lengths; nil: they are exact.
  let grid: Grid?
  private var names: HeaderNames?
  private var epoch: Int64 = 0
  /// The head; then the chosen drawers, scroll views and values.
  fileprivate private(set) var content = Bytes()
  /// How many of each are chosen; nil: the part is left out.
  fileprivate private(set) var drawers: Int?
  fileprivate private(set) var scrollViews: Int?
  fileprivate private(set) var values: Int?

  /// Bytes of a line at most, without what JSONWriter writes in between.
  fileprivate private(set) var room = 0
  /// How one of the header's states goes on; nil: it is not known, or not wanted.
  public var ahead: StateAhead?

  /// A template that the first state fills.
  public init(_ selection: StateSelection? = nil, on grid: Grid? = nil) {
    self.selection = selection
    self.grid = grid
  }

  /// Makes the template anew if the state's structure has changed.
  @inline(__always)
  fileprivate func fit(_ state: borrowing HeaderState) {
    if names !== state.names || epoch != state.epoch { make(for: state) }
  }

  @inline(never)
  private func make(for state: borrowing HeaderState) {
    let names = state.names
    (self.names, epoch) = (names, state.epoch)
    content.removeAll(keepingUpTo: .max)
    var head = JSONWriter()
    head.raw(StateEncoder.notificationHead)
    head.beginText()
    head.beginObject()
    head.member("header", state.header)
    head.member("epoch", Int(state.epoch))
    head.key("seq")
    Piece.add(to: &content, beginning: head.copy(), room: 16)
    drawers = addEach(names.drawers, selection?.drawers) { maker, name in
      maker.writer.beginObject()
      maker.writer.member("name", name)
      maker.visit(header_wire_drawer(), header_wire_drawer.sample)
    }
    scrollViews = addEach(names.scrollViews, selection?.scrollViews) { maker, name in
      maker.writer.key(named: name)
      maker.writer.beginObject()
      maker.visit(header_wire_scroll_view(), header_wire_scroll_view.sample)
    }
    values =
      names.values.isEmpty
      ? nil
      : addEach(names.values, selection?.values) { maker, name in
        maker.writer.key(named: name)
        maker.end(room: 16)
      }
    room = content.count + 256 + names.drawers.count * 352 + names.scrollViews.count * 1024 + names.values.count * 40
    // As many bytes as a cursor may read beyond a piece.
    content.reserve(exactly: ByteCursor.slack)
    for _ in 0..<ByteCursor.slack { content.push(0) }
  }

  /// Adds the chosen entries of a part: for each its index and its pieces.
  /// - Returns: how many; nil when the part is left out.
  private func addEach(
    _ names: [String], _ chosen: StateSelection.Choice?, _ write: (inout PieceMaker, String) -> Void
  ) -> Int? {
    if let chosen, !chosen.includesAny(names) { return nil }
    var count = 0
    for (index, name) in names.enumerated() where chosen?.includes(name) ?? true {
      content.reserve(exactly: MemoryLayout<UInt32>.size)
      content.store(UInt32(truncatingIfNeeded: index))
      var maker = PieceMaker()
      write(&maker, name)
      for piece in maker.pieces { Piece.add(to: &content, beginning: piece.text, room: piece.room) }
      count += 1
    }
    return count
  }
}

/// A text that is ready, with two numbers in it or one or none. As it lies in memory:
///
///     the numbers' bits │ sizes: of the beginning, of the text, of its room │ beginning, numbers, words between them │ room
///
/// The beginning has no numbers. A text that does not fit into its room is not kept.
@safe private struct Piece {
  private static let sizesPlace = 16
  private static let textPlace = 22

  private var place: UnsafeMutableRawPointer

  @inline(__always)
  init(_ place: UnsafeMutableRawPointer) { unsafe self.place = place }

  /// Adds a piece without numbers yet: its beginning, and room behind it.
  static func add(to content: inout Bytes, beginning: [UInt8] = [], room: Int) {
    let count = beginning.count
    content.reserve(exactly: textPlace + count + room)
    // The bits of a signaling NaN, which no arithmetic comes to.
    for _ in 0..<2 { content.store(0x7FF0_0000_0000_0001 as UInt64) }
    content.store(UInt16(count))
    content.store(UInt16(count))
    content.store(UInt16(count + room))
    for byte in beginning { content.push(byte) }
    for _ in 0..<room { content.push(0) }
  }

  /// Reads the index that stands before an entry's pieces.
  @inline(__always)
  mutating func readIndex() -> Int {
    let index = unsafe place.loadUnaligned(as: UInt32.self)
    unsafe place += MemoryLayout<UInt32>.size
    return Int(index)
  }

  @inline(__always)
  private func size(_ index: Int) -> Int {
    unsafe Int(place.loadUnaligned(fromByteOffset: Self.sizesPlace + 2 * index, as: UInt16.self))
  }

  @inline(__always)
  mutating func skip() { unsafe place += Self.textPlace + size(2) }

  /// Writes its beginning alone, without some of its first bytes.
  @inline(__always)
  mutating func putBeginning(without skipped: Int = 0, with cursor: inout ByteCursor) {
    unsafe cursor.put(from: place + Self.textPlace + skipped, upTo: place + Self.textPlace + size(0))
    skip()
  }

  /// Writes it with these numbers in it, which are put behind its beginning if others are there.
  @inline(__always)
  mutating func put(
    _ first: Double, _ second: Double = 0, with cursor: inout ByteCursor, _ write: (inout ByteCursor) -> Void
  ) {
    let bits = (first.bitPattern, second.bitPattern)
    if unsafe place.loadUnaligned(as: UInt64.self) == bits.0,
      unsafe place.loadUnaligned(fromByteOffset: 8, as: UInt64.self) == bits.1
    {
      unsafe cursor.put(from: place + Self.textPlace, upTo: place + Self.textPlace + size(1))
    } else {
      let start = unsafe cursor.place
      unsafe cursor.put(from: place + Self.textPlace, upTo: place + Self.textPlace + size(0))
      write(&cursor)
      unsafe keep(UnsafeRawBufferPointer(start: start, count: cursor.place - start), bits)
    }
    skip()
  }

  @inline(never)
  private func keep(_ text: UnsafeRawBufferPointer, _ bits: (UInt64, UInt64)) {
    guard text.count <= size(2) else { return }
    unsafe place.storeBytes(of: bits.0, as: UInt64.self)
    unsafe place.storeBytes(of: bits.1, toByteOffset: 8, as: UInt64.self)
    unsafe place.storeBytes(of: UInt16(text.count), toByteOffset: Self.sizesPlace + 2, as: UInt16.self)
    unsafe UnsafeMutableRawBufferPointer(start: place + Self.textPlace, count: text.count).copyMemory(from: text)
  }
}

extension StateEncoder {
  /// The beginning of a notification before its state.
  fileprivate static let notificationHead: StaticString = "{\"jsonrpc\":\"2.0\",\"method\":\"state\",\"params\":"

  /// Writes the notification, a whole line; returns which of the writer's bytes say what is where, the lists being behind them.
  @discardableResult
  public static func notification(
    _ state: borrowing HeaderState, _ parts: Parts = [], _ template: StateTemplate, into writer: inout JSONWriter
  ) -> Range<Int> {
    var places = 0..<0
    var cursor = write(state, parts, template, without: 0, &places, &writer)
    cursor.put("}}\n")
    writer.commitLine(cursor)
    return places
  }

  /// Writes the state alone, an object.
  public static func object(
    _ state: borrowing HeaderState, _ parts: Parts = [], _ template: StateTemplate = StateTemplate(),
    into writer: inout JSONWriter
  ) {
    // The comma before it, if one is due.
    writer.piece(atMost: 0) { _ in }
    var places = 0..<0
    var cursor = write(state, parts, template, without: notificationHead.utf8CodeUnitCount, &places, &writer)
    cursor.put("}")
    writer.commit(cursor)
  }

  /// Writes a template's head, without some of its first bytes, and the state up to its closing brace.
  /// - Parameter places: set to which of the writer's bytes say what is where.
  @inline(__always)
  private static func write(
    _ state: borrowing HeaderState, _ parts: Parts, _ template: StateTemplate, without skipped: Int,
    _ places: inout Range<Int>, _ writer: inout JSONWriter
  ) -> ByteCursor {
    template.fit(state)
    let (drawers, views, values) = (state.drawers.span, state.scrollViews.span, state.values.span)
    let room = template.room
    var piece = unsafe Piece(template.content.start)
    var cursor = writer.cursor(atMost: room)
    piece.putBeginning(without: skipped, with: &cursor)
    cursor.put(Int(state.seq))
    cursor.put(",\"time\":")
    cursor.put(state.time)
    if parts.contains(.snapshot) { cursor.put(",\"snapshot\":true") }
    let start = writer.count(upTo: cursor)
    if views.count != 1 || state.trackingScrollView != 0 || state.framesActive {
      writer.suspend(&cursor, room: room) { flags(state, &$0) }
    }
    if let count = template.drawers {
      cursor.put(",\"drawers\":[")
      for number in 0..<count {
        if number > 0 { cursor.put(",") }
        (piece, cursor) =
          template.grid.map { put(header_wire_drawer.self, of: drawers, on: $0, piece, cursor) }
          ?? put(header_wire_drawer.self, of: drawers, piece, cursor)
      }
      cursor.put("]")
    }
    if !state.elements.isEmpty {
      writer.suspend(&cursor, room: room) {
        $0.on(template.grid) { elements(state, template.selection?.elements ?? .all, state.names, &$0) }
      }
    }
    if let count = template.scrollViews {
      cursor.put(",\"scrollViews\":{")
      for number in 0..<count {
        if number > 0 { cursor.put(",") }
        (piece, cursor) =
          template.grid.map { put(header_wire_scroll_view.self, of: views, on: $0, piece, cursor) }
          ?? put(header_wire_scroll_view.self, of: views, piece, cursor)
      }
      cursor.put("}")
    }
    if let count = template.values {
      cursor.put(",\"values\":{")
      for number in 0..<count {
        if number > 0 { cursor.put(",") }
        let index = piece.readIndex()
        piece.putBeginning(with: &cursor)
        switch values[index].content {
        case .null: cursor.put("null")
        case .bool(true): cursor.put("true")
        case .bool(false): cursor.put("false")
        case .number(let number):
          if let grid = template.grid, state.names.lengths[index] {
            cursor.put(grid.rounded(number))
          } else {
            cursor.put(number)
          }
        case .text(let text): writer.suspend(&cursor, isName: true, room: room) { $0.string(text) }
        }
      }
      cursor.put("}")
    }
    if state.hasWants || state.hasPosition {
      writer.suspend(&cursor, room: room) {
        $0.on(template.grid) {
          wants(state, template.selection, &$0)
          position(state, &$0)
        }
      }
    }
    if let ahead = template.ahead, ahead.seq == state.seq {
      writer.suspend(&cursor, room: room) {
        $0.key("ahead")
        $0.value(.record(record(of: ahead, template.selection)))
      }
    }
    places = start..<writer.count(upTo: cursor)
    if !state.happened.isEmpty, parts.isDisjoint(with: [.snapshot, .positionsOnly]) {
      writer.suspend(&cursor, room: room) { happened(state, parts, state.names, &$0) }
    }
    return cursor
  }

  /// Writes a record without rounding. Takes and returns the places in the template and in the line, so that they stay in registers.
  @inline(never)
  private static func put<Record: NamedRecord>(
    _: Record.Type, of sources: Span<Record.Source>, _ piece: Piece, _ cursor: ByteCursor
  ) -> (Piece, ByteCursor) {
    putInline(Record.self, of: sources, on: nil, piece, cursor)
  }

  /// The same with rounding, which the compiler leaves out of the other one.
  @inline(never)
  private static func put<Record: NamedRecord>(
    _: Record.Type, of sources: Span<Record.Source>, on grid: Grid, _ piece: Piece, _ cursor: ByteCursor
  ) -> (Piece, ByteCursor) {
    putInline(Record.self, of: sources, on: grid, piece, cursor)
  }

  @inline(__always)
  private static func putInline<Record: NamedRecord>(
    _: Record.Type, of sources: Span<Record.Source>, on grid: Grid?, _ piece: Piece, _ cursor: ByteCursor
  ) -> (Piece, ByteCursor) {
    var (writer, record) = (TemplateWriter(piece: piece, cursor: cursor, grid: grid), Record())
    let index = writer.piece.readIndex()
    Record.members(&writer, &record) { sources[index] }
    writer.cursor.put("}")
    return (writer.piece, writer.cursor)
  }
}

// MARK: - Members

/// Makes the pieces of a record.
private struct PieceMaker: StateMembers, ~Copyable {
  var writer = JSONWriter()
  private(set) var pieces: [(text: [UInt8], room: Int)] = []

  /// Ends a piece; the next one begins here.
  mutating func end(room: Int) {
    pieces.append((writer.copy(), room))
    writer.removeAll()
    // A comma is due before the next member.
    writer.piece(atMost: 0) { _ in }
  }

  mutating func add<Content: MemberContent>(
    _ member: StateMember<Content>, _: inout Content.Wire, _: () -> Content
  ) -> Bool {
    let rooms = Content.rooms(member.presence)
    if case .always = member.presence, !rooms.isEmpty {
      writer.key(member.name)
      writer.raw("{\"x\":")
    }
    for room in rooms { end(room: room) }
    return true
  }
}

/// Writes the members of a record between the template's pieces.
struct TemplateWriter: StateMembers {
  fileprivate var (piece, cursor): (Piece, ByteCursor)
  /// The grid of lengths; nil: they are exact.
  fileprivate let grid: Grid?

  @inline(__always)
  mutating func add<Content: MemberContent>(
    _ member: StateMember<Content>, _: inout Content.Wire, _ content: () -> Content
  ) -> Bool {
    if case .only(if: false) = member.presence { return false }
    if let grid {
      let (member, content) = member.rounded(content(), to: grid)
      content.put(member, &self)
    } else {
      content().put(member, &self)
    }
    return true
  }
}

extension MemberContent {
  static func rooms(_: Presence<Self>) -> [Int] { [] }

  @inline(__always)
  func put(_ member: StateMember<Self>, _ writer: inout TemplateWriter) {
    if let absent = member.presence.absent, self == absent { return }
    writer.cursor.putName(member.name)
    put(with: &writer.cursor)
  }
}

extension Point {
  static func rooms(_ presence: Presence<Self>) -> [Int] {
    switch presence {
    case .always: [16]
    case .steady: [44]
    case .unless, .only: []
    }
  }

  @inline(__always)
  func put(_ member: StateMember<Self>, _ writer: inout TemplateWriter) {
    switch member.presence {
    case .always:
      writer.putPlace(self)
      writer.cursor.put("}")
    case .steady(let absent):
      if self == absent { return writer.piece.skip() }
      writer.piece.put(x, y, with: &writer.cursor) {
        $0.putName(member.name)
        $0.put(self)
      }
    case .unless(let absent) where self == absent: break
    case .unless, .only:
      writer.cursor.putName(member.name)
      put(with: &writer.cursor)
    }
  }
}

extension Rect {
  static func rooms(_ presence: Presence<Self>) -> [Int] { if case .always = presence { [16, 40] } else { [] } }

  @inline(__always)
  func put(_ member: StateMember<Self>, _ writer: inout TemplateWriter) {
    if case .always = member.presence {
      writer.putPlace(origin)
      writer.piece.put(size.width, size.height, with: &writer.cursor) { $0.putRest(of: size) }
    } else {
      writer.cursor.putName(member.name)
      put(with: &writer.cursor)
    }
  }
}

extension TemplateWriter {
  /// A shape's first two numbers: mostly y alone changes.
  @inline(__always)
  fileprivate mutating func putPlace(_ point: Point) {
    piece.put(point.x, with: &cursor) {
      $0.put(point.x)
      $0.put(",\"y\":")
    }
    cursor.putInline(point.y)
  }
}

extension JSONWriter {
  /// Lets `body` write with the writer itself behind what a cursor wrote, and gives the cursor new room behind that.
  /// - Parameter isName: the cursor has just written a member's name and its colon.
  @inline(__always)
  fileprivate mutating func suspend(
    _ cursor: inout ByteCursor, isName: Bool = false, room: Int, _ body: (inout JSONWriter) -> Void
  ) {
    commit(cursor, isName: isName)
    body(&self)
    cursor = self.cursor(atMost: room)
  }
}
