// SPDX-License-Identifier: MIT
//
// A header and its mirror image at another edge. What is real at that edge is turned here by hand, not by the engine's lens:
// the tests compare the two.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

/// An edge, and which way content goes there.
struct Reflection: CustomTestStringConvertible, Sendable {
  var edge: Edge
  var isRightToLeft = false
  var isReversed = false

  static let all = [
    Reflection(edge: .bottom), Reflection(edge: .leading), Reflection(edge: .trailing),
    Reflection(edge: .leading, isRightToLeft: true), Reflection(edge: .trailing, isRightToLeft: true),
    Reflection(edge: .top, isReversed: true), Reflection(edge: .bottom, isReversed: true),
    Reflection(edge: .leading, isReversed: true), Reflection(edge: .trailing, isReversed: true),
  ]

  var testDescription: String {
    edge.rawValue + (isRightToLeft ? ", right to left" : "") + (isReversed ? ", reversed" : "")
  }

  /// Drawers lie above or below the content.
  var isVertical: Bool { edge == .top || edge == .bottom }
  /// The edge is at the bottom or at the right.
  var isFar: Bool { edge == .bottom || (edge == .trailing && !isRightToLeft) || (edge == .leading && isRightToLeft) }
  /// The offset grows as content leaves the edge.
  var turnsRound: Bool { isFar != isReversed }

  // MARK: The same header at the edge

  /// A composed header of 375 points across and 667 from the edge to the other one.
  func description(of header: ComposedHeader) throws -> HeaderDescription {
    guard case .list(let drawers) = header.drawers, case .number(let inset) = header.contentInset else {
      preconditionFailure("drawers and an inset")
    }
    let hanging = drawers.map { drawer in
      guard case .record(let fields) = drawer else { return drawer }
      return Value.record(record(["edge": .text(edge.rawValue)], after: fields))
    }
    let offset = turnsRound ? 3000 - 667 + inset : -inset
    let view: Value = [
      "viewport": size(375, 667), "contentSize": size(375, 3000), "contentInset": [name(ofNear: true): .number(inset)],
      "offset": isVertical ? ["y": .number(offset)] : ["x": .number(offset)],
      "axis": isVertical ? "vertical" : "horizontal", "reversed": .bool(isReversed),
    ]
    var environment: Value = ["safeAreaInset": [name(ofNear: true): 20]]
    if edge == .top {
      environment = ["statusBarHeight": 20, "safeAreaInset": ["top": 20], "deviceHasHardwareSafeArea": true]
    }
    var unknown: [UnknownField] = []
    let description = try HeaderDescription(
      [
        "header": "main", "frames": "events", "drawers": .list(hanging), "environment": environment,
        "layoutDirection": isRightToLeft ? "rightToLeft" : "leftToRight", "scrollViews": ["content": view],
        "delegates": .list(header.delegates.map(\.value)),
      ], at: Path(""), unknown: &unknown)
    #expect(unknown.isEmpty)
    return description
  }

  func open(_ header: ComposedHeader) throws -> Header {
    try Header(description(of: header), epoch: 1, provider: BuiltPlugins.registry())
  }

  func name(ofNear isNear: Bool) -> String {
    if isVertical { return isNear == isFar ? "bottom" : "top" }
    return isNear == isFar ? "right" : "left"
  }

  private func size(_ across: Double, _ away: Double) -> Value {
    isVertical
      ? ["width": .number(across), "height": .number(away)] : ["width": .number(away), "height": .number(across)]
  }

  // MARK: Events

  /// An event of the plain header as it happens at the edge; `header` is there.
  func event(_ plain: ScrollEvent, in header: Header) -> ScrollEvent {
    var event = plain
    event.offset = plain.offset.map { partial($0, header) }
    switch plain.kind {
    case .willEndDragging(let velocity, let target):
      event.kind = .willEndDragging(velocity: scroll(velocity), targetOffset: target.map { partial($0, header) })
    case .willScroll(let delta, let source): event.kind = .willScroll(delta: scroll(delta), source: source)
    case .didOverscroll(let delta, let source): event.kind = .didOverscroll(delta: scroll(delta), source: source)
    case .willFling(let velocity): event.kind = .willFling(velocity: scroll(velocity))
    default: break
    }
    return event
  }

  private func partial(_ plain: PartialPoint, _ header: Header) -> PartialPoint {
    guard let y = plain.y else { return plain }
    let along = turnsRound ? end(of: header.scrollViews[0]) - y : y
    return isVertical ? PartialPoint(y: along) : PartialPoint(x: along)
  }

  private func end(of view: ScrollView) -> Double {
    isVertical ? view.contentSize.height - view.frame.size.height : view.contentSize.width - view.frame.size.width
  }

  /// A change of the offset on either side.
  func scroll(_ plain: Point) -> Point {
    let along = turnsRound ? 0 - plain.y : plain.y
    return isVertical ? Point(x: plain.x, y: along) : Point(x: along, y: plain.x)
  }

