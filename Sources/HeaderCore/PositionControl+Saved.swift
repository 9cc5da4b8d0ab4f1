// SPDX-License-Identifier: MIT
//
// Constraints and motion as part of a saved header.

import HeaderModel

extension PositionControl {
  var saved: Value {
    var record: Value.Record = [
      "lastMotion": .number(SavedHeader.count(lastMotion)),
      "constraints": .list(
        constraints.map { constraint in
          var row = Value.Record()
          constraint.write(to: &row)
          row["priority"] = .number(Double(max(-1_000_000, min(1_000_000, constraint.priority))))
          return .record(row)
        }),
    ]
    record["motion"] = motion?.saved
    return .record(record)
  }

  init(saved: Value?, at path: Path, delegates: Int, drawers: Int) throws(HeaderError) {
    self.init()
    var fields = try FieldReader(saved, at: path)
    lastMotion = Int(try fields.required(number: "lastMotion", in: 0...SavedHeader.maxCount, of: ""))
    for row in try fields.rows("constraints", count: nil) {
      var row = row
      constraints.append(try Constraint(saved: &row))
    }
    guard constraints.count <= Self.maxConstraints + 1 else {
      throw fields.unexpected(
        "constraints", needed: "at most \(Self.maxConstraints) constraints", expected: "list")
    }
    motion = try fields.nested("motion") { fields throws(HeaderError) in
      try Motion(saved: &fields, delegates: delegates, drawers: drawers)
    }
    updatePermitted()
  }
}

extension Constraint {
  fileprivate init(saved fields: inout FieldReader) throws(HeaderError) {
    // The engine's own is read as any other, and keeps its rank.
    let isOwn = try fields.text("name") == Self.accessibility
    let priority = try fields.integer("priority", in: -1_000_000...1_000_000) ?? 0
    self = try Constraint(&fields, isSaved: true)
    self.priority = isOwn ? .max : priority
  }
}

extension Motion {
  fileprivate var saved: Value {
    var record: Value.Record = [
      "id": .number(SavedHeader.count(id)), "start": .text(String(start.nanoseconds)), "framed": .number(framed),
      "duration": .number(path.duration), "curve": path.curve.saved, "drawnBy": .text(drawnBy.rawValue),
      "isImposed": .bool(isImposed), "isLawful": .bool(isLawful),
      "parts": .list(
        parts.map { part in
          var row: Value.Record = [
            "delegate": .number(Double(part.delegate)), "from": .number(part.from), "to": .number(part.to),
            "centers": .list(part.centers.map { .number($0) }), "drawer": .number(Double(part.drawer)),
            "expected": .number(part.expected),
          ]
          if !part.ends.isEmpty { row["ends"] = .list(part.ends.map { .number($0) }) }
          return .record(row)
        }),
    ]
    record["followed"] = followed.map { .text($0.rawValue) }
    return .record(record)
  }

  fileprivate init(saved fields: inout FieldReader, delegates: Int, drawers: Int) throws(HeaderError) {
    // The way of many drawers together, each of which may be as long as a number may be.
    let way = -1e15...1e15
    // An announced animation may last a day after a delay of a day.
    let seconds = 0...172_800.0
    let duration = try fields.required(number: "duration", in: seconds, of: "seconds")
    let curve = try fields.nested("curve") { fields throws(HeaderError) in try AnimationCurve(saved: &fields) }
    self.init(
      id: Int(try fields.required(number: "id", in: 0...SavedHeader.maxCount, of: "")),
      path: MotionPath(curve ?? .linear, duration: duration), start: try fields.headerTime("start"),
      drawnBy: try fields.choice("drawnBy", MotionStyle.Drawer.self) ?? .frames,
      isImposed: try fields.bool("isImposed") ?? false, isLawful: try fields.bool("isLawful") ?? false, parts: [])
    followed = try fields.choice("followed", Followed.self)
    framed = try fields.required(number: "framed", in: 0...FieldReader.bound, of: "seconds")
    for row in try fields.rows("parts", count: nil) {
      var row = row
      var part = Part(
        delegate: try row.delegate(of: delegates), from: try row.required(number: "from", in: way),
        to: try row.required(number: "to", in: way))
      part.drawer = try row.integer("drawer", in: 0...max(0, drawers - 1)) ?? 0
      part.expected = try row.required(number: "expected", in: way)
      let centers = try row.list("centers") ?? []
      if !centers.isEmpty { part.centers = try row.numbers("centers", count: drawers) }
      if row.has("ends") { part.ends = try row.numbers("ends", count: drawers) }
      parts.append(part)
    }
  }
}

extension AnimationCurve {
  fileprivate var saved: Value {
    guard case .spring(let mass, let stiffness, let damping, let velocity) = self else { return ["word": .text(word)] }
    return [
      "word": "spring", "mass": .number(mass), "stiffness": .number(stiffness), "damping": .number(damping),
      "initialVelocity": .number(velocity),
    ]
  }

  fileprivate init(saved fields: inout FieldReader) throws(HeaderError) {
    let word = try fields.choice("word", AnimationCurve.words.map { ($0, $0) })
    guard word == "spring" else {
      self = word.flatMap(AnimationCurve.init(named:)) ?? .linear
      return
    }
    let range = 1e-3...1e6
    self = .spring(
      mass: try fields.required(number: "mass", in: range, of: "kilograms"),
      stiffness: try fields.required(number: "stiffness", in: range, of: "newtons a meter"),
      damping: try fields.required(number: "damping", in: range, of: "newton seconds a meter"),
      initialVelocity: try fields.required(number: "initialVelocity", of: "ways a second"))
  }
}
