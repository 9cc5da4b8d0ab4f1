// SPDX-License-Identifier: MIT
//
// Changes of what a header is made of while it lives: a delegate's code (reload), its drawers and scroll views
// (`header.configure`). They stand in the header's one ordered stream, between two events; what the header shows does
// not jump by a reload.

extension Header {
  /// Lets new code take over a delegate, with what the old one saved. One that was bypassed has nothing to hand over: its
  /// successor begins anew.
  ///
  /// - Throws: `pluginRefused` when the new one does not take the options or the saved state; the old one then goes on as
  ///   if nothing had been tried.
  func replaceDelegate(
    at index: Int, with fresh: ScrollDelegate, emit: (borrowing HeaderState) -> Void
  ) throws(HeaderError) {
    let old = proxy.slots[index]
    let before = Everything(self)
    forgetFollowing(index)
    failure = nil
    do {
      try takeOver(index, fresh)
    } catch {
      before.putBack(into: self)
      var refusal = error
      refusal.name = .pluginRefused
      refusal.message = "header \"\(name)\" keeps the old \(old.delegate.behavior.name): \(error.message)"
      throw refusal
    }
    old.delegate.detach(from: self)
    description.delegates[index].behavior = fresh.behavior.name
    rebuildState(keepingPositions: true)
    // New code alone is no change: a notice repeated after it is routine as it would have been.
    if old.isBypassed || structureChanged { changed() }
    finishEvent()
    settle(emit)
  }

  /// All that a delegate may change, kept while new code tries to take over or a new delegate to attach.
  struct Everything {
    let slots: ContiguousArray<DelegateProxy.Slot>
    let drawers: [Drawer]
    let elements: [Element]
    let scrollViews: [ScrollView]
    let environment: Environment
    let drawerOwners: [Int32]
    let elementOwners: [Int32]
    let followers: DelegateSet
    let changesToFollow: Bool
    let chain: ChainPolicy
    let values: [NamedValue]
    let wants: Wants
    let schedule: Schedule
    let pending: HeaderState.Happened
    let layoutMarks: DelegateSet
    let afterEventWork: ContiguousArray<(delegate: Int32, token: UInt64)>
    let changeCount: UInt64

    init(_ header: Header) {
      slots = header.proxy.slots
      drawers = header.drawers.elements
      elements = header.elements.elements
      scrollViews = header.scrollViews.elements
      environment = header.environment
      drawerOwners = header.drawerOwners
      elementOwners = header.elementOwners
      followers = header.followers
      changesToFollow = header.changesToFollow
      chain = header.chain
      values = header.values
      wants = header.wants
      schedule = header.schedule
      pending = header.pending
      layoutMarks = header.layoutMarks
      afterEventWork = header.afterEventWork
      changeCount = header.changeCount
    }

    /// Records go back to where they lay: plugins may hold their addresses.
    func putBack(into header: Header) {
      header.proxy.slots = slots
      for index in drawers.indices { header.drawers[index] = drawers[index] }
      for index in elements.indices { header.elements[index] = elements[index] }
      for index in scrollViews.indices { header.scrollViews[index] = scrollViews[index] }
      header.environment = environment
      header.drawerOwners = drawerOwners
      header.elementOwners = elementOwners
      header.followers = followers
      header.changesToFollow = changesToFollow
      header.chain = chain
      header.values = values
      header.wants = wants
      header.schedule = schedule
      header.pending = pending
      header.layoutMarks = layoutMarks
      header.afterEventWork = afterEventWork
      header.changeCount = changeCount
      header.failure = nil
    }
  }

  private func takeOver(_ index: Int, _ fresh: ScrollDelegate) throws(HeaderError) {
    let old = proxy.slots[index]
    let path = Path("delegates")[index]
    let options = try fresh.behavior.options.checked(description.delegates[index].options, at: path + "options")
    var saved: SavedState?
    if !old.isBypassed {
      saved = try answering(for: old.delegate, at: path) { () throws(DelegateFailure) in
        try old.delegate.save(in: self)
      }
    }
    fresh.index = Int32(index)
    for (option, value) in options {
      try answering(for: fresh, at: path + "options" + fresh.behavior.options[option].name) {
        () throws(DelegateFailure) in try fresh.setOption(option, value, in: self)
      }
    }
    var slot = DelegateProxy.Slot(fresh)
    slot.isActive = true
    for (number, notice) in fresh.behavior.notices.enumerated() {
      guard let before = old.delegate.behavior.notices.firstIndex(of: notice) else { continue }
      slot.noticePostedAt[number] = old.noticePostedAt[before]
    }
    proxy.slots[index] = slot
    updateResponds(of: index)
    try replaceValues(of: index, old.delegate.behavior, fresh.behavior, at: path)
    try answering(for: fresh, at: path) { () throws(DelegateFailure) in
      if let saved { try fresh.restore(saved, in: self) } else { try fresh.attach(to: self) }
    }
    updateResponds(of: index)
  }

