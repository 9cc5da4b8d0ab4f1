// SPDX-License-Identifier: MIT
//
// Keyframes on a header: what a track follows, which part of a look it sets, what is refused and in which words.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

/// A bar of 44 points with three elements below a status bar; ShyNavBar slides it, and a track follows.
private func shy(_ tracks: Value, shyOptions: Value = ["fadeBehavior": "disabled"]) -> ComposedHeader {
  ComposedHeader(
    title: "shy",
    drawers: [
      [
        "name": "navBar", "height": 44,
        "elements": [
          ["name": "background"], ["name": "title", "frame": ["x": 100, "y": 10, "width": 80, "height": 24]],
          ["name": "button"],
        ],
      ]
    ],
    delegates: [
      .init(behavior: "ShyNavBar", options: shyOptions), .init(behavior: "Keyframes", options: ["tracks": tracks]),
    ])
}

@Suite struct KeyframesTests {
  static let fade: Value = [
    [
      "element": "title", "drawer": "navBar", "by": "contraction",
      "keys": [["progress": 0], ["progress": 1, "alpha": 0, "translation": ["x": 0, "y": -10]]],
    ]
  ]

  /// Drags the content up by some points, from its top.
  private func drag(_ header: Header, by points: Double) throws {
    try header.scroll(to: -64)
    _ = try header.receive(ScrollEvent(.willBeginDragging))
    try header.scroll(to: -64 + points)
  }

  @Test func anElementFollowsADrawerInTheSameState() throws {
    let header = try shy(Self.fade).open()
    #expect(try header.element("title").alpha == 1)
    try drag(header, by: 11)
    #expect(try header.drawer("navBar").center.y == 31)
    let title = try header.element("title")
    #expect(title.alpha == 0.75)
    #expect(title.transform.numbers[13] == -2.5)
    // What no key gives stays as it was described.
    #expect(title.bounds.size == Size(width: 80, height: 24))
    #expect(title.center == Point(x: 140, y: 22))
  }

  /// What a first key does not give is as the element was described, also in the next life.
  @Test func anAbsentAlphaIsTheDescriptions() throws {
    var composed = shy(Self.fade)
    composed.drawers = [
      ["name": "navBar", "height": 44, "elements": [["name": "title", "alpha": 0.5, "zIndex": 3]]]
    ]
    let header = try composed.open()
    #expect(try header.element("title").alpha == 0.5)
    try drag(header, by: 11)
    #expect(try header.element("title").alpha == 0.375)
    try drag(header, by: 44)
    #expect(try header.element("title").alpha == 0)
    let next = try Header(
      header.description, epoch: 2, provider: BuiltPlugins.registry(), saved: try header.save())
    #expect(try next.element("title").alpha == 0)
    _ = try next.receive(ScrollEvent(.call(name: "expand", arguments: Value.Record(), delegate: nil)))
    #expect(try next.element("title").alpha == 0.5)
    #expect(try next.element("title").zIndex == 3)
    // So it is with other tracks, too.
    try drag(next, by: 44)
    let options = Value.Record(fields: [.init(name: "tracks", value: Self.fade)])
    _ = try next.receive(ScrollEvent(.setOptions(options, delegate: "keyframes")))
    _ = try next.receive(ScrollEvent(.call(name: "expand", arguments: Value.Record(), delegate: nil)))
    #expect(try next.element("title").alpha == 0.5)
  }

  @Test func scaleIsANumberOrOneOfEachAxis() throws {
    for (scale, expected): (Value, [Double]) in [(2, [2, 2]), (["x": 2, "y": 3], [2, 3]), (["x": 2], [2, 1])] {
      let header = try shy([
        ["element": "title", "drawer": "navBar", "by": "contraction", "keys": [["progress": 0, "scale": scale]]]
      ]).open()
      let numbers = try header.element("title").transform.numbers
      #expect([numbers[0], numbers[5]] == expected)
    }
  }

  @Test func aCallIsFollowed() throws {
    let header = try shy(Self.fade).open()
    _ = try header.receive(ScrollEvent(.call(name: "contract", arguments: Value.Record(), delegate: nil)))
    #expect(try header.element("title").alpha == 0)
    _ = try header.receive(ScrollEvent(.call(name: "expand", arguments: Value.Record(), delegate: nil)))
    #expect(try header.element("title").alpha == 1)
  }

