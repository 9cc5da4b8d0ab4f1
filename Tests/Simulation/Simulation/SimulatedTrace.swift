// SPDX-License-Identifier: MIT
//
// A recording as a client puts it together from `trace` notifications, and its replay.

import DaemonTestKit
import HeaderCore
import HeaderModel
import HeaderTrace

struct SimulatedTrace {
  /// The first notification's members behind the number, as they came.
  private var head: String?
  /// Each step as it came.
  private(set) var steps: [String] = []
  var isOver = false

  /// Takes a notification's params; what is wrong with it, nil when nothing is.
  mutating func take(_ trace: JSON) -> String? {
    if isOver { return "a step after the end of a recording" }
    // The bytes are kept as they came: {"jsonrpc":"2.0","method":"trace","params":{"trace":1,…}}
    let begin = "{\"jsonrpc\":\"2.0\",\"method\":\"trace\",\"params\":{\"trace\":\(trace["trace"].int ?? 0),"
    guard trace.text.hasPrefix(begin) else { return "an unusual beginning" }
    let rest = String(decoding: trace.text.utf8.dropFirst(begin.utf8.count).dropLast(2), as: UTF8.self)
    if let count = trace["steps"].int {
      isOver = true
      return count == steps.count ? nil : "a recording ends with other steps"
    }
    if trace["step"].isAbsent {
      guard head == nil else { return "a second description" }
      head = rest
    } else {
      guard head != nil else { return "a step before the description" }
      steps.append(String(decoding: rest.utf8.dropFirst("\"step\":".utf8.count), as: UTF8.self))
    }
    return nil
  }

  /// Replays it; what came out differently. A header that a delegate did not save, or does not take over, cannot be begun with.
  func differences(_ plugins: any BehaviorProvider) -> [String] {
    guard let head, !steps.isEmpty, head.contains("\"saved\":"), !head.contains("\"whim\":3") else { return [] }
    let first = "{\"format\":\"header-recording/1\",\"headerd\":\"0.2.0\",\(head)}"
    do {
      let recording = try Recording(Array(([first] + steps).joined(separator: "\n").utf8) + [0x0A])
      return try Verification(recording, provider: plugins).differences.map(\.description)
    } catch {
      return ["\(error)"]
    }
  }
}
