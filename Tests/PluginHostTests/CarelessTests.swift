// SPDX-License-Identifier: MIT
//
// A behavior in Swift that uses an index that nothing has. Whoever describes a header says how many drawers it has: that
// must not be enough to end the daemon.

import DaemonTestKit
import HeaderCore
import HeaderModel
import PluginHost
import Testing

@Suite struct CarelessTests {
  private let registry: PluginRegistry

  init() throws {
    registry = PluginRegistry(folders: [TestFiles.build])
    try registry.load("Careless")
    try registry.load("ShyNavBar")
  }

  /// A header where the careless one stands before ShyNavBar, or alone.
  private func stage(_ act: String, _ index: Int, alone: Bool = false) throws -> Stage {
    let options = [("act", Value.text(act)), ("index", .number(Double(index)))]
    return try Stage(registry) {
      $0.delegates = [
        DelegateDescription(
          behavior: "Careless", options: Value.Record(fields: options.map { .init(name: $0.0, value: $0.1) }))
      ]
      if !alone { $0.delegates.append(.shyNavBar) }
    }
  }

  private static let missing = [-1, 3, 1 << 20, 1 << 32, -(1 << 33)]

  @Test(
    arguments: [
      "read drawer", "read scroll view", "read element", "write offset", "write inset", "move silently", "write frame",
      "move", "move chain", "expand", "contract", "make sticky", "fade", "hide", "write look",
    ], missing)
  func isBypassedAndTheOthersGoOn(_ act: String, _ index: Int) throws {
    let (stage, sound) = (try stage(act, index), try stage("nothing", 0))
    try sound.send(.willBeginDragging)
    try stage.send(.willBeginDragging)
    try sound.send(.didScroll, y: 20)
    let failure = try #require(try stage.send(.didScroll, y: 20).failure)
    let named = UInt32(exactly: index) ?? .max
    #expect(failure.message.hasPrefix("delegate \"careless\" of header \"main\" is bypassed: it "))
    #expect(failure.message.contains(" \(named), "), "\(failure.message)")
    #expect(stage.header.isBypassed(0))
    #expect(!stage.header.isBypassed(1))
    for y in [30.0, 50, 40] {
      try sound.send(.didScroll, y: y)
      #expect(try stage.send(.didScroll, y: y).failure == nil)
      #expect(stage.state.positions == sound.state.positions)
    }
  }

  /// One that gives up is bypassed, with its own reason, and the others go on.
  @Test(arguments: ["give up", "give up later"]) func whoGivesUpIsBypassedWithItsReason(_ act: String) throws {
    let stage = try stage(act, 7)
    let failure = try #require(try stage.send(.didScroll, y: 20).failure)
    #expect(failure.message.hasPrefix("delegate \"careless\" of header \"main\" is bypassed: "))
    #expect("\(failure.message) \(failure.hint ?? "")".contains("it gives up at 7"), "\(failure)")
    #expect(stage.header.isBypassed(0) && !stage.header.isBypassed(1))
    #expect(try stage.send(.didScroll, y: 30).failure == nil)
  }

  @Test(arguments: [3, -2, 1 << 32, -(1 << 33)]) func aChainHangsOnAScrollViewThatThereIs(_ index: Int) throws {
    let stage = try stage("hang on", index, alone: true)
    let failure = try #require(try stage.send(.didScroll, y: 20).failure)
    #expect(failure.message.contains("as the chain's tail, there is none"), "\(failure.message)")
  }

  @Test(arguments: ["read drawer", "read scroll view", "read element", "read option"])
  func whatIsThereIsRead(_ act: String) throws {
    let stage = try stage(act, 0)
    #expect(try stage.send(.didScroll, y: 20).failure == nil)
    guard case .number(let read)? = stage.value("read") else {
      Issue.record("there is no value")
      return
    }
    #expect(read > 0)
  }

  /// Where asking changes nothing, the answer for nothing is nothing.
  @Test(arguments: ["ask center", "ask name"], missing) func whatIsNotThereHasNoNameAndNoPlace(
    _ act: String, _ index: Int
  ) throws {
    let stage = try stage(act, index)
    #expect(try stage.send(.didScroll, y: 20).failure == nil)
    #expect(stage.value("read") == .number(0))
  }
}
