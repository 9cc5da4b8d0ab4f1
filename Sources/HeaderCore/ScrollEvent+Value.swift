// SPDX-License-Identifier: MIT
//
// Events as plain data: the fields of every event and those that belong to its kind alone
// (headerd-protocol(7), Fields of every event, Kinds). A field of another kind is unknown. What an event leaves out
// keeps its present value, so absent fields, axes and edges stay absent here, and writing an event back gives what was
// read.
//
//     {"event":"willEndDragging","time":1.3,"scrollView":"content","velocity":{"x":0,"y":0.8},"targetOffset":{"y":210}}
//      ╰──────── kind ─────────╯ ╰ Timed ╯ ╰───── of every event ─────╯ ╰────────────── of the kind ───────────────╯
//
// Names of scroll views, drawers and delegates are not looked up here; the header that receives the event does that.

/// An event and when it happened by its publisher's clock.
public struct TimedEvent: Sendable {
  /// What happened.
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

  /// The same from a record that somebody else has begun to read: what was asked for there is known.
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
  /// Reads an event. Its `time` is `TimedEvent`'s: here it is unknown unless `alsoKnown` names it.
  /// - Parameters:
  ///   - unknown: takes the fields that no such event has, each with its path and the nearest known name.
  ///   - alsoKnown: fields beside the event's own that belong to the request, such as `header`.
  /// - Throws: `invalidParams` naming the field.
  public init(
    _ value: Value, at path: Path = Path("params"), unknown: inout [UnknownField], alsoKnown: [String] = []
  ) throws(HeaderError) {
    try self.init(try FieldReader(value, at: path), unknown: &unknown, alsoKnown: alsoKnown)
  }

  /// The same from a record that somebody else has begun to read: what was asked for there is known.
  public init(_ reader: FieldReader, unknown: inout [UnknownField], alsoKnown: [String] = []) throws(HeaderError) {
    var fields = reader
    for name in alsoKnown { _ = fields.value(name) }
    guard let name = try fields.choice("event", EventName.self) else {
      throw fields.unexpected("event", needed: "the kind of event", expected: "case")
    }
    kind = try Kind(name, &fields, &unknown)
    switch kind {
    case .willChangeTrackingScrollView, .setTrackingScrollView: scrollView = nil
    default: scrollView = try fields.text("scrollView")
    }
    offset = try fields.point("offset", &unknown)
    switch kind {
    case .didScroll, .setContentOffset:
      guard let offset, offset.x != nil || offset.y != nil else {
        throw fields.unexpected("offset", needed: "a point with \"x\", \"y\" or both", expected: "point")
      }
    default: break
    }
    correction = try fields.point("correction", &unknown)
    isTracking = try fields.bool("isTracking")
    isDragging = try fields.bool("isDragging")
    isDecelerating = try fields.bool("isDecelerating")
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
    kind.write(to: &record)
    return record
  }
}

// MARK: - What belongs to a kind

extension ScrollEvent.Kind {
  /// Reads the fields of one kind.
  fileprivate init(_ name: EventName, _ fields: inout FieldReader, _ unknown: inout [UnknownField]) throws(HeaderError)
  {
    switch name {
    case .willBeginDragging: self = .willBeginDragging
    case .didScroll: self = .didScroll
    case .willEndDragging:
      self = .willEndDragging(
        velocity: try fields.velocity(&unknown) ?? Point(), targetOffset: try fields.point("targetOffset", &unknown))
    case .didEndDragging: self = .didEndDragging(willDecelerate: try fields.required(bool: "willDecelerate"))
    case .willBeginDecelerating: self = .willBeginDecelerating
    case .didEndDecelerating: self = .didEndDecelerating
    case .didEndScrollingAnimation: self = .didEndScrollingAnimation
    case .shouldScrollToTop: self = .shouldScrollToTop
    case .didScrollToTop: self = .didScrollToTop
    case .didChangeAdjustedContentInset: self = .didChangeAdjustedContentInset
    case .setContentOffset: self = .setContentOffset(animated: try fields.bool("animated") ?? false)
    case .willScroll: self = .willScroll(delta: try fields.delta(&unknown), source: try fields.source())
    case .didOverscroll: self = .didOverscroll(delta: try fields.delta(&unknown), source: try fields.source())
    case .willFling:
      guard let velocity = try fields.velocity(&unknown) else {
        throw fields.unexpected("velocity", needed: "a point {x, y} in points per millisecond", expected: "point")
      }
      self = .willFling(velocity: velocity)
    case .layout: self = .layout(try LayoutChange(&fields, &unknown))
    case .willAppear: self = .willAppear
    case .didAppear: self = .didAppear
    case .willDisappear: self = .willDisappear
    case .didDisappear: self = .didDisappear
    case .didBecomeActive: self = .didBecomeActive
    case .willTransition:
      guard let size = try fields.size("size", &unknown) else {
        throw fields.unexpected("size", needed: "a size {width, height}", expected: "size")
      }
      self = .willTransition(size: size.filled(from: Size()))
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
        delegate: try fields.text("delegate"))
    case .advance: self = .advance(frameDuration: try fields.frameDuration())
    }
  }

  /// Adds the fields of the kind.
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
    case .call(let name, let arguments, let delegate):
      record["name"] = .text(name)
      record["arguments"] = .record(arguments)
      record["delegate"] = delegate.map { .text($0) }
    case .advance(let frameDuration): record["frameDuration"] = frameDuration.map { .number($0) }
    case .willBeginDragging, .didScroll, .willBeginDecelerating, .didEndDecelerating, .didEndScrollingAnimation,
      .shouldScrollToTop, .didScrollToTop, .didChangeAdjustedContentInset, .willAppear, .didAppear, .willDisappear,
      .didDisappear, .didBecomeActive, .transition, .didTransition:
      break
    }
  }
}

