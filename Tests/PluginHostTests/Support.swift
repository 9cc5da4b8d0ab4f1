// SPDX-License-Identifier: MIT
//
// What tests of the plugin boundary share: folders that go away, plugins compiled from Tests/Support/Plugins/Faulty on the spot,
// and a stage that holds one header, its registry and its states.

import DaemonTestKit
import Foundation
import HeaderCore
import HeaderModel
import HeaderTestKit
import PluginHost
import Testing

/// Places in the project.
enum Project {
  static let include = "\(Toolchain.sources)/Sources/CHeaderPlugin"
  static let faulty = "\(Toolchain.sources)/Tests/Support/Plugins/Faulty/faulty.c"
  static let golden = "\(Toolchain.sources)/Tests/PluginHostTests/Golden"
}

/// A folder for plugins that goes away with its last user.
final class Folder {
  private let folder: TemporaryFolder
  var path: String { folder.path }

  init() throws { folder = try TemporaryFolder() }

  func file(_ plugin: String) -> String { "\(path)/lib\(plugin).so" }

  /// Compiles faulty.c with definitions into lib`plugin`.so, by a rename, as an install should.
  @discardableResult
  func compile(_ plugin: String = "Faulty", _ definitions: String...) throws -> String {
    try compile(plugin, definitions: definitions)
  }

  /// The same with a list.
  @discardableResult
  func compile(_ plugin: String = "Faulty", definitions: [String]) throws -> String {
    try Toolchain.compile(
      "clang",
      ["-shared", "-fPIC", "-O0", "-std=c11", "-w", "-fuse-ld=lld", "-I", Project.include]
        + definitions.map { "-D\($0)" } + [Project.faulty, "-lm"],
      to: file(plugin))
    return file(plugin)
  }

  func write(_ text: String, to path: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  func set(mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  func registry(_ plugins: String..., ownership: PluginOwnership = .ofThisProcess) throws -> PluginRegistry {
    let registry = PluginRegistry(folders: [path, TestFiles.build], ownership: ownership)
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
}

extension HeaderDescription {
  /// The bench, with two elements in its first drawer and a host.
  static var stage: HeaderDescription {
    var description = HeaderDescription.bench
    description.drawers[0].elements = ["background", "title"].map { ElementDescription(name: $0) }
    description.hosting = Value.Record(fields: [.init(name: "controller", value: "plain")])
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
  /// Where everything is, without what a bystander's delegate added.
  var positions: String { "\(drawers) \(scrollViews) \(elements) \(wants)" }
}
