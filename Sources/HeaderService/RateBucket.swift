// SPDX-License-Identifier: MIT
//
// `limits.eventsPerSecond`: a token bucket for each connection.

/// So many events a second, with as many saved up at most.
struct RateBucket {
  private var tokens = 0.0
  /// Full when it was never asked before.
  private var filledAt = Int64.min

  /// Takes one; nil when there was one, else the seconds until there is.
  mutating func take(_ perSecond: Int, at now: Int64) -> Double? {
    guard perSecond > 0 else { return nil }
    let rate = Double(perSecond)
    tokens = filledAt == .min ? rate : min(rate, tokens + Double(now - filledAt) / 1e9 * rate)
    filledAt = now
    guard tokens >= 1 else { return (1 - tokens) / rate }
    tokens -= 1
    return nil
  }
}
