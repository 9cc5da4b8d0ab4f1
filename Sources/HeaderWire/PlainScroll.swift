// SPDX-License-Identifier: MIT
//
// The fastest decoder of lines: nearly all are a didScroll that a program wrote in one of two styles,
//
//     {"method":"event","params":{"header":"main","event":"didScroll","time":1.25,"offset":{"y":12.5}}}
//     {"method": "event", "params": {"header": "main", "event": "didScroll", "time": 1.25, "offset": {"y": 12.5}}}
//
// the dense one of most libraries, or Python's with a space behind each colon and comma. Such a line is decoded by comparing
// it with the expected text between its numbers. A line that differs in a single byte is left to the other decoders
// (PlainEvent.swift, Envelope.swift); a property test checks that all agree. PlainCursor.swift reads the parts.

internal import HeaderModel

extension ScrollMessage {
  /// One that is not read yet.
  package init() { self.init(byteCount: 0) }

  /// Reads a line without its end; false when another decoder has to read it.
  @inline(__always)
  package mutating func read(_ line: UnsafeRawBufferPointer) -> Bool {
    guard var cursor = unsafe PlainCursor(line), cursor.tryConsume(#"{"method":"#) else { return false }
    return read(
      cursor, line.count, #""event","params":{"header":""#, #","event":"didScroll","time":"#, #","offset":{"y":"#)
      || read(
        cursor, line.count, #" "event", "params": {"header": ""#, #", "event": "didScroll", "time": "#,
        #", "offset": {"y": "#)
  }

  @inline(__always)
  private mutating func read(
    _ start: PlainCursor, _ count: Int, _ untilName: StaticString, _ untilTime: StaticString, _ untilY: StaticString
  ) -> Bool {
    var cursor = start
    guard cursor.tryConsume(untilName), let header = cursor.readRestOfName(), cursor.tryConsume(untilTime),
      let time = cursor.readInstant(), cursor.tryConsume(untilY), let y = cursor.readNumber(), cursor.tryConsume("}}}"),
      cursor.isAtEnd
    else { return false }
    self = ScrollMessage(header: .name(header), time: time, offset: PartialPoint(y: y), byteCount: count)
    return true
  }
}
