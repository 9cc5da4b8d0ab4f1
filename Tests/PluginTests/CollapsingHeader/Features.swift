// SPDX-License-Identifier: MIT
//
// What header systems have between them, each as one header with CollapsingHeader and Keyframes that does it. The behavior's LAWS.md
// has the list, made from this file. It is taken from the neighbors' laws (Tests/Conformance/Laws) and from those of the other behaviors.

import ConformanceKit
import Foundation
import HeaderCore
import HeaderModel
import HeaderTestKit
import PluginHost

/// A header of a search field of 50 points, a hero of 100 that may shrink to 40, and tabs of 44.
final class FeatureStage {
  let header: Header
  private var time = 0.0
  private(set) var notices: [String] = []
  private(set) var animations = 0

  init(_ options: Value.Record, content: Double = 4000) throws {
    let description: Value = [
      "environment": ["statusBarHeight": 20],
      "header": "main", "trackingScrollView": "content",
      "scrollViews": [
        "content": [
          "viewport": ["width": 400, "height": 600], "contentSize": ["width": 400, "height": .number(content)],
          "clamping": "none",
        ]
      ],
      "drawers": [
        ["name": "search", "height": 50],
        [
          "name": "hero", "height": 100, "minimumHeight": 40, "maximumHeight": 100,
          "elements": [
            ["name": "title", "frame": ["x": 0, "y": 0, "width": 100, "height": 20]],
            ["name": "image", "frame": ["x": 0, "y": 20, "width": 100, "height": 80]],
          ],
        ], ["name": "tabs", "height": 44],
      ],
      "delegates": [
        ["behavior": "CollapsingHeader", "options": .record(options)],
        [
          "behavior": "Keyframes",
          "options": [
            "tracks": [
              [
                "element": "title", "drawer": "hero", "by": "height", "from": 100, "to": 40,
                "keys": [["progress": 0], ["progress": 1, "alpha": 0]],
              ]
            ]
          ],
        ],
      ], "frames": "manual",
    ]
    var unknown: [UnknownField] = []
    header = try Header(
      HeaderDescription(description, at: Path(""), unknown: &unknown), epoch: 1, provider: BuiltPlugins.registry())
  }

  @discardableResult
  func send(_ kind: ScrollEvent.Kind, offset: Double? = nil) throws -> EventAnswer {
    time += 0.02
    let event = ScrollEvent(kind, offset: offset.map { PartialPoint(y: $0) })
    let answer = try header.receive(event, at: Instant(seconds: time))
    notices += header.state.happened.notices.map { $0.word(in: header.state.names) }
    animations += header.state.happened.animations.count
    return answer
  }

  /// The content goes to where it is so many points from its top.
  func scroll(_ distances: Double...) throws {
    for distance in distances {
      try send(.didScroll, offset: distance - header.scrollViews[0].adjustedContentInset.top)
    }
  }

  func drag(_ distances: Double...) throws {
    try send(.willBeginDragging)
    for distance in distances { try scroll(distance) }
  }

  func drop() throws {
    try send(.didEndDragging(willDecelerate: false))
    for _ in 0..<40 { try send(.advance(frameDuration: 0.02)) }
  }

  /// What is taken of an offer.
  func offer(_ distance: Double) throws -> Double {
    try send(.willScroll(delta: Point(y: distance), source: .drag)).consumed?.y ?? 0
  }

  func leave(_ distance: Double) throws -> Double {
    try send(.didOverscroll(delta: Point(y: distance), source: .drag)).consumed?.y ?? 0
  }

  /// The application lays out, with these things changed.
  func layOut(_ change: Value.Record) throws { try send(.layout(LayoutChange(change))) }

  func value(_ name: String) -> Value? { header.value(named: name)?.value }
  var wants: Wants { header.wants }

  func call(_ name: String, _ arguments: Value.Record = Value.Record()) throws {
    try send(.call(name: name, arguments: arguments, delegate: nil))
  }

  /// Upper edges and heights of search field, hero and tabs.
  var search: [Double] { place(0) }
  var hero: [Double] { place(1) }
  var tabs: [Double] { place(2) }
  private func place(_ index: Int) -> [Double] {
    let frame = header.drawers[index].frame
    return [frame.origin.y, frame.size.height]
  }

