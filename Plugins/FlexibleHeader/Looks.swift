// SPDX-License-Identifier: MIT
//
// Parts that depend on the header's place but do not move it: the shadow, whether it is hidden, the scroll indicators, the hairline, the
// style of the status bar, and the targets of touches.

private import Glibc
internal import HeaderPluginKit

/// Which layer has the shadow.
enum ShadowSource: String, CaseIterable {
  case viewLayer, custom, defaultLayer
}

/// The header's shadow. Opacities are single precision.
struct Shadow {
  /// Which layer has it; once a custom one was set, the view's layer has none any more.
  var source = ShadowSource.viewLayer
  var viewOpacity: Float = 0
  var defaultOpacity: Float = 0
  /// 0…1.
  var intensity = 0.0
  /// Publishes shadow intensities.
  var tellsIntensity = false

  /// The opacity of the layer in use.
  var opacity: Float { source == .viewLayer ? viewOpacity : defaultOpacity }
}

/// A color, 0…1.
struct Color: Equatable {
  var red: Double
  var green: Double
  var blue: Double
  var alpha: Double

  /// Whether white text on it can be read: 4.5 to 1, as WCAG has it. The constants pass through single precision.
  var takesWhiteText: Bool {
    func linear(_ component: Double) -> Double {
      component <= Double(Float(0.03928))
        ? component / Double(Float(12.92))
        : pow((component + Double(Float(0.055))) / Double(Float(1.055)), Double(Float(2.4)))
    }
    let luminance =
      Double(Float(0.2126)) * linear(red) + Double(Float(0.7152)) * linear(green)
      + Double(Float(0.0722)) * linear(blue)
    return Double(Float(1.05)) / (luminance + Double(Float(0.05))) >= 4.5
  }
}

extension Color {
  /// As CSS writes it: #rrggbbaa.
  var text: String {
    let digits = Array("0123456789abcdef")
    var text = "#"
    for component in [red, green, blue, alpha] {
      let byte = Int((max(0, min(1, component)) * 255).rounded())
      text.append(digits[byte / 16])
      text.append(digits[byte % 16])
    }
    return text
  }
}

extension FlexibleHeader {
  // MARK: Elevation

  /// The header's elevation above everything: its own above its parent's.
  var absoluteElevation: Double { max(0, baseElevation) + elevation }

  // MARK: Shadow, hidden, indicators

  /// The shadow grows over eight points of overlap; a header that is wholly out is hidden; the indicators begin below.
  func updateShadow() {
    guard let index = tracking else {
      shadow.viewOpacity = resetsShadow && !inFrontOfInfiniteContent ? 0 : Float(visibleShadowOpacity)
      return
    }
    let height = header.size.height
    let shift = min(shiftMaximum, accumulator)
    shadow.intensity = shadowIntensity(effectiveMinimum - shift)
    let opacity = Float(visibleShadowOpacity * shadow.intensity)
    if shadow.source == .viewLayer { shadow.viewOpacity = opacity } else { shadow.defaultOpacity = opacity }
    if shadow.tellsIntensity {
      Self.outputs.shadowIntensityDidChange.post([("intensity", .number(shadow.intensity))], in: host)
    }
    moveStatusBar(to: shift)
    // Asked for again: the status bar may have changed the top inset.
    let low = effectiveMinimum
    host.setHidden(shift >= low && height <= low + Double.ulpOfOne, Self.drawer)
    guard records[index].exists else { return }
    let view = host.scrollView(index)
    var insets = view.scrollIndicatorInsets
    insets.top -= records[index].injectedIndicator
    records[index].injectedIndicator = height - shift - existingAdjustment(view)
    insets.top += records[index].injectedIndicator
    host.setScrollIndicatorInsets(insets, of: index)
  }

  private func shadowIntensity(_ shown: Double) -> Double {
    let edge = clamp(overlap, 0, Self.shadowLength)
    if hidesStatusBar {
      let shown = clamp(shown, 0, Self.shadowLength)
      let length = inFrontOfInfiniteContent ? shown : min(shown, edge)
      return clamp(length / Self.shadowLength, 0, 1)
    }
    return inFrontOfInfiniteContent ? 1 : edge / Self.shadowLength
  }

