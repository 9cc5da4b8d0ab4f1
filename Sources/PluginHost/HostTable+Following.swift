// SPDX-License-Identifier: MIT
//
// The functions with which a behavior works after others and with them (Header+Following.swift).

internal import CHeaderPlugin
private import Glibc
internal import HeaderCore

extension HostTable {
  static func fillFollowing(_ table: inout header_host) {
    unsafe table.get_value = { context, name, value in
      guard let name = unsafe name, let value = unsafe value else {
        return unsafe HostTable.act(context) { (_, _) throws(DelegateFailure) in
          throw .failed("it gave no name of a value, or no place for it")
        }
      }
      return unsafe HostTable.read(context) { delegate, header in
        let content = header.value { own in unsafe own.withCString { unsafe strcmp($0, name) == 0 } }
        guard let content else { return Int32(HEADER_REFUSED) }
        unsafe value.pointee = HostTable.plain(content, delegate)
        return Int32(HEADER_OK)
      } ?? Int32(HEADER_FAILED)
    }
    unsafe table.follow_changes = { context in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in header.followChanges(by: delegate) }
    }
    unsafe table.claim_element = { context, element in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        guard delegate.mayClaim || delegate.isAsked else {
          throw .failed("it claimed an element outside of attach, restore, set_option and call")
        }
        try header.claimElement(Int(element), by: delegate)
      }
    }
    unsafe table.drawer_is_free = { context, drawer in
      unsafe HostTable.read(context) { $1.isFree(Int(drawer), for: $0) } ?? false
    }
    unsafe table.element_is_free = { context, element in
      unsafe HostTable.read(context) { $1.isElementFree(Int(element), for: $0) } ?? false
    }
  }

  /// A value without memory of its own, but for a text, which the delegate keeps.
  private static func plain(_ content: NamedValue.Content, _ delegate: PluginDelegate) -> header_value {
    var value = unsafe header_value()
    switch content {
    case .null: unsafe value.type = UInt8(HEADER_NULL)
    case .bool(let bool):
      unsafe value.type = UInt8(HEADER_BOOL)
      unsafe value.boolean = bool
    case .number(let number):
      unsafe value.type = UInt8(HEADER_NUMBER)
      unsafe value.number = number
    case .text: unsafe value = unsafe delegate.lend(content.value).pointee
    }
    return unsafe value
  }
}
