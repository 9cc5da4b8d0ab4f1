// SPDX-License-Identifier: MIT
//
// What bash offers when somebody presses the tabulator.

import DaemonTestKit
import Foundation
import Testing

@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"))) struct CompletionTests {
  @Test(arguments: [
    ("pl", "plugin"), ("plugin re", "reload"), ("header o", "open"), ("stream --s", "--socket --speed"),
    ("subscribe --mode ", "every latest"), ("subscribe --mode l", "latest"), ("header open x --frames=e", "events"),
    ("--socket x wat", "watch"), ("watch --f", "--for"), ("plugin list --o", "--offline"), ("--comp", "--completions"),
  ])
  func bash(_ typed: String, _ offered: String) throws {
    let script = """
      source <("\(TestFiles.build)/headerctl" --completions bash) || exit 9
      COMP_WORDS=(headerctl \(typed.replacingOccurrences(of: "=", with: " = "))\(typed.hasSuffix(" ") ? "''" : ""))
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _headerctl
      echo "${COMPREPLY[*]}"
      """
    let child = try ChildProcess("/bin/bash", ["--norc", "-c", script], environment: ["PATH": "/usr/bin:/bin"])
    #expect(try child.waitForExit() == 0)
    #expect(child.errors.isEmpty, "\(child.errors)")
    #expect(
      child.output.split(whereSeparator: \.isWhitespace).sorted().joined(separator: " ") == offered, "\(child.output)")
  }
}
