// SPDX-License-Identifier: MIT

/// How much whoever can send messages has written to the log: ten lines a second, and how many there were besides.
struct ComplaintBudget {
  private var second: Int64 = .min
  private var lines = 0
  private var unwritten = 0

  private static let linesMost = 10

  /// Takes a line.
  /// - Returns: what it says besides; nil: it is not written.
  mutating func take(at now: Int64) -> [(key: String, value: String)]? {
    let present = now / 1_000_000_000
    if present != second { (second, lines) = (present, 0) }
    guard lines < Self.linesMost else {
      unwritten += 1
      return nil
    }
    lines += 1
    defer { unwritten = 0 }
    return unwritten > 0 ? [("unwritten", String(unwritten))] : []
  }
}
