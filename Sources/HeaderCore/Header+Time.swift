// SPDX-License-Identifier: MIT
//
// How a header's time goes on: with the events, and to what is due before each of them (timers, completions, frames). No
// clock is read here; times come from outside.

extension Header {
  /// When something happens by itself next: a timer, a completion, and in `live` a frame. nil before the first event.
  public var nextDue: Instant? {
    guard hasTime else { return nil }
    let frame = frames == .live ? schedule.nextFrame(rate: plan.description.frameRate) : nil
    let due: Instant
    switch (schedule.nextEntry, frame) {
    case (let entry?, let frame?): due = min(entry, frame)
    case (let one?, nil), (nil, let one?): due = one
    case (nil, nil): return nil
    }
    return due <= timeEnd ? due : nil
  }

  /// The time that an event is handled at: never before the present one. The first event begins the header's time, and
  /// what was started at opening is moved onto it.
  func arrive(_ time: Instant?) -> Instant {
    guard let time else {
      hasTime = true
      return now
    }
    if !hasTime { begin(at: time) }
    return max(min(time, timeEnd), now)
  }

  /// Time ends 285 years from its origin, and before two times of a header are so far apart that 64 bits do not hold the
  /// nanoseconds between them: behaviors subtract them.
  private func begin(at time: Instant) {
    let most = Instant.nanosecondsMost
    let first = Instant(nanoseconds: max(-most, min(most, time.nanoseconds)))
    timeEnd = min(timeEnd, first.advanced(by: .max))
    hasTime = true
    schedule.shift(by: first.nanoseconds(since: now))
    now = first
  }

  /// The clock goes on; timers and completions that are due run, in the order of their due times.
  @inline(__always)
  func moveClock(to time: Instant) {
    now = time
    if !schedule.entries.isEmpty { runEntries() }
  }

  private func runEntries() {
    var isFirst = true
    while let entry = schedule.popDue(at: now) {
      let index = Int(entry.delegate)
      if isFirst { for slot in proxy.slots.indices { proxy.slots[slot].entriesRun = 0 } }
      isFirst = false
      proxy.slots[index].entriesRun += 1
      guard proxy.slots[index].entriesRun <= Schedule.mostEntries * 2 else {
        bypass(index, "its timers and animations without delay start each other without end")
        continue
      }
      guarded(index) { (delegate: ScrollDelegate) throws(DelegateFailure) in
        switch entry.kind {
        case .timer: try delegate.timer(entry.token, in: self)
        case .completion: try delegate.completion(entry.token, in: self)
        }
      }
    }
  }

  /// Time goes on to a change that is no event.
  func moveOn(to time: Instant?, _ emit: (borrowing HeaderState) -> Void) {
    let arrival = arrive(time)
    runFrames(until: arrival, including: false, emit)
    moveClock(to: arrival)
  }

  /// Runs the frames that lie before a time, each with a state of its own.
  func runFrames(until time: Instant, including: Bool, _ emit: (borrowing HeaderState) -> Void) {
    guard frames != .manual else { return }
    let rate = plan.description.frameRate
    var count = 0
    while let due = schedule.nextFrame(rate: rate), due < time || (including && due == time) {
      guard count < limits.framesPerEvent else {
        skipFrames(to: time, rate)
        return
      }
      count += 1
      moveClock(to: due)
      let requests = schedule.frames
      for request in requests where Schedule.due(request, rate: rate) == due {
        guard let index = schedule.frames.firstIndex(of: request) else { continue }
        schedule.frames[index].count += 1
        guarded(Int(request.delegate)) { (delegate: ScrollDelegate) throws(DelegateFailure) in
          try delegate.frame(duration: 1 / rate, in: self)
        }
      }
      finishEvent()
      settle(emit)
    }
  }

  /// A leap in time longer than the limit: the frames in it are not run, the next one keeps its place in the row.
  private func skipFrames(to time: Instant, _ rate: Double) {
    for index in schedule.frames.indices {
      var request = schedule.frames[index]
      let passed = Instant(nanoseconds: time.nanoseconds(since: request.start)).seconds
      // Near enough by division, then exactly: no frame may be left before the time, and one due at it is not skipped.
      request.count = max(request.count, Int64((passed * rate).rounded(.down)) - 2)
      var steps = 0
      while Schedule.due(request, rate: rate) < time, steps < 8 {
        request.count += 1
        steps += 1
      }
      // Longer than an instant can say (285 years): the row begins anew.
      if Schedule.due(request, rate: rate) < time { (request.start, request.count) = (time, 0) }
      schedule.frames[index] = request
    }
  }

  func runManualFrame(_ duration: Double) {
    let requests = schedule.frames
    for request in requests where schedule.frames.contains(request) {
      guarded(Int(request.delegate)) { (delegate: ScrollDelegate) throws(DelegateFailure) in
        try delegate.frame(duration: duration, in: self)
      }
    }
  }
}
