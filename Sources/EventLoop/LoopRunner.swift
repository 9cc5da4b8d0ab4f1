// SPDX-License-Identifier: MIT
//
// A thread that runs a loop. From its start the loop and its handles belong to that thread, until `wait()` has
// returned. Signals are left to the first thread.

internal import CUV
private import Glibc

/// Runs a loop on a thread of its own.
@safe public final class LoopRunner {
  private var thread = uv_thread_t()
  private let loop: Loop
  private var isRunning = true

  /// As much as the first thread usually has, bytes: callbacks may call each other deep.
  private static let stackSize = 8 << 20

  /// Starts the thread. The corresponding C function is `uv_thread_create_ex`.
  public init(_ loop: Loop) throws(UVError) {
    self.loop = loop
    var options = uv_thread_options_t()
    options.flags = UV_THREAD_HAS_STACK_SIZE.rawValue
    options.stack_size = Self.stackSize
    // A thread begins with the mask of the one that makes it.
    var before = Self.holdBackSignals()
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    let answer = unsafe uv_thread_create_ex(
      &thread, &options,
      { context in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<Loop>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.run() }
      }, Unmanaged.passUnretained(loop).toOpaque())
    isRunning = answer == 0
    try check(answer, "uv_thread_create_ex")
  }

  /// Blocks all signals but those for a fault of the thread's own.
  /// - Returns: the mask before.
  private static func holdBackSignals() -> sigset_t {
    var (all, before) = (sigset_t(), sigset_t())
    unsafe sigfillset(&all)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { unsafe sigdelset(&all, fault) }
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    return before
  }

  /// Waits until `run()` has returned there.
  public func wait() {
    guard isRunning else { return }
    isRunning = false
    unsafe uv_thread_join(&thread)
  }

  deinit { precondition(!isRunning, "a loop's thread is waited for") }
}
