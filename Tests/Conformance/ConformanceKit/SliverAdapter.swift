// SPDX-License-Identifier: MIT
//
// Flutter's persistent headers in our words: one drawer of the two extents, with the law of a preset.
//
//     scroll         didScroll; under a finger unless the direction is idle, which is a program's move
//     scrollStart    the direction that the scroll before left (a call), then willBeginDragging; scrollEnd: didEndDragging
//     frame          a frame, as long as the time since the one before

internal import HeaderModel

/// Reads recordings of Flutter's persistent headers.
enum SliverAdapter {
  static let system = "flutter-sliver-header"

  static func adapt(_ recording: OriginalRecording) throws(HeaderError) -> AdaptedRecording {
    var options = FieldReader(recording.options, at: Path("options"))
    let kinds = [
      ("scrolling", "flutter-scrolling"), ("pinned", "flutter-pinned"), ("floating", "flutter-floating"),
      ("floatingPinned", "flutter-pinned-floating"),
    ]
    guard var preset = try options.choice("kind", kinds) else {
      throw options.unexpected("kind", needed: "one of Flutter's", expected: "case")
    }
    let most = options.value("maxExtent") ?? 0
    let drawer: Value = [
      "name": "header", "height": most, "maximumHeight": most, "minimumHeight": options.value("minExtent") ?? 0,
    ]
    var law = Adapting.record([("start", options.value("before"))])
    let snaps = options.value("snap") == .bool(true)
    if let trigger = options.value("stretchTriggerOffset"), trigger != .null {
      law["drawers"] = [stretching(preset, snaps: snaps, trigger)]
    }
    if snaps { preset += "-snap" }
    let viewport = options.value("viewport") ?? 0
    try options.finish()
    let description = try Neighbors.description(
      preset: preset, options: law, drawers: [drawer],
      content: [
        "viewport": ["width": 400, "height": viewport], "contentSize": ["width": 400, "height": 1_000_000],
        "offset": Neighbors.vertical(0), "clamping": "none",
      ])
    var latestFrame = 0.0
    return try Neighbors.adapt(recording, to: description, counts: ["stretchTriggers"]) { step throws(HeaderError) in
      try events(&step, &latestFrame)
    } show: { view in
      show(view)
    }
  }

  /// The law of a preset with a stretch in addition, which only one of them has.
  private static func stretching(_ preset: String, snaps: Bool, _ trigger: Value) -> Value {
    var law: Value.Record = ["collapse": true, "stretch": ["trigger": trigger, "repeats": true]]
    if ["flutter-scrolling", "flutter-floating"].contains(preset) { law["shift"] = true }
    if ["flutter-scrolling", "flutter-pinned"].contains(preset) { law["returns"] = "atTop" }
    if preset == "flutter-pinned-floating" { law["slack"] = "minimum" }
    if snaps {
      law["rest"] = [
        "by": "showing", "duration": 0.2, "curve": "easeOutFlutter", "beginsWithFrame": true, "takesContent": false,
        "target": false,
      ]
    }
    return .record(law)
  }

  private static func events(
    _ step: inout NeighborStep, _ latestFrame: inout Double
  ) throws(HeaderError) -> [Value.Record] {
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
      return [told(direction), Neighbors.event("willBeginDragging")]
    case "scrollEnd":
      return [
        told(direction), Neighbors.event("didEndDragging", [("willDecelerate", false)]),
      ]
    case "frame":
      let duration = max(1e-9, step.time - latestFrame)
      latestFrame = step.time
      return [Neighbors.event("advance", [("frameDuration", .number(duration))])]
    default: throw step.fields.unexpected("event", needed: "an event of Flutter's", expected: "case")
    }
  }

  private static func told(_ direction: Value?) -> Value.Record {
    let word: Value = direction == "forward" ? "show" : direction == "reverse" ? "hide" : "none"
    return Neighbors.call("setDirection", [("direction", word)])
  }

  private static func show(_ view: NeighborView) -> Value {
    let (frame, isVisible) = (view.drawer.frame, view.fact("isVisible"))
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
      "childTop": isVisible == .bool(true) ? .number(frame.origin.y) : .null, "nextTop": view.fact("nextTop"),
      "visible": isVisible,
      "stretchTriggers": .number(Double(view.notices.filter { $0 == "didStretch" }.count)),
      "snapping": view.value("isResting"),
    ]
  }
}
