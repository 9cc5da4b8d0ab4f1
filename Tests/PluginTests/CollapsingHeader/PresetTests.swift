// SPDX-License-Identifier: MIT
//
// Every preset that comes with headerd opens a header, hides and shows something, and is saved and restored.

import ConformanceKit
import Foundation
import HeaderCore
import HeaderModel
import HeaderTestKit
import PluginHost
import Testing

@Suite struct ShippedPresetTests {
  private static let folder = URL(filePath: #filePath).appending(path: "../../../../config/presets").standardized.path
  private static let found = presets(in: folder)

  @Test func allCanBeRead() {
    #expect(Self.found.problems.isEmpty)
    #expect(Self.found.presets.count >= 25)
    #expect(Self.found.presets.allSatisfy { !$0.summary.isEmpty && !$0.summary.contains("\n") })
  }

  private static func header(_ preset: String) throws -> (Header, PluginRegistry) {
    let plugins = PluginRegistry(folders: [Files.ofThisProgram])
    try plugins.load("CollapsingHeader")
    plugins.presets = found.presets
    let description: Value = [
      "header": "main", "trackingScrollView": "content",
      "scrollViews": [
        "content": [
          "viewport": ["width": 400, "height": 600], "contentSize": ["width": 400, "height": 4000],
          "offset": ["x": 0, "y": 0], "clamping": "none",
        ]
      ],
      "drawers": [
        ["name": "bar", "height": 100, "minimumHeight": 40, "maximumHeight": 100], ["name": "tabs", "height": 30],
      ],
      "delegates": [["behavior": "CollapsingHeader", "preset": .text(preset)]], "frames": "manual",
    ]
    var unknown: [UnknownField] = []
    let wanted = try HeaderDescription(description, at: Path(""), unknown: &unknown).taking(plugins.presets)
    return (try Header(wanted, epoch: 1, provider: plugins), plugins)
  }

  /// A finger drags the content up by 400 points and down again, offering each movement before the content makes it.
  private static func drag(_ header: Header) throws -> Set<String> {
    var seen: Set<String> = []
    var time = 0.0
    func send(_ kind: ScrollEvent.Kind, _ offset: Double? = nil) throws -> EventAnswer {
      time += 0.02
      let event = ScrollEvent(kind, offset: offset.map { PartialPoint(y: $0) })
      defer { seen.insert("\(header.drawers.indices.map { header.drawers[$0].frame })") }
      return try header.receive(event, at: Instant(seconds: time))
    }
    _ = try send(.willBeginDragging)
    for delta in Array(repeating: 20.0, count: 20) + Array(repeating: -20.0, count: 20) {
      let offer = Point(y: delta)
      let left = try send(.willScroll(delta: offer, source: .drag)).residual?.y ?? delta
      let offset = header.scrollViews[0].contentOffset.y
      let end = max(-header.scrollViews[0].adjustedContentInset.top, offset + left)
      _ = try send(.didScroll, end)
      if end != offset + left {
        _ = try send(.didOverscroll(delta: Point(y: offset + left - end), source: .drag))
      }
    }
    _ = try send(.didEndDragging(willDecelerate: false))
    for _ in 0..<30 { _ = try send(.advance(frameDuration: 0.02)) }
    return seen
  }

  @Test(arguments: found.presets.map(\.name)) func opensAndMoves(_ name: String) throws {
    let (header, _) = try Self.header(name)
    let places = try Self.drag(header)
    let stays = ["app-bar", "compose-pinned"].contains(name)
    #expect(stays ? places.count == 1 : places.count > 1, "\(name): \(places.count) places")
    #expect(!header.isBypassed(0))
  }

  /// Whatever a header follows, it goes where it is told to, and stays within bounds.
  @Test(arguments: found.presets.map(\.name)) func goesWhereACallSays(_ name: String) throws {
    let (header, _) = try Self.header(name)
    guard header.place.travel > 0 else { return }
    for progress in [1, 0.5, 0] {
      try header.move(to: .progress(progress))
      #expect(abs(header.place.progress - progress) < 0.01)
    }
    try header.constrain("tour", 0...0)
    _ = try Self.drag(header)
    #expect(header.place.traveled == 0 && header.drawers[0].frame.maxY >= 100 && !header.isBypassed(0))
  }

  @Test(arguments: found.presets.map(\.name)) func isBornAgainAlike(_ name: String) throws {
    let (header, plugins) = try Self.header(name)
    let (other, _) = try Self.header(name)
    _ = try Self.drag(other)
    let again = try Header(header.description, epoch: 2, provider: plugins, saved: other.save())
    for index in other.drawers.indices { #expect(again.drawers[index].frame == other.drawers[index].frame) }
    #expect(again.scrollViews[0].contentInset == other.scrollViews[0].contentInset)
  }
}
