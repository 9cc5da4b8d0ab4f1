// SPDX-License-Identifier: MIT
//
// A whole header as plain data, and back: the beginning of a recording that was started in mid-life. Together with the
// description (whose options are today's) it holds everything that the next event can depend on, so that a replay gives
// the same states byte for byte. Times are written as whole nanoseconds in text, since a number holds 104 days of them.

extension Header {
  /// All that the header remembers, as of the latest event.
  /// - Parameter clients: whether clients in the chain are among it. They are in what recordings begin with, and not in a
  ///   description that is opened again (`HeaderDescription.value`).
  /// - Throws: `behaviorFailed` when a delegate cannot save.
  public func save(clients: Bool = true) throws(HeaderError) -> Value {
    var members: [Value] = []
    var places = Array(repeating: Int32(-1), count: proxy.slots.count)
    func place(_ delegate: Int32) -> Int32 { delegate < 0 ? -1 : places[Int(delegate)] }
    for index in proxy.slots.indices where clients || description.delegates[index].client == nil {
      places[index] = Int32(members.count)
      let slot = proxy.slots[index]
      let posted = slot.noticePostedAt.map { $0 == .max ? Value.null : .number(Double($0)) }
      var saved = SavedState(version: slot.delegate.behavior.savedVersion, state: .null)
      if !slot.isBypassed {
        saved = try answering(for: slot.delegate, at: Path("delegates")[index]) { () throws(DelegateFailure) in
          try slot.delegate.save(in: self)
        }
      }
      var member: Value.Record = [
        "name": .text(slot.delegate.name), "version": .number(Double(saved.version)), "state": saved.state,
        "isBypassed": .bool(slot.isBypassed), "noticePostedAt": .list(posted),
      ]
      if slot.missedDeadlines > 0 { member["missedDeadlines"] = .number(Double(slot.missedDeadlines)) }
      members.append(.record(member))
    }
    var schedule = schedule
    schedule.renumber(place)
    var saved: Value.Record = [
      "time": .text(String(now.nanoseconds)), "hasTime": .bool(hasTime), "seq": .number(Double(state.seq)),
      "stateTime": .text(String(state.time.nanoseconds)), "changeCount": .number(Double(changeCount)),
      "trackingScrollView": .number(Double(trackingScrollView)), "environment": environment.value,
      "scrollViews": .list(scrollViews.elements.map(\.saved)), "drawers": .list(drawers.elements.map(\.saved)),
      "elements": .list(elements.elements.map(\.saved)),
      "drawerOwners": .list(drawerOwners.map { .number(Double(place($0))) }),
      "elementOwners": .list(elementOwners.map { .number(Double(place($0))) }),
      "chain": chain.saved,
      "values": .list(values.lazy.filter { place($0.delegate) >= 0 }.map(\.content.value)), "wants": wants.saved,
      "schedule": schedule.saved, "delegates": .list(members),
    ]
    // Nearly always it is where it was at the opening.
    if timeEnd.nanoseconds != Instant.nanosecondsMost { saved["timeEnd"] = .text(String(timeEnd.nanoseconds)) }
    return .record(saved)
  }

  /// Takes over what `save` gave, in place of attaching the delegates.
  func restore(_ saved: Value) throws(HeaderError) {
    var fields = try FieldReader(saved, at: Path("saved"))
    now = try fields.headerTime("time")
    hasTime = try fields.bool("hasTime") ?? false
    if fields.has("timeEnd") { timeEnd = try fields.headerTime("timeEnd") }
    // Whatever stands there, behaviors subtract times from each other.
    timeEnd = min(timeEnd, now.advanced(by: .max))
    changeCount = UInt64(try fields.required(number: "changeCount", in: 0...9e15, of: ""))
    trackingScrollView = try fields.integer("trackingScrollView", in: -1...(scrollViews.count - 1)) ?? -1
    try restoreRecords(&fields)
    wants = try Wants(saved: fields.value("wants"), at: fields.path + "wants")
    schedule = try Schedule(
      saved: fields.value("schedule"), at: fields.path + "schedule", delegates: proxy.slots.count)
    updateAdjustedInsets()
    try restoreDelegates(&fields)
    rebuildState()
    state.seq = Int64(try fields.required(number: "seq", in: 0...9e15, of: ""))
    state.time = try fields.instant("stateTime")
    state.wants = wants
    state.trackingScrollView = Int32(trackingScrollView)
    state.framesActive = !schedule.frames.isEmpty
    pending.clear()
  }

