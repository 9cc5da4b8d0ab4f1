// SPDX-License-Identifier: MIT
//
// Changes an open header's drawers, scroll views and environment (`header.configure`). A change is an input of the header's one ordered
// stream, between two events.

import HeaderModel

/// A change of a header's parts.
struct Reconfiguration {
  let header: Header
  /// The description before the change.
  let old: HeaderDescription

  /// Changes the parts of the header: drawers, scroll views, the tracking one, environment, frames.
  ///
  /// Lists replace lists. A drawer or scroll view whose name stays keeps its place; changes in its description are taken over. The
  /// delegates get a `layout` with everything that the change gave.
  /// - Parameter next: the whole new description; its name and delegates must be the present ones.
  /// - Throws: `limitExceeded`, `conflict`.
  func apply(
    _ next: HeaderDescription, at time: Instant?, emit: (borrowing HeaderState) -> Void
  ) throws(HeaderError) {
    try Header.checkLimits(next, header.limits)
    try header.requireEdges(!next.hasEdges, field: "drawers")
    precondition(next.header == header.name && next.delegates == old.delegates, "only the structure may change")
    header.rare.failure = nil
    header.moveOn(to: time, emit)
    var given: LayoutKeys = []
    // The motion under way belongs to the old drawers.
    if next.drawers != old.drawers { PositionController(header).interrupt(goingOn: true) }
    header.description = keepingEdges(next)
    if next.environment != old.environment { given.formUnion(replaceEnvironment()) }
    let wasTracking = header.trackingScrollView >= 0
    if next.scrollViews != old.scrollViews {
      replaceScrollViews()
      given.insert([.viewport, .contentSize, .contentInset, .structure])
    }
    if next.drawers != old.drawers {
      replaceDrawers()
      given.insert([.drawers, .structure])
    }
    // Only now the sides' parts of the rows are there.
    if given.contains(.structure) {
      header.updateSides()
      header.pointRecords()
    }
    if next.frameRate != old.frameRate { header.schedule.restartFrames(at: header.now) }
    let tracked =
      next.trackingScrollView != old.trackingScrollView || (header.trackingScrollView < 0 && wasTracking)
      ? next.trackingScrollViewIndex : header.trackingScrollView
    header.updateAdjustedInsets()
    header.rebuildState(keepingPositions: true)
    header.changed()
    if !given.isEmpty {
      var event = DelegateEvent(.layout, scrollView: Int32(header.trackingScrollView))
      event.given = given
      event.changed = given
      if header.isEdged { header.followLines() }
      ChainEditor(header: header).forwardStructure(event)
    }
    header.changeTrackingScrollView(to: tracked)
    PositionController(header).update()
    header.finishEvent()
    header.settle(emit)
    if let failure = header.failure { throw failure }
  }

  /// Delegates stay at their edges: to one that names none it was that of the first drawer, which may be another one now.
  private func keepingEdges(_ next: HeaderDescription) -> HeaderDescription {
    guard header.isEdged else { return next }
    var next = next
    for (index, delegate) in old.delegates.enumerated() where delegate.client == nil {
      let edge = old.edge(of: delegate)
      if next.edge(of: delegate) != edge { next.delegates[index].edge = edge }
    }
    return next
  }

  /// Takes over the changed members of the description; later changes by events stay.
  private func replaceEnvironment() -> LayoutKeys {
    Environment.members.take(header.description.environment, insteadOf: old.environment, into: &header.environment)
  }

  private func replaceScrollViews() {
    let records = header.description.scrollViews.map { view in
      guard let place = old.scrollViews.firstIndex(where: { $0.name == view.name }) else { return view.record }
      var record = header.scrollViews[place]
      ScrollView.described.take(view.record, insteadOf: old.scrollViews[place].record, into: &record)
      record.flow = view.record.flow
      return record
    }
    func place(_ view: Int32) -> Int32 {
      let name = view >= 0 ? old.scrollViews[Int(view)].name : nil
      return Int32(header.description.scrollViews.firstIndex { $0.name == name } ?? -1)
    }
    if !header.rare.insetsBefore.isEmpty {
      let names = Set(header.description.scrollViews.map(\.name))
      header.rare.insetsBefore = header.rare.insetsBefore.filter { names.contains($0.key) }
    }
    header.scrollViews = FixedBuffer(records)
    header.trackingScrollView = Int(place(Int32(header.trackingScrollView)))
    header.chain.tail = place(header.chain.tail)
    for side in header.sides { side.chain.tail = place(side.chain.tail) }
    if header.isEdged, header.description.space != old.space { header.rare.space = header.description.space }
  }

  private func replaceDrawers() {
    var (records, looks) = header.description.makeRecords()
    var owners = Ownership(drawers: records.count, elements: looks.count)
    let (starts, startsBefore) = (header.description.elementStarts, old.elementStarts)
    for (index, drawer) in header.description.drawers.enumerated() {
      // At another edge it is a new one: whoever moved it does not reach it there.
      guard let place = old.drawers.firstIndex(where: { $0.name == drawer.name && $0.edge == drawer.edge }) else {
        continue
      }
      let before = old.drawers[place]
      var record = header.drawers[place]
      let (start, startBefore) = (starts[index], startsBefore[place])
      record.firstElement = records[index].firstElement
      record.elementCount = records[index].elementCount
      var wanted = DrawerDescription(record)
      DrawerDescription.members.take(drawer, insteadOf: before, into: &wanted)
      record.take(wanted)
      for (offset, element) in drawer.elements.enumerated() {
        if let same = before.elements.firstIndex(where: { $0.name == element.name }) {
          owners.elements[start + offset] = header.owners.elements[startBefore + same]
        }
        guard let same = before.elements.firstIndex(of: element) else { continue }
        var look = header.elements[startBefore + same]
        look.drawer = looks[start + offset].drawer
        looks[start + offset] = look
      }
      records[index] = record
      owners.drawers[index] = header.owners.drawers[place]
    }
    header.drawers = FixedBuffer(records)
    header.elements = FixedBuffer(looks)
    let (kept, next) = (header.rare.keptInStack.map { old.drawers[$0].name }, header.description.drawers)
    header.rare.keptInStack = next.indices.dropFirst().filter { kept.contains(next[$0].name) }
    header.owners = owners
  }
}
