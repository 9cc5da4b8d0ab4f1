// SPDX-License-Identifier: MIT
//
// A header's description as plain data: the keys of headerd-protocol(7), The description, read from a request, a config
// file or a recording and written back whole. Reading fills in every default, also those that depend on other keys, so
// what is written is the complete description and reads back as an equal one.
//
// The keys are read in the order in which their defaults lean on each other:
//
//     scrollViews ─▶ trackingScrollView ─▶ drawers' width        environment ─▶ the first drawer's y ─▶ the next's …
//
// What nobody knows is handed back in `unknown` and is no error here: the wire warns of it, the config refuses it.
// `hosting` and `options` are free records; the behaviors that read them check them.

extension HeaderDescription {
  /// Reads a description and fills in its defaults.
  /// - Parameters:
  ///   - unknown: takes the keys that no description has, at any depth, each with its path and the nearest known key.
  ///   - alsoKnown: keys beside the description's own that belong to the request, such as `ifExists`.
  ///   - isRecorded: it comes from a recording, where clients stand among the delegates.
  /// - Throws: `invalidParams` naming the field; `scrollViewNotFound` when none has the name of the tracking one.
  public init(
    _ value: Value, at path: Path = Path("params"), unknown: inout [UnknownField], alsoKnown: [String] = [],
    isRecorded: Bool = false
  ) throws(HeaderError) {
    var fields = try FieldReader(value, at: path)
    for name in alsoKnown { _ = fields.value(name) }
    self.init(header: try fields.headerName("header"))
    scrollViews = try fields.scrollViews(&unknown)
    trackingScrollView = try fields.trackingScrollView(of: scrollViews)
    if var environment = try fields.reader("environment") {
      self.environment = try Environment(&environment, &unknown)
    }
    drawers = try fields.drawers(width: defaultDrawerWidth, top: environment.statusBarBottom, &unknown)
    hosting = try fields.record("hosting") ?? Value.Record()
    delegates = try fields.delegates(isRecorded, &unknown)
    frames = try fields.choice("frames", FrameSource.self) ?? .live
    frameRate = try fields.number("frameRate", in: 1...1000, of: "frames a second") ?? 60
    lifetime = try fields.choice("lifetime", Lifetime.self) ?? .daemon
    unknown += fields.unknown
  }

  /// The complete description: every key, in the order of headerd-protocol(7). It can be opened again; clients among
  /// the delegates come by `delegate.add` alone and are left out.
  public var value: Value { value(of: delegates.filter { $0.client == nil }) }

  /// The same as recordings have it: with the clients, so that a replay has the same chain.
  public var recorded: Value { value(of: delegates) }

  private func value(of delegates: [DelegateDescription]) -> Value {
    [
      "header": .text(header),
      "scrollViews": .record(
        Value.Record(fields: scrollViews.map { Value.Record.Field(name: $0.name, value: $0.value) })),
      "trackingScrollView": trackingScrollView.map { .text($0) } ?? .null,
      "drawers": .list(drawers.map(\.value)),
      "environment": environment.value,
      "hosting": .record(hosting),
      "delegates": .list(delegates.map(\.value)),
      "frames": .text(frames.rawValue),
      "frameRate": .number(frameRate),
      "lifetime": .text(lifetime.rawValue),
    ]
  }

  /// The path of the first field, in the order of the protocol, that another description has differently; nil when both
  /// mean the same header. A `clockSecondOfMinute` that one of them does not know makes no difference: the daemon fills
  /// it in when it opens the header, and the client that asks for the same header again does not send it.
  public func firstDifference(from other: HeaderDescription, at path: Path = Path("params")) -> String? {
    var (left, right) = (self, other)
    if left.environment.clockSecondOfMinute < 0 || right.environment.clockSecondOfMinute < 0 {
      left.environment.clockSecondOfMinute = -1
      right.environment.clockSecondOfMinute = -1
    }
    return left.value.firstDifference(from: right.value, at: path)?.text
  }

  /// Drawers are as wide as what they move with.
  private var defaultDrawerWidth: Double {
    (scrollViews.first { $0.name == trackingScrollView } ?? scrollViews.first)?.viewport.width ?? 0
  }
}

