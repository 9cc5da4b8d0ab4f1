// SPDX-License-Identifier: MIT
//
// Compilers and other tools as a user has them, on the PATH, and how one is run.

internal import Foundation

/// Tools on this machine.
extension Toolchain {
  /// The checkout that the tests were built from.
  public static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// A C compiler: the one of the Swift toolchain, if it is on the PATH.
  public static let c = find("clang") ?? find("cc")

  /// The Rust compiler, nil when there is none.
  public static let rust = find("rustc").flatMap { works($0) ? $0 : nil }

  /// The first program of a name on the PATH.
  public static func find(_ name: String) -> String? {
    (inherited["PATH"] ?? "/usr/bin").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Whether it tells its version: what stands on the PATH may be a front that has no compiler behind it.
  private static func works(_ compiler: String) -> Bool {
    (try? runTool(compiler, ["--version"]))?.status == 0
  }
}

/// Runs a tool to its end.
/// - Throws: when it ends with another status than 0, with what it said.
@discardableResult
public func runTool(
  _ path: String, _ arguments: [String], environment: [String: String] = [:], seconds: Double = watchdogSeconds
) throws -> Finished {
  let child = try ChildProcess(path, arguments, environment: inherited.merging(environment) { $1 })
  let status = try child.waitForExit(seconds: seconds)
  let end = Finished(status: status, output: child.output, errors: child.errors)
  guard status == 0 else {
    throw TestFailure("\(path) \(arguments.joined(separator: " ")) ended with \(status):\n\(end.output)\(end.errors)")
  }
  return end
}

/// Compiles a plugin of one C file.
public func compilePlugin(_ source: String, _ flags: [String] = [], to library: String) throws {
  guard let compiler = Toolchain.c else { throw TestFailure("there is no C compiler on the PATH") }
  let contract = "\(Toolchain.sources)/Sources/CHeaderPlugin"
  try Toolchain.compile(
    compiler,
    ["-std=c11", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-I", contract]
      + ["-Wl,--version-script=\(contract)/exported.map"] + flags + [source],
    to: library)
}
