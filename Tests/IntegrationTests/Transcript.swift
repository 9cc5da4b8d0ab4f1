// SPDX-License-Identifier: MIT
//
// Conversations with the daemon as golden files. A file is a row of cases; its inputs are kept, what comes back is written
// down anew and compared. With SNAP_UPDATE=1 the file is written, and the diff is the review.
//
//     # a title                        fresh connections, and header `main` opened anew by A
//     @ bare                           … and no header
//     A > {"id":1,"method":"ping"}     A sends a line; \xHH is a byte, a last \ keeps the line's end back
//     A > (half)                       A sends no more
//     A > (gone)                       A is gone
//     A < {"jsonrpc":"2.0",…}          what came back, when everything that the input led to was done
//     A < (ended)                      the daemon ended the connection
//
// After each input every connection asks `ping` and is read until the answer, so that nothing is waited for by time.

import DaemonTestKit
import Testing

/// One case of a golden file.
struct Conversation {
  var title: String
  var directives: [String] = []
  var inputs: [(name: String, text: String)] = []

  /// The cases of a file; only what a person wrote.
  static func read(_ text: String) -> [Conversation] {
    var cases: [Conversation] = []
    for line in text.split(separator: "\n").map(String.init) {
      if line.hasPrefix("# ") { cases.append(Conversation(title: line)) }
      guard !cases.isEmpty else { continue }
      if line.hasPrefix("@ ") { cases[cases.count - 1].directives.append(line) }
      let parts = line.split(separator: " ", maxSplits: 2)
      if parts.count == 3, parts[1] == ">" {
        cases[cases.count - 1].inputs.append((String(parts[0]), String(parts[2])))
      }
    }
    return cases
  }

  static let opening = """
    {"header":"main","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},\
    "contentInset":{"top":64}}},"environment":{"statusBarHeight":20,"clockSecondOfMinute":0},\
    "drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],\
    "delegates":[{"behavior":"ShyNavBar"}],"frames":"events","ifExists":"replace"}
    """

  /// Holds the conversation and writes it down.
  /// - Parameter afterEach: done after each input, such as looking whether others noticed anything.
  func run(with daemon: RunningDaemon, afterEach: () throws -> Void = {}) throws -> String {
    var told = ([title] + directives).map { $0 + "\n" }.joined()
    var speakers: [Speaker] = []
    if !directives.contains("@ bare") {
      let first = try Speaker("A", daemon)
      _ = try first.client.result("header.open", Self.opening)
      speakers.append(first)
    }
    for input in inputs {
      told += "\(input.name) > \(input.text)\n"
      if !speakers.contains(where: { $0.name == input.name }) { speakers.append(try Speaker(input.name, daemon)) }
      guard let speaker = speakers.first(where: { $0.name == input.name }) else { continue }
      if input.text == "(gone)" {
        speakers.removeAll { $0 === speaker }
      } else {
        speaker.say(input.text)
      }
      // The one that spoke first: what it said is done before the others are asked.
      for one in [speaker] + speakers.filter({ $0 !== speaker }) where speakers.contains(where: { $0 === one }) {
        for line in try one.hear() { told += "\(one.name) < \(Self.scrubbed(line, daemon.folder.path))\n" }
      }
      try afterEach()
    }
    return told
  }

  /// A line with what differs from run to run replaced by words.
  static func scrubbed(_ line: String, _ folder: String) -> String {
    DaemonTestKit.scrubbed(line, folder: folder).replacing(/"handle":\d+/, with: "\"handle\":HANDLE")
      .replacing(/"trace":\d+/, with: "\"trace\":TRACE")
      .replacing(/"bytes(Received|Sent)":\d+/) { "\"bytes\($0.1)\":BYTES" }
      .replacing(/"memory":\d+/, with: "\"memory\":BYTES")
      // Those of the conversation before may not be gone yet.
      .replacing(/"result":{"connections":\d+/, with: "\"result\":{\"connections\":NUMBER")
      .replacing(/"users":\[.*?}}\]/, with: "\"users\":[]")
      .replacing(/"subscriptions":\d+,"events"/, with: "\"subscriptions\":NUMBER,\"events\"")
      .replacing(/"calls":\d+,"time":[0-9.e-]+/, with: "\"calls\":CALLS,\"time\":TIME")
  }
}

/// One connection of a conversation.
private final class Speaker {
  let name: String
  let client: WireClient
  private var isSilent = false
  private var isOver = false
  private var hasToldItsEnd = false

  init(_ name: String, _ daemon: RunningDaemon) throws {
    self.name = name
    client = try daemon.client()
  }

  func say(_ text: String) {
    if text == "(half)" {
      client.closeWriting()
      isOver = true
      return
    }
    let (bytes, ends) = Self.bytes(text)
    isSilent = !ends
    // A connection that the daemon has ended takes nothing; what it said before is heard all the same.
    try? client.write(bytes + (ends ? [10] : []))
  }

  /// What came back. A line that is not finished yet would swallow the ping: then nothing is listened for.
  func hear() throws -> [String] {
    guard !isSilent, !hasToldItsEnd else { return [] }
    let heard = isOver ? (lines: try client.linesToTheEnd(), ended: true) : try client.settle()
    guard heard.ended else { return heard.lines }
    hasToldItsEnd = true
    return heard.lines + ["(ended)"]
  }

  /// The bytes of an input, and whether its line ends.
  private static func bytes(_ text: String) -> ([UInt8], Bool) {
    let given = Array(text.utf8)
    var bytes: [UInt8] = []
    var index = 0
    while index < given.count {
      guard given[index] == UInt8(ascii: "\\") else {
        bytes.append(given[index])
        index += 1
        continue
      }
      if index + 1 == given.count { return (bytes, false) }
      if given[index + 1] == UInt8(ascii: "x"), index + 3 < given.count {
        bytes.append(UInt8(String(decoding: given[index + 2..<index + 4], as: UTF8.self), radix: 16) ?? 0)
        index += 4
      } else {
        bytes.append(given[index])
        index += 1
      }
    }
    return (bytes, true)
  }
}

/// Holds all conversations of a golden file with one daemon.
func holdConversations(
  _ file: String, with daemon: RunningDaemon, atLeast least: Int, afterEach: () throws -> Void = {},
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let golden = Golden(file)
  let cases = Conversation.read(golden.text)
  #expect(cases.count >= least, "\(file) has \(cases.count) cases", sourceLocation: sourceLocation)
  let told = try cases.map { try $0.run(with: daemon, afterEach: afterEach) }.joined(separator: "\n")
  let difference = try golden.difference(to: told)
  #expect(difference == nil, "\(difference ?? "")", sourceLocation: sourceLocation)
}
