// SPDX-License-Identifier: MIT
//
// What is drawn on a terminal, what comes where there is none, and what becomes of output that nobody reads.

import DaemonTestKit
import Foundation
import Testing

@Suite struct TerminalTests {
  static let hideCursor = "\u{1B}[?25l"
  static let showCursor = "\u{1B}[?25h"
  static let screen = ChildInput.terminal(columns: 72, rows: 24)

  @Test func watchDrawsInPlaceUntilTheHeaderIsClosed() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let child = try prompt.start(["watch", "main"], input: Self.screen)
    #expect(try child.waitForOutput("a drawing") { $0.contains("navBar 44") && $0.contains("Ctrl-C ends") })
    try prompt.done("stream main", input: drag(20))
    #expect(try child.waitForOutput("the last state") { $0.contains("offset         -24") })
    try prompt.done("header close main")
    #expect(try child.waitForExit() == 0)
    // The terminal makes both of one.
    let output = child.output.replacingOccurrences(of: "\r\n", with: "\n")
    #expect(output.hasPrefix(Self.hideCursor) && output.hasSuffix(Self.showCursor))
    // Every frame but the first goes up by as many lines as there are, so that what stood above stays.
    let frames = output.components(separatedBy: "\r\u{1B}[")
    let height = frames[0].components(separatedBy: "\n").count - 1
    #expect(height <= 24 && frames.count > 1)
    #expect(frames.dropFirst().allSatisfy { $0.hasPrefix("\(height)A") })
    for frame in Self.frames(output) { #expect(frame.allSatisfy { $0.count <= 72 }) }
    let last = try #require(Self.frames(output).last).joined(separator: "\n")
    #expect(last.contains("main  seq 21") && last.contains("navBar         y -20"), "\(last)")
  }

