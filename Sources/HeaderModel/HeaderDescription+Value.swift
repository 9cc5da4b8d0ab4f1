// SPDX-License-Identifier: MIT
//
// A header's description as plain data: the keys of headerd-headers(7), read from a request, a config file or a recording and written
// back whole. Reading fills in every default, also those that depend on other keys, so what is written is the complete description and
// reads back as an equal one.
//
// The keys are read in the order in which their defaults depend on each other:
//
//     scrollViews ─▶ trackingScrollView ─▶ drawers' width        environment ─▶ the first drawer's y ─▶ the next's …
//
// Unknown keys are returned in `unknown` and are no error here: the wire warns of them, the config refuses them. `hosting` and `options`
// are free records; the behaviors that read them check them.

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
    try self.init(&fields, isRecorded: isRecorded)
    unknown += fields.unknown
  }

  /// Reads a description from a record whose reading was begun before.
  public init(_ fields: inout FieldReader, isRecorded: Bool = false) throws(HeaderError) {
    self.init(header: try fields.headerName("header"))
    scrollViews = try fields.scrollViews()
    trackingScrollView = try fields.trackingScrollView(of: scrollViews)
    let environment = try fields.nested("environment") { fields throws(HeaderError) in try Environment(&fields) }
    self.environment = environment ?? Environment()
    layoutDirection = try fields.choice("layoutDirection", LayoutDirection.self) ?? .leftToRight
    drawers = try fields.drawers { edge in (width: defaultDrawerWidth(at: edge), y: firstEdge(at: edge)) }
    hosting = try fields.record("hosting") ?? Value.Record()
    delegates = try fields.delegates(isRecorded)
    frames = try fields.choice("frames", FrameSource.self) ?? .live
    frameRate = try fields.number("frameRate", in: 1...1000, of: "frames a second") ?? 60
    lifetime = try fields.choice("lifetime", Lifetime.self) ?? .daemon
    // Recordings that do not say it are older than the key, or of the originals themselves.
    handOver = try fields.choice("handOver", HandOverLook.self) ?? .behavior
    onLeave = try fields.choice("onLeave", Leaving.self) ?? .keep
    stretchTrigger = try fields.number("stretchTrigger", in: 0...FieldReader.bound) ?? 0
    refreshOrder = try fields.choice("refreshOrder", RefreshOrder.self) ?? .together
    if refreshOrder == .headerFirst, stretchTrigger <= 0 {
      throw fields.unexpected(
        "stretchTrigger",
        needed: "more than 0 points with refreshOrder headerFirst: where the header's part of a pull ends",
        expected: "more than 0")
    }
    tellsObstruction = try fields.bool("tellsObstruction") ?? false
    stops = try fields.stops(of: header, drawers: drawers.map(\.name))
    initialPosition = try fields.moveTarget("initialPosition")
    accessibility = try fields.choice("accessibility", Accessibility.self) ?? (isRecorded ? .original : .shown)
  }

  /// The complete description: every key, in the order of headerd-headers(7). It can be opened again; clients among
  /// the delegates come by `delegate.add` alone and are left out.
  public var value: Value { value(of: delegates.filter { $0.client == nil }) }

  /// The description as recordings have it: with the clients, so that a replay has the same chain.
  public var recorded: Value { value(of: delegates) }

  private func value(of delegates: [DelegateDescription]) -> Value {
    var record: Value.Record = [
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
      "accessibility": .text(accessibility.rawValue),
      "handOver": .text(handOver.rawValue),
      "onLeave": .text(onLeave.rawValue),
      "stretchTrigger": .number(stretchTrigger),
      "tellsObstruction": .bool(tellsObstruction),
      "stops": .list(stops.map(\.value)),
    ]
    // Keys that older recordings do not have are written only if they differ from the default.
    if refreshOrder != .together { record["refreshOrder"] = .text(refreshOrder.rawValue) }
    record["initialPosition"] = initialPosition?.value
    if layoutDirection != .leftToRight { record["layoutDirection"] = .text(layoutDirection.rawValue) }
    return .record(record)
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

  /// Drawers are as wide as the viewport that they move with.
  private func defaultDrawerWidth(at edge: Edge) -> Double {
    let viewport = (scrollViews.first { $0.name == trackingScrollView } ?? scrollViews.first)?.viewport ?? Size()
    return edge.isVertical ? viewport.width : viewport.height
  }

  /// The line that the first drawer of an edge hangs on: the status bar's, or the edge of the safe area there.
  private func firstEdge(at edge: Edge) -> Double {
    EdgeLens(edge, in: Point(), layoutDirection, keyboardHeight: environment.keyboardHeight)
      .environment(environment).statusBarBottom
  }
}

