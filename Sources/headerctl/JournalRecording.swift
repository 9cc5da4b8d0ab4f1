// SPDX-License-Identifier: MIT
//
// A header of the journal as a recording: its inputs are applied again, and the resulting states written down.

internal import HeaderCore
internal import HeaderJournal
internal import HeaderModel
internal import HeaderTrace
internal import HeaderWire

/// Makes the lines of a recording from a header's records in the journal.
///
/// A recording has one life of a header. Where the journal has several, because the daemon has crashed in between, it begins with the
/// last one.
struct JournalRecording {
  /// How many steps it has.
  private(set) var steps = 0
  /// How many states it has.
  private(set) var states = 0
  private var lines: [[UInt8]] = []
  private let header: Header
  private let provider: any BehaviorProvider
  private let template = StateTemplate()
  private let server: String

  /// Runs through a header's records.
  /// - Throws: a record that cannot be read, behaviors that are not there.
  init(of stored: StoredHeader, server: String, provider: any BehaviorProvider) throws(RecordingError) {
    self.server = server
    self.provider = provider
    do {
      var unknown: [UnknownField] = []
      let snapshot = try stored.snapshot()
      let description = try HeaderDescription(
        snapshot.description, at: Path("description"), unknown: &unknown, isRecorded: true)
      header = try Header(description, epoch: snapshot.epoch, provider: provider, saved: snapshot.saved)
      try begin()
      try run(stored.records)
    } catch {
      throw RecordingError(line: 0, "header \"\(stored.name)\" cannot be exported: \(error.message)", cause: error)
    }
    var end = RecordingChecksum()
    for line in lines { end.add(line) }
    lines.append(RecordingLine.end(RecordingEnd.stopped.rawValue, steps: steps, end))
  }

  var bytes: [UInt8] { Array(lines.joined()) }

  private mutating func begin() throws(HeaderError) {
    (lines, steps, states) = ([], 0, 0)
    lines.append(
      RecordingLine.head(
        description: header.description.recorded, saved: try header.save(), server: server, ends: true))
  }

  private mutating func run(_ records: RecordReader) throws(HeaderError) {
    var records = records
    var open: Value.Record?
    while true {
      let record: JournalRecord?
      do { record = try records.next() } catch { throw HeaderError(.invalidParams, "\(error)") }
      switch record?.content {
      case nil: return
      case .snapshot, .closed: break
      case .restarted:
        header.forgetCorrections()
        try begin()
      case .input(let input): apply(input, at: record?.time, &open)
      }
    }
  }

  /// Applies an input. One that waits for a client's answer becomes a line with that.
  private mutating func apply(_ input: HeaderInput, at time: Instant?, _ open: inout Value.Record?) {
    var states: [Value] = []
    let (template, asked) = (template, header.waitsFor)
    var step = open ?? Value.Record()
    var refusal: HeaderError?
    do {
      let outcome = try header.apply(input.asEvent(by: header), at: time, provider: provider) { state in
        states.append(Value(written: { StateEncoder.object(state, [], template, into: &$0) }))
      }
      if case .decided(let answer) = outcome, case .event(let event) = input.asEvent(by: header) {
        let result = answer.recorded(of: event.kind.name)
        if !result.fields.isEmpty { step["result"] = .record(result) }
      }
    } catch { refusal = error }
    _ = header.takeClientEvents()
    _ = header.takeRemarks()
    if case .answer(let reply) = input {
      step["asked"] = .list((step["asked"]?.elements ?? []) + [.record(reply.recorded(of: asked ?? ""))])
    } else {
      for field in input.recorded(at: header.hasTime ? header.now : nil).fields { step[field.name] = field.value }
    }
    let earlier = step["frames"]?.elements ?? []
    let all = earlier + (step["state"].map { [$0] } ?? []) + states
    if all.count > 1 { step["frames"] = .list(Array(all.dropLast())) }
    step["state"] = all.last
    if let refusal { step["error"] = Value(written: { $0.error(refusal) }) }
    guard !header.isWaiting else {
      open = step
      return
    }
    open = nil
    steps += 1
    self.states += all.count
    lines.append(RecordingLine.step(.record(step)))
  }
}

extension HeaderInput {
  /// The same input in the form that recordings have.
  fileprivate func asEvent(by header: Header) -> HeaderInput {
    guard case .scroll(let offset, let correction) = self else { return self }
    return .event(ScrollEvent(.didScroll, offset: offset, correction: correction))
  }
}
