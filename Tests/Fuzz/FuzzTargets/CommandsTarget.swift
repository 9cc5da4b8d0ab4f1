// SPDX-License-Identifier: MIT
//
// Whole conversations with a service that has the shipped behaviors: messages of the protocol's table with extremes planted,
// members missing and doubled, frames whose numbers are anything, questions answered, and time. What must hold: each request
// of a line is answered once, and all that is said can be read.
//
//     behaviors │ how they join │ step │ step │ …        a step: what kind of message, which one, what is planted where

package import PluginHost

package final class CommandsTarget: FuzzTarget {
  package static let name = "commands"
  private let plugins: PluginRegistry
  private let script: ConversationScript

  package init(_ plugins: PluginRegistry) throws {
    self.plugins = plugins
    script = try ConversationScript(plugins)
  }

  static let arrangements = [
    ["ShyNavBar", "Keyframes"], ["FlexibleHeader"], ["FlexibleHeightBar"], ["StretchyHeader", "Keyframes"],
    ["ShyNavBar"], ["FlexibleHeightBar", "Keyframes"], [],
  ]

  package func run(_ input: [UInt8]) throws(FuzzFinding) -> Int {
    var bytes = FuzzBytes(input)
    let talk = Conversation(FuzzPlugins(plugins))
    try script.follow(&bytes, in: talk)
    try talk.end()
    return talk.sent
  }

  package func seeds() throws -> [[UInt8]] { choices(256) + script.answeringSeeds() }

  package let words: [String] = []
}
