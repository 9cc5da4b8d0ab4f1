// SPDX-License-Identifier: MIT
//
// A state as text, all of it but the epoch, so that two runs can be compared byte for byte. Doubles are written as the
// shortest decimals that read back the same, with the sign of zero: equal texts mean equal bits.

public import HeaderCore

extension HeaderState {
  /// The state on a few lines.
  public var text: String {
    var lines = ["seq \(seq) time \(time.nanoseconds) tracking \(trackingScrollView) frames \(framesActive)"]
    lines += drawers.enumerated().map { "drawer \(names.drawers[$0.offset]) \($0.element)" }
    lines += elements.enumerated().map { "element \(names.elements[$0.offset]) \($0.element)" }
    lines += scrollViews.enumerated().map { "scrollView \(names.scrollViews[$0.offset]) \($0.element)" }
    lines += values.enumerated().map { "value \(names.values[$0.offset]) \($0.element)" }
    lines.append("wants \(wants)")
    if let position { lines.append("position \(position)") }
    lines += happened.notices.map { "notice \(names.delegate(of: $0)) \(word(for: $0)) \($0)" }
    lines += happened.commands.map { "command \($0)" }
    lines += happened.animations.map { "animation \($0)" }
    lines += happened.calls.map { "call \(names.delegates[Int($0.delegate)]) \($0)" }
    return lines.joined(separator: "\n")
  }
}
