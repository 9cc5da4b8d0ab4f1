// SPDX-License-Identifier: MIT
//
// Plugins read the engine's records in place, so the Swift and C structs must have the same layout. Swift lays out
// plain structs in the order of their fields with natural alignment, as C does. So they agree when their fields have the
// same names, sizes and alignments in the same order. This is checked when the first plugin is loaded; a mismatch is a bug
// of headerd and ends the program.

internal import CHeaderPlugin
internal import HeaderCore
internal import HeaderModel

/// The check that the core's records and header_plugin.h agree.
public enum SharedLayout {
  /// Every field that differs between the two sides; empty when all is well.
  public static let differences: [String] = {
    // Enumerations lie as their case's number; the C side has the same numbers by name.
    let kinds = DelegateEventKind.allCases.map(\.rawValue)
    let hasSameKinds = kinds == Array(0..<Int32(kinds.count))
    return compare(ScrollView(), header_scroll_view()) + compare(Environment(), header_environment())
      + compare(Drawer(frame: Rect()), header_drawer())
      + compare(Element(drawer: 0, frame: Rect()), header_element())
      + (unsafe compare(HeaderRecords(), header_records()))
      + compare(DrawerExtent(top: 0, height: 0), header_extent())
      + compare(DelegateEvent(.layout), header_event()) + compare(DelegateAnswer(), header_answer())
      + (hasSameKinds ? [] : ["header_event_kind"])
  }()

  private static func compare<Swift, C>(_ swift: Swift, _ c: C) -> [String] {
    let (ours, theirs) = (fields(of: swift), fields(of: c))
    let different = zip(ours, theirs).filter { $0 != $1 }.map { "\(C.self).\($0) is \($1)" }
    let hasSameSize = ours.count == theirs.count && MemoryLayout<Swift>.stride == MemoryLayout<C>.stride
    return different + (hasSameSize ? [] : ["size of \(C.self)"])
  }

  /// A struct's fields with their sizes and alignments; names as C writes them. `Mirror` takes and gives nothing but `Any`.
  private static func fields(of record: Any) -> [String] {
    Mirror(reflecting: record).children.map { field in
      let name = (field.label ?? "").reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
      return "\(name): \(layout(of: field.value))"
    }
  }

  private static func layout<Field>(of _: Field) -> String {
    "\(MemoryLayout<Field>.size) bytes at multiples of \(MemoryLayout<Field>.alignment)"
  }
}
