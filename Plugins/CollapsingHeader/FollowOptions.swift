// SPDX-License-Identifier: MIT
//
// Options and calls of headers that follow movements, looks or a ratio. Each has its source in LAWS.md.

internal import CollapsingLaws
internal import HeaderPluginKit

extension MarkNames {
  fileprivate init(_ value: Value) throws(Refusal) {
    var fields = try Fields(value, at: "marks")
    var given: [State: [String]] = [:]
    for state in State.allCases where fields.has(state.word) {
      given[state] = try fields.text(state.word).split(separator: " ").map { String($0) }
    }
    try fields.finish()
    guard given.values.reduce(0, { $0 + $1.count }) <= Self.most else {
      throw Refusal("marks: expected at most \(Self.most) names")
    }
    self.init { given[$0] ?? [$0.word] }
  }
}

extension CollapsingHeader {
  static var followOptions: [Option<CollapsingHeader>] {
    [
      Option(
        .case(
          "follows", default: Follows.place,
          "What moves the header: where the content is (place), movements alone (movement), looks that show or hide all of "
            + "it (looks), one ratio that the first drawer shares with a second at the bottom (ratio), movements of all drawers "
            + "as one block (block)")
      ) { (header, value) throws(Refusal) in
        guard !header.isAttached else { throw Refusal("it cannot be changed in a header that is open") }
        header.follows = value.text.flatMap(Follows.init(rawValue:)) ?? .place
      }
    ] + only(movementOptions, .movement) + applicationOptions + only(lookOptions, .looks) + only(pairOptions, .ratio)
      + only(blockOptions, .block)
  }

  /// Options that headers of one kind have alone; another that is given one says so in the log.
  private static func only(_ options: [Option<CollapsingHeader>], _ follows: Follows) -> [Option<CollapsingHeader>] {
    let condition = "follows = \"\(follows.rawValue)\""
    return options.map { option in
      option.only(with: condition).noting { header, name in
        guard header.follows != follows else { return }
        header.host.log(
          .warning,
          "the option \(name) does nothing: it is for \(condition), and this header follows \"\(header.follows.rawValue)\""
        )
      }
    }
  }

  private static var movementOptions: [Option<CollapsingHeader>] {
    [
      .case(
        "contentMoves", \.movementRules.contentMoves, default: .both,
        "Which movements of the content by itself the header follows: none, those up (hide), both"),
      .case(
        "bounce", \.movementRules.bounce, default: .counts,
        "Movement beyond the content's ends: as any other (counts), nothing while the header is whole and forgotten while it "
          + "is not (noted: GTScrollNavigationBar), nothing (refused: AMScrollingNavbar)"),
      .number(
        "delay", \.movementRules.delay, unit: "points", default: 0, in: 0...Grid.bound,
        "Points of movement before any counts, anew after each end; the movement that uses them up counts whole"),
      .number("movementFactor", \.movementRules.factor, default: 1, in: 0.001...1000, "How much of a movement counts"),
      .number(
        "room", \.movementRules.room, unit: "header's heights", default: 0, in: 0...100,
        "How much longer than its view the content must be, else nothing moves"),
      .bool(
        "carriesFling", \.movementRules.carriesFling,
        "A fling that the content left over moves the header, as far as the header follows (Compose)"),
      .bool(
        "fadesElements", \.movementRules.fadesElements,
        "The first drawer's elements but the first fade as it leaves (GTScrollNavigationBar)"),
      .bool("takesOffers", \.movementRules.takesOffers, default: true, "Offers of nested scrolling move drawers"),
      .bool("snaps", \.movementRules.snaps, default: true, "Drawers with a rest come to rest"),
      .bool(
        "holdsContent", \.movementRules.holdsContent, "The content moves back by what an offer moves the header"),
    ]
  }

