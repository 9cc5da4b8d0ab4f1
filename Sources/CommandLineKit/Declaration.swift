// SPDX-License-Identifier: MIT
//
// Flags, options and positional arguments, each declared once as a typed constant.
//
//     let rate = Option("rate", "N", .number(in: 1...1000), "Events a second.")
//     let header = Positional("HEADER", .text, "The header's name.")
//
// The constant goes into a command's list, for help, completions and the parser, and into the code that runs the
// command, where `invocation[rate]` is a `Double?`.

/// The valid values, for messages, help and completions.
public enum ValueKind: Sendable, Equatable {
  /// A text without restrictions.
  case text
  /// A path, not empty; shells complete file names.
  case file
  /// A whole number in a range.
  case integer(ClosedRange<Int>)
  /// A finite number in a range; infinite bounds mean none.
  case number(ClosedRange<Double>)
  /// One of these words.
  case choice([String])
  /// A name of a kind that the program knows; completion asks it (`Program.FindNames`). Any text is valid.
  case name(String)

  /// The valid values, as messages name them after "expected".
  var expectation: String {
    switch self {
    case .text, .name: return "text"
    case .file: return "a path"
    case .integer(let range):
      let least = range.lowerBound == .min ? nil : "\(range.lowerBound)"
      let most = range.upperBound == .max ? nil : "\(range.upperBound)"
      return "an integer" + between(least, most)
    case .number(let range):
      let least = range.lowerBound.isFinite ? plain(range.lowerBound) : nil
      let most = range.upperBound.isFinite ? plain(range.upperBound) : nil
      return "a number" + between(least, most)
    case .choice(let words): return "one of \(words.joined(separator: ", "))"
    }
  }

  private func between(_ least: String?, _ most: String?) -> String {
    switch (least, most) {
    case (nil, nil): ""
    case (let least?, nil): " of at least \(least)"
    case (nil, let most?): " of at most \(most)"
    case (let least?, let most?): " from \(least) to \(most)"
    }
  }

}

