// SPDX-License-Identifier: MIT
//
// A behavior described once: its name, its options with type, unit, default, range and meaning, its values, calls and
// notices. The table that crosses the boundary is made from this (Entry.swift), and so are the setters: an option's
// description and the property that it sets stand in one line.

/// A kind of event, by UIScrollViewDelegate's name; the numbers are those of `header_event_kind`.
public enum EventKind: UInt8, Sendable, CaseIterable {
  case willBeginDragging = 0
  case didScroll, willEndDragging, didEndDragging, willBeginDecelerating, didEndDecelerating
  case didEndScrollingAnimation, shouldScrollToTop, didScrollToTop, didChangeAdjustedContentInset
  case willScroll, didOverscroll, willFling, layout
  case willAppear, didAppear, willDisappear, didDisappear, didBecomeActive
  case willTransition, transition, didTransition, willChangeTrackingScrollView, setTrackingScrollView
  /// Made by the engine, told to those who name them: see header_plugin.h.
  case didWriteContentOffset, didResize
}

/// The type of an option, of a call's argument or of a value.
public enum ValueType: UInt8, Sendable {
  case number = 0
  case integer, bool, text, `case`, color, point, size, rect, insets, transform, record
}

/// One option or argument, as the host checks it before the behavior sees it.
public struct Parameter: Sendable {
  var name: String
  var type: ValueType
  var isList = false
  var isNullable = false
  var unit: String?
  var defaultValue: Value
  var minimum: Double?
  var maximum: Double?
  var cases: [String] = []
  var meaning: String

  /// A number within a range, both ends allowed.
  public static func number(
    _ name: String, unit: String?, default value: Double, minimum: Double? = nil, maximum: Double? = nil,
    _ meaning: String
  ) -> Parameter {
    Parameter(
      name: name, type: .number, unit: unit, defaultValue: .number(value), minimum: minimum, maximum: maximum,
      meaning: meaning)
  }

  /// A number within a range, or null.
  public static func numberOrNull(
    _ name: String, unit: String?, minimum: Double? = nil, maximum: Double? = nil, _ meaning: String
  ) -> Parameter {
    Parameter(
      name: name, type: .number, isNullable: true, unit: unit, defaultValue: .null, minimum: minimum, maximum: maximum,
      meaning: meaning)
  }

  /// true or false.
  public static func bool(_ name: String, default value: Bool, _ meaning: String) -> Parameter {
    Parameter(name: name, type: .bool, defaultValue: .bool(value), meaning: meaning)
  }

  /// A color: red, green, blue and alpha, or white and alpha; 0…1.
  public static func color(_ name: String, default value: Value, _ meaning: String) -> Parameter {
    Parameter(name: name, type: .color, defaultValue: value, meaning: meaning)
  }

  /// Insets; an edge left out is the behavior's to fill in.
  public static func insets(_ name: String, _ meaning: String) -> Parameter {
    Parameter(name: name, type: .insets, unit: "points", defaultValue: .record([]), meaning: meaning)
  }

  /// One of an enumeration's words, or null.
  public static func caseOrNull<Choice: RawRepresentable & CaseIterable>(
    _ name: String, _ choice: Choice.Type, _ meaning: String
  ) -> Parameter where Choice.RawValue == String {
    Parameter(
      name: name, type: .case, isNullable: true, defaultValue: .null, cases: Choice.allCases.map(\.rawValue),
      meaning: meaning)
  }

  /// One of an enumeration's words.
  public static func `case`<Choice: RawRepresentable & CaseIterable>(
    _ name: String, default value: Choice, _ meaning: String
  ) -> Parameter where Choice.RawValue == String {
    Parameter(
      name: name, type: .case, defaultValue: .text(value.rawValue), cases: Choice.allCases.map(\.rawValue),
      meaning: meaning)
  }
}

/// An option of a behavior: what the host checks, and the property that it sets.
public struct Option<Instance: Behavior> {
  let parameter: Parameter
  let set: (Instance, Value) throws(Refusal) -> Void

  /// An option with a setter of its own; it may refuse.
  public init(_ parameter: Parameter, set: @escaping (Instance, Value) throws(Refusal) -> Void) {
    self.parameter = parameter
    self.set = set
  }

  /// An option that is a number.
  public init(number parameter: Parameter, _ path: ReferenceWritableKeyPath<Instance, Double>) {
    self.init(parameter) { (instance, value) throws(Refusal) in instance[keyPath: path] = value.number ?? 0 }
  }

