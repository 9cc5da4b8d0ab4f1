// SPDX-License-Identifier: MIT
//
// `grid` of a subscription (headerd-states(7), SUBSCRIPTIONS): lengths of states are multiples of a unit, to four decimals.
//
//     exact   ├──────── 43.9971 ────────┤├─ 20.0105 ─┤     two drawers that meet
//     1/16    ├──────── 44 ─────────────┤├─ 20 ──────┤     each edge goes to its nearest multiple, a size is what is between two
//
// An edge is rounded by its place alone, and of two edges the one further down is never rounded above the other. So edges that meet
// meet on the grid, and there is neither a gap nor an overlap that was not there before. Four decimals make numbers short for units
// that no decimal says exactly (a pixel at the scale 2.625), and multiples of 1/16 and more are exact.

internal import HeaderModel

/// A unit for lengths.
public struct Grid: Hashable, Sendable {
  /// The units that a subscription may ask for, points.
  public static let units = 0.001...16.0

  /// Points.
  public let unit: Double

  /// - Parameter unit: one of `units`.
  public init(unit: Double) { self.unit = unit }

  /// Adding and subtracting it rounds to a whole number, and makes 0 of -0.
  @inline(__always) private static var rounding: Double { 0x1.8p52 }

  /// The nearest multiples, in ten thousandths.
  @inline(__always)
  private func multiples(_ lengths: SIMD2<Double>) -> SIMD2<Double> {
    // Halves, and what the arithmetic of doubles makes of them, go away from zero.
    let perPoint = 1 / unit * (1 + 0x1p-44)
    let multiples = lengths * perPoint + Self.rounding - Self.rounding
    return multiples * (unit * 10_000) + Self.rounding - Self.rounding
  }

  @inline(__always)
  func rounded(_ first: Double, _ second: Double) -> (Double, Double) {
    let rounded = multiples(SIMD2(first, second)) / 10_000
    return (rounded.x, rounded.y)
  }

  /// A length that a behavior publishes, which may be any number.
  func rounded(_ length: Double) -> Double { length.magnitude < 1e12 ? rounded(length, 0).0 : length }

  @inline(__always)
  func rounded(_ rect: Rect) -> Rect {
    let origin = SIMD2(rect.origin.x, rect.origin.y)
    let start = multiples(origin)
    let place = start / 10_000
    let size = (multiples(origin + SIMD2(rect.size.width, rect.size.height)) - start) / 10_000
    return Rect(x: place.x, y: place.y, width: size.x, height: size.y)
  }
}

extension StateMember {
  /// The member as it is on a grid. Content that is the member's default stays so.
  @inline(__always)
  func rounded(_ content: Content, to grid: Grid) -> (Self, Content) where Content: MemberContent {
    if content == presence.absent { return (self, content) }
    let presence: Presence<Content> =
      switch presence {
      case .always, .only: presence
      case .unless(let absent): .unless(absent.rounded(to: grid, form))
      case .steady(let absent): .steady(unless: absent.rounded(to: grid, form))
      }
    return (StateMember(name: name, presence: presence, form: form, meaning: meaning), content.rounded(to: grid, form))
  }
}

extension NamedValue.Content {
  /// - Parameter isLength: its behavior says that it is one.
  func rounded(to grid: Grid?, _ isLength: Bool) -> Self {
    guard let grid, isLength, case .number(let number) = self else { return self }
    return .number(grid.rounded(number))
  }
}
