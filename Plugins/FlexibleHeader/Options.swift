// SPDX-License-Identifier: MIT
//
// The setters of the header's properties, with their visible effects. They come in the order in which a set-up applies them; those up to
// `trackingScrollViewIsBeingScrubbed` are the view's own ("geometry"), the rest is about colors and the controller.

internal import HeaderPluginKit

enum OptionKey: String, CaseIterable {
  case minMaxHeightIncludesSafeArea, maximumHeight, minimumHeight, canOverExtend, visibleShadowOpacity
  case inFrontOfInfiniteContent, sharedWithManyScrollViews, resetShadowAfterTrackingScrollViewIsReset
  case disableContentInsetAdjustmentWhenContentInsetAdjustmentBehaviorIsNever
  case allowShadowLayerFrameAnimationsWhenChangingTrackingScrollView, headerContentImportance
  case minimumHeaderViewHeight, statusBarHintCanOverlapHeader, contentIsTranslucent, shiftBehavior
  case observesTrackingScrollViewScrollEvents, trackingScrollViewIsBeingScrubbed, frameRateIndependent
  case backgroundColor, shadowLayer, shadowColor, elevationBlock, overrideBaseElevation, elevation
  case inferPreferredStatusBarStyle, preferredStatusBarStyle
  case permitInferringTopSafeAreaFromTopLayoutGuideViewController, topSafeAreaSourceViewController
  case inferTopSafeAreaInsetFromViewController, topLayoutGuideAdjustmentEnabled, topLayoutGuideViewController
  case useAdditionalSafeAreaInsetsForWebKitScrollViews, showsHairline, hairlineColor

  /// It is set before there is a scroll view, where there is no window.
  var isGeometry: Bool {
    let all = Self.allCases
    return all.firstIndex(of: self) ?? 0 < all.firstIndex(of: .backgroundColor) ?? 0
  }
}

extension FlexibleHeader {
  /// Assigns one option. The value has passed its description.
  func apply(_ key: OptionKey, _ value: Value) {
    let isOn = value.bool ?? false
    let number = value.number ?? 0
    switch key {
    case .minMaxHeightIncludesSafeArea: setIncludesSafeArea(isOn)
    case .maximumHeight: value.number.map(setMaximumHeight) ?? forgetHeights()
    case .minimumHeight: value.number.map(setMinimumHeight) ?? forgetHeights()
    case .canOverExtend: canOverExtend = isOn
    case .visibleShadowOpacity:
      visibleShadowOpacity = Double(Float(number))
      updateShadow()
    case .inFrontOfInfiniteContent: setInFrontOfInfiniteContent(isOn)
    case .sharedWithManyScrollViews: isShared = isOn
    case .resetShadowAfterTrackingScrollViewIsReset: resetsShadow = isOn
    case .disableContentInsetAdjustmentWhenContentInsetAdjustmentBehaviorIsNever: skipsNeverAdjusting = isOn
    case .allowShadowLayerFrameAnimationsWhenChangingTrackingScrollView: laysOutTwice = isOn
    case .headerContentImportance: contentImportance = value.text.flatMap(ContentImportance.init) ?? .default
    case .minimumHeaderViewHeight: minimumHeaderViewHeight = number
    case .statusBarHintCanOverlapHeader: setHintCanOverlap(isOn)
    case .contentIsTranslucent:
      contentIsTranslucent = isOn
      shifter.takesSnapshots = !isOn
    case .shiftBehavior: setShiftBehavior(value.text.flatMap(ShiftBehavior.init) ?? .disabled)
    case .observesTrackingScrollViewScrollEvents: setObserves(isOn)
    case .trackingScrollViewIsBeingScrubbed: isScrubbed = isOn
    case .frameRateIndependent: frameRateIndependent = isOn
    default: applyLooks(key, value, isOn)
    }
  }