  /// The end of a drag snaps, which nothing but didEndDragging tells.
  @Test func aSnapIsFollowed() throws {
    let header = try shy(Self.fade).open()
    try drag(header, by: 30)
    _ = try header.receive(ScrollEvent(.didEndDragging(willDecelerate: false)))
    #expect(try header.element("title").alpha == 0)
  }

  /// A track with other keys takes effect with the event that sets it.
  @Test func anOptionTakesEffectAtOnce() throws {
    let header = try shy(Self.fade).open()
    try drag(header, by: 22)
    #expect(try header.element("title").alpha == 0.5)
    let tracks: Value = [
      [
        "element": "title", "drawer": "navBar", "by": "contraction",
        "keys": [["progress": 0, "alpha": 1], ["progress": 0.5, "alpha": 0.25]],
      ],
      [
        "element": "button", "drawer": "navBar", "by": "contraction",
        "keys": [["progress": 0, "zIndex": 1], ["progress": 0.5, "zIndex": 2]],
      ],
    ]
    let options = Value.Record(fields: [.init(name: "tracks", value: tracks)])
    _ = try header.receive(ScrollEvent(.setOptions(options, delegate: "keyframes")))
    #expect(try header.element("title").alpha == 0.25)
    #expect(try header.element("button").zIndex == 2)
  }

