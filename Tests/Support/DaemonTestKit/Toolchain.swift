// SPDX-License-Identifier: MIT
//
// The compilers of the toolchain that built the tests, for plugins that exist only for a test.

internal import Foundation

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

  /// Runs a program of the toolchain.
  /// - Throws: what it said, when it ended with anything but 0.
  public static func run(_ program: String, _ arguments: [String]) throws {
    let child =
      if let programs {
        try ChildProcess("\(programs)/\(program)", arguments, environment: inherited)
      } else {
        try ChildProcess("/usr/bin/env", [program] + arguments, environment: inherited)
      }
    let status = try child.waitForExit()
    guard status == 0 else { throw TestFailure("\(program) ended with \(status):\n\(child.output)\(child.errors)") }
  }
}
