// SPDX-License-Identifier: MIT
//
// A header's state as the `state` notification (headerd-protocol(7), STATES), straight from the header's own record
// into the writer's bytes, with no tree in between.
//
//     {"jsonrpc":"2.0","method":"state","params":{"header":"main","epoch":…,"seq":58,…,"values":{…},"notices":[…]}}⏎
//                                                 ╰──────────────── positions ────────────────╯╰─── what happened ──╯
//                                                                                              ╰ `lists`: where it begins
//
// An absent field has its default, so most states are short. The positions do not depend on who reads them; the lists
// do (routine notices, calls), and a waiting state that gathers the lists of those it replaced keeps the newest positions
// byte for byte (ConflatedLists.swift). That is why the encoder tells where the lists begin.

public import HeaderCore

/// Writes states.
public enum StateEncoder {
  /// What a reader asked for, and whether this is its first state of the header.
  public struct Parts: OptionSet, Hashable, Sendable {
    /// One bit a part.
    public var rawValue: UInt8
    /// A set of the parts whose bits are set.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Routine notices too.
    public static let routine = Parts(rawValue: 1)
    /// The delegates that were asked.
    public static let calls = Parts(rawValue: 2)
    /// The first state of a subscription: positions alone, nothing happened.
    public static let snapshot = Parts(rawValue: 4)
    /// Positions alone, as `header.get` shows them.
    public static let positionsOnly = Parts(rawValue: 8)
  }

  /// Writes the notification, a whole line; returns how many of the writer's bytes stand before the lists.
  /// - Parameter selection: what of its positions is wanted; nil: everything.
  @discardableResult
  public static func notification(
    _ state: borrowing HeaderState, _ parts: Parts = [], _ selection: StateSelection? = nil,
    into writer: inout JSONWriter
  ) -> Int {
    writer.beginObject()
    writer.raw("\"jsonrpc\":\"2.0\",\"method\":\"state\"")
    writer.key("params")
    let lists = object(state, parts, selection, into: &writer)
    writer.endObject()
    writer.endLine()
    return lists
  }

  /// Writes the state itself, an object; returns how many of the writer's bytes stand before the lists.
  @discardableResult
  public static func object(
    _ state: borrowing HeaderState, _ parts: Parts = [], _ selection: StateSelection? = nil,
    into writer: inout JSONWriter
  ) -> Int {
    let names = state.names
    writer.beginObject()
    writer.key("header")
    writer.string(state.header)
    writer.key("epoch")
    writer.integer(Int(state.epoch))
    writer.key("seq")
    writer.integer(Int(state.seq))
    writer.key("time")
    writer.number(state.time.seconds)
    if parts.contains(.snapshot) { writer.flag("snapshot") }
    if state.scrollViews.count != 1 || state.trackingScrollView != 0 {
      writer.key("trackingScrollView")
      writer.name(state.trackingScrollView, of: names.scrollViews)
    }
    if state.framesActive { writer.flag("framesActive") }
    positions(state, selection ?? StateSelection(), names, &writer)
    let lists = writer.count
    if parts.isDisjoint(with: [.snapshot, .positionsOnly]) { happened(state, parts, names, &writer) }
    writer.endObject()
    return lists
  }

  // MARK: - Positions

  /// The parts that are wanted. Of a part whose entries are named one by one nothing is written when none of them is there.
  private static func positions(
    _ state: borrowing HeaderState, _ selection: StateSelection, _ names: HeaderNames, _ writer: inout JSONWriter
  ) {
    if selection.drawers.includesAny(names.drawers) { drawers(state, selection.drawers, names, &writer) }
    elements(state, selection.elements, names, &writer)
    if selection.scrollViews.includesAny(names.scrollViews) {
      scrollViews(state, selection.scrollViews, names, &writer)
    }
    if selection.values.includesAny(names.values) { values(state, selection.values, names, &writer) }
    wants(state, selection, &writer)
  }

  private static func drawers(
    _ state: borrowing HeaderState, _ chosen: StateSelection.Choice, _ names: HeaderNames, _ writer: inout JSONWriter
  ) {
    writer.key("drawers")
    writer.beginArray()
    for index in state.drawers.indices where chosen.includes(names.drawers[index]) {
      let drawer = state.drawers[index]
      writer.beginObject()
      writer.key("name")
      writer.string(names.drawers[index])
      writer.key("frame")
      writer.rect(drawer.drawnFrame)
      if drawer.alpha != 1 { writer.alpha(drawer.alpha) }
      if drawer.isHidden { writer.flag("hidden") }
      if drawer.translation != Point() {
        writer.key("translation")
        writer.point(drawer.translation)
      }
      writer.endObject()
    }
    writer.endArray()
  }

  @inline(never)
  static func elements(
    _ state: borrowing HeaderState, _ chosen: StateSelection.Choice, _ names: HeaderNames, _ writer: inout JSONWriter
  ) {
    var isFirst = true
    for index in state.elements.indices
    where state.elements[index].isChanged && chosen.includes(names.elements[index]) {
      if isFirst {
        writer.key("elements")
        writer.beginArray()
        isFirst = false
      }
      element(state.elements[index], names.elements[index], names, &writer)
    }
    if !isFirst { writer.endArray() }
  }

