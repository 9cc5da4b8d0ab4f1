// SPDX-License-Identifier: MIT
//
// Finds out what a decoder takes by running it: on nothing first, then on the members that it reported as missing, then on each member
// that it asked for, with each word of a choice. FieldReader notes the members that it asks for; a member without which it refuses is
// required.
//
//     {}                        refused at "event": required; the first word is tried
//     {"event":"didScroll"}     refused at "offset": required with this word
//     {"event":"didScroll","offset":{}} …

public import HeaderModel

/// Runs one decoder on examples.
public struct DecoderProbe {
  /// Reads a record as a request's parameters are read.
  public typealias Decoder = (inout FieldReader) throws(HeaderError) -> Void

  private let notes = FieldNotes()
  private let decode: Decoder
  /// Members that every example has as they are here.
  private let fixed: Value.Record
  private var explored: Set<ObjectIdentifier> = []

  private init(_ fixed: Value.Record, _ decode: @escaping Decoder) {
    self.fixed = fixed
    self.decode = decode
  }

  /// The fields that a decoder asks for, and the rules by which it refuses.
  /// - Parameter fixed: members that all examples have; the notes are about the others.
  public static func notes(with fixed: Value.Record = [:], of decode: @escaping Decoder) -> FieldNotes {
    var probe = DecoderProbe(fixed, decode)
    probe.explore(probe.notes, at: [], in: .record(Value.Record()))
    probe.notes.rules.required.insert(contentsOf: fixed.fields.map(\.name), at: 0)
    probe.notes.finish()
    return probe.notes
  }

  /// The fields that a decoder asks for, by the word of one member.
  public static func variants(
    of member: String, _ words: [String], of decode: @escaping Decoder
  ) -> [(word: String, notes: FieldNotes)] {
    words.map { ($0, notes(with: [member: .text($0)], of: decode)) }
  }

  /// A step from a value to one inside it.
  fileprivate enum Place: Equatable {
    case member(String), index(Int)
  }

  /// The result of running the decoder, and the members that it missed on the way.
  private struct Outcome {
    var example: Value
    /// The decoder took the example in the end.
    var isTaken: Bool
    /// The missing members, as paths.
    var missed: [[Place]] = []
    /// The members of the record of interest that the last run asked for.
    var asked: [String] = []

    /// The members missed in the record at a place.
    func missed(in place: [Place]) -> [String] {
      var names: [String] = []
      for path in missed {
        guard path.count == place.count + 1, Array(path.dropLast()) == place, case .member(let name)? = path.last else {
          continue
        }
        if !names.contains(name) { names.append(name) }
      }
      return names
    }
  }

  /// Runs the decoder until it misses nothing more.
  private func run(_ start: Value, asking record: FieldNotes) -> Outcome {
    var outcome = Outcome(example: start, isTaken: false)
    for field in fixed.fields { outcome.example.put(field.value, at: [.member(field.name)]) }
    // No decoder misses more members one after the other.
    for _ in 0..<64 {
      notes.beginRun()
      do throws(HeaderError) {
        guard case .record(let fields) = outcome.example else { return outcome }
        var reader = FieldReader(fields, at: Path("params"), notes: notes)
        try decode(&reader)
        outcome.isTaken = true
        outcome.asked = record.askedNow
        return outcome
      } catch {
        guard let steps = error.field.flatMap(Self.steps), let missing = notes.at(steps, in: outcome.example) else {
          return outcome
        }
        outcome.missed.append(missing.steps)
        outcome.example.put(missing.value, at: missing.steps)
      }
    }
    return outcome
  }

  // MARK: - One record

