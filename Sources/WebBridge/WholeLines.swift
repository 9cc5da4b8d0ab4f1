// SPDX-License-Identifier: MIT
//
// Each text message of a WebSocket must be valid UTF-8 by itself, so the daemon's output is cut at ends of lines. Nearly every read ends
// with a line, and is then forwarded in place.

/// Holds the beginning of a line back until its end is there.
public struct WholeLines: ~Copyable {
  private var tail: [UInt8] = []

  /// Creates a buffer that holds nothing back.
  public init() {}

  /// Calls `body` with the lines that are whole now, if there are any: with one piece for each call.
  public mutating func forEachPiece(in bytes: RawSpan, _ body: (RawSpan) -> Void) {
    var end = bytes.byteCount
    while end > 0, bytes.byte(at: end - 1) != 0x0A { end -= 1 }
    if end == 0 {
      tail.append(bytes, from: 0)
    } else if tail.isEmpty, end == bytes.byteCount {
      body(bytes)
    } else {
      tail.append(bytes.extracting(0..<end), from: 0)
      body(unsafe tail.span.bytes)
      tail.removeAll(keepingCapacity: true)
      tail.append(bytes, from: end)
    }
  }
}

extension RawSpan {
  fileprivate func byte(at place: Int) -> UInt8 {
    unsafe unsafeLoad(fromByteOffset: place, as: UInt8.self)
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ bytes: RawSpan, from start: Int) {
    unsafe bytes.withUnsafeBytes { unsafe self += $0[start...] }
  }
}
