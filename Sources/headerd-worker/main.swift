// SPDX-License-Identifier: MIT
//
// The program headerd-worker, which headerd starts; it is not for people. It gives up its rights (Confinement) and then loads
// plugins that headerd does not let into its own process.
//
//     headerd-worker describe FILE MEMORY [READABLE…]     loads a plugin and says on stdout what it is (PluginReport)
//     headerd-worker serve MEMORY FILE… [-- READABLE…]    loads plugins and runs headers, by orders on descriptor 3
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
    endWithParent()
    do {
      switch arguments.first {
      case "describe" where arguments.count >= 3: return try describe(arguments)
      case "serve" where arguments.count >= 3: return try serve(arguments)
      default: complain("this program is started by headerd; see headerd(8), ISOLATION")
      }
      return 2
    } catch let failure as Confinement.Failure {
      complain("its rights cannot be given up: \(failure.step): \(failure.error.text)")
    } catch let error as HeaderError {
      complain(error.message)
    } catch {
      complain("\(error)")
    }
    return 3
  }

  private static func confine(_ memory: String, _ readable: [String]) throws {
    let memory = Int(memory) ?? 0
    try Confinement(memory: memory > 0 ? memory : nil, readable: libraries + ownLibraries() + readable).enter()
  }

  private static func describe(_ arguments: [String]) throws -> Int32 {
    // What is printed to stdout by anybody else must not be taken for the report.
    let report = try keepOutput()
    try confine(arguments[2], [arguments[1]] + arguments[3...])
    try writeAll(PluginReport.encode(describe(arguments[1])), to: report)
    return 0
  }

  private static func serve(_ arguments: [String]) throws -> Int32 {
    let files = arguments[2...].prefix { $0 != "--" }
    try confine(arguments[1], Array(files) + arguments[files.endIndex...].dropFirst())
    let registry = PluginRegistry(folders: [])
    for file in files {
      guard let slash = file.lastIndex(of: "/") else { continue }
      registry.folders = [String(file[..<slash])]
      try registry.load(Plugin.name(ofFile: file))
    }
    let engine = WorkerEngine(provider: registry, limits: Limits())
    var unread: [UInt8] = []
    while true {
      let more = try readSome(from: orders)
      if more.isEmpty { return 0 }
      unread += more
      let taken = try unsafe engine.receive(unread.span.bytes)
      unread.removeFirst(taken)
      try writeAll(engine.takeOutput(), to: orders)
    }
  }

  /// Where orders come from and news go.
  private static let orders: Int32 = 3

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
