// SPDX-License-Identifier: MIT
//
// A thread that runs a check from time to time. It has no loop and no descriptor; it waits on a condition variable until its time has
// come or it is to end. Signals are left to the first thread.

internal import Clocks
private import Glibc

/// Calls a function again and again on a thread of its own.
@safe public final class RepeatingThread {
  /// What both threads use: what changes is under the lock, the rest is constant, and `body` runs on one thread alone.
  @safe private final class Shared: @unchecked Sendable {
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// Guarded by the lock.
    var isOver = false
    let body: () -> Int

    init(_ body: @escaping () -> Int) {
      self.body = body
      unsafe pthread_mutex_init(mutex, nil)
      var attributes = pthread_condattr_t()
      unsafe pthread_condattr_init(&attributes)
      unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      unsafe pthread_cond_init(condition, &attributes)
      unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
      unsafe pthread_cond_destroy(condition)
      unsafe pthread_mutex_destroy(mutex)
      unsafe condition.deallocate()
      unsafe mutex.deallocate()
    }

    func run() {
      while true {
        let next = (monotonicTime() + Int64(max(1_000_000, body()))).nanoseconds
        var time = timespec(tv_sec: Int(next / 1_000_000_000), tv_nsec: Int(next % 1_000_000_000))
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while !isOver, unsafe pthread_cond_timedwait(condition, mutex, &time) == 0 {}
        if isOver { return }
      }
    }

    func end() {
      unsafe pthread_mutex_lock(mutex)
      isOver = true
      unsafe pthread_cond_signal(condition)
      unsafe pthread_mutex_unlock(mutex)
    }
  }

  private let shared: Shared
  private var thread = pthread_t()

  /// Starts the thread.
  /// - Parameter body: called at once and then again each time that the nanoseconds which it returned are over; only on the
  ///   new thread.
  /// - Throws: why there is no thread.
  public init(_ body: sending @escaping () -> Int) throws(SystemError) {
    shared = Shared(body)
    // A thread begins with the mask of the one that makes it.
    var (all, before) = (sigset_t(), sigset_t())
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    let context = unsafe Unmanaged.passRetained(shared)
    let failure = unsafe pthread_create(
      &thread, nil,
      { context in
        if let context = unsafe context { unsafe Unmanaged<Shared>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, unsafe context.toOpaque())
    if failure != 0 {
      unsafe context.release()
      throw SystemError(code: failure)
    }
  }

  /// Ends the thread and waits for it.
  deinit {
    shared.end()
    pthread_join(thread, nil)
  }
}
