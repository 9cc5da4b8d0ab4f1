// SPDX-License-Identifier: MIT
//
// Indexes out of range. A behavior that assumes a drawer that the header does not have must not crash the daemon: it is
// bypassed for breaking a rule, and reads zeros until then.

internal import CHeaderPlugin

extension Host {
  /// An index as the host takes it. One that does not fit becomes one that nothing has: the host then says so.
  @inline(__always)
  static func number(_ index: Int) -> UInt32 { UInt32(exactly: index) ?? .max }

  /// Stands for a drawer that does not exist. The write makes the host report the broken rule.
  @inline(never)
  func missingDrawer(_ index: Int) -> UnsafePointer<header_drawer> {
    _ = unsafe table.pointee.set_drawer_sticky(context, Self.number(index), false)
    return unsafe Nothing.shared.drawer
  }

  @inline(never)
  func missingScrollView(_ index: Int) -> UnsafePointer<header_scroll_view> {
    _ = unsafe table.pointee.set_content_inset(context, Self.number(index), header_insets())
    return unsafe Nothing.shared.scrollView
  }

  @inline(never)
  func missingElement(_ index: Int) {
    var look = header_element()
    _ = unsafe table.pointee.set_element(context, Self.number(index), &look)
  }
}

/// Zeros of each kind. Made once, never freed and never written, so they may be shared.
@safe struct Nothing: @unchecked Sendable {
  static let shared = Nothing()

  let drawer = unsafe Self.one(header_drawer())
  let scrollView = unsafe Self.one(header_scroll_view())
  let records: UnsafePointer<header_records>

  private init() {
    var nobody = unsafe header_records()
    unsafe nobody.environment = Self.one(header_environment())
    unsafe nobody.tracking_scroll_view = -1
    unsafe records = Self.one(nobody)
  }

  private static func one<Record>(_ record: Record) -> UnsafePointer<Record> {
    let place = UnsafeMutablePointer<Record>.allocate(capacity: 1)
    unsafe place.initialize(to: record)
    return unsafe UnsafePointer(place)
  }
}
