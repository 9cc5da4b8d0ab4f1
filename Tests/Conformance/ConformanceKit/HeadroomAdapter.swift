// SPDX-License-Identifier: MIT
//
// headroom.js in our words: the preset `headroom` over one drawer. What the library's page does around it is done here, as any
// page would: a look is a didScroll in the frame after a scroll, with the offset that the page has then, and the first one comes
// 100 ms after `init`.
//
//     classes               marks, by the names that the recording's options give them
//     onPin, onUnpin…       notices

internal import HeaderModel

/// Reads recordings of headroom.js.
enum HeadroomAdapter {
  static let system = "headroom-js"

  /// What the page knows.
  private struct Page {
    var offset = 0.0
    var isInitialised = false
    /// When the library begins to listen; nil: it has begun, or shall not.
    var start: Double?
    var isListening = false
    var hasScrolled = false
    /// The sides that are given, by option.
    var sides: [String: Value.Record] = [:]
  }

  private static let leftOut = [
    LeftOut(
      name: "pendingFrame", reason: "the page's request for a frame: a header is told of frames, it asks for none"),
    LeftOut(name: "listening", reason: "the page's listener"),
    LeftOut(name: "initialised", reason: "the library's own life in the page"),
    LeftOut(name: "frozen", reason: "told as a class, too, which is compared"),
  ]

  /// The library's names of what is seen, and ours.
  private static let usualClasses = [
    ("initial", "initial", "headroom"), ("pinned", "shown", "headroom--pinned"),
    ("unpinned", "hidden", "headroom--unpinned"), ("top", "top", "headroom--top"),
    ("notTop", "notTop", "headroom--not-top"), ("bottom", "bottom", "headroom--bottom"),
    ("notBottom", "notBottom", "headroom--not-bottom"), ("frozen", "frozen", "headroom--frozen"),
  ]

  static func adapt(_ recording: OriginalRecording) throws(HeaderError) -> AdaptedRecording {
    var scene = FieldReader(recording.scene, at: Path("scene"))
    var page = Page()
    page.offset = try scene.number("scrollY") ?? 0
    let viewport = try scene.required(number: "viewportHeight", in: 0...FieldReader.bound)
    let content = Adapting.record([
      ("viewport", ["width": 400, "height": .number(viewport)]),
      ("contentSize", ["width": 400, "height": scene.value("scrollHeight") ?? 0]),
      ("offset", Neighbors.vertical(page.offset)), ("clamping", "none"),
    ])
    try scene.finish()
    var options = FieldReader(recording.options, at: Path("options"))
    var law = try law(&options, &page)
    law["marks"] = .record(try marks(&options))
    for name in ["tolerance", "offset"] where page.sides[name] == nil { page.sides[name] = ["hide": 0, "show": 0] }
    // An element scrolls as a window does.
    _ = options.value("scroller")
    try options.finish()
    let description = try Neighbors.description(
      preset: "headroom", options: law, drawers: [["name": "header", "height": 64]], content: content)
    return try Neighbors.adapt(recording, to: description, leftOut: leftOut) { step throws(HeaderError) in
      try events(&step, &page)
    } show: { view in
      [
        "details": view.hasLooked ? details(view) : .null, "classes": view.fact("marks"),
        "callbacks": .list(view.notices.compactMap { callbacks[$0].map { .text($0) } }),
      ]
    }
  }

  // MARK: Options

  private static func law(_ fields: inout FieldReader, _ page: inout Page) throws(HeaderError) -> Value.Record {
    Adapting.record([
      ("lookTolerance", try sides("tolerance", &fields, &page)), ("topZone", try sides("offset", &fields, &page)),
    ])
  }

  /// A number for both directions, or one for each: a side that was never given is none.
  private static func sides(
    _ name: String, _ fields: inout FieldReader, _ page: inout Page
  ) throws(HeaderError) -> Value? {
    switch fields.value(name) {
    case nil: return nil
    case .number(let number)?: page.sides[name] = ["hide": .number(number), "show": .number(number)]
    default:
      guard var given = try fields.reader(name) else { return nil }
      var sides = page.sides[name] ?? ["hide": .null, "show": .null]
      for (ours, theirs) in [("hide", "down"), ("show", "up")] { sides[ours] = given.value(theirs) ?? sides[ours] }
      try given.finish()
      page.sides[name] = sides
    }
    return page.sides[name].map { .record($0) }
  }

