// SPDX-License-Identifier: MIT
//
// The look of an element at one moment: a bundle of layout attributes, after BLKFlexibleHeightBar 6110292
// (BLKFlexibleHeightBarSubviewLayoutAttributes). Its setters are coupled, so their order matters:
//
//     set          also changes                                          while a transform is set
//     frame        center, size, bounds.size                             frame stays null; size and bounds become 0 × 0
//     bounds       size                                                  the same
//     center       frame.origin, by the middle of bounds                 nothing
//     size         frame.size, bounds.size                               bounds.size
//     transform3D  transform; another than the identity takes the frame away, for good: the identity does not bring it back
//     transform    transform3D, in the same way
//
// Size and then center give a proper frame; center and then size leave the frame's origin at the center (the original's quirk). It does
// no harm: what an element takes from a bundle are center and bounds (Interpolation.swift).
//
// Corner radius is ours. It is coupled with nothing, and a bundle that does not give one leaves the element's.

public import HeaderPluginKit

/// A transform of the plane, in UIKit's order: x' = a·x + c·y + tx, y' = b·x + d·y + ty.
public struct AffineTransform: Equatable, Sendable {
  public var a, b, c, d, tx, ty: Double

  /// A transform of six numbers.
  public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  /// The transform that changes nothing.
  public static let identity = AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  /// The effect of a 4 by 4 transform on the plane z = 0, perspective left out.
  public init(_ transform: Transform) {
    let m = transform.m
    self.init(a: m[0], b: m[1], c: m[4], d: m[5], tx: m[12], ty: m[13])
  }

  /// The same as a 4 by 4 transform.
  public var transform3D: Transform { Transform([a, b, 0, 0, c, d, 0, 0, 0, 0, 1, 0, tx, ty, 0, 1]) }
}

/// One bundle. It begins with everything zero, identity transforms, alpha 1 and visible.
public struct LayoutAttributes: Equatable, Sendable {
  private var origin: Point? = Point()
  /// The frame's size, which a null rectangle also has.
  private var frameSize = Size()
  /// The element's own coordinates, in points. The origin is (0, 0).
  public private(set) var bounds = Rect()
  /// The middle, in points of the drawer.
  public private(set) var center = Point()
  /// The size in points.
  public private(set) var size = Size()
  /// In space: m11…m44 by rows.
  public private(set) var transform3D = Transform.identity
  /// What `transform3D` does to the plane.
  public private(set) var transform = AffineTransform.identity
  /// 0…1 in sight; the element's is cut to it, this one is not.
  public var alpha = 1.0
  /// The drawing order: a larger one is nearer.
  public var zIndex = 0.0
  /// Whether the element is not drawn at all.
  public var isHidden = false
  /// Points; nil leaves the element's.
  public var cornerRadius: Double?

  /// A bundle in its start state.
  public init() {}

  /// The frame in points of the drawer; nil is the null rectangle.
  public var frame: Rect? {
    origin.map { Rect(x: $0.x, y: $0.y, width: frameSize.width, height: frameSize.height) }
  }

  /// Whether both transforms are exactly the identity.
  public var isPlain: Bool { transform3D == .identity && transform == .identity }

  // MARK: Coupled setters

  /// Sets the frame; with a transform it stays null, and the size becomes that of the null rectangle.
  public mutating func set(frame: Rect) {
    if isPlain {
      origin = Point(x: frame.x, y: frame.y)
      frameSize = Size(width: frame.width, height: frame.height)
    }
    center = Point(x: frame.x + frame.width * 0.5, y: frame.y + frame.height * 0.5)
    size = frameSize
    (bounds.width, bounds.height) = (size.width, size.height)
  }

  /// Sets the bounds. Frame and center stay.
  /// - Returns: false, and nothing changed, when the origin is not (0, 0): the original asserts it.
  public mutating func set(bounds: Rect) -> Bool {
    guard bounds.x == 0, bounds.y == 0 else { return false }
    self.bounds = bounds
    size = Size(width: bounds.width, height: bounds.height)
    return true
  }

  /// Sets the center; the frame goes along as the bounds say, with the size that it has.
  public mutating func set(center: Point) {
    self.center = center
    guard isPlain else { return }
    origin = Point(x: center.x - (bounds.x + bounds.width * 0.5), y: center.y - (bounds.y + bounds.height * 0.5))
  }

  /// Sets the size of frame and bounds. The frame's origin stays, the center does not follow.
  public mutating func set(size: Size) {
    self.size = size
    if isPlain { frameSize = size }
    (bounds.width, bounds.height) = (size.width, size.height)
  }

  /// Sets the transform and its effect on the plane.
  public mutating func set(transform3D: Transform) {
    self.transform3D = transform3D
    transform = AffineTransform(transform3D)
    if transform3D != .identity { loseFrame() }
  }

  /// Sets the transform by its plane form.
  public mutating func set(transform: AffineTransform) {
    self.transform = transform
    transform3D = transform.transform3D
    if transform != .identity { loseFrame() }
  }

  /// Sets size and center, which an element takes over with any transform.
  public mutating func place(in frame: Rect) {
    set(size: Size(width: frame.width, height: frame.height))
    set(center: Point(x: frame.x + frame.width * 0.5, y: frame.y + frame.height * 0.5))
  }

  private mutating func loseFrame() {
    origin = nil
    frameSize = Size()
  }

  // MARK: Being kept

  /// Everything, to be taken over by `init(saved:at:)`.
  public var saved: Value {
    .record([
      ("origin", origin.map(Value.init) ?? .null), ("frameSize", Value(frameSize)), ("bounds", Value(bounds)),
      ("center", Value(center)), ("size", Value(size)), ("transform3D", Value(transform3D)),
      ("transform", Value(transform)), ("alpha", .number(alpha)), ("zIndex", .number(zIndex)),
      ("hidden", .bool(isHidden)), ("cornerRadius", cornerRadius.map(Value.number) ?? .null),
    ])
  }

  /// Takes over what `saved` gave; nothing is coupled.
  public init(saved value: Value, at place: String) throws(Refusal) {
    var fields = try Fields(value, at: place)
    origin = try fields.pointOrNull("origin")
    frameSize = try fields.size("frameSize")
    bounds = try fields.rect("bounds")
    center = try fields.point("center")
    size = try fields.size("size")
    transform3D = try fields.transform3D("transform3D")
    transform = try fields.affineTransform("transform")
    alpha = try fields.number("alpha")
    zIndex = try fields.number("zIndex")
    isHidden = try fields.bool("hidden")
    cornerRadius = try fields.numberOrNull("cornerRadius")
    try fields.finish()
  }
}