  private func owners(_ name: String, count: Int, _ fields: inout FieldReader) throws(HeaderError) -> [Int32] {
    let most = Double(proxy.slots.count - 1)
    return try fields.numbers(name, count: count).map { Int32(max(-1, min(most, $0))) }
  }

  private func restoreRecords(_ fields: inout FieldReader) throws(HeaderError) {
    var unknown: [UnknownField] = []
    if let value = fields.value("environment") {
      environment = try HeaderDescription(
        ["header": .text(name), "environment": value], at: fields.path, unknown: &unknown
      ).environment
    }
    let views = try fields.rows("scrollViews", count: scrollViews.count)
    for (index, row) in views.enumerated() {
      var record = scrollViews[index]
      try record.restore(row)
      scrollViews[index] = record
    }
    let rows = try fields.rows("drawers", count: drawers.count)
    for (index, row) in rows.enumerated() {
      var record = drawers[index]
      try record.restore(row)
      drawers[index] = record
    }
    let looks = try fields.rows("elements", count: elements.count)
    for (index, row) in looks.enumerated() {
      var record = elements[index]
      try record.restore(row)
      elements[index] = record
    }
    drawerOwners = try owners("drawerOwners", count: drawers.count, &fields)
    if fields.has("elementOwners") { elementOwners = try owners("elementOwners", count: elements.count, &fields) }
    chain = try ChainPolicy(saved: fields.value("chain"), at: fields.path + "chain", scrollViews: scrollViews.count)
    try restoreValues(&fields)
  }

  /// A saved value stands by its place; a behavior that has grown has more of them than were saved.
  private func restoreValues(_ fields: inout FieldReader) throws(HeaderError) {
    for (index, value) in (try fields.list("values") ?? []).enumerated() where values.indices.contains(index) {
      guard let content = NamedValue.Content(value) else {
        throw .unexpected(
          value, at: (fields.path + "values")[index], needed: "null, true, false, a number or a text",
          expected: "null, bool, number or text")
      }
      values[index].content = content
    }
  }

  private func restoreDelegates(_ fields: inout FieldReader) throws(HeaderError) {
    let rows = try fields.rows("delegates", count: proxy.slots.count)
    isRestoring = fields.has("elementOwners")
    defer { isRestoring = false }
    // Who yields takes its elements last here, too.
    for index in attachingOrder {
      var row = rows[index]
      let name = try row.required(text: "name")
      guard name == proxy.slots[index].delegate.name else {
        throw HeaderError(
          .invalidParams,
          "\((row.path + "name").text): expected \"\(proxy.slots[index].delegate.name)\" as the description has it, got "
            + Value.text(name).brief, field: (row.path + "name").text, got: .text(name))
      }
      let version = try row.integer("version", in: 0...Int(Int32.max)) ?? 0
      let state = row.value("state") ?? .null
      proxy.slots[index].isActive = true
      proxy.slots[index].isBypassed = try row.bool("isBypassed") ?? false
      proxy.slots[index].missedDeadlines = UInt8(try row.integer("missedDeadlines", in: 0...255) ?? 0)
      for (number, value) in (try row.list("noticePostedAt") ?? []).enumerated() {
        guard proxy.slots[index].noticePostedAt.indices.contains(number), case .number(let count) = value else {
          continue
        }
        proxy.slots[index].noticePostedAt[number] = UInt64(max(0, min(9e15, count)))
      }
      let delegate = proxy.slots[index].delegate
      updateResponds(of: index)
      guard !proxy.slots[index].isBypassed else { continue }
      do {
        try answering(for: delegate, at: row.path + "state") { () throws(DelegateFailure) in
          try delegate.restore(SavedState(version: version, state: state), in: self)
        }
      } catch {
        // What it refuses is no option.
        var refusal = error
        if refusal.name == .invalidOption { refusal.name = .invalidParams }
        throw refusal
      }
      updateResponds(of: index)
    }
  }
}

