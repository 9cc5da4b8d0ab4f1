// SPDX-License-Identifier: MIT
//
// A header's state as a STATE frame, straight from the header's own record: the same facts as in its line, with defaults
// written out and names as indexes of the header's NAMES frame.
//
//     head │ drawers │ scroll views │ elements │ values │ wants │ position │ lists: counts │ notices │ commands │ …
//     ╰─────────────────── positions ──────────────────────────╯╰────────── what happened ───────────╯
//
// As in the line, positions do not depend on the subscription and lists do; a waiting state keeps the newest positions byte
// for byte and gets new lists (ConflatedLists.swift) and a new size.

internal import CHeaderWire
public import HeaderModel

extension StateEncoder {
  /// Writes the frame; returns how many of the writer's bytes stand before the lists.
  /// - Parameter selection: the wanted positions; nil: all.
  @discardableResult
  public static func frame(
    _ state: borrowing HeaderState, handle: Int, _ parts: Parts = [], _ selection: StateSelection? = nil,
    into writer: inout FrameWriter
  ) -> Int {
    if selection == nil, let lists = usual(state, handle, parts, &writer) { return lists }
    return unusual(state, handle, parts, selection, &writer)
  }

  @inline(never)
  private static func unusual(
    _ state: borrowing HeaderState, _ handle: Int, _ parts: Parts, _ selection: StateSelection?,
    _ writer: inout FrameWriter
  ) -> Int {
    let wants = selection?.chosen(state.wants) ?? state.wants
    var head = head(state, handle, parts)
    if !wants.isNothing { head.flags |= UInt32(HEADER_WIRE_HAS_WANTS) }
    if state.hasPosition { head.flags |= UInt32(HEADER_WIRE_HAS_POSITION) }
    if explanation(of: state, parts) != nil { head.flags |= UInt32(HEADER_WIRE_HAS_EXPLANATION) }
    positions(state, selection ?? StateSelection(), head, &writer)
    if !wants.isNothing { writer.put(header_wire_wants(wants)) }
    if let report = state.position { writer.position(report) }
    let lists = writer.count
    happened(state, parts, &writer)
    writer.end(HEADER_WIRE_STATE)
    return lists
  }

