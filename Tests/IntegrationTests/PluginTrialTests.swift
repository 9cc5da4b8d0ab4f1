// SPDX-License-Identifier: MIT
//
// Plugins that do harm while they are loaded, tried in a process of their own first (`plugins.isolation`): the daemon refuses
// them with the reason and lives on, and what they have no right to is refused to them.

import DaemonTestKit
import Foundation
import Testing

@Suite struct PluginTrialTests {
  /// Address sanitizers need more address space than any bound leaves.
  private static let memory = TestFiles.isSanitized ? 0 : 100_000_000

  private static func compile(_ flags: [String], to library: String, _ source: String = "intruder") throws {
    try compilePlugin("\(Toolchain.sources)/Tests/IntegrationTests/Plugins/\(source).c", flags + ["-w"], to: library)
  }

  private static func daemon(_ plugins: String = "") throws -> RunningDaemon {
    try RunningDaemon(
      config: """
        [plugins]
        isolation = { default = "trial" }
        deadline = 0.2
        processMemory = \(memory)
        load = ["ShyNavBar"]
        \(plugins)
        """)
  }

  @Test(arguments: [
    ("segfault", "it crashed that process: Segmentation fault"), ("abort", "it crashed that process: Aborted"),
    ("exit", "it ended that process with status 0 before it had described itself"),
    ("overflow", "it crashed that process: Segmentation fault"), ("leak", "it crashed that process: Aborted"),
    ("loop", "it did not come to an end within 4.2 s"),
    ("babble", "it described itself with more than 16 MiB"),
  ])
  func whatEndsItsProcessIsRefusedWithTheReason(_ act: String, _ reason: String) throws {
    if TestFiles.isSanitized, ["leak", "overflow", "segfault", "abort"].contains(act) { return }
    let daemon = try Self.daemon()
    try Self.compile(["-DACT=\(act)"], to: daemon.folder("built.so"))
    try TestFiles.install(daemon.folder("built.so"), over: "\(daemon.plugins)/libMover.so")
    let client = try daemon.client()
    _ = try client.result("header.open", Conversation.opening)
    let refusal = try client.refusal("plugin.load", #"{"plugin":"Mover"}"#)
    #expect(
      refusal["message"].string
        == "\(daemon.plugins)/libMover.so: tried in a process of its own, \(reason)")
    #expect(refusal["data"]["check"].string == "trial" && refusal["data"]["name"].string == "pluginRefused")
    _ = try client.result("event", #"{"event":"didScroll","time":1,"offset":{"y":40}}"#)
    #expect(try client.result("plugin.list")["plugins"].list.compactMap { $0["plugin"].string } == ["ShyNavBar"])
  }

  /// What a plugin refuses by itself is told of a plugin in a process as of any other, each mistake with its place.
  @Test func checkConfigTellsWhatAPluginInAProcessRefuses() throws {
    let folder = try TemporaryFolder()
    try RunningDaemon.providePlugins(["FlexibleHeightBar", "ShyNavBar", "StretchyHeader"], in: folder)
    var lists: [[String]] = []
    for way in ["none", "process"] {
      let config = """
        [[header]]
        header = "bare"
        delegates = [ { behavior = "ShyNavBar" } ]
        [[header]]
        header = "both"
        drawers = [ { name = "navBar", height = 44 } ]
        delegates = [ { behavior = "ShyNavBar" }, { behavior = "StretchyHeader" } ]
        [[header]]
        header = "snaps"
        drawers = [ { name = "navBar", height = 200 } ]
        [[header.delegates]]
        behavior = "FlexibleHeightBar"
        [header.delegates.options]
        maximumBarHeight = 200
        snapping = [ { progress = 0, start = 0, end = 0.5 }, { progress = 1, start = 0.4, end = 1 } ]
        [[header]]
        header = "fine"
        drawers = [ { name = "navBar", height = 44 } ]
        delegates = [ { behavior = "ShyNavBar" } ]
        [plugins]
        isolation = { default = "\(way)" }
        processMemory = \(Self.memory)

        """
      let file = try folder.write(config, to: "headerd.toml")
      let end = try runProgram(
        "headerd", ["--check-config", "--config", file], environment: ["HEADERD_PLUGIN_PATH": folder("plugins")])
      #expect(end.status == 1)
      lists.append(end.errors.split(separator: "\n").map(String.init))
    }
    #expect(lists[0].count == 3, "\(lists[0])")
    #expect(lists[0] == lists[1])
  }

  @Test func checkConfigTellsThatAProcessDies() throws {
    let folder = try TemporaryFolder()
    _ = try folder.folder("plugins")
    try Self.compile(["-DDIES_AT_ATTACH"], to: folder("plugins/libMover.so"), "mover")
    let config = """
      [plugins]
      isolation = { default = "process" }
      processMemory = \(Self.memory)
      [[header]]
      header = "main"
      drawers = [ { name = "navBar", height = 44 } ]
      delegates = [ { behavior = "Mover" } ]

      """
    let end = try runProgram(
      "headerd", ["--check-config", "--config", try folder.write(config, to: "headerd.toml")],
      environment: ["HEADERD_PLUGIN_PATH": folder("plugins")])
    #expect(end.status == 1)
    #expect(end.errors.contains(":4:1: header[0]: the process of Mover died: it ended with status 7"), "\(end.errors)")
  }

  /// What the plugin says of each right.
  /// - Parameters:
  ///   - landlock: the version that the kernel is taken to have; nil: its own.
  ///   - user: whose process it is; nil: this one's.
  private func said(
    _ act: String, _ flags: [String] = [], readable: [String] = [], landlock: Int? = nil, user: Int? = nil
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    try Self.compile(["-DACT=\(act)"] + flags, to: folder("libMover.so"))
    var environment = inherited
    if let landlock {
      try TestFiles.compileOldLandlock(to: folder("old.so"))
      environment["LD_PRELOAD"] = folder("old.so")
      environment["LANDLOCK_VERSION"] = String(landlock)
    }
    let worker = "\(TestFiles.prefix)/libexec/headerd/headerd-worker"
    let command =
      (user.map { ["setpriv", "--reuid=\($0)", "--clear-groups"] } ?? [])
      + [worker, "describe", folder("libMover.so"), String(Self.memory)] + readable
    let child = try ChildProcess("/usr/bin/env", command, environment: environment)
    #expect(try child.waitForExit() == 0)
    #expect(child.output.hasPrefix(#"{"plugin":"Mover","#))
    return child.errors.split(separator: "\n").map(String.init)
  }

  @Test(arguments: [
    ("fork", ["fork: refused"]), ("exec", ["exec: refused"]), ("socket", ["inet: refused", "unix: refused"]),
    ("kill", ["parent: refused", "all: refused", "init: refused"]), ("trace", ["trace: refused"]),
    ("chmod", ["chmod: refused"]), ("limit", ["limit: refused"]), ("thread", ["thread: done"]),
    ("own", ["owner", "signal", "asynchronous", "ioctl", "lease"].map { "\($0): refused" }),
    ("parent", ["affinity", "farewell", "limits"].map { "\($0): refused" }),
    (
      "unusual",
      [
        "setxattr", "setxattrat", "fspick", "mount_setattr", "memfd", "memfd_secret", "inotify", "fanotify", "io_uring",
        "pipe", "message", "lock", "timer", "unshare", "chdir",
      ].map { "\($0): refused" }
    ),
    (
      "usual",
      [
        "memory", "clock", "sleep", "random", "signal", "name", "terminal", "maps", "random file", "processors",
      ].map { "\($0): done" }
    ),
  ])
  func whatItHasNoRightToIsRefused(_ act: String, _ expected: [String]) throws {
    #expect(try said(act) == expected)
  }

  /// Landlock may be missing in a kernel; then there is nothing to expect.
  @Test func filesAreRefusedButForThoseThatTheConfigNames() throws {
    guard Self.hasLandlock else { return }
    #expect(try said("read") == ["read: refused"])
    #expect(try said("write") == ["write: refused"])
    #expect(try said("read", readable: ["/etc/passwd"]) == ["read: done"])
    #expect(try said("read", readable: ["/etc"]) == ["read: done"])
    let folder = try TemporaryFolder()
    let place = try folder.write("secret", to: "secret")
    #expect(try said("read", ["-DPLACE=\"\(place)\""]) == ["read: refused"])
    #expect(try said("read", ["-DPLACE=\"\(place)\""], readable: [folder.path]) == ["read: done"])
  }

  /// With each version of landlock, 0 for none: what one does not know of is refused all the same, also of a file that is readable.
  @Test(arguments: 0...7) func noVersionOfLandlockLeavesAFileToIt(_ version: Int) throws {
    if TestFiles.isSanitized { return }
    let folder = try TemporaryFolder()
    let place = try folder.write("kept", to: "kept")
    for readable in [[], [folder.path]] {
      #expect(
        try said("truncate", ["-DPLACE=\"\(place)\""], readable: readable, landlock: version)
          == ["truncate", "emptying open", "writing open", "remove"].map { "\($0): refused" })
      #expect(try said("write", landlock: version) == ["write: refused"])
    }
    #expect(try String(contentsOfFile: place, encoding: .utf8) == "kept")
    #expect(!FileManager.default.fileExists(atPath: "/tmp/headerd-intruder"))
  }

