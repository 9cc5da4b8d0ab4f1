// SPDX-License-Identifier: MIT
//
// From the command line and the environment to a checked configuration. Everything that a config file can get wrong is
// found here, with file, line and column: its own keys, and its headers, which are opened once for trial with the loaded
// plugins, so that an unknown behavior or an option out of range is reported before the daemon listens.

private import Glibc
internal import HeaderConfig
internal import HeaderCore
internal import PluginHost
private import Posix

/// What the command line said.
public struct DaemonOptions: Sendable {
  /// The config file; nil: the usual places.
  public var config: String?
  /// The socket; nil: the environment, the config, the user's own place.
  public var socket: String?

  /// How many threads; nil: the config.
  public var threads: Int?

  /// What was given on the command line; nil for what was not.
  public init(config: String? = nil, socket: String? = nil, threads: Int? = nil) {
    self.config = config
    self.socket = socket
    self.threads = threads
  }
}

/// Why the daemon does not start, in one or more lines for people.
public struct StartupError: Error {
  /// What was wrong, where, and what would do.
  public var message: String
}

/// The process's surroundings, read once.
struct Surroundings {
  let environment: [String: String]
  /// The path of the running program.
  let executable: String?
  let user: UInt32 = geteuid()

  init() {
    var found: [String: String] = [:]
    for name in ["HEADERD_SOCKET", "HEADERD_PLUGIN_PATH", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "HOME"] {
      found[name] = environmentValue(name)
    }
    environment = found
    executable = target(ofLink: "/proc/self/exe")
  }

  /// Where plugins are looked for.
  func pluginFolders(_ config: Config) -> [String] {
    HeaderCore.pluginFolders(
      environment: environment, configured: config.plugins.folders, executable: executable, exists: exists)
  }
}

/// The settings in force and where they came from.
struct LoadedConfig {
  var config: Config
  /// The file; nil: the defaults.
  var file: String?
}

/// Finds and reads the config file.
func loadConfig(_ options: DaemonOptions, _ surroundings: Surroundings) throws(StartupError) -> LoadedConfig {
  let file = Config.path(option: options.config, environment: surroundings.environment, exists: { exists($0) })
  guard let file else { return LoadedConfig(config: .defaults, file: nil) }
  let bytes = try readFile(file)
  do {
    return LoadedConfig(config: try Config.load(bytes: bytes.span, file: file), file: file)
  } catch {
    throw StartupError(message: error.description)
  }
}

private func readFile(_ path: String) throws(StartupError) -> [UInt8] {
  do throws(SystemError) {
    let file = try openFile(path, for: .reading)
    defer { close(file) }
    var bytes: [UInt8] = []
    while bytes.count <= 16 << 20 {
      let more = try readSome(from: file)
      if more.isEmpty { return bytes }
      bytes += more
    }
  } catch {
    throw StartupError(message: "\(path): \(error.text)")
  }
  throw StartupError(message: "\(path): a config file has at most 16 MiB")
}

/// Loads the plugins that the config names.
/// - Returns: plugins of `load = ["*"]` that were refused; the daemon starts without them and says so.
/// - Throws: a plugin that is named and not to be had.
func loadPlugins(_ load: Config.Plugins.Load, into registry: PluginRegistry) throws(StartupError) -> [HeaderError] {
  var refused: [HeaderError] = []
  switch load {
  case .all:
    for name in registry.available {
      do { try registry.load(name) } catch { refused.append(error) }
    }
  case .named(let names):
    for name in names {
      do { try registry.load(name) } catch { throw StartupError(message: "plugins.load: \(sentence(error))") }
    }
  }
  return refused
}

/// Decodes the config's headers and opens each once for trial.
/// - Throws: all that is wrong with them, by file, line and column.
func checkedHeaders(_ config: Config, _ registry: PluginRegistry) throws(StartupError) -> [HeaderDescription] {
  var found: [Diagnostic] = []
  var headers: [HeaderDescription] = []
  for entry in config.headers {
    do {
      var unknown: [UnknownField] = []
      let description = try HeaderDescription(entry.value, at: Path(""), unknown: &unknown)
      found += unknown.map(entry.diagnostic(for:))
      if headers.contains(where: { $0.header == description.header }) {
        found.append(entry.diagnostic(at: "header", "header \"\(description.header)\" is described twice"))
        continue
      }
      _ = try Header(description, epoch: 1, provider: registry)
      headers.append(description)
    } catch {
      found.append(entry.diagnostic(for: error))
    }
  }
  guard found.isEmpty else { throw StartupError(message: ConfigErrors(found).description) }
  return headers
}

/// An error with its hint, as people read it. A delegate's own reason may be both.
func sentence(_ error: HeaderError) -> String {
  guard let hint = error.hint, !error.message.hasSuffix(hint) else { return error.message }
  return "\(error.message); \(hint)"
}
