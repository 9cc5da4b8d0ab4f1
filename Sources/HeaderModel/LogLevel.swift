// SPDX-License-Identifier: MIT

/// How much a line of the log matters. What matters most comes first, as it is written at every `log.level`.
public enum LogLevel: String, CaseIterable, Comparable, Sendable {
  /// Faults: things that the daemon, or a behavior, could not do.
  case error
  /// Problems that an operator should look at: each time that a client or a plugin misbehaves.
  case warning
  /// What an operator may want to know: one line at start, reload and stop. A healthy system logs nothing else.
  case info
  /// For people who look for a fault or write a behavior: each connection, header and plugin that comes and goes.
  case debug

  /// A level as plugins have it (`HEADER_LOG_ERROR` in `header_plugin.h`); nil: there is none with this number.
  public init?(number: UInt8) {
    guard let level = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = level
  }

  /// The number of the plugin ABI.
  public var number: UInt8 {
    switch self {
    case .debug: 0
    case .info: 1
    case .warning: 2
    case .error: 3
    }
  }

  /// The left one matters less.
  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.number < right.number }
}

/// A line that a behavior writes to the log.
public struct PluginLogLine: Equatable, Sendable {
  /// The severity.
  public var level: LogLevel
  /// The plugin's name.
  public var plugin: String
  /// The behavior's name.
  public var behavior: String
  /// The header whose instance writes it; nil in create and destroy.
  public var header: String?
  /// What the plugin says: at most 1,024 bytes of it, with an ellipsis if it was longer.
  public var message: String

  /// The line in the daemon's log.
  public var facts: [(key: String, value: String)] {
    [("plugin", plugin), ("behavior", behavior)] + (header.map { [("header", $0)] } ?? []) + [("message", message)]
  }

  /// A line from its parts.
  public init(level: LogLevel, plugin: String, behavior: String, header: String?, message: String) {
    self.level = level
    self.plugin = plugin
    self.behavior = behavior
    self.header = header
    self.message = message
  }
}
