// SPDX-License-Identifier: MIT
//
// A header's state as a STATE frame, straight from the header's own record: the same facts as in its line, with defaults
// written out and names as indexes of the header's NAMES frame.
//
//     head │ drawers │ scroll views │ elements │ values │ wants │ position │ lists: counts │ notices │ commands │ … │ ahead
//     ╰─────────────────── positions ──────────────────────────────────────╯╰────────── what happened ───────────╯
//
// As in the line, positions do not depend on the subscription and lists do; a waiting state keeps the newest positions byte
// for byte and gets new lists (ConflatedLists.swift) and a new size.

internal import CHeaderWire
public import HeaderModel

extension StateEncoder {
  /// Writes the frame; returns how many of the writer's bytes stand before the lists.
  /// - Parameters:
  ///   - selection: the wanted positions; nil: all.
  ///   - grid: the grid of lengths; nil: they are exact.
  ///   - ahead: how one of the header's states goes on; nil: it is not known, or not wanted.
  @discardableResult
  public static func frame(
    _ state: borrowing HeaderState, handle: Int, _ parts: Parts = [], _ selection: StateSelection? = nil,
    on grid: Grid? = nil, ahead: StateAhead? = nil, into writer: inout FrameWriter
  ) -> Int {
    if selection == nil, grid == nil, ahead == nil, let lists = usual(state, handle, parts, &writer) { return lists }
    return unusual(state, handle, parts, selection, grid, ahead, &writer)
  }

  /// Where a frame begins to say what is where, behind its numbers and flags.
  public static var placesOfFrame: Int { 44 }

  @inline(never)
  private static func unusual(
    _ state: borrowing HeaderState, _ handle: Int, _ parts: Parts, _ selection: StateSelection?, _ grid: Grid?,
    _ ahead: StateAhead?, _ writer: inout FrameWriter
  ) -> Int {
    let wants = selection?.chosen(state.wants) ?? state.wants
    var head = head(state, handle, parts)
    if !wants.isNothing { head.flags |= UInt32(HEADER_WIRE_HAS_WANTS) }
    if state.hasPosition { head.flags |= UInt32(HEADER_WIRE_HAS_POSITION) }
    if explanation(of: state, parts) != nil { head.flags |= UInt32(HEADER_WIRE_HAS_EXPLANATION) }
    writer.grid = grid
    positions(state, selection ?? StateSelection(), head, &writer)
    if !wants.isNothing { writer.record(header_wire_wants(), wants) }
    if let report = state.position { writer.record(header_wire_position(), report) }
    writer.grid = nil
    let lists = writer.count
    happened(state, parts, &writer)
    if let ahead, ahead.seq == state.seq {
      writer.ahead(LenientRecord(.record(record(of: ahead, selection))), StateNames(state.names), lists: lists)
    }
    writer.end(HEADER_WIRE_STATE)
    return lists
  }

  @inline(__always)
  private static func head(_ state: borrowing HeaderState, _ handle: Int, _ parts: Parts) -> header_wire_state {
    var head = header_wire_state()
    var filler = FrameFiller()
    header_wire_state.members(&filler, &head, state, parts)
    head.handle = UInt64(truncatingIfNeeded: handle)
    return head
  }

  /// Writes a state of nothing but drawers, scroll views and plain values, as most are: its size is known, so it is written in
  /// one piece. Nil for all others.
  @inline(__always)
  private static func usual(
    _ state: borrowing HeaderState, _ handle: Int, _ parts: Parts, _ writer: inout FrameWriter
  ) -> Int? {
    guard state.elements.isEmpty, state.happened.isEmpty, !state.hasWants || state.wants.isNothing, !state.hasPosition
    else {
      return nil
    }
    let (drawers, views, values) = (state.drawers.span, state.scrollViews.span, state.values.span)
    for index in values.indices { if case .text = values[index].content { return nil } }
    var head = head(state, handle, parts)
    head.drawers = UInt16(truncatingIfNeeded: drawers.count)
    head.scroll_views = UInt16(truncatingIfNeeded: views.count)
    head.values = UInt16(truncatingIfNeeded: values.count)
    let positions =
      MemoryLayout<header_wire_state>.size + drawers.count &* MemoryLayout<header_wire_drawer>.size
      &+ views.count &* MemoryLayout<header_wire_scroll_view>.size
      &+ values.count &* MemoryLayout<header_wire_value>.size
    let size = positions &+ MemoryLayout<header_wire_lists>.size
    head.frame.size = UInt32(truncatingIfNeeded: size)
    head.frame.kind = UInt16(HEADER_WIRE_STATE)
    let lists = writer.count &+ positions
    writer.write(atMost: size) { cursor in
      cursor.store(head)
      for index in drawers.indices { cursor.store(header_wire_drawer(named: index) { drawers[index] }) }
      for index in views.indices { cursor.store(header_wire_scroll_view(named: index) { views[index] }) }
      for index in values.indices { cursor.store(header_wire_value(values[index].content, name: index)) }
      cursor.store(header_wire_lists())
    }
    return lists
  }

