// SPDX-License-Identifier: MIT
//
// Messages that a stranger may send, a hundred thousand in each run of the tests, in both encodings: extreme numbers in every
// number of every message there is, other values in their places, bytes flipped, cut, with sizes that lie. What must hold: the
// process lives, every request is answered exactly once, everything that is said is JSON, and a header that nobody names goes
// on as if nobody else were there (FuzzWorld.swift). `make fuzz` goes on with new seeds until it is told to end.

import Foundation
import FuzzTargets
import HeaderModel
import HeaderTestKit
import HeaderWire
import ServiceTestKit
import Testing

@Suite struct FuzzTests {
  /// Messages in all.
  static let messages = 5_000 * parts
  static let parts = 8 * effort

  @Test func everythingIsInTheTable() throws {
    #expect(Set(CommandTable.params.map(\.0)).union([.event]) == Set(RequestMethod.allCases))
    #expect(Set(CommandTable.events.map(\.0)) == Set(EventName.allCases))
    // All of it is right: it is the fuzzer that makes it wrong.
    for (name, fields) in CommandTable.events {
      var unknown: [UnknownField] = []
      var event = tree(fields).record
      event["event"] = .text(name.rawValue)
      _ = try TimedEvent(.record(event), unknown: &unknown)
      #expect(unknown.isEmpty, "\(name) \(unknown)")
    }
    // The verdicts and actions of an answer.
    let words = CommandTable.answers.flatMap { $0.split(separator: "\"").map(String.init) }
    let wanted: Set = [
      "pass", "rewrite", "end", "move", "expand", "contract", "setHeight", "setDrawer", "setElement", "setValue",
      "notice", "setContentOffset", "setContentInset", "want", "command", "animate",
    ]
    #expect(wanted.subtracting(words) == [])
  }

  @Test(arguments: UInt64(0)..<UInt64(parts)) func nothingThatIsSentHurts(seed: UInt64) throws {
    let world = try FuzzWorld(seed: seed)
    do {
      for _ in 0..<Self.messages / Self.parts { try world.step() }
      try world.settle()
    } catch {
      Issue.record("seed \(seed), message \(world.count): \(error)")
    }
    // It is not all refused, and not all taken.
    #expect(world.results > 500 && world.errors > 500 && world.states > 500)
  }

  /// Asked for by `make fuzz`: seed after seed until the time is over.
  @Test(.enabled(if: Fuzzing.seconds != nil)) func untilTheTimeIsOver() throws {
    let end = Date(timeIntervalSinceNow: Fuzzing.seconds ?? 0)
    let log = Fuzzing()
    var seed = Fuzzing.firstSeed
    var messages = 0
    let begin = Date()
    while Date() < end {
      let world = try FuzzWorld(seed: seed)
      world.before = { log.keep("seed \(seed), message \(world.count): \($0)") }
      do {
        for _ in 0..<20_000 where Date() < end {
          try world.step()
          messages += 1
        }
        try world.settle()
      } catch {
        Issue.record("seed \(seed), message \(world.count): \(error)")
        return
      }
      let rate = Double(messages) / max(0.001, Date().timeIntervalSince(begin))
      log.say("seed \(seed): \(messages) messages so far, \(Int(rate)) a second; \(world.summary)")
      seed += 1
    }
  }
}

/// What the endless form is told by its environment, and where it keeps what it sends: whoever dies of a message leaves it
/// there.
final class Fuzzing {
  static let environment = ProcessInfo.processInfo.environment
  static let seconds = environment["HEADERD_FUZZ_SECONDS"].flatMap(Double.init)
  static let firstSeed = environment["HEADERD_FUZZ_SEED"].flatMap(UInt64.init) ?? UInt64(Date().timeIntervalSince1970)
  private let file: FileHandle?

  init() {
    let path = Self.environment["HEADERD_FUZZ_LAST"]
    if let path { _ = FileManager.default.createFile(atPath: path, contents: nil) }
    file = path.flatMap { FileHandle(forWritingAtPath: $0) }
  }

  /// Keeps the last message.
  func keep(_ text: String) {
    guard let file else { return }
    try? file.seek(toOffset: 0)
    try? file.write(contentsOf: Data((text + "\n").utf8))
    try? file.truncate(atOffset: UInt64(text.utf8.count + 1))
  }

  func say(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8)) }
}
