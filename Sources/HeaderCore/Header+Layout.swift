// SPDX-License-Identifier: MIT
//
// The `layout` event: what it gives is taken over in a fixed order (environment, viewport, drawers, content size, the
// other keys, content inset, offset), then told once. A key that was given is told even when its value is the same,
// because some behaviors act on every assignment; what really differs is told beside it.

extension Header {
  func applyLayout(_ change: LayoutChange, _ event: ScrollEvent, _ view: Int) {
    var given: LayoutKeys = change.pass ? .pass : []
    var changed: LayoutKeys = []
    let offsetBefore = view >= 0 ? scrollViews[view].contentOffset : Point()
    applyEnvironment(change, &given, &changed)
    if view >= 0, let viewport = change.viewport {
      take(.viewport, setViewport(viewport.filled(from: scrollViews[view].viewport), view), &given, &changed)
    }
    if let drawers = change.drawers {
      var differs = false
      for drawer in drawers where apply(drawer) { differs = true }
      take(.drawers, differs, &given, &changed)
    }
    if view >= 0 {
      applyScrollView(change, view, &given, &changed)
      if let offset = event.offset {
        let reported = offset.filled(from: offsetBefore)
        let differs = reported != offsetBefore
        take(.offset, differs, &given, &changed)
        if differs {
          // A change of the inset may have brought it there already.
          let isWrite = reported != scrollViews[view].contentOffset
          scrollViews[view].contentOffset = reported
          tellWrite(view)
          if isWrite { nestedDidScroll(view) }
        }
      }
    }
    var told = DelegateEvent(.layout, scrollView: Int32(view))
    told.given = given
    told.changed = changed
    _ = forwardAsking(told)
  }

  private func take(_ key: LayoutKeys, _ differs: Bool, _ given: inout LayoutKeys, _ changed: inout LayoutKeys) {
    given.insert(key)
    if differs { changed.insert(key) }
  }

  private func applyEnvironment(_ change: LayoutChange, _ given: inout LayoutKeys, _ changed: inout LayoutKeys) {
    var record = environment
    func set<Field: Equatable>(_ key: LayoutKeys, _ value: Field?, _ field: WritableKeyPath<Environment, Field>) {
      guard let value else { return }
      take(key, record[keyPath: field] != value, &given, &changed)
      record[keyPath: field] = value
    }
    set(.safeAreaInset, change.safeAreaInset?.filled(from: record.safeAreaInset), \.safeAreaInset)
    set(.viewOrigin, change.viewOrigin?.filled(from: record.viewOrigin), \.viewOrigin)
    set(.statusBarHeight, change.statusBarHeight, \.statusBarHeight)
    set(.statusBarHidden, change.statusBarHidden, \.statusBarHidden)
    set(.screenScale, change.screenScale, \.screenScale)
    set(.clockSecondOfMinute, change.clockSecondOfMinute, \.clockSecondOfMinute)
    set(.statusBarFollowsHeader, change.statusBarFollowsHeader, \.statusBarFollowsHeader)
    set(.deviceHasHardwareSafeArea, change.deviceHasHardwareSafeArea, \.deviceHasHardwareSafeArea)
    set(.visible, change.visible, \.visible)
    set(.presented, change.presented, \.presented)
    set(.keyWindow, change.keyWindow, \.keyWindow)
    set(.voiceOverRunning, change.voiceOverRunning, \.voiceOverRunning)
    set(.reduceMotion, change.reduceMotion, \.reduceMotion)
    set(.appExtension, change.appExtension, \.appExtension)
    guard !given.isSubset(of: .pass) else { return }
    environment = record
    updateAdjustedInsets()
  }

  /// The scroll view grows by the difference (a behavior may have let it grow before), and so do the drawers' widths when
  /// it is the tracking one; without a tracking one the first counts.
  private func setViewport(_ viewport: Size, _ view: Int) -> Bool {
    let old = scrollViews[view].viewport
    guard viewport != old else { return false }
    let growth = Size(width: viewport.width - old.width, height: viewport.height - old.height)
    scrollViews[view].viewport = viewport
    if growth.width != 0, view == max(0, trackingScrollView) {
      for index in drawers.indices {
        var drawer = drawers[index]
        drawer.frame.size.width += growth.width
        drawers[index] = drawer
      }
      self.changed()
    }
    var frame = scrollViews[view].frame
    frame.size.width += growth.width
    frame.size.height += growth.height
    writeFrame(frame, view)
    var told = DelegateEvent(.didResize, scrollView: Int32(view))
    told.size = viewport
    _ = forward(told)
    return true
  }