  private static var applicationOptions: [Option<CollapsingHeader>] {
    [
      Option(
        .record(
          "initially",
          "Where the header begins, unless it follows the content's place: {traveled, contentMoved} in points, as the application has stored them"
        )
      ) { (header, value) throws(Refusal) in
        var fields = try Fields(value, at: "initially")
        let traveled = try fields.number("traveled", default: 0)
        let contentMoved = try fields.number("contentMoved", default: 0)
        try fields.finish()
        header.initially = (max(0, traveled), contentMoved)
      },
      .case(
        "onActive", \.onActive, default: .stays,
        "When the application becomes active the header stays, comes back if all of it is gone (expands), or from wherever it "
          + "is (resets)"),
      .number(
        "topMargin", \.topMargin, unit: "points", default: 0, in: -1e6...1e6,
        "How far above its top the call show with scrollToTop moves the content"),
      .number(
        "between", \.between, unit: "points", default: 0, in: 0...Grid.bound,
        "Height of the application's own views between the header and the content, which leave with the header"),
      .bool(
        "discountsCalls", \.discountsCalls,
        "An edge of 40 points, that of a status bar during a call, counts as 20 (GTScrollNavigationBar)"),
    ]
  }

  private static var lookOptions: [Option<CollapsingHeader>] {
    [
      sides(
        "lookTolerance", null: .infinity,
        "{hide, show}: the distance that a look must exceed to hide or show; null: none does. Of one look, not of a gesture"
      ) { $0.decisionRules.tolerance = $1 },
      sides(
        "topZone", null: -.infinity,
        "{hide, show}: up to this offset the content counts as at its top, by the direction of the look; null: nowhere"
      ) { $0.decisionRules.topZone = $1 },
      .case(
        "stands", \.decisionRules.place, default: .over,
        "The header lies over the content (over), or in it until it is hidden for the first time (flow)"),
      .bool("wholeLooks", \.decisionRules.wholePoints, "Looks are rounded to whole points"),
      .bool("holds", \.decisionRules.holds, "Looks show the header and never hide it"),
      Option(
        .record(
          "marks",
          "The names by which styles know the header, such as classes: {initial, shown, hidden, top, notTop, bottom, notBottom, "
            + "frozen}, each a text, of several names with spaces between; a name of two states ends with the first that ends "
            + "(headroom.js). The call facts has the present names")
      ) { (header, value) throws(Refusal) in
        header.decisionRules.marks = try MarkNames(value)
        header.decision?.marks.rename(header.decisionRules.marks)
      },
    ]
  }

  /// A record of a number for each direction.
  /// - Parameter null: the number that null stands for.
  private static func sides(
    _ name: String, null: Double, _ meaning: String, set: @escaping @Sendable (CollapsingHeader, Pair) -> Void
  ) -> Option<CollapsingHeader> {
    Option(.record(name, meaning)) { (header, value) throws(Refusal) in
      var fields = try Fields(value, at: name)
      func side(_ name: String) -> Double { fields.take(name).map { $0.number ?? null } ?? 0 }
      let pair = Pair(hide: side("hide"), show: side("show"))
      try fields.finish()
      set(header, pair)
    }
  }

  private static var pairOptions: [Option<CollapsingHeader>] {
    [
      .number(
        "showThreshold", \.pairRules.showThreshold, default: 0.5, in: 0...1,
        "A release shows a pair that is hidden by no more than this share"),
      .number(
        "hideThreshold", \.pairRules.hideThreshold, default: 0.5, in: 0...1,
        "A release hides a pair that is shown by no more than this share"),
      .number(
        "frameInterval", \.pairRules.frame, unit: "milliseconds", default: 16.666, in: 1...1000,
        "How long a frame takes, for smoothsScroll"),
      .bool(
        "smoothsScroll", \.pairRules.isSmooth,
        "A scroll moves a pair by a bounded amount in each frame, and the rest follows"),
      .bool("playsWhole", \.pairRules.playsWhole, "A pair does not follow the finger, it plays a whole show or hide"),
      .bool(
        "heightChangeCancels", \.pairRules.heightChangesCancel,
        "A change of heights without an animation ends a running one"),
      .bool("showsAtTopOnly", \.pairRules.showsAtTopOnly, "Scrolling shows a pair only at the content's top"),
      .bool(
        "cutsToRange", \.pairRules.cutsToRange, default: true,
        "Ratios are cut to their range; false: only negative ratios are cut"),
      .bool("animatesHeights", \.animatesHeights, "A change of a pair's heights is animated"),
    ]
  }

