// SPDX-License-Identifier: MIT
//
// Plugins that describe themselves badly, each with the exact words with which it is refused. None of them runs.

import HeaderModel
import PluginHost
import Testing

@Suite struct BadDescriptionTests {
  @Test func `is refused, with the reason`() throws {
    var golden = try GoldenText("descriptions.txt")
    #expect(golden.cases.count >= 55)
    try golden.check { row in
      let folder = try Folder()
      try folder.compile(definitions: row.words)
      let refusal = try folder.refusal()
      return ["\(refusal.check): \(refusal.message)"]
    }
  }

  @Test func `options of a later minor version are read by their own size`() throws {
    let folder = try Folder()
    try folder.compile("Faulty", "LARGE_OPTIONS")
    let behavior = try #require(try folder.registry("Faulty").behavior(named: "Faulty"))
    #expect(behavior.options.map(\.name) == ["act", "when", "speed", "claims"])
    #expect(behavior.options[2].unit == "points" && behavior.options[2].maximum == 10)
  }

  @Test func `values have cases, those of an earlier minor version have none`() throws {
    for (definitions, cases) in [
      (["VALUE_CASES=cases_twice", "VALUE_CASE_COUNT=2"], ["a", "b"]),
      (["VALUE_CASES=cases_twice", "VALUE_CASE_COUNT=2", "VALUE_STRUCT_SIZE=80"], []),
    ] {
      let folder = try Folder()
      try folder.compile(definitions: definitions + ["VALUE_TYPE=HEADER_TYPE_CASE", "VALUE_INITIAL=HEADER_NULL"])
      let behavior = try #require(try folder.registry("Faulty").behavior(named: "Faulty"))
      #expect(behavior.values.map(\.cases) == [cases])
    }
  }

  @Test func `two plugins with one behavior`() throws {
    let folder = try Folder()
    try folder.compile()
    try folder.compile("Second", "PLUGIN_NAME=\"Second\"")
    let registry = try folder.registry("Faulty")
    let error = #expect(throws: HeaderError.self) { try registry.load("Second") }
    #expect(error?.facts["check"] == "behavior")
    #expect(error?.message == "\(folder.file("Second")): plugin \"Faulty\" already offers behavior \"Faulty\"")
    #expect(registry.plugins.map(\.name) == ["Faulty"])
  }

  @Test func `an instance that is not made, or uses the host too early, is the header's error alone`() throws {
    for (definition, message, hint) in [
      ("CREATES_NOTHING", "plugin \"Faulty\" made no instance of Faulty", "there is no room"),
      (
        "CREATE_USES_HOST", "plugin \"Faulty\" made no instance of Faulty",
        "it used a function of the host before attach"
      ),
    ] {
      let folder = try Folder()
      try folder.compile("Faulty", definition)
      let registry = try folder.registry("Faulty", "ShyNavBar")
      let error = #expect(throws: HeaderError.self) { _ = try Stage(registry) { $0.delegates = [.faulty()] } }
      #expect(error?.name == .behaviorFailed && error?.message == message && error?.hint == hint)
      #expect(error?.facts["culprit"] == "faulty")
      #expect(throws: Never.self) { _ = try Stage(registry) { $0.delegates = [.shyNavBar] } }
    }
  }

  // MARK: Options of a description

  @Test(
    arguments: [
      (
        "speeed", Value.number(1),
        "delegates[0].options.speeed: there is no such option, expected one of act, when, speed, claims",
        "did you mean \"speed\"?"
      ),
      ("speed", "fast", "delegates[0].options.speed: expected a number of points, got \"fast\"", nil),
      ("speed", 10.5, "delegates[0].options.speed: expected a number of points from 0 to 10, got 10.5", nil),
      ("claims", 1, "delegates[0].options.claims: expected true or false, got 1", nil),
      ("act", "refuse", "delegates[0].options.act: Faulty refuses it: it is not in the mood", "it is not in the mood"),
      ("act", "fail", "delegates[0].options.act: Faulty failed: it fell over", "it fell over"),
    ] as [(String, Value, String, String?)])
  func `options are checked at opening`(_ name: String, _ value: Value, _ message: String, _ hint: String?) throws {
    let folder = try Folder()
    try folder.compile()
    let registry = try folder.registry("Faulty")
    let error = #expect(throws: HeaderError.self) {
      _ = try Stage(registry) { $0.delegates = [.faulty([(name, value)])] }
    }
    #expect(error?.name == (value == "fail" ? .behaviorFailed : .invalidOption))
    #expect(error?.message == message)
    #expect(error?.hint == hint)
  }

  @Test func `two behaviors that move one drawer are a conflict that names both`() throws {
    let folder = try Folder()
    try folder.compile()
    let registry = try folder.registry("Faulty", "ShyNavBar")
    let error = #expect(throws: HeaderError.self) {
      _ = try Stage(registry) { $0.delegates = [.shyNavBar, .faulty([("claims", true)])] }
    }
    #expect(error?.name == .conflict)
    #expect(error?.message == "delegates[0]: \"faulty\" and \"shyNavBar\" both want the drawer \"navBar\"")
    #expect(error?.facts["delegates"] == ["faulty", "shyNavBar"])
  }

  @Test func `a behavior that no plugin offers, with the nearest one`() throws {
    let registry = try Folder().registry("ShyNavBar")
    let error = #expect(throws: HeaderError.self) {
      _ = try Stage(registry) { $0.delegates = [DelegateDescription(behavior: "ShyNavbar")] }
    }
    #expect(error?.message == "delegates[0].behavior: no plugin offers behavior \"ShyNavbar\"; there are ShyNavBar")
    #expect(error?.hint == "did you mean \"ShyNavBar\"?")
  }
}
