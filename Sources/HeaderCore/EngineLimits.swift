// SPDX-License-Identifier: MIT

/// The bounds of the engine's own loops; the service sets them from its limits.
public struct EngineLimits: Equatable, Sendable {
  /// How deep events may nest: a delegate that answers a scroll by a scroll must end.
  public var nestedDepth: Int32 = 8
  /// Layout passes after one event.
  public var layoutPasses = 8
  /// Frames that one leap in time may run; the rest of the leap is skipped.
  public var framesPerEvent = 1000
  /// Bytes of one delegate's saved state, written as JSON.
  public var savedBytes = 65_536
  /// Scroll views, drawers, elements, values and delegates of one header.
  public var scrollViews = 16
  /// Drawers of one header.
  public var drawers = 64
  /// Elements of one header, in all its drawers.
  public var elements = 256
  /// Values of one header, of all its delegates.
  public var values = 64
  /// Delegates of one header; never more than the engine's sets of them hold.
  public var delegates = 16 { didSet { delegates = min(delegates, DelegateSet.capacity) } }

  /// The defaults of headerd-protocol(7), LIMITS.
  public init() {}
}
