// SPDX-License-Identifier: MIT
//
// react-headroom in our words: the preset `react-headroom` over one drawer. A scroll is looked at in the frame after it, as the
// component asks for it. Its timer of 0 ms runs in `advance` alone, so our clock goes on there alone.
//
//     decide       one look: where the header is and was looked at last (`remember`), then a didScroll
//     state        the value `place`: unfixed is inFlow, pinned is shown, unpinned is hidden

internal import HeaderCore

/// Reads recordings of react-headroom.
enum ReactHeadroomAdapter {
  static let system = "react-headroom"

  /// What the page knows.
  private struct Page {
    var offset = 0.0
    var time = 0.0
    var isMounted = true
    var measures = true
    /// A look, or a new height, in the next frame.
    var asksForLook = false
    var newHeight: Double?
  }

  private static let leftOut = [
    LeftOut(
      name: "pendingFrame", reason: "the page's request for a frame: a header is told of frames, it asks for none"),
    LeftOut(name: "listening", reason: "the page's listener"),
  ]

  private static let places = ["unfixed": "inFlow", "pinned": "shown", "unpinned": "hidden"]

  static func adapt(_ recording: OriginalRecording) throws(HeaderError) -> AdaptedRecording {
    var scene = FieldReader(recording.scene, at: Path("scene"))
    var page = Page()
    page.offset = try scene.number("scrollY") ?? 0
    let content = Adapting.record([
      ("viewport", ["width": 400, "height": scene.value("viewportHeight") ?? 0]),
      ("contentSize", ["width": 400, "height": scene.value("scrollHeight") ?? 1_000_000]),
      ("offset", Neighbors.vertical(page.offset)), ("clamping", "none"),
    ])
    let height = scene.value("headerHeight") ?? 0
    try scene.finish()
    var options = FieldReader(recording.options, at: Path("options"))
    _ = options.value("parent")
    page.measures = try options.bool("calcHeightOnResize") ?? true
    let description = try Neighbors.description(
      preset: "react-headroom", options: try law(&options), drawers: [["name": "header", "height": height]],
      content: content)
    try options.finish()
    return try Neighbors.adapt(recording, to: description, leftOut: leftOut) { step throws(HeaderError) in
      let records = try events(&step, &page)
      if step.name == "advance" || step.name == "decide" { page.time = step.time }
      step.time = page.time
      return records
    } show: { view in
      view.step == "decide" ? decision(view) : show(view)
    }
  }

  private static func law(_ fields: inout FieldReader) throws(HeaderError) -> Value.Record {
    let (up, down) = (fields.value("upTolerance"), fields.value("downTolerance"))
    let tolerance: Value? =
      up == nil && down == nil ? Value?.none : .record(["hide": down ?? 0, "show": up ?? 5])
    let zone: Value? = fields.value("pinStart").map { .record(["hide": $0, "show": $0]) }
    return Adapting.record([
      ("lookTolerance", tolerance), ("topZone", zone),
      ("enabled", try fields.bool("disable").map { .bool(!$0) }), ("holds", fields.value("pin")),
    ])
  }

  // MARK: Steps

  private static func events(_ step: inout NeighborStep, _ page: inout Page) throws(HeaderError) -> [Value.Record] {
    switch step.name {
    case "scroll":
      page.offset = try step.fields.required(number: "scrollY", in: -FieldReader.bound...FieldReader.bound)
      page.asksForLook = page.asksForLook || page.isMounted
      return []
    case "frame": return frame(&page)
    case "advance": return [Neighbors.event("advance")]
    case "resize", "layout": return try layout(&step, &page)
    case "setOptions":
      var options = FieldReader(
        try step.fields.record(of: "options") ?? Value.Record(), at: step.fields.path + "options")
      if options.has("pin") { page.asksForLook = true }
      let law = try law(&options)
      try options.finish()
      return law.fields.map { Neighbors.event("setOptions", [("options", .record(Value.Record(fields: [$0])))]) }
    case "unmount":
      page.isMounted = false
      return []
    case "decide": return try decide(&step)
    default: throw step.fields.unexpected("event", needed: "an event of react-headroom", expected: "case")
    }
  }

