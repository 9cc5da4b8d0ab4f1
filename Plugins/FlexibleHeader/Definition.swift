// SPDX-License-Identifier: MIT
//
// The behavior's description: every property of the library with its default and meaning, in the order in which a set-up assigns them,
// and the plugin's entry. Its values and notices are in Looks.swift.

internal import HeaderPluginKit

/// The styles by their words.
enum StyleWord: String, CaseIterable {
  case `default`, lightContent, darkContent
}

extension FlexibleHeader {
  static let (definition, outputs) = Definition(
    FlexibleHeader.self, name: "FlexibleHeader",
    summary: "Material's flexible header: collapses, shifts off the screen and stretches as the content scrolls",
    moves: true,
    events: [
      .didScroll, .willEndDragging, .didEndDragging, .didEndDecelerating, .didChangeAdjustedContentInset, .willScroll,
      .didOverscroll, .willFling, .layout, .willAppear, .didDisappear, .willTransition, .transition, .didTransition,
      .willChangeTrackingScrollView, .setTrackingScrollView, .didWriteContentOffset, .didResize,
    ],
    options: heightOptions + scrollViewOptions + shiftOptions + lookOptions + controllerOptions, calls: calls
  ).publishing { Outputs(&$0) }

  private static func option(_ key: OptionKey, _ parameter: Parameter) -> Option<FlexibleHeader> {
    Option(parameter) { (header, value) throws(Refusal) in try header.set(key, value) }
  }

  private static func bool(_ key: OptionKey, _ initial: Bool, _ meaning: String) -> Option<FlexibleHeader> {
    option(key, .bool(key.rawValue, default: initial, meaning))
  }

  private static func bool(_ key: OptionKey, _ meaning: String) -> Option<FlexibleHeader> { bool(key, false, meaning) }

  /// A color that is black by itself.
  private static func color(_ key: OptionKey, _ meaning: String) -> Option<FlexibleHeader> {
    let black = Value.record([("white", .number(0)), ("alpha", .number(1))])
    return option(key, .color(key.rawValue, default: black, meaning))
  }

  private static func height(_ key: OptionKey, _ meaning: String) -> Option<FlexibleHeader> {
    option(key, .numberOrNull(key.rawValue, unit: "points", minimum: 0, meaning))
  }