  /// A layer of the application's takes the shadow over, or gives it back to a layer that is not the view's own.
  func setShadowLayer(_ layer: ShadowLayer?) {
    shadow.tellsIntensity = layer == .customWithBlock
    if layer != nil {
      shadow.viewOpacity = 0
      shadow.source = .custom
    } else if shadow.source != .viewLayer {
      shadow.viewOpacity = 0
      shadow.source = .defaultLayer
    }
  }

  // MARK: Status bar style

  /// The style that the status bar should have over the header.
  func updateStyle() {
    guard holding != .viewOnly else { return }
    let style: StatusBarStyle
    if !infersStyle {
      style = givenStyle
    } else if background.alpha < 1 {
      style = .default
    } else {
      style = background.takesWhiteText ? .lightContent : .darkContent
    }
    wish { $0.preferredStatusBarStyle = style }
  }

  // MARK: Hairline

  /// The hairline in the header's coordinates; nil: it was never shown.
  var hairline: Rect? {
    guard hairlineExists else { return nil }
    let environment = host.environment
    let thickness = environment.visible ? 1 / environment.screenScale : 1
    let size = header.size
    return Rect(y: size.height - thickness, width: size.width, height: thickness)
  }

  // MARK: Touches

  /// The target of a touch at a point in header coordinates: a view's or the tracking scroll view's name, or null.
  func hitTest(_ point: Point) -> Value {
    let drawer = header
    let isInside = point.x >= 0 && point.x < drawer.size.width && point.y >= 0 && point.y < drawer.size.height
    guard isInside, !drawer.isHidden else { return .null }
    let trackingName: Value = tracking.map { .text(host.scrollViewName($0)) } ?? .null
    for index in (drawer.firstElement..<drawer.firstElement + drawer.elementCount).reversed() {
      let look = host.look(index)
      let frame = look.frame
      guard !look.isHidden, look.alpha >= 0.01, point.x >= frame.x, point.x < frame.x + frame.width,
        point.y >= frame.y, point.y < frame.maxY
      else { continue }
      return forwardedViews.contains { $0.element == index } ? trackingName : .text(host.elementName(index))
    }
    return trackingName
  }
}

// MARK: - Values
//
// The header's outputs beside its frame: values by name and wishes. They are published at the end of each entry, and only those that
// differ from the last ones, so that an ordinary scroll costs a handful of comparisons.

/// The values and notices of the behavior.
struct Outputs: Sendable {
  let scrollPhase: NamedValue<String>
  let scrollPhaseValue: NamedValue<Double>
  let scrollPhasePercentage: NamedValue<Double>
  let isShiftedOffscreen: NamedValue<Bool>
  let minimumHeight: NamedValue<Double>
  let maximumHeight: NamedValue<Double>
  let minimumHeightWithSafeArea: NamedValue<Double>
  let maximumHeightWithSafeArea: NamedValue<Double>
  let maximumHeightWithoutSafeArea: NamedValue<Double>
  let topSafeAreaInset: NamedValue<Double>
  let topSafeAreaGuideHeight: NamedValue<Double>
  let shadowOpacity: NamedValue<Double>
  let shadowIntensity: NamedValue<Double>
  let shadowSource: NamedValue<String>
  let statusBarState: NamedValue<String>
  let hairlineShown: NamedValue<Bool>
  let hairlineY: NamedValue<Double>
  let hairlineWidth: NamedValue<Double>
  let hairlineHeight: NamedValue<Double>
  let shiftAccumulator: NamedValue<Double>
  let wantsToBeHidden: NamedValue<Bool>
  let absoluteElevation: NamedValue<Double>
  let shadowColor: NamedValue<String>
  let hairlineColor: NamedValue<String>

