// SPDX-License-Identifier: MIT
//
// plugin …: what plugins say about themselves, with a daemon and without, and how they come and go.

import DaemonTestKit
import Foundation
import Testing

@Suite struct PluginTests {
  @Test func aSessionAtThePrompt() throws {
    let prompt = try Prompt()
    try prompt("plugin list")
    try prompt("plugin list --offline")
    try prompt("plugin info ShyNavBar")
    try prompt("plugin info shyNavBar")
    try prompt(mainHeader)
    try prompt("plugin reload ShyNavBar")
    try prompt.daemon?.rebuild("ShyNavBar")
    try prompt("plugin reload ShyNavBar")
    try prompt("plugin reload ShyNavbar")
    try prompt("plugin unload ShyNavBar")
    try prompt("plugin unload ShyNavBar --force")
    try prompt("plugin unload ShyNavBar")
    try prompt("plugin load ShyNavBar")
    try prompt("plugin reload StretchyHeader")
    try prompt("plugin unload StretchyHeader")
    try prompt("plugin load Nothing")
    try prompt("plugin load ../ShyNavBar")
    try prompt.expectGolden("plugins.txt")
  }

  @Test func withoutADaemonItSaysTheSame() throws {
    let prompt = try Prompt()
    let online = try lines(prompt.done("plugin info --json")).map { try JSON($0) }
    let offline = try lines(prompt.done("plugin info --json --offline")).map { try JSON($0) }
    #expect(offline.compactMap { $0["plugin"].string } == ["ShyNavBar", "StretchyHeader"])
    for (one, other) in zip(online, offline) {
      #expect(one["behaviors"].description == other["behaviors"].description)
      #expect(one["path"].string == other["path"].string && one["abi"].string == other["abi"].string)
    }
    let text = try prompt.done("plugin info ShyNavBar")
    #expect(try prompt.done("plugin info ShyNavBar --offline") == text)
  }

  @Test func whatIsNewIsWrittenOnceAndNeverOver() throws {
    let prompt = try Prompt(daemon: false, plugins: [])
    let folder = prompt.folder("away")
    let made = try JSON(prompt.done("plugin new SlideAway --language c --into \(folder) --json"))
    #expect(made["language"].string == "c" && !made["files"].strings.isEmpty)
    for file in made["files"].strings { #expect(TestFiles.exists("\(folder)/\(file)"), "\(file)") }
    let again = try prompt("plugin new SlideAway --into \(folder)")
    #expect(again.status == 1 && again.errors.hasPrefix("headerctl: \(folder) is there and not empty"))
  }

  @Test func changesAsJSON() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    try prompt.daemon?.rebuild("ShyNavBar")
    #expect(try JSON(prompt.done("plugin reload ShyNavBar --json"))["headers"][0]["header"].string == "main")
    #expect(try JSON(prompt("plugin unload ShyNavBar --json").output)["data"]["headers"].strings == ["main"])
    #expect(try JSON(prompt.done("plugin unload ShyNavBar --force --json"))["headers"].strings == ["main"])
    #expect(try JSON(prompt.done("plugin load ShyNavBar --json"))["plugin"].string == "ShyNavBar")
    #expect(try JSON(prompt("plugin info Nothing --json").output)["data"]["name"].string == "pluginNotFound")
  }
}
