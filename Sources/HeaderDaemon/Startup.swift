// SPDX-License-Identifier: MIT
//
// From the command line and the environment to the configuration that a daemon starts with; ConfigCheck.swift finds what is
// wrong with it.

private import Glibc
internal import HeaderConfig
internal import HeaderModel
internal import Installation
internal import PluginHost
private import Posix

/// The options of the command line.
public struct DaemonOptions: Sendable {
  /// The config file; nil: the usual places.
  public var config: String?
  /// The socket; nil: the environment, the config, the user's own place.
  public var socket: String?

  /// How many threads; nil: the config.
  public var threads: Int?

  /// The folder of the journal; nil: the config.
  public var state: String?

  /// Creates options; nil for each that was not given.
  public init(config: String? = nil, socket: String? = nil, threads: Int? = nil, state: String? = nil) {
    self.config = config
    self.socket = socket
    self.threads = threads
    self.state = state
  }
}

/// Why the daemon does not start, in one or more lines for people.
public struct StartupError: Error, CustomStringConvertible {
  /// The message: what was wrong, where, and what would do.
  public var message: String
  /// The message for people.
  public var description: String { message }
}

/// The process's surroundings, read once.
struct Surroundings {
  let environment = environmentValues([
    "HEADERD_SOCKET", "HEADERD_PLUGIN_PATH", "HEADERD_PRESET_PATH", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "HOME",
  ])
  /// The path of the running program.
  let executable = target(ofLink: "/proc/self/exe")
  let user: UInt32

  init() { user = geteuid() }

  /// Where plugins are looked for.
  func pluginFolders(_ config: Config) -> [String] {
    Installation.pluginFolders(
      environment: environment, configured: config.plugins.folders, executable: executable, exists: exists)
  }

  /// The presets of the configured folders.
  func presets(_ config: Config) -> PresetShelf {
    let folders = presetFolders(
      environment: environment, configured: config.presets.folders, executable: executable)
    return PresetShelf(
      folders: folders, names: { (try? names(inFolder: $0)) ?? [] },
      read: { try? contents(ofRegularFile: $0, atMost: Config.largestFile, followsLinks: true) })
  }
}

/// The settings in force and where they came from.
struct LoadedConfig {
  var config: Config { source.config }
  /// The file; nil: the defaults.
  var file: String?
  /// The settings with their places.
  var source: ConfigFile
}

/// Finds and reads the config file. The result has its mistakes (`ConfigCheck`).
/// - Throws: why the file cannot be read.
func loadConfig(_ options: DaemonOptions, _ surroundings: Surroundings) throws(StartupError) -> LoadedConfig {
  let file = Config.path(option: options.config, environment: surroundings.environment, exists: { exists($0) })
  let bytes = if let file { try readFile(file) } else { [UInt8]() }
  return LoadedConfig(file: file, source: ConfigFile(bytes: bytes.span, file: file ?? "the defaults"))
}

private func readFile(_ path: String) throws(StartupError) -> [UInt8] {
  do throws(FileRefusal) {
    return try contents(ofFile: path, atMost: Config.largestFile)
  } catch {
    throw StartupError(message: "\(path): \(error)")
  }
}

/// An error with its hint, as people read it. A delegate's own reason may be both.
func sentence(_ error: HeaderError) -> String {
  guard let hint = error.hint, !error.message.hasSuffix(hint) else { return error.message }
  return "\(error.message); \(hint)"
}
