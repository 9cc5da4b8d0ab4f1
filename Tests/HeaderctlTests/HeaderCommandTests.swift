// SPDX-License-Identifier: MIT
//
// status, ping and header …, at a prompt beside a real daemon.

import DaemonTestKit
import Foundation
import Testing

@Suite struct HeaderCommandTests {
  @Test func aSessionAtThePrompt() throws {
    let prompt = try Prompt()
    try prompt("status")
    try prompt("ping --count 2")
    try prompt("header list")
    try prompt(mainHeader)
    try prompt(mainHeader)
    try prompt("header open main")
    try prompt(
      "header open main --replace --behavior ShyNavBar --option expansionResistance=100 --drawer navBar:44 --frames events"
    )
    try prompt("header open side --viewport 320x480 --content 900 --drawer bar:30")
    try prompt("header list")
    try prompt("header list 's*'")
    try prompt("header list nothing")
    try prompt("header get main")
    try prompt("header get mian")
    try prompt(#"header configure main '{"environment":{"statusBarHeight":40}}'"#)
    try prompt("header configure main -", input: #"{"drawers":[{"name":"navBar","height":50}]}"#)
    try prompt(#"header configure main '{"drawers":[{"name":"navBar","height":"tall"}]}'"#)
    try prompt("header configure main '{}'")
    try prompt(#"header configure main '{"drawer":[],"frames":"events"}'"#)
    try prompt(#"header call main contract '{"animated":false}'"#)
    try prompt("header call main expand -", input: #"{"animated":false}"#)
    try prompt("header call main expnad")
    try prompt("header call main expand --delegate shyNavbar")
    try prompt("header call main attach")
    try prompt("header close side")
    try prompt("header close side")
    try prompt("header open wrong --behavior ShyNavbar")
    try prompt("header open wrong --behavior ShyNavBar --option expansionResistence=1")
    try prompt("header open wrong --behavior ShyNavBar --option disable=maybe")
    try prompt.expectGolden("session.txt")
  }

  @Test func aChainAtThePrompt() throws {
    let prompt = try Prompt()
    try prompt("header open main --drawer navBar:44 --frames events")
    try prompt("delegate list main")
    try prompt("delegate add main ShyNavBar --option expansionResistance=100")
    try prompt("delegate add main StretchyHeader")
    try prompt("delegate add main StretchyHeader --name under --option yields=true --at 0")
    try prompt("delegate list main")
    try prompt("delegate move main under 1")
    try prompt("delegate move main under 9")
    try prompt("delegate configure main shyNavBar --option expansionResistance=5 --option disable=true")
    try prompt("delegate configure main shyNavBar")
    try prompt("delegate configure main shyNavBar --option expansionResistance")
    try prompt("delegate configure main shyNavBar --option yields=true")
    try prompt("delegate list main --json")
    try prompt("delegate add main Stretchyheader")
    try prompt("delegate remove main shyNavbar")
    try prompt("delegate remove main shyNavBar")
    try prompt("delegate remove main under --json")
    try prompt("delegate list mian")
    try prompt.expectGolden("chain.txt")
  }

  @Test func anInterruptedPingHasBeenAnswered() throws {
    let prompt = try Prompt()
    let child = try prompt.start(["ping", "--count", "1000000000", "--json"])
    #expect(try child.waitForOutput("an answer") { $0.contains("\n") })
    child.signal(SIGINT)
    #expect(try child.waitForExit() == 0 && child.errors.isEmpty)
  }

  @Test func everythingAsJSON() throws {
    let prompt = try Prompt()
    #expect(try JSON(prompt.done("--json status"))["hello"]["protocol"].int == 1)
    let pings = try lines(prompt.done("ping --json --count 3")).map { try JSON($0) }
    #expect(pings.map { $0["ping"].int } == [1, 2, 3] && pings.allSatisfy { $0["microseconds"].double ?? -1 > 0 })
    #expect(try prompt.done("header list --json").isEmpty)
    #expect(try JSON(prompt.done("\(mainHeader) --json"))["created"].bool == true)
    let rows = try lines(prompt.done("header list --json")).map { try JSON($0) }
    #expect(rows.map { $0["header"].string } == ["main"])
    let got = try JSON(prompt.done("header get main --json"))
    #expect(got["state"]["drawers"].list.count == 2 && got["environment"]["statusBarHeight"].double == 20)
    #expect(got["description"]["header"].string == "main")
    #expect(try JSON(prompt.done(#"header configure main {"frameRate":30} --json"#))["seq"].int != nil)
    #expect(try JSON(prompt.done("header call main expand --json"))["returned"].isAbsent == false)
    #expect(try JSON(prompt.done("header close main --json")).keys.isEmpty)
    let refusal = try prompt("header close main --json")
    #expect(try JSON(refusal.output)["code"].int == -32001 && refusal.status == 1)
  }

  @Test func descriptionsFromFiles() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let description = try JSON(prompt.done("header get main --json"))["description"].description
    try prompt.done("header close main")
    let file = try prompt.folder.write(description, to: "main.json")
    // What header get shows can be opened again, from a file and from stdin.
    #expect(try prompt.done("header open \(file)") == "main opened, seq 1\n")
    #expect(try prompt.done("header open -", input: description) == "main was open, seq 1\n")
    #expect(try prompt.done("header open \(Repository.scroll)") == "demo opened, seq 1\n")
    for (text, message) in [
      ("[1]", ": expected a description, an object"), ("{\"header\":", ": column "),
      ("{}", "header: expected a header's name"),
    ] {
      let end = try prompt("header open \(try prompt.folder.write(text, to: "wrong.json"))")
      #expect(end.status == 1 && end.errors.contains(message), "\(end.errors)")
    }
    #expect(try prompt("header open nowhere.json").errors == "headerctl: nowhere.json: No such file or directory\n")
    // A file that is there is meant, unless options describe a header of that name; a folder is not.
    let plain = try prompt.folder.write(description, to: "plain")
    let folder = prompt.folder.path
    func there(_ arguments: [String]) throws -> ChildProcess {
      let program = "\(TestFiles.prefix)/bin/headerctl"
      let child = try ChildProcess(
        "/bin/sh", ["-c", #"cd "$0" && exec "$@""#, folder, program, "header", "open"] + arguments,
        environment: prompt.environment)
      _ = try child.waitForExit()
      return child
    }
    #expect(TestFiles.exists(plain))
    try prompt.done("header close main")
    #expect(try there(["plain"]).output == "main opened, seq 1\n")
    #expect(try there(["plain", "--drawer", "bar:44"]).output == "plain opened, seq 1\n")
    #expect(try there(["plugins"]).output == "plugins opened, seq 1\n")
  }

  private static let shop = """
    # Two headers, as headerd.toml(5) has them.
    [[header]]
    header = "shop"
    scrollViews.content = { viewport = { width = 375, height = 667 }, contentSize = { height = 3000 } }
    drawers = [{ name = "navBar", height = 44 }]

    [[header.delegates]]
    behavior = "ShyNavBar"
    options = { expansionResistance = 100 }

    [[header]]
    header = "side"
    scrollViews.content = { viewport = { width = 375, height = 667 } }
    """

  @Test func headersFromTOML() throws {
    let prompt = try Prompt()
    let file = try prompt.folder.write(Self.shop, to: "shop.toml")
    #expect(try prompt("header open \(file)").status == 2)
    #expect(try prompt("header open \(file) --header shp").status == 1)
    try prompt.done("header open \(file) --header shop")
    try prompt.done("header open - --header side", input: Self.shop)
    try prompt.done("header get side")
    let alone = Self.shop.split(separator: "\n\n")[0].split(separator: "\n").dropFirst(2).joined(separator: "\n")
    try prompt.done("header open \(try prompt.folder.write(alone, to: "alone.toml")) --replace")
    for (right, wrong) in [
      ("[[header]]", "[[header]"), ("height = 44", "height = \"tall\""), ("height = 44", "hight = 44"),
      ("ShyNavBar", "ShyNavbar"), ("expansionResistance = 100", "expansionResistence = 100"),
      ("expansionResistance = 100", "expansionResistance = true"), ("\"shop\"", "\"shop\"\nheigth = 1\nframes = 3"),
    ] {
      let text = Self.shop.replacingOccurrences(of: right, with: wrong)
      let end = try prompt("header open \(try prompt.folder.write(text, to: "wrong.toml")) --header shop --replace")
      #expect(end.status == 1 && end.errors.hasPrefix("headerctl: \(prompt.folder("wrong.toml")):"), "\(end.errors)")
    }
    // Of what is open with another description the daemon's sentence stands at the top of it.
    let other = Self.shop.replacingOccurrences(of: "44", with: "45")
    try prompt("header open \(try prompt.folder.write(other, to: "other.toml")) --header shop")
    try prompt("header open \(file) --json")
    try prompt("header open \(try prompt.folder.write("threads = 1", to: "none.toml"))")
    try prompt.expectGolden("toml.txt")
  }
}
