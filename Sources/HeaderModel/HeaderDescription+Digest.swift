// SPDX-License-Identifier: MIT
//
// A number by which a client sees whether a header is the one that it describes, without comparing descriptions.

extension HeaderDescription {
  /// Equal where two descriptions mean the same header, but for what each window has of its own: sizes, the content's place, the
  /// environment. Never 0.
  public var digest: UInt32 {
    var plain = self
    plain.environment = Environment()
    for index in plain.scrollViews.indices {
      plain.scrollViews[index].record.viewport = Size()
      plain.scrollViews[index].record.frame.size = Size()
      plain.scrollViews[index].record.contentSize = Size()
      plain.scrollViews[index].record.contentOffset = Point()
    }
    // Unless they are given, they come from sizes and the environment.
    for index in plain.drawers.indices { (plain.drawers[index].y, plain.drawers[index].width) = (0, 0) }
    var digest = ValueDigest()
    digest.add(plain.value)
    return max(1, UInt32(truncatingIfNeeded: digest.sum ^ digest.sum >> 32))
  }
}

/// FNV-1a of bytes, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv). Its input is no secret and nobody's attack.
/// - Parameter hash: that of the bytes before these.
@inlinable
public func fnv1a(_ bytes: some Sequence<UInt8>, after hash: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
  var hash = hash
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  return hash
}

/// The hash of a tree.
private struct ValueDigest {
  private(set) var sum = fnv1a([])

  private mutating func add(_ byte: UInt8) { sum = fnv1a(CollectionOfOne(byte), after: sum) }

  private mutating func add(_ bits: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) { add(UInt8(truncatingIfNeeded: bits >> shift)) }
  }

  private mutating func add(_ text: String) {
    add(UInt64(text.utf8.count))
    sum = fnv1a(text.utf8, after: sum)
  }

  /// Adds a tree; each kind begins with a byte of its own. Fields count by their names, whatever their order.
  mutating func add(_ value: Value) {
    switch value {
    case .null: add(0 as UInt8)
    case .bool(let bool): add(bool ? 1 : 2 as UInt8)
    case .number(let number):
      add(3 as UInt8)
      // 0 and −0 are equal.
      add((number + 0).bitPattern)
    case .text(let text):
      add(4 as UInt8)
      add(text)
    case .list(let list):
      add(5 as UInt8)
      add(UInt64(list.count))
      for value in list { add(value) }
    case .record(let record):
      add(6 as UInt8)
      add(UInt64(record.fields.count))
      for field in record.fields.sorted(by: { $0.name < $1.name }) {
        add(field.name)
        add(field.value)
      }
    }
  }
}
