// SPDX-License-Identifier: MIT
//
// A program that a test starts: its output is collected as it comes, its end is waited for, and it never outlives the
// test. Waiting is always for bytes or for the end of the pipes, with a watchdog.

internal import CLinux
internal import Foundation

/// Where a program that a test starts reads from.
public enum ChildInput: Equatable, Sendable {
  /// Nothing.
  case none
  /// A file.
  case file(String)
  /// What the test writes, until it says that there is no more.
  case written
  /// A terminal of that many columns and rows, which is the program's stdout too.
  case terminal(columns: UInt16, rows: UInt16)
}

/// A started program.
public final class ChildProcess {
  /// The process id.
  public let pid: Int32
  /// The end that the test writes to; −1 when there is none.
  private var inputEnd: Int32 = -1
  private var pipes: [Pipe]
  private var status: Int32?

  private struct Pipe {
    var descriptor: Int32
    var bytes: [UInt8] = []
    var isOpen = true
  }

  /// Starts a program with exactly this environment.
  /// - Parameter handed: descriptors that it finds as 3, 4, …
  public init(
    _ path: String, _ arguments: [String], environment: [String: String], input: ChildInput = .none,
    handed: [Int32] = []
  ) throws {
    var output: [Int32] = [-1, -1]
    var errors: [Int32] = [-1, -1]
    // Sockets in place of pipes: they can be made close-on-exec at once, so that no program that another test starts at
    // the same time holds an end of ours.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &output) == 0, unsafe socketpair(AF_UNIX, kind, 0, &errors) == 0 else {
      throw TestFailure("socketpair: \(errnoText())")
    }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    var theirs: [Int32] = [output[1], errors[1]]
    switch input {
    case .none: unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    case .file(let path): unsafe posix_spawn_file_actions_addopen(&actions, 0, path, O_RDONLY, 0)
    case .written:
      var ends: [Int32] = [-1, -1]
      guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw TestFailure("socketpair: \(errnoText())") }
      inputEnd = ends[0]
      theirs.append(ends[1])
      unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
    case .terminal(let columns, let rows):
      let (master, name) = try Self.terminal(columns: columns, rows: rows)
      inputEnd = fcntl(master, F_DUPFD_CLOEXEC, 0)
      close(output[0])
      output[0] = master
      // The leader of a new session gets the first terminal that it opens as its own, so that Ctrl-C reaches it.
      unsafe posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    }
    for end in [output[0], errors[0]] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    if case .terminal = input {
      unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
    } else {
      unsafe posix_spawn_file_actions_adddup2(&actions, output[1], 1)
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, errors[1], 2)
    for (place, descriptor) in handed.enumerated() {
      // Away from the numbers that the child is to find them at.
      theirs.append(fcntl(descriptor, F_DUPFD_CLOEXEC, 64))
      unsafe posix_spawn_file_actions_adddup2(&actions, theirs[theirs.count - 1], 3 + Int32(place))
    }
    // Nor does it get what a library has open here for a moment, which would count among the descriptors that it may have.
    unsafe linux_spawn_closes_from(&actions, 3 + Int32(handed.count))
    // Threads of the test runner have signals blocked; a daemon that inherited that would never hear SIGTERM.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    var flags = Int16(POSIX_SPAWN_SETSIGMASK)
    // POSIX_SPAWN_SETSID, which Swift does not see.
    if case .terminal = input { flags |= 0x80 }
    unsafe posix_spawnattr_setflags(&attributes, flags)
    let all = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    let variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer { unsafe (all + variables).forEach { unsafe free($0) } }
    var child: pid_t = 0
    let failure = unsafe posix_spawn(&child, path, &actions, &attributes, all, variables)
    for end in theirs { close(end) }
    pid = child
    pipes = [Pipe(descriptor: output[0]), Pipe(descriptor: errors[0])]
    guard failure == 0 else {
      status = -1
      throw TestFailure("\(path) cannot be started: \(unsafe String(cString: strerror(failure)))")
    }
  }

  deinit {
    if status == nil {
      kill(pid, SIGKILL)
      var ignored: Int32 = 0
      _ = unsafe waitpid(pid, &ignored, 0)
    }
    for pipe in pipes where pipe.descriptor >= 0 { close(pipe.descriptor) }
    closeInput()
  }

  /// A new terminal: its master's end and the name of the other.
  private static func terminal(columns: UInt16, rows: UInt16) throws -> (master: Int32, name: String) {
    let master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (number, isLocked) = (Int32(0), Int32(0))
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    // TIOCGPTN and TIOCSPTLCK, which Swift does not see: what grantpt, unlockpt and ptsname ask the kernel.
    guard master >= 0, unsafe ioctl(master, 0x8004_5430, &number) == 0,
      unsafe ioctl(master, 0x4004_5431, &isLocked) == 0,
      unsafe ioctl(master, UInt(TIOCSWINSZ), &size) == 0
    else { throw TestFailure("no terminal: \(errnoText())") }
    return (master, "/dev/pts/\(number)")
  }

  /// Writes to its stdin; on a terminal, types.
  public func write(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(inputEnd, $0.baseAddress, $0.count) }
      guard count > 0 else { throw TestFailure("its stdin: \(errnoText())") }
      rest = rest.dropFirst(count)
    }
  }

  /// Nothing more comes.
  public func closeInput() {
    if inputEnd >= 0 { close(inputEnd) }
    inputEnd = -1
  }

  /// Nobody reads its stdout any more.
  public func closeOutput() {
    close(pipes[0].descriptor)
    pipes[0] = Pipe(descriptor: -1, bytes: pipes[0].bytes, isOpen: false)
  }

  /// What it has written so far.
  public var output: String { text(0) }
  /// What it has written to stderr so far.
  public var errors: String { text(1) }

  private func text(_ index: Int) -> String {
    read(index)
    return String(decoding: pipes[index].bytes, as: UTF8.self)
  }

  /// Sends a signal, unless its end was waited for.
  public func signal(_ number: Int32) { if status == nil { kill(pid, number) } }

  /// Has it stand still, which it does when this returns, until it is sent SIGCONT.
  public func halt() throws {
    signal(SIGSTOP)
    var state = unsafe siginfo_t()
    guard unsafe waitid(P_PID, id_t(pid), &state, WSTOPPED) == 0 else {
      throw TestFailure("it does not stand still: \(errnoText())")
    }
  }

  /// Waits until stderr holds a text so many times, or the program is gone.
  /// - Returns: whether it does.
  public func waitForErrors(containing text: String, times: Int = 1) throws -> Bool {
    let deadline = monotonic() + watchdogSeconds
    while errors.components(separatedBy: text).count <= times {
      guard pipes[1].isOpen else { return false }
      try waitForBytes(until: deadline, "\"\(text)\" on stderr")
    }
    return true
  }

  /// Waits until stdout is as a test wants it, or the program has ended.
  /// - Returns: whether it is.
  public func waitForOutput(_ what: String, where test: (String) -> Bool) throws -> Bool {
    let deadline = monotonic() + watchdogSeconds
    while !test(output) {
      guard pipes[0].isOpen else { return false }
      try waitForBytes(until: deadline, what)
    }
    return true
  }

  /// Waits for its end.
  /// - Parameter seconds: how long it may take.
  /// - Returns: the exit status, or −N when signal N ended it.
  @discardableResult public func waitForExit(seconds: Double = watchdogSeconds) throws -> Int32 {
    if let status { return status }
    let deadline = monotonic() + seconds
    while pipes.contains(where: \.isOpen) { try waitForBytes(until: deadline, "its end") }
    var raw: Int32 = 0
    guard unsafe waitpid(pid, &raw, 0) == pid else { throw TestFailure("waitpid: \(errnoText())") }
    let result = raw & 0x7f == 0 ? (raw >> 8) & 0xff : -(raw & 0x7f)
    status = result
    return result
  }

  /// Waits until something comes from a pipe that is still open, at most a moment.
  func waitBriefly(milliseconds: Int32) {
    var entries = pollEntries()
    if unsafe poll(&entries, nfds_t(entries.count), milliseconds) > 0 { for index in pipes.indices { read(index) } }
  }

  /// Whether it has closed its stderr, which it does only by ending.
  public var hasEnded: Bool {
    read(1)
    return !pipes[1].isOpen
  }

  private func pollEntries() -> [pollfd] {
    pipes.filter(\.isOpen).map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
  }

  private func waitForBytes(until deadline: Double, _ what: String) throws {
    var entries = pollEntries()
    let ready = unsafe poll(&entries, nfds_t(entries.count), millisecondsLeft(until: deadline))
    guard ready > 0 || (ready < 0 && errno == EINTR) else {
      throw TestFailure("waited \(watchdogSeconds) s for \(what); stderr so far:\n\(errors)")
    }
    for index in pipes.indices { read(index) }
  }

  private func read(_ index: Int) {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while pipes[index].isOpen {
      let count = unsafe Glibc.read(pipes[index].descriptor, &chunk, chunk.count)
      if count > 0 {
        pipes[index].bytes += chunk[..<count]
      } else {
        // EIO: nobody has the other side of the terminal open any more.
        if count == 0 || errno == EIO { pipes[index].isOpen = false }
        return
      }
    }
  }
}

