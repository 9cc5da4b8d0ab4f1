// SPDX-License-Identifier: MIT
//
// Frames from choices, after the tables of header_wire.h: sizes are right or lie, numbers are anything.

enum FrameBytes {
  static func integer(_ value: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }

  static func frame(_ kind: Int, _ body: [UInt8]) -> [UInt8] {
    integer(UInt64(8 + body.count), 4) + integer(UInt64(kind), 2) + [0, 0] + body
  }

  /// A JSON frame.
  static func json(_ text: String) -> [UInt8] { frame(1, Array(text.utf8)) }

  /// One of a client's kinds, as the bytes choose.
  static func any(_ bytes: inout FuzzBytes, handle: UInt64, params: String) -> [UInt8] {
    let id = integer(UInt64(bytes.byte()), 8)
    switch bytes.below(8) {
    case 0: return frame(4, id + integer(bytes.flag() ? 1 : bytes.bits(), 4) + [0, 0, 0, 0] + bytes.some(20))
    case 1: return frame(5, id + bytes.some(2))
    case 2: return frame(6 + bytes.below(2), id + Array(params.utf8))
    case 3: return frame(8 + bytes.below(2), id + integer(bytes.flag() ? handle : bytes.bits(), 8))
    default: return events(&bytes, id, handle)
    }
  }

  private static func events(_ bytes: inout FuzzBytes, _ id: [UInt8], _ handle: UInt64) -> [UInt8] {
    let count = bytes.below(4)
    let told = bytes.below(8) == 0 ? bytes.bits() : UInt64(count)
    let head = id + integer(bytes.below(4) == 0 ? 0 : handle, 8) + integer(told, 4) + [0, 0, 0, 0]
    return frame(count == 1 && bytes.flag() ? 2 : 3, head + (0..<count).flatMap { _ in record(&bytes) })
  }

  private static let names = ["", "content", "side", "nobody", "\u{FF}"]
  private static let fields = [
    "", "{}", #"{"delegate":"shyNavBar"}"#, #"{"drawers":[{"name":"navBar","height":1e9}]}"#, "[1]", "{",
    #"{"statusBarHeight":-0,"safeAreaInset":{"top":1e999}}"#, #"{"offset":{"y":1}}"#,
    #"{"contentSize":{"width":320,"height":0},"viewport":{"height":1}}"#,
  ]

  private static func record(_ bytes: inout FuzzBytes) -> [UInt8] {
    let isLong = bytes.flag()
    let name = Array(bytes.pick(names).utf8)
    let json = Array(bytes.pick(fields).utf8)
    // Kinds as they are known: those that delegates hear, and those that only clients send.
    let kind = bytes.flag() ? bytes.below(26) : 128 + bytes.below(6)
    var size = UInt64(isLong ? 88 + name.count + json.count : 32)
    if bytes.below(16) == 0 { size = UInt64(bytes.below(65_536)) }
    var record = integer(size, 4) + integer(UInt64(bytes.below(65_536)), 2) + [UInt8(kind), UInt8(bytes.byte())]
    record += integer(bytes.flag() ? UInt64(bytes.below(65_536)) << 16 : bytes.bits(), 8) + point(&bytes)
    guard isLong else { return record }
    record += point(&bytes) + point(&bytes) + point(&bytes)
    record += [UInt8(bytes.below(5)), UInt8(name.count), 0, 0] + integer(UInt64(json.count), 4)
    return record + name + json
  }

  private static func point(_ bytes: inout FuzzBytes) -> [UInt8] {
    integer(coordinate(&bytes).bitPattern, 8) + integer(coordinate(&bytes).bitPattern, 8)
  }

  private static func coordinate(_ bytes: inout FuzzBytes) -> Double {
    bytes.flag() ? Double(bytes.below(2000)) - 1000 : bytes.number()
  }
}
