// SPDX-License-Identifier: MIT
//
// TLYShyNavBar: a navigation bar and an optional extension view below it slide out of the way when the user scrolls down the content, and
// back when the user scrolls the other way. Nothing is resized, only vertical centers move, and the scroll view's top inset follows the
// far edge.
//
// The drawers are the header's: the first is the bar, those after it are extensions. The chain is the host's (the drawers' parts of a
// movement, carrying, fading, the inset that follows). The behavior decides how much of a scroll becomes a movement, and what happens at
// its end.
//
//   offset ─▶ trimmed past the ends ─▶ direction, resistance ─▶ the chain
//
// Offers.swift handles nested scrolling.
//
// The source of every rule is the library at 1af462a; its quirks are kept. README.md beside this file has both, with sources.

internal import HeaderPluginKit

/// What fades as the bar contracts, in the library's words.
enum FadeBehavior: String, CaseIterable {
  case disabled, subviews, navbar
}

final class ShyNavBar: Behavior {
  /// The single-precision epsilon, which the library compares with.
  private static let epsilon = 1.1920928955078125e-07
  private static let snap: UInt64 = 1

  // MARK: Options

  /// nil: as the drawers' own `sticky` says.
  var stickyNavigationBar: Bool?
  var stickyExtensionView: Bool?
  var expansionResistance = 200.0
  var contractionResistance = 0.0
  var fadeBehavior = FadeBehavior.subviews
  var hasCustomRefreshControl = false
  var disable = false
  /// How many drawers are its own at most, from the first one on.
  var maxDrawers = Int.max

  // MARK: State

  private var isAttached = false
  /// Direction of the last movement.
  private var contracting = false
  /// The direction that was published last; nil: none yet.
  private var toldContracting: Bool?
  /// Direction when the resistance was last reset.
  private var previousContractionState = true
  /// Points of resistance used up in this direction.
  private var resistanceConsumed = 0.0
  /// Offset at the last handled scroll; nil: there was none.
  var previousYOffset: Double?
  /// Offers that the header has followed and the content has not yet.
  var nested = NestedScroll()

  /// Whether the first extension holds a view.
  private var hasExtensionView = false
  /// The edge that the chain hangs on, which is the status bar's, as it was set last.
  private var origin = 0.0
  /// A hash of the drawers' names, as they were attached or changed last. Only equality matters, and there may be very many headers.
  private var drawerNames = 0

  /// The index of the navigation bar's drawer.
  var bar: Int { 0 }
  /// How many drawers it has.
  private var count: Int { min(maxDrawers, host.drawerCount) }
  /// The indices of the extensions' drawers.
  private var extensions: Range<Int> { 1..<max(1, count) }

  // MARK: Life

  /// Assigns the scroll view, the extension view and then the options, as an application does with the library. The options come last
  /// there, so this runs with the defaults.
  override func attach() throws(Refusal) {
    guard host.drawerCount > 0 else { throw Refusal("it needs a drawer for the navigation bar") }
    guard host.trackingScrollView != nil else { throw Refusal("it needs a tracking scroll view") }
    guard try takesDrawers() else { return }
    hangScrollView()
    // An earlier behavior may have hung the chain elsewhere.
    origin = host.chain.origin
    hangOnStatusBar()

    let wasDisabled = disable
    disable = false
    let sizes = extensions.map { host.drawer($0).size }
    for drawer in extensions { host.setFrame(Rect(width: 100), of: drawer) }
    cleanUp()
    layOut()
    // A drawer without elements and height is an empty holder: there is no extension view in it yet.
    for (index, size) in sizes.enumerated() {
      let isThere = size.height > 0 || host.drawer(index + 1).elementCount > 0
      if index == 0 { hasExtensionView = isThere }
      if isThere { place(index + 1, size) }
    }
    isAttached = true
    disable = wasDisabled
    applyPolicy()
  }

  /// Claims the drawers, all of them or none, since moving one carries those after it. The chain ends before a drawer with another owner.
  private func takesDrawers() throws(Refusal) -> Bool {
    _ = try claim(0..<count, needing: 0..<count)
    drawerNames = (0..<count).map(host.drawerName).hashValue
    return !rests
  }

  /// The chain ends at the tracking scroll view: its insets follow the far edge, and no other one's.
  private func hangScrollView() {
    var chain = host.chain
    chain.tail = host.trackingScrollView
    host.chain = chain
  }

