// SPDX-License-Identifier: MIT
//
// The one state that waits for a connection that is behind, with the notices and commands of the states that it replaced.

internal import HeaderModel
internal import HeaderWire

/// A state that is kept because a subscriber could not take it at once; shared by all that wait for it.
final class KeptState {
  /// The whole message, and how it is written.
  let message: [UInt8]
  let encoding: Encoding
  /// Bytes of the message before its lists.
  let positions: Int
  let happened: HeaderState.Happened
  let names: HeaderNames
  /// Texts and bools that it changed.
  let changes: [ValueChange]
  /// The delegate that owns each value.
  let owners: [Int32]

  init(
    message: [UInt8], encoding: Encoding, positions: Int, happened: HeaderState.Happened, names: HeaderNames,
    changes: [ValueChange],
    owners: [Int32]
  ) {
    self.message = message
    self.encoding = encoding
    self.positions = positions
    self.happened = happened
    self.names = names
    self.changes = changes
    self.owners = owners
  }
}

/// The one state that waits for a connection, with the notices and commands of those it replaced.
struct WaitingState {
  /// Apart, since each delivery has room for a state that waits, and few have one.
  private final class Gathered {
    var lists: ConflatedLists
    init(_ lists: ConflatedLists) { self.lists = lists }
  }

  private var newest: KeptState
  private var gathered: Gathered?

  init(_ state: KeptState) { newest = state }

  /// - Parameter limit: entries that are gathered at most.
  mutating func replace(with state: KeptState, parts: StateEncoder.Parts, limit: Int) {
    let gathered = gathered ?? Gathered(ConflatedLists(limit: limit))
    gathered.lists.append(
      newest.happened, newest.names, changes: newest.changes, owners: newest.owners,
      includingRoutine: parts.contains(.routine))
    self.gathered = gathered
    newest = state
  }

  var names: HeaderNames { newest.names }

  /// The bytes to send: the state's own message if it replaced none.
  func bytes(_ parts: StateEncoder.Parts) -> [UInt8] {
    guard var lists = gathered?.lists else { return newest.message }
    lists.append(
      newest.happened, newest.names, changes: [], owners: newest.owners, includingRoutine: parts.contains(.routine))
    let calls = parts.contains(.calls) ? (newest.happened, newest.names) : nil
    let explanation = parts.contains(.explanation) ? newest.happened.explanation : nil
    let (message, positions) = (newest.message, newest.positions)
    switch newest.encoding {
    case .lines: return lists.line(after: message, positions: positions, calls: calls, explanation: explanation)
    case .frames: return lists.frame(after: message, positions: positions, calls: calls, explanation: explanation)
    }
  }
}
