// SPDX-License-Identifier: MIT
//
// config/examples: each file is read by the daemon's own reader, opened, scrolled, and does what its comments say.

import Foundation
import HeaderConfig
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct ExampleTests {
  private static let folder = URL(filePath: #filePath).appending(path: "../../../../config/examples").standardized

  private func open(_ name: String) throws -> Header {
    try open(text: String(contentsOf: Self.folder.appending(path: name), encoding: .utf8), name)
  }

  private func open(text: String, _ name: String) throws -> Header {
    let file = ConfigFile(bytes: Array(text.utf8).span, file: name)
    try #require(file.errors.isEmpty)
    let config = file.config
    let header = try #require(config.headers.first)
    #expect(config.headers.count == 1)
    var unknown: [UnknownField] = []
    let description = try HeaderDescription(header.value, at: Path("header"), unknown: &unknown)
    #expect(unknown.isEmpty)
    return try Header(description, epoch: 1, provider: BuiltPlugins.registry())
  }

  @Test func everyExampleIsTested() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { $0.hasSuffix(".toml") }
    #expect(Set(names).isSuperset(of: ["fading-title.toml", "parallax.toml", "square-cash.toml"]))
    for name in names {
      let header = try open(name)
      #expect(!header.delegates.isEmpty)
      for index in header.delegates.indices { #expect(!header.isBypassed(index)) }
    }
  }

  /// The lines that the README of Keyframes shows are a delegate of a header.
  @Test func theReadmesTrackWorks() throws {
    let readme = Self.folder.appending(path: "../../Plugins/Keyframes/README.md").standardized
    let lines = try String(contentsOf: readme, encoding: .utf8).split(separator: "\n")
    let shown = try #require(lines.firstIndex { $0 == "[[header.delegates]]" })
    let delegate = lines[shown...].prefix { $0 != "```" }.joined(separator: "\n")
    let header = try open(
      text: """
        [[header]]
        header = "main"
        scrollViews.content = { viewport = { width = 375, height = 667 }, contentSize = { height = 3000 } }
        drawers = [{ name = "navBar", height = 44, elements = [{ name = "title" }] }]
        [[header.delegates]]
        behavior = "ShyNavBar"
        \(delegate)
        """, "README.md")
    #expect(header.delegates.count == 2)
    _ = try header.receive(ScrollEvent(.call(name: "contract", arguments: Value.Record(), delegate: nil)))
    #expect(try header.element("title").alpha == 0)
  }

  /// The header that the README of CollapsingHeader, and headerd-collapsingheader(7), show does what they say of it.
  @Test func theReadmesTwoLawsWork() throws {
    let readme = Self.folder.appending(path: "../../Plugins/CollapsingHeader/README.md").standardized
    let lines = try String(contentsOf: readme, encoding: .utf8).split(separator: "\n")
    let shown = try #require(lines.firstIndex { $0 == "[[header]]" })
    let header = try open(text: lines[shown...].prefix { $0 != "```" }.joined(separator: "\n"), "README.md")
    func drag(by distance: Double) throws {
      let y = header.scrollViews[0].contentOffset.y + distance
      _ = try header.receive(
        ScrollEvent(.didScroll, offset: PartialPoint(y: y), isTracking: true, isDragging: true))
    }
    func places() throws -> [Double] {
      [try header.drawer("title").size.height, try header.drawer("search").frame.maxY]
    }
    #expect(header.scrollViews[0].contentInset.top == 148)
    #expect(try places() == [96, 148])
    try drag(by: 70)
    #expect(try places() == [78, 78])
    try drag(by: 500)
    try drag(by: -30)
    #expect(try places() == [44, 74])
    let event = ScrollEvent(.didEndDragging(willDecelerate: false))
    _ = try header.receive(event, at: Instant(seconds: 5))
    _ = try header.receive(ScrollEvent(.advance(frameDuration: nil)), at: Instant(seconds: 6))
    #expect(try places() == [44, 96])
    // At the top everything comes back.
    _ = try header.receive(ScrollEvent(.didScroll, offset: PartialPoint(y: -138)), at: Instant(seconds: 7))
    #expect(try places() == [86, 138])
    _ = try header.receive(ScrollEvent(.didScroll, offset: PartialPoint(y: -148)), at: Instant(seconds: 8))
    #expect(try places() == [96, 148])
  }

  @Test func theProfilesBarShrinksGrowsAndSnaps() throws {
    let header = try open("square-cash.toml")
    #expect(try header.element("name").center == Point(x: 187.5, y: 150))
    _ = try header.receive(ScrollEvent(.willBeginDragging))
    try header.scroll(to: -240)
    #expect(try header.drawer("bar").size.height == 240)
    try header.scroll(to: -200 + 81)
    #expect(try header.drawer("bar").size.height == 119)
    #expect(try header.element("name").center == Point(x: 187.5, y: 69))
    _ = try header.receive(ScrollEvent(.didEndDragging(willDecelerate: false)))
    #expect(try header.drawer("bar").size.height == 65)
    #expect(header.scrollViews[0].contentOffset.y == -65)
  }

  @Test func thePhotoGrowsShrinksLeavesAndComesBack() throws {
    let header = try open("photo.toml")
    func place() throws -> [Double] { [try header.drawer("photo").size.height, try header.drawer("photo").frame.maxY] }
    _ = try header.receive(ScrollEvent(.willBeginDragging))
    let places: [(Double, [Double])] = [
      (-260, [260, 260]), (-200, [200, 200]), (-100, [100, 100]), (-56, [56, 56]), (-36, [56, 36]),
    ]
    for (offset, shown) in places {
      try header.scroll(to: offset)
      #expect(try place() == shown, "\(offset)")
    }
    try header.scroll(to: 500)
    #expect(try place() == [56, 0])
    // Back by 175 points nothing comes, then point by point.
    for (offset, shown) in [(325.0, 0.0), (300, 25), (250, 56)] {
      try header.scroll(to: offset)
      #expect(try place() == [56, shown], "\(offset)")
    }
  }

  @Test func theTitleFadesBeforeTheButton() throws {
    let header = try open("fading-title.toml")
    try header.scroll(to: -64)
    _ = try header.receive(ScrollEvent(.willBeginDragging))
    try header.scroll(to: -53)
    #expect(try header.element("title").alpha == 0.5)
    #expect(try header.element("title").transform.numbers[0] == 0.9)
    #expect(try header.element("button").alpha == 1)
    try header.scroll(to: -31)
    #expect(try header.element("title").alpha == 0)
    #expect(try header.element("button").alpha == 0.5)
    try header.scroll(to: 100)
    #expect(try header.element("button").alpha == 0)
  }

  @Test func theImageLeavesAtHalfTheSpeed() throws {
    let header = try open("parallax.toml")
    try header.scroll(to: 0)
    #expect(try header.element("image").frame == Rect(origin: Point(), size: Size(width: 375, height: 180)))
    for offset in [30.0, 60, 120, 180] {
      try header.scroll(to: offset)
      #expect(try header.drawer("cover").frame.origin.y == -offset)
      #expect(abs(try header.element("image").transform.numbers[13] - offset / 2) < 1e-9)
    }
    try header.scroll(to: 30)
    #expect(try header.element("caption").alpha == 0.5)
  }

  @Test func theImageFillsTheCoverThatIsPulledDown() throws {
    let header = try open("parallax.toml")
    for pull in [10.0, 50, 200] {
      try header.scroll(to: -pull)
      let (cover, image) = (try header.drawer("cover"), try header.element("image"))
      #expect(cover.size.height == 180 + pull)
      #expect(abs(image.bounds.size.height - cover.size.height) < 1e-9)
      #expect(abs(image.bounds.size.width / image.bounds.size.height - 375.0 / 180) < 1e-9)
      #expect(abs(image.center.x - 187.5) < 1e-9)
    }
  }
}
