// SPDX-License-Identifier: MIT
//
// The fast decoder of single events: reads an event's parameters in one pass, without a tree or an allocation. Unusual events
// (a field that is unknown or of another type, an escape, a number out of range) are left to the general decoder
// (`paramsTree`, `TimedEvent`), which reports what is wrong. A property test checks that both agree.

package import HeaderModel

/// A single event as it lies in its line. Valid as long as the line's bytes are.
@safe package struct PlainEvent {
  /// The header's name as written; nil: left out.
  package var header: JSONString?
  /// The event and its publisher's time.
  package var timed: TimedEvent

  /// Reads `params`; nil when the general decoder has to read it.
  package init?(_ params: JSONReader) {
    var reader = params
    var fields = Fields()
    guard (try? fields.read(&reader)) == true, let event = fields.event else { return nil }
    header = fields.header
    timed = TimedEvent(event, time: fields.time)
  }
}

/// What stood in the parameters.
private struct Fields {
  var header: JSONString?
  var kind: EventName?
  var time: Instant?
  var offset: PartialPoint?
  var correction: PartialPoint?
  var velocity: PartialPoint?
  var targetOffset: PartialPoint?
  var willDecelerate: Bool?
  var isTracking: Bool?
  var isDragging: Bool?
  var isDecelerating: Bool?

  /// Takes all of it; false when something is not plain.
  mutating func read(_ reader: inout JSONReader) throws(JSONError) -> Bool {
    var members = try reader.beginObject()
    while let name = try reader.nextName(in: &members) {
      guard !name.hasEscapes else { return false }
      switch name {
      case "header": header = try reader.string()
      case "event":
        kind = Self.kind(try reader.string())
        guard kind != nil else { return false }
      case "time":
        let seconds = try reader.number()
        guard isTime(seconds) else { return false }
        time = Instant(seconds: seconds)
      case "offset": guard try Self.read(&reader, into: &offset) else { return false }
      case "correction": guard try Self.read(&reader, into: &correction) else { return false }
      case "velocity": guard try Self.read(&reader, into: &velocity) else { return false }
      case "targetOffset": guard try Self.read(&reader, into: &targetOffset) else { return false }
      case "willDecelerate": willDecelerate = try reader.bool()
      case "isTracking": isTracking = try reader.bool()
      case "isDragging": isDragging = try reader.bool()
      case "isDecelerating": isDecelerating = try reader.bool()
      default: return false
      }
    }
    return header?.hasEscapes != true
  }

  private static func read(_ reader: inout JSONReader, into point: inout PartialPoint?) throws(JSONError) -> Bool {
    var read = PartialPoint()
    var members = try reader.beginObject()
    while let name = try reader.nextName(in: &members) {
      switch name {
      case "x": read.x = try reader.number()
      case "y": read.y = try reader.number()
      default: return false
      }
    }
    point = read
    return isSane(read.x) && isSane(read.y)
  }

  private static func isSane(_ number: Double?) -> Bool { number.map { isWithinBound($0) } ?? true }

  private static func kind(_ word: JSONString) -> EventName? {
    switch word {
    case "didScroll": .didScroll
    case "willBeginDragging": .willBeginDragging
    case "willEndDragging": .willEndDragging
    case "didEndDragging": .didEndDragging
    case "willBeginDecelerating": .willBeginDecelerating
    case "didEndDecelerating": .didEndDecelerating
    case "didEndScrollingAnimation": .didEndScrollingAnimation
    default: nil
    }
  }

  /// The event, when its kind has exactly the fields that stood there.
  var event: ScrollEvent? {
    guard let kind else { return nil }
    guard (velocity == nil && targetOffset == nil) || kind == .willEndDragging else { return nil }
    guard (willDecelerate != nil) == (kind == .didEndDragging) else { return nil }
    let what: ScrollEvent.Kind
    switch kind {
    case .didScroll:
      guard let offset, offset.x != nil || offset.y != nil else { return nil }
      what = .didScroll
    case .willBeginDragging: what = .willBeginDragging
    case .willEndDragging:
      what = .willEndDragging(
        velocity: Point(x: velocity?.x ?? 0, y: velocity?.y ?? 0), targetOffset: targetOffset)
    case .didEndDragging:
      guard let willDecelerate else { return nil }
      what = .didEndDragging(willDecelerate: willDecelerate)
    case .willBeginDecelerating: what = .willBeginDecelerating
    case .didEndDecelerating: what = .didEndDecelerating
    case .didEndScrollingAnimation: what = .didEndScrollingAnimation
    default: return nil
    }
    return ScrollEvent(
      what, offset: offset, correction: correction, isTracking: isTracking, isDragging: isDragging,
      isDecelerating: isDecelerating)
  }
}

/// Whether headerd-connection(7), UNITS AND SHAPES, allows a number of this size.
@inline(__always)
func isWithinBound(_ number: Double) -> Bool { abs(number) <= FieldReader.bound }

/// Whether it allows a time of that many seconds.
@inline(__always)
func isTime(_ seconds: Double) -> Bool { abs(seconds) <= Instant.maxSeconds }