  /// Explores a record that an example has at a place, and all inside it.
  private mutating func explore(_ record: FieldNotes, at place: [Place], in example: Value) {
    guard explored.insert(ObjectIdentifier(record)).inserted else { return }
    var empty = example
    empty.put(.record(Value.Record()), at: place)
    let base = run(empty, asking: record)
    var variants: [Variant] = []
    var seen: Set<String> = place.isEmpty ? Set(fixed.fields.map(\.name)) : []
    // By member that is not always asked for, the choice with which it was.
    var origins: [String: Variant] = [:]
    // Trying a member may bring up others.
    while let (name, field) = record.members.first(where: { !seen.contains($0.name) }) {
      seen.insert(name)
      for (word, value) in field.examples {
        // A list that contains itself stays empty.
        var given: Value.Record = [name: field.items === record ? [] : value]
        var origin = origins[name]
        while let choice = origin, let word = choice.word {
          given[choice.member] = .text(word)
          origin = origins[choice.member]
        }
        var start = base.example
        start.put(.record(given), at: place)
        let variant = Variant(
          member: name, word: word, origin: origins[name].map { ($0.member, $0.word) },
          given: given.fields.map(\.name), outcome: run(start, asking: record))
        for (other, _) in record.members where variant.word != nil && !seen.contains(other) {
          guard origins[other] == nil, !base.asked.contains(other) else { continue }
          origins[other] = variant
        }
        variants.append(variant)
        explore(
          inside: field, at: place + [.member(name)], in: variant.outcome.isTaken ? variant.outcome.example : start)
      }
    }
    record.rules = Self.rules(of: record, at: place, base, variants)
  }

  /// Explores the content of a member that an example has.
  private mutating func explore(inside field: FieldNotes, at place: [Place], in example: Value) {
    switch example.at(place) {
    case .record?:
      if let entries = field.entries {
        explore(entries.notes, at: place + [.member("a")], in: example)
      } else {
        explore(field, at: place, in: example)
      }
    case .list(let list)?:
      guard let items = field.items, items.forms.contains(.record) else { return }
      var start = example
      // The notes of its entries may have come up only now.
      if list.isEmpty { start.put([.record(Value.Record())], at: place) }
      explore(items, at: place + [.index(0)], in: start)
    default: break
    }
  }

  /// A member tried: one word of it, if it is a choice.
  private struct Variant {
    let member: String
    let word: String?
    /// The choice with which it is asked for; nil: it always is.
    let origin: (member: String, word: String?)?
    /// The members that the run began with.
    let given: [String]
    let outcome: Outcome

    /// The members that cannot be left out beside it.
    func required(in place: [Place], besides needed: [String]) -> [String] {
      let missed = outcome.missed(in: place)
      // Members that were given from the beginning were not missed.
      return missed + needed.filter { given.contains($0) }
    }
  }

  /// The rules that the runs show about the members of a record.
  private static func rules(
    of record: FieldNotes, at place: [Place], _ base: Outcome, _ variants: [Variant]
  ) -> MemberRules {
    var rules = MemberRules()
    let taken = variants.filter(\.outcome.isTaken)
    var needed = base.missed(in: place)
    // The base has the first word of each choice; members that only that word needs are noted with the word.
    for choice in needed {
      let words = taken.filter { $0.member == choice && $0.word != nil }
      needed.removeAll { name in
        name != choice && !words.isEmpty && !words.allSatisfy { $0.outcome.missed(in: place).contains(name) }
      }
    }
    rules.required = needed.filter { name in
      taken.allSatisfy { $0.required(in: place, besides: needed).contains(name) }
    }
    for name in needed where !rules.required.contains(name) {
      var others: [String] = []
      for variant in taken where !variant.required(in: place, besides: needed).contains(name) {
        let other = variant.origin?.member ?? variant.member
        if !others.contains(other) { others.append(other) }
      }
      rules.oneOf.append([name] + others)
    }
    var conditions: [MemberRules.Condition] = []
    for variant in taken {
      conditions.append(condition(variant, at: place, taken, besides: needed, all: record.members.map(\.name), base))
    }
    for condition in conditions {
      let same = conditions.filter { $0.member == condition.member }
      let decides = same.contains { $0.required != condition.required || $0.known != condition.known }
      let kept = MemberRules.Condition(
        member: condition.member, word: decides ? condition.word : nil, required: condition.required,
        known: decides || condition.word == nil ? condition.known : nil)
      guard !kept.required.isEmpty || kept.known != nil, !rules.conditions.contains(kept) else { continue }
      rules.conditions.append(kept)
    }
    return rules
  }

