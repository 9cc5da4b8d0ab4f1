// SPDX-License-Identifier: MIT
//
// Bytes that grow at the end and stay in place until they grow: the memory of the writers and splitters. `[UInt8]`
// checks for uniqueness before every write and has no address that outlives a closure; here there is one owner by type,
// room is reserved once per value, and writes are plain stores. It is the only memory that the wire allocates by hand.

import Glibc

/// A growing run of bytes with one owner. No memory until the first byte.
@safe struct Bytes: ~Copyable {
  private var base: UnsafeMutableRawPointer?
  private(set) var capacity = 0
  private(set) var count = 0

  init() { unsafe base = nil }

  deinit { unsafe free(base) }

  var contents: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: base, count: count) }

  /// Where they begin, once there is memory; good until the next change.
  var start: UnsafeMutableRawPointer { unsafe base.unsafelyUnwrapped }

  /// Makes room for more bytes; at least doubles, so that growing costs a constant per byte.
  @inline(__always)
  mutating func reserve(_ extra: Int) {
    if capacity - count < extra { grow(extra) }
  }

  /// Makes room for more bytes and hardly more than those: for bytes that are kept a long time and grow rarely.
  mutating func reserve(exactly extra: Int) {
    if capacity - count < extra { grow(to: count + extra + 32) }
  }

  /// Adds a byte, for which there must be room.
  @inline(__always)
  mutating func push(_ byte: UInt8) {
    assert(count < capacity, "room was reserved")
    unsafe base.unsafelyUnwrapped.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Adds bytes, and makes room for them.
  @inline(__always)
  mutating func push(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return }
    reserve(bytes.count)
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

  func isEqual(to others: UnsafeRawBufferPointer) -> Bool {
    guard count == others.count, let base = unsafe base, let start = others.baseAddress else {
      return count == others.count
    }
    return unsafe memcmp(base, start, count) == 0
  }

  mutating func removeLast() {
    precondition(count > 0, "there is a byte")
    count -= 1
  }

  /// Reserves room and returns a cursor that writes behind the bytes, at most `room` of them. Its bytes count once it is committed, and
  /// nothing else may be added before.
  @inline(__always)
  mutating func cursor(atMost room: Int) -> ByteCursor {
    reserve(room &+ ByteCursor.slack)
    return unsafe ByteCursor(base.unsafelyUnwrapped + count)
  }

  @inline(__always)
  mutating func commit(_ cursor: ByteCursor) {
    count = count(upTo: cursor)
    precondition(count <= capacity, "no more was written than there was room for")
  }

  /// How many bytes there are with those that a cursor wrote and that are not committed yet.
  @inline(__always)
  func count(upTo cursor: ByteCursor) -> Int {
    unsafe UnsafeRawPointer(cursor.place) - UnsafeRawPointer(base.unsafelyUnwrapped)
  }

  /// Appends the bytes that a cursor writes, at most `room` of them.
  @inline(__always)
  mutating func write(atMost room: Int, _ body: (inout ByteCursor) -> Void) {
    var cursor = cursor(atMost: room)
    body(&cursor)
    commit(cursor)
  }

  mutating func removeAll(keepingUpTo maxCapacity: Int) {
    count = 0
    guard capacity > maxCapacity else { return }
    unsafe free(base)
    unsafe base = nil
    capacity = 0
  }

  @inline(never)
  private mutating func grow(_ extra: Int) { grow(to: max(64, capacity * 2, count + extra)) }

  private mutating func grow(to wanted: Int) {
    guard let moved = unsafe realloc(base, wanted) else { fatalError("no memory for \(wanted) bytes") }
    unsafe base = moved
    capacity = wanted
  }
}
