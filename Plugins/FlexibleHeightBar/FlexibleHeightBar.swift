// SPDX-License-Identifier: MIT
//
// BLKFlexibleHeightBar: a bar whose height runs from a maximum (progress 0) to a minimum (progress 1). A definer turns scroll events into
// progress (Definer.swift); the bar turns progress into its height, and into its elements' looks (BarElements.swift).
//
//     scroll ─▶ definer ─▶ progress ─▶ layout, once at the event's end ─▶ height, elements
//                  │                        ▲
//                  └─ at rest: snap ────────┘ moves content and bar together, and lays out at once
//
// The bar is one drawer, the header's first unless `drawer` names another; further drawers are not its own. The source of every rule is
// the library at 6110292; its quirks are kept. README.md beside this file has both, with sources.

internal import HeaderLayoutAttributes
internal import HeaderPluginKit

/// How the heights are found that no option gives: the library's ways to make a bar, and ours.
enum Initialization: String, CaseIterable {
  /// As the drawer's description says; the bar is laid out at opening.
  case drawer
  /// initWithFrame: maximum at the frame's bottom edge, not its height (the library's quirk).
  case frame
  /// From a nib: maximum at the frame's height.
  case nib
  /// Without a frame.
  case plain
}

/// The behavior of BLKFlexibleHeightBar and its behavior definers.
final class FlexibleHeightBar: Behavior {
  // MARK: Options

  var definer = Definer()
  var elements = BarElements()
  var initialization = Initialization.drawer
  /// Whether the definer gets scroll events; the library sets the scroll view's delegate apart from the bar's definer.
  var isScrollViewDelegate = true
  /// Heights by option; nil: as the bar began.
  var givenMaximum: Double?
  var givenMinimum: Double?

  // MARK: State

  var isAttached = false
  /// 0…1; below 0 for a moment, while an elastic bar is stretched.
  var progress = 0.0
  /// The heights that the bar began with.
  var initialMaximum = 44.0
  var initialMinimum = 20.0
  /// Offers that the bar has followed and the content has not yet.
  var nested = NestedScroll()
  /// Where a call or a constraint keeps the bar, away from where the content would have it.
  var displacement = Displacement()
  /// A call has put the bar where safari would not have it yet.
  var isHeld = false
  /// The bar is to be laid out at the end of the event.
  private var needsLayout = false
  /// The bar's size as it was seen last: another one was set from outside.
  var knownSize = Size()

  /// The name of the bar's drawer; nil: the header's first.
  private(set) var drawerName: String?
  /// The index of the bar's drawer.
  private(set) var bar = 0

  var maximum: Double { max(givenMaximum ?? initialMaximum, 0) }
  var minimum: Double { max(givenMinimum ?? initialMinimum, 0) }
  var range: Double { maximum - minimum }

  // MARK: Life

  override func attach() throws(Refusal) {
    guard host.drawerCount > 0 else { throw Refusal("it needs a drawer for the bar") }
    if let name = drawerName, host.drawer(named: name) == nil {
      let known = (0..<host.drawerCount).map(host.drawerName)
      throw Refusal("drawer: there is no drawer \"\(name)\"; \(BarElements.listed(known))")
    }
    guard try takesBar() else { return }
    isAttached = true
    let drawer = host.drawer(bar)
    switch initialization {
    case .drawer: (initialMaximum, initialMinimum) = (drawer.maximumHeight, drawer.minimumHeight)
    case .frame: initialMaximum = drawer.frame.maxY
    case .nib: initialMaximum = drawer.size.height
    case .plain: break
    }
    knownSize = drawer.size
    tell()
    tellHeights()
    beginSafari()
    // The library lays a new bar out at the end of the first event, which sees it as it was made. Our own kind of bar is laid out before
    // the first event.
    guard initialization == .drawer else { return host.startTimer(Self.firstLayout, after: 0) }
    // With squareCash the bar's place follows from the content's place alone.
    if definer.kind == .squareCash, let place { set(progress: place.squareCashProgress) }
    setNeedsLayout()
  }

  private static let firstLayout: UInt64 = 1

  override func timer(_ token: UInt64) { setNeedsLayout() }