  /// The values of a delegate after its behavior's list may have changed: those that still exist keep their contents.
  private func replaceValues(
    of index: Int, _ old: BehaviorDescription, _ new: BehaviorDescription, at path: Path
  ) throws(HeaderError) {
    for value in new.values {
      for (other, slot) in proxy.slots.enumerated() where other != index {
        if slot.delegate.behavior.values.contains(where: { $0.name == value.name }) {
          throw .conflict(
            slot.delegate.name, proxy.slots[index].delegate.name, over: "the value \"\(value.name)\"", at: path)
        }
      }
    }
    let mine = values.filter { $0.delegate == Int32(index) }
    let fresh = new.values.map { value in
      let before = old.values.firstIndex { $0.name == value.name && $0.type == value.type }
      return NamedValue(delegate: Int32(index), content: before.map { mine[$0].content } ?? value.initial)
    }
    let place = values.firstIndex { $0.delegate >= Int32(index) } ?? values.count
    values.removeAll { $0.delegate == Int32(index) }
    values.insert(contentsOf: fresh, at: place)
    rebuildValuePlaces()
  }

  func rebuildValuePlaces() {
    var next: Int32 = 0
    for index in proxy.slots.indices {
      proxy.slots[index].firstValue = next
      next += Int32(proxy.slots[index].delegate.behavior.values.count)
    }
  }

  /// Changes what the header is made of: drawers, scroll views, the tracking one, environment, frames.
  ///
  /// Lists replace lists. A drawer or scroll view whose name stays keeps its place; what its description says otherwise
  /// than before is taken over. The delegates are told a `layout` with everything that the change gave.
  /// - Parameter next: the whole description as it shall be; its name and delegates must be the present ones.
  /// - Throws: `limitExceeded`, `conflict`.
  func reconfigure(
    to next: HeaderDescription, at time: Instant?, emit: (borrowing HeaderState) -> Void
  )
    throws(HeaderError)
  {
    try Self.checkLimits(next, limits)
    precondition(next.header == name && next.delegates == description.delegates, "only the structure may change")
    failure = nil
    moveOn(to: time, emit)
    let old = description
    var given: LayoutKeys = []
    description = next
    if next.environment != old.environment { given.formUnion(replaceEnvironment(old.environment)) }
    let trackedBefore = trackingScrollView >= 0 ? old.scrollViews[trackingScrollView].name : nil
    if next.scrollViews != old.scrollViews {
      replaceScrollViews(old)
      given.insert([.viewport, .contentSize, .contentInset, .structure])
    }
    if next.drawers != old.drawers {
      replaceDrawers(old)
      given.insert([.drawers, .structure])
    }
    if next.frameRate != old.frameRate { schedule.restartFrames(at: now) }
    trackingScrollView = description.scrollViews.firstIndex { $0.name == trackedBefore } ?? -1
    let tracked =
      next.trackingScrollView != old.trackingScrollView || (trackingScrollView < 0 && trackedBefore != nil)
      ? next.trackingScrollViewIndex : trackingScrollView
    updateAdjustedInsets()
    rebuildState(keepingPositions: true)
    changed()
    if !given.isEmpty {
      var told = DelegateEvent(.layout, scrollView: Int32(trackingScrollView))
      told.given = given
      told.changed = given
      forwardStructure(told)
    }
    changeTrackingScrollView(to: tracked)
    finishEvent()
    settle(emit)
    if let failure { throw failure }
  }

  /// Takes over what the description says otherwise than before; what events changed since stays.
  private func replaceEnvironment(_ old: Environment) -> LayoutKeys {
    let wanted = description.environment
    var record = environment
    var given: LayoutKeys = []
    func take<Field: Equatable>(_ key: LayoutKeys, _ field: WritableKeyPath<Environment, Field>) {
      guard wanted[keyPath: field] != old[keyPath: field] else { return }
      record[keyPath: field] = wanted[keyPath: field]
      given.insert(key)
    }
    take(.safeAreaInset, \.safeAreaInset)
    take(.viewOrigin, \.viewOrigin)
    take(.statusBarHeight, \.statusBarHeight)
    take(.statusBarHidden, \.statusBarHidden)
    take(.screenScale, \.screenScale)
    take(.clockSecondOfMinute, \.clockSecondOfMinute)
    take(.statusBarFollowsHeader, \.statusBarFollowsHeader)
    take(.deviceHasHardwareSafeArea, \.deviceHasHardwareSafeArea)
    take(.visible, \.visible)
    take(.presented, \.presented)
    take(.keyWindow, \.keyWindow)
    take(.voiceOverRunning, \.voiceOverRunning)
    take(.reduceMotion, \.reduceMotion)
    take(.appExtension, \.appExtension)
    environment = record
    return given
  }

