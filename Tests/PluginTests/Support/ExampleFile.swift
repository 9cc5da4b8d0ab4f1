// SPDX-License-Identifier: MIT

import Foundation
import HeaderConfig
import HeaderCore
import HeaderModel
import Testing

/// A file of config/examples.
enum ExampleFile {
  /// Its folder.
  static let folder = URL(filePath: #filePath).appending(path: "../../../../config/examples").standardized

  /// The header of one with one header.
  static func open(_ name: String) throws -> Header {
    let text = try String(contentsOf: folder.appending(path: "\(name).toml"), encoding: .utf8)
    let file = ConfigFile(bytes: Array(text.utf8).span, file: "\(name).toml")
    try #require(file.errors.isEmpty)
    let config = file.config
    var unknown: [UnknownField] = []
    let given = try #require(config.headers.first)
    let description = try HeaderDescription(given.value, at: Path("header"), unknown: &unknown)
    #expect(unknown.isEmpty && config.headers.count == 1)
    return try Header(description, epoch: 1, provider: BuiltPlugins.registry())
  }
}
