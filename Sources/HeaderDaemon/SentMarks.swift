// SPDX-License-Identifier: MIT
//
// When a connection's bytes were sent: a mark every few KiB. With the number of bytes that the peer has not read, the marks give how long
// the oldest of them have waited.
//
//     bytes   0 ───── 4 KiB ───── 8 KiB ───── 12 KiB ── 13 KiB
//     time    0.1      0.3         0.5          0.7      now        unread 6 KiB: some of it was sent at 0.5

internal import Clocks

/// When a connection's bytes were sent.
struct SentMarks {
  /// Bytes sent up to a mark, and when the last of them were, by the daemon's clock.
  private var marks: [(bytes: Int, time: MonotonicTime)] = []
  private var total = 0
  private var next = 0

  private static let distance = 4_096
  private static let most = 256

  /// Counts bytes.
  /// - Returns: whether a mark is due.
  @inline(__always)
  mutating func add(_ count: Int) -> Bool {
    total &+= count
    return total >= next
  }

  /// Marks the time of the latest bytes. When there are too many marks, every second older one is dropped.
  mutating func mark(at time: MonotonicTime) {
    next = total + Self.distance
    if marks.count == Self.most {
      marks = marks.enumerated().filter { $0.offset % 2 == 1 || $0.offset >= Self.most / 2 }.map(\.element)
    }
    marks.append((total, time))
  }

  /// Nanoseconds that the oldest unread bytes have waited, at least; 0 when all were read. Regular calls keep it precise even where few
  /// bytes are sent.
  /// - Parameter unread: how many bytes were not read, at most.
  mutating func age(ofUnread unread: Int, at now: MonotonicTime) -> Int64 {
    guard unread > 0 else { return 0 }
    let read = total - unread
    guard let mark = marks.first(where: { $0.bytes > read }) else {
      mark(at: now)
      return 0
    }
    return max(0, now - mark.time)
  }
}
