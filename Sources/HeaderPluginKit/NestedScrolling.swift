// SPDX-License-Identifier: MIT
//
// Nested scrolling: the publisher offers a movement before its content makes it (`willScroll`), the header consumes a
// part, the content moves by the rest, and what the content could not do is offered again (`didOverscroll`). Behaviors
// are written for `didScroll`, where the content has moved already; this file answers offers by the same law:
//
//     plain      finger 30 ─▶ content 30 ─▶ didScroll: the header follows, 18
//     nested     finger 30 ─▶ willScroll 30: the header consumes 18, and the content goes along with it ─▶ residual 12
//                          ─▶ content 12 ─▶ didScroll: accounted for already, ignored
//
// Both end with the same drawers, insets and content offset, by three rules:
//
//     1. An offer is handled as the didScroll that the whole of it would have brought.
//     2. The header consumes what its far edge moved by, at most the offer, and moves the content along by it as a move of its
//        own (`correction`). If the content's top inset follows the header, the content keeps its distance from its top.
//     3. Each point of the finger's way is handled once: neither the didScroll of the residual nor a didOverscroll with what
//        is left of it is handled again.
//
//        content's offset     the header's
//              ├──────────────────┤        ahead: offered and handled, not yet done by the content
//              seen               position

internal import CHeaderPlugin

/// How far a header is ahead of its content: the residuals of offers that the content was not seen to move by yet. Points
/// of the vertical axis, in the offset's sign.
public struct NestedScroll: Equatable, Sendable {
  /// The header stands as if the content were this much further; 0 without nested scrolling.
  public private(set) var ahead = 0.0
  /// The content's offset when it was looked at last; it means something only while there is something ahead.
  private var seen = 0.0
  /// The content has moved since the last offer: what is still ahead then, it left over.
  private var isReported = false

  /// Creates the bookkeeping with nothing ahead.
  public init() {}

  /// The parts of `ahead` after the content has moved.
  public struct Following: Equatable, Sendable {
    /// What is given up because the content went the other way, or left it over: the header's position jumps back by it,
    /// which is no movement of the content.
    public var givenUp = 0.0
    /// The content did no more than what was ahead: there is nothing to look at.
    public var isKnown = false
  }

  /// The content is at an offset now: what it did of the residual is no longer ahead.
  public mutating func follow(_ offset: Double) -> Following {
    guard ahead != 0 else { return Following() }
    let distance = offset - seen
    seen = offset
    guard distance != 0 else { return Following(isKnown: true) }
    isReported = true
    guard distance.sign == ahead.sign else { return Following(givenUp: forget()) }
    let isKnown = abs(distance) < abs(ahead) + Self.tolerance
    ahead -= isKnown ? distance : ahead
    if abs(ahead) < Self.tolerance { ahead = 0 }
    return Following(isKnown: isKnown)
  }

  /// A new offer, with the content at an offset. What the content left over of the one before, or what the finger takes
  /// back, is given up.
  /// - Returns: what is given up.
  public mutating func begin(_ offer: Double, at offset: Double) -> Double {
    var given = follow(offset).givenUp
    if ahead != 0, isReported || ahead.sign != offer.sign { given += forget() }
    isReported = false
    seen = offset
    return given
  }

  /// The header has looked at a distance: it stands there, the content does not yet.
  public mutating func advance(by distance: Double) { ahead += distance }

  /// The content was carried along to an offset by what the header took, which so is no longer ahead.
  public mutating func took(_ consumed: Double, at offset: Double) {
    ahead -= consumed
    if abs(ahead) < Self.tolerance { ahead = 0 }
    seen = offset
  }

  /// The content, at an offset, left a distance over.
  /// - Returns: how much of it was looked at before, when it was offered; the header's position jumps back by it.
  public mutating func leave(_ distance: Double, at offset: Double) -> (known: Double, given: Double) {
    let given = follow(offset).givenUp
    guard ahead != 0, distance.sign == ahead.sign else { return (0, given) }
    let known = abs(distance) < abs(ahead) ? distance : ahead
    ahead -= known
    return (known, given + known)
  }

  /// The content will not do a distance that is ahead.
  /// - Returns: the distance.
  public mutating func drop(_ distance: Double) -> Double {
    ahead -= distance
    if abs(ahead) < Self.tolerance { ahead = 0 }
    return distance
  }

  /// Ends the gesture: the content stays where it is.
  /// - Returns: what was ahead.
  public mutating func forget() -> Double {
    defer { self = NestedScroll() }
    return ahead
  }

  /// What a header took, as a part of the offer: of its sign, at most all of it, and without what rounding adds or leaves.
  public static func part(_ taken: Double, of offer: Double) -> Double {
    guard taken.isFinite, taken.sign == offer.sign, abs(taken) >= tolerance else { return 0 }
    return abs(offer) - abs(taken) < tolerance ? offer : taken
  }

  /// How far an offer may be followed: no further than where the content may rest, on the side that it goes to.
  /// - Parameters:
  ///   - offer: points that are offered; positive towards the content's end.
  ///   - start: where the header takes the content to be.
  ///   - places: where the content may come to rest; see ``Host/restingPlaces(of:)``.
  ///   - passesTop: the header goes along beyond the content's top, too.
  /// - Returns: the part of the offer that may be followed, of its sign.
  public static func way(
    of offer: Double, from start: Double, within places: ClosedRange<Double>, passesTop: Bool
  ) -> Double {
    if offer > 0 { return start + offer <= places.upperBound ? offer : max(0, places.upperBound - start) }
    return passesTop || start + offer >= places.lowerBound ? offer : min(0, places.lowerBound - start)
  }

  /// Points that are nothing: sums of moves are exact to about this.
  private static let tolerance = 1e-9

  /// The farthest that a header follows offers; content is never there.
  public static let bound = 100_000_000.0

  // MARK: Being born again

  /// nil while there is nothing to remember.
  public var saved: Value? {
    guard self != NestedScroll() else { return nil }
    return .record([("ahead", .number(ahead)), ("seen", .number(seen)), ("isReported", .bool(isReported))])
  }

  /// What `saved` gave.
  public init(_ saved: Value?) {
    ahead = saved?["ahead"]?.number ?? 0
    seen = saved?["seen"]?.number ?? 0
    isReported = saved?["isReported"]?.bool ?? false
  }
}

extension Host {
  /// Vertical offsets at which a scroll view's content may come to rest, from its top to its end. Content of unknown size has no end.
  public func restingPlaces(of view: Int) -> ClosedRange<Double> {
    let view = scrollView(view)
    let top = -view.adjustedContentInset.top
    guard view.contentSize.height > 0 else { return top...max(top, NestedScroll.bound) }
    return top...max(top, view.contentSize.height + view.adjustedContentInset.bottom - view.frame.height)
  }

  /// Moves the content along with the header by a distance, without a didScroll.
  public func carry(_ view: Int, by distance: Double) {
    guard distance != 0 else { return }
    var offset = scrollView(view).contentOffset
    offset.y += distance
    moveSilently(to: offset, view)
  }
}
