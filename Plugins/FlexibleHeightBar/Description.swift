// SPDX-License-Identifier: MIT
//
// The bar's description (options, values, calls) and the plugin's one symbol.

internal import HeaderPluginKit

extension FlexibleHeightBar {
  static let (definition, outputs) = Definition(
    FlexibleHeightBar.self, name: "FlexibleHeightBar",
    summary:
      "A bar shrinks from its maximum to its minimum height as the content scrolls, and its elements change with it",
    moves: true,
    events: [
      .willBeginDragging, .didScroll, .willEndDragging, .didEndDragging, .didEndDecelerating, .willScroll,
      .didOverscroll, .willFling, .layout, .setTrackingScrollView,
    ],
    options: definerOptions + barOptions + lawOptions, calls: barCalls + snappingCalls + elementCalls
  ).publishing {
    (
      progress: $0.value("progress", initial: 0, "0: the bar has its maximum height, 1: its minimum height"),
      maximumBarHeight: $0.value(
        "maximumBarHeight", unit: "points", initial: 44, "The bar's height at progress 0"),
      minimumBarHeight: $0.value(
        "minimumBarHeight", unit: "points", initial: 20, "The bar's height at progress 1"),
      currentlySnapping: $0.value(
        "currentlySnapping", initial: false, "The definer does not follow the scroll view")
    )
  }

  // MARK: Options

  /// A new definer begins in its start state; later options in the list are its settings.
  private static var definerOptions: [Option<FlexibleHeightBar>] {
    [
      Option(
        .case(
          "definer", default: DefinerKind.none,
          "What progress follows: nothing (none), nothing but it snaps (base), the distance from the content's top "
            + "(squareCash), each drag (facebook), scrolling down and fast flicks up (safari). Setting it installs a new definer"
        )
      ) { (bar, value) throws(Refusal) in
        bar.replaceDefiner(by: value.text.flatMap(DefinerKind.init(rawValue:)) ?? .none)
      },
      Option(
        .bool(
          "currentlySnapping", default: false,
          "While it is true the bar neither follows nor snaps. The end of a snap makes it false"
        )
      ) { (bar, value) throws(Refusal) in bar.set(currentlySnapping: value.bool ?? false) },
      Option(
        .bool(
          "elasticMaximumHeightAtTop", default: false,
          "The bar grows beyond its maximum height while the content is pulled down")
      ) { (bar, value) throws(Refusal) in bar.definer.elasticMaximumHeightAtTop = value.bool ?? false },
      Option(
        .bool(
          "isScrollViewDelegate", default: true,
          "The definer gets scroll events; false: only calls and layout move the bar")
      ) { (bar, value) throws(Refusal) in bar.isScrollViewDelegate = value.bool ?? true },
      Option(
        .records(
          "snapping",
          "Where a release snaps to: records {progress, start, end}, the position for releases at a progress from start to "
            + "end, 0 to 1 in whole percents. Ranges that share a percent conflict")
      ) { (bar, value) throws(Refusal) in bar.definer.positions = try SnappingPositions(value, at: "snapping") },
      Option(.bool("snappingEnabled", default: true, "The end of a scroll snaps")) { (bar, value) throws(Refusal) in
        bar.definer.snappingEnabled = value.bool ?? true
      },
    ]
  }

