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