  /// Applies the options of the chain. Nothing moves.
  private func applyPolicy() {
    guard isAttached, !rests else { return }
    applyStickiness()
    var chain = host.chain
    chain.writesTailInsets = !hasCustomRefreshControl
    host.chain = chain
  }

  /// A stickiness that was set as an option overrides the drawers' own, from the description or an event.
  private func applyStickiness() {
    if let stickyNavigationBar { host.setSticky(stickyNavigationBar, bar) }
    guard let stickyExtensionView else { return }
    for drawer in extensions { host.setSticky(stickyExtensionView, drawer) }
  }

  /// Moves the chain to the status bar's edge. The library asks for that edge each time it needs it; here this is called wherever it may
  /// have changed.
  func hangOnStatusBar() {
    let edge = statusBar
    guard edge != origin else { return }
    origin = edge
    var chain = host.chain
    chain.origin = edge
    host.chain = chain
  }

  /// The height that the status bar takes from header space. A bar higher than 20 counts as 20 higher than it should
  /// (an in-call bar; on phones with a notch the header ends 20 points too high: issue 189).
  private var statusBar: Double {
    let environment = host.environment
    guard !environment.statusBarHidden, !environment.presented,
      environment.viewOrigin.y < environment.statusBarHeight
    else { return 0 }
    let height = environment.statusBarHeight
    return height > 20 ? height - 20 : height
  }

  private func cleanUp() {
    host.expand()
    previousYOffset = nil
    _ = nested.forget()
  }

  private func layOut() {
    if abs(host.followTail()) > Self.epsilon { host.expand() }
  }

  /// Puts an extension view of a size at the top of header space; laying out then expands it into its place.
  private func place(_ drawer: Int, _ size: Size) {
    host.setFrame(Rect(width: size.width, height: size.height), of: drawer)
    // The library switches itself off for this and on again, which notes the offset. Options come after attaching.
    let wasDisabled = isAttached && disable
    disable = true
    layOut()
    disable = wasDisabled
    if !wasDisabled { noteOffset() }
  }

  var scrollView: ScrollView? { host.trackingScrollView.map(host.scrollView) }

  /// The next movement begins where the content is.
  private func noteOffset() {
    _ = nested.forget()
    previousYOffset = scrollView?.contentOffset.y
  }

  func setDisable(_ value: Bool) {
    let wasDisabled = disable
    disable = value
    if isAttached, wasDisabled, !value { noteOffset() }
  }

  func setDrawers(_ count: Double?) throws(Refusal) {
    let most = count.map { Int(min($0.rounded(.down), 1e6)) } ?? .max
    guard most != maxDrawers else { return }
    guard !isAttached else { throw Refusal("drawers: it has its drawers already; remove it, and add it anew") }
    maxDrawers = most
  }

  func setPolicyOption(_ body: () -> Void) {
    body()
    applyPolicy()
  }

  // MARK: Events

  override func willAppear(_ event: Event) { cleanUp() }
  override func willDisappear(_ event: Event) { cleanUp() }
  override func didBecomeActive(_ event: Event) { if host.environment.visible { host.expand() } }

  override func layout(_ event: Event) {
    let given = event.given
    if given.contains(.structure) {
      takeUpStructure()
      // Other delegates may have the drawers that it needs.
      guard !rests else { return }
    }
    if given.contains(.drawers) { applyStickiness() }
    hangOnStatusBar()
    if given.contains(.statusBarHeight) { host.expand() }
    // Another scroll view's size does not concern the header.
    let isOurs = event.scrollView == host.trackingScrollView
    if given.contains(.contentSize), isOurs, let view = scrollView, host.environment.visible, !isLongEnough(view) {
      host.expand()
    }
    if given.contains(.pass) { layOut() }
  }

  /// Drawers or scroll views were replaced (the library has no such thing): the new ones are ours too. The same drawers
  /// keep their places unless the room that they take has changed, as with the library's *layoutViews*; others take up
  /// theirs from the expanded header. A claim that is refused gets this behavior bypassed by the host, which says so.
  private func takeUpStructure() {
    let before = drawerNames
    guard (try? takesDrawers()) == true else { return }
    hangScrollView()
    hangOnStatusBar()
    applyPolicy()
    // A scroll view that was removed counts as replaced by none.
    guard drawerNames == before, host.trackingScrollView != nil else { return cleanUp() }
    layOut()
    previousYOffset = nil
    _ = nested.forget()
  }

  override func setTrackingScrollView(_ event: Event) { assignScrollView() }

