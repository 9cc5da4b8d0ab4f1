// SPDX-License-Identifier: MIT
//
// The name that nearly every message of a connection begins with, to be compared where it lies in the line. An array would
// do, but for the reference that each look at one counts.

/// A header's name in UTF-8. Its memory is kept from name to name.
@safe struct NameBytes: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>?
  private var count: UInt8 = 0
  private var room: UInt8 = 0

  init() {}

  deinit { unsafe start?.deallocate() }

  /// The bytes; good until another name is taken.
  var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: start, count: Int(count)) }

  /// Takes another name; headers' names have 128 bytes at most.
  mutating func take(_ name: String) {
    count = UInt8(name.utf8.count)
    if count > room {
      unsafe start?.deallocate()
      unsafe start = .allocate(capacity: Int(count))
      room = count
    }
    var index = 0
    for byte in name.utf8 {
      unsafe start?[index] = byte
      index += 1
    }
  }
}
