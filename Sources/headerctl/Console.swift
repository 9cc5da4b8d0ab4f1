// SPDX-License-Identifier: MIT
//
// stdout, stderr, the terminal and signals. Output is written at once, so that it is out if the program is killed next.

private import Glibc
internal import HeaderClient
internal import HeaderModel
internal import HeaderTrace
internal import HeaderWire
internal import Posix

struct Console: Sendable {
  /// stdout is a terminal that understands cursor movement.
  let isTerminal: Bool

  /// From here on a reader that goes away is an error of `write` and no signal, and 0, 1 and 2 are open: a socket that
  /// took the number of a stdout that was closed would get what we print.
  init() {
    signal(SIGPIPE, SIG_IGN)
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = try? openFile("/dev/null", for: .reading)
    }
    let kind = environmentValue("TERM") ?? ""
    isTerminal = isatty(STDOUT_FILENO) == 1 && kind != "dumb" && !kind.isEmpty
  }

  /// Columns and rows of the terminal; 80×24 if unknown.
  var size: (columns: Int, rows: Int) { terminalSize(of: STDOUT_FILENO) ?? (80, 24) }

  func print(_ text: String, terminator: String = "\n") { print(bytes: Array((text + terminator).utf8)) }

  func print(line: [UInt8]) { print(bytes: line + [0x0A]) }

  /// Prints bytes to stdout. Ends the program silently if the reader has gone (`… | head -1`), and with a message if they cannot be
  /// written: half an output must not look like a whole one.
  func print(bytes: [UInt8]) {
    do throws(SystemError) {
      try writeAll(bytes, to: STDOUT_FILENO)
    } catch {
      if error.code == EPIPE { exit(ExitStatus.done) }
      complain("stdout: \(error.text)")
      exit(ExitStatus.refused)
    }
  }

  /// Prints a table: columns aligned, two blanks between them.
  func print(table rows: [[String]]) {
    for line in aligned(rows) { print(line) }
  }

  func error(_ text: String) { try? writeAll(Array(text.utf8), to: STDERR_FILENO) }

  /// Prints a message to stderr, begun by the program's name.
  func complain(_ message: String) { error("headerctl: \(message)\n") }

  /// Shows progress on stderr, to people only. An empty text wipes it away.
  func progress(_ text: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    error("\r\(text)\u{1B}[K")
  }
}

// MARK: - Signals

/// Signals that ask us to stop, as a descriptor to wait for, so that no handler runs in the middle of anything. A second
/// signal ends the program.
final class Interrupts {
  /// Becomes readable with the first one.
  let descriptor: Int32

  /// From now on signals end waits, not the program.
  init() {
    guard let ends = try? makePipe() else { preconditionFailure("there is no pipe left") }
    descriptor = ends.reader
    takeSignals([SIGINT, SIGTERM, SIGHUP], telling: ends.writer) { signal in
      // A drawing has hidden the cursor.
      if isatty(STDERR_FILENO) == 1 { try? writeAll(Array("\u{1B}[?25h\n".utf8), to: STDERR_FILENO) }
      _exit(128 + signal)
    }
  }

  var haveCome: Bool { waitUntilReady([Wait(descriptor, for: .reading)], seconds: 0)[0].canRead }
}

/// Whether a wait ended because a signal came. (Asked inside a plain `catch`: Swift 6.3.1 crashes on patterns there when the
/// body throws nothing but ClientError.)
func isInterruption(_ error: any Error) -> Bool { error as? ClientError == .interrupted }

// MARK: - Text

/// Lines of a table, without blanks at their ends.
func aligned(_ rows: [[String]]) -> [String] {
  let columns = rows.map(\.count).max() ?? 0
  let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
  return rows.map { row in
    var line = ""
    for (column, cell) in row.enumerated() {
      line += cell
      if column + 1 < row.count { line += String(repeating: " ", count: widths[column] - cell.count + 2) }
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}

/// A number as people write it: 12 rather than 12.0, with at most `decimals` decimals.
func shown(_ number: Double, decimals: Int = 2) -> String {
  // Epochs are whole numbers of more digits than can be rounded.
  guard abs(number) < 1e15 else { return Int(exactly: number).map { "\($0)" } ?? "\(number)" }
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  let rounded = (number * scale).rounded() / scale
  return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
}

func counted(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }

func errorObject(_ error: HeaderError) -> Value { Value(written: { $0.error(error) }) }

/// An error object of our own: code -32000, which the daemon never uses, and a name.
func errorObject(code: Int, name: String, message: String, data: Value.Record) -> Value {
  var record = data
  record.fields.insert(.init(name: "name", value: .text(name)), at: 0)
  return ["code": .number(Double(code)), "message": .text(message), "data": .record(record)]
}
