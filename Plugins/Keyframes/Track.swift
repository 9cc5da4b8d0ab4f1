// SPDX-License-Identifier: MIT
//
// A track: one element, what it follows, and its keys; read from a record of the option `tracks` with every field checked.
//
//     {element: "title", drawer: "navBar", by: "contraction", from: 0, to: 0.5,
//      keys: [{progress: 0}, {progress: 1, alpha: 0, translation: {x: 0, y: -10}}]}
//
// A key begins as a copy of the key before it, the first one as the element is described. Only attributes that some key of
// the track gives are set at all; the rest of the element's look stays with its other owner. An attribute
// without a sensible start (center, bounds, cornerRadius) must then stand in the first key.

internal import HeaderLayoutAttributes
internal import HeaderPluginKit

/// What of a drawer is followed.
enum Measure: String, CaseIterable {
  /// 0 at its maximum height, 1 at its minimum; below 0 while it is taller. 0 for a drawer whose height is fixed.
  case collapse
  /// 0 expanded, 1 slid off. 0 for a drawer that does not slide.
  case contraction
  /// The height in points.
  case height
  /// The upper edge in header space, in points.
  case top
}

/// What a track follows.
enum Source: Equatable {
  case drawer(String, Measure)
  case value(String)
}

/// One element's track. A class, since it has too many parts to be copied with every event.
final class Track {
  /// Where it stands in the options, for errors.
  let place: String
  let element: String
  let source: Source
  /// The followed quantity at progress 0 and at 1.
  let from: Double
  let to: Double
  private(set) var keys = LayoutTrack()
  private var bundles: [LayoutAttributes] = []
  /// What each key and those before it give.
  private var given: [Aspects] = []
  private(set) var aspects: Aspects = []

  private init(place: String, element: String, source: Source, range: (from: Double, to: Double)) {
    self.place = place
    self.element = element
    self.source = source
    (from, to) = range
  }

  /// What neither a key nor one before it gives is as the element is described.
  func begin(from look: Look) {
    for index in bundles.indices {
      let given = given[index]
      if !given.contains(.transform) { bundles[index].set(transform3D: look.transform) }
      if !given.contains(.alpha) { bundles[index].alpha = look.alpha }
      if !given.contains(.zIndex) { bundles[index].zIndex = look.zIndex }
      if !given.contains(.hidden) { bundles[index].isHidden = look.isHidden }
    }
  }

  /// The mixture at a place between two keys.
  func apply(_ stretch: LayoutTrack.Stretch, to look: inout Look) {
    look.apply(bundles[stretch.floor], bundles[stretch.ceiling], share: stretch.share, aspects: aspects)
  }
}

// MARK: - Reading

extension Track {
  /// Reads the option `tracks`.
  static func list(_ value: Value, at place: String) throws(Refusal) -> [Track] {
    var tracks: [Track] = []
    for fields in try Fields.list(value, at: place) {
      let track = try Track(fields)
      for other in tracks where other.element == track.element {
        let both = track.aspects.intersection(other.aspects)
        guard both.isEmpty else {
          throw Refusal("\(track.place): \(other.place) already sets \(both.words) of \"\(track.element)\"")
        }
      }
      tracks.append(track)
    }
    return tracks
  }

  private convenience init(_ given: Fields) throws(Refusal) {
    var fields = given
    let element = try fields.text("element")
    let source = try Self.source(&fields)
    self.init(place: fields.place, element: element, source: source, range: try Self.range(&fields, source))
    let keys = try fields.records("keys")
    try fields.finish()
    guard !keys.isEmpty else { throw Refusal("\(place).keys: expected at least one key") }
    for key in keys { try add(key) }
    guard !aspects.isEmpty else { throw Refusal("\(place).keys: no key gives anything to set") }
  }

  private static func source(_ fields: inout Fields) throws(Refusal) -> Source {
    let place = fields.place
    let (drawer, value) = (try fields.textOrNull("drawer"), try fields.textOrNull("value"))
    guard let drawer else {
      guard let value else { throw Refusal("\(place): expected drawer or value, which is to be followed") }
      guard !fields.has("by") else {
        throw Refusal("\(place).by: expected drawer beside it; a value has nothing to choose")
      }
      return .value(value)
    }
    guard value == nil else { throw Refusal("\(place): expected drawer or value, not both") }
    return .drawer(drawer, try fields.choice("by"))
  }

