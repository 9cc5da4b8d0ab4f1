// SPDX-License-Identifier: MIT
//
// top, tap, dump, plot, replay --step: what a daemon does and a header did, for people and programs.

import DaemonTestKit
import Foundation
import Testing

@Suite struct WatchingTests {
  /// A scroll that goes on while others look at it: three seconds of it.
  private func scrolling(_ prompt: Prompt, _ header: String) throws -> ChildProcess {
    try prompt.start(["stream", header, try prompt.folder.write(drag(200), to: "\(header).events")])
  }

  @Test func topCountsWhatHappensBetweenTwoLooks() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let subscriber = try prompt.start(["subscribe", "main"])
    #expect(try subscriber.waitForOutput("the first state") { !lines($0).isEmpty })
    // It looks before the stream begins: the bar is gone after a third of a second.
    let top = try prompt.start(["top", "--json", "--interval", "0.5", "--count", "100"])
    #expect(try top.waitForOutput("a look") { !lines($0).isEmpty })
    let stream = try scrolling(prompt, "main")
    func moved(_ output: String) -> JSON? {
      lines(output).lazy.compactMap { try? JSON($0) }.first { ($0["headers"][0]["states"].double ?? 0) > 0 }
    }
    #expect(try top.waitForOutput("states") { moved($0) != nil })
    top.signal(SIGTERM)
    let report = try #require(moved(top.output))
    let row = report["headers"][0]
    #expect(row["header"].string == "main" && row["subscribers"].int == 1 && (row["events"].double ?? 0) > 0)
    #expect((report["events"].double ?? 0) > 0)
    #expect(report["plugins"].list.contains { $0["plugin"].string == "ShyNavBar" && ($0["calls"].double ?? 0) > 0 })
    let seen = report["subscribers"][0]
    #expect(seen["headers"].int == 1 && seen["slow"].bool == false && seen["subscriptions"].int == 1)
    #expect(try stream.waitForExit() == 0)
    let table = try prompt.done("top --once --interval 0.1")
    #expect(table.contains("HEADER") && table.contains("main") && table.contains("ShyNavBar"))
    #expect(!table.contains("SLOW"))
  }

  @Test func topMarksWhoDoesNotRead() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let client = try #require(prompt.daemon).client()
    _ = try client.result("subscribe", #"{"headers":"main","mode":"every"}"#)
    // It reads nothing from here on, until the kernel takes no more.
    for second in 0..<8 { try prompt.done("stream main --fast", input: drag(100, from: Double(2 * second + 1))) }
    let report = try JSON(lines(prompt.done("top --json --interval 1.2 --count 2"))[1])
    let slow = report["subscribers"].list.filter { $0["slow"].bool == true }
    #expect(slow.count == 1 && (slow.first?["age"].double ?? 0) > 1)
    #expect(try prompt.done("top --once --interval 0.05").contains("SLOW"))
  }

  @Test func tapPrintsEventsOfOthers() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let tap = try prompt.start(["tap", "**", "--count", "4", "--event", "didScroll", "--changes"])
    let stream = try scrolling(prompt, "main")
    #expect(try tap.waitForExit() == 0)
    let steps = try lines(tap.output).map { try JSON($0) }
    #expect(steps.count == 4)
    #expect(
      steps.allSatisfy {
        $0["header"].string == "main" && $0["event"].string == "didScroll" && $0["state"]["seq"].int != nil
      })
    #expect(try stream.waitForExit() == 0)
    // One that opens meanwhile is heard, too, until it closes.
    let other = try prompt.start(["tap", "other*", "--no-states"])
    try prompt.done(mainHeader.replacingOccurrences(of: "open main", with: "open other"))
    let second = try scrolling(prompt, "other")
    #expect(try other.waitForOutput("a step") { $0.contains(#""event":"didScroll""#) })
    try prompt.done("header close other")
    #expect(try other.waitForOutput("the end") { $0.contains(#""ended":"closed""#) })
    #expect(!other.output.contains(#""state""#) && !other.output.contains(#""main""#))
    other.signal(SIGINT)
    #expect(try other.waitForExit() == 0)
    _ = try second.waitForExit()
  }

  @Test func dumpHasTheWholeDaemon() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    try prompt.done("stream main --fast", input: drag(5))
    let dump = try JSON(prompt.done("dump"))
    #expect(dump["format"].string == "headerd-dump/1" && dump["hello"]["protocol"].int == 1)
    #expect(dump["plugins"].list.contains { $0["plugin"].string == "ShyNavBar" })
    let header = dump["headers"][0]
    #expect(header["header"].string == "main" && header["state"]["drawers"].list.count == 2)
    #expect(header["saved"]["delegates"].list.count == 1 && dump["stats"]["headerRows"].list.count == 1)
    #expect(try JSON(prompt.done("dump nothing.*"))["headers"].list.isEmpty)
  }

  /// A recording of a drag, as a script.
  private func script(_ prompt: Prompt) throws -> String {
    let description = """
      {"format":"header-recording/1","description":{"header":"main","viewport":{"width":375,"height":667},\
      "drawers":[{"name":"navBar","height":44}],\
      "scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"width":375,"height":4000},\
      "contentInset":{"top":64}}},"environment":{"statusBarHeight":20,"clockSecondOfMinute":0},\
      "delegates":[{"behavior":"ShyNavBar"}]}}
      """
    let events = drag(20).replacingOccurrences(of: "-104", with: "-64")
    return try prompt.folder.write(description + "\n" + events, to: "a & b.jsonl")
  }

  @Test func plotDrawsTheSamePictureEachTime() throws {
    let prompt = try Prompt(daemon: false)
    let file = try script(prompt)
    let end = try runProgram("headerctl", ["plot", file], environment: prompt.environment)
    #expect(end.status == 0, "\(end.errors)")
    #expect(
      end.output.hasPrefix("<svg xmlns=") && end.output.contains(">navBar<") && end.output.contains("offset (pt)"))
    #expect(end.output.hasSuffix("</svg>\n") && end.output.contains("<title>main</title>"))
    let svg = prompt.folder("x.svg")
    #expect(try runProgram("headerctl", ["plot", file, "-o", svg], environment: prompt.environment).status == 0)
    #expect(try String(contentsOfFile: svg, encoding: .utf8) == end.output)
    let png = prompt.folder("x.png")
    // Without the program that makes it the error names what is missing.
    let without = prompt.environment.merging(["PATH": prompt.folder.path]) { $1 }
    let refused = try runProgram("headerctl", ["plot", file, "-o", png], environment: without)
    #expect(refused.status == 1 && refused.errors.contains("librsvg2-bin"))
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
    guard
      path.split(separator: ":").contains(where: { FileManager.default.isExecutableFile(atPath: "\($0)/rsvg-convert") })
    else { return }
    let with = prompt.environment.merging(["PATH": path]) { $1 }
    let drawn = try runProgram("headerctl", ["plot", file, "-o", png], environment: with)
    #expect(drawn.status == 0, "\(drawn.errors)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: png))
    #expect(bytes.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]) && bytes.count > 1_000)
  }

  @Test func replayGoesStepByStepAndBack() throws {
    let prompt = try Prompt(daemon: false)
    let file = try script(prompt)
    let input = try prompt.folder.write("\nn 2\nb\nc\ng 21\nn\ng 0\nnonsense\nq\n", to: "commands")
    let end = try runProgram(
      "headerctl", ["replay", "--step", "--json", file], environment: prompt.environment, input: .file(input))
    #expect(end.status == 0 && end.errors.contains("expected Enter"))
    let places = try lines(end.output).map { try JSON($0) }
    #expect(places.compactMap { $0["step"].int } == [0, 1, 3, 2, 3, 21, 21, 0])
    #expect(
      places[0]["state"].description == places[7]["state"].description
        && places[2]["state"].description == places[4]["state"].description)
    #expect(places[5]["event"]["event"].string == "didScroll" && places[0]["event"].string == nil)
    let text = try runProgram(
      "headerctl", ["replay", "--step", file], environment: prompt.environment, input: .file(input))
    #expect(
      text.output.contains("step 1 of 21: {\"event\":\"willBeginDragging\"") && text.output.contains("drawer navBar"))
  }
}
