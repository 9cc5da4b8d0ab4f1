// SPDX-License-Identifier: MIT
//
// Recordings run again, and what verifying says when something is not as it was.

import Foundation
import HeaderCore
import HeaderModel
import HeaderTrace
import Testing

@Suite struct ReplayTests {
  @Test func aRecordingVerifies() throws {
    let made = try recording(recorded(script))
    var told = 0
    let verification = try Verification(made, provider: Shelf()) { told = $0 }
    #expect(verification.differences.isEmpty)
    #expect(verification.steps == steps.count && told == steps.count)
    #expect(verification.states == made.steps.reduce(0) { $0 + ($1.states?.count ?? 0) })
  }

  @Test func itBeginsWhereTheRecordingBegan() throws {
    // The saved state of a header that has lived: what a recorder that comes late gets.
    let source = try recording(script)
    var replay = try Replay(source, provider: Shelf())
    #expect(replay.opening["snapshot"] == true && replay.opening["seq"] == 1)
    var head = try #require(source.description)
    guard case .record(var record) = head else { return }
    let early = try (0..<3).compactMap { _ in try replay.step() }
    let saved = try savedHeader(after: early.map(\.step))
    record["frames"] = "events"
    head = .record(record)
    let late = String(decoding: RecordingLine.head(description: head, saved: saved, server: nil), as: UTF8.self)
    var second = try Replay(try recording(late + steps[3...].joined(separator: "\n") + "\n"), provider: Shelf())
    #expect(second.opening["seq"] == early.last?.states.last?["seq"] && second.opening["values"]?["scrolls"] == 2)
    while let outcome = try replay.step() {
      let other = try #require(try second.step())
      #expect(Diff(ignoring: ["epoch"]).differences(expected: .list(outcome.states), got: .list(other.states)).isEmpty)
      #expect(outcome.result == other.result && outcome.refusal == other.refusal)
    }
  }

