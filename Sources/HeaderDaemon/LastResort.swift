// SPDX-License-Identifier: MIT
//
// A plugin that never returns holds the loop, and with it the signal that should end the daemon. So the kernel keeps the
// time from the signal on: who has not come to the end by then is ended, with a line in the log and a status of its own.
//
//     SIGTERM ──▶ handler ──▶ libuv's handler ──▶ loop … stop, drain, end        each step `postpone`s what follows
//                    └─ alarm ─────────(seconds)─────────▶ SIGALRM: the line, _exit(3)
//
// It is a timer of the kernel and not a second thread that waits for the signal: from the second thread on every system
// call and every allocation costs more, all of the daemon's life, for something that should never happen. Signals are
// taken by the first thread, whatever it is doing; those of the others are held back (LoopRunner.swift). What runs in the
// handlers allocates nothing and takes no lock, since the thread may have been stopped in the midst of either.

private import Glibc

/// Ends a process that was told to stop and does not.
@safe enum LastResort {
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
  static func stand(seconds: UInt32, line: String) {
    let bytes = Array((line + "\n").utf8)
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: LogTime.length + bytes.count)
    for (place, byte) in bytes.enumerated() { unsafe memory[LogTime.length + place] = byte }
    unsafe state.pointee.line = memory
    unsafe state.pointee.seconds = seconds
    unsafe state.pointee.terminate = take(SIGTERM) { LastResort.received($0) }
    unsafe state.pointee.interrupt = take(SIGINT) { LastResort.received($0) }
    _ = take(SIGALRM) { _ in LastResort.end() }
  }

  /// A step has been made; the next one has as much time.
  static func postpone() { if unsafe state.pointee.isArmed { alarm(unsafe state.pointee.seconds) } }

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
