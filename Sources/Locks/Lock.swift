// SPDX-License-Identifier: MIT
//
// The one lock of the project, for the few things that several threads touch: mail between loops, the ledger, the log. Nothing
// on an event's way takes it in a daemon with one thread.
//
// It is a pthread mutex and not `Synchronization.Mutex`. That one would cost nothing, since its library is loaded for
// atomics anyway; but ThreadSanitizer does not see its order on Linux and reports races that are none.

private import Glibc

/// Lets one thread at a time work on what it stands for. What that is stands beside it, and is touched in `withLock` alone.
@safe public struct Lock: ~Copyable, Sendable {
  // Threads may call it at once: that is what a mutex is for.
  private nonisolated(unsafe) let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  /// A lock that nobody holds.
  public init() {
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Works while no other thread does. Not from inside itself.
  public func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body()
  }
}
