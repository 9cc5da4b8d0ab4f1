// SPDX-License-Identifier: MIT
//
// Programs that this process starts, and the first steps of such a program.

private import CLinux
internal import Clocks
private import Glibc
private import Locks

/// The end of a program, and its output.
public struct ProgramEnd: Sendable {
  /// Reasons for the end of a program.
  public enum Reason: Equatable, Sendable {
    /// The program exited with a status.
    case exited(Int32)
    /// A signal killed it.
    case killed(Int32)
    /// The program took too long, or wrote too much, and was killed for that.
    case tookTooLong, wroteTooMuch
    /// It could not be started.
    case notStarted(SystemError)
  }

  /// The reason for the end.
  public let reason: Reason
  /// The output to stdout.
  public let output: [UInt8]
  /// The beginning of the output to stderr, as much as a pipe takes (64 KiB).
  public let errors: [UInt8]
}

/// Runs a program to its end: stdin is empty, no descriptor of this process is handed on.
/// - Parameters:
///   - environment: variables that it gets, and no others.
///   - seconds: how long it may take; what it has started by then goes with it if it has asked for that (`endWithParent`).
///   - most: bytes that it may write.
/// - Throws: why it cannot be started.
public func runProgram(
  _ path: String, _ arguments: [String], environment: [String], seconds: Double, atMost most: Int
) throws(SystemError) -> ProgramEnd {
  var pipe = try OwnPipe()
  var printed = try OwnPipe()
  // A write waits until its report is read.
  _ = fcntl(pipe.writer, F_SETFL, 0)
  let process = try start(path, arguments, environment, output: pipe.writer, errors: printed.writer)
  pipe.closeWriter()
  printed.closeWriter()
  var output: [UInt8] = []
  var reason: ProgramEnd.Reason?
  let deadline = monotonicTime() + Int64(seconds * 1e9)
  while reason == nil {
    let left = Double(deadline - monotonicTime()) / 1e9
    if left <= 0 {
      reason = .tookTooLong
    } else if output.count > most {
      reason = .wroteTooMuch
    } else if waitUntilReady([Wait(pipe.reader, for: .reading)], seconds: left)[0].canRead {
      guard let more = try? readSome(from: pipe.reader), !more.isEmpty else { break }
      output += more
    }
  }
  // A program may close stdout and keep running.
  if reason == nil, !waitForEnd(of: process, until: deadline) { reason = .tookTooLong }
  if reason != nil { kill(process, SIGKILL) }
  let end = takeStatus(of: process)
  return ProgramEnd(reason: reason ?? end, output: output, errors: receiveSome(from: printed.reader) ?? [])
}

/// Waits without taking its status.
private func waitForEnd(of process: pid_t, until deadline: MonotonicTime) -> Bool {
  while monotonicTime() < deadline {
    var info = unsafe siginfo_t()
    guard unsafe waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT | WNOHANG) == 0 else { return true }
    if unsafe info._sifields._kill.si_pid != 0 { return true }
    _ = waitUntilReady([], seconds: 0.001)
  }
  return false
}

/// A pipe that is not handed on as it is, of which neither side waits. Letting go of it closes both ends.
private struct OwnPipe: ~Copyable {
  let reader: Int32
  private(set) var writer: Int32

  init() throws(SystemError) {
    var (reader, writer) = (Int32(-1), Int32(-1))
    guard unsafe linux_pipe(&reader, &writer) == 0 else { throw .last }
    (self.reader, self.writer) = (reader, writer)
  }

  mutating func closeWriter() {
    close(writer)
    writer = -1
  }

  consuming func take() -> (reader: Int32, writer: Int32) {
    let ends = (reader, writer)
    discard self
    return ends
  }

  deinit {
    close(reader)
    if writer >= 0 { close(writer) }
  }
}

/// A program that runs beside this one, with a socket between the two, of which neither side waits. Letting go of it ends it.
public final class StartedProgram {
  private let life: ProgramLife
  /// The path of the program's file.
  public let path: String
  /// This side's end of the socket. It ends when the program does, and where that could not be started.
  public let socket: Int32
  /// The read end of the program's stdout and stderr; reading it never waits (`receiveSome`). Output beyond 64 KiB that was not read is
  /// lost.
  public let printed: Int32

  fileprivate init(_ life: ProgramLife, _ path: String, _ socket: Int32, _ printed: Int32) {
    self.life = life
    self.path = path
    self.socket = socket
    self.printed = printed
  }

  /// Ends the program at once. Its output can still be read.
  public func kill() { life.kill() }

  /// Why it has ended, once its socket has; waits for the rest of its end.
  public func takeEnd() -> ProgramEnd.Reason { life.takeEnd() }

  deinit {
    life.kill()
    close(socket)
    close(printed)
    _ = life.takeEnd()
  }
}

/// A program from the order to start it until its status is taken, on whatever threads that is.
private final class ProgramLife: Sendable {
  private enum Stage {
    case starting
    /// The program is not wanted any more: the thread that starts it ends it.
    case unwanted
    case running(pid_t)
    /// The exit status was read, so the process number may belong to another process now.
    case over(ProgramEnd.Reason)
  }

  private let stage = Locked(Stage.starting)

  /// Notes that the program was started, or could not be.
  func begin(_ result: Result<pid_t, SystemError>) {
    let isUnwanted = stage.withLock { stage in
      var isUnwanted = false
      if case .unwanted = stage { isUnwanted = true }
      switch result {
      case .success(let process): stage = .running(process)
      case .failure(let error): stage = .over(.notStarted(error))
      }
      return isUnwanted
    }
    guard isUnwanted else { return }
    kill()
    _ = takeEnd()
  }

