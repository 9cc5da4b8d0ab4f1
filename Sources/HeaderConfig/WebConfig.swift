// SPDX-License-Identifier: MIT
//
// The settings of headerd-web, with their defaults, and how they are read: config/headerd-web.toml has every key. The file is
// read as the daemon's is: all mistakes at once, each with its place.

import HeaderCore

/// What headerd-web.toml says.
public struct WebConfig: Sendable, Equatable {
  /// A role that a page may have.
  public enum Role: String, CaseIterable, Sendable {
    case publish, subscribe, tune, admin
  }

  /// The table `[listen]`.
  public struct Listen: Sendable, Equatable {
    /// A numeric address.
    public var address = "127.0.0.1"
    /// 0: any that is free.
    public var port = 8470
    /// A file with a certificate and those above it, in PEM; nil: no TLS.
    public var certificate: String?
    /// A file with its key.
    public var privateKey: String?
  }

  /// The table `[daemon]`.
  public struct Daemon: Sendable, Equatable {
    /// Its socket; nil: where headerctl looks.
    public var socket: String?
  }

  /// The table `[pages]`.
  public struct Pages: Sendable, Equatable {
    /// Whether files are served.
    public var serve = true
    /// Their folder; nil: the playground.
    public var folder: String?
  }

  /// The table `[access]`.
  public struct Access: Sendable, Equatable {
    /// Origins beside those of this machine.
    public var origins: [String] = []
    /// What a page without a token may do.
    public var anonymous: [Role] = []
  }

  /// A `[[token]]`.
  public struct Token: Sendable, Equatable {
    /// For the log.
    public var name = ""
    /// The secret.
    public var token = ""
    /// What a page with it may do.
    public var roles: [Role] = []

    /// A token from its parts.
    public init(name: String = "", token: String = "", roles: [Role] = []) {
      (self.name, self.token, self.roles) = (name, token, roles)
    }
  }

  /// The table `[limits]`.
  public struct Limits: Sendable, Equatable {
    /// Connections at once.
    public var connections = 4096
    /// Of one address.
    public var connectionsPerAddress = 2048
    /// Messages a second from one page, which is slowed down beyond it; 0: any number.
    public var messagesPerSecond = 2000
    /// Seconds without a word until a page is pinged.
    public var idlePing = 30
  }

  /// Where it listens.
  public var listen = Listen()
  /// Where the daemon is.
  public var daemon = Daemon()
  /// What it serves.
  public var pages = Pages()
  /// Who may connect.
  public var access = Access()
  /// Secrets and what they give.
  public var tokens: [Token] = []
  /// Bounds.
  public var limits = Limits()

  /// The defaults.
  public init() {}

  /// Reads a whole file.
  /// - Parameter file: its name for messages.
  /// - Throws: all that is wrong with it, in the order of the file.
  public init(bytes: Span<UInt8>, file: String) throws(ConfigErrors) {
    let root: LocatedValue
    do throws(SyntaxError) {
      root = try parseTOML(bytes)
    } catch {
      throw ConfigErrors([Diagnostic(file: file, position: error.position, message: error.message)])
    }
    let complaints = WebSchema.read(root, into: &self).sorted { $0.position < $1.position }
    guard complaints.isEmpty else {
      throw ConfigErrors(
        complaints.map { Diagnostic(file: file, position: $0.position, message: "\($0.path): \($0.message)") })
    }
  }

  /// Every key of the file but those of `[[token]]`, in the order of the reference.
  public static var keyPaths: [String] { WebSchema.keys.map { "\($0.section).\($0.name)" } }
}

// MARK: - Keys

/// The table of keys.
private enum WebSchema {
  struct Key: Sendable {
    let section: String
    let name: String
    let read: @Sendable (LocatedValue, inout WebConfig) -> [Complaint]
  }

  static let keys: [Key] = [
    key("listen", "address", \.listen.address, address),
    key("listen", "port", \.listen.port, Schema.count(0...65_535)),
    key("listen", "certificate", \.listen.certificate, Schema.folder),
    key("listen", "privateKey", \.listen.privateKey, Schema.folder),
    key("daemon", "socket", \.daemon.socket, Schema.socketPath),
    key("pages", "serve", \.pages.serve, Schema.bool),
    key("pages", "folder", \.pages.folder, Schema.folder),
    key("access", "origins", \.access.origins, Schema.list(of: origin)),
    key("access", "anonymous", \.access.anonymous, Schema.list(of: Schema.choice)),
    key("limits", "connections", \.limits.connections, Schema.count(1...1_000_000)),
    key("limits", "connectionsPerAddress", \.limits.connectionsPerAddress, Schema.count(1...1_000_000)),
    key("limits", "messagesPerSecond", \.limits.messagesPerSecond, Schema.count(0...1_000_000)),
    key("limits", "idlePing", \.limits.idlePing, Schema.count(1...3600)),
  ]

