// SPDX-License-Identifier: MIT
//
// What the random walks of Tests/ScreenTests have found, each in as few steps as it takes.

import ConformanceKit
import Foundation
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct ScreenFindingsTests {
  private static let shipped = presets(
    in: URL(filePath: #filePath).appending(path: "../../../../config/presets").standardized.path
  ).presets

  private struct Setting {
    var drawers: Value = [["name": "bar", "height": 100]]
    var behavior = "CollapsingHeader"
    var preset: String?
    var options: Value = [:]
    var length = 4000.0
    var offset = 0.0

    /// A header over 600 points of content.
    func open() throws -> Header {
      var unknown: [UnknownField] = []
      let view: Value = [
        "viewport": ["width": 400, "height": 600], "contentSize": ["width": 400, "height": .number(length)],
        "offset": ["y": .number(offset)],
      ]
      var delegate: Value.Record = ["behavior": .text(behavior), "options": options]
      if let preset { delegate["preset"] = .text(preset) }
      let description = try HeaderDescription(
        [
          "header": "main", "frames": "events", "drawers": drawers, "scrollViews": ["content": view],
          "delegates": [.record(delegate)],
        ], at: Path(""), unknown: &unknown)
      #expect(unknown.isEmpty)
      return try Header(
        try description.taking(ScreenFindingsTests.shipped), epoch: 1, provider: BuiltPlugins.registry())
    }
  }

  @discardableResult
  private func send(_ header: Header, _ kind: ScrollEvent.Kind, y: Double? = nil) throws -> EventAnswer {
    try header.receive(
      ScrollEvent(kind, offset: y.map { PartialPoint(y: $0) }), at: header.now.advanced(bySeconds: 0.01))
  }

  /// A movement beyond the content's beginning, of which that can make nothing.
  private func pull(_ header: Header, by distance: Double) throws {
    let left = try send(header, .willScroll(delta: Point(y: -distance), source: .drag)).residual
    try send(header, .didOverscroll(delta: left ?? Point(), source: .drag))
  }

  private func wait(_ header: Header) throws {
    _ = try header.receive(ScrollEvent(.advance(frameDuration: nil)), at: header.now.advanced(bySeconds: 3))
  }

  private func layOut(_ header: Header, _ keys: Value.Record) throws {
    _ = try header.receive(
      ScrollEvent(.layout(try LayoutChange(keys))), at: header.now.advanced(bySeconds: 0.01))
  }

  private func hide(_ header: Header, _ progress: Double) throws {
    _ = try header.receive(
      ScrollEvent(.move(HeaderMove(to: .progress(progress)))), at: header.now.advanced(bySeconds: 0.01))
  }

  private func far(_ header: Header) -> Double { header.drawers[header.drawers.count - 1].frame.maxY }
  private func view(_ header: Header) -> ScrollView { header.scrollViews[0] }

  // MARK: Over content that fits

  @Test(arguments: [[:], ["drawers": [["shift": true, "returns": "atTop", "stretch": [:]]]]] as [Value])
  func `a pull brings back what a call has hidden over content that fits`(_ options: Value) throws {
    let header = try Setting(options: options, length: 300).open()
    try hide(header, 1)
    #expect(far(header) == 0)
    try send(header, .willBeginDragging)
    for _ in 0..<3 { try pull(header, by: 40) }
    #expect(far(header) >= 100)
  }

  @Test func `at the bottom it goes no further than the finger, and leaves the content where it is`() throws {
    let header = try Setting(
      drawers: [["name": "bar", "height": 100, "edge": "bottom"]], options: ["insets": "follow"], length: 300
    ).open()
    try hide(header, 0.5)
    #expect(view(header).contentOffset.y == 0)
    try send(header, .willBeginDragging)
    let answer = try send(header, .willScroll(delta: Point(y: 30), source: .drag))
    try send(header, .didOverscroll(delta: answer.residual ?? Point(), source: .drag))
    #expect(view(header).contentInset.bottom == 80 && view(header).contentOffset.y == 0)
  }

  // MARK: Stretched

  @Test func `a header that is stretched after a call is the same when it is opened again`() throws {
    let options: Value = ["drawers": [["shift": true, "returns": "atTop", "stretch": [:]]]]
    let header = try Setting(options: options).open()
    try hide(header, 1)
    try send(header, .willBeginDragging)
    for _ in 0..<5 { try pull(header, by: 40) }
    #expect(far(header) > 100)
    let again = try Header(header.description, epoch: 1, provider: BuiltPlugins.registry(), saved: try header.save())
    #expect(again.drawers[0].frame == header.drawers[0].frame)
  }

  // MARK: At rest

  @Test func `a rest takes content no further than that goes`() throws {
    let header = try Setting(options: ["drawers": [["rest": ["by": "direction"]]]], length: 530).open()
    try header.drag(to: -80, at: 0.1)
    try send(header, .didEndDragging(willDecelerate: false))
    try wait(header)
    // There are 30 points: the bar, which has 100, cannot be hidden.
    #expect(far(header) == 100 && view(header).contentOffset.y == -80)
  }

  @Test func `drawers that content has moved while others went to rest are not left half-way`() throws {
    let header = try Setting(
      drawers: [["name": "bar", "height": 100], ["name": "tabs", "height": 40]],
      options: ["drawers": [["rest": ["by": "nearest"]]]]
    ).open()
    try send(header, .didScroll, y: -115)
    try send(header, .didEndScrollingAnimation)
    #expect(header.state.framesActive)
    for y in [-95.0, -60] { try send(header, .didScroll, y: y) }
    try send(header, .didEndDecelerating)
    try wait(header)
    #expect(!header.state.framesActive)
    #expect([140, 100, 0].contains(far(header)))
  }

  /// The tabs set out; the content moves the bar, which sets out when they have arrived; the content moves the tabs.
  @Test func `nor those that it moves while the others go after them`() throws {
    let header = try Setting(
      drawers: [["name": "bar", "height": 100], ["name": "tabs", "height": 40]],
      options: ["drawers": [["rest": ["by": "nearest"]]], "invariants": "strict"]
    ).open()
    try send(header, .didScroll, y: -115)
    try send(header, .didEndScrollingAnimation)
    for y in [-95.0, -60] { try send(header, .didScroll, y: y) }
    try send(header, .didEndDecelerating)
    _ = try header.receive(ScrollEvent(.advance(frameDuration: nil)), at: header.now.advanced(bySeconds: 0.25))
    #expect(header.state.framesActive)
    try send(header, .didScroll, y: -110)
    try send(header, .didEndDecelerating)
    try wait(header)
    #expect(!header.state.framesActive)
    #expect(!header.isBypassed(0), "\(header.failure?.message ?? "")")
    #expect([140, 100, 0].contains(far(header)), "\(far(header))")
  }

  // MARK: At the far edge, by the finger

  private func bottomBar(_ length: Double, _ options: Value = [:]) throws -> Header {
    guard case .record(var fields) = options else { preconditionFailure("options are a record") }
    fields["insets"] = "follow"
    return try Setting(
      drawers: [["name": "bar", "height": 100, "edge": "bottom", "direction": "finger"]], options: .record(fields),
      length: length
    ).open()
  }

  private func bottomGone(_ header: Header) -> Double { 100 - view(header).contentInset.bottom }

  @Test func `a bar whose inset follows hides no further than its content goes`() throws {
    let header = try bottomBar(700)
    try send(header, .willBeginDragging)
    for y in stride(from: 10.0, through: 150, by: 10) { try send(header, .didScroll, y: y) }
    try send(header, .didScroll, y: 160)
    let gone = bottomGone(header)
    // Content that is beyond its end hides nothing.
    for y in stride(from: 170.0, through: 220, by: 10) { try send(header, .didScroll, y: y) }
    #expect(bottomGone(header) == gone)
  }

  @Test func `content that the inset has brought back to its end keeps as much of the bar`() throws {
    let header = try bottomBar(600)
    try send(header, .didScroll, y: 90)
    let (place, gone) = (view(header).contentOffset.y, bottomGone(header))
    #expect(place == gone && place > 0)
    try send(header, .willBeginDragging)
    try send(header, .didScroll, y: place + 10)
    #expect(bottomGone(header) >= gone)
  }

  @Test func `a new view's content is counted from its own beginning, whatever its inset was before`() throws {
    let view: Value = ["viewport": ["width": 400, "height": 600], "contentSize": ["width": 400, "height": 4000]]
    var unknown: [UnknownField] = []
    let header = try Header(
      HeaderDescription(
        [
          "header": "main", "frames": "events", "trackingScrollView": "a", "scrollViews": ["a": view, "b": view],
          "drawers": [["name": "bar", "height": 100, "edge": "bottom", "direction": "finger"]],
          "delegates": [["behavior": "CollapsingHeader", "options": ["insets": "follow"]]],
        ], at: Path(""), unknown: &unknown), epoch: 1, provider: BuiltPlugins.registry())
    try send(header, .willBeginDragging)
    for y in stride(from: 10.0, through: 150, by: 10) { try send(header, .didScroll, y: y) }
    try send(header, .didEndDragging(willDecelerate: false))
    #expect(header.drawers[0].frame.origin.y == -100)
    try send(header, .setTrackingScrollView(to: "b"))
    let before = header.drawers[0].frame.origin.y
    try send(header, .willBeginDragging)
    try pull(header, by: 20)
    #expect(header.drawers[0].frame.origin.y - before <= 20)
  }

  @Test func `it stays hidden at the content's end when the phone is turned and turned back`() throws {
    let header = try bottomBar(640)
    try send(header, .willBeginDragging)
    for y in stride(from: 10.0, through: 60, by: 10) { try send(header, .didScroll, y: y) }
    try send(header, .didEndDragging(willDecelerate: false))
    let gone = bottomGone(header)
    #expect(gone == 60)
    try layOut(header, ["viewport": ["width": 600, "height": 400]])
    try layOut(header, ["viewport": ["width": 400, "height": 600]])
    #expect(bottomGone(header) == gone)
  }

  /// By its edge's count such content is for a moment where its beginning was before.
  @Test(
    arguments: [["keyboardHeight": 145], ["drawers": [["name": "bar", "height": 245, "maximumHeight": 245]]]] as [Value]
  )
  func `an edge that moves by as much as content is scrolled leaves that where it is`(_ change: Value) throws {
    let header = try Setting(drawers: [["name": "bar", "height": 100, "edge": "bottom", "direction": "finger"]]).open()
    try send(header, .willBeginDragging)
    for y in stride(from: 20.0, through: 140, by: 20) { try send(header, .didScroll, y: y) }
    try send(header, .didScroll, y: 145)
    try send(header, .didEndDragging(willDecelerate: false))
    guard case .record(let keys) = change else { return }
    try layOut(header, keys)
    #expect(view(header).contentOffset.y == 145)
  }

  /// The inset that goes with the bar ends the content's way before the bar is gone: it goes back to where it can rest.
  @Test func `a bar that its content cannot hide does not rest half-way`() throws {
    let header = try Setting(
      drawers: [
        [
          "name": "bar", "height": 100, "minimumHeight": 40, "maximumHeight": 100, "edge": "bottom",
          "direction": "finger",
        ], ["name": "tabs", "height": 30, "edge": "bottom", "direction": "finger"],
      ], preset: "safari-bottom-bar", options: ["invariants": "strict"], length: 640
    ).open()
    try send(header, .didScroll, y: 12)
    try send(header, .didEndScrollingAnimation)
    try send(header, .willBeginDecelerating)
    for y in [35.0, 69] { try send(header, .didScroll, y: y) }
    try send(header, .didEndDecelerating)
    try wait(header)
    #expect(!header.isBypassed(0), "\(header.failure?.message ?? "")")
    let inset = view(header).contentInset.bottom
    #expect([130, 100, 40].contains(inset), "\(inset)")
  }

  // MARK: Insets that follow

  @Test func `a header that gets so low that its content fits comes back at once`() throws {
    let header = try Setting(options: ["insets": "follow"], length: 540).open()
    try send(header, .willBeginDragging)
    for y in stride(from: -100.0, through: -60, by: 10) { try send(header, .didScroll, y: y) }
    try send(header, .didEndDragging(willDecelerate: false))
    #expect(far(header) == 60)
    try layOut(header, ["drawers": [["name": "bar", "height": 50, "maximumHeight": 50]]])
    #expect(far(header) == 50)
  }

  /// Without its header the content fits, and with it not: the finger that has hidden the header brings it back as well.
  @Test func `content that fits because its header is gone does not bring that back by a layout`() throws {
    let header = try Setting(options: ["insets": "follow"], length: 600).open()
    try send(header, .willBeginDragging)
    for y in stride(from: -100.0, through: 0, by: 10) { try send(header, .didScroll, y: y) }
    try send(header, .didEndDragging(willDecelerate: false))
    #expect(far(header) == 0)
    try layOut(header, ["keyboardHeight": 260])
    try layOut(header, ["keyboardHeight": 0])
    #expect(far(header) == 0)
    try send(header, .willBeginDragging)
    try send(header, .didScroll, y: -30)
    #expect(far(header) == 30)
  }

  @Test func `a hidden header comes back over other content that fits with it`() throws {
    let header = try Setting(options: ["insets": "follow"]).open()
    try send(header, .willBeginDragging)
    for y in stride(from: 20.0, through: 200, by: 20) { try send(header, .didScroll, y: y) }
    try send(header, .didEndDragging(willDecelerate: false))
    #expect(far(header) == 0)
    try layOut(header, ["contentSize": ["height": 300]])
    #expect(far(header) == 100)
  }

  /// With the refresh control's inset the content is longer than its view, and the platform brings it back to its end.
  @Test func `a refresh that begins is no scroll, also where it makes the content too long`() throws {
    let header = try Setting(options: ["insets": "follow"], length: 490, offset: -100).open()
    try layOut(header, ["refreshControl": ["refreshing": true, "height": 30], "contentInset": ["top": 130]])
    #expect(far(header) == 100 && view(header).contentInset.top == 130)
  }

  // MARK: Of other systems

  /// A rest that content has cut short goes on to the place of rest of the content's last movement.
  @Test func `a bar that content has brought back on its way to rest does not stay half-way`() throws {
    let header = try Setting(preset: "flutter-floating-snap").open()
    try send(header, .didScroll, y: 60)
    try send(header, .didEndScrollingAnimation)
    #expect(header.state.framesActive)
    try send(header, .willBeginDecelerating)
    for y in [57.0, 54] { try send(header, .didScroll, y: y) }
    try send(header, .didEndDecelerating)
    try wait(header)
    #expect([100, 0].contains(far(header)))
  }

  @Test func `a bar that follows a pan does not see what content does by itself afterwards`() throws {
    let header = try Setting(preset: "gt-scroll-bar").open()
    try send(header, .willBeginDragging)
    for y in [-10.0, -30] { try send(header, .didScroll, y: y) }
    try send(header, .didEndDragging(willDecelerate: true))
    for y in [-15.0, 0] { try send(header, .didScroll, y: y) }
    try send(header, .didEndDecelerating)
    #expect(far(header) == 100)
  }

  @Test func `nor offers over content that is too short for it`() throws {
    let header = try Setting(preset: "gt-scroll-bar", length: 700).open()
    try send(header, .willBeginDragging)
    #expect(try send(header, .willScroll(delta: Point(y: 30), source: .drag)).residual == Point(y: 30))
    #expect(far(header) == 100)
  }

  @Test(arguments: ["squareCash", "safari"])
  func `a bar that a call has hidden at the content's beginning comes back when a pull is let go`(_ definer: String)
    throws
  {
    let header = try Setting(
      drawers: [["name": "bar", "height": 100, "minimumHeight": 40, "maximumHeight": 100]],
      behavior: "FlexibleHeightBar", options: ["definer": .text(definer)]
    ).open()
    try hide(header, 1)
    #expect(far(header) == 40)
    try send(header, .willBeginDragging)
    try send(header, .didScroll, y: -20)
    try send(header, .didEndDragging(willDecelerate: true))
    for y in [-10.0, 0] { try send(header, .didScroll, y: y) }
    try send(header, .didEndDecelerating)
    #expect(far(header) == 100)
  }

  @Test func `a header that has gone off by itself comes back with the finger, also if a call had shown it before`()
    throws
  {
    let header = try Setting(
      behavior: "FlexibleHeader",
      options: ["minimumHeight": 40, "maximumHeight": 100, "shiftBehavior": "enabled"]
    ).open()
    try hide(header, 0)
    try send(header, .willBeginDragging)
    for y in stride(from: 10.0, through: 70, by: 10) { try send(header, .didScroll, y: y) }
    try send(header, .didEndDragging(willDecelerate: false))
    try wait(header)
    let before = far(header)
    try send(header, .willBeginDragging)
    try send(header, .didScroll, y: 10)
    #expect(max(0, far(header)) - max(0, before) <= 60)
  }

  private static let displaced = [
    Setting(
      drawers: [["name": "bar", "height": 100, "minimumHeight": 40, "maximumHeight": 100]], behavior: "FlexibleHeader",
      options: ["minimumHeight": 40, "maximumHeight": 100], offset: -100),
    Setting(
      drawers: [["name": "bar", "height": 100, "minimumHeight": 40, "maximumHeight": 100]], behavior: "FlexibleHeader",
      options: ["minimumHeight": 40, "maximumHeight": 100, "shiftBehavior": "enabled"], offset: -100),
    Setting(drawers: [["name": "header", "height": 200]], behavior: "StretchyHeader"),
  ]

  @Test(arguments: 0..<3)
  func `a pull brings back what a call has hidden as the finger goes, and keeps it when it is let go`(_ index: Int)
    throws
  {
    let header = try Self.displaced[index].open()
    let (top, whole) = (view(header).contentOffset.y, far(header))
    try hide(header, 0.8)
    var before = far(header)
    #expect(before < whole)
    try send(header, .willBeginDragging)
    for pulled in stride(from: 7.0, through: 21, by: 7) {
      try send(header, .didScroll, y: top - pulled)
      #expect(abs(far(header) - before - 7) < 1e-9)
      before = far(header)
    }
    try send(header, .didEndDragging(willDecelerate: true))
    try send(header, .didScroll, y: top)
    try send(header, .didEndDecelerating)
    #expect(abs(far(header) - before) < 1e-9)
    try send(header, .willBeginDragging)
    for pulled in stride(from: 20.0, through: 400, by: 20) {
      try send(header, .didScroll, y: top - pulled)
      #expect(far(header) - before <= 20 + 1e-9)
      before = far(header)
    }
    let again = try Header(header.description, epoch: 1, provider: BuiltPlugins.registry(), saved: try header.save())
    for header in [header, again] {
      try send(header, .didEndDragging(willDecelerate: true))
      for pulled in stride(from: 300.0, through: 0, by: -100) { try send(header, .didScroll, y: top - pulled) }
      try send(header, .didEndDecelerating)
      #expect(abs(far(header) - whole) < 1e-9)
    }
  }

  @Test func `a header that a call has hidden over content that is nearly as far comes back as the finger goes`() throws
  {
    let header = try Self.displaced[1].open()
    let top = view(header).contentOffset.y
    try send(header, .willBeginDragging)
    for scrolled in stride(from: 10.0, through: 80, by: 10) { try send(header, .didScroll, y: top + scrolled) }
    try send(header, .didEndDragging(willDecelerate: true))
    try send(header, .didEndDecelerating)
    try hide(header, 1)
    #expect(far(header) == 0)
    try send(header, .willBeginDragging)
    try send(header, .didScroll, y: top + 20)
    #expect(far(header) == 60)
  }

  /// The library counts the turn of short content as a movement of that, by which the shift comes back.
  @Test func `a header that a call has hidden over content that fits comes back also after the phone was turned`()
    throws
  {
    var setting = Self.displaced[1]
    setting.length = 300
    let header = try setting.open()
    try hide(header, 1)
    try layOut(header, ["viewport": ["width": 600, "height": 400]])
    try layOut(header, ["viewport": ["width": 400, "height": 600]])
    try send(header, .willBeginDragging)
    for _ in 0..<3 { try pull(header, by: 40) }
    #expect(far(header) >= 100)
  }

  /// What is back in the content stands there a moment later; a call in between puts it elsewhere.
  @Test func `a bar that a call hides just as it has come back into the content comes back again`() throws {
    let header = try Setting(preset: "react-headroom").open()
    try send(header, .willBeginDragging)
    for y in stride(from: 30.0, through: 150, by: 30) { try send(header, .didScroll, y: y) }
    try send(header, .didEndDragging(willDecelerate: false))
    #expect(far(header) == 0)
    try layOut(header, ["contentSize": ["height": 300]])
    #expect(far(header) == 100)
    _ = try header.receive(ScrollEvent(.move(HeaderMove(to: .progress(1)))), at: header.now)
    #expect(far(header) == 0)
    try wait(header)
    try send(header, .willBeginDragging)
    for y in [-10.0, -5, 0] { try send(header, .didScroll, y: y) }
    #expect(far(header) == 100)
  }

  @Test func `a title below the header leaves as it came after a call`() throws {
    let header = try Setting(
      drawers: [["name": "header", "height": 200], ["name": "title", "height": 30]], behavior: "StretchyHeader"
    ).open()
    try header.drag(to: 150, at: 0.1)
    try hide(header, 0.5)
    var before = far(header)
    for y in stride(from: 160.0, through: 400, by: 10) {
      try header.drag(to: y, at: header.now.seconds + 0.01)
      #expect(max(0, before) - max(0, far(header)) <= 10)
      before = far(header)
    }
  }
}