  var offset: Double { header.scrollViews[0].contentOffset.y }
  var inset: Double { header.scrollViews[0].contentInset.top }
  var titleAlpha: Float { header.elements[0].alpha }
}

/// One thing that header systems do.
struct Feature: Sendable {
  /// What it is, and who has it.
  var name: String
  var systems: String
  /// The options of CollapsingHeader that make it.
  var options: Value.Record
  var content = 4000.0
  /// Whether a header with these options does it.
  var holds: @Sendable (FeatureStage) throws -> Bool

  /// The laws of the three drawers: those that are not given stay.
  static func laws(_ search: Value.Record? = nil, hero: Value.Record? = nil, tabs: Value.Record? = nil) -> Value {
    var list: [Value] = []
    for (name, law) in [("search", search), ("hero", hero), ("tabs", tabs)] {
      var record = law ?? ["pin": true]
      record["drawer"] = .text(name)
      list.append(.record(record))
    }
    return .list(list)
  }

  static let all: [Feature] = movements + returns + orders + rests + looks + nested + contents + others + surroundings
}

// MARK: - The list

extension Feature {
  private static let movements: [Feature] = [
    Feature(name: "stays", systems: "Compose, Flutter, AppBarLayout", options: ["drawers": laws()]) {
      try $0.drag(300)
      return $0.search == [0, 50] && $0.hero == [50, 100] && $0.tabs == [150, 44]
    },
    Feature(
      name: "collapses to a minimum height", systems: "Compose, Flutter, GSKStretchyHeaderView",
      options: ["drawers": laws(hero: ["collapse": true])]
    ) {
      try $0.drag(30)
      let half = $0.hero == [50, 70] && $0.tabs == [120, 44]
      try $0.scroll(300)
      return half && $0.hero == [50, 40] && $0.tabs == [90, 44]
    },
    Feature(
      name: "moves off by the edge", systems: "AppBarLayout, AMScrollingNavbar",
      options: ["drawers": laws(["shift": true])]
    ) {
      try $0.drag(300)
      return $0.search == [-50, 50] && $0.hero == [0, 100]
    },
    Feature(
      name: "collapses, then moves off", systems: "Flutter, AppBarLayout",
      options: ["drawers": laws(hero: ["collapse": true, "shift": true])]
    ) {
      try $0.drag(80)
      return $0.hero == [30, 40] && $0.tabs == [70, 44]
    },
    Feature(
      name: "leaves a part on the screen", systems: "GTScrollNavigationBar",
      options: ["drawers": laws(["shift": true, "keeps": 10])]
    ) {
      try $0.drag(300)
      return $0.search == [-40, 50]
    },
    Feature(
      name: "leaves its minimum height on the screen", systems: "AppBarLayout: exitUntilCollapsed",
      options: ["drawers": laws(hero: ["shift": true, "keeps": "minimum"])]
    ) {
      try $0.drag(300)
      return $0.hero == [-10, 100] && $0.tabs == [90, 44]
    },
    Feature(
      name: "grows with a pull", systems: "Flutter, GSKStretchyHeaderView",
      options: ["drawers": laws(hero: ["stretch": [:]])]
    ) {
      try $0.drag(-30)
      return $0.hero == [50, 130] && $0.tabs == [180, 44]
    },
    Feature(
      name: "grows by a factor of the pull", systems: "GSKStretchyHeaderView",
      options: ["drawers": laws(hero: ["stretch": ["factor": 0.5]])]
    ) {
      try $0.drag(-30)
      return $0.hero == [50, 115]
    },
    Feature(
      name: "grows up to a limit", systems: "MDCFlexibleHeader",
      options: ["drawers": laws(hero: ["stretch": ["limit": 20]])]
    ) {
      try $0.drag(-30)
      return $0.hero == [50, 120]
    },
    Feature(
      name: "reports that it has grown", systems: "Flutter: stretchTriggerOffset",
      options: ["drawers": laws(hero: ["stretch": ["trigger": 40]])]
    ) {
      try $0.drag(-30)
      let early = $0.notices.contains("didStretch")
      try $0.scroll(-50)
      return !early && $0.notices.contains("didStretch")
    },
    Feature(
      name: "moves slower than the finger", systems: "AMScrollingNavbar: scrollSpeedFactor",
      options: ["drawers": laws(["shift": true, "speed": 0.5])]
    ) {
      try $0.drag(40)
      return $0.search == [-20, 50]
    },
    Feature(
      name: "a curve between movement and look", systems: "AppBarLayout: scrollInterpolator",
      options: ["drawers": laws(["shift": true, "curve": "square"])]
    ) {
      try $0.drag(25)
      return $0.search == [-12.5, 50]
    },
  ]

