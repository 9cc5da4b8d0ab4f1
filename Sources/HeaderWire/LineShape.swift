// SPDX-License-Identifier: MIT
//
// The shortest road of an event: a publisher's lines are alike but for their numbers.
//
//     {"method":"event","params":{"header":"main","event":"didScroll","time":1.25,"offset":{"y":12.5}}}
//     {"method":"event","params":{"header":"main","event":"didScroll","time":1.2667,"offset":{"y":19}}}
//     ╰────────────────────────── the same bytes ──────────────────────────╯    ╰── the same ─╯  ╰─ the same
//
// The first such line is read as any other (PlainEvent.swift) and kept with the places of its numbers. Of the next one only
// the numbers are read and everything between them is compared: the same bytes around numbers mean the same JSON, so that
// nothing is taken here that the other roads would refuse, and nothing is taken otherwise. A line that differs in more
// goes their way and, if it is plain, becomes the one to compare with.

internal import HeaderCore
private import Glibc

/// The last plain `didScroll` of a connection, to read the next one by.
@safe public struct LineShape: ~Copyable {
  /// What a number of the line is.
  private enum Meaning {
    case id, time, offsetX, offsetY, correctionX, correctionY
  }

  private struct Number {
    var place = 0..<0
    var meaning = Meaning.time
  }

  /// The line that was learned.
  private var line = Bytes()
  /// Its numbers, in the order of their places.
  private var numbers: InlineArray<6, Number> = .init(repeating: Number())
  private var numberCount = 0
  /// Where the header's name stands in it, without its quotes.
  private var header: JSONString?
  private var event = ScrollEvent(.didScroll)

  /// A shape that no line has.
  public init() {}

  /// Reads a line of this shape; nil when it has another one. What is lent is good until the shape changes.
  public func read(_ given: UnsafeRawBufferPointer) -> (address: ReplyAddress, event: PlainEvent)? {
    guard numberCount > 0 else { return nil }
    var timed = TimedEvent(event)
    var address = ReplyAddress.notification
    var reader = unsafe JSONReader(given)
    reader.cursor = 0
    var compared = 0
    for index in 0..<numberCount {
      let known = numbers[index]
      guard isSame(&reader, compared..<known.place.lowerBound) else { return nil }
      compared = known.place.upperBound
      guard known.meaning != .id else {
        guard let id = reader.shortDigits() else { return nil }
        address = .request(.integer(id))
        continue
      }
      guard let number = try? reader.number(), isWithinBound(number) else { return nil }
      switch known.meaning {
      case .id: break
      case .time: timed.time = Instant(seconds: number)
      case .offsetX: timed.event.offset?.x = number
      case .offsetY: timed.event.offset?.y = number
      case .correctionX: timed.event.correction?.x = number
      case .correctionY: timed.event.correction?.y = number
      }
    }
    guard isSame(&reader, compared..<line.count), reader.cursor == given.count else { return nil }
    return (address, PlainEvent(header: header, timed: timed))
  }

  /// Whether the bytes that come are those of a part of the known line; goes behind them.
  @inline(__always)
  private func isSame(_ reader: inout JSONReader, _ part: Range<Int>) -> Bool {
    guard reader.end - reader.cursor >= part.count else { return false }
    let same = unsafe memcmp(
      reader.base + reader.cursor, line.contents.baseAddress.unsafelyUnwrapped + part.lowerBound, part.count)
    reader.cursor += part.count
    return same == 0
  }

  /// Keeps a line that was read as a plain event, if it is one that is likely to come again.
  public mutating func learn(
    _ given: UnsafeRawBufferPointer, _ envelope: borrowing Envelope, _ plain: PlainEvent
  ) {
    // A line whose numbers had to be quoted was read from a copy.
    guard case .didScroll = plain.timed.event.kind, envelope.unknown.isEmpty,
      let params = envelope.params, unsafe params.base == given.baseAddress
    else { return }
    switch envelope.address {
    case .notification, .request(.integer): break
    case .request(.raw), .unreadable, .frame: return
    }
    numberCount = 0
    if let id = envelope.idPlace { add(id, .id) }
    add(plain.numbers.time, .time)
    add(plain.numbers.offsetX, .offsetX)
    add(plain.numbers.offsetY, .offsetY)
    add(plain.numbers.correctionX, .correctionX)
    add(plain.numbers.correctionY, .correctionY)
    line.removeAll(keepingUpTo: 1024)
    line.reserve(given.count)
    unsafe line.push(given)
    event = plain.timed.event
    header = plain.header.map { name in
      let start = unsafe name.start - params.base
      return unsafe JSONString(
        start: line.contents.baseAddress.unsafelyUnwrapped + start, count: name.count, hasEscapes: name.hasEscapes,
        isASCII: name.isASCII)
    }
  }

  /// Puts a number in its place among the others.
  private mutating func add(_ place: Range<Int>, _ meaning: Meaning) {
    guard !place.isEmpty else { return }
    var index = numberCount
    while index > 0, numbers[index - 1].place.lowerBound > place.lowerBound {
      numbers[index] = numbers[index - 1]
      index -= 1
    }
    numbers[index] = Number(place: place, meaning: meaning)
    numberCount += 1
  }
}

extension JSONReader {
  /// Takes a whole number of at most 15 digits, written as `RequestID` keeps it.
  fileprivate mutating func shortDigits() -> Int? {
    let start = cursor
    var number = 0
    while byte &- UInt8(ascii: "0") < 10, cursor - start < 16 {
      number = number &* 10 &+ Int(byte &- UInt8(ascii: "0"))
      cursor += 1
    }
    let count = cursor - start
    guard (1...15).contains(count) else { return nil }
    // JSON knows no leading zeros.
    return number >= wholePower(count - 1) || count == 1 ? number : nil
  }

  private func wholePower(_ exponent: Int) -> Int { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}
