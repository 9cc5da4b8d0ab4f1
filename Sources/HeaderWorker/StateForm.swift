// SPDX-License-Identifier: MIT
//
// A header's state in bytes: seq, time, and those sections that differ from what was sent of this header before. Which ones, the
// bytes themselves tell, so that nobody compares records.

internal import HeaderCore
internal import HeaderWire

/// The parts of a state.
private enum Section: Int, CaseIterable {
  case drawers, scrollViews, elements, values, wants, position, happened

  /// Those that stay until they change.
  static let lasting: [Section] = allCases.dropLast()

  var bit: UInt8 { 1 << UInt8(rawValue) }
}

/// Writes the states of one header.
struct StateSender {
  /// Of each section the bytes that were sent last.
  private var sent: [[UInt8]] = Array(repeating: [], count: Section.allCases.count)
  /// The records of a section as they lay in memory then: what is the same there need not be written to be compared.
  private var records: [[UInt8]] = Array(repeating: [], count: Section.allCases.count)
  /// The seq that was sent last. Behind it there may have been states of which nothing was said.
  private var seq: Int64 = -1

  /// The next state is written whole: the structure has changed.
  mutating func forget() { for index in sent.indices { (sent[index], records[index]) = ([], []) } }

  /// Writes a state.
  /// - Parameter isEmitted: it is news; else only positions that nobody is told of have changed.
  /// - Returns: whether there was anything to write.
  mutating func write(_ state: borrowing HeaderState, isEmitted: Bool, to writer: inout ByteWriter) -> Bool {
    let start = writer.count
    writer.put(state.seq)
    writer.put(state.time.nanoseconds)
    writer.put(state.trackingScrollView)
    writer.put(state.framesActive)
    let mask = writer.count
    writer.put(UInt8(0))
    var sections: UInt8 = 0
    for section in Section.allCases where isEmitted || section != .happened {
      if isUnchanged(section, state) { continue }
      let begin = writer.count
      write(section, of: state, to: &writer)
      // What happened belongs to one state alone; and of a section of no entries there is always a count.
      if section != .happened, writer.isEqual(from: begin, to: sent[section.rawValue]) {
        writer.cut(to: begin)
      } else {
        writer.copy(from: begin, to: &sent[section.rawValue])
        sections |= section.bit
      }
    }
    writer.set(sections, at: mask)
    guard isEmitted || sections != 0 || state.seq != seq else {
      writer.cut(to: start)
      return false
    }
    seq = state.seq
    return true
  }

  /// Whether the records of a section are those of the state before; if not, they are kept for the next.
  private mutating func isUnchanged(_ section: Section, _ state: borrowing HeaderState) -> Bool {
    switch section {
    case .drawers: Self.areSame(state.drawers, &records[section.rawValue])
    case .scrollViews: Self.areSame(state.scrollViews, &records[section.rawValue])
    case .elements: Self.areSame(state.elements, &records[section.rawValue])
    case .values, .wants, .position, .happened: false
    }
  }

  private static func areSame<Record>(_ present: [Record], _ kept: inout [UInt8]) -> Bool {
    // With references in them, the same bytes would not mean the same.
    guard _isPOD(Record.self) else { return false }
    return unsafe present.withUnsafeBytes { present in
      // Of no records the count is to be told once.
      if unsafe !present.isEmpty && isSame(present, as: kept) { return true }
      unsafe keep(present, in: &kept)
      return false
    }
  }

  private func write(_ section: Section, of state: borrowing HeaderState, to writer: inout ByteWriter) {
    switch section {
    case .drawers:
      writer.put(UInt32(state.drawers.count))
      for drawer in state.drawers { writer.put(drawer) }
    case .scrollViews:
      writer.put(UInt32(state.scrollViews.count))
      for view in state.scrollViews { writer.put(view) }
    case .elements:
      writer.put(UInt32(state.elements.count))
      for element in state.elements { writer.put(element) }
    case .values:
      writer.put(UInt32(state.values.count))
      for value in state.values { writer.put(value) }
    case .wants: writer.put(state.wants)
    case .position: writer.put(state.hasPosition ? state.position : nil)
    case .happened: writer.put(state.happened)
    }
  }
}

