// SPDX-License-Identifier: MIT
//
// One shard's part of the journal: records gathered in memory, handed to the disk in steps, one step at a time. While a step is under way
// the next one gathers, so that many records share one write and one sync.
//
//     append ─▶ gathering ─▶ turn(at:) ─▶ JournalStep ─▶ the disk (a thread of its own) ─▶ finished ─▶ durable
//
// Space is reclaimed from the front. When segments take more than the budget, or the oldest is too old, the headers whose snapshots lie
// in the oldest segment are written down anew in the present one, some in each turn, and the file is removed. So there is no moment at
// which everything is written, and a start has a bounded amount to read.
//
// When the disk fails, or falls too far behind, gathered records are dropped and nothing more is recorded; headers keep working. From
// time to time a new segment is tried. Once one can be written, every header is written down anew in it.
//
// It does no I/O and reads no clock: `JournalDisk` and the times come from outside.

public import Clocks
public import HeaderModel
internal import HeaderWire

/// One shard's part of the journal.
public final class ShardJournal {
  /// A segment that is kept.
  private struct Segment {
    let number: Int
    let begun: MonotonicTime
    var bytes = 0
    var inputs = 0
    /// Something of it is on the disk.
    var isConfirmed = false
    /// The disk failed before that.
    var isGivenUp = false
    /// The disk has failed since: once all headers are written down anew, the segment is not only useless but wrong.
    var isObsolete = false
    /// The headers whose latest snapshot it has, or whose closing it must still record.
    var headers: Set<Int> = []
  }

  private enum Status {
    case working
    /// The disk works again; the headers are written down one after the other.
    case rebuilding
    /// Nothing is recorded; the disk is tried again at that time.
    case failing(String, retryAt: MonotonicTime)
  }

  /// Limits and intervals of the journal.
  public let settings: JournalSettings
  private let shard: Int
  private let numbers: JournalNumbers
  /// Headers whose closing is not on the disk yet, by the number of its record.
  private var closing: [Int: Int] = [:]
  /// Headers that the disk had, or may have had, when it failed.
  private var left: Set<Int> = []
  /// Headers of an earlier journal. Those of them that are closed, and the segment that says so: while another shard needs a segment
  /// that has them, one must.
  private var adopted: Set<Int> = []
  private var gone: [Int: Int] = [:]
  private let disk: any JournalDisk
  private var status = Status.working
  private var segments: [Segment] = []
  /// The segment of each header's latest snapshot, and its size.
  private var bases: [Int: (segment: Int, size: Int)] = [:]
  private var snapshotBytes = 0
  /// Records are added to the last segment; the segments of an earlier journal are left as they are.
  private var isOpen = false
  /// The gathering step for the last segment, and full steps for those before it.
  private var gathering = JournalStep()
  private var waiting: [JournalStep] = []
  private var waitingBytes = 0
  /// The step under way; nil: none is.
  private var inFlight: InFlightStep?

  private struct InFlightStep {
    let records: Int
    var isGivenUp = false
    let frees: [Int]
    let removes: [Int]
    let segment: Int
    let copies: [Int]
  }

  /// Headers to be copied, and the bytes that each may take; the numbers of those that the disk is to copy are in `copying`.
  private var copies: [Int: Int] = [:]
  private var copying: Set<Int> = []
  private var copied: [(header: Int, bytes: Int?)] = []
  /// Obsolete segments.
  private var removable: [Int] = []
  private var now: MonotonicTime
  private var lastStep: MonotonicTime
  /// Headers to be written down anew, so that the oldest segments may go.
  private var due: [Int] = []
  private var nextSweep: MonotonicTime = .min
  /// How often the disk has failed. Each time, no header is recorded until it is written down anew.
  public private(set) var failures = 0
  /// Records handed in so far.
  public private(set) var appended = 0
  /// Records up to this number are as safe as `durability` says.
  public private(set) var durable = 0

  /// A journal of one shard.
  /// - Parameter stored: an earlier journal, whose segments are reclaimed like all others.
  public init(
    shard: Int, settings: JournalSettings, numbers: JournalNumbers, disk: any JournalDisk,
    takingOver stored: StoredJournal = StoredJournal(), at now: MonotonicTime = 0
  ) {
    self.shard = shard
    self.settings = settings
    self.numbers = numbers
    self.disk = disk
    segments = stored.segments.map {
      Segment(number: $0.head.number, begun: now, bytes: $0.size / numbers.shards, inputs: 1, isConfirmed: true)
    }
    (self.now, lastStep) = (now, now)
  }

  // MARK: - Records

