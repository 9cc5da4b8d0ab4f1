// SPDX-License-Identifier: MIT
//
// The one lock of the project, for the few things that several threads touch: mail between loops, the counters, the log. In a daemon with
// one thread no event takes it.
//
// It is a pthread mutex and not `Synchronization.Mutex`. That one would cost nothing, since its library is loaded for atomics anyway; but
// ThreadSanitizer does not see its order on Linux and reports races that are none.

private import Glibc

/// A value that one thread at a time may use. Sendable, because the value is reached under the lock alone.
@safe public struct Locked<Value>: ~Copyable, @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

  /// A value that no thread uses.
  public init(_ initial: consuming sending Value) {
    unsafe pthread_mutex_init(mutex, nil)
    unsafe value.initialize(to: initial)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
  }

  /// Uses the value while no other thread does. Not from inside itself.
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try unsafe body(&value.pointee)
  }
}
