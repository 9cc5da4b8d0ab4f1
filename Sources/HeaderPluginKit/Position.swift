// SPDX-License-Identifier: MIT
//
// The extension header.position/1 for behaviors in Swift, and the bookkeeping for those whose place follows from the
// content's offset.

internal import CHeaderPlugin

/// How a behavior's drawers can be brought to a position.
public enum Positioning: Sendable {
  /// Not at all: `header.move` and constraints are refused.
  case none
  /// By the host: the behavior moves them by `host.move(from:by:)`, `expand` and `contract` alone.
  case chain
  /// By the behavior: ``Behavior/position``, ``Behavior/move(to:)``, ``Behavior/permit(_:)``.
  case own
}

/// Where a header is, in points from fully expanded.
public struct Position: Equatable, Sendable {
  /// How far it has gone; over-extended it is at 0.
  public var traveled: Double
  /// How far it can go.
  public var travel: Double

  /// Creates a position from points gone and the whole way in points.
  public init(traveled: Double, travel: Double) {
    self.traveled = traveled
    self.travel = travel
  }
}

/// How much of one drawer is visibly gone, in points.
public struct DrawerPlace: Equatable, Sendable {
  /// What it has lost of its height, and what it is moved off by.
  public var gone: Double
  /// What it can lose of its height.
  public var collapse: Double
  /// Points that it can then be moved off.
  public var shift: Double

  /// Creates a place from points gone, and its shares by kind of movement.
  public init(gone: Double, collapse: Double, shift: Double) {
    self.gone = gone
    self.collapse = collapse
    self.shift = shift
  }
}

/// Keeps a header away from where its law has it: after a move by call, and within a permitted range.
///
///     law        place that follows from the content: x, growing as the content moves up, 0 … travel on the way
///     moved      x + displacement; each movement of the content moves the header from where it is, and what leads it back to
///                its law uses the displacement up; so does content that springs back from beyond its beginning, under a header
///                that stays where the pull has brought it
///     permitted  cut to the range
public struct Displacement: Equatable, Sendable {
  /// Points; 0: it is where its law has it.
  public private(set) var distance = 0.0
  /// How far the content was beyond its beginning when the header was placed last, points.
  public private(set) var pull = 0.0
  /// What is permitted, in progress.
  public private(set) var permitted: ClosedRange<Double> = 0...1

  /// Nothing is displaced, and everything is permitted.
  public init() {}

  /// Displaced as an instance was that saved its `distance` and `pull`, points; everything is permitted.
  public init(distance: Double, pull: Double = 0) {
    self.distance = distance.isFinite ? distance : 0
    self.pull = max(0, pull.isFinite ? pull : 0)
  }

  /// Displaced as another one; something else is permitted.
  public init(_ other: Displacement, permitted: ClosedRange<Double>) {
    self = other
    self.permitted = permitted
  }

  /// Whether the law alone decides.
  public var isNone: Bool { distance == 0 && permitted == 0...1 }

  /// From now on the header stays within a range of progress, and its law decides where in it.
  /// - Parameter progress: where it is.
  /// - Returns: whether it may have to go elsewhere by it. A restored header that was within the range stays where it was.
  public mutating func bind(to range: ClosedRange<Double>, from progress: Double) -> Bool {
    let wasFree = permitted == 0...1
    permitted = range
    guard !wasFree || !range.contains(progress) else { return false }
    distance = 0
    return true
  }

  /// The header's position after a displacement.
  /// - Parameters:
  ///   - law: its position by its own law; below 0 it is over-extended, beyond `travel` the content has gone further.
  ///   - travel: its way, points.
  ///   - end: where all of it is out of sight; nil: at the end of its way.
  /// - Returns: the position to use in place of `law`.
  public mutating func place(_ law: Double, travel: Double, end: Double? = nil) -> Double {
    let end = end ?? travel
    let springsBack = max(0, pull - max(0, -law))
    pull = max(0, -law)
    if distance > 0 { distance = max(0, distance - springsBack) }
    var place = law + distance
    if distance < 0 {
      // More expanded than by its law: it does not over-extend before the content is there.
      place = max(place, min(law, 0))
      if place >= end, law >= end { place = law }
    } else if distance > 0 {
      place = min(place, max(law, end))
    }
    distance = place - law
    guard permitted != 0...1 else { return place }
    let low = permitted.lowerBound > 0 ? permitted.lowerBound * travel : -.infinity
    let high = permitted.upperBound < 1 ? permitted.upperBound * travel : .infinity
    return max(low, min(high, place))
  }

