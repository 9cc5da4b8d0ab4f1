// SPDX-License-Identifier: MIT
//
// The steps by which an application makes a header. Their order decides what the header shows at first. The description's `hosting`
// selects the way:
//
//     controller               viewController, viewOnly, unattached or wrapped (`Holding`)
//     headerHost               sibling; insideTrackingScrollView, scrollViewIsContent: a subview of the first scroll view;
//                              earlyViewLoad: the wrapping controller's view is loaded before it gets its content
//     contentControllerIsRoot  the content controller has no parent
//     headerFrame              the frame that a bare view is given, points
//
// The options are set in the order of their list; only the values at the end are published.

internal import HeaderPluginKit

/// Options in the order in which they are assigned.
typealias GivenOptions = [(key: OptionKey, value: Value)]

extension FlexibleHeader {
  /// The set-up in the application's order.
  func setUp(_ options: GivenOptions, _ hosting: Value) {
    switch holding {
    case .viewController: setUpInWindow(options, hosting)
    case .viewOnly: setUpView(options, hosting)
    case .unattached: setUpUnattached(options, hosting)
    case .wrapped: setUpWrapped(options, hosting)
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

  private func setUpWrapped(_ options: GivenOptions, _ hosting: Value) {
    create(width: viewport.width, height: viewport.height)
    hasParent = true
    setInfersSafeArea(true)
    for (key, value) in options { apply(key, value) }
    setTrackingScrollView(host.trackingScrollView)
    let isEarly = hosting["headerHost"]?.text == "earlyViewLoad" || hosting["earlyViewLoad"]?.bool ?? false
    if !isEarly { wrapContent() }
    setFrame(Rect(width: viewport.width, height: viewport.height))
    didMoveToParent()
    updateLayoutGuide()
    if isEarly { wrapContent() }
  }

  /// The content controller is put into the container.
  private func wrapContent() {
    if adjustsLayoutGuide { setGuideController(true) }
  }
}