  /// Makes the bar and the elements that have keys its own.
  func takesBar() throws(Refusal) -> Bool {
    // The host refuses the claim of a drawer that does not exist.
    bar = drawerName.map { host.drawer(named: $0) ?? host.drawerCount } ?? 0
    _ = try claim(bar..<bar + 1, needing: bar..<bar + 1)
    guard !rests else { return false }
    try elements.claim(for: self, drawer: bar)
    return true
  }

  /// In the library each definer belongs to the scroll view whose events it gets; here that is the tracking one.
  var place: Place? { host.trackingScrollView.map { Place(host.scrollView($0), range: range) } }

  private func beginSafari() {
    if let place { _ = definer.safari.follow(place) }
  }

  override func responds(to kind: EventKind) -> Bool {
    let hears = isScrollViewDelegate && definer.kind != .none
    return switch kind {
    case .layout: true
    case .willBeginDragging: hears && (definer.kind == .facebook || definer.kind == .safari)
    case .willEndDragging: hears && definer.kind == .safari
    case .willScroll, .didOverscroll, .willFling: hears && definer.kind != .base
    default: hears
    }
  }

  // MARK: Events

  override func willBeginDragging(_ event: Event) {
    guard let view = event.scrollView else { return }
    switch definer.kind {
    case .facebook:
      definer.facebook.beginDragging(at: Place(host.scrollView(view), range: range), progress: progress)
    case .safari: definer.safari.beginDragging()
    case .none, .base, .squareCash: break
    }
  }

  override func didScroll(_ event: Event) {
    guard let view = event.scrollView else { return }
    let known = nested.follow(host.scrollView(view).contentOffset.y)
    giveUp(known.givenUp)
    if !known.isKnown { follow(view) }
  }

  /// The bar follows the content to where it is, or is taken to be.
  func follow(_ view: Int) {
    // Layout comes later, so this is the height before this scroll.
    var insets = host.scrollView(view).scrollIndicatorInsets
    insets.top = host.drawer(bar).size.height
    host.setScrollIndicatorInsets(insets, of: view)

    var place = Place(host.scrollView(view), range: range)
    place.offset += nested.ahead
    let distance = definer.kind == .safari ? definer.safari.follow(place) : 0
    guard !definer.currentlySnapping else { return }
    switch definer.kind {
    case .none, .base: return
    case .squareCash: set(progress: placed(place.squareCashProgress))
    case .facebook: set(progress: definer.facebook.progress(at: place))
    case .safari:
      let wanted = definer.safari.progress(
        at: place, after: distance, from: progress, isElastic: definer.elasticMaximumHeightAtTop)
      set(progress: held(wanted, after: distance))
    }
    setNeedsLayout()
  }

  override func willEndDragging(_ event: Event) -> Point? {
    definer.safari.release(velocity: event.velocity.y)
    return nil
  }

  override func willScroll(_ event: Event) -> Point { Point(y: take(event.delta.y, in: event.scrollView)) }

  override func didOverscroll(_ event: Event) -> Point { Point(y: takeLeft(event.delta.y, in: event.scrollView)) }

  override func willFling(_ event: Event) -> Point { Point(y: takeVelocity(event.velocity.y)) }

  override func didEndDragging(_ event: Event, willDecelerate: Bool) {
    giveUp(nested.forget())
    // Content that is released beyond its beginning brings back a bar that a call, or another scroll view, has left hidden there.
    if let place, place.fromTop < 0 {
      displacement.forget()
      isHeld = false
    }
    if !willDecelerate, let view = event.scrollView { snap(view) }
  }

  override func didEndDecelerating(_ event: Event) {
    giveUp(nested.forget())
    if let view = event.scrollView { snap(view) }
  }

  /// The old content's place, and a finger on it, are no movement of the new content.
  override func setTrackingScrollView(_ event: Event) {
    _ = nested.forget()
    definer.safari.forget()
    beginSafari()
    if let place { definer.facebook.begin(at: place, progress: progress) }
    keepLook()
  }

  override func contentDidChange(_ event: Event) {
    _ = nested.forget()
    beginSafari()
    if let place { definer.facebook.begin(at: place, progress: progress) }
    keepLook()
  }