extension ScrollSource {
  /// The word for it.
  public var word: String {
    switch self {
    case .drag: "drag"
    case .fling: "fling"
    case .program: "program"
    }
  }
}

// MARK: - Changes of layout

extension LayoutChange {
  /// Reads the flat keys of a scroll view and of the surroundings. `offset` is every event's and is not read here.
  fileprivate init(_ fields: inout FieldReader, _ unknown: inout [UnknownField]) throws(HeaderError) {
    try self.init(environment: &fields, &unknown)
    viewport = try fields.size("viewport", &unknown)
    drawers = try fields.drawerChanges(&unknown)
    contentSize = try fields.size("contentSize", &unknown)
    frame = try fields.rect("frame", &unknown)
    scrollIndicatorInsets = try fields.insets("scrollIndicatorInsets", &unknown)
    contentInsetAdjustment = try fields.choice("contentInsetAdjustment", ContentInsetAdjustment.words)
    kind = try fields.choice("kind", ScrollViewKind.words)
    pagingEnabled = try fields.bool("pagingEnabled")
    refreshControl = try fields.refreshControl(&unknown)
    forwardsEvents = try fields.bool("forwardsEvents")
    clamping = try fields.choice("clamping", Clamping.words)
    contentInset = try fields.insets("contentInset", &unknown)
    boundsAnimationDuration = try fields.number(
      "boundsAnimationDuration", in: 0...FieldReader.bound, of: "seconds")
    pass = try fields.bool("pass") ?? false
  }

  /// Reads the keys of the surroundings.
  init(environment fields: inout FieldReader, _ unknown: inout [UnknownField]) throws(HeaderError) {
    self.init()
    safeAreaInset = try fields.insets("safeAreaInset", &unknown)
    deviceHasHardwareSafeArea = try fields.bool("deviceHasHardwareSafeArea")
    statusBarHeight = try fields.length("statusBarHeight")
    statusBarHidden = try fields.bool("statusBarHidden")
    statusBarFollowsHeader = try fields.bool("statusBarFollowsHeader")
    screenScale = try fields.screenScale()
    viewOrigin = try fields.point("viewOrigin", &unknown)
    visible = try fields.bool("visible")
    presented = try fields.bool("presented")
    keyWindow = try fields.bool("keyWindow")
    voiceOverRunning = try fields.bool("voiceOverRunning")
    reduceMotion = try fields.bool("reduceMotion")
    appExtension = try fields.bool("appExtension")
    clockSecondOfMinute = try fields.clockSecondOfMinute()
  }

  /// Adds what changes, in the order in which it is taken over.
  fileprivate func write(to record: inout Value.Record) {
    record["safeAreaInset"] = safeAreaInset?.value
    record["deviceHasHardwareSafeArea"] = deviceHasHardwareSafeArea.map { .bool($0) }
    record["statusBarHeight"] = statusBarHeight.map { .number($0) }
    record["statusBarHidden"] = statusBarHidden.map { .bool($0) }
    record["statusBarFollowsHeader"] = statusBarFollowsHeader.map { .bool($0) }
    record["screenScale"] = screenScale.map { .number($0) }
    record["viewOrigin"] = viewOrigin?.value
    record["visible"] = visible.map { .bool($0) }
    record["presented"] = presented.map { .bool($0) }
    record["keyWindow"] = keyWindow.map { .bool($0) }
    record["voiceOverRunning"] = voiceOverRunning.map { .bool($0) }
    record["reduceMotion"] = reduceMotion.map { .bool($0) }
    record["appExtension"] = appExtension.map { .bool($0) }
    record["clockSecondOfMinute"] = clockSecondOfMinute.map { Environment.value(ofClock: $0) }
    record["viewport"] = viewport?.value
    record["drawers"] = drawers.map { .list($0.map(\.value)) }
    record["contentSize"] = contentSize?.value
    record["frame"] = frame?.value
    record["scrollIndicatorInsets"] = scrollIndicatorInsets?.value
    record["contentInsetAdjustment"] = contentInsetAdjustment.map { .text($0.word) }
    record["kind"] = kind.map { .text($0.word) }
    record["pagingEnabled"] = pagingEnabled.map { .bool($0) }
    record["refreshControl"] = refreshControl?.value
    record["forwardsEvents"] = forwardsEvents.map { .bool($0) }
    record["clamping"] = clamping.map { .text($0.word) }
    record["contentInset"] = contentInset?.value
    record["boundsAnimationDuration"] = boundsAnimationDuration.map { .number($0) }
    if pass { record["pass"] = true }
  }
}

