// SPDX-License-Identifier: MIT
//
// The feeds of one header, in the order of their coming. A removal leaves an empty slot, so that it takes constant time
// however many subscribers leave at once; the row is packed when more than half of its slots are empty, which spreads the
// cost of packing over the removals before it.

/// A header's feeds. The sessions own them; the row refers to them without counting references, because a state passes all
/// of them. Good as long as every feed is removed before its session lets go of it (`Service.end`).
@safe struct FeedRow {
  private var slots = unsafe ContiguousArray<Unmanaged<Feed>?>()
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// All of them, to be kept while the row changes.
  var all: [Feed] { unsafe slots.compactMap { unsafe $0?.takeUnretainedValue() } }

  mutating func append(_ feed: Feed) {
    feed.slot = unsafe Int32(slots.count)
    unsafe slots.append(Unmanaged.passUnretained(feed))
    count += 1
  }

  /// Takes a feed out. Amortized constant time.
  mutating func remove(_ feed: Feed) {
    guard feed.slot >= 0 else { return }
    unsafe slots[Int(feed.slot)] = nil
    feed.slot = -1
    count -= 1
    if unsafe slots.count > 2 * count + 8 || count == 0 { pack() }
  }

  private mutating func pack() {
    unsafe slots.removeAll { unsafe $0 == nil }
    for index in unsafe slots.indices {
      unsafe slots[index]?._withUnsafeGuaranteedRef { $0.slot = Int32(index) }
    }
  }

  /// Passes every feed, without counting references. The row must not change meanwhile.
  @inline(__always)
  func forEach(_ body: (Feed) -> Void) {
    for index in unsafe slots.indices {
      if let feed = unsafe slots[index] { unsafe feed._withUnsafeGuaranteedRef { body($0) } }
    }
  }
}
