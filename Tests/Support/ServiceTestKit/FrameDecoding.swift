// SPDX-License-Identifier: MIT
//
// Frames read back as the messages that lines would have been. It knows the layouts by the numbers of header_wire.h's
// tables and by nothing of the project's code, so that what is written there is what is tested.

import Clocks
package import HeaderModel

/// Little-endian fields of a frame, one behind the other.
package struct FrameBytes {
  package let bytes: [UInt8]
  package var at: Int

  package init(_ bytes: [UInt8], at: Int = 0) {
    self.bytes = bytes
    self.at = at
  }

  package mutating func integer(_ size: Int) -> UInt64 {
    precondition(at + size <= bytes.count, "the frame ends at \(bytes.count), \(size) bytes were expected at \(at)")
    var value: UInt64 = 0
    for index in 0..<size { value |= UInt64(bytes[at + index]) << UInt64(8 * index) }
    at += size
    return value
  }

  package mutating func u8() -> Int { Int(integer(1)) }
  package mutating func u16() -> Int { Int(integer(2)) }
  package mutating func i16() -> Int { Int(Int16(truncatingIfNeeded: integer(2))) }
  package mutating func u32() -> Int { Int(integer(4)) }
  package mutating func i32() -> Int { Int(Int32(truncatingIfNeeded: integer(4))) }
  package mutating func u64() -> Int { Int(integer(8)) }
  package mutating func i64() -> Int64 { Int64(bitPattern: integer(8)) }
  package mutating func f64() -> Double { Double(bitPattern: integer(8)) }
  /// A float as JSON writes it: the shortest decimal.
  package mutating func f32() -> Double { Double(Float(bitPattern: UInt32(integer(4))).description) ?? .nan }
  /// Nanoseconds as JSON writes them.
  package mutating func time() -> Value { .number(Instant(nanoseconds: i64()).seconds) }
  package mutating func skip(_ count: Int) { at += count }

  package mutating func text(_ size: Int) -> String {
    let text = String(decoding: bytes[at..<at + size], as: UTF8.self)
    at += size
    return text
  }

  package mutating func json(_ size: Int) -> Value? { size == 0 ? Optional.none : .some(tree(text(size))) }

  package mutating func point() -> Value { ["x": .number(f64()), "y": .number(f64())] }
  package mutating func size() -> Value { ["width": .number(f64()), "height": .number(f64())] }
  package mutating func rect() -> Value {
    ["x": .number(f64()), "y": .number(f64()), "width": .number(f64()), "height": .number(f64())]
  }
  package mutating func insets() -> Value {
    ["top": .number(f64()), "left": .number(f64()), "bottom": .number(f64()), "right": .number(f64())]
  }
}

/// A record that leaves out what has its default.
package struct Fields {
  package var record = Value.Record()

  package init() {}
  package var value: Value { .record(record) }

  package mutating func add(_ name: String, _ value: Value?, unless byDefault: Value? = nil) {
    guard let value, value != byDefault else { return }
    record.fields.append(.init(name: name, value: value))
  }
}

