// SPDX-License-Identifier: MIT
//
// record, replay, verify: what happened to a header is written down, runs again without a daemon, and is the same, byte for
// byte; what is not the same is told with its place.

import DaemonTestKit
import Foundation
import Testing

@Suite struct RecordingTests {
  /// Records a header of ShyNavBar while things happen to it, and what a subscriber sees.
  private func recorded(
    _ prompt: Prompt, opening: String = mainHeader, _ happen: () throws -> Void
  ) throws -> (recording: String, states: [String]) {
    try prompt.done(opening)
    let subscriber = try prompt.start(["subscribe", "main"])
    let recorder = try prompt.start(["record", "main"])
    #expect(try subscriber.waitForOutput("a snapshot") { $0.contains("\n") })
    #expect(try recorder.waitForOutput("the first line") { $0.contains("\n") })
    try happen()
    // The header's end is the recording's.
    try prompt.done("header close main")
    #expect(try recorder.waitForExit() == 0)
    #expect(try subscriber.waitForErrors(containing: "closed"))
    subscriber.signal(SIGINT)
    #expect(try subscriber.waitForExit() == 0)
    return (recorder.output, lines(subscriber.output))
  }

  @Test func aRecordingRunsAgainByteForByte() throws {
    let prompt = try Prompt()
    let (recording, states) = try recorded(prompt) {
      try prompt.done("stream main", input: drag(30))
      #expect(
        try prompt("stream main", input: #"{"event":"setOptions","time":2,"options":{"expansionResistance":"much"}}"#)
          .status == 1)
      try prompt.done(#"header configure main {"environment":{"statusBarHeight":40}}"#)
      try prompt.done("header call main expand {\"animated\":true}")
      try prompt.daemon?.rebuild("ShyNavBar")
      try prompt.done("plugin reload ShyNavBar")
      try prompt.done("stream main --fast", input: drag(10, from: 3))
      try prompt.done("plugin unload ShyNavBar --force")
    }
    let file = try prompt.folder.write(recording, to: "main.jsonl")
    // Without the first line and the last.
    let steps = lines(recording).count - 2
    let verified = try prompt.done("verify \(file)")
    #expect(verified == "\(steps) steps, \(states.count - 1) states: no difference\n")
    #expect(try prompt.done("verify -", input: recording) == verified)
    #expect(try JSON(prompt.done("verify \(file) --json"))["summary"]["differences"].int == 0)
    // The first line printed is the opening, which a subscriber sees as its snapshot.
    let replayed = try prompt("replay \(file)")
    #expect(replayed.status == 0, "what was refused then is refused again: \(replayed.errors)")
    #expect(lines(withoutEpoch(replayed.output)) == states.map(withoutEpoch))
    #expect(replayed.errors.contains("options.expansionResistance"))
  }

  /// Offers go through a stream, come back with what was decided, and run again from a recording.
  @Test func offersAreRecordedAndRunAgain() throws {
    let prompt = try Prompt()
    let offers = """
      {"event":"willBeginDragging","time":1}
      {"event":"willScroll","time":1.0625,"delta":{"y":66},"source":"drag"}
      {"event":"willScroll","time":1.125,"delta":{"y":30},"source":"drag"}
      {"event":"didOverscroll","time":1.125,"delta":{"y":12},"source":"drag"}
      {"event":"willFling","time":1.1875,"velocity":{"x":0.25,"y":2}}
      """
    let (recording, _) = try recorded(prompt) {
      let answers = try lines(prompt.done("stream main --fast --json", input: offers)).map { try JSON($0) }
      #expect(answers.compactMap { $0["consumed"]["y"].double } == [66, 18, 0, 0])
      #expect(answers.compactMap { $0["residual"]["y"].double } == [0, 12, 12, 2])
    }
    let file = try prompt.folder.write(recording, to: "offers.jsonl")
    #expect(try prompt.done("verify \(file)").hasSuffix(": no difference\n"))
    // A part more than it took then is told with its place.
    let bent = recording.replacingOccurrences(of: #""consumed":{"x":0,"y":18}"#, with: #""consumed":{"x":0,"y":18.5}"#)
    #expect(bent != recording)
    let told = try prompt("verify -", input: bent)
    #expect(told.status == 1 && told.output.contains("result.consumed.y: expected 18.5, got 18"))
  }

  @Test func aRecordingThatBeginsInTheMiddle() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    try prompt.done("stream main", input: drag(12))
    let (recording, states) = try recorded(prompt) { try prompt.done("stream main --fast", input: drag(12, from: 2)) }
    #expect(try JSON(states[0])["seq"].int == 13)
    let file = try prompt.folder.write(recording, to: "main.jsonl")
    #expect(try prompt.done("verify \(file)").hasSuffix(": no difference\n"))
    #expect(try lines(withoutEpoch(prompt.done("replay \(file)"))) == states.map(withoutEpoch))
  }

  /// A header that was closed and opened from what `header.get` gave of it goes on like one that was not, and so does its
  /// recording, which begins with the state that it was opened in.
  @Test func aHeaderOpenedFromItsSavedStateIsRecorded() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    try prompt.done("stream main", input: drag(12))
    let client = try #require(prompt.daemon).client()
    let got = try client.result("header.get", #"{"header":"main","include":["description","saved"]}"#)
    let again = {
      try recorded(prompt, opening: $0) { try prompt.done("stream main --fast", input: drag(12, from: 2)) }
    }
    let (_, unbroken) = try again(mainHeader)
    let description = got["description"].description.dropLast() + ",\"saved\":" + got["saved"].description + "}"
    let (recording, states) = try again("header open \(prompt.folder.write(String(description), to: "saved.json"))")
    #expect(try JSON(states[0])["seq"].int == 13)
    #expect(states.map(withoutEpoch) == unbroken.map(withoutEpoch))
    let file = try prompt.folder.write(recording, to: "main.jsonl")
    #expect(try prompt.done("verify \(file)").hasSuffix(": no difference\n"))
    #expect(try lines(withoutEpoch(prompt.done("replay \(file)"))) == states.map(withoutEpoch))
    // What is no state of it opens nothing.
    let broken = description.replacingOccurrences(of: #""resistanceConsumed":"#, with: #""resistanceConsume":"#)
    let refused = try prompt("header open \(prompt.folder.write(broken, to: "broken.json"))")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("saved.delegates[0].state: ShyNavBar refuses it"), "\(refused.errors)")
    #expect(try prompt.done("header list --json").contains("main") == false)
  }

  @Test func differencesAreToldWithTheirPlaces() throws {
    let prompt = try Prompt()
    let (recording, _) = try recorded(prompt) { try prompt.done("stream main", input: drag(3)) }
    var text = withoutEnd(recording)
    // A wrong edge, a state too few, a state too many, an answer that never was, a refusal that never was.
    text[2] = try changed(text[2], #""y":60,"#, #""y":60.5,"#)
    text[3] = try changed(text[3], #""state":\{.*\}\}$"#, #""result":{"returned":true}}"#)
    text[1] = try changed(text[1], #"\}$"#, #","state":{"header":"main","seq":7}}"#)
    text[4] = try changed(text[4], #""state":\{.*\}\}$"#, #""error":{"code":-32013,"data":{"name":"callFailed"}}}"#)
    let file = try prompt.folder.write(text.joined(separator: "\n") + "\n", to: "changed.jsonl")
    let told = try Prompt(daemon: false)
    let path = try told.folder.write(String(contentsOfFile: file, encoding: .utf8), to: "changed.jsonl")
    #expect(try told("verify \(path)").status == 1)
    let objects = try lines(told("verify \(path) --json").output).map { try JSON($0) }
    let first = try #require(objects.first { $0["step"].int == 2 })
    #expect(
      first["line"].int == 3 && first["event"].string == "didScroll"
        && first["field"].string == "state.drawers.extension.frame.y")
    #expect(first["expected"].double == 60.5 && first["got"].double == 60)
    #expect(objects.last?["summary"]["differences"].int == objects.count - 1)
    try told.expectGolden("differences.txt")
  }

  @Test func whatIsNoRecordingIsRefusedWithItsLine() throws {
    let prompt = try Prompt()
    let (recording, _) = try recorded(prompt) { try prompt.done("stream main", input: drag(3)) }
    // The clock's digits would shift columns.
    let whole = withoutEnd(
      recording.replacingOccurrences(
        of: #""clockSecondOfMinute":[0-9.]+"#, with: "\"clockSecondOfMinute\":30", options: .regularExpression))
    let told = try Prompt(daemon: false)
    func tell(_ text: String) throws {
      try told.folder.write(text, to: "r.jsonl")
      #expect(try told("verify \(told.folder("r.jsonl"))").status == 1)
    }
    func with(_ line: Int, _ change: (String) throws -> String) throws -> String {
      var text = whole
      text[line - 1] = try change(text[line - 1])
      return text.joined(separator: "\n") + "\n"
    }
    try tell("")
    try tell("{\"format\":\"header-recording/2\"}\n")
    try tell("{\"format\":\"header-recording/1\"}\n")
    try tell("not JSON\n")
    try tell(with(1) { try changed($0, "ShyNavBar", "ShyNavbar") })
    try tell(with(1) { try changed($0, #""height":44"#, #""height":-44"#) })
    try tell(with(1) { try changed($0, #""saved":\{"[A-Za-z]+""#, #""saved":{"spoiled""#) })
    try tell(with(3) { "{" + $0 })
    try tell(with(3) { _ in "[]" })
    try tell(with(3) { try changed($0, #""event":"didScroll""#, #""evnt":"didScroll""#) })
    try tell(with(3) { try changed($0, #""event":"didScroll""#, #""event":"didScrol""#) })
    try tell(with(3) { try changed($0, #""time":[0-9.]+"#, #""time":"soon""#) })
    try tell(with(3) { try changed($0, #""offset":\{[^}]*\}"#, #""offset":{"y":1e300}"#) })
    try tell(drag(2))
    try tell(Repository.read(Repository.scroll))
    try told("verify nowhere.jsonl")
    #expect(try JSON(told("replay \(told.folder.write("{}", to: "r.jsonl")) --json").output)["data"]["line"].int == 1)
    try told.expectGolden("no-recording.txt")
  }

  @Test func aRecorderThatWasKilledLeavesAWholeFile() throws {
    let prompt = try Prompt()
    let (recording, _) = try recorded(prompt) { try prompt.done("stream main", input: drag(8)) }
    let steps = lines(recording).dropLast().joined(separator: "\n")
    let all = Array(steps.utf8)
    let cut = try prompt.folder.write(String(decoding: all[..<(all.count - 40)], as: UTF8.self), to: "cut.jsonl")
    let end = try prompt("verify \(cut)")
    #expect(end.status == 1 && end.output == "8 steps, 7 states: no difference, but the recording is incomplete\n")
    let reason = "incomplete: it has no end: its recorder was killed, or the file was cut off"
    #expect(
      end.errors == "headerctl: \(cut): the last line is unfinished and left out: the recorder was killed\n"
        + "headerctl: \(cut): \(reason)\n")
    #expect(try JSON(prompt("verify \(cut) --json").output)["summary"]["complete"].bool == false)
    let replayed = try prompt("replay \(cut)")
    #expect(replayed.status == 0 && replayed.errors.contains(reason))
  }

  /// Its file ends with the last line that came, and says that there was more.
  @Test func aRecorderThatReadsTooSlowlySaysSo() throws {
    let prompt = try Prompt(config: "[limits]\nqueueBytes = 65536\n")
    try prompt.done(mainHeader)
    let file = prompt.folder("cut.jsonl")
    let recorder = try prompt.start(["record", "main", "-o", file])
    try eventually("the first line is there") { TestFiles.text(file).contains("\n") }
    try recorder.halt()
    let daemon = try #require(prompt.daemon)
    try prompt.done("stream main --fast", input: drag(3_000))
    #expect(try daemon.process.waitForErrors(containing: "event=traceOverflow"))
    recorder.signal(SIGCONT)
    #expect(try recorder.waitForExit() == 1)
    #expect(recorder.errors.contains("the recording is incomplete: it was read too slowly"))
    let steps = lines(TestFiles.text(file)).count - 2
    #expect(try #require(lines(TestFiles.text(file)).last).contains(#"{"ended":"overflow","steps":\#(steps),"#))
    #expect(steps > 0 && steps < 3_000)
    let end = try prompt("verify \(file)")
    #expect(end.status == 1 && end.output.hasSuffix(": no difference, but the recording is incomplete\n"))
    #expect(end.errors.contains("incomplete: its reader was too slow, and the daemon ended it after \(steps) steps"))
  }

  /// The daemon that stops has recorded all that happened in its life; one that is killed may not have.
  @Test(arguments: [SIGTERM, SIGKILL]) func theDaemonsEndIsInTheRecording(_ signal: Int32) throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let recorder = try prompt.start(["record", "main"])
    #expect(try recorder.waitForOutput("the first line") { $0.contains("\n") })
    try prompt.done("stream main --fast", input: drag(5))
    #expect(try recorder.waitForOutput("all steps") { lines($0).count == 7 })
    let daemon = try #require(prompt.daemon)
    if signal == SIGKILL { try daemon.kill() } else { daemon.process.signal(signal) }
    #expect(try recorder.waitForExit() == 3)
    let end = try #require(lines(recorder.output).last)
    #expect(try JSON(end)["ended"].string == (signal == SIGKILL ? "lost" : "draining"))
    #expect(try prompt("verify -", input: recorder.output).status == (signal == SIGKILL ? 1 : 0))
  }

  /// A line that is missing in the middle is noticed as well as one at the end.
  @Test func aTornRecordingIsNoticed() throws {
    let prompt = try Prompt()
    let (recording, _) = try recorded(prompt) { try prompt.done("stream main", input: drag(8)) }
    func verify(_ change: (inout [String]) -> Void) throws -> Finished {
      var text = lines(recording)
      change(&text)
      return try prompt("verify -", input: text.joined(separator: "\n") + "\n")
    }
    #expect(try verify { _ in }.status == 0)
    let short = try verify { $0.remove(at: 8) }
    #expect(short.status == 1 && short.errors.contains("incomplete: its end speaks of 9 steps, there are 8"))
    let torn = try verify { $0.removeLast() }
    #expect(torn.status == 1 && torn.errors.contains("incomplete: it has no end"))
    let other = try verify { $0[1] += " " }
    #expect(other.status == 1 && other.errors.contains("incomplete: it is not as it was recorded"))
    // A recorder of before wrote no ends.
    let old = try verify {
      $0 = withoutEnd(recording).dropLast(3)
    }
    #expect(old.status == 0 && old.errors == "" && old.output.hasSuffix(": no difference\n"))
  }

  @Test func recordingsGoIntoFilesAndEndAsAsked() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let file = prompt.folder("short.jsonl")
    #expect(try prompt("record main -o \(file) --for 0").errors == "\(file): 0 steps, 0 states\n")
    #expect(try JSON(lines(TestFiles.text(file))[0])["format"].string == "header-recording/1")
    #expect(try prompt.done("verify \(file)") == "0 steps, 0 states: no difference\n")
    let recorder = try prompt.start(["record", "main", "--count", "2"])
    #expect(try recorder.waitForOutput("the first line") { $0.contains("\n") })
    try prompt.done("stream main", input: drag(5))
    #expect(try recorder.waitForExit() == 0)
    #expect(lines(recorder.output).count == 5, "a first line, a step without a state, two with one, the end")
    #expect(try JSON(#require(lines(recorder.output).last))["ended"].string == "stopped")
    #expect(recorder.errors == "3 steps, 2 states\n")
    let interrupted = try prompt.start(["record", "main"])
    #expect(try interrupted.waitForOutput("the first line") { $0.contains("\n") })
    interrupted.signal(SIGINT)
    #expect(try interrupted.waitForExit() == 0)
    // A name that nobody opened leaves no file behind, and a place where none can be is told.
    #expect(try prompt("record mian --output \(prompt.folder("mian.jsonl"))").status == 1)
    #expect(!TestFiles.exists(prompt.folder("mian.jsonl")))
    #expect(
      try prompt("record main -o \(prompt.folder("no/such/folder"))").errors.hasSuffix(
        "/no/such/folder: No such file or directory\n"))
    #expect(try JSON(prompt.done("record main --json --for 0 -o \(file)"))["steps"].int == 0)
  }

  @Test func scriptsCanBeReplayed() throws {
    let prompt = try Prompt(daemon: false)
    let first = try prompt("replay \(Repository.scroll)")
    #expect(first.status == 0 && first.errors == "465 events, 175 states\n" && lines(first.output).count == 176)
    #expect(try prompt("replay \(Repository.scroll) --json").output == first.output)
    // An event that no recording says was refused.
    let refused = try prompt.folder.write(
      lines(Repository.read(Repository.scroll))[0] + "\n" + #"{"event":"call","time":1,"name":"jump"}"# + "\n",
      to: "refused.jsonl")
    let end = try prompt("replay \(refused) --json")
    #expect(
      end.status == 1
        && end.errors.contains("headerctl: \(refused):2: no delegate of header \"demo\" knows the call \"jump\""))
    #expect(try JSON(lines(end.output)[1])["error"]["data"]["name"].string == "callFailed")
  }

  /// Recordings of the original libraries are for the conformance runner; every command says so.
  @Test func recordingsOfOriginalsAreRefused() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let trace = "\(Repository.root)/Tests/Conformance/Traces/shy-nav-bar/01-default-no-extension-slow-drag.json"
    let words =
      "format: expected \"header-recording/1\", got \"header-trace/1\": a recording of an original library, which "
      + "'make conformance TRACES=FOLDER' runs"
    for command in ["replay \(trace)", "verify \(trace)", "stream main \(trace)", "header open \(trace)"] {
      let end = try prompt(command)
      #expect(end.status == 1 && end.errors == "headerctl: \(trace):1: \(words)\n", "\(command): \(end.errors)")
    }
    // One that comes as a line on stdin.
    let end = try prompt("stream main", input: "{\"format\":\"header-trace/1\",\"steps\":[]}\n")
    #expect(end.status == 1 && end.errors.contains("headerctl: standard input:1: \(words)\n"), "\(end.errors)")
  }

  @Test func pluginsAreLookedForWhereOneSays() throws {
    let prompt = try Prompt(daemon: false, plugins: [])
    var end = try prompt("replay \(Repository.scroll)")
    #expect(
      end.status == 1
        && end.errors.contains("scroll.jsonl:1: delegates[0].behavior: no plugin offers behavior \"ShyNavBar\""))
    #expect(try prompt("replay \(Repository.scroll) --plugins \(TestFiles.build)").status == 0)
    // The first folder wins; why its file cannot be used is told.
    try prompt.folder.write("not a library", to: "libShyNavBar.so")
    end = try prompt("replay \(Repository.scroll) --plugins \(prompt.folder.path) --plugins \(TestFiles.build)")
    #expect(end.status == 1 && end.errors.contains("\(prompt.folder.path)/libShyNavBar.so"), "\(end.errors)")
  }

  /// The lines of a recording that does not say whether it is whole, as people write them and change them.
  private func withoutEnd(_ recording: String) -> [String] {
    lines(recording.replacingOccurrences(of: "\"ends\":true,", with: "")).dropLast()
  }

  private func changed(_ text: String, _ pattern: String, _ replacement: String) throws -> String {
    let range = try #require(text.range(of: pattern, options: .regularExpression), "\(pattern) in \(text.prefix(300))")
    return text.replacingCharacters(in: range, with: replacement)
  }
}

extension Repository {
  static func read(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
}
