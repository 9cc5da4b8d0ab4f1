// SPDX-License-Identifier: MIT
//
// The state of a law, as a row of numbers. A law lists its parts once, in `remember`, which writes them or reads them.

/// A part of a memory.
package protocol Remembering {
  /// Writes each part to a memory, or takes it from there; in the same order.
  mutating func remember(in memory: inout Memory)
}

extension Remembering {
  /// The state, as a row of numbers.
  package var memory: [Double] {
    var (copy, memory) = (self, Memory())
    copy.remember(in: &memory)
    return memory.numbers
  }

  /// Takes over a row of numbers; leaves the state as it is if the row does not fit.
  package mutating func take(memory numbers: [Double]) {
    var (next, memory) = (self, Memory(reading: numbers))
    next.remember(in: &memory)
    if memory.isExact { self = next }
  }
}

/// A row of numbers that is written, or read.
package struct Memory {
  private(set) var numbers: [Double] = []
  fileprivate let isReading: Bool
  private var next = 0
  private var isComplete = true

  init() { isReading = false }

  /// A row to read; where nothing is left it reads zeros.
  init(reading numbers: [Double]) {
    self.numbers = numbers
    isReading = true
  }

  /// Everything was read, and there was enough of it.
  var isExact: Bool { isComplete && next == numbers.count }

  /// Reads or writes parts of a law.
  mutating func parts<Law, each Part: Remembering>(_ law: inout Law, _ path: repeat WritableKeyPath<Law, each Part>) {
    repeat law[keyPath: each path].remember(in: &self)
  }

  fileprivate mutating func number(_ number: inout Double) {
    guard isReading else { return numbers.append(number) }
    let isThere = next < numbers.count && numbers[next].isFinite
    if !isThere { isComplete = false }
    number = isThere ? numbers[next] : 0
    next += 1
  }

  /// Codes a content as a number, cut to its range.
  fileprivate mutating func part<Content>(
    _ content: inout Content, _ number: (Content) -> Double, _ read: (Double) -> Content
  ) {
    var found = number(content)
    self.number(&found)
    if isReading { content = read(max(-1e9, min(1e9, found))) }
  }

  /// Reads or writes the rest of the row.
  mutating func rest<Content: Remembering>(_ list: inout [Content], new: Content) {
    if isReading { list = [] }
    for index in list.indices { list[index].remember(in: &self) }
    while isReading, isComplete, next < numbers.count {
      list.append(new)
      list[list.count - 1].remember(in: &self)
    }
  }
}

extension Double: Remembering {
  package mutating func remember(in memory: inout Memory) { memory.number(&self) }
}
extension Float: Remembering {
  package mutating func remember(in memory: inout Memory) { memory.part(&self, { Double($0) }, { Float($0) }) }
}
extension Int: Remembering {
  package mutating func remember(in memory: inout Memory) { memory.part(&self, { Double($0) }, { Int($0) }) }
}
extension Bool: Remembering {
  package mutating func remember(in memory: inout Memory) { memory.part(&self, { $0 ? 1 : 0 }, { $0 != 0 }) }
}

/// An enumeration, saved as the index of the case; an unknown index becomes the first case.
package protocol RememberedCase: CaseIterable, Equatable, Remembering {}
extension RememberedCase {
  package mutating func remember(in memory: inout Memory) {
    let cases = Array(Self.allCases)
    memory.part(&self, { Double(cases.firstIndex(of: $0) ?? 0) }) {
      cases[cases.indices.contains(Int($0)) ? Int($0) : 0]
    }
  }
}

/// An optional part: whether it is there, then the part itself, or a blank in its place.
package protocol RememberedOptional: Remembering { static var blank: Self { get } }
extension Float: RememberedOptional { package static let blank: Float = 0 }
extension Double: RememberedOptional { package static let blank = 0.0 }
extension Int: RememberedOptional { package static let blank = 0 }
extension Bool: RememberedOptional { package static let blank = false }
extension Optional: Remembering where Wrapped: RememberedOptional {
  package mutating func remember(in memory: inout Memory) {
    var (isThere, content) = (self != nil, self ?? Wrapped.blank)
    isThere.remember(in: &memory)
    content.remember(in: &memory)
    if memory.isReading { self = isThere ? content : nil }
  }
}
