// SPDX-License-Identifier: MIT
//
// The log lines of behaviors (`header_host.log`). They have no effect on any header, so a replay, which drops them, gives the same
// states.

private import Glibc
public import HeaderModel

/// Writes the log lines of behaviors. Several threads may call it.
public protocol PluginLog: AnyObject {
  /// Whether lines of a level are written. Others are not even made.
  func isWritten(_ level: LogLevel) -> Bool
  /// Writes a line that a behavior has logged.
  func write(_ line: PluginLogLine)
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