  let frameDidChange: Notice
  let needsStatusBarAppearanceUpdate: Notice
  let didChangeTrackingScrollView: Notice
  let changeTrackingScrollViewAnimationDidComplete: Notice
  let shadowIntensityDidChange: Notice
  let elevationDidChange: Notice
  let animationCompletion: Notice
  let assertionFailed: Notice

  let valueCount: Int

  init(_ list: inout OutputList) {
    scrollPhase = list.value("scrollPhase", initial: "shifting", "shifting, collapsing or overExtending")
    scrollPhaseValue = list.value(
      "scrollPhaseValue", unit: "points", initial: 0, "What is left on the screen while shifting, else the height")
    scrollPhasePercentage = list.value(
      "scrollPhasePercentage", initial: 0, "0 to 1 through a phase: shifted out, expanded; beyond 1 over-extended")
    isShiftedOffscreen = list.value("isShiftedOffscreen", initial: false, "The header wants to be hidden, or is")
    minimumHeight = list.value("minimumHeight", unit: "points", initial: 0, "The minimum height as it is set")
    maximumHeight = list.value("maximumHeight", unit: "points", initial: 0, "The maximum height as it is set")
    minimumHeightWithSafeArea = list.value(
      "minimumHeightWithSafeArea", unit: "points", initial: 0, "The minimum height with the top inset")
    maximumHeightWithSafeArea = list.value(
      "maximumHeightWithSafeArea", unit: "points", initial: 0, "The maximum height with the top inset")
    maximumHeightWithoutSafeArea = list.value(
      "maximumHeightWithoutSafeArea", unit: "points", initial: 0, "The maximum height without the top inset")
    topSafeAreaInset = list.value("topSafeAreaInset", unit: "points", initial: 0, "The top inset")
    topSafeAreaGuideHeight = list.value(
      "topSafeAreaGuideHeight", unit: "points", initial: 0, "The top inset when it was last announced")
    shadowOpacity = list.value("shadowOpacity", initial: 0, "The opacity of the shadow layer in use")
    shadowIntensity = list.value("shadowIntensity", initial: 0, "How much of the shadow shows")
    shadowSource = list.value(
      "shadowSource", initial: "viewLayer", "viewLayer, custom, or defaultLayer after a custom one was removed")
    statusBarState = list.value(
      "statusBarState", initial: "real", "What stands in the status bar's place: real, snapshot or invalidSnapshot")
    hairlineShown = list.value("hairlineShown", initial: nil, "The hairline shows; null: it never did")
    hairlineY = list.value(
      "hairlineY", unit: "points", initial: nil, "The hairline's top in the header, at its left edge")
    hairlineWidth = list.value("hairlineWidth", unit: "points", initial: nil, "The hairline's width")
    hairlineHeight = list.value("hairlineHeight", unit: "points", initial: nil, "The hairline's height")
    shiftAccumulator = list.value(
      "shiftAccumulator", unit: "points", initial: 0,
      "The shift and what must be scrolled back before the header reappears")
    wantsToBeHidden = list.value(
      "wantsToBeHidden", initial: false, "The last direction of the finger, or the last call, was to hide the header")
    absoluteElevation = list.value(
      "absoluteElevation", unit: "points", initial: 0, "The header's elevation above the ground")
    shadowColor = list.value("shadowColor", initial: Color.black.text, "The shadow's color, as #rrggbbaa")
    hairlineColor = list.value(
      "hairlineColor", initial: nil, "The hairline's color, as #rrggbbaa; null: it never showed")
    frameDidChange = list.notice("frameDidChange", isRoutine: true)
    needsStatusBarAppearanceUpdate = list.notice("needsStatusBarAppearanceUpdate")
    didChangeTrackingScrollView = list.notice("didChangeTrackingScrollView")
    changeTrackingScrollViewAnimationDidComplete = list.notice("changeTrackingScrollViewAnimationDidComplete")
    shadowIntensityDidChange = list.notice("shadowIntensity")
    elevationDidChange = list.notice("elevationDidChange")
    animationCompletion = list.notice("animationCompletion")
    assertionFailed = list.notice("assertionFailed")
    valueCount = list.valueCount
  }
}

