// SPDX-License-Identifier: MIT
//
// What the tests of this room share: a loop that must come to its end within a time and leave nothing behind, and a
// stream that remembers what happened to it.

import Clocks
import EventLoop
import Glibc
import Testing

/// Nanoseconds in a millisecond.
let millisecond: Int64 = 1_000_000

/// Gives `body` a loop, which it runs as it likes, and checks afterwards that every handle has gone.
///
/// A watchdog stops a loop that goes on for too long.
func withLoop(seconds: Int64 = 60, _ body: (Loop) throws -> Void) throws {
  let loop = try Loop()
  do {
    let watchdog = Timer(on: loop)
    watchdog.fired = {
      Issue.record("the loop was still running after \(seconds) s")
      loop.stop()
    }
    watchdog.arm(at: loop.now + seconds * 1000 * millisecond)
    try body(loop)
    watchdog.disarm()
  }
  try loop.close()
}

/// A stream, and what it has been told so far.
final class End: StreamOwner {
  var stream: UnixStream?
  var bytes: [UInt8] = []
  var hasEnded = false
  var hasHungUp = false
  var drains = 0
  /// How often `closed` came, and with what.
  var closings: [UVError?] = []
  /// Called after each thing that happened.
  var happened: (End) -> Void = { _ in }

  init(_ stream: consuming UnixStream) {
    self.stream = consume stream
    self.stream?.owner = self
    self.stream?.resumeReading()
  }

  func received(_ bytes: RawSpan) {
    self.bytes.append(contentsOf: bytes.bytes)
    happened(self)
  }

  func ended() {
    hasEnded = true
    happened(self)
  }

  func hungUp() {
    hasHungUp = true
    happened(self)
  }

  func drained() {
    drains += 1
    happened(self)
  }

  func closed(_ reason: UVError?) {
    closings.append(reason)
    happened(self)
  }

  /// Both ends of a connection.
  static func pair(on loop: Loop) throws -> (End, End) {
    let (one, other) = try descriptorPair()
    return (End(try UnixStream(adopting: one, on: loop)), End(try UnixStream(adopting: other, on: loop)))
  }

  func write(_ text: String) { stream?.write(Array(text.utf8)) }
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// Memory that a stream is lent.
@safe final class Lender {
  let memory: UnsafeMutableRawBufferPointer

  init(_ bytes: [UInt8]) {
    unsafe memory = .allocate(byteCount: bytes.count, alignment: 1)
    unsafe memory.copyBytes(from: bytes)
  }

  deinit { unsafe memory.deallocate() }

  func lend(_ range: Range<Int>, to end: End) {
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: memory[range])
    _ = end.stream?.offer(unsafe bytes.bytes, lentBy: self, within: .max)
  }

  /// The bytes become others.
  func spoil() { for index in unsafe memory.indices { unsafe memory[index] ^= 0xFF } }
}

/// Two connected descriptors.
func descriptorPair() throws -> (Int32, Int32) {
  var pair: [Int32] = [-1, -1]
  try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
  return (pair[0], pair[1])
}

extension RawSpan {
  /// A copy.
  var bytes: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}

/// `count` bytes with a pattern in which a lost, doubled or displaced piece shows.
func pattern(_ count: Int) -> [UInt8] {
  // It begins anew after so many bytes; copies take less time than this code, which is not optimized.
  let period = (0..<min(count, 32_768)).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) }
  var bytes: [UInt8] = []
  while bytes.count < count { bytes += period.prefix(count - bytes.count) }
  return bytes
}

/// A reference that does not keep.
final class Weak<Object: AnyObject> {
  weak var object: Object?
  init(_ object: Object) { self.object = object }
}
