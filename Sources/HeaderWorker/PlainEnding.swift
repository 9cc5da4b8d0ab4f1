// SPDX-License-Identifier: MIT
//
// The usual end of an order: an input was handled, and only the header's times have changed.

internal import HeaderCore
internal import HeaderModel

/// The first byte of such an ending, where others have the kind of outcome.
private let plainEnding: UInt8 = 7

extension ByteWriter {
  mutating func putPlainEnding(of header: Header) {
    put(plainEnding)
    put(optional: header.hasTime ? header.now.nanoseconds : nil)
    put(optional: header.nextDue?.nanoseconds)
  }
}

extension ByteReader {
  /// Whether such an ending follows: its times are next.
  mutating func isPlainEnding() throws(Malformed) -> Bool {
    var ahead = self
    guard try ahead.number(UInt8.self) == plainEnding else { return false }
    self = ahead
    return true
  }
}