// MARK: - Records

extension ScrollView {
  fileprivate var saved: Value {
    [
      "contentOffset": contentOffset.value, "contentSize": contentSize.value, "contentInset": contentInset.value,
      "scrollIndicatorInsets": scrollIndicatorInsets.value, "frame": frame.value, "viewport": viewport.value,
      "correction": correction.value, "refreshControlHeight": .number(refreshControlHeight),
      "boundsAnimationDuration": .number(boundsAnimationDuration), "kind": .number(Double(kind.rawValue)),
      "contentInsetAdjustment": .number(Double(contentInsetAdjustment.rawValue)),
      "clamping": .number(Double(clamping.rawValue)),
      "flags": .list(flags.map { .bool(self[keyPath: $0]) }),
    ]
  }

  private var flags: [WritableKeyPath<ScrollView, Bool>] {
    [
      \.isTracking, \.isDragging, \.isDecelerating, \.isAnimating, \.pagingEnabled, \.hasRefreshControl,
      \.refreshControlHidden, \.isRefreshing, \.forwardsEvents, \.decidesIndicatorInsets, \.decidesFrame,
      \.decidesContentSize,
    ]
  }

  fileprivate mutating func restore(_ row: FieldReader) throws(HeaderError) {
    var row = row
    var unknown: [UnknownField] = []
    contentOffset = try row.point("contentOffset", &unknown)?.filled(from: contentOffset) ?? contentOffset
    contentSize = try row.contentSize("contentSize", &unknown)?.filled(from: contentSize) ?? contentSize
    contentInset = try row.insets("contentInset", &unknown)?.filled(from: contentInset) ?? contentInset
    scrollIndicatorInsets =
      try row.insets("scrollIndicatorInsets", &unknown)?.filled(from: scrollIndicatorInsets) ?? scrollIndicatorInsets
    frame = try row.rect("frame", &unknown)?.filled(from: frame) ?? frame
    viewport = try row.size("viewport", &unknown)?.filled(from: viewport) ?? viewport
    correction = try row.point("correction", &unknown)?.filled(from: correction) ?? correction
    refreshControlHeight = try row.number("refreshControlHeight") ?? 0
    boundsAnimationDuration = try row.number("boundsAnimationDuration", of: "seconds") ?? 0
    kind = ScrollViewKind(rawValue: Int32(try row.integer("kind", in: 0...3) ?? 0)) ?? .scroll
    contentInsetAdjustment =
      ContentInsetAdjustment(rawValue: Int32(try row.integer("contentInsetAdjustment", in: 0...1) ?? 0)) ?? .never
    clamping = Clamping(rawValue: Int32(try row.integer("clamping", in: 0...2) ?? 0)) ?? .all
    for (flag, value) in zip(flags, try row.list("flags") ?? []) { self[keyPath: flag] = value == .bool(true) }
  }
}

extension Drawer {
  fileprivate var saved: Value {
    [
      "center": center.value, "size": size.value, "translation": translation.value,
      "minimumHeight": .number(minimumHeight), "maximumHeight": .number(maximumHeight), "alpha": .number(Double(alpha)),
      "fade": .number(Double(fade.rawValue)), "isHidden": .bool(isHidden), "isSticky": .bool(isSticky),
    ]
  }

  fileprivate mutating func restore(_ row: FieldReader) throws(HeaderError) {
    var row = row
    var unknown: [UnknownField] = []
    center = try row.point("center", &unknown)?.filled(from: center) ?? center
    size = try row.size("size", &unknown)?.filled(from: size) ?? size
    translation = try row.point("translation", &unknown)?.filled(from: translation) ?? translation
    minimumHeight = try row.number("minimumHeight") ?? minimumHeight
    maximumHeight = try row.number("maximumHeight") ?? maximumHeight
    alpha = Float(try row.number("alpha", in: 0...1, of: "") ?? 1)
    fade = DrawerFade(rawValue: Int32(try row.integer("fade", in: 0...2) ?? 0)) ?? .none
    isHidden = try row.bool("isHidden") ?? false
    isSticky = try row.bool("isSticky") ?? false
  }
}