  private static func condition(
    _ variant: Variant, at place: [Place], _ taken: [Variant], besides needed: [String], all: [String],
    _ base: Outcome
  ) -> MemberRules.Condition {
    // Members that another condition requires are not repeated here.
    var said = needed.contains(variant.member) ? needed : base.missed(in: place)
    for other in taken where variant.origin.map({ $0.member == other.member && $0.word == other.word }) ?? false {
      said += other.outcome.missed(in: place)
    }
    var required = variant.outcome.missed(in: place).filter { $0 != variant.member && !said.contains($0) }
    if let origin = variant.origin, !needed.contains(origin.member) { required.append(origin.member) }
    var asked = Set(variant.outcome.asked)
    if let word = variant.word {
      for other in taken where other.outcome.example.at(place + [.member(variant.member)]) == .text(word) {
        asked.formUnion(other.outcome.asked)
      }
    }
    let known = all.filter { $0 == variant.member || asked.contains($0) }
    let isShort = known.count < (variant.word == nil ? base.asked.count : all.count)
    return MemberRules.Condition(
      member: variant.member, word: variant.word, required: required, known: isShort ? known : nil)
  }

  // MARK: - Paths

  /// The steps of an error's field, `params.drawers[0].height`, without the first; nil for the parameters themselves.
  private static func steps(_ field: String) -> [Place]? {
    var steps: [Place] = []
    for part in field.split(separator: ".").dropFirst() {
      let pieces = part.split(separator: "[")
      if let name = pieces.first { steps.append(.member(String(name))) }
      for index in pieces.dropFirst() { if let number = Int(index.dropLast()) { steps.append(.index(number)) } }
    }
    return steps.isEmpty ? nil : steps
  }
}

extension FieldNotes {
  /// Values to try: each word of a choice, an empty record, a list of one entry, else one value.
  fileprivate var examples: [(word: String?, value: Value)] {
    forms.flatMap { form -> [(String?, Value)] in
      switch form {
      case .word(let words): words.map { ($0, .text($0)) }
      case .record: [(nil, entries.map { .record(["a": $0.notes.examples.first?.value ?? .null]) } ?? .record([:]))]
      case .list: [(nil, .list(items?.examples.first.map { [$0.value] } ?? []))]
      case .null: forms.count == 1 ? [(nil, .null)] : []
      case .bool: [(nil, true)]
      case .number(let range, _): [(nil, .number(min(max(1, range.lowerBound), range.upperBound)))]
      case .integer(let range): [(nil, .number(Double(min(max(1, range.lowerBound), range.upperBound))))]
      case .text(let pattern, _): [(nil, .text(pattern == "^[A-Z][A-Za-z0-9]*$" ? "A" : "a"))]
      }
    }
  }

  /// The missing members at a place of an example, with a value for each; nil if the place is filled.
  fileprivate func at(
    _ steps: [DecoderProbe.Place], in example: Value
  ) -> (steps: [DecoderProbe.Place], value: Value)? {
    var (notes, value) = (self, example)
    for (index, step) in steps.enumerated() {
      switch (step, value) {
      case (.member(let name), .record(let record)):
        guard let next = notes[name] ?? notes.entries?.notes else { return nil }
        guard let inside = record[name], index < steps.count - 1 || inside != .record([:]) else {
          // An empty record that is refused has too little in it.
          if record[name] != nil, let first = next.members.first, let value = first.notes.examples.first?.value {
            return (steps, .record([first.name: value]))
          }
          return index == steps.count - 1 ? next.examples.first.map { (steps, $0.value) } : nil
        }
        (notes, value) = (next, inside)
      case (.index(let place), .list(let list)):
        guard let next = notes.items, list.indices.contains(place) else { return nil }
        (notes, value) = (next, list[place])
      default: return nil
      }
    }
    return nil
  }
}

extension Value {
  fileprivate func at(_ steps: [DecoderProbe.Place]) -> Value? {
    steps.reduce(Value?.some(self)) { value, step in
      switch (step, value) {
      case (.member(let name), .record(let record)?): record[name]
      case (.index(let index), .list(let list)?): list.indices.contains(index) ? list[index] : nil
      default: nil
      }
    }
  }

  fileprivate mutating func put(_ value: Value, at steps: [DecoderProbe.Place]) {
    guard let first = steps.first else {
      self = value
      return
    }
    switch (first, self) {
    case (.member(let name), .record(var record)):
      var inside = record[name] ?? .record(Value.Record())
      inside.put(value, at: Array(steps.dropFirst()))
      record[name] = inside
      self = .record(record)
    case (.index(let index), .list(var list)) where list.indices.contains(index):
      list[index].put(value, at: Array(steps.dropFirst()))
      self = .list(list)
    default: break
    }
  }
}
