// SPDX-License-Identifier: MIT
//
// Input from files and stdin, whole or line by line.

private import Glibc
internal import HeaderModel
internal import HeaderTrace
internal import Posix

/// Reads a file, or stdin for "-".
/// - Throws: `CommandError` in the system's words.
func readWhole(_ file: String) throws -> [UInt8] {
  do throws(SystemError) {
    if file == "-" { return try readAll(from: STDIN_FILENO) }
    return try contents(ofFile: file)
  } catch {
    throw CommandError.refused("\(file): \(error.text)", name: "noFile")
  }
}

/// A file as messages name it.
func sourceName(_ file: String) -> String { file == "-" ? "standard input" : file }

/// Works on a recording, and reports its errors with the file's name.
func about<Result>(_ file: String, _ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as RecordingError {
    throw FileError(file: sourceName(file), error: error)
  }
}

/// Reads JSON that stands on the command line or, for "-", on stdin.
func readJSON(_ text: String) throws -> Value {
  do {
    return try Value(json: text == "-" ? readWhole("-") : Array(text.utf8))
  } catch let error as CommandError {
    throw error
  } catch {
    throw CommandError.usage("JSON: \(error)")
  }
}

/// stdin as lines, as far as they have come; or the lines of a file that was read.
struct LineInput {
  private var rest: [UInt8]
  /// Where the first line that was not handed out begins.
  private var begin = 0
  private(set) var hasEnded: Bool
  private(set) var number = 0

  let descriptor: Int32 = STDIN_FILENO

  /// stdin, nothing of which was read.
  init() { (rest, hasEnded) = ([], false) }

  init(_ bytes: [UInt8]) { (rest, hasEnded) = (bytes, true) }

  /// Reads the available bytes; call it when the descriptor is readable.
  mutating func fill() {
    rest.removeFirst(begin)
    begin = 0
    let more = (try? readSome(from: descriptor)) ?? []
    rest += more
    hasEnded = more.isEmpty
  }

  /// The next whole line; at the end of the input also an unfinished one.
  mutating func next() -> [UInt8]? {
    guard let end = rest[begin...].firstIndex(of: 0x0A) else {
      guard hasEnded, begin < rest.count else { return nil }
      defer { begin = rest.count }
      number += 1
      return Array(rest[begin...])
    }
    defer { begin = end + 1 }
    number += 1
    return Array(rest[begin..<end])
  }
}
