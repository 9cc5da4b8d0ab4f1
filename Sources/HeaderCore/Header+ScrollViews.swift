// SPDX-License-Identifier: MIT
//
// The laws of the scroll view model, as UIKit has them: a write of the content offset reaches the delegates at once,
// inside the write (a nested didScroll); a silent move is not; an inset or a size may push the offset out of range, and
// while nothing moves the content it is then brought back by a write. Every move that did not come from the publisher
// is added to `correction`, so that the publisher can follow without losing or doubling one.
//
// A scroll view that does not forward its events (`forwardsEvents` false) keeps nested scrolls to itself. A delegate may
// observe the offset instead, as one would with KVO: it gets every write, also of the same value.

import HeaderModel

extension Header {
  /// Moves the content silently: no delegate gets an event.
  func moveContent(of view: Int, to offset: Point) {
    let offset = offset.bounded
    let delta = offset - scrollViews[view].contentOffset
    guard delta != Point() else { return }
    scrollViews[view].contentOffset = offset
    scrollViews[view].correction = (scrollViews[view].correction + delta).bounded
    changed()
  }

  /// Writes the content offset; when it differs, the delegates get a nested didScroll before this returns.
  func writeContentOffset(_ offset: Point, _ view: Int) {
    let differs = offset != scrollViews[view].contentOffset
    moveContent(of: view, to: offset)
    tellWrite(view)
    if differs { nestedDidScroll(view) }
  }

  /// Sends an offset write to the delegates that observe them.
  func tellWrite(_ view: Int) {
    guard isHeard(.didWriteContentOffset), proxy.depth < Int32(limits.nestedDepth) else { return }
    _ = forward(DelegateEvent(.didWriteContentOffset, scrollView: Int32(view)))
  }

  /// Sends the delegates a scroll that did not come from outside.
  /// - Parameter members: the delegates that receive it.
  func nestedDidScroll(_ view: Int, to members: DelegateSet = .all) {
    guard view == trackingScrollView, scrollViews[view].forwardsEvents, proxy.depth < Int32(limits.nestedDepth) else {
      return
    }
    _ = forward(DelegateEvent(.didScroll, scrollView: Int32(view)), to: members)
  }

  /// Writes the content inset; an offset that is then out of range is brought back.
  @inline(__always)
  func writeContentInset(_ inset: Insets, _ view: Int) {
    guard inset != scrollViews[view].contentInset else { return }
    scrollViews[view].contentInset = inset
    updateAdjustedInset(view)
    changed()
    if scrollViews[view].clamping != .none { clampOffset(view) }
  }

  @inline(__always)
  func writeIndicatorInsets(_ inset: Insets, _ view: Int) {
    guard inset != scrollViews[view].scrollIndicatorInsets else { return }
    scrollViews[view].scrollIndicatorInsets = inset
    changed()
  }

  func writeFrame(_ frame: Rect, _ view: Int) {
    guard frame != scrollViews[view].frame else { return }
    let resized = frame.size != scrollViews[view].frame.size
    scrollViews[view].frame = frame
    changed()
    if resized, scrollViews[view].clamping == .all { clampOffset(view) }
  }

  /// Writes a frame in an edge's terms: the content keeps its distance from the edge. Without a lens they are the header's own.
  func write(_ frame: Rect, _ view: Int, _ lens: EdgeLens?) {
    guard let lens else { return writeFrame(frame, view) }
    keepDistance(of: view, lens) { $0.frame = lens.realRect(frame) }
    writeFrame(lens.realRect(frame), view)
  }

  /// Moves the content to where it is as far from an edge as it was, once its scroll view has changed.
  private func keepDistance(of view: Int, _ lens: EdgeLens, _ change: (inout ScrollView) -> Void) {
    var next = scrollViews[view]
    let offset = lens.offset(next.contentOffset, of: next)
    change(&next)
    // Numbers that the change does not touch stay the same to the last bit.
    guard lens.offset(next.contentOffset, of: next) != offset else { return }
    moveContent(of: view, to: lens.realOffset(offset, of: next))
  }

