// SPDX-License-Identifier: MIT
//
// The flexible header's options as it describes them, what it refuses, and that it yields.

import HeaderCore
import HeaderModel
import HeaderTestKit
import HeaderTrace
import Testing

@Suite struct FlexibleHeaderOptionTests {
  private func behavior() throws -> BehaviorDescription {
    try Stage([:]).header.delegates[0].behavior
  }

  /// The library's properties with their defaults, in the order in which a set-up assigns them, and the kit's `yields`.
  @Test func areTheLibrarys() throws {
    let options = try behavior().options
    let lines = options.map { option in
      let cases = option.cases.isEmpty ? "" : " \(option.cases.joined(separator: "|"))"
      let unit = option.unit.map { " \($0)" } ?? ""
      let range = option.minimum.map { " \($0)…\(option.maximum.map { "\($0)" } ?? "")" } ?? ""
      return "\(option.name) \(option.defaultValue.json)\(unit)\(range)\(cases)"
    }
    #expect(lines == Self.options)
    #expect(options.allSatisfy { !$0.meaning.isEmpty })
  }

  @Test(arguments: [
    ("minimumHeight", Value.number(-1)), ("visibleShadowOpacity", 1.5), ("shiftBehavior", "sometimes"),
    ("backgroundColor", "red"), ("canOverExtend", 1), ("canOverExtend", .null), ("canOverextend", true),
    ("shadowLayer", true),
  ])
  func whatDoesNotFitIsRefusedByName(_ name: String, _ value: Value) throws {
    let stage = try Stage([:])
    var options = Value.Record()
    options[name] = value
    do {
      try stage.send(.setOptions(options, delegate: nil))
      Issue.record("\(name) was taken")
    } catch let error as HeaderError {
      #expect(error.message.contains("\(name): "), "\(error.message)")
    }
    do {
      try stage.call("animateWithAnimations", ["options": .record(options)])
      Issue.record("\(name) was taken")
    } catch let error as HeaderError {
      #expect(error.message.contains("\(name): "), "\(error.message)")
    }
  }

  @Test(arguments: [150, 150.5]) func anAnimationTakesAnyHeight(_ height: Double) throws {
    let stage = try Stage([:])
    try stage.call("animateWithAnimations", ["options": ["maximumHeight": .number(height)]])
    #expect(stage.number("maximumHeightWithSafeArea") == height)
  }

  @Test func anAnimationTakesNullWhereAnOptionHasIt() throws {
    let stage = try Stage(["minimumHeight": 100, "maximumHeight": 150])
    try stage.call("animateWithAnimations", ["options": ["minimumHeight": .null, "shadowLayer": .null]])
    #expect(stage.number("maximumHeightWithSafeArea") == 76)
  }

  /// A header on its way off the screen stays there while nothing new is asked of it.
  @Test func anOptionThatIsWhatItWasBeginsNothing() throws {
    let stage = try Stage(["shiftBehavior": "enabled"])
    try stage.scroll(to: 0)
    let seq = stage.header.state.seq
    for name in ["statusBarHintCanOverlapHeader", "canOverExtend"] {
      var options = Value.Record()
      options[name] = true
      try stage.send(.setOptions(options, delegate: "flexible"))
      #expect(stage.header.state.seq == seq && !stage.header.state.framesActive, "\(name)")
    }
  }

  /// Without heights of its own a header's follow the safe area, also once it has had some.
  @Test(arguments: ["minimumHeight", "maximumHeight"]) func aHeightThatIsTakenBackFollowsTheSafeArea(
    _ name: String
  ) throws {
    let stage = try Stage([:])
    func set(_ name: String, _ value: Value) throws -> [Value] {
      var options = Value.Record()
      options[name] = value
      try stage.send(.setOptions(options, delegate: "flexible"))
      return [stage.value("minimumHeightWithSafeArea"), stage.value("maximumHeightWithSafeArea")]
    }
    #expect(try set(name, 200).contains { $0 != 76 })
    #expect(try set(name, .null) == [76, 76])
    #expect(try set("minMaxHeightIncludesSafeArea", false) == [76, 76])
    #expect(stage.frame.size.height == 76)
  }

