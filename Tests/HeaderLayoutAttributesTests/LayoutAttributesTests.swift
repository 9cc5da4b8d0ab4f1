// SPDX-License-Identifier: MIT
//
// The coupling of a bundle's setters, row by row; reading bundles from records, with the words for what is wrong.

import HeaderLayoutAttributes
import HeaderPluginKit
import Testing

@Suite struct CouplingTests {
  let frame = Rect(x: 10, y: 20, width: 100, height: 40)
  let twice = AffineTransform(a: 2, b: 0, c: 0, d: 2, tx: 5, ty: 6)

  @Test func beginsEmpty() {
    let bundle = LayoutAttributes()
    #expect(bundle.frame == Rect())
    #expect(bundle.alpha == 1)
    #expect(!bundle.isHidden)
    #expect(bundle.isPlain)
  }

  @Test func frameSetsCenterAndSizes() {
    var bundle = LayoutAttributes()
    bundle.set(frame: frame)
    #expect(bundle.center == Point(x: 60, y: 40))
    #expect(bundle.size == Size(width: 100, height: 40))
    #expect(bundle.bounds == Rect(width: 100, height: 40))
  }

  @Test func boundsLeaveTheFrame() {
    var bundle = LayoutAttributes()
    bundle.set(frame: frame)
    let taken = bundle.set(bounds: Rect(width: 8, height: 9))
    #expect(taken)
    #expect(bundle.frame == frame)
    #expect(bundle.size == Size(width: 8, height: 9))
    // From here the frame's origin follows the bounds, its size does not.
    bundle.set(center: Point(x: 70, y: 80))
    #expect(bundle.frame == Rect(x: 66, y: 75.5, width: 100, height: 40))
  }

  @Test func boundsWithAnOriginAreRefused() {
    var bundle = LayoutAttributes()
    let taken = bundle.set(bounds: Rect(x: 0, y: 1, width: 8, height: 9))
    #expect(!taken)
    #expect(bundle == LayoutAttributes())
  }

  @Test func theOrderOfSizeAndCenterMatters() {
    var sizeFirst = LayoutAttributes()
    sizeFirst.set(size: Size(width: 20, height: 10))
    sizeFirst.set(center: Point(x: 50, y: 50))
    #expect(sizeFirst.frame == Rect(x: 40, y: 45, width: 20, height: 10))
    var centerFirst = LayoutAttributes()
    centerFirst.set(center: Point(x: 50, y: 50))
    centerFirst.set(size: Size(width: 20, height: 10))
    #expect(centerFirst.frame == Rect(x: 50, y: 50, width: 20, height: 10))
    #expect(centerFirst.center == sizeFirst.center && centerFirst.bounds == sizeFirst.bounds)
  }

  @Test func aTransformTakesTheFrameForGood() {
    var bundle = LayoutAttributes()
    bundle.set(frame: frame)
    bundle.set(transform: twice)
    #expect(bundle.frame == nil)
    #expect(bundle.transform3D.m[12] == 5)
    bundle.set(transform: .identity)
    #expect(bundle.frame == nil)
    #expect(bundle.size == Size(width: 100, height: 40))
  }

  @Test func withATransformAFrameEmptiesTheSize() {
    var bundle = LayoutAttributes()
    bundle.set(transform: twice)
    bundle.set(frame: Rect(x: 1, y: 2, width: 30, height: 40))
    #expect(bundle.frame == nil)
    #expect(bundle.center == Point(x: 16, y: 22))
    #expect(bundle.bounds == Rect())
    bundle.place(in: Rect(x: 1, y: 2, width: 30, height: 40))
    #expect(bundle.bounds == Rect(width: 30, height: 40))
    #expect(bundle.center == Point(x: 16, y: 22))
  }

  @Test func aSizeWithoutAFrameWaitsForTheCenter() {
    var bundle = LayoutAttributes()
    bundle.set(transform: twice)
    bundle.set(transform: .identity)
    bundle.set(size: Size(width: 6, height: 4))
    #expect(bundle.frame == nil)
    bundle.set(center: Point(x: 3, y: 4))
    #expect(bundle.frame == Rect(x: 0, y: 2, width: 6, height: 4))
  }

