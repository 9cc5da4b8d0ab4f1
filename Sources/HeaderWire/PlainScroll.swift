// SPDX-License-Identifier: MIT
//
// The shortest road: nearly all lines that ever come are a didScroll that a program wrote without white space,
//
//     {"method":"event","params":{"header":"main","event":"didScroll","time":1.25,"offset":{"y":12.5}}}
//      "jsonrpc":"2.0", may stand before the method; the params' members in any order, with a correction or without
//
// and such a line is read in one pass, straight to its numbers, by comparing it with what it should be. Whatever differs
// in a single byte is not refused but read by the other roads (Envelope.swift, PlainEvent.swift); a property test holds
// this one to meaning the same. How its pieces are read quickly is in PlainCursor.swift.

public import HeaderCore

/// A didScroll as it lies in its line. Good for as long as the line's bytes are.
@safe public struct PlainScroll {
  /// The header's name as written; nil: left out.
  public private(set) var header: JSONString?
  /// The publisher's time; nil: when it was read.
  public private(set) var time: Instant?
  /// Where the content is; one axis at least is given.
  public private(set) var offset = PartialPoint()
  /// The header's own moves that were in it; nil: all of them.
  public private(set) var correction: PartialPoint?

  /// Reads a line without its end; nil when another road has to be taken.
  public init?(_ line: UnsafeRawBufferPointer) {
    guard var cursor = unsafe PlainCursor(line), read(&cursor) else { return nil }
  }

  /// The event and its time.
  @inline(__always)
  public var timed: TimedEvent {
    TimedEvent(ScrollEvent(.didScroll, offset: offset, correction: correction), time: time)
  }

  @inline(__always)
  private mutating func read(_ cursor: inout PlainCursor) -> Bool {
    guard
      cursor.takes("{\"method\":\"event\",\"params\":{")
        || cursor.takes("{\"jsonrpc\":\"2.0\",\"method\":\"event\",\"params\":{")
    else { return false }
    var (hasEvent, hasOffset) = (false, false)
    repeat {
      if header == nil, cursor.takes("\"header\":\"") {
        header = cursor.restOfName()
        guard header != nil else { return false }
      } else if !hasEvent, cursor.takes("\"event\":\"didScroll\"") {
        hasEvent = true
      } else if time == nil, cursor.takes("\"time\":") {
        time = cursor.instant()
        guard time != nil else { return false }
      } else if !hasOffset, cursor.takes("\"offset\":") {
        hasOffset = true
        guard cursor.read(&offset) else { return false }
      } else if correction == nil, cursor.takes("\"correction\":") {
        var given = PartialPoint()
        guard cursor.read(&given) else { return false }
        correction = given
      } else {
        return false
      }
    } while cursor.takes(",")
    return hasEvent && hasOffset && cursor.takes("}}") && cursor.isAtEnd
  }
}

extension PlainCursor {
  /// `{"y":1}`, `{"x":1}`, `{"x":1,"y":1}`.
  @inline(__always)
  fileprivate mutating func read(_ point: inout PartialPoint) -> Bool {
    if takes("{\"y\":") {
      point.y = number()
      return point.y != nil && takes("}")
    }
    guard takes("{\"x\":") else { return false }
    point.x = number()
    guard point.x != nil else { return false }
    if takes(",\"y\":") {
      point.y = number()
      guard point.y != nil else { return false }
    }
    return takes("}")
  }
}
