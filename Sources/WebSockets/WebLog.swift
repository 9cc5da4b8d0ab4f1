// SPDX-License-Identifier: MIT
//
// The log of libwebsockets, which is the process's: kept for the caller of the function that failed.

internal import CWebSockets
private import Locks

enum WebLog {
  private static let said = Locked("")
  private static let maxKept = 2048

  /// Keeps errors and warnings from now on, and writes nothing.
  static func begin() {
    unsafe lws_set_log_level(Int32(LLL_ERR | LLL_WARN)) { _, line in
      guard let line = unsafe line else { return }
      let text = unsafe String(cString: line)
      WebLog.said.withLock { if $0.utf8.count < WebLog.maxKept { $0 += text } }
    }
  }

  /// The log lines since the last call, on one line.
  static func take() -> String {
    said.withLock { text in
      defer { text = "" }
      let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
      return lines.isEmpty ? "libwebsockets did not start" : lines.joined(separator: "; ")
    }
  }
}
