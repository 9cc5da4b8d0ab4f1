// SPDX-License-Identifier: MIT
//
// Half a million lines summed up: here and not in the suite, which is not optimized.

internal import Foundation
internal import HeaderTestKit

/// What clients were sent, in short.
public enum TranscriptSums {
  /// How many messages of each kind there are in all transcripts, and a sum over them, a line a kind.
  public static func text(of transcripts: [[UInt8]]) -> String {
    var bytes: [UInt8] = []
    for transcript in transcripts { bytes += transcript }
    var kinds: [String: (count: Int, sum: Sum)] = [:]
    for line in bytes.split(separator: 10) {
      let text = String(decoding: line, as: UTF8.self)
      let kind = kind(of: text)
      kinds[kind, default: (0, Sum())].count += 1
      kinds[kind]?.sum.add(text)
    }
    return kinds.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.count) \($0.value.sum.text)\n" }.joined()
  }

  /// The method of a notification; `result` or `error` of an answer.
  private static func kind(of line: String) -> String {
    for start in [#""method":""#, #""result":"#, #""error":"#] {
      guard let place = line.range(of: start, options: .literal) else { continue }
      guard start.hasSuffix(#":""#) else { return String(start.dropFirst().prefix { $0 != "\"" }) }
      return String(line[place.upperBound...].prefix { $0 != "\"" })
    }
    return "other"
  }
}
