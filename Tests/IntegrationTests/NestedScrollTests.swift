// SPDX-License-Identifier: MIT
//
// Nested scrolling on the real daemon with the real plugins: a finger that is followed by offers, once as lines and once as
// frames from a client that knows the reference alone, gets the same answers and leaves the same states.

import DaemonTestKit
import Testing

@Suite struct NestedScrollTests {
  struct Scene: CustomTestStringConvertible {
    var plugin: String
    /// Without the header's name.
    var description: String
    var testDescription: String { plugin }

    init(_ plugin: String, _ options: String, _ drawers: String, inset: Int) {
      self.plugin = plugin
      description =
        #"{"frames":"events","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"#
        + #""contentInset":{"top":\#(inset)}}},"environment":{"statusBarHeight":20},"drawers":\#(drawers),"#
        + #""delegates":[{"behavior":"\#(plugin)","options":\#(options)}]}"#
    }
  }

  static let scenes = [
    Scene(
      "ShyNavBar", #"{"expansionResistance":30}"#,
      #"[{"name":"navBar","height":44},{"name":"extension","height":40}]"#, inset: 64),
    Scene(
      "FlexibleHeader", #"{"minimumHeight":72,"maximumHeight":160,"shiftBehavior":"enabledWithStatusBar"}"#,
      #"[{"name":"header","height":160}]"#, inset: 0),
    Scene(
      "FlexibleHeightBar", #"{"definer":"squareCash","elasticMaximumHeightAtTop":true}"#,
      #"[{"name":"bar","height":116,"minimumHeight":20}]"#, inset: 116),
    Scene("StretchyHeader", "{}", #"[{"name":"header","height":180},{"name":"title","height":30}]"#, inset: 0),
  ]

  /// A finger goes up, on, back, and pulls at the top; then it flings. Offsets are those of a publisher that applies what the
  /// header consumes and does the rest itself, so that they do not depend on the header.
  private func batches(from top: Double) -> [[String]] {
    var (time, offset) = (0.0, top)
    func event(_ kind: String, _ fields: String) -> String {
      time += 0.0625
      return #"{"event":"\#(kind)","time":\#(time)\#(fields.isEmpty ? "" : ",")\#(fields)}"#
    }
    var batches = [[event("didScroll", #""offset":{"y":\#(top)}"#)], [event("willBeginDragging", "")]]
    for delta in [24.5, 40, 90, 33.25, -12.5, -60, -200, 18.75, -300] {
      let left = max(0, top - (offset + delta))
      offset = max(top, offset + delta)
      batches.append([
        event("willScroll", #""delta":{"x":1.5,"y":\#(delta)},"source":"drag""#),
        event("didScroll", #""offset":{"y":\#(offset)}"#),
      ])
      if left > 0 { batches.append([event("didOverscroll", #""delta":{"y":\#(-left)},"source":"drag""#)]) }
    }
    batches.append([event("willFling", #""velocity":{"x":0.25,"y":-1.75}"#)])
    batches.append([
      event("willScroll", #""delta":{"y":25},"source":"fling""#), event("didEndDragging", #""willDecelerate":false"#),
    ])
    return batches
  }

  @Test(arguments: scenes) func linesAndFramesAreOneMeaning(_ scene: Scene) throws {
    let python = try #require(Toolchain.find("python3"))
    let daemon = try RunningDaemon(plugins: [scene.plugin])
    let subscriber = try daemon.client()
    _ = try subscriber.result("subscribe", #"{"headers":"**","mode":"every"}"#)
    let publisher = try daemon.client()
    let hello = try publisher.result("hello", #"{"protocol":1}"#)
    #expect(hello["capabilities"].strings.contains("nestedScroll"))

    _ = try publisher.result("header.open", #"{"header":"lines","# + scene.description.dropFirst())
    let opening = try subscriber.notification("state")["scrollViews"]["content"]["contentInset"]["top"]
    let batches = batches(from: -(opening.double ?? 0))
    var answers: [String] = []
    var taken = 0
    for batch in batches {
      let answer = try publisher.result("event", #"{"header":"lines","events":[\#(batch.joined(separator: ","))]}"#)
      answers.append(answer["results"].description)
      taken += answer["results"].list.filter { ($0["consumed"]["y"].double ?? 0) != 0 }.count
    }
    #expect(taken > 1)

    let list = "[" + batches.map { "[\($0.joined(separator: ","))]" }.joined(separator: ",") + "]"
    let end = try runTool(
      python, ["\(FramesTests.folder)/Clients/frames.py", daemon.socket, "frames", scene.description, list])
    let decided = try end.output.split(separator: "\n").map { try JSON(String($0))[1].description }
    #expect(decided == answers)

    var states: [String: [String]] = [:]
    for line in try subscriber.settle().lines {
      let header = try JSON(line)["params"]["header"].string ?? ""
      states[header, default: []].append(
        line.replacing(/"epoch":\d+/, with: "").replacing(#""header":"\#(header)""#, with: ""))
    }
    let (lines, frames) = (states["lines"] ?? [], states["frames"] ?? [])
    #expect(lines.count > 8)
    // The first one, the snapshot, has been read of the one and not of the other.
    #expect(Array(frames.dropFirst()) == lines)
  }
}
