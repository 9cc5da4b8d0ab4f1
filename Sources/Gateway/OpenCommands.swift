// SPDX-License-Identifier: MIT
//
// A connection's commands that are not done. Each has a slot, in the order of reading; slots end in any order. Some commands wait until
// nothing before them is open, and delay nothing behind them.
//
//     slots    4 done   5 open   6 done   7 open        oldest: 5
//     waiting                             7 ping        its turn comes when 7 is the oldest

internal import Fanout
internal import HeaderWire

/// The commands of one connection that are not done.
struct OpenCommands {
  /// What waits for its turn.
  enum Waiting {
    case command(Command)
    case endOfInput
  }

  /// Nothing is kept for a connection of which nothing is open: most are silent most of the time.
  private var row: Row?

  private final class Row {
    /// The oldest slot that is open.
    var oldest = 0
    /// Bytes of the commands from the oldest slot on.
    var sizes = Queue<Int32>()
    /// Slots behind the oldest that are done.
    var doneBehind: Set<Int> = []
    /// What waits for its turn.
    var waiting = Queue<(slot: Int, Waiting)>()
    /// Bytes of all that are open.
    var bytes = 0
  }

  /// The slot of the next command that is left open. Slots start at 0 again when nothing is open.
  var next: Int { row.map { $0.oldest + $0.sizes.count } ?? 0 }
  /// Whether no command is open.
  var isEmpty: Bool { row == nil }
  /// Bytes of all that are open.
  var bytes: Int { row?.bytes ?? 0 }

  /// Whether something waits for its turn.
  var hasWaiting: Bool { row.map { !$0.waiting.isEmpty } ?? false }

  @discardableResult
  mutating func open(_ byteCount: Int) -> Int {
    let row = row ?? Row()
    self.row = row
    let slot = next
    row.sizes.append(Int32(clamping: byteCount))
    row.bytes += Int(Int32(clamping: byteCount))
    return slot
  }

  /// Opens a slot for something that waits until nothing before it is open.
  mutating func wait(_ command: Waiting, _ byteCount: Int) {
    let slot = open(byteCount)
    row?.waiting.append((slot, command))
  }

  /// A command is done. Amortized constant time.
  mutating func close(_ slot: Int) {
    guard let row else { return }
    guard slot == row.oldest else {
      row.doneBehind.insert(slot)
      return
    }
    repeat {
      row.bytes -= Int(row.sizes.popFirst() ?? 0)
      row.oldest += 1
    } while !row.doneBehind.isEmpty && row.doneBehind.remove(row.oldest) != nil
    if row.sizes.isEmpty { self.row = nil }
  }

  /// Takes the first waiting command if nothing before it is open.
  mutating func takeDue() -> (slot: Int, Waiting)? {
    guard let row, let first = row.waiting.first, first.slot == row.oldest else { return nil }
    return row.waiting.popFirst()
  }
}
