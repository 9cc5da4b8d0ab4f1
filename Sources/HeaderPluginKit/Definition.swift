// SPDX-License-Identifier: MIT
//
// The description of a behavior: name, options, values, calls, notices. Entry.swift makes the C table of it. An option
// is described together with the property that it sets, a call together with what it does; declaring a value or notice
// returns the handle to use it by (Outputs.swift).

/// A kind of event, by UIScrollViewDelegate's name; the numbers are those of `header_event_kind`.
public enum EventKind: UInt8, Sendable, CaseIterable {
  case willBeginDragging = 0
  case didScroll, willEndDragging, didEndDragging, willBeginDecelerating, didEndDecelerating
  case didEndScrollingAnimation, shouldScrollToTop, didScrollToTop, didChangeAdjustedContentInset
  case willScroll, didOverscroll, willFling, layout
  case willAppear, didAppear, willDisappear, didDisappear, didBecomeActive
  case willTransition, transition, didTransition, willChangeTrackingScrollView, setTrackingScrollView
  /// Made by the engine, and sent to behaviors that ask for them: see header_plugin.h.
  case didWriteContentOffset, didResize
}

/// An option of a behavior: the host's checks, and the property that it sets.
public struct Option<Instance: Behavior>: Sendable {
  private(set) var parameter: Parameter
  let set: @Sendable (Instance, Value) throws(Refusal) -> Void
  /// Gives the property of a new instance the described default, so that the two cannot differ; nil: the setter has effects.
  var begin: (@Sendable (Instance) -> Void)?

  /// An option with a setter of its own; it may refuse. The instance begins with the default in force.
  public init(_ parameter: Parameter, set: @escaping @Sendable (Instance, Value) throws(Refusal) -> Void) {
    self.parameter = parameter
    self.set = set
  }

  /// The same option, whose meaning begins with when it has an effect, such as `follows = "movement"`.
  public func only(with circumstance: String) -> Option {
    var option = self
    option.parameter.meaning = "With \(circumstance): \(parameter.meaning)"
    return option
  }

  /// An option that is a number.
  public init(number parameter: Parameter, _ path: any Property<Double>) {
    self.init(parameter, path) { $0.number }
  }

  /// An option that is true or false.
  public init(bool parameter: Parameter, _ path: any Property<Bool>) {
    self.init(parameter, path) { $0.bool }
  }

  /// An option that is one word of an enumeration.
  public init<Choice: RawRepresentable & Sendable>(case parameter: Parameter, _ path: any Property<Choice>)
  where Choice.RawValue == String {
    self.init(parameter, path) { $0.text.flatMap(Choice.init(rawValue:)) }
  }

  /// The same option; something else is done first with each that is given, as when a behavior logs that it has no effect. By then the
  /// options before it in the list are set.
  public func noting(_ note: @escaping @Sendable (_ instance: Instance, _ option: String) -> Void) -> Option {
    let (name, set) = (parameter.name, self.set)
    var option = Option(parameter) { (instance, value) throws(Refusal) in
      note(instance, name)
      try set(instance, value)
    }
    option.begin = begin
    return option
  }

  /// The same option; something else is done after each that is given.
  public func then(_ act: @escaping @Sendable (_ instance: Instance) -> Void) -> Option {
    let set = self.set
    var option = Option(parameter) { (instance, value) throws(Refusal) in
      try set(instance, value)
      act(instance)
    }
    option.begin = begin
    return option
  }

  /// A property of the instance.
  public typealias Property<Content> = ReferenceWritableKeyPath<Instance, Content> & Sendable

  private init<Content>(
    _ parameter: Parameter, _ path: any Property<Content>, read: @escaping @Sendable (Value) -> Content?
  ) {
    let assign: @Sendable (Instance, Value) -> Void = { instance, value in
      if let content = read(value) { instance[keyPath: path] = content }
    }
    self.init(parameter) { (instance, value) throws(Refusal) in assign(instance, value) }
    begin = { assign($0, parameter.defaultValue) }
  }
}

// MARK: - Options of plain properties

extension Option {
  /// An option that is true or false.
  public static func bool(
    _ name: String, _ path: any Property<Bool>, default value: Bool = false, _ meaning: String
  ) -> Option {
    Option(bool: .bool(name, default: value, meaning), path)
  }

  /// An option that is a number within a range, both ends allowed.
  public static func number(
    _ name: String, _ path: any Property<Double>, unit: String? = nil, default value: Double,
    in range: ClosedRange<Double>, _ meaning: String
  ) -> Option {
    Option(
      number: .number(
        name, unit: unit, default: value, minimum: range.lowerBound, maximum: range.upperBound, meaning), path)
  }

  /// An option that is a number within a range, or null as it is.
  public static func number(
    _ name: String, _ path: any Property<Double?>, unit: String? = nil, in range: ClosedRange<Double>, _ meaning: String
  ) -> Option {
    Option(
      .numberOrNull(name, unit: unit, minimum: range.lowerBound, maximum: range.upperBound, meaning), path
    ) { .some($0.number) }
  }

