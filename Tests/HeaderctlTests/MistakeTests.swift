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
    let plugins = try prompt("plugin list --offline --plugins /nope")
    #expect(plugins.errors.contains("option \"--plugins\": there is no folder /nope"))
  }

  @Test func aPartOfTheContentIsRevealed() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let said = try prompt.done("reveal main -50 20 --reason anchor")
    #expect(said.hasPrefix("main gave way by "))
  }

  /// `delegate list` has the options of the preset.
  @Test func aPresetIsTakenByName() throws {
    let prompt = try Prompt(plugins: ["CollapsingHeader"])
    let presets = "\(Toolchain.sources)/config/presets"
    let first = try #require(lines(try prompt.done("preset list --json --presets \(presets)")).first)
    let name = try #require(try JSON(first)["preset"].string)
    let end = try prompt("header open main --behavior CollapsingHeader --preset \(name) --drawer bar:44 --inset 44")
    // A daemon that knows no preset says so in its own words.
    #expect(end.status == 0 || end.errors.contains(name), "\(end.errors)")
  }
}
