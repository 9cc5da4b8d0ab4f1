// SPDX-License-Identifier: MIT
//
// A header's state in bytes: seq, time, and the sections that differ from those sent before. Records without references are sent as they
// lie in memory. The receiver checks each field before it takes the bytes for records (`MemoryRecord`).

internal import HeaderCore
internal import HeaderModel

/// The parts of a state.
private enum Section: Int, CaseIterable {
  case drawers, scrollViews, elements, values, wants, position, happened

  /// Sections that stay until they change.
  static let lasting: [Section] = allCases.dropLast()

  var bit: UInt8 { 1 << UInt8(rawValue) }
}

/// Writes the states of one header.
struct StateSender {
  /// The bytes that were sent last, for each section.
  private var sent: [[UInt8]] = Array(repeating: [], count: Section.allCases.count)
  /// The seq that was sent last. Behind it there may have been states of which nothing was sent.
  private var seq: Int64 = -1

  /// The next state is written whole: the structure has changed.
  mutating func forget() { for index in sent.indices { sent[index] = [] } }

  /// Writes a state.
  /// - Parameter isEmitted: subscribers get it; else only positions that are in no state have changed.
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
    for section in Section.lasting {
      let begin = writer.count
      write(section, of: state, to: &writer)
      // No section is without bytes: each has a count or a flag at its beginning.
      if writer.isEqual(from: begin, to: sent[section.rawValue]) {
        writer.cut(to: begin)
      } else {
        writer.copy(from: begin, to: &sent[section.rawValue])
        sections |= section.bit
      }
    }
    // What happened belongs to one state alone.
    if isEmitted, !state.happened.isEmpty {
      write(.happened, of: state, to: &writer)
      sections |= Section.happened.bit
    }
    writer.set(sections, at: mask)
    guard isEmitted || sections != 0 || state.seq != seq else {
      writer.cut(to: start)
      return false
    }
    seq = state.seq
    return true
  }

  private func write(_ section: Section, of state: borrowing HeaderState, to writer: inout ByteWriter) {
    switch section {
    case .drawers: writer.put(records: state.drawers)
    case .scrollViews: writer.put(records: state.scrollViews)
    case .elements: writer.put(records: state.elements)
    case .values:
      writer.put(UInt32(state.values.count))
      for value in state.values {
        var value = value
        writer.put(value.delegate)
        writer.put { writer throws(Malformed) in try writer.code(&value.content) }
      }
    case .wants:
      var wants = state.wants
      writer.put { writer throws(Malformed) in try writer.code(&wants) }
    case .position:
      var position = state.position
      writer.put { writer throws(Malformed) in try writer.code(&position) }
    case .happened:
      var happened = state.happened
      writer.put { writer throws(Malformed) in try writer.code(&happened) }
    }
  }
}

/// How many records a state has, by the description and the chain.
final class StateShape: Sendable {
  /// For each drawer, the range of its elements in the header.
  let drawers: [Range<Int32>]
  let scrollViews: Int
  let elements: Int
  /// For each value the delegate that has it.
  let values: [Int32]
  /// For each delegate the notices that it may post.
  let notices: [Int]

  init(of description: HeaderDescription, _ provider: MirrorProvider) {
    scrollViews = description.scrollViews.count
    var (drawers, end) = ([Range<Int32>](), Int32(0))
    for drawer in description.drawers {
      drawers.append(end..<end + Int32(drawer.elements.count))
      end += Int32(drawer.elements.count)
    }
    (self.drawers, elements) = (drawers, Int(end))
    var (notices, values) = ([Int](), [Int32]())
    for (place, delegate) in description.delegates.enumerated() {
      let behavior = delegate.client == nil ? provider.behavior(named: delegate.behavior) : nil
      // A client has the notices that it has used so far.
      notices.append(delegate.client?.notices.count ?? behavior?.notices.count ?? 0)
      let count = delegate.client?.values.count ?? behavior?.values.count ?? 0
      values += Array(repeating: Int32(place), count: count)
    }
    (self.notices, self.values) = (notices, values)
  }