  private static func element(_ element: Element, _ name: String, _ names: HeaderNames, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("name")
    writer.string(name)
    writer.key("drawer")
    writer.string(names.drawers[Int(element.drawer)])
    writer.key("center")
    writer.point(element.center)
    writer.key("bounds")
    writer.rect(element.bounds)
    writer.key("frame")
    if let frame = element.frame { writer.rect(frame) } else { writer.null() }
    if element.transform != .identity {
      writer.key("transform")
      writer.beginArray()
      let transform = element.transform
      row(transform.row1, &writer)
      row(transform.row2, &writer)
      row(transform.row3, &writer)
      row(transform.row4, &writer)
      writer.endArray()
    }
    if element.alpha != 1 { writer.alpha(element.alpha) }
    if element.isHidden { writer.flag("hidden") }
    writer.number("zIndex", element.zIndex, unless: 0)
    writer.number("cornerRadius", element.cornerRadius, unless: 0)
    writer.endObject()
  }

  /// Row by row: an array of the numbers would be an allocation for each such element in each state.
  private static func row(_ row: Transform.Row, _ writer: inout JSONWriter) {
    writer.number(row.m1)
    writer.number(row.m2)
    writer.number(row.m3)
    writer.number(row.m4)
  }

  private static func scrollViews(
    _ state: borrowing HeaderState, _ chosen: StateSelection.Choice, _ names: HeaderNames, _ writer: inout JSONWriter
  ) {
    writer.key("scrollViews")
    writer.beginObject()
    for index in state.scrollViews.indices where chosen.includes(names.scrollViews[index]) {
      let view = state.scrollViews[index]
      writer.key(named: names.scrollViews[index])
      writer.beginObject()
      writer.key("contentOffset")
      writer.point(view.contentOffset)
      writer.key("contentInset")
      writer.insets(view.contentInset)
      if view.scrollIndicatorInsets != view.contentInset {
        writer.key("scrollIndicatorInsets")
        writer.insets(view.scrollIndicatorInsets)
      }
      if view.adjustedContentInset != view.contentInset {
        writer.key("adjustedContentInset")
        writer.insets(view.adjustedContentInset)
      }
      if view.decidesFrame {
        writer.key("frame")
        writer.rect(view.frame)
      }
      if view.decidesContentSize {
        writer.key("contentSize")
        writer.size(view.contentSize)
      }
      if view.correction != Point() {
        writer.key("correction")
        writer.point(view.correction)
      }
      writer.endObject()
    }
    writer.endObject()
  }

  private static func values(
    _ state: borrowing HeaderState, _ chosen: StateSelection.Choice, _ names: HeaderNames, _ writer: inout JSONWriter
  ) {
    guard !state.values.isEmpty else { return }
    writer.key("values")
    writer.beginObject()
    for index in state.values.indices where chosen.includes(names.values[index]) {
      writer.key(named: names.values[index])
      writer.content(state.values[index].content)
    }
    writer.endObject()
  }

  @inline(never)
  static func wants(_ state: borrowing HeaderState, _ selection: StateSelection?, _ writer: inout JSONWriter) {
    let wants = selection?.chosen(state.wants) ?? state.wants
    if wants.isNothing { return }
    writer.key("wants")
    writer.beginObject()
    if wants.prefersStatusBarHidden { writer.flag("prefersStatusBarHidden") }
    if let style = wants.preferredStatusBarStyle {
      writer.key("preferredStatusBarStyle")
      writer.string(style.rawValue)
    }
    if let inset = wants.additionalSafeAreaInset {
      writer.key("additionalSafeAreaInset")
      writer.insets(inset)
    }
    if let length = wants.topLayoutGuideLength {
      writer.key("topLayoutGuideLength")
      writer.number(length)
    }
    writer.endObject()
  }

  // MARK: - What happened

  static func happened(
    _ state: borrowing HeaderState, _ parts: Parts, _ names: HeaderNames, _ writer: inout JSONWriter
  ) {
    notices(state, parts, names, &writer)
    if !state.happened.commands.isEmpty {
      writer.key("commands")
      writer.beginArray()
      for command in state.happened.commands { writer.command(command, names) }
      writer.endArray()
    }
    if !state.happened.animations.isEmpty {
      writer.key("animations")
      writer.beginArray()
      for animation in state.happened.animations { writer.animation(animation, names) }
      writer.endArray()
    }
    if parts.contains(.calls), !state.happened.calls.isEmpty {
      writer.key("calls")
      writer.beginArray()
      for call in state.happened.calls { writer.call(call, names) }
      writer.endArray()
    }
  }

  private static func notices(
    _ state: borrowing HeaderState, _ parts: Parts, _ names: HeaderNames, _ writer: inout JSONWriter
  ) {
    var isFirst = true
    for index in state.happened.notices.indices {
      let notice = state.happened.notices[index]
      if notice.isRoutine, !parts.contains(.routine) { continue }
      if isFirst {
        writer.key("notices")
        writer.beginArray()
        isFirst = false
      }
      writer.notice(
        state.word(for: notice), of: names.delegates[Int(notice.delegate)], notice.arguments, count: 1,
        isRoutine: notice.isRoutine)
    }
    if !isFirst { writer.endArray() }
  }
}
