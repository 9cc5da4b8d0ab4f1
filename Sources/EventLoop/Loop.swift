// SPDX-License-Identifier: MIT
//
// The event loop. One thread owns it and its handles; other threads use a `Mailbox`. (Another thread may act for the
// owner while that one is blocked; the owner ensures it.) One turn:
//
//     ┌─▶ end of turn ────────▶ wait for events ─▶ their callbacks ─▶ closed handles are freed ─┐
//     │   1 `atEndOfTurn`       (never, while      reads, timers,                               │
//     │   2 streams write       output is due)     signals, mail…                               │
//     │   3 the timer is set                                                                    │
//     └─────────────────────────────────────────────────────────────────────────────────────────┘
//
// The end of a turn is a `uv_prepare`, the last step before the loop may block, so output written by any callback
// leaves before the loop sleeps, with one system call a stream. (`uv_check` would delay output made by timers.) While
// output is due an idle handle keeps the loop awake; output of a `drained` callback goes with the next turn, so that it
// does not starve others. When very many small turns follow each other, the loop pauses before the next one
// (WakeCoalescer.swift).
//
// A loop ignores SIGPIPE for the whole process, since libuv writes without MSG_NOSIGNAL; an existing handler stays.

private import CLinux
internal import CUV
public import Clocks
internal import Glibc

