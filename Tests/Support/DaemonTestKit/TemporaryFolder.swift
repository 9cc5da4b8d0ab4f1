// SPDX-License-Identifier: MIT
//
// A folder of a test's own, removed with all that is in it, and the few things that tests do with files.

internal import Foundation

/// A fresh folder under /tmp, with a path short enough for sockets.
public final class TemporaryFolder: Sendable {
  /// The folder.
  public let path: String

  /// Makes it.
  public init() throws {
    var template = Array("/tmp/headerd-test-XXXXXX".utf8CString)
    guard let made = unsafe mkdtemp(&template) else { throw TestFailure("mkdtemp: \(errnoText())") }
    path = unsafe String(cString: made)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of something in it.
  public func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file and gives its path.
  @discardableResult public func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: self(name)))
    return self(name)
  }

  /// Makes a folder and gives its path.
  public func folder(_ name: String, mode: Int = 0o700) throws -> String {
    try FileManager.default.createDirectory(
      atPath: self(name), withIntermediateDirectories: true, attributes: [.posixPermissions: mode])
    return self(name)
  }
}

/// Files as tests see them.
public enum TestFiles {
  /// The folder in which the programs and plugins of this build lie.
  public static let build: String = {
    let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "."
    return URL(fileURLWithPath: path).deletingLastPathComponent().path
  }()

  /// A tree as `make install` makes it, with the programs of this build and no plugins: what is started from there finds
  /// those plugins alone that a test gives it.
  public static let prefix: String = {
    let (manager, prefix) = (FileManager.default, "\(build)/tests-prefix")
    for folder in ["bin", "libexec/headerd", "lib/headerd/plugins"] {
      try? manager.createDirectory(atPath: "\(prefix)/\(folder)", withIntermediateDirectories: true)
    }
    for (folder, name) in [("bin", "headerd"), ("bin", "headerctl"), ("libexec/headerd", "headerd-worker")] {
      let fresh = "\(prefix)/\(folder)/.\(name).\(getpid())"
      try? manager.linkItem(atPath: "\(build)/\(name)", toPath: fresh)
      // Does nothing if it is there already; another test process may do the same.
      _ = unsafe rename(fresh, "\(prefix)/\(folder)/\(name)")
      _ = unsafe unlink(fresh)
    }
    return prefix
  }()

  /// The same for a machine whose kernel has an older version of landlock, 0 for none: its processes for plugins see that one.
  public static func prefix(landlock version: Int) throws -> String {
    let (manager, prefix) = (FileManager.default, "\(build)/tests-landlock-\(version)")
    for folder in ["bin", "libexec/headerd"] {
      try manager.createDirectory(atPath: "\(prefix)/\(folder)", withIntermediateDirectories: true)
    }
    let script = "\(Toolchain.sources)/Tests/IntegrationTests/Preloaded/old-landlock.sh"
    // Made under other names, since other tests do the same.
    func put(_ place: String, _ make: (String) throws -> Void) throws {
      let fresh = "\(prefix)/\(place).\(UUID().uuidString)"
      try make(fresh)
      _ = unsafe rename(fresh, "\(prefix)/\(place)")
      _ = unsafe unlink(fresh)
    }
    try put("old-landlock.so") { try compileOldLandlock(to: $0) }
    try put("libexec/headerd/headerd-worker") {
      try manager.createSymbolicLink(atPath: $0, withDestinationPath: script)
    }
    try put("bin/headerd") { try manager.linkItem(atPath: "\(build)/headerd", toPath: $0) }
    return prefix
  }

  /// Compiles what a program sees another version of landlock by: the one in its environment's `LANDLOCK_VERSION`.
  public static func compileOldLandlock(to library: String) throws {
    guard let compiler = Toolchain.c else { throw TestFailure("there is no C compiler on the PATH") }
    let source = "\(Toolchain.sources)/Tests/IntegrationTests/Preloaded/old-landlock.c"
    try Toolchain.compile(compiler, ["-shared", "-fPIC", source], to: library)
  }

  /// Whether this build is one under AddressSanitizer or ThreadSanitizer.
  public static let isSanitized = unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
  /// A line of a config's `[plugins]` with processes: sanitizers need more memory than any bound leaves. Empty without one.
  public static let processMemory = isSanitized ? "processMemory = 0" : ""

  /// What a file holds so far, empty when there is none. (Foundation's own reading leaks when the file is still empty.)
  public static func text(_ path: String) -> String {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(file, &chunk, chunk.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk[..<count]
    }
  }

  /// Permission bits, nil when there is nothing.
  public static func mode(_ path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
  }

  /// Whether anything is at a path, a dangling link too.
  public static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Puts a copy of a file over another one the way installers do: written beside it, then renamed.
  public static func install(_ source: String, over target: String, mode: Int = 0o755) throws {
    let fresh = "\(target).new"
    try? FileManager.default.removeItem(atPath: fresh)
    try FileManager.default.copyItem(atPath: source, toPath: fresh)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: fresh)
    guard unsafe rename(fresh, target) == 0 else { throw TestFailure("rename: \(errnoText())") }
  }
}

/// What went wrong in a test's own machinery, or what a daemon did that no test can go on with.
public struct TestFailure: Error, CustomStringConvertible {
  /// What went wrong, in words.
  public let description: String
  /// A failure in words.
  public init(_ description: String) { self.description = description }
}

func errnoText() -> String { unsafe String(cString: strerror(errno)) }

/// How long anything may take before a test gives up: generous, since sanitizers and busy machines are slow.
public let watchdogSeconds = 60.0

/// Milliseconds left until a time of the monotonic clock, for poll.
func millisecondsLeft(until deadline: Double) -> Int32 { Int32(max(0, min(600_000, (deadline - monotonic()) * 1000))) }

/// The monotonic clock in seconds.
public func monotonic() -> Double {
  var now = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &now)
  return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}

/// Asks every few milliseconds until something is so: what is waited for needs the processor, too.
/// - Throws: when it is not so after the watchdog's time.
public func eventually(_ what: String, _ isSo: () throws -> Bool) throws {
  let deadline = monotonic() + watchdogSeconds
  while try !isSo() {
    if monotonic() > deadline { throw TestFailure("not within \(watchdogSeconds) s: \(what)") }
    usleep(5_000)
  }
}