  /// A refused option leaves the tracks as they were.
  @Test func aRefusedOptionChangesNothing() throws {
    let header = try shy(Self.fade).open()
    let tracks: Value = [
      ["element": "titel", "drawer": "navBar", "by": "contraction", "keys": [["progress": 0, "alpha": 0.5]]]
    ]
    let options = Value.Record(fields: [.init(name: "tracks", value: tracks)])
    let error = #expect(throws: HeaderError.self) {
      try header.receive(ScrollEvent(.setOptions(options, delegate: "keyframes")))
    }
    #expect(error?.name == .invalidOption)
    #expect(
      error?.message
        == "options.tracks[0].element: there is no element \"titel\"; "
        + "there are background, title, button")
    try drag(header, by: 22)
    #expect(try header.element("title").alpha == 0.5)
  }

  /// ShyNavBar fades the elements, a track moves one of them: each sets its own part of the look.
  @Test func otherPartsOfALookStayWithOthers() throws {
    let tracks: Value = [
      [
        "element": "title", "drawer": "navBar", "by": "contraction",
        "keys": [
          ["progress": 0, "frame": ["x": 100, "y": 10, "width": 80, "height": 24]],
          ["progress": 1, "frame": ["x": 100, "y": 30, "width": 40, "height": 12]],
        ],
      ]
    ]
    let header = try shy(tracks, shyOptions: ["fadeBehavior": "subviews"]).open()
    try drag(header, by: 22)
    let title = try header.element("title")
    #expect(title.alpha == (try header.element("button").alpha))
    #expect(title.alpha < 1)
    #expect(title.frame == Rect(origin: Point(x: 100, y: 20), size: Size(width: 60, height: 18)))
  }

  @Test func belowTheFirstKeyALookStaysAndFromTheLastItHolds() throws {
    let tracks: Value = [
      [
        "element": "title", "drawer": "navBar", "by": "contraction",
        "keys": [["progress": 0.25, "alpha": 0.8], ["progress": 0.5, "alpha": 0.4]],
      ]
    ]
    let header = try shy(tracks).open()
    try drag(header, by: 5.5)
    #expect(try header.element("title").alpha == 1)
    #expect(try !header.element("title").isChanged)
    try header.scroll(to: -64 + 11)
    #expect(try header.element("title").alpha == 0.8)
    try header.scroll(to: -64 + 16.5)
    #expect(abs(Double(try header.element("title").alpha) - 0.6) < 1e-6)
    try header.scroll(to: -64 + 33)
    #expect(try header.element("title").alpha == 0.4)
  }

  /// A value that a behavior tells, with a range that runs down.
  @Test func aValueIsFollowed() throws {
    let header = try stretchy([
      [
        "element": "image", "value": "topConstant", "from": 0, "to": -180,
        "keys": [
          ["progress": 0, "cornerRadius": 0], ["progress": 1, "cornerRadius": 30, "translation": ["x": 0, "y": 90]],
        ],
      ]
    ]).open()
    try header.scroll(to: 60)
    let image = try header.element("image")
    #expect(image.cornerRadius == 10)
    #expect(image.transform.numbers[13] == 30)
    // Beyond the range the ends hold.
    try header.scroll(to: 500)
    #expect(try header.element("image").cornerRadius == 30)
    try header.scroll(to: -80)
    #expect(try header.element("image").cornerRadius == 0)
  }

  /// true counts as 1.
  @Test func aTruthIsFollowed() throws {
    let header = try shy([
      [
        "element": "button", "value": "isContracting",
        "keys": [["progress": 0, "hidden": false], ["progress": 1, "hidden": true]],
      ]
    ]).open()
    #expect(try !header.element("button").isHidden)
    try drag(header, by: 20)
    #expect(try header.element("button").isHidden)
  }

  /// Heights may be followed in points, or as the share between their bounds.
  @Test func aHeightIsFollowed() throws {
    let header = try stretchy([
      [
        "element": "image", "drawer": "header", "by": "height", "from": 180, "to": 280,
        "keys": [
          ["progress": 0, "frame": ["x": 0, "y": 0, "width": 375, "height": 180]],
          ["progress": 1, "frame": ["x": 0, "y": 0, "width": 375, "height": 280]],
        ],
      ],
      [
        "element": "caption", "drawer": "header", "by": "collapse", "from": 0, "to": -0.5,
        "keys": [["progress": 0, "alpha": 1], ["progress": 1, "alpha": 0]],
      ],
    ]).open()
    try header.scroll(to: -45)
    #expect(try header.drawer("header").size.height == 225)
    #expect(try header.element("image").bounds.size.height == 225)
    #expect(try header.element("caption").alpha == 0.5)
  }

  @Test func theUpperEdgeIsFollowed() throws {
    let header = try stretchy([
      [
        "element": "caption", "drawer": "header", "by": "top", "from": 0, "to": -100,
        "keys": [["progress": 0, "alpha": 1], ["progress": 1, "alpha": 0]],
      ]
    ]).open()
    try header.scroll(to: 25)
    #expect(try header.element("caption").alpha == 0.75)
  }

  @Test func twoTracksShareAnElement() throws {
    let header = try stretchy([
      [
        "element": "image", "drawer": "header", "by": "height", "from": 180, "to": 280,
        "keys": [["progress": 0, "scale": ["x": 1, "y": 1]], ["progress": 1, "scale": ["x": 2, "y": 3]]],
      ],
      [
        "element": "image", "value": "topConstant", "from": 0, "to": -100,
        "keys": [["progress": 0, "alpha": 1], ["progress": 1, "alpha": 0.5]],
      ],
    ]).open()
    try header.scroll(to: 50)
    #expect(try header.element("image").alpha == 0.75)
    try header.scroll(to: -50)
    #expect(try header.element("image").alpha == 1)
    #expect(try header.element("image").transform.numbers[5] == 2)
  }

  // MARK: What is refused

  struct Row: CustomTestStringConvertible {
    var track: Value
    var error: String
    var testDescription: String { error }
  }

  /// A good track with some fields set otherwise.
  private static func track(_ fields: KeyValuePairs<String, Value?>) -> Value {
    var record = Value.Record(fields: [
      .init(name: "element", value: "title"), .init(name: "drawer", value: "navBar"),
      .init(name: "by", value: "contraction"), .init(name: "keys", value: [["progress": 0, "alpha": 1]]),
    ])
    for (name, value) in fields {
      record.fields.removeAll { $0.name == name }
      if let value { record.fields.append(.init(name: name, value: value)) }
    }
    return .record(record)
  }

  static let rows = [
    Row(track: track(["element": nil]), error: "tracks[0].element: expected a text, it is missing"),
    Row(
      track: track(["element": "titel"]),
      error: "tracks[0].element: there is no element \"titel\"; there are background, title, button"),
    Row(track: track(["drawer": "bar"]), error: "tracks[0].drawer: there is no drawer \"bar\"; there are navBar"),
    Row(
      track: track(["drawer": nil, "by": nil]), error: "tracks[0]: expected drawer or value, which is to be followed"),
    Row(track: track(["value": "progress"]), error: "tracks[0]: expected drawer or value, not both"),
    Row(
      track: track(["drawer": nil, "value": "progress"]),
      error: "tracks[0].by: expected drawer beside it; a value has nothing to choose"),
    Row(
      track: track(["drawer": nil, "by": nil, "value": "mood"]),
      error: "tracks[0].value: no delegate of this header tells a value \"mood\""),
    Row(
      track: track(["by": "width"]),
      error: "tracks[0].by: expected one of \"collapse\", \"contraction\", \"height\", \"top\", got \"width\""),
    Row(
      track: track(["by": "height"]),
      error: "tracks[0].from: expected a number from -1000000000 to 1000000000, it is missing"),
    Row(track: track(["from": 3, "to": 3]), error: "tracks[0].to: expected another number than from, which is 3"),
    Row(
      track: track(["from": 1e10]),
      error: "tracks[0].from: expected a number from -1000000000 to 1000000000, got 10000000000"),
    Row(
      track: track(["speed": 2]),
      error: "tracks[0].speed: there is no such field, expected element, drawer, value, by, from, to, keys"),
    Row(track: track(["keys": []]), error: "tracks[0].keys: expected at least one key"),
    Row(track: track(["keys": [["progress": 0]]]), error: "tracks[0].keys: no key gives anything to set"),
    Row(
      track: track(["keys": [["alpha": 0]]]),
      error: "tracks[0].keys[0].progress: expected a number from 0 to 1, it is missing"),
    Row(
      track: track(["keys": [["progress": 2]]]),
      error: "tracks[0].keys[0].progress: expected a number from 0 to 1, got 2"),
    Row(
      track: track(["keys": [["progress": 0.5], ["progress": 0.5]]]),
      error: "tracks[0].keys[1].progress: expected more than the key before it, 0.5"),
    Row(
      track: track(["keys": [["progress": 0, "alpha": 1.5]]]),
      error: "tracks[0].keys[0].alpha: expected 0 to 1, got 1.5"),
    Row(
      track: track(["keys": [["progress": 0], ["progress": 1, "center": ["x": 0, "y": 0]]]]),
      error: "tracks[0].keys[0]: expected the center here too, since tracks[0].keys[1] gives it"),
    Row(
      track: track(["keys": [["progress": 0, "size": ["width": -1, "height": 2]]]]),
      error: "tracks[0].keys[0]: the width: expected 0 to 1000000000, got -1"),
    Row(
      track: track([
        "keys": [["progress": 0, "scale": ["x": 1, "y": 1], "transform": [1, 0, 0, 1, 0, 0]]]
      ]), error: "tracks[0].keys[0]: expected translation and scale, or a transform, not both"),
    Row(
      track: track(["keys": [["progress": 0, "scale": "big"]]]),
      error: "tracks[0].keys[0].scale: expected a number or a record {x, y}, got \"big\""),
    Row(
      track: track(["keys": [["progress": 0, "scale": ["x": 1, "z": 2]]]]),
      error: "tracks[0].keys[0].scale.z: there is no such field, expected x, y"),
    Row(
      track: track(["keys": [["progress": 0, "colour": "red"]]]),
      error:
        "tracks[0].keys[0].colour: there is no such field, expected progress, frame, translation, scale, bounds, center, "
        + "size, transform3D, transform, alpha, zIndex, hidden, cornerRadius"),
  ]

  @Test(arguments: rows) func whatIsWrongIsNamed(_ row: Row) throws {
    let error = #expect(throws: HeaderError.self) { try shy([row.track]).open() }
    #expect(error?.name == .invalidOption)
    #expect(error?.message.hasSuffix("].options.\(row.error)") == true, "\(error?.message ?? "")")
  }

  @Test func twoTracksMayNotSetTheSame() throws {
    let error = #expect(throws: HeaderError.self) {
      try shy([Self.track([:]), Self.track([:])]).open()
    }
    #expect(error?.field?.hasSuffix("options.tracks[1]") == true)
    #expect(error?.hint == "tracks[0] already sets alpha of \"title\"")
  }
}

/// A stretchy header with an image and a caption; a track follows.
private func stretchy(_ tracks: Value) -> ComposedHeader {
  ComposedHeader(
    title: "stretchy",
    drawers: [
      [
        "name": "header", "height": 180,
        "elements": [
          ["name": "image", "frame": ["x": 0, "y": 0, "width": 375, "height": 180]], ["name": "caption"],
        ],
      ]
    ],
    delegates: [
      .init(behavior: "StretchyHeader"), .init(behavior: "Keyframes", options: ["tracks": tracks]),
    ], contentInset: 0)
}
