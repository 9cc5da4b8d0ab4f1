// SPDX-License-Identifier: MIT
//
// What the header tells about itself that is no frame: values by name and wishes. They are told at the end of each entry,
// and only those that differ from what was told last, so that an ordinary scroll costs a handful of comparisons.

internal import HeaderPluginKit

/// The values, by their place in the definition.
enum Number: Int, CaseIterable {
  case scrollPhase, scrollPhaseValue, scrollPhasePercentage, isShiftedOffscreen
  case minimumHeight, maximumHeight, minimumHeightWithSafeArea, maximumHeightWithSafeArea
  case maximumHeightWithoutSafeArea, topSafeAreaInset, topSafeAreaGuideHeight
  case shadowOpacity, shadowIntensity, shadowSource, statusBarState
  case hairlineShown, hairlineY, hairlineWidth, hairlineHeight
  case shiftAccumulator, wantsToBeHidden
  // Appended, because a saved header's values stand by their places.
  case absoluteElevation, shadowColor, hairlineColor
}

/// What was told last; numbers stand for truths and words too.
struct Told {
  /// No value is told as this, so that everything is told once.
  static let nothing = -Double.infinity
  var numbers = [Double](repeating: Told.nothing, count: Number.allCases.count)
  var shadowColor: Color?
  var hairlineColor: Color?
}

/// The notices, by their place in the definition.
enum Notice {
  static let names = [
    "frameDidChange", "needsStatusBarAppearanceUpdate", "didChangeTrackingScrollView",
    "changeTrackingScrollViewAnimationDidComplete", "shadowIntensity", "elevationDidChange", "animationCompletion",
    "assertionFailed",
  ]
  static let frameDidChange = 0
  static let needsStatusBarAppearanceUpdate = 1
  static let didChangeTrackingScrollView = 2
  static let changeTrackingScrollViewAnimationDidComplete = 3
  static let shadowIntensity = 4
  static let elevationDidChange = 5
  static let animationCompletion = 6
  static let assertionFailed = 7
}

extension FlexibleHeader {
  /// Changes what is asked of the surroundings. A wish about the status bar may be fulfilled before it returns.
  func wish(_ change: (inout Wants) -> Void) {
    var wants = host.wants
    let before = wants
    change(&wants)
    if wants != before { host.wants = wants }
  }

  /// Tells what has changed.
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
    tell(.scrollPhase, phase == .shifting ? 0 : phase == .collapsing ? 1 : 2) { host, place in
      switch phase {
      case .shifting: host.set(place, "shifting")
      case .collapsing: host.set(place, "collapsing")
      case .overExtending: host.set(place, "overExtending")
      }
    }
    tell(.scrollPhaseValue, phaseValue)
    tell(.scrollPhasePercentage, phasePercentage)
    tell(.isShiftedOffscreen, wantsToBeHidden || isFullyShifted)
    tell(.shiftAccumulator, accumulator)
    tell(.wantsToBeHidden, wantsToBeHidden)
  }

  private func tellHeights() {
    let (low, high) = (effectiveMinimum, effectiveMaximum)
    tell(.minimumHeight, minimumHeight)
    tell(.maximumHeight, maximumHeight)
    tell(.minimumHeightWithSafeArea, low)
    tell(.maximumHeightWithSafeArea, high)
    tell(.maximumHeightWithoutSafeArea, maximumWithoutSafeArea)
    tell(.topSafeAreaInset, topInset)
    tell(.topSafeAreaGuideHeight, safeArea.guideHeight)
    // The application may have given the drawer others.
    if header.minimumHeight != low || header.maximumHeight != high {
      host.setHeights(minimum: low, maximum: high, of: Self.drawer)
    }
  }

  private func tellLooks() {
    tell(.shadowOpacity, Double(shadow.opacity))
    tell(.shadowIntensity, shadow.intensity)
    let source = shadow.source
    tell(.shadowSource, source == .viewLayer ? 0 : source == .custom ? 1 : 2) { host, place in
      switch source {
      case .viewLayer: host.set(place, "viewLayer")
      case .custom: host.set(place, "custom")
      case .defaultLayer: host.set(place, "defaultLayer")
      }
    }
    let state = shifter.state
    tell(.statusBarState, state == .real ? 0 : state == .snapshot ? 1 : 2) { host, place in
      switch state {
      case .real: host.set(place, "real")
      case .snapshot: host.set(place, "snapshot")
      case .invalidSnapshot: host.set(place, "invalidSnapshot")
      }
    }
    tell(.absoluteElevation, absoluteElevation)
    if told.shadowColor != shadowColor {
      told.shadowColor = shadowColor
      host.set(Number.shadowColor.rawValue, text: shadowColor.text)
    }
    guard let line = hairline else { return }
    if told.hairlineColor != hairlineColor {
      told.hairlineColor = hairlineColor
      host.set(Number.hairlineColor.rawValue, text: hairlineColor.text)
    }
    tell(.hairlineShown, showsHairline)
    tell(.hairlineY, line.y)
    tell(.hairlineWidth, line.width)
    tell(.hairlineHeight, line.height)
  }

  private func tell(_ value: Number, _ number: Double) {
    guard told.numbers[value.rawValue] != number else { return }
    told.numbers[value.rawValue] = number
    host.set(value.rawValue, number)
  }

  private func tell(_ value: Number, _ bool: Bool) {
    let number = bool ? 1.0 : 0
    guard told.numbers[value.rawValue] != number else { return }
    told.numbers[value.rawValue] = number
    host.set(value.rawValue, bool)
  }

  /// A word, by a number that stands for it.
  private func tell(_ value: Number, _ number: Double, _ word: (Host, Int) -> Void) {
    guard told.numbers[value.rawValue] != number else { return }
    told.numbers[value.rawValue] = number
    word(host, value.rawValue)
  }
}
