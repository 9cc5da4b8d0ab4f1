// SPDX-License-Identifier: MIT
//
// Requests about a header's position: to go somewhere (`move`), to stay within bounds (`constrain`, `release`), and to make room for a
// rectangle of the content (`reveal`). headerd-position(7) explains them.
//
//     {"event":"move","to":"collapsed","animated":{"duration":0.25,"curve":"easeInOut"}}
//     {"event":"move","to":{"drawer":"navBar","height":72},"animated":{"spring":{"damping":26}},"velocity":0.8}
//     {"event":"constrain","name":"dialog","permitted":"shown","animated":true,"priority":10}
//     {"event":"release","name":"dialog"}
//     {"event":"reveal","rect":{"x":0,"y":480,"width":320,"height":44},"reason":"focus"}

/// Where a header shall go, and how.
public struct HeaderMove: Equatable, Sendable {
  /// The target of the move.
  public var target: Target
  /// How it gets there; nil: at once.
  public var style: MotionStyle?
  /// The velocity that it begins with, in points per millisecond of the offset's sign; of a spring only.
  public var velocity: Double
  /// The delegate that moves; nil: all that can.
  public var delegate: String?

  /// A place that a header can go to.
  public enum Target: Equatable, Sendable {
    /// A stop by its name: `expanded`, `collapsed`, or one that a behavior has.
    case stop(String)
    /// A share of the whole way, 0…1: 0 is expanded.
    case progress(Double)
    /// Where a drawer has a height, in points.
    case height(drawer: String, Double)
    /// A drawer is moved off its edge by these points.
    case shift(drawer: String, Double)
  }

  /// Creates a move; without a style it happens at once.
  public init(to target: Target, style: MotionStyle? = nil, velocity: Double = 0, delegate: String? = nil) {
    self.target = target
    self.style = style
    self.velocity = velocity
    self.delegate = delegate
  }
}

/// The timing of a motion, and its drawing side.
public struct MotionStyle: Equatable, Sendable {
  /// The curve, or the spring.
  public var curve: AnimationCurve
  /// Seconds, 0…60; of a spring its parameters decide.
  public var duration: Double
  /// The side that draws it.
  public var drawnBy: Drawer

  /// The side that draws the way between the two ends.
  public enum Drawer: String, Sendable, CaseIterable {
    /// The engine: a state for each frame.
    case frames
    /// The renderer: one state with the final values, and the animation that leads there.
    case renderer
  }

  /// Seconds that a motion takes at most.
  package static let longest = 60.0

  /// What `"animated": true` means.
  public static let usual = MotionStyle(curve: .easeInOut, duration: 0.25)

  /// A curve over a duration.
  public init(curve: AnimationCurve, duration: Double, drawnBy: Drawer = .frames) {
    self.curve = curve
    self.duration = duration
    self.drawnBy = drawnBy
  }
}

/// Bounds that override every behavior.
public struct Constraint: Equatable, Sendable {
  /// The name by which it is released; a second constraint of the same name replaces it.
  public var name: String
  /// The least and the greatest progress that is permitted, within 0…1.
  public var permitted: ClosedRange<Double>
  /// Where the header shall go now, as far as that is permitted; nil: nowhere that it need not.
  public var wish: Double?
  /// How it goes where it must, or is wished to; nil: at once.
  public var style: MotionStyle?
  /// Where two contradict each other the greater one holds, of equals the older.
  public var priority: Int
  /// The holder in words for people.
  public var holder: String?
  /// When it ends if no client releases it. The engine's caller watches that, and sends a `release`.
  public var lease: Lease

  /// How long a constraint holds.
  public enum Lease: Equatable, Sendable {
    /// The constraint holds until it is released.
    case none
    /// As long as the connection that asked for it.
    case connection
    /// After this many seconds, by the daemon's clock.
    case seconds(Double)
  }

  /// The priorities that a request may give.
  public static let priorities = -1000...1000
  /// The name of the engine's own constraint: a screen reader runs, or the like.
  public static let accessibility = "accessibility"

  /// Creates a constraint of ordinary priority.
  public init(
    name: String, permitted: ClosedRange<Double>, wish: Double? = nil, style: MotionStyle? = nil, priority: Int = 0,
    holder: String? = nil, lease: Lease = .none
  ) {
    self.name = name
    self.permitted = permitted
    self.wish = wish
    self.style = style
    self.priority = priority
    self.holder = holder
    self.lease = lease
  }
}

/// Something in the content that is to be seen.
public struct Reveal: Equatable, Sendable {
  /// Where it is in the content's coordinates, points.
  public var rect: Rect
  /// The reason to reveal it.
  public var reason: Reason

  /// Creates a request to reveal a rectangle.
  public init(rect: Rect, reason: Reason) {
    self.rect = rect
    self.reason = reason
  }

