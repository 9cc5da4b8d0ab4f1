// SPDX-License-Identifier: MIT
//
// Notes the header that is being restored, in a file, for the next start. Inputs are written down before they are applied: one that ended
// the daemon, by a fault in a plugin, would end each daemon that restores its header. So a start leaves alone the headers during whose
// restoring an earlier one has died, and so do later ones, until headerd or a plugin is another one.
//
//     restoring     00000000000000000012⏎                      a start has died of the header with that number in the journal
//                   0.2.0 5f1c… 77ab…⏎ 00000000000000000012⏎   this version with these plugins leaves it alone
//
// Behind that is the header that is being restored. There is no file when all are restored.

internal import Posix
private import Glibc

/// The note of which header is being restored.
struct RestoreMark {
  private let path: String
  private let file: Int32
  /// The headers during whose restoring an earlier start died.
  let fatal: Set<Int>
  /// Bytes about them, which later starts are to find.
  private let size: Int

  /// Reads the mark that an earlier start has left in a folder.
  /// - Parameters:
  ///   - stored: the numbers of the headers in the journal.
  ///   - code: a line that tells headerd and its plugins from other ones.
  init(in folder: String, stored: Set<Int>, code: String) throws(StartupError) {
    path = "\(folder)/restoring"
    let left: [UInt8]
    do { left = exists(path) ? try contents(ofRegularFile: path, atMost: 1 << 24) : [] } catch {
      throw StartupError(message: "\(path): \(error.reason)")
    }
    let lines = String(decoding: left, as: UTF8.self).split(separator: "\n")
    let isOfOtherCode = lines.first.map { Int($0) == nil && $0 != code } ?? false
    fatal = isOfOtherCode ? [] : stored.intersection(lines.compactMap { Int($0) })
    let text = fatal.isEmpty ? [] : Array("\(code)\n".utf8) + fatal.sorted().flatMap { numberLine($0) }
    size = text.count
    do throws(SystemError) {
      file = try openFile(path, for: .keeping)
      try writeAll(text, to: file, at: 0)
    } catch { throw StartupError("open", path, error) }
  }

  /// A header is restored next. No disk has to have it: only the end of a process is to be survived.
  func note(_ number: Int) { try? writeAll(numberLine(number), to: file, at: size) }

  /// The restoring is done: nothing stays but the headers that were left alone.
  func end() {
    // A file that cannot be removed must at least not name a header.
    try? truncateFile(file, to: size)
    close(file)
    if size == 0 { try? removeFile(path) }
  }
}
