// SPDX-License-Identifier: MIT
//
// The option `drawers`: laws as data, one record a drawer. Fields left out of a record have defaults that make sense alone; a drawer
// without a record has the law that its own description suggests.

internal import CollapsingLaws
internal import HeaderMotion
internal import HeaderPluginKit

/// The laws and looks by the drawers' names.
struct DrawerLaws {
  /// The laws and looks that one record gives.
  private struct Given {
    /// nil: of all drawers that have no record of their own.
    var drawer: String?
    var place: String
    var law: Law
    /// nil: as the drawer's own heights and `sticky` suggest.
    var moves: (collapses: Bool?, shifts: Bool?, isPinned: Bool?)
    var look: DrawerLook
  }

  private var given: [Given] = []
  private(set) var hasLooks = false

  init() {}

  func law(of name: String, _ drawer: Drawer) -> Law {
    let given = record(of: name)
    var law = given?.law ?? Law()
    let suggestsPin = drawer.isSticky
    let suggestsCollapse = drawer.minimumHeight > 0 && drawer.minimumHeight < drawer.maximumHeight
    let moves = given?.moves
    let isPinned = moves?.isPinned ?? (suggestsPin && moves?.collapses != true && moves?.shifts != true)
    law.collapses = !isPinned && (moves?.collapses ?? (suggestsCollapse && moves?.shifts != true))
    law.shifts = !isPinned && (moves?.shifts ?? !law.collapses)
    return law
  }

  /// The looks of a drawer; nil: as it is.
  func look(of name: String) -> DrawerLook? {
    record(of: name).flatMap { $0.look.isPlain ? nil : $0.look }
  }

  private func record(of name: String) -> Given? {
    given.first { $0.drawer == name } ?? given.first { $0.drawer == nil }
  }

  /// Refuses laws of drawers that there are not.
  func requireKnown(_ names: [String]) throws(Refusal) {
    guard let stranger = given.first(where: { $0.drawer.map { !names.contains($0) } ?? false }),
      let name = stranger.drawer
    else { return }
    throw Refusal(
      "\(stranger.place).drawer: there is no drawer \"\(name)\"; there are \(names.joined(separator: ", "))")
  }

  // MARK: Reading

