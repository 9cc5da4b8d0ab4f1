// SPDX-License-Identifier: MIT
//
// The runs: who goes against whom, how often, and the parts that are not a comparison.

import DaemonTestKit
import Foundation

struct Session {
  let rounds: Int
  let seconds: Double

  /// All servers in turn, round by round, each round beginning with another one. The first of them is what the others
  /// are compared with. A broker that does not get through a workload is left out of it.
  func compare(_ workload: Workload, _ ours: [Server], _ brokers: [Server]) throws -> ComparedWorkload {
    let servers = ours + brokers
    var left: Set<Int> = []
    var result = ComparedWorkload(
      name: workload.name, bounds: [workload.bounds.lines, workload.bounds.frames],
      series: servers.map { Series(server: $0.name) })
    for round in 0..<rounds {
      note("\(workload.name): round \(round + 1) of \(rounds)")
      for turn in servers.indices {
        let index = (turn + round) % servers.count
        if left.contains(index) { continue }
        do {
          result.series[index].rounds.append(
            try measure(servers[index], workload.options, seconds: seconds * workload.length))
        } catch {
          if index < ours.count { throw error }
          note("\(workload.name): without \(servers[index].name): \(error)")
          left.insert(index)
        }
      }
      let base = result.series[0].rounds[round].cpu
      for index in servers.indices where !left.contains(index) {
        result.series[index].ratios.append(result.series[index].rounds[round].cpu / base)
      }
    }
    result.series = servers.indices.filter { !left.contains($0) }.map { result.series[$0] }
    return result
  }

  /// One run of a fresh server.
  func measure(_ server: Server, _ options: [String], seconds: Double? = nil) throws -> Measurement {
    let running = try RunningServer(server)
    let data = try running.load(
      ["seconds=\(seconds ?? self.seconds)", "warm=\(min(1, self.seconds / 2))", "payload=425"] + options)
    try running.stop()
    return try JSONDecoder().decode(Measurement.self, from: data)
  }

  /// What idle connections and headers take.
  func memory() throws -> [String: Memory] {
    var found: [String: Memory] = [:]
    for server in [Server.limit, .lines, .frames] {
      note("memory of \(server.name)")
      let running = try RunningServer(server)
      found[server.name] = try JSONDecoder().decode(
        Memory.self, from: try running.load(["memory=3000", "headers=10000"]))
      try running.stop()
    }
    return found
  }

  /// One of 16 subscribers stops reading states of 1 kB: what the others keep of their rate when events come as fast as they
  /// go, and how much memory it takes when events come at a pace. As fast as they go, what waits for the others is more.
  func slowSubscriber(seconds: Double) throws -> SlowSubscriber {
    func pairs(_ options: [String]) throws -> [(with: Measurement, without: Measurement)] {
      try (0..<rounds).map { round in
        note("a subscriber that does not read: round \(round + 1)")
        return (
          try measure(.lines, options + ["stopped=1"], seconds: seconds),
          try measure(.lines, options, seconds: seconds)
        )
      }
    }
    let (fast, paced) = (
      try pairs(["fanout=16", "drawers=9"]),
      // Its memory has found its size before, also for a burst.
      try pairs(["fanout=16", "drawers=9", "rate=2000", "warm=2", "burst=0.1"])
    )
    return SlowSubscriber(
      share: fast.map { $0.with.rate / 15 / ($0.without.rate / 16) }.median,
      grown: Int(paced.map { Double($0.with.grown - $0.without.grown) }.median),
      newest: (fast + paced).allSatisfy { $0.with.newest == true })
  }

  /// Of 2,000 subscribers 1,000 stop reading; 65,000 connections are tried where 1,024 are all there may be.
  func crowds() throws -> [Crowd] {
    // 20 headers, each to 100: each state is of 1 kB, so that a reader that stops has the kernel's buffer filled soon.
    let readers = ["streams=20", "fanout=100", "rate=15", "drawers=9", "warm=1"]
    // One publisher, 1,022 subscribers, and the connection that opens the header.
    let full = ["streams=1", "fanout=1022", "rate=60", "warm=1"]
    var stalled = Crowd(
      name: "1,000 of 2,000 subscribers stop reading", bound: Server.queueQuota + 1_000 * (96 << 10))
    var stormed = Crowd(name: "65,000 connections are tried at a limit of 1,024")
    for round in 0..<rounds {
      note("crowds: round \(round + 1) of \(rounds)")
      let long = max(20, 10 * seconds)
      stalled.with.append(try measure(.bounded, readers + ["stopped=1000"], seconds: long))
      stalled.without.append(try measure(.bounded, readers, seconds: long))
      stormed.with.append(try measure(.full, full + ["storm=65000"], seconds: 1))
      stormed.without.append(try measure(.full, full, seconds: 5))
    }
    return [stalled, stormed]
  }

  /// What an event costs as things grow, in nanoseconds of CPU.
  func curves() throws -> [Curve] {
    func curve(
      _ name: String, _ sizes: [Int], of server: Server = .lines, _ options: (Int) -> [String]
    ) throws -> Curve {
      var curve = Curve(name: name)
      for size in sizes {
        note("\(name): \(size)")
        let states = try (0..<min(3, rounds)).map { _ in try measure(server, options(size), seconds: 1).cpu }
        let events = name.hasPrefix("subscribers") ? Double(size) : 1
        curve.points.append(Curve.Point(size: size, cost: states.median * events))
      }
      return curve
    }
    let subscribers = [1, 4, 16, 64, 256, 1000]
    return [
      try curve("headers", [1, 10, 100, 1000, 10_000, 100_000]) { ["headers=\($0)"] },
      try curve("subscribers", subscribers) { ["fanout=\($0)"] },
      try curve("subscribers, limit", subscribers, of: .limit) { ["fanout=\($0)"] },
      try curve("drawers", [1, 2, 4, 8, 16, 32, 64]) { ["drawers=\($0)"] },
      try curve("delegates", [1, 2, 4, 8, 16]) { ["listeners=\($0 - 1)"] },
    ]
  }

  private func note(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
