// SPDX-License-Identifier: MIT
//
// What a stranger may write where a number is wanted, and a way to write it into any tree: one leaf after the other.

public import HeaderModel

/// Values at and beyond the ends of what numbers are.
public enum Wild {
  /// The finite ones.
  public static let numbers: [Double] = [
    0, -0.0, 1, -1, 0.5, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude, 1e-300, 63, 64, 65,
    127, 128, 255, 256, 32_767, 32_768, 65_535, 65_536, 0x1p31, -0x1p31, 0x1p32, 1e9, -1e9, 1.000001e9, 9e9, 9.1e9,
    -9.1e9, 0x1p53, -0x1p53, 0x1p53 + 2, 9e15, 9.1e15, 1e18, 9.2e18, 0x1p63, -0x1p63, 0x1p64, 1e22, 1e300, -1e300,
    .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
  ]
  /// Those that only bytes and plugins can say.
  public static let infinite: [Double] = [
    .nan, -.nan, .signalingNaN, .infinity, -.infinity, Double(bitPattern: 0x7FFF_FFFF_FFFF_FFFF),
    Double(bitPattern: 0xFFF0_0000_0000_0001),
  ]
  /// What no number is, and numbers in text.
  public static let others: [Value] = [
    nil, true, false, "", "x", "nan", "0", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
    "18446744073709551615", [], [:], [nil], [[]], ["x": [:]],
  ]
  /// Numbers as JSON writes them.
  public static let texts: [String] =
    [
      "0", "-0", "-1", "0.0", "-0.0e-0", "1e9", "1000000000.0000001", "-1e9", "9e9", "9.000000001e9", "1e15", "9e15",
      "9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993", "9223372036854775807",
      "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
      "18446744073709551616", "1.7976931348623157e308", "-1.7976931348623157e308", "1.7976931348623159e308", "1e308",
      "1e309", "1e999", "-1e999", "1e-999", "1e99999999999999999999", "1e-99999999999999999999", "5e-324", "4.9e-324",
      "2e-324", "2.2250738585072011e-308", "1E+2", "1e+0", "0e0", "0e999999", "0.1e-400", "12345678.1234567",
      "1234567.12345678", "0.30000000000000004", "999999999999999999999999999999999999",
    ] + [
      "1" + String(repeating: "0", count: 400), "0." + String(repeating: "0", count: 400) + "1",
      "0." + String(repeating: "9", count: 700), String(repeating: "9", count: 309),
    ]
}

extension Value {
  /// Numbers, texts, bools, nulls, and lists and records with nothing in them.
  public var leafCount: Int {
    switch self {
    case .list(let list) where !list.isEmpty: list.reduce(0) { $0 + $1.leafCount }
    case .record(let record) where !record.fields.isEmpty: record.fields.reduce(0) { $0 + $1.value.leafCount }
    default: 1
    }
  }

  /// The places of the numbers among the leaves.
  public var numberLeaves: [Int] {
    var (places, next) = ([Int](), 0)
    addNumbers(&places, &next)
    return places
  }

  private func addNumbers(_ places: inout [Int], _ next: inout Int) {
    switch self {
    case .list(let list) where !list.isEmpty: for value in list { value.addNumbers(&places, &next) }
    case .record(let record) where !record.fields.isEmpty:
      for field in record.fields { field.value.addNumbers(&places, &next) }
    default:
      if case .number = self { places.append(next) }
      next += 1
    }
  }

  /// The same tree with another value at a leaf, counted from 0.
  public func replacing(leaf index: Int, with value: Value) -> Value {
    var left = index
    return replacing(&left) { _ in value }
  }

  /// The same tree without a field or entry: that which holds a leaf.
  public func removing(leaf index: Int) -> Value {
    var left = index
    return replacing(&left) { _ in nil } ?? .null
  }

  private func replacing(_ left: inout Int, _ body: (Value) -> Value) -> Value {
    replacing(&left, { (value: Value) -> Value? in body(value) }) ?? .null
  }

  private func replacing(_ left: inout Int, _ body: (Value) -> Value?) -> Value? {
    switch self {
    case .list(let list) where !list.isEmpty: return .list(list.compactMap { $0.replacing(&left, body) })
    case .record(let record) where !record.fields.isEmpty:
      return .record(
        Value.Record(
          fields: record.fields.compactMap { field in
            field.value.replacing(&left, body).map { Record.Field(name: field.name, value: $0) }
          }))
    default:
      left -= 1
      return left == -1 ? body(self) : self
    }
  }
}

extension SplitMix64 {
  /// Wild moments: the ends of what there is, the ends of what is allowed, round ones, any.
  public mutating func instant() -> Instant {
    let most = Instant.maxNanoseconds
    let edges: [Int64] = [.min, .min + 1, -most - 1, -most, -1, 0, 1, most, most + 1, .max - 1, .max]
    let nanoseconds: Int64 =
      switch below(4) {
      case 0: edges[below(edges.count)]
      case 1: Int64(below(4_000_000_000)) * 1_000_000_000
      case 2: Int64(bitPattern: next()) / 4
      default: Int64(bitPattern: next())
      }
    return Instant(nanoseconds: nanoseconds)
  }

  /// One of a list, which has at least one.
  public mutating func pick<Thing>(_ things: [Thing]) -> Thing { things[below(things.count)] }
}