  /// Reads the option.
  /// - Throws: mistakes, with their place.
  init(_ value: Value, at place: String) throws(Refusal) {
    for var fields in try Fields.list(value, at: place) {
      let name = fields.has("drawer") ? try fields.text("drawer") : nil
      guard !given.contains(where: { $0.drawer == name }) else {
        throw Refusal("\(fields.place).drawer: \(name.map { "\"\($0)\"" } ?? "a record for all others") stands twice")
      }
      let moves = try Self.moves(&fields)
      let law = try Self.law(&fields)
      let look = try Self.look(&fields)
      try fields.finish()
      given.append(Given(drawer: name, place: fields.place, law: law, moves: moves, look: look))
    }
    hasLooks = given.contains { !$0.look.isPlain }
  }

  private static func moves(_ fields: inout Fields) throws(Refusal) -> (Bool?, Bool?, Bool?) {
    let collapses = fields.has("collapse") ? try fields.bool("collapse") : nil
    let shifts = fields.has("shift") ? try fields.bool("shift") : nil
    let isPinned = fields.has("pin") ? try fields.bool("pin") : nil
    if isPinned == true, collapses == true || shifts == true {
      throw Refusal("\(fields.place).pin: a pinned drawer neither collapses nor shifts")
    }
    return (collapses, shifts, isPinned)
  }

  private static func law(_ fields: inout Fields) throws(Refusal) -> Law {
    var law = Law()
    law.keeps = try length("keeps", &fields)
    law.beyond = try fields.number("beyond", default: 0, in: 0...Grid.bound)
    law.slack = try length("slack", &fields)
    law.returns = try fields.choice("returns", default: law.returns)
    law.threshold = try fields.number("threshold", default: 0, in: 0...Grid.bound)
    law.slop = try fields.pair("slop")
    law.resistance = try fields.pair("resistance")
    law.resistanceReturns = try fields.choice("resistanceReturns", default: law.resistanceReturns)
    if fields.has("order") {
      var order = try fields.record("order", needed: "a record {hide, show}")
      law.hideOrder = try order.numberOrNull("hide")
      law.showOrder = try order.numberOrNull("show")
      try order.finish()
    }
    law.weight = fields.has("weight") ? try fields.number("weight", in: 1e-3...1e6) : nil
    law.speed = try fields.number("speed", default: 1, in: 1e-3...1e3)
    law.curve = try fields.curve("curve", default: .linear)
    law.stretch = try stretch(&fields)
    law.rest = try rest(&fields)
    return law
  }

  /// Points, or the drawer's minimum height.
  private static func length(_ name: String, _ fields: inout Fields) throws(Refusal) -> Law.Length {
    if fields.peek(name) == .text("minimum") {
      _ = fields.take(name)
      return .minimum
    }
    return .points(try fields.number(name, default: 0, in: 0...Grid.bound, or: "\"minimum\""))
  }

  private static func stretch(_ fields: inout Fields) throws(Refusal) -> Law.Stretch? {
    guard fields.has("stretch") else { return nil }
    var record = try fields.record("stretch", needed: "a record {factor, limit, trigger, repeats}")
    var stretch = Law.Stretch()
    stretch.factor = try record.number("factor", default: 1, in: 1e-3...1e3)
    if record.has("limit") { stretch.limit = try record.number("limit", in: 0...Grid.bound) }
    if record.has("trigger") { stretch.trigger = try record.number("trigger", in: 0...Grid.bound) }
    stretch.repeats = try record.bool("repeats", default: false)
    try record.finish()
    return stretch
  }

  private static func rest(_ fields: inout Fields) throws(Refusal) -> Rest? {
    guard fields.has("rest") else { return nil }
    var record = try fields.record(
      "rest",
      needed:
        "a record {stops, by, threshold, velocity, margins, target, takesContent, beginsWithFrame, drawnBy, always, "
        + "duration, curve, spring, scaled}")
    var rest = Rest()
    if record.has("stops") { rest.stops = try stops(&record) }
    rest.choice = try record.choice("by", default: rest.choice)
    rest.threshold = try record.number("threshold", default: rest.threshold, in: 0...1)
    rest.velocity = try record.number("velocity", default: rest.velocity, in: 0...1e6)
    rest.margins = try record.pair("margins", in: 0...1)
    rest.movesTarget = try record.bool("target", default: rest.movesTarget)
    rest.takesContent = try takesContent(&record)
    rest.beginsWithFrame = try record.bool("beginsWithFrame", default: rest.beginsWithFrame)
    rest.drawnBy = try record.choice("drawnBy", default: rest.drawnBy)
    rest.isAlwaysTold = try record.bool("always", default: rest.isAlwaysTold)
    rest.motion = try motion(&record)
    rest.scalesDuration = try record.bool("scaled", default: rest.scalesDuration)
    try record.finish()
    return rest
  }

  private static func takesContent(_ fields: inout Fields) throws(Refusal) -> Rest.TakesContent {
    switch fields.take("takesContent") {
    case nil, .bool(true)?: return .hiding
    case .bool(false)?: return .never
    case .text("both")?: return .both
    case let value?:
      throw .unexpected(value, at: "\(fields.place).takesContent", needed: "true, false or \"both\"")
    }
  }

  /// A record of names and progress.
  private static func stops(_ fields: inout Fields) throws(Refusal) -> [Rest.Stop] {
    let record = try fields.record("stops", needed: "a record of names, each with a number from 0 to 1")
    var stops: [Rest.Stop] = []
    for (name, value) in record.all {
      guard let progress = value.number, (0...1).contains(progress) else {
        throw .unexpected(value, at: "\(record.place).\(name)", needed: "a number from 0 to 1")
      }
      stops.append(Rest.Stop(name: name, progress: progress))
    }
    return stops.sorted { $0.progress < $1.progress }
  }

  private static func motion(_ fields: inout Fields) throws(Refusal) -> Rest.Motion {
    guard fields.has("spring") else {
      let seconds = try fields.number("duration", default: 0.2, in: 0...60)
      let curve = try fields.curve("curve", default: .bezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1))
      return Rest.Motion(curve, duration: seconds)
    }
    var record = try fields.record("spring", needed: "a record {mass, stiffness, damping}")
    let spring = Spring(
      try record.number("mass", default: 1, in: 1e-3...1e3),
      try record.number("stiffness", default: 400, in: 1e-3...1e6),
      try record.number("damping", default: 40, in: 1e-3...1e6))
    try record.finish()
    let seconds = spring.settlingTime(1e-4, most: 10)
    return Rest.Motion(.spring(spring, seconds: seconds), duration: seconds)
  }

  private static func look(_ fields: inout Fields) throws(Refusal) -> DrawerLook {
    var look = DrawerLook()
    if fields.peek("fade") == .bool(true) {
      _ = fields.take("fade")
      look.fade = 0...1
    } else if fields.has("fade") {
      var record = try fields.record("fade", needed: "true or a record {from, to}")
      let from = try record.number("from", default: 0, in: 0...1)
      let to = try record.number("to", default: 1, in: 0...1)
      guard from < to else {
        throw Refusal("\(record.place).to: expected more than from, which is \(from.brief), got \(to.brief)")
      }
      look.fade = from...to
      try record.finish()
    }
    look.parallax = try fields.number("parallax", default: 0, in: -10...10)
    look.zIndex = fields.has("zIndex") ? try fields.integer("zIndex", in: -100...100) : nil
    look.scale = try fields.scale()
    guard (0...100).contains(look.scale.x), (0...100).contains(look.scale.y) else {
      throw Refusal("\(fields.place).scale: expected factors from 0 to 100")
    }
    return look
  }
}

extension Fields {
  /// A number for both directions, or {hide, show}; a direction left out is 0.
  mutating func pair(_ name: String, in range: ClosedRange<Double> = 0...Grid.bound) throws(Refusal) -> Pair {
    guard has(name) else { return Pair() }
    if peek(name)?.number != nil {
      let both = try number(name, default: 0, in: range)
      return Pair(hide: both, show: both)
    }
    var record = try record(
      name, needed: "a number from \(range.lowerBound.brief) to \(range.upperBound.brief) or a record {hide, show}")
    let pair = Pair(
      hide: try record.number("hide", default: 0, in: range), show: try record.number("show", default: 0, in: range))
    try record.finish()
    return pair
  }

  /// A curve by its name, or by its two control points.
  mutating func curve(_ name: String, default value: Easing) throws(Refusal) -> Easing {
    guard let found = peek(name) else { return value }
    if let curve = found.text.flatMap({ text in Easing.named.first { $0.name == text }?.curve }) {
      _ = take(name)
      return curve
    }
    let words = Easing.named.map { "\"\($0.name)\"" }.joined(separator: ", ")
    guard found.list != nil else {
      throw .unexpected(found, at: "\(place).\(name)", needed: "one of \(words), or a list of 4 numbers")
    }
    let points = try numbers(name, count: 4)
    guard (0...1).contains(points[0]), (0...1).contains(points[2]), points.allSatisfy({ abs($0) <= 10 }) else {
      throw Refusal("\(place).\(name): expected control points with x from 0 to 1 and y from -10 to 10")
    }
    return .bezier(x1: points[0], y1: points[1], x2: points[2], y2: points[3])
  }
}
