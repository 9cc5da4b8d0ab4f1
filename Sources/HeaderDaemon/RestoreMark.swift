// SPDX-License-Identifier: MIT
//
// Notes the header that is being restored, in a file, for the next start. Inputs are written down before they are applied: one that ended
// the daemon, by a fault in a plugin, would end each daemon that restores its header. So a start leaves alone the headers during whose
// restoring an earlier one has died.
//
//     restoring     00000000000000000012⏎ 00000000000000000057⏎     numbers in the journal; removed when all are restored

internal import Posix
private import Glibc

/// The note of which header is being restored.
struct RestoreMark {
  private let path: String
  private let file: Int32
  /// The headers during whose restoring an earlier start died.
  let fatal: Set<Int>

  private static let lineSize = 21

  /// Reads the mark that an earlier start has left in a folder.
  init(in folder: String) throws(StartupError) {
    path = "\(folder)/restoring"
    let left: [UInt8]
    do { left = exists(path) ? try contents(ofRegularFile: path, atMost: 1 << 24) : [] } catch {
      throw StartupError(message: "\(path): \(error.reason)")
    }
    do throws(SystemError) {
      let numbers = String(decoding: left, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
      fatal = Set(numbers)
      file = try openFile(path, for: .keeping)
      for (index, number) in numbers.enumerated() { try Self.write(number, to: file, line: index) }
    } catch { throw StartupError("open", path, error) }
  }

  /// A header is restored next. No disk has to have it: only the end of a process is to be survived.
  func note(_ number: Int) { try? Self.write(number, to: file, line: fatal.count) }

  private static func write(_ number: Int, to file: Int32, line: Int) throws(SystemError) {
    let digits = String(number)
    let text = String(repeating: "0", count: max(0, lineSize - 1 - digits.utf8.count)) + digits + "\n"
    try writeAll(Array(text.utf8), to: file, at: line * lineSize)
  }

  /// Removes the mark, once the restoring is done.
  func remove() {
    // A file that cannot be removed must at least not name a header.
    try? truncateFile(file, to: 0)
    close(file)
    try? removeFile(path)
  }
}
