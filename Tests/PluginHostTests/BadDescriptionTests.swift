// SPDX-License-Identifier: MIT
//
// Plugins that describe themselves badly, each with the exact words with which it is refused. None of them runs.

import HeaderCore
import PluginHost
import Testing

@Suite struct BadDescriptionTests {
  struct Row: CustomTestStringConvertible {
    var definitions: [String]
    var check = "table"
    var message: String
    var testDescription: String { message }
  }

  static let rows: [Row] = [
    Row(definitions: ["NO_SYMBOL"], check: "symbol", message: "it has no header_plugin_entry, so it is no headerd plugin"),
    Row(definitions: ["ENTRY_NULL"], check: "abi", message: "it does not serve plugin ABI 1.0, which this headerd speaks"),
    Row(definitions: ["ABI_MAJOR=2"], check: "abi", message: "it was built for plugin ABI 2.0, this headerd speaks 1.x"),
    Row(definitions: ["ABI_MAJOR=0"], check: "abi", message: "it was built for plugin ABI 0.0, this headerd speaks 1.x"),
    Row(definitions: ["PLUGIN_STRUCT_SIZE=8"], message: "its table is 8 bytes, expected 40"),
    Row(definitions: ["PLUGIN_NAME=\"Other\""], message: "it calls itself \"Other\", expected \"Faulty\" after its file's name"),
    Row(definitions: ["PLUGIN_NAME=\"\\xff\""], message: "name is missing, empty or not UTF-8"),
    Row(definitions: ["PLUGIN_NAME=NULL"], message: "name is missing, empty or not UTF-8"),
    Row(definitions: ["NO_FACTORY"], message: "it offers no behaviors (no factory header.behavior/1)"),
    Row(definitions: ["FACTORY_COUNT=0"], message: "its factory has 0 behaviors, expected 1 to 256"),
    Row(definitions: ["FACTORY_COUNT=257"], message: "its factory has 257 behaviors, expected 1 to 256"),
    Row(definitions: ["BEHAVIORS=NULL"], message: "behaviors[0] is missing"),
    Row(definitions: ["BEHAVIORS=&behavior,&behavior", "FACTORY_COUNT=2"], message: "it offers behavior \"Faulty\" twice"),
    Row(definitions: ["BEHAVIOR_STRUCT_SIZE=16"], message: "behaviors[0].struct_size is 16, expected at least 256"),
    Row(definitions: ["BEHAVIOR_NAME=\"lower\""], message: "behaviors[0].name is \"lower\", expected UpperCamelCase"),
    Row(
      definitions: ["BEHAVIOR_NAME=\"Two Words\""],
      message: "behaviors[0].name is \"Two Words\", expected a letter, then letters, digits, _, -"),
    Row(definitions: ["SUMMARY=\"\""], message: "Faulty.summary is missing, empty or not UTF-8"),
    Row(definitions: ["NO_RECEIVE"], message: "Faulty.functions lack one of create, destroy, set_option, attach, receive"),
    Row(definitions: ["SAVE_ONLY"], message: "Faulty.save and restore go together"),
    Row(
      definitions: ["EVENTS=(UINT64_C(1)<<40|2)"],
      message: "Faulty.events has bits that this ABI does not know: 10000000000"),
    Row(definitions: ["SECOND_OPTION=\"act\""], message: "Faulty.options name \"act\" twice"),
    Row(
      definitions: ["SECOND_OPTION=\"2nd\""],
      message: "Faulty.options[1].name is \"2nd\", expected a letter, then letters, digits, _, -"),
    Row(
      definitions: ["SPEED_DEFAULT=11"],
      message:
        "Faulty.speed has a default that it does not allow itself: speed: expected a number of points from 0 to 10, got 11"),
    Row(definitions: ["SPEED_DEFAULT=NAN"], message: "Faulty.speed.default_value is malformed: a number in a value is not finite"),
    Row(definitions: ["SPEED_TYPE=HEADER_TYPE_TEXT"],
      message: "Faulty.speed has a default that it does not allow itself: speed: expected a text, got 1"),
    Row(definitions: ["SPEED_TYPE=99"], message: "Faulty.speed has the unknown type 99"),
    Row(definitions: ["SPEED_TYPE=HEADER_TYPE_CASE"], message: "Faulty.speed is a case without cases"),
    Row(definitions: ["NO_MEANING"], message: "Faulty.claims.meaning is missing, empty or not UTF-8"),
    Row(definitions: ["OPTION_STRUCT_SIZE=8"], message: "Faulty.options[0].struct_size is 8, expected at least \(optionSize)"),
    Row(
      definitions: ["OPTION_STRUCT_SIZE=(sizeof(header_option)+4)"],
      message: "Faulty.options[0].struct_size is \(optionSize + 4), expected a multiple of 8"),
    Row(definitions: ["VALUE_TYPE=HEADER_TYPE_RECT"], message: "Faulty.count has type 8, expected number, bool, text or case"),
    Row(definitions: ["NOTICE=\"no notice\""],
      message: "Faulty.notices[0] is \"no notice\", expected a letter, then letters, digits, _, -"),
    Row(definitions: ["NOTICE=NULL"], message: "Faulty.notices[0] is missing, empty or not UTF-8"),
    Row(definitions: ["CALL_ARGUMENT_MEANING=NULL"], message: "Faulty.what.meaning is missing, empty or not UTF-8"),
  ]
  static let optionSize = 128

  @Test(arguments: rows) func `is refused, with the reason`(_ row: Row) throws {
    let folder = try Folder()
    let definitions = row.definitions
    switch definitions.count {
    case 2: try folder.compile("Faulty", definitions[0], definitions[1])
    default: try folder.compile("Faulty", definitions[0])
    }
    let refusal = try folder.refusal()
    #expect(refusal.check == row.check)
    #expect(refusal.message == "DIR/libFaulty.so: \(row.message)")
  }

  @Test func `options of a later minor version are read by their own size`() throws {
    let folder = try Folder()
    try folder.compile("Faulty", "LARGE_OPTIONS")
    let behavior = try #require(try folder.registry("Faulty").behavior(named: "Faulty"))
    #expect(behavior.options.map(\.name) == ["act", "when", "speed", "claims"])
    #expect(behavior.options[2].unit == "points" && behavior.options[2].maximum == 10)
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
      ("CREATE_USES_HOST", "plugin \"Faulty\" made no instance of Faulty", "it used a function of the host before attach"),
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

  @Test(arguments: [
    ("speeed", Value.number(1), "delegates[0].options.speeed: there is no such option, expected one of act, when, speed, claims",
      "did you mean \"speed\"?"),
    ("speed", "fast", "delegates[0].options.speed: expected a number of points from 0 to 10, got \"fast\"", nil),
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
