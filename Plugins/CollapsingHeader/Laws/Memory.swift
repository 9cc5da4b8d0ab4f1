// SPDX-License-Identifier: MIT
//
// What a law remembers, as a row of numbers: written and read in the same order.

/// Writes what a law remembers.
struct MemoryWriter {
  private(set) var numbers: [Double] = []

  mutating func add(_ number: Double) { numbers.append(number) }
  mutating func add(_ number: Float) { numbers.append(Double(number)) }
  mutating func add(_ number: Int) { numbers.append(Double(number)) }
  mutating func add(_ flag: Bool) { numbers.append(flag ? 1 : 0) }

  /// A number that may be missing: whether it is there, then the number.
  mutating func add(_ number: Double?) {
    add(number != nil)
    add(number ?? 0)
  }

  mutating func add(_ flag: Bool?) {
    add(flag != nil)
    add(flag ?? false)
  }

  /// A case of an enumeration, by its place among all.
  mutating func add<Case: CaseIterable & Equatable>(case value: Case) {
    add(Array(Case.allCases).firstIndex(of: value) ?? 0)
  }
}

/// Reads what a law remembered; where nothing is left it reads zeros, and says so.
struct MemoryReader {
  private var numbers: ArraySlice<Double>
  private(set) var isComplete = true

  init(_ numbers: [Double]) { self.numbers = numbers[...] }

  /// Everything was read, and there was enough of it.
  var isExact: Bool { isComplete && numbers.isEmpty }

  mutating func double() -> Double {
    guard let number = numbers.popFirst(), number.isFinite else {
      isComplete = false
      return 0
    }
    return number
  }

  mutating func float() -> Float { Float(max(-1e9, min(1e9, double()))) }
  mutating func int() -> Int { Int(max(-1e9, min(1e9, double()))) }
  mutating func bool() -> Bool { double() != 0 }

  mutating func doubleOrNil() -> Double? {
    let (isThere, number) = (bool(), double())
    return isThere ? number : nil
  }

  mutating func boolOrNil() -> Bool? {
    let (isThere, flag) = (bool(), bool())
    return isThere ? flag : nil
  }

  mutating func value<Case: CaseIterable>(orElse other: Case) -> Case {
    let (cases, index) = (Array(Case.allCases), int())
    return cases.indices.contains(index) ? cases[index] : other
  }
}

// MARK: - Looks

extension Decision {
  /// What is remembered.
  package var memory: [Double] {
    var writer = MemoryWriter()
    writer.add(case: standing)
    writer.add(isAtTop)
    writer.add(isAtBottom)
    writer.add(isFrozen)
    writer.add(last)
    writer.add(case: seen)
    return writer.numbers + marks.memory
  }

  /// Goes on from what was remembered; nil: it is none of these.
  package init?(memory: [Double], _ names: MarkNames) {
    var reader = MemoryReader(memory)
    let standing: Standing = reader.value(orElse: .untouched)
    let (top, bottom, isFrozen) = (reader.boolOrNil(), reader.boolOrNil(), reader.bool())
    self.init(
      standing: standing, last: reader.double(), isAtTop: top, isAtBottom: bottom, isFrozen: isFrozen, names: names)
    guard reader.isComplete else { return nil }
    // Older ones end here.
    guard !reader.isExact else { return }
    seen = reader.value(orElse: standing)
    var held: [Double] = []
    while reader.isComplete, !reader.isExact { held.append(reader.double()) }
    marks.memory = held
    guard reader.isExact else { return nil }
  }
}

// MARK: - Pairs

extension PairAnimation {
  func write(to writer: inout MemoryWriter) {
    writer.add(isInitialized)
    writer.add(case: direction)
    writer.add(isStarted)
    for number in [startTime, stopTime, duration] { writer.add(number) }
    for number in [start, stop, low, high] { writer.add(number) }
    writer.add(jumps)
    writer.add(case: curve)
  }

  mutating func read(from reader: inout MemoryReader) {
    isInitialized = reader.bool()
    direction = reader.value(orElse: .none)
    isStarted = reader.bool()
    (startTime, stopTime, duration) = (reader.double(), reader.double(), reader.double())
    (start, stop, low, high) = (reader.float(), reader.float(), reader.float(), reader.float())
    jumps = reader.bool()
    curve = reader.value(orElse: .linear)
  }
}

extension PairSide {
  func write(to writer: inout MemoryWriter) {
    writer.add(ratio)
    animation.write(to: &writer)
    writer.add(minimumOffset)
    writer.add(minimumChanges)
    for number in [span.0, span.1, baseline, old.height, old.minimum] { writer.add(number) }
  }

  mutating func read(from reader: inout MemoryReader) {
    ratio = reader.float()
    animation.read(from: &reader)
    minimumOffset = reader.float()
    minimumChanges = reader.bool()
    span = (reader.float(), reader.float())
    baseline = reader.float()
    old.height = reader.float()
    old.minimum = reader.float()
  }
}

extension BoundPair {
  /// What is remembered.
  package var memory: [Double] {
    var writer = MemoryWriter()
    top.write(to: &writer)
    bottom.write(to: &writer)
    writer.add(case: constraint)
    writer.add(accumulated)
    writer.add(unapplied)
    for flag in [isPinching, showsAfterScroll, hasPlayed] { writer.add(flag) }
    for sample in samples {
      writer.add(sample.time)
      writer.add(sample.delta)
    }
    return writer.numbers
  }

  /// Goes on from what was remembered, if it is that.
  package mutating func takeMemory(_ memory: [Double]) {
    var (reader, next) = (MemoryReader(memory), self)
    next.top.read(from: &reader)
    next.bottom.read(from: &reader)
    next.constraint = reader.value(orElse: .both)
    next.accumulated = reader.float()
    next.unapplied = reader.float()
    (next.isPinching, next.showsAfterScroll, next.hasPlayed) = (reader.bool(), reader.bool(), reader.bool())
    next.samples = []
    while reader.isComplete, !reader.isExact {
      next.samples.append(Sample(time: reader.double(), delta: reader.float()))
    }
    if reader.isExact { self = next }
  }
}
