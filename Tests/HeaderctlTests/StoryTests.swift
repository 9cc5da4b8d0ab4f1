// SPDX-License-Identifier: MIT
//
// What `headerctl explain` tells of twenty situations and some more, as somebody reads it who does not know the code. The stories are kept in
// Golden/stories.txt; each is made by the real plugins.

import DaemonTestKit
import Foundation
import Testing

@Suite struct StoryTests {
  /// A situation: a header and what happens to it. The story of the last movement is told, or of all that is kept.
  private struct Situation {
    var title: String
    var behaviors: [String]
    var drawers = #"[{"name":"navBar","height":44},{"name":"extension","height":40}]"#
    var inset = 104.0
    var events: [String]
    var tellsAll = false

    var recording: String {
      let description = """
        {"header":"main","viewport":{"width":375,"height":667},"drawers":\(drawers),\
        "scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"width":375,"height":4000},\
        "contentInset":{"top":\(inset)}},"aside":{"viewport":{"width":100,"height":100}}},"trackingScrollView":"content",\
        "environment":{"statusBarHeight":20,"clockSecondOfMinute":0},"frames":"events",\
        "delegates":[\(behaviors.joined(separator: ","))]}
        """
      return "{\"format\":\"header-recording/1\",\"description\":\(description)}\n" + events.joined(separator: "\n")
        + "\n"
    }
  }

  private static let shy = #"{"behavior":"ShyNavBar","options":{"expansionResistance":0}}"#
  private static func shy(_ options: String) -> String { "{\"behavior\":\"ShyNavBar\",\"options\":{\(options)}}" }
  private static let begin = #"{"event":"willBeginDragging","time":1}"#
  private static func scroll(_ time: Double, _ y: Double) -> String {
    #"{"event":"didScroll","time":\#(time),"scrollView":"content","offset":{"y":\#(y)}}"#
  }