  private static func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: OptionKey, _ initial: Choice, _ meaning: String
  ) -> Option<FlexibleHeader> where Choice.RawValue == String {
    option(key, .case(key.rawValue, default: initial, meaning))
  }

  private static func choiceOrNull<Choice: RawRepresentable & CaseIterable>(
    _ key: OptionKey, _ choice: Choice.Type, _ meaning: String
  ) -> Option<FlexibleHeader> where Choice.RawValue == String {
    option(key, .caseOrNull(key.rawValue, choice, meaning))
  }

  // MARK: Options

  private static var heightOptions: [Option<FlexibleHeader>] {
    [
      bool(.minMaxHeightIncludesSafeArea, true, "Minimum and maximum height contain the top safe area inset"),
      height(.maximumHeight, "The height at the top of the content; null: 56 and the top safe area inset"),
      height(.minimumHeight, "The height that collapsing ends at; null: 56 and the top safe area inset"),
      bool(.canOverExtend, true, "The header may grow beyond its maximum when the content is pulled down"),
      option(
        .visibleShadowOpacity,
        .number(
          "visibleShadowOpacity", unit: nil, default: 0.4, minimum: 0, maximum: 1,
          "The shadow's opacity in front of content, single precision")),
      bool(.inFrontOfInfiniteContent, "The shadow shows at the top of the content too"),
    ]
  }

  private static var scrollViewOptions: [Option<FlexibleHeader>] {
    [
      bool(
        .sharedWithManyScrollViews, "Scroll views keep the added inset when another one tracks; heights are matched"),
      bool(.resetShadowAfterTrackingScrollViewIsReset, "Without a tracking scroll view there is no shadow"),
      bool(
        .disableContentInsetAdjustmentWhenContentInsetAdjustmentBehaviorIsNever,
        "Nothing is added to the inset of a scroll view whose contentInsetAdjustment is never"),
      bool(
        .allowShadowLayerFrameAnimationsWhenChangingTrackingScrollView,
        "An animated change of the tracking scroll view is laid out twice"),
      choice(
        .headerContentImportance, ContentImportance.default,
        "How much must be scrolled back before a hidden header reappears: default 175 points, high 25"),
    ]
  }

  private static var shiftOptions: [Option<FlexibleHeader>] {
    [
      option(
        .minimumHeaderViewHeight,
        .number(
          "minimumHeaderViewHeight", unit: "points", default: 0, minimum: 0,
          "How much of a shifted header stays on the screen")),
      bool(.statusBarHintCanOverlapHeader, true, "The header reaches below the status bar; false: it ignores the bar"),
      bool(.contentIsTranslucent, "No picture of the status bar is taken"),
      choice(
        .shiftBehavior, ShiftBehavior.disabled,
        "How the header leaves the screen: not, up to the status bar, with the status bar, or only by calls"),
      bool(
        .observesTrackingScrollViewScrollEvents,
        "Changes of the offset are observed; scroll events need not, and must not, be forwarded"),
      bool(.trackingScrollViewIsBeingScrubbed, "Only movements that shift the header out count"),
      bool(
        .frameRateIndependent,
        "The header's own way on and off the screen is the same at any frame rate; false: a share of it each frame"),
    ]
  }

  private static var lookOptions: [Option<FlexibleHeader>] {
    [
      option(
        .backgroundColor,
        .color(
          "backgroundColor", default: .record([("white", .number(2.0 / 3)), ("alpha", .number(1))]),
          "What the status bar's style is inferred from")),
      choiceOrNull(
        .shadowLayer, ShadowLayer.self,
        "A shadow layer of the application's own, with shadowIntensity published or without; null: the header's"),
      color(.shadowColor, "The shadow's color; its opacity is the value shadowOpacity"),
      bool(.elevationBlock, "Changes of the elevation are reported by elevationDidChange"),
      option(
        .overrideBaseElevation,
        .number(
          "overrideBaseElevation", unit: "points", default: -1,
          "The elevation of what the header stands on; below 0: that of the ground")),
      option(.elevation, .number("elevation", unit: "points", default: 0, "The header's elevation above its parent")),
      bool(.inferPreferredStatusBarStyle, true, "The status bar's style comes from the background color"),
      choice(.preferredStatusBarStyle, StyleWord.default, "The status bar's style where it is not inferred"),
    ]
  }

  private static var controllerOptions: [Option<FlexibleHeader>] {
    [
      bool(
        .permitInferringTopSafeAreaFromTopLayoutGuideViewController,
        "The top inset may be inferred from the layout guide controller itself"),
      choiceOrNull(
        .topSafeAreaSourceViewController, SafeAreaController.self,
        "Whose top inset is inferred: the topmost ancestor's or the content controller's; null: found by the rules"),
      bool(
        .inferTopSafeAreaInsetFromViewController,
        "The top inset comes from an ancestor of the content controller, not from the device"),
      bool(.topLayoutGuideAdjustmentEnabled, "The layout guide follows the header's bottom edge in every case"),
      choiceOrNull(
        .topLayoutGuideViewController, LayoutGuideController.self,
        "Whose layout guide and additional inset the header moves; setting it enables the adjustment"),
      bool(
        .useAdditionalSafeAreaInsetsForWebKitScrollViews,
        "Nothing is added to a web view's inset; the additional safe area inset stands in for it"),
      bool(.showsHairline, "A line of one pixel at the header's bottom edge"),
      color(.hairlineColor, "The hairline's color"),
    ]
  }
}

/// The plugin's one symbol.
@c(header_plugin_entry) public func entry(_ major: UInt16, _ minor: UInt16) -> UnsafeRawPointer? {
  pluginTable(FlexibleHeader.definition, version: "0.1.0", summary: "The behavior of MDCFlexibleHeader", major)
}

