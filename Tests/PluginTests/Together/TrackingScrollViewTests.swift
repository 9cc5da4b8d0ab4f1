// SPDX-License-Identifier: MIT
//
// A header whose content becomes another one: a behavior goes on with the new scroll view alone. The way from one content
// to the other is no scroll, and the old scroll view is not written any more.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct TrackingScrollViewTests {
  /// The ways to another scroll view.
  enum Way: String, CaseIterable {
    case event, configure
    /// The old scroll view is gone afterwards.
    case replacement
  }

  static let shyNavBar = ComposedHeader(
    title: "ShyNavBar", drawers: [["name": "navBar", "height": 44], ["name": "extension", "height": 40]],
    delegates: [.init(behavior: "ShyNavBar", options: ["expansionResistance": 0])])

  /// A header over two scroll views, `content`, which it tracks, and `side`, whose content is 500 points further.
  private func open(
    _ composed: ComposedHeader, changing change: (inout ScrollViewDescription) -> Void = { _ in }
  ) throws -> Header {
    var description = try composed.description()
    var side = description.scrollViews[0]
    side.name = "side"
    side.contentOffset.y += 500
    change(&side)
    description.scrollViews.append(side)
    return try Header(description, epoch: 1, provider: BuiltPlugins.registry())
  }

  private func track(_ name: String?, in header: Header, by way: Way = .event) throws {
    guard way != .event else {
      _ = try header.receive(ScrollEvent(.setTrackingScrollView(to: name)))
      return
    }
    var next = header.description
    next.trackingScrollView = name
    if way == .replacement { next.scrollViews.removeAll { $0.name != name } }
    try header.reconfigure(to: next)
  }

  private func scrollView(_ name: String, of header: Header) throws -> ScrollView {
    header.scrollViews[try #require(header.description.scrollViews.firstIndex { $0.name == name })]
  }

  private func scroll(_ header: Header, by distance: Double) throws {
    try header.scroll(to: header.scrollViews[header.trackingScrollView].contentOffset.y + distance)
  }

  private func places(of header: Header) -> [Double] { header.drawers.elements.map(\.frame.origin.y) }

  /// TLYShyNavBarManager's setScrollView:, with the drawers half contracted before.
  @Test(arguments: Way.allCases) func `ShyNavBar expands over another scroll view and follows that alone`(
    _ way: Way
  ) throws {
    let header = try open(Self.shyNavBar)
    _ = try header.receive(ScrollEvent(.willBeginDragging))
    for distance in [0.0, 30, 32] { try scroll(header, by: distance) }
    #expect(places(of: header) == [-2, 2])
    let old = try scrollView("content", of: header)

    try track("side", in: header, by: way)
    #expect(places(of: header) == [20, 64])
    let side = try scrollView("side", of: header)
    #expect(side.contentInset.top == 104)
    // It is at rest, so that its content goes with the header: from an inset of 64 to one of 104.
    #expect(side.contentOffset.y == 436 - 40)

    // The first offset is only noted, and so is none that the old content had.
    try scroll(header, by: -20)
    #expect(places(of: header) == [20, 64])
    try scroll(header, by: 30)
    #expect(places(of: header) == [20, 34])
    #expect(try scrollView("side", of: header).contentInset.top == 74)
    if way != .replacement { #expect(try scrollView("content", of: header) == old) }
  }

  @Test func `ShyNavBar assigns the tracked scroll view when it is told to assign it again`() throws {
    let header = try open(Self.shyNavBar)
    for distance in [0.0, 30, 32] { try scroll(header, by: distance) }
    try track("side", in: header)
    try scroll(header, by: 0)
    try scroll(header, by: 60)
    let old = try scrollView("content", of: header)
    _ = try header.receive(ScrollEvent(.call(name: "setScrollView", arguments: [:], delegate: nil)))
    #expect(places(of: header) == [20, 64])
    #expect(try scrollView("side", of: header).contentInset.top == 104)
    #expect(try scrollView("content", of: header) == old)
  }

  @Test(arguments: [true, false]) func `ShyNavBar expands when its scroll view goes`(_ isRemoved: Bool) throws {
    let header = try open(Self.shyNavBar)
    for distance in [0.0, 30, 32] { try scroll(header, by: distance) }
    if isRemoved {
      var next = header.description
      next.scrollViews.removeAll { $0.name == "content" }
      next.trackingScrollView = nil
      try header.reconfigure(to: next)
    } else {
      try track(nil, in: header)
    }
    #expect(header.trackingScrollView == -1)
    #expect(places(of: header) == [20, 64])
    // Nobody's inset follows any more.
    let views = header.scrollViews.elements
    _ = try header.receive(ScrollEvent(.call(name: "contract", arguments: [:], delegate: nil)))
    #expect(places(of: header) == [-24, -20])
    #expect(header.scrollViews.elements == views)
  }

  @Test func `ShyNavBar does not expand because another scroll view has other content`() throws {
    let header = try open(Self.shyNavBar)
    for distance in [0.0, 30, 32] { try scroll(header, by: distance) }
    // The tracked content becomes too short; that is told when its own size is given, and not with another's.
    func tell(_ view: String, _ keys: Value.Record) throws {
      _ = try header.receive(ScrollEvent(.layout(LayoutChange(keys)), scrollView: view))
    }
    try tell("content", ["viewport": ["height": 3500]])
    let before = places(of: header)
    try tell("side", ["contentSize": ["height": 10]])
    #expect(places(of: header) == before)
    try tell("content", ["contentSize": ["height": 3000]])
    #expect(places(of: header) == [20, 64])
  }

  @Test func `ShyNavBar that is reloaded between two scroll views follows the tracked one`() throws {
    let header = try open(Self.shyNavBar)
    try track("side", in: header)
    try header.reloadDelegate(at: 0)
    let old = try scrollView("content", of: header)
    try scroll(header, by: 0)
    try scroll(header, by: 30)
    #expect(try scrollView("side", of: header).contentInset.top == 74)
    #expect(try scrollView("content", of: header) == old)
  }

  @Test(arguments: ["safari", "facebook"], Way.allCases)
  func `FlexibleHeightBar does not take the way between two contents for a scroll`(
    _ definer: String, _ way: Way
  ) throws {
    let header = try open(.bar(["definer": .text(definer)]))
    try header.drag(to: -42, decelerates: true)
    #expect(header.progress == 0.5)
    let old = try scrollView("content", of: header)
    try track("side", in: header, by: way)
    try scroll(header, by: 0)
    #expect(header.progress == 0.5)
    try scroll(header, by: 11)
    #expect(header.progress == 0.75)
    if way != .replacement { #expect(try scrollView("content", of: header) == old) }
  }

  /// The residual of an offer that the old content was seen to do nothing of.
  @Test func `FlexibleHeightBar forgets what the old content had yet to do`() throws {
    var bar = ComposedHeader.bar(["definer": "squareCash"])
    bar.contentInset = 128
    let header = try open(bar) { (side) in side.contentInset.top = 64 }
    _ = try header.receive(ScrollEvent(.willBeginDragging))
    _ = try header.receive(ScrollEvent(.willScroll(delta: Point(x: 0, y: 100), source: .drag)))
    #expect(header.progress == 1)
    #expect(header.scrollViews[0].contentOffset.y == -84)
    try track("side", in: header)
    // 42 further than where the old content is, which had 56 points left to do.
    try header.scroll(to: -42)
    #expect(header.progress == 0.5)
  }

  @Test(arguments: Way.allCases) func `StretchyHeader keeps its look`(_ way: Way) throws {
    let header = try open(
      ComposedHeader(
        title: "StretchyHeader", drawers: [["name": "header", "height": 180], ["name": "title", "height": 30]],
        delegates: [.init(behavior: "StretchyHeader")], contentInset: 0))
    try header.scroll(to: 50)
    #expect(header.number("topConstant") == -50)
    try track("side", in: header, by: way)
    #expect(header.number("topConstant") == -50)
    #expect(places(of: header) == [-50, 200 - 50])
    let before = header.drawers.elements
    try scroll(header, by: 0)
    #expect(header.drawers.elements == before)
  }

  /// Its recordings have every switch of one scroll view for another; here is that the old one is left alone afterwards.
  @Test(arguments: Way.allCases) func `FlexibleHeader writes nothing of the old scroll view`(_ way: Way) throws {
    let header = try open(
      ComposedHeader(
        title: "FlexibleHeader", drawers: [["name": "header", "height": 76]],
        delegates: [
          .init(
            behavior: "FlexibleHeader",
            options: ["minimumHeight": 76, "maximumHeight": 200, "shiftBehavior": "enabled"])
        ], contentInset: 0))
    try header.drag(to: -120)
    try track("side", in: header, by: way)
    let old = way == .replacement ? nil : try scrollView("content", of: header)
    for distance in [0.0, 30, 200, -400, 60] { try scroll(header, by: distance) }
    if let old { #expect(try scrollView("content", of: header) == old) }
  }
}
