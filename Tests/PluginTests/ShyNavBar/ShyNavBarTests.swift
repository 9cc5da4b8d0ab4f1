// SPDX-License-Identifier: MIT
//
// ShyNavBar where the recordings of its original end: a header whose parts are changed while it lives.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct ShyNavBarTests {
  private static let bar: Value = ["name": "navBar", "height": 44]
  private static let composed = ComposedHeader(
    title: "ShyNavBar", drawers: [bar, ["name": "extension", "height": 40]],
    delegates: [.init(behavior: "ShyNavBar", options: ["expansionResistance": 0])])

  /// A header whose extension and half of whose bar have slid away.
  private func contracted() throws -> Header {
    let header = try Self.composed.open()
    for distance in [0.0, 30, 32] { try header.scroll(by: distance) }
    let bar = try header.drawer("navBar").frame.origin.y
    #expect(bar == -2)
    return header
  }

  @Test func `drawers keep their places when something else of the header changes`() throws {
    let header = try contracted()
    let before = header.drawers.elements
    var next = header.description
    next.scrollViews.append(ScrollViewDescription(name: "side"))
    next.environment.reduceMotion = true
    try header.reconfigure(to: next)
    #expect(header.drawers.elements == before)
    // The first offset after a change is only noted, as after any other new beginning.
    try header.scroll(by: 0)
    try header.scroll(by: 6)
    let bar = try header.drawer("navBar").frame.origin.y
    #expect(bar == -8)
  }

  @Test(arguments: [60.0, 20]) func `they expand when the room that they take changes`(_ height: Double) throws {
    let header = try contracted()
    var changed = Self.composed
    changed.drawers = [Self.bar, ["name": "extension", "height": .number(height)]]
    try header.reconfigure(to: changed.description())
    #expect(try header.drawer("navBar").frame.origin.y == 20)
    #expect(
      try header.drawer("extension").frame
        == Rect(x: 0, y: 64, width: header.drawer("extension").size.width, height: height))
    #expect(header.scrollViews[0].contentInset.top == 64 + height)
  }

  @Test func `a new drawer is taken up by an expanded header`() throws {
    let header = try contracted()
    var changed = Self.composed
    changed.drawers = [Self.bar, ["name": "search", "height": 40]]
    try header.reconfigure(to: changed.description())
    #expect(try header.drawer("navBar").frame.origin.y == 20)
    #expect(try header.drawer("search").frame.origin.y == 64)
  }

  /// The one before has left the chain where the status bar was then.
  @Test func `who begins anew hangs the bar on the status bar as it is by then`() throws {
    let header = try Self.composed.open()
    _ = try header.apply(
      .unloadDelegate("shyNavBar", plugin: "ShyNavBar"), provider: BuiltPlugins.registry())
    var next = header.description
    next.environment.statusBarHeight = 0
    try header.reconfigure(to: next)
    #expect(places(header) == [20, 64])
    _ = try header.apply(
      .reloadDelegate("shyNavBar", plugin: "ShyNavBar"), provider: BuiltPlugins.registry())
    #expect(places(header) == [0, 44])
  }

  /// The header takes 104 points of the 667, and 84 of them can go: as the original has it, content must be longer than both.
  @Test(arguments: [(646.5, false), (647, false), (647.5, true)]) func `it follows content that is long enough`(
    _ height: Double, _ follows: Bool
  ) throws {
    var description = try Self.composed.description()
    description.scrollViews[0].contentSize.height = height
    let header = try Header(description, epoch: 1, provider: BuiltPlugins.registry())
    #expect(header.scrollViews[0].contentInset.top == 104)
    for distance in [0.0, 30, 32] { try header.scroll(by: distance) }
    #expect((places(header) != [20, 64]) == follows)
  }

  // MARK: Quirks of the original that are kept (Plugins/ShyNavBar/README.md)

  /// setExtensionView: puts an extension at the top of header space, and layoutViews expands only if the inset must change.
  @Test(arguments: [(20.0, 64.0), (0, 44)]) func `an extension as tall as all above it opens over the bar`(
    _ statusBar: Double, _ height: Double
  ) throws {
    func open(_ height: Double) throws -> Header {
      var composed = Self.composed
      composed.drawers = [Self.bar, ["name": "extension", "height": .number(height)]]
      var description = try composed.description()
      description.environment.statusBarHeight = statusBar
      description.drawers[0].y = statusBar
      return try Header(description, epoch: 1, provider: BuiltPlugins.registry())
    }
    let header = try open(height)
    #expect(places(header) == [statusBar, 0])
    #expect(header.scrollViews[0].contentInset.top == height)
    // Whatever expands the header puts it in its place.
    _ = try header.receive(ScrollEvent(.willAppear))
    #expect(places(header) == [statusBar, height])
    #expect(header.scrollViews[0].contentInset.top == 2 * height)
    // The same by a call, over an inset that is the bar's.
    _ = try header.receive(
      ScrollEvent(.call(name: "setExtensionView", arguments: ["height": .null, "width": .null], delegate: nil)))
    #expect(header.scrollViews[0].contentInset.top == height)
    _ = try header.receive(
      ScrollEvent(
        .call(name: "setExtensionView", arguments: ["height": .number(height), "width": 375], delegate: nil)))
    #expect(places(header) == [statusBar, 0])
    #expect(header.scrollViews[0].contentInset.top == height)
    // Any other height is seen at once.
    for other in [height - 0.5, height + 0.5] {
      let header = try open(other)
      #expect(places(header) == [statusBar, height])
      #expect(header.scrollViews[0].contentInset.top == height + other)
    }
  }

  // MARK: Sticky drawers

  /// Contracts by 60 points: a drawer that is not sticky leaves, a sticky one rides along.
  private func contracted(
    bar: Value.Record = [:], extension: Value.Record = [:], options: Value.Record = [:]
  ) throws -> Header {
    var composed = Self.composed
    composed.drawers = [
      .record((["name": "navBar", "height": 44] as Value.Record).with(bar)),
      .record((["name": "extension", "height": 40] as Value.Record).with(`extension`)),
    ]
    composed.delegates[0].options = .record(options)
    let header = try composed.open()
    for distance in [0.0, 60] { try header.scroll(by: distance) }
    return header
  }

  private func places(_ header: Header) -> [Double] { header.drawers.elements.map(\.frame.origin.y) }

  @Test(arguments: ["navBar", "extension"]) func `a sticky drawer is as one that the option makes sticky`(
    _ drawer: String
  ) throws {
    let isBar = drawer == "navBar"
    let option: Value.Record = isBar ? ["stickyNavigationBar": true] : ["stickyExtensionView": true]
    let described = try contracted(bar: ["sticky": .bool(isBar)], extension: ["sticky": .bool(!isBar)])
    let asked = try contracted(options: option)
    #expect(places(described) == (isBar ? [20, 24] : [-24, 20]))
    #expect(described.state.drawers == asked.state.drawers)
    #expect(described.state.scrollViews == asked.state.scrollViews)
  }

  @Test func `an option that is set stands above the drawers' own word`() throws {
    let sticky: Value.Record = ["sticky": true]
    let options: Value.Record = ["stickyNavigationBar": false, "stickyExtensionView": false]
    let header = try contracted(bar: sticky, extension: sticky, options: options)
    #expect(places(header) == [0, 4])
    // Whoever says it later, by an event or by header.configure.
    let change = try LayoutChange(["drawers": [["name": "navBar", "sticky": true]]])
    _ = try header.receive(ScrollEvent(.layout(change)))
    #expect(try header.drawer("navBar").isSticky == false)
    var next = header.description
    next.drawers[0].sticky = false
    try header.reconfigure(to: next)
    next.drawers[0].sticky = true
    try header.reconfigure(to: next)
    #expect(try header.drawer("navBar").isSticky == false)
  }

  @Test func `a drawer's own word counts as long as the option is not set`() throws {
    let header = try contracted(bar: ["sticky": true])
    #expect(places(header) == [20, 24])
    let change = try LayoutChange(["drawers": [["name": "navBar", "sticky": false]]])
    _ = try header.receive(ScrollEvent(.layout(change)))
    try header.scroll(by: 10)
    #expect(places(header) == [10, 14])
    // Other options, a reload and another life change nothing about it.
    _ = try header.receive(ScrollEvent(.setOptions(["contractionResistance": 0], delegate: nil)))
    try header.reloadDelegate(at: 0)
    let reborn = try header.reborn()
    try reborn.scroll(by: 10)
    #expect(places(reborn) == [0, 4])
    _ = try header.receive(ScrollEvent(.setOptions(["stickyNavigationBar": true], delegate: nil)))
    try header.scroll(by: 10)
    #expect(places(header) == [10, 14])
  }
}

extension Header {
  fileprivate func scroll(by distance: Double) throws { try scroll(to: scrollViews[0].contentOffset.y + distance) }
}
