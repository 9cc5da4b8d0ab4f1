// SPDX-License-Identifier: MIT
//
// A state folder for tests of the journal, and headers to fill it with.

import DaemonTestKit
import Foundation
import Testing

/// A state folder and the daemons that use it, one after the other.
final class JournalPlace {
  let folder: TemporaryFolder
  private(set) var daemon: RunningDaemon?
  private let durability: String
  var state: String { folder("state") }

  init(durability: String = "acknowledged") throws {
    folder = try TemporaryFolder()
    self.durability = durability
    try RunningDaemon.providePlugins(["ShyNavBar", "OriginalDelegate"], in: folder)
  }

  @discardableResult
  func start(threads: Int = RunningDaemon.usualThreads, more: String = "") throws -> WireClient {
    try folder.write(
      "threads = \(threads)\n[state]\ndirectory = \"\(state)\"\ndurability = \"\(durability)\"\n\(more)",
      to: "headerd.toml")
    let daemon = try RunningDaemon(
      in: folder, socket: folder("headerd.sock"),
      arguments: ["--config", folder("headerd.toml"), "--socket", folder("headerd.sock")])
    self.daemon = daemon
    return try daemon.client()
  }

  func kill() throws { try daemon?.kill() }

  func stop() throws { #expect(try daemon?.end(by: SIGTERM) == 0) }

  func headerctl(_ arguments: String...) throws -> Finished {
    try runProgram(
      "headerctl", arguments,
      environment: ["HEADERD_PLUGIN_PATH": folder("plugins")].merging(withoutLeakSearch) { $1 })
  }

  var segments: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: state)) ?? []).filter { $0.hasSuffix(".journal") }.sorted()
  }

  static func opening(_ name: String, frames: String = "events") -> String {
    """
    {"header":"\(name)","frames":"\(frames)","scrollViews":{"content":{"viewport":{"width":375,"height":667},\
    "contentSize":{"height":4000}}},"drawers":[{"name":"navBar","height":44}],"delegates":[{"behavior":"ShyNavBar"}]}
    """
  }

  static func scroll(_ name: String, _ time: Double, _ y: Double) -> String {
    "{\"header\":\"\(name)\",\"event\":\"didScroll\",\"time\":\(time),\"offset\":{\"y\":\(y)}}"
  }

  static func scroll(_ client: WireClient, _ name: String, _ range: Range<Int>) throws -> Int {
    var seq = 0
    for index in range {
      seq = try client.result("event", scroll(name, Double(index) / 60, Double(index) * 1.25))["seq"].int ?? 0
    }
    return seq
  }
}