  /// Why something is to be seen.
  public enum Reason: String, Sendable, CaseIterable {
    case focus, anchor, search
  }
}

// MARK: - As plain data

extension HeaderMove {
  /// Reads the fields of a `move`.
  /// - Throws: `invalidParams` naming the field.
  public init(_ fields: inout FieldReader) throws(HeaderError) {
    guard let target = try fields.moveTarget("to") else { throw fields.notAPlace("to") }
    self.init(to: target, style: try fields.motionStyle())
    let velocity = try fields.number("velocity", of: "points per millisecond")
    if velocity != nil {
      guard case .spring = style?.curve else {
        throw fields.unexpected("velocity", needed: "nothing unless \"animated\" is a spring", expected: "nothing")
      }
    }
    self.velocity = velocity ?? 0
    delegate = try fields.text("delegate")
  }

  func write(to record: inout Value.Record) {
    record["to"] = target.value
    record["animated"] = style?.value
    if case .spring = style?.curve, velocity != 0 { record["velocity"] = .number(velocity) }
    record["delegate"] = delegate.map { .text($0) }
  }
}

extension HeaderMove.Target {
  /// As `to` has it.
  public var value: Value {
    switch self {
    case .stop(let name): .text(name)
    case .progress(let progress): ["progress": .number(progress)]
    case .height(let drawer, let height): ["drawer": .text(drawer), "height": .number(height)]
    case .shift(let drawer, let shift): ["drawer": .text(drawer), "shift": .number(shift)]
    }
  }
}

extension Constraint {
  /// Reads the fields of a `constrain`.
  /// - Throws: `invalidParams` naming the field.
  /// - Parameters:
  ///   - isSaved: it is part of a saved header, where the engine's own stands as well.
  ///   - lease: how long it holds if the field is left out.
  public init(_ fields: inout FieldReader, isSaved: Bool = false, lease: Lease = .none) throws(HeaderError) {
    let name = try fields.plainName("name", of: "constraint")
    guard isSaved || name != Self.accessibility else {
      throw fields.unexpected("name", needed: "another name: this one is the engine's own", expected: "name")
    }
    self.init(name: name, permitted: try fields.permitted())
    wish = try fields.wish()
    style = try fields.motionStyle()
    if !isSaved { priority = try fields.integer("priority", in: Self.priorities) ?? 0 }
    holder = try fields.text("holder")
    self.lease = try fields.lease() ?? lease
  }

  package func write(to record: inout Value.Record) {
    record["name"] = .text(name)
    record["permitted"] = permittedValue
    record["wish"] = wish.map { .number($0) }
    record["animated"] = style?.value
    if priority != 0 { record["priority"] = .number(Double(priority)) }
    record["holder"] = holder.map { .text($0) }
    switch lease {
    case .none: break
    case .connection: record["lease"] = "connection"
    case .seconds(let seconds): record["lease"] = .number(seconds)
    }
  }

  /// The permitted range, as in states.
  public var permittedValue: Value { permitted.ends }
}

extension ClosedRange<Double> {
  /// A range of progress, as in states.
  package var ends: Value { [.number(lowerBound), .number(upperBound)] }
}

extension Reveal {
  /// Reads the fields of a `reveal`.
  /// - Throws: `invalidParams` naming the field.
  public init(_ fields: inout FieldReader) throws(HeaderError) {
    guard let rect = try fields.shape("rect", from: Rect()) else {
      throw fields.unexpected("rect", needed: "a rectangle in the content's coordinates", expected: "rect")
    }
    self.init(rect: rect, reason: try fields.choice("reason", Reason.self) ?? .focus)
  }

  func write(to record: inout Value.Record) {
    record["rect"] = rect.value
    record["reason"] = .text(reason.rawValue)
  }
}

extension MotionStyle {
  /// As `animated` has it.
  public var value: Value {
    var record = Value.Record()
    if case .spring(let mass, let stiffness, let damping, _) = curve {
      record["spring"] = ["mass": .number(mass), "stiffness": .number(stiffness), "damping": .number(damping)]
    } else {
      record["duration"] = .number(duration)
      record["curve"] = .text(curve.word)
    }
    if drawnBy != .frames { record["drawnBy"] = .text(drawnBy.rawValue) }
    return .record(record)
  }
}

extension FieldReader {
  /// A place to go to, or to begin at; nil: it is left out.
  mutating func moveTarget(_ name: String) throws(HeaderError) -> HeaderMove.Target? {
    switch value(name, as: [.text(), .record]) {
    case nil: return nil
    case .text(let stop)?: return .stop(stop)
    case .record?: return try nested(name) { fields throws(HeaderError) in try fields.place() }
    default: throw notAPlace(name)
    }
  }