  /// From 0 to 1 unless it is given; for points it must be.
  private static func range(_ fields: inout Fields, _ source: Source) throws(Refusal) -> (Double, Double) {
    let isInPoints =
      switch source {
      case .drawer(_, .height), .drawer(_, .top): true
      case .drawer, .value: false
      }
    let bounds = -1e9...1e9
    let from = isInPoints ? try fields.number("from", in: bounds) : try fields.number("from", default: 0, in: bounds)
    let to = isInPoints ? try fields.number("to", in: bounds) : try fields.number("to", default: 1, in: bounds)
    guard from != to else {
      throw Refusal("\(fields.place).to: expected another number than from, which is \(from.brief)")
    }
    return (from, to)
  }

  private func add(_ key: Fields) throws(Refusal) {
    var fields = key
    let progress = try fields.number("progress", in: 0...1)
    if let last = keys.keys.last, progress <= last.progress {
      throw Refusal("\(fields.place).progress: expected more than the key before it, \(last.progress.brief)")
    }
    var bundle = bundles.last ?? LayoutAttributes()
    let set = try bundle.set(fromKey: &fields)
    try fields.finish()
    let late = set.subtracting(aspects).intersection([.center, .bounds, .cornerRadius])
    guard bundles.isEmpty || late.isEmpty else {
      throw Refusal("\(place).keys[0]: expected \(late.words) here too, since \(fields.place) gives it")
    }
    aspects.formUnion(set)
    given.append(aspects)
    keys.add(bundles.count, at: progress)
    bundles.append(bundle)
  }

  static func check(_ number: Double, in range: ClosedRange<Double>, _ place: String) throws(Refusal) {
    guard range.contains(number) else {
      throw Refusal("\(place): expected \(range.lowerBound.brief) to \(range.upperBound.brief), got \(number.brief)")
    }
  }
}

extension LayoutAttributes {
  /// Takes a key's attributes over. Unlike in the original, a frame is center and bounds also when there is a transform,
  /// and a transform may be given as translation and scale.
  fileprivate mutating func set(fromKey fields: inout Fields) throws(Refusal) -> Aspects {
    var aspects: Aspects = []
    if fields.has("frame") {
      place(in: try fields.rect("frame"))
      aspects.formUnion([.center, .bounds])
    }
    if fields.has("translation") || fields.has("scale") {
      guard !fields.has("transform"), !fields.has("transform3D") else {
        throw Refusal("\(fields.place): expected translation and scale, or a transform, not both")
      }
      let move = try fields.pointOrNull("translation") ?? Point()
      let scale = try fields.scale()
      set(transform: AffineTransform(a: scale.x, b: 0, c: 0, d: scale.y, tx: move.x, ty: move.y))
      aspects.insert(.transform)
    }
    aspects.formUnion(try set(from: &fields))
    try check(fields.place)
    return aspects
  }

  /// Refuses values that the host would not take.
  private func check(_ place: String) throws(Refusal) {
    try Track.check(alpha, in: 0...1, "\(place).alpha")
    try Track.check(cornerRadius ?? 0, in: 0...1e9, "\(place).cornerRadius")
    try Track.check(zIndex, in: -1e9...1e9, "\(place).zIndex")
    try Track.check(bounds.width, in: 0...1e9, "\(place): the width")
    try Track.check(bounds.height, in: 0...1e9, "\(place): the height")
    try Track.check(center.x, in: -1e9...1e9, "\(place): x of the center")
    try Track.check(center.y, in: -1e9...1e9, "\(place): y of the center")
    for index in 0..<16 {
      try Track.check(transform3D.m[index], in: -1e9...1e9, "\(place): a number of the transform")
    }
  }
}

extension Aspects {
  /// Names in a key that set these parts.
  var words: String {
    let names: [(Aspects, String)] = [
      (.center, "the center"), (.bounds, "the size"), (.transform, "the transform"), (.alpha, "alpha"),
      (.zIndex, "zIndex"), (.hidden, "hidden"), (.cornerRadius, "cornerRadius"),
    ]
    return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
  }
}
