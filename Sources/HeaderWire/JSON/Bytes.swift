// SPDX-License-Identifier: MIT
//
// Bytes that grow at the end and stay where they are until they grow: the memory under the writers and the splitters.
//
// Why not `[UInt8]`: an array checks before every write that nobody shares it, and gives no address that outlives a
// closure. Here there is one owner by type, room is asked for once per value (`reserve`), and the writes after it are
// plain stores. This is the only memory that the wire allocates by hand; it is freed when its owner goes.

import Glibc

/// A growing run of bytes with one owner. No memory until the first byte.
@safe struct Bytes: ~Copyable {
  private var base: UnsafeMutableRawPointer?
  private(set) var capacity = 0
  private(set) var count = 0

  init() { unsafe base = nil }

  deinit { unsafe free(base) }

  /// All bytes; good until the next change.
  var contents: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: base, count: count) }

  /// Makes room for more bytes; at least doubles, so that growing costs a constant per byte.
  @inline(__always)
  mutating func reserve(_ extra: Int) {
    if capacity - count < extra { grow(extra) }
  }

  /// Adds a byte, for which there must be room.
  @inline(__always)
  mutating func push(_ byte: UInt8) {
    assert(count < capacity, "room was reserved")
    unsafe base.unsafelyUnwrapped.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Adds bytes, for which there must be room.
  @inline(__always)
  mutating func push(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return }
    assert(capacity - count >= bytes.count, "room was reserved")
    unsafe memcpy(base.unsafelyUnwrapped + count, source, bytes.count)
    count += bytes.count
  }

  /// Adds a literal, for which there must be room.
  @inline(__always)
  mutating func push(_ literal: StaticString) {
    assert(capacity - count >= literal.utf8CodeUnitCount, "room was reserved")
    unsafe memcpy(base.unsafelyUnwrapped + count, literal.utf8Start, literal.utf8CodeUnitCount)
    count += literal.utf8CodeUnitCount
  }

  /// Adds a plain value as it lies in memory, for which there must be room.
  @inline(__always)
  mutating func store<Plain: BitwiseCopyable>(_ value: Plain) {
    assert(capacity - count >= MemoryLayout<Plain>.size, "room was reserved")
    unsafe base.unsafelyUnwrapped.storeBytes(of: value, toByteOffset: count, as: Plain.self)
    count += MemoryLayout<Plain>.size
  }

  /// Writes a plain value over bytes that are there.
  @inline(__always)
  mutating func overwrite<Plain: BitwiseCopyable>(_ value: Plain, at place: Int) {
    precondition(place >= 0 && place + MemoryLayout<Plain>.size <= count, "the bytes are there")
    unsafe base.unsafelyUnwrapped.storeBytes(of: value, toByteOffset: place, as: Plain.self)
  }

  /// Takes the last byte back.
  mutating func removeLast() {
    precondition(count > 0, "there is a byte")
    count -= 1
  }

  /// Adds the decimal digits of a number, for which there must be room (20 are always enough).
  @inline(__always)
  mutating func pushDigits(_ number: UInt64) {
    // Most numbers of a header are small.
    if number < 10 { return push(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number)) }
    if number < 100 {
      unsafe memcpy(base.unsafelyUnwrapped + count, digitPairs.utf8Start + Int(number) * 2, 2)
      count += 2
    } else {
      pushDigits(number, width: 3)
    }
  }

  /// The same with zeros before them, to so many digits.
  @inline(__always)
  mutating func pushDigits(_ number: UInt64, width: Int) {
    let digits = max(digitCount(number), width)
    assert(capacity - count >= digits, "room was reserved")
    let target = unsafe base.unsafelyUnwrapped + count
    var rest = number
    var index = digits
    while index >= 2 {
      let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
      index -= 2
      unsafe memcpy(target + index, digitPairs.utf8Start + Int(pair) * 2, 2)
      rest = quotient
    }
    if index == 1 { unsafe target.storeBytes(of: UInt8(ascii: "0") + UInt8(rest), as: UInt8.self) }
    count += digits
  }

  /// Forgets the bytes; gives the memory back only above so many bytes.
  mutating func removeAll(keepingUpTo capacityMax: Int) {
    count = 0
    guard capacity > capacityMax else { return }
    unsafe free(base)
    unsafe base = nil
    capacity = 0
  }

  @inline(never)
  private mutating func grow(_ extra: Int) {
    let wanted = max(64, capacity * 2, count + extra)
    guard let moved = unsafe realloc(base, wanted) else { fatalError("no memory for \(wanted) bytes") }
    unsafe base = moved
    capacity = wanted
  }
}

/// 00 to 99.
private var digitPairs: StaticString {
  """
  0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
  5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
  """
}

/// How many decimal digits a number has; 0 has one.
@inline(__always)
private func digitCount(_ number: UInt64) -> Int {
  var count = 1
  var rest = number
  while rest >= 10_000 {
    rest /= 10_000
    count += 4
  }
  return count + (rest >= 10 ? 1 : 0) + (rest >= 100 ? 1 : 0) + (rest >= 1000 ? 1 : 0)
}
