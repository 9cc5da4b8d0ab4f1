// SPDX-License-Identifier: MIT
//
// Daemons say what they said before: for some lives how many messages of each kind all clients were sent, and a sum over them, kept in
// Golden. SNAP_UPDATE=1 writes them anew. A change that means to change nothing changes none of them, and one of states changes no answers.

import DaemonTestKit
import HeaderTestKit
import Simulation
import Testing

@Suite struct LifeSumTests {
  private static let seeds = 101...116 as ClosedRange<UInt64>

  @Test func daemonsSayWhatTheySaid() throws {
    let lives = try Self.seeds.map { "seed \($0)\n" + TranscriptSums.text(of: try Lives.live($0).transcripts) }
    let difference = try Golden("lives.txt").difference(to: lives.joined(separator: "\n"))
    #expect(difference == nil, "\(difference ?? "")")
  }
}
