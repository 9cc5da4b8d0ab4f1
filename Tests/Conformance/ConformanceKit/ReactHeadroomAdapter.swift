// SPDX-License-Identifier: MIT
//
// react-headroom in our words: the preset `react-headroom` over one drawer. A scroll is looked at in the frame after it, as the
// component asks for it. Its timer of 0 ms runs in `advance` alone, so our clock goes on there alone.
//
//     decide       one look: where the header is and was looked at last (`remember`), then a didScroll
//     state        the value `place`: unfixed is inFlow, pinned is shown, unpinned is hidden

internal import HeaderModel

/// Reads recordings of react-headroom.
enum ReactHeadroomAdapter {
  static let system = "react-headroom"

  /// What the page and the component know.
  private struct Page {
    /// What a frame that was asked for does.
    enum Asked { case look, measure }
    var offset = 0.0
    var time = 0.0
    var height: Value = 0
    var isMounted = true
    /// The component's properties as they are.
    var props: Value.Record = [
      "disable": false, "pin": false, "calcHeightOnResize": true, "upTolerance": 5, "downTolerance": 0,
    ]
    /// In the order in which they were asked for.
    var asked: [Asked] = []

    var isListening: Bool { isMounted && props["disable"] == false }

    mutating func ask(_ what: Asked) {
      if !asked.contains(what) { asked.append(what) }
    }
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
    page.height = scene.value("headerHeight") ?? 0
    try scene.finish()
    var options = FieldReader(recording.options, at: Path("options"))
    let law = try law(&options, &page)
    try options.finish()
    let description = try Neighbors.description(
      preset: "react-headroom", options: law, drawers: [["name": "header", "height": page.height]], content: content)
    return try Neighbors.adapt(recording, to: description, leftOut: leftOut) { step throws(HeaderError) in
      let records = try events(&step, &page)
      if step.name == "advance" || step.name == "decide" { page.time = step.time }
      step.time = page.time
      return records
    } show: { view in
      view.step == "decide" ? decision(view) : show(view)
    }
  }

  /// Takes properties over; those that are not given stay.
  private static func law(_ fields: inout FieldReader, _ page: inout Page) throws(HeaderError) -> Value.Record {
    // An element scrolls as a window does.
    _ = fields.value("parent")
    for name in ["upTolerance", "downTolerance", "pinStart", "disable", "pin", "calcHeightOnResize"] {
      if let value = fields.value(name) { page.props[name] = value }
    }
    let props = page.props
    let zone: Value? = props["pinStart"].map { .record(["hide": $0, "show": $0]) }
    return Adapting.record([
      ("lookTolerance", .record(Adapting.record([("hide", props["downTolerance"]), ("show", props["upTolerance"])]))),
      ("topZone", zone), ("enabled", .bool(props["disable"] != true)), ("holds", props["pin"]),
    ])
  }

  // MARK: Steps

  private static func events(_ step: inout NeighborStep, _ page: inout Page) throws(HeaderError) -> [Value.Record] {
    switch step.name {
    case "scroll":
      page.offset = try step.fields.required(number: "scrollY", in: -FieldReader.bound...FieldReader.bound)
      if page.isListening { page.ask(.look) }
      return []
    case "frame":
      defer { page.asked = [] }
      return page.asked.map { asked in
        asked == .look
          ? Neighbors.event("didScroll", [("offset", Neighbors.vertical(page.offset))]) : measured(page.height)
      }
    case "advance": return [Neighbors.event("advance")]
    case "resize", "layout": return try layout(&step, &page)
    case "setOptions":
      var options = FieldReader(
        try step.fields.record(of: "options") ?? Value.Record(), at: step.fields.path + "options")
      let isPinned = page.props["pin"]
      let law = try law(&options, &page)
      try options.finish()
      if page.props["pin"] != isPinned { page.ask(.look) }
      return [Neighbors.event("setOptions", [("options", .record(law))])]
    case "unmount":
      page.isMounted = false
      return []
    case "decide": return try decide(&step)
    default: throw step.fields.unexpected("event", needed: "an event of react-headroom", expected: "case")
    }
  }

  private static func measured(_ height: Value) -> Value.Record {
    Neighbors.event("layout", [("drawers", [["name": "header", "maximumHeight": height]])])
  }

  private static func layout(_ step: inout NeighborStep, _ page: inout Page) throws(HeaderError) -> [Value.Record] {
    guard var scene = try step.fields.reader("scene") else { return [] }
    page.height = scene.value("headerHeight") ?? page.height
    page.offset = try scene.number("scrollY") ?? page.offset
    if step.name == "resize", page.isListening, page.props["calcHeightOnResize"] == true { page.ask(.measure) }
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
    // Each decision has its own properties.
    var page = Page()
    page.props["pinStart"] = 0
    let records = [
      measured(state.value("height") ?? 0),
      Neighbors.event("setOptions", [("options", .record(try law(&props, &page)))]),
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
      "translateY": view.fact("seen") == "hidden" && frame.maxY <= 0 ? "-100%" : .number(frame.origin.y),
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
