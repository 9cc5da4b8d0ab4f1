// SPDX-License-Identifier: MIT
//
// The quick way to a state's line, of a reader who wants all of it: phrases that are ready (StatePhrases.swift) with
// numbers between them, put down by a pen into room that is asked for once a part. It says nothing of its own: what it
// writes is what `StateEncoder.notification` writes byte for byte, and a property test holds it to that. Parts that few
// states have are left to the functions there.

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
    var ready = phrases.reader
    unsafe head(state, parts, ready.take(), &writer)
    let drawers = state.drawers.span
    writer.piece(atMost: phrases.count + drawers.count * 320 + 16) { pen in
      pen.put("\"drawers\":[")
      for index in drawers.indices {
        if index > 0 { pen.put(",") }
        unsafe pen.put(padded: ready.take())
        pen.putRest(of: drawers[index])
      }
      pen.put("]")
    }
    if !state.elements.isEmpty { elements(state, .all, state.names, &writer) }
    let views = state.scrollViews.span
    writer.piece(atMost: phrases.count + views.count * 1024 + 16) { pen in
      pen.put("\"scrollViews\":{")
      for index in views.indices {
        if index > 0 { pen.put(",") }
        unsafe pen.put(padded: ready.take())
        pen.putRest(of: views[index])
      }
      pen.put("}")
    }
    values(state, &ready, &writer)
    if !state.wants.isNothing { wants(state.wants, &writer) }
    let lists = writer.count
    if !state.happened.isEmpty, parts.isDisjoint(with: [.snapshot, .positionsOnly]) {
      happened(state, parts, state.names, &writer)
    }
    writer.endLine(closing: "}}\n")
    return lists
  }

  @inline(__always)
  private static func head(
    _ state: borrowing HeaderState, _ parts: Parts, _ phrase: UnsafeRawBufferPointer, _ writer: inout JSONWriter
  ) {
    writer.piece(atMost: phrase.count + 128) { pen in
      unsafe pen.put(padded: phrase)
      pen.put(Int(state.seq))
      pen.put(",\"time\":")
      pen.put(state.time)
      if parts.contains(.snapshot) { pen.put(",\"snapshot\":true") }
    }
    if state.scrollViews.count != 1 || state.trackingScrollView != 0 {
      writer.key("trackingScrollView")
      writer.name(state.trackingScrollView, of: state.names.scrollViews)
    }
    if state.framesActive { writer.flag("framesActive") }
  }

  @inline(__always)
  private static func values(
    _ state: borrowing HeaderState, _ ready: inout StatePhrases.Reader, _ writer: inout JSONWriter
  ) {
    let values = state.values.span
    guard !values.isEmpty else { return }
    for index in values.indices {
      let phrase = unsafe ready.take()
      if case .text(let text) = values[index].content {
        unsafe writer.key(ready: phrase)
        writer.string(text)
        continue
      }
      writer.piece(atMost: phrase.count + Pen.numberMax) { pen in
        unsafe pen.put(padded: phrase)
        switch values[index].content {
        case .null, .text: pen.put("null")
        case .bool(true): pen.put("true")
        case .bool(false): pen.put("false")
        case .number(let number): pen.put(number)
        }
      }
    }
    writer.close("}")
  }
}

extension Pen {
  /// A drawer behind the first name of its frame.
  @inline(__always)
  fileprivate mutating func putRest(of drawer: borrowing Drawer) {
    putRest(of: drawer.drawnFrame)
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
