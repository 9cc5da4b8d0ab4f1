// SPDX-License-Identifier: MIT
//
// The program headerd-worker, which headerd starts; it is not for people. It gives up its rights (Confinement) and then loads
// plugins that headerd does not let into its own process.
//
//     headerd-worker describe FILE MEMORY [READABLE…]     loads a plugin and says on stdout what it is (PluginReport)
//
// MEMORY is in bytes, 0 for no bound. What the plugin prints goes to stderr. Exit status: 0, 2 for another command line, 3 when
// the rights cannot be given up.

internal import Confinement
internal import Glibc
internal import HeaderCore
internal import HeaderWorker
internal import PluginHost
internal import Posix

enum Worker {
  /// Where libraries lie that a plugin may need.
  private static let libraries = [
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/proc/self", "/dev/urandom",
    "/dev/null",
  ]

  static func run() -> Int32 {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 3, arguments[0] == "describe", let memory = Int(arguments[2]), memory >= 0 else {
      complain("this program is started by headerd; see headerd(8), ISOLATION")
      return 2
    }
    endWithParent()
    // What is printed to stdout by anybody else must not be taken for the report.
    guard let report = try? keepOutput() else { return 3 }
    let confinement = Confinement(
      memory: memory > 0 ? memory : nil, readable: Self.libraries + ownLibraries() + [arguments[1]] + arguments[3...])
    do {
      try confinement.enter()
    } catch {
      complain("its rights cannot be given up: \(error.step): \(error.error.text)")
      return 3
    }
    let bytes = PluginReport.encode(describe(arguments[1]))
    do throws(SystemError) { try writeAll(bytes, to: report) } catch { return 3 }
    return 0
  }

  private static func describe(_ file: String) -> Result<PluginReport, HeaderError> {
    guard let slash = file.lastIndex(of: "/") else {
      return .failure(HeaderError(.pluginNotFound, "\(file): its path is not absolute"))
    }
    let registry = PluginRegistry(folders: [String(file[..<slash])])
    do throws(HeaderError) {
      let plugin = try registry.load(Plugin.name(ofFile: file))
      return .success(
        PluginReport(
          plugin: plugin.name, version: plugin.version, abi: plugin.abi, content: plugin.content,
          behaviors: plugin.behaviors))
    } catch {
      return .failure(error)
    }
  }

  /// The folders of the libraries that this program itself runs with: Swift's among them.
  private static func ownLibraries() -> [String] {
    guard let maps = try? openFile("/proc/self/maps", for: .reading) else { return [] }
    defer { close(maps) }
    let lines = String(decoding: (try? readAll(from: maps)) ?? [], as: UTF8.self).split(separator: "\n")
    // The path is the last field.
    let folders = lines.compactMap { line in
      line.lastIndex(of: "/").flatMap { end in line.firstIndex(of: "/").map { String(line[$0..<end]) } }
    }
    return Set(folders).sorted()
  }

  private static func complain(_ text: String) {
    try? writeAll(Array("headerd-worker: \(text)\n".utf8), to: standardError)
  }
}

exit(Worker.run())