  /// Frames that were due at nanoseconds which a number of seconds does not hold run again in the step that they ran in.
  @Test(arguments: [(#""nanoseconds":"1763690400140066640","#, 1), ("", 0)])
  func aTimeIsExact(_ nanoseconds: String, _ frames: Int) throws {
    let lines = [
      #"{"format":"header-recording/1","description":\#(description)}"#,
      #"{"event":"didScroll","time":1763690400.1234,"offset":{"y":4}}"#,
      #"{"event":"didEndDragging","time":1763690400.1234,"willDecelerate":false}"#,
      #"{"event":"advance",\#(nanoseconds)"time":1763690400.1400666}"#,
    ]
    let source = try recording(lines.joined(separator: "\n") + "\n")
    var replay = try Replay(source, provider: Shelf())
    var last: [Value] = []
    while let outcome = try replay.step() { last = outcome.states }
    #expect(last.count == frames)
    // It is written as it was read.
    let written = String(decoding: RecordingLine.step(source.steps[2]), as: UTF8.self)
    #expect(written.contains("1763690400140066640") == (frames == 1))
  }

  /// `frames` are a step's states; what a configuration gives under that name has another one, but in older recordings.
  @Test func aChangeOfWhereFramesComeFromKeepsItsStates() throws {
    let input = HeaderInput.configure(["frames": "manual", "frameRate": 30])
    let recorded = input.recorded(at: nil)
    #expect(recorded["frames"] == nil && recorded["frameSource"] == "manual")
    for record in [recorded, ["event": "configure", "frames": "manual", "frameRate": 30]] {
      var (time, unknown) = (Instant?.none, [UnknownField]())
      let read = try HeaderInput(recorded: record, time: &time, unknown: &unknown)
      guard case .configure(let keys) = read else { return #expect(Bool(false), "\(read)") }
      #expect(keys["frames"] == "manual" && keys["frameRate"] == 30 && keys.fields.count == 2)
    }
    let head = #"{"format":"header-recording/1","description":\#(description)}"#
    let change = #"{"event":"configure","time":1,"frameSource":"manual","frames":[{"seq":2}],"state":{"seq":3}}"#
    let step = try #require(try recording("\(head)\n\(change)\n").steps.first)
    #expect(step.states?.count == 2 && step.event["frameSource"] == "manual" && step.event["frames"] == nil)
    #expect(String(decoding: RecordingLine.step(step), as: UTF8.self).contains(#""frames":[{"seq":2}]"#))
  }

  /// A header keeps its name, whatever a step says.
  @Test func aChangeNamesAnotherHeader() throws {
    let named = try recording(
      script.replacingOccurrences(of: #""event":"configure","#, with: #""event":"configure","header":"other","#))
    var replay = try Replay(named, provider: Shelf())
    while let outcome = try replay.step() { #expect(outcome.states.allSatisfy { $0["header"] == "main" }) }
  }

  /// The saved state of a header after some steps.
  private func savedHeader(after steps: [Recording.Step]) throws -> Value {
    var unknown: [UnknownField] = []
    let header = try Header(
      HeaderDescription(Value(json: Array(description.utf8)), unknown: &unknown), epoch: 1, provider: Shelf())
    for step in steps {
      let timed = try TimedEvent(.record(step.event), unknown: &unknown)
      _ = try header.apply(.event(timed.event), at: timed.time, provider: Shelf())
    }
    return try header.save()
  }

  @Test func aBehaviorThatChangedIsTold() throws {
    let made = try recording(recorded(script))
    let found = try Verification(made, provider: Shelf(gear: 0.5)).differences
    #expect(found.first?.description == "step 2 (didScroll, line 3): state.drawers.bar.frame.y: expected -4, got -2")
    // It takes two frames more until the bar is gone: states that nobody expected.
    let extra = found.filter { $0.step == 6 && $0.difference.expected == nil }
    #expect(extra.map(\.difference.field) == ["state 9 of 11.framesActive", "state 10 of 11", "state 11 of 11"])
  }

  @Test(arguments: [
    (#""y":-4,"#, #""y":-4.5,"#, "step 2 (didScroll, line 3): state.drawers.bar.frame.y: expected -4.5, got -4"),
    (
      #""y":-4,"width":320"#, #""y":-4,"depth":1"#,
      "step 2 (didScroll, line 3): state.drawers.bar.frame.depth: expected 1, got nothing"
    ),
    (#""seq":3,"#, "", "step 3 (didScroll, line 4): state.seq: expected nothing, got 3"),
    (
      #""result":{"returned":"home"}"#, #""result":{"returned":"abroad"}"#,
      #"step 8 (call, line 9): result.returned: expected "abroad", got "home""#
    ),
    (
      #""name":"callFailed""#, #""name":"conflict""#,
      #"step 7 (call, line 8): error: expected "conflict", got "callFailed""#
    ),
  ])
  func eachChangeIsToldWithItsPlace(_ old: String, _ new: String, _ told: String) throws {
    let text = try recorded(script)
    let range = try #require(text.range(of: old))
    let found = try Verification(recording(text.replacingCharacters(in: range, with: new)), provider: Shelf())
      .differences
    #expect(found.contains { $0.description == told }, "\(found)")
  }

  /// A state that nobody expected is one difference, and so is that all behind it have numbers of one more.
  @Test func numbersThatAreShiftedDifferOnce() throws {
    let lines = try recorded(script).split(separator: "\n").map(String.init)
    let first = try #require(lines.firstIndex { $0.contains("\"state\":") })
    let seq = try NSRegularExpression(pattern: #""seq":(\d+)"#)
    let shifted = lines.enumerated().map { index, line in
      guard index > first else { return line }
      var line = line
      for match in seq.matches(in: line, range: NSRange(line.startIndex..., in: line)).reversed() {
        guard let range = Range(match.range(at: 1), in: line), let number = Int(line[range]) else { continue }
        line.replaceSubrange(range, with: "\(number + 1)")
      }
      return line
    }
    let found = try Verification(recording(shifted.joined(separator: "\n") + "\n"), provider: Shelf()).differences
    #expect(found.count == 1 && found[0].difference.field.hasSuffix("seq"), "\(found)")
  }

  @Test func theEpochMayBeAnother() throws {
    let text = try recorded(script).replacingOccurrences(of: "\"epoch\":1,", with: "\"epoch\":1763690400000001,")
    #expect(try Verification(recording(text), provider: Shelf()).differences.isEmpty)
  }

  @Test func scriptsHaveNothingToVerify() throws {
    let error = #expect(throws: RecordingError.self) { try Verification(recording(script), provider: Shelf()) }
    #expect(error?.description == "it has no states to compare with: 'headerctl record' writes them down")
  }

  @Test func whatCannotBeReplayedIsRefusedWithItsLine() throws {
    func refusal(_ text: String) throws -> String? {
      let error = #expect(throws: RecordingError.self) {
        var replay = try Replay(recording(text), provider: Shelf())
        while try replay.step() != nil {}
      }
      return error?.description
    }
    #expect(try refusal(steps[0])?.hasPrefix("it has events but no description") == true)
    #expect(
      try refusal(script.replacingOccurrences(of: "\"Lift\"}", with: "\"Lft\"}"))
        == "1: delegates[0].behavior: no plugin offers behavior \"Lft\"; there are Lift (did you mean \"Lift\"?)")
    #expect(
      try refusal(script.replacingOccurrences(of: "\"height\":44", with: "\"height\":-44"))
        == "1: description.drawers[0].height: expected a number of at least 0, got -44")
    #expect(
      try refusal(script.replacingOccurrences(of: "\"time\":1.25", with: "\"time\":\"soon\""))
        == "3: time: expected a finite number of seconds, got \"soon\"")
    #expect(
      try refusal(
        script.replacingOccurrences(
          of: "\"delegate\":\"lift\",\"plugin\":\"Lift\"}\n{\"event\":\"didScroll\",\"time\":2.25",
          with: "\"delegate\":\"lft\"}\n{\"event\":\"didScroll\",\"time\":2.25"))
        == "11: header \"main\" has no delegate \"lft\"; there are lift (did you mean \"lift\"?)")
  }

  @Test func eventsAloneTakeADescription() throws {
    var events = try recording(steps[0] + "\n" + steps[1])
    events.description = try Value(json: Array(description.utf8))
    var replay = try Replay(events, provider: Shelf())
    #expect(try replay.step()?.states.isEmpty == true)
    #expect(try replay.step()?.states.count == 1)
    #expect(try replay.step() == nil)
  }
}

@Suite struct DiffTests {
  private func differences(_ expected: String, _ got: String, _ diff: Diff = Diff()) throws -> [String] {
    diff.differences(expected: try Value(json: Array(expected.utf8)), got: try Value(json: Array(got.utf8))).map(
      \.description)
  }

  @Test func placesAreToldByNames() throws {
    #expect(
      try differences(#"{"a":[{"name":"x","y":1}]}"#, #"{"a":[{"name":"x","y":2}]}"#) == ["a.x.y: expected 1, got 2"])
    #expect(try differences(#"{"a":[[1],[2]]}"#, #"{"a":[[1],[3]]}"#) == ["a[1][0]: expected 2, got 3"])
    #expect(try differences("1", "\"1\"") == [#"expected 1, got "1""#])
  }

  @Test func nothingIsNotNull() throws {
    #expect(try differences("[1]", "[1,null]") == ["[1]: expected nothing, got null"])
    #expect(try differences("[1,null]", "[1]") == ["[1]: expected null, got nothing"])
    #expect(try differences("{}", #"{"a":null}"#) == ["a: expected nothing, got null"])
    #expect(try differences(#"{"a":{"b":1}}"#, "{}") == [#"a: expected {"b":1}, got nothing"#])
  }

  @Test func numbersAreTheSameDouble() throws {
    #expect(try differences("0", "-0.0").count == 1)
    #expect(try differences("0.1", "0.10000000000000002").count == 1)
  }

  @Test func ignoredFieldsAreIgnoredEverywhere() throws {
    #expect(try differences(#"{"e":1,"a":{"e":2,"b":3}}"#, #"{"a":{"e":5,"b":3}}"#, Diff(ignoring: ["e"])).isEmpty)
  }

  @Test func longValuesAreCut() throws {
    let told = try differences("\"\(String(repeating: "x", count: 300))\"", "1")
    #expect(told[0].hasSuffix("…, got 1") && told[0].count < 150)
  }
}
