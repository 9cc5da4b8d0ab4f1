// SPDX-License-Identifier: MIT
//
// Every mistake in a configuration on this machine, as one list: the file's own mistakes, unknown members of roles, missing folders and
// plugins, and the headers, each opened once for trial with the loaded plugins. A start and `--check-config` print the same list.

internal import HeaderConfig
internal import HeaderCore
internal import HeaderModel
internal import PluginHost
private import Posix

/// A checked configuration: its plugins and headers were tried.
struct ConfigCheck {
  /// Problems that keep a daemon from starting.
  private(set) var errors: [Diagnostic]
  /// Members of roles that are neither a user nor a group here. A daemon starts without them, since an account may be made
  /// later; `--check-config` refuses them.
  private(set) var unknownMembers: [(name: String, diagnostic: Diagnostic)] = []
  /// Folders of plugins that do not exist; `place` where the config names them, and not the environment.
  private(set) var missingFolders: [(folder: String, sentence: String, place: Diagnostic?)] = []
  /// Plugins of `load = ["*"]` that were refused; the daemon starts without them.
  private(set) var refusedPlugins: [HeaderError] = []
  /// Preset files that cannot be read; the daemon starts without them.
  private(set) var refusedPresets: [Diagnostic] = []
  /// The headers, decoded; complete if there is no error.
  private(set) var headers: [HeaderDescription] = []

  /// Checks a configuration.
  /// - Parameter loadsPlugins: whether the plugins that it names are loaded into the registry; else the headers are tried with
  ///   those that are loaded already.
  init(_ loaded: LoadedConfig, _ surroundings: Surroundings, _ keeper: PluginStore, loadsPlugins: Bool) {
    let registry = keeper.registry
    errors = loaded.source.errors
    guard loaded.source.isReadable else { return }
    for (path, name) in PeerRoles(loaded.config.roles, loaded.config.quotas).unknownMembers {
      let kind = path.hasPrefix("quotas") ? "user" : "user or group"
      let diagnostic = loaded.source.diagnostic(at: path, "there is no \(kind) \"\(name)\"")
      unknownMembers.append((name, diagnostic))
    }
    if loadsPlugins {
      checkFolders(loaded, surroundings)
      loadPlugins(loaded, registry)
      let shelf = surroundings.presets(loaded.config)
      registry.presets = shelf.presets
      refusedPresets = shelf.problems
    }
    checkHeaders(loaded, keeper)
    errors.sort { $0.position < $1.position }
  }

  /// Errors and warnings, one line each: first those with a place in the file, in its order.
  /// - Parameter all: the errors too; else the warnings alone.
  func lines(all: Bool) -> [String] {
    let warnings = missingFolders.compactMap(\.place).map { ($0, "warning: ") }
    let serious = all ? (errors + unknownMembers.map(\.diagnostic)).map { ($0, "") } : []
    let placed = (serious + warnings).sorted { $0.0.position < $1.0.position }
    let others =
      missingFolders.filter { $0.place == nil }.map(\.sentence)
      + refusedPlugins.map { "a plugin is left out: \(sentence($0))" }
      + refusedPresets.map { "a preset is left out: \($0)" }
    return placed.map { "\($0.file):\($0.position.line):\($0.position.column): \($1)\($0.message)" }
      + others.map { "warning: \($0)" }
  }

  // MARK: - Plugins

  private mutating func checkFolders(_ loaded: LoadedConfig, _ surroundings: Surroundings) {
    func isMissing(_ folder: String) -> Bool { !((try? FileStatus(of: folder, followsLinks: true))?.isFolder ?? false) }
    for (index, folder) in loaded.config.plugins.folders.enumerated() where isMissing(folder) {
      let sentence = "there is no folder \"\(folder)\""
      let place = loaded.source.diagnostic(at: "plugins.folders[\(index)]", sentence)
      missingFolders.append((folder, sentence, place))
    }
    for folder in surroundings.environment["HEADERD_PLUGIN_PATH"]?.split(separator: ":").map(String.init) ?? []
    where isMissing(folder) {
      missingFolders.append((folder, "HEADERD_PLUGIN_PATH: there is no folder \"\(folder)\"", nil))
    }
  }

  private mutating func loadPlugins(_ loaded: LoadedConfig, _ registry: PluginRegistry) {
    switch loaded.config.plugins.load {
    case .all:
      for name in registry.available {
        do { try registry.load(name) } catch { refusedPlugins.append(error) }
      }
    case .named(let names):
      for (index, name) in names.enumerated() {
        do {
          try registry.load(name)
        } catch {
          errors.append(loaded.source.diagnostic(at: "plugins.load[\(index)]", sentence(error)))
        }
      }
    }
  }

  // MARK: - Headers

  private mutating func checkHeaders(_ loaded: LoadedConfig, _ keeper: PluginStore) {
    let isolated = keeper.makeTrial(loaded.config)
    let known = Set(errors.map { "\($0.position)" })
    for entry in loaded.config.headers {
      var opened: HeaderDescription?
      let trial = DescriptionTrial(entry.value) { (description) throws(HeaderError) in
        let whole = try description.taking(keeper.registry.presets)
        _ = try Header(whole, epoch: 1, provider: keeper.registry)
        try isolated?.open(whole)
        opened = whole
      }
      let found = entry.diagnostics(of: trial)
      // Values that plain data cannot hold were reported before, and are null in the description.
      errors += found.filter { !known.contains("\($0.position)") }
      if found.isEmpty, let opened { headers.append(opened) }
    }
  }
}
