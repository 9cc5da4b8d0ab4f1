// SPDX-License-Identifier: MIT
//
// A plugin that never returns holds the thread that should end the process on a signal. A kernel timer therefore starts with the signal;
// when it expires, the process ends with a line in the log and a status of its own.
//
//     SIGTERM ──▶ handler ──▶ the handler before ──▶ … stop, drain, end          each step restarts the timer
//                    └─ alarm ─────────(seconds)─────────▶ SIGALRM: the line, _exit(3)
//
// It is a timer and not a second thread, so that it works in a process that has none, and costs nothing. Signals are delivered to the
// first thread, whatever it is doing; the others have to block them. The handlers allocate nothing and take no lock, since the thread may
// have been stopped in the middle of either.

private import Glibc

/// Ends a process that was asked to stop by SIGTERM or SIGINT and does not.
@safe public enum ShutdownTimer {
  /// The exit status of a process that was ended so.
  static let status: Int32 = 3

  /// The state that the signal handlers use.
  @safe private struct State {
    /// The previous handlers, which stop the process in order.
    var terminate: (@convention(c) (Int32) -> Void)?
    var interrupt: (@convention(c) (Int32) -> Void)?
    /// Seconds that each step may take.
    var seconds: UInt32 = 0
    var isArmed = false
    /// The line; its time is put in at the end.
    var line = unsafe UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    var timestamp = unsafe UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  }

  /// Lives as long as the process.
  private nonisolated(unsafe) static let state: UnsafeMutablePointer<State> = {
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    unsafe state.initialize(to: State())
    return unsafe state
  }()

  /// Comes before the handlers that SIGTERM and SIGINT have now. Once in a process.
  /// - Parameters:
  ///   - seconds: how long each step may take.
  ///   - before: what stderr gets in the end, up to the time.
  ///   - after: the rest of that line.
  public static func install(seconds: UInt32, before: String, after: String) {
    let blank = String(repeating: " ", count: timestampLength)
    let memory = Array("\(before)\(blank)\(after)\n".utf8)
    let line = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: memory.count)
    _ = unsafe line.initialize(from: memory)
    unsafe state.pointee.line = unsafe line
    unsafe state.pointee.timestamp = UnsafeMutableBufferPointer(rebasing: line[before.utf8.count...])
    unsafe state.pointee.seconds = seconds
    unsafe state.pointee.terminate = take(SIGTERM) { ShutdownTimer.received($0) }
    unsafe state.pointee.interrupt = take(SIGINT) { ShutdownTimer.received($0) }
    _ = take(SIGALRM) { _ in ShutdownTimer.end() }
  }

  /// A step has been made; the next one has as much time.
  public static func restart() { if unsafe state.pointee.isArmed { alarm(unsafe state.pointee.seconds) } }

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

  /// Runs in the signal handler.
  private static func received(_ signal: Int32) {
    if unsafe !state.pointee.isArmed {
      unsafe state.pointee.isArmed = true
      alarm(unsafe state.pointee.seconds)
    }
    let next = unsafe signal == SIGTERM ? state.pointee.terminate : state.pointee.interrupt
    next?(signal)
  }

  /// Runs in the signal handler.
  private static func end() {
    let now = wallClock()
    unsafe writeTimestamp(now.seconds, now.nanoseconds, to: state.pointee.timestamp)
    // The log itself may be stuck, because it has no reader.
    var place = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    let line = unsafe state.pointee.line
    if unsafe poll(&place, 1, 0) == 1 { _ = unsafe write(STDERR_FILENO, line.baseAddress, line.count) }
    _exit(status)
  }
}
