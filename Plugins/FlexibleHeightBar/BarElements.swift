// SPDX-License-Identifier: MIT
//
// The looks of the bar's elements, by progress: named bundles of layout attributes, and for each element the keys that say at which
// progress it has which bundle. The Keyframes behavior shares the interpolation (HeaderLayoutAttributes); this file reads the bar's
// options for it.
//
//     elements: [{element: "label",
//                 layouts: [{name: "large", size: {…}, center: {…}},
//                           {name: "small", copyOf: "large", center: {…}, alpha: 0.5}],
//                 keys: [{progress: 0, layout: "large"}, {progress: 0.6, layout: "small"}, {progress: 1, alpha: 0}]}]
//
// Names of bundles are the bar's, not the element's: keys of several elements may name one bundle. A layout's own fields are set in the
// order that LayoutAttributes+Reading.swift gives, then those of `set`, a list of records, one after the other. A key may also hold the
// attributes itself.

internal import HeaderLayoutAttributes
internal import HeaderPluginKit

/// Bundles, and the keys of the elements.
struct BarElements {
  /// The keys of one element.
  struct Keyed {
    var name: String
    /// Its place among the header's elements; nil while that is not known, or when the bar yields it to another delegate.
    var index: Int?
    var track = LayoutTrack()
  }

  private(set) var bundles: [LayoutAttributes] = []
  /// The bundles' names; empty for one that a key holds itself.
  private var names: [String] = []
  private(set) var keyed: [Keyed] = []
  /// A call has changed the option's bundles or keys.
  private(set) var isChanged = false

  init() {}

  // MARK: Layout

  /// Gives each element the look of its keys at a progress. Below its first key it keeps its look.
  func apply(_ progress: Double, to host: Host) {
    for element in keyed {
      guard let index = element.index, let stretch = element.track.stretch(at: progress) else { continue }
      var look = host.look(index)
      look.apply(bundles[stretch.floor], bundles[stretch.ceiling], share: stretch.share)
      host.set(look, of: index)
    }
  }

  /// Finds the elements in the header and makes their look the bar's own.
  mutating func claim(for bar: Behavior, drawer: Int) throws(Refusal) {
    var indexes: [Int] = []
    for element in keyed { indexes.append(try Self.find(element.name, of: drawer, in: bar.host)) }
    let claimed = try bar.claimElements(indexes)
    for place in keyed.indices {
      keyed[place].index = claimed.contains(indexes[place]) ? indexes[place] : nil
    }
  }

  private static func find(_ name: String, of drawer: Int, in host: Host) throws(Refusal) -> Int {
    guard let index = host.element(named: name), host.drawer(ofElement: index) == drawer else {
      let known = (0..<host.elementCount).filter { host.drawer(ofElement: $0) == drawer }.map(host.elementName)
      throw Refusal(
        "the bar has no element \"\(name)\"; \(Self.listed(known))")
    }
    return index
  }

  static func listed(_ names: [String]) -> String {
    names.isEmpty ? "there is none" : "there are \(names.joined(separator: ", "))"
  }

  // MARK: The option

  /// Reads the option.
  /// - Throws: mistakes, with their place.
  init(_ value: Value, at place: String) throws(Refusal) {
    var keys: [(element: String, keys: [Fields])] = []
    for var fields in try Fields.list(value, at: place) {
      let element = try fields.text("element")
      guard !keys.contains(where: { $0.element == element }) else {
        throw Refusal("\(fields.place).element: \"\(element)\" stands twice")
      }
      for layout in try fields.records("layouts") { try addLayout(layout) }
      keys.append((element, try fields.records("keys")))
      try fields.finish()
    }
    for (element, keys) in keys {
      var track = LayoutTrack()
      for key in keys { try add(key, to: &track) }
      keyed.append(Keyed(name: element, track: track))
    }
  }

  private mutating func addLayout(_ record: Fields) throws(Refusal) {
    var fields = record
    let name = try fields.text("name")
    guard !name.isEmpty, !names.contains(name) else {
      throw Refusal("\(fields.place).name: expected a name of its own, got \"\(name)\"")
    }
    var bundle = LayoutAttributes()
    if let original = try fields.textOrNull("copyOf") {
      bundle = bundles[try find(layout: original, at: "\(fields.place).copyOf")]
    }
    try Self.set(&bundle, from: &fields)
    bundles.append(bundle)
    names.append(name)
  }

  private mutating func add(_ key: Fields, to track: inout LayoutTrack) throws(Refusal) {
    var fields = key
    let progress = try fields.number("progress")
    if let name = try fields.textOrNull("layout") {
      try fields.finish()
      track.add(try find(layout: name, at: "\(fields.place).layout"), at: progress)
    } else {
      var bundle = LayoutAttributes()
      try Self.set(&bundle, from: &fields)
      bundles.append(bundle)
      names.append("")
      track.add(bundles.count - 1, at: progress)
    }
  }