  @Test func ctrlCGivesTheTerminalBack() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let child = try prompt.start(["watch", "main"], input: Self.screen)
    #expect(try child.waitForOutput("a drawing") { $0.contains("Ctrl-C ends") })
    try child.write("\u{03}")
    #expect(try child.waitForExit() == 0)
    #expect(child.output.hasSuffix(Self.showCursor) && child.errors.isEmpty)
  }

  @Test func aDaemonThatGoesAwayGivesTheTerminalBackToo() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let child = try prompt.start(["watch", "main"], input: Self.screen)
    #expect(try child.waitForOutput("a drawing") { $0.contains("Ctrl-C ends") })
    try #require(prompt.daemon).kill()
    #expect(try child.waitForExit() == 3)
    #expect(child.output.hasSuffix(Self.showCursor))
  }

  @Test func watchPrintsStatesWhereThereIsNoTerminal() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    for arguments in [["watch", "main"], ["watch", "main", "--json"]] {
      // Asked for JSON, a terminal gets JSON too.
      let child = try prompt.start(arguments, input: arguments.count > 2 ? Self.screen : .none)
      #expect(try child.waitForOutput("a snapshot") { $0.contains("\n") })
      child.signal(SIGTERM)
      #expect(try child.waitForExit() == 0)
      #expect(try JSON(child.output)["snapshot"].bool == true)
    }
    let end = try prompt("watch mian")
    #expect(end.status == 1 && end.errors.hasSuffix("(did you mean \"main\"?)\n"))
    #expect(try lines(prompt.done("watch main --count 1")).count == 1)
  }

  /// The bar from 20 to 64 begins at 16 on a coarse grid.
  @Test(arguments: ["watch", "subscribe"]) func lengthsAreOnTheGrid(_ command: String) throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let state = try JSON(try #require(lines(prompt.done("\(command) main --grid 16 --count 1")).first))
    let frame = state["drawers"][0]["frame"]
    #expect(frame["y"].double == 16 && frame["height"].double == 48, "\(state.text)")
    #expect(try prompt("\(command) main --grid 17").status == 2)
  }

  /// Beside each state stands what the one before said of it.
  @Test func watchTellsWhatWasForeseen() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let (drawn, printed) = (
      try prompt.start(["watch", "main", "--predict"], input: .terminal(columns: 72, rows: 28)),
      try prompt.start(["watch", "main", "--predict", "--json"])
    )
    for child in [drawn, printed] { #expect(try child.waitForOutput("a snapshot") { $0.contains("navBar") }) }
    try prompt.done("stream main", input: #"{"event":"willBeginDragging","time":1}"#)
    for child in [drawn, printed] {
      #expect(
        try child.waitForOutput("what follows a finger") { $0.contains("time 1 s") || $0.contains("\"time\":1,") })
    }
    try prompt.done("stream main", input: drag(4).components(separatedBy: "\n").dropFirst().joined(separator: "\n"))
    #expect(try printed.waitForOutput("the scrolls") { $0.contains("\"seq\":5") })
    // What a call does no state says.
    try prompt.done("header call main expand")
    #expect(try printed.waitForOutput("the call") { $0.contains("\"seq\":6") })
    try prompt.done("header close main")
    #expect(try drawn.waitForExit() == 0 && printed.waitForExit() == 0)
    let judged = try lines(printed.output).map { try JSON($0) }.filter { $0["error"].double != nil }
    #expect(judged.map { $0["state"]["seq"].int } == [2, 3, 4, 5, 6], "\(printed.output)")
    for one in judged {
      let (foreseen, decided) = (
        one["predicted"]["drawers"][1]["frame"]["y"].double ?? .nan,
        one["state"]["drawers"][1]["frame"]["y"].double ?? .nan
      )
      let error = one["error"].double ?? .nan
      #expect(abs(foreseen - decided) <= error + 1e-6)
      #expect(one["state"]["seq"].int == 6 ? error > 1 : error <= 1e-6, "\(one.text)")
    }
    let last = try #require(Self.frames(drawn.output).last).joined(separator: "\n")
    #expect(last.contains("foreseen  ") && last.contains("at most 16 points"), "\(last)")
  }

  @Test func theDemoOnATerminalAndWithoutOne() throws {
    let prompt = try Prompt()
    let plain = try prompt("demo")
    #expect(plain.status == 0)
    let states = try lines(plain.output).map { try JSON($0) }
    #expect(states.dropLast().map { $0["seq"].int } == Array(1...176))
    #expect(states.last?["summary"]["events"].int == 465 && states.last?["summary"]["contracted"].int == 2)
    let child = try prompt.start(["demo", "--fast"], input: Self.screen)
    #expect(try child.waitForExit() == 0)
    let summary = child.output.components(separatedBy: Self.showCursor).last?.replacingOccurrences(of: "\r", with: "")
    #expect(summary == plain.errors, "the same words in both")
    #expect(
      plain.errors == """
        465 events, 175 states
        the header contracted twice, expanded twice and posted 6 notices
        its lower edge moved between 20 and 104 points and rests at 104

        """)
    // It takes its header with it, also when it is interrupted.
    let interrupted = try prompt.start(["demo"], input: Self.screen)
    #expect(try interrupted.waitForOutput("a drawing") { $0.contains("navBar") })
    try interrupted.write("\u{03}")
    #expect(try interrupted.waitForExit() == 0)
    #expect(interrupted.output.contains(Self.showCursor))
    #expect(try prompt("header list").errors == "headerctl: no headers\n")
  }

  @Test func framesAreMeasured() throws {
    let prompt = try Prompt()
    let result = try JSON(try prompt.done("bench-frames --speed 20 --json"))
    let scrolls = try #require(result["frames"].int)
    #expect(scrolls == 442)
    // Each frame in which the header moves by more than a point is behind, if it is drawn by the last state. How many are foreseen
    // wrongly, and by how much, depends on how late states come; nothing can be further away than the drawers are high together.
    let (last, predicted) = (result["lastState"], result["predicted"])
    #expect(try (101..<scrolls).contains(#require(last["apart"].int)), "\(result.text)")
    #expect(try (0..<scrolls).contains(#require(predicted["apart"].int)), "\(result.text)")
    for worst in [last["worst"].double, predicted["worst"].double] { #expect(try (0...84).contains(#require(worst))) }
    let delays = try ["p50", "p99", "max"].map { try #require(result["delay"][$0].double) }
    #expect(delays[0] > 0 && delays == delays.sorted(), "\(result.text)")
    let text = try prompt.done("bench-frames --speed 20")
    #expect(
      text.contains("the last state") && text.contains(" of 442 ") && text.contains("99 of 100 within"), "\(text)")
    #expect(try prompt("header list").errors == "headerctl: no headers\n")
    // Sidewards, with a second scroll view that is not followed.
    let content = #"{"axis":"horizontal","viewport":{"width":375,"height":667},"contentSize":{"width":4000}}"#
    let sidewards =
      #"{"format":"header-recording/1","description":{"header":"x","trackingScrollView":"content","#
      + #""scrollViews":{"content":\#(content),"other":{}},"drawers":[{"name":"bar","edge":"leading","height":44}],"#
      + #""delegates":[{"behavior":"ShyNavBar"}]}}"# + "\n" + drag(40).replacing("\"y\"", with: "\"x\"")
      + #"{"event":"didScroll","scrollView":"other","time":2,"offset":{"y":8}}"# + "\n"
    let across = try JSON(
      try prompt.done("bench-frames --speed 20 --json \(prompt.folder.write(sidewards, to: "x.jsonl"))"))
    #expect(across["frames"].int == 40 && across["lastState"]["worst"].double ?? 0 >= 4, "\(across.text)")
    let empty = try prompt.folder.write(
      #"{"format":"header-recording/1","description":{"header":"x","drawers":[{"name":"bar","height":44}]}}"# + "\n",
      to: "empty.jsonl")
    let refused = try prompt("bench-frames \(empty)")
    #expect(refused.status == 1 && refused.errors.contains("no didScroll whose state came"), "\(refused.errors)")
  }

  @Test func theDemoNeedsADescription() throws {
    let prompt = try Prompt()
    let end = try prompt("demo \(try prompt.folder.write(drag(2), to: "events.jsonl"))")
    #expect(
      end.status == 1 && end.errors.hasSuffix("events.jsonl:1: a recording with a description is needed\n"),
      "\(end.errors)")
  }

  @Test func replayDrawsATimeline() throws {
    let prompt = try Prompt(daemon: false)
    let child = try prompt.start(["replay", Repository.scroll], input: Self.screen)
    #expect(try child.waitForExit() == 0)
    #expect(child.output.hasPrefix("A scroll by hand") && child.output.contains("465 events, 175 states"))
  }

  @Test func readersThatHaveEnoughEndItQuietly() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    // Nothing happens to the header: it is the reader that ends the wait.
    for arguments in [["subscribe", "main"], ["watch", "main"], ["record", "main"]] {
      let child = try prompt.start(arguments)
      #expect(try child.waitForOutput("a line") { $0.contains("\n") })
      child.closeOutput()
      #expect(try child.waitForExit() == 0, "\(arguments)")
      #expect(arguments[0] == "record" || child.errors.isEmpty, "\(child.errors)")
    }
    // Much is written at once.
    let child = try prompt.start(["replay", Repository.scroll])
    child.closeOutput()
    #expect(try child.waitForExit() == 0 && child.errors.isEmpty)
  }

  @Test func outputThatCannotBeWrittenIsAnError() throws {
    let prompt = try Prompt()
    for (redirection, reason) in [("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor")] {
      let child = try ChildProcess(
        "/bin/sh", ["-c", "exec \(TestFiles.build)/headerctl status \(redirection)"], environment: prompt.environment)
      #expect(try child.waitForExit() == 1)
      #expect(child.errors == "headerctl: stdout: \(reason)\n")
    }
  }

  /// The lines of each frame, without what moves the cursor.
  private static func frames(_ output: String) -> [[String]] {
    output.components(separatedBy: "\r\u{1B}[").map { frame in
      frame.replacingOccurrences(of: "\u{1B}\\[[?0-9]*[a-zA-Z]|^[0-9]+A|\r", with: "", options: .regularExpression)
        .components(separatedBy: "\n")
    }
  }
}
