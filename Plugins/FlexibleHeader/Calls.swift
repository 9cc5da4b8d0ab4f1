// SPDX-License-Identifier: MIT
//
// The header's public methods, and the methods of UIKit's that an application calls on it. Where the original takes a block of the
// application's own changes, the call takes the changes as data.

internal import HeaderPluginKit

extension FlexibleHeader {
  static var calls: [Call<FlexibleHeader>] { movingCalls + viewCalls + geometryCalls + forwardingCalls }

  /// A call that returns nothing.
  private static func call(
    _ name: String, _ arguments: [Parameter] = [], _ meaning: String,
    _ perform: @escaping @Sendable (FlexibleHeader, Value) throws(Refusal) -> Void
  ) -> Call<FlexibleHeader> {
    Call(name, arguments: arguments, meaning) { (header, arguments) throws(Refusal) in
      try perform(header, arguments)
      header.publish()
      return .null
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