// MARK: - The parts

extension Environment {
  /// Reads the surroundings; what is left out has its default.
  init(_ fields: inout FieldReader, _ unknown: inout [UnknownField]) throws(HeaderError) {
    self.init()
    takeOver(try LayoutChange(environment: &fields, &unknown))
    unknown += fields.unknown
  }

  /// Every key, in the order of headerd-protocol(7); a clock that is not known is null.
  public var value: Value {
    [
      "safeAreaInset": safeAreaInset.value,
      "deviceHasHardwareSafeArea": .bool(deviceHasHardwareSafeArea),
      "statusBarHeight": .number(statusBarHeight),
      "statusBarHidden": .bool(statusBarHidden),
      "statusBarFollowsHeader": .bool(statusBarFollowsHeader),
      "screenScale": .number(screenScale),
      "viewOrigin": viewOrigin.value,
      "visible": .bool(visible),
      "presented": .bool(presented),
      "keyWindow": .bool(keyWindow),
      "voiceOverRunning": .bool(voiceOverRunning),
      "reduceMotion": .bool(reduceMotion),
      "appExtension": .bool(appExtension),
      "clockSecondOfMinute": Self.value(ofClock: clockSecondOfMinute),
    ]
  }

  /// The second within the minute, null when it is not known.
  static func value(ofClock second: Double) -> Value { second < 0 ? .null : .number(second) }

  /// The status bar's bottom edge in header space: where the first drawer begins. A presented header has none above it.
  var statusBarBottom: Double {
    statusBarHidden || presented ? 0 : max(0, statusBarHeight - viewOrigin.y)
  }
}

extension ScrollViewDescription {
  /// Reads a scroll view; what is left out has its default, some of which lean on viewport and content inset.
  init(name: String, _ fields: inout FieldReader, _ unknown: inout [UnknownField]) throws(HeaderError) {
    let viewport = try fields.size("viewport", &unknown)?.filled(from: Size()) ?? Size()
    let contentSize = try fields.size("contentSize", &unknown)?.filled(from: Size(width: viewport.width))
    let contentInset = try fields.insets("contentInset", &unknown)?.filled(from: Insets()) ?? Insets()
    self.init(name: name, viewport: viewport, contentSize: contentSize, contentInset: contentInset)
    if let insets = try fields.insets("scrollIndicatorInsets", &unknown) {
      scrollIndicatorInsets = insets.filled(from: Insets())
    }
    // 0 − 0 is 0 where −0 would be written as such.
    offset =
      try fields.point("offset", &unknown)?.filled(from: Point())
      ?? Point(x: 0 - contentInset.left, y: 0 - contentInset.top)
    contentInsetAdjustment =
      try fields.choice("contentInsetAdjustment", ContentInsetAdjustment.words) ?? contentInsetAdjustment
    kind = try fields.choice("kind", ScrollViewKind.words) ?? kind
    pagingEnabled = try fields.bool("pagingEnabled") ?? pagingEnabled
    if case .present(let hidden, let refreshing, let height)? = try fields.refreshControl(&unknown) {
      refreshControl = RefreshControl(hidden: hidden ?? false, refreshing: refreshing ?? false, height: height ?? 0)
    }
    if let frame = try fields.rect("frame", &unknown) { self.frame = frame.filled(from: self.frame) }
    forwardsEvents = try fields.bool("forwardsEvents") ?? forwardsEvents
    clamping = try fields.choice("clamping", Clamping.words) ?? clamping
    unknown += fields.unknown
  }

  /// Every key but the name, which stands before it; in the order of headerd-protocol(7).
  public var value: Value {
    [
      "viewport": viewport.value,
      "contentSize": contentSize.value,
      "contentInset": contentInset.value,
      "scrollIndicatorInsets": scrollIndicatorInsets.value,
      "offset": offset.value,
      "contentInsetAdjustment": .text(contentInsetAdjustment.word),
      "kind": .text(kind.word),
      "pagingEnabled": .bool(pagingEnabled),
      "refreshControl": refreshControl?.value ?? .null,
      "frame": frame.value,
      "forwardsEvents": .bool(forwardsEvents),
      "clamping": .text(clamping.word),
    ]
  }
}

