// SPDX-License-Identifier: MIT
//
// The programs together: the demo that `make run` shows, and a header recorded over the wire and verified without the
// daemon.

import DaemonTestKit
import Foundation
import HeaderTestKit
import Testing

@Suite struct ProgramTests {
  /// `make run` without a terminal: states as JSON Lines, a summary, the end by itself, exit status 0.
  @Test func theDemoRuns() throws {
    let folder = try TemporaryFolder()
    let demo = try ChildProcess(
      "\(Toolchain.sources)/config/demo/run", [TestFiles.build],
      environment: inherited.merging([
        "HEADERD_PLUGIN_PATH": TestFiles.build, "TMPDIR": folder.path, "XDG_CONFIG_HOME": folder("none"),
      ]) { $1 })
    #expect(try demo.waitForExit() == 0, "\(demo.errors)")
    let lines = try demo.output.split(separator: "\n").map { try JSON(String($0)) }
    let states = lines.dropLast()
    #expect(states.first?["snapshot"].bool == true)
    #expect(states.compactMap { $0["seq"].int } == Array(1...max(1, states.count)))
    #expect(Set(states.compactMap { $0["drawers"][0]["frame"]["y"].double }).count > 20)
    let summary = try #require(lines.last)["summary"]
    #expect(summary["refused"].int == 0)
    #expect(summary["states"].int == states.count - 1, "all but the snapshot came of its events")
    #expect((summary["contracted"].int ?? 0) > 0 && (summary["expanded"].int ?? 0) > 0, "\(summary)")
    // Nothing is left behind.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  /// A `headerctl record` under way.
  private struct Recorder {
    let process: ChildProcess
    let file: String

    /// Starts it, and waits until the daemon has told it what there is to record.
    init(_ daemon: RunningDaemon, _ client: WireClient) throws {
      let file = daemon.folder("main.headerrec")
      self.file = file
      process = try ChildProcess(
        "\(TestFiles.build)/headerctl", ["--socket", daemon.socket, "record", "main", "-o", file],
        environment: inherited.merging(["HEADERD_PLUGIN_PATH": daemon.plugins]) { $1 })
      try waitFor("\"description\"") { _ = try client.result("ping") }
    }

    var text: String { TestFiles.text(file) }

    func waitFor(_ words: String, meanwhile: () throws -> Void) throws {
      try eventually("\(words) in the recording") {
        if text.contains(words) { return true }
        try meanwhile()
        return false
      }
    }

    func verify(_ daemon: RunningDaemon, file: String? = nil) throws -> Finished {
      try runProgram("headerctl", ["verify", file ?? self.file], environment: ["HEADERD_PLUGIN_PATH": daemon.plugins])
    }
  }

  /// A recording made while two publishers, a call, a change of structure, of options, refusals and a reload happen
  /// verifies offline; with one number changed it does not.
  @Test func aRecordingMadeOverTheWireVerifies() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.client()
    _ = try client.result("header.open", Conversation.opening)
    _ = try client.result("event", LifeTests.scroll(0.5, -90))
    let recorder = try Recorder(daemon, client)
    let second = try daemon.client()
    var random = SplitMix64(seed: 11)
    var y = -90.0
    for step in 0..<200 {
      let time = 1 + Double(step) / 60
      y += Double.random(in: -20...22, using: &random)
      func event(_ fields: String) throws {
        _ = try client.result("event", #"{"header":"main","time":\#(time),\#(fields)}"#)
      }
      switch step {
      case 40: _ = try client.result("header.call", #"{"header":"main","name":"expand","arguments":{"animated":true}}"#)
      case 80: try configure(client, #""environment":{"statusBarHeight":40},"frameRate":30"#)
      case 90:
        try configure(
          client,
          #""drawers":[{"name":"navBar","height":44},{"name":"extension","height":60},{"name":"third","height":20}]"#)
      case 100: _ = try client.result("plugin.reload", #"{"plugin":"ShyNavBar"}"#)
      case 120: try event(#""event":"setOptions","options":{"fadeBehavior":"navbar","expansionResistance":30}"#)
      case 130: _ = try client.refusal("event", LifeTests.scroll(0, 0))
      case 131: _ = try client.refusal("header.call", #"{"header":"main","name":"fly"}"#)
      case 140: try event(#""event":"willBeginDragging""#)
      case 160: try event(#""event":"didEndDragging","willDecelerate":false"#)
      case 170:
        _ = try second.result("event", #"{"header":"main","event":"setContentOffset","time":77,"offset":{"y":300}}"#)
      default: try event(#""event":"didScroll","offset":{"y":\#(y)}"#)
      }
    }
    _ = try client.result("header.close", #"{"header":"main"}"#)
    #expect(try recorder.process.waitForExit() == 0, "\(recorder.process.errors)")
    let good = try recorder.verify(daemon)
    #expect(good.status == 0, "\(good.output)\(good.errors)")
    let text = recorder.text
    #expect(text.split(separator: "\n").count > 195)
    let last = try #require(text.range(of: "\"extension\",\"frame\":{\"x\":0,\"y\":", options: .backwards))
    let spoiled = try daemon.folder.write(text.replacingCharacters(in: last, with: "\(text[last])1"), to: "spoiled")
    #expect(try recorder.verify(daemon, file: spoiled).status == 1)
  }

  private func configure(_ client: WireClient, _ fields: String) throws {
    _ = try client.result("header.configure", #"{"header":"main",\#(fields)}"#)
  }

  /// With `frames` live the clock is one more input: what it made happen is in the recording, and verifies without it.
  @Test func aLiveHeaderVerifiesToo() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.client()
    let subscriber = try daemon.client()
    _ = try client.result("header.open", Conversation.opening.replacing(#""frames":"events","#, with: ""))
    _ = try subscriber.result("subscribe", #"{"headers":"main","mode":"every"}"#)
    let recorder = try Recorder(daemon, client)
    for step in 0..<3 {
      _ = try client.result("event", LifeTests.scroll(Double(step) / 100, Double(step) * 20 - 90))
    }
    // The snap takes 0.2 s by the daemon's clock; its end is told by a state that no event made.
    _ = try client.result("event", #"{"header":"main","event":"didEndDragging","time":0.03,"willDecelerate":false}"#)
    let end = try subscriber.notification("state") { $0["notices"][0]["name"].string?.hasPrefix("didFinish") == true }
    #expect(end["time"].double ?? 0 > 0.2)
    _ = try client.result("header.close", #"{"header":"main"}"#)
    #expect(try recorder.process.waitForExit() == 0, "\(recorder.process.errors)")
    let good = try recorder.verify(daemon)
    #expect(good.status == 0, "\(good.output)\(good.errors)")
    #expect(recorder.text.contains("didFinish"))
  }

  /// A recorder that is interrupted leaves a file that is whole.
  @Test func anInterruptedRecordingIsWhole() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.client()
    _ = try client.result("header.open", Conversation.opening)
    let recorder = try Recorder(daemon, client)
    var steps = 0
    try recorder.waitFor("\"event\"") {
      steps += 1
      _ = try client.result("event", LifeTests.scroll(Double(steps), Double(steps % 90) - 100))
    }
    recorder.process.signal(SIGINT)
    #expect(try recorder.process.waitForExit() == 0, "\(recorder.process.errors)")
    let end = try recorder.verify(daemon)
    #expect(end.status == 0, "\(end.output)\(end.errors)")
  }
}