  private static let returns: [Feature] = [
    Feature(
      name: "comes back anywhere", systems: "AppBarLayout: enterAlways, Compose, Flutter: floating",
      options: ["drawers": laws(["shift": true, "returns": "anywhere"])]
    ) {
      try $0.drag(500, 480)
      return $0.search == [-30, 50]
    },
    Feature(
      name: "comes back at the content's top only", systems: "AppBarLayout: scroll, Compose: exitUntilCollapsed",
      options: ["drawers": laws(["shift": true, "returns": "atTop"])]
    ) {
      try $0.drag(500, 400)
      let stays = $0.search == [-50, 50]
      try $0.scroll(20)
      return stays && $0.search == [-20, 50]
    },
    Feature(
      name: "its minimum comes back anywhere, the rest at the top", systems: "AppBarLayout: enterAlwaysCollapsed",
      options: ["drawers": laws(hero: ["shift": true, "returns": "collapsedAnywhere"])]
    ) {
      try $0.drag(500, 300)
      let least = $0.hero == [-10, 100]
      try $0.scroll(0)
      return least && $0.hero == [50, 100]
    },
    Feature(
      name: "comes back after a threshold", systems: "Safari, MDCFlexibleHeader",
      options: ["drawers": laws(["shift": true, "threshold": 30])]
    ) {
      try $0.drag(500, 480)
      let stays = $0.search == [-50, 50]
      try $0.scroll(460)
      return stays && $0.search == [-40, 50]
    },
    Feature(
      name: "a turn counts only from some points on", systems: "headroom.js, Safari",
      options: ["drawers": laws(["shift": true, "slop": ["show": 15]])]
    ) {
      try $0.drag(500, 490)
      let stays = $0.search == [-50, 50]
      try $0.scroll(475)
      return stays && $0.search == [-40, 50]
    },
    Feature(
      name: "the first points of hiding do not count", systems: "TLYShyNavBar: contractionResistance",
      options: ["drawers": laws(["shift": true, "resistance": ["hide": 20]])]
    ) {
      try $0.drag(30)
      return $0.search == [-10, 50]
    },
    Feature(
      name: "the first points of showing do not count", systems: "TLYShyNavBar: expansionResistance",
      options: ["drawers": laws(["shift": true, "resistance": ["show": 20]])]
    ) {
      try $0.drag(500, 470)
      return $0.search == [-40, 50]
    },
    Feature(
      name: "no gap opens at the content's top", systems: "all",
      options: ["drawers": laws(["shift": true, "resistance": ["show": 400]])]
    ) {
      try $0.drag(500, 0)
      return $0.search == [0, 50]
    },
  ]

  private static let orders: [Feature] = [
    Feature(
      name: "the drawer next to the content hides first", systems: "TLYShyNavBar",
      options: ["drawers": laws(["shift": true], tabs: ["shift": true])]
    ) {
      try $0.drag(30)
      return $0.tabs == [120, 44] && $0.search == [0, 50]
    },
    Feature(
      name: "an order of hiding of one's own", systems: "AppBarLayout",
      options: ["drawers": laws(["shift": true, "order": ["hide": 0]], tabs: ["shift": true])]
    ) {
      try $0.drag(30)
      return $0.search == [-30, 50] && $0.tabs == [120, 44]
    },
    Feature(
      name: "an order of showing of one's own", systems: "none",
      options: ["drawers": laws(["shift": true], tabs: ["shift": true, "order": ["show": 0]])]
    ) {
      try $0.drag(500, 480)
      return $0.search == [-50, 50] && $0.tabs == [76, 44]
    },
    Feature(
      name: "drawers move together and arrive together", systems: "Chromium",
      options: [
        "drawers": laws(["shift": true, "order": ["hide": 1]], hero: ["shift": true, "order": ["hide": 1]])
      ]
    ) {
      try $0.drag(75)
      return $0.search == [-25, 50] && $0.hero == [-25, 100]
    },
    Feature(
      name: "drawers move together by weights", systems: "none",
      options: [
        "drawers": laws(
          ["shift": true, "order": ["hide": 1], "weight": 1], hero: ["shift": true, "order": ["hide": 1], "weight": 3])
      ]
    ) {
      try $0.drag(40)
      return $0.search == [-10, 50] && $0.hero == [10, 100]
    },
    Feature(
      name: "all drawers move as one block", systems: "AppBarLayout",
      options: ["asOne": true, "drawers": laws(["shift": true], hero: ["shift": true])]
    ) {
      try $0.drag(60)
      return $0.search == [-50, 50] && $0.hero == [-10, 100]
    },
  ]

