// SPDX-License-Identifier: MIT
//
// The `layout` event: its keys are applied in a fixed order (environment, viewport, drawers, content size, the other keys, content inset,
// offset), then forwarded once. A given key is forwarded even when its value is the same, because some behaviors act on every assignment;
// `changed` has the keys that really differ.

import HeaderModel

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

  /// Applies an event's keys, and sends the event down the chain.
  /// - Parameters:
  ///   - offset: the content offset then, if the event gives one.
  ///   - correction: the total of the header's own moves in it.
  ///   - reason: what moved the content.
  consuming func apply(
    _ change: LayoutChange, offset: PartialPoint?, _ correction: PartialPoint?, _ reason: ScrollReason?
  ) {
    if change.pass { given = .pass }
    var placesInMotion = header.isControlled ? PositionController(header).placesInMotion : nil
    let offsetBefore = view >= 0 ? header.scrollViews[view].contentOffset : Point()
    var reported: Point?
    if view >= 0, let offset { reported = header.reported(offset, correction, view) }
    let places = placesAtEdges
    // Rows that go take their part of the offset along: nothing is out of range meanwhile.
    if reason == .content, let reported { header.scrollViews[view].contentOffset = reported }
    applyEnvironment(change)
    for member in ScrollView.members where member.key == .viewport { apply(member, change) }
    let drawersBefore = header.isControlled && change.drawers != nil ? header.drawers.elements : []
    if let drawers = change.drawers {
      var differs = false
      for drawer in drawers where apply(drawer) { differs = true }
      take(.drawers, differs)
    }
    for member in ScrollView.members where member.key != .viewport && member.key != .contentInset {
      apply(member, change)
    }
    if view >= 0 {
      if change.given["contentInsetAdjustment"] != nil { header.updateAdjustedInset(view) }
      for member in ScrollView.members where member.key == .contentInset { apply(member, change) }
      tellPlaces(since: places, offsetBefore, reason)
      if let reported {
        let differs = reported != offsetBefore
        take(.offset, differs)
        if reason == .content {
          header.scrollViews[view].contentOffset = reported
          header.tellScroll(of: view, .content)
        } else if differs {
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
    if header.isEdged { header.followLines() }
    if !drawersBefore.isEmpty, PositionController(header).fitMotion(since: drawersBefore) {
      placesInMotion = PositionController(header).placesInMotion
    }
    _ = header.forwardAsking(event)
    PositionController(header).update(since: placesInMotion)
  }

  /// Where the content of the tracking scroll view is, as each edge sees it.
  private var placesAtEdges: [Point] {
    guard header.isEdged, view >= 0, view == header.trackingScrollView else { return [] }
    return header.sides.map { $0.lens.offset(header.scrollViews[view].contentOffset, of: header.scrollViews[view]) }
  }

  /// A far edge counts the content's place from its end, which sizes move: that is no scroll.
  private func tellPlaces(since before: [Point], _ offset: Point, _ reason: ScrollReason?) {
    guard reason != .content, header.scrollViews[view].contentOffset == offset else { return }
    let places = placesAtEdges
    guard places.count == before.count else { return }
    for (index, side) in header.sides.enumerated() where places[index] != before[index] {
      var event = DelegateEvent(.didScroll, scrollView: Int32(view))
      event.reason = .content
      _ = header.forward(
        event, to: DelegateSet(of: header.proxy.slots.indices) { header.proxy.slots[$0].delegate.side === side })
    }
  }

  private mutating func take(_ key: LayoutKeys, _ differs: Bool) {
    given.insert(key)
    if differs { changed.insert(key) }
  }

  private mutating func applyEnvironment(_ change: LayoutChange) {
    var record = header.environment
    for member in Environment.members {
      guard let value = change.given[member.name] else { continue }
      let before = record
      member.fill(&record, value)
      take(member.key, member.differs(record, before))
    }
    header.environment = record
    header.updateAdjustedInsets()
  }

  /// Takes over one key of the scroll view, if it is given.
  private mutating func apply(_ member: Member<ScrollView>, _ change: LayoutChange) {
    guard view >= 0, let value = change.given[member.name] else { return }
    let before = header.scrollViews[view]
    var record = before
    member.fill(&record, value)
    take(member.key, member.differs(record, before))
    switch member.key {
    case .viewport: setViewport(record.viewport)
    case .contentSize: header.writeContentSize(record.contentSize, view)
    case .frame:
      if header.isEdged, view == max(0, header.trackingScrollView) {
        header.rare.space += Point(x: record.frame.maxX - before.frame.maxX, y: record.frame.maxY - before.frame.maxY)
        header.updateLenses()
      }
      header.writeFrame(record.frame, view)
    case .scrollIndicatorInsets: header.writeIndicatorInsets(record.scrollIndicatorInsets, view)
    case .contentInset: header.writeContentInset(record.contentInset, view)
    default: header.scrollViews[view] = record
    }
  }

  /// The scroll view grows by the difference (a behavior may have let it grow before), and so do the drawers' widths when
  /// it is the tracking one; without a tracking one the first counts.
  private func setViewport(_ viewport: Size) {
    let old = header.scrollViews[view].viewport
    guard viewport != old else { return }
    let growth = Size(width: viewport.width - old.width, height: viewport.height - old.height)
    header.scrollViews[view].viewport = viewport
    if growth.width != 0, view == max(0, header.trackingScrollView) {
      let drawers = header.plans.plan.description.drawers
      for index in header.drawers.indices where drawers[index].edge.isVertical {
        var drawer = header.drawers[index]
        // A behavior may have made it narrower than the viewport.
        drawer.frame.size = drawer.frame.size.grown(by: Size(width: growth.width))
        header.drawers[index] = drawer
      }
      header.changed()
    }
    if header.isEdged, view == max(0, header.trackingScrollView) { header.growSpace(by: growth) }
    var frame = header.scrollViews[view].frame
    frame.size = frame.size.grown(by: growth)
    header.writeFrame(frame, view)
    var event = DelegateEvent(.didResize, scrollView: Int32(view))
    event.size = viewport
    _ = header.forward(event)
  }

  private func apply(_ change: PartChange) -> Bool {
    guard let index = header.plans.plan.description.drawers.firstIndex(where: { $0.name == change.name }) else {
      return false
    }
    let before = header.drawers[index]
    var wanted = DrawerDescription(before)
    DrawerDescription.members.fill(&wanted, from: change.given)
    var drawer = before
    drawer.take(wanted)
    header.drawers[index] = drawer
    var differs = drawer != before
    for element in change.elements ?? [] {
      guard let place = header.description.drawers[index].elements.firstIndex(where: { $0.name == element.name }) else {
        continue
      }
      let index = header.plans.plan.description.elementStarts[index] + place
      var look = header.elements[index]
      look.take(given: element.given)
      guard look != header.elements[index] else { continue }
      header.elements[index] = look
      differs = true
    }
    if differs { header.changed() }
    return differs
  }
}

extension Size {
  /// The size with longer sides, or shorter ones, within what a side may be.
  func grown(by growth: Size) -> Size {
    func side(_ length: Double) -> Double { max(0, min(length, FieldReader.bound)) }
    return Size(width: side(width + growth.width), height: side(height + growth.height))
  }
}