  override func layout(_ event: Event) {
    if event.given.contains(.structure) {
      // A claim that is refused gets this behavior bypassed by the host, which says so.
      guard (try? takesBar()) == true else { return }
      setNeedsLayout()
    }
    takeOverHeights()
    if host.drawer(bar).size != knownSize {
      knownSize = host.drawer(bar).size
      setNeedsLayout()
    }
    if event.given.contains(.pass) { setNeedsLayout() }
  }

  // MARK: The bar

  /// Sets progress without a layout. NaN counts as 1: the original's `fmin`.
  func set(progress value: Double) {
    let cut = value.isNaN ? 1 : min(value, 1)
    progress = permitted(isElastic ? cut : max(cut, 0))
    tell()
  }

  /// Asks for a layout at the end of the event.
  func setNeedsLayout() {
    needsLayout = true
    host.markLayout()
  }

  override func layoutPass() {
    if needsLayout { layOut() }
  }

  /// The height that progress gives. Heights that are equal and a bar that is pulled give no number: 0 · ∞. Where maximum is
  /// below minimum an elastic bar could shrink below 0.
  var height: Double {
    let height = lerp(maximum, minimum, progress)
    return height.isNaN ? maximum : max(0, min(height, Self.bound))
  }

  func layOut() {
    needsLayout = false
    var frame = host.drawer(bar).frame
    frame.height = height
    host.setFrame(frame, of: bar)
    knownSize = host.drawer(bar).size
    if isElastic { set(progress: max(progress, 0)) }
    elements.apply(progress, to: host)
  }

  /// The largest number that the host takes.
  private static let bound = 1e9

  // MARK: Snapping

  /// Goes to the position for the present progress, if there is one.
  private func snap(_ view: Int) {
    guard definer.kind != .none, !definer.currentlySnapping, definer.snappingEnabled, progress >= 0 else { return }
    definer.currentlySnapping = true
    guard let position = position(in: view) else {
      definer.currentlySnapping = false
      return
    }
    // The original starts its animation even where there is nothing to do.
    host.animate(duration: 0.15, .easeInOut, token: UInt64(definer.generation))
    snap(to: position, view)
  }

  private func position(in view: Int) -> Double? {
    guard definer.kind == .safari else { return definer.positions.position(for: progress) }
    let place = Place(host.scrollView(view), range: range)
    let position = definer.safari.position(for: progress, among: definer.positions, at: place)
    return position == progress ? nil : position
  }

  /// Moves content and bar together. The content moves by the whole difference, also beyond its ends and where progress is cut; the
  /// definer gets the event.
  private func snap(to position: Double, _ view: Int) {
    var offset = host.scrollView(view).contentOffset
    offset.y = max(-Self.bound, min(Self.bound, offset.y + range * (position - progress)))
    host.setContentOffset(offset, of: view)
    set(progress: position)
    layOut()
    definer.currentlySnapping = false
    tell()
  }

  override func completion(_ token: UInt64) {
    guard token == UInt64(definer.generation) else { return }
    definer.currentlySnapping = false
    tell()
  }

  // MARK: What calls do

  func snapNow() throws(Refusal) {
    if definer.kind != .none { snap(try trackingScrollView()) }
  }

  func snapNow(to position: Double) throws(Refusal) {
    if definer.kind != .none { snap(to: position, try trackingScrollView()) }
  }

  private func trackingScrollView() throws(Refusal) -> Int {
    guard let view = host.trackingScrollView else { throw Refusal("there is no tracking scroll view to snap") }
    return view
  }

  // MARK: What options do

  func replaceDefiner(by kind: DefinerKind) {
    definer.replace(by: kind)
    guard isAttached else { return }
    beginSafari()
    tell()
  }

  func set(currentlySnapping: Bool) {
    guard definer.kind != .none else { return }
    definer.currentlySnapping = currentlySnapping
    tell()
  }

  func replaceElements(by option: Value) throws(Refusal) {
    var fresh = try BarElements(option, at: "elements")
    if isAttached { try fresh.claim(for: self, drawer: bar) }
    elements = fresh
  }

  func setDrawer(_ name: String?) throws(Refusal) {
    guard name != drawerName else { return }
    guard !isAttached else { throw Refusal("drawer: it has its drawer already; remove it, and add it anew") }
    drawerName = name
  }

