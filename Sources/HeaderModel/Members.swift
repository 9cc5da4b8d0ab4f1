// SPDX-License-Identifier: MIT
//
// The keys of a record of plain data, listed once. One table serves to read a description, to check and apply a `layout` event, to write
// both, to send both to clients, to apply `header.configure`, to save, and to check a record that another process has sent as it lies in
// memory.
//
//     field ── check ─▶ Value, as it is written: of a shape only the parts that are given
//                         │ fill                           ▲ write
//                         ▼                                │
//                       record ────────────────────────────╯

/// How a field lies in memory.
package enum FieldMemory: Equatable, Sendable {
  /// As many finite numbers of eight bytes.
  case numbers(Int)
  /// A number of four bytes, 0…1.
  case alpha
  /// A whole number of four bytes.
  case integer
  /// A whole number of one byte.
  case small
  /// As many bytes, each 0 or 1.
  case flags(Int)
  /// A byte: the index of a case.
  case word(Int)

  /// Bytes that the field takes.
  package var size: Int {
    switch self {
    case .numbers(let count): 8 * count
    case .alpha, .integer: 4
    case .flags(let count): count
    case .word, .small: 1
    }
  }

  /// Both as one, where they are of one kind and one begins where the other ends.
  fileprivate func joined(with next: FieldMemory) -> FieldMemory? {
    switch (self, next) {
    case (.numbers(let count), .numbers(let more)): .numbers(count + more)
    case (.flags(let count), .flags(let more)): .flags(count + more)
    default: nil
    }
  }
}

/// Where the fields of a record without references lie, for processes of one build, which send each other such records as they lie in
/// memory.
package struct MemoryLayoutTable: Sendable {
  /// Each stored property: its offset, and its valid bytes.
  package let fields: [(offset: Int, form: FieldMemory)]
  /// The same with neighbors of one kind together.
  package let runs: [(offset: Int, form: FieldMemory)]

  package init<Record>(_ members: [Member<Record>]) {
    fields = members.flatMap(\.memory).sorted { $0.offset < $1.offset }
    var runs: [(offset: Int, form: FieldMemory)] = []
    for field in fields {
      if let last = runs.last, last.offset + last.form.size == field.offset,
        let both = last.form.joined(with: field.form)
      {
        runs[runs.count - 1].form = both
      } else {
        runs.append(field)
      }
    }
    self.runs = runs
  }
}

/// A record that is sent to another process as it lies in memory. A test holds the table against its stored properties.
package protocol MemoryRecord {
  static var memory: MemoryLayoutTable { get }
}

/// How one type of content stands in plain data.
package struct Form<Content: Equatable & Sendable>: Sendable {
  /// nil: it lies in no place of its own.
  let memory: FieldMemory?
  /// Reads the field in its written form; nil when it is left out. A shape has the parts that are given.
  package let check: @Sendable (inout FieldReader, String) throws(HeaderError) -> Value?
  /// Takes over what `check` gave; the parts of a shape that are not given stay.
  let fill: @Sendable (inout Content, Value) -> Void
  /// The whole content as a value.
  let write: @Sendable (Content) -> Value
}

extension Form {
  /// Content that is given as a whole or not at all.
  init(
    _ memory: FieldMemory, _ read: @escaping @Sendable (inout FieldReader, String) throws(HeaderError) -> Content?,
    write: @escaping @Sendable (Content) -> Value, content: @escaping @Sendable (Value) -> Content?
  ) {
    self.init(
      memory: memory, check: { (fields, name) throws(HeaderError) in try read(&fields, name).map(write) },
      fill: { present, value in if let new = content(value) { present = new } }, write: write)
  }
}

extension Form<Bool> {
  package static let flag = Form(
    .flags(1), { (fields, name) throws(HeaderError) in try fields.bool(name) }, write: { .bool($0) },
    content: { $0 == true })
}

