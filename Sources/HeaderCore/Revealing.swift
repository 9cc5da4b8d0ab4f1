// SPDX-License-Identifier: MIT
//
// Makes room for a rectangle of the content: the focus of a keyboard, the target of a link, a search's match. The header gives way as far
// as it can; if that is not enough, the publisher is asked to scroll.
//
//     ├──────────────┤ viewport's top
//     │   header     │
//     ├──────────────┤ ◀ obstruction at the top
//     │              │   the rectangle must lie here; its top counts if it does not fit
//     ├──────────────┤ ◀ obstruction at the bottom: the keyboard, or what the content inset keeps free
//     └──────────────┘

import HeaderModel

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
    // The top, and the edges that have drawers; each sees it as if it were the top.
    let lenses = header.isEdged ? header.sides.map(\.lens) : [header.topLens]
    var gaveWay = 0.0
    for lens in lenses {
      let before = covered(lens)
      let hidden = before - top(of: reveal.rect, lens)
      if hidden > Self.slack { giveWay(by: hidden, at: header.isEdged ? lens.edge : nil) }
      gaveWay += before - covered(lens)
    }
    var scroll = Point()
    for lens in [lenses.first { $0.edge.isVertical }, lenses.first { !$0.edge.isVertical }] {
      guard let lens else { continue }
      let missing = missing(reveal.rect, lens)
      if abs(missing) > Self.slack { scroll += lens.realScroll(Point(y: missing), of: header.scrollViews[view]) }
    }
    if scroll != Point() {
      header.work.happened.commands.append(
        HeaderState.Command(
          scrollView: Int32(view), name: "scrollBy",
          arguments: [
            "x": .number(scroll.x), "y": .number(scroll.y), "animated": .bool(!header.environment.limitsMotion),
          ]))
    }
    let isAcross = header.scrollViews[view].axis == .horizontal
    return ["gaveWay": .number(max(0, gaveWay)), "scroll": .number(isAcross ? scroll.x : scroll.y)]
  }

  /// What of the viewport an edge's drawers cover.
  private func covered(_ lens: EdgeLens) -> Double { lens.insets(header.obstruction(of: view)).top }

  /// The rectangle's top in the viewport.
  private func top(of rect: Rect, _ lens: EdgeLens) -> Double {
    let record = header.scrollViews[view]
    return lens.contentRect(rect, of: record, isReal: true).origin.y - lens.offset(record.contentOffset, of: record).y
  }

  /// The header collapses by `distance` points; the content stays where it is.
  private func giveWay(by distance: Double, at edge: Edge?) {
    let offset = header.scrollViews[view].contentOffset
    PositionController(header).collapse(by: distance, at: edge)
    header.moveContent(of: view, to: offset)
  }

  /// By how much the content must scroll, points in the sign of the offset as the edge sees it.
  private func missing(_ rect: Rect, _ lens: EdgeLens) -> Double {
    let record = header.scrollViews[view]
    let obstruction = lens.insets(header.obstruction(of: view))
    let (low, high) = (obstruction.top, lens.size(record.frame.size).height - obstruction.bottom)
    let top = top(of: rect, lens)
    let rect = Rect(origin: rect.origin, size: lens.size(rect.size))
    let bottom = top + rect.size.height
    if top < low || bottom - top > high - low { return top - low }
    return bottom > high ? bottom - high : 0
  }
}
