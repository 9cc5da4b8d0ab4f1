// SPDX-License-Identifier: MIT
//
// A header's life as text.

import HeaderModel
import HeaderTrace
import Testing

@Suite struct TimelineTests {
  private func timeline() throws -> Timeline {
    var timeline = Timeline()
    var replay = try Replay(recording(script), provider: Shelf())
    var offset: Double? = 0
    while let outcome = try replay.step() {
      timeline.add(event: outcome.step.event, offsetBefore: offset, refused: outcome.refusal != nil)
      for state in outcome.states { StatePicture(state).map { timeline.add(state: $0) } }
      offset = outcome.step.event["offset"]?["y"]?.asNumber ?? offset
    }
    return timeline
  }

  @Test func oneCharacterAFrame() throws {
    // A quarter of a second each: drag, two scrolls, the end of the drag and its frames, a call that is refused and what
    // came after it, two more scrolls.
    let drawn = try timeline().lines(width: 60, frame: 0.25).joined(separator: "\n")
    #expect(
      drawn == """
        time    1.00\("    ")
        events  [>] ?>?>
        states  .## !#!.
        bar      1220444
        """, "\(drawn)")
  }

  @Test func aRunThatDoesNotFitIsDrawnWithLongerFrames() throws {
    for width in [20, 40, 200] {
      let lines = try timeline().lines(width: width)
      #expect(lines.allSatisfy { $0.count <= width } && Set(lines.dropFirst().map(\.count)).count == 1)
    }
  }

  @Test(arguments: [(-1.5, "-1.50     -0.50     0"), (1_763_690_400, "1763690400.00       1")] as [(Double, String)])
  func theRulerTellsTimesOfAnyOrigin(_ start: Double, _ ruler: String) {
    var timeline = Timeline()
    for time in [start, start + 2] {
      timeline.add(event: ["event": "didAppear", "time": .number(time)], offsetBefore: nil)
    }
    #expect(timeline.lines(width: 60, frame: 0.1).first == "time    \(ruler)")
  }

  /// Times that no clock has, and a clock that goes backwards, are drawn all the same.
  @Test func wildTimesAreDrawn() {
    var timeline = Timeline()
    for time in [5.0, 1, -1e308, 1e308, 9e9, -9e9] {
      timeline.add(event: ["event": "didAppear", "time": .number(time)], offsetBefore: nil, refused: true)
    }
    let lines = timeline.lines(width: 40)
    #expect(lines.dropFirst().first?.filter { $0 == "x" } == "xx", "\(lines)")
  }

  /// A state that somebody else wrote may have any number; what is drawn of it is one character a frame all the same.
  @Test(arguments: [1e300, -1e300, .greatestFiniteMagnitude, 9.3e18, .leastNonzeroMagnitude] as [Double])
  func wildStatesAreDrawn(_ number: Double) throws {
    var timeline = Timeline()
    for (index, other) in [0, number, -number, 1].enumerated() {
      let state: Value = [
        "header": "main", "seq": .number(Double(index)), "time": .number(other),
        "drawers": [["name": "bar", "frame": ["y": .number(other), "height": .number(number)]]],
        "notices": [["name": "gone", "count": .number(number)]],
      ]
      timeline.add(state: try #require(StatePicture(state)))
    }
    let lines = timeline.lines(width: 40)
    #expect(lines.count == 4 && lines.allSatisfy { $0.count <= 40 })
  }

  @Test func nothingIsDrawnOfNothing() { #expect(Timeline().lines().isEmpty) }
}

@Suite struct StatePictureTests {
  @Test func readersIgnoreWhatTheyDoNotKnow() throws {
    let text =
      #"{"header":"main","seq":3,"new":{},"drawers":[{"name":"bar","frame":{"x":0,"y":-4,"width":320,"height":44},"glow":1}],"#
      + #""notices":[{"name":"gone","delegate":"lift","count":2}],"animations":[{"duration":0.2}]}"#
    let picture = try #require(StatePicture(Value(json: Array(text.utf8))))
    #expect(picture.time == 0 && picture.drawers[0].alpha == 1 && !picture.drawers[0].isHidden)
    #expect(picture.drawers[0].frame.origin.y == -4 && picture.notices[0].count == 2 && picture.animations == [0.2])
    #expect(picture.scrollViews.isEmpty)
    #expect(
      StatePicture(["seq": 1]) == nil && StatePicture(["header": "a", "seq": "1"]) == nil && StatePicture(nil) == nil)
  }
}
