// SPDX-License-Identifier: MIT
//
// The last epochs of a daemon without a journal, in a file beside its socket. Epochs come from the wall clock. When the clock has been
// set back between two starts, the second one would hand out epochs that the first one has used, and a subscriber that resumes would take
// the states of one header's life for those of another.
//
//     SOCKET.epoch     00001763690400000002⏎ 00001763690400000005⏎     one line for each thread
//
// A line is written at the end of each turn that has used an epoch, before its output is written. It is not synced, since it only has to
// survive the end of the process.

internal import Posix
private import Glibc

final class EpochFile: Sendable {
  /// The largest epoch that an earlier start has used; 0: none is known.
  let last: Int64
  /// The damage of the content that was found; nil: none.
  let damage: String?
  private let descriptor: Int32

  /// More is no epoch: it lies in the year 2112. As many epochs follow it as lie before it, so that no content of the file uses them up.
  private static let most: Int64 = 1 << 52

  /// Reads the file that an earlier start has left beside a socket, and prepares it for a number of threads.
  /// - Throws: why there can be no such file.
  init(beside socket: String, threads: Int) throws(StartupError) {
    let path = Self.path(beside: socket)
    var content: [UInt8] = []
    if exists(path) {
      do { content = try contents(ofRegularFile: path, atMost: 1 << 16) } catch {
        throw StartupError(message: "\(path): \(error.reason)")
      }
    }
    let lines = content.split(separator: 10).map(Self.epoch)
    last = lines.compactMap(\.self).max() ?? 0
    damage = lines.contains(nil) ? "\(path) has lines that are no epochs below \(Self.most): these are ignored" : nil
    do throws(SystemError) {
      descriptor = try openFile(path, for: .updating)
      for thread in 0..<threads { try note(last, ofThread: thread) }
      try truncateFile(descriptor, to: threads * numberLineSize)
    } catch {
      throw StartupError(message: "\(path): \(error.text)")
    }
  }

  deinit { close(descriptor) }

  private static func path(beside socket: String) -> String { socket + ".epoch" }

  /// The epoch of a line; nil: it has none.
  private static func epoch(_ line: ArraySlice<UInt8>) -> Int64? {
    guard line.count == numberLineSize - 1, line.allSatisfy({ 48...57 ~= $0 }) else { return nil }
    return Int64(String(decoding: line, as: UTF8.self)).flatMap { $0 <= most ? $0 : nil }
  }

  /// Notes the last epoch that a thread has used. Threads have lines of their own, so that they may call it at once.
  func note(_ epoch: Int64, ofThread thread: Int) throws(SystemError) {
    try writeAll(numberLine(epoch), to: descriptor, at: thread * numberLineSize)
  }
}

/// Bytes of a line of `numberLine`.
private let numberLineSize = 21

/// A number that is not negative as a line; all are equally long, so that one takes another's place in a file.
func numberLine(_ number: some FixedWidthInteger) -> [UInt8] {
  let digits = String(number)
  return Array((String(repeating: "0", count: max(0, numberLineSize - 1 - digits.utf8.count)) + digits + "\n").utf8)
}
