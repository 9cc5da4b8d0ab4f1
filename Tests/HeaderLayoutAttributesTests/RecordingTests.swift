// SPDX-License-Identifier: MIT
//
// The recordings of BLKFlexibleHeightBar that show layout attributes, replayed without a bar: the recorded progress goes
// into tracks and bundles, and what comes out must be what the subviews showed.

import Foundation
import HeaderLayoutAttributes
import HeaderModel
import HeaderPluginKit
import HeaderWire
import Testing

typealias Data = HeaderPluginKit.Value

@Suite struct RecordingTests {
  static let folder =
    #filePath.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" }
    + "/Conformance/Traces/flexible-height-bar/"

  @Test(arguments: [
    "22-layout-two-keys", "23-layout-first-key-above-zero", "24-layout-transform3d", "25-layout-attribute-coupling",
    "26-layout-duplicate-keys",
  ])
  func showsWhatTheOriginalShowed(_ name: String) throws {
    let recording = try Self.read(name)
    let scene = try #require(recording["scene"])
    let steps = try #require(recording["steps"]?.list)
    var stage = try Stage(scene)
    var compared = 0
    for (number, step) in steps.enumerated() {
      let expected = try #require(step["expect"])
      try stage.take(step, number)
      for subview in try #require(expected["subviews"]?.list) {
        try stage.compare(subview, number)
        compared += 1
      }
    }
    #expect(compared > 20)
  }

  private static func read(_ name: String) throws -> Data {
    let bytes = try #require(FileManager.default.contents(atPath: "\(folder)\(name).json"))
    return Data(try unsafe bytes.withUnsafeBytes { unsafe try JSONReader.document($0) })
  }
}

extension Data {
  /// The same tree, as a plugin has it.
  init(_ value: HeaderModel.Value) {
    switch value {
    case .null: self = .null
    case .bool(let bool): self = .bool(bool)
    case .number(let number): self = .number(number)
    case .text(let text): self = .text(text)
    case .list(let list): self = .list(list.map(Data.init))
    case .record(let record): self = .record(record.fields.map { ($0.name, Data($0.value)) })
    }
  }
}

/// Subviews with their tracks, and the bundles.
private struct Stage {
  var names: [String] = []
  var bundles: [LayoutAttributes] = []
  var subviews: [(name: String, track: LayoutTrack, look: Look)] = []

  init(_ scene: Data) throws {
    for subview in scene["subviews"]?.list ?? [] {
      for layout in subview["layouts"]?.list ?? [] {
        let original = try layout["copyOf"]?.text.map { bundles[try bundle($0)] }
        names.append(layout["id"]?.text ?? "")
        bundles.append(original ?? LayoutAttributes())
        try set(layout["set"], of: bundles.count - 1)
      }
      var track = LayoutTrack()
      for key in subview["keys"]?.list ?? [] {
        track.add(try bundle(key["layout"]?.text), at: try #require(key["progress"]?.number))
      }
      var fields = try Fields(subview, at: "subview")
      let frame = try fields.rect("frame")
      let look = Look(
        center: Point(x: frame.x + frame.width / 2, y: frame.y + frame.height / 2),
        bounds: Rect(width: frame.width, height: frame.height))
      subviews.append((try fields.text("name"), track, look))
    }
  }

  /// Sets properties in the order of a list of pairs, each as a record of one field.
  mutating func set(_ pairs: Data?, of bundle: Int) throws {
    for pair in pairs?.list ?? [] {
      let items = try #require(pair.list)
      var fields = try Fields(.record([(try #require(items[0].text), items[1])]), at: "set")
      try bundles[bundle].set(from: &fields)
      try fields.finish()
    }
  }

  func bundle(_ name: String?) throws -> Int { try #require(names.firstIndex { $0 == name }) }

  mutating func take(_ step: Data, _ number: Int) throws {
    let expected = try #require(step["expect"])
    switch step["event"]?.text {
    case "didScroll", "layout":
      for index in subviews.indices {
        let progress = try #require(expected["progress"]?.number)
        guard let stretch = subviews[index].track.stretch(at: progress) else { continue }
        subviews[index].look.apply(bundles[stretch.floor], bundles[stretch.ceiling], share: stretch.share)
      }
    case "call": try call(step, expected, number)
    default: break
    }
  }

  private mutating func call(_ step: Data, _ expected: Data, _ number: Int) throws {
    let arguments = try #require(step["arguments"])
    let returned = try #require(expected["returned"])
    let view = subviews.firstIndex { $0.name == arguments["subview"]?.text }
    switch step["name"]?.text {
    case "layoutAttributes":
      #expect(bundles[try bundle(arguments["layout"]?.text)].value == returned, "step \(number)")
    case "setLayoutAttribute":
      let bundle = try bundle(arguments["layout"]?.text)
      guard expected["error"] == .null else {
        let before = bundles
        var scratch = self
        #expect(throws: Refusal.self) { try scratch.set(arguments["set"], of: bundle) }
        #expect(scratch.bundles == before)
        return
      }
      try set(arguments["set"], of: bundle)
    case "addLayoutAttributes":
      let bundle = try bundle(arguments["layout"]?.text)
      subviews[try #require(view)].track.add(bundle, at: try #require(arguments["progress"]?.number))
    case "removeLayoutAttributes":
      subviews[try #require(view)].track.remove(at: try #require(arguments["progress"]?.number))
    case "numberOfLayoutAttributes":
      #expect(Double(subviews[try #require(view)].track.keys.count) == returned.number, "step \(number)")
    case "progressAtIndex":
      let index = Int(try #require(arguments["index"]?.number))
      #expect(subviews[try #require(view)].track.keys[index].progress == returned.number, "step \(number)")
    default: Issue.record("step \(number): this test does not know \(String(describing: step["name"]))")
    }
  }

  func compare(_ expected: Data, _ number: Int) throws {
    let look = try #require(subviews.first { $0.name == expected["name"]?.text }).look
    var fields = try Fields(expected, at: "step \(number)")
    let place = Comment(rawValue: fields.place)
    let (center, bounds) = (try fields.point("center"), try fields.rect("bounds"))
    #expect(near(look.center.x, center.x) && near(look.center.y, center.y), place)
    #expect(near(look.bounds.width, bounds.width) && near(look.bounds.height, bounds.height), place)
    let transform = try fields.transform3D("transform")
    #expect((0..<16).allSatisfy { near(look.transform.m[$0], transform.m[$0]) }, place)
    #expect((look.transform == .identity) == (transform == .identity), place)
    let (alpha, zIndex, hidden) = (
      try fields.number("alpha"), try fields.number("zIndex"), try fields.bool("hidden")
    )
    #expect(near(Double(Float(max(0, min(1, look.alpha)))), alpha), place)
    #expect(look.zIndex == zIndex && look.isHidden == hidden, place)
  }

  private func near(_ left: Double, _ right: Double) -> Bool { abs(left - right) <= 1e-9 }
}
