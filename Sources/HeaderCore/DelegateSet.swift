// SPDX-License-Identifier: MIT
//
// A set of a header's delegates, by their places in the chain: the receivers of an event, those that asked for a layout pass, followers,
// those that yield. Such sets are made and tested with every event, so a set is one machine word with a bit for each place. The word's
// width is therefore the most delegates that a header can have (`Limits.maxDelegates`).

/// A set of places in a header's chain, 0 to 63.
struct DelegateSet: Equatable {
  /// Every place, whether there is a delegate or not.
  static let all = DelegateSet(bits: .max)

  private var bits: UInt64

  private init(bits: UInt64) { self.bits = bits }

  init() { bits = 0 }

  /// The places that a test names.
  init(of places: Range<Int>, where isMember: (Int) -> Bool) {
    self.init()
    for place in places where isMember(place) { insert(place) }
  }

  @inline(__always)
  var isEmpty: Bool { bits == 0 }

  /// Whether a place is in the set. Release builds do not check the place: opening a header and adding a delegate refuse a place beyond
  /// the limit.
  @inline(__always)
  func contains(_ place: Int) -> Bool { bits & Self.bit(place) != 0 }

  @inline(__always)
  mutating func insert(_ place: Int) { bits |= Self.bit(place) }

  mutating func remove(_ place: Int) { bits &= ~Self.bit(place) }

  /// The members that are not in another set.
  func subtracting(_ other: DelegateSet) -> DelegateSet { DelegateSet(bits: bits & ~other.bits) }

  /// The same delegates in another order of the chain; those that have no place there are left out.
  /// - Parameter order: for each new place the old one.
  func reordered(_ order: [Int]) -> DelegateSet { DelegateSet(of: order.indices) { contains(order[$0]) } }

  @inline(__always)
  private static func bit(_ place: Int) -> UInt64 {
    assert((0..<UInt64.bitWidth).contains(place), "a delegate beyond the bound of a header")
    return 1 &<< UInt64(truncatingIfNeeded: place)
  }
}
