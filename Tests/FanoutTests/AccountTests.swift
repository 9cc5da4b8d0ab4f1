// SPDX-License-Identifier: MIT
//
// A user's connections are on several threads and share one account.

import Dispatch
import Fanout
import HeaderModel
import Testing

@Suite struct AccountTests {
  @Test func `what several threads charge at once is all counted`() {
    let meter = UserAccount(user: 1)[.headers]
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      for _ in 0..<2_000_000 where !meter.charge() { Issue.record("there is no bound") }
    }
    #expect(meter.used == 4_000_000)
  }
}