  /// The bound of threads needs a user namespace, which not every system lets a user have, and a user that is not the superuser.
  @Test func itHasNoMoreThreadsAndFilesThanItNeeds() throws {
    if TestFiles.isSanitized { return }
    let user = geteuid() == 0 ? 64_001 : nil
    let namespace = ["unshare", "--user", "true"]
    let change = (user.map { ["setpriv", "--reuid=\($0)", "--clear-groups"] } ?? []) + namespace
    let hasNamespaces = try ChildProcess("/usr/bin/env", change, environment: inherited).waitForExit() == 0
    let said = try said("crowd", user: user)
    if hasNamespaces { #expect(said[0] == "two thousand threads: refused") }
    #expect(said.dropFirst() == ["eight threads: done", "two thousand files: refused"])
  }

  /// Asks the kernel for the version of it (LANDLOCK_CREATE_RULESET_VERSION).
  private static let hasLandlock: Bool = {
    typealias Call = @convention(c) (Int, UnsafeRawPointer?, Int, UInt32) -> Int
    guard let call = unsafe dlsym(nil, "syscall") else { return false }
    return unsafe unsafeBitCast(call, to: Call.self)(444, nil, 0, 1) >= 1
  }()

  @Test func whatIsInOrderIsLoadedAndTriedOnceForEachContent() throws {
    let daemon = try Self.daemon()
    let plain = "\(daemon.plugins)/libMover.so"
    try Self.compile([], to: daemon.folder("built.so"), "mover")
    try TestFiles.install(daemon.folder("built.so"), over: plain)
    let client = try daemon.client()
    _ = try client.result("plugin.load", #"{"plugin":"Mover"}"#)
    _ = try client.result("header.open", PluginTests.opening("a"))
    _ = try client.result("event", PluginTests.scroll("a", 1, 10))
    // A build that would crash the daemon: the old code goes on.
    try Self.compile(["-DACT=segfault"], to: daemon.folder("broken.so"))
    try TestFiles.install(daemon.folder("broken.so"), over: plain)
    let refusal = try client.refusal("plugin.reload", #"{"plugin":"Mover"}"#)
    #expect(refusal["message"].string?.contains("it crashed that process") == true || TestFiles.isSanitized)
    #expect(try client.result("event", PluginTests.scroll("a", 2, 20))["seq"].int == 3)
    // Once more what was there first: it has passed.
    try TestFiles.install(daemon.folder("built.so"), over: plain)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: plain)
    _ = try client.result("plugin.reload", #"{"plugin":"Mover"}"#)
    #expect(try client.result("event", PluginTests.scroll("a", 3, 30))["seq"].int == 4)
  }

  /// A named plugin keeps the daemon from starting, one of all is left out; the check of a config tells both.
  @Test func theCheckOfAConfigTriesPluginsToo() throws {
    let folder = try TemporaryFolder()
    try RunningDaemon.providePlugins([], in: folder)
    try Self.compile(["-DACT=exit"], to: folder("plugins/libMover.so"))
    let isolation = "[plugins]\nisolation = { Mover = \"trial\" }\n\(TestFiles.processMemory)\n"
    func check(_ config: String) throws -> (status: Int32, errors: String) {
      let file = try folder.write(config, to: "headerd.toml")
      let child = try ChildProcess(
        "\(TestFiles.prefix)/bin/headerd", ["--check-config", "--config", file],
        environment: inherited.merging(["HEADERD_PLUGIN_PATH": folder("plugins")]) { $1 })
      let status = try child.waitForExit()
      return (status, child.errors)
    }
    let left = try check(isolation)
    #expect(left.status == 0 && left.errors.contains("warning: a plugin is left out: "))
    #expect(left.errors.contains("it ended that process with status 0 before it had described itself"))
    let named = try check(isolation + "load = [\"Mover\"]\n")
    #expect(named.status == 1 && named.errors.contains("headerd.toml:4:9: plugins.load[0]: "))
  }
}