  private func applyLooks(_ key: OptionKey, _ value: Value, _ isOn: Bool) {
    switch key {
    case .backgroundColor: background = Color(value)
    case .shadowLayer: setShadowLayer(value.text.flatMap(ShadowLayer.init))
    case .shadowColor: shadowColor = Color(value)
    case .hairlineColor: hairlineColor = Color(value)
    case .elevationBlock: tellsElevation = isOn
    // The library's property is not observable. The next change of the elevation publishes it.
    case .overrideBaseElevation: baseElevation = value.number ?? -1
    case .elevation: setElevation(value.number ?? 0)
    case .inferPreferredStatusBarStyle: infersStyle = isOn
    case .preferredStatusBarStyle:
      if infersStyle { failAssertion("a status bar style is set while it is inferred") }
      givenStyle = StatusBarStyle(word: value.text ?? "")
    case .permitInferringTopSafeAreaFromTopLayoutGuideViewController:
      permitsGuideController = isOn
      determineSource()
    case .topSafeAreaSourceViewController:
      safeArea.given = value.text.flatMap(SafeAreaController.init)
      determineSource()
    case .inferTopSafeAreaInsetFromViewController: setInfersSafeArea(isOn)
    case .topLayoutGuideAdjustmentEnabled: adjustsLayoutGuide = isOn
    case .topLayoutGuideViewController: setGuideController(value.text != nil)
    case .useAdditionalSafeAreaInsetsForWebKitScrollViews: usesAdditionalInsetsForWeb = isOn
    case .showsHairline:
      showsHairline = isOn
      hairlineExists = hairlineExists || isOn
    default: break
    }
    updateStyle()
  }

  // MARK: Heights

  private func setIncludesSafeArea(_ includes: Bool) {
    guard includes != includesSafeArea else { return }
    includesSafeArea = includes
    let height = Self.defaultHeight + (includes ? topInset : 0)
    if !minimumIsExplicit { minimumHeight = height }
    if !maximumIsExplicit { maximumHeight = height }
  }

  private func setMaximumHeight(_ height: Double) {
    maximumIsExplicit = true
    guard height != maximumHeight else { return }
    maximumHeight = height
    adjustInsets(tracking)
    if maximumHeight < minimumHeight { setMinimumHeight(maximumHeight) } else { relayout() }
  }

  private func setMinimumHeight(_ height: Double) {
    minimumIsExplicit = true
    guard height != minimumHeight else { return }
    minimumHeight = height
    if minimumHeight > maximumHeight { setMaximumHeight(minimumHeight) } else { relayout() }
  }

  /// Ours: null makes the heights follow the safe area again.
  private func forgetHeights() {
    guard minimumIsExplicit || maximumIsExplicit else { return }
    minimumIsExplicit = false
    maximumIsExplicit = false
    minimumHeight = Self.defaultHeight + (includesSafeArea ? topInset : 0)
    maximumHeight = minimumHeight
    adjustInsets(tracking)
    relayout()
  }

  // MARK: Shadow, shift, status bar

  private func setInFrontOfInfiniteContent(_ infinite: Bool) {
    guard infinite != inFrontOfInfiniteContent else { return }
    inFrontOfInfiniteContent = infinite
    if tracking == nil {
      shadow.viewOpacity = infinite ? Float(visibleShadowOpacity) : 0
    } else {
      relayout()
    }
  }

  private func setHintCanOverlap(_ can: Bool) {
    guard can != hintCanOverlap else { return }
    hintCanOverlap = can
    setShifterEnabled()
    startApproach()
  }

  private func setShiftBehavior(_ wanted: ShiftBehavior) {
    if observes, wanted == .enabled || wanted == .enabledWithStatusBar {
      failAssertion("shifting is enabled although the offset is observed")
    }
    let isExtension = host.environment.appExtension
    let behavior = isExtension && wanted == .enabledWithStatusBar ? .enabled : wanted
    guard behavior != shiftBehavior else { return }
    shiftBehavior = behavior
    setShifterEnabled()
    guard behavior == .disabled else { return }
    wantsToBeHidden = false
    startApproach()
  }

  private func setObserves(_ observes: Bool) {
    if observes, shiftBehavior == .enabled || shiftBehavior == .enabledWithStatusBar {
      failAssertion("the offset is observed although shifting is enabled")
    }
    self.observes = observes
  }

  private func setElevation(_ elevation: Double) {
    guard !isNear(elevation, self.elevation) else { return }
    self.elevation = elevation
    if tellsElevation { Self.outputs.elevationDidChange.post([("elevation", .number(absoluteElevation))], in: host) }
  }
}

extension Color {
  static let black = Color(red: 0, green: 0, blue: 0, alpha: 1)

  /// A color as it is given: red, green, blue and alpha, or white and alpha.
  init(_ value: Value) {
    let white = value["white"]?.number
    red = white ?? value["red"]?.number ?? 0
    green = white ?? value["green"]?.number ?? 0
    blue = white ?? value["blue"]?.number ?? 0
    alpha = value["alpha"]?.number ?? 1
  }
}

extension StatusBarStyle {
  init(word: String) {
    switch word {
    case "lightContent": self = .lightContent
    case "darkContent": self = .darkContent
    default: self = .default
    }
  }
}

