// SPDX-License-Identifier: MIT
//
// Elements by name, heights, and two more kinds of parameter.

internal import CHeaderPlugin

extension Host {
  /// How many elements all drawers have together.
  public var elementCount: Int { unsafe Int(records.pointee.element_count) }

  /// An element's name; unique within its drawer.
  public func elementName(_ index: Int) -> String {
    unsafe table.pointee.element_name(context, Self.number(index)).map { unsafe String(cString: $0) } ?? ""
  }

  /// The element of a name: the first one, in the order of the drawers.
  public func element(named name: String) -> Int? { (0..<elementCount).first { elementName($0) == name } }

  /// Tells the bounds of a drawer's height; the behavior keeps them, others read them.
  public func setHeights(minimum: Double, maximum: Double, of drawer: Int) {
    _ = unsafe table.pointee.set_drawer_heights(context, Self.number(drawer), minimum, maximum)
  }
}

extension Parameter {
  /// A text.
  public static func text(_ name: String, default value: String, _ meaning: String) -> Parameter {
    Parameter(name: name, type: .text, defaultValue: .text(value), meaning: meaning)
  }

  /// Any record; the behavior checks what is in it.
  public static func record(_ name: String, _ meaning: String) -> Parameter {
    Parameter(name: name, type: .record, defaultValue: .record([]), meaning: meaning)
  }
}
