// SPDX-License-Identifier: MIT
//
// The compilers of the toolchain that built the tests, for plugins that exist only for a test.

internal import Foundation
internal import Synchronization

/// Compilers for tests.
public enum Toolchain {
  /// The folder of clang and swiftc: this program has TOOLCHAIN/usr/lib/swift/linux/libswiftCore.so in its memory.
  private static let programs: String? = {
    let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    let core = "/lib/swift/linux/libswiftCore.so"
    guard let line = maps.split(separator: "\n").first(where: { $0.hasSuffix(core) }),
      let start = line.firstIndex(of: "/")
    else { return nil }
    return line[start...].dropLast(core.count) + "/bin"
  }()

  /// What each command has compiled.
  private static let compiled = Mutex<[[String]: Data]>([:])

  /// Compiles a library, or takes the one that the same command gave before: many tests want the same.
  /// - Parameters:
  ///   - compiler: the compiler's path, or its name in the toolchain.
  ///   - library: the file to write; one that stands there is replaced, as an installation does.
  /// - Throws: what the compiler said, when it ended with anything but 0.
  public static func compile(_ compiler: String, _ arguments: [String], to library: String) throws {
    let command = [compiler] + arguments
    let next = "\(library).\(UUID().uuidString)"
    if compiled.withLock({ $0[command] }) == nil {
      try run(compiler, arguments + ["-o", next])
      let library = try Data(contentsOf: URL(filePath: next))
      // Of tests that compile the same at once all get the first one's: two of them are not the same byte for byte.
      compiled.withLock { $0[command] = $0[command] ?? library }
    }
    try compiled.withLock { $0[command] }?.write(to: URL(filePath: next))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: next)
    guard unsafe rename(next, library) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// Runs a program of the toolchain, or another by its path.
  /// - Throws: what it said, when it ended with anything but 0.
  public static func run(_ program: String, _ arguments: [String]) throws {
    let child =
      if program.contains("/") {
        try ChildProcess(program, arguments, environment: inherited)
      } else if let programs {
        try ChildProcess("\(programs)/\(program)", arguments, environment: inherited)
      } else {
        try ChildProcess("/usr/bin/env", [program] + arguments, environment: inherited)
      }
    let status = try child.waitForExit()
    guard status == 0 else { throw TestFailure("\(program) ended with \(status):\n\(child.output)\(child.errors)") }
  }
}