  /// Whether records are taken: the disk is not known to fail.
  public var takesRecords: Bool { if case .failing = status { false } else { true } }

  /// Why headers may not be recorded at present; nil: all of them are.
  public var failure: String? {
    switch status {
    case .working: nil
    case .rebuilding: "the headers are being written down anew"
    case .failing(let reason, _): reason
    }
  }

  /// Nothing waits for the disk.
  public var isIdle: Bool {
    inFlight == nil && waiting.isEmpty && gathering.isEmpty && copies.isEmpty && removable.isEmpty
  }

  /// Segments that are kept, and the bytes in them.
  public var kept: (segments: Int, bytes: Int) { (segments.count, segments.reduce(0) { $0 + $1.bytes }) }

  /// A number for a header that was never in the journal.
  public func newHeader() -> Int { numbers.nextHeader() }

  /// A header that an earlier journal has: its snapshot is still there.
  public func adopt(_ stored: StoredHeader) {
    adopted.insert(stored.number)
    note(snapshot: stored.snapshotRecord.count, of: stored.number, in: stored.base)
  }

  /// Writes an input down, before it happens.
  @inline(__always)
  public func append(_ input: HeaderInput, of header: Int, at time: Instant?) {
    defer { if !segments.isEmpty { segments[segments.count - 1].inputs += 1 } }
    guard case .scroll(let offset, let correction) = input else { return appendOther(input, of: header, at: time) }
    append { $0.appendScroll(to: offset, correction: correction, header: header, time: time, segment: $1) }
  }

  private func appendOther(_ input: HeaderInput, of header: Int, at time: Instant?) {
    switch input {
    case .event(let event) where event.isAdvance:
      append { $0.append(.advance, header: header, time: time, payload: [], segment: $1) }
    case .event(let event) where event.isPlainScroll:
      append(.scroll(to: event.offset ?? PartialPoint(), correction: event.correction), of: header, at: time)
    case .answer(let reply):
      let payload = Value.record(reply.recorded(of: "")).jsonBytes
      append { $0.append(.answer, header: header, time: time, payload: payload, segment: $1) }
    default:
      let payload = Value.record(input.recorded(at: time ?? Instant(nanoseconds: 0))).jsonBytes
      append { $0.append(.input, header: header, time: time, payload: payload, segment: $1) }
    }
  }

  /// Writes down a header's state: its earlier records are obsolete then.
  public func write(_ snapshot: HeaderSnapshot, of header: Int) {
    let payload = snapshot.value.jsonBytes
    append { $0.append(.snapshot, header: header, time: nil, payload: payload, segment: $1) }
    note(snapshot: payload.count + RecordHead.size, of: header, in: segments[segments.count - 1].number)
  }

  /// Records that a header was closed.
  public func close(_ header: Int, name: String) {
    if bases[header] != nil { closing[header] = appended + 1 }
    forget(header)
    appendClosed(header, name: name)
  }

  private func appendClosed(_ header: Int, name: String) {
    append { $0.append(.closed, header: header, time: nil, payload: [UInt8](name.utf8), segment: $1) }
    guard takesRecords, adopted.contains(header), numbers.sharesSegments else { return }
    gone[header] = segments[segments.count - 1].number
    segments[segments.count - 1].headers.insert(header)
  }

  /// Records that a header begins a new life, in a later epoch.
  public func restart(_ header: Int, epoch: Int64) {
    var payload: [UInt8] = []
    payload.append(integer: UInt64(epoch))
    append { $0.append(.restarted, header: header, time: nil, payload: payload, segment: $1) }
  }

  /// Writes down the records of a header that could not be restored, as they were read, when their segment is about to go.
  public func carry(_ stored: StoredHeader) {
    append { stored.write(to: &$0, segment: $1) }
    note(snapshot: stored.snapshotRecord.count, of: stored.number, in: segments[segments.count - 1].number)
  }

  @inline(__always)
  private func append(_ write: (inout [UInt8], _ segment: Int) -> Void) {
    guard takesRecords else { return }
    if !isOpen || segments[segments.count - 1].bytes >= settings.segmentBytes { beginSegment() }
    let last = segments.count - 1
    let before = gathering.bytes.count
    write(&gathering.bytes, segments[last].number)
    segments[last].bytes += gathering.bytes.count - before
    appended += 1
  }

  // MARK: - Segments

