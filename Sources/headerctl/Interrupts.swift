// SPDX-License-Identifier: MIT
//
// Ctrl-C as something to wait for, like every other descriptor: SIGINT and SIGTERM are blocked, a thread takes them with
// sigwait(3) and makes a pipe readable. No handler runs in the middle of anything, nothing is global. A second signal ends the
// program, for whoever does not want to wait for our goodbye.

private import Glibc
internal import HeaderClient

/// Signals that ask us to stop.
final class Interrupts {
  /// Becomes readable with the first one.
  let descriptor: Int32
  private let writingEnd: Int32

  /// From now on signals end waits, not the program.
  init() {
    var ends: [Int32] = [-1, -1]
    let status = unsafe pipe(&ends)
    precondition(status == 0, "there is no pipe left")
    (descriptor, writingEnd) = (ends[0], ends[1])
    var signals = Self.signals
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    var thread = pthread_t()
    unsafe pthread_create(
      &thread, nil, { unsafe Interrupts.waitForSignals($0) }, UnsafeMutableRawPointer(bitPattern: UInt(ends[1])))
    pthread_detach(thread)
  }

  /// Whether a signal has come.
  var haveCome: Bool {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&wait, 1, 0) > 0
  }

  private static var signals: sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, signal) }
    return signals
  }

  private static func waitForSignals(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    var signals = Self.signals
    var signal: Int32 = 0
    unsafe sigwait(&signals, &signal)
    let byte: [UInt8] = [1]
    unsafe write(Int32(Int(bitPattern: argument)), byte, 1)
    unsafe sigwait(&signals, &signal)
    // Whoever draws has hidden the cursor.
    Console.write(Array("\u{1B}[?25h\n".utf8), to: STDERR_FILENO)
    _exit(128 + signal)
  }
}

/// Whether a wait ended because a signal came. (Asked inside a plain `catch`: Swift 6.3.1 crashes on patterns there when the
/// body throws nothing but ClientError.)
func isInterruption(_ error: any Error) -> Bool { error as? ClientError == .interrupted }
