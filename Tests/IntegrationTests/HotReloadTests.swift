// SPDX-License-Identifier: MIT
//
// Hot reload as one sees it who is writing a plugin: save, build, and the running header moves otherwise from where it
// is. The plugin is C (Plugins/mover.c), compiled in versions that move by another factor.

import DaemonTestKit
import Foundation
import Testing

@Suite struct HotReloadTests {
  /// A running daemon whose plugin folder has Hot, a header that it moves, and someone who looks at it.
  private final class Scene {
    let daemon: RunningDaemon
    let publisher: WireClient
    let subscriber: WireClient
    let folder: TemporaryFolder
    private var time = 0

    /// - Parameters:
    ///   - linkedFrom: the folder in which the plugin really lies; the plugin folder then has a link to it.
    ///   - plugins: further ones.
    init(watch: Bool = true, linkedFrom build: String? = nil, others: [String] = []) throws {
      let folder = try TemporaryFolder()
      self.folder = folder
      let plugins = try folder.folder("plugins")
      for name in ["Hot"] + others {
        let file = "\(try build.map { try folder.folder($0) } ?? plugins)/lib\(name).so"
        try Self.compile([], name, to: file)
        if build != nil {
          try FileManager.default.createSymbolicLink(atPath: "\(plugins)/lib\(name).so", withDestinationPath: file)
        }
      }
      try folder.write("plugins.watch = \(watch)\n", to: "headerd.toml")
      let socket = folder("headerd.sock")
      daemon = try RunningDaemon(
        in: folder, socket: socket, arguments: ["--config", folder("headerd.toml"), "--socket", socket])
      publisher = try daemon.client()
      subscriber = try daemon.client()
      _ = try publisher.result(
        "header.open",
        """
        {"header":"main","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000}}},\
        "drawers":[{"name":"bar","height":100}],"delegates":[{"behavior":"Hot"}],"frames":"events"}
        """)
      _ = try subscriber.result("subscribe", #"{"headers":"main","mode":"every"}"#)
    }

    static func compile(_ flags: [String], _ name: String, to file: String) throws {
      try compilePlugin(
        "\(Toolchain.sources)/Tests/IntegrationTests/Plugins/mover.c", ["-DNAME=\"\(name)\""] + flags, to: file)
    }

    /// Puts another version in the plugin's place.
    func replace(_ flags: [String], of name: String = "Hot", in place: String = "plugins") throws {
      try Self.compile(flags, name, to: folder("fresh.so"))
      try TestFiles.install(folder("fresh.so"), over: folder("\(place)/lib\(name).so"))
    }

    /// Scrolls to an offset.
    /// - Returns: the bar's top in the state that came of it.
    func scroll(to offset: Double) throws -> Double? {
      time += 1
      let event = #"{"header":"main","event":"didScroll","time":\#(time),"offset":{"y":\#(offset)}}"#
      let seq = try publisher.result("event", event)["seq"].int
      return top(try subscriber.notification("state") { $0["seq"].int == seq })
    }

    private func top(_ state: JSON) -> Double? { state["drawers"][0]["frame"]["y"].double }

    /// Waits until a text was logged so many times, and gives all lines about plugins so far without their times.
    func log(until text: String, times: Int = 1) throws -> [String] {
      guard try daemon.process.waitForErrors(containing: text, times: times) else {
        throw TestFailure("headerd is gone: \(daemon.errors)")
      }
      return scrubbed(daemon.errors, folder: folder.path).split(separator: "\n").map(String.init)
        .filter { $0.contains("plugin=") || $0.contains("configRead") }
    }
  }

  private static let reloaded = "time=TIME level=info event=pluginReloaded plugin=Hot headers=1"

  @Test func theRunningHeaderGoesOnWithTheNewCodeFromWhereItIs() throws {
    let scene = try Scene()
    #expect(try scene.scroll(to: 10) == -10)
    try scene.replace(["-DSTEP=2"])
    #expect(try scene.log(until: "pluginReloaded") == [Self.reloaded])
    #expect(try scene.scroll(to: 15) == -20)
  }

