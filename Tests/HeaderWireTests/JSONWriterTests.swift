// SPDX-License-Identifier: MIT
//
// What the writer writes, and that the reader gets back what was written: every double to the last bit, every tree.

import Glibc
import HeaderModel
import HeaderTestKit
import HeaderWire
import Testing

@Suite struct JSONWriterTests {
  @Test func putsCommasWhereTheyBelong() {
    let text = written { writer in
      writer.beginObject()
      writer.raw("\"jsonrpc\":\"2.0\"")
      writer.key("id")
      writer.integer(-7)
      writer.key("list")
      writer.beginArray()
      writer.beginArray()
      writer.endArray()
      writer.beginObject()
      writer.endObject()
      writer.bool(true)
      writer.bool(false)
      writer.null()
      writer.word("word")
      writer.string("any \"text\"")
      writer.endArray()
      writer.key(named: "a\nb")
      writer.number(0.5)
      writer.endObject()
      writer.endLine()
      writer.beginObject()
      writer.endObject()
      writer.endLine()
    }
    let line = #"{"jsonrpc":"2.0","id":-7,"list":[[],{},true,false,null,"word","any \"text\""],"a\nb":0.5}"#
    #expect(text == line + "\n{}\n")
  }

  @Test func isUsedAgain() {
    var writer = JSONWriter()
    for round in 0..<3 {
      writer.removeAll()
      writer.beginArray()
      for number in 0..<1000 { writer.integer(number + round) }
      writer.endArray()
      let last = writer.copy().suffix(4)
      #expect(Array(last) == Array("\(999 + round)]".utf8.suffix(4)))
    }
    writer.removeAll(keepingUpTo: 100)
    #expect(writer.count == 0)
    writer.null()
    #expect(writer.copy() == Array("null".utf8))
  }

  @Test func escapes() throws {
    let text = String((0..<0x21).map { Character(Unicode.Scalar($0)) }) + "\"\\/\u{7F}é€😀\u{2028}"
    let expected =
      #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010\u0011"#
      + #"\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f \"\\/"#
      + "\u{7F}é€😀\u{2028}\""
    #expect(written { $0.string(text) } == expected)
    #expect(try document(expected) == .text(text))
  }

  @Test func integersHaveAllDigits() {
    for number in [0, 7, -7, 10, 99, 100, 999, 1000, 9999, 10_000, 1_763_690_400_000_001, .max, .min] {
      #expect(written { $0.integer(number) } == "\(number)")
    }
  }

  static let numbers: [(Double, String)] = [
    (0, "0"), (-0.0, "-0"), (12, "12"), (-12.5, "-12.5"), (0.1, "0.1"), (0.6875, "0.6875"), (1.2667, "1.2667"),
    (0.0001, "0.0001"), (100, "100"), (81.25, "81.25"), (81.250000001, "81.250000001"), (1.000000001, "1.000000001"),
    (0.1 + 0.2, "0.30000000000000004"), (1.0 / 3, "0.3333333333333333"), (1e15, "1000000000000000"),
    (0x1p53 - 1, "9007199254740991"), (0x1p53, "9007199254740992"), (0x1p53 + 2, "9.007199254740994e15"),
    (1e16, "1e16"), (1e17, "1e17"), (1e22, "1e22"), (1e-4, "0.0001"), (1e-5, "0.00001"), (1e-9, "0.000000001"),
    (1e-10, "1e-10"), (1.5e-7, "0.00000015"), (1e100, "1e100"), (1.25e-100, "1.25e-100"),
    (.greatestFiniteMagnitude, "1.7976931348623157e308"), (.leastNonzeroMagnitude, "5e-324"),
    (.leastNormalMagnitude, "2.2250738585072014e-308"), (99_999_999_999.9999, "99999999999.9999"),
    (123_456_789_012.5, "123456789012.5"), (112.50123456789012, "112.50123456789012"),
    (4_503_599_627_370_495.5, "4503599627370495.5"), (0x1p-31, "4.656612873077393e-10"),
    ((0x1p-31).nextUp, "0.0000000004656612873077394"), (0.1234567890123456, "0.1234567890123456"),
    (0.00000123456789, "0.00000123456789"), (9_007_199_254_740.9, "9007199254740.9"),
  ]

