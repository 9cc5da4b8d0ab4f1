// SPDX-License-Identifier: MIT
//
// Status 3: there is no daemon, or it goes away while somebody listens to it.

import DaemonTestKit
import Foundation
import Testing

@Suite struct NoDaemonTests {
  static let needsDaemon = [
    "status", "ping", "header list", "header open main --drawer navBar:44", "header close main", "header get main",
    "header configure main {}", "header call main expand", "stream main", "subscribe main", "watch main", "plugin list",
    "plugin info", "plugin load ShyNavBar", "plugin unload ShyNavBar", "plugin reload ShyNavBar", "record main",
    "doctor main", "demo", "bench-frames",
  ]

  @Test(arguments: needsDaemon) func isSaidByEveryCommandThatNeedsOne(_ line: String) throws {
    let prompt = try Prompt(daemon: false)
    var end = try prompt(line)
    #expect(end.status == 3 && end.output.isEmpty)
    let path = prompt.folder("headerd.sock")
    #expect(end.errors == "headerctl: no daemon at \(path): No such file or directory (start it with 'headerd')\n")
    end = try prompt("--json \(line)")
    #expect(end.status == 3)
    #expect(try JSON(end.output)["data"]["name"].string == "noDaemon")
  }

  /// Where it would be looked for is known without it.
  @Test func theSocketsPath() throws {
    let prompt = try Prompt(daemon: false)
    #expect(try prompt.done("socket") == "\(prompt.folder("headerd.sock"))\n")
    #expect(try prompt.done("socket --socket ./other") == "./other\n")
    let json = try JSON(prompt.done("socket --json"))
    #expect(json["socket"].string == prompt.folder("headerd.sock") && json["origin"].string == "environment")
    let user = try runProgram("headerctl", ["socket", "--json"], environment: ["XDG_RUNTIME_DIR": "/run/user/7"])
    #expect(try JSON(user.output)["socket"].string == "/run/user/7/headerd/headerd.sock")
    #expect(try JSON(user.output)["origin"].string == "runtimeFolder")
  }

  @Test func placesWhereNoneCanBe() throws {
    let prompt = try Prompt(daemon: false)
    try prompt.folder.write("", to: "file")
    for path in [
      prompt.folder("file"), prompt.folder("file/below"), prompt.folder(String(repeating: "long", count: 30)),
    ] {
      #expect(try prompt("--socket \(path) status").status == 3)
    }
    try prompt.expectGolden("no-daemon.txt")
    let end = try prompt("--json --socket \(prompt.folder(String(repeating: "long", count: 30))) status")
    #expect(try JSON(end.output)["data"]["name"].string == "pathTooLong")
  }

  @Test func aStaleSocketIsNoDaemon() throws {
    let daemon = try RunningDaemon(plugins: [])
    try daemon.kill()
    #expect(TestFiles.exists(daemon.socket))
    let end = try runProgram("headerctl", ["--socket", daemon.socket, "status"])
    #expect(end.status == 3 && end.errors.contains("Connection refused"))
  }

  @Test func theOptionStandsAboveTheVariable() throws {
    let prompt = try Prompt()
    let daemon = try #require(prompt.daemon)
    let end = try runProgram(
      "headerctl", ["status", "--socket", daemon.socket], environment: ["HEADERD_SOCKET": prompt.folder("none")])
    #expect(end.status == 0 && end.output.contains(daemon.socket))
  }

  @Test(arguments: [SIGTERM, SIGKILL]) func whoListensHearsThatItEnds(_ signal: Int32) throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let child = try prompt.start(["--json", "subscribe", "main"])
    #expect(try child.waitForOutput("a snapshot") { $0.contains("\"snapshot\":true") })
    let daemon = try #require(prompt.daemon)
    if signal == SIGKILL { try daemon.kill() } else { daemon.process.signal(signal) }
    #expect(try child.waitForExit() == 3)
    if signal == SIGTERM { #expect(try daemon.process.waitForExit() == 0) }
    #expect(try JSON(try #require(lines(child.output).last))["data"]["name"].string == "connectionLost")
    let reason = signal == SIGKILL ? "without a word" : ": draining"
    #expect(
      child.errors.hasPrefix("headerctl: the daemon ended the connection") && child.errors.contains(reason),
      "\(child.errors)")
  }
}
