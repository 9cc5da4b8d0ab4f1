// SPDX-License-Identifier: MIT
//
// All timers of a loop, in a heap ordered by deadline and then by the order of arming, above one kernel timer.
//
// libuv's own timers count in milliseconds, too coarse for frames at 120 Hz. A `timerfd` on CLOCK_MONOTONIC, the clock
// of `Loop.now`, is exact to the nanosecond and late only by the scheduler (some tens of microseconds). One descriptor
// serves any number of timers: it is set to the earliest deadline at the end of a turn, and only if that has changed,
// so arming is a move in the heap, and a frame timer costs one system call a frame. Setting it also clears its
// readiness; it is never read.

internal import CUV
internal import Glibc

/// The armed timers of one loop.
@safe final class TimerQueue {
  private let box = unsafe HandleBox(uv_poll_t())
  private let descriptor: Int32
  /// A binary heap: each timer comes before its children at `2i + 1` and `2i + 2`.
  private var heap = ContiguousArray<TimerCore>()
  private var armings: UInt64 = 0
  /// What the kernel's timer is set to, nanoseconds; 0 is disarmed.
  private var setTo: Int64 = 0

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

  func arm(_ timer: TimerCore, at deadline: Int64) {
    // Alone it keeps its place; among others, it comes behind those that were armed for the same time before.
    if timer.isArmed, timer.deadline == deadline, heap.count == 1 { return }
    disarm(timer)
    armings += 1
    timer.deadline = deadline
    timer.arming = armings
    timer.place = heap.count
    heap.append(timer)
    rise(timer.place)
    if heap.count == 1 { unsafe uv_ref(box.handle) }
  }

  func disarm(_ timer: TimerCore) {
    guard let place = timer.takePlace() else { return }
    let last = heap.removeLast()
    if last !== timer {
      heap[place] = last
      last.place = place
      rise(place)
      sink(last.place)
    }
    if heap.isEmpty { unsafe uv_unref(box.handle) }
  }

  /// The earliest deadline.
  var earliest: Int64? { heap.first?.deadline }

  /// Sets the kernel's timer to the earliest deadline.
  func setDescriptor() {
    // 0 would disarm, and a deadline in the past fires at once.
    let earliest = heap.first.map { max($0.deadline, 1) } ?? 0
    if earliest == setTo { return }
    var setting = itimerspec()
    setting.it_value.tv_sec = Int(earliest / 1_000_000_000)
    setting.it_value.tv_nsec = Int(earliest % 1_000_000_000)
    let answer = unsafe timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    precondition(answer == 0, "a timerfd takes any time that is not negative")
    setTo = earliest
  }

  // MARK: - Firing

  /// Fires what is due, in order. What is armed meanwhile waits for the next turn, however early its deadline.
  private func fireDue() {
    let now = Int64(uv_hrtime())
    let newest = armings
    // Fired, hence no deadline stands for what the kernel holds: setting it is due even to the same value.
    setTo = -1
    while let timer = heap.first, timer.deadline <= now, timer.arming <= newest {
      disarm(timer)
      timer.fired?()
    }
  }

  // MARK: - The heap

  private func rise(_ start: Int) {
    var place = start
    while place > 0, heap[place].isBefore(heap[(place - 1) / 2]) {
      exchange(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private func sink(_ start: Int) {
    var place = start
    while true {
      var first = place
      for child in [2 * place + 1, 2 * place + 2] where child < heap.count && heap[child].isBefore(heap[first]) {
        first = child
      }
      if first == place { return }
      exchange(place, first)
      place = first
    }
  }

  private func exchange(_ one: Int, _ other: Int) {
    heap.swapAt(one, other)
    heap[one].place = one
    heap[other].place = other
  }
}
