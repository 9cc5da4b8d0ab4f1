// SPDX-License-Identifier: MIT
//
// One call of the C library fails, once (Preloaded/faults.c): each call of each kind, one after the other, at start, in service,
// during a reload of config and plugins, while somebody records, while headers are journaled, and with headers in a process. Whoever
// was there is served, nothing is left open, and all is well afterwards. The usual run takes some of the calls; `make fault-sweep`
// all of them.

import DaemonTestKit
import Foundation
import Testing

/// Kinds of calls, in the order of faults.c.
private enum Kind: Int32, CaseIterable {
  case open, read, write, sync, rename, load, accept, fork, thread, allocate, remove, makeFolder, pair, map

  /// What such a call may fail with.
  var errors: [Int32] {
    switch self {
    case .open: [EMFILE, EACCES]
    case .read: [EIO, ECONNRESET, EINTR]
    case .write: [ENOSPC, EPIPE, EINTR]
    case .sync: [EIO]
    case .rename: [EACCES]
    case .load: [0]
    case .accept: [EMFILE, ECONNABORTED, ENOMEM]
    case .fork, .thread: [EAGAIN]
    case .allocate: [ENOSPC]
    case .remove, .makeFolder: [EACCES]
    case .pair: [EMFILE]
    case .map: [ENOMEM]
    }
  }
}

/// The file that the preloaded library looks into.
private final class Faults {
  private let descriptor: Int32
  let environment: [String: String]

  init(_ folder: TemporaryFolder) throws {
    let (library, path) = (folder("faults.so"), folder("faults"))
    guard let compiler = Toolchain.c else { throw TestFailure("there is no C compiler on the PATH") }
    try Toolchain.compile(
      compiler,
      [
        "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC",
        "\(Toolchain.sources)/Tests/IntegrationTests/Preloaded/faults.c",
      ], to: library)
    descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0, Glibc.ftruncate(descriptor, 4096) == 0 else { throw TestFailure("no control file") }
    environment = ["LD_PRELOAD": library, "FAULTS_CONTROL": path]
    disarm()
  }

  deinit { close(descriptor) }

  private func put(_ words: [Int32], at place: Int) {
    _ = unsafe words.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(place)) }
  }

  private func word(at place: Int) -> Int32 {
    var word: Int32 = 0
    _ = unsafe pread(descriptor, &word, 4, off_t(place))
    return word
  }

  /// Has the N-th call of a kind from now on fail.
  func arm(_ kind: Kind, _ number: Int, _ error: Int32) {
    put([Int32(number), error, 0], at: 4)
    put([kind.rawValue], at: 0)
  }

  /// No call fails any more.
  func disarm() { put([-1], at: 0) }

  /// Whether the call that was to fail did.
  var hasFired: Bool { word(at: 12) == 1 }

  /// How many calls of a kind there were.
  func calls(_ kind: Kind) -> Int { Int(word(at: 16 + 4 * Int(kind.rawValue))) }
}

/// Whether every call is made to fail.
private let isWhole = ProcessInfo.processInfo.environment["HEADERD_FAULT_SWEEP"] == "1"

/// Says what was done, where all is.
private func report(_ what: String, _ kind: Kind, _ fired: Int) {
  if isWhole { print("\(what), \(kind): \(fired) calls have failed") }
}

/// Some numbers of 1 to `count`, or all of them.
private func numbers(to count: Int, few: Bool = false) -> [Int] {
  guard !isWhole, count > (few ? 2 : 5) else { return Array(1...max(count, 1)) }
  return few ? [1, count] : [1, 2, count / 2, count - 1, count]
}

@Suite(
  .serialized,
  .enabled(if: !TestFiles.isSanitized && Toolchain.c != nil, "a preloaded library cannot be before a sanitizer's"))
struct FaultTests {
  private static let config = """
    [[header]]
    header = "fixed"
    drawers = [{ name = "bar", height = 44 }]
    """

  // MARK: - At start

