// SPDX-License-Identifier: MIT
//
// A behavior definer turns scroll events into progress; the bar turns progress into its height and its elements' looks. Here is the
// common part of all definers, and squareCash. The rest of the last two is in the files of their names:
//
//     definer      progress follows …
//     none         nothing; calls alone set it
//     base         nothing, but it snaps
//     squareCash   the distance from the content's top
//     facebook     the distance since the last drag began, less a threshold         (Facebook.swift)
//     safari       scrolling down; scrolling up only after a fast flick             (Safari.swift)
//
// After BLKFlexibleHeightBar 6110292 (BLKFlexibleHeightBarBehaviorDefiner, SquareCashStyleBehaviorDefiner); safari is ours.

internal import HeaderPluginKit

/// Which definer a bar has.
enum DefinerKind: String, CaseIterable {
  case none, base, squareCash, facebook, safari
}

/// A definer: its settings and its state.
struct Definer {
  // MARK: Settings

  /// Which one it is; `replace` changes it.
  private(set) var kind = DefinerKind.none
  var snappingEnabled = true
  /// A progress below 0 stretches the bar instead of being cut.
  var elasticMaximumHeightAtTop = false
  var positions = SnappingPositions()

  // MARK: Memory

  /// The definer is moving the content itself: it does not follow that movement, and does not snap again.
  var currentlySnapping = false
  var facebook = Facebook()
  var safari = Safari()
  /// Counts the definers that the bar had, so that the end of an animation finds the one that began it.
  private(set) var generation = 0

  /// A new definer takes the place of this one. It begins in its start state, with the settings that are there.
  mutating func replace(by kind: DefinerKind) {
    self.kind = kind
    currentlySnapping = false
    facebook.forget()
    safari.forget()
    generation += 1
  }

  /// Takes over which definer was saved.
  mutating func restore(generation: Int) { self.generation = generation }

  var isElastic: Bool { kind != .none && elasticMaximumHeightAtTop }
}

/// The input of a definer: a scroll view's content and the bar's heights, in points.
struct Place {
  /// How far the content is scrolled up.
  var offset: Double
  /// What stays free above the content, and below it.
  var insetTop: Double
  var insetBottom: Double
  var contentHeight: Double
  /// The scroll view's height in points.
  var height: Double
  /// The bar's height at progress 0 less that at progress 1.
  var range: Double

  init(_ view: ScrollView, range: Double) {
    offset = view.contentOffset.y
    let inset = view.contentInset
    insetTop = inset.top
    insetBottom = inset.bottom
    contentHeight = view.contentSize.height
    height = view.frame.height
    self.range = range
  }

  /// Distance from the content's top; below 0 it is pulled down.
  var fromTop: Double { offset + insetTop }

  /// Progress of the Square Cash app's bar, whose bottom edge stays with the content's top until it has its minimum height. With a range
  /// of 0 it is infinite, or no number at the very top, which the bar takes for 1.
  var squareCashProgress: Double { fromTop / range }
}
