// SPDX-License-Identifier: MIT
//
// The saved form of the records that a header is made of.

extension ScrollView {
  var saved: Value {
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

  mutating func restore(_ row: FieldReader) throws(HeaderError) {
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
  var saved: Value {
    [
      "center": center.value, "size": size.value, "translation": translation.value,
      "minimumHeight": .number(minimumHeight), "maximumHeight": .number(maximumHeight), "alpha": .number(Double(alpha)),
      "fade": .number(Double(fade.rawValue)), "isHidden": .bool(isHidden), "isSticky": .bool(isSticky),
    ]
  }

  mutating func restore(_ row: FieldReader) throws(HeaderError) {
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
  var saved: Value {
    [
      "center": center.value, "bounds": bounds.value, "transform": transform.value, "zIndex": .number(zIndex),
      "cornerRadius": .number(cornerRadius), "alpha": .number(Double(alpha)), "isHidden": .bool(isHidden),
      "isChanged": .bool(isChanged),
    ]
  }

  mutating func restore(_ row: FieldReader) throws(HeaderError) {
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
  var saved: Value {
    [
      "origin": .number(origin), "tail": .number(Double(tail)),
      "contractsFirst": .number(Double(contractsFirst.rawValue)),
      "expandsFirst": .number(Double(expandsFirst.rawValue)), "writesTailInsets": .bool(writesTailInsets),
      "hidesPassedDrawers": .bool(hidesPassedDrawers),
    ]
  }

  init(saved: Value?, at path: Path, scrollViews: Int) throws(HeaderError) {
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
  var saved: Value {
    [
      "prefersStatusBarHidden": .bool(prefersStatusBarHidden),
      "preferredStatusBarStyle": preferredStatusBarStyle.map { .text($0.rawValue) } ?? .null,
      "additionalSafeAreaInset": additionalSafeAreaInset?.value ?? .null,
      "topLayoutGuideLength": topLayoutGuideLength.map { .number($0) } ?? .null,
    ]
  }

  init(saved: Value?, at path: Path) throws(HeaderError) {
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
  var saved: Value {
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

  init(saved: Value?, at path: Path, delegates: Int) throws(HeaderError) {
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
  mutating func delegate(of count: Int) throws(HeaderError) -> Int32 {
    guard count > 0, let index = try integer("delegate", in: 0...(count - 1)) else {
      throw unexpected("delegate", needed: "a delegate's place in the chain", expected: "integer")
    }
    return Int32(index)
  }

  /// Whole nanoseconds in text.
  mutating func instant(_ name: String) throws(HeaderError) -> Instant {
    guard let nanoseconds = Int64(try required(text: name)) else {
      throw unexpected(name, needed: "whole nanoseconds in text", expected: "text")
    }
    return Instant(nanoseconds: nanoseconds)
  }

  /// The same within the times that a header has.
  mutating func headerTime(_ name: String) throws(HeaderError) -> Instant {
    let time = try instant(name)
    guard time.nanoseconds.magnitude <= Instant.nanosecondsMost.magnitude else {
      throw unexpected(name, needed: "whole nanoseconds within ±9e18 in text", expected: "text")
    }
    return time
  }

  /// A list of records; of a given count, when there is one.
  mutating func rows(_ name: String, count: Int?) throws(HeaderError) -> [FieldReader] {
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

  mutating func numbers(_ name: String, count: Int) throws(HeaderError) -> [Double] {
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
