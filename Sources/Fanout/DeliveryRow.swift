// SPDX-License-Identifier: MIT
//
// The deliveries of one header, in the order of subscription. A removal leaves an empty slot, so that it takes constant time however many
// subscribers leave at once; the row is packed when more than half of its slots are empty, which spreads the cost of packing over the
// removals before it.

/// A header's deliveries. The subscribers own them; the row refers to them without counting references. Every delivery is removed before
/// its subscriber releases it (`Fanout.end`). Counting them here and in `Delivery` (its view and its writer) would cost 240 instructions
/// a state and subscriber, 5 % of the bench's row `service`. It cannot be copied, so that visiting it counts none either.
@safe struct DeliveryRow: ~Copyable {
  private var slots = unsafe ContiguousArray<Unmanaged<Delivery>?>()
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// All deliveries, as a copy that stays the same while the row changes.
  var all: [Delivery] { unsafe slots.compactMap { unsafe $0?.takeUnretainedValue() } }

  mutating func append(_ delivery: Delivery) {
    delivery.slot = unsafe Int32(slots.count)
    unsafe slots.append(Unmanaged.passUnretained(delivery))
    count += 1
  }

  /// Takes a delivery out. Amortized constant time.
  mutating func remove(_ delivery: Delivery) {
    guard delivery.slot >= 0 else { return }
    unsafe slots[Int(delivery.slot)] = nil
    delivery.slot = -1
    count -= 1
    if unsafe slots.count > 2 * count + 8 || count == 0 { pack() }
  }

  private mutating func pack() {
    unsafe slots.removeAll { unsafe $0 == nil }
    for index in unsafe slots.indices {
      unsafe slots[index]?._withUnsafeGuaranteedRef { $0.slot = Int32(index) }
    }
  }

  /// Visits every delivery, without counting references. The row must not change meanwhile.
  @inline(__always)
  func forEach(_ body: (Delivery) -> Void) {
    for index in unsafe slots.indices {
      if let delivery = unsafe slots[index] { unsafe delivery._withUnsafeGuaranteedRef { body($0) } }
    }
  }
}