  private func apply(_ change: DrawerChange) -> Bool {
    guard let index = plan.description.drawers.firstIndex(where: { $0.name == change.name }) else { return false }
    let before = drawers[index]
    var drawer = before
    var frame = drawer.frame
    if let y = change.y { frame.origin.y = y }
    if let width = change.width { frame.size.width = width }
    if let height = change.height { frame.size.height = height }
    if frame != drawer.frame { drawer.frame = frame }
    if let height = change.minimumHeight { drawer.minimumHeight = height }
    if let height = change.maximumHeight { drawer.maximumHeight = height }
    if let sticky = change.sticky { drawer.isSticky = sticky }
    if let alpha = change.alpha { drawer.alpha = Float(alpha) }
    if let hidden = change.hidden { drawer.isHidden = hidden }
    drawers[index] = drawer
    var differs = drawer != before
    for element in change.elements ?? [] {
      guard let place = description.drawers[index].elements.firstIndex(where: { $0.name == element.name }) else {
        continue
      }
      if apply(element, Int(drawer.firstElement) + place) { differs = true }
    }
    if differs { changed() }
    return differs
  }

  private func apply(_ change: ElementChange, _ index: Int) -> Bool {
    let before = elements[index]
    var element = before
    if let partial = change.frame {
      let frame = partial.filled(
        from: Rect(
          x: before.center.x - before.bounds.size.width * 0.5, y: before.center.y - before.bounds.size.height * 0.5,
          width: before.bounds.size.width, height: before.bounds.size.height))
      let placed = Element(drawer: element.drawer, frame: frame)
      element.center = placed.center
      element.bounds.size = placed.bounds.size
    }
    if let alpha = change.alpha { element.alpha = Float(alpha) }
    if let hidden = change.hidden { element.isHidden = hidden }
    if let zIndex = change.zIndex { element.zIndex = zIndex }
    if let transform = change.transform { element.transform = transform }
    guard element != before else { return false }
    elements[index] = element
    return true
  }

  private func applyScrollView(
    _ change: LayoutChange, _ view: Int, _ given: inout LayoutKeys, _ changed: inout LayoutKeys
  ) {
    if let partial = change.contentSize {
      let size = partial.filled(from: scrollViews[view].contentSize)
      take(.contentSize, size != scrollViews[view].contentSize, &given, &changed)
      writeContentSize(size, view)
    }
    func set<Field: Equatable>(_ key: LayoutKeys, _ value: Field?, _ field: WritableKeyPath<ScrollView, Field>) {
      guard let value else { return }
      take(key, scrollViews[view][keyPath: field] != value, &given, &changed)
      scrollViews[view][keyPath: field] = value
    }
    if let frame = change.frame?.filled(from: scrollViews[view].frame) {
      take(.frame, frame != scrollViews[view].frame, &given, &changed)
      writeFrame(frame, view)
    }
    if let insets = change.scrollIndicatorInsets?.filled(from: scrollViews[view].scrollIndicatorInsets) {
      take(.scrollIndicatorInsets, insets != scrollViews[view].scrollIndicatorInsets, &given, &changed)
      writeIndicatorInsets(insets, view)
    }
    set(.contentInsetAdjustment, change.contentInsetAdjustment, \.contentInsetAdjustment)
    set(.kind, change.kind, \.kind)
    set(.pagingEnabled, change.pagingEnabled, \.pagingEnabled)
    set(.forwardsEvents, change.forwardsEvents, \.forwardsEvents)
    set(.clamping, change.clamping, \.clamping)
    set(.boundsAnimationDuration, change.boundsAnimationDuration, \.boundsAnimationDuration)
    if let control = change.refreshControl { take(.refreshControl, apply(control, view), &given, &changed) }
    if change.contentInsetAdjustment != nil { updateAdjustedInset(view) }
    if let partial = change.contentInset {
      let inset = partial.filled(from: scrollViews[view].contentInset)
      take(.contentInset, inset != scrollViews[view].contentInset, &given, &changed)
      writeContentInset(inset, view)
    }
  }

  private func apply(_ change: RefreshControlChange, _ view: Int) -> Bool {
    let before = scrollViews[view]
    switch change {
    case .removed:
      scrollViews[view].hasRefreshControl = false
      scrollViews[view].isRefreshing = false
    case .present(let hidden, let refreshing, let height):
      scrollViews[view].hasRefreshControl = true
      if let hidden { scrollViews[view].refreshControlHidden = hidden }
      if let refreshing { scrollViews[view].isRefreshing = refreshing }
      if let height { scrollViews[view].refreshControlHeight = height }
    }
    let after = scrollViews[view]
    return before.hasRefreshControl != after.hasRefreshControl
      || before.refreshControlHidden != after.refreshControlHidden || before.isRefreshing != after.isRefreshing
      || before.refreshControlHeight != after.refreshControlHeight
  }
}