  /// An option that is true or false.
  public init(bool parameter: Parameter, _ path: ReferenceWritableKeyPath<Instance, Bool>) {
    self.init(parameter) { (instance, value) throws(Refusal) in instance[keyPath: path] = value.bool ?? false }
  }

  /// An option that is one word of an enumeration.
  public init<Choice: RawRepresentable>(case parameter: Parameter, _ path: ReferenceWritableKeyPath<Instance, Choice>)
  where Choice.RawValue == String {
    self.init(parameter) { (instance, value) throws(Refusal) in
      if let choice = value.text.flatMap(Choice.init(rawValue:)) { instance[keyPath: path] = choice }
    }
  }
}

extension Option {
  /// The setter without the instance's type; `Definition.make` is the only source of instances, so each one fits.
  fileprivate var erased: (Behavior, Value) throws(Refusal) -> Void {
    let set = self.set
    func apply(_ behavior: Behavior, _ value: Value) throws(Refusal) {
      if let instance = behavior as? Instance { try set(instance, value) }
    }
    return apply
  }
}

/// A call that a behavior answers.
public struct Call<Instance: Behavior> {
  let name: String
  let arguments: [Parameter]
  let meaning: String
  let perform: (Instance, Value) throws(Refusal) -> Value

  /// A call with its name, its arguments and what it does when it is made.
  public init(
    _ name: String, arguments: [Parameter] = [], _ meaning: String,
    perform: @escaping (Instance, Value) throws(Refusal) -> Value
  ) {
    self.name = name
    self.arguments = arguments
    self.meaning = meaning
    self.perform = perform
  }
}

extension Call {
  /// The call without the instance's type.
  fileprivate var erased: (Behavior, Value) throws(Refusal) -> Value {
    let perform = self.perform
    func apply(_ behavior: Behavior, _ arguments: Value) throws(Refusal) -> Value {
      guard let instance = behavior as? Instance else { return .null }
      return try perform(instance, arguments)
    }
    return apply
  }
}

/// A named value that a behavior tells about itself; it is set by its place in the definition's list.
public struct NamedValue: Sendable {
  let name: String
  let type: ValueType
  let unit: String?
  let initial: Value
  let meaning: String

  /// A value with what it is until the behavior sets it; `type` is a number, a whole number, a bool, a text or a case.
  public init(_ name: String, type: ValueType, unit: String? = nil, initial: Value, _ meaning: String) {
    self.name = name
    self.type = type
    self.unit = unit
    self.initial = initial
    self.meaning = meaning
  }
}

/// A behavior's "no", with its reason.
public struct Refusal: Error, Sendable {
  /// A sentence for people; it reaches whoever asked as the error's hint.
  public var reason: String
  /// A "no" for this reason.
  public init(_ reason: String) { self.reason = reason }
}

/// All that a behavior says about itself, and how an instance is made.
public struct Definition {
  let name: String
  let summary: String
  let moves: Bool
  let events: [EventKind]
  let options: [Parameter]
  let values: [NamedValue]
  let callDescriptions: [(name: String, arguments: [Parameter], meaning: String)]
  let notices: [String]
  let savedVersion: Int
  let make: (Host) -> Behavior
  let setters: [(Behavior, Value) throws(Refusal) -> Void]
  let calls: [(Behavior, Value) throws(Refusal) -> Value]

  /// Describes a behavior.
  /// - Parameters:
  ///   - moves: it moves drawers; the kit then adds the option `yields` at the end of the list.
  ///   - claimsElements: it moves nothing but claims elements; the kit adds `yields` then, too.
  ///   - events: what its instances respond to.
  ///   - savedVersion: the version of the state that `save` gives.
  public init<Instance: Behavior>(
    _ type: Instance.Type, name: String, summary: String, moves: Bool, claimsElements: Bool = false,
    events: [EventKind], options: [Option<Instance>] = [], values: [NamedValue] = [], calls: [Call<Instance>] = [],
    notices: [String] = [],
    savedVersion: Int = 1
  ) {
    self.name = name
    self.summary = summary
    self.moves = moves
    self.events = events
    let yields: Parameter? = moves ? .yields : claimsElements ? .yieldsElements : nil
    var options = options
    if let yields { options.append(Option(bool: yields, \.yields)) }
    self.options = options.map(\.parameter)
    self.values = values
    self.notices = notices
    self.savedVersion = savedVersion
    callDescriptions = calls.map { ($0.name, $0.arguments, $0.meaning) }
    make = { Instance(host: $0) }
    setters = options.map(\.erased)
    self.calls = calls.map(\.erased)
  }
}
