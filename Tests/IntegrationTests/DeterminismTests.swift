// SPDX-License-Identifier: MIT
//
// The same recording gives the same states, byte for byte, all but the epoch: offline through engine and plugins, and
// through the socket of the real daemon with `frames = "events"`, in one batch, event by event, or cut anywhere.

import ConformanceKit
import DaemonTestKit
import Foundation
import HeaderCore
import HeaderModel
import HeaderTestKit
import HeaderWire
import PluginHost
import Testing

@Suite struct DeterminismTests {
  /// How a recording's events go over the wire.
  enum Way: Sendable, CaseIterable {
    /// All of them in one request.
    case batch
    /// Each a notification of its own, written at once.
    case single
    /// Batches of random lengths, their bytes written in random pieces.
    case pieces
  }

  /// All but four: content less than nothing, which UIKit allows, is refused over the wire.
  @Test func thereAreRecordings() { #expect(Recordings.all.count == Recordings.paths.count - 4) }

  @Test(arguments: Way.allCases.map { ($0, "none") } + [(.pieces, "process")])
  func theSocketGivesWhatReplayGives(_ way: Way, isolation: String) throws {
    let daemon = try RunningDaemon(
      config: """
        [limits]
        lineBytes = 16777216
        queueBytes = 67108864
        [plugins]
        isolation = { default = "\(isolation)" }
        deadline = 60
        \(TestFiles.processMemory)

        """, plugins: Recordings.plugins)
    let publisher = try daemon.client()
    let subscriber = try daemon.client()
    _ = try subscriber.result("subscribe", #"{"headers":"**","mode":"every","include":["routine","calls"]}"#)
    let plugins = try Recordings.registry()
    var random = SplitMix64(seed: 20_260_105)
    var refused = 0
    for recording in Recordings.all {
      let offline = try recording.replay(plugins)
      refused += offline.refused.count
      _ = try publisher.result("header.open", recording.description)
      try recording.send(to: publisher, way, endingAt: offline.refused, &random)
      _ = try publisher.result("header.close", "{\"header\":\"\(Recordings.header)\"}")
      var lines = try subscriber.settle().lines.map(withoutEpoch)
      let closed = lines.popLast() ?? ""
      #expect(closed.contains(#""method":"closed""#), "\(recording.path): \(closed)")
      let difference = zip(lines, offline.lines).enumerated().first { $0.element.0 != $0.element.1 }
      #expect(difference == nil, "\(recording.path): line \(difference?.offset ?? 0)")
      #expect(lines.count == offline.lines.count, "\(recording.path)")
    }
    // What was refused offline was refused here, and nothing else.
    let errors = publisher.notifications + (try publisher.settle().lines.map { try JSON($0) })
    #expect(errors.count == refused)
    #expect(errors.allSatisfy { $0["params"]["data"]["name"].string == "callFailed" }, "\(errors.first?.text ?? "")")
  }

  /// Recorded over the wire, a header's life has the states that its subscriber got.
  @Test func aTraceHasTheSameStates() throws {
    let daemon = try RunningDaemon(
      config: "[limits]\nlineBytes = 16777216\nqueueBytes = 67108864\n", plugins: Recordings.plugins)
    let publisher = try daemon.client()
    let recorder = try daemon.client()
    let plugins = try Recordings.registry()
    var random = SplitMix64(seed: 3)
    for recording in Recordings.all.prefix(12) {
      let offline = try recording.replay(plugins, parts: [])
      _ = try publisher.result("header.open", recording.description)
      let trace = try recorder.result("trace.start", "{\"header\":\"\(Recordings.header)\"}")["trace"].int ?? 0
      try recording.send(to: publisher, .batch, endingAt: offline.refused, &random)
      _ = try publisher.result("header.close", "{\"header\":\"\(Recordings.header)\"}")
      let lines = try recorder.settle().lines
      let steps = lines.filter { $0.contains(#""step":{"#) }.map { $0.replacing(/"epoch":\d+/, with: "\"epoch\":") }
      #expect(lines.last?.contains(#""trace":\#(trace),"ended":"closed","steps":\#(steps.count)"#) == true)
      // Each state of the replay stands in the recording as it is, in the same order.
      var rest = steps.joined(separator: "\n")[...]
      for line in offline.lines.dropFirst() {
        let state = line.dropFirst(#"{"jsonrpc":"2.0","method":"state","params":"#.count).dropLast()
        let place = try #require(rest.range(of: state), "\(recording.path): \(state)")
        rest = rest[place.upperBound...]
      }
    }
  }
}

// MARK: - Recordings

/// The recordings of the repository, once in our words, for `frames = "events"`.
enum Recordings {
  static let header = "recorded"
  static let paths: [String] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../Conformance/Traces")
    return Files.recordings(under: folder.standardized.path)
  }()

  static let all: [PlayedRecording] = {
    paths.compactMap { path in
      do {
        let recording = try PlayedRecording(path)
        return recording.fitsTheWire ? recording : nil
      } catch {
        Issue.record("\(path): \(error)")
        return nil
      }
    }
  }()

  /// The plugins that they need.
  static let plugins: [String] = Set(all.flatMap(\.adapted.plugins)).sorted()

  /// The same, loaded here for replaying.
  static func registry() throws -> PluginRegistry {
    let registry = PluginRegistry(folders: [TestFiles.build])
    for name in plugins { try registry.load(name) }
    return registry
  }
}

struct PlayedRecording: Sendable {
  let path: String
  let adapted: AdaptedRecording
  let events: [TimedEvent]

  /// Whether each event can be written and read.
  var fitsTheWire: Bool {
    events.allSatisfy { event in
      var unknown: [UnknownField] = []
      return (try? TimedEvent(.record(event.value), unknown: &unknown)) != nil
    }
  }

  init(_ path: String) throws {
    self.path = path
    var adapted = try AdaptedRecording(path: path)
    adapted.description.header = Recordings.header
    adapted.description.frames = .events
    // The daemon would fill in its own.
    if adapted.description.environment.clockSecondOfMinute < 0 {
      adapted.description.environment.clockSecondOfMinute = 0
    }
    self.adapted = adapted
    events = adapted.steps.flatMap(\.events)
  }

  var description: String { json(adapted.description.value) }

  /// The lines of an `every` subscriber, without a daemon, and the places of the events that were refused.
  func replay(
    _ plugins: PluginRegistry, parts: StateEncoder.Parts = [.routine, .calls]
  ) throws -> (lines: [String], refused: Set<Int>) {
    let header = try Header(adapted.description, epoch: 1, provider: plugins, recordsCalls: true)
    var lines: [String] = []
    func tell(_ state: borrowing HeaderState, _ parts: StateEncoder.Parts) {
      var writer = JSONWriter()
      StateEncoder.notification(state, parts, StateTemplate(), into: &writer)
      lines.append(withoutEpoch(String(decoding: writer.copy().dropLast(), as: UTF8.self)))
    }
    tell(header.state, parts.union(.snapshot))
    var refused: Set<Int> = []
    for (index, event) in events.enumerated() {
      if try isRefused(event, by: header, { tell($0, parts) }) { refused.insert(index) }
    }
    return (lines, refused)
  }

  private func isRefused(
    _ event: TimedEvent, by header: Header, _ emit: (borrowing HeaderState) -> Void
  ) throws -> Bool {
    let result = Result { () throws(HeaderError) in try header.receive(event.event, at: event.time, emit: emit) }
    guard case .failure(let error) = result else { return false }
    guard error.name == .callFailed else { throw error }
    return true
  }

  /// Sends the events. A refused one ends its batch, so that what comes behind it is sent by itself.
  func send(
    to publisher: WireClient, _ way: DeterminismTests.Way, endingAt refused: Set<Int>, _ random: inout SplitMix64
  ) throws {
    var batches: [[TimedEvent]] = []
    var room = 0
    for (index, event) in events.enumerated() {
      if room == 0 {
        batches.append([])
        switch way {
        case .batch: room = 4096
        case .single: room = 1
        case .pieces: room = random.oneIn(2) ? 1 : Int.random(in: 1...40, using: &random)
        }
      }
      batches[batches.count - 1].append(event)
      room = refused.contains(index) ? 0 : room - 1
    }
    let text = batches.map(Self.line).joined()
    if way != .pieces { return try publisher.write(text) }
    for piece in text.utf8.randomPieces(&random) { try publisher.write(piece) }
  }

  /// An `event` notification.
  private static func line(_ events: [TimedEvent]) -> String {
    let list = Value.list(events.map { .record($0.value) })
    let params: Value =
      if events.count == 1, case .record(var record) = Value.record(events[0].value) {
        .record(record.adding("header", .text(Recordings.header)))
      } else {
        ["header": .text(Recordings.header), "events": list]
      }
    return json(["method": "event", "params": params]) + "\n"
  }
}

extension Value.Record {
  fileprivate mutating func adding(_ name: String, _ value: Value) -> Value.Record {
    self[name] = value
    return self
  }
}

extension String.UTF8View {
  fileprivate func randomPieces(_ random: inout SplitMix64) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = Array(self)[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 1...(random.oneIn(4) ? 8 : 2000), using: &random))
      pieces.append(Array(piece))
      rest = rest.dropFirst(piece.count)
    }
    return pieces
  }
}

/// A value as JSON.
func json(_ value: Value) -> String {
  var writer = JSONWriter()
  writer.value(value)
  return String(decoding: writer.copy(), as: UTF8.self)
}

/// A line of a state without its one number that differs from run to run.
private func withoutEpoch(_ line: String) -> String {
  let bytes = Array(line.utf8)
  let mark = Array(#""header":"\#(Recordings.header)","epoch":"#.utf8)
  guard let start = bytes.prefix(100).firstRange(of: mark)?.upperBound else { return line }
  let digits = bytes[start...].prefix { (0x30...0x39).contains($0) }
  return String(decoding: bytes[..<start] + bytes[digits.endIndex...], as: UTF8.self)
}