  @Test func aBrokenFileIsToldAndTheOldCodeGoesOnUntilAGoodOneComes() throws {
    let scene = try Scene()
    let file = scene.folder("plugins/libHot.so")
    #expect(try scene.scroll(to: 10) == -10)

    // Half a library, written in place: what a build that died leaves behind.
    let whole = try Data(contentsOf: URL(fileURLWithPath: file))
    try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: file))
    let lines = try scene.log(until: "pluginRefused")
    #expect(
      lines == [
        "time=TIME level=warning event=pluginRefused plugin=Hot reason=\"FOLDER/plugins/libHot.so: it is not whole: its headers "
          + "speak of more than its \(whole.count / 2) bytes, or of some that were never written\" kept=\"the old one\""
      ])
    #expect(try scene.scroll(to: 20) == -20)

    // The rest of it: the same content as what runs, so nothing happens; then a version that no header takes.
    try whole.write(to: URL(fileURLWithPath: file))
    try scene.replace(["-DREFUSES_RESTORE"])
    let refusals = try scene.log(until: "cannot be taken over")
    #expect(
      refusals.dropFirst() == [
        #"time=TIME level=warning event=pluginRefused plugin=Hot reason="header \"main\" keeps the old Hot: "#
          + #"delegates[0]: Hot refuses it: its moves cannot be taken over" kept="the old one""#
      ])
    #expect(try scene.scroll(to: 30) == -30)

    try scene.replace(["-DSTEP=3"])
    #expect(try scene.log(until: "pluginReloaded").last == Self.reloaded)
    #expect(try scene.scroll(to: 35) == -45)
  }

  /// Another plugin that is replaced later is reloaded, so the first one's time has passed as well.
  @Test func aFileThatIsTouchedOrReplacedByItsLikeIsNotReloaded() throws {
    let scene = try Scene(others: ["Other"])
    let file = scene.folder("plugins/libHot.so")
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: file)
    try TestFiles.install(file, over: file)
    try scene.replace(["-DSTEP=2"], of: "Other")
    let lines = try scene.log(until: "pluginReloaded")
    #expect(lines == ["time=TIME level=info event=pluginReloaded plugin=Other headers=0"])
  }

  /// The plugin folder has a link into a build folder, which a clean build removes and makes again.
  @Test func aLinkIntoABuildIsFollowed() throws {
    let scene = try Scene(linkedFrom: "build/out")
    #expect(try scene.scroll(to: 10) == -10)
    try scene.replace(["-DSTEP=2"], in: "build/out")
    #expect(try scene.log(until: "pluginReloaded") == [Self.reloaded])
    try FileManager.default.removeItem(atPath: scene.folder("build"))
    _ = try scene.folder.folder("build/out")
    try scene.replace(["-DSTEP=3"], in: "build/out")
    #expect(try scene.log(until: "pluginReloaded", times: 2) == [Self.reloaded, Self.reloaded])
    #expect(try scene.scroll(to: 20) == -40)
  }

  @Test func watchingIsSwitchedBySIGHUP() throws {
    let scene = try Scene(watch: false)
    #expect(try scene.scroll(to: 10) == -10)
    try scene.replace(["-DSTEP=2"])
    #expect(try scene.scroll(to: 20) == -20)

    // What changed while nobody watched is found when watching begins.
    try scene.folder.write("plugins.watch = true\n", to: "headerd.toml")
    scene.daemon.process.signal(SIGHUP)
    #expect(
      try scene.log(until: "pluginReloaded") == [
        "time=TIME level=info event=configRead config=FOLDER/headerd.toml", Self.reloaded,
      ])
    #expect(try scene.scroll(to: 30) == -40)

    // Switched off, the next version waits for `plugin.reload`.
    try scene.folder.write("plugins.watch = false\n", to: "headerd.toml")
    scene.daemon.process.signal(SIGHUP)
    _ = try scene.log(until: "configRead", times: 2)
    try scene.replace(["-DSTEP=3"])
    #expect(try scene.scroll(to: 40) == -60)
    _ = try scene.publisher.result("plugin.reload", #"{"plugin":"Hot"}"#)
    #expect(try scene.scroll(to: 50) == -90)
    #expect(try scene.log(until: "configRead", times: 2).count == 3)
  }
}