/// How many records a state has, by the description and the chain.
struct StateShape {
  /// For each drawer its elements among those of the header.
  var drawers: [Range<Int32>] = []
  var scrollViews: Int
  var elements: Int
  /// For each value the delegate that has it.
  var values: [Int32] = []
  /// For each delegate the notices that it may post.
  var notices: [Int] = []

  init(of description: HeaderDescription, _ provider: MirrorProvider) {
    scrollViews = description.scrollViews.count
    elements = 0
    for drawer in description.drawers {
      drawers.append(Int32(elements)..<Int32(elements + drawer.elements.count))
      elements += drawer.elements.count
    }
    for (place, delegate) in description.delegates.enumerated() {
      let behavior = delegate.client == nil ? provider.behavior(named: delegate.behavior) : nil
      // A client has those that it has used so far.
      notices.append(delegate.client?.notices.count ?? behavior?.notices.count ?? 0)
      let count = delegate.client?.values.count ?? behavior?.values.count ?? 0
      values += Array(repeating: Int32(place), count: count)
    }
  }
}

/// The records of the state before the last: their memory is used again.
struct SpareRecords {
  var drawers: [Drawer] = []
  var scrollViews: [ScrollView] = []
  var elements: [Element] = []
  var values: [NamedValue] = []
}

extension ByteReader {
  /// Reads a state into what is known of the header.
  /// - Parameters:
  ///   - isWhole: all sections have to be there: it is the first one of a description.
  ///   - spare: records that nobody has; what is read goes there, so that a copy of the state can be kept at no cost.
  mutating func read(
    into state: inout HeaderState, _ shape: StateShape, isWhole: Bool, _ spare: inout SpareRecords
  ) throws(Malformed) {
    let seq: Int64 = try number()
    guard seq >= state.seq, seq < 1 << 53 else { throw Malformed("seq \(seq) follows \(state.seq)") }
    state.seq = seq
    state.time = Instant(nanoseconds: try number())
    let tracking: Int32 = try number()
    guard tracking >= -1, tracking < Int32(shape.scrollViews) else {
      throw Malformed("there is no scroll view \(tracking)")
    }
    state.trackingScrollView = tracking
    state.framesActive = try flag()
    let sections: UInt8 = try number()
    guard !isWhole || Section.lasting.allSatisfy({ sections & $0.bit != 0 }) else {
      throw Malformed("the first state of a description is not whole")
    }
    state.happened = HeaderState.Happened()
    for section in Section.allCases where sections & section.bit != 0 {
      try read(section, into: &state, shape, &spare)
    }
    guard state.drawers.count == shape.drawers.count, state.scrollViews.count == shape.scrollViews,
      state.elements.count == shape.elements, state.values.count == shape.values.count
    else { throw Malformed("a state has other records than its description") }
  }

  private mutating func read(
    _ section: Section, into state: inout HeaderState, _ shape: StateShape, _ spare: inout SpareRecords
  ) throws(Malformed) {
    switch section {
    case .drawers:
      try begin(&state.drawers, &spare.drawers, count: shape.drawers.count, Drawer(frame: Rect()))
      for index in state.drawers.indices { try read(&state.drawers[index], shape.drawers[index]) }
    case .scrollViews:
      try begin(&state.scrollViews, &spare.scrollViews, count: shape.scrollViews, ScrollView())
      for index in state.scrollViews.indices { try read(&state.scrollViews[index]) }
    case .elements:
      try begin(&state.elements, &spare.elements, count: shape.elements, Element(drawer: 0, frame: Rect()))
      for index in state.elements.indices { try read(&state.elements[index], shape) }
    case .values:
      try begin(&state.values, &spare.values, count: shape.values.count, NamedValue(delegate: 0, content: .null))
      for index in state.values.indices { try read(&state.values[index], of: shape.values[index]) }
    case .wants: state.wants = try wants()
    case .position: state.position = try position()
    case .happened: state.happened = try happened(shape)
    }
  }

  /// The records of a section follow; they take the place of those that nobody has.
  private mutating func begin<Record>(
    _ records: inout [Record], _ spare: inout [Record], count: Int, _ empty: Record
  ) throws(Malformed) {
    guard try number(UInt32.self) == UInt32(count) else { throw Malformed("a state has not \(count) records") }
    swap(&records, &spare)
    if records.count != count { records = Array(repeating: empty, count: count) }
  }
}