  func writeContentSize(_ size: Size, _ view: Int) {
    guard size != scrollViews[view].contentSize else { return }
    scrollViews[view].contentSize = size
    if scrollViews[view].clamping == .all { clampOffset(view) }
  }

  /// Brings an offset back that is out of range, unless something moves the content. Where all changes clamp, being out
  /// by 1e-6 points does not count (ground rule 4 of ShyNavBar's original); where insets alone do, every bit counts.
  @inline(__always)
  func clampOffset(_ view: Int) {
    if scrollViews[view].isAtRest { clampOffsetAtRest(view) }
  }

  @inline(never)
  private func clampOffsetAtRest(_ view: Int) {
    let offset = scrollViews[view].contentOffset
    let clamped = scrollViews[view].clampedOffset
    let slack = scrollViews[view].clamping == .inset ? 0 : 1e-6
    let target = Point(
      x: abs(clamped.x - offset.x) > slack ? clamped.x : offset.x,
      y: abs(clamped.y - offset.y) > slack ? clamped.y : offset.y)
    if target != offset { writeContentOffset(target, view) }
  }

  /// The safe area inside the content controller's view; without a window there is none.
  var contentSafeArea: Insets {
    guard environment.visible else { return Insets() }
    var area = environment.safeAreaInset
    if environment.statusBarHidden && !environment.deviceHasHardwareSafeArea { area.top = 0 }
    return area + (wants.additionalSafeAreaInset ?? Insets())
  }

  /// Recomputes the adjusted inset; nothing is clamped by it.
  @inline(__always)
  func updateAdjustedInset(_ view: Int) {
    var adjusted = scrollViews[view].contentInset
    if scrollViews[view].contentInsetAdjustment == .automatic {
      let area = contentSafeArea
      if scrollViews[view].axis == .vertical {
        adjusted.top += area.top
        adjusted.bottom += area.bottom
      } else {
        adjusted.left += area.left
        adjusted.right += area.right
      }
    }
    scrollViews[view].adjustedContentInset = adjusted
  }

  func updateAdjustedInsets() {
    for view in scrollViews.indices { updateAdjustedInset(view) }
  }

  // MARK: Asked by delegates

  /// Writes a content offset; when it differs, a nested didScroll is forwarded before this returns.
  public func setContentOffset(_ offset: Point, of view: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireView(view)
    try requireSane(offset, "the content offset")
    if offset != scrollViews[view].contentOffset { try requireDepth() }
    writeContentOffset(offset, view)
  }

  /// Makes another scroll view the tracking one; −1: none.
  public func setTrackingScrollView(_ view: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    if view != -1 { try requireView(view) }
    try requireDepth()
    changeTrackingScrollView(to: view)
  }

  /// Moves the content without an event.
  public func moveSilently(to offset: Point, _ view: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireView(view)
    try requireSane(offset, "the content offset")
    moveContent(of: view, to: offset)
  }

  /// Writes a content inset; an offset then out of range is brought back by a write.
  public func setContentInset(_ inset: Insets, of view: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireView(view)
    try requireSane(inset, "the content inset")
    guard inset != scrollViews[view].contentInset else { return }
    try requireDepth()
    // Where content that fits is, is counted from the end that the inset is at.
    if let lens = delegate.side?.lens {
      keepDistance(of: view, lens) {
        $0.adjustedContentInset = $0.adjustedContentInset + (inset - $0.contentInset)
        $0.contentInset = inset
      }
    }
    writeContentInset(inset, view)
  }

  /// Writes the scroll indicators' insets, from then on part of every state.
  public func setScrollIndicatorInsets(_ insets: Insets, of view: Int, by delegate: ScrollDelegate)
    throws(DelegateFailure)
  {
    try requireView(view)
    try requireSane(insets, "the scroll indicator insets")
    scrollViews[view].decidesIndicatorInsets = true
    writeIndicatorInsets(insets, view)
  }