  private static var shySituations: [Situation] {
    [
      Situation(title: "A finger drags up", behaviors: [shy], events: [begin, scroll(1.1, -92)]),
      Situation(
        title: "It drags on, past the extension", behaviors: [shy], events: [begin, scroll(1.1, -92), scroll(1.2, -52)]),
      Situation(
        title: "All drawers are contracted", behaviors: [shy], events: [begin, scroll(1.1, 0), scroll(1.2, 40)],
        tellsAll: true),
      Situation(
        title: "It drags down again", behaviors: [shy],
        events: [begin, scroll(1.1, 0), scroll(1.2, 40), scroll(1.3, 20)]),
      Situation(
        title: "It drags down, and the bar resists",
        behaviors: [shy(#""expansionResistance":100"#)],
        events: [begin, scroll(1.1, 0), scroll(1.2, 200), scroll(1.3, 150)], tellsAll: true),
      Situation(
        title: "The extension is sticky", behaviors: [shy(#""expansionResistance":0,"stickyExtensionView":true"#)],
        events: [begin, scroll(1.1, -92)]),
      Situation(
        title: "The bar is switched off", behaviors: [shy(#""disable":true"#)], events: [begin, scroll(1.1, -92)],
        tellsAll: true),
      Situation(
        title: "The finger lets go in the middle", behaviors: [shy],
        events: [begin, scroll(1.1, -60), #"{"event":"didEndDragging","time":1.2,"willDecelerate":false}"#]),
      Situation(
        title: "The content bounces at its top", behaviors: [shy], events: [begin, scroll(1.1, -150)], tellsAll: true),
      Situation(
        title: "An application calls expand", behaviors: [shy],
        events: [
          begin, scroll(1.1, -40), #"{"event":"call","time":2,"name":"expand","arguments":{"animated":true}}"#,
        ]),
      Situation(
        title: "Another scroll view scrolls", behaviors: [shy],
        events: [#"{"event":"didScroll","time":1,"scrollView":"aside","offset":{"y":10}}"#], tellsAll: true),
      Situation(title: "Nobody is in the chain", behaviors: [], events: [scroll(1, -92)], tellsAll: true),
      Situation(
        title: "An option is refused", behaviors: [shy],
        events: [
          #"{"event":"setOptions","time":1,"options":{"expansionResistance":"much"},"error":{"code":-32011}}"#
        ], tellsAll: true),
      Situation(
        title: "The status bar grows", behaviors: [shy],
        events: [#"{"event":"layout","time":1,"statusBarHeight":40}"#]),
      Situation(
        title: "A constraint keeps half of the bar on the screen",
        behaviors: [shy(#""expansionResistance":0,"stickyExtensionView":true"#)],
        drawers: #"[{"name":"navBar","height":44}]"#, inset: 64,
        events: [
          #"{"event":"constrain","time":0.5,"name":"search","permitted":[0,0.5]}"#, begin, scroll(1.1, -24),
          scroll(1.2, 0),
        ], tellsAll: true),
      Situation(
        title: "Somebody offers a movement before scrolling", behaviors: [shy],
        events: [begin, #"{"event":"willScroll","time":1.1,"delta":{"y":66},"source":"drag"}"#]),
    ]
  }

  private static var otherSituations: [Situation] {
    let title =
      #"[{"name":"navBar","height":44,"elements":[{"name":"background","frame":{"x":0,"y":0,"width":375,"height":44}},{"name":"title","frame":{"x":100,"y":8,"width":175,"height":28}}]}]"#
    let tracks =
      #"{"behavior":"Keyframes","options":{"tracks":[{"element":"title","drawer":"navBar","by":"contraction","keys":[{"progress":0},{"progress":1,"alpha":0}]}]}}"#
    let bar = #"[{"name":"bar","height":100,"minimumHeight":20,"maximumHeight":100}]"#
    let laws =
      #"{"behavior":"CollapsingHeader","options":{"drawers":[{"drawer":"hero","collapse":true},{"drawer":"tabs","shift":true,"resistance":30}]}}"#
    let returning =
      #"{"behavior":"CollapsingHeader","options":{"drawers":[{"drawer":"title","collapse":true,"returns":"atTop"},{"drawer":"search","shift":true}]}}"#
    return [
      Situation(
        title: "One of two drawers resists", behaviors: [laws],
        drawers: #"[{"name":"hero","height":100},{"name":"tabs","height":40}]"#, inset: 140,
        events: [begin, scroll(1.1, -130), scroll(1.2, -120)]),
      Situation(
        title: "A title comes back at the content's top only", behaviors: [returning],
        drawers: #"[{"name":"title","height":96,"minimumHeight":44},{"name":"search","height":52}]"#, inset: 148,
        events: [begin, scroll(1.1, 300), scroll(1.2, 220)]),
      Situation(
        title: "The content comes back to its top", behaviors: [returning],
        drawers: #"[{"name":"title","height":96,"minimumHeight":44},{"name":"search","height":52}]"#, inset: 148,
        events: [begin, scroll(1.1, 300), scroll(1.2, -100)]),
      Situation(
        title: "The second drawer belongs to another behavior",
        behaviors: [
          shy(#""expansionResistance":0,"drawers":1"#),
          #"{"behavior":"StretchyHeader","options":{"yields":true}}"#,
        ], events: [begin, scroll(1.1, -20), scroll(1.2, 40)]),
      Situation(
        title: "A title fades while the bar slides away",
        behaviors: [shy(#""expansionResistance":0,"fadeBehavior":"disabled""#), tracks], drawers: title, inset: 64,
        events: [begin, scroll(1.1, -42), scroll(1.2, -20)]),
      Situation(
        title: "A bar shrinks (Square Cash)",
        behaviors: [#"{"behavior":"FlexibleHeightBar","options":{"definer":"squareCash"}}"#], drawers: bar, inset: 100,
        events: [begin, scroll(1.1, -60)]),
      Situation(
        title: "A header stretches",
        behaviors: [#"{"behavior":"StretchyHeader","options":{"headerHeight":200}}"#],
        drawers: #"[{"name":"image","height":200}]"#, inset: 0, events: [begin, scroll(1.1, -30)]),
      Situation(
        title: "Material's header collapses",
        behaviors: [
          #"{"behavior":"FlexibleHeader","options":{"maximumHeight":128,"minimumHeight":56,"minMaxHeightIncludesSafeArea":false}}"#
        ], drawers: #"[{"name":"header","height":128}]"#, inset: 0, events: [begin, scroll(1.1, -100)]),
      Situation(
        title: "Time goes on after an animation", behaviors: [shy],
        events: [
          begin, scroll(1.1, -60), #"{"event":"didEndDragging","time":1.2,"willDecelerate":false}"#,
          #"{"event":"advance","time":3}"#,
        ], tellsAll: true),
    ]
  }

  @Test func manySituations() throws {
    let prompt = try Prompt(
      daemon: false,
      plugins: ["ShyNavBar", "StretchyHeader", "FlexibleHeightBar", "FlexibleHeader", "Keyframes", "CollapsingHeader"])
    let situations = Self.shySituations + Self.otherSituations
    #expect(situations.count == 25)
    var told = ""
    for situation in situations {
      let file = try prompt.folder.write(situation.recording, to: "situation.jsonl")
      let end = try prompt("explain --recording \(file)\(situation.tellsAll ? " --all" : "")")
      #expect(end.status == 0, "\(situation.title): \(end.errors)")
      // Of all that is kept the last is what the situation is about.
      let story = end.output.components(separatedBy: "\n\n").last ?? ""
      told += "# \(situation.title)\n\(story.trimmingCharacters(in: .newlines))\n\n"
    }
    let difference = try Golden("stories.txt", beside: #filePath).difference(to: told)
    #expect(difference == nil, "\(difference ?? "")")
  }

  /// States of a subscription with `explain` say why they are there, and why there was none before; others do not.
  @Test func statesSayWhyTheyAreThere() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let curious = try prompt.start(["subscribe", "main", "--explain", "--fields", "values"])
    let plain = try prompt.start(["subscribe", "main"])
    for reader in [curious, plain] { #expect(try reader.waitForOutput("a snapshot") { $0.contains("\n") }) }
    try prompt.done("stream main --fast", input: drag(5))
    let kept = try JSON(prompt.done("dump"))
    for reader in [curious, plain] {
      #expect(try reader.waitForOutput("states") { lines($0).count > 3 })
      reader.signal(SIGINT)
      #expect(try reader.waitForExit() == 0)
    }
    let states = try lines(curious.output).map { try JSON($0) }
    #expect(states[0]["explanation"].isAbsent, "a snapshot explains nothing")
    let first = states[1]["explanation"]
    #expect(first["silent"][0]["event"]["event"].string == "willBeginDragging")
    #expect(first["silent"][0]["silence"]["name"].string == "nobody" || !first["silent"][0]["silence"].isAbsent)
    for state in states.dropFirst() {
      let explanation = state["explanation"]
      #expect(explanation["seq"].int == state["seq"].int && explanation["states"].int == 1)
      #expect(explanation["event"]["event"].string == "didScroll")
      #expect(explanation["story"].strings.contains { $0.hasPrefix("shyNavBar heard of it and") })
      #expect(explanation["story"].strings.last == "One state was sent, number \(state["seq"].int ?? 0).")
    }
    #expect(!plain.output.contains("explanation"))
    #expect(!kept.description.contains("explanation"))
    // Nobody asked for explanations of past events, and nobody listens any more.
    #expect(try prompt("explain main --for 0").status == 1)
  }

  /// A daemon keeps nothing until somebody asks, and then what the engine would tell of the recording.
  @Test func aDaemonExplainsFromTheFirstQuestionOn() throws {
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    try prompt.done("stream main --fast", input: drag(3))
    let early = try prompt("explain main --for 0.1")
    #expect(early.status == 1 && early.errors.contains("waiting for it") && early.output.isEmpty)
    try prompt.done("stream main --fast", input: drag(6, from: 2))
    let story = try prompt.done("explain main")
    #expect(story.contains("shyNavBar heard of it and") && story.hasSuffix(".\n"))
    let ledger = try JSON(prompt.done("explain main --json"))
    #expect(ledger["turns"][0]["delegate"].string == "shyNavBar" && (ledger["seq"].int ?? 0) > 1)
    #expect(ledger["story"].strings.joined(separator: "\n") + "\n" == story)
    #expect(lines(try prompt.done("explain main --all --json")).count == 7)
    try prompt.done("explain main --off")
    try prompt.done("stream main --fast", input: drag(3, from: 4))
    #expect(try prompt("explain main --for 0").status == 1, "what was kept is gone")
    // States are the same whether somebody asks or not: a recording of the explained header has no difference.
    let recorder = try prompt.start(["record", "main"])
    #expect(try recorder.waitForOutput("the first line") { $0.contains("\n") })
    try prompt.done("stream main --fast", input: drag(20, from: 6))
    try prompt.done("header close main")
    #expect(try recorder.waitForExit() == 0)
    let file = try prompt.folder.write(recorder.output, to: "main.jsonl")
    #expect(try prompt.done("verify \(file)").hasSuffix(": no difference\n"))
    #expect(try prompt("explain nothing").status == 1)
    #expect(try prompt("explain").status == 2)
  }
}
