// SPDX-License-Identifier: MIT
//
// What the tests of the wire share: text in, trees and errors out, and a random source that a seed replays.
//
// Every text is copied into memory of exactly its size before it is read, so that the address sanitizer sees each byte
// that is loaded beyond its end.

import HeaderModel
import HeaderTestKit
import HeaderWire

/// Lends a reader over bytes in memory of exactly their size.
func reading<Result>(
  _ bytes: [UInt8], _ body: (inout JSONReader) throws(JSONError) -> Result
) throws(JSONError) -> Result {
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
  defer { unsafe memory.deallocate() }
  unsafe memory.copyBytes(from: bytes)
  var reader = unsafe JSONReader(UnsafeRawBufferPointer(memory))
  return try body(&reader)
}

/// The tree of a whole text.
func document(_ bytes: [UInt8]) throws(JSONError) -> Value {
  try reading(bytes) { (reader) throws(JSONError) in
    let value = try reader.value()
    try reader.finish()
    return value
  }
}

func document(_ text: String) throws(JSONError) -> Value { try document(Array(text.utf8)) }

/// What somebody writes, as text.
func written(_ body: (inout JSONWriter) -> Void) -> String {
  var writer = JSONWriter()
  body(&writer)
  return unsafe writer.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
}

func printed(_ number: Double) -> String { written { $0.number(number) } }

/// A random tree; the deeper, the smaller.
func randomValue(using random: inout SplitMix64, depth: Int = 4) -> Value {
  switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
  case 0: return .null
  case 1: return .bool(.random(using: &random))
  case 2: return .number(Double(Int.random(in: -100_000...100_000, using: &random)) / 8)
  case 3: return .number(randomNumber(using: &random))
  case 4: return .text(randomText(using: &random))
  case 5:
    let count = Int.random(in: 0..<5, using: &random)
    return .list((0..<count).map { _ in randomValue(using: &random, depth: depth - 1) })
  default:
    var record = Value.Record()
    for _ in 0..<Int.random(in: 0..<25, using: &random) {
      record[randomText(using: &random)] = randomValue(using: &random, depth: depth - 2)
    }
    return .record(record)
  }
}

/// Any finite double, all bit patterns alike.
func randomNumber(using random: inout SplitMix64) -> Double {
  while true {
    let number = Double(bitPattern: random.next())
    if number.isFinite { return number }
  }
}

private func randomText(using random: inout SplitMix64) -> String {
  let alphabet: [Character] = ["a", "b", "c", "x", "y", "\"", "\\", "/", "\n", "\u{1}", "\u{7F}", "é", "€", "😀", " "]
  return String((0..<Int.random(in: 0..<20, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "z" })
}
