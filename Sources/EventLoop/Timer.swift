// SPDX-License-Identifier: MIT
//
// A one-shot timer on the clock of `Loop.now`, armed again as often as wanted. It fires at or after its deadline, never
// before, and late by the scheduler and the callbacks ahead of it only: frames at 120 Hz stay well within a millisecond
// (`TimerQueue.swift` says how). A frame timer is armed at start + k / rate, from its own callback, and does not drift.
//
// As with every handle of this room: a callback that captures its own handle keeps both for good. Let an object own the
// handle, and have the callback capture that object `unowned`: it is not called once the object is gone.
//
// Timers that are due together fire by deadline, then in the order in which they were armed.

internal import CUV

/// A timer, armed for one deadline at a time. Letting go of it disarms it.
public struct Timer: ~Copyable {
  private let core: TimerCore

  /// Makes a disarmed timer. Any number of them share one kernel timer.
  public init(on loop: Loop) { core = TimerCore(loop) }

  deinit { core.close() }

  /// Called once for each arming, when the deadline has passed. The timer is disarmed by then and may be armed again.
  public var fired: (() -> Void)? {
    get { core.fired }
    nonmutating set { core.fired = newValue }
  }

  /// Arms for a moment of `Loop.now`, in nanoseconds, in place of any earlier arming.
  ///
  /// A moment that has passed fires in this or the next turn, not inside this call.
  public func arm(at deadline: Int64) { core.loop.timers.arm(core, at: deadline) }

  /// Forgets the deadline; `fired` is then not called.
  public func disarm() { core.loop.timers.disarm(core) }

  /// The deadline in nanoseconds, nil when disarmed.
  public var deadline: Int64? { core.isArmed ? core.deadline : nil }
}

/// A timer's entry in the queue.
final class TimerCore {
  let loop: Loop
  var fired: (() -> Void)?
  var deadline: Int64 = 0
  /// Which arming of the loop this is, counted from 1.
  var arming: UInt64 = 0
  /// Where the timer stands in the queue's heap, -1 when disarmed.
  var place = -1

  init(_ loop: Loop) { self.loop = loop }

  var isArmed: Bool { place >= 0 }

  /// The place in the heap, given up.
  func takePlace() -> Int? {
    if !isArmed { return nil }
    defer { place = -1 }
    return place
  }

  func isBefore(_ other: TimerCore) -> Bool {
    (deadline, arming) < (other.deadline, other.arming)
  }

  func close() {
    fired = nil
    loop.timers.disarm(self)
  }
}