  @Test(arguments: numbers) func numbersAreShortest(_ number: Double, _ text: String) {
    #expect(printed(number) == text)
  }

  /// JSON has no word for them. They are refused where they come in; should one get here, the line is JSON all the same.
  @Test(arguments: [.nan, -.nan, .signalingNaN, .infinity, -.infinity, Double(bitPattern: 0xFFF8_0000_0000_0001)])
  func whatIsNoNumberIsNull(_ number: Double) {
    #expect(printed(number) == "null")
    let text = written { writer in
      writer.beginObject()
      writer.key("a")
      writer.number(number)
      writer.key("b")
      writer.value([.number(number), ["c": .number(number)], 1])
      writer.endObject()
    }
    #expect(text == #"{"a":null,"b":[null,{"c":null},1]}"#)
  }

  /// Prints, reads and compares the bits; and no text may have more digits than Swift's shortest one.
  private func checkRoundTrip(_ number: Double) throws {
    let text = printed(number)
    let read = try document(text)
    guard case .number(let again) = read, again.bitPattern == number.bitPattern else {
      Issue.record("\(number) was printed as \(text) and read as \(read)")
      return
    }
    let swifts = "\(number)"
    if isSame(text, swifts) { return }
    if significantDigits(text) > significantDigits(swifts) { Issue.record("\(number) printed longer: \(text)") }
  }

  /// Whether a text is Swift's, but for the fraction of a whole number: then no digits need to be compared.
  private func isSame(_ text: String, _ swifts: String) -> Bool { text == swifts || text + ".0" == swifts }

