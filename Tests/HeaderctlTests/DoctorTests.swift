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
    try prompt.expectGolden("doctor.txt")
  }

  /// What the doctor says while somebody scrolls one of a header's scroll views; its exit status and its findings' names.
  private func listening(_ prompt: Prompt, scrolling view: String) throws -> (status: Int32, findings: [String]) {
    let doctor = try prompt.start(["doctor", "main", "--for", "1", "--json"])
    let client = try #require(prompt.daemon).client()
    var step = 0
    // Nothing tells when it begins to listen, so somebody scrolls until it has heard enough.
    while !doctor.hasEnded {
      step += 1
      let (time, offset) = (Double(step) / 60, -104 + 4 * (step % 40))
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