  /// Moves the header to a place.
  /// - Parameter law: where its law has it now.
  public mutating func move(to place: Double, law: Double, travel: Double) {
    let present = max(0, min(travel, law))
    distance = place == present ? 0 : place - law
    pull = max(0, -law)
  }

  /// The header is hidden no further than to a place, whatever had displaced it.
  /// - Parameter law: where its law has it now.
  public mutating func limit(to place: Double, law: Double) {
    if distance > 0 { distance = min(distance, max(0, place - law)) }
  }

  /// The law alone decides where it is, within what is permitted.
  public mutating func forget() { distance = 0 }
}

// MARK: - The table

/// The tables of all instances: one for each way of positioning. Written once, then only read.
@safe private struct PositionTables: @unchecked Sendable {
  let chain: UnsafeRawPointer
  let own: UnsafeRawPointer

  static let shared = PositionTables()

  private init() {
    unsafe chain = Self.table(movesChain: true)
    unsafe own = Self.table(movesChain: false)
  }

  private static func table(movesChain: Bool) -> UnsafeRawPointer {
    let place = UnsafeMutablePointer<header_position>.allocate(capacity: 1)
    var table = header_position()
    table.struct_size = UInt32(MemoryLayout<header_position>.size)
    table.moves_chain = movesChain
    unsafe table.position = { pointer, traveled, travel in
      let position = unsafe with(pointer) { $0.position }
      guard let position else { return Int32(HEADER_FAILED) }
      unsafe traveled?.pointee = position.traveled
      unsafe travel?.pointee = position.travel
      return Int32(HEADER_OK)
    }
    unsafe table.move = { pointer, traveled in
      unsafe with(pointer) { $0.rests ? () : $0.move(to: traveled) }
      return Int32(HEADER_OK)
    }
    unsafe table.permit = { pointer, from, to in
      guard from <= to else { return Int32(HEADER_FAILED) }
      unsafe with(pointer) { $0.rests ? () : $0.permit(from...to) }
      return Int32(HEADER_OK)
    }
    unsafe table.stops = { pointer, list in
      unsafe with(pointer) { behavior in
        let arena = Arena()
        behavior.lent = arena
        let stops = behavior.stops
        unsafe list?.pointee = UnsafePointer(
          arena.row(
            stops.map { stop in
              let name: UnsafePointer<CChar> = unsafe arena.text(stop.name)
              return unsafe header_stop(name: name, progress: stop.progress)
            }))
        return UInt32(stops.count)
      } ?? 0
    }
    unsafe table.drawer = { pointer, drawer, place in
      guard let found = unsafe with(pointer, { $0.place(of: Int(drawer)) }) else { return Int32(HEADER_FAILED) }
      unsafe place?.pointee = header_drawer_place(gone: found.gone, collapse: found.collapse, shift: found.shift)
      return Int32(HEADER_OK)
    }
    unsafe table.reach = { pointer, drawer, gone, traveled in
      guard let found = unsafe with(pointer, { $0.position(where: Int(drawer), isGone: gone) }) else {
        return Int32(HEADER_FAILED)
      }
      unsafe traveled?.pointee = found
      return Int32(HEADER_OK)
    }
    unsafe place.initialize(to: table)
    return UnsafeRawPointer(place)
  }
}

/// An extension of an instance, by id.
func extensionTable(of behavior: Behavior, _ id: UnsafePointer<CChar>?) -> UnsafeRawPointer? {
  guard let id = unsafe id, unsafe String(validatingCString: id) == HEADER_POSITION, !behavior.rests else { return nil }
  switch behavior.positioning {
  case .none: return nil
  case .chain: return unsafe PositionTables.shared.chain
  case .own: return unsafe PositionTables.shared.own
  }
}
