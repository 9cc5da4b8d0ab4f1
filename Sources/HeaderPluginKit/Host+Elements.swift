// SPDX-License-Identifier: MIT
//
// Elements: the views inside drawers. A behavior reads an element's look, changes a copy and gives it back.

internal import CHeaderPlugin

/// A 4 by 4 transform, m11…m44 by rows. The numbers lie in one vector, so that two transforms mix in one operation.
public struct Transform: Equatable, Sendable {
  /// m11…m44.
  public var m: SIMD16<Double>

  /// A transform of 16 numbers.
  public init(_ m: SIMD16<Double>) { self.m = m }

  /// The transform that changes nothing.
  public static let identity = Transform([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])

  init(_ transform: header_transform) {
    m = unsafe withUnsafeBytes(of: transform) { unsafe $0.loadUnaligned(as: SIMD16<Double>.self) }
  }

  var c: header_transform {
    var transform = header_transform()
    unsafe withUnsafeMutableBytes(of: &transform) { unsafe $0.storeBytes(of: m, as: SIMD16<Double>.self) }
    return transform
  }
}

/// Geometry and drawing attributes of an element.
public struct Look: Equatable, Sendable {
  /// The center, in points of the drawer.
  public var center: Point
  /// The element's own coordinates; its size.
  public var bounds: Rect
  /// The transform, applied around the center.
  public var transform: Transform
  /// 0…1; the host cuts it and keeps it in single precision.
  public var alpha: Double
  /// The drawing order: a larger one is nearer.
  public var zIndex: Double
  /// Whether it is not drawn at all.
  public var isHidden: Bool
  /// The corner radius in points.
  public var cornerRadius: Double

  /// Center and bounds' size as a rectangle of the drawer, without the transform.
  public var frame: Rect {
    Rect(
      x: center.x - bounds.width * 0.5, y: center.y - bounds.height * 0.5, width: bounds.width, height: bounds.height)
  }

  /// A look from its parts.
  public init(
    center: Point, bounds: Rect, transform: Transform = .identity, alpha: Double = 1, zIndex: Double = 0,
    isHidden: Bool = false, cornerRadius: Double = 0
  ) {
    self.center = center
    self.bounds = bounds
    self.transform = transform
    self.alpha = alpha
    self.zIndex = zIndex
    self.isHidden = isHidden
    self.cornerRadius = cornerRadius
  }

  init(_ element: header_element) {
    center = Point(element.center)
    bounds = Rect(element.bounds)
    transform = Transform(element.transform)
    alpha = Double(element.alpha)
    zIndex = element.z_index
    isHidden = element.is_hidden
    cornerRadius = element.corner_radius
  }

  var c: header_element {
    var element = header_element()
    element.center = center.c
    element.bounds = bounds.c
    element.transform = transform.c
    element.alpha = Float(alpha)
    element.z_index = zIndex
    element.is_hidden = isHidden
    element.corner_radius = cornerRadius
    return element
  }
}

extension Host {
  /// How many elements all drawers have together.
  public var elementCount: Int { unsafe Int(records.pointee.element_count) }

  /// An element's name; unique within its drawer.
  public func elementName(_ index: Int) -> String {
    unsafe table.pointee.element_name(context, Self.number(index)).map { unsafe String(cString: $0) } ?? ""
  }

  /// The element of a name: the first one, in the order of the drawers.
  public func element(named name: String) -> Int? { (0..<elementCount).first { elementName($0) == name } }

  /// The drawer that an element is drawn in. The index must be below `elementCount`: else a rule is broken.
  public func drawer(ofElement index: Int) -> Int {
    guard let element = unsafe element(index) else {
      missingElement(index)
      return 0
    }
    return unsafe Int(element.pointee.drawer)
  }

  /// An element's present look. The index must be below `elementCount`; else a rule is broken, and zeros are returned.
  public func look(_ index: Int) -> Look {
    guard let element = unsafe element(index) else {
      missingElement(index)
      return Look(header_element())
    }
    return unsafe Look(element.pointee)
  }

  /// How the header's description has an element, whatever it looks like now. The index must be below `elementCount`: else the
  /// behavior is bypassed.
  public func describedLook(_ index: Int) -> Look {
    var element = header_element()
    _ = unsafe table.pointee.get_described_element(context, Self.number(index), &element)
    return Look(element)
  }

  @inline(__always)
  private func element(_ index: Int) -> UnsafePointer<header_element>? {
    guard index >= 0, index < elementCount else { return nil }
    return unsafe records.pointee.elements.map { unsafe $0 + index }
  }

  /// Sets how an element looks; from then on every state lists it. A number that is not finite, or a size below zero,
  /// gets the behavior bypassed.
  public func set(_ look: Look, of element: Int) {
    var record = look.c
    _ = unsafe table.pointee.set_element(context, Self.number(element), &record)
  }

  /// Whether no other delegate has claimed an element.
  public func isElementFree(_ element: Int) -> Bool {
    unsafe table.pointee.element_is_free(context, Self.number(element))
  }

  /// Makes an element's look this behavior's own; in `attach`, `restore`, a change of structure, and once it is attached in an
  /// option's setter and in a call.
  public func claimElement(_ element: Int) throws(Refusal) {
    guard unsafe table.pointee.claim_element(context, Self.number(element)) == HEADER_OK else {
      throw Refusal("element \"\(elementName(element))\" belongs to another delegate")
    }
  }
}