extension Form<Double> {
  package static let points = number()
  package static let length = number(in: 0...FieldReader.bound)
  package static let alpha = number(in: 0...1, of: "")
  /// Pixels a point; never 0.
  package static let scale = Form { (fields, name) throws(HeaderError) in
    guard let scale = try fields.number(name, of: "pixels a point") else { return nil }
    guard scale > 0 else { throw fields.unexpected(name, needed: "a number above 0", expected: "number") }
    return scale
  }
  /// A second within the minute; null, "not known", is a negative one.
  package static let clock = Form(
    .numbers(1),
    { (fields, name) throws(HeaderError) in
      fields.value(name, as: [.null]) == .null ? -1 : try fields.number(name, in: 0...60, of: "seconds")
    }, write: { $0 < 0 ? .null : .number($0) }, content: { $0 == .null ? -1 : $0.number })

  package static func number(
    in range: ClosedRange<Double> = -FieldReader.bound...FieldReader.bound, of unit: String = "points"
  ) -> Form {
    Form { (fields, name) throws(HeaderError) in try fields.number(name, in: range, of: unit) }
  }

  private init(_ read: @escaping @Sendable (inout FieldReader, String) throws(HeaderError) -> Double?) {
    self.init(.numbers(1), read, write: { .number($0) }, content: \.number)
  }
}

extension Form<Float> {
  package static let alpha = Form(
    .alpha,
    { (fields, name) throws(HeaderError) in try fields.number(name, in: 0...1, of: "").map { Float($0) } },
    write: { .number(Double($0)) }, content: { $0.number.map { Float($0) } })
}

extension Form<Int32> {
  package static func integer(in range: ClosedRange<Int>) -> Form {
    Form(
      .integer, { (fields, name) throws(HeaderError) in try fields.integer(name, in: range).map { Int32($0) } },
      write: { .number(Double($0)) }, content: { $0.number.map { Int32($0) } })
  }
}

extension Form<Int8> {
  /// The order of drawing.
  package static let order = Form(
    .small, { (fields, name) throws(HeaderError) in try fields.integer(name, in: -100...100).map { Int8($0) } },
    write: { .number(Double($0)) }, content: { $0.number.map { Int8($0) } })
}

extension Form<Transform> {
  package static let transform = Form(
    .numbers(16), { (fields, name) throws(HeaderError) in try fields.transform(name) }, write: \.value,
    content: Transform.init)
}

extension Form {
  /// Content that null takes away.
  /// - Parameter before: what parts of a shape are added to where there was none.
  package static func orNull<Given>(_ form: Form<Given>, before: Given) -> Form where Content == Given? {
    Form(
      memory: nil,
      check: { (fields, name) throws(HeaderError) in
        fields.value(name, as: [.null]) == .null ? .null : try form.check(&fields, name)
      },
      fill: { content, value in
        guard value != .null else { return content = nil }
        var given = content ?? before
        form.fill(&given, value)
        content = given
      }, write: { $0.map(form.write) ?? .null })
  }
}

extension Form where Content: Shape {
  package static var shape: Form { shape(leastLength: 0) }

  /// - Parameter leastLength: the least value of a length in it.
  package static func shape(leastLength: Double) -> Form {
    Form(
      memory: .numbers(Content.parts.count),
      check: { (fields, name) throws(HeaderError) in
        try fields.parts(of: Content.self, name, leastLength: leastLength).map { .record($0) }
      },
      fill: { shape, value in shape.fill(from: value) }, write: \.value)
  }
}

extension Form where Content: RawRepresentable<String> & CaseIterable {
  package static var word: Form {
    Form(
      .word(Content.allCases.count), { (fields, name) throws(HeaderError) in try fields.choice(name, Content.self) },
      write: { .text($0.rawValue) },
      content: { value in Content.allCases.first { value == .text($0.rawValue) } })
  }
}