  @inline(__always)
  private static func head(_ state: borrowing HeaderState, _ handle: Int, _ parts: Parts) -> header_wire_state {
    var head = header_wire_state()
    head.handle = UInt64(truncatingIfNeeded: handle)
    head.epoch = state.epoch
    head.seq = state.seq
    head.time = state.time.nanoseconds
    head.flags = UInt32(
      (parts.contains(.snapshot) ? HEADER_WIRE_SNAPSHOT : 0) | (state.framesActive ? HEADER_WIRE_FRAMES_ACTIVE : 0))
    head.tracking_scroll_view = Int16(truncatingIfNeeded: state.trackingScrollView)
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
      for index in drawers.indices { cursor.store(header_wire_drawer(drawers[index], name: index)) }
      for index in views.indices { cursor.store(header_wire_scroll_view(views[index], name: index)) }
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
      writer.put(header_wire_drawer(state.drawers[index], name: index))
    }
    for index in state.scrollViews.indices where selection.scrollViews.includes(names.scrollViews[index]) {
      views &+= 1
      writer.put(header_wire_scroll_view(state.scrollViews[index], name: index))
    }
    writer.patch(elements(state, selection.elements, &writer), at: place + 50)
    for index in state.values.indices where selection.values.includes(names.values[index]) {
      values &+= 1
      writer.content(state.values[index].content, name: index)
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
      writer.element(state.elements[index], name: index)
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
      writer.notice(
        state.word(for: notice), of: names.delegate(of: notice), notice.arguments, count: 1,
        isRoutine: notice.isRoutine)
    }
    for command in state.happened.commands { writer.command(command, names) }
    for animation in state.happened.animations { writer.animation(animation, names) }
    lists.commands = UInt32(state.happened.commands.count)
    lists.animations = UInt32(state.happened.animations.count)
    if parts.contains(.calls) {
      for call in state.happened.calls { writer.call(call, names) }
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

// MARK: - Positions

extension header_wire_rect {
  @inline(__always)
  init(_ rect: Rect) {
    self.init(x: rect.origin.x, y: rect.origin.y, width: rect.size.width, height: rect.size.height)
  }
}

extension header_wire_insets {
  @inline(__always)
  fileprivate init(_ insets: Insets) {
    self.init(top: insets.top, left: insets.left, bottom: insets.bottom, right: insets.right)
  }
}

extension header_wire_drawer {
  @inline(__always)
  fileprivate init(_ drawer: borrowing Drawer, name: Int) {
    self.init(
      name: UInt16(truncatingIfNeeded: name), flags: drawer.isHidden ? UInt8(HEADER_WIRE_HIDDEN) : 0,
      z_index: drawer.zIndex, alpha: drawer.alpha, frame: header_wire_rect(drawer.drawnFrame),
      translation: header_wire_point(drawer.translation))
  }
}

extension header_wire_scroll_view {
  @inline(__always)
  init(_ view: borrowing ScrollView, name: Int) {
    self.init()
    self.name = UInt16(truncatingIfNeeded: name)
    content_offset = header_wire_point(view.contentOffset)
    content_inset = header_wire_insets(view.contentInset)
    scroll_indicator_insets = header_wire_insets(view.scrollIndicatorInsets)
    adjusted_content_inset = header_wire_insets(view.adjustedContentInset)
    correction = header_wire_point(view.correction)
    if view.decidesFrame {
      flags |= UInt16(HEADER_WIRE_DECIDES_FRAME)
      frame = header_wire_rect(view.frame)
    }
    if view.decidesContentSize {
      flags |= UInt16(HEADER_WIRE_DECIDES_CONTENT_SIZE)
      content_size = header_wire_size(width: view.contentSize.width, height: view.contentSize.height)
    }
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

extension header_wire_wants {
  init(_ wants: Wants) {
    self.init()
    prefers_status_bar_hidden = wants.prefersStatusBarHidden ? 1 : 0
    let style =
      switch wants.preferredStatusBarStyle {
      case nil: HEADER_WIRE_STYLE_NONE
      case .default: HEADER_WIRE_STYLE_DEFAULT
      case .lightContent: HEADER_WIRE_STYLE_LIGHT
      case .darkContent: HEADER_WIRE_STYLE_DARK
      }
    preferred_status_bar_style = UInt8(style)
    if let inset = wants.additionalSafeAreaInset {
      flags |= UInt16(HEADER_WIRE_WANTS_INSET)
      additional_safe_area_inset = header_wire_insets(inset)
    }
    if let length = wants.topLayoutGuideLength {
      flags |= UInt16(HEADER_WIRE_WANTS_LENGTH)
      top_layout_guide_length = length
    }
  }
}

extension FrameWriter {
  fileprivate mutating func position(_ report: PositionReport) {
    position(
      header_wire_position(
        progress: report.position.progress, traveled: report.position.traveled, travel: report.position.travel,
        permitted_from: report.permitted.lowerBound, permitted_to: report.permitted.upperBound,
        motion: UInt32(clamping: report.motion ?? 0), more_size: 0), report.more)
  }

  /// Constraints and obstruction stand behind it as JSON.
  mutating func position(_ record: header_wire_position, _ more: Value.Record) {
    let place = count
    put(record)
    if !more.fields.isEmpty { patch(value(.record(more)), at: place + 44) }
  }

  mutating func element(_ element: Element, name: Int) {
    var record = header_wire_element()
    record.name = UInt16(truncatingIfNeeded: name)
    record.drawer = UInt16(truncatingIfNeeded: element.drawer)
    record.center = header_wire_point(element.center)
    record.bounds = header_wire_rect(element.bounds)
    var flags = element.isHidden ? HEADER_WIRE_HIDDEN : 0
    if let frame = element.frame {
      flags |= HEADER_WIRE_HAS_FRAME
      record.frame = header_wire_rect(frame)
    } else {
      flags |= HEADER_WIRE_HAS_TRANSFORM
    }
    record.flags = UInt16(flags)
    record.z_index = element.zIndex
    record.corner_radius = element.cornerRadius
    record.alpha = element.alpha
    put(record)
    guard flags & HEADER_WIRE_HAS_TRANSFORM != 0 else { return }
    let transform = element.transform
    row(transform.row1)
    row(transform.row2)
    row(transform.row3)
    row(transform.row4)
  }

  private mutating func row(_ row: Transform.Row) {
    write(atMost: 4 * MemoryLayout<Double>.size) { cursor in
      cursor.store(row.m1)
      cursor.store(row.m2)
      cursor.store(row.m3)
      cursor.store(row.m4)
    }
  }

  mutating func content(_ content: NamedValue.Content, name: Int) {
    put(header_wire_value(content, name: name))
    if case .text(let text) = content { self.text(text) }
  }

  // MARK: - Entries of lists

  /// How many entries of each list follow.
  mutating func lists(notices: Int, commands: Int, animations: Int, calls: Int, lost: Int) {
    put(
      header_wire_lists(
        notices: UInt32(notices), commands: UInt32(commands), animations: UInt32(animations), calls: UInt32(calls),
        notices_lost: UInt32(clamping: lost), zero: 0))
  }

  /// Ends a state whose positions were copied from another frame's beginning.
  mutating func endState() { end(HEADER_WIRE_STATE) }

  mutating func notice(
    _ name: String, of delegate: String, _ arguments: Value.Record?, count: Int, isRoutine: Bool
  ) {
    let place = self.count
    put(
      header_wire_notice(
        name_size: name.size16, delegate_size: delegate.size16, count: UInt32(count), routine: isRoutine ? 1 : 0,
        arguments_size: 0))
    text(name, atMost: Int(UInt16.max))
    text(delegate, atMost: Int(UInt16.max))
    if let arguments, !arguments.fields.isEmpty { patch(value(.record(arguments)), at: place + 12) }
  }

  mutating func command(_ command: HeaderState.Command, _ names: HeaderNames) {
    self.command(command.name, for: names.scrollViews[Int(command.scrollView)], .record(command.arguments))
  }

  mutating func command(_ name: String, for view: String, _ arguments: Value) {
    let place = count
    put(header_wire_command(name_size: name.size16, scroll_view_size: view.size16, arguments_size: 0))
    text(name, atMost: Int(UInt16.max))
    text(view, atMost: Int(UInt16.max))
    patch(value(arguments), at: place + 4)
  }

  mutating func animation(_ animation: HeaderState.Animation, _ names: HeaderNames) {
    self.animation(animation, of: names.delegates[Int(animation.delegate)])
  }

  mutating func animation(_ animation: HeaderState.Animation, of delegate: String) {
    var record = header_wire_animation()
    record.duration = animation.duration
    record.delay = animation.delay
    record.delegate_size = delegate.size16
    switch animation.curve {
    case .linear: record.curve = UInt16(HEADER_WIRE_CURVE_LINEAR)
    case .easeIn: record.curve = UInt16(HEADER_WIRE_CURVE_EASE_IN)
    case .easeOut: record.curve = UInt16(HEADER_WIRE_CURVE_EASE_OUT)
    case .easeInOut: record.curve = UInt16(HEADER_WIRE_CURVE_EASE_IN_OUT)
    case .spring(let mass, let stiffness, let damping, let initialVelocity):
      record.curve = UInt16(HEADER_WIRE_CURVE_SPRING)
      record.mass = mass
      record.stiffness = stiffness
      record.damping = damping
      record.initial_velocity = initialVelocity
    }
    put(record)
    text(delegate, atMost: Int(UInt16.max))
  }

  /// Why the state is there, as JSON.
  mutating func explanation(_ explanation: HeaderState.Explained) {
    let place = count
    put(header_wire_explanation())
    patch(value(.record(explanation.record)), at: place)
  }

  mutating func call(_ call: HeaderState.Call, _ names: HeaderNames) {
    self.call(call.kind, depth: Int(call.depth), of: names.delegates[Int(call.delegate)])
  }

  mutating func call(_ kind: DelegateEventKind, depth: Int, of delegate: String) {
    put(
      header_wire_call(
        kind: UInt16(kind.rawValue), depth: UInt16(clamping: depth), delegate_size: delegate.size16, zero: 0))
    text(delegate, atMost: Int(UInt16.max))
  }
}