  override func didScroll(_ event: Event) { handle() }

  override func didEndDragging(_ event: Event, willDecelerate: Bool) {
    giveUp(nested.forget())
    if !willDecelerate { ended() }
  }

  override func didEndDecelerating(_ event: Event) {
    giveUp(nested.forget())
    ended()
  }

  override func willScroll(_ event: Event) -> Point { Point(y: take(event.delta.y)) }

  override func didOverscroll(_ event: Event) -> Point { Point(y: takeLeft(event.delta.y)) }

  override func didScrollToTop(_ event: Event) {
    guard let view = event.scrollView else { return }
    host.command(
      "scrollRectToVisible",
      .record([
        ("rect", .record([("x", .number(0)), ("y", .number(0)), ("width", .number(1)), ("height", .number(1))])),
        ("animated", .bool(true)),
      ]), for: view)
    host.command("flashScrollIndicators", for: view)
  }

  // MARK: Scrolling

  override func contentDidChange(_ event: Event) {
    _ = nested.forget()
    previousYOffset = scrollView?.contentOffset.y
  }

  private func handle() {
    hangOnStatusBar()
    guard let view = scrollView, follows(view) else { return }
    let known = nested.follow(view.contentOffset.y)
    giveUp(known.givenUp)
    // The offset is read again at the end: the header may have moved it.
    defer { previousYOffset = position(of: view) }
    guard !known.isKnown, let previous = previousYOffset else { return }
    follow(from: previous, to: position(of: view), view)
  }

  /// Whether a scroll of the tracking scroll view counts at all.
  func follows(_ view: ScrollView) -> Bool { !disable && host.environment.visible && isLongEnough(view) }

  /// The header follows a movement of the content.
  /// - Returns: by how much the drawers moved, in the frame's sign.
  @discardableResult
  func follow(from previous: Double, to offset: Double, _ view: ScrollView) -> Double {
    var delta = trimmed(previous - offset, from: previous, view)
    if abs(delta) > Self.epsilon { contracting = delta < 0 }
    if contracting != previousContractionState {
      previousContractionState = contracting
      resistanceConsumed = 0
    }
    let wanted = delta
    delta = resisted(delta, at: offset)
    if delta != wanted { host.noteResistance(wanted, left: delta) }

    host.setFade(fade, bar)
    if visibleTop == origin { Self.outputs.didBecomeFullyContracted.post(in: host) }
    if toldContracting != contracting { tellDirection() }
    return delta - host.move(from: bar, by: delta)
  }

  /// Movement past the top and the bottom of the content does not count, and neither does the way back.
  private func trimmed(_ distance: Double, from previous: Double, _ view: ScrollView) -> Double {
    var distance = distance
    let start = -view.contentInset.top
    if previous < start { distance = min(0, distance - (previous - start)) }
    let end = Double(
      Float(view.contentSize.height - view.frame.height + view.contentInset.bottom - 0.5).rounded(.down))
    if previous > end, distance > 0 { distance = max(0, distance - previous + end) }
    return distance
  }

  /// The first points in a direction are used up by its resistance; expanding meets none at the content's top.
  private func resisted(_ distance: Double, at offset: Double) -> Double {
    if contracting {
      let left = contractionResistance - resistanceConsumed
      resistanceConsumed = min(contractionResistance, resistanceConsumed - distance)
      return min(0, left + distance)
    }
    guard offset > 0 else { return distance }
    let left = expansionResistance - resistanceConsumed
    resistanceConsumed = min(expansionResistance, resistanceConsumed + distance)
    return max(0, distance - left)
  }

  private func tellDirection() {
    toldContracting = contracting
    Self.outputs.isContracting.set(contracting, in: host)
  }

  private var fade: Fade {
    switch fadeBehavior {
    case .disabled: .none
    case .subviews: .elements
    case .navbar: .drawer
    }
  }

  /// The far edge of the visible part, compared exactly with the status bar's: so it reads the state before a movement.
  private var visibleTop: Double {
    var drawers = host.drawers(atMost: maxDrawers)
    guard var edge = drawers.next()?.frame.maxY else { return 0 }
    for drawer in drawers where !drawer.isHidden { edge = max(edge, drawer.frame.maxY) }
    return edge
  }

  /// Whether the content is long enough to scroll the header away and back.
  private func isLongEnough(_ view: ScrollView) -> Bool {
    let shown = abs(view.frame.height - view.contentInset.top - view.contentInset.bottom)
    return view.contentSize.height - shown > totalHeight
  }

