// SPDX-License-Identifier: MIT
//
// `headerd --check-config`: reports every mistake in the configuration, without listening anywhere.

internal import HeaderConfig
internal import HeaderModel
internal import HeaderService
private import PluginHost

/// The result of checking a configuration.
public struct ConfigReport: Sendable {
  /// A line about the checked files.
  public var summary: String
  /// Problems that do not keep a daemon from starting, one line each: plugins that are left out, folders that do not exist.
  public var warnings: [String]
}

/// Reads and checks the configuration with the plugins that are there.
/// - Throws: everything that is wrong with it, warnings included, one line each.
public func checkConfig(_ options: DaemonOptions) throws(StartupError) -> ConfigReport {
  let surroundings = Surroundings()
  let loaded = try loadConfig(options, surroundings)
  let keeper = PluginStore(loaded.config, surroundings)
  let check = ConfigCheck(loaded, surroundings, keeper, loadsPlugins: true)
  guard check.errors.isEmpty, check.unknownMembers.isEmpty else { throw StartupError(check) }
  let names = keeper.registry.behaviorNames
  let count = check.headers.count
  return ConfigReport(
    summary: "\(loaded.file ?? "the defaults"): fine; \(count) \(count == 1 ? "header" : "headers"), "
      + "behaviors available: \(names.isEmpty ? "none" : names.joined(separator: ", "))",
    warnings: check.lines(all: false))
}

extension StartupError {
  init(_ check: ConfigCheck) { message = check.lines(all: true).joined(separator: "\n") }
}

/// The schema of the protocol, an OpenRPC document.
public func protocolSchema() -> String { Service.schema }
