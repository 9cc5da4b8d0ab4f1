// SPDX-License-Identifier: MIT
//
// The edges that drawers hang on, and how each of them sees the header.
//
// The engine's laws and all behaviors know one edge, the top: `y` is the distance from it, heights are measured away from it, and content
// that moves towards it has a growing offset. Drawers of another edge are stored in these terms as well; a *lens* translates real frames,
// offsets, insets and surroundings into the terms of the edge, and back.
//
//      real, bottom                       as the bottom sees it
//      ├────────────┤                     ├────────────┤ ◀ the line: the bottom, or the keyboard's top
//      │  content   │                     │   tabBar   │ y 0 … 49
//      ├────────────┤ y 431               ├────────────┤
//      │   tabBar   │                     │  content   │ its end comes first
//      ├────────────┤ y 480               ├────────────┤

/// An edge of header space.
public enum Edge: String, Sendable, CaseIterable {
  case top, bottom, leading, trailing

  /// Drawers lie above or below the content, and move up and down.
  package var isVertical: Bool { self == .top || self == .bottom }
}

/// What of the content's movement hides the drawers of an edge.
public enum EdgeDirection: String, Sendable, CaseIterable {
  /// Content that moves towards the edge: at the bottom a bar hides as one scrolls up.
  case content
  /// Content that moves up, or to the left, whichever the edge: a bar at the bottom hides as one scrolls down.
  case finger
}

/// Where lines of text begin.
public enum LayoutDirection: String, Sendable, CaseIterable {
  case leftToRight, rightToLeft
}

/// Which way a scroll view's content goes.
public enum ScrollAxis: String, Sendable, CaseIterable {
  case vertical, horizontal
}

/// The axis of a scroll view, and the end at which its content begins; one byte, as plugins read it.
public enum ScrollFlow: Sendable, CaseIterable {
  case vertical, verticalReversed, horizontal, horizontalReversed
}

extension ScrollView {
  /// Which way its content goes.
  public var axis: ScrollAxis {
    get { flow == .horizontal || flow == .horizontalReversed ? .horizontal : .vertical }
    set { flow = ScrollFlow(newValue, isReversed) }
  }

  /// Its content begins at the bottom, or at the right: offset 0 shows the beginning there and grows as the content moves
  /// away from it.
  public var isReversed: Bool {
    get { flow == .verticalReversed || flow == .horizontalReversed }
    set { flow = ScrollFlow(axis, newValue) }
  }
}

extension ScrollFlow {
  fileprivate init(_ axis: ScrollAxis, _ isReversed: Bool) {
    self =
      axis == .vertical
      ? (isReversed ? .verticalReversed : .vertical) : (isReversed ? .horizontalReversed : .horizontal)
  }
}

/// Translates between real terms and those of one edge, in which the edge is the top.
public struct EdgeLens: Equatable, Sendable {
  /// The edge that the lens translates to and from.
  public let edge: Edge
  /// The edge lies at the right or at the bottom.
  let isFar: Bool
  /// Where it lies on its axis, in header space.
  package let line: Double
  /// What of the keyboard covers the edge.
  private let keyboard: Double
  /// What behaviors see of a pull beyond the beginning of the content.
  package var pull = PullShare.whole
  /// The direction of movement that hides the drawers.
  package var direction = EdgeDirection.content
  /// `finger`: the inset at the edge while all drawers are shown, which counts as the room before the content's beginning.
  package var extent = 0.0

  /// - Parameter space: the far corner of header space.
  package init(_ edge: Edge, in space: Point, _ direction: LayoutDirection, keyboardHeight: Double) {
    self.edge = edge
    isFar = edge == .bottom || (!edge.isVertical && (edge == .trailing) == (direction == .leftToRight))
    keyboard = edge == .bottom ? keyboardHeight : 0
    line = isFar ? (edge.isVertical ? space.y : space.x) - keyboard : 0
  }

  /// Top edge terms are the header's own.
  private var isPlain: Bool { edge == .top }

  // MARK: Header space

  /// A size on either side.
  public func size(_ size: Size) -> Size {
    edge.isVertical ? size : Size(width: size.height, height: size.width)
  }

  /// Exchanges the coordinates along and across the side where the edge is vertical.
  private func turned(_ point: Point) -> Point { edge.isVertical ? point : Point(x: point.y, y: point.x) }