  /// An option that is one word of an enumeration.
  public static func `case`<Choice: RawRepresentable & CaseIterable & Sendable>(
    _ name: String, _ path: any Property<Choice>, default value: Choice, _ meaning: String
  ) -> Option where Choice.RawValue == String {
    Option(case: .case(name, default: value, meaning), path)
  }

  /// An option that is one word of an enumeration, or null as it is.
  public static func `case`<Choice: RawRepresentable & CaseIterable & Sendable>(
    _ name: String, _ path: any Property<Choice?>, _ meaning: String
  ) -> Option where Choice.RawValue == String {
    Option(.caseOrNull(name, Choice.self, meaning), path) { .some($0.text.flatMap(Choice.init(rawValue:))) }
  }
}

/// A call that a behavior answers.
public struct Call<Instance: Behavior>: Sendable {
  let name: String
  let arguments: [Parameter]
  let meaning: String
  let perform: @Sendable (Instance, Value) throws(Refusal) -> Value

  /// Creates a call with its name, its arguments and its function.
  public init(
    _ name: String, arguments: [Parameter] = [], _ meaning: String,
    perform: @escaping @Sendable (Instance, Value) throws(Refusal) -> Value
  ) {
    self.name = name
    self.arguments = arguments
    self.meaning = meaning
    self.perform = perform
  }

  /// A call that returns null.
  public static func action(
    _ name: String, arguments: [Parameter] = [], _ meaning: String,
    perform: @escaping @Sendable (Instance, Value) throws(Refusal) -> Void
  ) -> Call {
    Call(name, arguments: arguments, meaning) { (instance, arguments) throws(Refusal) in
      try perform(instance, arguments)
      return .null
    }
  }
}

/// A behavior's "no", with its reason.
public struct Refusal: Error, Sendable {
  /// A sentence for people, which the client gets as the error's hint. If it begins with the path of what is wrong, such as
  /// `drawers[1].fade:` in the option `drawers`, the error is reported at that path.
  public var reason: String
  /// A "no" for this reason.
  public init(_ reason: String) { self.reason = reason }
}

/// All that a behavior says about itself, and how an instance is made.
public struct Definition: Sendable {
  let name: String
  let summary: String
  let moves: Bool
  let events: [EventKind]
  private(set) var options: [Option<Behavior>]
  let calls: [Call<Behavior>]
  private(set) var outputs = OutputList()
  let savedVersion: Int
  let type: Behavior.Type

  /// Describes a behavior. ``publishing(_:)`` adds values and notices.
  /// - Parameters:
  ///   - type: the class of its instances.
  ///   - name: UpperCamelCase: an ASCII capital, then letters and digits; at most 64.
  ///   - summary: what it does, in a sentence.
  ///   - moves: it moves drawers; the kit then adds the option `yields` at the end of the list.
  ///   - claimsElements: it moves nothing but claims elements; the kit adds `yields` then, too.
  ///   - events: what its instances respond to.
  ///   - options: its options, set in this order.
  ///   - calls: the calls that it answers.
  ///   - savedVersion: the version of the state that `save` gives.
  public init<Instance: Behavior>(
    _ type: Instance.Type, name: String, summary: String, moves: Bool, claimsElements: Bool = false,
    events: [EventKind], options: [Option<Instance>] = [], calls: [Call<Instance>] = [], savedVersion: Int = 1
  ) {
    self.type = type
    self.name = name
    self.summary = summary
    self.moves = moves
    self.events = events
    self.savedVersion = savedVersion
    self.calls = calls.map(\.erased)
    self.options = options.map(\.erased)
    if moves || claimsElements { self.options.append(Option(bool: moves ? .yields : .yieldsElements, \.yields)) }
  }

  /// The same behavior with values and notices, and their handles. A handle can only be had from the list that describes
  /// it, so what an instance sets and posts is what its definition says:
  ///
  ///     static let (definition, outputs) = Definition(Follow.self, …).publishing {
  ///       (isMoving: $0.value("isMoving", initial: false, "…"), didArrive: $0.notice("didArrive"))
  ///     }
  ///     …
  ///     Self.outputs.isMoving.set(true, in: host)
  ///     Self.outputs.didArrive.post(in: host)
  public func publishing<Handles>(_ declare: (inout OutputList) -> Handles) -> (Definition, Handles) {
    var definition = self
    let handles = declare(&definition.outputs)
    return (definition, handles)
  }
}

extension Option {
  // `Definition.type` is the only source of instances, so each one fits.
  fileprivate var erased: Option<Behavior> {
    let (set, begin) = (self.set, self.begin)
    var option = Option<Behavior>(parameter) { (behavior, value) throws(Refusal) in
      if let instance = behavior as? Instance { try set(instance, value) }
    }
    option.begin = { behavior in
      if let begin, let instance = behavior as? Instance { begin(instance) }
    }
    return option
  }
}

extension Call {
  fileprivate var erased: Call<Behavior> {
    let perform = self.perform
    return Call<Behavior>(name, arguments: arguments, meaning) { (behavior, arguments) throws(Refusal) in
      guard let instance = behavior as? Instance else { return .null }
      return try perform(instance, arguments)
    }
  }
}
