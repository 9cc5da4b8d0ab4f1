// SPDX-License-Identifier: MIT
//
// Events as plain data: the fields of every event and those of one kind alone (headerd-events(7)). A field of another kind is unknown. A
// part that an event leaves out keeps its present value, so absent fields, axes and edges stay absent here, and writing an event back
// gives what was read.
//
//     {"event":"willEndDragging","time":1.3,"scrollView":"content","velocity":{"x":0,"y":0.8},"targetOffset":{"y":210}}
//      ╰──────── kind ─────────╯ ╰ Timed ╯ ╰───── of every event ─────╯ ╰────────────── of the kind ───────────────╯
//
// Names of scroll views, drawers and delegates are not looked up here; the header that receives the event does that.

/// An event and when it happened by its publisher's clock.
public struct TimedEvent: Sendable {
  /// The event.
  public var event: ScrollEvent
  /// The publisher's time; nil: when it was read.
  public var time: Instant?
}

extension TimedEvent {
  /// An event at a time.
  public init(_ event: ScrollEvent, time: Instant? = nil) { self.init(event: event, time: time) }

  /// Reads an event and its `time` in seconds.
  /// - Parameters:
  ///   - unknown: takes the fields that no such event has, each with its path and the nearest known name.
  ///   - alsoKnown: fields beside the event's own that belong to the request, such as `header`.
  /// - Throws: `invalidParams` naming the field.
  public init(
    _ value: Value, at path: Path = Path("params"), unknown: inout [UnknownField], alsoKnown: [String] = []
  ) throws(HeaderError) {
    try self.init(try FieldReader(value, at: path), unknown: &unknown, alsoKnown: alsoKnown)
  }

  /// Reads the same from a record whose reading was begun before: fields read there are known.
  public init(_ reader: FieldReader, unknown: inout [UnknownField], alsoKnown: [String] = []) throws(HeaderError) {
    var fields = reader
    let time = try fields.time("time")
    self.init(event: try ScrollEvent(fields, unknown: &unknown, alsoKnown: alsoKnown), time: time)
  }

  /// The event's fields, its time after its kind.
  public var value: Value.Record {
    var record = event.value
    if let time { record.fields.insert(Value.Record.Field(name: "time", value: .number(time.seconds)), at: 1) }
    return record
  }
}

extension ScrollEvent {
  /// Reads an event from a record of which fields may be read before. Its `time` is `TimedEvent`'s: here it is unknown unless it was read,
  /// or `alsoKnown` names it.
  /// - Parameters:
  ///   - unknown: takes the fields that no such event has, each with its path and the nearest known name.
  ///   - alsoKnown: fields beside the event's own that belong to the request, such as `header`.
  /// - Throws: `invalidParams` naming the field.
  public init(_ reader: FieldReader, unknown: inout [UnknownField], alsoKnown: [String] = []) throws(HeaderError) {
    var fields = reader
    fields.unknownBefore = unknown.count
    for name in alsoKnown { _ = fields.value(name) }
    guard let name = try fields.choice("event", EventName.self) else {
      throw fields.unexpected("event", needed: "the kind of event", expected: "case")
    }
    kind = try Kind(name, &fields)
    switch kind {
    case .willChangeTrackingScrollView, .setTrackingScrollView: scrollView = nil
    default: scrollView = try fields.text("scrollView")
    }
    offset = try fields.point("offset")
    switch kind {
    case .didScroll, .setContentOffset:
      guard let offset, offset.x != nil || offset.y != nil else {
        throw fields.unexpected("offset", needed: "a point with \"x\", \"y\" or both", expected: "point")
      }
    default: break
    }
    correction = try fields.point("correction")
    isTracking = try fields.bool("isTracking")
    isDragging = try fields.bool("isDragging")
    isDecelerating = try fields.bool("isDecelerating")
    switch kind {
    case .didScroll, .layout:
      reason = try fields.choice("reason", ScrollReason.allCases.dropFirst().map { ($0.rawValue, $0) })
    default: reason = nil
    }
    unknown += fields.unknown
  }

  /// The event's fields: its kind, those of every event, those of the kind. Absent ones are left out.
  public var value: Value.Record {
    var record = Value.Record()
    record["event"] = .text(kind.name.rawValue)
    record["scrollView"] = scrollView.map { .text($0) }
    record["offset"] = offset?.value
    record["correction"] = correction?.value
    record["isTracking"] = isTracking.map { .bool($0) }
    record["isDragging"] = isDragging.map { .bool($0) }
    record["isDecelerating"] = isDecelerating.map { .bool($0) }
    record["reason"] = reason.map { .text($0.rawValue) }
    kind.write(to: &record)
    return record
  }
}