  private static var blockOptions: [Option<CollapsingHeader>] {
    [
      Option(
        .records(
          "blocks",
          "How the drawers take part in a block: records {drawer, flags, marginTop, marginBottom, fitsInset, curve, compresses}; "
            + "one without a name is for the drawer at its place. Flags: scroll, exitUntilCollapsed, enterAlways, "
            + "enterAlwaysCollapsed, snap, snapMargins")
      ) { (header, value) throws(Refusal) in
        header.blocks = try BlockGiven.list(value)
        header.remakeBlock()
      },
      Option(
        .record(
          "block",
          "What surrounds a block: {paddingTop, paddingBottom, fitsInset, expanded, liftsOnScroll, overlap}, in whole points"
        )
      ) { (header, value) throws(Refusal) in
        var fields = try Fields(value, at: "block")
        func whole(_ name: String) -> Int { Int(max(0, min(1e6, fields.take(name)?.number ?? 0))) }
        var rules = BlockRules()
        rules.paddingTop = whole("paddingTop")
        rules.paddingBottom = whole("paddingBottom")
        rules.overlap = whole("overlap")
        rules.fitsInset = fields.take("fitsInset")?.bool ?? false
        rules.liftsOnScroll = fields.take("liftsOnScroll")?.bool ?? false
        let expanded = fields.take("expanded")?.bool
        try fields.finish()
        (header.blockRules, header.beginsExpanded) = (rules, expanded)
        header.remakeBlock()
      },
    ]
  }

  /// The direction of the last movement.
  enum FingerDirection: String, CaseIterable { case none, hide, show }

  /// The phases of a finger on a block.
  enum Touch: String, CaseIterable { case down, move, up, cancel }

  private static var blockCalls: [Call<CollapsingHeader>] {
    [
      .action(
        "expand",
        arguments: [
          .bool("expanded", default: true, "All of the block is shown, or nothing that scrolls"),
          .bool("animated", default: false, "The movement is animated"),
        ], "A block goes to an end"
      ) { header, arguments in
        let (expands, animated) = (arguments["expanded"]?.bool ?? true, arguments["animated"]?.bool ?? false)
        header.changesBlock { $0.expand(expands, animated: animated) }
      },
      .action(
        "touch",
        arguments: [
          .case("action", default: Touch.down, "What the finger does"),
          .number("y", unit: "points", default: 0, minimum: -1e6, maximum: 1e6, "Where, in the header's space"),
        ], "A finger on a block itself"
      ) { header, arguments in
        header.touchBlock(arguments["action"]?.text ?? "down", at: arguments["y"]?.number ?? 0)
      },
    ]
  }

  // MARK: Calls

  private static let motionArguments: [Parameter] = [
    .bool("animated", default: false, "An animation is announced"),
    .number("duration", unit: "seconds", default: 0.2, minimum: 0, maximum: 3600, "How long it takes"),
    .bool("scrollToTop", default: false, "The content is asked to go to its top"),
  ]

