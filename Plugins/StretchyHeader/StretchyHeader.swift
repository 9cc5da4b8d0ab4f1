// SPDX-License-Identifier: MIT
//
// A header that stretches when the content is pulled down, after the blog post of 2015-11-02 "iOS Stretchy Header with Auto
// Layout" (onmyway133): no arithmetic on scrolling but constraints with priorities, and one rule.
//
//     ┌ viewport ──────────────┐   1  header.left, .right = content.left, .right
//     │ ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓ │ ◀ 2  header.top = viewport.top + k        (999: gives way)
//     │ ▓▓▓▓▓▓▓ header ▓▓▓▓▓▓▓ │   3  header.top ≤ viewport.top + k
//     │ ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓ │
//     │       ↕ S              │   4  title.top = header.bottom + S
//     │ ←M→  title        ←M→  │   5  title.top = content.top + H          6  margins M
//     │       content          │   7  sizes ≥ 0     8  content.bottom = title.bottom + contentBelowTitle
//     └────────────────────────┘
//
// All but 2 are required. 4 and 5 fix the header's bottom: bottom = H − S − offset.y. 2 wants its top at k; should that lie
// below the bottom, 7 wins and 2 gives way, which 3 allows upwards only. So there is nothing to solve at run time:
//
//     top = min(k, bottom)      height = bottom − top
//
// The rule: on didScroll k := −offset.y while offset.y > 0 (the header leaves with the content), else 0 (its top sticks to
// the screen while the bottom goes down with the title: it grows). Without the rule (`followsScroll` false) k stays as it
// is, and one sees what the priorities do.
//
// Nested scrolling, which the post does not know: the header is a part of the content and leaves with it, so that it takes
// nothing before the content moves but what it is stretched by; pulled down at the content's top it takes all and grows.
//
//     willScroll      δ > 0 while stretched beyond the content's rest: as much of δ as it is stretched by
//     didOverscroll   δ < 0 with the content at its top: all of δ. A rubber band is the publisher's: it offers what that leaves
//     willFling       towards the top while stretched: all of the velocity, there is no content that it could move
//
// The content goes along with what is taken, as a move of the header's own: the header is where a didScroll of the whole
// movement would have brought it. Points; velocities in points per millisecond; the offset's sign.
//
// The first drawer is the header, the second the title; a header without a title is fine. Further drawers are not ours.
// README.md beside this file has the laws and the quirks of the post that are kept.

internal import HeaderPluginKit

/// The constraint system of the post.
final class StretchyHeader: Behavior {
  // MARK: Options

  var headerHeight = 200.0 { didSet { solve() } }
  var titleSpacing = 20.0 { didSet { solve() } }
  var titleMargin = 20.0 { didSet { solve() } }
  var followsScroll = true
  /// The height of the content below the title; nil: the publisher knows its content's size.
  var contentBelowTitle: Double? { didSet { solve() } }

  // MARK: State

  /// The constants of constraints 2 and 3, which are always the same.
  private var constant = 0.0
  /// Where a call or a constraint keeps the header, away from where the content would have it.
  private var displacement = Displacement()
  /// The drawers that are ours: the header, the title.
  private var claimed: [Int] = []

  private let header = 0
  private let title = 1

  // MARK: Life

  override func attach() throws(Refusal) {
    guard host.drawerCount > 0 else { throw Refusal("it needs a drawer for the header") }
    guard host.trackingScrollView != nil else { throw Refusal("it needs a tracking scroll view") }
    try takeDrawers()
    solve()
  }

  /// Those that there are: later on the header may lose its drawers, and its tracking scroll view.
  private func takeDrawers() throws(Refusal) { claimed = try claim(0..<min(2, host.drawerCount), needing: 0..<0) }

  // MARK: Events

  override func didScroll(_ event: Event) { follow() }

  /// The header keeps its look, and follows the new content from there.
  override func setTrackingScrollView(_ event: Event) {
    guard followsScroll, let offset = offset?.y else { return follow() }
    let travel = max(0, headerHeight - titleSpacing)
    displacement.move(to: max(0, min(travel, -constant)), law: offset, travel: travel)
    follow()
  }

  override func contentDidChange(_ event: Event) { setTrackingScrollView(event) }

  private func follow() {
    guard let offset = placedOffset?.y else { return }
    if followsScroll {
      // Fewer motions: it goes down with the content instead of growing.
      constant = offset > 0 || host.environment.limitsMotion ? -offset : 0
      Self.outputs.topConstant.set(constant, in: host)
      Self.outputs.lessThanTopConstant.set(constant, in: host)
    }
    solve()
  }

  override func willScroll(_ event: Event) -> Point { take(min(max(event.delta.y, 0), stretch)) }

  override func didOverscroll(_ event: Event) -> Point {
    guard claimed.contains(header), let offset = offset?.y, let rest, offset < rest + Self.slack,
      offset + event.delta.y > -NestedScroll.bound
    else { return Point() }
    return take(min(event.delta.y, 0))
  }

  override func willFling(_ event: Event) -> Point { Point(y: stretch > 0 ? min(event.velocity.y, 0) : 0) }

  /// The header and its content move by a distance.
  private func take(_ distance: Double) -> Point {
    guard distance != 0, let view = host.trackingScrollView else { return Point() }
    host.carry(view, by: distance)
    follow()
    return Point(y: distance)
  }

  /// The offset at which the content rests at its top.
  private var rest: Double? { host.trackingScrollView.map { host.restingPlaces(of: $0).lowerBound } }

