// SPDX-License-Identifier: MIT
//
// stdout, stderr and the terminal behind them, by write(2): what was printed is out, also when we are killed next.

private import Glibc
internal import HeaderCore
internal import HeaderTrace
internal import HeaderWire

/// Where a command prints.
struct Console: Sendable {
  /// stdout is a terminal that understands cursor movement.
  let isTerminal: Bool

  /// From here on a reader that goes away is an error of `write` and no signal, and 0, 1 and 2 are open: a socket that
  /// took the number of a stdout that was closed would get what we print.
  init() {
    signal(SIGPIPE, SIG_IGN)
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", O_RDONLY)
    }
    let kind = unsafe getenv("TERM").map { unsafe String(cString: $0) } ?? ""
    isTerminal = isatty(STDOUT_FILENO) == 1 && kind != "dumb" && !kind.isEmpty
  }

  /// Columns and rows of the terminal; 80×24 where nobody knows.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Prints to stdout.
  func print(_ text: String, terminator: String = "\n") { print(bytes: Array((text + terminator).utf8)) }

  /// Prints a line of bytes to stdout.
  func print(line: [UInt8]) { print(bytes: line + [0x0A]) }

  /// Prints bytes to stdout. When nobody reads them any more (`… | head -1`), whoever asked has enough: the program ends
  /// quietly. When they cannot be written, it ends and says so: half an output must not look like a whole one.
  func print(bytes: [UInt8]) {
    guard !Self.write(bytes, to: STDOUT_FILENO) else { return }
    if errno == EPIPE { exit(ExitStatus.done) }
    complain("stdout: \(systemReason())")
    exit(ExitStatus.refused)
  }

  /// Prints a table: columns aligned, two blanks between them.
  func print(table rows: [[String]]) {
    for line in aligned(rows) { print(line) }
  }

  /// Prints to stderr as it is.
  func error(_ text: String) { Self.write(Array(text.utf8), to: STDERR_FILENO) }

  /// Says on stderr what is wrong, begun by the program's name.
  func complain(_ message: String) { error("headerctl: \(message)\n") }

  /// Shows on stderr how far long work is; only to people. An empty text wipes it away.
  func progress(_ text: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    error("\r\(text)\u{1B}[K")
  }

  /// Writes all of it; false when the other side takes no more, with the reason in errno.
  @discardableResult
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        unsafe poll(&wait, 1, -1)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}

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

/// A number as people write it: 12 rather than 12.0, and no more than so many decimals.
func shown(_ number: Double, decimals: Int = 2) -> String {
  guard abs(number) < 1e15 else { return "\(number)" }
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  let rounded = (number * scale).rounded() / scale
  return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
}

/// "1 event", "2 events".
func counted(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }

/// The protocol's error object.
func errorObject(_ error: HeaderError) -> Value {
  var writer = JSONWriter()
  writer.error(error)
  do {
    return try Value(json: writer.copy())
  } catch {
    preconditionFailure("headerctl bug: an error that cannot be read: \(error)")
  }
}

/// An error object of our own: code -32000, which the daemon never uses, and a name.
func errorObject(code: Int, name: String, message: String, data: Value.Record) -> Value {
  var record = data
  record.fields.insert(.init(name: "name", value: .text(name)), at: 0)
  return ["code": .number(Double(code)), "message": .text(message), "data": .record(record)]
}
