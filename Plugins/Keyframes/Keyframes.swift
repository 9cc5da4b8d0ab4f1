// SPDX-License-Identifier: MIT
//
// Keyframes: elements follow a drawer or a named value, by BLKFlexibleHeightBar's interpolation. It works after any behavior and moves
// nothing itself, so it can be combined with all of them:
//
//     event ─▶ behaviors move drawers, set values ─▶ … ─▶ Keyframes: for each track
//
//       drawer's height, place, contraction ┐
//                                           ├─▶ (x − from) / (to − from), cut to 0…1 ─▶ keys ─▶ the element's look
//       a named value                       ┘
//
// A follower of changes (header_plugin.h, follow_changes): it runs after every change of a drawer or value, by an event, a call, a frame
// or a timer, in the same state. It has no state of its own: its options and the header's records are enough.
//
// An element belongs to the delegate that sets it. A second one that wants it is a conflict, unless it has `yields`. README.md beside
// this file has the laws, and what differs from BLKFlexibleHeightBar.

internal import HeaderLayoutAttributes
internal import HeaderPluginKit

/// Looks of elements by progress.
final class Keyframes: Behavior {
  // MARK: Options

  private var tracks: [Track] = []

  // MARK: State

  private var isAttached = false
  /// The tracks whose drawer and element exist, in their order.
  private var running: [Running] = []

  /// A track with the indices of its drawer and element.
  private struct Running {
    var track: Track
    var element: Int
    /// The index of the followed drawer; nil: the track follows a value.
    var drawer: Int?
  }

  // MARK: Life

  override func attach() throws(Refusal) {
    isAttached = true
    host.followChanges()
    running = try take(tracks)
  }

  /// Takes over other tracks. If they are refused, the present ones stay.
  func follow(_ value: Value) throws(Refusal) {
    let fresh = try Track.list(value, at: "tracks")
    if isAttached {
      running = try take(fresh)
      host.markLayout()
    }
    tracks = fresh
  }

  /// Finds the tracks' drawers and elements, and claims the elements.
  private func take(_ tracks: [Track]) throws(Refusal) -> [Running] {
    var found: [Running] = []
    for track in tracks { found.append(try place(track)) }
    return try claim(found)
  }

  private func place(_ track: Track) throws(Refusal) -> Running {
    guard let element = host.element(named: track.element) else {
      throw Refusal("\(track.place).element: there is no element \"\(track.element)\"; there are \(elements)")
    }
    track.begin(from: host.describedLook(element))
    switch track.source {
    case .value(let name):
      guard host.value(named: name) != nil else {
        throw Refusal("\(track.place).value: no delegate of this header tells a value \"\(name)\"")
      }
      return Running(track: track, element: element, drawer: nil)
    case .drawer(let name, _):
      guard let drawer = host.drawer(named: name) else {
        throw Refusal("\(track.place).drawer: there is no drawer \"\(name)\"; there are \(drawers)")
      }
      return Running(track: track, element: element, drawer: drawer)
    }
  }

  private func claim(_ found: [Running]) throws(Refusal) -> [Running] {
    var elements: [Int] = []
    for running in found where !elements.contains(running.element) { elements.append(running.element) }
    let mine = try claimElements(elements)
    return found.filter { mine.contains($0.element) }
  }

  private var elements: String { listed((0..<host.elementCount).map(host.elementName)) }

  private var drawers: String { listed((0..<host.drawerCount).map(host.drawerName)) }

  private func listed(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }

  // MARK: Events

  /// Drawers and elements were replaced: a track whose drawer or element is gone does nothing until there is one again.
  override func layout(_ event: Event) {
    guard event.given.contains(.structure) else { return }
    var found: [Running] = []
    for track in tracks {
      if let place = try? place(track) { found.append(place) }
    }
    // The host reports a conflict, and then bypasses this delegate.
    running = (try? claim(found)) ?? []
  }

  override func layoutPass() {
    for running in running {
      guard let progress = progress(of: running) else { continue }
      guard let stretch = running.track.keys.stretch(at: progress) else { continue }
      var look = host.look(running.element)
      running.track.apply(stretch, to: &look)
      host.set(look, of: running.element)
    }
  }

  /// 0…1; nil while a value is none.
  private func progress(of running: Running) -> Double? {
    let track = running.track
    let measured: Double
    switch track.source {
    case .value(let name):
      guard let number = host.number(named: name) else { return nil }
      measured = number
    case .drawer(_, let measure):
      guard let drawer = running.drawer else { return nil }
      measured = self.measured(drawer, by: measure)
    }
    let progress = max(0, min(1, (measured - track.from) / (track.to - track.from)))
    // Fewer motions: from one end to the other at once.
    return host.environment.limitsMotion ? progress.rounded() : progress
  }

  private func measured(_ index: Int, by measure: Measure) -> Double {
    let drawer = host.drawer(index)
    switch measure {
    case .height: return drawer.size.height
    case .top: return drawer.frame.y
    case .collapse:
      let range = drawer.maximumHeight - drawer.minimumHeight
      return range > 0 ? (drawer.maximumHeight - drawer.size.height) / range : 0
    case .contraction:
      let expanded = host.expandedCenter(of: index).y
      let travel = expanded - host.contractedCenter(of: index).y
      return travel > 0 ? (expanded - drawer.center.y) / travel : 0
    }
  }

  // MARK: Being born again

  override func restore(_ state: Value, version: Int) throws(Refusal) {
    guard version == 1 else {
      throw Refusal("it cannot take over a saved state of version \(version), only of version 1")
    }
    try attach()
  }
}

// MARK: - Description

extension Keyframes {
  static let definition = Definition(
    Keyframes.self, name: "Keyframes",
    summary: "Elements follow a drawer or a named value: fades, parallax, anything between looks at given progress",
    moves: false, claimsElements: true, events: [.layout],
    options: [
      Option(
        .records(
          "tracks",
          """
          Which element follows which drawer or value: {element, drawer with by (collapse, contraction, height, top) or value, from, to, \
          keys: [{progress 0…1, frame, bounds, center, size, translation, scale, transform, transform3D, alpha 0…1, zIndex, \
          hidden, cornerRadius}]}; lengths in points
          """)
      ) { (keyframes, value) throws(Refusal) in try keyframes.follow(value) }
    ])
}

/// The plugin's one symbol.
@c(header_plugin_entry) public func entry(_ major: UInt16, _ minor: UInt16) -> UnsafeRawPointer? {
  pluginTable(Keyframes.definition, version: "0.1.0", summary: "Looks of elements by progress", major)
}
