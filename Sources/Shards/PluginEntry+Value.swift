// SPDX-License-Identifier: MIT
//
// A plugin as `plugin.list` shows it.

internal import HeaderHost
internal import HeaderModel
internal import HeaderWire

extension PluginEntry {
  /// As `plugin.list` shows it.
  var value: Value {
    [
      "plugin": .text(plugin), "version": .text(version), "abi": .text(abi), "path": .text(path), "state": .text(state),
      "behaviors": .list(behaviors.map(\.asValue)),
    ]
  }
}
