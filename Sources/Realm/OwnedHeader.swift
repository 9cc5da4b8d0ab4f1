// SPDX-License-Identifier: MIT
//
// A header that this node owns: the steps that are in the log, and the state that is saved.
//
//     steps ──▶ queue ──one message at a time──▶ log     each names the one before it, so that another owner's fence ends them
//     a recording begun anew ──▶ snapshot ──▶ saved      once the log has all steps before it: `base` is that place

internal import Clocks

struct OwnedHeader: Sendable {
  let epoch: Int64
  /// The number of the log's last message.
  var tail: UInt64
  var savedNumber: UInt64
  /// Steps that the daemon has received, and those of them that the log has.
  private(set) var received = 0
  private(set) var logged = 0
  private var queue: [[UInt8]] = []
  private(set) var queuedBytes = 0
  /// Since when steps wait without a message under way for them.
  private var waitsSince: MonotonicTime = .max
  /// The steps that clients wait for.
  private var awaited = 0
  var logWrite: CheckedWrite?
  var saveWrite: CheckedWrite?
  /// The content of a snapshot, and how many steps come before it.
  private var snapshot: (content: [UInt8], at: Int)?
  /// A snapshot is on its way, from the daemon or to the stream.
  private(set) var awaitsSnapshot = false
  private var stepsSince = 0
  private var bytesSince = 0
  /// As if this many steps had been received before the first one: headers that move together are not all saved together.
  private let head: Int
  /// Added to the waiting time of the first step, so that headers that move together do not write to the log together either.
  private var shift: Int64
  /// The header can be restored from the log; until then nothing is acknowledged.
  private(set) var isSaved = false
  /// The recording has begun: what happens from then on is logged.
  private(set) var isRecorded = false
  /// Steps were dropped: later ones need a snapshot before them.
  private(set) var hasHole = false
  /// The snapshot that is being saved is from after the hole.
  private var endsHole = false
  /// How the ownership ends, once the log has everything.
  var ending: (state: OwnerRecord.State, next: NodeName?)?
  /// The daemon has closed it.
  var isClosed = false
  /// When the log was written last, by this node's clock.
  var lastWrite: MonotonicTime

  /// Steps until the state is saved again: about the most that a new owner has to repeat.
  static let maxSteps = 64
  static let maxBytes = 98_304
  /// Steps that go into the log at once, even if no client waits for them.
  static let maxWaiting = 32
  /// Most bytes in one message.
  static let batchBytes = 131_072

  /// - Parameters:
  ///   - spread: a number of the header's own.
  ///   - delay: how long steps wait for others.
  init(epoch: Int64, tail: UInt64, savedNumber: UInt64, spread: UInt64, delay: Int64, at now: MonotonicTime) {
    (self.epoch, self.tail, self.savedNumber, lastWrite) = (epoch, tail, savedNumber, now)
    head = Int(spread % UInt64(Self.maxSteps))
    shift = Int64(spread / UInt64(Self.maxSteps) % UInt64(max(1, delay)))
  }

  mutating func add(_ step: [UInt8], atMost bytes: Int, at now: MonotonicTime) {
    received += 1
    waitsSince = min(waitsSince, now - shift)
    shift = 0
    stepsSince += 1
    bytesSince += step.count
    queue.append(step)
    queuedBytes += step.count
    if queuedBytes > bytes { dropQueue() }
  }

  /// Drops waiting steps, since there are too many; a snapshot takes their place.
  private mutating func dropQueue() {
    // Steps of the message under way stay in the queue.
    let kept = logWrite == nil ? 0 : sending
    queuedBytes = queue.prefix(kept).reduce(0) { $0 + $1.count }
    queue.removeSubrange(kept...)
    snapshot = nil
    awaitsSnapshot = false
    (hasHole, endsHole) = (true, false)
  }

  /// Steps are missing from here on.
  mutating func recordingFailed() {
    dropQueue()
    awaitsSnapshot = true
  }

  /// Steps of the message that is under way.
  private var sending = 0

  /// Whether the recording is to begin anew.
  mutating func wantsSnapshot() -> Bool {
    guard !awaitsSnapshot, saveWrite == nil, ending == nil else { return false }
    guard hasHole || !isSaved || stepsSince >= Self.maxSteps || bytesSince >= Self.maxBytes else { return false }
    awaitsSnapshot = true
    return true
  }

  mutating func take(snapshot content: [UInt8]) {
    snapshot = (content, received)
    (stepsSince, bytesSince) = (isRecorded ? 0 : head, 0)
    isRecorded = true
    awaitsSnapshot = true
    if hasHole, logWrite == nil {
      // The snapshot contains all these steps.
      queue = []
      queuedBytes = 0
      logged = received
    }
  }

  /// Lets a client wait until all received steps are logged.
  mutating func expectAll() { awaited = received }

  /// Whether steps wait without a message under way for them.
  var isWaiting: Bool { logWrite == nil && !queue.isEmpty }

  /// Whether the steps have waited long enough. Steps that no client awaits go together, which saves messages.
  func isDue(at now: MonotonicTime, delay: Int64) -> Bool { isUrgent || now - waitsSince >= delay }

  private var isUrgent: Bool {
    awaited > logged || snapshot != nil || ending != nil || queue.count >= Self.maxWaiting
  }

  /// The steps of the next message; nil: it is not time for one.
  /// - Parameter isForced: whether it is time, also without any.
  mutating func nextBatch(isForced: Bool, at now: MonotonicTime) -> (first: Int, steps: [[UInt8]])? {
    guard logWrite == nil, !hasHole, isForced || isUrgent else { return nil }
    // A message has steps of one side of a snapshot only.
    let most = snapshot.map { max(0, $0.at - logged) } ?? Int.max
    var (count, bytes) = (0, 0)
    while count < min(queue.count, most), count == 0 || bytes + queue[count].count <= Self.batchBytes {
      bytes += queue[count].count
      count += 1
    }
    guard count > 0 || isForced else { return nil }
    sending = count
    waitsSince = count < queue.count ? now : .max
    return (logged, Array(queue.prefix(count)))
  }

  mutating func batchIsLogged(_ number: UInt64, at now: MonotonicTime) {
    tail = number
    logWrite = nil
    lastWrite = now
    logged += sending
    queuedBytes -= queue.prefix(sending).reduce(0) { $0 + $1.count }
    queue.removeSubrange(..<sending)
    sending = 0
    guard hasHole, let snapshot else { return }
    // The snapshot was waiting for the message under way.
    queue.removeSubrange(..<min(queue.count, max(0, queue.count - (received - snapshot.at))))
    queuedBytes = queue.reduce(0) { $0 + $1.count }
    logged = snapshot.at
  }

  /// The state to save, if the log has all before it.
  mutating func snapshotToSave() -> [UInt8]? {
    guard saveWrite == nil, logWrite == nil || sending == 0, let snapshot, snapshot.at == logged else { return nil }
    self.snapshot = nil
    endsHole = true
    return snapshot.content
  }

  mutating func snapshotIsSaved(_ number: UInt64) {
    savedNumber = number
    saveWrite = nil
    isSaved = true
    if endsHole { hasHole = false }
    awaitsSnapshot = false
  }

  /// Whether every step and state is written.
  var isSettled: Bool { queue.isEmpty && logWrite == nil && saveWrite == nil }
}
