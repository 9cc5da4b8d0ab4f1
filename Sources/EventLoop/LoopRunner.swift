// SPDX-License-Identifier: MIT
//
// A thread that does nothing but run a loop. From its start on the loop and its handles belong to that thread, until
// `wait()` has returned; what was done to them before is seen there.

internal import CUV

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
    let answer = unsafe uv_thread_create_ex(
      &thread, &options,
      { context in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<Loop>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.run() }
      }, Unmanaged.passUnretained(loop).toOpaque())
    isRunning = answer == 0
    try check(answer, "uv_thread_create_ex")
  }

  /// Waits until `run()` has returned there.
  public func wait() {
    guard isRunning else { return }
    isRunning = false
    unsafe uv_thread_join(&thread)
  }

  deinit { precondition(!isRunning, "a loop's thread is waited for") }
}