/// The values that were published last.
struct LastPublished {
  /// A number that no value has, so that each is published once.
  static let nothing = -Double.infinity
  /// The numbers by the index of the value; 0 and 1 stand for false and true.
  var numbers = [Double](repeating: LastPublished.nothing, count: FlexibleHeader.outputs.valueCount)
  var phase: ScrollPhase?
  var shadowSource: ShadowSource?
  var statusBarState: StatusBarState?
  var shadowColor: Color?
  var hairlineColor: Color?
}

extension FlexibleHeader {
  /// Changes the wishes to the surroundings. A wish about the status bar may be fulfilled before it returns.
  func wish(_ change: (inout Wants) -> Void) {
    var wants = host.wants
    let before = wants
    change(&wants)
    if wants != before { host.wants = wants }
  }

  /// Publishes the values that have changed.
  func publish() {
    tellPhase()
    tellHeights()
    tellLooks()
    if holding != .viewOnly {
      let (length, inset) = (guide.length, guide.additionalInset)
      wish { wants in
        wants.topLayoutGuideLength = length
        wants.additionalSafeAreaInset = Insets(top: inset)
      }
    }
  }

  private func tellPhase() {
    let outputs = Self.outputs
    tell(outputs.scrollPhase, phase, &published.phase, \.rawValue)
    tell(outputs.scrollPhaseValue, phaseValue)
    tell(outputs.scrollPhasePercentage, phasePercentage)
    tell(outputs.isShiftedOffscreen, wantsToBeHidden || isFullyShifted)
    tell(outputs.shiftAccumulator, accumulator)
    tell(outputs.wantsToBeHidden, wantsToBeHidden)
  }

  private func tellHeights() {
    let outputs = Self.outputs
    let (low, high) = (effectiveMinimum, effectiveMaximum)
    tell(outputs.minimumHeight, minimumHeight)
    tell(outputs.maximumHeight, maximumHeight)
    tell(outputs.minimumHeightWithSafeArea, low)
    tell(outputs.maximumHeightWithSafeArea, high)
    tell(outputs.maximumHeightWithoutSafeArea, maximumWithoutSafeArea)
    tell(outputs.topSafeAreaInset, topInset)
    tell(outputs.topSafeAreaGuideHeight, safeArea.guideHeight)
    // The application may have given the drawer others.
    if header.minimumHeight != low || header.maximumHeight != high {
      host.setHeights(minimum: low, maximum: high, of: Self.drawer)
    }
  }

  private func tellLooks() {
    let outputs = Self.outputs
    tell(outputs.shadowOpacity, Double(shadow.opacity))
    tell(outputs.shadowIntensity, shadow.intensity)
    tell(outputs.shadowSource, shadow.source, &published.shadowSource, \.rawValue)
    tell(outputs.statusBarState, shifter.state, &published.statusBarState, \.rawValue)
    tell(outputs.absoluteElevation, absoluteElevation)
    tell(outputs.shadowColor, shadowColor, &published.shadowColor, \.text)
    guard let line = hairline else { return }
    tell(outputs.hairlineColor, hairlineColor, &published.hairlineColor, \.text)
    tell(outputs.hairlineShown, showsHairline)
    tell(outputs.hairlineY, line.y)
    tell(outputs.hairlineWidth, line.width)
    tell(outputs.hairlineHeight, line.height)
  }

  private func tell(_ value: NamedValue<Double>, _ number: Double) {
    guard published.numbers[value.index] != number else { return }
    published.numbers[value.index] = number
    value.set(number, in: host)
  }

  private func tell<Content: Equatable>(
    _ value: NamedValue<String>, _ content: Content, _ last: inout Content?, _ text: (Content) -> String
  ) {
    guard last != content else { return }
    last = content
    value.set(text(content), in: host)
  }

  private func tell(_ value: NamedValue<Bool>, _ bool: Bool) {
    let number = bool ? 1.0 : 0
    guard published.numbers[value.index] != number else { return }
    published.numbers[value.index] = number
    value.set(bool, in: host)
  }
}
