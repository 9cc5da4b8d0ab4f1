// SPDX-License-Identifier: MIT
//
// For behaviors that work after others: hear of every change, read what others tell about themselves.

internal import CHeaderPlugin

extension Host {
  /// From now on `layoutPass` is also called after everything else is done, in each event in which something changed.
  public func followChanges() { _ = unsafe table.pointee.follow_changes(context) }

  /// A named value of whichever delegate has it; nil when there is none of that name.
  public func value(named name: String) -> Value? {
    var value = unsafe header_value()
    let found = unsafe name.withCString { unsafe table.pointee.get_value(context, $0, &value) }
    return found == HEADER_OK ? unsafe Value(value) : nil
  }

  /// The same for a value that is a number, or a truth as 0 or 1; nil also when it is something else.
  public func number(named name: String) -> Double? {
    var value = unsafe header_value()
    let found = unsafe name.withCString { unsafe table.pointee.get_value(context, $0, &value) }
    guard found == HEADER_OK else { return nil }
    switch unsafe Int(value.type) {
    case HEADER_NUMBER: return unsafe value.number
    case HEADER_BOOL: return unsafe value.boolean ? 1 : 0
    default: return nil
    }
  }

  /// A drawer's name.
  public func drawerName(_ index: Int) -> String {
    unsafe table.pointee.drawer_name(context, Self.number(index)).map { unsafe String(cString: $0) } ?? ""
  }

  /// A drawer's place by its name.
  public func drawer(named name: String) -> Int? { (0..<drawerCount).first { drawerName($0) == name } }
}
