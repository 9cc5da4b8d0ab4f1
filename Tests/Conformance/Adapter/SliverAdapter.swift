// SPDX-License-Identifier: MIT
//
// Flutter's persistent headers in our words: one drawer of the two extents, a part of the content (`follows = "sliver"`).
//
//     scroll         didScroll; under a finger unless the direction is idle, which is a program's move
//     scrollStart    the direction that the scroll before left (a call), then willBeginDragging; scrollEnd: didEndDragging
//     frame          a frame

internal import HeaderCore

/// Reads recordings of Flutter's persistent headers.
enum SliverAdapter {
  static let system = "flutter-sliver-header"

  static func adapt(_ recording: OriginalRecording) throws(HeaderError) -> AdaptedRecording {
    var options = FieldReader(recording.options, at: Path("options"))
    let kinds = [
      ("scrolling", "flutter-scrolling"), ("pinned", "flutter-pinned"), ("floating", "flutter-floating"),
      ("floatingPinned", "flutter-pinned-floating"),
    ]
    guard let preset = try options.choice("kind", kinds) else {
      throw options.unexpected("kind", needed: "one of Flutter's", expected: "case")
    }
    let most = options.value("maxExtent") ?? 0
    let drawer: Value = [
      "name": "header", "height": most, "maximumHeight": most, "minimumHeight": options.value("minExtent") ?? 0,
    ]
    let trigger = options.value("stretchTriggerOffset")
    let law = Adapting.record([
      ("start", options.value("before")), ("sliverSnaps", options.value("snap")),
      ("sliverStretches", .bool(trigger != nil && trigger != .null)), ("stretchTrigger", trigger),
    ])
    let viewport = options.value("viewport") ?? 0
    try options.finish()
    let description = try Neighbors.description(
      preset: preset, options: law, drawers: [drawer],
      content: [
        "viewport": ["width": 400, "height": viewport], "contentSize": ["width": 400, "height": 1_000_000],
        "offset": Neighbors.vertical(0), "clamping": "none",
      ])
    return try Neighbors.adapt(recording, to: description, counts: ["stretchTriggers"]) { step throws(HeaderError) in
      try events(&step)
    } show: { view in
      show(view)
    }
  }

  private static func events(_ step: inout NeighborStep) throws(HeaderError) -> [Value.Record] {
    let direction = step.fields.value("direction")
    switch step.name {
    case "scroll":
      let pixels = try step.fields.required(number: "pixels", in: -FieldReader.bound...FieldReader.bound)
      let isFinger = direction != "idle"
      return [
        Neighbors.event(
          "didScroll",
          [
            ("offset", Neighbors.vertical(pixels)), ("isTracking", .bool(isFinger)), ("isDragging", .bool(isFinger)),
            ("isDecelerating", false),
          ])
      ]
    case "scrollStart":
      return [Neighbors.call("setDirection", [("direction", direction)]), Neighbors.event("willBeginDragging")]
    case "scrollEnd":
      return [
        Neighbors.call("setDirection", [("direction", direction)]),
        Neighbors.event("didEndDragging", [("willDecelerate", false)]),
      ]
    case "frame": return [Neighbors.event("advance", [("frameDuration", 0.016)])]
    default: throw step.fields.unexpected("event", needed: "an event of Flutter's", expected: "case")
    }
  }

  private static func show(_ view: NeighborView) -> Value {
    let (frame, isVisible) = (view.drawer.frame, !view.drawer.isHidden)
    let geometry = [
      "scrollExtent", "paintOrigin", "paintExtent", "layoutExtent", "maxPaintExtent", "maxScrollObstructionExtent",
    ]
    return [
      "constraints": .record(
        Adapting.record(["scrollOffset", "overlap", "remainingPaintExtent"].map { ($0, view.fact($0)) })),
      "shrinkOffset": view.fact("shrinkOffset"), "overlapsContent": view.fact("overlapsContent"),
      "effectiveScrollOffset": view.fact("effectiveOffset"),
      "geometry": .record(Adapting.record(geometry.map { ($0, view.fact($0)) })),
      "childExtent": .number(frame.size.height), "childPosition": view.fact("childPosition"),
      "childTop": isVisible ? .number(frame.origin.y) : .null, "nextTop": view.fact("nextTop"),
      "visible": .bool(isVisible),
      "stretchTriggers": .number(Double(view.notices.filter { $0 == "didStretch" }.count)),
      "snapping": view.fact("isSnapping"),
    ]
  }
}