/// What a program that ran to its end left behind.
public struct Finished: Sendable {
  /// The exit status, or −N when signal N ended it.
  public let status: Int32
  /// Its stdout.
  public let output: String
  /// Its stderr.
  public let errors: String
}

/// Starts a program of this build. headerd and headerctl find no other plugins than those that they are told of.
public func startProgram(
  _ name: String, _ arguments: [String], environment: [String: String] = [:], input: ChildInput = .none
) throws -> ChildProcess {
  let folder = ["headerd", "headerctl"].contains(name) ? "\(TestFiles.prefix)/bin" : TestFiles.build
  return try ChildProcess(
    "\(folder)/\(name)", arguments, environment: inherited.merging(environment) { $1 }, input: input)
}

/// Runs a program of this build to its end.
public func runProgram(
  _ name: String, _ arguments: [String], environment: [String: String] = [:], input: ChildInput = .none
) throws -> Finished {
  let child = try startProgram(name, arguments, environment: environment, input: input)
  let status = try child.waitForExit()
  return Finished(status: status, output: child.output, errors: child.errors)
}

/// Under AddressSanitizer leaks are not looked for in a program whose stderr is compared: what it leaves behind when it ends is
/// nobody's loss, and the report would stand among its own lines. Leaks of the libraries show in their own tests.
public let withoutLeakSearch: [String: String] = {
  let options = ProcessInfo.processInfo.environment["ASAN_OPTIONS"].map { "\($0):" } ?? ""
  return ["ASAN_OPTIONS": "\(options)detect_leaks=0"]
}()

/// What children need of our own environment: where compilers, sanitizers and the Swift runtime look for their settings, and
/// what records their messages (Tests/Schema/recorder.c).
public let inherited: [String: String] = {
  let names = [
    "PATH", "HOME", "RUSTUP_HOME", "CARGO_HOME", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS",
    "SWIFT_BACKTRACE", "LD_PRELOAD", "TEST_MESSAGES",
  ]
  var variables = ProcessInfo.processInfo.environment.filter { names.contains($0.key) }
  // A sanitizer keeps to itself what it was told to pass over: stderr is looked at.
  if TestFiles.isSanitized { variables["LSAN_OPTIONS", default: ""] += ":print_suppressions=0" }
  return variables
}()
