// SPDX-License-Identifier: MIT
//
// The behavior's description (options, values, calls) and the plugin's one symbol.

internal import CollapsingLaws
internal import HeaderPluginKit

extension CollapsingHeader {
  static let (definition, outputs) = Definition(
    CollapsingHeader.self, name: "CollapsingHeader",
    summary: "Every drawer with a law of its own: how far it goes, when it comes back, where it rests, how it looks",
    moves: true,
    events: [
      .willBeginDragging, .didScroll, .willEndDragging, .didEndDragging, .didEndDecelerating, .willScroll,
      .didOverscroll, .willFling, .layout, .setTrackingScrollView, .willAppear, .didAppear, .didBecomeActive,
      .willBeginDecelerating, .didEndScrollingAnimation, .didScrollToTop,
    ],
    options: lawOptions + placeOptions + scrollOptions + surroundingOptions + followOptions, calls: calls + followCalls
  ).publishing {
    (
      traveled: $0.value(
        "traveled", unit: "points", initial: Double?.none,
        "What the drawers have gone together, from fully expanded; null unless tellsProgress is set"),
      progress: $0.value(
        "progress", initial: Double?.none,
        "0: all drawers are fully expanded, 1: all are at the end of their way; null unless tellsProgress is set"),
      direction: $0.value("direction", initial: "none", "The last movement: none, hide, show"),
      isResting: $0.value("isResting", initial: false, "Drawers are on their way to rest"),
      didRest: $0.notice("didRest"), didStretch: $0.notice("didStretch"),
      willChangePhase: $0.notice("willChangePhase"), didChangePhase: $0.notice("didChangePhase"),
      didChangeInset: $0.notice("didChangeInset"), didShow: $0.notice("didShow"), didHide: $0.notice("didHide"),
      didReturnToFlow: $0.notice("didReturnToFlow"), didReachTop: $0.notice("didReachTop"),
      didLeaveTop: $0.notice("didLeaveTop"), didReachBottom: $0.notice("didReachBottom"),
      didLeaveBottom: $0.notice("didLeaveBottom"), didMove: $0.notice("didMove", isRoutine: true),
      willRest: $0.notice("willRest"),
      phase: $0.value(
        "phase", initial: Surroundings.Phase?.none, "Where the header is; null unless tellsPhases is set"),
      overlap: $0.value(
        "overlap", unit: "points", initial: Double?.none,
        "How much of the content lies under the header; null unless liftsAt is set"),
      isLifted: $0.value(
        "isLifted", initial: Bool?.none,
        "Enough content lies under the header to draw it raised; null unless liftsAt is set, or of a block"
      ),
      isRefreshArmed: $0.value(
        "isRefreshArmed", initial: false, "The content is pulled so far that a refresh begins when the finger lifts"),
      didPullToRefresh: $0.notice("didPullToRefresh")
    )
  }

  // MARK: Options

  private static var lawOptions: [Option<CollapsingHeader>] {
    [
      Option(
        .records(
          "drawers",
          "The drawers' laws: records {drawer, or none for all others, collapse, shift, pin, keeps, beyond, slack, stretch, returns, threshold, slop, resistance, "
            + "resistanceReturns, order, weight, speed, curve, rest, fade, parallax, scale, zIndex}. A drawer without one: sticky: "
            + "it stays; with a minimum height of its own: it collapses; else it shifts")
      ) { (header, value) throws(Refusal) in
        let laws = try DrawerLaws(value, at: "drawers")
        if header.isAttached { try laws.requireKnown((0..<header.host.drawerCount).map(header.host.drawerName)) }
        header.laws = laws
        header.remake()
      },
      .bool(
        "asOne", \.asOne,
        "The drawers move as one block, from the edge: those behind one that stays, or keeps a part, stay; what returns "
          + "anywhere is counted from the block's lower end"
      ).then { $0.remake() },
      .bool(
        "enabled", \.enabled, default: true, "Scrolls and offers move drawers; calls and rests move them in any case"
      ).then {
        $0.switchLooks($0.enabled)
      },
      .case(
        "invariants", \.invariants, default: .log,
        "What happens when a movement breaks a law of the chain: it is not checked (off), a line in the log (log), the "
          + "behavior is bypassed (strict); strict also checks gaps, drawers hidden over content that fits, and places of rest"
      ),
    ]
  }

  private static var placeOptions: [Option<CollapsingHeader>] {
    [
      .case(
        "content", \.content, default: .under,
        "Where the content lies: under the header, as far as the header covers it (under), or in a view that hangs on "
          + "the header's edge and moves with it (below)"
      ).then { $0.remake() },
      .case(
        "insets", \.insets, default: .expanded,
        "The content's top inset: the edge of the expanded header (expanded), the edge as it moves (follow), the "
          + "application's (application), the application's less what the header has gone (along)"
      ).then { $0.remake() },
      .case(
        "origin", \.origin, default: .safeArea,
        "What the first drawer hangs on: the safe area's edge (safeArea), the header's own (edge)"
      ).then { $0.remake() },
      .number(
        "start", \.start, unit: "points", default: 0, in: 0...Grid.bound,
        "Height of content above the header, which moves with it: the header's way begins when that content has left"
      ).then { $0.remake() },
    ]
  }