  private static func frame(_ page: inout Page) -> [Value.Record] {
    var records: [Value.Record] = []
    if let height = page.newHeight { records.append(measured(.number(height))) }
    if page.asksForLook { records.append(Neighbors.event("didScroll", [("offset", Neighbors.vertical(page.offset))])) }
    (page.newHeight, page.asksForLook) = (nil, false)
    return records
  }

  private static func measured(_ height: Value) -> Value.Record {
    Neighbors.event("layout", [("drawers", [["name": "header", "maximumHeight": height]])])
  }

  private static func layout(_ step: inout NeighborStep, _ page: inout Page) throws(HeaderError) -> [Value.Record] {
    guard var scene = try step.fields.reader("scene") else { return [] }
    if let height = try scene.number("headerHeight"), step.name == "resize", page.measures { page.newHeight = height }
    let record = Neighbors.event(
      "layout",
      [
        ("viewport", scene.value("viewportHeight").map { ["height": $0] }),
        ("contentSize", scene.value("scrollHeight").map { ["height": $0] }),
      ])
    try scene.finish()
    return record.fields.count > 1 ? [record] : []
  }

  private static func decide(_ step: inout NeighborStep) throws(HeaderError) -> [Value.Record] {
    guard var state = try step.fields.reader("state"), var props = try step.fields.reader("props") else {
      throw step.fields.unexpected("state", needed: "an object", expected: "record")
    }
    let before = try step.fields.required(number: "lastScrollY", in: -FieldReader.bound...FieldReader.bound)
    let offset = try step.fields.required(number: "scrollY", in: -FieldReader.bound...FieldReader.bound)
    let place = try state.required(text: "state")
    let records = [
      measured(state.value("height") ?? 0),
      Neighbors.event("setOptions", [("options", .record(try law(&props)))]),
      Neighbors.call("remember", [("place", .text(places[place] ?? "hidden")), ("offset", .number(before))]),
      Neighbors.event("didScroll", [("offset", Neighbors.vertical(offset))]),
    ]
    try state.finish()
    try props.finish()
    return records
  }

  // MARK: Shown

  private static func state(_ view: NeighborView) -> Value {
    places.first { .text($0.value) == view.fact("place") }.map { .text($0.key) } ?? .null
  }

  private static func show(_ view: NeighborView) -> Value {
    let (frame, state) = (view.drawer.frame, state(view))
    let height = view.drawer.maximumHeight
    return [
      "state": state,
      "translateY": frame.maxY <= 0 && frame.origin.y < 0 ? "-100%" : .number(frame.origin.y),
      "transition": view.fact("isAnimated"),
      "className": className(view),
      "position": state == "unfixed" ? "relative" : "fixed",
      "height": .number(height),
      "wrapperHeight": height == 0 ? .null : .number(height),
      "callbacks": .list(view.notices.compactMap { callbacks[$0].map { .text($0) } }),
    ]
  }

  private static let callbacks = ["didShow": "onPin", "didHide": "onUnpin", "didReturnToFlow": "onUnfix"]

  /// The style classes' names: one for where the header is seen, one for whether it moves there.
  private static func className(_ view: NeighborView) -> Value {
    guard let seen = places.first(where: { .text($0.value) == view.fact("seen") })?.key else { return .null }
    let still = view.fact("hasMoved") == true ? " headroom-disable-animation" : ""
    return .text("headroom headroom--\(seen)" + (view.fact("isAnimated") == true ? " headroom--scrolled" : still))
  }

  private static func decision(_ view: NeighborView) -> Value {
    let hides = view.fact("isAnimated") == true ? "unpin" : "unpin-snap"
    let actions = ["didShow": "pin", "didHide": hides, "didReturnToFlow": "unfix"]
    guard case .record(let look) = view.fact("look") else { return .null }
    return [
      "action": .text(view.notices.compactMap { actions[$0] }.last ?? "none"),
      "scrollDirection": look["direction"] ?? .null, "distanceScrolled": look["distance"] ?? .null,
    ]
  }
}
