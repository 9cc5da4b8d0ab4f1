// SPDX-License-Identifier: MIT
//
// What reads the bytes of strangers, each reader as a function from bytes. libFuzzer calls it (Tests/Fuzz/headerd-fuzz), and so does a
// test in seconds (Tests/Fuzz/FuzzTests). A new reader is a file here and a row in `FuzzTargets.all`.

package import PluginHost

/// Something that must not be.
package struct FuzzFinding: Error, CustomStringConvertible {
  package var description: String

  init(_ description: String) { self.description = description }
}

/// One reader.
package protocol FuzzTarget: AnyObject {
  /// What `make fuzz TARGET=…` calls it.
  static var name: String { get }
  init(_ plugins: PluginRegistry) throws

  /// Reads bytes, and whatever follows from them.
  /// - Returns: how many messages, files or descriptions they were.
  /// - Throws: what must not be. A trap is found by whoever runs it.
  func run(_ bytes: [UInt8]) throws(FuzzFinding) -> Int

  /// What to begin with: right inputs, from the tests' own.
  func seeds() throws -> [[UInt8]]
  /// Words that inputs are made of.
  var words: [String] { get }
}

package enum FuzzTargets {
  /// All of them.
  package static var all: [any FuzzTarget.Type] {
    [
      LinesTarget.self, FramesTarget.self, CommandsTarget.self, ConfigTarget.self, RecordingsTarget.self,
      SavesTarget.self, DescriptionsTarget.self, JournalTarget.self, WorkersTarget.self,
      ReportsTarget.self, TranslationsTarget.self,
    ]
  }

  /// The plugins that inputs may name, from the folder of a build.
  package static func plugins(inFolder folder: String) throws -> PluginRegistry {
    let registry = PluginRegistry(folders: [folder])
    for name in ["ShyNavBar", "FlexibleHeader", "FlexibleHeightBar", "StretchyHeader", "CollapsingHeader", "Keyframes"]
    {
      try registry.load(name)
    }
    return registry
  }
}