  /// The entries that are wanted; their numbers are filled into the head behind them.
  private static func positions(
    _ state: borrowing HeaderState, _ selection: StateSelection, _ head: header_wire_state, _ writer: inout FrameWriter
  ) {
    let names = state.names
    let place = writer.count
    var (drawers, views, values) = (UInt16(0), UInt16(0), UInt16(0))
    writer.begin(head)
    for index in state.drawers.indices where selection.drawers.includes(names.drawers[index]) {
      drawers &+= 1
      writer.put(header_wire_drawer(named: index, on: writer.grid) { state.drawers[index] })
    }
    for index in state.scrollViews.indices where selection.scrollViews.includes(names.scrollViews[index]) {
      views &+= 1
      writer.put(header_wire_scroll_view(named: index, on: writer.grid) { state.scrollViews[index] })
    }
    writer.patch(elements(state, selection.elements, &writer), at: place + 50)
    for index in state.values.indices where selection.values.includes(names.values[index]) {
      values &+= 1
      writer.content(state.values[index].content.rounded(to: writer.grid, names.lengths[index]), name: index)
    }
    writer.patch(drawers, at: place + 46)
    writer.patch(views, at: place + 48)
    writer.patch(values, at: place + 52)
  }

  /// The elements that are wanted and that a delegate has changed; returns how many.
  private static func elements(
    _ state: borrowing HeaderState, _ chosen: StateSelection.Choice, _ writer: inout FrameWriter
  ) -> UInt16 {
    var count: UInt16 = 0
    for index in state.elements.indices
    where state.elements[index].isChanged && chosen.includes(state.names.elements[index]) {
      count &+= 1
      writer.record(header_wire_element(named: index), (state.elements[index], state.names))
    }
    return count
  }

  private static func happened(_ state: borrowing HeaderState, _ parts: Parts, _ writer: inout FrameWriter) {
    let place = writer.count
    writer.put(header_wire_lists())
    guard !state.happened.isEmpty, parts.isDisjoint(with: [.snapshot, .positionsOnly]) else { return }
    var lists = header_wire_lists()
    let names = state.names
    for index in state.happened.notices.indices {
      let notice = state.happened.notices[index]
      if notice.isRoutine, !parts.contains(.routine) { continue }
      lists.notices += 1
      writer.record(header_wire_notice(), ConflatedLists.Notice(notice, names))
    }
    for command in state.happened.commands { writer.record(header_wire_command(), (command, names)) }
    for animation in state.happened.animations { writer.record(header_wire_animation(), (animation, names)) }
    lists.commands = UInt32(state.happened.commands.count)
    lists.animations = UInt32(state.happened.animations.count)
    if parts.contains(.calls) {
      for call in state.happened.calls { writer.record(header_wire_call(), (call, names)) }
      lists.calls = UInt32(state.happened.calls.count)
    }
    writer.patch(lists, at: place)
    if let explanation = explanation(of: state, parts) { writer.explanation(explanation) }
  }

  private static func explanation(of state: borrowing HeaderState, _ parts: Parts) -> HeaderState.Explained? {
    guard parts.contains(.explanation), parts.isDisjoint(with: [.snapshot, .positionsOnly]) else { return nil }
    return state.happened.explanation
  }
}

extension header_wire_value {
  /// A text stands behind it.
  @inline(__always)
  fileprivate init(_ content: borrowing NamedValue.Content, name: Int) {
    self.init()
    self.name = UInt16(truncatingIfNeeded: name)
    switch content {
    case .null: break
    case .bool(let bool):
      type = UInt8(HEADER_WIRE_BOOL)
      yes = bool ? 1 : 0
    case .number(let number):
      type = UInt8(HEADER_WIRE_NUMBER)
      self.number = number
    case .text(let text):
      type = UInt8(HEADER_WIRE_TEXT)
      text_size = UInt32(text.utf8.count)
    }
  }
}

extension FrameWriter {
  mutating func content(_ content: NamedValue.Content, name: Int) {
    put(header_wire_value(content, name: name))
    if case .text(let text) = content { self.text(text) }
  }

  /// How many entries of each list follow.
  mutating func lists(notices: Int, commands: Int, animations: Int, calls: Int, lost: Int) {
    put(
      header_wire_lists(
        notices: UInt32(notices), commands: UInt32(commands), animations: UInt32(animations), calls: UInt32(calls),
        notices_lost: UInt32(clamping: lost), ahead_size: 0))
  }

  /// Why the state is there, as JSON.
  mutating func explanation(_ explanation: HeaderState.Explained) {
    let place = count
    put(header_wire_explanation())
    patch(value(.record(explanation.record)), at: place)
  }
}
