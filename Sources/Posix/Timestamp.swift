// SPDX-License-Identifier: MIT
//
// The wall clock as log lines show it. Made without memory of its own or the C library's calendar, so that also a signal
// handler may write it (ShutdownTimer.swift).

let timestampLength = 24

/// A time in UTC: `2026-11-21T12:00:00.123Z`.
/// - Parameters:
///   - seconds: since 1970, not negative.
///   - nanoseconds: of the second.
public func timestamp(seconds: Int, nanoseconds: Int) -> String {
  unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: timestampLength) { bytes in
    unsafe writeTimestamp(seconds, nanoseconds, to: bytes)
    return unsafe String(decoding: bytes, as: UTF8.self)
  }
}

/// Writes `2026-11-21T12:00:00.123Z` to the beginning of a buffer.
func writeTimestamp(_ seconds: Int, _ nanoseconds: Int, to bytes: UnsafeMutableBufferPointer<UInt8>) {
  let (days, second) = (seconds / 86_400, seconds % 86_400)
  // The calendar in eras of 400 years, with years that begin in March, so that a leap day is the last one
  // (Howard Hinnant, "chrono-compatible low-level date algorithms").
  let shifted = days + 719_468
  let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
  let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shiftedMonth = (5 * dayOfYear + 2) / 153
  let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
  let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  var place = 0
  func put(_ number: Int, _ width: Int, _ end: UInt8) {
    var rest = number
    for index in stride(from: place + width - 1, through: place, by: -1) {
      unsafe bytes[index] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    unsafe bytes[place + width] = end
    place += width + 1
  }
  put(year, 4, UInt8(ascii: "-"))
  put(month, 2, UInt8(ascii: "-"))
  put(day, 2, UInt8(ascii: "T"))
  put(second / 3_600, 2, UInt8(ascii: ":"))
  put(second / 60 % 60, 2, UInt8(ascii: ":"))
  put(second % 60, 2, UInt8(ascii: "."))
  put(nanoseconds / 1_000_000, 3, UInt8(ascii: "Z"))
}