  /// Sets a record's attributes, then those of its `set`, and refuses what no element could have.
  private static func set(_ bundle: inout LayoutAttributes, from fields: inout Fields) throws(Refusal) {
    let later = try fields.records("set")
    try bundle.set(from: &fields)
    try fields.finish()
    for var fields in later {
      try bundle.set(from: &fields)
      try fields.finish()
    }
    guard bundle.bounds.width >= 0, bundle.bounds.height >= 0 else {
      throw Refusal("\(fields.place): its size is negative, expected at least 0")
    }
    let look = [
      bundle.center.x, bundle.center.y, bundle.bounds.width, bundle.bounds.height, bundle.alpha, bundle.zIndex,
    ]
    let transform = (0..<16).map { bundle.transform3D.m[$0] }
    guard (look + transform + [bundle.cornerRadius ?? 0]).allSatisfy({ abs($0) <= 1e9 }) else {
      throw Refusal("\(fields.place): it holds a number beyond ±1e9")
    }
  }

  private func find(layout name: String, at place: String) throws(Refusal) -> Int {
    guard !name.isEmpty, let index = names.firstIndex(of: name) else {
      let known = names.filter { !$0.isEmpty }
      throw Refusal(
        "\(place): there is no layout \"\(name)\"; \(Self.listed(known))")
    }
    return index
  }

  // MARK: Calls

  /// Adds a key. Nothing is laid out by it.
  mutating func addKey(_ progress: Double, layout: String, element: String, for bar: FlexibleHeightBar) throws(Refusal)
  {
    let bundle = try find(layout: layout, at: "layout")
    let place: Int
    if let known = keyed.firstIndex(where: { $0.name == element }) {
      place = known
    } else {
      let index = try Self.find(element, of: bar.bar, in: bar.host)
      place = keyed.count
      keyed.append(Keyed(name: element, index: try bar.claimElements([index]).first))
    }
    keyed[place].track.add(bundle, at: progress)
    isChanged = true
  }

  /// Removes the first key of exactly this progress. Nothing is laid out by it.
  mutating func removeKey(_ progress: Double, element: String, for bar: FlexibleHeightBar) throws(Refusal) {
    guard let place = keyed.firstIndex(where: { $0.name == element }) else {
      _ = try Self.find(element, of: bar.bar, in: bar.host)
      return
    }
    keyed[place].track.remove(at: progress)
    isChanged = true
  }

  /// The progress of each key of an element, ascending; empty when it has none.
  func progresses(of element: String, for bar: FlexibleHeightBar) throws(Refusal) -> [Double] {
    guard let place = keyed.firstIndex(where: { $0.name == element }) else {
      _ = try Self.find(element, of: bar.bar, in: bar.host)
      return []
    }
    return keyed[place].track.keys.map(\.progress)
  }

  /// The attributes of a bundle that was registered under a name.
  func attributes(of layout: String) throws(Refusal) -> Value { bundles[try find(layout: layout, at: "layout")].value }

  /// Sets attributes of a bundle, all of them or none. Nothing is laid out by it.
  mutating func setAttributes(of layout: String, _ records: Value) throws(Refusal) {
    let index = try find(layout: layout, at: "layout")
    var changed = bundles[index]
    var fields = try Fields(.record([("set", records)]), at: "arguments")
    try Self.set(&changed, from: &fields)
    bundles[index] = changed
    isChanged = true
  }

  // MARK: Being kept

  /// The changes by calls; null while everything is as the option says.
  var saved: Value {
    guard isChanged else { return .null }
    return .record([
      (
        "bundles",
        .list(zip(names, bundles).map { .record([("name", .text($0)), ("attributes", $1.saved)]) })
      ),
      (
        "elements",
        .list(
          keyed.map { element in
            .record([
              ("name", .text(element.name)),
              (
                "keys",
                .list(
                  element.track.keys.map {
                    .record([("progress", .number($0.progress)), ("bundle", .number(Double($0.bundle)))])
                  })
              ),
            ])
          })
      ),
    ])
  }

  /// Takes over what `saved` gave.
  mutating func restore(_ saved: Value) throws(Refusal) {
    guard saved != .null else { return }
    var result = BarElements()
    var fields = try Fields(saved, at: "saved.elements")
    for var bundle in try fields.records("bundles") {
      result.names.append(try bundle.text("name"))
      let attributes = bundle.take("attributes") ?? .null
      result.bundles.append(try LayoutAttributes(saved: attributes, at: "\(bundle.place).attributes"))
    }
    for var element in try fields.records("elements") {
      let name = try element.text("name")
      var track = LayoutTrack()
      // A new key goes before equal ones and gives them its bundle, which is theirs already: the order comes out the same.
      for var key in try element.records("keys") {
        let bundle = try key.number("bundle")
        guard let index = Int(exactly: bundle), result.bundles.indices.contains(index) else {
          throw Refusal("\(key.place).bundle: there is no bundle \(bundle)")
        }
        track.add(index, at: try key.number("progress"))
      }
      result.keyed.append(Keyed(name: name, track: track))
    }
    result.isChanged = true
    self = result
  }
}
