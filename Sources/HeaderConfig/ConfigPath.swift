// SPDX-License-Identifier: MIT
//
// Which config file a daemon reads; exactly one.
//
//     --config FILE  ▶  $XDG_CONFIG_HOME/headerd/headerd.toml  ▶  /etc/headerd/headerd.toml  ▶  the defaults
//
// XDG_CONFIG_HOME is $HOME/.config by default; a relative path in either is ignored, as the XDG specification asks.

extension Config {
  /// Bytes that a config file may have, one of a bridge or of a preset too: what is no such file may have no end.
  public static var largestFile: Int { 16 << 20 }

  /// The path of the file to read, nil for the defaults.
  ///
  /// - Parameters:
  ///   - option: what `--config` gave: taken as it is, so that a file that is absent is an error, not a surprise.
  ///   - environment: XDG_CONFIG_HOME and HOME are read.
  ///   - name: the file's name; that of another program's.
  ///   - exists: whether there is something at a path.
  public static func path(
    option: String?, environment: [String: String], name: String = "headerd.toml", exists: (String) -> Bool
  ) -> String? {
    if let option { return option }
    return candidates(environment: environment, name: name).first(where: exists)
  }

  /// The places that are looked at without `--config`, in order.
  static func candidates(environment: [String: String], name: String = "headerd.toml") -> [String] {
    var folders: [String] = []
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      folders.append(folder)
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      folders.append("\(home.hasSuffix("/") ? String(home.dropLast()) : home)/.config")
    }
    folders.append("/etc")
    return folders.map { "\($0.hasSuffix("/") ? String($0.dropLast()) : $0)/headerd/\(name)" }
  }
}
