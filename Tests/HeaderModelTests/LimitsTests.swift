// SPDX-License-Identifier: MIT

import HeaderModel
import Testing

@Test func limitsHaveEveryNameOnce() {
  #expect(Set(Limits.entries.map(\.name)).count == Limits.entries.count)
  // One row a property: a limit without a row could neither be set nor told.
  #expect(Mirror(reflecting: Limits()).children.compactMap(\.label) == Limits.entries.map(\.name))
}
