// SPDX-License-Identifier: MIT
//
// One header, several scroll views: the switch to another one, and the steps that make it go unnoticed. Without sharing, the old scroll
// view gets back the inset that the header added. With sharing it keeps it, and heights are matched: content that would need a taller
// header is moved so that the header stays as it is, and a header that must shrink does so in an animation. The accumulator and the wish
// to be hidden stay.

internal import HeaderPluginKit

extension FlexibleHeader {
  private static let changeDuration = 0.2
  private static let heightEpsilon = 0.001

  /// The content is about to become another one: it is brought to where the header will expect it.
  func willChange(to index: Int?) {
    guard let index else { return }
    if !records[index].exists {
      let adjustment = enforce(index)
      moveOffset(of: index, by: -adjustment)
    }
    guard tracking != nil else { return }
    if accumulator >= shiftMaximum {
      let view = host.scrollView(index)
      let raw = view.contentInset.top - records[index].injected
      if view.contentOffset.y < -raw { host.setContentOffset(Point(x: view.contentOffset.x, y: -raw), of: index) }
    }
    if records[index].stashIsValid {
      let difference = header.size.height - records[index].stashedHeight
      if abs(difference) > Self.heightEpsilon { moveOffset(of: index, by: -difference) }
    }
  }

  private func moveOffset(of index: Int, by distance: Double) {
    let offset = host.scrollView(index).contentOffset
    host.setContentOffset(Point(x: offset.x, y: offset.y + distance), of: index)
  }

  /// The content is another one now.
  func setTrackingScrollView(_ index: Int?) {
    guard index != tracking else { return }
    let height = header.size.height
    let old = tracking
    if let old, records[old].exists {
      records[old].stashedHeight = height
      records[old].stashIsValid = true
    }
    observationIsSuspended = true
    tracking = index
    _ = nested.forget()
    if !isShared, let old { removeInsets(of: old) }
    lastOffsetIsValid = false
    lastOffset = view?.contentOffset ?? Point()
    directionDelta = 0
    if let index {
      records[index].stashIsValid = false
      records[index].stashedHeight = 0
    }
    enforce(index)
    observationIsSuspended = false
    let isAnimated = isShared && old != nil && matchHeight(height)
    if isAnimated { host.animate(duration: Self.changeDuration, .easeInOut, token: Self.trackingChange) }
    Self.outputs.didChangeTrackingScrollView.post([("animated", .bool(isAnimated))], in: host)
    relayout()
    if isAnimated {
      if laysOutTwice { relayout() }
    } else if tracking == nil {
      updateShadow()
    }
  }

  /// Keeps the header's height across a change and returns whether it must shrink.
  private func matchHeight(_ height: Double) -> Bool {
    let wanted = clamp(-rawOffset, effectiveMinimum, effectiveMaximum)
    if wanted > height, let index = tracking { moveOffset(of: index, by: wanted - height) }
    if let index = tracking, records[index].exists, host.scrollView(index).kind == .table {
      records[index].ignoresNextSafeAreaJump = true
    }
    return wanted < height
  }

  /// Removes the header's part of a scroll view's insets.
  private func removeInsets(of index: Int) {
    guard records[index].exists else { return }
    let view = host.scrollView(index)
    var inset = view.contentInset
    inset.top -= records[index].injected
    records[index].injected = 0
    records[index].hasInjected = false
    host.setContentInset(inset, of: index)
    var indicators = host.scrollView(index).scrollIndicatorInsets
    indicators.top -= records[index].injectedIndicator
    records[index].injectedIndicator = 0
    host.setScrollIndicatorInsets(indicators, of: index)
  }

  /// A client's own change of the insets, which keeps the content where it is. The insets include the injected part.
  func changeContentInsets(_ insets: Insets) {
    guard let index = tracking else { return }
    insetsAreChanging = true
    let before = host.scrollView(index).contentInset.top
    host.setContentInset(insets, of: index)
    var offset = host.scrollView(index).contentOffset
    offset.y -= host.scrollView(index).contentInset.top - before
    setOffset(offset)
    insetsAreChanging = false
  }
}