// MARK: - Set-up
//
// The steps by which an application makes a header. Their order decides what the header shows at first. The description's `hosting`
// selects the way:
//
//     controller               viewController, viewOnly, unattached or wrapped (`Holding`)
//     headerHost               sibling; insideTrackingScrollView, scrollViewIsContent: a subview of the first scroll view;
//                              earlyViewLoad: the wrapping controller's view is loaded first, with the same result as sibling
//     contentControllerIsRoot  the content controller has no parent
//     headerFrame              the frame that a bare view is given, points
//
// The options are set in the order of their list; only the values at the end are published.

/// Options in the order in which they are assigned.
typealias GivenOptions = [(key: OptionKey, value: Value)]

extension FlexibleHeader {
  /// The set-up in the application's order.
  func setUp(_ options: GivenOptions, _ hosting: Value) {
    switch holding {
    case .viewController: setUpInWindow(options, hosting)
    case .viewOnly: setUpView(options, hosting)
    case .unattached: setUpUnattached(options, hosting)
    case .wrapped: setUpWrapped(options)
    }
  }

  func readHosting(_ hosting: Value) throws(Refusal) {
    if let word = hosting["controller"]?.text {
      guard let known = Holding(rawValue: word) else {
        throw Refusal("hosting.controller is \"\(word)\", expected viewController, viewOnly, unattached or wrapped")
      }
      holding = known
    }
    contentIsRoot = hosting["contentControllerIsRoot"]?.bool ?? false
  }

  /// A header inside a scroll view is a subview of the first one.
  private func moveIntoHolder(_ hosting: Value) {
    switch hosting["headerHost"]?.text {
    case "insideTrackingScrollView", "scrollViewIsContent":
      holder = host.scrollViewCount > 0 ? 0 : nil
    default: holder = nil
    }
    if let holder, holder == tracking { translate(to: host.scrollView(holder).contentOffset.y) }
  }

  /// The view is made with a frame; nothing is known of a scroll view yet.
  private func create(width: Double, height: Double) {
    place(Rect(width: width, height: height))
    shifter.originalHeight = statusBarHeight
    safeArea.guideHeight = topInset
    minimumHeight = Self.defaultHeight + topInset
    maximumHeight = minimumHeight
  }

  private var viewport: Size {
    guard host.scrollViewCount > 0 else { return Size(width: host.drawer(Self.drawer).size.width) }
    let frame = host.scrollView(host.trackingScrollView ?? 0).frame
    return Size(width: frame.width, height: frame.height)
  }

  private func setUpInWindow(_ options: GivenOptions, _ hosting: Value) {
    create(width: viewport.width, height: viewport.height)
    guide.length = windowInsets.top
    for (key, value) in options { apply(key, value) }
    hasParent = true
    moveIntoHolder(hosting)
    changeWindow()
    announceSafeArea()
    setTrackingScrollView(host.trackingScrollView)
    didMoveToParent()
    viewWillAppear()
  }

  private func setUpView(_ options: GivenOptions, _ hosting: Value) {
    create(width: 0, height: 0)
    for (key, value) in options { apply(key, value) }
    let frame = hosting["headerFrame"]
    let size = Size(width: frame?["width"]?.number ?? 0, height: frame?["height"]?.number ?? 0)
    if size.width > 0, size.height > 0 {
      setFrame(
        Rect(x: frame?["x"]?.number ?? 0, y: frame?["y"]?.number ?? 0, width: size.width, height: size.height))
      sizeToFit()
    }
    setTrackingScrollView(host.trackingScrollView)
  }

  private func setUpUnattached(_ options: GivenOptions, _ hosting: Value) {
    create(width: viewport.width, height: viewport.height)
    for (key, value) in options where key.isGeometry { apply(key, value) }
    setTrackingScrollView(host.trackingScrollView)
    hasParent = true
    moveIntoHolder(hosting)
    for (key, value) in options where !key.isGeometry { apply(key, value) }
    didMoveToParent()
  }

  private func setUpWrapped(_ options: GivenOptions) {
    create(width: viewport.width, height: viewport.height)
    hasParent = true
    setInfersSafeArea(true)
    for (key, value) in options { apply(key, value) }
    setTrackingScrollView(host.trackingScrollView)
    // The content controller is put into the container.
    if adjustsLayoutGuide { setGuideController(true) }
    setFrame(Rect(width: viewport.width, height: viewport.height))
    didMoveToParent()
    updateLayoutGuide()
  }
}
