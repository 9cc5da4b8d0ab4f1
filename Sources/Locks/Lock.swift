// SPDX-License-Identifier: MIT
//
// The one lock of the project, for the few things that several threads touch: mail between loops, counts for all services,
// who stands still for whom. Nothing on an event's way takes it in a daemon with one thread.
//
// It is a pthread mutex and not `Synchronization.Mutex`. That one would cost nothing, since its library is loaded for
// atomics anyway; but ThreadSanitizer does not see its order on Linux and reports races that are none, and nobody can wait
// under it for another thread.

private import Glibc

/// Lets one thread at a time work on what it stands for. What that is stands beside it, and is touched in `withLock` alone.
@safe public struct Lock: ~Copyable, Sendable {
  // Threads may call these at once: that is what a mutex and a condition are for.
  private nonisolated(unsafe) let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private nonisolated(unsafe) let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// A lock that nobody holds.
  public init() {
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Works while no other thread does. Not from inside itself.
  public func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Lets other threads work until one of them announces something, or now and then for no reason: look again whether it
  /// is what was waited for. In `withLock` alone.
  public func wait() { unsafe pthread_cond_wait(condition, mutex) }

  /// Wakes all who wait. They go on one by one, when the lock is free.
  public func announce() { unsafe pthread_cond_broadcast(condition) }
}