  /// What of the edge is a movement, in header space.
  private func realMovement(_ own: Point) -> Point { turned(isFar ? Point(x: own.x, y: 0 - own.y) : own) }

  /// A rectangle of header space in the edge's terms.
  public func rect(_ real: Rect) -> Rect {
    guard !isPlain else { return real }
    let turned = Rect(origin: turned(real.origin), size: size(real.size))
    guard isFar else { return turned }
    return Rect(
      origin: Point(x: turned.origin.x, y: line - (turned.origin.y + turned.size.height)), size: turned.size)
  }

  /// A rectangle of the edge's in header space.
  public func realRect(_ own: Rect) -> Rect {
    guard !isPlain else { return own }
    let y = isFar ? line - (own.origin.y + own.size.height) : own.origin.y
    return Rect(origin: turned(Point(x: own.origin.x, y: y)), size: size(own.size))
  }

  /// Insets in the edge's terms.
  public func insets(_ real: Insets) -> Insets { facing(turned(real)) }

  /// Insets of the edge's as they are.
  public func realInsets(_ own: Insets) -> Insets { turned(facing(own)) }

  private func turned(_ insets: Insets) -> Insets {
    edge.isVertical
      ? insets : Insets(top: insets.left, left: insets.top, bottom: insets.right, right: insets.bottom)
  }

  /// Exchanges the near inset and the far one where the edge is far.
  private func facing(_ insets: Insets) -> Insets {
    isFar ? Insets(top: insets.bottom, left: insets.left, bottom: insets.top, right: insets.right) : insets
  }

  // MARK: Content

  /// Whether a scroll view's offset grows while its content moves away from the edge.
  private func turnsRound(_ view: ScrollView) -> Bool {
    (isFar && direction == .content) != (view.isReversed && (view.axis == .vertical) == edge.isVertical)
  }

  /// Whether the content's place is counted from the end that is not the edge's.
  private var isCountedFromAfar: Bool { isFar && direction == .finger }

  /// The difference between the edge's count of the content's place and the publisher's, where the edge counts from the other end: the
  /// inset at that end stands for its own.
  private func surplus(of view: ScrollView) -> Double {
    guard isCountedFromAfar else { return 0 }
    return (edge.isVertical ? view.adjustedContentInset.top : view.adjustedContentInset.left) - extent
  }

  /// Whether the edge is the one at which a scroll view's content begins.
  func beginsHere(_ view: ScrollView) -> Bool {
    (view.axis == .vertical) == edge.isVertical && !turnsRound(view) && !isCountedFromAfar
  }

  /// An offset in the edge's terms: 0 shows the end of the content that is the edge's.
  public func offset(_ real: Point, of view: ScrollView) -> Point {
    let turned = turned(real)
    return Point(
      x: turned.x, y: (turnsRound(view) ? end(of: view) - turned.y : turned.y) + surplus(of: view))
  }

  /// An offset of the edge's as the publisher counts it.
  public func realOffset(_ own: Point, of view: ScrollView) -> Point {
    let y = own.y - surplus(of: view)
    return turned(Point(x: own.x, y: turnsRound(view) ? end(of: view) - y : y))
  }

  /// The offset at which the far end of the content is in sight, without insets; content that fits is at both of its ends.
  private func end(of view: ScrollView) -> Double {
    let inset = view.adjustedContentInset
    return edge.isVertical
      ? max(view.contentSize.height - view.frame.size.height, -inset.top - inset.bottom)
      : max(view.contentSize.width - view.frame.size.width, -inset.left - inset.right)
  }

  /// A change of an offset, or a velocity, in the edge's terms.
  public func scroll(_ real: Point, of view: ScrollView) -> Point {
    let turned = turned(real)
    return turnsRound(view) ? Point(x: turned.x, y: 0 - turned.y) : turned
  }

  /// A change of an offset of the edge's as the publisher counts it.
  public func realScroll(_ own: Point, of view: ScrollView) -> Point {
    turned(turnsRound(view) ? Point(x: own.x, y: 0 - own.y) : own)
  }

  /// A rectangle of the content on either side.
  public func contentRect(_ rect: Rect, of view: ScrollView, isReal: Bool) -> Rect {
    guard !isPlain || turnsRound(view) else { return rect }
    let size = size(rect.size)
    var origin = isReal ? turned(rect.origin) : rect.origin
    let length = edge.isVertical ? view.contentSize.height : view.contentSize.width
    if turnsRound(view) { origin.y = length - (origin.y + (isReal ? size.height : rect.size.height)) }
    return Rect(origin: isReal ? origin : turned(origin), size: size)
  }

