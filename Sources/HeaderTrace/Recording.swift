// SPDX-License-Identifier: MIT
//
// A recording: a header's description and its one ordered stream of inputs, with the resulting states. The unit of testing, of bug
// reports and of replay.
//
// The file is JSON Lines (`header-recording/1`): one line that describes the header, then one line a step, then one that says that the
// recording is complete (RecordingEnd.swift). A recorder that is killed leaves a file that can be read, because each line stands for
// itself; an unfinished last line is skipped, and the missing end is reported.
//
//     {"format":"header-recording/1","headerd":"0.2.0","ends":true,"description":{…},"saved":{…}}
//     {"event":"didScroll","time":1.25,"scrollView":"content","offset":{"x":0,"y":12.5},"state":{…,"seq":58,…}}
//     {"event":"didScroll","time":1.2667,"scrollView":"content","offset":{"y":12.5}}      nothing changed
//     {"event":"advance","time":2,"frames":[{…}],"state":{…}}              a frame was due before it, and made a state
//     {"event":"call","time":2,"name":"jump","error":{"code":-32013,…}}                               it was refused
//     {"ended":"closed","steps":4,"checksum":"9f3c61d0a7b2e845"}
//
// | key of the first line | meaning |
// | --- | --- |
// | `format` | `header-recording/1` |
// | `headerd` | version of the daemon that recorded it; absent in files that people wrote |
// | `ends` | true: the last line says how it ended; absent in files of people and of older recorders |
// | `description` | as `header.get` includes it: opening it again makes the same header |
// | `saved` | the state of the whole header when the recording began; null or absent: it begins at its opening |
//
// | key of a step | meaning |
// | --- | --- |
// | the event's fields | as headerd-events(7), has them, `time` in header time, absent before the header has one; changes that are no events: HeaderInput+Value.swift |
// | `nanoseconds` | the same time to the nanosecond, in text; absent where `time` holds it |
// | `state` | the last state that the step made, as an `every` subscriber gets it; absent: it made none |
// | `frames` | the states before that one: frames that were due before the event |
// | `asked` | what client delegates answered on the way, in order: {`delegate`, and `answer` or `passedOver` with the reason, `late` if its deadline had passed; or `bypassed` with the reason: from there on a delegate that processes have died of} |
// | `result` | what the event was answered beside `seq`, absent when that is nothing |
// | `error` | instead of `result`: why it was refused. Only time went on |
//
// These lines are exactly what `trace.start` sends: the first `trace` notification has `description` and `saved`, each later one a
// `step`. So `headerctl record` copies steps without reading them. A file without `headerd` whose steps have no states is a script: it
// can be streamed and replayed, not verified.
//
// A file of events alone, one a line, is read too. Recordings of the original libraries (`header-trace/1`) are not: they have those
// libraries' words, and the conformance runner translates them.

public import HeaderModel
internal import HeaderWire

/// A recording as it lies in a file.
public struct Recording: Sendable {
  /// The `format` of the first line; a file of events alone has none.
  static let format = "header-recording/1"

  /// A sentence about the recording, if its author wrote one.
  public var title: String?
  /// The description of the header; nil in a file of events alone.
  public var description: Value?
  /// The state of the whole header at the beginning; nil: it begins at its opening.
  public var saved: Value?
  /// The steps, in the order in which they happened.
  public var steps: [Step]
  /// The last line was unfinished: the recorder was killed.
  public var isTruncated = false
  /// Whether it is all there.
  public var completeness = Completeness.unknown

  /// An input and its outcome.
  public struct Step: Sendable {
    /// The line of the file, from 1.
    public var line: Int
    /// The event's fields, as they go over the wire.
    public var event: Value.Record
    /// The states that it made; nil: they were not recorded.
    public var states: [Value]?
    /// Its time in header time, where the event's own does not hold it to the nanosecond.
    public var exactTime: Instant?
    /// What clients in the chain answered, in order.
    public var asked: [Value]?
    /// The result that the daemon answered.
    public var result: Value?
    /// The error that the daemon answered.
    public var error: Value?

