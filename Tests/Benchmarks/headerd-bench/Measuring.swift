// SPDX-License-Identifier: MIT
//
// Three figures of a workload: nanoseconds of this process's CPU (noisy: the median of rounds), allocations (exact), and
// instructions (exact, by running this program again under callgrind with two counts and taking the difference).

import Clocks
import CountedAllocations
import Glibc

/// What a workload costs an event.
struct Cost {
  /// Nanoseconds of CPU: the least, the median and the most of the rounds.
  var nanoseconds: (least: Double, median: Double, most: Double)
  /// nil where they cannot be counted.
  var allocations: Double?
  /// nil without valgrind.
  var instructions: Double?
}

enum Measuring {
  static let rounds = 21

  /// Measures in this process; instructions are not among it.
  /// - Parameter events: of how many allocations are counted.
  static func cost(of run: (Int) -> Void, events: Int) -> Cost {
    // Buffers and caches come to their sizes before anything is counted.
    run(events / 5)
    let before = counted_allocations()
    run(events)
    let allocations = Double(counted_allocations() - before) / Double(events)
    // Rounds of about two milliseconds: long against the clock's step, short against the machine's moods.
    let once = time { run(events / 10) } / Double(events / 10)
    let count = max(events / 100, Int(2e6 / max(once, 1)))
    let times = (0..<rounds).map { _ in time { run(count) } / Double(count) }.sorted()
    return Cost(
      nanoseconds: (times[0], times[rounds / 2], times[rounds - 1]),
      allocations: counted_allocations_work() ? allocations : nil)
  }

  /// Nanoseconds of CPU that something takes.
  private static func time(_ body: () -> Void) -> Double {
    let begin = clock()
    body()
    return clock() - begin
  }

  private static func clock() -> Double {
    var now = timespec()
    _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    return Double(now.tv_sec) * 1e9 + Double(now.tv_nsec)
  }

  /// Instructions an event, counted by callgrind; nil when there is no valgrind.
  static func instructions(of workload: String, program: String, plugins: String) -> Double? {
    let (few, many) = (1_000, 3_000)
    guard
      let first = callgrind([program, "--plugins", plugins, "--once", workload, "\(few)"]),
      let second = callgrind([program, "--plugins", plugins, "--once", workload, "\(many)"])
    else { return nil }
    return Double(second - first) / Double(many - few)
  }

  private static func callgrind(_ command: [String]) -> Int? {
    guard let output = valgrind(["--tool=callgrind", "--callgrind-out-file=/dev/null"] + command) else { return nil }
    // ==123== Collected : 4711
    for line in output.split(separator: 10) {
      let words = line.split(separator: UInt8(ascii: " "))
      guard let place = words.firstIndex(where: { $0.elementsEqual("Collected".utf8) }), place + 2 < words.count else {
        continue
      }
      return Int(String(decoding: words[place + 2], as: UTF8.self))
    }
    return nil
  }

  /// Runs a command under valgrind.
  /// - Returns: what it wrote to standard error; nil when there is no valgrind, or the command failed.
  static func valgrind(_ command: [String]) -> [UInt8]? {
    var pipeEnds: [Int32] = [0, 0]
    guard unsafe pipe(&pipeEnds) == 0 else { return nil }
    let (reading, writing) = (pipeEnds[0], pipeEnds[1])
    defer { close(reading) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, writing, 2)
    unsafe posix_spawn_file_actions_addclose(&actions, reading)
    let words = ["valgrind"] + command
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process = pid_t()
    let failed = unsafe posix_spawnp(&process, "valgrind", &actions, nil, &arguments, environ)
    close(writing)
    guard failed == 0 else { return nil }
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe read(reading, &chunk, chunk.count)
      guard count > 0 else { break }
      output += chunk[..<count]
    }
    var status: Int32 = 0
    guard unsafe waitpid(process, &status, 0) == process, status == 0 else { return nil }
    return output
  }
}