// MARK: - Fields of each kind

extension ScrollEvent.Kind {
  fileprivate init(_ name: EventName, _ fields: inout FieldReader) throws(HeaderError) {
    switch name {
    case .willBeginDragging: self = .willBeginDragging
    case .didScroll: self = .didScroll
    case .willEndDragging:
      self = .willEndDragging(
        velocity: try fields.velocity() ?? Point(), targetOffset: try fields.point("targetOffset"))
    case .didEndDragging: self = .didEndDragging(willDecelerate: try fields.required(bool: "willDecelerate"))
    case .willBeginDecelerating: self = .willBeginDecelerating
    case .didEndDecelerating: self = .didEndDecelerating
    case .didEndScrollingAnimation: self = .didEndScrollingAnimation
    case .shouldScrollToTop: self = .shouldScrollToTop
    case .didScrollToTop: self = .didScrollToTop
    case .didChangeAdjustedContentInset: self = .didChangeAdjustedContentInset
    case .setContentOffset: self = .setContentOffset(animated: try fields.bool("animated") ?? false)
    case .willScroll: self = .willScroll(delta: try fields.delta(), source: try fields.source())
    case .didOverscroll: self = .didOverscroll(delta: try fields.delta(), source: try fields.source())
    case .willFling:
      guard let velocity = try fields.velocity() else {
        throw fields.unexpected("velocity", needed: "a point {x, y} in points per millisecond", expected: "point")
      }
      self = .willFling(velocity: velocity)
    case .layout: self = .layout(try LayoutChange(&fields))
    case .willAppear: self = .willAppear
    case .didAppear: self = .didAppear
    case .willDisappear: self = .willDisappear
    case .didDisappear: self = .didDisappear
    case .didBecomeActive: self = .didBecomeActive
    case .willTransition:
      guard let size = try fields.shape("size", from: Size()) else {
        throw fields.unexpected("size", needed: "a size {width, height}", expected: "size")
      }
      self = .willTransition(size: size)
    case .transition: self = .transition
    case .didTransition: self = .didTransition
    case .willChangeTrackingScrollView: self = .willChangeTrackingScrollView(to: try fields.newScrollView())
    case .setTrackingScrollView: self = .setTrackingScrollView(to: try fields.newScrollView())
    case .setOptions:
      guard let options = try fields.record("options") else {
        throw fields.unexpected("options", needed: "an object", expected: "record")
      }
      self = .setOptions(options, delegate: try fields.text("delegate"))
    case .call:
      self = .call(
        name: try fields.required(text: "name"), arguments: try fields.record("arguments") ?? Value.Record(),
        delegate: try fields.text("delegate"), report: try fields.bool("report") ?? false)
    case .advance: self = .advance(frameDuration: try fields.frameDuration())
    case .move: self = .move(try HeaderMove(&fields))
    case .constrain: self = .constrain(try Constraint(&fields))
    case .release:
      self = .release(name: try fields.required(text: "name"), style: try fields.motionStyle())
    case .reveal: self = .reveal(try Reveal(&fields))
    }
  }

  fileprivate func write(to record: inout Value.Record) {
    switch self {
    case .willEndDragging(let velocity, let targetOffset):
      record["velocity"] = velocity.value
      record["targetOffset"] = targetOffset?.value
    case .didEndDragging(let willDecelerate): record["willDecelerate"] = .bool(willDecelerate)
    case .setContentOffset(let animated): record["animated"] = .bool(animated)
    case .willScroll(let delta, let source), .didOverscroll(let delta, let source):
      record["delta"] = delta.value
      record["source"] = .text(source.word)
    case .willFling(let velocity): record["velocity"] = velocity.value
    case .layout(let change): change.write(to: &record)
    case .willTransition(let size): record["size"] = size.value
    case .willChangeTrackingScrollView(let name), .setTrackingScrollView(let name):
      record["scrollView"] = name.map { .text($0) } ?? .null
    case .setOptions(let options, let delegate):
      record["options"] = .record(options)
      record["delegate"] = delegate.map { .text($0) }
    case .call(let name, let arguments, let delegate, let report):
      record["name"] = .text(name)
      record["arguments"] = .record(arguments)
      record["delegate"] = delegate.map { .text($0) }
      if report { record["report"] = true }
    case .advance(let frameDuration): record["frameDuration"] = frameDuration.map { .number($0) }
    case .move(let move): move.write(to: &record)
    case .constrain(let constraint): constraint.write(to: &record)
    case .release(let name, let style):
      record["name"] = .text(name)
      record["animated"] = style?.value
    case .reveal(let reveal): reveal.write(to: &record)
    case .willBeginDragging, .didScroll, .willBeginDecelerating, .didEndDecelerating, .didEndScrollingAnimation,
      .shouldScrollToTop, .didScrollToTop, .didChangeAdjustedContentInset, .willAppear, .didAppear, .willDisappear,
      .didDisappear, .didBecomeActive, .transition, .didTransition:
      break
    }
  }
}