    /// The kind of event, for messages.
    public var kind: String { event["event"]?.asText ?? "?" }
    /// The change of the header that the step is; nil: it is a scroll event.
    public var change: HeaderInput.Change? { HeaderInput.change(in: event) }
    /// The step's time in seconds.
    public var time: Double? { event["time"]?.asNumber }
  }

  /// The version of the daemon that recorded it; nil: a person wrote it.
  public var server: String?
  /// Whether states were written down, so that there is something to verify.
  public var hasStates: Bool { server != nil || steps.contains { $0.states != nil } }
}

/// Why a recording could not be read or replayed, and at which line.
public struct RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// From 1; 0: the file as a whole.
  public var line: Int
  /// A sentence for people.
  public var message: String
  /// The error of the engine behind it.
  public var cause: HeaderError?

  /// An error at a line; 0 for the file as a whole.
  public init(line: Int, _ message: String, cause: HeaderError? = nil) {
    self.line = line
    self.message = message
    self.cause = cause
  }

  init(line: Int, _ error: HeaderError) {
    self.init(line: line, sentence(error.message, hint: error.hint), cause: error)
  }

  /// `14: offset.y: expected …`, to stand behind the file's name.
  public var description: String { line > 0 ? "\(line): \(message)" : message }
}

/// An error's sentence with its hint behind it; a hint that is the end of the sentence is not said twice.
public func sentence(_ message: String, hint: String?) -> String {
  guard let hint, !message.hasSuffix(hint) else { return message }
  return "\(message) (\(hint))"
}

// MARK: - Reading

extension Recording {
  /// Keys of a step that are not the event's own.
  static let stepKeys = ["nanoseconds", "state", "frames", "asked", "result", "error"]

  /// Reads a recording, or a file of events alone.
  public init(_ bytes: [UInt8]) throws(RecordingError) {
    let lines = Self.lines(of: bytes)
    guard let first = lines.first else { throw RecordingError(line: 0, "it is empty, expected a recording") }
    var head: Value
    do {
      head = try Value(json: Array(bytes[first.range]))
    } catch {
      // A file whose first line is no JSON is one document over many lines, or of no known format.
      let document = try Self.document(bytes, lines)
      throw Self.unknownFormat(document)
    }
    switch head["format"]?.asText {
    case Self.format:
      guard let description = head["description"] else {
        throw RecordingError(line: first.number, "description: it is missing; the first line describes the header")
      }
      let end = Self.end(lines, bytes)
      let body = end == nil ? lines.dropFirst() : lines.dropFirst().dropLast()
      try self.init(body, bytes, server: head["headerd"]?.asText)
      if let end {
        var checksum = RecordingChecksum()
        checksum.add(bytes[..<lines[lines.count - 1].range.lowerBound])
        completeness = Self.completeness(end, steps: steps.count, checksum)
      } else {
        completeness = Self.completeness(withoutEnd: head)
      }
      self.description = description
      if let saved = head["saved"], saved != .null { self.saved = saved }
      title = head["title"]?.asText
    case nil where head["event"] != nil: try self.init(lines[...], bytes, server: nil)
    default: throw Self.unknownFormat(head)
    }
  }

  private init(_ lines: ArraySlice<Line>, _ bytes: [UInt8], server: String?) throws(RecordingError) {
    self.server = server
    steps = []
    for line in lines {
      let value: Value
      do { value = try Value(json: Array(bytes[line.range])) } catch {
        guard line.isUnfinished else { throw RecordingError(line: line.number, error.message) }
        isTruncated = true
        continue
      }
      steps.append(try Step(value, line: line.number))
    }
    guard hasStates else { return }
    for index in steps.indices where steps[index].states == nil { steps[index].states = [] }
  }

  /// The last line, if it is an end and not a step.
  private static func end(_ lines: [Line], _ bytes: [UInt8]) -> Value? {
    guard lines.count > 1, let last = lines.last, let value = try? Value(json: Array(bytes[last.range])),
      value["ended"] != nil, value["event"] == nil
    else { return nil }
    return value
  }

  private static func document(_ bytes: [UInt8], _ lines: [Line]) throws(RecordingError) -> Value {
    do {
      return try Value(json: bytes)
    } catch {
      let line = lines.last { $0.range.lowerBound <= error.offset } ?? lines[0]
      throw RecordingError(line: line.number, "column \(error.offset - line.range.lowerBound + 1): \(error.reason)")
    }
  }