// MARK: - Calls
//
// The header's public methods, and the methods of UIKit's that an application calls on it. Where the original takes a block of the
// application's own changes, the call takes the changes as data.

extension FlexibleHeader {
  static var calls: [Call<FlexibleHeader>] { movingCalls + viewCalls + geometryCalls + forwardingCalls }

  /// A call that returns nothing.
  private static func call(
    _ name: String, _ arguments: [Parameter] = [], _ meaning: String,
    _ perform: @escaping @Sendable (FlexibleHeader, Value) throws(Refusal) -> Void
  ) -> Call<FlexibleHeader> {
    .action(name, arguments: arguments, meaning) { (header, arguments) throws(Refusal) in
      try perform(header, arguments)
      header.publish()
    }
  }

  private static var movingCalls: [Call<FlexibleHeader>] {
    let animated = Parameter.bool("animated", default: true, "Frame by frame, else at once")
    return [
      call("shiftHeaderOnScreenAnimated", [animated], "Shows the header, whatever the shift behavior is") {
        (header, arguments) in header.shift(offScreen: false, animated: arguments["animated"]?.bool ?? true)
      },
      call("shiftHeaderOffScreenAnimated", [animated], "Hides the header, whatever the shift behavior is") {
        (header, arguments) in header.shift(offScreen: true, animated: arguments["animated"]?.bool ?? true)
      },
      call(
        "changeContentInsets",
        [.insets("contentInset", "The insets with what the header added; an edge left out is 0")],
        "Changes the tracking scroll view's insets and keeps the content where it is; the header is not laid out"
      ) { (header, arguments) in
        let insets = arguments["contentInset"]
        header.changeContentInsets(
          Insets(
            top: insets?["top"]?.number ?? 0, left: insets?["left"]?.number ?? 0,
            bottom: insets?["bottom"]?.number ?? 0, right: insets?["right"]?.number ?? 0))
      },
      call(
        "animateWithAnimations", [.record("options", "Options of the header by name")],
        "Sets options and lays out in an animation of 0.2 seconds; its end is reported by animationCompletion"
      ) { (header, arguments) throws(Refusal) in try header.animate(arguments["options"] ?? .record([])) },
    ]
  }

  private static var viewCalls: [Call<FlexibleHeader>] {
    let view = Parameter.text("view", default: "", "An element of the header")
    return [
      call("hideViewWhenShifted", [view], "The view fades over the first half of the shift") {
        (header, arguments) throws(Refusal) in try header.add(arguments, to: \.viewsToHide)
      },
      call("stopHidingViewWhenShifted", [view], "The view keeps the alpha that it has") {
        (header, arguments) throws(Refusal) in try header.remove(arguments, from: \.viewsToHide)
      },
      call("forwardTouchEventsForView", [view], "Touches on the view are for the tracking scroll view") {
        (header, arguments) throws(Refusal) in try header.add(arguments, to: \.forwardedViews)
      },
      call("stopForwardingTouchEventsForView", [view], "Touches on the view are for the view") {
        (header, arguments) throws(Refusal) in try header.remove(arguments, from: \.forwardedViews)
      },
      Call(
        "hitTest", arguments: [number("x", "In the header's coordinates"), number("y", "In the header's coordinates")],
        "The target of a touch: the name of an element or of the tracking scroll view, or null"
      ) { (header, arguments) throws(Refusal) in
        header.hitTest(Point(x: arguments["x"]?.number ?? 0, y: arguments["y"]?.number ?? 0))
      },
    ]
  }

  private static func number(_ name: String, _ meaning: String, minimum: Double? = nil) -> Parameter {
    .number(name, unit: "points", default: 0, minimum: minimum, meaning)
  }