extension ScrollViewDescription.RefreshControl {
  /// Every key.
  public var value: Value {
    ["hidden": .bool(hidden), "refreshing": .bool(refreshing), "height": .number(height)]
  }
}

extension DrawerDescription {
  /// Reads a drawer; what is left out has its default.
  /// - Parameters:
  ///   - top: the edge before it, in header space.
  ///   - elementNames: those of the drawers before; an element's name is unique within its header.
  init(
    _ fields: inout FieldReader, drawerNames: inout [String], elementNames: inout [String], width: Double, top: Double,
    _ unknown: inout [UnknownField]
  ) throws(HeaderError) {
    let name = try fields.uniqueName(&drawerNames, of: "drawer")
    let height = try fields.required(number: "height", in: 0...FieldReader.bound)
    self.init(name: name, height: height, y: top, width: width)
    minimumHeight = try fields.length("minimumHeight") ?? minimumHeight
    maximumHeight = try fields.length("maximumHeight") ?? maximumHeight
    try fields.requireOrder(minimumHeight: minimumHeight, maximumHeight: maximumHeight)
    if let given = try fields.number("y") { y = given }
    // The sum of the drawers before may lie where no number may.
    y = try FieldReader.number(.number(y), at: fields.path + "y")
    self.width = try fields.length("width") ?? width
    sticky = try fields.bool("sticky") ?? sticky
    alpha = try fields.alpha() ?? alpha
    hidden = try fields.bool("hidden") ?? hidden
    let elements = try fields.records("elements") { element throws(HeaderError) in
      try ElementDescription(&element, names: &elementNames, &unknown)
    }
    self.elements = elements ?? []
    unknown += fields.unknown
  }

  /// Every key, in the order of headerd-protocol(7).
  public var value: Value {
    [
      "name": .text(name),
      "height": .number(height),
      "minimumHeight": .number(minimumHeight),
      "maximumHeight": .number(maximumHeight),
      "y": .number(y),
      "width": .number(width),
      "sticky": .bool(sticky),
      "alpha": .number(alpha),
      "hidden": .bool(hidden),
      "elements": .list(elements.map(\.value)),
    ]
  }
}

extension ElementDescription {
  /// Reads an element; what is left out has its default.
  init(_ fields: inout FieldReader, names: inout [String], _ unknown: inout [UnknownField]) throws(HeaderError) {
    self.init(name: try fields.uniqueName(&names, of: "element"))
    if let frame = try fields.rect("frame", &unknown) { self.frame = frame.filled(from: Rect()) }
    alpha = try fields.alpha() ?? alpha
    hidden = try fields.bool("hidden") ?? hidden
    zIndex = try fields.number("zIndex", of: "") ?? zIndex
    transform = try fields.transform("transform") ?? transform
    unknown += fields.unknown
  }

  /// Every key, in the order of headerd-protocol(7).
  public var value: Value {
    [
      "name": .text(name),
      "frame": frame.value,
      "alpha": .number(alpha),
      "hidden": .bool(hidden),
      "zIndex": .number(zIndex),
      "transform": transform.value,
    ]
  }
}

extension DelegateDescription {
  /// Reads a delegate of a recording: a behavior or a client. What else stands there is left alone.
  public init(_ value: Value, at path: Path) throws(HeaderError) {
    var fields = try FieldReader(value, at: path)
    var names: [String] = []
    var unknown: [UnknownField] = []
    try self.init(&fields, names: &names, true, &unknown)
  }

  /// Reads a delegate; its name is its behavior's in lowerCamelCase unless given.
  init(
    _ fields: inout FieldReader, names: inout [String], _ isRecorded: Bool, _ unknown: inout [UnknownField]
  ) throws(HeaderError) {
    if fields.has("client") {
      guard isRecorded else {
        throw HeaderError(
          .invalidParams, "\((fields.path + "client").text): a client joins a header that is open, with delegate.add",
          field: (fields.path + "client").text)
      }
      let name = try fields.uniqueName(&names, of: "delegate")
      guard var client = try ClientDescription(&fields) else {
        throw fields.unexpected("client", needed: "\"observe\" or \"intercept\"", expected: "case")
      }
      client.values = try fields.texts("values") ?? []
      client.notices = try fields.texts("notices") ?? []
      self.init(client: client, name: name, options: try fields.record("options") ?? Value.Record())
    } else {
      let behavior = try fields.plainName("behavior", of: "behavior")
      let name = try fields.uniqueName(&names, of: "delegate", orElse: BehaviorDescription.lowerCamelCase(behavior))
      self.init(behavior: behavior, name: name, options: try fields.record("options") ?? Value.Record())
    }
    unknown += fields.unknown
  }

