// SPDX-License-Identifier: MIT

import Foundation
import Posix
import Testing

@Suite struct TimestampTests {
  /// The calendar against the C library's, over 300 years and their leap days.
  @Test func aTimestampIsRight() {
    for day in 0..<110_000 {
      let time = timespec(tv_sec: day * 86_400 + day * 7 % 86_400, tv_nsec: day * 1_000_003 % 1_000_000_000)
      var (seconds, parts) = unsafe (time.tv_sec, tm())
      unsafe gmtime_r(&seconds, &parts)
      var expected = [CChar](repeating: 0, count: 40)
      let length = unsafe strftime(&expected, expected.count, "%Y-%m-%dT%H:%M:%S.", &parts)
      let milliseconds = String(1_000 + time.tv_nsec / 1_000_000).dropFirst()
      let text = String(decoding: expected[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self) + milliseconds + "Z"
      let written = timestamp(seconds: time.tv_sec, nanoseconds: time.tv_nsec)
      guard written == text else {
        Issue.record("\(written) is not \(text)")
        return
      }
    }
  }
}
