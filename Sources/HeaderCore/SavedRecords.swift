// SPDX-License-Identifier: MIT
//
// The saved form of a header's records.

import HeaderModel

extension ScrollView {
  static let saved: [Member<ScrollView>] = [
    Member("contentOffset", \.contentOffset, .shape),
    // UIKit permits a negative content size, whose end then lies above its beginning. The protocol does not permit it.
    Member("contentSize", \.contentSize, .shape(leastLength: -FieldReader.bound)),
    Member("contentInset", \.contentInset, .shape), Member("scrollIndicatorInsets", \.scrollIndicatorInsets, .shape),
    Member("frame", \.frame, .shape), Member("viewport", \.viewport, .shape),
    Member("correction", \.correction, .shape), Member("refreshControlHeight", \.refreshControlHeight, .points),
    Member("boundsAnimationDuration", \.boundsAnimationDuration, .number(of: "seconds")),
    Member("kind", \.kind, .place), Member("contentInsetAdjustment", \.contentInsetAdjustment, .place),
    Member("clamping", \.clamping, .place),
    Member(
      name: "flags", key: [],
      check: { (fields) throws(HeaderError) in try fields.list("flags").map { .list($0) } },
      fill: { view, value in
        guard case .list(let list) = value else { return }
        for (flag, value) in zip(flags, list) { view[keyPath: flag] = value == true }
      },
      write: { view in .list(flags.map { .bool(view[keyPath: $0]) }) },
      copy: { view, other in for flag in flags { view[keyPath: flag] = other[keyPath: flag] } },
      differs: { view, other in flags.contains { view[keyPath: $0] != other[keyPath: $0] } },
      memory: flags.compactMap { MemoryLayout<ScrollView>.offset(of: $0) }.map { ($0, .flags(1)) }),
  ]

  /// Fields that follow from the description or from other fields.
  private static let derived: [Member<ScrollView>] = [
    Member("adjustedContentInset", \.adjustedContentInset, .shape), Member("flow", \.flow, .place),
  ]

  private static let flags: [any WritableKeyPath<ScrollView, Bool> & Sendable] = [
    \.isTracking, \.isDragging, \.isDecelerating, \.isAnimating, \.pagingEnabled, \.hasRefreshControl,
    \.refreshControlHidden, \.isRefreshing, \.forwardsEvents, \.decidesIndicatorInsets, \.decidesFrame,
    \.decidesContentSize,
  ]
}

extension ScrollView: MemoryRecord {
  package static let memory = MemoryLayoutTable(saved + derived)
}

extension Drawer {
  static let saved: [Member<Drawer>] = [
    Member("center", \.center, .shape), Member("size", \.size, .shape), Member("translation", \.translation, .shape),
    Member("minimumHeight", \.minimumHeight, .points), Member("maximumHeight", \.maximumHeight, .points),
    Member("alpha", \.alpha, .alpha), Member("fade", \.fade, .place), Member("isHidden", \.isHidden, .flag),
    Member("isSticky", \.isSticky, .flag), Member("zIndex", \.zIndex, .order),
  ]

  private static let derived: [Member<Drawer>] = [
    Member("firstElement", \.firstElement, .integer(in: 0...Int(Int32.max))),
    Member("elementCount", \.elementCount, .integer(in: 0...Int(Int32.max))),
  ]
}

extension Drawer: MemoryRecord {
  package static let memory = MemoryLayoutTable(saved + derived)
}

extension Element {
  static let saved: [Member<Element>] = [
    Member("center", \.center, .shape), Member("bounds", \.bounds, .shape),
    Member("transform", \.transform, .transform),
    Member("zIndex", \.zIndex, .number(of: "")), Member("cornerRadius", \.cornerRadius, .points),
    Member("alpha", \.alpha, .alpha), Member("isHidden", \.isHidden, .flag), Member("isChanged", \.isChanged, .flag),
  ]

  private static let derived = [Member<Element>("drawer", \.drawer, .integer(in: 0...Int(Int32.max)))]
}

extension Element: MemoryRecord {
  package static let memory = MemoryLayoutTable(saved + derived)
}

