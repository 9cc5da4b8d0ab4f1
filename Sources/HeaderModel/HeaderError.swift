// SPDX-License-Identifier: MIT
//
// One error for every mistake in a request, a config file or a recording: what, where, what was given, what would do. Programs read the
// name (headerd-connection(7), ERRORS, gives each its code); the message is one sentence for people.

/// The names of headerd-connection(7), ERRORS. A name never changes its meaning.
public enum ErrorName: String, Sendable, CaseIterable {
  case parseError, invalidRequest, methodNotFound, invalidParams, internalError
  case headerNotFound, scrollViewNotFound, drawerNotFound, headerExists, behaviorNotFound, delegateNotFound
  case subscriptionNotFound, traceNotFound, pluginNotFound, invalidOption, conflict, timeBackwards, callFailed
  case behaviorFailed, pluginRefused, inUse
  case notPermitted, limitExceeded, rateExceeded, deadlineExceeded, unsupported, unsupportedVersion, draining
  case unknownField
}

/// A mistake: what, where, what was given, what would do.
public struct HeaderError: Error, Equatable, Sendable {
  /// The name that programs read, which also decides the code on the wire.
  public var name: ErrorName
  /// A sentence for people, without a full stop; it begins with the path where there is one.
  public var message: String
  /// Where: a path such as `params.offset.y`, `drawers[0].height`, `options.fadeBehavior`.
  public var field: String?
  /// The value that was given there.
  public var got: Value?
  /// What would do, in a word or two.
  public var expected: String?
  /// What the user can try.
  public var hint: String?
  /// Further facts that programs read (`culprit`, `delegates`, `column`, `limit`…), by name.
  public var facts: Value.Record

  /// An error for people and programs; what does not apply is left out.
  public init(
    _ name: ErrorName, _ message: String, field: String? = nil, got: Value? = nil, expected: String? = nil,
    hint: String? = nil, facts: Value.Record = Value.Record()
  ) {
    self.name = name
    self.message = message
    self.field = field
    self.got = got
    self.expected = expected
    self.hint = hint
    self.facts = facts
  }

  /// A value that does not fit: "params.offset.y: expected a finite number of points, got "12px"".
  /// - Parameters:
  ///   - needed: what would do, as a phrase for the sentence.
  ///   - expected: the same for programs, in a word or two; the phrase when left out.
  public static func unexpected(
    _ value: Value?, at path: Path, needed: String, expected: String? = nil, name: ErrorName = .invalidParams,
    hint: String? = nil
  ) -> HeaderError {
    let field = path.text
    let got = value.map { "got \($0.brief)" } ?? "it is missing"
    return HeaderError(
      name, "\(field): expected \(needed), \(got)", field: field, got: value?.scalar, expected: expected ?? needed,
      hint: hint)
  }
}

/// Where in a tree a value stands: `params.events[1].offset.y`. It costs nothing until an error asks for its text.
public struct Path: Sendable {
  enum Step: Sendable {
    case root(String)
    indirect case field(Step, String)
    indirect case index(Step, Int)
  }

  let step: Step

  private init(step: Step) { self.step = step }

  /// The beginning of a path; an empty root leaves nothing before the first field.
  public init(_ root: String) { step = .root(root) }

  /// The path of a record's field: `offset` becomes `offset.y`.
  public static func + (path: Path, field: String) -> Path { Path(step: .field(path.step, field)) }
  /// The path of a list's entry, counted from 0: `events` becomes `events[1]`.
  public subscript(index: Int) -> Path { Path(step: .index(step, index)) }

  /// The path as text: `drawers[1].name`.
  public var text: String { Self.text(of: step) }

  private static func text(of step: Step) -> String {
    switch step {
    case .root(let name): name
    case .field(let parent, let name):
      text(of: parent).isEmpty ? name : "\(text(of: parent)).\(name)"
    case .index(let parent, let index): "\(text(of: parent))[\(index)]"
    }
  }
}

extension Value {
  /// The value as a message shows it: text in quotes, long ones cut, long lists and records by their kind.
  public var brief: String {
    switch self {
    case .null: return "null"
    case .bool(let bool): return bool ? "true" : "false"
    case .number(let number): return Self.brief(number)
    case .text(let text):
      let cut = text.count > 64 ? "\(text.prefix(61))…" : text
      return "\"\(cut)\""
    case .list(let list):
      if list.isEmpty { return "an empty list" }
      let items = list.prefix(5).compactMap { $0.scalar?.brief }
      let text = "[\(items.joined(separator: ", "))]"
      return items.count == list.count && text.count <= 64 ? text : "a list"
    case .record: return "a record"
    }
  }

  /// A number as people write it: 12, not 12.0; nan, whatever sign and payload it has.
  package static func brief(_ number: Double) -> String {
    guard !number.isNaN else { return "nan" }
    let text = number.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The value itself when it is short enough for an error, else nil. A number that is not finite (in a frame or from a plugin) becomes
  /// text, because no number of the wire can express it.
  var scalar: Value? {
    switch self {
    case .list, .record: nil
    case .number(let number) where !number.isFinite: .text(Self.brief(number))
    case .text(let text): .text(String(text.prefix(256)))
    default: self
    }
  }
}
