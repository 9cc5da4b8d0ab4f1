// SPDX-License-Identifier: MIT
//
// A state as text, so that two runs can be compared byte for byte: as subscribers get it, without the epoch. Doubles are written as
// the shortest decimals that read back the same.

public import HeaderModel
internal import HeaderWire

extension HeaderState {
  /// The state with all that happened.
  public var text: String { text([.routine, .calls]) }

  /// The same, and why it is so.
  public var explainedText: String { text([.routine, .calls, .explanation]) }

  private func text(_ parts: StateEncoder.Parts) -> String {
    var writer = JSONWriter()
    StateEncoder.object(self, parts, into: &writer)
    // The header's name and its epoch come first.
    return String(decoding: writer.copy(), as: UTF8.self).split(separator: ",", maxSplits: 2).last.map(String.init)
      ?? ""
  }

  /// What the state shows, without its number and time.
  public var shownText: String { text.split(separator: ",", maxSplits: 2).last.map(String.init) ?? "" }
}