  static var followCalls: [Call<CollapsingHeader>] {
    [
      Call("facts", "Further facts about the header, beyond its values") { (header, _) throws(Refusal) in header.facts
      },
      .action("hide", arguments: motionArguments, "All of the header goes off the screen, from where it is whole") {
        header, arguments in
        header.hideAll(
          animated: arguments["animated"]?.bool ?? false, duration: arguments["duration"]?.number ?? 0.2)
      },
      .action("show", arguments: motionArguments, "All of the header comes back, from where none of it is shown") {
        header, arguments in
        header.showAll(
          animated: arguments["animated"]?.bool ?? false, duration: arguments["duration"]?.number ?? 0.2,
          scrollsToTop: arguments["scrollToTop"]?.bool ?? false)
      },
      .action(
        "reset", arguments: [.bool("animated", default: false, "An animation is announced")],
        "All of the header comes back from wherever it is, and the last movement is forgotten"
      ) { header, arguments in header.reset(animated: arguments["animated"]?.bool ?? false) },
      .action("freeze", "Looks change nothing until unfreeze") { header, _ in header.decision?.freeze(true) },
      .action("unfreeze", "Looks count again") { header, _ in header.decision?.freeze(false) },
      .action("forget", "Looks start anew") { header, _ in header.forgetLooks() },
      .action(
        "remember",
        arguments: [
          .case("place", default: Decision.Standing.shown, "Where the header is"),
          .number(
            "offset", unit: "points", default: 0, minimum: -1e9, maximum: 1e9, "The content's offset at the last look"),
        ],
        "Looks continue from this place"
      ) { header, arguments in
        let place = arguments["place"]?.text.flatMap(Decision.Standing.init(rawValue:)) ?? .shown
        header.remember(place, at: arguments["offset"]?.number ?? 0)
      },
      .action(
        "setDirection",
        arguments: [.case("direction", default: FingerDirection.none, "Of the finger; none: there is no finger")],
        "The last movement's direction, where the publisher knows it better: a scroll that begins, a release"
      ) { header, arguments in
        let direction = arguments["direction"]?.text.flatMap(FingerDirection.init(rawValue:))
        header.finger.isLifted = direction == FingerDirection.none
        header.chain.lastHides = header.finger.isLifted ? nil : direction == .hide
      },
    ] + pairCalls + blockCalls
  }

  private static var pairCalls: [Call<CollapsingHeader>] {
    [
      .action(
        "pinch", arguments: [.bool("begins", default: true, "It begins, or it ends")],
        "Two fingers zoom a pair's content"
      ) { header, arguments in
        let begins = arguments["begins"]?.bool ?? true
        header.changesPair { if begins { $0.beginPinch() } else { $0.endPinch() } }
      },
      .action(
        "hold",
        arguments: [
          .case("constraints", default: PairConstraint.both, "What is permitted from now on"),
          .case("current", default: PairConstraint.both, "Where the pair goes"),
          .bool("animate", default: true, "The movement is animated"),
        ],
        "A pair is held shown or hidden, or released"
      ) { header, arguments in
        func word(_ name: String) -> PairConstraint {
          arguments[name]?.text.flatMap(PairConstraint.init(rawValue:)) ?? .both
        }
        let animate = arguments["animate"]?.bool ?? true
        header.changesPair { $0.update(word("constraints"), going: word("current"), animated: animate) }
      },
      .action(
        "setRatios",
        arguments: [
          .number("top", unit: nil, default: 1, minimum: -10, maximum: 10, "Of the first drawer, 1: all of it"),
          .number("bottom", unit: nil, default: 1, minimum: -10, maximum: 10, "Of the second"),
        ],
        "A pair is shown to these shares"
      ) { header, arguments in
        header.changesPair { $0.set(top: arguments["top"]?.number ?? 1, bottom: arguments["bottom"]?.number ?? 1) }
      },
      Call(
        "predict",
        arguments: [
          .number("current", unit: "points", default: 0, minimum: -1e9, maximum: 1e9, "The change that is known"),
          .number("distance", unit: "points", default: 0, minimum: -1e9, maximum: 1e9, "The scroll to come"),
        ],
        "By how much a scroll will change the extent of the viewport"
      ) { (header, arguments) throws(Refusal) in
        .number(header.predict(arguments["current"]?.number ?? 0, distance: arguments["distance"]?.number ?? 0))
      },
    ]
  }
}
