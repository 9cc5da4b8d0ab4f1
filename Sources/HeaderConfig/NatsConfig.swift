// SPDX-License-Identifier: MIT
//
// The settings of headerd-nats, with their defaults, and how they are read: config/headerd-nats.toml has every key. The file is
// read as the daemon's is: all mistakes at once, each with its place.

import HeaderModel

/// The content of headerd-nats.toml.
public struct NatsConfig: Sendable, Equatable {
  /// The table `[nats]`.
  public struct Nats: Sendable, Equatable {
    /// URLs of the NATS servers.
    public var servers = ["nats://127.0.0.1:4222"]
    /// The name of the realm.
    public var realm = "default"
    /// Tokens before all subjects.
    public var prefix = ""
    /// This node's name; nil: the host's.
    public var node: String?
    /// The path of a credentials file.
    public var credentials: String?
    /// A file in PEM: the authorities that sign servers' certificates.
    public var authorities: String?
    /// A file in PEM: this client's own.
    public var certificate: String?
    /// A file in PEM: its key.
    public var privateKey: String?
    /// Replicas of each stream.
    public var replicas = 1
    /// Seconds that states are kept for subscribers that resume.
    public var history = 60
    /// Seconds that steps are kept.
    public var log = 600
    /// What reply subjects begin with that are answered.
    public var replies = ["_INBOX"]
    /// Milliseconds after which a silent node counts as gone.
    public var lease = 1000
  }

  /// The table `[daemon]`.
  public struct Daemon: Sendable, Equatable {
    /// The path of the socket; nil: headerctl's default.
    public var socket: String?
  }

  /// The table `[listen]`.
  public struct Listen: Sendable, Equatable {
    /// The bridge's socket; nil: realm.sock beside the daemon's.
    public var socket: String?
    /// The permission bits of the socket's file.
    public var mode: UInt32 = 0o600
  }

  /// The connection to NATS.
  public var nats = Nats()
  /// The daemon's socket.
  public var daemon = Daemon()
  /// The socket for clients.
  public var listen = Listen()

  /// A config with every default.
  public init() {}

  /// Reads a whole file.
  /// - Parameter file: its name for messages.
  /// - Throws: all that is wrong with it, in the order of the file.
  public init(bytes: Span<UInt8>, file: String) throws(ConfigErrors) {
    var settings = Self()
    try readConfig(bytes, file: file) { NatsSchema.read($0, into: &settings) }
    self = settings
  }

  /// Every key of the file, in the order of the reference.
  public static var keyPaths: [String] { NatsSchema.keys.map { "\($0.section).\($0.name)" } }
}

// MARK: - Keys

/// The keys of headerd-nats.toml.
private enum NatsSchema {
  private typealias Key = BridgeKey<NatsConfig>

  static let keys: [BridgeKey<NatsConfig>] = [
    Key("nats", "servers", \.nats.servers, Schema.list(of: server)),
    Key("nats", "realm", \.nats.realm, Schema.text("1 to 64 letters, digits, \"_\" or \"-\"", Names.isToken)),
    Key(
      "nats", "prefix", \.nats.prefix,
      Schema.text("parts of letters, digits, \"_\" or \"-\", joined by dots, or nothing") { text in
        text.isEmpty
          || text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { Names.isToken(String($0)) }
      }),
    Key(
      "nats", "node", \.nats.node,
      Schema.optional(Schema.text("1 to 64 letters, digits, \"_\" or \"-\"", Names.isToken))),
    Key("nats", "credentials", \.nats.credentials, Schema.folder),
    Key("nats", "authorities", \.nats.authorities, Schema.folder),
    Key("nats", "certificate", \.nats.certificate, Schema.folder),
    Key("nats", "privateKey", \.nats.privateKey, Schema.folder),
    Key("nats", "replicas", \.nats.replicas, Schema.count(1...5)),
    Key("nats", "history", \.nats.history, Schema.count(5...86_400)),
    Key("nats", "log", \.nats.log, Schema.count(60...604_800)),
    Key("nats", "replies", \.nats.replies, Schema.list(of: replies)),
    Key("nats", "lease", \.nats.lease, Schema.count(200...60_000)),
    Key("daemon", "socket", \.daemon.socket, Schema.socketPath),
    Key("listen", "socket", \.listen.socket, Schema.socketPath),
    Key("listen", "mode", \.listen.mode, mode),
  ]

  static func read(_ root: LocatedValue, into config: inout NatsConfig) -> [Complaint] {
    var complaints = keys.readSections(root, into: &config)
    if (config.nats.certificate != nil) != (config.nats.privateKey != nil) {
      let message = "a certificate needs its privateKey, and the other way round"
      complaints.append(Complaint(position: root.position(of: "nats"), path: "nats", message: message))
    }
    return complaints
  }

  private static let replies = Schema.text("parts of letters, digits, \"_\" or \"-\", joined by dots") { text in
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { Names.isToken(String($0)) }
  }

  private static let server = Schema.text("a URL such as \"nats://127.0.0.1:4222\" or \"tls://nats.example.org:4222\"")
  {
    text in
    ["nats://", "tls://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
  }

  /// Permission bits as in headerd.toml. 0.2.0 had whole numbers here, such as 0o600.
  private static let mode: Reader<UInt32> = { value, complaints in
    if case .integer(let number) = value.content, (0...0o777).contains(number) { return UInt32(number) }
    return Schema.mode(value, &complaints)
  }
}