extension Form where Content: CaseIterable {
  /// A case's place in the list, as saved headers have it.
  package static var place: Form {
    Form(
      .word(Content.allCases.count),
      { (fields, name) throws(HeaderError) in
        try fields.integer(name, in: 0...(Content.allCases.count - 1)).map { Array(Content.allCases)[$0] }
      }, write: { content in .number(Double(Array(Content.allCases).firstIndex(of: content) ?? 0)) },
      content: { $0.number.map { Array(Content.allCases)[Int($0)] } })
  }
}

/// A key of a record.
package struct Member<Record>: Sendable {
  package let name: String
  /// The key's bit in a `layout` event; empty if no event has it.
  package let key: LayoutKeys
  let check: @Sendable (inout FieldReader) throws(HeaderError) -> Value?
  package let fill: @Sendable (inout Record, Value) -> Void
  package let write: @Sendable (Record) -> Value
  /// Makes the first record's content that of the second.
  let copy: @Sendable (inout Record, Record) -> Void
  package let differs: @Sendable (Record, Record) -> Bool
  /// Its offset in a record in memory, and its valid bytes; empty for a computed property.
  package let memory: [(offset: Int, form: FieldMemory)]

  package init(
    name: String, key: LayoutKeys, check: @escaping @Sendable (inout FieldReader) throws(HeaderError) -> Value?,
    fill: @escaping @Sendable (inout Record, Value) -> Void, write: @escaping @Sendable (Record) -> Value,
    copy: @escaping @Sendable (inout Record, Record) -> Void, differs: @escaping @Sendable (Record, Record) -> Bool,
    memory: [(offset: Int, form: FieldMemory)]
  ) {
    (self.name, self.key, self.memory) = (name, key, memory)
    (self.check, self.fill, self.write, self.copy, self.differs) = (check, fill, write, copy, differs)
  }
}

extension Member {
  package init<Content>(
    _ name: String, _ path: any WritableKeyPath<Record, Content> & Sendable, _ form: Form<Content>,
    _ key: LayoutKeys = []
  ) {
    self.name = name
    self.key = key
    check = { (fields) throws(HeaderError) in try form.check(&fields, name) }
    fill = { form.fill(&$0[keyPath: path], $1) }
    write = { form.write($0[keyPath: path]) }
    copy = { $0[keyPath: path] = $1[keyPath: path] }
    differs = { $0[keyPath: path] != $1[keyPath: path] }
    memory = form.memory.flatMap { memory in MemoryLayout<Record>.offset(of: path).map { [($0, memory)] } } ?? []
  }

  /// Takes over the field, if it is there.
  func read(_ fields: inout FieldReader, into record: inout Record) throws(HeaderError) {
    if let value = try check(&fields) { fill(&record, value) }
  }
}

extension Sequence {
  /// Checks the fields of a table; those that are left out stay out.
  package func check<Record>(_ fields: inout FieldReader) throws(HeaderError) -> Value.Record
  where Element == Member<Record> {
    var given = Value.Record()
    for member in self { given[member.name] = try member.check(&fields) }
    return given
  }

  /// Takes over the fields that are there.
  package func read<Record>(_ fields: inout FieldReader, into record: inout Record) throws(HeaderError)
  where Element == Member<Record> {
    for member in self { try member.read(&fields, into: &record) }
  }

  /// Takes over what `check` gave.
  package func fill<Record>(_ record: inout Record, from given: Value.Record) where Element == Member<Record> {
    for member in self { if let value = given[member.name] { member.fill(&record, value) } }
  }

  /// Applies the differences between two records.
  /// - Returns: the keys that were changed.
  @discardableResult
  package func take<Record>(_ new: Record, insteadOf old: Record, into record: inout Record) -> LayoutKeys
  where Element == Member<Record> {
    var taken: LayoutKeys = []
    for member in self where member.differs(new, old) {
      member.copy(&record, new)
      taken.insert(member.key)
    }
    return taken
  }

  /// Every key of a record.
  package func write<Record>(_ record: Record) -> Value.Record where Element == Member<Record> {
    Value.Record(fields: map { Value.Record.Field(name: $0.name, value: $0.write(record)) })
  }
}
