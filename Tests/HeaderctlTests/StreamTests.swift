// SPDX-License-Identifier: MIT
//
// stream and subscribe: events in, states out.

import DaemonTestKit
import Foundation
import Testing

@Suite struct StreamTests {
  @Test func aRecordingAndWhatSubscribersSee() throws {
    let prompt = try Prompt()
    try prompt.done("header open \(Repository.scroll)")
    let child = try prompt.start(["subscribe", "demo", "--json"])
    #expect(try child.waitForOutput("a snapshot") { $0.contains("\n") })
    #expect(try prompt.done("stream demo \(Repository.scroll) --fast") == "465 events, 175 states\n")
    try prompt.done("header close demo")
    #expect(try child.waitForOutput("the end") { $0.contains("\"closed\"") })
    child.signal(SIGINT)
    #expect(try child.waitForExit() == 0)
    let states = try lines(child.output).map { try JSON($0) }
    #expect(states.dropLast().map { $0["seq"].int } == Array(1...176))
    #expect(states[0]["snapshot"].bool == true && states[1]["snapshot"].isAbsent)
    #expect(states.last?["closed"]["reason"].string == "closed")
  }

  @Test func wrongEventsAreToldWithTheirLines() throws {
    let prompt = try Prompt()
    try prompt.done("header open main --behavior ShyNavBar --drawer navBar:44 --frames events")
    let events = """
      {"event":"didScroll","time":1,"offset":{"y":1}}

      junk
      {"event":"didScrol","time":1,"offset":{"y":2}}
      {"event":"didScroll","time":1,"offset":{"y":"2"}}
      {"event":"didScroll","time":1.5,"offset":{"y":3},"ofset":1}
      {"event":"didScroll","time":1.25,"offset":{"y":4}}
      []
      {"offset":{"y":5}}
      {"event":"didScroll","time":2,"offset":{"y":6}}
      """
    #expect(try prompt("stream main --fast", input: events).status == 1)
    let answers = try lines(prompt("stream main --fast --json", input: events).output).map { try JSON($0) }
    #expect(answers.compactMap { $0["line"].int } == [3, 4, 5, 7, 8, 9] && answers.count { !$0["seq"].isAbsent } == 3)
    #expect(answers.last?["summary"]["events"].int == 9 && answers.last?["summary"]["refused"].int == 6)
    // A file's lines are sent as those of stdin.
    let file = try prompt.folder.write(events, to: "events.jsonl")
    #expect(try prompt("stream main \(file) --fast").status == 1)
    #expect(
      try JSON(lines(prompt("stream main \(file) --fast --json").output).last ?? "")["summary"]["events"].int == 9)
    try prompt("stream nobody", input: events)
    try prompt("stream main nowhere.jsonl")
    try prompt("stream main \(try prompt.folder.write("{\"format\":\"other/1\"}\n", to: "other.jsonl"))")
    try prompt("stream main \(try prompt.folder.write("{\"format\":\"other/1\"}\n\(events)", to: "other.jsonl"))")
    try prompt("stream main \(try prompt.folder.write("{\n\"header\": \"main\"\n}\n", to: "description.json"))")
    try prompt.expectGolden("stream.txt")
  }

  /// They wait for the answers to what stands before them. Many take no longer each than a few.
  @Test func manyWrongLinesAreTold() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let junk = String(repeating: "\njunk", count: 50_000)
    let end = try prompt("stream main --fast", input: #"{"event":"didScroll","time":1,"offset":{"y":-60}}"# + junk)
    #expect(end.status == 1 && lines(end.errors).count == 50_000)
    #expect(end.output.hasPrefix("50001 events, ") && end.output.hasSuffix(", 50000 refused\n"), "\(end.output)")
  }

  /// Errors begin with the source and the line, that of a file as well.
  @Test func theSourceStandsFirst() throws {
    let prompt = try Prompt()
    try prompt.done("header open main --behavior ShyNavBar --drawer navBar:44 --frames events")
    let wrong = #"{"event":"didScroll","time":1,"offset":{"y":"2"}}"#
    let input = try prompt("stream main", input: "\n\(wrong)\n")
    #expect(input.errors.hasPrefix("headerctl: standard input:2: offset.y: "), "\(input.errors)")
    let file = try prompt.folder.write("\(wrong)\n", to: "events.jsonl")
    let end = try prompt("stream main \(file)")
    #expect(end.errors.hasPrefix("headerctl: \(file):1: offset.y: "), "\(end.errors)")
    #expect(input.output == "1 event, 0 states, 1 refused\n" && end.output == input.output)
  }

  @Test func linesAreSentAsTheyComeAndAnswersComeAtOnce() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let child = try prompt.start(["stream", "main", "--json"], input: .written)
    // Half a line, its other half, and a last one without an end.
    try child.write(#"{"event":"willBeginDragging","#)
    try child.write("\"time\":1}\n")
    #expect(try child.waitForOutput("the first answer") { $0 == "{\"seq\":1}\n" })
    try child.write(#"{"event":"didScroll","time":1.25,"offset":{"y":-60}}"#)
    child.closeInput()
    #expect(try child.waitForExit() == 0)
    #expect(lines(child.output).last == #"{"summary":{"events":2,"states":1,"refused":0}}"#)
  }

  @Test func fastDoesNotWaitForTimes() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let year = 31_557_600
    let events =
      #"{"event":"didScroll","time":0,"offset":{"y":-100}}"# + "\n"
      + #"{"event":"didScroll","time":\#(year),"offset":{"y":-90}}"#
    #expect(try prompt.done("stream main --fast", input: events) == "2 events, 2 states\n")
  }

  @Test func anInterruptedStreamSaysHowFarItCame() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let events =
      #"{"event":"didScroll","time":0,"offset":{"y":-100}}"# + "\n"
      + #"{"event":"didScroll","time":1e6,"offset":{"y":-90}}"#
    let child = try prompt.start(
      ["stream", "main", "--json"], input: .file(try prompt.folder.write(events, to: "events")))
    #expect(try child.waitForOutput("an answer") { $0.contains("seq") })
    child.signal(SIGINT)
    #expect(try child.waitForExit() == 0)
    #expect(
      child.errors == "headerctl: interrupted\n"
        && child.output.hasSuffix("{\"summary\":{\"events\":1,\"states\":1,\"refused\":0}}\n"))
  }

  /// A second signal ends it at once. What a terminal needs then is not written to what is none.
  @Test func aSecondSignalWritesNothing() throws {
    let prompt = try Prompt()
    let child = try prompt.start(["subscribe", "main"])
    #expect(try child.waitForErrors(containing: "no header \"main\" yet"))
    // Both are there when it goes on, so that it cannot end in order between them.
    try child.halt()
    for signal in [SIGINT, SIGTERM, SIGCONT] { child.signal(signal) }
    #expect(try child.waitForExit() > 128)
    #expect(!child.errors.contains("\u{1B}") && child.output.isEmpty, "\(child.errors)")
  }

  @Test func subscribersEndWhenTheyHaveEnough() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    try prompt.done("header open side --drawer bar:30")
    #expect(try lines(prompt.done("subscribe main --count 1")).count == 1)
    #expect(
      try lines(prompt.done("subscribe '*' --count 2 --mode latest")).map { try JSON($0)["header"].string } == [
        "main", "side",
      ])
    #expect(try lines(prompt.done("subscribe main side --count 2")).count == 2)
    #expect(try prompt.done("subscribe nothing --for 0").isEmpty)
    let wrong = try prompt("subscribe 'a b'")
    #expect(wrong.status == 1 && wrong.errors.contains("GLOB: "), "\(wrong.errors)")
  }

  @Test func aNameThatNobodyHasIsWaitedFor() throws {
    let prompt = try Prompt()
    let missing = try prompt.start(["subscribe", "later", "some.*", "--count", "1"])
    #expect(try missing.waitForErrors(containing: "\n"))
    #expect(missing.errors == "headerctl: no header \"later\" yet; waiting for it\n")
    try prompt.done("header open later --drawer bar:30")
    #expect(try missing.waitForExit() == 0)
    #expect(try JSON(missing.output)["header"].string == "later")
    let there = try prompt("subscribe later nobody '*' --count 1")
    #expect(there.errors == "headerctl: no header \"nobody\" yet; waiting for it\n")
  }

  @Test func subscribersMayAskForMore() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let child = try prompt.start(["subscribe", "main", "--calls", "--routine", "--count", "2"])
    #expect(try child.waitForOutput("a snapshot") { $0.contains("\n") })
    try prompt.done("stream main", input: drag(1))
    #expect(try child.waitForExit() == 0)
    #expect(try JSON(lines(child.output)[1])["calls"].list.contains { $0["event"].string == "didScroll" })
  }

  @Test func subscribersMayGoOnWhereTheyWere() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    // The daemon keeps states from the first subscription on that may come back.
    let snapshot = try JSON(prompt.done("subscribe main --resumable --count 1"))
    try prompt.done("stream main", input: drag(4))
    let epoch = try #require(snapshot["epoch"].int)
    let later = try lines(prompt.done("subscribe main --resume-from main:\(epoch):2 --count 3")).map { try JSON($0) }
    #expect(later.map { $0["seq"].int } == [3, 4, 5] && later.allSatisfy { $0["snapshot"].isAbsent })
    // Of another life there is nothing: a gap is told and a snapshot comes.
    let other = try prompt("subscribe main --resume-from main:7:2 --count 1")
    #expect(other.errors == "headerctl: main: gap: newEpoch\n")
    #expect(try JSON(other.output)["snapshot"].bool == true)
  }

  @Test func subscribersMayAskForParts() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let state = try JSON(prompt.done("subscribe main --count 1 --fields drawers.navBar,values --max-rate 10"))
    #expect(state["drawers"].list.map { $0["name"].string } == ["navBar"])
    #expect(state["scrollViews"].isAbsent && state["values"]["isContracting"].bool == false)
    let wrong = try prompt("subscribe main --fields drawer.navBar")
    #expect(wrong.status == 1 && wrong.errors.hasSuffix("(did you mean \"drawers.navBar\"?)\n"), "\(wrong.errors)")
    #expect(try prompt("subscribe main --mode every --max-rate 10").status == 2)
  }

  @Test func whatIsNoEventInARecording() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let events = """
      {"event":"configure","time":1,"environment":{"statusBarHeight":40}}
      {"event":"reload","time":1,"delegate":"shyNavBar","plugin":"ShyNavBar"}
      {"event":"willBeginDragging"}
      """
    let end = try prompt("stream main", input: events)
    #expect(end.status == 0)
    #expect(
      end.errors == "headerctl: standard input:2: reload: left out, it concerns the plugin and not this header alone\n")
    #expect(try JSON(prompt.done("header get main --json"))["environment"]["statusBarHeight"].double == 40)
  }
}
