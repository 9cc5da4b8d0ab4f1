// SPDX-License-Identifier: MIT
//
// Draws a header as SVG: a row of phones, each with the content and the drawers where one state has them.

import HeaderCore
import HeaderModel

/// A row of pictures of one header.
struct Storyboard {
  private struct Scene {
    var caption: String
    var body: String
  }

  private let space: Size
  private var scenes: [Scene] = []
  private static let gap = 60.0
  private static let colors = ["#8ecae6", "#ffb703", "#90be6d", "#cdb4db"]

  /// - Parameter header: it fills its tracking scroll view's frame.
  init(_ header: Header) { space = header.scrollViews[header.trackingScrollView].frame.size }

  /// Adds the header as it is now.
  /// - Parameter keyboard: what of the bottom a keyboard covers, points.
  mutating func add(_ caption: String, _ header: Header, keyboard: Double = 0) {
    var body = content(of: header.state.scrollViews[header.trackingScrollView])
    if keyboard > 0 {
      let frame = Rect(
        origin: Point(x: 0, y: space.height - keyboard), size: Size(width: space.width, height: keyboard))
      body += Self.box(frame, fill: "#adb5bd", label: "keyboard")
    }
    // The first drawer lies over those behind it.
    for index in header.state.drawers.indices.reversed() where !header.state.drawers[index].isHidden {
      let drawer = header.state.drawers[index]
      body += Self.box(
        drawer.frame, fill: Self.colors[index % Self.colors.count], opacity: Double(drawer.alpha),
        label: header.state.names.drawers[index])
    }
    scenes.append(Scene(caption: caption, body: body))
  }

  /// Cells of a hundred points each, with their numbers from the content's beginning on.
  private func content(of view: ScrollView) -> String {
    let isVertical = view.axis == .vertical
    let length = isVertical ? view.contentSize.height : view.contentSize.width
    let shown = isVertical ? space.height : space.width
    let offset = isVertical ? view.contentOffset.y : view.contentOffset.x
    var body = ""
    for number in 0..<Int(length / 100) {
      let start = Double(number) * 100 - offset
      guard start < shown, start + 100 > 0 else { continue }
      let place = (view.isReversed ? shown - start - 100 : start) + 4
      let frame =
        isVertical
        ? Rect(origin: Point(x: 12, y: place), size: Size(width: space.width - 24, height: 92))
        : Rect(origin: Point(x: place, y: 12), size: Size(width: 92, height: space.height - 24))
      body += Self.box(frame, fill: "#e9ecef", label: "\(number + 1)")
    }
    return body
  }

  private static func box(_ frame: Rect, fill: String, opacity: Double = 1, label: String) -> String {
    let (x, y, width, height) = (frame.origin.x, frame.origin.y, frame.size.width, frame.size.height)
    let (middle, center) = (number(x + width / 2), number(y + height / 2))
    // Upright where it is too narrow for its name.
    let turn = width < 100 && height > 2 * width ? " transform=\"rotate(-90 \(middle) \(center))\"" : ""
    return """
          <g opacity="\(number(opacity))">
            <rect x="\(number(x))" y="\(number(y))" width="\(number(width))" height="\(number(height))" rx="6" fill="\(fill)"/>
            <text x="\(middle)" y="\(center)" dy="8"\(turn)>\(label)</text>
          </g>

      """
  }

  /// A hundredth of a point is enough for a picture.
  private static func number(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }

  /// The picture.
  var svg: String {
    let step = space.width + Self.gap
    let width = step * Double(scenes.count) + Self.gap
    let height = space.height + 2 * Self.gap
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.number(width)) \(Self.number(height))" \
      width="\(Self.number(width / 2))" font-family="sans-serif" font-size="24" text-anchor="middle">
        <defs><clipPath id="screen"><rect width="\(Self.number(space.width))" height="\(Self.number(space.height))" rx="24"/>\
      </clipPath></defs>
        <rect width="100%" height="100%" fill="#ffffff"/>

      """
    for (index, scene) in scenes.enumerated() {
      text += """
          <g transform="translate(\(Self.number(Self.gap + Double(index) * step)) \(Self.number(Self.gap)))">
            <text x="\(Self.number(space.width / 2))" y="-20">\(scene.caption)</text>
            <g clip-path="url(#screen)">
        \(scene.body)    </g>
            <rect width="\(Self.number(space.width))" height="\(Self.number(space.height))" rx="24" fill="none" \
        stroke="#495057" stroke-width="4"/>
          </g>

        """
    }
    return text + "</svg>\n"
  }
}
