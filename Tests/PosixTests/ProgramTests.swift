// SPDX-License-Identifier: MIT

import DaemonTestKit
import Foundation
import Posix
import Testing

private func run(_ script: String, environment: [String] = [], seconds: Double = 60, atMost most: Int = 100_000) throws
  -> ProgramEnd
{
  try runProgram("/bin/sh", ["-c", script], environment: environment, seconds: seconds, atMost: most)
}

@Suite struct ProgramTests {
  @Test func aProgramIsRunToItsEnd() throws {
    let end = try run("echo out; echo err >&2; echo $A$B; exit 7", environment: ["A=x", "B=y"])
    #expect(end.reason == .exited(7))
    #expect(end.output == Array("out\nxy\n".utf8))
    #expect(end.errors == Array("err\n".utf8))
    #expect(try run("kill -9 $$").reason == .killed(SIGKILL))
  }

  @Test func limitsOnTimeAndOutputAreEnforced() throws {
    #expect(try run("exec sleep 100", seconds: 0.05).reason == .tookTooLong)
    // It closes its stdout and keeps running.
    #expect(try run("exec >&-; exec sleep 100", seconds: 0.2).reason == .tookTooLong)
    #expect(try run("while :; do echo much; done", atMost: 10_000).reason == .wroteTooMuch)
  }

  @Test func aMissingProgramIsReported() throws {
    let missing = try TemporaryFolder()("program")
    #expect(throws: SystemError(code: ENOENT)) {
      try runProgram(missing, [], environment: [], seconds: 1, atMost: 1)
    }
    let program = try startProgram(missing, [], environment: []) { $0() }
    #expect(waitUntilReady([Wait(program.socket, for: .reading)])[0].canRead)
    #expect(receiveSome(from: program.socket) == [])
    #expect(program.takeEnd() == .notStarted(SystemError(code: ENOENT)))
  }

  /// Descriptor 3 is its socket, 4 and 5 are the ones passed to it, and no other is inherited.
  @Test func aProgramInheritsOnlyTheGivenDescriptors() throws {
    let files = try (MemoryFile(Array("four".utf8)), MemoryFile(Array("five".utf8)))
    let given = try [openFile(files.0.path, for: .reading), openFile(files.1.path, for: .reading)]
    let secret = try makePipe()
    defer { for one in given + [secret.reader, secret.writer] { close(one) } }
    let program = try startProgram(
      "/bin/sh",
      [
        "-c",
        "cat <&4 >&3; cat <&5 >&3; cd /proc/self/fd; for n in *; do if [ -e $n ]; then echo \" $n\"; fi; done >&3",
      ],
      environment: ["PATH=/usr/bin:/bin"], descriptors: given
    ) { $0() }
    var said: [UInt8] = []
    while true {
      _ = waitUntilReady([Wait(program.socket, for: .reading)])
      guard let more = receiveSome(from: program.socket), !more.isEmpty else { break }
      said += more
    }
    #expect(program.takeEnd() == .exited(0))
    let text = String(decoding: said, as: UTF8.self)
    #expect(text.hasPrefix("fourfive"))
    let open = text.dropFirst(8).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    #expect(Set(0...5).isSubset(of: open))
    #expect(open.filter { $0 > 5 && $0 < 10 }.isEmpty, "\(open)")
  }

  @Test func deinitKillsTheProgram() throws {
    let pipe = try makePipe()
    defer { close(pipe.reader) }
    var program: StartedProgram? = try startProgram(
      "/bin/sh", ["-c", "exec sleep 1000"], environment: [], descriptors: [pipe.writer]
    ) { $0() }
    close(pipe.writer)
    #expect(!waitUntilReady([Wait(pipe.reader, for: .reading)], seconds: 0)[0].canRead)
    withExtendedLifetime(program) {}
    program = nil
    // End of file: the program, the last holder of the other end, has ended.
    #expect(try readSome(from: pipe.reader).isEmpty)
  }

  @Test func printedOutputCanBeRead() throws {
    let program = try startProgram("/bin/sh", ["-c", "echo hello; echo alas >&2"], environment: []) { $0() }
    #expect(program.takeEnd() == .exited(0))
    #expect(receiveSome(from: program.printed) == Array("hello\nalas\n".utf8))
    #expect(receiveSome(from: program.printed) == [])
  }

  @Test func signalsHaveNames() {
    #expect(signalText(SIGSEGV) == "Segmentation fault")
    #expect(signalText(SIGKILL) == "Killed")
  }
}