  private static let rests: [Feature] = [
    Feature(
      name: "rests at the nearer end", systems: "AppBarLayout: snap, AMScrollingNavbar",
      options: ["drawers": laws(["shift": true, "rest": ["by": "nearest"]])]
    ) {
      try $0.drag(500, 470)
      try $0.drop()
      return $0.search == [0, 50]
    },
    Feature(
      name: "continues in the last direction", systems: "GTScrollNavigationBar, Flutter: snap",
      options: ["drawers": laws(["shift": true, "rest": ["by": "direction"]])]
    ) {
      try $0.drag(500, 490)
      try $0.drop()
      return $0.search == [0, 50]
    },
    Feature(
      name: "rests from a share on", systems: "Compose, Chromium",
      options: ["drawers": laws(["shift": true, "rest": ["by": "threshold", "threshold": 0.8]])]
    ) {
      try $0.drag(500, 485)
      try $0.drop()
      return $0.search == [0, 50]
    },
    Feature(
      name: "rests at places of one's own", systems: "BLKFlexibleHeightBar",
      options: ["drawers": laws(["shift": true, "rest": ["stops": ["up": 0, "half": 0.5, "away": 1]]])]
    ) {
      try $0.drag(500, 472)
      try $0.drop()
      return $0.search == [-25, 50]
    },
    Feature(
      name: "stays where it is near an end", systems: "Compose",
      options: ["drawers": laws(["shift": true, "rest": ["by": "nearest", "margins": 0.2]])]
    ) {
      try $0.drag(500, 495)
      try $0.drop()
      return $0.search == [-45, 50]
    },
    Feature(
      name: "rests by a spring", systems: "Compose",
      options: [
        "drawers": laws(["shift": true, "rest": ["by": "nearest", "spring": ["stiffness": 400, "damping": 40]]])
      ]
    ) {
      try $0.drag(500, 470)
      try $0.send(.didEndDragging(willDecelerate: false))
      for _ in 0..<5 { try $0.send(.advance(frameDuration: 0.02)) }
      let isOnItsWay = $0.search[0] > -20 && $0.search[0] < 0
      for _ in 0..<80 { try $0.send(.advance(frameDuration: 0.02)) }
      return isOnItsWay && $0.search == [0, 50]
    },
    Feature(
      name: "a finger catches it on its way", systems: "Flutter, AppBarLayout",
      options: ["drawers": laws(["shift": true, "rest": ["by": "nearest", "duration": 1]])]
    ) {
      try $0.drag(500, 470)
      try $0.send(.didEndDragging(willDecelerate: false))
      for _ in 0..<10 { try $0.send(.advance(frameDuration: 0.02)) }
      let place = $0.search
      try $0.send(.willBeginDragging)
      for _ in 0..<10 { try $0.send(.advance(frameDuration: 0.02)) }
      return place[0] > -20 && place[0] < 0 && $0.search == place
    },
    Feature(
      name: "a fling ends where the drawer rests", systems: "iOS, BLKFlexibleHeightBar",
      options: ["drawers": laws(["shift": true, "returns": "atTop", "rest": ["by": "nearest"]])]
    ) {
      try $0.drag(5)
      let goal = PartialPoint(y: 20 - $0.inset)
      let answer = try $0.send(.willEndDragging(velocity: Point(y: 0.5), targetOffset: goal))
      return answer.targetOffset?.y == -$0.inset
    },
  ]

