// SPDX-License-Identifier: MIT

public import HeaderModel

extension Value {
  /// The tree as JSON on one line, without a line end; not for what is written often, which has a writer of its own.
  public var jsonBytes: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.copy()
  }
}