  private static let options = [
    "minMaxHeightIncludesSafeArea true", "maximumHeight null points 0.0…", "minimumHeight null points 0.0…",
    "canOverExtend true", "visibleShadowOpacity 0.4 0.0…1.0", "inFrontOfInfiniteContent false",
    "sharedWithManyScrollViews false", "resetShadowAfterTrackingScrollViewIsReset false",
    "disableContentInsetAdjustmentWhenContentInsetAdjustmentBehaviorIsNever false",
    "allowShadowLayerFrameAnimationsWhenChangingTrackingScrollView false",
    "headerContentImportance \"default\" default|high", "minimumHeaderViewHeight 0 points 0.0…",
    "statusBarHintCanOverlapHeader true", "contentIsTranslucent false",
    "shiftBehavior \"disabled\" disabled|enabled|enabledWithStatusBar|hideable",
    "observesTrackingScrollViewScrollEvents false", "trackingScrollViewIsBeingScrubbed false",
    "frameRateIndependent false",
    #"backgroundColor {"white":0.6666666666666666,"alpha":1}"#, "shadowLayer null custom|customWithBlock",
    #"shadowColor {"white":0,"alpha":1}"#, "elevationBlock false", "overrideBaseElevation -1 points",
    "elevation 0 points", "inferPreferredStatusBarStyle true",
    "preferredStatusBarStyle \"default\" default|lightContent|darkContent",
    "permitInferringTopSafeAreaFromTopLayoutGuideViewController false",
    "topSafeAreaSourceViewController null root|content", "inferTopSafeAreaInsetFromViewController false",
    "topLayoutGuideAdjustmentEnabled false",
    "topLayoutGuideViewController null content", "useAdditionalSafeAreaInsetsForWebKitScrollViews false",
    "showsHairline false", #"hairlineColor {"white":0,"alpha":1}"#, "yields false",
  ]

  // MARK: Yielding

  /// The drawer is for one: a header that yields rests, says so, and does after a restore too.
  @Test func yieldsTheDrawer() throws {
    let bar: Value = ["behavior": "ShyNavBar", "name": "bar"]
    #expect(throws: HeaderError.self) { try Stage([:], delegates: [bar]) }
    let stage = try Stage(["maximumHeight": 200, "yields": true], delegates: [bar])
    let born = try stage.header.reborn()
    for header in [stage.header, born] {
      _ = try header.receive(ScrollEvent(.didScroll, offset: PartialPoint(y: -100)))
      #expect(header.drawers[0].frame.size.height == 76)
      do {
        _ = try header.receive(ScrollEvent(.call(name: "sizeToFit", arguments: Value.Record(), delegate: "flexible")))
        Issue.record("a resting behavior answered")
      } catch {
        #expect(error.message.contains("it is dormant"), "\(error.message)")
      }
    }
  }

  /// It was on its way onto the screen when another one came that does not yield.
  @Test func hasNoFramesWhileAnotherHasTheDrawer() throws {
    let stage = try Stage(["shiftBehavior": "enabled", "yields": true])
    try stage.scroll(to: 200)
    try stage.call("shiftHeaderOnScreenAnimated", [:])
    try stage.send(.advance(frameDuration: 0.01))
    #expect(stage.header.framesAreActive(of: stage.header.delegates[0]))
    try stage.header.addDelegate(
      DelegateDescription(behavior: "StretchyHeader"), provider: BuiltPlugins.registry())
    let frame = stage.frame
    try stage.send(.advance(frameDuration: 0.01))
    #expect(!stage.header.framesAreActive(of: stage.header.delegates[0]))
    #expect(!stage.header.isBypassed(0) && stage.frame == frame)
    var options = Value.Record()
    options["maximumHeight"] = 200
    try stage.send(.setOptions(options, delegate: "flexible"))
    #expect(stage.number("maximumHeight") == 76)
    let reborn = try stage.header.reborn()
    for header in [stage.header, reborn] {
      try header.removeDelegate(at: 1)
      #expect(header.value(named: "maximumHeight") == .number(200))
    }
    try stage.call("sizeToFit", [:])
  }
}
