// SPDX-License-Identifier: MIT
//
// The behavior's description (options, values, calls) and the plugin's one symbol.

internal import HeaderPluginKit

extension ShyNavBar {
  static let (definition, outputs) = Definition(
    ShyNavBar.self, name: "ShyNavBar",
    summary: "A navigation bar and its extension slide away when scrolling down and back when scrolling up",
    moves: true,
    events: [
      .didScroll, .didEndDragging, .didScrollToTop, .didEndDecelerating, .willScroll, .didOverscroll, .layout,
      .willAppear, .willDisappear, .didBecomeActive, .setTrackingScrollView,
    ],
    options: options, calls: calls
  ).publishing {
    (
      isContracting: $0.value("isContracting", initial: false, "The last movement was a contraction"),
      didBecomeFullyContracted: $0.notice("didBecomeFullyContracted"),
      didFinishContracting: $0.notice("didFinishContracting"),
      didFinishExpanding: $0.notice("didFinishExpanding")
    )
  }

  /// In alphabetical order, in which the library's own recordings set them.
  private static var options: [Option<ShyNavBar>] {
    [
      Option(
        number: .number(
          "contractionResistance", unit: "points", default: 0, minimum: 0, "Points to scroll before contracting starts"),
        \.contractionResistance),
      Option(.bool("disable", default: false, "Scrolls are ignored; the header stays where it is")) {
        (bar, value) throws(Refusal) in
        bar.setDisable(value.bool ?? false)
      },
      Option(
        .numberOrNull(
          "drawers", unit: "drawers", minimum: 1,
          "How many drawers the behavior moves, from the first one on; other delegates may move the rest. Null: all")
      ) { (bar, value) throws(Refusal) in try bar.setDrawers(value.number) },
      Option(
        number: .number(
          "expansionResistance", unit: "points", default: 200, minimum: 0,
          "Points to scroll back before expanding starts, unless the content is at its top"), \.expansionResistance),
      Option(
        case: .case(
          "fadeBehavior", default: FadeBehavior.subviews,
          "What fades as the bar contracts: nothing, its elements but the first (the background), or the bar"),
        \.fadeBehavior),
      Option(
        .bool("hasCustomRefreshControl", default: false, "The application keeps the insets; they are never written")
      ) { (bar, value) throws(Refusal) in bar.setPolicyOption { bar.hasCustomRefreshControl = value.bool ?? false } },
      Option(
        .bool(
          "stickyExtensionView", default: false,
          "The extension takes no movement, it moves with the bar; unless set, the drawer's own sticky decides")
      ) { (bar, value) throws(Refusal) in bar.setPolicyOption { bar.stickyExtensionView = value.bool } },
      Option(
        .bool(
          "stickyNavigationBar", default: false,
          "The bar takes no movement; unless set, the drawer's own sticky decides")
      ) { (bar, value) throws(Refusal) in bar.setPolicyOption { bar.stickyNavigationBar = value.bool } },
    ]
  }

  private static var calls: [Call<ShyNavBar>] {
    let animated = Parameter.bool("animated", default: true, "Announce an animation of 0.2 seconds")
    return [
      .action("contract", arguments: [animated], "Contracts the bar and its extension") { bar, arguments in
        bar.change(arguments) { bar.host.contract() }
      },
      .action("expand", arguments: [animated], "Expands the bar and its extension") { bar, arguments in
        bar.change(arguments) { bar.host.expand() }
      },
      .action(
        "setExtensionView",
        arguments: [
          .numberOrNull("height", unit: "points", minimum: 0, "The new extension view's height; null removes it"),
          .numberOrNull("width", unit: "points", minimum: 0, "Its width; null: the bar's"),
        ],
        "Sets, replaces or removes the extension view"
      ) { (bar, arguments) throws(Refusal) in try bar.setExtensionView(arguments) },
      .action(
        "setScrollView",
        arguments: [.textOrNull("scrollView", "The scroll view's name; null: the same again")],
        "Assigns a scroll view: the header expands over it and measures anew"
      ) { (bar, arguments) throws(Refusal) in try bar.setScrollView(arguments["scrollView"]?.text) },
    ]
  }

  /// Our own addition to the library: a change by call, announced as its snaps are.
  private func change(_ arguments: Value, _ body: () -> Void) {
    if arguments["animated"]?.bool ?? true { host.animate(duration: 0.2, .easeInOut) }
    body()
  }
}

/// The plugin's one symbol.
@c(header_plugin_entry) public func entry(_ major: UInt16, _ minor: UInt16) -> UnsafeRawPointer? {
  pluginTable(ShyNavBar.definition, version: "0.1.0", summary: "The behavior of TLYShyNavBar", major)
}
