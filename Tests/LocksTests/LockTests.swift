// SPDX-License-Identifier: MIT
//
// One thread at a time, also when one of them fails; and who waits hears what is announced.

import Foundation
import Locks
import Testing

/// What threads touch under a lock.
private struct Counts {
  var count = 0
  var isInside = false
  var overlaps = 0
}

private final class Shared: Sendable {
  let counts = Locked(Counts())
}

private struct Failed: Error {}

@Suite struct LockTests {
  /// Runs a body on several threads and waits for their end.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let ended = DispatchSemaphore(value: 0)
    for index in 0..<count {
      Thread {
        body(index)
        ended.signal()
      }.start()
    }
    for _ in 0..<count { ended.wait() }
  }

  @Test func oneThreadAtATime() {
    let shared = Shared()
    onThreads(4) { _ in
      for step in 0..<5_000 {
        do {
          try shared.counts.withLock { (counts: inout Counts) throws(Failed) in
            if counts.isInside { counts.overlaps += 1 }
            counts.isInside = true
            counts.count += 1
            counts.isInside = false
            if step % 3 == 0 { throw Failed() }
          }
        } catch {}
      }
    }
    #expect(shared.counts.withLock { $0.count == 20_000 && $0.overlaps == 0 })
  }

  @Test func resultsComeOut() {
    let shared = Shared()
    #expect(shared.counts.withLock { "\($0.count)" } == "0")
    #expect(throws: Failed.self) { try shared.counts.withLock { _ in throw Failed() } }
    #expect(shared.counts.withLock { _ in true })
  }
}
