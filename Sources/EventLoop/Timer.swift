// SPDX-License-Identifier: MIT
//
// One-shot timers on the clock of `Loop.now`: a row ordered by deadline and then by order of arming, above one kernel
// timer. A loop has few of them: what many connections and headers wait for is in one heap of each room (Fanout, WakeQueue).
// A timer fires at or after its deadline, late only by the scheduler and the callbacks ahead of it. A frame timer is armed
// at start + k / rate from its own callback, and does not drift.
//
// libuv's timers count milliseconds, too coarse for 120 Hz. A `timerfd` on CLOCK_MONOTONIC is exact to the nanosecond.
// It is set to the earliest deadline at the end of a turn if that has changed, which also clears its readiness; it is
// never read.
//
// A callback that captures its own handle leaks both. Let an object own the handle and capture the object `unowned`:
// the callback is not called once the object is gone. This holds for every handle of this room.

internal import CUV
public import Clocks
internal import Glibc

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

  /// Arms for a moment of `Loop.now` in place of any earlier arming.
  ///
  /// A moment that has passed fires in this or the next turn, not inside this call.
  public func arm(at deadline: MonotonicTime) { core.loop.timers.arm(core, at: deadline) }

  /// Forgets the deadline; `fired` is then not called.
  public func disarm() { core.loop.timers.disarm(core) }

  /// The deadline, nil when disarmed.
  public var deadline: MonotonicTime? { core.isArmed ? core.deadline : nil }
}

final class TimerCore {
  let loop: Loop
  var fired: (() -> Void)?
  var deadline: MonotonicTime = 0
  /// Which arming of the loop this is, counted from 1; 0 when disarmed.
  var arming: UInt64 = 0

  init(_ loop: Loop) { self.loop = loop }

  var isArmed: Bool { arming > 0 }

  func close() {
    fired = nil
    loop.timers.disarm(self)
  }
}

@safe final class TimerQueue {
  private let box = unsafe HandleBox(uv_poll_t())
  private let descriptor: Int32
  /// Armed timers, the next one last.
  private var armed = ContiguousArray<TimerCore>()
  private var armings: UInt64 = 0
  /// The deadline that the kernel's timer is set to, nanoseconds; 0 is disarmed.
  private var setTo: MonotonicTime = 0

  /// Makes a kernel timer. The corresponding C function is `timerfd_create`.
  static func descriptor() throws(UVError) -> Int32 {
    let descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
    if descriptor < 0 { throw UVError.last("timerfd_create") }
    return descriptor
  }

  /// Takes ownership of the kernel timer.
  init(_ loop: UnsafeMutablePointer<uv_loop_t>, _ descriptor: Int32) {
    self.descriptor = descriptor
    let answer = unsafe uv_poll_init(loop, box.raw, descriptor)
    precondition(answer == 0, "epoll takes a fresh timerfd")
    unsafe box.open(for: self)
    unsafe uv_poll_start(box.raw, Int32(UV_READABLE.rawValue)) { handle, _, _ in
      unsafe withOwner(of: handle, as: TimerQueue.self) { $0.fireDue() }
    }
    unsafe uv_unref(box.handle)
  }

  deinit { _ = Glibc.close(descriptor) }

  func close() { unsafe box.close() }

  // MARK: - Arming

  func arm(_ timer: TimerCore, at deadline: MonotonicTime) {
    // Alone it keeps its place; among others, it comes behind those that were armed for the same time before.
    if timer.isArmed, timer.deadline == deadline, armed.count == 1 { return }
    disarm(timer)
    armings += 1
    timer.deadline = deadline
    timer.arming = armings
    armed.insert(timer, at: place(of: deadline))
    if armed.count == 1 { unsafe uv_ref(box.handle) }
  }

  func disarm(_ timer: TimerCore) {
    if !timer.isArmed { return }
    // Those of its deadline that were armed later come before it in the row.
    let place = armed[place(of: timer.deadline)...].firstIndex { $0 === timer }
    timer.arming = 0
    if let place { armed.remove(at: place) }
    if armed.isEmpty { unsafe uv_unref(box.handle) }
  }

  /// The first place of those that are due at a time or before.
  private func place(of deadline: MonotonicTime) -> Int {
    var range = armed.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if armed[middle].deadline > deadline {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound
  }

  var earliest: MonotonicTime? { armed.last?.deadline }

  func setDescriptor() {
    // 0 would disarm, and a deadline in the past fires at once.
    let earliest = armed.last.map { max($0.deadline, 1) } ?? 0
    if earliest == setTo { return }
    var setting = itimerspec()
    setting.it_value.tv_sec = Int(earliest.nanoseconds / 1_000_000_000)
    setting.it_value.tv_nsec = Int(earliest.nanoseconds % 1_000_000_000)
    let answer = unsafe timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    precondition(answer == 0, "a timerfd takes any time that is not negative")
    setTo = earliest
  }

  // MARK: - Firing

  /// Fires due timers, in order. Timers armed meanwhile wait for the next turn, however early their deadline.
  private func fireDue() {
    let now = MonotonicTime(nanoseconds: Int64(uv_hrtime()))
    let newest = armings
    // The kernel's timer has fired, so it has to be set again even to the same value.
    setTo = -1
    while let timer = armed.last, timer.deadline <= now, timer.arming <= newest {
      disarm(timer)
      timer.fired?()
    }
  }
}
