// SPDX-License-Identifier: MIT
//
// What is wrong with a command line is said in the words of the command line, with status 2; what is not there is said on stderr.

import DaemonTestKit
import Testing

@Suite struct MistakeTests {
  @Test(arguments: [
    ("move main 1.5", "TO: expected a progress from 0 to 1, got 1.5"),
    ("constrain main k bogus", "PERMITTED: expected shown, hidden, both or FROM..TO, got \"bogus\""),
    ("constrain main k show", "did you mean \"shown\"?"),
    ("constrain main k 0.8..0.2", "the smaller one first"),
    ("subscribe main --max-rate 10 --mode every", "option \"--max-rate\": with --mode every"),
    ("tap main --event willEndDrag", "did you mean \"willEndDragging\"?"),
    ("top --once --count 2", "options \"--once\" and \"--count\" exclude each other"),
    ("plot seen.jsonl -o seen.jpg", "expected a name that ends in .svg or .png, got \"seen.jpg\""),
    ("header open main --preset headroom", "option \"--preset\" needs a behavior"),
  ]) func isToldAsUsage(_ line: String, _ message: String) throws {
    let prompt = try Prompt(daemon: false)
    let end = try prompt(line)
    #expect(end.status == 2 && end.errors.contains(message), "\(end.status): \(end.errors)")
    #expect(end.output.isEmpty)
  }

  @Test func whatIsNotThereIsToldOnStderr() throws {
    let prompt = try Prompt()
    let list = try prompt("header list zzz")
    #expect(list.status == 0 && list.output.isEmpty && list.errors == "headerctl: no header matches \"zzz\"\n")
    let tap = try prompt("tap nosuch --for 0")
    #expect(tap.errors.contains("no header \"nosuch\" yet; waiting for it"))
    let online = try prompt("plugin list --plugins /nope")
    #expect(online.status == 2 && online.errors.contains("option \"--plugins\": the daemon has folders of its own"))
    let plugins = try prompt("plugin list --offline --plugins /nope")
    #expect(plugins.errors.contains("option \"--plugins\": there is no folder /nope"))
  }

  /// What the daemon refuses is said in the words of the line as well.
  @Test(arguments: [
    ("move main navBar=30", "headerctl: TO: shyNavBar moves its drawers and keeps their heights (give DRAWER+SHIFT)\n"),
    ("move main nowhere", "headerctl: TO: there is no stop \"nowhere\" (there are expanded, collapsed)\n"),
    ("header close mian", "headerctl: HEADER: there is no header \"mian\" (did you mean \"main\"?)\n"),
    ("delegate move main shyNavBar 9", "headerctl: PLACE: expected a place in the chain, 0 to 0, got 9\n"),
    (
      "header open x --behavior ShyNavBar --option disable=3",
      "headerctl: option \"--option\": disable: expected true or false, got 3\n"
    ),
  ]) func refusalsNameWhatWasTyped(_ line: String, _ message: String) throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let end = try prompt(line)
    #expect(end.status == 1 && end.errors == message, "\(end.errors)")
  }

  /// A description in JSON is told all its mistakes, as one in TOML and one of the config is.
  @Test func allMistakesOfADescription() throws {
    let prompt = try Prompt()
    let json = #"{"header":"x","drawers":[{"name":"a","heigth":3}],"frames":"now"}"#
    let end = try prompt("header open -", input: json)
    #expect(
      end.status == 1
        && Set(lines(end.errors)) == [
          "headerctl: drawers[0].height: expected a finite number of points, it is missing",
          "headerctl: drawers[0].heigth: unknown key. Did you mean \"height\"?",
          "headerctl: frames: expected one of \"live\", \"events\", \"manual\", got \"now\"",
        ], "\(end.errors)")
    let toml = "header = \"x\"\nframes = \"now\"\n[[drawers]]\nname = \"a\"\nheigth = 3\n"
    let other = try prompt("header open -", input: toml)
    #expect(other.status == 1 && lines(other.errors).count == 3, "\(other.errors)")
  }

  /// What is wrong with line 1 stands before what is wrong with line 2, whoever finds it.
  @Test func errorsOfAStreamAreInOrder() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let input = "{\"event\":\"didScroll\"}\nnonsense\n{\"event\":\"didScroll\"}\n[]\n"
    let end = try prompt("stream main --fast", input: input)
    let places = lines(end.errors).map { $0.split(separator: ":")[2] }
    #expect(end.status == 1 && places == ["1", "2", "3", "4"], "\(end.errors)")
  }

  @Test func aPartOfTheContentIsRevealed() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let said = try prompt.done("reveal main -50 20 --reason anchor")
    #expect(said.hasPrefix("main gave way by "))
  }

  /// `delegate list` has the options of the preset, below those that are given.
  @Test func aPresetIsTakenByName() throws {
    let presets = "\(Toolchain.sources)/config/presets"
    let prompt = try Prompt(plugins: ["CollapsingHeader"], config: "[presets]\nfolders = [\"\(presets)\"]\n")
    let row = try lines(prompt.done("preset list --json --presets \(presets)")).map { try JSON($0) }
      .first { $0["preset"].string == "headroom" }
    let options = try #require(row)["options"]
    try prompt.done("header open main --behavior CollapsingHeader --preset headroom --drawer bar:44 --inset 44")
    try prompt.done("header open side --drawer bar:44 --inset 44")
    try prompt.done("delegate add side CollapsingHeader --preset headroom")
    for header in ["main", "side"] {
      let listed = try JSON(try #require(lines(try prompt.done("delegate list \(header) --json")).first))["options"]
      for key in options.keys { #expect(listed[key].description == options[key].description, "\(header): \(key)") }
    }
    #expect(try prompt("delegate add side CollapsingHeader --name x --preset headrom").errors.contains("headroom"))
  }
}
