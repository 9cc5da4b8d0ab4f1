// SPDX-License-Identifier: MIT
//
// Where plugins and presets are looked for, as a pure rule shared by the daemon and by the commands that replay without one.
//
//     HEADERD_PLUGIN_PATH, then plugins.folders of the config file, then PREFIX/lib/headerd/plugins
//     HEADERD_PRESET_PATH, then presets.folders of the config file, then PREFIX/share/headerd/presets
//
// PREFIX is where the program itself is installed: PREFIX/bin/headerd. A program that is not installed has no such folder;
// then its own folder takes the place, in which a build puts plugins and programs side by side. A plugin in an earlier
// folder wins over one of the same name in a later folder.

/// The folders in which plugins are looked for, the first one winning. Folders need not exist.
///
/// - Parameters:
///   - environment: HEADERD_PLUGIN_PATH is read: folders with `:` between; empty parts are skipped.
///   - configured: `plugins.folders` of the config file; programs without one leave it empty.
///   - executable: the absolute path of the running program; nil leaves the last folder out.
///   - exists: whether there is something at a path.
public func pluginFolders(
  environment: [String: String], configured: [String] = [], executable: String?, exists: (String) -> Bool
) -> [String] {
  let given = (environment["HEADERD_PLUGIN_PATH"] ?? "").split(separator: ":").map(String.init)
  var folders = given + configured
  if let executable {
    let parts = executable.split(separator: "/", omittingEmptySubsequences: false)
    let installed = parts.dropLast(2).joined(separator: "/") + "/lib/headerd/plugins"
    let own = parts.count > 2 ? parts.dropLast().joined(separator: "/") : "/"
    folders.append(exists(installed) ? installed : own)
  }
  return folders
}

/// The folders in which presets are looked for, the first one winning. Folders need not exist.
///
/// - Parameters:
///   - environment: HEADERD_PRESET_PATH is read: folders with `:` between; empty parts are skipped.
///   - configured: `presets.folders` of the config file; programs without one leave it empty.
///   - executable: the absolute path of the running program; nil leaves the last folder out.
public func presetFolders(
  environment: [String: String], configured: [String] = [], executable: String?
) -> [String] {
  let given = (environment["HEADERD_PRESET_PATH"] ?? "").split(separator: ":").map(String.init)
  guard let executable else { return given + configured }
  let parts = executable.split(separator: "/", omittingEmptySubsequences: false)
  return given + configured + [parts.dropLast(2).joined(separator: "/") + "/share/headerd/presets"]
}
