// SPDX-License-Identifier: MIT
//
// Keys and interpolation: where a stretch begins and ends, what equal keys do, what is mixed and what is not.

import HeaderLayoutAttributes
import HeaderPluginKit
import Testing

@Suite struct LayoutTrackTests {
  func track(_ progresses: Double...) -> LayoutTrack {
    var track = LayoutTrack()
    for (bundle, progress) in progresses.enumerated() { track.add(bundle, at: progress) }
    return track
  }

  struct Row: CustomTestStringConvertible {
    var title: String
    var progress: Double
    var stretch: LayoutTrack.Stretch?
    var testDescription: String { title }
  }

  static let rows = [
    Row(title: "below the first key nothing is applied", progress: 0.29, stretch: nil),
    Row(title: "exactly the first key", progress: 0.25, stretch: .init(floor: 0, ceiling: 1, share: 0)),
    Row(title: "between two keys", progress: 0.375, stretch: .init(floor: 0, ceiling: 1, share: 0.5)),
    Row(
      title: "exactly a key in the middle begins the next stretch", progress: 0.5,
      stretch: .init(floor: 1, ceiling: 2, share: 0)),
    Row(
      title: "the last key alone; the share runs on to 1", progress: 0.875,
      stretch: .init(floor: 2, ceiling: 2, share: 0.5)),
  ]

  @Test(arguments: rows) func stretches(_ row: Row) {
    // The first row's track has its first key a little later.
    let track = row.stretch == nil ? track(0.3, 0.5) : track(0.25, 0.5, 0.75)
    #expect(track.stretch(at: row.progress) == row.stretch)
  }

  @Test func aKeyAtOneDividesByItself() {
    #expect(track(0, 1).stretch(at: 1) == .init(floor: 1, ceiling: 1, share: 0))
  }

  @Test func anEmptyTrackDoesNothing() { #expect(LayoutTrack().stretch(at: 0.5) == nil) }

  @Test func anEqualKeyReplacesAllAndIsInsertedOnceMore() {
    var track = track(0, 0.5, 1)
    track.add(7, at: 0.5)
    #expect(track.keys.map(\.progress) == [0, 0.5, 0.5, 1])
    #expect(track.keys.map(\.bundle) == [0, 7, 7, 2])
    #expect(track.stretch(at: 0.5) == .init(floor: 7, ceiling: 2, share: 0))
    track.remove(at: 0.5)
    #expect(track.keys.map(\.bundle) == [0, 7, 2])
  }

  @Test func addingCutsTheProgressAndRemovingDoesNot() {
    var track = track(-3, 4)
    #expect(track.keys.map(\.progress) == [0, 1])
    track.remove(at: -3)
    #expect(track.keys.count == 2)
  }

  @Test func keysAreKeptInOrder() { #expect(track(0.9, 0.1, 0.5).keys.map(\.bundle) == [1, 2, 0]) }
}

@Suite struct InterpolationTests {
  let start = Look(center: Point(x: 1, y: 2), bounds: Rect(width: 3, height: 4), cornerRadius: 9)

  func ends() -> (LayoutAttributes, LayoutAttributes) {
    var (from, to) = (LayoutAttributes(), LayoutAttributes())
    from.set(frame: Rect(x: 0, y: 0, width: 100, height: 40))
    from.zIndex = 3
    to.set(frame: Rect(x: 50, y: 10, width: 20, height: 80))
    to.set(transform: AffineTransform(a: 3, b: 0, c: 0, d: 1, tx: 8, ty: 0))
    to.alpha = 0.2
    to.zIndex = 7
    to.isHidden = true
    return (from, to)
  }

  @Test func numbersAreMixedAndTheRestIsTheFloors() {
    let (from, to) = ends()
    var look = start
    look.apply(from, to, share: 0.25)
    #expect(look.center == Point(x: 52.5, y: 27.5))
    #expect(look.bounds == Rect(width: 80, height: 50))
    #expect(look.transform.m[0] == 1.5 && look.transform.m[5] == 1 && look.transform.m[12] == 2)
    #expect(look.alpha == 0.8)
    #expect(look.zIndex == 3)
    #expect(!look.isHidden)
    #expect(look.cornerRadius == 9)
  }

  @Test func theCeilingItselfComesOnlyAsTheNextFloor() {
    let (from, to) = ends()
    var look = start
    look.apply(from, to, share: 1)
    #expect(look.zIndex == 3 && !look.isHidden)
    look.apply(to, to, share: 0)
    #expect(look.zIndex == 7 && look.isHidden)
  }

  @Test func aCornerRadiusAtOneEndHoldsForTheStretch() {
    var (from, to) = ends()
    to.cornerRadius = 6
    var look = start
    look.apply(from, to, share: 0.5)
    #expect(look.cornerRadius == 6)
    from.cornerRadius = 2
    look.apply(from, to, share: 0.5)
    #expect(look.cornerRadius == 4)
  }

  @Test(arguments: [Aspects.center, .bounds, .transform, .alpha, .zIndex, .hidden])
  func otherAspectsStay(_ aspect: Aspects) {
    let (_, to) = ends()
    var look = start
    look.apply(to, to, share: 0, aspects: aspect)
    #expect(look != start)
    var others = look
    others.apply(to, to, share: 0, aspects: Aspects.all.subtracting(aspect))
    var all = start
    all.apply(to, to, share: 0)
    #expect(others == all)
    // Taking the one aspect back leaves nothing changed.
    look.center = aspect == .center ? start.center : look.center
    look.bounds = aspect == .bounds ? start.bounds : look.bounds
    look.transform = aspect == .transform ? start.transform : look.transform
    look.alpha = aspect == .alpha ? start.alpha : look.alpha
    look.zIndex = aspect == .zIndex ? start.zIndex : look.zIndex
    look.isHidden = aspect == .hidden ? start.isHidden : look.isHidden
    #expect(look == start)
  }

  /// Equal ends give exactly their numbers, whatever the share.
  @Test(arguments: [0, 0.1, 1.0 / 3, 0.7, 1]) func equalEndsAreExact(_ share: Double) {
    #expect(lerp(0.1, 0.1, share) == 0.1)
    #expect(lerp(-200.3, -200.3, share) == -200.3)
  }
}
