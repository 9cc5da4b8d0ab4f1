// SPDX-License-Identifier: MIT
//
// What a person sees between a header and its content, and the two laws of it: no gap, and nothing hidden that nothing brings back.
// Tests/ScreenTests judges every header by them; a behavior that claims them checks itself (HeaderPluginKit has this file by a link).
//
//     the edge ─┬──────────┐
//               │  header  │
//               ├──────────┤ ┐ gone: what it reaches less than when all of it is shown
//               │ content  │ ┘ scrolled: how far that is from where it begins below the whole header

/// A header's far edge and its content's beginning, points.
public struct Sight: Equatable, Sendable {
  /// By how much the header reaches less far than when all of it is shown.
  public var gone: Double
  /// How far the content is scrolled from where it begins below the whole header; below 0 it is pulled.
  public var scrolled: Double
  /// How far it can be scrolled; nothing, or less: it fits.
  public var end: Double

  /// What is seen.
  public init(gone: Double, scrolled: Double, end: Double) {
    (self.gone, self.scrolled, self.end) = (gone, scrolled, end)
  }

  /// Points that nobody sees: what is computed by divisions differs by less.
  public static var slack: Double { 1e-6 }

  /// The law that does not hold; nil: both do.
  public var flaw: String? {
    guard gone > Self.slack else { return nil }
    let gap = gone - max(0, scrolled)
    if gap > Self.slack {
      return "a gap of \(gap) points, \(gone) of the header are gone, the content is scrolled by \(scrolled)"
    }
    return end > 0 ? nil : "\(gone) points of the header are gone over content that fits"
  }
}
