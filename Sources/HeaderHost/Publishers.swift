// SPDX-License-Identifier: MIT
//
// The connections that publish to a header.

package import Fanout

/// The connections that publish to a header. Nearly always it is one, which needs no set.
package struct Publishers {
  /// 0: there is none.
  private var first = 0
  private var others: Set<ConnectionID> = []

  package init() {}

  package var count: Int { (first == 0 ? 0 : 1) + others.count }
  /// The publishing connections, in no particular order.
  package var all: [ConnectionID] { first == 0 ? Array(others) : [ConnectionID(number: first)] + others }

  package mutating func insert(_ id: ConnectionID) {
    if first == id.number { return }
    if first == 0, others.isEmpty { first = id.number } else { others.insert(id) }
  }

  package mutating func remove(_ id: ConnectionID) {
    if first == id.number { first = 0 } else { others.remove(id) }
  }
}
