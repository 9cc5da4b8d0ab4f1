// SPDX-License-Identifier: MIT
//
// headroom.js in our words: the preset `headroom` over one drawer. What the library's page does around it is done here, as any
// page would: a look is a didScroll in the frame after a scroll, with the offset that the page has then, and the first one comes
// 100 ms after `init`.
//
//     classes               flags, by the names that the recording's options give them
//     onPin, onUnpin…       notices

internal import HeaderCore

/// Reads recordings of headroom.js.
enum HeadroomAdapter {
  static let system = "headroom-js"

  /// What the page knows.
  private struct Page {
    var offset = 0.0
    /// When the library begins to listen.
    var start: Double?
    var isListening = false
    var isDestroyed = false
    var hasScrolled = false
  }

  private static let leftOut = [
    LeftOut(
      name: "pendingFrame", reason: "the page's request for a frame: a header is told of frames, it asks for none"),
    LeftOut(name: "listening", reason: "the page's listener"),
    LeftOut(name: "initialised", reason: "the library's own life in the page"),
    LeftOut(name: "frozen", reason: "told as a class, too, which is compared"),
  ]

  private static let usualClasses = [
    ("pinned", "headroom--pinned"), ("unpinned", "headroom--unpinned"), ("top", "headroom--top"),
    ("notTop", "headroom--not-top"), ("bottom", "headroom--bottom"), ("notBottom", "headroom--not-bottom"),
    ("frozen", "headroom--frozen"),
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
    let classes = try classes(&options)
    let description = try Neighbors.description(
      preset: "headroom", options: try law(&options), drawers: [["name": "header", "height": 64]], content: content)
    try options.finish()
    var adapted = try Neighbors.adapt(recording, to: description, leftOut: leftOut) { step throws(HeaderError) in
      try events(&step, &page)
    } show: { view in
      show(view)
    }
    for index in adapted.steps.indices { adapted.steps[index].expect = named(adapted.steps[index].expect, classes) }
    return adapted
  }

  // MARK: Options

  private static func law(_ fields: inout FieldReader) throws(HeaderError) -> Value.Record {
    Adapting.record([
      ("lookTolerance", try sides("tolerance", &fields, absent: .null)),
      ("topZone", try sides("offset", &fields, absent: 0)),
    ])
  }

  /// A number for both directions, or one for each.
  private static func sides(_ name: String, _ fields: inout FieldReader, absent: Value) throws(HeaderError) -> Value? {
    switch fields.value(name) {
    case nil: return nil
    case .number(let number)?: return ["hide": .number(number), "show": .number(number)]
    default:
      guard var sides = try fields.reader(name) else { return nil }
      let pair: Value = ["hide": sides.value("down") ?? absent, "show": sides.value("up") ?? absent]
      try sides.finish()
      return pair
    }
  }

  private static func classes(_ fields: inout FieldReader) throws(HeaderError) -> [(String, [Value])] {
    var given = FieldReader(try fields.record(of: "classes") ?? Value.Record(), at: Path("options.classes"))
    _ = given.value("initial")
    var result: [(String, [Value])] = []
    for (key, usual) in usualClasses {
      let names = try given.text(key) ?? usual
      result.append((key, names.split(separator: " ").map { .text(String($0)) }))
    }
    try given.finish()
    return result
  }

  // MARK: Steps

  private static func events(_ step: inout NeighborStep, _ page: inout Page) throws(HeaderError) -> [Value.Record] {
    switch step.name {
    case "init":
      if page.start == nil || page.isDestroyed { page.start = step.time + 0.1 }
      return []
    case "advance":
      guard let start = page.start, step.time >= start, !page.isListening, !page.isDestroyed else { return [] }
      page.isListening = true
      return [Neighbors.event("didAppear", [("offset", Neighbors.vertical(page.offset))])]
    case "scroll":
      page.offset = try step.fields.required(number: "scrollY", in: -FieldReader.bound...FieldReader.bound)
      page.hasScrolled = page.isListening
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
      let law = try law(&options)
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
    (page.isListening, page.isDestroyed, page.hasScrolled) = (false, true, false)
    return [Neighbors.call("forget")]
  }

  // MARK: Shown

  /// What was expected, with flags in place of class names.
  private static func named(_ expect: Value, _ classes: [(String, [Value])]) -> Value {
    guard case .record(var record) = expect, case .list(let list)? = record["classes"] else { return expect }
    let flags = classes.map { key, names in (key, Value?.some(.bool(names.allSatisfy(list.contains)))) }
    record["classes"] = .record(Adapting.record(flags))
    return .record(record)
  }

  private static func show(_ view: NeighborView) -> Value {
    let (place, top, bottom) = (view.fact("place"), view.fact("isAtTop"), view.fact("isAtBottom"))
    return [
      "details": view.hasLooked ? details(view) : .null,
      "classes": [
        "pinned": .bool(place == "shown"), "unpinned": .bool(place == "hidden"), "top": .bool(top == true),
        "notTop": .bool(top == false), "bottom": .bool(bottom == true), "notBottom": .bool(bottom == false),
        "frozen": .bool(view.fact("isFrozen") == true),
      ],
      "callbacks": .list(view.notices.compactMap { callbacks[$0].map { .text($0) } }),
    ]
  }

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