  /// Every key, in the order of headerd-protocol(7), or of `delegate.add` for a client.
  public var value: Value {
    guard let client else { return ["behavior": .text(behavior), "name": .text(name), "options": .record(options)] }
    var record = Value.Record()
    record["client"] = .text(client.way.rawValue)
    record["name"] = .text(name)
    record["options"] = .record(options)
    record["events"] = client.events == .all ? nil : .list(client.events.kinds.map { .text($0.word) })
    record["deadline"] = client.way == .intercept ? .number(client.deadline) : nil
    record["values"] = client.values.isEmpty ? nil : .list(client.values.map { .text($0) })
    record["notices"] = client.notices.isEmpty ? nil : .list(client.notices.map { .text($0) })
    return .record(record)
  }
}

extension ClientDescription {
  /// Reads `client`, `events` and `deadline`; nil when there is no `client`.
  /// - Throws: `invalidParams` naming the field.
  public init?(_ fields: inout FieldReader) throws(HeaderError) {
    guard let way = try fields.choice("client", Way.self) else { return nil }
    self.init(way)
    if let words = try fields.texts("events") {
      events = []
      for (index, word) in words.enumerated() {
        guard let kind = DelegateEventKind.allCases.first(where: { $0.word == word }) else {
          let known = DelegateEventKind.allCases.map(\.word)
          throw .unexpected(
            .text(word), at: (fields.path + "events")[index], needed: "the kind of an event that delegates are told",
            expected: "case", hint: nearest(to: word, in: known).map { "did you mean \"\($0)\"?" })
        }
        events.insert(EventSet(kind))
      }
    }
    guard let deadline = try fields.number("deadline", in: 0...86_400, of: "seconds") else { return }
    guard deadline > 0 else {
      throw fields.unexpected("deadline", needed: "a number of seconds above 0", expected: "number")
    }
    self.deadline = deadline
  }
}

// MARK: - The words of enumerations

extension ScrollViewKind {
  /// The word for it.
  public var word: String {
    switch self {
    case .scroll: "scroll"
    case .table: "table"
    case .collection: "collection"
    case .web: "web"
    }
  }

  static var words: [(String, ScrollViewKind)] { allCases.map { ($0.word, $0) } }
}

extension ContentInsetAdjustment {
  /// The word for it.
  public var word: String {
    switch self {
    case .never: "never"
    case .automatic: "automatic"
    }
  }

  static var words: [(String, ContentInsetAdjustment)] { allCases.map { ($0.word, $0) } }
}

extension Clamping {
  /// The word for it.
  public var word: String {
    switch self {
    case .all: "all"
    case .inset: "inset"
    case .none: "none"
    }
  }

  static var words: [(String, Clamping)] { allCases.map { ($0.word, $0) } }
}

// MARK: - Comparing

extension Value {
  /// The path of the first value, in this tree's order, that another tree has differently.
  fileprivate func firstDifference(from other: Value, at path: Path) -> Path? {
    switch (self, other) {
    case (.record(let left), .record(let right)):
      for field in left.fields {
        guard let value = right[field.name] else { return path + field.name }
        if let found = field.value.firstDifference(from: value, at: path + field.name) { return found }
      }
      return right.fields.first { left[$0.name] == nil }.map { path + $0.name }
    case (.list(let left), .list(let right)):
      for (index, pair) in zip(left, right).enumerated() {
        if let found = pair.0.firstDifference(from: pair.1, at: path[index]) { return found }
      }
      return left.count == right.count ? nil : path[min(left.count, right.count)]
    default:
      return self == other ? nil : path
    }
  }
}