/// One connection's frames, read in order; it keeps the names that they refer to.
package struct FrameDecoder {
  private struct Names {
    var header = ""
    var drawers: [String] = []
    var scrollViews: [String] = []
    var elements: [String] = []
    var values: [String] = []
    var delegates: [String] = []
  }

  private var names: [Int: Names] = [:]
  private var tail: [UInt8] = []
  private var isOpen = false
  /// Ids of requests whose answer is a batch's.
  package var batches: Set<Int> = []

  package init() {}

  /// The messages of more bytes, each as its line would be.
  package mutating func take(_ bytes: [UInt8]) -> [Value] {
    tail += bytes
    if !isOpen, tail.count >= 4 {
      precondition(Array(tail[..<4]) == [0x89, 0x48, 0x44, 0x01], "the daemon begins with the opening")
      tail.removeFirst(4)
      isOpen = true
    }
    var messages: [Value] = []
    while tail.count >= 8 {
      var head = FrameBytes(tail)
      let size = head.u32()
      guard tail.count >= size else { break }
      let kind = head.u16()
      precondition(head.u16() == 0, "zero is zero")
      if let message = message(kind, FrameBytes(Array(tail[..<size]), at: 8)) { messages.append(message) }
      tail.removeFirst(size)
    }
    return messages
  }

  private mutating func message(_ kind: Int, _ frame: FrameBytes) -> Value? {
    var frame = frame
    switch kind {
    case 0x01: return frame.json(frame.bytes.count - 8)
    case 0x05: return ["method": "ping"]
    case 0x82: return decided(&frame)
    case 0x84...0x88: return answer(kind, &frame)
    case 0x90: return error(&frame)
    case 0x91:
      learn(&frame)
      return nil
    case 0x92: return ["method": "state", "params": state(&frame)]
    case 0x93:
      var fields = Fields()
      fields.add("header", .text(header(frame.u64())))
      fields.add("epoch", .number(Double(frame.i64())))
      let (from, to) = (frame.i64(), frame.i64())
      if from != 0 {
        fields.add("from", .number(Double(from)))
        fields.add("to", .number(Double(to)))
      }
      fields.add("reason", .text(frame.text(frame.bytes.count - frame.at)))
      return ["method": "gap", "params": fields.value]
    case 0x94:
      let name = header(frame.u64())
      return [
        "method": "closed",
        "params": [
          "header": .text(name), "epoch": .number(Double(frame.i64())), "seq": .number(Double(frame.i64())),
          "reason": .text(frame.text(frame.bytes.count - frame.at)),
        ],
      ]
    case 0x95: return ["method": "bye", "params": ["reason": .text(frame.text(frame.bytes.count - 8))]]
    default: preconditionFailure("there is no frame \(kind) from a daemon")
    }
  }

  private func header(_ handle: Int) -> String {
    guard let names = names[handle] else { preconditionFailure("names come before what refers to them") }
    return names.header
  }

  // MARK: - Answers

  /// The end of every answer: its warnings.
  private func finish(_ id: Int, _ result: Value, _ warnings: Int, _ frame: inout FrameBytes) -> Value {
    var fields = Fields()
    fields.add("id", .number(Double(id)))
    fields.add("result", result)
    fields.add("warnings", frame.json(warnings))
    precondition(frame.at == frame.bytes.count, "the frame is used up")
    return fields.value
  }

  private mutating func answer(_ kind: Int, _ frame: inout FrameBytes) -> Value {
    let (id, warnings) = (frame.u64(), frame.u32())
    precondition(frame.u32() == 0, "no decisions here")
    var result = Fields()
    switch kind {
    case 0x84:
      let version = frame.u32()
      let roles = frame.u32()
      let connection = frame.u64()
      let time = frame.time()
      let size = frame.u32()
      frame.skip(4)
      let json = frame.json(size) ?? .null
      precondition(json.at("protocol") == .number(Double(version)) && json.at("time") == time, "said twice, the same")
      precondition(
        json.at("connection") == .number(Double(connection)) && json.at("roles").list.count == roles.nonzeroBitCount)
      return finish(id, json, warnings, &frame)
    case 0x85: result.add("time", frame.time())
    case 0x86:
      result.add("handle", .number(Double(frame.u64())))
      result.add("epoch", .number(Double(frame.i64())))
      result.add("seq", .number(Double(frame.i64())))
      result.add("created", .bool(frame.u32() == 1))
      result.add("digest", .number(Double(frame.u32())))
    case 0x87:
      result.add("subscription", .number(Double(frame.u64())))
      result.add("matched", .number(Double(frame.u64())))
    default: break
    }
    return finish(id, result.value, warnings, &frame)
  }

  private mutating func decided(_ frame: inout FrameBytes) -> Value {
    let (id, warnings, count, seq) = (frame.u64(), frame.u32(), frame.u32(), frame.i64())
    let decisions = (0..<count).map { _ in decision(&frame) }
    guard batches.contains(id) else { return finish(id, decisions[0], warnings, &frame) }
    return finish(id, ["seq": .number(Double(seq)), "results": .list(decisions)], warnings, &frame)
  }

  private func decision(_ frame: inout FrameBytes) -> Value {
    var fields = Fields()
    fields.add("seq", .number(Double(frame.i64())))
    let (target, consumed, residual) = (frame.point(), frame.point(), frame.point())
    let (told, rewritten, returned) = (frame.u16(), frame.u16(), frame.u32())
    if told & 1 != 0 { fields.add("targetOffset", target) }
    if told & 2 != 0 { fields.add("returned", .bool(told & 4 != 0)) }
    if told & 8 != 0 { fields.add("rewrittenBy", rewritten == 0 ? .null : .text(frame.text(rewritten))) }
    if told & 16 != 0 {
      fields.add("consumed", consumed)
      fields.add("residual", residual)
    }
    fields.add("returned", frame.json(returned))
    return fields.value
  }

  private func error(_ frame: inout FrameBytes) -> Value {
    let (id, code, about, message, data) = (frame.u64(), frame.i32(), frame.u32(), frame.u32(), frame.u32())
    let error: Value = [
      "code": .number(Double(code)), "message": .text(frame.text(message)), "data": frame.json(data) ?? .null,
    ]
    switch about {
    case 0: return ["id": .number(Double(id)), "error": error]
    case 1: return ["method": "error", "params": error]
    default: return ["id": .null, "error": error]
    }
  }

  // MARK: - States

  private mutating func learn(_ frame: inout FrameBytes) {
    let handle = frame.u64()
    let counts = (0..<5).map { _ in frame.u16() }
    frame.skip(6)
    var new = Names(header: frame.text(frame.u8()))
    let lists = counts.map { count in (0..<count).map { _ in frame.text(frame.u8()) } }
    (new.drawers, new.scrollViews, new.elements) = (lists[0], lists[1], lists[2])
    (new.values, new.delegates) = (lists[3], lists[4])
    precondition(frame.at == frame.bytes.count, "the frame is used up")
    names[handle] = new
  }

  private func state(_ frame: inout FrameBytes) -> Value {
    guard let names = names[frame.u64()] else { preconditionFailure("names come before the first state") }
    var fields = Fields()
    fields.add("header", .text(names.header))
    fields.add("epoch", .number(Double(frame.i64())))
    fields.add("seq", .number(Double(frame.i64())))
    fields.add("time", frame.time())
    let flags = frame.u32()
    let tracking = frame.i16()
    let (drawers, views, elements, values) = (frame.u16(), frame.u16(), frame.u16(), frame.u16())
    frame.skip(2)
    if flags & 1 != 0 { fields.add("snapshot", true) }
    if names.scrollViews.count != 1 || tracking != 0 {
      fields.add("trackingScrollView", tracking < 0 ? .null : .text(names.scrollViews[tracking]))
    }
    if flags & 2 != 0 { fields.add("framesActive", true) }
    entries(&frame, names, (drawers, views, elements, values), flags, leavingOut: false, &fields)
    let aheadSize = lists(&frame, &fields)
    if flags & 16 != 0 {
      let size = frame.u32()
      frame.skip(4)
      fields.add("explanation", frame.json(size))
    }
    precondition(frame.bytes.count - frame.at == aheadSize, "what is left is how the state goes on")
    if aheadSize > 0 { fields.add("ahead", ahead(&frame, names)) }
    precondition(frame.at == frame.bytes.count, "the frame is used up")
    return fields.value
  }

  /// - Parameter leavingOut: parts without entries are absent.
  private func entries(
    _ frame: inout FrameBytes, _ names: Names, _ counts: (drawers: Int, views: Int, elements: Int, values: Int),
    _ flags: Int, leavingOut: Bool, _ fields: inout Fields
  ) {
    let drawers = (0..<counts.drawers).map { _ in drawer(&frame, names) }
    fields.add("drawers", .list(drawers), unless: leavingOut ? [] : nil)
    var inViews = Fields()
    for _ in 0..<counts.views { scrollView(&frame, names, &inViews) }
    let changed = (0..<counts.elements).map { _ in element(&frame, names) }
    fields.add("elements", .list(changed), unless: [])
    fields.add("scrollViews", inViews.value, unless: leavingOut ? [:] : nil)
    var inValues = Fields()
    for _ in 0..<counts.values { value(&frame, names, &inValues) }
    fields.add("values", inValues.value, unless: [:])
    if flags & 4 != 0 { fields.add("wants", wants(&frame)) }
    if flags & 8 != 0 { fields.add("position", position(&frame)) }
  }

  private func ahead(_ frame: inout FrameBytes, _ names: Names) -> Value {
    var fields = Fields()
    fields.add("offset", .number(frame.f64()))
    guard ways(&frame, names, &fields) else { return fields.value }
    precondition(.number(frame.f64()) == fields.value.at("offset"), "a drag begins where the content is")
    var dragged = Fields()
    precondition(!ways(&frame, names, &dragged), "a drag begins once")
    fields.add("dragged", dragged.value)
    return fields.value
  }

  /// - Returns: whether how a drag goes on follows.
  private func ways(_ frame: inout FrameBytes, _ names: Names, _ fields: inout Fields) -> Bool {
    let (growing, shrinking, flags) = (frame.u16(), frame.u16(), frame.u32())
    if flags & 1 != 0 { fields.add("reversible", true) }
    for (name, count) in [("growing", growing), ("shrinking", shrinking)] {
      fields.add(name, .list((0..<count).map { _ in keyframe(&frame, names) }), unless: [])
    }
    return flags & 2 != 0
  }

  private func keyframe(_ frame: inout FrameBytes, _ names: Names) -> Value {
    var fields = Fields()
    let (begin, size, flags) = (frame.at, frame.u32(), frame.u32())
    fields.add("offset", .number(frame.f64()))
    let counts = (frame.u16(), frame.u16(), frame.u16(), frame.u16())
    entries(&frame, names, counts, flags, leavingOut: true, &fields)
    precondition(frame.at == begin + size, "the keyframe is used up")
    return fields.value
  }

  private func position(_ frame: inout FrameBytes) -> Value {
    var fields = Fields()
    for name in ["progress", "traveled", "travel"] { fields.add(name, .number(frame.f64())) }
    let permitted: Value = [.number(frame.f64()), .number(frame.f64())]
    let motion = frame.u32()
    let size = frame.u32()
    let more = frame.json(size)
    if motion != 0 { fields.add("motion", .number(Double(motion))) }
    if case .record(let more)? = more {
      if more["constraints"] != nil { fields.add("permitted", permitted) }
      for name in ["constraints", "obstruction"] { fields.add(name, more[name]) }
    }
    return fields.value
  }

  private func drawer(_ frame: inout FrameBytes, _ names: Names) -> Value {
    var fields = Fields()
    fields.add("name", .text(names.drawers[frame.u16()]))
    let (flags, zIndex) = (frame.u8(), Int8(truncatingIfNeeded: frame.u8()))
    let alpha = frame.f32()
    fields.add("frame", frame.rect())
    fields.add("alpha", .number(alpha), unless: 1)
    if flags & 1 != 0 { fields.add("hidden", true) }
    fields.add("zIndex", .number(Double(zIndex)), unless: 0)
    fields.add("translation", frame.point(), unless: ["x": 0, "y": 0])
    return fields.value
  }

  private func scrollView(_ frame: inout FrameBytes, _ names: Names, _ views: inout Fields) {
    let (name, flags) = (frame.u16(), frame.u16())
    frame.skip(4)
    var fields = Fields()
    fields.add("contentOffset", frame.point())
    let inset = frame.insets()
    fields.add("contentInset", inset)
    fields.add("scrollIndicatorInsets", frame.insets(), unless: inset)
    fields.add("adjustedContentInset", frame.insets(), unless: inset)
    fields.add("correction", frame.point(), unless: ["x": 0, "y": 0])
    let (rect, size) = (frame.rect(), frame.size())
    if flags & 1 != 0 { fields.add("frame", rect) }
    if flags & 2 != 0 { fields.add("contentSize", size) }
    views.add(names.scrollViews[name], fields.value)
  }

  private func element(_ frame: inout FrameBytes, _ names: Names) -> Value {
    var fields = Fields()
    fields.add("name", .text(names.elements[frame.u16()]))
    fields.add("drawer", .text(names.drawers[frame.u16()]))
    let flags = frame.u16()
    frame.skip(2)
    fields.add("center", frame.point())
    fields.add("bounds", frame.rect())
    let rect = frame.rect()
    fields.add("frame", flags & 2 != 0 ? rect : .null)
    let (zIndex, radius, alpha) = (frame.f64(), frame.f64(), frame.f32())
    frame.skip(4)
    if flags & 4 != 0 { fields.add("transform", .list((0..<16).map { _ in .number(frame.f64()) })) }
    fields.add("alpha", .number(alpha), unless: 1)
    if flags & 1 != 0 { fields.add("hidden", true) }
    fields.add("zIndex", .number(zIndex), unless: 0)
    fields.add("cornerRadius", .number(radius), unless: 0)
    return fields.value
  }

  private func value(_ frame: inout FrameBytes, _ names: Names, _ values: inout Fields) {
    let name = names.values[frame.u16()]
    let (type, yes, size, number) = (frame.u8(), frame.u8(), frame.u32(), frame.f64())
    switch type {
    case 0: values.add(name, .null)
    case 1: values.add(name, .bool(yes == 1))
    case 2: values.add(name, .number(number))
    default: values.add(name, .text(frame.text(size)))
    }
  }

  private func wants(_ frame: inout FrameBytes) -> Value {
    let (hidden, style, flags) = (frame.u8(), frame.u8(), frame.u16())
    frame.skip(4)
    var fields = Fields()
    if hidden == 1 { fields.add("prefersStatusBarHidden", true) }
    if style > 0 {
      fields.add("preferredStatusBarStyle", .text(["", "default", "lightContent", "darkContent"][style]))
    }
    let (inset, length) = (frame.insets(), frame.f64())
    if flags & 1 != 0 { fields.add("additionalSafeAreaInset", inset) }
    if flags & 2 != 0 { fields.add("topLayoutGuideLength", .number(length)) }
    return fields.value
  }

  /// - Returns: the size of what says how the state goes on.
  private func lists(_ frame: inout FrameBytes, _ fields: inout Fields) -> Int {
    let (notices, commands, animations, calls, lost) = (frame.u32(), frame.u32(), frame.u32(), frame.u32(), frame.u32())
    let aheadSize = frame.u32()
    fields.add("notices", .list((0..<notices).map { _ in notice(&frame) }), unless: [])
    fields.add("commands", .list((0..<commands).map { _ in command(&frame) }), unless: [])
    fields.add("animations", .list((0..<animations).map { _ in animation(&frame) }), unless: [])
    fields.add("calls", .list((0..<calls).map { _ in call(&frame) }), unless: [])
    fields.add("noticesLost", .number(Double(lost)), unless: 0)
    return aheadSize
  }

  private func notice(_ frame: inout FrameBytes) -> Value {
    let (name, delegate, count, routine, arguments) = (frame.u16(), frame.u16(), frame.u32(), frame.u32(), frame.u32())
    var fields = Fields()
    fields.add("name", .text(frame.text(name)))
    fields.add("delegate", .text(frame.text(delegate)))
    fields.add("arguments", frame.json(arguments))
    fields.add("count", .number(Double(count)), unless: 1)
    if routine == 1 { fields.add("routine", true) }
    return fields.value
  }

  private func command(_ frame: inout FrameBytes) -> Value {
    let (name, view, arguments) = (frame.u16(), frame.u16(), frame.u32())
    return [
      "name": .text(frame.text(name)), "scrollView": .text(frame.text(view)),
      "arguments": frame.json(arguments) ?? .null,
    ]
  }

  private func animation(_ frame: inout FrameBytes) -> Value {
    var fields = Fields()
    fields.add("duration", .number(frame.f64()))
    fields.add("delay", .number(frame.f64()), unless: 0)
    let spring = ["mass", "stiffness", "damping", "initialVelocity"].map { ($0, frame.f64()) }
    let (curve, delegate) = (frame.u16(), frame.u16())
    frame.skip(4)
    fields.add("curve", .text(["linear", "easeIn", "easeOut", "easeInOut", "spring"][curve]))
    if curve == 4 { for (name, number) in spring { fields.add(name, .number(number)) } }
    fields.add("delegate", .text(frame.text(delegate)))
    return fields.value
  }

  private static let eventNames = [
    "willBeginDragging", "didScroll", "willEndDragging", "didEndDragging", "willBeginDecelerating",
    "didEndDecelerating",
    "didEndScrollingAnimation", "shouldScrollToTop", "didScrollToTop", "didChangeAdjustedContentInset", "willScroll",
    "didOverscroll", "willFling", "layout", "willAppear", "didAppear", "willDisappear", "didDisappear",
    "didBecomeActive",
    "willTransition", "transition", "didTransition", "willChangeTrackingScrollView", "setTrackingScrollView",
    "didWriteContentOffset", "didResize",
  ]
  private static let ownEventNames = ["setContentOffset", "setOptions", "call", "advance"]

  /// An event's number.
  package static func number(of event: String) -> UInt8? {
    if let number = ownEventNames.firstIndex(of: event) { return UInt8(128 + number) }
    return eventNames.firstIndex(of: event).map { UInt8($0) }
  }

  private func call(_ frame: inout FrameBytes) -> Value {
    let (kind, depth, delegate) = (frame.u16(), frame.u16(), frame.u16())
    frame.skip(2)
    return [
      "delegate": .text(frame.text(delegate)), "event": .text(Self.eventNames[kind]), "depth": .number(Double(depth)),
    ]
  }
}
