// SPDX-License-Identifier: MIT
//
// The quick way to a state's line, of a reader who wants all of it: phrases that are ready (StatePhrases.swift) with
// numbers between them, put down by a pen into room that is asked for once. It says nothing of its own: what it writes is
// what `StateEncoder.notification` (StateEncoder.swift) writes byte for byte, and a property test holds it to that. Parts
// that few states have are left to the functions there: the writer takes what the pen wrote, they write, the pen goes on.

public import HeaderCore

extension StateEncoder {
  /// Writes the notification, a whole line, with phrases that fit the state; returns how many of the writer's bytes stand
  /// before the lists.
  @discardableResult
  public static func notification(
    _ state: borrowing HeaderState, _ parts: Parts = [], _ phrases: borrowing StatePhrases,
    into writer: inout JSONWriter
  ) -> Int {
    assert(phrases.fit(state), "the phrases are those of the state's names")
    let (drawers, views, values) = (state.drawers.span, state.scrollViews.span, state.values.span)
    // For all but what is left to the functions that ask for their own.
    let room = phrases.count &+ 256 &+ drawers.count &* 320 &+ views.count &* 1024 &+ values.count &* 40
    var ready = phrases.reader
    var pen = writer.pen(atMost: room)
    unsafe pen.put(padded: ready.take())
    pen.put(Int(state.seq))
    pen.put(",\"time\":")
    pen.put(state.time)
    if parts.contains(.snapshot) { pen.put(",\"snapshot\":true") }
    if views.count != 1 || state.trackingScrollView != 0 || state.framesActive {
      writer.take(pen)
      flags(state, &writer)
      pen = writer.pen(atMost: room)
    }
    pen.put(",\"drawers\":[")
    for index in drawers.indices {
      if index > 0 { pen.put(",") }
      unsafe pen.put(padded: ready.take())
      pen.putRest(of: drawers[index], ready.takeSizeWords())
    }
    pen.put("]")
    if !state.elements.isEmpty {
      writer.take(pen)
      elements(state, .all, state.names, &writer)
      pen = writer.pen(atMost: room)
    }
    pen.put(",\"scrollViews\":{")
    for index in views.indices {
      if index > 0 { pen.put(",") }
      unsafe pen.put(padded: ready.take())
      pen.putRest(of: views[index])
    }
    pen.put("}")
    for index in values.indices {
      pen.put(",")
      unsafe pen.put(padded: ready.take())
      switch values[index].content {
      case .null: pen.put("null")
      case .bool(true): pen.put("true")
      case .bool(false): pen.put("false")
      case .number(let number): pen.put(number)
      case .text(let text):
        writer.take(pen, isName: true)
        writer.string(text)
        pen = writer.pen(atMost: room)
      }
    }
    if !values.isEmpty { pen.put("}") }
    if !state.wants.isNothing {
      writer.take(pen)
      wants(state.wants, &writer)
      pen = writer.pen(atMost: room)
    }
    var lists = writer.count(with: pen)
    if !state.happened.isEmpty, parts.isDisjoint(with: [.snapshot, .positionsOnly]) {
      writer.take(pen)
      lists = writer.count
      happened(state, parts, state.names, &writer)
      pen = writer.pen(atMost: room)
    }
    pen.put("}}\n")
    writer.takeLine(pen)
    return lists
  }

  /// What few states say of themselves.
  @inline(never)
  private static func flags(_ state: borrowing HeaderState, _ writer: inout JSONWriter) {
    if state.scrollViews.count != 1 || state.trackingScrollView != 0 {
      writer.key("trackingScrollView")
      writer.name(state.trackingScrollView, of: state.names.scrollViews)
    }
    if state.framesActive { writer.flag("framesActive") }
  }
}

extension Pen {
  /// A drawer behind the first name of its frame.
  @inline(__always)
  fileprivate mutating func putRest(of drawer: borrowing Drawer, _ words: SizeWords) {
    let frame = drawer.drawnFrame
    putRest(of: frame.origin)
    if let ready = unsafe words.text(of: frame.size) {
      unsafe put(padded: ready)
    } else {
      let start = unsafe place
      putRest(of: frame.size)
      unsafe words.keep(UnsafeRawBufferPointer(start: start, count: place - start), of: frame.size)
    }
    if drawer.alpha != 1 {
      put(",\"alpha\":")
      put(JSONWriter.shortest(drawer.alpha))
    }
    if drawer.isHidden { put(",\"hidden\":true") }
    if drawer.translation != Point() {
      put(",\"translation\":")
      put(drawer.translation)
    }
    put("}")
  }

  /// A scroll view behind the name of its offset.
  @inline(__always)
  fileprivate mutating func putRest(of view: borrowing ScrollView) {
    put(view.contentOffset)
    put(",\"contentInset\":")
    put(view.contentInset)
    if view.scrollIndicatorInsets != view.contentInset {
      put(",\"scrollIndicatorInsets\":")
      put(view.scrollIndicatorInsets)
    }
    if view.adjustedContentInset != view.contentInset {
      put(",\"adjustedContentInset\":")
      put(view.adjustedContentInset)
    }
    if view.decidesFrame {
      put(",\"frame\":")
      put(view.frame)
    }
    if view.decidesContentSize {
      put(",\"contentSize\":")
      put(view.contentSize)
    }
    if view.correction != Point() {
      put(",\"correction\":")
      put(view.correction)
    }
    put("}")
  }
}