  @Test func transform3DOutOfThePlaneIsNotPlain() {
    var bundle = LayoutAttributes()
    var transform = Transform.identity
    transform.m[11] = -0.002
    bundle.set(transform3D: transform)
    #expect(bundle.transform == .identity)
    #expect(!bundle.isPlain)
    #expect(bundle.frame == nil)
  }

  @Test func whatIsSavedComesBack() throws {
    var bundle = LayoutAttributes()
    bundle.set(frame: frame)
    #expect(try LayoutAttributes(saved: bundle.saved, at: "saved") == bundle)
    bundle.set(transform: twice)
    bundle.set(size: Size(width: 1, height: 2))
    bundle.cornerRadius = 4
    #expect(try LayoutAttributes(saved: bundle.saved, at: "saved") == bundle)
  }
}

@Suite struct ReadingTests {
  struct Row: CustomTestStringConvertible {
    var field: String
    var value: Data
    var error: String
    var testDescription: String { error }
  }

  static let rows = [
    Row(field: "frame", value: .number(1), error: "keys[0].frame: expected a record, got 1"),
    Row(
      field: "frame", value: .record([("x", .number(1))]), error: "keys[0].frame.y: expected a number, it is missing"),
    Row(
      field: "center", value: .record([("x", .number(1)), ("y", .number(1)), ("z", .number(1))]),
      error: "keys[0].center.z: there is no such field, expected x, y"),
    Row(
      field: "bounds", value: Data(Rect(x: 1, y: 0, width: 1, height: 1)),
      error: "keys[0].bounds: expected the origin (0, 0)"),
    Row(field: "size", value: .record([]), error: "keys[0].size.width: expected a number, it is missing"),
    Row(
      field: "transform", value: .list([.number(1)]),
      error: "keys[0].transform: expected a list of 6 numbers, got a list"),
    Row(
      field: "transform3D", value: .text("none"),
      error: "keys[0].transform3D: expected a list of 16 numbers or \"identity\", got \"none\""),
    Row(
      field: "transform", value: .list([.number(1), .bool(true), .number(0), .number(0), .number(0), .number(0)]),
      error: "keys[0].transform: expected a list of 6 numbers, got a list"),
    Row(field: "alpha", value: .text("half"), error: "keys[0].alpha: expected a number, got \"half\""),
    Row(field: "hidden", value: .number(0), error: "keys[0].hidden: expected true or false, got 0"),
    Row(field: "cornerRadius", value: .bool(true), error: "keys[0].cornerRadius: expected a number or null, got true"),
    Row(
      field: "colour", value: .number(0),
      error:
        "keys[0].colour: there is no such field, expected frame, bounds, center, size, transform3D, transform, alpha, zIndex, hidden, cornerRadius"
    ),
  ]

  @Test(arguments: rows) func whatIsWrongIsNamed(_ row: Row) throws {
    let refusal = #expect(throws: Refusal.self) {
      var fields = try Fields(.record([(row.field, row.value)]), at: "keys[0]")
      var bundle = LayoutAttributes()
      try bundle.set(from: &fields)
      try fields.finish()
    }
    #expect(refusal?.reason == row.error)
  }

  /// A record's fields are set in one order, whatever the order in which they stand.
  @Test func theOrderOfFieldsDoesNotMatter() throws {
    let fields: [(name: String, value: Data)] = [
      ("center", Data(Point(x: 50, y: 50))), ("size", Data(Size(width: 20, height: 10))), ("alpha", .number(0.5)),
      ("transform", .list([2, 0, 0, 2, 0, 0].map { .number($0) })),
      ("frame", Data(Rect(x: 1, y: 2, width: 3, height: 4))),
    ]
    var results: [LayoutAttributes] = []
    for order in [fields, fields.reversed()] {
      var bundle = LayoutAttributes()
      var record = try Fields(.record(order), at: "keys[0]")
      let set = try bundle.set(from: &record)
      #expect(set == [.center, .bounds, .transform, .alpha])
      results.append(bundle)
    }
    #expect(results[0] == results[1])
    #expect(results[0].bounds == Rect(width: 20, height: 10))
    #expect(results[0].transform3D.m[0] == 2)
  }
}
