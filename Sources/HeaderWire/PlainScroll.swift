// SPDX-License-Identifier: MIT
//
// The shortest road: nearly all lines that ever come are a didScroll that a program wrote without white space,
//
//     {"method":"event","params":{"header":"main","event":"didScroll","time":1.25,"offset":{"y":12.5}}}
//      "jsonrpc":"2.0", may stand before the method; the params' members in any order, with a correction or without
//
// and such a line is read in one pass, straight to its numbers, by comparing it with what it should be. Whatever differs
// in a single byte is not refused but read by the other roads (Envelope.swift, PlainEvent.swift); a property test holds
// this one to meaning the same.

private import Glibc
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
  @inline(__always)
  public init?(_ line: UnsafeRawBufferPointer) {
    var reader = unsafe JSONReader(line)
    guard (try? read(&reader)) == true else { return nil }
  }

  /// The event and its time.
  public var timed: TimedEvent {
    TimedEvent(ScrollEvent(.didScroll, offset: offset, correction: correction), time: time)
  }

  private mutating func read(_ reader: inout JSONReader) throws(JSONError) -> Bool {
    guard reader.takes("{\"method\":\"event\"") || reader.takes("{\"jsonrpc\":\"2.0\",\"method\":\"event\""),
      reader.takes(",\"params\":{")
    else { return false }
    var (hasEvent, hasOffset) = (false, false)
    repeat {
      if header == nil, reader.takes("\"header\":") {
        header = try reader.string()
      } else if !hasEvent, reader.takes("\"event\":\"didScroll\"") {
        hasEvent = true
      } else if time == nil, reader.takes("\"time\":") {
        let seconds = try reader.number()
        guard isWithinBound(seconds) else { return false }
        time = Instant(seconds: seconds)
      } else if !hasOffset, reader.takes("\"offset\":") {
        hasOffset = true
        guard try Self.read(&reader, into: &offset) else { return false }
      } else if correction == nil, reader.takes("\"correction\":") {
        var given = PartialPoint()
        guard try Self.read(&reader, into: &given) else { return false }
        correction = given
      } else {
        return false
      }
    } while reader.takes(",")
    return hasEvent && hasOffset && header?.hasEscapes != true && reader.takes("}}") && reader.offset == reader.end
  }

  /// `{"y":1}`, `{"x":1}`, `{"x":1,"y":1}`.
  @inline(__always)
  private static func read(_ reader: inout JSONReader, into point: inout PartialPoint) throws(JSONError) -> Bool {
    if reader.takes("{\"y\":") {
      point.y = try reader.number()
    } else if reader.takes("{\"x\":") {
      point.x = try reader.number()
      if reader.takes(",\"y\":") { point.y = try reader.number() }
    } else {
      return false
    }
    return isWithinBound(point.x ?? 0) && isWithinBound(point.y ?? 0) && reader.takes("}")
  }

}

extension JSONReader {
  /// Takes these very bytes if they come next.
  @inline(__always)
  fileprivate mutating func takes(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard end - cursor >= count, unsafe memcmp(base + cursor, text.utf8Start, count) == 0 else { return false }
    cursor += count
    return true
  }
}
