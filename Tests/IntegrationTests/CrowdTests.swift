// SPDX-License-Identifier: MIT
//
// A crowd on the real socket: ten publishers, a hundred headers, two hundred subscribers in `every` mode, some of whom
// come later. All of them are sent the same bytes in the same order, so their streams are compared as bytes.

import DaemonTestKit
import Testing

@Suite struct CrowdTests {
  static let headers = (0..<100).map { "app\($0 % 10).h\($0)" }

  @Test func everybodyGetsTheSameStream() throws {
    let daemon = try RunningDaemon()
    let publishers = try (0..<10).map { _ in try daemon.client() }
    for (index, name) in Self.headers.enumerated() {
      let opening = Conversation.opening.replacing("\"main\"", with: "\"\(name)\"")
      _ = try publishers[index % 10].result("header.open", opening)
    }
    var subscribers: [WireClient] = []
    func join(_ count: Int) throws {
      for _ in 0..<count {
        let client = try daemon.client()
        try client.write(#"{"method":"subscribe","params":{"headers":"**","mode":"every"}}"# + "\n")
        subscribers.append(client)
      }
      // Everybody has subscribed before anything happens.
      for newcomer in subscribers.suffix(count) { snapshots.append(try newcomer.settledBytes()) }
    }
    var snapshots: [[UInt8]] = []
    var story = Story()
    var memory: [Int] = []
    for round in 0..<20 {
      try join(round < 10 ? 20 : 0)
      if let first = snapshots.first {
        #expect(areAlike(snapshots), "newcomers of round \(round) begin alike")
        try story.begin(lines(first))
      }
      snapshots = []
      for publisher in publishers.indices { try publishers[publisher].write(events(round, publisher)) }
      for publisher in publishers { #expect(try publisher.settle().lines == []) }
      let heard = try subscribers.map { try $0.settledBytes() }
      #expect(areAlike(heard), "round \(round)")
      try story.add(lines(heard[0]))
      memory.append(try publishers[0].result("stats")["memory"].int ?? 0)
    }
    #expect(subscribers.count == 200)
    #expect(story.states == 2000)
    for name in Self.headers {
      let state = try publishers[0].result("header.get", #"{"header":"\#(name)"}"#)["state"]
      #expect(state["drawers"].description == story.last[name]?["drawers"].description, "\(name)")
      #expect(state["seq"].int == story.last[name]?["seq"].int)
    }
    let stats = try publishers[0].result("stats")
    #expect(stats["gaps"].int == 0 && stats["errors"].int == 0 && stats["subscriptions"].int == 200)
    // Once everybody is there, memory stays where it is: in most rounds it grows by less than the smallest allocation, 16 bytes,
    // for each state that was delivered. A queue that became longer than ever, since a reader was late, counts once.
    // (A sanitizer keeps what is freed.)
    let growth = (12..<20).map { memory[$0] - memory[$0 - 1] }.sorted()
    if !TestFiles.isSanitized { #expect(growth[4] < 16 * 100 * 200, "\(memory)") }
  }

  /// One event for each header of a publisher.
  private func events(_ round: Int, _ publisher: Int) -> String {
    var text = ""
    for (index, name) in Self.headers.enumerated() where index % 10 == publisher {
      let y = Double((round * 7 + index * 13) % 90) - 103.5 + (round % 2 == 0 ? 20 : 0)
      text +=
        #"{"method":"event","params":{"header":"\#(name)","event":"didScroll","time":\#(round),"offset":{"y":\#(y)}}}"#
        + "\n"
    }
    return text
  }

  /// Whether all have the same lines. Most are the same byte by byte, which is found much faster.
  private func areAlike(_ heard: [[UInt8]]) -> Bool {
    let first = lines(heard[0])
    return heard.allSatisfy { $0 == heard[0] || lines($0) == first }
  }

  /// The lines in their order; with several threads, where headers may overtake each other, header by header.
  private func lines(_ bytes: [UInt8]) -> [String] {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    guard RunningDaemon.usualThreads > 1 else { return lines }
    let header = /"header":"([^"]*)"/
    let names = lines.map { line in line.firstMatch(of: header).map { String($0.1) } ?? "" }
    return lines.indices.sorted { (names[$0], $0) < (names[$1], $1) }.map { lines[$0] }
  }

  /// What everybody saw, header by header.
  private struct Story {
    var states = 0
    var last: [String: JSON] = [:]

    /// A newcomer's snapshots: a header each, as everybody else saw it last.
    mutating func begin(_ lines: [String]) throws {
      #expect(lines.count == CrowdTests.headers.count)
      for line in lines {
        let state = try JSON(line)["params"]
        #expect(state["snapshot"].bool == true)
        let name = state["header"].string ?? ""
        if let known = last[name] {
          #expect(state["seq"].int == known["seq"].int)
          #expect(state["drawers"].description == known["drawers"].description)
        }
        last[name] = state
      }
    }

    mutating func add(_ lines: [String]) throws {
      for line in lines {
        let state = try JSON(line)["params"]
        let name = state["header"].string ?? ""
        #expect(state["seq"].int == (last[name]?["seq"].int ?? 0) + 1)
        last[name] = state
        states += 1
      }
    }
  }
}