  static func read(_ root: LocatedValue, into config: inout WebConfig) -> [Complaint] {
    guard case .table(let entries) = root.content else { return [] }
    let sections = keys.reduce(into: [String]()) { if $0.last != $1.section { $0.append($1.section) } }
    var complaints: [Complaint] = []
    for entry in entries {
      if entry.key == "token" {
        complaints += tokens(entry.value, &config).map { below("token", $0) }
      } else if sections.contains(entry.key) {
        complaints += section(entry, into: &config)
      } else {
        complaints.append(unknown("table", entry, path: entry.key, among: sections + ["token"]))
      }
    }
    let tls = (config.listen.certificate != nil, config.listen.privateKey != nil)
    if tls.0 != tls.1 {
      let message = "TLS needs both certificate and privateKey"
      complaints.append(Complaint(position: root.position(of: "listen"), path: "listen", message: message))
    }
    return complaints
  }

  private static func section(_ section: LocatedValue.Entry, into config: inout WebConfig) -> [Complaint] {
    guard case .table(let entries) = section.value.content else {
      return [.expected("a table", got: section.value, path: section.key)]
    }
    let known = keys.filter { $0.section == section.key }
    return entries.flatMap { entry in
      let path = "\(section.key).\(entry.key)"
      guard let key = known.first(where: { $0.name == entry.key }) else {
        return [unknown("key", entry, path: path, among: known.map(\.name))]
      }
      return key.read(entry.value, &config).map { below(path, $0) }
    }
  }

  private static func tokens(_ value: LocatedValue, _ config: inout WebConfig) -> [Complaint] {
    guard case .list(let elements) = value.content else {
      return [.expected("a list of tables, each begun by [[token]]", got: value)]
    }
    var complaints: [Complaint] = []
    for (index, element) in elements.enumerated() {
      var found: [Complaint] = []
      let token = token(element, &found)
      complaints += found.map { below("[\(index)]", $0) }
      if config.tokens.contains(where: { $0.token == token.token }) {
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
      var found: [Complaint] = []
      switch entry.key {
      case "name": token.name = text("text", isValid: { _ in true })(entry.value, &found) ?? ""
      case "token": token.token = secret(entry.value, &found) ?? ""
      case "roles": token.roles = Schema.list(of: Schema.choice)(entry.value, &found) ?? []
      default: found.append(unknown("key", entry, path: "", among: ["name", "token", "roles"]))
      }
      complaints += found.map { below(".\(entry.key)", $0) }
    }
    for name in ["token", "roles"] where !entries.contains(where: { $0.key == name }) {
      complaints.append(Complaint(position: value.position, path: ".\(name)", message: "is required"))
    }
    return token
  }

  /// What an address can hold as it is, long enough that nobody guesses it.
  private static let secret = text("16 to 256 letters, digits, \"-\", \"_\" or \".\"") { text in
    (16...256).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
      }
  }

  private static let address = text("a numeric address, such as \"127.0.0.1\" or \"::1\"") { !$0.isEmpty }

  private static let origin = text("an origin such as \"https://app.example.org\"") { text in
    let scheme = ["http://", "https://"].first { text.hasPrefix($0) }
    guard let scheme else { return false }
    let rest = text.dropFirst(scheme.count)
    return !rest.isEmpty && !rest.contains("/") && !rest.contains("*")
  }

  private static func text(_ expectation: String, isValid: @escaping @Sendable (String) -> Bool) -> Reader<String> {
    { value, complaints in
      if case .text(let text) = value.content, isValid(text), !text.utf8.contains(0) { return text }
      complaints.append(.expected(expectation, got: value))
      return nil
    }
  }

  private static func key<Setting: Sendable>(
    _ section: String, _ name: String, _ property: any WritableKeyPath<WebConfig, Setting> & Sendable,
    _ read: @escaping Reader<Setting>
  ) -> Key {
    Key(section: section, name: name) { value, config in
      var complaints: [Complaint] = []
      if let setting = read(value, &complaints) { config[keyPath: property] = setting }
      return complaints
    }
  }

  private static func below(_ path: String, _ complaint: Complaint) -> Complaint {
    Complaint(position: complaint.position, path: path + complaint.path, message: complaint.message)
  }

  private static func unknown(
    _ what: String, _ entry: LocatedValue.Entry, path: String, among known: [String]
  ) -> Complaint {
    let hint = nearest(to: entry.key, in: known).map { ". Did you mean \"\($0)\"?" } ?? ""
    return Complaint(position: entry.position, path: path, message: "unknown \(what)\(hint)")
  }
}
