// SPDX-License-Identifier: MIT
//
// The daemon's settings as typed and checked values of `headerd.toml`.
//
//     bytes ─▶ parseTOML ─▶ LocatedValue ─▶ Schema (one table of keys) ─▶ Config, or all errors
//
// A file with one mistake is refused as a whole. An empty file is the defaults.

public import HeaderModel

/// The settings of a daemon.
public struct Config: Sendable, Equatable {
  /// The socket that the daemon listens on.
  public var socket = Socket()
  /// How many threads serve connections and headers, 1 to 64.
  public var threads = 1
  /// Microseconds that a thread pauses after reading, so that it finds more events at once; 0: never; nil: when that
  /// saves work.
  public var gathering: Int?
  /// The bounds of everything that can grow.
  public var limits = Limits()
  /// The users and groups that have a role.
  public var roles = Roles()
  /// The quotas of users.
  public var quotas = UserQuotas()
  /// Which plugins are loaded, and from where.
  public var plugins = Plugins()
  /// Where presets are looked for.
  public var presets = Presets()
  /// The state that is kept when the daemon ends.
  public var state = State()
  /// Where metrics are served.
  public var metrics = Metrics()
  /// The lines that are written to stderr.
  public var log = Log()
  /// Headers that are opened at start, in the order of the file.
  public var headers: [ConfiguredHeader] = []

  /// The table `[socket]`.
  public struct Socket: Sendable, Equatable {
    /// The absolute path of the socket, at most 107 bytes; nil for the place of this user (see `SocketPath`).
    public var path: String?
    /// The permission bits of the socket file, at most 0777.
    public var mode: UInt32 = 0o600
    /// Connections that may wait to be accepted, as in listen(2); the kernel's own bound is in force where it is lower.
    public var backlog = 65_535
  }

  /// The table `[roles]`: each role's members. A list that is given replaces the default.
  public struct Roles: Sendable, Equatable {
    /// Members that may open headers and send events.
    public var publish = Grant.defaults
    /// Members that may read states.
    public var subscribe = Grant.defaults
    /// Members that may change options and chains; nil: the members of `publish`, for the same headers.
    public var tune: [Grant]?
    /// Members that may load plugins and record.
    public var admin = Grant.defaults
  }

  /// The table `[plugins]`.
  public struct Plugins: Sendable, Equatable {
    /// Folders to look in before PREFIX/lib/headerd/plugins, the first one winning; absolute paths.
    public var folders: [String] = []
    /// Whether a plugin is reloaded when its file changes.
    public var watch = false
    /// Which plugins are loaded at start.
    public var load = Load.all
    /// Seconds that a call into a plugin may take before it is reported; 0: calls are not watched.
    public var deadline = 1.0
    /// The reaction to a call that takes longer.
    public var onStuck = OnStuck.wait

    /// The isolation of plugins from the daemon's process.
    public var isolation = Isolation()
    /// Files and folders that an isolated plugin may read, by its name: absolute paths.
    public var readable: [String: [String]] = [:]
    /// Bytes of memory that such a process may have; 0: any.
    public var processMemory = 268_435_456

    /// Headers that one process has at most.
    public var headersPerProcess = 500

    /// How plugins are kept apart from the daemon: by name, and those that are not named.
    public struct Isolation: Sendable, Equatable {
      /// How a plugin is kept apart.
      public enum Way: String, Sendable, CaseIterable {
        /// The plugin is loaded into the daemon.
        case none
        /// It is loaded into a process of its own first, which has no rights, and into the daemon once that went well.
        case trial
        /// It is never loaded into the daemon: headers that use it are in processes without rights, which may die.
        case process
      }

      /// For plugins that are not named.
      public var usual = Way.none
      /// For single plugins, by name.
      public var plugins: [String: Way] = [:]

      /// The way of a plugin.
      public func way(of plugin: String) -> Way { plugins[plugin] ?? usual }
    }

    /// The reaction to a call into a plugin that does not return.
    public enum OnStuck: String, Sendable, CaseIterable {
      /// The call is logged, and the daemon waits for its return.
      case wait
      /// The process ends with a status of its own, for a service manager to start it anew.
      case exit
    }

    /// The plugins to load at start.
    public enum Load: Sendable, Equatable {
      /// Every plugin that is found in the folders: `["*"]`.
      case all
      /// Those with these names, in this order; a name that is not found is an error at start.
      case named([String])
    }
  }

  /// The table `[presets]`.
  public struct Presets: Sendable, Equatable {
    /// Folders to look in before PREFIX/share/headerd/presets, the first one winning; absolute paths.
    public var folders: [String] = []
  }

  /// The table `[state]`.
  public struct State: Sendable, Equatable {
    /// The folder of the journal, an absolute path; nil: headers end with the daemon.
    public var directory: String?
    /// When an input counts as safe.
    public var durability = Durability.interval
    /// Seconds between two writes to the disk; more than 0, at most 60.
    public var interval = 0.05
  }

  /// The table `[metrics]`.
  public struct Metrics: Sendable, Equatable {
    /// The absolute path of a socket of its own, at most 107 bytes; nil: there is none.
    public var path: String?
    /// A port of 127.0.0.1; 0: none.
    public var port = 0
    /// Globs of headers' names whose events are counted apart, at most 32; all other headers are one group.
    public var groups: [String] = []

    /// Whether metrics are served at all.
    public var isServed: Bool { path != nil || port > 0 }
  }

  /// The table `[log]`.
  public struct Log: Sendable, Equatable {
    /// Messages of this level and of those above it are written.
    public var level = LogLevel.info
  }

  /// A config with every default: that of an empty file.
  public init() {}

  /// Every key of the file but those of `[[header]]`, in the order of the reference: `socket.path`, `limits.lineBytes`.
  public static var keyPaths: [String] { Schema.keys.map(\.path) }

  /// The keys in which two configs differ and which a reload (SIGHUP) cannot apply, in the order of the reference: `socket.path`,
  /// `limits.connections`; `header.NAME` for a header whose description changed or was removed, since an open header stays as it is. New
  /// headers, and all other keys, can be applied to a running daemon.
  public static func changesNeedingRestart(from old: Config, to new: Config) -> [String] {
    let keys = Schema.keys.filter { $0.needsRestart && !$0.isSame(old, new) }.map(\.path)
    let present = Dictionary(new.headers.map { ($0.name, $0) }) { first, _ in first }
    let headers = old.headers.filter { present[$0.name] != $0 }
    return keys + headers.map { "header.\($0.name ?? "?")" }
  }
}
