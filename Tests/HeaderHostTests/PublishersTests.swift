// SPDX-License-Identifier: MIT
//
// The connections that publish to a header.

import Fanout
import Testing

import HeaderHost

@Suite struct PublishersTests {
  static func publishers(_ numbers: Int...) -> Publishers {
    var publishers = Publishers()
    for number in numbers { publishers.insert(ConnectionID(number: number)) }
    return publishers
  }

  @Test(arguments: [
    (3, [5, 4]), (5, [3, 4]), (4, [3, 5]), (9, [3, 5, 4]),
  ])
  func `whoever leaves, the others stay`(leaving: Int, left: [Int]) {
    var publishers = Self.publishers(3, 5, 4)
    publishers.remove(ConnectionID(number: leaving))
    #expect(Set(publishers.all.map(\.number)) == Set(left))
    #expect(publishers.count == left.count)
  }

  @Test func `one that is there already is not counted twice`() {
    var publishers = Self.publishers(3, 5, 5, 3)
    #expect(publishers.count == 2)
    publishers.remove(ConnectionID(number: 3))
    publishers.insert(ConnectionID(number: 5))
    #expect(publishers.all.map(\.number) == [5])
  }

  @Test func `after the last one the next is the first`() {
    var publishers = Self.publishers(3)
    publishers.remove(ConnectionID(number: 3))
    #expect(publishers.all.isEmpty)
    publishers.insert(ConnectionID(number: 7))
    #expect(publishers.all.map(\.number) == [7])
  }
}
