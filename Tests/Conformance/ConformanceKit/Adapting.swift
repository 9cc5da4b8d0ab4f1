// SPDX-License-Identifier: MIT
//
// What adapters share: reading a step's head, turning records into events and descriptions, the names of the scroll
// delegate's methods, and what the original `header-trace` says of an animation.

public import HeaderModel

/// Helpers of adapters.
public enum Adapting {
  /// What every step has.
  struct Head {
    var name: String
    var time: Double
    var expect: Value
    /// For messages.
    var title: String { "\(name) at \(time) s" }
  }

  static func head(of value: Value, at path: Path) throws(HeaderError) -> Head {
    var fields = try FieldReader(value, at: path)
    let name = try fields.required(text: "event")
    let time = try fields.required(number: "time", of: "seconds")
    guard let expect = fields.value("expect") else {
      throw fields.unexpected("expect", needed: "an object", expected: "record")
    }
    return Head(name: name, time: time, expect: expect)
  }

  /// A step without what was expected of it; only didScroll brings an offset, other events leave it alone.
  static func plain(_ value: Value, _ name: String) -> Value.Record {
    guard case .record(var event) = value else { return Value.Record() }
    event["expect"] = nil
    if name != "didScroll" { event["offset"] = nil }
    return event
  }

  /// Events of one step, each at the step's time. A field that no event has is refused.
  static func events(_ records: [Value.Record], _ head: Head, at path: Path) throws(HeaderError) -> [TimedEvent] {
    var events: [TimedEvent] = []
    for var record in records {
      if record["event"] == nil { record["event"] = .text(head.name) }
      record["time"] = .number(head.time)
      events.append(try event(record, at: path))
    }
    return events
  }

  /// Reads one event. UIKit lets content be less than nothing, and recordings have such; the wire does not. So a content
  /// size of that kind goes past the reading.
  public static func event(_ given: Value.Record, at path: Path = Path("params")) throws(HeaderError) -> TimedEvent {
    var record = given
    let contentSize = takeNegativeContentSize(&record)
    var unknown: [UnknownField] = []
    var timed = try TimedEvent(.record(record), at: path, unknown: &unknown)
    try FieldReader.refuse(unknown)
    if let contentSize, case .layout(var change) = timed.event.kind {
      change.given["contentSize"] = .record(contentSize)
      timed.event.kind = .layout(change)
    }
    return timed
  }

  private static func takeNegativeContentSize(_ record: inout Value.Record) -> Value.Record? {
    guard case .record(let size)? = record["contentSize"] else { return nil }
    func side(_ name: String) -> Double? {
      if case .number(let number)? = size[name] { number } else { nil }
    }
    let (width, height) = (side("width"), side("height"))
    guard (width ?? 0) < 0 || (height ?? 0) < 0 else { return nil }
    record["contentSize"] = nil
    return size
  }

  static func description(_ value: Value) throws(HeaderError) -> HeaderDescription {
    var unknown: [UnknownField] = []
    var result = try HeaderDescription(value, at: Path("description"), unknown: &unknown)
    try FieldReader.refuse(unknown)
    result.accessibility = .original
    return result
  }

  /// A record of the fields that have a value.
  static func record(_ fields: [(String, Value?)]) -> Value.Record {
    Value.Record(
      fields: fields.compactMap { field in field.1.map { Value.Record.Field(name: field.0, value: $0) } })
  }

  /// The scroll delegate's methods as the originals' runtime names them.
  static let selectors: [(kind: DelegateEventKind, selector: String)] = [
    (.willBeginDragging, "scrollViewWillBeginDragging:"),
    (.didScroll, "scrollViewDidScroll:"),
    (.willEndDragging, "scrollViewWillEndDragging:withVelocity:targetContentOffset:"),
    (.didEndDragging, "scrollViewDidEndDragging:willDecelerate:"),
    (.willBeginDecelerating, "scrollViewWillBeginDecelerating:"),
    (.didEndDecelerating, "scrollViewDidEndDecelerating:"),
    (.didEndScrollingAnimation, "scrollViewDidEndScrollingAnimation:"),
    (.shouldScrollToTop, "scrollViewShouldScrollToTop:"),
    (.didScrollToTop, "scrollViewDidScrollToTop:"),
    (.didChangeAdjustedContentInset, "scrollViewDidChangeAdjustedContentInset:"),
  ]

  /// A delegate of the test plugin OriginalDelegate, from the scene's `{selectors, shouldScrollToTop}`.
  static func originalDelegate(_ fields: inout FieldReader, named name: String) throws(HeaderError) -> Value {
    var methods: [Value] = []
    for (index, selector) in (try fields.list("selectors") ?? []).enumerated() {
      guard case .text(let text) = selector, let kind = selectors.first(where: { $0.selector == text })?.kind else {
        throw .unexpected(
          selector, at: (fields.path + "selectors")[index], needed: "a scroll delegate method's selector",
          expected: "case")
      }
      methods.append(.text(kind.word))
    }
    let options = record([("methods", .list(methods)), ("shouldScrollToTop", fields.value("shouldScrollToTop"))])
    try fields.finish()
    return ["behavior": "OriginalDelegate", "name": .text(name), "options": .record(options)]
  }

  static func show(_ animation: HeaderState.Animation) -> Value {
    [
      "duration": .number(animation.duration), "delay": .number(animation.delay), "curve": .text(animation.curve.word),
    ]
  }
}