extension Element {
  fileprivate var saved: Value {
    [
      "center": center.value, "bounds": bounds.value, "transform": transform.value, "zIndex": .number(zIndex),
      "cornerRadius": .number(cornerRadius), "alpha": .number(Double(alpha)), "isHidden": .bool(isHidden),
      "isChanged": .bool(isChanged),
    ]
  }

  fileprivate mutating func restore(_ row: FieldReader) throws(HeaderError) {
    var row = row
    var unknown: [UnknownField] = []
    center = try row.point("center", &unknown)?.filled(from: center) ?? center
    bounds = try row.rect("bounds", &unknown)?.filled(from: bounds) ?? bounds
    transform = try row.transform("transform") ?? transform
    zIndex = try row.number("zIndex", of: "") ?? 0
    cornerRadius = try row.number("cornerRadius") ?? 0
    alpha = Float(try row.number("alpha", in: 0...1, of: "") ?? 1)
    isHidden = try row.bool("isHidden") ?? false
    isChanged = try row.bool("isChanged") ?? false
  }
}

extension ChainPolicy {
  fileprivate var saved: Value {
    [
      "origin": .number(origin), "tail": .number(Double(tail)),
      "contractsFirst": .number(Double(contractsFirst.rawValue)),
      "expandsFirst": .number(Double(expandsFirst.rawValue)), "writesTailInsets": .bool(writesTailInsets),
      "hidesPassedDrawers": .bool(hidesPassedDrawers),
    ]
  }

  fileprivate init(saved: Value?, at path: Path, scrollViews: Int) throws(HeaderError) {
    self.init()
    var row = try FieldReader(saved, at: path)
    origin = try row.number("origin") ?? 0
    tail = Int32(try row.integer("tail", in: -1...(scrollViews - 1)) ?? -1)
    contractsFirst = ChainEnd(rawValue: Int32(try row.integer("contractsFirst", in: 0...1) ?? 1)) ?? .last
    expandsFirst = ChainEnd(rawValue: Int32(try row.integer("expandsFirst", in: 0...1) ?? 0)) ?? .first
    writesTailInsets = try row.bool("writesTailInsets") ?? true
    hidesPassedDrawers = try row.bool("hidesPassedDrawers") ?? true
  }
}

extension NamedValue.Content {
  /// As plain data.
  public var value: Value {
    switch self {
    case .null: .null
    case .bool(let bool): .bool(bool)
    case .number(let number): .number(number)
    case .text(let text): .text(text)
    }
  }

  /// The content of plain data; nil for lists and records.
  public init?(_ value: Value) {
    switch value {
    case .null: self = .null
    case .bool(let bool): self = .bool(bool)
    case .number(let number): self = .number(number)
    case .text(let text): self = .text(text)
    case .list, .record: return nil
    }
  }
}

extension Wants {
  fileprivate var saved: Value {
    [
      "prefersStatusBarHidden": .bool(prefersStatusBarHidden),
      "preferredStatusBarStyle": preferredStatusBarStyle.map { .text($0.rawValue) } ?? .null,
      "additionalSafeAreaInset": additionalSafeAreaInset?.value ?? .null,
      "topLayoutGuideLength": topLayoutGuideLength.map { .number($0) } ?? .null,
    ]
  }

  fileprivate init(saved: Value?, at path: Path) throws(HeaderError) {
    self.init()
    var row = try FieldReader(saved, at: path)
    var unknown: [UnknownField] = []
    prefersStatusBarHidden = try row.bool("prefersStatusBarHidden") ?? false
    if row.value("preferredStatusBarStyle") != .null {
      preferredStatusBarStyle = try row.choice("preferredStatusBarStyle", StatusBarStyle.self)
    }
    if row.value("additionalSafeAreaInset") != .null {
      additionalSafeAreaInset = try row.insets("additionalSafeAreaInset", &unknown)?.filled(from: Insets())
    }
    if row.value("topLayoutGuideLength") != .null { topLayoutGuideLength = try row.number("topLayoutGuideLength") }
  }
}