  func hasDelegate(_ place: Int32) -> Bool { place >= 0 && Int(place) < notices.count }

  /// A scroll view, or none.
  func hasScrollView(_ place: Int32) -> Bool { place >= -1 && Int(place) < scrollViews }

  /// A notice of a delegate's, or the header's own, which may be of none.
  func has(_ notice: HeaderState.Notice.Name, of delegate: Int32) -> Bool {
    guard hasDelegate(delegate) else { return delegate == -1 && notice.isOfHeader }
    if case .behavior(let place) = notice { return Int(place) < notices[Int(delegate)] }
    return true
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
  /// Reads a state into the mirrored one.
  /// - Parameters:
  ///   - isWhole: all sections have to be there: it is the first state of a description.
  ///   - spare: unused records, which take what is read, so that a copy of the state can be kept at no cost.
  mutating func read(
    into state: inout HeaderState, _ shape: StateShape, isWhole: Bool, _ spare: inout SpareRecords
  ) throws(Malformed) {
    self.shape = shape
    let seq: Int64 = try number()
    guard seq >= state.seq, seq < 1 << 53 else { throw Malformed("seq \(seq) follows \(state.seq)") }
    state.seq = seq
    try code(&state.time)
    let tracking: Int32 = try number()
    guard shape.hasScrollView(tracking) else { throw Malformed("there is no scroll view \(tracking)") }
    state.trackingScrollView = tracking
    state.framesActive = try flag()
    let sections: UInt8 = try number()
    guard !isWhole || Section.lasting.allSatisfy({ sections & $0.bit != 0 }) else {
      throw Malformed("the first state of a description is not whole")
    }
    if !state.happened.isEmpty { state.happened = HeaderState.Happened() }
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
      try read(&state.drawers, &spare.drawers, count: shape.drawers.count, Drawer(frame: Rect()))
      for (drawer, elements) in zip(state.drawers, shape.drawers) {
        guard drawer.firstElement == elements.lowerBound, drawer.elementCount == elements.count else {
          throw Malformed("a drawer has other elements than its description")
        }
      }
    case .scrollViews:
      try read(&state.scrollViews, &spare.scrollViews, count: shape.scrollViews, ScrollView())
    case .elements:
      try read(&state.elements, &spare.elements, count: shape.elements, Element(drawer: 0, frame: Rect()))
      for element in state.elements where !shape.drawers.indices.contains(Int(element.drawer)) {
        throw Malformed("there is no drawer \(element.drawer)")
      }
    case .values:
      try begin(&state.values, &spare.values, count: shape.values.count, NamedValue(delegate: 0, content: .null))
      for (index, delegate) in shape.values.enumerated() {
        try code(&state.values[index].delegate)
        guard state.values[index].delegate == delegate else { throw Malformed("value \(index) is another delegate's") }
        try code(&state.values[index].content)
      }
    case .wants:
      var wants = Wants()
      try code(&wants)
      state.wants = wants
    case .position:
      var position: PositionReport?
      try code(&position)
      state.position = position
    case .happened: try code(&state.happened)
    }
  }

  private mutating func read<Record: MemoryRecord>(
    _ records: inout [Record], _ spare: inout [Record], count: Int, _ empty: Record
  ) throws(Malformed) {
    try begin(&records, &spare, count: count, empty)
    try read(records: &records)
  }

  /// Reads the records of a section into unused ones.
  private mutating func begin<Record>(
    _ records: inout [Record], _ spare: inout [Record], count: Int, _ empty: Record
  ) throws(Malformed) {
    guard try number(UInt32.self) == UInt32(count) else { throw Malformed("a state has not \(count) records") }
    swap(&records, &spare)
    if records.count != count { records = Array(repeating: empty, count: count) }
  }
}
