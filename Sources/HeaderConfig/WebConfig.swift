// SPDX-License-Identifier: MIT
//
// The settings of headerd-web, with their defaults, and how they are read: config/headerd-web.toml has every key. The file is
// read as the daemon's is: all mistakes at once, each with its place.

import HeaderModel

/// The content of headerd-web.toml.
public struct WebConfig: Sendable, Equatable {
  /// A role that a page may have.
  public enum Role: String, CaseIterable, Sendable {
    case publish, subscribe, tune, admin
  }

  /// The table `[listen]`.
  public struct Listen: Sendable, Equatable {
    /// The numeric address to listen on.
    public var address = "127.0.0.1"
    /// The port; 0: any free one.
    public var port = 8470
    /// A file with a certificate and those above it, in PEM; nil: no TLS.
    public var certificate: String?
    /// A file with its key.
    public var privateKey: String?
  }

  /// The table `[daemon]`.
  public struct Daemon: Sendable, Equatable {
    /// The path of the socket; nil: headerctl's default.
    public var socket: String?
  }

  /// The table `[pages]`.
  public struct Pages: Sendable, Equatable {
    /// Whether files are served.
    public var serve = true
    /// The folder of the files; nil: the playground.
    public var folder: String?
  }

  /// The table `[access]`.
  public struct Access: Sendable, Equatable {
    /// Origins beside those of this machine.
    public var origins: [String] = []
    /// The roles of a page without a token.
    public var anonymous: [Role] = []
  }

  /// A `[[token]]`.
  public struct Token: Sendable, Equatable {
    /// The name of the secret in the log.
    public var name = ""
    /// The secret itself.
    public var token = ""
    /// The roles of a page with the token.
    public var roles: [Role] = []

    /// A token from its parts.
    public init(name: String = "", token: String = "", roles: [Role] = []) {
      (self.name, self.token, self.roles) = (name, token, roles)
    }
  }

  /// The table `[limits]`.
  public struct Limits: Sendable, Equatable {
    /// Connections at the same time.
    public var connections = 4096
    /// Connections from one address at the same time.
    public var connectionsPerAddress = 2048
    /// Messages a second from one page, which is slowed down beyond it; 0: any number.
    public var messagesPerSecond = 2000
    /// Seconds without a word until a page is pinged.
    public var idlePing = 30
  }

  /// The address to listen on.
  public var listen = Listen()
  /// The daemon's socket.
  public var daemon = Daemon()
  /// The files that are served.
  public var pages = Pages()
  /// The pages that may connect.
  public var access = Access()
  /// Secrets and the roles that they give.
  public var tokens: [Token] = []
  /// Limits on connections and messages.
  public var limits = Limits()

  /// A config with every default.
  public init() {}

  /// Reads a whole file.
  /// - Parameter file: its name for messages.
  /// - Throws: all that is wrong with it, in the order of the file.
  public init(bytes: Span<UInt8>, file: String) throws(ConfigErrors) {
    var settings = Self()
    try readConfig(bytes, file: file) { WebSchema.read($0, into: &settings) }
    self = settings
  }

  /// Every key of the file but those of `[[token]]`, in the order of the reference.
  public static var keyPaths: [String] { WebSchema.keys.map { "\($0.section).\($0.name)" } }
}

// MARK: - Keys

/// The keys of headerd-web.toml.
private enum WebSchema {
  private typealias Key = BridgeKey<WebConfig>

  static let keys: [BridgeKey<WebConfig>] = [
    Key("listen", "address", \.listen.address, address),
    Key("listen", "port", \.listen.port, Schema.count(0...65_535)),
    Key("listen", "certificate", \.listen.certificate, Schema.folder),
    Key("listen", "privateKey", \.listen.privateKey, Schema.folder),
    Key("daemon", "socket", \.daemon.socket, Schema.socketPath),
    Key("pages", "serve", \.pages.serve, Schema.bool),
    Key("pages", "folder", \.pages.folder, Schema.folder),
    Key("access", "origins", \.access.origins, Schema.list(of: origin)),
    Key("access", "anonymous", \.access.anonymous, Schema.list(of: Schema.choice)),
    Key("limits", "connections", \.limits.connections, Schema.count(1...1_000_000)),
    Key("limits", "connectionsPerAddress", \.limits.connectionsPerAddress, Schema.count(1...1_000_000)),
    Key("limits", "messagesPerSecond", \.limits.messagesPerSecond, Schema.count(0...1_000_000)),
    Key("limits", "idlePing", \.limits.idlePing, Schema.count(1...3600)),
  ]

  static func read(_ root: LocatedValue, into config: inout WebConfig) -> [Complaint] {
    var complaints = keys.readSections(root, into: &config, besides: ["token"]) { entry, config in
      tokens(entry.value, &config).map { $0.below("token") }
    }
    let tls = (config.listen.certificate != nil, config.listen.privateKey != nil)
    if tls.0 != tls.1 {
      let message = "TLS needs both certificate and privateKey"
      complaints.append(Complaint(position: root.position(of: "listen"), path: "listen", message: message))
    }
    return complaints
  }

  private static func tokens(_ value: LocatedValue, _ config: inout WebConfig) -> [Complaint] {
    guard case .list(let elements) = value.content else {
      return [.expected("a list of tables, each begun by [[token]]", got: value)]
    }
    var complaints: [Complaint] = []
    for (index, element) in elements.enumerated() {
      let token = complaints.reading(element, at: "[\(index)]", token) ?? WebConfig.Token()
      if !token.token.isEmpty, config.tokens.contains(where: { $0.token == token.token }) {
        let message = "the token is given twice"
        complaints.append(Complaint(position: element.position, path: "[\(index)]", message: message))
      }
      config.tokens.append(token)
    }
    return complaints
  }

  private static func token(_ value: LocatedValue, _ complaints: inout [Complaint]) -> WebConfig.Token {
    var token = WebConfig.Token()
    guard case .table(let entries) = value.content else {
      complaints.append(.expected("a table", got: value))
      return token
    }
    for entry in entries {
      let path = ".\(entry.key)"
      switch entry.key {
      case "name": token.name = complaints.reading(entry.value, at: path, Schema.text("text") { _ in true }) ?? ""
      case "token": token.token = complaints.reading(entry.value, at: path, secret) ?? ""
      case "roles": token.roles = complaints.reading(entry.value, at: path, Schema.list(of: Schema.choice)) ?? []
      default: complaints.append(.unknown("key", entry, path: path, among: ["name", "token", "roles"]))
      }
    }
    for name in ["token", "roles"] where !entries.contains(where: { $0.key == name }) {
      complaints.append(Complaint(position: value.position, path: ".\(name)", message: "is required"))
    }
    return token
  }

  /// Characters that an address can hold as they are, and enough of them that the secret cannot be guessed.
  private static let secret = Schema.text("16 to 256 letters, digits, \"-\", \"_\" or \".\"") {
    Schema.isPlain($0, 16...256, signs: "-_.")
  }

  private static let address = Schema.text("a numeric address, such as \"127.0.0.1\" or \"::1\"") { !$0.isEmpty }

  private static let origin = Schema.text("an origin such as \"https://app.example.org\"") { text in
    let scheme = ["http://", "https://"].first { text.hasPrefix($0) }
    guard let scheme else { return false }
    let rest = text.dropFirst(scheme.count)
    return !rest.isEmpty && !rest.contains("/") && !rest.contains("*")
  }
}
