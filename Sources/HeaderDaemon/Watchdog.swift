// SPDX-License-Identifier: MIT
//
// Reports regularly that every thread still turns. The first thread's timer asks the others by mail, and calls back once all of them have
// answered the round before. A thread that hangs in a plugin does not answer, so the reports stop.
//
//     timer ─▶ all have answered? ─ yes ─▶ alive(), a new round ─▶ timer after the whole interval
//                       └─ no ─▶ timer after an eighth of it

internal import Clocks
internal import EventLoop
private import Synchronization

/// Calls a function as long as all loops turn.
final class Watchdog {
  /// A question to the other threads, and how many have not answered it.
  private final class Round: Sendable {
    let open: Atomic<Int>
    init(_ count: Int) { open = Atomic(count) }
  }

  private let loop: Loop
  private let interval: Int64
  private let alive: () -> Void
  private let timer: EventLoop.Timer
  private var mailboxes: [Box<Mailbox<Round>>] = []
  private var round = Round(0)

  /// Begins to call `alive`.
  /// - Parameters:
  ///   - loop: the loop whose thread calls the function; others: loops that must turn as well.
  ///   - interval: between two calls, nanoseconds.
  init(on loop: Loop, others: [Loop], every interval: Int64, _ alive: @escaping () -> Void) throws(UVError) {
    self.loop = loop
    self.interval = max(1_000_000, interval)
    self.alive = alive
    timer = EventLoop.Timer(on: loop)
    for other in others {
      let mailbox = try Mailbox<Round>(on: other)
      mailbox.received = { $0.open.subtract(1, ordering: .relaxed) }
      mailboxes.append(Box(mailbox))
    }
    timer.fired = { [unowned self] in self.look() }
    timer.arm(at: loop.now + self.interval)
  }

  private func look() {
    guard round.open.load(ordering: .relaxed) == 0 else { return timer.arm(at: loop.now + interval / 8) }
    alive()
    round = Round(mailboxes.count)
    for mailbox in mailboxes { mailbox.value.door.post(round) }
    timer.arm(at: loop.now + interval)
  }
}
