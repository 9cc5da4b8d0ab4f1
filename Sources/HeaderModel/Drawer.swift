// SPDX-License-Identifier: MIT
//
// One piece of the header: a node of the chain. A drawer is stored as UIKit stores a view, center and size, because two comparisons of
// the original behaviors are exact and depend on that arithmetic. Its frame is derived.
//
// The word suits TLYShyNavBar: drawers slide out from the fixed edge. The fields lie in memory as `header_drawer` of header_plugin.h
// does.

/// What fades as a drawer contracts (TLYShyNavBar's fade behavior).
public enum DrawerFade: Int32, Sendable, CaseIterable {
  /// No part fades.
  case none
  /// The elements, all but the first, which is the background.
  case elements
  /// The drawer itself.
  case drawer
}

/// A drawer's top edge and height, without the translation: points in header space.
public struct DrawerExtent: Sendable {
  /// The top edge.
  public var top: Double
  /// Never negative in a drawer.
  public var height: Double

  package init(top: Double, height: Double) {
    self.top = top
    self.height = height
  }
}

/// One piece of the header. Lengths in points; alpha is kept in single precision, as UIKit keeps it.
public struct Drawer: Equatable, Sendable {
  /// The middle, in header space, without the translation.
  public var center = Point()
  /// Width and height in points, never negative.
  public var size = Size()
  /// A transform's translation, drawn on top of center and size.
  public var translation = Point()
  /// The height below which a behavior that resizes the drawer does not go.
  public var minimumHeight: Double = 0
  /// The height of the fully expanded drawer; a behavior may over-extend it beyond.
  public var maximumHeight: Double
  /// 0…1.
  public var alpha: Float = 1
  /// What fades as it contracts.
  public var fade: DrawerFade = .none
  /// The index of its first element among the header's.
  public var firstElement: Int32 = 0
  /// How many of the header's elements, from `firstElement` on, are drawn in it.
  public var elementCount: Int32 = 0
  /// Whether it is not drawn; it keeps its place in the chain.
  public var isHidden = false
  /// It takes no movement; its travel is 0. It still rides along with the drawer before it.
  public var isSticky = false
  /// Higher ones are drawn over lower ones; of equal ones the earlier is.
  public var zIndex: Int8 = 0

  /// A drawer with a frame and UIKit's defaults.
  public init(frame: Rect) {
    maximumHeight = frame.size.height
    self.frame = frame
  }

  /// Center and size as a rectangle, without the translation. Setting it is not a move: no neighbor follows.
  public var frame: Rect {
    get {
      Rect(
        origin: Point(x: center.x - size.width * 0.5, y: center.y - size.height * 0.5), size: size)
    }
    set {
      size = newValue.size
      center =
        Point(
          x: newValue.origin.x + newValue.size.width * 0.5, y: newValue.origin.y + newValue.size.height * 0.5
        ).bounded
    }
  }

  /// The rectangle as drawn, with the translation.
  public var drawnFrame: Rect {
    let rect = frame
    return Rect(origin: rect.origin + translation, size: rect.size)
  }

  /// The frame's lower edge, in the frame's own arithmetic.
  @inlinable package var farEdge: Double { (center.y - size.height * 0.5) + size.height }

  /// Sets center and size.
  /// - Returns: whether that changes anything.
  @inlinable @inline(__always)
  package mutating func place(_ center: Point, _ size: Size) -> Bool {
    guard self.center != center || self.size != size else { return false }
    self.center = center
    self.size = size
    return true
  }

  /// Sets the center's y and the height; x and width stay.
  /// - Returns: whether that changes anything.
  @inlinable @inline(__always)
  package mutating func place(y: Double, height: Double) -> Bool {
    guard center.y != y || size.height != height else { return false }
    center.y = y
    size.height = height
    return true
  }

  /// Written out so that the engine, which compares all drawers in every event, gets it inlined.
  @inlinable public static func == (left: Drawer, right: Drawer) -> Bool {
    left.center == right.center && left.size == right.size && left.translation == right.translation
      && left.minimumHeight == right.minimumHeight && left.maximumHeight == right.maximumHeight
      && left.alpha == right.alpha && left.fade == right.fade && left.firstElement == right.firstElement
      && left.elementCount == right.elementCount && left.isHidden == right.isHidden && left.isSticky == right.isSticky
      && left.zIndex == right.zIndex
  }

  /// How far it may contract.
  @inlinable package var travel: Double { isSticky ? 0 : size.height }
}

/// A view inside a drawer whose look a delegate changes. Lengths in points of the drawer.
public struct Element: Equatable, Sendable {
  /// The middle, in the drawer's coordinates.
  public var center: Point
  /// The element's own coordinates; the size is that before the transform.
  public var bounds: Rect
  /// The transform, applied about the center.
  public var transform: Transform = .identity
  /// Higher ones are drawn in front of lower ones within the drawer, as UICollectionViewLayoutAttributes has it.
  public var zIndex: Double = 0
  /// The radius with which its corners are rounded, in points.
  public var cornerRadius: Double = 0
  /// 0…1, single precision.
  public var alpha: Float = 1
  /// The drawer that it is drawn in.
  public var drawer: Int32
  /// Whether it is not drawn.
  public var isHidden = false
  /// A delegate has changed it: from then on every state lists it.
  public var isChanged = false

  /// An element with a frame and UIKit's defaults.
  public init(drawer: Int32, frame: Rect) {
    center = Point(x: frame.origin.x + frame.size.width * 0.5, y: frame.origin.y + frame.size.height * 0.5)
    bounds = Rect(origin: Point(), size: frame.size)
    self.drawer = drawer
  }

  /// The frame, nil unless the transform is the identity.
  public var frame: Rect? { transform == .identity ? untransformedFrame : nil }

  /// Center and bounds as a rectangle of the drawer, whatever the transform.
  var untransformedFrame: Rect {
    let size = bounds.size
    return Rect(origin: Point(x: center.x - size.width * 0.5, y: center.y - size.height * 0.5), size: size)
  }
}
