// SPDX-License-Identifier: MIT
//
// Daemons say what they said before: for some lives how many messages of each kind all clients were sent, and a sum over them, kept in
// Golden. SNAP_UPDATE=1 writes them anew. A change that means to change nothing changes none of them, and one of states changes no answers.

import DaemonTestKit
import Foundation
import HeaderTestKit
import Simulation
import Testing

@Suite struct LifeSumTests {
  private static let seeds = 101...116 as ClosedRange<UInt64>

  @Test func daemonsSayWhatTheySaid() throws {
    let lives = try Self.seeds.map { "seed \($0)\n" + Self.sums(of: try Lives.live($0).transcripts) }
    let difference = try Golden("lives.txt").difference(to: lives.joined(separator: "\n"))
    #expect(difference == nil, "\(difference ?? "")")
  }

  private static func sums(of transcripts: [[UInt8]]) -> String {
    var kinds: [String: (count: Int, sum: Sum)] = [:]
    for line in transcripts.joined().split(separator: 10) {
      let text = String(decoding: line, as: UTF8.self)
      let kind = kind(of: text)
      kinds[kind, default: (0, Sum())].count += 1
      kinds[kind]?.sum.add(text)
    }
    return kinds.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.count) \($0.value.sum.text)\n" }.joined()
  }

  /// The method of a notification; `result` or `error` of an answer.
  private static func kind(of line: String) -> String {
    for start in [#""method":""#, #""result":"#, #""error":"#] {
      guard let place = line.range(of: start) else { continue }
      guard start.hasSuffix(#":""#) else { return String(start.dropFirst().prefix { $0 != "\"" }) }
      return String(line[place.upperBound...].prefix { $0 != "\"" })
    }
    return "other"
  }
}
