// SPDX-License-Identifier: MIT
//
// Files of presets, read and refused; which one of two of a name counts; and what a description makes of one.

import HeaderConfig
import HeaderModel
import Testing

@Suite struct PresetTests {
  private static func read(_ text: String, file: String = "/p/slow-bar.toml") throws(ConfigErrors) -> Preset {
    let bytes = Array(text.utf8)
    return try Preset(bytes: bytes.span, file: file)
  }

  private static let good = """
    behavior = "CollapsingHeader"
    summary = "Slow."
    [options]
    consumes = "whole"
    drawers = [{ collapse = true }]
    """

  @Test func isReadFromAFile() throws {
    let preset = try Self.read(Self.good)
    #expect(preset.name == "slow-bar")
    #expect(preset.behavior == "CollapsingHeader")
    #expect(preset.summary == "Slow.")
    #expect(preset.options["consumes"] == "whole")
    #expect(preset.options["drawers"] == [["collapse": true]])
  }

  @Test(arguments: [
    ("options = 1", "/p/a.toml:1:11: options: expected a table, got 1"),
    ("behavior = 1", "/p/a.toml:1:12: behavior: expected a plugin's name such as \"ShyNavBar\", got 1"),
    ("summary = \"s\"", "/p/a.toml:1:1: behavior: it is missing"),
    ("behaviour = \"X\"", "/p/a.toml:1:1: behaviour: unknown key. Did you mean \"behavior\"?"),
    ("behavior = ", "/p/a.toml:1:"),
    ("behavior = \"X\"\n[options]\na = inf", "/p/a.toml:3:5: options.a: expected a finite number"),
  ]) func whatIsWrongIsToldAtItsPlace(_ text: String, _ message: String) {
    #expect {
      try Self.read(text, file: "/p/a.toml")
    } throws: {
      ($0 as? ConfigErrors)?.diagnostics.first?.description.hasPrefix(message) ?? false
    }
  }

  @Test func aNameThatIsNoneIsRefused() {
    #expect(throws: ConfigErrors.self) { try Self.read(Self.good, file: "/p/1 2.toml") }
  }

  @Test func theFirstFolderWins() {
    let files = [
      "/a/one.toml": "behavior = \"A\"", "/b/one.toml": "behavior = \"B\"", "/b/two.toml": "behavior = \"B\"",
      "/b/bad.toml": "behavior", "/b/.hidden.toml": "behavior = \"H\"", "/b/notes.txt": "x",
    ]
    let shelf = PresetShelf(
      folders: ["/a", "/b", "/none"],
      names: { folder in files.keys.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(3)) } },
      read: { files[$0].map { Array($0.utf8) } })
    #expect(shelf.presets.map(\.name) == ["one", "two"])
    #expect(shelf.presets.map(\.behavior) == ["A", "B"])
    #expect(shelf.problems.map(\.file) == ["/b/bad.toml"])
  }

  @Test func optionsOfTheirOwnTakeThePlaceOfThePresets() throws {
    let presets = [try Self.read(Self.good)]
    var wanted = DelegateDescription(behavior: "CollapsingHeader", options: ["consumes": "part"])
    wanted.preset = "slow-bar"
    let taken = try wanted.taking(presets, at: Path("delegates[0]"))
    #expect(taken.preset == nil)
    #expect(taken.options["consumes"] == "part")
    #expect(taken.options["drawers"] == [["collapse": true]])
    #expect(try taken.taking([], at: Path("")) == taken)
  }

  /// Options that nobody has checked may be as many as a message has room for.
  @Test func manyOptionsOnTopOfAPreset() throws {
    let presets = [try Self.read(Self.good)]
    let given = (0..<100_000).map { Value.Record.Field(name: "m\($0)", value: 0) }
    var wanted = DelegateDescription(behavior: "CollapsingHeader", options: Value.Record(fields: given))
    wanted.options["consumes"] = "part"
    wanted.preset = "slow-bar"
    let taken = try wanted.taking(presets, at: Path("delegates[0]"))
    #expect(taken.options["consumes"] == "part")
    #expect(taken.options.fields.suffix(given.count) == given[...])
  }

  @Test func aPresetThatIsNotThereIsRefused() throws {
    let presets = [try Self.read(Self.good)]
    for (behavior, preset, message) in [
      (
        "CollapsingHeader", "slow-baa",
        "delegates[0].preset: CollapsingHeader has no preset \"slow-baa\"; it has slow-bar"
      ),
      ("ShyNavBar", "slow-bar", "delegates[0].preset: ShyNavBar has no preset \"slow-bar\"; it has none"),
    ] {
      var wanted = DelegateDescription(behavior: behavior)
      wanted.preset = preset
      #expect {
        try wanted.taking(presets, at: Path("delegates[0]"))
      } throws: {
        ($0 as? HeaderError)?.message == message
      }
    }
  }
}
