// SPDX-License-Identifier: MIT
//
// The visitors of the tables in StateTable.swift. Each table is compiled for each visitor:
//
//     JSONWriter       writes the members of a line, and leaves out members with their default
//     TemplateWriter   does so for drawers and scroll views, between texts that are kept (StateTemplate.swift)
//     FrameFiller      fills in a struct of header_wire.h
//     FrameWriter      does so, and writes what follows the struct; the members come from the daemon's record or from a line
//     SchemaMembers    makes the schema

internal import CHeaderWire
internal import HeaderModel

/// When a line has a member.
enum Presence<Content> {
  case always
  case only(if: Bool)
  /// Unless it has its default.
  case unless(Content)
  /// The same; it rarely differs from the state before.
  case steady(unless: Content)

  /// The default of an absent member; nil: it has none.
  @inline(__always) var absent: Content? {
    switch self {
    case .always, .only: nil
    case .unless(let content), .steady(unless: let content): content
    }
  }
}

/// What the member's type does not tell. `later`: in a frame the text comes after the next text. `object`: a frame has the member in a
/// JSON object behind the struct.
enum MemberForm { case plain, points, seconds, nullable, later, object }

/// A row of a table. An empty meaning: SchemaTexts.swift has a text for all members of this name.
struct StateMember<Content> {
  let (name, presence, form, meaning): (StaticString, Presence<Content>, MemberForm, StaticString)
}

/// A visitor of a record's members, in the order of the line.
protocol StateMembers: ~Copyable {
  /// - Returns: whether the frame has the member.
  mutating func add<Content: MemberContent>(
    _ member: StateMember<Content>, _ wire: inout Content.Wire, _ content: () -> Content
  ) -> Bool
}

extension StateMembers where Self: ~Copyable {
  @inline(__always) @discardableResult
  mutating func member<Content: MemberContent>(
    _ name: StaticString, _ wire: inout Content.Wire, _ content: @autoclosure () -> Content,
    _ presence: Presence<Content> = .always, in form: MemberForm = .plain, is meaning: StaticString = ""
  ) -> Bool {
    add(StateMember(name: name, presence: presence, form: form, meaning: meaning), &wire, content)
  }

  /// A member that is true or absent.
  @inline(__always)
  mutating func flag<Bits: FixedWidthInteger>(
    _ name: StaticString, _ bits: inout Bits, _ bit: Int, _ isSet: Bool, is meaning: StaticString = ""
  ) {
    var nothing: Void = ()
    if member(name, &nothing, Flag(), .only(if: isSet), is: meaning) { bits |= Bits(truncatingIfNeeded: bit) }
  }

  @inline(__always)
  mutating func visit<Record: StateRecord>(_ record: Record, _ source: @autoclosure () -> Record.Source) {
    var record = record
    Record.members(&self, &record, source)
  }
}

/// A struct of header_wire.h with the table of its members.
protocol StateRecord {
  /// The daemon's record.
  associatedtype Source
  /// For visitors that use no content of the source.
  static var sample: Source { get }
  init()
  /// - Parameter source: called for each member, so that the compiler loads each field where it is used.
  static func members<V: StateMembers & ~Copyable>(_ v: inout V, _ wire: inout Self, _ source: () -> Source)
}

/// An entry of a list or a map; the list writes the name, before the members.
protocol NamedRecord: StateRecord { var name: UInt16 { get set } }

extension NamedRecord {
  @inline(__always)
  init(named place: Int) {
    self.init()
    name = UInt16(truncatingIfNeeded: place)
  }

  /// A record that nothing follows.
  @inline(__always)
  init(named place: Int, on grid: Grid? = nil, _ source: () -> Source) {
    self.init(named: place)
    var filler = FrameFiller(grid: grid)
    Self.members(&filler, &self, source)
  }
}

extension JSONWriter: StateMembers {
  mutating func object<Record: StateRecord>(
    _ record: Record, _ source: @autoclosure () -> Record.Source, named name: String? = nil
  ) {
    beginObject()
    if let name { member("name", name) }
    visit(record, source())
    endObject()
  }

  @inline(__always)
  mutating func add<Content: MemberContent>(
    _ member: StateMember<Content>, _: inout Content.Wire, _ content: () -> Content
  ) -> Bool {
    if case .only(if: false) = member.presence { return false }
    var (member, content) = (member, content())
    if let grid { (member, content) = member.rounded(content, to: grid) }
    if content == member.presence.absent { return false }
    key(member.name)
    content.write(to: &self)
    return true
  }
}

/// Fills in a struct that nothing follows.
struct FrameFiller: StateMembers {
  /// The grid of lengths; nil: they are exact.
  var grid: Grid?

  @inline(__always)
  func add<Content: MemberContent>(
    _ member: StateMember<Content>, _ wire: inout Content.Wire, _ content: () -> Content
  ) -> Bool {
    if case .only(if: false) = member.presence { return false }
    wire = if let grid { content().rounded(to: grid, member.form).wire } else { content().wire }
    return true
  }
}

extension FrameWriter: StateMembers {
  /// Writes a struct and what follows it.
  /// - Parameter line: the record of a line with the members; nil: the source has them.
  mutating func record<Record: StateRecord & BitwiseCopyable>(
    _ record: Record, _ source: @autoclosure () -> Record.Source = Record.sample, line: LenientRecord? = nil
  ) {
    var record = record
    let place = count
    self.line = line
    put(record)
    Record.members(&self, &record, source)
    patch(record, at: place)
    guard !object.fields.isEmpty else { return }
    patch(value(.record(object)), at: place + MemoryLayout<Record>.size - MemoryLayout<UInt32>.size)
    object = [:]
  }

  @inline(__always)
  mutating func add<Content: MemberContent>(
    _ member: StateMember<Content>, _ wire: inout Content.Wire, _ content: () -> Content
  ) -> Bool {
    if case .only(if: false) = member.presence, line == nil { return false }
    let given = line.map { $0.value("\(member.name)").flatMap { Content.read($0) } ?? member.presence.absent }
    guard var content = given ?? content() else { return false }
    if let grid { content = content.rounded(to: grid, member.form) }
    content.fill(&wire, member, &self)
    return true
  }
}

struct SchemaMembers: StateMembers {
  private(set) var (required, optional) = (Value.Record(), Value.Record())

  /// The schema of a record; if it is named, its name is a member.
  static func object<Record: StateRecord>(_ record: Record, isNamed: Bool = false) -> Value {
    var members = SchemaMembers()
    if isNamed { members.required["name"] = JSONSchema.text }
    members.visit(record, Record.sample)
    return JSONSchema.object(members.required, optional: members.optional)
  }

  mutating func add<Content: MemberContent>(
    _ member: StateMember<Content>, _: inout Content.Wire, _: () -> Content
  ) -> Bool {
    guard case .record(var schema) = Content.schema(in: member.form) else { return false }
    if !"\(member.meaning)".isEmpty { schema["description"] = .text("\(member.meaning)") }
    if let absent = member.presence.absent {
      var writer = JSONWriter()
      absent.write(to: &writer)
      let written = unsafe writer.withUnsafeBytes { unsafe try? JSONReader.document($0) }
      if case .number? = written { schema["default"] = written }
    }
    let path: WritableKeyPath<Self, Value.Record> = if case .always = member.presence { \.required } else { \.optional }
    self[keyPath: path]["\(member.name)"] = .record(schema)
    return true
  }
}