  /// A scroll view in the edge's terms.
  public func view(_ real: ScrollView) -> ScrollView {
    guard !isPlain || turnsRound(real) || pull != .whole else { return real }
    var view = real
    view.contentOffset = seenOffset(of: real)
    view.contentSize = size(real.contentSize)
    view.contentInset = insets(real.contentInset)
    view.scrollIndicatorInsets = insets(real.scrollIndicatorInsets)
    view.adjustedContentInset = insets(real.adjustedContentInset)
    // Its end is where the inset there has it, which counts as if all drawers were shown.
    if isCountedFromAfar { view.contentSize.height += view.adjustedContentInset.top - extent }
    view.frame = rect(real.frame)
    view.viewport = size(real.viewport)
    view.correction = scroll(real.correction, of: real)
    view.flow = .vertical
    return view
  }

  // MARK: Drawers and elements

  /// A drawer of the edge's as it is drawn.
  package func real(_ own: Drawer) -> Drawer {
    guard !isPlain else { return own }
    var drawer = own
    drawer.center = turned(Point(x: own.center.x, y: isFar ? line - own.center.y : own.center.y))
    drawer.size = size(own.size)
    drawer.translation = realMovement(own.translation)
    return drawer
  }

  /// An element of a drawer of the edge's as it is drawn.
  package func real(_ own: Element, in drawer: Drawer) -> Element {
    guard !isPlain else { return own }
    var element = own
    element.center = turned(Point(x: own.center.x, y: isFar ? drawer.size.height - own.center.y : own.center.y))
    element.bounds = Rect(origin: realMovement(own.bounds.origin), size: size(own.bounds.size))
    element.transform = real(own.transform)
    return element
  }

  /// The same transform of points that are turned: a movement away from the edge is one in its axis, and so on.
  private func real(_ own: Transform) -> Transform {
    guard own != .identity else { return own }
    var rows = [own.row1, own.row2, own.row3, own.row4]
    if !edge.isVertical {
      rows.swapAt(0, 1)
      rows = rows.map { Transform.Row($0.m2, $0.m1, $0.m3, $0.m4) }
    }
    guard isFar else { return Transform(rows[0], rows[1], rows[2], rows[3]) }
    // Members that are turned once, as a row or as a column, change their sign; those that are turned twice do not.
    let axis = edge.isVertical ? 1 : 0
    rows = rows.enumerated().map { index, row in
      let sign = index == axis ? -1.0 : 1
      let turned = 0 - sign * (axis == 1 ? row.m2 : row.m1)
      return axis == 1
        ? Transform.Row(sign * row.m1 + 0, turned, sign * row.m3 + 0, sign * row.m4 + 0)
        : Transform.Row(turned, sign * row.m2 + 0, sign * row.m3 + 0, sign * row.m4 + 0)
    }
    return Transform(rows[0], rows[1], rows[2], rows[3])
  }

  // MARK: Surroundings

  /// The environment in the edge's terms: the safe area at the edge is its status bar.
  public func environment(_ real: Environment) -> Environment {
    guard !isPlain else { return real }
    var environment = real
    environment.safeAreaInset = insets(real.safeAreaInset)
    environment.safeAreaInset.top = max(0, environment.safeAreaInset.top - keyboard)
    environment.statusBarHeight = environment.safeAreaInset.top
    environment.statusBarHidden = false
    environment.statusBarFollowsHeader = false
    environment.deviceHasHardwareSafeArea = true
    environment.presented = false
    environment.viewOrigin = Point()
    environment.keyboardHeight = 0
    return environment
  }

  /// Keys of a `layout` event in the edge's terms.
  public func keys(_ real: LayoutKeys) -> LayoutKeys {
    guard !isPlain else { return real }
    var keys = real
    keys.subtract([.statusBarHeight, .statusBarHidden, .statusBarFollowsHeader, .viewOrigin, .keyboardHeight])
    if real.contains(.safeAreaInset) || (edge == .bottom && real.contains(.keyboardHeight)) {
      keys.formUnion([.safeAreaInset, .statusBarHeight])
    }
    return keys
  }
}
