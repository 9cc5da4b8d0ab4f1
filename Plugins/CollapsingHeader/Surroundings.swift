// SPDX-License-Identifier: MIT
//
// The header's reports to its surroundings and its wishes: its phase, the content under it, the status bar, a refresh that a pull begins,
// the scroll indicators. Each is an option, and costs nothing without it. Nothing here moves a drawer.

internal import CollapsingLaws
internal import HeaderPluginKit

/// The options of this file, and their state.
struct Surroundings {
  /// The top inset of the scroll indicators.
  enum Indicators: String, CaseIterable { case content, follow }
  /// A style of the status bar.
  enum Style: String, CaseIterable { case `default`, lightContent, darkContent }
  /// The name of where a header is.
  enum Phase: String, CaseIterable { case expanded, between, collapsed, stretched, refreshing }

  var tellsPhases = false
  /// The overlap from which on the header is lifted.
  var liftsAt: Double?
  /// The pull from which on a release begins a refresh, and the one below which it does not any more.
  var (refreshDistance, refreshReleaseDistance): (Double?, Double?)
  var hidesStatusBar = false
  var statusBarStyle: Style?
  var indicators = Indicators.content

  /// A release would begin a refresh.
  var isArmed = false
  /// What was reported last.
  var (phase, overlap): (Phase?, Double?)
}

extension CollapsingHeader {
  static var surroundingOptions: [Option<CollapsingHeader>] {
    let options: [Option<CollapsingHeader>] = [
      .bool(
        "tellsPhases", \.surroundings.tellsPhases,
        "The value phase is set: expanded, between, collapsed, stretched, refreshing; with follows = \"movement\" the notices "
          + "willChangePhase, didChangePhase and didChangeInset are posted as well"),
      .number(
        "liftsAt", \.surroundings.liftsAt, unit: "points", in: 0...Grid.bound,
        "The values overlap and isLifted are set: how much content lies under the header, and whether it is more than 0 and at least "
          + "that much"),
      .number(
        "refreshDistance", \.surroundings.refreshDistance, unit: "points", in: 1...Grid.bound,
        "A pull beyond the content's top by this many points sets isRefreshArmed; a finger that lifts then posts didPullToRefresh"
      ),
      .number(
        "refreshReleaseDistance", \.surroundings.refreshReleaseDistance, unit: "points", in: 0...Grid.bound,
        "A pull that falls below this many points clears isRefreshArmed; null: below refreshDistance"),
      .bool(
        "hidesStatusBar", \.surroundings.hidesStatusBar,
        "The status bar is asked to hide while the first drawer is shifted by at least the bar's height"),
      .case(
        "statusBarStyle", \.surroundings.statusBarStyle,
        "The status bar's style while the first drawer is shifted by less than its height"),
      .case(
        "indicators", \.surroundings.indicators, default: .content,
        "The scroll indicators' top inset: that of the content (content), the header's edge as it moves (follow)"),
    ]
    return options.map { option in
      option.then { header in
        header.knowsSurroundings = true
        if header.isAttached, !header.rests { header.settle() }
      }
    }
  }

  /// The header was drawn, and this is its far edge.
  @inline(never)
  func lookAround(edge: Double) {
    if surroundings.tellsPhases, surroundings.phase != phase {
      surroundings.phase = phase
      Self.outputs.phase.set(phase.rawValue, in: host)
    }
    if let index = host.trackingScrollView {
      lookAtContent(host.scrollView(index), edge)
      if surroundings.indicators == .follow { moveIndicators(of: index, to: edge) }
    }
    askForStatusBar()
  }

  var phase: Surroundings.Phase {
    let position = position
    if position.traveled > 0 { return position.traveled >= position.travel ? .collapsed : .between }
    if scrollView?.isRefreshing == true { return .refreshing }
    return chain.links.contains { $0.stretch > 0 } ? .stretched : .expanded
  }

  private func lookAtContent(_ view: ScrollView, _ edge: Double) {
    // How far the content is scrolled from its place of rest, also beyond its top.
    let scrolled = view.contentOffset.y + view.adjustedContentInset.top - refreshInset
    if let least = surroundings.liftsAt {
      let overlap = max(0, content == .below ? scrolled : edge - view.frame.y + view.contentOffset.y)
      if surroundings.overlap != overlap {
        surroundings.overlap = overlap
        Self.outputs.overlap.set(overlap, in: host)
        Self.outputs.isLifted.set(overlap > 0 && overlap >= least, in: host)
      }
    }
    if let distance = surroundings.refreshDistance {
      let least = surroundings.isArmed ? surroundings.refreshReleaseDistance ?? distance : distance
      setArmed(-scrolled >= least && !view.isRefreshing)
    }
  }

  private func setArmed(_ isArmed: Bool) {
    guard surroundings.isArmed != isArmed else { return }
    surroundings.isArmed = isArmed
    Self.outputs.isRefreshArmed.set(isArmed, in: host)
  }

  private func moveIndicators(of index: Int, to edge: Double) {
    let view = host.scrollView(index)
    var bars = view.scrollIndicatorInsets
    bars.top = edge - view.frame.y - (view.adjustedContentInset.top - view.contentInset.top)
    if bars != view.scrollIndicatorInsets { host.setScrollIndicatorInsets(bars, of: index) }
  }

