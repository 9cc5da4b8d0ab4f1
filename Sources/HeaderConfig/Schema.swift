// SPDX-License-Identifier: MIT
//
// The table of config keys: for reading, hints for misspelled keys, comparing configs, and the test that the reference
// file has every key. A setting is a property of `Config` and a row here: its key, its reader, and whether changing it
// needs a restart.

import HeaderModel

enum Schema {
  struct Key: ConfigKey {
    /// Empty for a key before all tables.
    let section: String
    let name: String
    let needsRestart: Bool
    let read: @Sendable (LocatedValue, inout Config) -> [Complaint]
    let isSame: @Sendable (Config, Config) -> Bool

    var path: String { section.isEmpty ? name : "\(section).\(name)" }
  }

  /// The table of headers is not a section: its keys are the protocol's.
  static let headerSection = "header"

  static let keys: [Key] =
    [
      key("", \.self, "threads", \.threads, restart: true, count(1...64)),
      key("", \.self, "gathering", \.gathering, restart: true, gathering),
      key("socket", \.socket, "path", \.path, restart: true, socketPath),
      key("socket", \.socket, "mode", \.mode, restart: true, mode),
      key("socket", \.socket, "backlog", \.backlog, restart: true, count(1...65_535)),
    ] + Limits.entries.map(key(of:)) + [
      key("roles", \.roles, "publish", \.publish, list(of: grant)),
      key("roles", \.roles, "subscribe", \.subscribe, list(of: grant)),
      key("roles", \.roles, "tune", \.tune, tuners),
      key("roles", \.roles, "admin", \.admin, list(of: grant)),
    ] + Quota.allCases.map(key(of:)) + [
      key("quotas", \.quotas, "users", \.users, quotaExceptions),
      key("plugins", \.plugins, "folders", \.folders, list(of: absolutePath)),
      key("plugins", \.plugins, "watch", \.watch, bool),
      key("plugins", \.plugins, "load", \.load, pluginsToLoad),
      key("plugins", \.plugins, "deadline", \.deadline, seconds(atMost: 86_400, orNone: true)),
      key("plugins", \.plugins, "onStuck", \.onStuck, choice),
      key("plugins", \.plugins, "isolation", \.isolation, isolation),
      key("plugins", \.plugins, "readable", \.readable, byPlugin(list(of: absolutePath))),
      key("plugins", \.plugins, "headersPerProcess", \.headersPerProcess, count(1...100_000)),
      key("plugins", \.plugins, "processMemory", \.processMemory, count(0...1_099_511_627_776)),
      key("presets", \.presets, "folders", \.folders, restart: true, list(of: absolutePath)),
      key("state", \.state, "directory", \.directory, restart: true, folder),
      key("state", \.state, "durability", \.durability, restart: true, choice),
      key("state", \.state, "interval", \.interval, restart: true, seconds(atMost: 60)),
      key("metrics", \.metrics, "path", \.path, restart: true, socketPath),
      key("metrics", \.metrics, "port", \.port, restart: true, count(0...65_535)),
      key("metrics", \.metrics, "groups", \.groups, restart: true, metricsGroups),
      key("log", \.log, "level", \.level, choice),
    ]

  /// Reads a whole file into a config and returns the mistakes, each with its key, in no order.
  static func read(_ root: LocatedValue, into config: inout Config, file: String) -> [Complaint] {
    keys.readSections(root, into: &config, besides: [headerSection]) { entry, config in
      readHeaders(entry.value, into: &config, file: file)
    }
  }

  /// Reads `[[header]]`. Descriptions stay plain data; only a name that stands twice is refused here, since each
  /// description alone would be right.
  private static func readHeaders(_ value: LocatedValue, into config: inout Config, file: String) -> [Complaint] {
    guard case .list(let elements) = value.content else {
      return [.expected("a list of tables, each begun by [[header]]", got: value, path: headerSection)]
    }
    var complaints: [Complaint] = []
    var lines: [String: Int] = [:]
    for (index, element) in elements.enumerated() {
      let path = "\(headerSection)[\(index)]"
      guard case .table = element.content else {
        complaints.append(.expected("a table", got: element, path: path))
        continue
      }
      var found: [Complaint] = []
      let value = plainValue(of: element, &found)
      let header = ConfiguredHeader(value: value, source: element, path: path, file: file)
      if let name = header.name {
        let position = header.position(of: "header")
        if let line = lines[name] {
          let message = "\(quoted(name)) is described twice, first on line \(line)"
          found.append(Complaint(position: position, path: ".header", message: message))
        }
        lines[name] = lines[name] ?? position.line
      }
      complaints += found.map { $0.below(path) }
      config.headers.append(header)
    }
    return complaints
  }
}

// MARK: - Rows

extension Schema {
  /// Limits that size something at start, or that every other header and connection counts on.
  private static let limitsNeedingRestart = ["connections", "headers"]

  /// A row: a property of one of the config's parts, under the key that the file has for it.
  private static func key<Part: Sendable, Setting: Equatable & Sendable>(
    _ section: String, _ part: any WritableKeyPath<Config, Part> & Sendable,
    _ name: String, _ property: any WritableKeyPath<Part, Setting> & Sendable,
    restart: Bool = false, _ read: @escaping Reader<Setting>
  ) -> Key {
    Key(
      section: section, name: name, needsRestart: restart,
      read: { value, config in
        var complaints: [Complaint] = []
        if let setting = read(value, &complaints) { config[keyPath: part][keyPath: property] = setting }
        return complaints
      },
      isSame: { $0[keyPath: part][keyPath: property] == $1[keyPath: part][keyPath: property] })
  }

  private static func key(of quota: Quota) -> Key {
    let read = amount(of: quota)
    return Key(
      section: "quotas", name: quota.rawValue, needsRestart: false,
      read: { value, config in
        var complaints: [Complaint] = []
        if let amount = read(value, &complaints) { config.quotas.everybody[quota] = amount }
        return complaints
      },
      isSame: { $0.quotas.everybody[quota] == $1.quotas.everybody[quota] })
  }

  private static func key(of limit: Limits.Entry) -> Key {
    let restart = limitsNeedingRestart.contains(limit.name)
    switch limit.kind {
    case .count(let property, let range):
      return key("limits", \.limits, limit.name, property, restart: restart, count(range))
    case .seconds(let property, let most):
      return key("limits", \.limits, limit.name, property, restart: restart, seconds(atMost: most))
    }
  }
}
