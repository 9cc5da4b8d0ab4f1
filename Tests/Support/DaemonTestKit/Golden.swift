// SPDX-License-Identifier: MIT
//
// Texts that are kept beside the tests. With SNAP_UPDATE=1 they are written anew, and the diff is the review.

internal import Foundation

/// A text in a file.
public struct Golden: Sendable {
  /// The file.
  public let path: String

  /// The file of a name in the folder Golden beside a source file.
  public init(_ name: String, beside file: String = #filePath) {
    path = URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("Golden/\(name)").path
  }

  /// The text as it is kept; empty when there is none yet.
  public var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

  /// What is different between the kept text and this one, nil when nothing is.
  public func difference(to text: String) throws -> String? {
    if ProcessInfo.processInfo.environment["SNAP_UPDATE"] == "1" {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      return nil
    }
    let kept = self.text.split(separator: "\n", omittingEmptySubsequences: false)
    let new = text.split(separator: "\n", omittingEmptySubsequences: false)
    if kept == new { return nil }
    let at = zip(kept, new).prefix { $0 == $1 }.count
    func line(_ lines: [Substring]) -> Substring { at < lines.count ? lines[at] : "(end)" }
    return "\(path):\(at + 1): kept \(line(kept))\n  now \(line(new))\n  (SNAP_UPDATE=1 writes it anew)"
  }
}

/// A text with what differs from run to run replaced by words.
public func scrubbed(_ text: String, folder: String? = nil) -> String {
  var text = text
  if let folder { text = text.replacingOccurrences(of: folder, with: "FOLDER") }
  text = text.replacingOccurrences(of: TestFiles.prefix, with: "BUILD")
  text = text.replacingOccurrences(
    of: URL(fileURLWithPath: TestFiles.build).deletingLastPathComponent().path, with: "BUILD")
  let rules = [
    // A sanitizer's symbolizer does not find libraries that lie in memory alone.
    (#"LLVMSymbolizer: [^\n]*\n"#, ""),
    (#""epoch":\d+"#, "\"epoch\":EPOCH"), (#""result":\{"time":[0-9.]+\}"#, "\"result\":{\"time\":TIME}"),
    (#""connection":\d+,"time":[0-9.]+"#, "\"connection\":NUMBER,\"time\":TIME"),
    (#"time=\S+"#, "time=TIME"), (#"pid=\d+"#, "pid=PID"), (#"uid=\d+"#, "uid=UID"),
  ]
  for (pattern, replacement) in rules {
    text = text.replacingOccurrences(of: pattern, with: replacement, options: .regularExpression)
  }
  return text
}
