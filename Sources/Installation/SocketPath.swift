// SPDX-License-Identifier: MIT
//
// Where the daemon listens and where its clients look for it: one pure rule, so that the two can never disagree.
//
//     --socket PATH  ▶  HEADERD_SOCKET  ▶  socket.path of the config file  ▶  the place of this user
//
// The place of this user is `$XDG_RUNTIME_DIR/headerd/headerd.sock`; without that variable /run/headerd for root and
// /tmp/headerd-UID for everybody else. Clients do not read the config file: a daemon that is configured to listen
// elsewhere is found through HEADERD_SOCKET or the option.
//
// An empty variable counts as absent; a relative XDG_RUNTIME_DIR is ignored, as the XDG base directory specification
// asks. Nothing is looked up here: environment and user come in as values.

/// The path of the daemon's socket, and which rule it came from.
public struct SocketPath: Sendable, Equatable {
  /// The path as it was given or made. Only paths from the option or the environment may be relative.
  public var path: String
  /// The rule that gave the path.
  public var origin: Origin

  /// The rules, from the strongest to the weakest.
  public enum Origin: Sendable, Equatable {
    /// The command line named it.
    case option
    /// The environment variable HEADERD_SOCKET.
    case environment
    /// The config file named it.
    case config
    /// The user's run-time folder, `$XDG_RUNTIME_DIR/headerd`; the daemon makes the last part.
    case runtimeFolder
    /// The system's run-time folder, /run/headerd, for root.
    case systemFolder
    /// A folder of this user's own under /tmp; it must belong to the user and have mode 0700.
    case temporaryFolder
  }

  /// The folder that the daemon makes if it is absent (mode 0700), or nil where the path was configured.
  public var folderToMake: String? {
    switch origin {
    case .option, .environment, .config: nil
    case .runtimeFolder, .systemFolder, .temporaryFolder: String(path.dropLast(SocketPath.fileName.utf8.count))
    }
  }

  /// Applies the rules: option, environment, config file, the user's own place.
  ///
  /// - Parameters:
  ///   - option: what `--socket` gave, nil if it was absent.
  ///   - environment: HEADERD_SOCKET and XDG_RUNTIME_DIR are read.
  ///   - configured: `socket.path` of the config file; clients leave it nil.
  ///   - user: the effective user id of the asking process.
  public static func resolve(
    option: String?, environment: [String: String], configured: String? = nil, user: UInt32
  ) -> SocketPath {
    if let option { return SocketPath(path: option, origin: .option) }
    if let given = environment["HEADERD_SOCKET"], !given.isEmpty {
      return SocketPath(path: given, origin: .environment)
    }
    if let configured { return SocketPath(path: configured, origin: .config) }
    if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
      let separator = runtime.hasSuffix("/") ? "" : "/"
      return SocketPath(path: "\(runtime)\(separator)headerd\(fileName)", origin: .runtimeFolder)
    }
    if user == 0 { return SocketPath(path: "/run/headerd\(fileName)", origin: .systemFolder) }
    return SocketPath(path: "/tmp/headerd-\(user)\(fileName)", origin: .temporaryFolder)
  }

  /// Creates a path from a known rule.
  public init(path: String, origin: Origin) {
    self.path = path
    self.origin = origin
  }

  private static let fileName = "/headerd.sock"
}
