// SPDX-License-Identifier: MIT
//
// The extension header.position/1 of an instance: its position, and moves to another one. It is looked up when it is needed, which is
// seldom.

internal import CHeaderPlugin
internal import HeaderCore
internal import HeaderModel

extension PluginDelegate {
  /// The instance's table; nil: it has none that can be used.
  private var positionTable: UnsafePointer<header_position>? {
    guard let address = unsafe extensionAddress(HEADER_POSITION) else { return nil }
    let table = unsafe address.assumingMemoryBound(to: header_position.self)
    guard unsafe Int(table.pointee.struct_size) >= MemoryLayout<header_position>.size else { return nil }
    let isWhole = unsafe table.pointee.position != nil && table.pointee.move != nil && table.pointee.permit != nil
    return unsafe table.pointee.moves_chain || isWhole ? table : nil
  }

  func positioningOfInstance() -> Positioning {
    guard let table = unsafe positionTable else { return .none }
    return unsafe table.pointee.moves_chain ? .chain : .own
  }

  func positionOfInstance(in header: Header) throws(DelegateFailure) -> Position {
    guard let ask = unsafe positionTable?.pointee.position else { throw .failed("it has no position") }
    var (traveled, travel) = (0.0, 0.0)
    try unsafe run(.position, in: header) { unsafe ask($0, &traveled, &travel) }
    guard traveled.isFinite, travel.isFinite, abs(traveled) <= FieldReader.bound,
      (0...FieldReader.bound).contains(travel)
    else {
      throw .failed(
        "its position is \(Value.number(traveled).brief) of \(Value.number(travel).brief), expected numbers of points")
    }
    return Position(traveled: traveled, travel: travel)
  }

  func moveInstance(to traveled: Double, in header: Header) throws(DelegateFailure) {
    guard let move = unsafe positionTable?.pointee.move else { throw .failed("it has no position") }
    try unsafe run(.move, in: header) { unsafe move($0, traveled) }
  }

  func permitInstance(_ range: ClosedRange<Double>, in header: Header) throws(DelegateFailure) {
    guard let permit = unsafe positionTable?.pointee.permit else { throw .failed("it has no position") }
    try unsafe run(.permit, in: header) { unsafe permit($0, range.lowerBound, range.upperBound) }
  }

  func placeOfInstance(of drawer: Int, in header: Header) throws(DelegateFailure) -> DrawerPlace? {
    guard let ask = unsafe positionTable?.pointee.drawer, drawer >= 0 else { return nil }
    var place = header_drawer_place()
    try unsafe run(.drawer, in: header) { unsafe ask($0, UInt32(drawer), &place) }
    for number in [place.gone, place.collapse, place.shift] where !(abs(number) <= FieldReader.bound) {
      throw .failed("its drawer \(drawer) is gone by \(Value.number(number).brief), expected numbers of points")
    }
    return DrawerPlace(gone: place.gone, collapse: place.collapse, shift: place.shift)
  }

  func positionOfInstance(
    where drawer: Int, isGone points: Double, in header: Header
  ) throws(DelegateFailure) -> Double? {
    guard let ask = unsafe positionTable?.pointee.reach, drawer >= 0 else { return nil }
    var traveled = 0.0
    try unsafe run(.reach, in: header) { unsafe ask($0, UInt32(drawer), points, &traveled) }
    guard abs(traveled) <= FieldReader.bound else {
      throw .failed("its drawer \(drawer) is there at \(Value.number(traveled).brief), expected a number of points")
    }
    return traveled
  }

  func stopsOfInstance(in header: Header) throws(DelegateFailure) -> [NamedStop] {
    guard let ask = unsafe positionTable?.pointee.stops else { return [] }
    var list: UnsafePointer<header_stop>?
    var count: UInt32 = 0
    try unsafe run(.stops, in: header) {
      count = unsafe ask($0, &list)
      return Int32(HEADER_OK)
    }
    guard count > 0 else { return [] }
    guard count <= 256, let list = unsafe list else { throw .failed("its stops are missing or more than 256") }
    var stops: [NamedStop] = []
    for index in 0..<Int(count) {
      let stop = unsafe list[index]
      guard let text = unsafe stop.name, let name = unsafe String(validatingCString: text), Names.isName(name) else {
        throw .failed("the name of stop \(index) is no name")
      }
      let progress = unsafe stop.progress
      guard (0...1).contains(progress) else {
        throw .failed("stop \"\(name)\" is at \(Value.number(progress).brief), expected 0 to 1")
      }
      stops.append(NamedStop(name: name, progress: progress))
    }
    return stops
  }
}