  /// It starts and serves, or says why it does not.
  @Test(arguments: Kind.allCases) private func atStart(_ kind: Kind) throws {
    let folder = try TemporaryFolder()
    let faults = try Faults(folder)
    try RunningDaemon.providePlugins(["ShyNavBar"], in: folder)
    try folder.write("threads = 2\n" + Self.config, to: "headerd.toml")
    var (served, refused, fired) = (0, 0, 0)
    func start() throws {
      let socket = folder("headerd.sock")
      let daemon = try startProgram(
        "headerd", ["--config", folder("headerd.toml"), "--socket", socket],
        environment: faults.environment.merging(["HEADERD_PLUGIN_PATH": folder("plugins")]) { $1 })
      var answers = false
      try eventually("it answers or ends") {
        answers = (try? WireClient(socket).request("ping")) != nil
        return answers || daemon.hasEnded
      }
      faults.disarm()
      fired += faults.hasFired ? 1 : 0
      if answers {
        #expect(try !WireClient(socket).result("header.list")["headers"].list.isEmpty)
        daemon.signal(SIGTERM)
        #expect(try daemon.waitForExit() == 0, "\(daemon.errors)")
        served += 1
      } else {
        #expect(try daemon.waitForExit() == 1)
        #expect(daemon.errors.contains("headerd: ") || kind == .write, "\(daemon.errors)")
        refused += 1
      }
      #expect(!TestFiles.exists(socket))
    }
    let before = faults.calls(kind)
    try start()
    let count = faults.calls(kind) - before
    #expect(count > 0 || ![.open, .read, .write, .load, .accept, .thread].contains(kind))
    for error in kind.errors {
      for number in numbers(to: count) {
        faults.arm(kind, number, error)
        try start()
        faults.disarm()
      }
    }
    #expect(served > 0)
    report("start (\(refused) refused)", kind, fired)
    try start()
  }

  // MARK: - While it runs

  /// A daemon with faults, somebody who publishes, and some who look on.
  private final class Scene {
    let folder: TemporaryFolder
    let faults: Faults
    let daemon: RunningDaemon
    private var publisher: WireClient
    private var subscribers: [WireClient] = []
    private var step = 0

    init(_ threads: Int, _ config: String = "") throws {
      folder = try TemporaryFolder()
      faults = try Faults(folder)
      try RunningDaemon.providePlugins(["ShyNavBar"], in: folder, copied: true)
      let text = config.replacingOccurrences(of: "FOLDER", with: folder("state"))
      try folder.write("threads = \(threads)\n\(text)\n\(FaultTests.config)", to: "headerd.toml")
      let socket = folder("headerd.sock")
      daemon = try RunningDaemon(
        in: folder, socket: socket, arguments: ["--config", folder("headerd.toml"), "--socket", socket],
        environment: faults.environment)
      publisher = try daemon.client()
      _ = try publisher.result("header.open", Conversation.opening)
      try fill()
    }

