// SPDX-License-Identifier: MIT
//
// Work that may block, on a thread of libuv's pool: files. The pool has four threads for all loops of the process (UV_THREADPOOL_SIZE).
// Work that waits for a slow disk delays other work, but not the loop.

internal import CUV

extension Loop {
  /// Runs work on another thread, then hands its result to the loop's own.
  ///
  /// The loop keeps running until then. The corresponding C function is `uv_queue_work`, which cannot fail.
  /// - Parameters:
  ///   - work: runs on a thread of the pool.
  ///   - finish: called on the loop, not within this call.
  public func runInBackground<Result: Sendable>(
    _ work: sending @escaping () -> Result, then finish: @escaping (Result) -> Void
  ) {
    let request = BackgroundRequest {
      let result = work()
      return { finish(result) }
    }
    request.start(on: self)
  }
}

/// One piece of work under way; it keeps itself until it is finished.
@safe private final class BackgroundRequest {
  private let box = unsafe HandleBox(uv_work_t())
  /// Gives what is to be done on the loop.
  private let work: () -> () -> Void
  private var finish: () -> Void = {}

  init(_ work: @escaping () -> () -> Void) { self.work = work }

  func start(on loop: Loop) {
    unsafe box.raw.pointee.data = Unmanaged.passRetained(self).toOpaque()
    let answer = unsafe uv_queue_work(
      loop.raw, box.raw,
      { unsafe withOwner(of: $0, as: BackgroundRequest.self) { $0.finish = $0.work() } },
      { request, _ in
        guard let data = unsafe request?.pointee.data else { return }
        unsafe Unmanaged<BackgroundRequest>.fromOpaque(data).takeRetainedValue().finish()
      })
    precondition(answer == 0, "uv_queue_work takes any work")
  }
}
