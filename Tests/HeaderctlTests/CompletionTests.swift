// SPDX-License-Identifier: MIT
//
// What bash, zsh and fish offer when somebody presses the tabulator.

import DaemonTestKit
import Foundation
import Testing

private func isInstalled(_ shell: String) -> Bool { Toolchain.find(shell) != nil }

@Suite struct CompletionTests {
  /// Lines and what is offered for their last words, in every shell. A "=" ends what stays as it is.
  static let lines = [
    ("plu", "plugin"), ("plugin re", "reload"), ("header o", "open"), ("stream --s", "--socket --speed"),
    ("subscribe --mode ", "every latest"), ("subscribe --mode l", "latest"), ("header open x --frames=e", "events"),
    ("--socket x wat", "watch"), ("watch --f", "--for"), ("plugin list --o", "--offline"), ("--comp", "--completions"),
    ("--completions ", "bash fish zsh"), ("--socket /et", "/etc"), ("--socket=/et", "/etc"),
    ("subscribe --mode=", "every latest"),
  ]

  /// Runs a script in a shell that sees the built programs; its words, in order.
  private func run(_ shell: String, _ arguments: [String], _ environment: [String: String] = [:]) throws -> String {
    // fish creates folders in its home.
    let home = try TemporaryFolder()
    let child = try ChildProcess(
      try #require(Toolchain.find(shell)), arguments,
      environment: environment.merging([
        "PATH": "\(TestFiles.build):/usr/bin:/bin", "HOME": home.path, "LC_ALL": "C.UTF-8",
      ]) { $1 })
    #expect(try child.waitForExit() == 0)
    #expect(child.errors.isEmpty, "\(child.errors)")
    return child.output.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }.sorted().joined(separator: " ")
  }

  private func bash(_ typed: String, _ environment: [String: String] = [:]) throws -> String {
    let script = """
      source <("\(TestFiles.build)/headerctl" --completions bash) || exit 9
      COMP_WORDS=(headerctl \(typed.replacingOccurrences(of: "=", with: " = "))\(typed.hasSuffix(" ") ? "''" : ""))
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _headerctl
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    return try run("bash", ["--norc", "-uc", script], environment)
  }

  /// Outside of its line editor zsh has none of the functions that completions call; these print what they are given.
  private func zsh(_ typed: String, _ environment: [String: String] = [:]) throws -> String {
    let script = """
      compdef() { }
      compset() { PREFIX=${PREFIX#*=} }
      _files() { print -l -- ${~PREFIX}*(N) }
      _describe() { shift; for item in "${(@P)1}"; do print -r -- ${${item%%:*}##--[a-z]#=}; done }
      setopt extended_glob
      source <("\(TestFiles.build)/headerctl" --completions zsh) || exit 9
      words=(headerctl \(typed)\(typed.hasSuffix(" ") ? "''" : ""))
      CURRENT=$#words
      PREFIX=$words[CURRENT]
      _headerctl
      exit 0
      """
    return try run("zsh", ["-fc", script], environment)
  }

  private func fish(_ typed: String, _ environment: [String: String] = [:]) throws -> String {
    let script = """
      "\(TestFiles.build)/headerctl" --completions fish | source; or exit 9
      complete -C 'headerctl \(typed)' | string replace -r '\\t.*' '' | string replace -r '^--[a-z]+=' '' | string replace -r '/$' ''
      true
      """
    return try run("fish", ["--no-config", "-c", script], environment)
  }

  @Test(.enabled(if: isInstalled("bash")), arguments: lines) func inBash(_ typed: String, _ offered: String) throws {
    #expect(try bash(typed) == offered)
  }

  @Test(.enabled(if: isInstalled("zsh")), arguments: lines) func inZsh(_ typed: String, _ offered: String) throws {
    #expect(try zsh(typed) == offered)
  }

  @Test(.enabled(if: isInstalled("fish")), arguments: lines) func inFish(_ typed: String, _ offered: String) throws {
    #expect(try fish(typed) == offered)
  }

  /// Names of what is there, from the daemon.
  @Test func liveNames() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    try prompt.done("header open side --drawer bar:30")
    try prompt.done("constrain main tour shown --lease 0")
    let offers = [
      ("stream ", "main side"), ("header get s", "side"), ("subscribe main s", "side"),
      ("delegate remove main ", "shyNavBar"), ("header call main --delegate ", "shyNavBar"),
      ("header call main c", "contract"), ("plugin reload S", "ShyNavBar StretchyHeader"),
      ("plugin load St", "StretchyHeader"), ("plugin info Sh", "ShyNavBar ShyNavBar"),
      ("delegate add main S", "ShyNavBar StretchyHeader"), ("header open x --behavior St", "StretchyHeader"),
      ("header open x --behavior ShyNavBar --option exp", "expansionResistance="),
      ("delegate configure main shyNavBar --option dis", "disable="),
      ("delegate add main ShyNavBar --option yi", "yields="),
      ("delegate configure main shyNavBar --option disable=t", "disable=true"), ("delegate remove nobody ", ""),
      ("move main ", "collapsed expanded"), ("constrain main x ", "both hidden shown"), ("release main ", "tour"),
      ("tap --event willB", "willBeginDecelerating willBeginDragging"),
      ("subscribe main --fields values.", "values.isContracting"),
      ("subscribe main --fields wants,drawers.n", "wants,drawers.navBar"),
    ]
    for (typed, offered) in offers {
      let words = typed.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      let answer = try runProgram("headerctl", ["--complete"] + words, environment: prompt.environment)
      #expect(answer.status == 0 && answer.errors.isEmpty, "\(typed): \(answer.errors)")
      let found = answer.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        .filter { (!$0.hasPrefix("--") || !offered.isEmpty) && !$0.isEmpty }
      #expect(found.sorted().joined(separator: " ") == offered, "\(typed)")
    }
    // The shells hand them on.
    var environment = prompt.environment
    environment["TERM"] = "dumb"
    let line = "delegate configure main shyNavBar --option disable="
    if isInstalled("bash") {
      #expect(try bash("header get m", environment) == "main")
      #expect(try bash(line, environment) == "false true")
      #expect(try bash("\(line)t", environment) == "true")
    }
    if isInstalled("zsh") {
      #expect(try zsh("header get m", environment) == "main")
      #expect(try zsh(line, environment) == "disable=false disable=true")
    }
    if isInstalled("fish") {
      #expect(try fish("header get m", environment) == "main")
      #expect(try fish(line, environment) == "disable=false disable=true")
    }
  }

  /// Without a daemon behaviors and their options come from the plugin files, and nothing is complained about.
  @Test func withoutADaemon() throws {
    let prompt = try Prompt(daemon: false)
    func offered(_ words: String...) throws -> String {
      let answer = try runProgram("headerctl", ["--complete"] + words, environment: prompt.environment)
      #expect(answer.status == 0 && answer.errors.isEmpty, "\(answer.errors)")
      return answer.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }.joined(separator: " ")
    }
    #expect(try offered("header", "open", "x", "--behavior", "Sh") == "ShyNavBar")
    #expect(try offered("header", "open", "x", "--behavior", "ShyNavBar", "--option", "exp") == "expansionResistance=")
    #expect(try offered("stream", "m").isEmpty)
  }

  /// The daemon's own options, too.
  @Test(arguments: ["bash", "zsh", "fish"]) func scriptsOfBothPrograms(_ shell: String) throws {
    for program in ["headerctl", "headerd"] {
      let script = try runProgram(program, ["--completions", shell])
      #expect(script.status == 0 && script.output.contains(program))
      guard let path = Toolchain.find(shell) else { continue }
      let folder = try TemporaryFolder()
      let child = try ChildProcess(path, ["-n", try folder.write(script.output, to: program)], environment: [:])
      #expect(try child.waitForExit() == 0 && child.errors.isEmpty, "\(child.errors)")
    }
    #expect(try runProgram("headerd", ["--complete", "--th"]).output.hasPrefix("--threads\t"))
  }
}