  /// Why a document is no recording, from its `format`.
  private static func unknownFormat(_ value: Value) -> RecordingError {
    let got =
      switch value["format"] {
      case nil: "there is none"
      case .text("header-trace/1")?:
        "got \"header-trace/1\": a recording of an original library, which 'make conformance TRACES=FOLDER' runs"
      case let other?: "got \(other.brief)"
      }
    return RecordingError(line: 1, "format: expected \"\(Self.format)\", \(got)")
  }

  /// Checks the first line of a recording that is read line by line.
  /// - Throws: when it has a `format`, and that is another one.
  public static func checkFormat(of head: Value) throws(RecordingError) {
    guard let format = head["format"], format != .text(Self.format) else { return }
    throw unknownFormat(head)
  }

  private struct Line {
    var number: Int
    var range: Range<Int>
    var isUnfinished: Bool
  }

  private static func lines(of bytes: [UInt8]) -> [Line] {
    var lines: [Line] = []
    var start = 0
    var number = 1
    func add(_ range: Range<Int>, isUnfinished: Bool) {
      let isBlank = bytes[range].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
      if !isBlank { lines.append(Line(number: number, range: range, isUnfinished: isUnfinished)) }
    }
    for (index, byte) in bytes.enumerated() where byte == 0x0A {
      add(start..<index, isUnfinished: false)
      start = index + 1
      number += 1
    }
    add(start..<bytes.count, isUnfinished: true)
    return lines
  }
}

extension Recording.Step {
  /// Reads a step, or an event alone.
  /// - Throws: when it is no object or names no event; the event's own fields are checked when it is replayed or sent.
  public init(_ value: Value, line: Int) throws(RecordingError) {
    guard case .record(var record) = value else {
      throw RecordingError(line: line, "expected an event, got \(value.brief)")
    }
    guard record["event"]?.asText != nil else {
      throw RecordingError(
        line: line, "event: expected the kind of event, \(record["event"].map { "got \($0.brief)" } ?? "it is missing")"
      )
    }
    self.line = line
    if let state = record["state"], state != .null { states = (record["frames"]?.elements ?? []) + [state] }
    exactTime = record["nanoseconds"]?.asText.flatMap { Int64($0) }.map { Instant(nanoseconds: $0) }
    asked = record["asked"]?.elements
    result = record["result"]
    error = record["error"]
    // In older recordings a change of where frames come from has that under the same key.
    let source = record["frames"]?.asText
    for key in Recording.stepKeys { record[key] = nil }
    record["frames"] = source.map { .text($0) }
    event = record
  }
}

// MARK: - Writing

/// Makes the lines of a recording; the owner of the file writes them, one by one.
public enum RecordingLine {
  /// The first line, its end included.
  /// - Parameters:
  ///   - server: the daemon's version, nil if it is not known.
  ///   - ends: there will be a line that says how it ended.
  public static func head(
    description: Value, saved: Value?, server: String?, title: String? = nil, ends: Bool = false
  ) -> [UInt8] {
    var record = Value.Record()
    record["format"] = .text(Recording.format)
    record["headerd"] = server.map { .text($0) }
    record["title"] = title.map { .text($0) }
    if ends { record["ends"] = true }
    record["description"] = description
    record["saved"] = saved ?? .null
    return Value.record(record).jsonBytes + [0x0A]
  }

  /// A step as `trace` notifications have it, its line end included.
  public static func step(_ step: Value) -> [UInt8] { step.jsonBytes + [0x0A] }

  /// A step from its parts.
  public static func step(_ step: Recording.Step) -> [UInt8] {
    var record = step.event
    record["asked"] = step.asked.map { .list($0) }
    record["nanoseconds"] = step.exactTime.map { .text(String($0.nanoseconds)) }
    record["result"] = step.result
    record["error"] = step.error
    if let states = step.states, let state = states.last {
      if states.count > 1 { record["frames"] = .list(Array(states.dropLast())) }
      record["state"] = state
    }
    return Value.record(record).jsonBytes + [0x0A]
  }
}
