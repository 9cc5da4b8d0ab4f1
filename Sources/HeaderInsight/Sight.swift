// SPDX-License-Identifier: MIT
//
// What a person sees of a header and its content, and three laws of it: no gap, nothing hidden that nothing brings back, and rest at
// places of rest. Tests/ScreenTests judges every header by them; a behavior that claims them checks itself (HeaderPluginKit has this
// file by a link).
//
//     the edge ─┬──────────┐
//               │  header  │
//               ├──────────┤ ┐ gone: what it reaches less than when all of it is shown
//               │ content  │ ┘ scrolled: how far that is from where it begins below the whole header

/// A header's far edge and its content's beginning, points.
public struct Sight: Sendable {
  /// By how much the header reaches less far than when all of it is shown.
  public var gone: Double
  /// How far the content is scrolled from where it begins below the whole header; below 0 it is pulled.
  public var scrolled: Double
  /// How far it can be scrolled; nothing, or less: it fits.
  public var end: Double

  /// Creates a sight from points gone, points scrolled, and where the content ends.
  public init(gone: Double, scrolled: Double, end: Double) {
    (self.gone, self.scrolled, self.end) = (gone, scrolled, end)
  }

  /// Points that are not visible: results of divisions differ by less.
  public static var slack: Double { 1e-6 }

  /// The fault between header and content; nil: none.
  public var flaw: String? {
    guard gone > Self.slack else { return nil }
    let gap = gone - max(0, scrolled)
    if gap > Self.slack {
      return "a gap of \(gap) points, \(gone) of the header are gone, the content is scrolled by \(scrolled)"
    }
    return end > 0 ? nil : "\(gone) points of the header are gone over content that fits"
  }

  /// The fault of a header that rests with `gone` points gone, but would move to `goal` when it is released again; nil: both are equal.
  public static func flaw(restingAt gone: Double, goal: Double) -> String? {
    guard abs(goal - gone) > slack else { return nil }
    return "at rest \(gone) points of the header are gone, which is no place of rest: let go again, it goes to \(goal)"
  }
}
