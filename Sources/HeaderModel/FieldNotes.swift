// SPDX-License-Identifier: MIT
//
// Notes the fields that decoders read: the members of each record with their types. The schema of the protocol is made from these notes
// (DecoderProbe.swift), so it describes exactly what the decoders do.

/// The form of a value that a decoder asks for.
public enum FieldForm: Equatable, Sendable {
  case null, bool
  /// A finite number within a range, in a unit that may be empty.
  case number(ClosedRange<Double>, unit: String)
  case integer(ClosedRange<Int>)
  /// A text; a pattern as in JSON Schema, and bytes at most, where not every text will do.
  case text(pattern: String? = nil, atMost: Int? = nil)
  /// One of the given words.
  case word([String])
  /// A list of that many entries, which `FieldNotes.items` describes.
  case list(ClosedRange<Int>)
  /// A record: of the members that were asked for, of `FieldNotes.entries`, or of anything if there are neither.
  case record
}

/// A decoder's reads of one value.
public final class FieldNotes {
  /// The possible forms of the value; any if there is none.
  public private(set) var forms: [FieldForm] = []
  /// The members of a record that were asked for, in the order of asking.
  public private(set) var members: [(name: String, notes: FieldNotes)] = []
  /// The notes of a list's entries.
  public private(set) var items: FieldNotes?
  /// The form of names, and the notes of members, of a record whose names are free.
  public private(set) var entries: (name: FieldForm, notes: FieldNotes)?
  /// The name under which several values share these notes, such as `Point`.
  public let definition: String?
  /// What else is known about the members; `DecoderProbe` finds it out.
  public package(set) var rules = MemberRules()

  private let shared: Shared

  private final class Shared {
    var run = 0
    var definitions: [String: FieldNotes] = [:]
  }

  private init(_ shared: Shared, definition: String? = nil) {
    self.shared = shared
    self.definition = definition
  }

  /// Creates notes without fields.
  public convenience init() { self.init(Shared()) }

  /// The notes of one member.
  public subscript(name: String) -> FieldNotes? { members.first { $0.name == name }?.notes }

  /// Forgets all members but these.
  /// - Parameter required: members of them that cannot be left out, beside those of which that is known.
  public func keep(only names: [String], required: [String] = []) {
    members.removeAll { !names.contains($0.name) }
    rules.keep(only: names)
    rules.require(required)
  }

  /// Begins another run of a decoder.
  package func beginRun() { shared.run += 1 }

  /// Ends the probing. Notes and their shared part refer to each other until then.
  package func finish() { shared.definitions = [:] }

  func add(_ form: FieldForm) { if !forms.contains(form) { forms.append(form) } }

  /// Notes that a member was asked for.
  /// - Parameter definition: the name of notes that it shares with others.
  @discardableResult
  func ask(for name: String, definition: String? = nil) -> FieldNotes {
    runs[name] = shared.run
    guard let index = members.firstIndex(where: { $0.name == name }) else {
      members.append((name, child(definition)))
      return members[members.count - 1].notes
    }
    let present = members[index].notes
    if definition != nil, present.definition == nil, present.forms.isEmpty { members[index].notes = child(definition) }
    return members[index].notes
  }

  /// By member, the run in which it was last asked for here; the notes themselves may be shared.
  private var runs: [String: Int] = [:]
  /// The members that were asked for in the present run.
  package var askedNow: [String] { members.map(\.name).filter { runs[$0] == shared.run } }

  /// Notes that it is a list, and gives the notes of its entries.
  func askForItems(definition: String? = nil) -> FieldNotes {
    let notes = items ?? child(definition)
    items = notes
    return notes
  }

  /// Notes that it is a record by free names, and gives the notes of its members.
  func askForEntries(named form: FieldForm, definition: String?) -> FieldNotes {
    let notes = entries?.notes ?? child(definition)
    entries = (form, notes)
    return notes
  }

  private func child(_ definition: String?) -> FieldNotes {
    guard let definition else { return FieldNotes(shared) }
    let notes = shared.definitions[definition] ?? FieldNotes(shared, definition: definition)
    shared.definitions[definition] = notes
    return notes
  }
}

/// Which members of a record go together.
public struct MemberRules: Equatable, Sendable {
  /// Members that are always required.
  public var required: [String] = []
  /// Lists of members of which at least one is required.
  public var oneOf: [[String]] = []
  /// Rules that hold where a member is given, or has a certain word.
  public var conditions: [Condition] = []

  /// Creates rules without conditions.
  public init() {}

  /// What holds in one case.
  public struct Condition: Equatable, Sendable {
    /// The name of the member.
    public var member: String
    /// The word that it has; nil: it is there at all.
    public var word: String?
    /// The members that are required then.
    public var required: [String]
    /// The members that are asked for then; nil: all that are known.
    public var known: [String]?

    /// A condition on a member, or on a word of it.
    public init(member: String, word: String?, required: [String], known: [String]?) {
      self.member = member
      self.word = word
      self.required = required
      self.known = known
    }
  }

  /// Members that are always required need no condition.
  mutating func require(_ names: [String]) {
    required += names
    for index in conditions.indices { conditions[index].required.removeAll { names.contains($0) } }
    conditions.removeAll { $0.required.isEmpty && $0.known == nil }
  }

  mutating func keep(only names: [String]) {
    required.removeAll { !names.contains($0) }
    oneOf.removeAll { !Set($0).isSubset(of: names) }
    conditions.removeAll { !names.contains($0.member) }
  }
}
