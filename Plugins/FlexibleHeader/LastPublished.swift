// SPDX-License-Identifier: MIT
//
// The header's outputs beside its frame: values by name and wishes. They are published at the end of each entry, and only those that
// differ from the last ones, so that an ordinary scroll costs a handful of comparisons.

internal import HeaderPluginKit

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
    if published.phase != phase {
      published.phase = phase
      outputs.scrollPhase.set(phase.rawValue, in: host)
    }
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
    if published.shadowSource != shadow.source {
      published.shadowSource = shadow.source
      outputs.shadowSource.set(shadow.source.rawValue, in: host)
    }
    if published.statusBarState != shifter.state {
      published.statusBarState = shifter.state
      outputs.statusBarState.set(shifter.state.rawValue, in: host)
    }
    tell(outputs.absoluteElevation, absoluteElevation)
    if published.shadowColor != shadowColor {
      published.shadowColor = shadowColor
      outputs.shadowColor.set(shadowColor.text, in: host)
    }
    guard let line = hairline else { return }
    if published.hairlineColor != hairlineColor {
      published.hairlineColor = hairlineColor
      outputs.hairlineColor.set(hairlineColor.text, in: host)
    }
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

  private func tell(_ value: NamedValue<Bool>, _ bool: Bool) {
    let number = bool ? 1.0 : 0
    guard published.numbers[value.index] != number else { return }
    published.numbers[value.index] = number
    value.set(bool, in: host)
  }
}
