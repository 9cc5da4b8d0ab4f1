// SPDX-License-Identifier: MIT
//
// Which of a connection's commands are not done. Each has a slot, in the order of reading; slots end in any order. Some
// commands wait until nothing before them is open, and hold up nothing behind them.
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

  /// The oldest slot that is open; `next` if none is.
  private(set) var oldest = 0
  /// Bytes of the commands from the oldest slot on.
  private var sizes = Queue<Int32>()
  /// Slots behind the oldest that are done.
  private var doneBehind: Set<Int> = []
  private var waiting = Queue<(slot: Int, Waiting)>()
  /// Bytes of all that are open.
  private(set) var bytes = 0

  /// The slot of the next command that is left open.
  var next: Int { oldest + sizes.count }
  /// Whether all are done.
  var isEmpty: Bool { sizes.isEmpty }

  /// Whether something waits for its turn.
  var hasWaiting: Bool { !waiting.isEmpty }

  /// Opens a slot.
  @discardableResult
  mutating func open(_ byteCount: Int) -> Int {
    let slot = next
    sizes.append(Int32(clamping: byteCount))
    bytes += Int(Int32(clamping: byteCount))
    return slot
  }

  /// Opens a slot for something that waits until nothing before it is open.
  mutating func wait(_ command: Waiting, _ byteCount: Int) { waiting.append((open(byteCount), command)) }

  /// A command is done. Amortized constant time.
  mutating func close(_ slot: Int) {
    guard slot == oldest else {
      doneBehind.insert(slot)
      return
    }
    repeat {
      bytes -= Int(sizes.popFirst() ?? 0)
      oldest += 1
    } while !doneBehind.isEmpty && doneBehind.remove(oldest) != nil
    // A connection that is silent shall have no memory for it.
    if sizes.isEmpty { sizes.removeAll() }
  }

  /// What has waited and may go on now.
  mutating func takeDue() -> (slot: Int, Waiting)? {
    guard let first = waiting.first, first.slot == oldest else { return nil }
    return waiting.popFirst()
  }
}