  private static let looks: [Feature] = [
    Feature(
      name: "fades as it leaves", systems: "AMScrollingNavbar",
      options: ["drawers": laws(["shift": true, "fade": true])]
    ) {
      try $0.drag(25)
      return $0.header.drawers[0].alpha == 0.5
    },
    Feature(
      name: "fades within a part of its way", systems: "GTScrollNavigationBar",
      options: ["drawers": laws(["shift": true, "fade": ["from": 0.5, "to": 1]])]
    ) {
      try $0.drag(25)
      let whole = $0.header.drawers[0].alpha == 1
      try $0.scroll(50)
      return whole && $0.header.drawers[0].alpha == 0
    },
    Feature(
      name: "drifts slower than it leaves", systems: "AppBarLayout: parallax",
      options: ["drawers": laws(["shift": true, "parallax": 0.5])]
    ) {
      try $0.drag(40)
      return $0.header.drawers[0].translation.y == 20
    },
    Feature(
      name: "its elements shrink", systems: "iOS large title",
      options: ["yields": true, "drawers": laws(hero: ["collapse": true, "scale": 0.5])]
    ) {
      try $0.drag(60)
      return $0.header.elements[1].transform.numbers[0] == 0.5
    },
    Feature(
      name: "elements follow by keys", systems: "BLKFlexibleHeightBar",
      options: ["drawers": laws(hero: ["collapse": true])]
    ) {
      try $0.drag(30)
      return $0.titleAlpha == 0.5
    },
  ]

  private static let nested: [Feature] = [
    Feature(
      name: "takes its part before the content moves", systems: "AppBarLayout, Compose, Chromium",
      options: ["drawers": laws(["shift": true])]
    ) { try $0.offer(70) == 50 && $0.search == [-50, 50] },
    Feature(
      name: "takes what the content left over", systems: "AppBarLayout, Compose",
      options: ["content": "below", "drawers": laws(["shift": true, "returns": "atTop"])]
    ) {
      _ = try $0.offer(50)
      let early = try $0.offer(-30)
      return try early == 0 && $0.leave(-30) == -30 && $0.search == [-20, 50]
    },
    Feature(
      name: "consumes an offer whole", systems: "Compose",
      options: ["content": "below", "consumes": "whole", "drawers": laws(["shift": true])]
    ) { try $0.offer(70) == 70 && $0.search == [-50, 50] },
    Feature(
      name: "a fling's rest moves the header", systems: "Compose",
      options: [
        "follows": "movement", "carriesFling": true, "drawers": laws(["shift": true, "returns": "atTop"]),
        "initially": ["traveled": 40],
      ]
    ) {
      try $0.send(.willFling(velocity: Point(y: -0.5)))
      try $0.send(.didOverscroll(delta: Point(y: -10), source: .fling))
      return $0.search == [-30, 50]
    },
  ]

  private static let contents: [Feature] = [
    Feature(name: "the content begins below the header", systems: "all", options: ["drawers": laws()]) {
      $0.inset == 194
    },
    Feature(
      name: "the inset follows the header", systems: "TLYShyNavBar, AMScrollingNavbar",
      options: ["insets": "follow", "drawers": laws(["shift": true])]
    ) {
      _ = try $0.offer(30)
      return $0.inset == 164
    },
    Feature(
      name: "the inset is the application's", systems: "Compose, Chromium",
      options: ["insets": "application", "drawers": laws(["shift": true])]
    ) { $0.inset == 0 },
    Feature(
      name: "content that fits moves nothing", systems: "TLYShyNavBar, GTScrollNavigationBar",
      options: ["drawers": laws(["shift": true])], content: 300
    ) { try $0.offer(30) == 0 && $0.search == [0, 50] },
    Feature(
      name: "content that fits moves the header", systems: "AMScrollingNavbar: scrollWhenContentFits",
      options: ["content": "below", "shortContent": "moves", "drawers": laws(["shift": true])], content: 300
    ) { try $0.offer(30) == 30 && $0.search == [-30, 50] },
    Feature(
      name: "a bounce at the end moves nothing", systems: "headroom.js, AMScrollingNavbar",
      options: ["drawers": laws(["shift": true])]
    ) {
      try $0.drag(4000 - 600 + 194, 4000 - 600 + 254, 4000 - 600 + 194)
      return $0.search == [-50, 50]
    },
    Feature(
      name: "a program's scroll brings nothing back", systems: "Flutter",
      options: ["returnsBy": "finger", "drawers": laws(["shift": true])]
    ) {
      try $0.drag(500)
      try $0.drop()
      try $0.scroll(450)
      return $0.search == [-50, 50]
    },
    Feature(
      name: "content before the header", systems: "Flutter", options: ["start": 100, "drawers": laws(["shift": true])]
    ) {
      try $0.drag(30)
      let early = $0.search[1] == 50 && $0.search[0] > 0
      try $0.scroll(500)
      return early && $0.search == [-50, 50]
    },
  ]

