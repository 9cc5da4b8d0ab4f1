// SPDX-License-Identifier: MIT
//
// What is asked of the servers, and what comes of it.

import Foundation

/// Streams of events and those who listen.
struct Workload: Sendable {
  var name: String
  var options: [String]
  /// Bounds of CPU per state as shares of the limit's, in lines and in frames.
  var bounds: (lines: Double, frames: Double)
  /// Runs take so many times as long: where few states are made, there must be enough of them.
  var length = 1.0

  static let all = [
    Workload(
      name: "8 streams × 120 Hz, 8 subscribers", options: ["streams=8", "rate=120"], bounds: (1.1, 1.1), length: 6),
    Workload(name: "1 → 1 flat out (window 256)", options: [], bounds: (1.5, 0.7)),
    // The relay writes whole states here, too: what `fields` chose costs no more than all of it.
    Workload(name: "1 → 1, the drawers alone", options: ["fields=1"], bounds: (1.5, 0.7)),
    Workload(name: "1 → 16", options: ["fanout=16"], bounds: (1.25, 0.9)),
    Workload(name: "1 → 256", options: ["fanout=256"], bounds: (1.1, 0.9)),
    Workload(name: "64 × (1 → 1)", options: ["streams=64"], bounds: (1.15, 1.0)),
    Workload(
      name: "1000 × 60 Hz, 1000 subscribers", options: ["streams=1000", "rate=60"], bounds: (1.0, 1.0), length: 2),
    // The same events on few sockets, as a compositor sends those of its windows: here reads can be gathered.
    Workload(
      name: "1000 × 60 Hz from 8 connections", options: ["streams=1000", "rate=60", "publishers=8"], bounds: (0.7, 0.7),
      length: 2),
  ]
}

extension Workload {
  /// Those whose events come at a rate, whatever the server does.
  var isPaced: Bool { options.contains { $0.hasPrefix("rate=") } }
  /// Those of many headers, which more than one thread may share.
  var isSpread: Bool { options.contains("streams=64") || options == ["streams=1000", "rate=60"] }
}

/// What the load generator says of one run.
struct Measurement: Codable, Sendable {
  /// States that were read by subscribers, and in what time.
  var delivered: Int
  var seconds: Double
  /// Nanoseconds of the server's CPU a delivered state.
  var cpu: Double
  /// States a second.
  var rate: Double
  /// Microseconds from the write of an event to the read of its state.
  var p50: Double
  var p99: Double
  var p999: Double
  /// The most memory the server ever had resident, in bytes.
  var peak: Int
  /// Nanoseconds of the load generator's CPU a state.
  var own: Double
  /// Bytes that the server's memory grew by meanwhile.
  var grown: Int
  /// With a subscriber that does not read: whether it got the newest state at last.
  var newest: Bool?
  /// With somebody who connects again and again: what came of it.
  var storm: Storm?
}

/// Connections that were tried at the limit.
struct Storm: Codable, Sendable {
  var refused: Int
  var accepted: Int
  /// Those that got neither an error nor anything else.
  var failed: Int
  /// States that those who are connected did not get.
  var missing: Int
}

/// What those who are served notice of those who do not read, and of those who may not connect.
struct Crowd: Codable, Sendable {
  var name: String
  /// Pairs of runs, one a round: with what is to be noticed, and without.
  var with: [Measurement] = []
  var without: [Measurement] = []
  /// Bytes that the daemon may grow by.
  var bound: Int?

  /// By how much the 99th percentile of the age of states changes: the median of the rounds' pairs.
  var change: Double { zip(with, without).map { $0.p99 / $1.p99 - 1 }.median }
}

/// Memory of things that do nothing, in bytes.
struct Memory: Codable, Sendable {
  var connection: Double
  /// A header that was opened.
  var header: Double
  /// One whose drawers have moved: what it had in common with others is then its own.
  var moved: Double
}

/// A server's measurements of one workload, one a round.
struct Series: Codable, Sendable {
  var server: String
  var rounds: [Measurement] = []
  /// CPU per state as a share of the limit's in the same round.
  var ratios: [Double] = []
}

extension [Double] {
  /// The middle one of an odd number; 0 of none.
  var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}