  private func significantDigits(_ text: String) -> Int {
    let digits = text.prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }
    return digits.reversed().drop { $0 == "0" }.count
  }

  @Test(arguments: [1, 2] as [UInt64]) func randomBitPatterns(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<50_000 { try checkRoundTrip(randomNumber(using: &random)) }
  }

  /// Doubles of the range whose digits we find ourselves: they are those that Swift finds, and C's strtod reads them back.
  @Test(arguments: 0..<2 * UInt64(effort)) func theDigitsAreSwifts(seed: UInt64) {
    var random = SplitMix64(seed: 40 + seed)
    var writer = JSONWriter()
    for _ in 0..<125_000 {
      let exponent = UInt64.random(in: 1023 - 31..<1023 + 53, using: &random)
      checkDigits(Double(bitPattern: exponent << 52 | random.next() >> 12), &writer)
    }
  }

  /// What scrolling makes: short decimals divided, scaled and added up, and their neighbors; and those of the ends of each binade.
  @Test func theDigitsOfNearShortNumbersAreSwifts() {
    var random = SplitMix64(seed: 50)
    var writer = JSONWriter()
    func check(around number: Double) {
      for near in [number, number.nextUp, number.nextDown, number.nextUp.nextUp, number.nextDown.nextDown] {
        checkDigits(near, &writer)
      }
    }
    for decimals in 1...16 {
      for _ in 0..<2_000 {
        let digits = Double(random.next() >> UInt64.random(in: 11..<60, using: &random))
        check(around: digits / pow(10, Double(decimals)))
      }
    }
    for exponent in -31...52 {
      let power = Double(sign: .plus, exponent: exponent, significand: 1)
      for steps in 0..<300 { checkDigits(power + Double(steps) * power.ulp, &writer) }
      for steps in 1..<300 { checkDigits(power - Double(steps) * power.nextDown.ulp, &writer) }
      for halves in 1...3 { check(around: power + Double(halves) / 2) }
    }
    for divisor in [3, 7, 9, 11, 2.625, 2.75, 1.5, 1.3333333333333333] {
      for whole in 0..<2_000 { checkDigits(Double(whole) / divisor, &writer) }
    }
  }

  /// Numbers outside of the range are Swift's description already.
  private func checkDigits(_ number: Double, _ writer: inout JSONWriter) {
    writer.removeAll()
    writer.number(number)
    let text = String(decoding: writer.copy(), as: UTF8.self)
    let swifts = "\(number)"
    guard unsafe strtod(text, nil).bitPattern == number.bitPattern,
      isSame(text, swifts) || digits(text) == digits(swifts)
    else {
      Issue.record("\(number) was printed as \(text)")
      return
    }
  }

  /// The digits without zeros around them, and without point and exponent.
  private func digits(_ text: String) -> [UInt8] {
    let digits = text.utf8.prefix { $0 != UInt8(ascii: "e") }.filter { $0 >= UInt8(ascii: "0") }
    let begin = digits.drop { $0 == UInt8(ascii: "0") }
    return Array(begin.prefix(begin.lastIndex { $0 != UInt8(ascii: "0") }.map { $0 - begin.startIndex + 1 } ?? 0))
  }

  @Test func ordinaryNumbers() throws {
    var random = SplitMix64(seed: 3)
    for _ in 0..<10_000 {
      let whole = Double(Int.random(in: -2_000_000_000...2_000_000_000, using: &random))
      for divisor in [1, 2, 3, 4, 10, 16, 60, 100, 10_000, 1e6, 1e9] { try checkRoundTrip(whole / divisor) }
    }
  }

  @Test func allFourDigits() {
    for number in 0..<10_000 {
      #expect(printed(Double(number)) == "\(number)")
      let decimals = "\(10_000 + number)".dropFirst()
      if number % 10 != 0 { #expect(printed(Double(50_000 + number) / 10_000) == "5.\(decimals)") }
    }
  }

  @Test func edges() throws {
    for exponent in -323...308 {
      let number = try #require(Double("1e\(exponent)"))
      for near in [number, number.nextUp, number.nextDown] { try checkRoundTrip(near) }
    }
    for exponent in -1074...1023 { try checkRoundTrip(Double(sign: .minus, exponent: exponent, significand: 1)) }
    for distance in -100...100 { try checkRoundTrip(0x1p53 + Double(distance)) }
    for distance in 0..<1000 { try checkRoundTrip(Double(bitPattern: UInt64(distance))) }
  }

  /// The quick roads of the reader against Swift's own conversion, for texts nobody rounded for us.
  @Test func readsAsSwiftDoes() throws {
    var random = SplitMix64(seed: 4)
    for _ in 0..<50_000 {
      let digits = String(random.next() >> UInt64.random(in: 0..<60, using: &random))
      let point = Int.random(in: 0...digits.count, using: &random)
      let head = point == 0 ? "0" : String(digits.prefix(point))
      let tail = point == digits.count ? "" : "." + digits.dropFirst(point)
      let exponent = Bool.random(using: &random) ? "e\(Int.random(in: -30...30, using: &random))" : ""
      let text = (head.hasPrefix("0") ? "0" : head) + tail + exponent
      let expected = try #require(Double(text))
      guard case .number(let number) = try document(text), number.bitPattern == expected.bitPattern else {
        Issue.record("\(text) was not read as \(expected)")
        continue
      }
    }
  }

  /// Halfway between two doubles, and a hair beside it.
  @Test func halvesGoToEven() throws {
    for text in [
      "9007199254740993", "9007199254740995", "9007199254740993.0", "9007199254740992.999", "9007199254740993.001",
      "1.0000000000000001110", "1.000000000000000111", "0.5000000000000000555", "2.500000000000000222",
      "1152921504606846.976", "18014398509481985.0", "1801439850948198.45",
    ] {
      #expect(try document(text) == .number(try #require(Double(text))), "\(text)")
    }
  }

  @Test func treesComeBack() throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<2000 {
      let value = randomValue(using: &random)
      let text = written { $0.value(value) }
      let again = try document(text)
      #expect(again == value)
      #expect(written { $0.value(again) } == text)
    }
  }
}
