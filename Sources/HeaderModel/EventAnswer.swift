// SPDX-License-Identifier: MIT

/// The answer to one event.
public struct EventAnswer: Sendable {
  /// The number of the header's latest state.
  public var seq: Int64 = 0
  /// willEndDragging: where the content shall come to rest.
  public var targetOffset: Point?
  /// willEndDragging, shouldScrollToTop: the delegates' answer.
  public var returned: Bool?
  /// Nested scrolling: what the header took; with `residual` the sum is the offer.
  public var consumed: Point?
  /// Nested scrolling: the part of the offer that was not taken; `consumed` and this make up the offer.
  public var residual: Point?
  /// Rare parts are stored apart: an answer is copied many times a microsecond.
  private var rare: Rare?

  /// Nothing is decided yet.
  public init() {}

  private final class Rare: Sendable {
    let rewrittenBy: String?
    let result: Value?
    let failure: HeaderError?
    /// Whether there is an error, in a flag that can be read without touching it.
    let hasFailure: Bool

    init?(_ rewrittenBy: String?, _ result: Value?, _ failure: HeaderError?) {
      if rewrittenBy == nil, result == nil, failure == nil { return nil }
      self.rewrittenBy = rewrittenBy
      self.result = result
      self.failure = failure
      hasFailure = failure != nil
    }
  }

  /// The delegate that rewrote the target.
  public var rewrittenBy: String? {
    get { rare?.rewrittenBy }
    set { rare = Rare(newValue, result, failure) }
  }

  /// The result of a behavior's call.
  public var result: Value? {
    get { rare?.result }
    set { rare = Rare(rewrittenBy, newValue, failure) }
  }

  /// A delegate failed on the way and is bypassed from now on; the event itself was handled.
  public var failure: HeaderError? {
    get { rare?.failure }
    set { rare = Rare(rewrittenBy, result, newValue) }
  }

  /// Whether a delegate failed.
  public var hasFailure: Bool { rare?.hasFailure ?? false }
}
