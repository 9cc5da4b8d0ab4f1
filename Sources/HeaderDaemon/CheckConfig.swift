// SPDX-License-Identifier: MIT
//
// `headerd --check-config`: everything that a start would refuse about the configuration, without listening anywhere.

internal import HeaderConfig
internal import HeaderCore
internal import HeaderService
private import PluginHost

/// Reads and checks the configuration with the plugins that are there.
/// - Returns: one line that says what was checked.
/// - Throws: everything that is wrong with it, one line each.
public func checkConfig(_ options: DaemonOptions) throws(StartupError) -> String {
  let surroundings = Surroundings()
  let loaded = try loadConfig(options, surroundings)
  let keeper = PluginKeeper(
    folders: surroundings.pluginFolders(loaded.config))
  let refused = try loadPlugins(loaded.config.plugins.load, into: keeper.registry)
  let headers = try checkedHeaders(loaded.config, keeper.registry)
  let roles = PeerRoles(loaded.config.roles)
  guard roles.unknownNames.isEmpty else {
    throw StartupError(
      message:
        "\(loaded.file ?? "defaults"): roles: there is no user or group \(roles.unknownNames.joined(separator: ", "))")
  }
  let note = refused.map { "\nnote: a plugin would be left out: \(sentence($0))" }.joined()
  let names = keeper.registry.behaviorNames
  return
    "\(loaded.file ?? "the defaults"): fine; \(headers.count) \(headers.count == 1 ? "header" : "headers"), behaviors available: "
    + "\(names.isEmpty ? "none" : names.joined(separator: ", "))\(note)"
}

/// The schema of the protocol, an OpenRPC document.
public func protocolSchema() -> String { Service.schema }