  private static var geometryCalls: [Call<FlexibleHeader>] {
    [
      call(
        "setFrame",
        [
          number("x", "The left edge"), number("y", "The top edge"), number("width", "The width", minimum: 0),
          number("height", "The height", minimum: 0),
        ], "Assigns the header's frame in its parent, which lays it out"
      ) { (header, arguments) in
        header.setFrame(
          Rect(
            x: arguments["x"]?.number ?? 0, y: arguments["y"]?.number ?? 0, width: arguments["width"]?.number ?? 0,
            height: arguments["height"]?.number ?? 0))
      },
      call("sizeToFit", [], "Gives the header its minimum height at the same origin") { (header, _) in
        header.sizeToFit()
      },
      Call(
        "sizeThatFits",
        arguments: [number("width", "The given width", minimum: 0), number("height", "Not looked at", minimum: 0)],
        "The size that fits: the given width, the minimum height"
      ) { (header, arguments) throws(Refusal) in
        .record([
          ("width", .number(arguments["width"]?.number ?? 0)), ("height", .number(header.effectiveMinimum)),
        ])
      },
      call("updateTopLayoutGuide", [], "Brings the top layout guide to the header's bottom edge") { (header, _) in
        header.updateLayoutGuide()
      },
      call("topSafeAreaInsetDidChange", [], "The safe area of the header, or of what it is inferred from, has changed")
      {
        (header, _) in header.topInsetDidChange()
      },
      call("interfaceOrientationWillChange", [], "A size transition begins; scrolls do not lay out until its end") {
        (header, _) in header.orientationWillChange()
      },
      call("interfaceOrientationIsChanging", [], "To be called alongside the transition's animation") { (header, _) in
        header.orientationIsAnimating()
      },
      call("interfaceOrientationDidChange", [], "The size transition is over") { (header, _) in
        header.orientationDidChange()
      },
    ]
  }

  private static var forwardingCalls: [Call<FlexibleHeader>] {
    [
      call("trackingScrollViewDidScroll", [], "The event by hand; what the finger does stays as it is") { (header, _) in
        header.trackingScrollViewDidScroll()
      },
      call(
        "trackingScrollViewDidEndDraggingWillDecelerate",
        [.bool("willDecelerate", default: false, "The content moves on by itself")],
        "The event by hand; what the finger does stays as it is"
      ) { (header, arguments) in
        header.trackingScrollViewDidEndDragging(willDecelerate: arguments["willDecelerate"]?.bool ?? false)
      },
      call("trackingScrollViewDidEndDecelerating", [], "The event by hand") { (header, _) in
        header.trackingScrollViewDidEndDecelerating()
      },
    ]
  }

  // MARK: Effects

  private func animate(_ options: Value) throws(Refusal) {
    guard case .record(let fields) = options else { throw Refusal("options must be a record") }
    let definition = Self.definition
    var changes: [(OptionKey, Value)] = []
    for (name, value) in fields {
      guard let key = OptionKey(rawValue: name), let parameter = definition.option(named: name) else {
        throw Refusal("options.\(name): there is no such option")
      }
      try parameter.check(value)
      changes.append((key, value))
    }
    host.animate(duration: 0.2, .easeInOut, token: Self.animatedChange)
    for (key, value) in changes { apply(key, value) }
    relayout()
    layOutSize()
  }

  private func element(_ arguments: Value) throws(Refusal) -> NamedView {
    let name = arguments["view"]?.text ?? ""
    guard let index = host.element(named: name), host.drawer(ofElement: index) == Self.drawer else {
      throw Refusal("the header has no element \"\(name)\"")
    }
    return NamedView(name: name, element: index)
  }

  private func add(_ arguments: Value, to views: ReferenceWritableKeyPath<FlexibleHeader, [NamedView]>) throws(Refusal)
  {
    let view = try element(arguments)
    if !self[keyPath: views].contains(view) { self[keyPath: views].append(view) }
  }

  private func remove(_ arguments: Value, from views: ReferenceWritableKeyPath<FlexibleHeader, [NamedView]>)
    throws(Refusal)
  {
    let view = try element(arguments)
    self[keyPath: views].removeAll { $0 == view }
  }
}
