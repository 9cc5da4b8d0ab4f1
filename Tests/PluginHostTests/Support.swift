// SPDX-License-Identifier: MIT
//
// What tests of the plugin boundary share: folders that go away, plugins compiled from Tests/Plugins/Faulty on the spot,
// and a stage that holds one header, its registry and its states.

import Foundation
import HeaderCore
import PluginHost
import Testing

/// Places in the project.
enum Project {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path
  static let include = "\(root)/Sources/CHeaderPlugin"
  static let faulty = "\(root)/Tests/Plugins/Faulty/faulty.c"
  static let golden = "\(root)/Tests/PluginHostTests/Golden"
  /// Where the plugins lie that were built with the tests.
  static let products: String = {
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: program).deletingLastPathComponent().path
  }()
}

/// The C compiler that every Swift toolchain brings along.
enum Compiler {
  /// `TOOLCHAIN/usr/bin/clang`: the running program has TOOLCHAIN/usr/lib/swift/linux/libswiftCore.so in its memory.
  static let path: String = {
    let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    for line in maps.split(separator: "\n") where line.hasSuffix("/lib/swift/linux/libswiftCore.so") {
      guard let start = line.firstIndex(of: "/") else { continue }
      let clang = line[start...].replacingOccurrences(of: "/lib/swift/linux/libswiftCore.so", with: "/bin/clang")
      if FileManager.default.isExecutableFile(atPath: clang) { return clang }
    }
    return "clang"
  }()

  /// Runs the compiler to its end and returns its status and what it printed.
  static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [path] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}

/// A folder for plugins that goes away with its last user.
final class Folder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "headerd-tests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ plugin: String) -> String { "\(path)/lib\(plugin).so" }

  /// Compiles faulty.c with definitions into lib`plugin`.so, by a rename, as an install should.
  @discardableResult
  func compile(_ plugin: String = "Faulty", _ definitions: String...) throws -> String {
    try compile(plugin, definitions: definitions)
  }

  /// The same with a list.
  @discardableResult
  func compile(_ plugin: String = "Faulty", definitions: [String]) throws -> String {
    let next = "\(path)/next-\(UUID().uuidString)"
    let result = try Compiler.run(
      ["-shared", "-fPIC", "-O0", "-std=c11", "-w", "-fuse-ld=lld", "-I", Project.include]
        + definitions.map { "-D\($0)" } + ["-o", next, Project.faulty, "-lm"])
    #expect(result.status == 0, "\(result.output)")
    try set(mode: 0o755, of: next)
    guard unsafe rename(next, file(plugin)) == 0 else { throw CocoaError(.fileWriteUnknown) }
    return file(plugin)
  }

  func write(_ text: String, to path: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  func set(mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  func registry(_ plugins: String..., ownership: PluginOwnership = .ofThisProcess) throws -> PluginRegistry {
    let registry = PluginRegistry(folders: [path, Project.products], ownership: ownership)
    for plugin in plugins { try registry.load(plugin) }
    return registry
  }

  /// What a refused plugin is refused with; the folder's own path is written as `DIR`.
  func refusal(_ plugin: String = "Faulty", ownership: PluginOwnership = .ofThisProcess) throws -> (
    check: String, message: String
  ) {
    let registry = try registry(ownership: ownership)
    let error = #expect(throws: HeaderError.self) { try registry.load(plugin) }
    #expect(registry.plugins.isEmpty && registry.behaviorNames.isEmpty)
    guard let error else { return ("", "") }
    #expect(error.name == .pluginRefused || error.name == .pluginNotFound)
    let check = if case .text(let check)? = error.facts["check"] { check } else { "" }
    return (check, error.message.replacingOccurrences(of: path, with: "DIR"))
  }
}

/// One header with its states.
final class Stage {
  let header: Header
  private(set) var states: [HeaderState] = []

  init(_ registry: PluginRegistry, saved: Value? = nil, _ describe: (inout HeaderDescription) -> Void) throws {
    var description = HeaderDescription.stage
    describe(&description)
    header = try Header(description, epoch: 1, provider: registry, saved: saved)
  }

  var state: HeaderState { header.state }

  @discardableResult
  func send(_ event: ScrollEvent, at seconds: Double? = nil) throws(HeaderError) -> EventAnswer {
    try header.receive(event, at: seconds.map { Instant(seconds: $0) }) { (state: borrowing HeaderState) in
      states.append(copy state)
    }
  }

  @discardableResult
  func send(_ kind: ScrollEvent.Kind, y: Double? = nil, at seconds: Double? = nil) throws(HeaderError) -> EventAnswer {
    try send(ScrollEvent(kind, offset: y.map { PartialPoint(y: $0) }), at: seconds)
  }

  /// Lets new code take over a delegate.
  func replace(_ index: Int, with fresh: ScrollDelegate) throws(HeaderError) {
    try header.replaceDelegate(at: index, with: fresh) { (state: borrowing HeaderState) in states.append(copy state) }
  }

  /// A value by name.
  func value(_ name: String) -> NamedValue.Content? {
    state.names.values.firstIndex(of: name).map { state.values[$0].content }
  }

  /// The reason for which a delegate was bypassed with the latest event.
  var passedOver: String? {
    for notice in state.happened.notices where notice.name == .delegatePassedOver {
      if case .text(let reason)? = notice.arguments?["reason"] { return reason }
    }
    return nil
  }
}

extension HeaderDescription {
  static var stage: HeaderDescription {
    var description = HeaderDescription(header: "main")
    description.scrollViews = [
      ScrollViewDescription(
        name: "content", viewport: Size(width: 320, height: 480), contentSize: Size(width: 320, height: 2000))
    ]
    description.drawers = [
      DrawerDescription(name: "navBar", height: 44, y: 0, width: 320),
      DrawerDescription(name: "extension", height: 40, y: 44, width: 320),
    ]
    description.drawers[0].elements = ["background", "title"].map { ElementDescription(name: $0) }
    description.hosting = Value.Record(fields: [.init(name: "controller", value: "plain")])
    description.frames = .events
    return description
  }
}

extension DelegateDescription {
  static func faulty(_ options: [(String, Value)] = []) -> DelegateDescription {
    DelegateDescription(
      behavior: "Faulty", options: Value.Record(fields: options.map { .init(name: $0.0, value: $0.1) }))
  }
  static var shyNavBar: DelegateDescription { DelegateDescription(behavior: "ShyNavBar") }
}

extension HeaderState {
  /// Everything but the epoch, on one line; equal lines mean equal states to the last bit.
  var line: String { "\(shown) \(happened.notices) \(happened.commands) \(happened.animations)" }

  /// The same without what happened with the latest event.
  var shown: String {
    """
    \(seq) \(time.nanoseconds) \(names.drawers) \(names.values) \(drawers) \(scrollViews) \(elements) \(values) \(wants) \
    \(trackingScrollView) \(framesActive)
    """
  }

  /// Where everything is, without what a bystander's delegate added.
  var positions: String { "\(drawers) \(scrollViews) \(elements) \(wants)" }
}

/// Numbers from a seed: SplitMix64.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
