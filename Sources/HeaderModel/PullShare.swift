// SPDX-License-Identifier: MIT
//
// A pull beyond the beginning of the content that both a refresh control and the header could use (`refreshOrder`). Behaviors do not see
// the refresh control's part: to them the content has not gone so far.
//
//     refreshControlFirst   pulled 100, the control's height 60:  behaviors see 40
//     headerFirst           pulled 100, `stretchTrigger` 30:      behaviors see 30

/// What behaviors see of a pull.
package enum PullShare: Equatable, Sendable {
  case whole
  /// The part beyond the refresh control's height.
  case rest
  /// As much as this, points.
  case atMost(Double)

  package init(_ order: HeaderDescription.RefreshOrder, upTo trigger: Double) {
    self =
      switch order {
      case .together: .whole
      case .refreshControlFirst: .rest
      case .headerFirst: .atMost(trigger)
      }
  }

  /// The part of a pull that they see, in points.
  fileprivate func seen(of pull: Double, height: Double) -> Double {
    switch self {
    case .whole: pull
    case .rest: max(0, pull - height)
    case .atMost(let most): min(pull, most)
    }
  }

  /// The pull of which behaviors see this part.
  fileprivate func pull(ofSeen seen: Double, height: Double) -> Double { self == .rest ? seen + height : seen }
}

extension EdgeLens {
  /// Where a scroll view's content is, in the edge's terms, for a behavior.
  func seenOffset(of view: ScrollView) -> Point {
    var own = offset(view.contentOffset, of: view)
    let rest = 0 - insets(view.contentInset).top
    if own.y < rest, sharesPull(of: view) {
      own.y = rest - pull.seen(of: rest - own.y, height: view.refreshControlHeight)
    }
    return own
  }

  /// The offset that a behavior sets on a scroll view, in the publisher's count. An offset that the behavior only gives back stays.
  public func realOffset(ofSeen own: Point, _ view: ScrollView) -> Point {
    var next = own
    let rest = 0 - insets(view.contentInset).top
    if own.y <= rest, sharesPull(of: view) {
      next.y =
        own.y == seenOffset(of: view).y
        ? offset(view.contentOffset, of: view).y
        : own.y < rest ? rest - pull.pull(ofSeen: rest - own.y, height: view.refreshControlHeight) : rest
    }
    return realOffset(next, of: view)
  }

  /// The beginning of the content is at the edge, and there is a refresh control.
  private func sharesPull(of view: ScrollView) -> Bool {
    pull != .whole && view.hasRefreshControl && !view.refreshControlHidden && beginsHere(view)
  }
}
