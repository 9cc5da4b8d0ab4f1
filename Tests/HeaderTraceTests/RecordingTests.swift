// SPDX-License-Identifier: MIT
//
// Files of recordings: what is read, what is refused and at which line.

import Foundation
import HeaderModel
import HeaderTrace
import HeaderWire
import Testing

@Suite struct RecordingTests {
  @Test func everyFormatIsRead() throws {
    let written = try recording(script)
    #expect(written.title == "All kinds" && written.steps.count == steps.count)
    #expect(!written.hasStates && written.server == nil && written.saved == nil)
    #expect(written.steps[1].line == 3 && written.steps[1].kind == "didScroll" && written.steps[1].time == 1.25)
    #expect(written.steps[8].change == .configure && written.steps[1].change == nil)
    let events = try recording("\n" + steps[0] + "\r\n\n  \n" + steps[1])
    #expect(events.description == nil && events.steps.map(\.line) == [2, 5])
    let made = try recording(recorded(script))
    #expect(made.server == "0.2.0" && made.hasStates)
    // A step that made no state has none; one that made several has them in order.
    #expect(made.steps[0].states?.isEmpty == true && made.steps[5].states?.count == 9)
    #expect(made.steps[6].error?["data"]?["name"] == "callFailed" && made.steps[7].result?["returned"] == "home")
  }

  @Test func whatIsWrittenIsReadBack() throws {
    let text = try recorded(script)
    let read = try recording(text)
    var bytes = RecordingLine.head(description: try #require(read.description), saved: read.saved, server: read.server)
    for step in read.steps { bytes += RecordingLine.step(step) }
    // The members of a step come back in the writer's own order, so the second time is the same, byte for byte.
    #expect(try recorded(script) == text)
    let again = try recording(String(decoding: bytes, as: UTF8.self))
    #expect(
      again.steps.map(\.states) == read.steps.map(\.states) && again.steps.map(\.event) == read.steps.map(\.event))
    // A trace's notification is copied into a file as it is.
    let step: Value = ["event": "advance", "time": 2, "state": ["seq": 1]]
    #expect(
      String(decoding: RecordingLine.step(step), as: UTF8.self) == #"{"event":"advance","time":2,"state":{"seq":1}}"#
        + "\n")
  }

  /// Found by fuzzing: what a client says as deep as it may lies deeper in what the daemon tells of it.
  @Test func whatNestsAsDeepAsAClientMayIsReadInsideAMessage() throws {
    let deepest = String(repeating: "[", count: 62) + String(repeating: "]", count: 62)
    let message = #"{"method":"trace","params":{"step":{"event":"setOptions","options":{"speed":\#(deepest)}}}}"#
    #expect(throws: Never.self) { try Value(json: Array(message.utf8)) }
    #expect(throws: JSONError.self) { try Value(json: Array(String(repeating: "[", count: 1000).utf8)) }
  }

  @Test func anUnfinishedLastLineIsPassedOver() throws {
    let text = try recorded(script)
    for missing in [2, 20, 40] {
      let cut = try recording(String(text.dropLast(missing)))
      #expect(cut.isTruncated && cut.steps.count == steps.count - 1, "\(missing)")
    }
    // Only the line end is missing: nothing is lost.
    let whole = try recording(String(text.dropLast()))
    #expect(!whole.isTruncated && whole.steps.count == steps.count)
    // An unfinished line in the middle is no accident.
    #expect(throws: RecordingError.self) {
      try recording(text.replacingOccurrences(of: "\"offset\":{\"y\":12}", with: "\"offset\":{\"y\":12"))
    }
  }

  private static let original =
    "format: expected \"header-recording/1\", got \"header-trace/1\": a recording of an original library, which "
    + "'make conformance TRACES=FOLDER' runs"

  @Test(arguments: [
    ("", 0, "it is empty, expected a recording"),
    ("\n \n", 0, "it is empty, expected a recording"),
    (
      "{\"format\":\"header-recording/2\"}", 1,
      "format: expected \"header-recording/1\", got \"header-recording/2\""
    ),
    ("{}", 1, "format: expected \"header-recording/1\", there is none"),
    ("{\"format\":\"header-recording/1\"}", 1, "description: it is missing; the first line describes the header"),
    ("{\"format\":\"header-trace/1\",\"steps\":[]}", 1, original),
    ("{\n  \"format\": \"header-trace/1\",\n  \"steps\": []\n}\n", 1, original),
    ("{\n  \"scene\": {\n    nonsense\n", 3, "column 5: expected a member name or '}', found 'n'"),
    ("\(steps[0])\n{\"event\":\n\(steps[1])\n", 2, "column 10: expected a value, found the end of the line"),
    ("\(steps[0])\n\n[]\n", 3, "expected an event, got an empty list"),
    ("\(steps[0])\n{\"event\":7}\n", 2, "event: expected the kind of event, got 7"),
    ("\(steps[0])\n{\"evnt\":\"didScroll\"}\n", 2, "event: expected the kind of event, it is missing"),
  ])
  func whatIsNoneIsRefusedWithItsLine(_ text: String, _ line: Int, _ message: String) {
    #expect(throws: RecordingError(line: line, message)) { try recording(text) }
  }

  @Test func errorsBeginWithTheirLine() {
    #expect("\(RecordingError(line: 14, "no"))" == "14: no" && "\(RecordingError(line: 0, "no"))" == "no")
    #expect(sentence("what", hint: "why") == "what (why)" && sentence("what: why", hint: "why") == "what: why")
  }
}
