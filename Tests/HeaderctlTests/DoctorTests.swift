// SPDX-License-Identifier: MIT
//
// doctor: each reason why nothing moves, and that of a header that moves.

import DaemonTestKit
import Foundation
import Testing

@Suite struct DoctorTests {
  @Test func findsWhatIsWrong() throws {
    let prompt = try Prompt()
    func doctor(_ name: String, sick: Bool = true) throws {
      #expect(try prompt("doctor \(name) --for 0").status == (sick ? 1 : 0), "\(name)")
    }
    try prompt("header open empty")
    try doctor("empty")
    try prompt("header open fits --behavior ShyNavBar --drawer navBar:44 --content 300")
    try prompt("stream fits", input: #"{"event":"willBeginDragging"}"#)
    try doctor("fits")
    try prompt("header open off --behavior ShyNavBar --option disable=true --drawer navBar:44 --frames manual")
    try prompt("stream off", input: #"{"event":"didDisappear"}"#)
    try doctor("off")
    try prompt(
      "header open -",
      input: """
        {"header":"two","scrollViews":{"list":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000}},"side":{}},
        "trackingScrollView":null,"drawers":[{"name":"navBar","height":44}]}
        """)
    try doctor("two")
    try prompt(
      "header open -",
      input: """
        {"header":"flat","scrollViews":{"content":{"contentSize":{"height":4000},"forwardsEvents":false}},
        "drawers":[{"name":"navBar","height":44}],"delegates":[{"behavior":"ShyNavBar"}]}
        """)
    try doctor("flat")
    try prompt(mainHeader)
    try prompt("stream main --fast", input: drag(2))
    try doctor("main", sick: false)
    try prompt("plugin unload ShyNavBar --force")
    try doctor("main")
    try doctor("mian")
    #expect(try JSON(lines(prompt("doctor main --for 0 --json").output)[0])["name"].string == "bypassed")
    try prompt("delegate list main")
    try prompt.expectGolden("doctor.txt")
  }

  /// The findings of a header, by their names, and the exit status.
  private func findings(_ prompt: Prompt, _ name: String) throws -> (names: [String], all: [JSON], status: Int32) {
    let end = try prompt("doctor \(name) --for 0 --json")
    let all = try lines(end.output).map { try JSON($0) }
    return (try all.map { try #require($0["name"].string) }, all, end.status)
  }

  @Test func seesThatNothingCanMoveIt() throws {
    let prompt = try Prompt(plugins: ["ShyNavBar", "Keyframes"])
    try prompt.done("header open still --behavior Keyframes --drawer bar:44")
    let found = try findings(prompt, "still")
    #expect(found.status == 1)
    let finding = try #require(found.all.first { $0["name"].string == "nothingMoves" })
    #expect(finding["message"].string == "nothing can move it: none of its delegates (keyframes) moves a drawer")
    // What it advises helps.
    let advice = try #require(finding["advice"].string?.components(separatedBy: ": headerctl ").last)
    try prompt.done(advice)
    #expect(try !findings(prompt, "still").names.contains("nothingMoves"))
    // Behind one that was bypassed there is nobody either.
    try prompt.done("plugin unload ShyNavBar --force")
    #expect(try Set(["bypassed", "nothingMoves"]).isSubset(of: findings(prompt, "still").names))
  }

  /// Of a header that somebody holds, or that has no way to go, nobody is told that it moves.
  @Test func seesWhatHoldsIt() throws {
    let prompt = try Prompt(plugins: ["ShyNavBar", "CollapsingHeader"])
    try prompt.done(mainHeader)
    try prompt.done("stream main --fast", input: drag(2))
    try prompt.done("constrain main search 0.5..0.5 --lease 0")
    var found = try findings(prompt, "main")
    #expect(found.status == 1 && found.names.contains("held") && !found.names.contains("moves"))
    #expect(
      found.all.first { $0["name"].string == "held" }?["message"].string
        == "constraint \"search\" (headerctl) holds it at progress 0.5")
    try prompt.done("release main search")
    try prompt.done("constrain main search 0..0.5 --lease 0")
    found = try findings(prompt, "main")
    #expect(found.status == 0 && found.names.contains("bounded"))
    try prompt.done(#"header configure main '{"environment":{"voiceOverRunning":true}}'"#)
    #expect(try findings(prompt, "main").names.contains("heldShown"))
    try prompt.done(
      "header open pinned --behavior CollapsingHeader --option 'drawers=[{\"pin\":true}]' --drawer bar:44")
    found = try findings(prompt, "pinned")
    #expect(found.names.contains("noWay"), "\(found.names)")
  }

  @Test func seesThatNothingIsOffered() throws {
    let prompt = try Prompt(plugins: ["CollapsingHeader"])
    try prompt.done("header open main --behavior CollapsingHeader --option follows=block --drawer bar:100 --inset 100")
    let heard = try listening(prompt, scrolling: "content")
    #expect(heard.status == 1 && heard.findings.contains("noOffers") && !heard.findings.contains("moves"))
  }

  /// Of a header that follows movements, what it does not follow decides.
  @Test(arguments: [
    (#"contentMoves="none""#, "noOffers"), (#"contentMoves="none" --option takesOffers=false"#, "noMovements"),
    (#"contentMoves="none" --option bounce="noted""#, "moves"), (#"contentMoves="both""#, "moves"),
  ])
  func seesThatNoMovementIsFollowed(_ options: String, _ expected: String) throws {
    let prompt = try Prompt(plugins: ["CollapsingHeader"])
    try prompt.done(
      "header open main --behavior CollapsingHeader --option follows=movement --option \(options) --drawer bar:100 --inset 100"
    )
    let heard = try listening(prompt, scrolling: "content")
    let names = ["noOffers", "noMovements", "moves"]
    #expect(heard.findings.filter(names.contains) == [expected], "\(heard.findings)")
    #expect(heard.status == (expected == "noOffers" ? 1 : 0))
  }

  @Test func theInsetFollowsToAnotherScrollView() throws {
    let prompt = try Prompt()
    try prompt(
      "header open -",
      input: """
        {"header":"main","scrollViews":{"list":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000}},
        "side":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000}}},"trackingScrollView":"list",
        "drawers":[{"name":"navBar","height":44}],"delegates":[{"behavior":"ShyNavBar"}]}
        """)
    #expect(try !findings(prompt, "main").names.contains("wrongTail"))
    // Without a behavior, too, the engine takes the inset along to another scroll view.
    try prompt.done("delegate remove main shyNavBar")
    try prompt.done("stream main", input: #"{"event":"setTrackingScrollView","scrollView":"side"}"#)
    try prompt.done("delegate add main StretchyHeader")
    #expect(try !findings(prompt, "main").names.contains("wrongTail"))
  }

  @Test func seesThatABehaviorRests() throws {
    let prompt = try Prompt()
    try prompt.done(
      "header open main --behavior ShyNavBar --behavior StretchyHeader --option yields=true --drawer bar:44")
    let finding = try #require(findings(prompt, "main").all.first { $0["name"].string == "rests" })
    #expect(finding["problem"].bool == false)
    #expect(
      finding["message"].string
        == "delegate \"stretchyHeader\" moves nothing: it has the option yields, and the drawers that it needs belong to shyNavBar"
    )
    let advice = try #require(finding["advice"].string?.components(separatedBy: ": headerctl ").last)
    try prompt.done(advice)
    #expect(try !findings(prompt, "main").names.contains("rests"))
  }

  /// What it advises where nobody publishes works as it stands, in a shell that finds headerctl.
  @Test func adviceWorksAsItStands() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    try prompt.done("stream main", input: #"{"event":"didDisappear"}"#)
    func follow(_ name: String) throws {
      let finding = try #require(findings(prompt, "main").all.first { $0["name"].string == name })
      let advice = try #require(finding["advice"].string)
      let command = try #require(advice.range(of: ": ")).upperBound
      let child = try ChildProcess(
        "/bin/sh", ["-c", String(advice[command...])],
        environment: prompt.environment.merging(["PATH": "\(TestFiles.build):/usr/bin:/bin"]) { $1 })
      #expect(try child.waitForExit() == 0, "\(advice): \(child.errors)")
      #expect(try !findings(prompt, "main").names.contains(name))
    }
    try follow("notVisible")
    try prompt.done("delegate configure main shyNavBar --option disable=true")
    try follow("disabled")
    try prompt.done("header close main")
    try prompt.done(mainHeader)
    try follow("noEvents")
    // Nothing of it is a place in the sources.
    #expect(try !prompt("doctor main --for 0").output.contains("config/"))
  }

  /// What the doctor says while somebody scrolls one of a header's scroll views; its exit status and its findings' names.
  private func listening(
    _ prompt: Prompt, scrolling view: String, by offset: (Int) -> Int = { -104 + 4 * ($0 % 40) }
  ) throws -> (status: Int32, findings: [String]) {
    let doctor = try prompt.start(["doctor", "main", "--for", "1", "--json"])
    let client = try #require(prompt.daemon).client()
    var step = 0
    // Nothing tells when it begins to listen, so somebody scrolls until it has heard enough.
    while !doctor.hasEnded {
      step += 1
      let (time, offset) = (Double(step) / 60, offset(step))
      _ = try client.result(
        "event",
        #"{"header":"main","event":"didScroll","time":\#(time),"scrollView":"\#(view)","offset":{"y":\#(offset)}}"#)
    }
    let status = try doctor.waitForExit()
    return (status, try lines(doctor.output).map { try #require(try JSON($0)["name"].string) })
  }

  @Test func listensToWhatComes() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let heard = try listening(prompt, scrolling: "content")
    #expect(heard.status == 0)
    #expect(heard.findings.contains("moves"))
  }

  @Test func tellsThatNothingMoreCanBeRecorded() throws {
    let prompt = try Prompt(config: "[limits]\ntraces = 1\n")
    try prompt.done(mainHeader)
    let client = try #require(prompt.daemon).client()
    _ = try client.result("trace.start", #"{"header":"main"}"#)
    let heard = try prompt("doctor main --for 0.1")
    #expect(heard.status == 1)
    #expect(heard.output.contains("begins no further recording"), "\(heard.output)")
    #expect(heard.output.contains("raise limits.traces"), "\(heard.output)")
  }

  @Test func hearsThatItOscillates() throws {
    let prompt = try Prompt()
    try prompt.done(
      "header open main --behavior ShyNavBar --option expansionResistance=0 --drawer navBar:44 --content 4000")
    let calm = try listening(prompt, scrolling: "content") { 200 + 2 * $0 }
    #expect(!calm.findings.contains("oscillates"))
    let heard = try listening(prompt, scrolling: "content") { 200 + 8 * ($0 % 2) }
    #expect(heard.status == 1)
    #expect(heard.findings.contains("oscillates"))
  }

  @Test func hearsThatAnotherScrollViewMoves() throws {
    let prompt = try Prompt()
    try prompt(
      "header open -",
      input: """
        {"header":"main","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000}},
        "side":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000}}},"trackingScrollView":"content",
        "drawers":[{"name":"navBar","height":44}],"delegates":[{"behavior":"ShyNavBar"}]}
        """)
    let heard = try listening(prompt, scrolling: "side")
    #expect(heard.status == 1)
    #expect(heard.findings.contains("otherScrollView"))
  }
}
