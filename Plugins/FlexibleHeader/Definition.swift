// SPDX-License-Identifier: MIT
//
// The behavior's description: every property of the library with its default and meaning, in the order in which a set-up assigns them,
// and the plugin's entry. Its values and notices are in LastPublished.swift.

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
