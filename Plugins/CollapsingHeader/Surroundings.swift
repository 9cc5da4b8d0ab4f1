// SPDX-License-Identifier: MIT
//
// What the header reports of its surroundings, and asks of them: its phase, the content under it, the status bar, a refresh that
// a pull begins, the scroll indicators. Each is an option, and costs nothing without it. Nothing here moves a drawer.

internal import CollapsingLaws
internal import HeaderPluginKit

/// The options of this file, and what they remember.
struct Surroundings {
  /// What the scroll indicators' top inset is.
  enum Indicators: String, CaseIterable { case content, follow }
  /// The name of where a header is.
  enum Phase: String { case expanded, between, collapsed, stretched, refreshing }

  var tellsPhases = false
  /// The overlap from which on the header is lifted.
  var liftsAt: Double?
  /// The pull from which on a release begins a refresh, and the one below which it does not any more.
  var refreshDistance: Double?
  var refreshReleaseDistance: Double?
  var hidesStatusBar = false
  var statusBarStyle: StatusBarStyle?
  var indicators = Indicators.content

  /// A release would begin a refresh.
  var isArmed = false
  /// What was reported last.
  var phase: Phase?
  var overlap: Double?
}

extension CollapsingHeader {
  static var surroundingOptions: [Option<CollapsingHeader>] {
    [
      surrounding(
        .bool(
          "tellsPhases", default: false,
          "The value phase is set: expanded, between, collapsed, stretched, refreshing; with follows = \"movement\" the notices "
            + "willChangePhase, didChangePhase and didChangeInset are posted as well")
      ) { $0.tellsPhases = $1.bool ?? false },
      surrounding(
        .numberOrNull(
          "liftsAt", unit: "points", minimum: 0, maximum: Grid.bound,
          "The values overlap and isLifted are set: how much content lies under the header, and whether it is more than 0 and at least "
            + "that much")
      ) { $0.liftsAt = $1.number },
      surrounding(
        .numberOrNull(
          "refreshDistance", unit: "points", minimum: 1, maximum: Grid.bound,
          "A pull beyond the content's top by that much sets isRefreshArmed; a finger that lifts then posts didPullToRefresh"
        )
      ) { $0.refreshDistance = $1.number },
      surrounding(
        .numberOrNull(
          "refreshReleaseDistance", unit: "points", minimum: 0, maximum: Grid.bound,
          "A pull that gets less than that clears isRefreshArmed; null: less than refreshDistance")
      ) { $0.refreshReleaseDistance = $1.number },
      surrounding(
        .bool(
          "hidesStatusBar", default: false,
          "The status bar is asked to hide while the first drawer is shifted by at least the bar's height")
      ) { $0.hidesStatusBar = $1.bool ?? false },
      surrounding(
        .caseOrNull(
          "statusBarStyle", StatusBarWish.self,
          "The status bar's style while the first drawer is shifted by less than its height")
      ) { $0.statusBarStyle = $1.text.flatMap(StatusBarWish.init(rawValue:))?.style },
      surrounding(
        .case(
          "indicators", default: Surroundings.Indicators.content,
          "The scroll indicators' top inset: that of the content (content), the header's edge as it is (follow)")
      ) { $0.indicators = $1.text.flatMap(Surroundings.Indicators.init(rawValue:)) ?? .content },
    ]
  }

  private static func surrounding(
    _ parameter: Parameter, _ set: @escaping @Sendable (inout Surroundings, Value) -> Void
  ) -> Option<CollapsingHeader> {
    Option(parameter) { (header, value) throws(Refusal) in
      set(&header.surroundings, value)
      header.knowsSurroundings = true
      if header.isAttached, !header.rests { header.settle() }
    }
  }

  /// The words of a style.
  private enum StatusBarWish: String, CaseIterable {
    case `default`, lightContent, darkContent

    var style: StatusBarStyle {
      switch self {
      case .default: .default
      case .lightContent: .lightContent
      case .darkContent: .darkContent
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
    // How far the content is scrolled from where it rests, also beyond its top.
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

  /// Where the first drawer was, the status bar lies over the content: it leaves with the drawer, which has a say in its style before.
  private func askForStatusBar() {
    guard surroundings.hidesStatusBar || surroundings.statusBarStyle != nil else { return }
    let shifted = originEdge - host.drawer(0).frame.y
    let isCovered = shifted <= 0 || shifted < host.environment.statusBarHeight
    var wants = host.wants
    wants.prefersStatusBarHidden = surroundings.hidesStatusBar && !isCovered
    wants.preferredStatusBarStyle = isCovered ? surroundings.statusBarStyle : nil
    if wants != host.wants { host.wants = wants }
  }

  /// The finger has lifted.
  func releasePull() {
    guard surroundings.isArmed else { return }
    setArmed(false)
    Self.outputs.didPullToRefresh.post(in: host)
  }
}
