// SPDX-License-Identifier: MIT
//
// How one thread gets all others to stand still, so that it may work on what is theirs. This is for what is rare and
// concerns everything: a subscription, a list of all headers, the reload of a plugin, the end.
//
//     thread 0   … turn │ still { settle, work } │ turn …
//     thread 1   … turn ────────│ stands         │ turn …        asked through its mailbox, stands at the end of its turn
//
// A thread stands only at the end of a turn, when nothing of it is under way but mail. Two that want the others to stand
// still at once take turns: who waits for its turn stands meanwhile.

private import Locks
private import Synchronization

/// All threads with loops of a daemon. Sendable, because what changes is touched under the lock alone, and the threads'
/// own things only by them or by the one for which they stand.
@safe final class World: Sendable {
  private let lock = Lock()
  /// The thread for which the others stand, or are to stand.
  private nonisolated(unsafe) var holder: Int?
  private nonisolated(unsafe) var standing = 0
  private nonisolated(unsafe) var isOver = false
  /// Whether there is a holder, to be seen without the lock.
  private let isWanted = Atomic<Bool>(false)
  /// Set before the second thread starts and emptied after it has ended.
  nonisolated(unsafe) var threads: [LoopThread] = []

  /// Works while all other threads stand still and nothing is under way between them. Not from inside a call to a service.
  /// - Returns: what the work returns; nil when it was not done because the threads are about to end.
  func still<Result, Failure: Error>(
    for index: Int, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard take(index) else { return nil }
    defer { letGo() }
    settle()
    return try work()
  }

  /// The threads are about to end: nobody waits for another from here on. For the holder alone.
  func end() { unsafe isOver = true }

  /// Has all others stand.
  private func take(_ index: Int) -> Bool {
    lock.withLock {
      stand()
      // Another thread may have been faster, and have ended everything.
      guard unsafe !isOver else { return false }
      unsafe holder = index
      isWanted.store(true, ordering: .sequentiallyConsistent)
      for thread in unsafe threads where thread.index != index { thread.wake() }
      while unsafe standing < threads.count - 1 { lock.wait() }
      return true
    }
  }

  /// Stands still as long as another thread wants that. At the end of each turn.
  func standIfWanted() {
    guard isWanted.load(ordering: .sequentiallyConsistent) else { return }
    lock.withLock { stand() }
  }

  /// Under the lock.
  private func stand() {
    while unsafe holder != nil {
      unsafe standing += 1
      lock.announce()
      lock.wait()
      unsafe standing -= 1
    }
  }

  private func letGo() {
    lock.withLock {
      unsafe holder = nil
      isWanted.store(false, ordering: .sequentiallyConsistent)
      lock.announce()
    }
  }

  /// Delivers everything that the threads have sent each other, and what comes of it, until nothing is under way. For the
  /// holder alone.
  func settle() {
    let threads = unsafe self.threads
    var isMoving = true
    while isMoving {
      isMoving = false
      for thread in threads { thread.sendOutgoing() }
      for thread in threads where thread.deliverMail() { isMoving = true }
    }
  }
}