/// 1000 rather than 1000.0. (Asking whether the number is whole would bring in libm, which nothing here imports.)
private func plain(_ number: Double) -> String {
  let text = "\(number)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// A kind of value together with how it is read from text, and written.
public struct ValueType<Value: Sendable>: Sendable {
  let kind: ValueKind
  let read: @Sendable (String) -> Value?
  let write: @Sendable (Value) -> String
}

extension ValueType where Value == String {
  /// Any text, also the empty one.
  public static var text: Self { Self(kind: .text, read: { $0 }, write: { $0 }) }
  /// A path that is not empty.
  public static var file: Self { Self(kind: .file, read: { $0.isEmpty ? nil : $0 }, write: { $0 }) }
  /// Any text, which should be a name of a kind; completion asks the program for those that there are.
  public static func name(of kind: String) -> Self { Self(kind: .name(kind), read: { $0 }, write: { $0 }) }
}

extension ValueType where Value == Int {
  /// A whole number in decimal digits.
  public static func integer(in range: ClosedRange<Int> = .min ... .max) -> Self {
    Self(
      kind: .integer(range), read: { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }, write: { "\($0)" })
  }
}

extension ValueType where Value == Double {
  /// A finite number in decimal notation. Words such as `inf` and hexadecimal forms are refused.
  public static func number(in range: ClosedRange<Double> = -.infinity ... .infinity) -> Self {
    Self(
      kind: .number(range),
      read: { text in
        guard text.allSatisfy({ "+-.eE0123456789".contains($0) }), let number = Double(text) else { return nil }
        return number.isFinite && range.contains(number) ? number : nil
      }, write: plain)
  }
}

extension ValueType where Value: RawRepresentable<String> & CaseIterable {
  /// One of an enum's cases, by its raw value.
  public static var choice: Self {
    Self(kind: .choice(Value.allCases.map(\.rawValue)), read: { Value(rawValue: $0) }, write: { $0.rawValue })
  }
}

// MARK: - Options

/// The untyped half of an option: what help, completions and the parser need.
public struct OptionDeclaration: Sendable {
  let name: String
  /// The word for its value in help, such as `PATH`; nil for a flag.
  let placeholder: String?
  let kind: ValueKind
  let repeats: Bool
  let meaning: String
  /// What holds where it is not given, as help says it; nil: nothing does.
  let absent: String?
  let isValid: @Sendable (String) -> Bool

  /// As it is written: `--socket PATH`.
  var usage: String { "--\(name)" + (placeholder.map { " \($0)" } ?? "") }
}

/// Something that stands in a command's list of options: a `Flag` or an `Option`.
public protocol DeclaresOption: Sendable {
  /// What help, completions and the parser need.
  var declaration: OptionDeclaration { get }
}

/// An option without a value: `--json`.
public struct Flag: DeclaresOption {
  /// What help, completions and the parser need.
  public let declaration: OptionDeclaration

  /// Declares a flag by its name without dashes. Giving it twice means the same as once.
  public init(_ name: String, _ meaning: String) {
    declaration = OptionDeclaration(
      name: name, placeholder: nil, kind: .text, repeats: true, meaning: meaning, absent: nil, isValid: { _ in false })
  }
}

/// An option with a value: `--rate 60` or `--rate=60`.
public struct Option<Value: Sendable>: DeclaresOption {
  /// What help, completions and the parser need.
  public let declaration: OptionDeclaration
  let read: @Sendable (String) -> Value?
  /// The default value; nil: there is none.
  let standard: Value?

  /// Declares an option.
  ///
  /// - Parameters:
  ///   - name: its name without dashes.
  ///   - placeholder: the word for its value in help.
  ///   - type: the type of its value.
  ///   - meaning: its effect, a sentence with its period.
  ///   - standard: its default value; help shows it.
  ///   - absent: the effect of its absence, in words, if that is no value.
  ///   - repeats: whether it may be given more than once.
  public init(
    _ name: String, _ placeholder: String, _ type: ValueType<Value>, _ meaning: String, default standard: Value? = nil,
    absent: String? = nil, repeats: Bool = false
  ) {
    read = type.read
    self.standard = standard
    declaration = OptionDeclaration(
      name: name, placeholder: placeholder, kind: type.kind, repeats: repeats, meaning: meaning,
      absent: standard.map(type.write) ?? absent, isValid: { type.read($0) != nil })
  }
}

// MARK: - Positional arguments

/// How many words a positional argument takes.
public enum Arity: Sendable, Equatable {
  /// Exactly one.
  case required
  /// One or none; only arguments that are not required may follow.
  case optional
  /// All remaining arguments, at least as many; nothing may follow.
  case rest(atLeast: Int)
}

/// The untyped half of a positional argument.
public struct PositionalDeclaration: Sendable {
  let placeholder: String
  let kind: ValueKind
  let arity: Arity
  let meaning: String
  let isValid: @Sendable (String) -> Bool

  /// As it is written in a usage line: `HEADER`, `[FILE]`, `HEADER…`.
  var usage: String {
    switch arity {
    case .required: placeholder
    case .optional: "[\(placeholder)]"
    case .rest(let least): least > 0 ? "\(placeholder)…" : "[\(placeholder)…]"
    }
  }
}

/// Something that stands in a command's list of positional arguments: a `Positional`.
public protocol DeclaresPositional: Sendable {
  /// What help, completions and the parser need.
  var declaration: PositionalDeclaration { get }
}

/// An argument that is known by its place.
public struct Positional<Value: Sendable>: DeclaresPositional {
  /// What help, completions and the parser need.
  public let declaration: PositionalDeclaration
  let read: @Sendable (String) -> Value?

  /// Declares an argument by the word for it in help, which is its name too.
  public init(_ placeholder: String, _ type: ValueType<Value>, _ meaning: String, _ arity: Arity = .required) {
    read = type.read
    declaration = PositionalDeclaration(
      placeholder: placeholder, kind: type.kind, arity: arity, meaning: meaning, isValid: { type.read($0) != nil })
  }
}