  private static func marks(_ fields: inout FieldReader) throws(HeaderError) -> Value.Record {
    var given = FieldReader(try fields.record(of: "classes") ?? Value.Record(), at: Path("options.classes"))
    var result = Value.Record()
    for (key, ours, usual) in usualClasses { result[ours] = .text(try given.text(key) ?? usual) }
    try given.finish()
    return result
  }

  // MARK: Steps

  private static func events(_ step: inout NeighborStep, _ page: inout Page) throws(HeaderError) -> [Value.Record] {
    switch step.name {
    case "init":
      guard !page.isInitialised else { return [] }
      (page.isInitialised, page.start) = (true, step.time + 0.1)
      return [Neighbors.event("willAppear")]
    case "advance":
      // Milliseconds, as the library counts them.
      guard let start = page.start, step.time >= start - 1e-9 else { return [] }
      (page.isListening, page.start) = (true, nil)
      return [Neighbors.event("didAppear", [("offset", Neighbors.vertical(page.offset))])]
    case "scroll":
      page.offset = try step.fields.required(number: "scrollY", in: -FieldReader.bound...FieldReader.bound)
      page.hasScrolled = page.hasScrolled || page.isListening
      return []
    case "frame":
      defer { page.hasScrolled = false }
      return page.hasScrolled ? [Neighbors.event("didScroll", [("offset", Neighbors.vertical(page.offset))])] : []
    case "layout":
      guard var scene = try step.fields.reader("scene") else { return [] }
      let records = try layout(&scene)
      try scene.finish()
      return [records]
    case "setOptions":
      var options = FieldReader(
        try step.fields.record(of: "options") ?? Value.Record(), at: step.fields.path + "options")
      let law = try law(&options, &page)
      try options.finish()
      return [Neighbors.event("setOptions", [("options", .record(law))])]
    case "call": return try call(&step, &page)
    default: throw step.fields.unexpected("event", needed: "an event of headroom.js", expected: "case")
    }
  }

  private static func layout(_ scene: inout FieldReader) throws(HeaderError) -> Value.Record {
    Neighbors.event(
      "layout",
      [
        ("viewport", scene.value("viewportHeight").map { ["height": $0] }),
        ("contentSize", scene.value("scrollHeight").map { ["height": $0] }),
      ])
  }

  private static func call(_ step: inout NeighborStep, _ page: inout Page) throws(HeaderError) -> [Value.Record] {
    let name = try step.fields.required(text: "name")
    let ours = ["pin": "show", "unpin": "hide", "freeze": "freeze", "unfreeze": "unfreeze"]
    if let ours = ours[name] { return [Neighbors.call(ours)] }
    guard name == "destroy" else {
      throw step.fields.unexpected("name", needed: "a call of headroom.js", expected: "case")
    }
    (page.isListening, page.isInitialised, page.hasScrolled, page.start) = (false, false, false, nil)
    return [Neighbors.call("forget")]
  }

  // MARK: Shown

  private static func details(_ view: NeighborView) -> Value {
    guard case .record(let look) = view.fact("look") else { return .null }
    let names = [
      ("scrollY", "offset"), ("lastScrollY", "before"), ("direction", "direction"), ("distance", "distance"),
      ("isOutOfBounds", "isOutOfBounds"), ("top", "isAtTop"), ("bottom", "isAtBottom"),
      ("toleranceExceeded", "exceeds"),
    ]
    return .record(Adapting.record(names.map { ($0.0, look[$0.1]) }))
  }

  private static let callbacks = [
    "didShow": "onPin", "didHide": "onUnpin", "didReachTop": "onTop", "didLeaveTop": "onNotTop",
    "didReachBottom": "onBottom", "didLeaveBottom": "onNotBottom",
  ]
}