  /// Begins a new segment for later records; the gathered ones still go to the old segment.
  private func beginSegment() {
    pushGathered(syncs: true)
    var number = numbers.nextSegment
    // A segment that could not be begun when the disk failed is begun again.
    if let last = segments.last, last.isGivenUp {
      segments.removeLast()
      number = { last.number }
    }
    let head = SegmentHead(number: number(), shard: shard, run: numbers.run)
    segments.append(Segment(number: head.number, begun: now))
    gathering.begins = head
    isOpen = true
  }

  private func pushGathered(syncs: Bool) {
    guard !gathering.isEmpty else { return }
    gathering.syncs = syncs
    gathering.records = appended
    gathering.segment = segments.last?.number ?? 0
    waitingBytes += gathering.bytes.count
    waiting.append(gathering)
    gathering = JournalStep()
  }

  private func note(snapshot size: Int, of header: Int, in segment: Int) {
    forget(header)
    guard let index = segments.firstIndex(where: { $0.number == segment }) else { return }
    segments[index].headers.insert(header)
    bases[header] = (segment, size)
    snapshotBytes += size
  }

  private func forget(_ header: Int) {
    guard let base = bases.removeValue(forKey: header) else { return }
    snapshotBytes -= base.size
    if let index = segments.firstIndex(where: { $0.number == base.segment }) { segments[index].headers.remove(header) }
  }

  // MARK: - Time

  /// When `turn` has something to do, if nothing is appended before; `.max`: never.
  public var nextWake: MonotonicTime {
    switch status {
    case .failing(_, let retryAt): return inFlight == nil ? retryAt : .max
    case .rebuilding: return now
    case .working: break
    }
    var wake = MonotonicTime.max
    if inFlight == nil {
      if !waiting.isEmpty || !copies.isEmpty { return now }
      if !gathering.isEmpty { wake = nextStep } else if !removable.isEmpty || hasFree { return now }
    }
    if !due.isEmpty { return now }
    if isOverBudget { return min(wake, nextSweep) }
    if let first = segments.first, first.inputs > 0 { wake = min(wake, first.begun + settings.age) }
    return wake
  }

  private var nextStep: MonotonicTime { settings.durability == .acknowledged ? now : lastStep + settings.interval }

  /// Ends a turn: hands gathered records to the disk, if it is time and the disk is free.
  public func turn(at time: MonotonicTime) {
    // A thread that has not been called from outside yet has no time.
    now = max(now, time)
    if case .failing(_, let retryAt) = status {
      guard now >= retryAt, inFlight == nil else { return }
      status = .rebuilding
    }
    if waitingBytes + gathering.bytes.count > settings.waitingBytes {
      return fail("more than \(settings.waitingBytes) bytes wait for the disk")
    }
    guard inFlight == nil else { return }
    if !copies.isEmpty, due.isEmpty { pushCopies() }
    if waiting.isEmpty, !gathering.isEmpty, now >= nextStep {
      lastStep = now
      pushGathered(syncs: settings.durability != .none)
    }
    guard !waiting.isEmpty || (gathering.isEmpty && (hasFree || !removable.isEmpty)) else { return }
    var step = waiting.isEmpty ? JournalStep() : waiting.removeFirst()
    waitingBytes -= step.bytes.count
    swap(&step.removes, &removable)
    let frees = waiting.isEmpty && gathering.isEmpty ? freeSegments : []
    if !frees.isEmpty { step.syncs = true }
    inFlight = InFlightStep(
      records: max(step.records, durable), frees: frees, removes: step.removes, segment: step.segment,
      copies: step.copies.map { Array($0.limits.keys) } ?? [])
    disk.perform(step)
  }

  /// The disk has carried out a step, or could not.
  public func finished(_ result: StepResult, at time: MonotonicTime) {
    now = max(now, time)
    let failure = result.failure
    guard let done = inFlight else { return }
    inFlight = nil
    if failure == nil { numbers.removed(done.removes) } else { removable += done.removes }
    if done.isGivenUp { return }
    if let failure { return fail(failure) }
    durable = done.records
    if !closing.isEmpty { closing = closing.filter { $0.value > durable } }
    segments.removeAll { done.frees.contains($0.number) }
    removable += done.frees.filter { numbers.free($0) }
    if let index = segments.lastIndex(where: { $0.number == done.segment }) { segments[index].isConfirmed = true }
    for header in done.copies { noteCopy(of: header, bytes: result.copied[header], in: done.segment) }
  }

  /// Everything is to be handed to the disk at once: the daemon ends.
  public func flush() { lastStep = .min }