  private static var barOptions: [Option<FlexibleHeightBar>] {
    [
      Option(.textOrNull("drawer", "The drawer that is the bar; null: the header's first")) {
        (bar, value) throws(Refusal) in try bar.setDrawer(value.text)
      },
      Option(
        .records(
          "elements",
          "How the bar's elements look by progress: records {element, layouts: [{name, copyOf, set, attributes}], "
            + "keys: [{progress, layout}]}; attributes: frame, bounds, center, size, transform3D, transform, alpha, zIndex, "
            + "hidden, cornerRadius. At a key progress is 0 to 1")
      ) { (bar, value) throws(Refusal) in try bar.replaceElements(by: value) },
      Option(
        .case(
          "initialization", default: Initialization.drawer,
          "Heights that are not given: the drawer's (drawer), the bottom edge of its frame and 20 (frame), its height and 20 "
            + "(nib), 44 and 20 (plain)")
      ) { (bar, value) throws(Refusal) in
        let initialization = value.text.flatMap(Initialization.init(rawValue:)) ?? .drawer
        guard !bar.isAttached || initialization == bar.initialization else {
          throw Refusal("it says how the bar begins, and this bar has begun as \"\(bar.initialization.rawValue)\"")
        }
        bar.initialization = initialization
      },
      Option(
        .numberOrNull(
          "maximumBarHeight", unit: "points", minimum: -lengthBound, maximum: lengthBound,
          "The bar's height at progress 0; below 0 counts as 0; null: as initialization says. Shows at the next layout")
      ) { (bar, value) throws(Refusal) in
        bar.givenMaximum = value.number
        bar.tellHeights()
      },
      Option(
        .numberOrNull(
          "minimumBarHeight", unit: "points", minimum: -lengthBound, maximum: lengthBound,
          "The bar's height at progress 1; below 0 counts as 0; null: as initialization says. Shows at the next layout")
      ) { (bar, value) throws(Refusal) in
        bar.givenMinimum = value.number
        bar.tellHeights()
      },
    ]
  }

  private static var lawOptions: [Option<FlexibleHeightBar>] {
    [
      Option(
        number: .number(
          "revealVelocity", unit: "points per millisecond", default: 0.6, minimum: 0, maximum: 1000,
          "safari: how fast a flick up must be to bring a hidden bar back"), \.definer.safari.revealVelocity),
      Option(
        number: .number(
          "snapVelocity", unit: "points per millisecond", default: 0.1, minimum: 0.01, maximum: 1000,
          "safari: how fast a release must be to decide by its direction where a partly shown bar goes"),
        \.definer.safari.snapVelocity),
      Option(
        number: .number(
          "thresholdFromTop", unit: "points", default: 0, minimum: -lengthBound, maximum: lengthBound,
          "facebook: how far to scroll down from the very top before the bar follows; below 0 counts as 0"),
        \.definer.facebook.thresholdFromTop),
      Option(
        number: .number(
          "thresholdNegativeDirection", unit: "points", default: 0, minimum: -lengthBound, maximum: lengthBound,
          "facebook: how far to scroll up before a contracted bar follows; below 0 counts as 0"),
        \.definer.facebook.thresholdNegativeDirection),
      Option(
        number: .number(
          "thresholdPositiveDirection", unit: "points", default: 0, minimum: -lengthBound, maximum: lengthBound,
          "facebook: how far to scroll down before an expanded bar follows; below 0 counts as 0"),
        \.definer.facebook.thresholdPositiveDirection),
    ]
  }

  /// The bound of lengths in points. The original knows no limit; ours keeps sums within the host's range.
  private static var lengthBound: Double { 100_000_000 }
}

// MARK: - Calls

extension FlexibleHeightBar {
  private static func progress(_ name: String, _ meaning: String) -> Parameter {
    .number(name, unit: nil, default: 0, minimum: -1_000_000, maximum: 1_000_000, meaning)
  }

  private static var element: Parameter { .text("element", default: "", "An element of the bar") }
  private static var layout: Parameter { .text("layout", default: "", "A layout's name") }

  private static var barCalls: [Call<FlexibleHeightBar>] {
    [
      .action(
        "setProgress", arguments: [progress("progress", "0 to 1, otherwise cut")],
        "Sets progress. It shows at the next layout"
      ) { (bar, arguments) throws(Refusal) in bar.set(progress: try arguments.number("progress")) },
      .action("setNeedsLayout", "Lays the bar out") { bar, _ in bar.setNeedsLayout() },
    ]
  }

