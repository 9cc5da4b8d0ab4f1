// SPDX-License-Identifier: MIT
//
// What our flexible header shows, in the words of the original's recorder: fields of drawers, scroll views and wishes, and
// the behavior's values by name.

internal import HeaderCore
internal import HeaderModel

extension FlexibleHeaderAdapter {
  /// Everything that a step of a recording expects, but `internal`.
  static func show(_ header: Header, _ outcome: StepOutcome, after event: String) -> Value {
    let drawer = header.drawers[0]
    let tracking = header.trackingScrollView
    let view = tracking >= 0 ? header.scrollViews[tracking] : nil
    let answer = outcome.answers.last
    let environment = header.environment
    let isTarget = event == "willEndDragging"
    var fields: [(String, Value?)] = [
      ("frame", drawer.drawnFrame.value),
      ("transformY", .number(drawer.translation.y)),
      ("hidden", .bool(drawer.isHidden)),
      ("scrollPhase", value("scrollPhase", header)),
      ("scrollPhaseValue", value("scrollPhaseValue", header)),
      ("scrollPhasePercentage", value("scrollPhasePercentage", header)),
      ("isShiftedOffscreen", value("isShiftedOffscreen", header)),
      ("heights", heights(header)),
      ("topSafeAreaInset", value("topSafeAreaInset", header)),
      ("topSafeAreaGuideHeight", value("topSafeAreaGuideHeight", header)),
      ("shadow", shadow(header)),
      ("viewsToHide", .record(alphas(header))),
      ("hairline", hairline(header)),
      ("prefersStatusBarHidden", .bool(header.wants.prefersStatusBarHidden)),
      ("preferredStatusBarStyle", header.wants.preferredStatusBarStyle.map { .text($0.rawValue) } ?? .null),
      (
        "statusBar",
        [
          "hidden": .bool(environment.statusBarHidden),
          "height": .number(environment.statusBarHidden ? 0 : environment.statusBarHeight),
          "shifterState": value("statusBarState", header),
        ]
      ),
      ("topLayoutGuideLength", header.wants.topLayoutGuideLength.map { .number($0) } ?? .null),
      ("additionalSafeAreaInsetTop", header.wants.additionalSafeAreaInset.map { .number($0.top) } ?? .null),
      ("trackingScrollView", tracking >= 0 ? .text(header.state.names.scrollViews[tracking]) : .null),
    ]
    for (name, content) in scrollView(view) { fields.append((name, content)) }
    if header.scrollViews.count > 1 { fields.append(("scrollViews", .record(scrollViews(header)))) }
    fields += [
      ("displayLinkActive", .bool(header.state.framesActive)),
      ("targetOffset", isTarget ? answer?.targetOffset?.value ?? .null : .null),
      ("returned", isTarget ? answer?.returned.map { .bool($0) } ?? .null : answer?.result ?? .null),
      ("animations", .list(outcome.animations.map(show))),
      ("callbacks", .list(outcome.notices.compactMap { show($0, header) })),
      ("assertionFailed", .bool(outcome.notices.contains { $0.word(in: header.state.names) == "assertionFailed" })),
    ]
    return .record(Adapting.record(fields))
  }

  /// One of the behavior's values.
  static func value(_ name: String, _ header: Header) -> Value {
    guard let place = header.state.names.values.firstIndex(of: name) else { return .null }
    return header.state.values[place].content.value
  }

  private static func heights(_ header: Header) -> Value {
    [
      "minimum": value("minimumHeight", header),
      "maximum": value("maximumHeight", header),
      "minimumWithSafeArea": value("minimumHeightWithSafeArea", header),
      "maximumWithSafeArea": value("maximumHeightWithSafeArea", header),
      "maximumWithoutSafeArea": value("maximumHeightWithoutSafeArea", header),
    ]
  }

  private static func shadow(_ header: Header) -> Value {
    [
      "opacity": value("shadowOpacity", header), "intensity": value("shadowIntensity", header),
      "source": value("shadowSource", header),
    ]
  }

  /// The views that were added so far.
  private static func alphas(_ header: Header) -> Value.Record {
    var record = Value.Record()
    for (index, element) in header.elements.elements.enumerated() where !element.isHidden {
      record[header.state.names.elements[index]] = .number(Double(element.alpha))
    }
    return record
  }

  private static func hairline(_ header: Header) -> Value {
    let shown = value("hairlineShown", header)
    guard shown != .null else { return .null }
    return [
      "shown": shown,
      "frame": [
        "x": 0, "y": value("hairlineY", header), "width": value("hairlineWidth", header),
        "height": value("hairlineHeight", header),
      ],
    ]
  }

  private static func scrollView(_ view: ScrollView?) -> [(String, Value)] {
    [
      ("contentOffset", view?.contentOffset.value ?? .null),
      ("contentInset", view?.contentInset.value ?? .null),
      ("adjustedContentInsetTop", view.map { .number($0.adjustedContentInset.top) } ?? .null),
      ("scrollIndicatorInsetTop", view.map { .number($0.scrollIndicatorInsets.top) } ?? .null),
    ]
  }

  private static func scrollViews(_ header: Header) -> Value.Record {
    var record = Value.Record()
    for (index, view) in header.scrollViews.elements.enumerated() {
      record[header.state.names.scrollViews[index]] = .record(Adapting.record(scrollView(view)))
    }
    return record
  }

  private static func show(_ animation: HeaderState.Animation) -> Value {
    let word = animation.curve == .easeInOut ? "easeInEaseOut" : animation.curve.word
    return ["duration": .number(animation.duration), "delay": .number(animation.delay), "curve": .text(word)]
  }

  /// A callback of the original's; an assertion is none.
  private static func show(_ notice: HeaderState.Notice, _ header: Header) -> Value? {
    let name = notice.word(in: header.state.names)
    guard name != "assertionFailed" else { return nil }
    guard let argument = notice.arguments?.fields.first else { return .text(name) }
    switch argument.value {
    case .bool(let bool): return .text("\(name) \(argument.name)=\(bool)")
    case .number: return ["name": .text(name), "value": argument.value]
    default: return .text(name)
    }
  }
}
