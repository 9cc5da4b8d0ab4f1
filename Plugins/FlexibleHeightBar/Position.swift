// SPDX-License-Identifier: MIT
//
// Positions by call and constraints (header.position/1), which the library does not know. The position is how far the bar has
// shrunk: range · progress.
//
//     squareCash           progress follows from the content, so a bar that was moved is displaced from there
//     facebook             the call sets the anchor, as a drag would
//     safari, base, none   progress is where it was put; safari would show a bar at once that was hidden near the content's
//                          top: it shows it point by point

internal import HeaderPluginKit

extension FlexibleHeightBar {
  /// A stretched bar counts as expanded.
  var barPosition: Position {
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

  func moveBar(to traveled: Double) {
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

  func permitBar(_ permitted: ClosedRange<Double>) {
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
}