  /// How far the header and the content are pulled down, points.
  private var stretch: Double {
    guard claimed.contains(header), let offset = offset?.y, let rest else { return 0 }
    return max(0, rest - offset)
  }

  /// Content that is this near to its top, in points, is at its top.
  private static let slack = 1.0

  override func layout(_ event: Event) {
    if event.given.contains(.structure) { try? takeDrawers() }
    solve()
  }

  // MARK: The constraints

  /// Where everything lies with the present constant. The content's size comes first: it may bring the offset back.
  private func solve() {
    guard !claimed.isEmpty, let view = host.trackingScrollView else { return }
    let width = host.scrollView(view).frame.width
    if let below = contentBelowTitle {
      host.setContentSize(Size(width: width, height: max(0, headerHeight + titleHeight + below)), of: view)
    }
    guard let offset = placedOffset else { return }
    let bottom = headerHeight - titleSpacing - offset.y
    if claimed.contains(header) {
      let top = min(constant, bottom)
      host.setHeights(minimum: 0, maximum: max(0, headerHeight - titleSpacing), of: header)
      host.setFrame(Rect(x: -offset.x, y: top, width: width, height: bottom - top), of: header)
    }
    if claimed.contains(title) {
      let frame = Rect(
        x: titleMargin - offset.x, y: headerHeight - offset.y, width: max(0, width - 2 * titleMargin),
        height: titleHeight)
      host.setFrame(frame, of: title)
    }
  }

  private var titleHeight: Double { host.drawerCount > title ? host.drawer(title).size.height : 0 }

  private var offset: Point? { host.trackingScrollView.map { host.scrollView($0).contentOffset } }

  // MARK: Position

  override var positioning: Positioning { followsScroll && claimed.contains(header) ? .own : .none }

  /// How far it has left with the content.
  override var position: Position {
    let travel = max(0, headerHeight - titleSpacing)
    return Position(traveled: max(0, min(travel, placedOffset?.y ?? 0)), travel: travel)
  }

  override func move(to traveled: Double) {
    guard let offset = offset?.y else { return }
    displacement.move(to: traveled, law: offset, travel: max(0, headerHeight - titleSpacing))
    follow()
  }

  override func permit(_ range: ClosedRange<Double>) {
    let position = position
    guard displacement.bind(to: range, from: position.travel > 0 ? position.traveled / position.travel : 0) else {
      return
    }
    follow()
  }

  /// The content's offset, or where a call or a constraint keeps the header.
  private var placedOffset: Point? {
    guard var offset, !displacement.isNone else { return offset }
    let (travel, end) = (max(0, headerHeight - titleSpacing), headerHeight + titleHeight)
    offset.y = displacement.place(offset.y, travel: travel, end: max(travel, end))
    return offset
  }

  // MARK: Being born again

  override func save() -> Value {
    var fields: [(name: String, value: Value)] = [("constant", .number(constant))]
    if displacement.distance != 0 { fields.append(("displacement", .number(displacement.distance))) }
    if displacement.distance > 0, displacement.pull > 0 { fields.append(("pull", .number(displacement.pull))) }
    return .record(fields)
  }

  override func restore(_ state: Value, version: Int) throws(Refusal) {
    guard version == 1, let constant = state["constant"]?.number else {
      throw Refusal("a saved state of version \(version) lacks what version 1 has")
    }
    try takeDrawers()
    self.constant = constant
    displacement = Displacement(
      distance: state["displacement"]?.number ?? 0, pull: state["pull"]?.number ?? 0)
  }
}

// MARK: - Description

extension StretchyHeader {
  static let (definition, outputs) = Definition(
    StretchyHeader.self, name: "StretchyHeader",
    summary: "The header stretches when the content is pulled down and leaves with it when it is scrolled",
    moves: true, events: [.didScroll, .willScroll, .didOverscroll, .willFling, .layout, .setTrackingScrollView],
    options: options
  ).publishing {
    (
      topConstant: $0.value(
        "topConstant", unit: "points", initial: 0, "Where the header's top wants to be, from the viewport's top"),
      lessThanTopConstant: $0.value(
        "lessThanTopConstant", unit: "points", initial: 0,
        "How low the header's top may be, from the viewport's top")
    )
  }

  private static var options: [Option<StretchyHeader>] {
    [
      Option(
        .numberOrNull(
          "contentBelowTitle", unit: "points", minimum: 0, maximum: 100_000_000,
          "Height of the content below the title, from which the content's size follows; null: it is the publisher's")
      ) { (header, value) throws(Refusal) in header.contentBelowTitle = value.number },
      Option(
        .bool("followsScroll", default: true, "The top leaves with the content; false shows what the priorities do")
      ) { (header, value) throws(Refusal) in header.followsScroll = value.bool ?? true },
      Option(
        number: .number(
          "headerHeight", unit: "points", default: 200, minimum: 0, maximum: 100_000,
          "From the content's top to the title's top"), \.headerHeight),
      Option(
        number: .number(
          "titleMargin", unit: "points", default: 20, minimum: -100_000, maximum: 100_000,
          "The title's distance from both sides"), \.titleMargin),
      Option(
        number: .number(
          "titleSpacing", unit: "points", default: 20, minimum: -100_000, maximum: 100_000,
          "From the header's bottom to the title's top"), \.titleSpacing),
    ]
  }
}

/// The plugin's one symbol.
@c(header_plugin_entry) public func entry(_ major: UInt16, _ minor: UInt16) -> UnsafeRawPointer? {
  pluginTable(StretchyHeader.definition, version: "0.1.0", summary: "A header that stretches on overscroll", major)
}