/// An event loop on one thread. Close it with `close()` when its handles are gone.
@safe public final class Loop {
  private let memory: UnsafeMutablePointer<uv_loop_t>
  /// Where all streams of this loop read into, one at a time.
  let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Loop.readSize, alignment: 64)
  let spareOutput = OutputPool()
  let sharing = SpliceFanout()
  let timers: TimerQueue
  let hangups: HangupWatch
  private let turn: TurnCore
  /// Streams with output, each of which knows the next one.
  private var firstDue: StreamCore?
  private var lastDue: StreamCore?
  private var coalescer = WakeCoalescer()
  /// Listening sockets: a connection ends a pause.
  var listeners: Set<Int32> = []
  /// As the counter, when the turn before ended.
  private var bytesReadBefore = 0
  private var isRunning = false
  private var isClosed = false

  /// The loop for libuv's calls.
  var raw: UnsafeMutablePointer<uv_loop_t> {
    precondition(!isClosed, "a closed loop takes no handles")
    return unsafe memory
  }

  /// libuv's own loop, a `uv_loop_t`, for a C library that puts handles of its own on it. They are gone before `close()`.
  public var foreign: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(raw) }

  /// Bytes that one read can bring: the fastest size of those measured, 21 million records of 64 bytes a second.
  static let readSize = 64 << 10

  /// Work at the end of each turn, before output is written and before the loop may block. It must not block itself.
  public var atEndOfTurn: (() -> Void)?

  /// Nanoseconds that the loop pauses after each turn that read something, so that the next turn finds more events; 0:
  /// it never pauses; nil: it pauses when that saves work. A signal, a new connection or a timer that is due ends a pause.
  public var gatheringPause: Int64? {
    get { coalescer.fixedPause }
    set { coalescer.fixedPause = newValue }
  }

  /// Counts of the loop's work.
  public internal(set) var counters = Counters()

  /// Counts of the loop's system calls, and of the bytes that they moved.
  public struct Counters: Equatable, Sendable {
    /// Turns of the loop since its start.
    public var turns = 0
    /// Bytes that were read from streams.
    public var bytesRead = 0
    /// Attempts to write to streams.
    public var writes = 0
    /// Those of them that handed on pages which other streams got, too, in place of a copy.
    public var sharedWrites = 0
  }

  /// Makes a loop; the thread that runs it owns it. The corresponding C function is `uv_loop_init`.
  public init() throws(UVError) {
    Self.ignoreBrokenPipes()
    let clock = try TimerQueue.descriptor()
    let hangupSet: Int32
    do {
      hangupSet = try HangupWatch.descriptor()
    } catch {
      _ = Glibc.close(clock)
      throw error
    }
    unsafe memory = .allocate(capacity: 1)
    unsafe memory.initialize(to: uv_loop_t())
    do {
      try check(unsafe uv_loop_init(memory), "uv_loop_init")
    } catch {
      _ = Glibc.close(clock)
      _ = Glibc.close(hangupSet)
      unsafe memory.deallocate()
      unsafe readBuffer.deallocate()
      throw error
    }
    turn = unsafe TurnCore(memory)
    timers = unsafe TimerQueue(memory, clock)
    hangups = unsafe HangupWatch(memory, hangupSet)
    turn.owner = self
  }

  deinit {
    // Every open handle keeps its loop, so none can be left here but our own.
    if !isClosed {
      let left = shut()
      precondition(left == nil, "a loop died with open handles")
    }
    unsafe memory.deallocate()
    unsafe readBuffer.deallocate()
  }

  // MARK: - Time

  /// The monotonic clock, read anew at each call.
  public var now: MonotonicTime { MonotonicTime(nanoseconds: Int64(uv_hrtime())) }

  // MARK: - Running

  /// Runs until `stop()` is called, or until nothing is left that could happen.
  ///
  /// Output written before `stop()` is offered to the kernel once before this returns. Not to be called from a callback.
  public func run() {
    precondition(!isRunning, "a loop is not run from its own callbacks")
    precondition(!isClosed, "a closed loop is not run")
    isRunning = true
    _ = unsafe uv_run(raw, UV_RUN_DEFAULT)
    flush()
    isRunning = false
  }

  /// Makes `run()` return at the end of this turn. For the loop's own thread; others post to a `Mailbox`.
  public func stop() { unsafe uv_stop(raw) }

  /// Ends the loop, after the close callbacks that are still due.
  ///
  /// Throws `EBUSY` with the kinds of the handles that are still open, if there are any. The loop then stays as it was, and `close()` may
  /// be called again once their owners have released them. Closing a closed loop does nothing.
  public func close() throws(UVError) {
    precondition(!isRunning, "a loop is not closed from its own callbacks")
    if isClosed { return }
    settleClosing()
    if let left = openHandles() {
      throw UVError(code: UV_EBUSY.rawValue, call: "uv_loop_close", subject: left)
    }
    if let answer = shut() { throw UVError(code: answer, call: "uv_loop_close") }
  }

  /// Closes our own handles and the loop; nil, or libuv's error code.
  private func shut() -> Int32? {
    turn.close()
    timers.close()
    hangups.close()
    settleClosing()
    let answer = unsafe uv_loop_close(raw)
    isClosed = answer == 0
    return isClosed ? nil : answer
  }

  /// Runs close callbacks until none is due: a freed owner may release further handles.
  private func settleClosing() {
    while unsafe raw.pointee.closing_handles != nil { _ = unsafe uv_run(raw, UV_RUN_NOWAIT) }
  }

  /// The kinds of the open handles that are not the loop's own, as in `pipe, signal`; nil if there is none.
  private func openHandles() -> String? {
    var kinds: [String] = []
    unsafe withUnsafeMutablePointer(to: &kinds) { kinds in
      unsafe uv_walk(
        raw,
        { handle, kinds in
          guard let handle = unsafe handle, unsafe uv_is_closing(handle) == 0 else { return }
          let kind = unsafe handle.pointee.type
          // The first two kinds are used by the loop itself only.
          if kind == UV_PREPARE || kind == UV_IDLE { return }
          if unsafe kind == UV_POLL && (isOwned(handle, by: TimerQueue.self) || isOwned(handle, by: HangupWatch.self)) {
            return
          }
          let name = unsafe String(cString: uv_handle_type_name(kind))
          unsafe kinds?.assumingMemoryBound(to: [String].self).pointee.append(name)
        }, kinds)
    }
    return kinds.isEmpty ? nil : kinds.joined(separator: ", ")
  }

  // MARK: - Output

  /// Notes that a stream has bytes to write at the end of this turn.
  func outputDue(_ stream: StreamCore) {
    if let lastDue {
      lastDue.nextDue = stream
    } else {
      firstDue = stream
      turn.stayAwake()
    }
    lastDue = stream
  }

  /// Ends a turn: the loop will block next.
  func endTurn() {
    counters.turns += 1
    atEndOfTurn?()
    flush()
    timers.setDescriptor()
    pauseIfItPays()
  }

  /// Lets events pile up when waking for each of them is the larger part of the work (WakeCoalescer.swift).
  private func pauseIfItPays() {
    let pause = coalescer.turnEnded(
      bytes: counters.bytesRead - bytesReadBefore, now: { now }, used: { Self.timeOfThread })
    bytesReadBefore = counters.bytesRead
    guard pause > 0, firstDue == nil, unsafe raw.pointee.stop_flag == 0 else { return }
    let left = timers.earliest.map { min(pause, $0 - now) } ?? pause
    guard left > 0 else { return }
    // libuv's handlers write into this pipe, also for signals that another thread took.
    let signals = unsafe raw.pointee.signal_pipefd.0
    unsafe withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 1 + listeners.count) { waiting in
      unsafe waiting.initializeElement(at: 0, to: pollfd(fd: signals, events: Int16(POLLIN), revents: 0))
      for (index, listener) in listeners.enumerated() {
        let entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        unsafe waiting.initializeElement(at: 1 + index, to: entry)
      }
      _ = unsafe linux_poll(waiting.baseAddress, waiting.count, left)
    }
  }

  /// How long this thread has run so far, nanoseconds.
  private static var timeOfThread: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Lets every stream that has output write once. What their callbacks write meanwhile is due in the next turn.
  private func flush() {
    var next = firstDue
    (firstDue, lastDue) = (nil, nil)
    while let stream = next {
      next = stream.nextDue
      stream.nextDue = nil
      stream.writeDue()
    }
    sharing.endGroup()
    if firstDue == nil { turn.mayBlock() }
  }

  private static func ignoreBrokenPipes() {
    var current = sigaction()
    unsafe sigaction(SIGPIPE, nil, &current)
    if unsafe current.__sigaction_handler.sa_handler == nil { _ = signal(SIGPIPE, SIG_IGN) }
  }
}

/// Calls back at the end of each turn; keeps the loop from blocking on request.
@safe final class TurnCore {
  unowned var owner: Loop?
  private let end = unsafe HandleBox(uv_prepare_t())
  private let wake = unsafe HandleBox(uv_idle_t())

  init(_ loop: UnsafeMutablePointer<uv_loop_t>) {
    // None of the four calls can fail.
    unsafe uv_prepare_init(loop, end.raw)
    unsafe uv_idle_init(loop, wake.raw)
    unsafe end.open(for: self)
    unsafe wake.open(for: self)
    unsafe uv_prepare_start(end.raw) { handle in
      unsafe withOwner(of: handle, as: TurnCore.self) { $0.owner?.endTurn() }
    }
    unsafe uv_unref(end.handle)
  }

  /// Keeps the loop from blocking until `mayBlock()`.
  func stayAwake() { unsafe uv_idle_start(wake.raw) { _ in } }

  func mayBlock() { unsafe uv_idle_stop(wake.raw) }

  func close() {
    owner = nil
    unsafe end.close()
    unsafe wake.close()
  }
}
