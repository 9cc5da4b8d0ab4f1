// SPDX-License-Identifier: MIT
//
// What comes in from files and stdin, whole or line by line.

private import Glibc
internal import HeaderCore
internal import HeaderTrace

/// Reads a file, or stdin for "-".
/// - Throws: `CommandError` in the system's words.
func readAll(_ file: String) throws -> [UInt8] {
  let descriptor = file == "-" ? STDIN_FILENO : unsafe open(file, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw CommandError.refused("\(file): \(systemReason())", name: "noFile") }
  defer { if descriptor != STDIN_FILENO { close(descriptor) } }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = unsafe read(descriptor, &buffer, buffer.count)
    if count == 0 { return bytes }
    guard count > 0 else {
      if errno == EINTR { continue }
      throw CommandError.refused("\(file): \(systemReason())", name: "noFile")
    }
    bytes += buffer[..<count]
  }
}

/// Reads a recording.
func readRecording(_ file: String) throws -> Recording {
  let bytes = try readAll(file)
  do {
    return try Recording(bytes)
  } catch {
    throw FileError(file: file == "-" ? "stdin" : file, error: error)
  }
}

/// The system's words for what went wrong last.
func systemReason() -> String { unsafe String(cString: strerror(errno)) }

/// Reads JSON that stands on the command line or, for "-", on stdin.
func readJSON(_ text: String, what: String) throws -> Value {
  do {
    return try Value(json: text == "-" ? readAll("-") : Array(text.utf8))
  } catch let error as CommandError {
    throw error
  } catch {
    throw CommandError.usage("\(what): \(error)")
  }
}

/// stdin as lines, as far as they have come.
struct LineInput {
  private var rest: [UInt8] = []
  /// Where the first line that was not handed out begins.
  private var begin = 0
  private(set) var hasEnded = false
  /// Lines handed out so far.
  private(set) var number = 0

  let descriptor: Int32 = STDIN_FILENO

  /// Reads what is there; call it when the descriptor is readable.
  mutating func fill() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe read(descriptor, &buffer, buffer.count)
    rest.removeFirst(begin)
    begin = 0
    if count > 0 {
      rest += buffer[..<count]
    } else if count == 0 || errno != EINTR {
      hasEnded = true
    }
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