  /// The same back.
  func plainScroll(_ real: Point) -> Point {
    let (along, across) = isVertical ? (real.y, real.x) : (real.x, real.y)
    return Point(x: across, y: turnsRound ? 0 - along : along)
  }

  /// An offset as the plain header would have it.
  func plainOffset(_ real: Point, of view: ScrollView) -> Point {
    let (along, across) = isVertical ? (real.y, real.x) : (real.x, real.y)
    return Point(x: across, y: turnsRound ? end(of: view) - along : along)
  }

  // MARK: What is seen

  /// A rectangle of a drawer or scroll view as the plain header would have it.
  private func plain(_ real: Rect, within away: Double = 667) -> [Double] {
    let (across, along) = isVertical ? (real.origin.x, real.origin.y) : (real.origin.y, real.origin.x)
    let (width, height) =
      isVertical ? (real.size.width, real.size.height) : (real.size.height, real.size.width)
    return [across, isFar ? away - (along + height) : along, width, height]
  }

  private func plain(_ insets: Insets) -> [Double] {
    let (near, far) = isVertical ? (insets.top, insets.bottom) : (insets.left, insets.right)
    let across = isVertical ? [insets.left, insets.right] : [insets.top, insets.bottom]
    return (isFar ? [far, near] : [near, far]) + across
  }

  /// A direction in the plain header as it is at the edge.
  private func turned(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let along = isFar ? 0 - y : y
    return isVertical ? (x, along) : (along, x)
  }

  /// What a transform makes of a direction of the plain header, told in the plain header's directions.
  private func image(of x: Double, _ y: Double, _ transform: Transform) -> [Double] {
    let (x, y) = turned(x, y)
    let m = transform.numbers
    let real = (x * m[0] + y * m[4], x * m[1] + y * m[5])
    let (along, across) = isVertical ? (real.1, real.0) : (real.0, real.1)
    return [across, isFar ? 0 - along : along]
  }

  /// All that is to be seen, number by number, as the plain header would have it.
  func sight(of header: Header) -> [(String, [Double])] {
    let state = header.state
    var sight: [(String, [Double])] = []
    for (drawer, name) in zip(state.drawers, state.names.drawers) {
      sight.append(("\(name) frame", plain(drawer.frame)))
      sight.append(("\(name) drawn", plain(drawer.drawnFrame)))
      sight.append(("\(name) look", [Double(drawer.alpha), drawer.isHidden ? 1 : 0, drawer.isSticky ? 1 : 0]))
    }
    for (element, name) in zip(state.elements, state.names.elements) {
      let size = state.drawers[Int(element.drawer)].size
      let frame = Rect(
        x: element.center.x - element.bounds.size.width / 2, y: element.center.y - element.bounds.size.height / 2,
        width: element.bounds.size.width, height: element.bounds.size.height)
      sight.append(("\(name) frame", plain(frame, within: isVertical ? size.height : size.width)))
      sight.append(("\(name) turned", image(of: 1, 0, element.transform) + image(of: 0, 1, element.transform)))
      sight.append(("\(name) look", [Double(element.alpha), element.isHidden ? 1 : 0, element.cornerRadius]))
    }
    for view in state.scrollViews {
      sight.append(("insets", plain(view.contentInset) + plain(view.scrollIndicatorInsets)))
      sight.append(("view", plain(view.frame)))
      let offset = plainOffset(view.contentOffset, of: view)
      sight.append(("offset", [offset.x, offset.y]))
      let correction = plainScroll(view.correction)
      sight.append(("correction", [correction.x, correction.y]))
    }
    for (value, name) in zip(state.values, state.names.values) {
      if case .number(let number) = value.content { sight.append((name, [number])) }
    }
    let place = header.place
    return sight + [("place", [place.traveled, place.travel])]
  }

  /// What of a header's sight is not as another's, which sees the plain header.
  func differences(_ mirrored: Header, from plain: Header, _ other: Reflection = Reflection(edge: .top)) -> [String] {
    zip(sight(of: mirrored), other.sight(of: plain)).compactMap { mine, others in
      let isSame = zip(mine.1, others.1).allSatisfy { abs($0 - $1) <= 1e-9 }
      return isSame ? nil : "\(mine.0) \(mine.1), expected \(others.1)"
    }
  }
}

extension RandomScroll {
  /// Without turns of the phone, and with offsets of whole parts of a point, whose differences are exact.
  var exact: [(time: Instant, event: ScrollEvent)] {
    events.filter { if case .layout = $0.event.kind { false } else { true } }.map { time, event in
      var event = event
      func rounded(_ y: Double) -> Double { (y * 256).rounded() / 256 }
      event.offset = event.offset.map { PartialPoint(x: $0.x, y: $0.y.map(rounded)) }
      if case .willEndDragging(let velocity, let target) = event.kind {
        event.kind = .willEndDragging(
          velocity: velocity, targetOffset: target.map { PartialPoint(x: $0.x, y: $0.y.map(rounded)) })
      }
      return (time, event)
    }
  }
}
