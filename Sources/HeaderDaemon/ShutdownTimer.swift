// SPDX-License-Identifier: MIT
//
// A plugin that never returns holds the loop, and with it the signal that should end the daemon. A kernel timer therefore
// starts with the signal; when it expires, the process ends with a line in the log and a status of its own.
//
//     SIGTERM ──▶ handler ──▶ libuv's handler ──▶ loop … stop, drain, end        each step restarts the timer
//                    └─ alarm ─────────(seconds)─────────▶ SIGALRM: the line, _exit(3)
//
// It is a timer and not a second thread: a process with a second thread pays for locks in malloc and for shared descriptor
// tables in system calls all its life. Signals are delivered to the first thread, whatever it is doing; the others block
// them (LoopRunner.swift). The handlers allocate nothing and take no lock, since the thread may have been stopped in the
// middle of either.

private import Glibc

/// Ends a process that was told to stop and does not.
@safe enum ShutdownTimer {
  /// The exit status of a process that was ended so.
  static let status: Int32 = 3

  /// What the handlers use.
  @safe private struct State {
    /// Those of libuv, which have the loop told.
    var terminate: (@convention(c) (Int32) -> Void)?
    var interrupt: (@convention(c) (Int32) -> Void)?
    /// Each step's time.
    var seconds: UInt32 = 0
    var isArmed = false
    /// The line without its time.
    var line = unsafe UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  }

  /// Lives as long as the process.
  private nonisolated(unsafe) static let state: UnsafeMutablePointer<State> = {
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    unsafe state.initialize(to: State())
    return unsafe state
  }()

  /// Comes before the handlers that SIGTERM and SIGINT have now; call it once these are the loop's.
  /// - Parameters:
  ///   - seconds: how long each step may take: the loop's noticing, its drain, the end.
  ///   - line: what the log says in the end, without its time.
  static func install(seconds: UInt32, line: String) {
    let bytes = Array((line + "\n").utf8)
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: LogTime.length + bytes.count)
    for (place, byte) in bytes.enumerated() { unsafe memory[LogTime.length + place] = byte }
    unsafe state.pointee.line = memory
    unsafe state.pointee.seconds = seconds
    unsafe state.pointee.terminate = take(SIGTERM) { ShutdownTimer.received($0) }
    unsafe state.pointee.interrupt = take(SIGINT) { ShutdownTimer.received($0) }
    _ = take(SIGALRM) { _ in ShutdownTimer.end() }
  }

  /// A step has been made; the next one has as much time.
  static func restart() { if unsafe state.pointee.isArmed { alarm(unsafe state.pointee.seconds) } }

  /// Puts a handler in the place of another one, which is returned.
  private static func take(
    _ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void
  ) -> (@convention(c) (Int32) -> Void)? {
    var (mine, before) = (sigaction(), sigaction())
    unsafe mine.__sigaction_handler.sa_handler = handler
    mine.sa_flags = SA_RESTART
    unsafe sigfillset(&mine.sa_mask)
    unsafe sigaction(signal, &mine, &before)
    return unsafe before.__sigaction_handler.sa_handler
  }

  /// In the handler.
  private static func received(_ signal: Int32) {
    if unsafe !state.pointee.isArmed {
      unsafe state.pointee.isArmed = true
      alarm(unsafe state.pointee.seconds)
    }
    let next = unsafe signal == SIGTERM ? state.pointee.terminate : state.pointee.interrupt
    next?(signal)
  }

  /// In the handler.
  private static func end() {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    let line = unsafe state.pointee.line
    unsafe LogTime.write(now, to: line)
    // Perhaps it is the log that nobody reads.
    var place = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    if unsafe poll(&place, 1, 0) == 1 { _ = unsafe write(STDERR_FILENO, line.baseAddress, line.count) }
    _exit(status)
  }
}