  fileprivate func notAPlace(_ name: String) -> HeaderError {
    unexpected(
      name, needed: "\"expanded\", \"collapsed\", a stop's name, {progress} or {drawer, height | shift}",
      expected: "target")
  }

  /// A place in numbers: {progress}, {drawer, height} or {drawer, shift}.
  mutating func place() throws(HeaderError) -> HeaderMove.Target {
    let progress = try number("progress", in: 0...1, of: "")
    let height = try number("height", in: 0...Self.bound)
    let shift = try number("shift", in: 0...Self.bound)
    let drawer = try text("drawer")
    switch (progress, drawer, height, shift) {
    case (let progress?, nil, nil, nil): return .progress(progress)
    case (nil, let drawer?, let height?, nil): return .height(drawer: drawer, height)
    case (nil, let drawer?, nil, let shift?): return .shift(drawer: drawer, shift)
    default:
      throw HeaderError(
        .invalidParams, "\(path.text): expected {progress}, {drawer, height} or {drawer, shift}", field: path.text)
    }
  }

  /// `animated`: false, true, or how; nil: at once.
  public mutating func motionStyle() throws(HeaderError) -> MotionStyle? {
    switch value("animated", as: [.bool, .null, .record]) {
    case nil, .null?, .bool(false)?: return nil
    case .bool(true)?: return .usual
    default: return try nested("animated") { fields throws(HeaderError) in try MotionStyle(&fields) }
    }
  }

  /// `permitted`, which must be there: a word, or the ends of a range of progress.
  fileprivate mutating func permitted() throws(HeaderError) -> ClosedRange<Double> {
    let given = value("permitted", as: [.word(["shown", "hidden", "both"]), .list(2...2)])
    note(itemsOf: "permitted", [.number(0...1, unit: "")])
    switch given {
    case .text("shown")?: return 0...0
    case .text("hidden")?: return 1...1
    case .text("both")?: return 0...1
    case .list(let ends)? where ends.count == 2:
      let low = try Self.number(ends[0], at: (path + "permitted")[0], in: 0...1, of: "")
      let high = try Self.number(ends[1], at: (path + "permitted")[1], in: 0...1, of: "")
      if low <= high { return low...high }
    default: break
    }
    throw unexpected(
      "permitted", needed: "\"shown\", \"hidden\", \"both\" or [from, to] in progress, the smaller one first",
      expected: "range of progress")
  }

  /// `lease`: "connection", seconds, or null until it is released; nil: it is left out.
  fileprivate mutating func lease() throws(HeaderError) -> Constraint.Lease? {
    switch value("lease", as: [.null, .word(["connection"]), .number(0...86_400, unit: "seconds")]) {
    case nil: return nil
    case .null?: return Constraint.Lease.none
    case .text("connection")?: return .connection
    case .number(let seconds)? where (0...86_400).contains(seconds): return .seconds(seconds)
    default:
      throw unexpected(
        "lease", needed: "\"connection\", a number of seconds from 0 to 86400, or null", expected: "lease")
    }
  }

  /// `wish`: a word or a progress.
  fileprivate mutating func wish() throws(HeaderError) -> Double? {
    switch value("wish", as: [.null, .word(["shown", "hidden"]), .number(0...1, unit: "")]) {
    case nil, .null?: return nil
    case .text("shown")?: return 0
    case .text("hidden")?: return 1
    case .number(let progress)? where (0...1).contains(progress): return progress
    default:
      throw unexpected("wish", needed: "\"shown\", \"hidden\" or a progress from 0 to 1", expected: "progress")
    }
  }
}

extension MotionStyle {
  /// Reads `animated`: a curve over a duration, or a spring. Members left out are as in `usual`.
  fileprivate init(_ fields: inout FieldReader) throws(HeaderError) {
    let spring = try fields.nested("spring") { fields throws(HeaderError) -> AnimationCurve in
      // The range in which a spring's closed form has a meaning.
      let range = 1e-3...1e6
      return .spring(
        mass: try fields.number("mass", in: range, of: "kilograms") ?? 1,
        stiffness: try fields.number("stiffness", in: range, of: "newtons a meter") ?? 200,
        damping: try fields.number("damping", in: range, of: "newton seconds a meter") ?? 26, initialVelocity: 0)
    }
    let duration = try fields.number("duration", in: 0...MotionStyle.longest, of: "seconds")
    let curve = try fields.choice("curve", AnimationCurve.named)
    if spring != nil, duration != nil || curve != nil {
      throw HeaderError(
        .invalidParams, "\(fields.path.text): a spring has no duration and no curve of its own; give one or the other",
        field: fields.path.text)
    }
    self.init(
      curve: spring ?? curve ?? Self.usual.curve, duration: duration ?? Self.usual.duration,
      drawnBy: try fields.choice("drawnBy", Drawer.self) ?? .frames)
    if case .spring = self.curve { self.duration = 0 }
  }
}
