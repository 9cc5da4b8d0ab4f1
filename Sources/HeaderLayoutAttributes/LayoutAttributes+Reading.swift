// SPDX-License-Identifier: MIT
//
// Bundles as options, arguments and results:
//
//     {frame: {x, y, width, height}, bounds: {x: 0, y: 0, width, height}, center: {x, y}, size: {width, height},
//      transform3D: [m11, m12 … m44] or "identity", transform: [a, b, c, d, tx, ty], alpha, zIndex, hidden, cornerRadius}
//
// Each is optional. Those of one record are set in the order above, since tables of TOML keep no order; for another
// order, write a list of records with one field each.

public import HeaderPluginKit

extension LayoutAttributes {
  /// Takes the attributes out of a record and sets them; other fields are left to the caller.
  /// - Returns: the attributes that were set.
  /// - Throws: when one has another form than above, with its place; the bundle may then have changed in part.
  @discardableResult
  public mutating func set(from fields: inout Fields) throws(Refusal) -> Aspects {
    var aspects: Aspects = []
    if fields.has("frame") {
      set(frame: try fields.rect("frame"))
      aspects.formUnion([.center, .bounds])
    }
    if fields.has("bounds") {
      guard set(bounds: try fields.rect("bounds")) else {
        throw Refusal("\(fields.place).bounds: expected the origin (0, 0)")
      }
      aspects.insert(.bounds)
    }
    if fields.has("center") {
      set(center: try fields.point("center"))
      aspects.insert(.center)
    }
    if fields.has("size") {
      set(size: try fields.size("size"))
      aspects.insert(.bounds)
    }
    if fields.has("transform3D") {
      set(transform3D: try fields.transform3D("transform3D"))
      aspects.insert(.transform)
    }
    if fields.has("transform") {
      set(transform: try fields.affineTransform("transform"))
      aspects.insert(.transform)
    }
    if fields.has("alpha") {
      alpha = try fields.number("alpha")
      aspects.insert(.alpha)
    }
    if fields.has("zIndex") {
      zIndex = try fields.number("zIndex")
      aspects.insert(.zIndex)
    }
    if fields.has("hidden") {
      isHidden = try fields.bool("hidden")
      aspects.insert(.hidden)
    }
    if fields.has("cornerRadius") {
      cornerRadius = try fields.numberOrNull("cornerRadius")
      aspects.insert(.cornerRadius)
    }
    return aspects
  }

  /// The attributes as one reads them: nine, and the corner radius where one is given. A null frame is null.
  public var value: Value {
    var fields: [(name: String, value: Value)] = [
      ("frame", frame.map(Value.init) ?? .null), ("bounds", Value(bounds)), ("center", Value(center)),
      ("size", Value(size)), ("transform3D", transform3D == .identity ? .text("identity") : Value(transform3D)),
      ("transform", Value(transform)), ("alpha", .number(alpha)), ("zIndex", .number(zIndex)),
      ("hidden", .bool(isHidden)),
    ]
    if let cornerRadius { fields.append(("cornerRadius", .number(cornerRadius))) }
    return .record(fields)
  }
}

// MARK: - Forms

extension Fields {
  /// Sixteen numbers by rows, or "identity".
  public mutating func transform3D(_ name: String) throws(Refusal) -> Transform {
    if let text = peek(name)?.text, text == "identity" {
      _ = take(name)
      return .identity
    }
    let list = try numbers(name, count: 16, or: "\"identity\"")
    var transform = Transform.identity
    for (index, number) in list.enumerated() { transform.m[index] = number }
    return transform
  }

  /// Six numbers: a, b, c, d, tx, ty.
  public mutating func affineTransform(_ name: String) throws(Refusal) -> AffineTransform {
    let m = try numbers(name, count: 6)
    return AffineTransform(a: m[0], b: m[1], c: m[2], d: m[3], tx: m[4], ty: m[5])
  }
}

extension Value {
  init(_ transform: Transform) { self = .list((0..<16).map { .number(transform.m[$0]) }) }

  init(_ transform: AffineTransform) {
    self = .list(
      [transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty].map(Value.number))
  }
}
