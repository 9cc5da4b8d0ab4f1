// SPDX-License-Identifier: MIT
//
// Log lines on their way to a descriptor whose reader may be slow or have stopped. No thread waits for it: lines wait in a bounded queue,
// and those beyond it are counted and reported once there is room again.

private import Locks
private import Posix
private import Synchronization

/// Writes lines to a descriptor. Any thread may.
package final class LogWriter: Sendable {
  private struct Lines {
    var waiting: [UInt8] = []
    var lost = 0
  }

  private let descriptor: Int32
  private let lines = Locked(Lines())
  private let waits = Atomic<Bool>(false)
  /// Makes the line that reports lost lines.
  private let lineOfLost: @Sendable (_ count: Int) -> String

  /// Bytes that wait at most.
  package static let maxBytes = 1 << 18
  /// A pipe that can be written takes at least this many bytes at once.
  private static let pieceBytes = 4096

  package init(_ descriptor: Int32, lineOfLost: @escaping @Sendable (_ count: Int) -> String) {
    self.descriptor = descriptor
    self.lineOfLost = lineOfLost
  }

  /// Some lines are not written yet.
  package var hasWaiting: Bool { waits.load(ordering: .relaxed) }

  /// Writes a line, now or when there is room.
  package func write(_ line: String) {
    lines.withLock { lines in
      flush(&lines, seconds: 0)
      if lines.lost > 0 || lines.waiting.count + line.utf8.count > Self.maxBytes {
        lines.lost += 1
      } else {
        lines.waiting += Array(line.utf8)
      }
      flush(&lines, seconds: 0)
    }
  }

  /// Writes lines that wait.
  /// - Parameter seconds: how long a write may take when the process is about to end.
  package func resume(seconds: Double = 0) {
    if hasWaiting { lines.withLock { flush(&$0, seconds: seconds) } }
  }

  private func flush(_ lines: inout Lines, seconds: Double) {
    defer { waits.store(!lines.waiting.isEmpty || lines.lost > 0, ordering: .relaxed) }
    while true {
      if lines.waiting.isEmpty, lines.lost > 0 {
        lines.waiting = Array(lineOfLost(lines.lost).utf8)
        lines.lost = 0
      }
      guard !lines.waiting.isEmpty else { return }
      let ready = waitUntilReady([Wait(descriptor, for: .writing)], seconds: seconds)[0]
      guard ready.canWrite || ready.canRead else { return }
      guard let count = try? writeSome(lines.waiting.prefix(Self.pieceBytes), to: descriptor) else {
        // No process reads the log any more, so the lines are lost.
        lines = Lines()
        return
      }
      lines.waiting.removeFirst(count)
    }
  }
}
