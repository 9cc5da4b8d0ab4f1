// SPDX-License-Identifier: MIT
//
// Something in the content is to be seen: what a keyboard's focus is on, the target of a link, a search's match. The header
// gives way as far as it can; for what then is still missing, the publisher is asked to scroll.
//
//     ├──────────────┤ viewport's top
//     │   header     │
//     ├──────────────┤ ◀ obstruction at the top
//     │              │   the rectangle must lie here; its top counts if it does not fit
//     ├──────────────┤ ◀ obstruction at the bottom: the keyboard, or what the content inset keeps free
//     └──────────────┘

/// Brings a rectangle of a scroll view's content where it is seen.
struct Revealing {
  let header: Header
  /// The scroll view's index, −1: none.
  let view: Int

  /// Points that are nothing.
  private static let slack = 1e-6

  /// - Returns: `gaveWay`, the points by which the header gave way, and `scroll`, those that the publisher was asked to scroll.
  func perform(_ reveal: Reveal) -> Value {
    guard header.scrollViews.indices.contains(view) else { return ["gaveWay": 0, "scroll": 0] }
    let before = header.obstruction(of: view).top
    let hidden = before - top(of: reveal.rect)
    if hidden > Self.slack { giveWay(by: hidden) }
    let gaveWay = before - header.obstruction(of: view).top
    let scroll = missing(reveal.rect)
    if abs(scroll) > Self.slack {
      header.work.happened.commands.append(
        HeaderState.Command(
          scrollView: Int32(view), name: "scrollBy",
          arguments: ["x": 0, "y": .number(scroll), "animated": .bool(!header.environment.limitsMotion)]))
    }
    return ["gaveWay": .number(max(0, gaveWay)), "scroll": .number(abs(scroll) > Self.slack ? scroll : 0)]
  }

  /// The rectangle's top in the viewport.
  private func top(of rect: Rect) -> Double { rect.origin.y - header.scrollViews[view].contentOffset.y }

  /// The header collapses by so many points; the content stays where it is.
  private func giveWay(by distance: Double) {
    let offset = header.scrollViews[view].contentOffset
    PositionController(header).collapse(by: distance)
    header.moveContent(of: view, to: offset)
  }

  /// By how much the content must scroll, points in the offset's sign.
  private func missing(_ rect: Rect) -> Double {
    let record = header.scrollViews[view]
    let obstruction = header.obstruction(of: view)
    let (low, high) = (obstruction.top, record.frame.size.height - obstruction.bottom)
    let top = top(of: rect)
    let bottom = top + rect.size.height
    if top < low || bottom - top > high - low { return top - low }
    return bottom > high ? bottom - high : 0
  }
}

extension Header {
  /// What of a scroll view's frame is covered at each edge, points: at the top by drawers, at the bottom by the keyboard or
  /// what the content inset keeps free.
  public func obstruction(of view: Int) -> Insets {
    let record = scrollViews[view]
    var top = 0.0
    for index in drawers.indices where !drawers[index].isHidden && drawers[index].alpha > 0 {
      let frame = drawers[index].drawnFrame
      if frame.size.height > 0 { top = max(top, frame.origin.y + frame.size.height - record.frame.origin.y) }
    }
    let bottom = max(environment.keyboardHeight, record.adjustedContentInset.bottom)
    return Insets(top: max(0, min(top, record.frame.size.height)), left: 0, bottom: max(0, bottom), right: 0)
  }
}
