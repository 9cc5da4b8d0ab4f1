// SPDX-License-Identifier: MIT
//
// The definer that BLK's authors left to do: the bar of Safari on a phone, where velocity decides and not position alone. The law is
// ours: the visible behavior of that bar, put into rules that can be checked.
//
//     scrolling down   hides the bar along with the content, at once and point by point
//     scrolling up     brings a partly hidden bar back along with the content: a finger can take back what it did
//                      leaves a wholly hidden bar hidden, until
//                        · a flick is released that is faster than `revealVelocity`: then the bar comes with the content
//                        · the content's top is reached: nothing may hide the bar there
//     at rest          a partly shown bar goes where the release went (`snapVelocity` or faster), a slow one to the nearer end
//
// Why: reading means scrolling down, and back a little to read a line again; a bar that came with every such movement would cover what
// one went back for. A fast flick up means that one is leaving, and wants the bar. Scrolling down needs no speed to hide it, because room
// for the content is what it is all for.
//
// In numbers, at each didScroll (top = −inset.top, end = content height − height + bottom inset, at least top):
//
//     o := offset, cut to top…end            the bounce past both ends counts for nothing
//     d := o − the o before
//     d > 0                                  p := p + d / range, and revealing ends
//     d < 0, and revealing or p < 1          p := p + d / range
//     always                                 p := min(p, (o − top) / range)
//     elastic and pulled below the top       p := (offset − top) / range, which is negative
//
// A release (willEndDragging) with velocity ≤ −revealVelocity begins revealing; a new drag ends it. At rest the bar goes to one of the
// stops: the configured snapping positions, or 0 and 1. By the release's velocity v:
//
//     v ≥  snapVelocity    the nearest stop at p or above        v ≤ −snapVelocity    the nearest stop at p or below
//     slower               the position configured for p; without any configured, 0 below one half and 1 from there
//
// A stop above p for which too little content is left becomes the nearest stop at p or below. Velocities are points per millisecond with
// the offset's sign, as willEndDragging gives them; 1 is a brisk flick.

/// Settings and memory of the Safari-style definer.
struct Safari {
  // MARK: Settings, in points per millisecond

  /// How fast a flick up must be to bring a hidden bar back.
  var revealVelocity = 0.6
  /// How fast a release must be to decide where a partly shown bar goes.
  var snapVelocity = 0.1

  // MARK: Memory

  /// Where the content was, without the bounce; nil before anything was seen.
  var previousOffset: Double?
  /// The bar comes with the content.
  var revealing = false
  /// The velocity of the last release.
  var releaseVelocity = 0.0

  mutating func forget() {
    previousOffset = nil
    revealing = false
    releaseVelocity = 0
  }

  /// Where the content may rest.
  private func bounds(at place: Place) -> ClosedRange<Double> {
    let top = -place.insetTop
    return top...max(top, place.contentHeight - place.height + place.insetBottom)
  }

  /// Notes where the content is, and returns how far it went.
  mutating func follow(_ place: Place) -> Double {
    let bounds = bounds(at: place)
    let offset = max(bounds.lowerBound, min(bounds.upperBound, place.offset))
    defer { previousOffset = offset }
    return offset - (previousOffset ?? offset)
  }

  /// A part of the way that was followed will not be gone.
  mutating func giveUp(_ distance: Double, at place: Place) {
    let bounds = bounds(at: place)
    func cut(_ offset: Double) -> Double { max(bounds.lowerBound, min(bounds.upperBound, offset)) }
    previousOffset = previousOffset.map { $0 - (cut(place.offset + distance) - cut(place.offset)) }
  }

  /// Progress after the content went a distance.
  mutating func progress(at place: Place, after distance: Double, from present: Double, isElastic: Bool) -> Double {
    guard place.range > 0 else { return 0 }
    if isElastic, place.fromTop < 0 { return place.fromTop / place.range }
    var progress = present
    if distance > 0 { revealing = false }
    if distance > 0 || revealing || present < 1 { progress += distance / place.range }
    // A bar that was hidden without a scroll (by a call) is shown no further than the content's top brings it.
    let fromTop = (previousOffset ?? place.offset) + place.insetTop
    return max(0, min(progress, fromTop / place.range))
  }

  mutating func beginDragging() {
    revealing = false
    releaseVelocity = 0
  }

  mutating func release(velocity: Double) {
    releaseVelocity = velocity
    if velocity <= -revealVelocity { revealing = true }
  }

  /// Where a bar at rest goes; nil: it stays.
  func position(for progress: Double, among positions: SnappingPositions, at place: Place) -> Double? {
    let stops = positions.entries.isEmpty ? [0, 1] : positions.entries.map(\.progress)
    let below = stops.filter { $0 <= progress }.max()
    let wanted: Double?
    if releaseVelocity >= snapVelocity {
      wanted = stops.filter { $0 >= progress }.min()
    } else if releaseVelocity <= -snapVelocity {
      wanted = below
    } else if positions.entries.isEmpty {
      wanted = progress < 0.5 ? 0 : 1
    } else {
      wanted = positions.position(for: progress)
    }
    guard let wanted, wanted > progress else { return wanted }
    let room = bounds(at: place).upperBound - place.offset
    return (wanted - progress) * place.range <= room ? wanted : below
  }
}
