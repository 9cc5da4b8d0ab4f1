// SPDX-License-Identifier: MIT
//
// What behaviors write to the log (`header_host.log`). It has no effect on any header, so that a replay, which has nobody who
// writes it, gives the same states.

private import CHeaderPlugin
private import Glibc

/// A line that a behavior writes to the log.
public struct PluginLogLine: Equatable, Sendable {
  /// How much a line matters.
  public enum Level: Sendable {
    /// For the behavior's author.
    case debug
    /// What an operator may want to know.
    case info
    /// What somebody should look at.
    case warning
    /// What does not work.
    case error
  }

  /// How much it matters.
  public var level: Level
  /// The plugin.
  public var plugin: String
  /// Its behavior.
  public var behavior: String
  /// The header whose instance writes it; nil in create and destroy.
  public var header: String?
  /// What the plugin says: at most 1,024 bytes of it, with an ellipsis if it was longer.
  public var message: String

  /// A line from its parts.
  public init(level: Level, plugin: String, behavior: String, header: String?, message: String) {
    self.level = level
    self.plugin = plugin
    self.behavior = behavior
    self.header = header
    self.message = message
  }
}

/// Who writes the lines of behaviors. Several threads may call it.
public protocol PluginLog: AnyObject {
  /// Whether lines of a level are written. Others are not even made.
  func isWritten(_ level: PluginLogLine.Level) -> Bool
  /// Writes a line.
  func write(_ line: PluginLogLine)
}

extension PluginLogLine.Level {
  /// A level as C has it. One that is not known may be one that matters.
  init(c level: UInt8) {
    switch Int(level) {
    case HEADER_LOG_DEBUG: self = .debug
    case HEADER_LOG_INFO: self = .info
    case HEADER_LOG_ERROR: self = .error
    default: self = .warning
    }
  }
}

/// The beginning of a text of a plugin's, of which no more is read than is kept.
func logMessage(_ text: UnsafePointer<CChar>) -> String {
  let most = 1_024
  let length = unsafe strnlen(text, most + 1)
  let bytes = unsafe UnsafeRawBufferPointer(start: text, count: length)
  guard length > most else { return unsafe String(decoding: bytes, as: UTF8.self) }
  // Not in the middle of a character.
  var end = most
  while unsafe end > most - 3 && bytes[end] & 0xc0 == 0x80 { end -= 1 }
  return unsafe String(decoding: UnsafeRawBufferPointer(rebasing: bytes[..<end]), as: UTF8.self) + "…"
}