  private func replaceScrollViews(_ old: HeaderDescription) {
    let records = description.scrollViews.map { view in
      guard let place = old.scrollViews.firstIndex(where: { $0.name == view.name }) else { return ScrollView(view) }
      var record = scrollViews[place]
      let before = old.scrollViews[place]
      let fresh = ScrollView(view)
      if view.viewport != before.viewport { record.viewport = fresh.viewport }
      if view.frame != before.frame { record.frame = fresh.frame }
      if view.contentSize != before.contentSize { record.contentSize = fresh.contentSize }
      if view.contentInset != before.contentInset { record.contentInset = fresh.contentInset }
      if view.scrollIndicatorInsets != before.scrollIndicatorInsets {
        record.scrollIndicatorInsets = fresh.scrollIndicatorInsets
      }
      if view.offset != before.offset { record.contentOffset = fresh.contentOffset }
      if view.kind != before.kind { record.kind = fresh.kind }
      if view.clamping != before.clamping { record.clamping = fresh.clamping }
      if view.contentInsetAdjustment != before.contentInsetAdjustment {
        record.contentInsetAdjustment = fresh.contentInsetAdjustment
      }
      if view.pagingEnabled != before.pagingEnabled { record.pagingEnabled = fresh.pagingEnabled }
      if view.forwardsEvents != before.forwardsEvents { record.forwardsEvents = fresh.forwardsEvents }
      if view.refreshControl != before.refreshControl {
        record.hasRefreshControl = fresh.hasRefreshControl
        record.refreshControlHidden = fresh.refreshControlHidden
        record.isRefreshing = fresh.isRefreshing
        record.refreshControlHeight = fresh.refreshControlHeight
      }
      return record
    }
    let tailName = chain.tail >= 0 ? old.scrollViews[Int(chain.tail)].name : nil
    scrollViews = FixedBuffer(records)
    pointRecords()
    chain.tail = Int32(description.scrollViews.firstIndex { $0.name == tailName } ?? -1)
  }

  private func replaceDrawers(_ old: HeaderDescription) {
    var (records, looks) = Self.makeDrawers(description.drawers)
    var owners = Array(repeating: Int32(-1), count: records.count)
    var lookOwners = Array(repeating: Int32(-1), count: looks.count)
    for (index, drawer) in description.drawers.enumerated() {
      guard let place = old.drawers.firstIndex(where: { $0.name == drawer.name }) else { continue }
      let before = old.drawers[place]
      var record = drawers[place]
      record.firstElement = records[index].firstElement
      record.elementCount = records[index].elementCount
      var frame = record.frame
      if drawer.height != before.height { frame.size.height = drawer.height }
      if drawer.width != before.width { frame.size.width = drawer.width }
      if drawer.y != before.y { frame.origin.y = drawer.y }
      if frame != record.frame { record.frame = frame }
      if drawer.minimumHeight != before.minimumHeight { record.minimumHeight = drawer.minimumHeight }
      if drawer.maximumHeight != before.maximumHeight { record.maximumHeight = drawer.maximumHeight }
      if drawer.sticky != before.sticky { record.isSticky = drawer.sticky }
      if drawer.alpha != before.alpha { record.alpha = Float(drawer.alpha) }
      if drawer.hidden != before.hidden { record.isHidden = drawer.hidden }
      for (offset, element) in drawer.elements.enumerated() {
        if let same = before.elements.firstIndex(where: { $0.name == element.name }) {
          lookOwners[Int(record.firstElement) + offset] = elementOwners[Int(drawers[place].firstElement) + same]
        }
        guard let same = before.elements.firstIndex(of: element) else { continue }
        var look = elements[Int(drawers[place].firstElement) + same]
        look.drawer = Int32(index)
        looks[Int(record.firstElement) + offset] = look
      }
      records[index] = record
      owners[index] = drawerOwners[place]
    }
    elementOwners = lookOwners
    drawers = FixedBuffer(records)
    elements = FixedBuffer(looks)
    pointRecords()
    drawerOwners = owners
  }
}
