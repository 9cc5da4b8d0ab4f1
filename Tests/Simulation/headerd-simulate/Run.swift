// SPDX-License-Identifier: MIT

import Foundation
import Simulation

/// Seeds handed out to processes, batch by batch, and what comes of them.
struct Run {
  private var next: UInt64
  private let first: UInt64
  private let last: UInt64
  private let jobs: Int
  var deadline = Date.distantFuture
  private var batches: [Batch] = []
  private var (lives, actions, simulated, failures) = (0, 0, 0.0, 0)
  private let begun = Date()
  private var toldAt = Date()
  /// For lives that are shrunk.
  private let plugins = MappedPlugins()

  /// Seeds that one process lives: the plugins are mapped once for all of them.
  private static let batchSize: UInt64 = 250
  /// A process that takes longer hangs, seconds.
  private static let batchTime = 600.0
  /// Failures that are shrunk; there is hardly a seed without one when something is broken.
  private static let maxShrunk = 5
  /// How long one is shrunk, seconds: what is left then may be shorter still.
  private static let shrinkingTime = 60.0

  init(first: UInt64, last: UInt64, jobs: Int) { (next, self.first, self.last, self.jobs) = (first, first, last, jobs) }

  /// A process and the seeds that it has.
  private struct Batch {
    let seeds: Range<UInt64>
    let process: Child
  }

  mutating func run() -> Int32 {
    while true {
      while batches.count < jobs, next < last, Date() < deadline {
        let end = min(last, next + Self.batchSize)
        start(next..<end)
        next = end
      }
      guard !batches.isEmpty else { break }
      Thread.sleep(forTimeInterval: 0.05)
      for index in batches.indices.reversed() where batches[index].process.hasEnded(within: Self.batchTime) {
        take(batches.remove(at: index))
      }
      if Date().timeIntervalSince(toldAt) >= 10 { tell() }
    }
    tell()
    return failures == 0 ? 0 : 1
  }

  private mutating func start(_ seeds: Range<UInt64>) {
    batches.append(
      Batch(seeds: seeds, process: Child(["--batch", "\(seeds.lowerBound)..<\(seeds.upperBound)"])))
  }

  private mutating func take(_ batch: Batch) {
    var running: UInt64?
    for line in batch.process.output.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 2)
      guard words.count > 1, let seed = UInt64(words[1]) else { continue }
      switch words[0] {
      case "seed": running = seed
      case "failed": fail(seed, String(words.last ?? ""), crashes: false)
      case "done":
        running = nil
        let counts = words[2].split(separator: " ").compactMap { Double($0) }
        lives += 1
        simulated += counts.first ?? 0
        actions += Int(counts.last ?? 0)
      default: break
      }
    }
    guard let seed = running else { return }
    fail(seed, "the process ends with \(batch.process.end): \(batch.process.errors.suffix(2000))", crashes: true)
    if seed + 1 < batch.seeds.upperBound { start(seed + 1..<batch.seeds.upperBound) }
  }

  private mutating func fail(_ seed: UInt64, _ complaint: String, crashes: Bool) {
    failures += 1
    print("seed \(seed): \(complaint)")
    fflush(nil)
    guard failures <= Self.maxShrunk else { return }
    let script = Child(["--record", "\(seed)"])
    script.wait()
    guard let script = try? Script(script.output) else { return print("seed \(seed) cannot be written down") }
    let what = complaint.components(separatedBy: ":").first ?? complaint
    let end = Date(timeIntervalSinceNow: Self.shrinkingTime)
    var shrinker = Shrinker { [plugins] in
      Date() < end && (crashes ? Self.crashes($0) : Self.fails($0, what, plugins))
    }
    let shrunk = shrinker.shrink(script)
    print(
      "seed \(seed) in \(shrunk.actions.count) of \(script.actions.count) actions:\n\(shrunk.test(named: "seed\(seed)"))"
    )
  }

  private static func fails(_ script: Script, _ what: String, _ plugins: MappedPlugins) -> Bool {
    ((try? Simulation.complaints(of: script, with: plugins)) ?? []).contains { $0.what == what }
  }

  private static func crashes(_ script: Script) -> Bool {
    let file = NSTemporaryDirectory() + "/headerd-simulate.\(ProcessInfo.processInfo.processIdentifier)"
    defer { try? FileManager.default.removeItem(atPath: file) }
    guard (try? script.description.write(toFile: file, atomically: false, encoding: .utf8)) != nil else { return false }
    let child = Child(["--script", file])
    child.wait()
    return child.wasSignaled
  }

  private mutating func tell() {
    toldAt = Date()
    let seconds = max(0.001, toldAt.timeIntervalSince(begun))
    print(
      "\(lives) lives, seeds \(first)..<\(next), \(failures) failed; \(String(format: "%.0f", seconds)) s, "
        + "\(String(format: "%.1f", Double(lives) / seconds)) seeds a second, \(actions) actions, "
        + "\(String(format: "%.1f", simulated / 3.6e12)) hours simulated")
    fflush(nil)
  }
}

/// This program once more, with what it writes kept in files.
final class Child {
  private let process = Process()
  private let (out, err): (String, String)
  private let begun = Date()

  init(_ arguments: [String]) {
    let base = NSTemporaryDirectory() + "/headerd-simulate." + UUID().uuidString
    (out, err) = (base + ".out", base + ".err")
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    for path in [out, err] { _ = FileManager.default.createFile(atPath: path, contents: nil) }
    process.standardOutput = FileHandle(forWritingAtPath: out)
    process.standardError = FileHandle(forWritingAtPath: err)
    do { try process.run() } catch { print("\(error)") }
  }

  deinit { for path in [out, err] { try? FileManager.default.removeItem(atPath: path) } }

  func hasEnded(within seconds: Double) -> Bool {
    if process.isRunning, Date().timeIntervalSince(begun) > seconds { kill(process.processIdentifier, SIGKILL) }
    return !process.isRunning
  }

  func wait() { process.waitUntilExit() }

  var output: String { (try? String(contentsOfFile: out, encoding: .utf8)) ?? "" }
  var errors: String { (try? String(contentsOfFile: err, encoding: .utf8)) ?? "" }
  var wasSignaled: Bool { process.terminationReason == .uncaughtSignal }
  var end: String { "\(wasSignaled ? "signal" : "status") \(process.terminationStatus)" }
}