extension ChainPolicy {
  static let saved: [Member<ChainPolicy>] = [
    Member("origin", \.origin, .points), Member("tail", \.tail, .integer(in: -1...Int(Int32.max))),
    Member("contractsFirst", \.contractsFirst, .place), Member("expandsFirst", \.expandsFirst, .place),
    Member("writesTailInsets", \.writesTailInsets, .flag), Member("hidesPassedDrawers", \.hidesPassedDrawers, .flag),
  ]

  init(saved: Value?, at path: Path, scrollViews: Int) throws(HeaderError) {
    var row = try FieldReader(saved, at: path)
    try self.init(&row, scrollViews: scrollViews)
  }

  init(_ row: inout FieldReader, scrollViews: Int) throws(HeaderError) {
    self.init()
    _ = try row.integer("tail", in: -1...(scrollViews - 1))
    try Self.saved.read(&row, into: &self)
  }
}

extension Schedule {
  var saved: Value {
    [
      "nextOrder": .number(SavedHeader.count(nextOrder)),
      "entries": .list(
        entries.map {
          [
            "due": .text(String($0.due.nanoseconds)), "order": .number(SavedHeader.count($0.order)),
            "delegate": .number(Double($0.delegate)), "token": .text(String($0.token)), "kind": .text($0.kind.rawValue),
          ]
        }),
      "frames": .list(
        frames.map {
          [
            "delegate": .number(Double($0.delegate)), "start": .text(String($0.start.nanoseconds)),
            "count": .number(SavedHeader.count($0.count)),
          ]
        }),
    ]
  }

  init(saved: Value?, at path: Path, delegates: Int) throws(HeaderError) {
    self.init()
    var fields = try FieldReader(saved, at: path)
    nextOrder = UInt64(try fields.required(number: "nextOrder", in: 0...SavedHeader.maxCount, of: ""))
    for row in try fields.rows("entries", count: nil) {
      var row = row
      let kind = try row.choice("kind", [("timer", Kind.timer), ("completion", .completion)]) ?? .timer
      guard let token = UInt64(try row.required(text: "token")) else {
        throw row.unexpected("token", needed: "a whole number in text", expected: "text")
      }
      entries.append(
        Entry(
          due: try row.instant("due"),
          order: UInt64(try row.required(number: "order", in: 0...SavedHeader.maxCount, of: "")),
          delegate: try row.delegate(of: delegates, orEngine: true), token: token, kind: kind))
      guard let last = entries.last, entryCount(of: last.delegate) <= Self.maxEntries else {
        throw row.unexpected("delegate", needed: "at most \(Self.maxEntries) entries of one", expected: "integer")
      }
    }
    for row in try fields.rows("frames", count: nil) {
      var row = row
      frames.append(
        FrameRequest(
          delegate: try row.delegate(of: delegates, orEngine: true), start: try row.instant("start"),
          count: Int64(try row.required(number: "count", in: 0...SavedHeader.maxCount, of: ""))))
      guard frames.count <= delegates + 1 else {
        throw row.unexpected("delegate", needed: "one request of each delegate", expected: "integer")
      }
    }
  }
}

extension FieldReader {
  /// The place of one of a number of delegates.
  /// - Parameter orEngine: the engine's own place will do as well.
  mutating func delegate(of count: Int, orEngine: Bool = false) throws(HeaderError) -> Int32 {
    if orEngine, case .number(Double(PositionController.engine))? = value("delegate") {
      return PositionController.engine
    }
    guard count > 0, let index = try integer("delegate", in: 0...(count - 1)) else {
      throw unexpected("delegate", needed: "a delegate's place in the chain", expected: "integer")
    }
    return Int32(index)
  }

  /// Reads whole nanoseconds that stand as text.
  mutating func instant(_ name: String) throws(HeaderError) -> Instant {
    guard let nanoseconds = Int64(try required(text: name)) else {
      throw unexpected(name, needed: "whole nanoseconds in text", expected: "text")
    }
    return Instant(nanoseconds: nanoseconds)
  }

  /// The same within the times that a header has.
  mutating func headerTime(_ name: String) throws(HeaderError) -> Instant {
    let time = try instant(name)
    guard time.nanoseconds.magnitude <= Instant.maxNanoseconds.magnitude else {
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