    /// Three subscribers.
    private func fill() throws {
      while subscribers.count < 3 {
        let client = try daemon.client()
        _ = try client.result("subscribe", #"{"headers":"main","mode":"every"}"#)
        subscribers.append(client)
      }
    }

    /// One event; nobody waits for anything.
    func scroll() {
      step += 1
      let y = Double(step * 7 % 90) - 103.5 + (step % 2 == 0 ? 20 : 0)
      try? publisher.write(
        #"{"method":"event","params":{"header":"main","event":"didScroll","time":\#(step),"offset":{"y":\#(y)}}}"#
          + "\n")
    }

    /// Everybody is served as if nothing had been.
    /// - Parameter maxLost: connections that the fault may have ended.
    func check(_ what: String, maxLost: Int = 0) throws {
      faults.disarm()
      var lost = 0
      if (try? publisher.settle().ended) != false {
        publisher = try daemon.client()
        lost += 1
      }
      for client in subscribers where (try? client.settle().ended) != false {
        subscribers.removeAll { $0 === client }
        lost += 1
      }
      #expect(lost <= maxLost, "\(what): \(lost) connections were lost")
      try fill()
      for client in subscribers { _ = try client.settle() }
      scroll()
      // Behind the scroll also where the header is in a process; a ping would not be.
      _ = try publisher.result("header.get", #"{"header":"main"}"#)
      for client in subscribers {
        let states = try client.settle().lines.filter { $0.contains("\"method\":\"state\"") }
        #expect(states.count == 1, "\(what)")
      }
      let guest = try daemon.client()
      #expect(try guest.result("header.list")["headers"].list.count == 2, "\(what)")
    }

    /// The processes that it has started, each the child of one of its threads.
    func workers() throws -> [pid_t] {
      let threads = "/proc/\(daemon.process.pid)/task"
      return try FileManager.default.contentsOfDirectory(atPath: threads).flatMap { thread in
        let text = try String(contentsOfFile: "\(threads)/\(thread)/children", encoding: .utf8)
        return text.split(separator: " ").compactMap { pid_t($0) }
      }
    }

    /// Its open descriptors, once those of connections that have ended are closed.
    func descriptors() throws -> Int {
      _ = try publisher.result("ping")
      return try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.process.pid)/fd").count
    }

    /// Does something again and again, with another call failing each time.
    /// - Parameter expected: kinds of which there are calls; of the others there may be some one day.
    ///   - few: of each kind two are enough in the usual run, since each takes seconds.
    func sweep(
      _ kind: Kind, _ what: String, expected: [Kind], few: Bool = false, _ act: () throws -> Void
    ) throws {
      try act()
      try check(what)
      let before = faults.calls(kind)
      try act()
      let count = faults.calls(kind) - before
      try check(what)
      let open = try descriptors()
      guard count > 0 else {
        #expect(!expected.contains(kind), "\(what): nothing calls \(kind)")
        return
      }
      var fired = 0
      defer {
        // Where a kind is not expected, the calls that were counted may have come by chance.
        #expect(fired > 0 || !expected.contains(kind), "\(what): no \(kind) has failed")
        report(what, kind, fired)
      }
      for error in kind.errors {
        for number in numbers(to: count, few: few) {
          faults.arm(kind, number, error)
          try act()
          fired += faults.hasFired ? 1 : 0
          // What cannot be read from or written to is gone.
          let maxLost = kind == .read || kind == .write ? 1 : 0
          try check("\(what): \(kind) number \(number) with \(error)", maxLost: maxLost)
          #expect(!daemon.process.hasEnded, "\(daemon.errors)")
        }
      }
      try eventually("\(what), \(kind): nothing is left open") { try descriptors() <= open }
    }
  }