  /// The height that is still showing; some of its terms pass through single precision in the library.
  private var totalHeight: Double {
    var over = Float(origin)
    var drawers = host.drawers(atMost: maxDrawers)
    guard var before = drawers.next() else { return 0 }
    let above = Double(over) - before.frame.y
    if above > 0 { over = Float(Double(over) + above) }
    var total = before.size.height - Double(over) + origin
    for drawer in drawers {
      let covered = Float(before.frame.maxY - drawer.frame.y)
      total += drawer.size.height - Double(covered)
      before = drawer
    }
    return total
  }

  // MARK: The end of a scroll

  private func ended() {
    guard host.environment.visible else { return }
    resistanceConsumed = 0
    host.animate(duration: 0.2, .easeInOut, token: Self.snap)
    if contracting ? extensionIsContracted : !isExpanded(bar) {
      host.contract()
    } else if count > 1 {
      host.expand(from: 1)
    }
  }

  /// Without an extension there is nothing that could be in the way.
  private var extensionIsContracted: Bool {
    guard count > 1 else { return true }
    return abs(host.drawer(1).center.y - host.contractedCenter(of: 1).y) < Self.epsilon
  }

  private func isExpanded(_ drawer: Int) -> Bool {
    abs(host.drawer(drawer).center.y - host.expandedCenter(of: drawer).y) < Self.epsilon
  }

  /// The notice's name has the direction when it runs, not that of the snap.
  override func completion(_ token: UInt64) {
    let notice = contracting ? Self.outputs.didFinishContracting : Self.outputs.didFinishExpanding
    notice.post(in: host)
  }

  // MARK: Calls

  /// Sets, replaces or removes the extension view.
  func setExtensionView(_ arguments: Value) throws(Refusal) {
    guard count > 1 else { throw Refusal("the header has no drawer for an extension view") }
    guard let height = arguments["height"]?.number else {
      // The same view again, which is none, changes nothing.
      if hasExtensionView { place(1, Size()) }
      hasExtensionView = false
      return
    }
    hasExtensionView = true
    place(1, Size(width: arguments["width"]?.number ?? host.drawer(bar).size.width, height: height))
  }

  /// Assigns a scroll view by name; nil: the same again.
  func setScrollView(_ name: String?) throws(Refusal) {
    guard let name else { return assignScrollView() }
    guard let view = host.scrollView(named: name) else {
      let known = (0..<host.scrollViewCount).map(host.scrollViewName)
      throw Refusal("there is no scroll view \"\(name)\"; there are \(known.joined(separator: ", "))")
    }
    // The behavior then receives the new scroll view as an event, and assigns it.
    if view == host.trackingScrollView { assignScrollView() } else { host.setTrackingScrollView(view) }
  }

  /// Assigning a scroll view, another one or the same again (the library's *setScrollView:*): the header expands over it, its
  /// inset follows from now on, and its first scroll is only noted. The one before keeps its inset and offset.
  func assignScrollView() {
    hangScrollView()
    hangOnStatusBar()
    cleanUp()
    layOut()
  }

  // MARK: Position

  /// All that it does to its drawers is done by the chain, which the host moves as well.
  override var positioning: Positioning { .chain }

  // MARK: Being born again

  override func save() -> Value {
    let fields: [(name: String, value: Value)] = [
      ("contracting", .bool(contracting)),
      ("previousContractionState", .bool(previousContractionState)),
      ("resistanceConsumed", .number(resistanceConsumed)),
      ("hasExtensionView", .bool(hasExtensionView)),
      ("previousYOffset", previousYOffset.map { .number($0) } ?? .null),
    ]
    return .record(fields + (nested.saved.map { [("nested", $0)] } ?? []))
  }

  override func restore(_ state: Value, version: Int) throws(Refusal) {
    guard version == 1, let contracting = state["contracting"]?.bool,
      let hasExtensionView = state["hasExtensionView"]?.bool,
      let previous = state["previousContractionState"]?.bool, let consumed = state["resistanceConsumed"]?.number
    else { throw Refusal("a saved state of version \(version) lacks what version 1 has") }
    guard try takesDrawers() || hasBegun else { return }
    self.contracting = contracting
    self.hasExtensionView = hasExtensionView
    previousContractionState = previous
    resistanceConsumed = consumed
    previousYOffset = state["previousYOffset"]?.number
    nested = NestedScroll(state["nested"])
    origin = host.chain.origin
    isAttached = true
  }
}
