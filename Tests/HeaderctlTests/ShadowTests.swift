// SPDX-License-Identifier: MIT
//
// A shadow: the same header with something else in its chain, on the same events without effect. What differs is counted, shown,
// and can be promoted.

import DaemonTestKit
import Foundation
import Testing

@Suite struct ShadowTests {
  private func counts(_ prompt: Prompt) throws -> JSON {
    try JSON(prompt.done("delegate shadow main shyNavBar --json"))["shadow"]
  }

  @Test func otherOptionsAreTriedAndPromoted() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    #expect(try prompt.done("delegate shadow main shyNavBar") == "no shadow\n")
    let subscriber = try prompt.start(["subscribe", "main"])
    #expect(try subscriber.waitForOutput("a snapshot") { $0.contains("\n") })
    try prompt.done("delegate shadow main shyNavBar --option contractionResistance=1000")
    #expect(try counts(prompt)["events"].int == 0)
    try prompt.done("stream main --fast", input: drag(20))
    let seen = try counts(prompt)
    #expect(seen["events"].int == 21 && (seen["differences"].int ?? 0) > 10 && (seen["largest"].double ?? 0) > 40)
    #expect(seen["latest"]["what"].string == "drawers")
    #expect((seen["latest"]["shadowEdge"].double ?? 0) > (seen["latest"]["edge"].double ?? 0))
    let row = try JSON(prompt.done("top --once --json --interval 0.05"))["headers"][0]
    #expect(row["shadow"]["differences"].int == seen["differences"].int)
    #expect(try prompt.done("top --once --interval 0.05").contains("\(seen["differences"].int ?? 0) of 21"))
    // The header did what it does without one: a second header that has none is as it is.
    try prompt.done(mainHeader.replacingOccurrences(of: "open main", with: "open alone"))
    try prompt.done("stream alone --fast", input: drag(20))
    func drawers(_ name: String) throws -> String {
      try JSON(prompt.done("header get \(name) --json"))["state"]["drawers"].description
    }
    #expect(try drawers("main") == drawers("alone"))
    // Promoted, the header is what its shadow was.
    #expect(try prompt.done("delegate promote main shyNavBar").contains("is what its shadow was"))
    let options = try JSON(prompt.done("header get main --json"))["description"]["delegates"][0]["options"]
    #expect(options["contractionResistance"].int == 1000)
    #expect(try prompt.done("delegate shadow main shyNavBar") == "no shadow\n")
    let again = try prompt("delegate promote main shyNavBar")
    #expect(again.status == 1 && again.errors.contains("has no shadow"))
    subscriber.signal(SIGINT)
    #expect(try subscriber.waitForExit() == 0)
  }

  /// What is the same has no difference, over drags, calls, changes of structure and a reload.
  @Test func theSameOptionsDifferNowhere() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    try prompt.done("stream main --fast", input: drag(7))
    try prompt.done("delegate shadow main shyNavBar --option contractionResistance=0")
    try prompt.done("stream main --fast", input: drag(30, from: 2))
    try prompt.done("header call main expand {\"animated\":true}")
    try prompt.done(#"header configure main {"environment":{"statusBarHeight":40}}"#)
    try prompt.daemon?.rebuild("ShyNavBar")
    try prompt.done("plugin reload ShyNavBar")
    try prompt.done("stream main --fast", input: drag(30, from: 4))
    let seen = try counts(prompt)
    #expect((seen["events"].int ?? 0) > 60 && seen["differences"].int == 0 && seen["failure"].isAbsent, "\(seen)")
    #expect(try prompt.done("delegate shadow main shyNavBar --end") == "no shadow\n")
  }

  @Test func anotherBehaviorIsTriedAndPromoted() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    try prompt.done("delegate shadow main shyNavBar --behavior StretchyHeader")
    try prompt.done("stream main --fast", input: drag(10))
    #expect((try counts(prompt)["differences"].int ?? 0) > 0)
    try prompt.done("delegate promote main shyNavBar")
    #expect(try prompt.done("delegate list main").contains("StretchyHeader"))
    // What cannot be is refused, and nothing changes.
    for wrong in ["--behavior Nothing", "--option expansionResistance=much", "--option headerHeight=5 --end"] {
      #expect(try prompt("delegate shadow main shyNavBar \(wrong)").status == 1, "\(wrong)")
    }
    #expect(try prompt.done("delegate shadow main shyNavBar") == "no shadow\n")
  }
}