  private static let others: [Feature] = [
    Feature(
      name: "shown and hidden as a whole by looks", systems: "headroom.js, react-headroom",
      options: ["follows": "looks", "insets": "application", "drawers": [["shift": true]]]
    ) {
      try $0.drag(100)
      let isHidden = $0.search[0] < 0 && $0.tabs[0] <= -44
      try $0.scroll(90)
      return isHidden && $0.search == [0, 50]
    },
    Feature(
      name: "a look must exceed a tolerance", systems: "headroom.js, react-headroom",
      options: ["follows": "looks", "insets": "application", "lookTolerance": ["hide": 20, "show": 20]]
    ) {
      try $0.drag(15)
      let stays = $0.search == [0, 50]
      try $0.scroll(50)
      return stays && $0.search[0] < 0
    },
    Feature(
      name: "a zone that counts as the top", systems: "headroom.js: offset",
      options: ["follows": "looks", "insets": "application", "topZone": ["hide": 200, "show": 200]]
    ) {
      try $0.drag(150)
      let stays = $0.search == [0, 50]
      try $0.scroll(250)
      return stays && $0.search[0] < 0
    },
    Feature(
      name: "two bars share one ratio", systems: "Chromium", options: ["follows": "ratio", "insets": "application"]
    ) {
      try $0.drag(0)
      _ = try $0.offer(25)
      return $0.search == [-25, 50] && abs($0.hero[0] - 530) < 0.001
    },
    Feature(
      name: "bars are held shown or hidden", systems: "Chromium",
      options: ["follows": "ratio", "insets": "application"]
    ) {
      try $0.call("hold", ["constraints": "shown", "current": "shown", "animate": false])
      try $0.drag(0)
      return try $0.offer(25) == 0 && $0.search == [0, 50]
    },
    Feature(
      name: "a delay before anything moves", systems: "AMScrollingNavbar: delay",
      options: ["follows": "movement", "delay": 30, "drawers": laws(["shift": true])]
    ) { try $0.offer(20) == 0 && $0.offer(20) == 20 },
    Feature(
      name: "moved by a call", systems: "AppBarLayout: setExpanded", options: ["drawers": laws(["shift": true])]
    ) {
      try $0.send(.move(HeaderMove(to: .stop("collapsed"))))
      let isAway = $0.search == [-50, 50]
      try $0.send(.move(HeaderMove(to: .progress(0.5))))
      return isAway && $0.search == [-25, 50]
    },
    Feature(
      name: "a finger on the header itself", systems: "AppBarLayout, Compose",
      options: ["drawers": laws(["shift": true])]
    ) {
      try $0.call("drag", ["delta": 20])
      return $0.search == [-20, 50]
    },
    Feature(
      name: "held still for a while", systems: "Compose: canScroll, TLYShyNavBar: disable",
      options: ["enabled": false, "drawers": laws(["shift": true])]
    ) {
      try $0.drag(100)
      return $0.search == [0, 50]
    },
    Feature(
      name: "its progress is published", systems: "all",
      options: ["tellsProgress": true, "drawers": laws(["shift": true])]
    ) {
      try $0.drag(25)
      return $0.header.value(named: "progress")?.value == 0.5
    },
  ]
  private static let surroundings: [Feature] = [
    Feature(
      name: "its phase has a name", systems: "MDCFlexibleHeader: scrollPhase, AMScrollingNavbar: state",
      options: ["tellsPhases": true, "drawers": laws(["shift": true], hero: ["stretch": [:]])]
    ) { stage in
      let phases: [Value?] = try [0, 20, 500, 0, -30].map { distance in
        try stage.drag(distance)
        return stage.value("phase")
      }
      try stage.scroll(0)
      try stage.layOut(["refreshControl": ["refreshing": true, "height": 60], "contentInset": ["top": 254]])
      return phases == ["expanded", "between", "collapsed", "expanded", "stretched"]
        && stage.value("phase") == "refreshing"
    },
    Feature(
      name: "how much content is under it", systems: "Compose: overlappedFraction, MDCFlexibleHeader",
      options: ["liftsAt": 10, "drawers": laws(["shift": true])]
    ) {
      try $0.drag(0)
      let none = $0.value("overlap") == 0
      // 50 points of 80 are those that the search field has gone.
      try $0.scroll(80)
      return none && $0.value("overlap") == 30
    },
    Feature(
      name: "is lifted when content is under it", systems: "AppBarLayout: liftOnScroll, Compose, MDCFlexibleHeader",
      options: ["liftsAt": 10, "drawers": laws(["shift": true, "returns": "atTop"])]
    ) { stage in
      let lifted: [Value?] = try [0, 55, 60, 55].map { distance in
        try stage.drag(distance)
        return stage.value("isLifted")
      }
      return lifted == [false, false, true, false]
    },
    Feature(
      name: "the status bar leaves with it", systems: "MDCFlexibleHeader: hidesStatusBarWhenCollapsed",
      options: ["hidesStatusBar": true, "drawers": laws(["shift": true])]
    ) {
      try $0.drag(19)
      let early = $0.wants.prefersStatusBarHidden
      try $0.scroll(20)
      let hidden = $0.wants.prefersStatusBarHidden
      try $0.scroll(0)
      return !early && hidden && !$0.wants.prefersStatusBarHidden
    },
    Feature(
      name: "the status bar's style over it", systems: "MDCFlexibleHeader: preferredStatusBarStyle",
      options: ["statusBarStyle": "lightContent", "drawers": laws(["shift": true])]
    ) {
      try $0.drag(0)
      let over = $0.wants.preferredStatusBarStyle
      try $0.scroll(50)
      return over == .lightContent && $0.wants.preferredStatusBarStyle == nil
    },
    Feature(
      name: "the scroll indicators begin below it", systems: "MDCFlexibleHeader, AMScrollingNavbar",
      options: ["indicators": "follow", "drawers": laws(["shift": true])]
    ) {
      try $0.drag(30)
      return $0.header.scrollViews[0].scrollIndicatorInsets.top == 164 && $0.inset == 194
    },
    Feature(
      name: "a scrubber hides it and does not bring it back",
      systems: "MDCFlexibleHeader: trackingScrollViewIsBeingScrubbed",
      options: ["trackingScrollViewIsBeingScrubbed": true, "drawers": laws(["shift": true])]
    ) {
      try $0.drag(500, 300)
      let isAway = try $0.offer(-30) == 0 && $0.search == [-50, 50]
      try $0.scroll(20)
      return isAway && $0.search == [-20, 50]
    },
    Feature(
      name: "follows a progress instead of a scroll", systems: "BLKFlexibleHeightBar: progress",
      options: ["enabled": false, "drawers": laws(["shift": true])]
    ) { stage in
      try stage.drag(0)
      let places: [Double] = try [0.5, 0.2, 1, 0].map { progress in
        try stage.send(.move(HeaderMove(to: .progress(progress))))
        try stage.scroll(10)
        return stage.search[0]
      }
      return places == [-25, -10, -50, 0]
    },
    Feature(
      name: "a pull arms a refresh, and disarms it nearer to the top",
      systems: "SwipeRefreshLayout, Compose: pull to refresh",
      options: ["refreshDistance": 80, "refreshReleaseDistance": 60, "drawers": laws(["shift": true])]
    ) { stage in
      let armed: [Value?] = try [-79, -80, -61, -59, -79].map { distance in
        try stage.drag(distance)
        return stage.value("isRefreshArmed")
      }
      try stage.drop()
      let early = stage.notices.contains("didPullToRefresh")
      try stage.drag(-80, -61)
      try stage.drop()
      return armed == [false, true, true, false, false] && !early && stage.notices.contains("didPullToRefresh")
    },
  ]
}
