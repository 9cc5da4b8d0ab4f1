// SPDX-License-Identifier: MIT

import HeaderModel
import HeaderTestKit

/// Inputs from a seed: scrolls for the most part, and some of everything else.
struct RandomInputs {
  var random: SplitMix64
  var time: Int64 = 1_000_000_000
  var offset = 0.0

  mutating func next() throws -> (HeaderInput, Instant?) {
    time += Int64(random.below(40_000_000))
    offset = min(1500, max(-100, offset + Double(random.below(121) - 60) + 0.125))
    let instant = random.oneIn(12) ? nil : Instant(nanoseconds: time)
    switch random.below(30) {
    case 0: return (try event(["event": "willBeginDragging"]), instant)
    case 1:
      return (
        try event([
          "event": "willEndDragging", "velocity": ["y": .number(Double(random.below(5)) - 2)],
          "targetOffset": ["y": .number(offset + 100)],
        ]), instant
      )
    case 2: return (try event(["event": "didEndDragging", "willDecelerate": .bool(random.oneIn(2))]), instant)
    case 3: return (try event(["event": "didEndDecelerating"]), instant)
    case 4:
      return (
        try event(["event": "layout", "environment": ["statusBarHeight": .number(Double(random.below(30)))]]), instant
      )
    case 5: return (try event(["event": "willScroll", "delta": ["y": 3.5], "source": "drag"]), instant)
    case 6: return (try event(["event": "shouldScrollToTop"]), instant)
    case 7: return (try event(["event": "advance"]), instant)
    case 8: return (try event(["event": "didScroll", "scrollView": "nobody", "offset": ["y": 3]]), instant)
    case 9: return (.configure(["frameRate": .number(Double(30 + random.below(60))), "nobodyKnows": 1]), instant)
    case 10: return (.moveDelegate("watcher", to: random.below(3)), instant)
    case 11: return (.addDelegate(watcher, at: random.oneIn(2) ? 0 : nil), instant)
    case 12: return (.removeDelegate("watcher"), instant)
    case 13: return (.configure(["environment": ["screenScale": 3]]), instant)
    case 14 where random.oneIn(8): return (.bypassDelegate("watcher", reason: "its process crashed"), instant)
    default:
      let correction = random.oneIn(9) ? PartialPoint(y: 0) : nil
      return (.scroll(to: PartialPoint(x: random.oneIn(20) ? 1 : nil, y: offset), correction: correction), instant)
    }
  }

  /// A client that is sent everything.
  private var watcher: DelegateDescription {
    DelegateDescription(client: ClientDescription(.observe, events: .all), name: "watcher")
  }

  private func event(_ value: Value) throws -> HeaderInput {
    var unknown: [UnknownField] = []
    return .event(try TimedEvent(value, at: Path(""), unknown: &unknown).event)
  }
}
