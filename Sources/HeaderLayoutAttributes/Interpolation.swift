// SPDX-License-Identifier: MIT
//
// The look of an element between two bundles. The original sets transform, frame if that is the identity, center, bounds, alpha, z,
// hidden. A view's frame is its center and the size of its bounds, which follow, so the frame is left out here.
//
//     lerp(a, b, s) = a − (a − b) · s        center, bounds, each of the transform's 16 numbers, alpha, corner radius
//     the floor's                            z, hidden
//
// All in doubles; the element keeps its alpha in single precision, cut to 0…1 (`Host.set(_:of:)`).

public import HeaderPluginKit

/// Parts of a look that are set together.
public struct Aspects: OptionSet, Sendable {
  /// One bit for each part.
  public var rawValue: UInt8
  /// Creates the parts whose bits are set.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The position of the middle.
  public static let center = Aspects(rawValue: 1)
  /// Width and height.
  public static let bounds = Aspects(rawValue: 2)
  /// All 16 numbers.
  public static let transform = Aspects(rawValue: 4)
  /// The opacity.
  public static let alpha = Aspects(rawValue: 8)
  /// The drawing order.
  public static let zIndex = Aspects(rawValue: 16)
  /// Whether the element is drawn.
  public static let hidden = Aspects(rawValue: 32)
  /// How round its corners are.
  public static let cornerRadius = Aspects(rawValue: 64)
  /// All parts.
  public static let all: Aspects = [.center, .bounds, .transform, .alpha, .zIndex, .hidden, .cornerRadius]
}

/// The original's interpolation; exact at 0, and for equal ends everywhere.
@inlinable
public func lerp(_ floor: Double, _ ceiling: Double, _ share: Double) -> Double { floor - (floor - ceiling) * share }

extension Look {
  /// Takes over a mixture of two bundles.
  /// - Parameters:
  ///   - share: 0 is the floor's look, 1 the ceiling's.
  ///   - aspects: the parts to take; the rest stays.
  public mutating func apply(
    _ floor: LayoutAttributes, _ ceiling: LayoutAttributes, share: Double, aspects: Aspects = .all
  ) {
    if aspects.contains(.transform) {
      transform.m = floor.transform3D.m - (floor.transform3D.m - ceiling.transform3D.m) * share
    }
    if aspects.contains(.center) {
      center.x = lerp(floor.center.x, ceiling.center.x, share)
      center.y = lerp(floor.center.y, ceiling.center.y, share)
    }
    if aspects.contains(.bounds) {
      bounds.x = lerp(floor.bounds.x, ceiling.bounds.x, share)
      bounds.y = lerp(floor.bounds.y, ceiling.bounds.y, share)
      bounds.width = lerp(floor.bounds.width, ceiling.bounds.width, share)
      bounds.height = lerp(floor.bounds.height, ceiling.bounds.height, share)
    }
    if aspects.contains(.alpha) { alpha = lerp(floor.alpha, ceiling.alpha, share) }
    if aspects.contains(.zIndex) { zIndex = floor.zIndex }
    if aspects.contains(.hidden) { isHidden = floor.isHidden }
    if aspects.contains(.cornerRadius) {
      // One that is given at one end only holds for the whole stretch, as a frame does.
      if let from = floor.cornerRadius ?? ceiling.cornerRadius {
        cornerRadius = lerp(from, ceiling.cornerRadius ?? from, share)
      }
    }
  }
}