  /// Writes the scroll view's frame, in the terms of the delegate's edge; from then on it is part of every state.
  public func setFrame(_ frame: Rect, ofScrollView view: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireView(view)
    try requireSane(frame.origin, "the scroll view's frame")
    try requireSane(frame.size, "the scroll view's frame")
    scrollViews[view].decidesFrame = true
    write(frame, view, delegate.side?.lens)
  }

  /// Writes the content size, in the terms of the delegate's edge; from then on it is part of every state.
  public func setContentSize(_ size: Size, of view: Int, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireView(view)
    try requireSane(size, "the content size")
    scrollViews[view].decidesContentSize = true
    let lens = delegate.side?.lens
    let real = lens?.size(size) ?? size
    guard real != scrollViews[view].contentSize else { return }
    changed()
    if let lens { keepDistance(of: view, lens) { $0.contentSize = real } }
    writeContentSize(real, view)
  }

  func requireView(_ view: Int) throws(DelegateFailure) {
    guard scrollViews.indices.contains(view) else { throw .failed("it named scroll view \(view), there is none") }
  }

  /// Requires room for another nested didScroll, which a write of the offset causes. Too deep means that two delegates answer each other
  /// without end.
  func requireDepth() throws(DelegateFailure) {
    guard proxy.depth < Int32(limits.nestedDepth) else {
      throw .failed("its write nests events more than \(limits.nestedDepth) deep")
    }
  }
}

// MARK: - A view that was left (HandOver.swift)

extension Header {
  /// A view that was left gets the header's part of its insets again. Content that nothing has moved meanwhile is where it was; other
  /// content that is at an end stays at that.
  func comeBack(to view: Int) {
    guard scrollViews.indices.contains(view) else { return }
    let name = description.scrollViews[view].name
    guard let before = rare.insetsBefore[name], let left = before.left else { return }
    let present = scrollViews[view]
    rare.insetsBefore[name] = InsetsBefore(
      content: present.contentInset, indicators: present.scrollIndicatorInsets)
    scrollViews[view].contentInset = present.contentInset + (left.content - before.content)
    scrollViews[view].scrollIndicatorInsets =
      present.scrollIndicatorInsets + (left.indicators - before.indicators)
    updateAdjustedInset(view)
    changed()
    let offset = present.contentOffset == left.given ? left.offset : scrollViews[view].offset(goingOnFrom: present)
    moveContent(of: view, to: offset)
  }

  /// Keeps a scroll view's insets before the header follows it, if they are to be restored and none are kept yet.
  func noteInsets(of view: Int) {
    guard plans.plan.description.onLeave == .restore, scrollViews.indices.contains(view) else { return }
    let (record, name) = (scrollViews[view], description.scrollViews[view].name)
    guard rare.insetsBefore[name] == nil else { return }
    rare.insetsBefore[name] = InsetsBefore(
      content: record.contentInset, indicators: record.scrollIndicatorInsets)
  }
}

// MARK: - What is covered

extension Header {
  /// The covered part of a scroll view's frame at each edge, points: at the top by drawers, at the bottom by the keyboard or the content
  /// inset.
  public func obstruction(of view: Int) -> Insets {
    let (record, shifts) = (scrollViews[view], stackShifts)
    func covered(_ lens: EdgeLens, _ part: Range<Int>) -> Insets {
      let frame = lens.rect(record.frame)
      var top = 0.0
      for index in part where !drawers[index].isHidden && drawers[index].alpha > 0 {
        let drawn = drawers[index].drawnFrame
        guard drawn.size.height > 0 else { continue }
        top = max(top, drawn.maxY + (shifts?[index] ?? 0) - frame.origin.y)
      }
      return lens.realInsets(Insets(top: max(0, min(top, frame.size.height))))
    }
    var all = isEdged ? Insets() : covered(topLens, drawers.indices)
    for side in sides { all = all + covered(side.lens, side.drawers) }
    all.bottom = max(all.bottom, environment.keyboardHeight, record.adjustedContentInset.bottom)
    return all
  }

  /// The top's own way of seeing: everything is as it is.
  var topLens: EdgeLens { EdgeLens(.top, in: Point(), .leftToRight, keyboardHeight: 0) }
}
