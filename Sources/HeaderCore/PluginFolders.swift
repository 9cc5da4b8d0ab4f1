// SPDX-License-Identifier: MIT
//
// Where plugins are looked for, as a pure rule shared by the daemon and by the commands that replay without one.
//
//     HEADERD_PLUGIN_PATH, else plugins.folders of the config file; then PREFIX/lib/headerd/plugins
//
// PREFIX is where the program itself is installed: PREFIX/bin/headerd. The variable replaces the file's folders, since
// whoever sets it wants to know exactly what is loaded; the installed plugins come last in both cases, so a plugin of
// the same name in an earlier folder wins over them.

/// The folders in which plugins are looked for, the first one winning. Folders need not exist.
///
/// - Parameters:
///   - environment: HEADERD_PLUGIN_PATH is read: folders with `:` between; empty parts are skipped.
///   - configured: `plugins.folders` of the config file; programs without one leave it empty.
///   - executable: the absolute path of the running program; nil leaves the installed folder out.
public func pluginFolders(
  environment: [String: String], configured: [String] = [], executable: String?
) -> [String] {
  let given = (environment["HEADERD_PLUGIN_PATH"] ?? "").split(separator: ":").map(String.init)
  var folders = given.isEmpty ? configured : given
  if let executable {
    let parts = executable.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    if !parts.isEmpty { folders.append(parts.joined(separator: "/") + "/lib/headerd/plugins") }
  }
  return folders
}
