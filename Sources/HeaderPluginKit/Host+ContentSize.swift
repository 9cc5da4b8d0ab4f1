// SPDX-License-Identifier: MIT
//
// The content's size, where a behavior decides it.

internal import CHeaderPlugin

extension Host {
  /// Writes the content size; an offset then out of range is brought back. Re-enters.
  public func setContentSize(_ size: Size, of view: Int) {
    _ = unsafe table.pointee.set_content_size(context, Self.number(view), size.c)
  }
}