  private static var snappingCalls: [Call<FlexibleHeightBar>] {
    let start = progress("start", "The range's first progress")
    let end = progress("end", "The range's last progress")
    return [
      .action("snap", "Snaps, as at the end of a scroll") { (bar, _) throws(Refusal) in try bar.snapNow() },
      .action(
        "snapToProgress", arguments: [progress("progress", "0 to 1; beyond, the content moves by all of it")],
        "Moves content and bar to a progress at once"
      ) { (bar, arguments) throws(Refusal) in try bar.snapNow(to: try arguments.number("progress")) },
      .action(
        "addSnappingPosition", arguments: [progress("progress", "Where to snap to"), start, end],
        "Adds a snapping position; refused when its range conflicts with another"
      ) { (bar, arguments) throws(Refusal) in
        guard bar.definer.kind != .none else { return }
        try bar.definer.positions.add(
          arguments.number("progress"), start: arguments.number("start"), end: arguments.number("end"))
      },
      .action("removeSnappingPosition", arguments: [start, end], "Removes the snapping position of a range") {
        (bar, arguments) throws(Refusal) in
        guard bar.definer.kind != .none else { return }
        bar.definer.positions.remove(start: try arguments.number("start"), end: try arguments.number("end"))
      },
    ]
  }

  private static var elementCalls: [Call<FlexibleHeightBar>] {
    [
      .action(
        "addLayoutAttributes", arguments: [element, layout, progress("progress", "The key's, cut to 0 to 1")],
        "Adds a key of an element; what shows changes at the next layout"
      ) { (bar, arguments) throws(Refusal) in
        try bar.elements.addKey(
          arguments.number("progress"), layout: arguments.text("layout"), element: arguments.text("element"), for: bar)
      },
      .action(
        "removeLayoutAttributes", arguments: [element, progress("progress", "The key's, exactly")],
        "Removes the first key of an element with this progress"
      ) { (bar, arguments) throws(Refusal) in
        try bar.elements.removeKey(arguments.number("progress"), element: arguments.text("element"), for: bar)
      },
      Call("numberOfLayoutAttributes", arguments: [element], "How many keys an element has") {
        (bar, arguments) throws(Refusal) in
        .number(Double(try bar.elements.progresses(of: arguments.text("element"), for: bar).count))
      },
      Call(
        "progressAtIndex",
        arguments: [
          element, .integer("index", minimum: 0, maximum: 1_000_000, "The key's place, from 0, by ascending progress"),
        ], "The progress of a key of an element"
      ) { (bar, arguments) throws(Refusal) in
        let keys = try bar.elements.progresses(of: arguments.text("element"), for: bar)
        let index = Int(try arguments.number("index"))
        guard keys.indices.contains(index) else { throw Refusal("there is no key \(index), there are \(keys.count)") }
        return .number(keys[index])
      },
      Call("layoutAttributes", arguments: [layout], "The attributes of a layout") { (bar, arguments) throws(Refusal) in
        try bar.elements.attributes(of: arguments.text("layout"))
      },
      .action(
        "setLayoutAttribute",
        arguments: [layout, .records("set", "Records of one attribute each, set one after the other, all or none")],
        "Changes a layout, for all keys that have it; what shows changes at the next layout"
      ) { (bar, arguments) throws(Refusal) in
        try bar.elements.setAttributes(of: arguments.text("layout"), arguments["set"] ?? .list([]))
      },
    ]
  }
}

extension Value {
  /// An argument that must be there.
  fileprivate func number(_ name: String) throws(Refusal) -> Double {
    guard let number = self[name]?.number else { throw Refusal("the argument \(name) is missing, expected a number") }
    return number
  }

  /// An argument that must be there.
  fileprivate func text(_ name: String) throws(Refusal) -> String {
    guard let text = self[name]?.text else { throw Refusal("the argument \(name) is missing, expected a text") }
    return text
  }
}

/// The plugin's one symbol.
@c(header_plugin_entry) public func entry(_ major: UInt16, _ minor: UInt16) -> UnsafeRawPointer? {
  pluginTable(
    FlexibleHeightBar.definition, version: "0.1.0", summary: "A bar of flexible height with behavior definers", major)
}