  func kill() {
    stage.withLock { stage in
      switch stage {
      case .starting: stage = .unwanted
      case .running(let process): Glibc.kill(process, SIGKILL)
      case .unwanted, .over: break
      }
    }
  }

  func takeEnd() -> ProgramEnd.Reason {
    stage.withLock { stage in
      switch stage {
      case .starting, .unwanted:
        stage = .unwanted
        return .killed(SIGKILL)
      case .running(let process):
        let reason = takeStatus(of: process)
        stage = .over(reason)
        return reason
      case .over(let reason): return reason
      }
    }
  }
}

/// Waits for a process and takes its status.
private func takeStatus(of process: pid_t) -> ProgramEnd.Reason {
  var status: Int32 = 0
  while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
  let signal = status & 0x7f
  return signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal)
}

/// Starts a program that has its end of a socket as descriptor 3; stdin is empty, stdout and stderr are a pipe, no other descriptor but
/// the given ones is handed on.
///
/// A thread that starts a program stands still until that runs, which takes some milliseconds on a busy machine.
/// - Parameters:
///   - environment: variables that it gets, and no others.
///   - descriptors: those that it has as 4, 5 and so on; they may be closed afterwards.
///   - perform: runs what starts it, on any thread that lives as long as the program (`endWithParent`).
/// - Throws: why there is no socket or pipe. Where the program cannot be started, its socket ends (`notStarted`).
public func startProgram(
  _ path: String, _ arguments: [String], environment: [String], descriptors: [Int32] = [],
  on perform: (@escaping @Sendable () -> Void) -> Void
) throws(SystemError) -> StartedProgram {
  var ends: [Int32] = [-1, -1]
  let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
  guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .last }
  let (own, other) = (ends[0], ends[1])
  var handed = [other]
  let (printed, printing): (Int32, Int32)
  do throws(SystemError) {
    let pipe = try OwnPipe()
    guard fcntl(own, F_SETFL, O_NONBLOCK) == 0 else { throw .last }
    for descriptor in descriptors {
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { throw .last }
      handed.append(copy)
    }
    (printed, printing) = pipe.take()
  } catch {
    for descriptor in [own] + handed { close(descriptor) }
    throw error
  }
  let life = ProgramLife()
  perform { [handed, printing] in
    life.begin(
      Result { () throws(SystemError) in
        try start(path, arguments, environment, output: printing, errors: printing, descriptors: handed)
      })
    // The last one here ends the socket where nothing was started.
    for descriptor in handed + [printing] { close(descriptor) }
  }
  return StartedProgram(life, path, own, printed)
}

/// The bytes that a socket or a pipe has received, without waiting: at most 64 KiB.
/// - Returns: nil: nothing has come yet; empty: its other end is closed, or nothing can come.
public func receiveSome(from socket: Int32) -> [UInt8]? {
  do throws(SystemError) {
    return try readSome(from: socket)
  } catch {
    return error.code == EAGAIN ? nil : []
  }
}

private func start(
  _ path: String, _ arguments: [String], _ environment: [String], output: Int32, errors: Int32,
  descriptors: [Int32] = []
) throws(SystemError) -> pid_t {
  var actions = unsafe posix_spawn_file_actions_t()
  unsafe posix_spawn_file_actions_init(&actions)
  defer { unsafe posix_spawn_file_actions_destroy(&actions) }
  unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
  unsafe posix_spawn_file_actions_adddup2(&actions, errors, 2)
  // The descriptors first move out of the way of their final numbers. A descriptor that has its number already is inherited, too: POSIX
  // makes such a duplicate stay open on exec.
  let aside = Int32(1 + 3 + descriptors.count) + (descriptors.max() ?? 0)
  for (index, descriptor) in descriptors.enumerated() {
    unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, aside + Int32(index))
  }
  for index in descriptors.indices {
    unsafe posix_spawn_file_actions_adddup2(&actions, aside + Int32(index), 3 + Int32(index))
  }
  unsafe linux_spawn_closes_from(&actions, 3 + Int32(descriptors.count))
  var attributes = posix_spawnattr_t()
  unsafe posix_spawnattr_init(&attributes)
  defer { unsafe posix_spawnattr_destroy(&attributes) }
  // Signals are as for a program that a shell starts, whatever this process makes of them.
  var (all, none) = (sigset_t(), sigset_t())
  unsafe sigfillset(&all)
  unsafe sigemptyset(&none)
  unsafe posix_spawnattr_setsigdefault(&attributes, &all)
  unsafe posix_spawnattr_setsigmask(&attributes, &none)
  unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
  var texts = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
  var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
  defer { unsafe (texts + variables).forEach { unsafe free($0) } }
  var process: pid_t = 0
  let failure = unsafe posix_spawn(&process, path, &actions, &attributes, &texts, &variables)
  guard failure == 0 else { throw SystemError(code: failure) }
  return process
}

// MARK: - In the program

/// This process ends, by SIGKILL, with the thread that started it.
public func endWithParent() {
  let parent = getppid()
  _ = linux_end_with_parent(SIGKILL)
  // The parent may have ended before this was requested.
  if getppid() != parent { _exit(1) }
}

/// Keeps stdout for the caller: other output to stdout goes to stderr from now on.
/// - Returns: a descriptor of the former stdout.
public func keepOutput() throws(SystemError) -> Int32 {
  let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
  guard output >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else { throw .last }
  return output
}

/// The words for a signal: `Segmentation fault`.
public func signalText(_ signal: Int32) -> String {
  unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? "\(signal)"
}