// MARK: - The parts

extension ScrollViewDescription {
  /// Reads a scroll view; keys left out have their defaults, some of which depend on viewport and content inset.
  init(name: String, _ fields: inout FieldReader) throws(HeaderError) {
    self.init(name: name)
    let members = ScrollView.described
    try members[..<1].read(&fields, into: &record)
    record.contentSize.width = record.viewport.width
    record.frame.size = record.viewport
    try members[1..<3].read(&fields, into: &record)
    let inset = record.contentInset
    record.scrollIndicatorInsets = fields.has("scrollIndicatorInsets") ? Insets() : inset
    // 0 − 0 is 0 where −0 would be written as such.
    record.contentOffset = fields.has("offset") ? Point() : Point(x: 0 - inset.left, y: 0 - inset.top)
    try members[3...].read(&fields, into: &record)
    try ScrollView.direction.read(&fields, into: &record)
    guard record.isReversed, !fields.has("offset") else { return }
    record.contentOffset =
      record.axis == .vertical
      ? Point(x: 0 - inset.left, y: 0 - inset.bottom) : Point(x: 0 - inset.right, y: 0 - inset.top)
  }

  /// Every key but the name, which stands before it; in the order of headerd-headers(7).
  public var value: Value {
    var value = ScrollView.described.write(record)
    if record.axis != .vertical { value["axis"] = .text(record.axis.rawValue) }
    if record.isReversed { value["reversed"] = true }
    return .record(value)
  }
}

extension DrawerDescription {
  /// Every key but the name and the elements, in the order of headerd-headers(7).
  package static let members: [Member<DrawerDescription>] = [
    Member("height", \.height, .length), Member("minimumHeight", \.minimumHeight, .length),
    Member("maximumHeight", \.maximumHeight, .length), Member("y", \.y, .points), Member("width", \.width, .length),
    Member("sticky", \.sticky, .flag), Member("alpha", \.alpha, .alpha), Member("hidden", \.hidden, .flag),
    Member("zIndex", \.zIndex, .order),
  ]

  /// Reads a drawer; keys left out have their defaults.
  /// - Parameters:
  ///   - place: its width, and the edge before it, by the edge that it hangs on.
  ///   - elementNames: those of the drawers before; an element's name is unique within its header.
  init(
    _ fields: inout FieldReader, drawerNames: inout Set<String>, elementNames: inout Set<String>,
    place: (Edge) -> (width: Double, y: Double)
  ) throws(HeaderError) {
    let name = try fields.uniqueName(&drawerNames, of: "drawer")
    let edge = try fields.choice("edge", Edge.self) ?? .top
    let height = try fields.required(number: "height", in: 0...FieldReader.bound)
    let place = place(edge)
    self.init(name: name, height: height, y: place.y, width: place.width)
    self.edge = edge
    direction = try fields.choice("direction", EdgeDirection.self) ?? .content
    follow = try fields.nested("follow") { follow throws(HeaderError) in try Following(&follow) }
    try Self.members.read(&fields, into: &self)
    try fields.requireOrder(minimumHeight: minimumHeight, maximumHeight: maximumHeight)
    // The sum of the drawers before may lie where no number may.
    y = try FieldReader.number(.number(y), at: fields.path + "y")
    let elements = try fields.records("elements", definition: "Element") { element throws(HeaderError) in
      try ElementDescription(&element, names: &elementNames)
    }
    self.elements = elements ?? []
  }