  /// Connections come, ask, open headers, and go.
  @Test(arguments: Kind.allCases, [1, 2]) private func inService(_ kind: Kind, _ threads: Int) throws {
    let scene = try Scene(threads)
    try scene.sweep(kind, "in service", expected: [.open, .read, .write, .accept]) {
      let guest = try scene.daemon.client()
      // An answer, or an error that says why; who is cut off finds out by reading.
      try? guest.write(#"{"id":1,"method":"header.open","params":{"header":"other"}}"# + "\n")
      scene.scroll()
      try? guest.write(
        #"{"id":2,"method":"stats"}"# + "\n" + #"{"id":3,"method":"header.close","params":{"header":"other"}}"# + "\n")
      let (lines, ended) = try guest.settle()
      #expect(ended || lines.count == 3, "\(lines)")
      // Who cannot be accepted for want of a descriptor is told so.
      if ended, kind == .accept { #expect(lines.count == 1 && lines[0].contains("limitExceeded"), "\(lines)") }
      _ = try? scene.daemon.client().request("header.close", #"{"header":"other"}"#)
    }
  }

  /// The config is read anew, and a plugin: the old one stays in force when that fails.
  @Test(arguments: Kind.allCases) private func duringAReload(_ kind: Kind) throws {
    let scene = try Scene(1)
    var build = 0
    try scene.sweep(kind, "reload", expected: [.open, .read, .write, .accept, .load]) {
      func told() -> Int {
        ["event=configRead ", "event=configRefused "].reduce(0) {
          $0 + scene.daemon.errors.components(separatedBy: $1).count - 1
        }
      }
      let before = told()
      scene.daemon.process.signal(SIGHUP)
      // The line itself may be what is lost: then a request finds it read.
      let deadline = monotonic() + 2
      while told() == before, monotonic() < deadline, !scene.faults.hasFired { usleep(2_000) }
      build += 1
      try scene.daemon.rebuild("ShyNavBar", build)
      let guest = try scene.daemon.client()
      if let answer = try? guest.request("plugin.reload", #"{"plugin":"ShyNavBar"}"#), !answer["error"].isAbsent {
        #expect(answer["error"]["data"]["name"].string?.isEmpty == false)
      }
    }
    let changed = try scene.daemon.client().result("plugin.reload", #"{"plugin":"ShyNavBar"}"#)
    #expect(!changed["changed"].isAbsent)
  }

  /// Somebody records; what is recorded replays, or ends where the connection did.
  @Test(arguments: Kind.allCases) private func whileRecording(_ kind: Kind) throws {
    let scene = try Scene(1)
    try scene.sweep(kind, "recording", expected: [.read, .write, .accept]) {
      let recorder = try scene.daemon.client()
      guard let begun = try? recorder.request("trace.start", #"{"header":"main"}"#),
        let id = begun["result"]["trace"].int
      else { return }
      for _ in 0..<3 { scene.scroll() }
      let (_, ended) = try recorder.settle()
      if !ended { _ = try? recorder.request("trace.stop", #"{"trace":\#(id)}"#) }
    }
  }

  // MARK: - The journal

  private static let state = "[state]\ndirectory = \"FOLDER\"\ndurability = \"acknowledged\""

  /// Headers are recorded; then the disk is full, there is room again, and all of them are written down anew. An answer says
  /// that its event is on the disk, or the connection was told that it need not be.
  @Test(arguments: [Kind.open, .read, .write, .sync, .allocate, .remove]) private func whileJournaling(
    _ kind: Kind
  ) throws {
    let scene = try Scene(1, Self.state)
    func lines(_ event: String) -> Int { scene.daemon.errors.components(separatedBy: "event=\(event) ").count - 1 }
    func limitFiles(_ bytes: String) throws {
      try runTool("/usr/bin/prlimit", ["--pid", String(scene.daemon.process.pid), "--fsize=\(bytes)"])
    }
    func stats() -> JSON? { (try? scene.daemon.client().request("stats"))?["result"]["journal"] }
    func segments() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: scene.folder("state")).count { $0.hasSuffix(".journal") }
    }
    try scene.sweep(kind, "journal", expected: [.open, .write, .sync, .remove], few: true) {
      try limitFiles("unlimited:")
      scene.scroll()
      guard let guest = try? scene.daemon.client() else { return }
      _ = try? guest.request("header.open", #"{"header":"other"}"#)
      for y in 1...3 {
        _ = try? guest.request("event", #"{"header":"other","event":"didScroll","offset":{"y":\#(y)}}"#)
      }
      _ = try? guest.request("header.close", #"{"header":"other"}"#)
      try limitFiles("0:")
      // A busy daemon takes its time. What has failed may be the publisher's connection: then nothing more is written.
      let deadline = monotonic() + 5
      repeat {
        scene.scroll()
        usleep(20_000)
      } while stats()?["failure"].isAbsent != false && !scene.faults.hasFired && monotonic() < deadline
      try limitFiles("unlimited:")
      try eventually("the journal is written again") {
        let journal = stats()
        // The guest may have been cut off before it closed its header.
        if journal?["headers"].int ?? 0 > 2 {
          _ = try? scene.daemon.client().request("header.close", #"{"header":"other"}"#)
        }
        // What the disk had before it failed is given up once all is written anew, and then removed.
        return try journal.map { $0["failure"].isAbsent && $0["headers"].int == 2 && $0["segments"].int == 1 } ?? false
          && segments() == 1
      }
    }
    #expect(lines("journalFailed") > 0 && lines("journalRecovered") > 0)
    // What is answered now outlives the daemon.
    let client = try scene.daemon.client()
    _ = try client.result("event", #"{"header":"fixed","event":"didScroll","offset":{"y":7}}"#)
    let seq = try client.result("header.get", #"{"header":"fixed"}"#)["state"]["seq"].int
    try scene.daemon.kill()
    let next = try RunningDaemon(
      in: scene.folder, socket: scene.folder("headerd.sock"),
      arguments: ["--config", scene.folder("headerd.toml"), "--socket", scene.folder("headerd.sock")])
    #expect(try next.client().result("header.list")["headers"].list.count == 2)
    #expect(try next.client().result("header.get", #"{"header":"fixed"}"#)["state"]["seq"].int == seq)
    try next.kill()
  }

  /// A daemon that finds a journal restores its headers, or says why it does not start; no fault costs a header.
  @Test(arguments: [Kind.open, .read, .write, .sync, .allocate, .remove, .makeFolder], [false, true])
  private func atStartWithAJournal(_ kind: Kind, isNew: Bool) throws {
    let folder = try TemporaryFolder()
    let faults = try Faults(folder)
    try RunningDaemon.providePlugins(["ShyNavBar"], in: folder)
    let (state, kept, socket) = (folder("state"), folder("kept"), folder("headerd.sock"))
    try folder.write(Self.state.replacingOccurrences(of: "FOLDER", with: state), to: "headerd.toml")
    var (fired, refused) = (0, 0)
    func start(_ body: (WireClient) throws -> Void) throws {
      let daemon = try startProgram(
        "headerd", ["--config", folder("headerd.toml"), "--socket", socket],
        environment: faults.environment.merging(["HEADERD_PLUGIN_PATH": folder("plugins")]) { $1 })
      var answers = false
      try eventually("it answers or ends") {
        answers = (try? WireClient(socket).request("ping")) != nil
        return answers || daemon.hasEnded
      }
      faults.disarm()
      fired += faults.hasFired ? 1 : 0
      guard answers else {
        refused += 1
        #expect(try daemon.waitForExit() == 1)
        return #expect(daemon.errors.contains("headerd: ") || kind == .write, "\(daemon.errors)")
      }
      try body(WireClient(socket))
      daemon.signal(SIGTERM)
      #expect(try daemon.waitForExit() == 0, "\(daemon.errors)")
    }
    try start { client in
      _ = try client.result("header.open", Conversation.opening)
      _ = try client.result("event", #"{"header":"main","event":"didScroll","offset":{"y":30}}"#)
    }
    try FileManager.default.moveItem(atPath: state, toPath: kept)
    func startAnew() throws {
      try? FileManager.default.removeItem(atPath: state)
      if !isNew { try FileManager.default.copyItem(atPath: kept, toPath: state) }
      try start { _ in }
    }
    let before = faults.calls(kind)
    try startAnew()
    let count = faults.calls(kind) - before
    for error in kind.errors where count > 0 {
      for number in numbers(to: count, few: true) {
        faults.arm(kind, number, error)
        try startAnew()
        faults.disarm()
        // Whatever has happened: the next start has it.
        try start { client in
          let rows = try client.result("header.list")["headers"].list
          #expect(rows.count == (isNew ? 0 : 1), "\(kind) number \(number) with \(error)")
        }
      }
    }
    report("start with a journal (\(refused) refused)", kind, fired)
  }

  // MARK: - Processes

  /// The process that has a header is killed, a new one takes its place, and the plugin is reloaded into another one.
  @Test(arguments: [Kind.open, .read, .write, .fork, .allocate, .pair, .map])
  private func withHeadersInAProcess(_ kind: Kind) throws {
    let scene = try Scene(1, "[plugins]\nisolation = { ShyNavBar = \"process\" }")
    var build = 0
    try scene.sweep(
      kind, "process", expected: [.open, .read, .write, .fork, .allocate, .pair, .map], few: true
    ) {
      for worker in try scene.workers() { kill(worker, SIGKILL) }
      scene.scroll()
      guard let guest = try? scene.daemon.client() else { return }
      let opening = Conversation.opening.replacingOccurrences(of: #""main""#, with: #""other""#)
      for (method, params) in [
        ("header.open", opening), ("event", #"{"header":"other","event":"didScroll","offset":{"y":5}}"#),
        ("header.close", #"{"header":"other"}"#),
      ] {
        guard let answer = try? guest.request(method, params) else { break }
        #expect(!answer["result"].isAbsent || answer["error"]["data"]["name"].string?.isEmpty == false)
      }
      build += 1
      try scene.daemon.rebuild("ShyNavBar", build)
      _ = try? scene.daemon.client().request("plugin.reload", #"{"plugin":"ShyNavBar"}"#)
      _ = try? scene.daemon.client().request("header.close", #"{"header":"other"}"#)
    }
    try eventually("one process is left") { try scene.workers().count == 1 }
  }
}
