// SPDX-License-Identifier: MIT
//
// The `layout` event: what it gives is taken over in a fixed order (environment, viewport, drawers, content size, the
// other keys, content inset, offset), then forwarded once. A key that was given is forwarded even when its value is the same,
// because some behaviors act on every assignment; `changed` has what really differs.

/// A `layout` event on its way into a header.
struct LayoutEvent {
  let header: Header
  let view: Int
  private var given: LayoutKeys = []
  private var changed: LayoutKeys = []

  init(_ header: Header, _ view: Int) {
    self.header = header
    self.view = view
  }

  /// Takes over what the event gives, and sends it down the chain.
  /// - Parameter offset: where the content is then, if the event says so.
  consuming func apply(_ change: LayoutChange, offset: PartialPoint?) {
    if change.pass { given = .pass }
    let offsetBefore = view >= 0 ? header.scrollViews[view].contentOffset : Point()
    applyEnvironment(change)
    if view >= 0, let viewport = change.viewport {
      take(.viewport, setViewport(viewport.filled(from: header.scrollViews[view].viewport)))
    }
    if let drawers = change.drawers {
      var differs = false
      for drawer in drawers where apply(drawer) { differs = true }
      take(.drawers, differs)
    }
    if view >= 0 {
      applyScrollView(change)
      if let offset {
        let reported = offset.filled(from: offsetBefore)
        let differs = reported != offsetBefore
        take(.offset, differs)
        if differs {
          // A change of the inset may have brought it there already.
          let isWrite = reported != header.scrollViews[view].contentOffset
          header.scrollViews[view].contentOffset = reported
          header.tellWrite(view)
          if isWrite { header.nestedDidScroll(view) }
        }
      }
    }
    var event = DelegateEvent(.layout, scrollView: Int32(view))
    event.given = given
    event.changed = changed
    _ = header.forwardAsking(event)
  }

  private mutating func take(_ key: LayoutKeys, _ differs: Bool) {
    given.insert(key)
    if differs { changed.insert(key) }
  }

  private mutating func applyEnvironment(_ change: LayoutChange) {
    var record = header.environment
    record.takeOver(change) { take($0, $1) }
    guard !given.isSubset(of: .pass) else { return }
    header.environment = record
    header.updateAdjustedInsets()
  }

  /// The scroll view grows by the difference (a behavior may have let it grow before), and so do the drawers' widths when
  /// it is the tracking one; without a tracking one the first counts.
  private func setViewport(_ viewport: Size) -> Bool {
    let old = header.scrollViews[view].viewport
    guard viewport != old else { return false }
    let growth = Size(width: viewport.width - old.width, height: viewport.height - old.height)
    header.scrollViews[view].viewport = viewport
    if growth.width != 0, view == max(0, header.trackingScrollView) {
      for index in header.drawers.indices {
        var drawer = header.drawers[index]
        drawer.frame.size.width += growth.width
        header.drawers[index] = drawer
      }
      header.changed()
    }
    var frame = header.scrollViews[view].frame
    frame.size.width += growth.width
    frame.size.height += growth.height
    header.writeFrame(frame, view)
    var event = DelegateEvent(.didResize, scrollView: Int32(view))
    event.size = viewport
    _ = header.forward(event)
    return true
  }

  private func apply(_ change: DrawerChange) -> Bool {
    guard let index = header.plans.plan.description.drawers.firstIndex(where: { $0.name == change.name }) else {
      return false
    }
    let before = header.drawers[index]
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
    header.drawers[index] = drawer
    var differs = drawer != before
    for element in change.elements ?? [] {
      guard let place = header.description.drawers[index].elements.firstIndex(where: { $0.name == element.name }) else {
        continue
      }
      if apply(element, Int(drawer.firstElement) + place) { differs = true }
    }
    if differs { header.changed() }
    return differs
  }

  private func apply(_ change: ElementChange, _ index: Int) -> Bool {
    let before = header.elements[index]
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
    header.elements[index] = element
    return true
  }

  private mutating func applyScrollView(_ change: LayoutChange) {
    if let partial = change.contentSize {
      let size = partial.filled(from: header.scrollViews[view].contentSize)
      take(.contentSize, size != header.scrollViews[view].contentSize)
      header.writeContentSize(size, view)
    }
    func set<Field: Equatable>(_ key: LayoutKeys, _ value: Field?, _ field: WritableKeyPath<ScrollView, Field>) {
      guard let value else { return }
      take(key, header.scrollViews[view][keyPath: field] != value)
      header.scrollViews[view][keyPath: field] = value
    }
    if let frame = change.frame?.filled(from: header.scrollViews[view].frame) {
      take(.frame, frame != header.scrollViews[view].frame)
      header.writeFrame(frame, view)
    }
    if let insets = change.scrollIndicatorInsets?.filled(from: header.scrollViews[view].scrollIndicatorInsets) {
      take(.scrollIndicatorInsets, insets != header.scrollViews[view].scrollIndicatorInsets)
      header.writeIndicatorInsets(insets, view)
    }
    set(.contentInsetAdjustment, change.contentInsetAdjustment, \.contentInsetAdjustment)
    set(.kind, change.kind, \.kind)
    set(.pagingEnabled, change.pagingEnabled, \.pagingEnabled)
    set(.forwardsEvents, change.forwardsEvents, \.forwardsEvents)
    set(.clamping, change.clamping, \.clamping)
    set(.boundsAnimationDuration, change.boundsAnimationDuration, \.boundsAnimationDuration)
    if let control = change.refreshControl { take(.refreshControl, apply(control)) }
    if change.contentInsetAdjustment != nil { header.updateAdjustedInset(view) }
    if let partial = change.contentInset {
      let inset = partial.filled(from: header.scrollViews[view].contentInset)
      take(.contentInset, inset != header.scrollViews[view].contentInset)
      header.writeContentInset(inset, view)
    }
  }

  private func apply(_ change: RefreshControlChange) -> Bool {
    let before = header.scrollViews[view]
    switch change {
    case .removed:
      header.scrollViews[view].hasRefreshControl = false
      header.scrollViews[view].isRefreshing = false
    case .present(let hidden, let refreshing, let height):
      header.scrollViews[view].hasRefreshControl = true
      if let hidden { header.scrollViews[view].refreshControlHidden = hidden }
      if let refreshing { header.scrollViews[view].isRefreshing = refreshing }
      if let height { header.scrollViews[view].refreshControlHeight = height }
    }
    let after = header.scrollViews[view]
    return before.hasRefreshControl != after.hasRefreshControl
      || before.refreshControlHidden != after.refreshControlHidden || before.isRefreshing != after.isRefreshing
      || before.refreshControlHeight != after.refreshControlHeight
  }
}
