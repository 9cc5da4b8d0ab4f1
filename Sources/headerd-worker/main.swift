// SPDX-License-Identifier: MIT
//
// The program headerd-worker, which headerd starts; it is not for people. It gives up its rights (Confinement) and then loads
// plugins that headerd does not let into its own process.
//
//     headerd-worker describe FILE MEMORY [READABLE…]     loads a plugin and says on stdout what it is (PluginReport)
//     headerd-worker serve MEMORY LIMITS PLUGIN… [-- READABLE…]
//                                                          loads plugins and runs headers, by orders on descriptor 3; shows
//                                                          what it is doing on the page behind 4; 5 and on are the plugins' files
//
// MEMORY is in bytes, 0 for no bound. What the plugin prints goes to stderr. Exit status: 0, 2 for another command line, 3 when
// the rights cannot be given up.

internal import Confinement
internal import Glibc
internal import HeaderCore
internal import HeaderModel
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
      case "serve" where arguments.count >= 4: return try serve(arguments)
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

  private static func confine(_ memory: String, files: Int = 64, _ readable: [String]) throws {
    let memory = Int(memory) ?? 0
    try Confinement(
      memory: memory > 0 ? memory : nil, files: files, readable: libraries + ownLibraries() + readable
    ).enter()
  }

  private static func describe(_ arguments: [String]) throws -> Int32 {
    // Output of the plugin to stdout must not be taken for the report.
    let report = try keepOutput()
    let file = Result { () throws(HeaderError) in try PluginFile(arguments[1]) }
    let registry = PluginRegistry(folders: [])
    try confine(arguments[2], [arguments[1]] + arguments[3...])
    let described = file.flatMap { file in Result { () throws(HeaderError) in try registry.load(file).described } }
    try writeAll(PluginReport.encode(described), to: report)
    return 0
  }

  private static func serve(_ arguments: [String]) throws -> Int32 {
    let names = arguments[3...].prefix { $0 != "--" }
    guard let limits = Limits(given: arguments[2]) else {
      complain("it was given no limits: \(arguments[2])")
      return 2
    }
    let page = try SharedPage(mapping: Descriptor.page)
    let log = WorkerLog()
    let registry = PluginRegistry(folders: [], log: log, marks: page)
    try confine(arguments[1], files: 64 + names.count, Array(arguments[names.endIndex...].dropFirst()))
    for (index, name) in names.enumerated() {
      try registry.load(name, from: Descriptor.firstPlugin + Int32(index))
      close(Descriptor.firstPlugin + Int32(index))
    }
    let engine = WorkerEngine(provider: registry.set(forThread: 0), limits: limits)
    log.engine = engine
    var shown: (header: UInt32, chain: UInt32)?
    engine.willApply = { number, order, header in
      page.begin(number, order)
      guard let header else {
        shown = nil
        return page.show([])
      }
      let present = (header: number, chain: header.descriptionRevision)
      if let shown, shown == present { return }
      shown = present
      page.show(header.delegates.map { UInt(bitPattern: ObjectIdentifier($0)) })
    }
    let usages = registry.plugins.map { $0.usages[0] }
    var unread: [UInt8] = []
    while true {
      let more = try readSome(from: Descriptor.orders)
      if more.isEmpty { return 0 }
      unread += more
      let taken = try unsafe engine.receive(unread.span.bytes)
      unread.removeFirst(taken)
      page.showCalls(usages)
      try writeAll(engine.takeOutput(), to: Descriptor.orders)
    }
  }

  /// Descriptors from the daemon (`WorkerProcess` in HeaderDaemon).
  private enum Descriptor {
    /// Where orders come from and news go.
    static let orders: Int32 = 3
    /// The page that shows the process's activity.
    static let page: Int32 = 4
    static let firstPlugin: Int32 = 5
  }

  /// The folders of the libraries that this program itself runs with: Swift's among them.
  private static func ownLibraries() -> [String] {
    let maps = (try? contents(ofFile: "/proc/self/maps")) ?? []
    let lines = String(decoding: maps, as: UTF8.self).split(separator: "\n")
    // The path is the last field. Temporary files that a sanitizer has mapped and removed are no libraries.
    let folders = lines.filter { !$0.hasSuffix(" (deleted)") }.compactMap { line in
      line.lastIndex(of: "/").flatMap { end in line.firstIndex(of: "/").map { String(line[$0..<end]) } }
    }
    return Set(folders).sorted()
  }

  private static func complain(_ text: String) {
    try? writeAll(Array("headerd-worker: \(text)\n".utf8), to: standardError)
  }
}

/// Hands what behaviors log to the daemon.
private final class WorkerLog: PluginLog {
  weak var engine: WorkerEngine?

  func isWritten(_ level: LogLevel) -> Bool { true }

  func write(_ line: PluginLogLine) { engine?.log(line) }
}

exit(Worker.run())