  /// All keys and their values.
  public var value: Value {
    var record: Value.Record = ["name": .text(name)]
    if edge != .top { record["edge"] = .text(edge.rawValue) }
    if direction != .content { record["direction"] = .text(direction.rawValue) }
    record["follow"] = follow?.value
    record.fields += Self.members.write(self).fields
    if zIndex == 0 { record["zIndex"] = nil }
    record["elements"] = .list(elements.map(\.value))
    return .record(record)
  }
}

extension ElementDescription {
  /// Every key but the name, in the order of headerd-headers(7).
  package static let members: [Member<ElementDescription>] = [
    Member("frame", \.frame, .shape), Member("alpha", \.alpha, .alpha), Member("hidden", \.hidden, .flag),
    Member("zIndex", \.zIndex, .number(of: "")), Member("transform", \.transform, .transform),
  ]

  /// Reads an element; keys left out have their defaults.
  init(_ fields: inout FieldReader, names: inout Set<String>) throws(HeaderError) {
    self.init(name: try fields.uniqueName(&names, of: "element"))
    try Self.members.read(&fields, into: &self)
  }

  /// All keys and their values.
  public var value: Value {
    var record: Value.Record = ["name": .text(name)]
    record.fields += Self.members.write(self).fields
    return .record(record)
  }
}

extension StopDescription {
  init(_ fields: inout FieldReader, names: inout Set<String>) throws(HeaderError) {
    self.init(name: try fields.uniqueName(&names, of: "stop"), target: try fields.place())
  }

  /// All keys and their values.
  public var value: Value {
    guard case .record(var record) = target.value else { return .null }
    record.fields.insert(.init(name: "name", value: .text(name)), at: 0)
    return .record(record)
  }
}

extension DelegateDescription {
  /// Reads a delegate of a recording: a behavior or a client. What else stands there is left alone.
  public init(_ value: Value, at path: Path) throws(HeaderError) {
    var fields = try FieldReader(value, at: path)
    var names: Set<String> = []
    try self.init(&fields, names: &names, true)
  }

  /// Reads a delegate; its name is its behavior's in lowerCamelCase unless given.
  init(_ fields: inout FieldReader, names: inout Set<String>, _ isRecorded: Bool) throws(HeaderError) {
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
      preset = try fields.text("preset")
      edge = try fields.choice("edge", Edge.self)
    }
  }

  /// Every key, in the order of headerd-headers(7), or of `delegate.add` for a client.
  public var value: Value {
    guard let client else {
      var record: Value.Record = ["behavior": .text(behavior), "name": .text(name)]
      record["preset"] = preset.map { .text($0) }
      record["edge"] = edge.map { .text($0.rawValue) }
      record["options"] = .record(options)
      return .record(record)
    }
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
    if let words = try fields.texts("events", .word(DelegateEventKind.allCases.map(\.word))) {
      events = []
      for (index, word) in words.enumerated() {
        guard let kind = DelegateEventKind(word: word) else {
          let known = DelegateEventKind.allCases.map(\.word)
          throw .unexpected(
            .text(word), at: (fields.path + "events")[index], needed: "the kind of an event that delegates get",
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

// MARK: - Comparing

extension Value {
  /// The path of the first value, in this tree's order, that another tree has differently.
  fileprivate func firstDifference(from other: Value, at path: Path) -> Path? {
    switch (self, other) {
    case (.record(let left), .record(let right)):
      // A free record may have as many members as a message has room for.
      var others = Dictionary(right.fields.lazy.map { ($0.name, $0.value) }) { first, _ in first }
      for field in left.fields {
        guard let value = others.removeValue(forKey: field.name) else { return path + field.name }
        if let found = field.value.firstDifference(from: value, at: path + field.name) { return found }
      }
      return right.fields.first { others[$0.name] != nil }.map { path + $0.name }
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
