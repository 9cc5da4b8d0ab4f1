// SPDX-License-Identifier: MIT
//
// What a law remembers, as a row of numbers. A law lists its parts once, in `remember`, which writes them or reads them.

/// A law that can be saved.
package protocol Remembering {
  /// Writes each part to a memory, or takes it from there; in the same order.
  mutating func remember(in memory: inout Memory)
}

extension Remembering {
  /// What is remembered.
  package var memory: [Double] {
    var (copy, memory) = (self, Memory())
    copy.remember(in: &memory)
    return memory.numbers
  }

  /// Goes on from what was remembered, if it is that.
  package mutating func take(memory numbers: [Double]) {
    var (next, memory) = (self, Memory(reading: numbers))
    next.remember(in: &memory)
    if memory.isExact { self = next }
  }
}

/// A row of numbers that is written, or read.
package struct Memory {
  private(set) var numbers: [Double] = []
  private let isReading: Bool
  private var next = 0
  private var isComplete = true

  /// A row to write.
  init() { isReading = false }

  /// A row to read; where nothing is left it reads zeros.
  init(reading numbers: [Double]) {
    self.numbers = numbers
    isReading = true
  }

  /// Nothing is left to read.
  var isAtEnd: Bool { isReading && next >= numbers.count }
  /// Everything was read, and there was enough of it.
  var isExact: Bool { isComplete && next == numbers.count }

  mutating func part(_ number: inout Double) {
    guard isReading else { return numbers.append(number) }
    let isThere = next < numbers.count && numbers[next].isFinite
    if !isThere { isComplete = false }
    number = isThere ? numbers[next] : 0
    next += 1
  }

  private mutating func part<Content>(
    _ content: inout Content, _ number: (Content) -> Double, _ read: (Double) -> Content
  ) {
    var found = number(content)
    part(&found)
    if isReading { content = read(max(-1e9, min(1e9, found))) }
  }

  mutating func part(_ number: inout Float) { part(&number, { Double($0) }, { Float($0) }) }
  mutating func part(_ number: inout Int) { part(&number, { Double($0) }, { Int($0) }) }
  mutating func part(_ flag: inout Bool) { part(&flag, { $0 ? 1 : 0 }, { $0 != 0 }) }

  /// A case of an enumeration, by its place among all; what is none is the first one.
  mutating func part<Case: CaseIterable & Equatable>(_ value: inout Case) {
    let cases = Array(Case.allCases)
    part(&value, { Double(cases.firstIndex(of: $0) ?? 0) }, { cases[cases.indices.contains(Int($0)) ? Int($0) : 0] })
  }

  /// What may be missing: whether it is there, then the thing itself, or what stands in its place.
  mutating func part<Content>(
    _ content: inout Content?, orElse other: Content, _ part: (inout Memory, inout Content) -> Void
  ) {
    var (isThere, found) = (content != nil, content ?? other)
    self.part(&isThere)
    part(&self, &found)
    if isReading { content = isThere ? found : nil }
  }

  mutating func part(_ number: inout Double?) { part(&number, orElse: 0) { $0.part(&$1) } }
  mutating func part(_ number: inout Int?) { part(&number, orElse: 0) { $0.part(&$1) } }
  mutating func part(_ flag: inout Bool?) { part(&flag, orElse: false) { $0.part(&$1) } }

  /// All that is left.
  mutating func rest<Content>(_ list: inout [Content], new: Content, _ part: (inout Memory, inout Content) -> Void) {
    if isReading { list = [] }
    for index in list.indices { part(&self, &list[index]) }
    while isReading, isComplete, next < numbers.count {
      var content = new
      part(&self, &content)
      list.append(content)
    }
  }
}
