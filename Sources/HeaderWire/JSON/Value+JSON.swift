// SPDX-License-Identifier: MIT

public import HeaderModel

extension Value {
  /// The tree as JSON on one line, without a line end. Frequent messages have writers of their own.
  public var jsonBytes: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.copy()
  }
}
