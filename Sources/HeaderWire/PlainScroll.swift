// SPDX-License-Identifier: MIT
//
// The fastest decoder of lines: nearly all are a didScroll that a program wrote in one of two styles,
//
//     {"method":"event","params":{"header":"main","event":"didScroll","time":1.25,"offset":{"y":12.5}}}
//     {"method": "event", "params": {"header": "main", "event": "didScroll", "time": 1.25, "offset": {"y": 12.5}}}
//
// the dense one of most libraries, or Python's with a space behind each colon and comma. "jsonrpc" may precede the method;
// the params' members may have any order and a correction. Such a line is decoded in one pass, by comparing it with the
// expected text between its numbers. A line that differs in a single byte is left to the other decoders (Envelope.swift,
// PlainEvent.swift); a property test checks that all agree. PlainCursor.swift reads the parts.

internal import HeaderModel

extension ScrollMessage {
  /// Reads a line without its end; nil when another decoder has to read it.
  package init?(line: UnsafeRawBufferPointer) {
    guard let scroll = unsafe Self(usual: line) ?? Self.other(line) else { return nil }
    self = scroll
  }

  /// The first of the two above, member by member.
  @inline(__always)
  private init?(usual line: UnsafeRawBufferPointer) {
    guard var cursor = unsafe PlainCursor(line),
      cursor.tryConsume(#"{"method":"event","params":{"header":""#), let header = cursor.readRestOfName(),
      cursor.tryConsume(#","event":"didScroll","time":"#), let time = cursor.readInstant(),
      cursor.tryConsume(#","offset":{"y":"#), let y = cursor.readNumber(),
      cursor.tryConsume("}}}"), cursor.isAtEnd
    else { return nil }
    self.init(header: .name(header), time: time, offset: PartialPoint(y: y), byteCount: line.count)
  }

  // Functions of their own, each with its copy of the cursor: in one, all of them would go through memory.
  @inline(never)
  private static func other(_ line: UnsafeRawBufferPointer) -> Self? {
    guard var cursor = unsafe PlainCursor(line) else { return nil }
    if cursor.tryConsumeBeginning(in: .dense) { return dense(cursor, line.count) }
    return cursor.tryConsumeBeginning(in: .spaced) ? spaced(cursor, line.count) : nil
  }
  @inline(never)
  private static func dense(_ cursor: PlainCursor, _ byteCount: Int) -> Self? { Self(cursor, in: .dense, byteCount) }
  @inline(never)
  private static func spaced(_ cursor: PlainCursor, _ byteCount: Int) -> Self? { Self(cursor, in: .spaced, byteCount) }

  /// The params' members, in any order, and the end.
  @inline(__always)
  private init?(_ beginning: PlainCursor, in style: Style, _ byteCount: Int) {
    self.init(byteCount: byteCount)
    var cursor = beginning
    var (hasHeader, hasEvent, hasOffset) = (false, false, false)
    repeat {
      if !hasHeader, cursor.tryConsume(#""header":""#, #""header": ""#, in: style) {
        guard let name = cursor.readRestOfName() else { return nil }
        header = .name(name)
        hasHeader = true
      } else if !hasEvent, cursor.tryConsume(#""event":"didScroll""#, #""event": "didScroll""#, in: style) {
        hasEvent = true
      } else if time == nil, cursor.tryConsume(#""time":"#, #""time": "#, in: style) {
        time = cursor.readInstant()
        guard time != nil else { return nil }
      } else if !hasOffset, cursor.tryConsume(#""offset":"#, #""offset": "#, in: style) {
        hasOffset = true
        guard cursor.read(&offset, in: style) else { return nil }
      } else if correction == nil, cursor.tryConsume(#""correction":"#, #""correction": "#, in: style) {
        var given = PartialPoint()
        guard cursor.read(&given, in: style) else { return nil }
        correction = given
      } else {
        return nil
      }
    } while cursor.tryConsume(",", ", ", in: style)
    guard hasEvent, hasOffset, cursor.tryConsume("}}"), cursor.isAtEnd else { return nil }
  }
}

/// How a program writes JSON. Asked with a literal case, each text is a literal to the compiler.
private enum Style {
  case dense
  case spaced
}

extension PlainCursor {
  /// Goes behind a text if it comes next, in the form that a style has for it.
  @inline(__always)
  fileprivate mutating func tryConsume(_ dense: StaticString, _ spaced: StaticString, in style: Style) -> Bool {
    tryConsume(style == .dense ? dense : spaced)
  }

  @inline(__always)
  fileprivate mutating func tryConsumeBeginning(in style: Style) -> Bool {
    tryConsume(#"{"method":"event","params":{"#, #"{"method": "event", "params": {"#, in: style)
      || tryConsume(
        #"{"jsonrpc":"2.0","method":"event","params":{"#, #"{"jsonrpc": "2.0", "method": "event", "params": {"#,
        in: style)
  }

  /// `{"y":1}`, `{"x":1}`, `{"x":1,"y":1}`.
  @inline(__always)
  fileprivate mutating func read(_ point: inout PartialPoint, in style: Style) -> Bool {
    if tryConsume(#"{"y":"#, #"{"y": "#, in: style) {
      point.y = readNumber()
      return point.y != nil && tryConsume("}")
    }
    guard tryConsume(#"{"x":"#, #"{"x": "#, in: style) else { return false }
    point.x = readNumber()
    guard point.x != nil else { return false }
    if tryConsume(#","y":"#, #", "y": "#, in: style) {
      point.y = readNumber()
      guard point.y != nil else { return false }
    }
    return tryConsume("}")
  }
}
