// SPDX-License-Identifier: MIT
//
// The examples, built once by their own Makefiles, and one header that a plugin's behavior works in.

import DaemonTestKit
import Foundation
import HeaderCore
import HeaderModel
import HeaderTestKit
import PluginHost

/// The examples' libraries.
enum Examples {
  /// A folder with what `make` made of Plugins/Examples.
  private static let built = Result { () throws -> TemporaryFolder in
    let folder = try TemporaryFolder()
    guard let make = Toolchain.find("make") else { throw TestFailure("there is no make on the PATH") }
    let languages = ["C", "Cpp"] + (Toolchain.rust == nil ? [] : ["Rust"])
    for language in languages {
      try runTool(make, ["-C", "\(Toolchain.sources)/Plugins/Examples/\(language)", "BUILD=\(folder.path)"])
    }
    return folder
  }

  /// The folder that the libraries lie in.
  static func folder() throws -> String { try built.get().path }
}

/// A header with one behavior of a plugin, as the daemon would hold it.
final class Bench {
  let header: Header
  private let registry: PluginRegistry
  private let plugin: String
  /// The notices of the latest event.
  private(set) var notices: [String] = []

  /// Opens a header over 4000 points of content in a viewport of 600 points.
  init(
    _ plugin: String, in folder: String, options: Value = [:],
    drawers: [Value] = [["name": "bar", "height": 50]], contentInset: Double = 50
  ) throws {
    registry = PluginRegistry(folders: [folder])
    self.plugin = plugin
    try registry.load(plugin)
    var unknown: [UnknownField] = []
    let description = try HeaderDescription(
      [
        "header": "main", "drawers": .list(drawers), "environment": ["statusBarHeight": 20],
        "scrollViews": [
          "content": [
            "viewport": ["width": 300, "height": 600], "contentSize": ["width": 300, "height": 4000],
            "contentInset": ["top": .number(contentInset)],
          ]
        ],
        "delegates": [["behavior": .text(plugin), "options": options]], "frames": "events",
      ], at: Path(""), unknown: &unknown)
    header = try Header(description, epoch: 1, provider: registry)
  }

  /// The header's state, after an event.
  @discardableResult func send(_ kind: ScrollEvent.Kind, y: Double? = nil) throws -> EventAnswer {
    notices = []
    let event = ScrollEvent(kind, offset: y.map { PartialPoint(y: $0) })
    let answer = try header.receive(event) { state in
      for notice in state.happened.notices {
        if case .behavior(let number) = notice.name {
          self.notices.append(state.names.notices[Int(notice.delegate)][Int(number)])
        }
      }
    }
    if let failure = answer.failure { throw failure }
    return answer
  }

  /// Scrolls to an offset.
  /// - Returns: the first drawer's top.
  func scroll(_ y: Double) throws -> Double {
    try send(.didScroll, y: y)
    return top
  }

  var top: Double { header.state.drawers[0].frame.origin.y }

  /// The plugin's only value.
  var value: Double? {
    guard case .number(let number)? = header.state.values.first?.content else { return nil }
    return number
  }

  /// Loads the file anew and hands the header over, as the daemon does.
  func reload() throws {
    _ = try registry.reload(plugin)
    let behavior = header.delegates[0].behavior.name
    try header.replaceDelegate(
      at: 0, with: try registry.makeDelegate(behavior: behavior, name: header.delegates[0].name))
  }
}

/// What a library shows to the loader.
func exportedSymbols(_ library: String) throws -> [String] {
  guard let nm = Toolchain.find("nm") ?? Toolchain.find("llvm-nm") else {
    throw TestFailure("there is no nm on the PATH")
  }
  return try runTool(nm, ["-D", "--defined-only", library]).output.split(separator: "\n")
    .compactMap { $0.split(separator: " ").last.map(String.init) }
}