  private func fail(_ reason: String) {
    status = .failing(reason, retryAt: now + settings.retry)
    failures += 1
    gathering = JournalStep()
    waiting = []
    waitingBytes = 0
    inFlight?.isGivenUp = true
    (copies, copying, copied) = ([:], [], [])
    due = []
    left.formUnion(bases.keys)
    left.formUnion(closing.keys)
    left.formUnion(gone.keys)
    (closing, gone) = ([:], [:])
    bases = [:]
    snapshotBytes = 0
    for index in segments.indices {
      segments[index].headers = []
      segments[index].isObsolete = true
      segments[index].isGivenUp = !segments[index].isConfirmed
    }
    isOpen = false
    durable = appended
  }

  // MARK: - Winning back space

  /// The oldest segment is to go.
  private var isOverBudget: Bool {
    guard let first = segments.first else { return false }
    if first.isObsolete { return true }
    if segments.count > 1, kept.bytes > max(settings.budget, 2 * snapshotBytes) { return true }
    return first.inputs > 0 && now - first.begun >= settings.age
  }

  /// A header that is to be written down anew now; nil: there is none. A busy header is returned again by the next sweep.
  public func takeDue() -> Int? {
    guard case .working = status else { return nil }
    if due.isEmpty, isOverBudget, now >= nextSweep, let first = segments.first {
      nextSweep = now + settings.interval
      // Records go behind it from here on.
      if segments.count == 1, isOpen { beginSegment() }
      due = first.headers.sorted(by: >)
    }
    while let header = due.popLast() {
      if bases[header]?.segment == segments.first?.number { return header }
      if gone[header] == segments.first?.number {
        gone[header] = nil
        segments[0].headers.remove(header)
        if numbers.sharesSegments { appendClosed(header, name: "") }
      }
    }
    return nil
  }

  /// Notes that all headers were written down anew after the disk failed, but those that could not be saved. Headers that were closed
  /// meanwhile must not come back from segments that stay, so their closing is recorded again.
  /// - Parameter unsaved: for each header that could not be saved, an epoch that no client has seen. Its records are true up to the
  ///   failure and are kept: a start restores the header as it was then, in that epoch.
  public func rebuilt(without unsaved: [Int: Int64] = [:]) {
    guard case .rebuilding = status else { return }
    for header in left.subtracting(bases.keys).sorted() {
      guard let epoch = unsaved[header] else {
        appendClosed(header, name: "")
        continue
      }
      restart(header, epoch: epoch)
      // The segment of its snapshot is not known: a later one may not have reached the disk.
      note(snapshot: 0, of: header, in: segments[0].number)
    }
    left = []
    status = .working
  }

  /// Requests a copy of a header's records, since it cannot be saved and the oldest segment is to go.
  /// - Parameter bytes: the most bytes that it may take.
  public func copy(_ header: Int, atMost bytes: Int) {
    guard case .working = status, bases[header] != nil, !copying.contains(header) else { return }
    copies[header] = bytes
  }

  /// The result of `copy`: the headers, and the bytes that each takes now; nil: too many, or they cannot be read.
  public func takeCopied() -> [(header: Int, bytes: Int?)] {
    defer { copied = [] }
    return copied
  }

  /// Copies all headers in one step, since the disk reads each segment once.
  private func pushCopies() {
    if !isOpen { beginSegment() }
    pushGathered(syncs: true)
    var step = JournalStep()
    step.copies = JournalCopy(
      limits: copies, segments: segments.map(\.number), segment: segments[segments.count - 1].number)
    step.syncs = true
    step.records = appended
    step.segment = segments[segments.count - 1].number
    copying = Set(copies.keys)
    copies = [:]
    waiting.append(step)
  }

  private func noteCopy(of header: Int, bytes: Int?, in segment: Int) {
    copying.remove(header)
    if let bytes, let index = segments.firstIndex(where: { $0.number == segment }) { segments[index].bytes += bytes }
    // The header was closed, or could be saved, since.
    guard let base = bases[header], base.segment < segment else { return }
    if let bytes { note(snapshot: bytes, of: header, in: segment) }
    copied.append((header, bytes))
  }

  private var hasFree: Bool {
    guard case .working = status, segments.count > (isOpen ? 1 : 0), segments[0].headers.isEmpty else { return false }
    return isOverBudget
  }

  /// The oldest segments, if they are obsolete once all earlier records are on the disk.
  private var freeSegments: [Int] {
    guard hasFree else { return [] }
    return segments.dropLast(isOpen ? 1 : 0).prefix { $0.headers.isEmpty }.map(\.number)
  }
}

extension ScrollEvent {
  /// The record says only that time has passed.
  fileprivate var isAdvance: Bool {
    guard case .advance(nil) = kind else { return false }
    return scrollView == nil && offset == nil
  }
}