  /// Heights that the application gave the drawer are the bar's, where no option gives others.
  private func takeOverHeights() {
    guard initialization == .drawer else { return }
    let drawer = host.drawer(bar)
    if drawer.maximumHeight != max(maximum, minimum) { initialMaximum = drawer.maximumHeight }
    if drawer.minimumHeight != min(maximum, minimum) { initialMinimum = drawer.minimumHeight }
    tellHeights()
  }

  // MARK: Position
  //
  // Positions by call and constraints (header.position/1), which the library does not know. The position is how far the bar has
  // shrunk: range · progress.
  //
  //     squareCash           progress follows from the content, so a bar that was moved is displaced from there
  //     facebook             the call sets the anchor, as a drag would
  //     safari, base, none   progress is where it was put; safari would show a bar at once that was hidden near the content's
  //                          top: it shows it point by point

  override var positioning: Positioning { .own }

  /// A stretched bar counts as expanded.
  override var position: Position {
    Position(traveled: max(0, min(1, progress)) * max(0, range), travel: max(0, range))
  }

  /// Whether a progress below 0 stretches the bar.
  var isElastic: Bool { definer.isElastic && !host.environment.limitsMotion }

  /// Where a call or a constraint keeps the bar, when the content would have it elsewhere.
  func placed(_ law: Double) -> Double {
    guard !displacement.isNone, range > 0, law.isFinite else { return law }
    return displacement.place(law * range, travel: range) / range
  }

  /// The permitted progress nearest to a given one.
  func permitted(_ progress: Double) -> Double {
    let range = displacement.permitted
    guard range != 0...1 else { return progress }
    return min(range.upperBound, range.lowerBound > 0 ? max(range.lowerBound, progress) : progress)
  }

  /// safari near the content's top, for a bar that a call has hidden there.
  func held(_ wanted: Double, after distance: Double) -> Double {
    guard isHeld, range > 0 else { return wanted }
    let held = max(wanted, min(progress, progress + distance / range))
    isHeld = held != wanted
    return held
  }

  override func move(to traveled: Double) {
    guard range > 0 else { return }
    let target = traveled / range
    _ = nested.forget()
    isHeld = definer.kind == .safari
    if let place {
      switch definer.kind {
      case .squareCash: displacement.move(to: traveled, law: place.fromTop, travel: range)
      case .facebook: definer.facebook.begin(at: place, progress: target)
      case .none, .base, .safari: break
      }
    }
    set(progress: target)
    layOut()
  }

  override func permit(_ permitted: ClosedRange<Double>) {
    let isNews = displacement.bind(to: permitted, from: range > 0 ? max(0, min(1, progress)) : 0)
    guard isNews else { return }
    if definer.kind == .squareCash, let place, range > 0 {
      set(progress: placed(place.squareCashProgress))
    } else {
      set(progress: progress)
    }
    layOut()
  }

  /// Another scroll view tracks: the bar stays as it is, and follows the new content from there.
  func keepLook() {
    isHeld = definer.kind == .safari
    guard definer.kind == .squareCash, let place, range > 0 else { return }
    displacement.move(to: max(0, min(1, progress)) * range, law: place.fromTop, travel: range)
  }

  // MARK: Being born again

  override func save() -> Value { savedState }

  override func restore(_ state: Value, version: Int) throws(Refusal) {
    guard version == 1 else {
      throw Refusal("it cannot take over a saved state of version \(version), only of version 1")
    }
    try take(savedState: state)
    guard try takesBar() || hasBegun else { return }
    isAttached = true
  }

  // MARK: Telling

  /// Progress beyond its bounds lasts only until the layout at the end of the event, which publishes the cut one.
  private func tell() {
    guard isAttached else { return }
    if progress.isFinite { Self.outputs.progress.set(progress, in: host) }
    Self.outputs.currentlySnapping.set(definer.kind != .none && definer.currentlySnapping, in: host)
  }

  /// A drawer's heights are in order, the bar's need not be.
  func tellHeights() {
    guard isAttached, !rests else { return }
    Self.outputs.maximumBarHeight.set(maximum, in: host)
    Self.outputs.minimumBarHeight.set(minimum, in: host)
    host.setHeights(minimum: min(maximum, minimum), maximum: max(maximum, minimum), of: bar)
  }
}