  private static var scrollOptions: [Option<CollapsingHeader>] {
    [
      .case(
        "consumes", \.consumes, default: .part,
        "What the header says it consumed of an offer before the content moves: what the drawers took (part), or all of "
          + "it if they took anything (whole: Compose)"),
      .case(
        "returnsBy", \.returnsBy, default: .movement,
        "What brings drawers back anywhere: any movement (movement), or only one of a finger and its fling, and what comes "
          + "after a scroll that began downwards (finger: Flutter)"),
      .case(
        "shortContent", \.shortContent, default: .holds,
        "Content that is not longer than its scroll view: the header stays (holds), or offers move it (moves)"),
      .case(
        "onNewContent", \.onNewContent, default: .automatic,
        "Where the header stands over content that it has not followed, at its opening and when another scroll view tracks: "
          + "drawers that come back at the top only as far gone as the content is scrolled, the others as before (automatic), "
          + "all shown (expanded), all hidden (collapsed), as before (keep); no gap opens: the content or the header moves"
      ),
      .bool(
        "trackingScrollViewIsBeingScrubbed", \.isScrubbed,
        "A scrubber moves the content: movements hide drawers, and bring them back at the content's top only"),
      .bool(
        "tellsProgress", \.tellsProgress,
        "The values traveled and progress are published with every movement; Keyframes can follow the drawers without them"
      ).then { $0.remake() },
    ]
  }

  // MARK: Calls

  private static var calls: [Call<CollapsingHeader>] {
    [
      Call(
        "drag",
        arguments: [
          .number(
            "delta", unit: "points", default: 0, minimum: -1e6, maximum: 1e6, "In the offset's sign: positive hides")
        ],
        "A finger on the header itself moves it, without regard to where drawers return"
      ) { (header, arguments) throws(Refusal) in
        .number(header.drag(by: arguments["delta"]?.number ?? 0))
      },
      .action(
        "drop",
        arguments: [
          .number(
            "velocity", unit: "points per millisecond", default: 0, minimum: -1e6, maximum: 1e6, "In the offset's sign")
        ],
        "The finger on the header lifts: it comes to rest"
      ) { header, arguments in
        header.releaseVelocity = arguments["velocity"]?.number ?? 0
        header.rest()
      },
    ]
  }
}

/// The plugin's one symbol.
@c(header_plugin_entry) public func entry(_ major: UInt16, _ minor: UInt16) -> UnsafeRawPointer? {
  pluginTable(CollapsingHeader.definition, version: "0.1.0", summary: "A header whose drawers have laws as data", major)
}

// MARK: - Saved
//
// The header's state beyond its options and records.

extension CollapsingHeader {
  /// Takes over what `save` gave.
  func take(savedState state: Value) throws(Refusal) {
    // The chain is made with the heights that the saved header still went by.
    let heights = (state["following"]?["movement"]?["heights"]?.list ?? []).compactMap(\.number)
    if heights.count == 2 * host.drawerCount { movement.heights = heights }
    try makeChain()
    var saved = try SavedRecord(reading: state)
    remember(in: &saved)
    try saved.finish()
    drawn.forget(count: chain.links.count)
    drawn.seen = chain.links.indices.reduce(0) { $0 + chain.links[$1].seen }
    drawn.direction = chain.lastHides
    fits = contentFits
  }

  /// Writes or reads all state that a restored header needs.
  func remember(in saved: inout SavedRecord) {
    saved.field("drawers", &chain.memory)
    saved.field("lastHides", &chain.lastHides)
    saved.field("last", &last)
    saved.field("dust", &dust, in: -1...1)
    saved.field("displacement", &displacement, in: 0...Grid.bound)
    saved.field("releaseVelocity", &releaseVelocity)
    saved.field("refreshInset", &refreshInset, in: 0...Grid.bound)
    saved.field("isFresh", &isFresh)
    saved.field("isArmed", &surroundings.isArmed)
    saved.field("isLifted", &finger.isLifted)
    saved.field("beganShowing", &finger.beganShowing)
    saved.field("nested", &nested, { $0.saved ?? .null }, { NestedScroll($0) })
    var from = placed.flatMap { $0.to == chain ? $0.from.memory : nil } ?? []
    saved.field("placedFrom", &from)
    if saved.isReading, !from.isEmpty {
      placed = (chain, chain)
      placed?.from.memory = from
    }
    saved.record("resting", rememberResting)
    if follows != .place { saved.record("following", rememberFollowing) }
  }

  private func rememberResting(in saved: inout SavedRecord) {
    var (elapsed, legs) = (resting.elapsed, resting.legs.map { [Double($0.link), $0.from, $0.to] })
    saved.field("elapsed", &elapsed, in: -1...Double.infinity)
    saved.field("legs", &legs)
    var isSecond = resting.isActive && resting.isSecond
    saved.field("isSecond", &isSecond)
    guard saved.isReading else { return }
    let found = legs.compactMap { leg -> Resting.Leg? in
      guard leg.count == 3, let link = Int(exactly: leg[0]), chain.links.indices.contains(link) else { return nil }
      return Resting.Leg(link: link, from: leg[1], to: leg[2])
    }
    guard let first = found.first else { return }
    resting = Resting(
      legs: found, motion: chain.laws[first.link].rest?.motion ?? Rest().motion, elapsed: elapsed, isSecond: isSecond)
  }

  private func rememberFollowing(in saved: inout SavedRecord) {
    saved.field("isAnimated", &isAnimated)
    if saved.isReading { makeLaw() }
    var law = decision?.memory ?? pair?.memory ?? block?.memory ?? []
    saved.field("law", &law)
    if saved.isReading {
      decision?.take(memory: law)
      pair?.take(memory: law)
      block?.take(memory: law)
    }
    guard follows == .movement else { return }
    saved.record("movement") { saved in
      saved.field("contentMoved", &movement.contentMoved)
      saved.field("delayLeft", &movement.delayLeft)
      saved.field("contentDid", &movement.contentDid)
      saved.field("carries", &movement.carries)
      saved.field("isIgnored", &movement.isIgnored)
      saved.field("phase", &movement.phase)
      saved.field("heights", &movement.heights)
    }
  }
}