  /// The status bar lies over the content where the first drawer was: it leaves with the drawer, which decides its style before.
  private func askForStatusBar() {
    guard surroundings.hidesStatusBar || surroundings.statusBarStyle != nil else { return }
    let shifted = (pair == nil && block == nil ? originEdge : 0) - host.drawer(0).frame.y
    let isCovered = shifted <= 0 || shifted < host.environment.statusBarHeight
    var wants = host.wants
    wants.prefersStatusBarHidden = surroundings.hidesStatusBar && !isCovered
    wants.preferredStatusBarStyle =
      switch isCovered ? surroundings.statusBarStyle : nil {
      case .default: .default
      case .lightContent: .lightContent
      case .darkContent: .darkContent
      case nil: nil
      }
    if wants != host.wants { host.wants = wants }
  }

  /// Begins a refresh if the pull was far enough when the finger lifts.
  func releasePull() {
    guard surroundings.isArmed else { return }
    setArmed(false)
    Self.outputs.didPullToRefresh.post(in: host)
  }
}

// MARK: - Facts
//
// The first drawer as a part of the content, in the words of Flutter's slivers: the values that Flutter's viewport would report with
// content and drawer where they are now. Nothing here moves anything.

extension CollapsingHeader {
  var contentFacts: [(name: String, value: Value)] {
    guard let view = scrollView, let link = chain.links.first else { return [] }
    let pixels = view.contentOffset.y + view.adjustedContentInset.top
    let (height, least, stretch) = (link.reach.height, link.reach.height - link.reach.collapse, link.stretch)
    // Its least height stays at the edge; more of it comes back anywhere.
    let (isPinned, floats) = (!chain.laws[0].shifts, chain.laws[0].returns == .anywhere)
    // The way of the content that is seen before the drawer, and the drawer's own room.
    let painted = max(0, min(view.frame.height + min(0, pixels), start - max(0, pixels)))
    let room = max(0, view.frame.height + min(0, pixels) - painted)
    // How far the content is scrolled beyond the drawer's upper edge, and how far that is gone.
    let scrolled = Grid.nearest(max(0, pixels - start))
    let gone =
      if floats, link.gone < link.reach.way {
        link.gone
      } else if floats, let surplus {
        min(scrolled, link.gone + surplus)
      } else {
        scrolled
      }
    let overlap = start > 0 ? 0 : min(0, pixels)
    let extent = max(least, height - min(gone, height)) + stretch
    let paintExtent =
      isPinned && !floats
      ? min(extent, max(0, room - overlap)) : max(isPinned ? min(least, room) : 0, min(room, height - gone))
    let free = isPinned ? (floats ? paintExtent : max(0, room - overlap)) : room
    let layoutExtent = max(0, min(free, height - scrolled))
    return [
      ("scrollOffset", .number(scrolled)), ("overlap", .number(overlap)), ("remainingPaintExtent", .number(room)),
      ("shrinkOffset", .number(min(gone, height))), ("overlapsContent", .bool(floats && gone < scrolled)),
      ("effectiveOffset", floats ? .number(gone) : .null), ("scrollExtent", .number(height)),
      ("paintOrigin", .number(overlap)), ("paintExtent", .number(paintExtent)),
      ("layoutExtent", .number(layoutExtent)), ("maxPaintExtent", .number(height + stretch)),
      ("maxScrollObstructionExtent", .number(isPinned ? least : 0)),
      ("childPosition", .number(isPinned || stretch > 0 ? 0 : min(0, height - gone - extent))),
      ("nextTop", .number(max(0, -pixels) + painted + layoutExtent)), ("isVisible", .bool(paintExtent > 0)),
    ]
  }
}

// MARK: - Explanations
//
// Explanations of a movement: each drawer's part of it, and the law that cut it. Points have the frame's sign.

extension CollapsingHeader {
  /// The drawers take their part of a movement.
  @inline(__always)
  func takeAlong(_ movement: Double, _ phase: Phase) -> Double {
    host.isExplained ? tell(movement, phase) { $0.take(movement, phase) } : chain.take(movement, phase)
  }

  /// No gap opens between the header and content that is this far from its top.
  @inline(__always)
  func closeAlong(to distance: Double) -> Double {
    host.isExplained
      ? tell(distance - chain.total, .atTop) { $0.close(to: distance) } : chain.close(to: distance)
  }

  @inline(never)
  private func tell(_ movement: Double, _ phase: Phase, _ move: (inout LawChain) -> Double) -> Double {
    let (taken, parts) = chain.explained(movement, phase, move)
    host.noteMovement(-movement, taken: -taken)
    for part in parts {
      host.notePart(
        of: part.link, -part.offered, taken: -part.taken, rule: part.rule.map { word(for: $0, hides: movement > 0) })
    }
    return taken
  }

  private func word(for rule: LawChain.Rule, hides: Bool) -> Host.Rule {
    switch rule {
    case .end: hides ? .contracted : .expanded
    case .pinned: .sticky
    case .bounds: .constraint
    case .gate: .resistance
    case .top: .top
    }
  }
}