extension RefreshControlChange {
  /// What changes, or null when the control goes.
  public var value: Value {
    guard case .present(let hidden, let refreshing, let height) = self else { return .null }
    var record = Value.Record()
    record["hidden"] = hidden.map { .bool($0) }
    record["refreshing"] = refreshing.map { .bool($0) }
    record["height"] = height.map { .number($0) }
    return .record(record)
  }
}

extension DrawerChange {
  /// Reads a drawer's change: its name and what changes.
  fileprivate init(
    _ fields: inout FieldReader, drawerNames: inout [String], elementNames: inout [String],
    _ unknown: inout [UnknownField]
  ) throws(HeaderError) {
    self.init(name: try fields.uniqueName(&drawerNames, of: "drawer"))
    height = try fields.length("height")
    minimumHeight = try fields.length("minimumHeight")
    maximumHeight = try fields.length("maximumHeight")
    if let minimumHeight, let maximumHeight {
      try fields.requireOrder(minimumHeight: minimumHeight, maximumHeight: maximumHeight)
    }
    y = try fields.number("y")
    width = try fields.length("width")
    sticky = try fields.bool("sticky")
    alpha = try fields.alpha()
    hidden = try fields.bool("hidden")
    elements = try fields.records("elements") { element throws(HeaderError) in
      try ElementChange(&element, names: &elementNames, &unknown)
    }
    unknown += fields.unknown
  }

  /// Its name and what changes.
  public var value: Value {
    var record = Value.Record()
    record["name"] = .text(name)
    record["height"] = height.map { .number($0) }
    record["minimumHeight"] = minimumHeight.map { .number($0) }
    record["maximumHeight"] = maximumHeight.map { .number($0) }
    record["y"] = y.map { .number($0) }
    record["width"] = width.map { .number($0) }
    record["sticky"] = sticky.map { .bool($0) }
    record["alpha"] = alpha.map { .number($0) }
    record["hidden"] = hidden.map { .bool($0) }
    record["elements"] = elements.map { .list($0.map(\.value)) }
    return .record(record)
  }
}

extension ElementChange {
  /// Reads an element's change: its name and what changes.
  fileprivate init(_ fields: inout FieldReader, names: inout [String], _ unknown: inout [UnknownField])
    throws(HeaderError)
  {
    self.init(name: try fields.uniqueName(&names, of: "element"))
    frame = try fields.rect("frame", &unknown)
    alpha = try fields.alpha()
    hidden = try fields.bool("hidden")
    zIndex = try fields.number("zIndex", of: "")
    transform = try fields.transform("transform")
    unknown += fields.unknown
  }

  /// Its name and what changes.
  public var value: Value {
    var record = Value.Record()
    record["name"] = .text(name)
    record["frame"] = frame?.value
    record["alpha"] = alpha.map { .number($0) }
    record["hidden"] = hidden.map { .bool($0) }
    record["zIndex"] = zIndex.map { .number($0) }
    record["transform"] = transform?.value
    return .record(record)
  }
}

// MARK: - Reading

extension FieldReader {
  /// `velocity` in points per millisecond; an axis left out is 0.
  fileprivate mutating func velocity(_ unknown: inout [UnknownField]) throws(HeaderError) -> Point? {
    try point("velocity", of: "points per millisecond", &unknown)?.filled(from: Point())
  }

  /// `delta`, which must be there; an axis left out is 0.
  fileprivate mutating func delta(_ unknown: inout [UnknownField]) throws(HeaderError) -> Point {
    guard let delta = try point("delta", &unknown) else {
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

  /// `drawers` of a layout event.
  fileprivate mutating func drawerChanges(_ unknown: inout [UnknownField]) throws(HeaderError) -> [DrawerChange]? {
    var drawerNames: [String] = []
    var elementNames: [String] = []
    return try records("drawers") { fields throws(HeaderError) in
      try DrawerChange(&fields, drawerNames: &drawerNames, elementNames: &elementNames, &unknown)
    }
  }
}
