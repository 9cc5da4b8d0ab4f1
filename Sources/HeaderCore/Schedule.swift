// SPDX-License-Identifier: MIT
//
// Due times: one-shot timers, completions of animations, and the frames of display links, all on header time. Nothing here reads a clock.
// Timers and completions run in the order of their due times, then of their starts; a frame happens at start + k / frameRate, so that its
// times never drift.

import HeaderModel

/// The pending work of one header.
struct Schedule {
  /// The callback of a due entry.
  enum Kind: String { case timer, completion }

  /// A timer or a completion.
  struct Entry: Equatable {
    var due: Instant
    /// Counts starts within the header: the earlier one runs first.
    var order: UInt64
    var delegate: Int32
    var token: UInt64
    var kind: Kind
  }

  /// A delegate's wish for frames, like a display link.
  struct FrameRequest: Equatable {
    var delegate: Int32
    var start: Instant
    /// Frames since `start`.
    var count: Int64
  }

  /// Timers and completions of one delegate at once.
  static let maxEntries = 1024

  var entries: ContiguousArray<Entry> = []
  var frames: ContiguousArray<FrameRequest> = []
  var nextOrder: UInt64 = 0

  mutating func add(_ kind: Kind, due: Instant, delegate: Int32, token: UInt64) {
    entries.append(Entry(due: due, order: nextOrder, delegate: delegate, token: token, kind: kind))
    nextOrder += 1
  }

  func entryCount(of delegate: Int32) -> Int { entries.lazy.filter { $0.delegate == delegate }.count }

  mutating func cancelTimer(delegate: Int32, token: UInt64) {
    entries.removeAll { $0.kind == .timer && $0.delegate == delegate && $0.token == token }
  }

  /// Takes out the entry that runs next, if it is due.
  mutating func popDue(at time: Instant) -> Entry? {
    var best: Int?
    for index in entries.indices where entries[index].due <= time {
      guard let present = best else {
        best = index
        continue
      }
      let (a, b) = (entries[index], entries[present])
      if a.due < b.due || (a.due == b.due && a.order < b.order) { best = index }
    }
    return best.map { entries.remove(at: $0) }
  }

  var nextEntry: Instant? { entries.lazy.map(\.due).min() }

  mutating func startFrames(delegate: Int32, at time: Instant) {
    frames.removeAll { $0.delegate == delegate }
    frames.append(FrameRequest(delegate: delegate, start: time, count: 0))
    frames.sort { $0.delegate < $1.delegate }
  }

  /// Restarts the frames at another rate.
  mutating func restartFrames(at time: Instant) {
    for index in frames.indices { (frames[index].start, frames[index].count) = (time, 0) }
  }

  mutating func stopFrames(delegate: Int32) { frames.removeAll { $0.delegate == delegate } }

  func frameIsActive(delegate: Int32) -> Bool { frames.contains { $0.delegate == delegate } }

  /// When a request's next frame happens.
  static func due(_ request: FrameRequest, rate: Double) -> Instant {
    request.start.advanced(bySeconds: Double(request.count + 1) / rate)
  }

  func nextFrame(rate: Double) -> Instant? { frames.lazy.map { Self.due($0, rate: rate) }.min() }

  /// Drops all entries of a delegate.
  mutating func forget(delegate: Int32) {
    entries.removeAll { $0.delegate == delegate }
    frames.removeAll { $0.delegate == delegate }
  }

  /// Moves everything later: the header's time begins with its first event.
  mutating func shift(by nanoseconds: Int64) {
    for index in entries.indices { entries[index].due = entries[index].due.advanced(by: nanoseconds) }
    for index in frames.indices { frames[index].start = frames[index].start.advanced(by: nanoseconds) }
  }

  /// Gives everything to the delegates' new places; below 0: it is forgotten. The engine's own stays.
  mutating func renumber(_ place: (Int32) -> Int32) {
    let engine = PositionController.engine
    let (own, ownFrames) = (entries.filter { $0.delegate == engine }, frames.filter { $0.delegate == engine })
    entries.removeAll { $0.delegate == engine }
    frames.removeAll { $0.delegate == engine }
    entries.renumber(\.delegate, place)
    frames.renumber(\.delegate, place)
    entries += own
    frames += ownFrames
    frames.sort { $0.delegate < $1.delegate }
  }

  /// A leap in time longer than the limit: the frames in it are not run, the next one keeps its place in the row.
  mutating func skipFrames(to time: Instant, rate: Double) {
    for index in frames.indices {
      var request = frames[index]
      let passed = Instant(nanoseconds: time.nanoseconds(since: request.start)).seconds
      // Near enough by division, then exactly: no frame may be left before the time, and one due at it is not skipped.
      request.count = max(request.count, Int64((passed * rate).rounded(.down)) - 2)
      var steps = 0
      while Self.due(request, rate: rate) < time, steps < 8 {
        request.count += 1
        steps += 1
      }
      // Beyond the range of an instant (285 years) the row starts anew.
      if Self.due(request, rate: rate) < time { (request.start, request.count) = (time, 0) }
      frames[index] = request
    }
  }
}

extension ContiguousArray {
  /// Gives each row to its delegate's new place; below 0: the row is forgotten.
  mutating func renumber(_ delegate: WritableKeyPath<Element, Int32>, _ place: (Int32) -> Int32) {
    for index in indices { self[index][keyPath: delegate] = place(self[index][keyPath: delegate]) }
    removeAll { $0[keyPath: delegate] < 0 }
  }
}
