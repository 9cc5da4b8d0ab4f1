// SPDX-License-Identifier: MIT
//
// Reload: a rebuilt plugin takes over a live header with its saved state; one that cannot leaves the old one running as
// if nothing had been tried. Versions of one plugin are made by compiling faulty.c anew and renaming it into place.
//
// Libraries are never unmapped (the Swift runtime keeps records that point into them), so memory grows by the library's
// size with each load: that is wanted, and not tested. File descriptors must not grow.

import DaemonTestKit
import Foundation
import HeaderCore
import HeaderModel
import HeaderTestKit
import PluginHost
import Testing

@Suite struct ReloadTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  /// A registry with version 1, and a header with it and ShyNavBar in mid-scroll.
  private func begin(
    _ options: [(String, Value)] = [], plugin: String = "Faulty"
  ) throws -> (registry: PluginRegistry, stage: Stage) {
    try folder.compile(plugin, "PLUGIN_NAME=\"\(plugin)\"")
    let registry = try folder.registry(plugin, "ShyNavBar")
    let stage = try Stage(registry) { $0.delegates = [.faulty(options), .shyNavBar] }
    try stage.send(.willBeginDragging, at: 0)
    for step in 1...3 { try stage.send(.didScroll, y: Double(step * 10), at: Double(step) / 10) }
    return (registry, stage)
  }

  /// What the daemon does: a fresh copy, a fresh delegate, and the old plugin back when the header does not take it.
  private func reload(_ registry: PluginRegistry, _ stage: Stage, plugin: String = "Faulty") throws(HeaderError) {
    let old = try registry.reload(plugin).old
    do throws(HeaderError) {
      try stage.replace(0, with: try registry.makeDelegate(behavior: "Faulty", name: "faulty"))
    } catch {
      registry.restore(old)
      throw error
    }
  }

  @Test func `a rebuilt plugin takes over with what the old one saved`() throws {
    let (registry, stage) = try begin()
    let before = stage.state.shown
    #expect(stage.value("count") == .number(3))
    try folder.compile("Faulty", "VERSION=2")
    try reload(registry, stage)
    #expect(registry.plugin(named: "Faulty")?.version == "2.0")
    #expect(stage.state.shown == before, "a reload shows nothing")
    try stage.send(.didScroll, y: 40, at: 0.4)
    #expect(stage.value("count") == .number(4))
  }

  @Test func `there is a bound on the copies that are mapped`() throws {
    let registry = PluginRegistry(folders: [folder.path], copies: 2)
    for version in 1...2 {
      try folder.compile("Faulty", "VERSION=\(version)")
      if version == 1 { try registry.load("Faulty") } else { _ = try registry.reload("Faulty") }
    }
    try folder.compile("Faulty", "VERSION=3")
    let error = #expect(throws: HeaderError.self) { _ = try registry.reload("Faulty") }
    #expect(error?.name == .limitExceeded && error?.hint == "restart the daemon to load another version")
    #expect(
      error?.message == "\(folder.file("Faulty")): 2 copies of plugins are loaded, and one stays loaded as long as the "
        + "daemon lives")
    #expect(registry.plugin(named: "Faulty")?.version == "2.0")
    // What was there before costs nothing.
    try folder.compile("Faulty", "VERSION=1")
    #expect(try registry.reload("Faulty").new.version == "1.0")
  }

  /// Why a reload does not come about, and what is said.
  struct Obstacle: CustomTestStringConvertible {
    var testDescription: String
    var definitions: [String] = []
    /// The file instead of a compiled one.
    var content: String?
    var isRemoved = false
    var message: String
  }

  static let obstacles: [Obstacle] = [
    Obstacle(
      testDescription: "it refuses the saved state", definitions: ["VERSION=3", "REFUSES_RESTORE"],
      message:
        "header \"main\" keeps the old Faulty: delegates[0]: Faulty refuses it: version 3 knows no older state"),
    Obstacle(
      testDescription: "it fails when it takes over", definitions: ["VERSION=3", "FAILS_RESTORE"],
      message: "header \"main\" keeps the old Faulty: delegates[0]: Faulty failed: restore failed, it gives no reason"),
    Obstacle(
      testDescription: "it breaks a rule when it takes over", definitions: ["VERSION=3", "RESTORE_BREAKS"],
      message:
        "header \"main\" keeps the old Faulty: delegates[0]: Faulty failed: y of the content offset is nan, expected a finite number within ±1e9"
    ),
    Obstacle(
      testDescription: "it makes no instance", definitions: ["VERSION=3", "CREATES_NOTHING"],
      message: "plugin \"Faulty\" made no instance of Faulty"),
    Obstacle(
      testDescription: "it does not know an option any more", definitions: ["VERSION=3", "SECOND_OPTION=\"where\""],
      message:
        "header \"main\" keeps the old Faulty: delegates[0].options.when: there is no such option, expected one of act, where, speed, claims"
    ),
    Obstacle(
      testDescription: "it offers a behavior of another plugin",
      definitions: ["VERSION=3", "BEHAVIOR_NAME=\"ShyNavBar\""],
      message: "DIR/libFaulty.so: plugin \"ShyNavBar\" already offers behavior \"ShyNavBar\""),
    Obstacle(
      testDescription: "it does not offer the behavior any more",
      definitions: ["VERSION=3", "BEHAVIOR_NAME=\"Other\""],
      message: "behavior: no plugin offers behavior \"Faulty\"; there are Other, ShyNavBar"),
    Obstacle(
      testDescription: "it lacks the symbol", definitions: ["NO_SYMBOL"],
      message: "DIR/libFaulty.so: it has no header_plugin_entry, so it is no headerd plugin"),
    Obstacle(
      testDescription: "it is for another ABI", definitions: ["ABI_MAJOR=2"],
      message: "DIR/libFaulty.so: it was built for plugin ABI 2.2, this headerd speaks 1.x"),
    Obstacle(
      testDescription: "it is no library", content: String(repeating: "no library\n", count: 100),
      message: "DIR/libFaulty.so: it cannot be loaded: DIR/libFaulty.so: invalid ELF header"),
    Obstacle(
      testDescription: "it is gone", isRemoved: true,
      message: "there is no plugin \"Faulty\" (libFaulty.so); looked in DIR, PRODUCTS"),
  ]

  @Test(arguments: obstacles) func `one that cannot leaves the old one running`(_ obstacle: Obstacle) throws {
    let (registry, stage) = try begin([("when", "save")])
    let untouched = try Folder()
    try untouched.compile()
    let twin = try Stage(try untouched.registry("Faulty", "ShyNavBar")) {
      $0.delegates = [.faulty([("when", "save")]), .shyNavBar]
    }
    try twin.send(.willBeginDragging, at: 0)
    for step in 1...3 { try twin.send(.didScroll, y: Double(step * 10), at: Double(step) / 10) }
    if obstacle.isRemoved {
      try FileManager.default.removeItem(atPath: folder.file("Faulty"))
    } else if let content = obstacle.content {
      try folder.write(content, to: folder.file("Faulty"))
    } else {
      try folder.compile(definitions: obstacle.definitions)
    }
    for _ in 1...2 {
      let error = #expect(throws: HeaderError.self) { try reload(registry, stage) }
      let message = error?.message.replacingOccurrences(of: folder.path, with: "DIR")
      #expect(message == obstacle.message.replacingOccurrences(of: "PRODUCTS", with: TestFiles.build))
      #expect(registry.plugin(named: "Faulty")?.version == "1.0" && registry.behavior(named: "Faulty") != nil)
      #expect(stage.state.line == twin.state.line)
    }
    for (y, time) in [(40.0, 0.4), (20, 0.5), (70, 0.6)] {
      try stage.send(.didScroll, y: y, at: time)
      try twin.send(.didScroll, y: y, at: time)
      #expect(stage.state.line == twin.state.line)
    }
    #expect(stage.value("count") == .number(6))
  }

  @Test func `what it changes when it takes over is part of the reload alone`() throws {
    let (registry, stage) = try begin()
    let positions = stage.state.positions
    try folder.compile("Faulty", "VERSION=2", "RESTORE_CHANGES")
    try reload(registry, stage)
    #expect(stage.value("count") == .number(-1) && stage.state.positions == positions)
  }

  @Test func `the old one cannot move anything on its way out`() throws {
    let (registry, stage) = try begin([("act", "leaves"), ("when", "detach")])
    let before = stage.state.shown
    try folder.compile("Faulty", "VERSION=2")
    try reload(registry, stage)
    #expect(stage.state.shown == before)
    #expect(!stage.header.isBypassed(0))
  }

  @Test func `one that was bypassed begins anew`() throws {
    let (registry, stage) = try begin([("act", "failed"), ("when", "timer")])
    try stage.send(.advance(frameDuration: nil), at: 1)
    #expect(stage.header.isBypassed(0))
    try stage.send(.didScroll, y: 50, at: 1.1)
    #expect(stage.value("count") == .number(2))
    try folder.compile("Faulty", "VERSION=2")
    try reload(registry, stage)
    #expect(!stage.header.isBypassed(0))
    try stage.send(.didScroll, y: 40, at: 1.2)
    #expect(stage.value("count") == .number(1))
  }

  @Test func `fifty reloads in a row keep the state and no file`() throws {
    // A name of its own: the files of a library that other tests load, too, come and go meanwhile.
    let name = "Tireless"
    let (registry, stage) = try begin(plugin: name)
    let twin = try Stage(registry) { $0.delegates = [.faulty(), .shyNavBar] }
    try twin.send(.willBeginDragging, at: 0)
    for step in 1...3 { try twin.send(.didScroll, y: Double(step * 10), at: Double(step) / 10) }
    for round in 1...50 {
      if round % 10 == 1 { try folder.compile(name, "PLUGIN_NAME=\"\(name)\"", "VERSION=\(round + 1)") }
      try reload(registry, stage, plugin: name)
      let (y, time) = (Double(round * 37 % 90), 0.4 + Double(round) / 100)
      try stage.send(.didScroll, y: y, at: time)
      try twin.send(.didScroll, y: y, at: time)
      #expect(stage.state.line == twin.state.line, "\(round)")
    }
    #expect(stage.value("count") == .number(53))
    #expect(registry.plugin(named: name)?.version == "42.0")
    // Others open files meanwhile, but nobody else holds this one, nor its copies in memory.
    #expect(try openFiles { $0.contains("lib\(name)") } == 0)
  }

  /// Open descriptors whose target looks so.
  private func openFiles(_ isMeant: (String) -> Bool) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
      isMeant((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) ?? "")
    }
  }

  @Test func `ShyNavBar, built by us, takes over itself`() throws {
    let registry = try folder.registry("ShyNavBar")
    let stage = try Stage(registry) { $0.delegates = [.shyNavBar] }
    let twin = try Stage(registry) { $0.delegates = [.shyNavBar] }
    for round in 0..<40 {
      let event =
        round % 8 == 0
        ? ScrollEvent(.willBeginDragging) : ScrollEvent(.didScroll, offset: PartialPoint(y: Double(round * 29 % 120)))
      let time = Double(round) / 60
      try stage.send(event, at: time)
      try twin.send(event, at: time)
      #expect(stage.state.line == twin.state.line, "\(round)")
      _ = try registry.reload("ShyNavBar")
      try stage.replace(0, with: try registry.makeDelegate(behavior: "ShyNavBar", name: "shyNavBar"))
    }
  }

  // MARK: The registry

  @Test func `instances outlive their plugin's unloading`() throws {
    let (registry, stage) = try begin()
    try registry.unload("Faulty")
    #expect(registry.behavior(named: "Faulty") == nil && registry.plugins.map(\.name) == ["ShyNavBar"])
    try stage.send(.didScroll, y: 50, at: 1)
    #expect(stage.value("count") == .number(4))
    let error = #expect(throws: HeaderError.self) { _ = try Stage(registry) { $0.delegates = [.faulty()] } }
    #expect(error?.message == "delegates[0].behavior: no plugin offers behavior \"Faulty\"; there are ShyNavBar")
  }

  @Test func `what is not loaded is neither reloaded nor unloaded`() throws {
    let registry = try folder.registry("ShyNavBar")
    for act in [{ try registry.reload("ShyNavbar").new }, { try registry.unload("ShyNavbar") }] {
      let error = #expect(throws: HeaderError.self) { _ = try act() }
      #expect(error?.name == .pluginNotFound)
      #expect(error?.message == "plugin \"ShyNavbar\" is not loaded; loaded are ShyNavBar")
      #expect(error?.hint == "did you mean \"ShyNavBar\"?")
    }
    #expect(try registry.load("ShyNavBar") === registry.plugin(named: "ShyNavBar"))
  }
}