extension ScrollSource {
  /// The word of the protocol.
  public var word: String { "\(self)" }
}

// MARK: - Changes of layout

extension LayoutChange {
  /// A change by its keys.
  /// - Throws: `invalidParams` naming the field.
  public init(_ keys: Value.Record) throws(HeaderError) {
    var fields = FieldReader(keys, at: Path(""))
    try self.init(&fields)
  }

  /// Reads the flat keys of a scroll view and of the surroundings. `offset` is every event's and is not read here.
  fileprivate init(_ fields: inout FieldReader) throws(HeaderError) {
    given = try Environment.members.check(&fields)
    given.fields += try ScrollView.members.check(&fields).fields
    var (drawerNames, elementNames) = (Set<String>(), Set<String>())
    drawers = try fields.records("drawers") { drawer throws(HeaderError) in
      try PartChange(drawer: &drawer, names: &drawerNames, elementNames: &elementNames)
    }
    pass = try fields.bool("pass") ?? false
  }

  fileprivate func write(to record: inout Value.Record) {
    record.fields += given.fields
    record["drawers"] = drawers.map { .list($0.map(\.value)) }
    if pass { record["pass"] = true }
  }
}

extension PartChange {
  /// Reads a drawer's change: its name and the changed members.
  fileprivate init(
    drawer fields: inout FieldReader, names: inout Set<String>, elementNames: inout Set<String>
  ) throws(HeaderError) {
    name = try fields.uniqueName(&names, of: "drawer")
    given = try DrawerDescription.members.check(&fields)
    if let minimum = given["minimumHeight"]?.number, let maximum = given["maximumHeight"]?.number {
      try fields.requireOrder(minimumHeight: minimum, maximumHeight: maximum)
    }
    elements = try fields.records("elements") { element throws(HeaderError) in
      let name = try element.uniqueName(&elementNames, of: "element")
      return PartChange(name: name, given: try ElementDescription.members.check(&element))
    }
  }

  /// The event's name and its changes.
  public var value: Value {
    var record: Value.Record = ["name": .text(name)]
    record.fields += given.fields
    record["elements"] = elements.map { .list($0.map(\.value)) }
    return .record(record)
  }
}

// MARK: - Reading

extension FieldReader {
  /// `velocity` in points per millisecond; an axis left out is 0.
  fileprivate mutating func velocity() throws(HeaderError) -> Point? {
    try point("velocity", of: "points per millisecond")?.filled(from: Point())
  }

  /// `delta`, which must be there; an axis left out is 0.
  fileprivate mutating func delta() throws(HeaderError) -> Point {
    guard let delta = try point("delta") else {
      throw unexpected("delta", needed: "a point {x, y}", expected: "point")
    }
    return delta.filled(from: Point())
  }

  /// `source`, which must be there.
  fileprivate mutating func source() throws(HeaderError) -> ScrollSource {
    let words = ScrollSource.allCases.map { ($0.word, $0) }
    guard let source = try choice("source", words) else {
      throw unexpected(
        "source", needed: "one of " + words.map { "\"\($0.0)\"" }.joined(separator: ", "), expected: "case")
    }
    return source
  }

  /// `scrollView` as the new tracking one: a name or null, which must be there.
  fileprivate mutating func newScrollView() throws(HeaderError) -> String? {
    guard let name = try nameOrNull("scrollView") else {
      throw unexpected("scrollView", needed: "a name or null", expected: "text")
    }
    return name
  }

  /// `frameDuration` of one frame: above 0 and at most an hour.
  fileprivate mutating func frameDuration() throws(HeaderError) -> Double? {
    guard let duration = try number("frameDuration", of: "seconds") else { return nil }
    guard duration > 0, duration <= 3600 else {
      throw unexpected("frameDuration", needed: "a number above 0 and at most 3600", expected: "number")
    }
    return duration
  }

  /// true or false, which must be there.
  fileprivate mutating func required(bool name: String) throws(HeaderError) -> Bool {
    guard let bool = try bool(name) else { throw unexpected(name, needed: "true or false", expected: "bool") }
    return bool
  }
}