extension Schedule {
  fileprivate var saved: Value {
    [
      "nextOrder": .number(Double(nextOrder)),
      "entries": .list(
        entries.map {
          [
            "due": .text(String($0.due.nanoseconds)), "order": .number(Double($0.order)),
            "delegate": .number(Double($0.delegate)), "token": .text(String($0.token)), "kind": .text($0.kind.rawValue),
          ]
        }),
      "frames": .list(
        frames.map {
          [
            "delegate": .number(Double($0.delegate)), "start": .text(String($0.start.nanoseconds)),
            "count": .number(Double($0.count)),
          ]
        }),
    ]
  }

  fileprivate init(saved: Value?, at path: Path, delegates: Int) throws(HeaderError) {
    self.init()
    var fields = try FieldReader(saved, at: path)
    nextOrder = UInt64(try fields.required(number: "nextOrder", in: 0...9e15, of: ""))
    for row in try fields.rows("entries", count: nil) {
      var row = row
      let kind = try row.choice("kind", [("timer", Kind.timer), ("completion", .completion)]) ?? .timer
      guard let token = UInt64(try row.required(text: "token")) else {
        throw row.unexpected("token", needed: "a whole number in text", expected: "text")
      }
      entries.append(
        Entry(
          due: try row.instant("due"), order: UInt64(try row.required(number: "order", in: 0...9e15, of: "")),
          delegate: try row.delegate(of: delegates), token: token, kind: kind))
      guard let last = entries.last, entryCount(of: last.delegate) <= Self.mostEntries else {
        throw row.unexpected("delegate", needed: "at most \(Self.mostEntries) entries of one", expected: "integer")
      }
    }
    for row in try fields.rows("frames", count: nil) {
      var row = row
      frames.append(
        FrameRequest(
          delegate: try row.delegate(of: delegates), start: try row.instant("start"),
          count: Int64(try row.required(number: "count", in: 0...9e15, of: ""))))
      guard frames.count <= delegates else {
        throw row.unexpected("delegate", needed: "one request of each delegate", expected: "integer")
      }
    }
  }
}

extension FieldReader {
  /// The place of one of a number of delegates.
  fileprivate mutating func delegate(of count: Int) throws(HeaderError) -> Int32 {
    guard count > 0, let index = try integer("delegate", in: 0...(count - 1)) else {
      throw unexpected("delegate", needed: "a delegate's place in the chain", expected: "integer")
    }
    return Int32(index)
  }

  /// Whole nanoseconds in text.
  fileprivate mutating func instant(_ name: String) throws(HeaderError) -> Instant {
    guard let nanoseconds = Int64(try required(text: name)) else {
      throw unexpected(name, needed: "whole nanoseconds in text", expected: "text")
    }
    return Instant(nanoseconds: nanoseconds)
  }

  /// The same within the times that a header has.
  fileprivate mutating func headerTime(_ name: String) throws(HeaderError) -> Instant {
    let time = try instant(name)
    guard time.nanoseconds.magnitude <= Instant.nanosecondsMost.magnitude else {
      throw unexpected(name, needed: "whole nanoseconds within ±9e18 in text", expected: "text")
    }
    return time
  }

  /// A list of records; of a given count, when there is one.
  fileprivate mutating func rows(_ name: String, count: Int?) throws(HeaderError) -> [FieldReader] {
    let list = try list(name) ?? []
    guard count == nil || list.count == count else {
      throw HeaderError(
        .invalidParams,
        "\((path + name).text): expected \(count ?? 0) entries as the description has, got \(list.count)",
        field: (path + name).text)
    }
    var rows: [FieldReader] = []
    for (index, value) in list.enumerated() { rows.append(try FieldReader(value, at: (path + name)[index])) }
    return rows
  }

  fileprivate mutating func numbers(_ name: String, count: Int) throws(HeaderError) -> [Double] {
    let list = try list(name) ?? []
    guard list.count == count else {
      throw HeaderError(
        .invalidParams, "\((path + name).text): expected \(count) numbers as the description has, got \(list.count)",
        field: (path + name).text)
    }
    var numbers: [Double] = []
    for (index, value) in list.enumerated() { numbers.append(try Self.number(value, at: (path + name)[index], of: "")) }
    return numbers
  }
}
