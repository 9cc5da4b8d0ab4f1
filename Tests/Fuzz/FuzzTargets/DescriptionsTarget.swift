// SPDX-License-Identifier: MIT
//
// What plugins say about themselves, as C tables of any content. The one thing that is right is what the host cannot check: a
// pointer leads to as much memory as the table says.

internal import HeaderModel
internal import HeaderTrace
internal import HeaderWire
package import PluginHost

package final class DescriptionsTarget: FuzzTarget {
  package static let name = "descriptions"

  package init(_ plugins: PluginRegistry) {}

  package func run(_ input: [UInt8]) throws(FuzzFinding) -> Int {
    let maker = TableMaker(FuzzBytes(input))
    do throws(HeaderError) {
      let read = try unsafe PluginDescription(maker.plugin(), path: "libFuzzed.so")
      // All that was taken can be listed, and its defaults are right.
      for behavior in read.behaviors {
        _ = behavior.asValue.json
        for option in behavior.options { try option.check(option.defaultValue, at: Path(option.name)) }
      }
    } catch {
      guard error.name == .pluginRefused else { throw FuzzFinding("not refused by its description: \(error.message)") }
    }
    withExtendedLifetime(maker) {}
    return 1
  }

  package func seeds() throws -> [[UInt8]] { choices(256) }

  package let words: [String] = []
}
