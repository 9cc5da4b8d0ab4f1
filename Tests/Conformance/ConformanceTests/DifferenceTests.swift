// SPDX-License-Identifier: MIT
//
// A runner that passes everything would be worth nothing: each of these recordings is wrong somewhere, and is told so.

import ConformanceKit
import HeaderModel
import PluginHost
import Testing

@Suite struct DifferenceTests {
  private static let head =
    #"{"format":"header-trace/1","system":"TLYShyNavBar","title":"t","options":{},"scene":{"viewport":{"width":375,"height":667},"contentSize":{"width":375,"height":4000},"contentInset":{"top":64},"statusBarHeight":20,"offset":{"x":0,"y":-64},"drawers":[{"name":"navBar","height":44}],"navBarSubviews":[]},"steps":["#
  private static let shown =
    #""navBar":{"frame":{"x":0,"y":20,"width":375,"height":44},"alpha":1,"hidden":false,"subviewAlphas":[]},"extension":{"frame":{"x":0,"y":64,"width":100,"height":0},"alpha":1,"hidden":false,"subviewAlphas":[]},"contentOffset":{"x":0,"y":-64},"contentInset":{"top":64,"left":0,"bottom":0,"right":0},"scrollIndicatorInsets":{"top":64,"left":0,"bottom":0,"right":0},"scrollFrame":{"x":0,"y":0,"width":375,"height":667},"callbacks":[],"calls":[],"scrollCommands":[],"internal":{"anything":1},"animation":null,"targetOffset":null,"returned":null"#

  /// A recording of one step with something in it replaced.
  private func difference(
    _ old: String = "", _ new: String = "", event: String = #""event":"willAppear""#
  ) throws -> String? {
    let text = Self.head + "{\"time\":0,\(event),\"expect\":{\(Self.shown)}}]}"
    let pieces = Self.split(text, at: old)
    #expect(old.isEmpty || pieces.count == 2, "\(old) stands once in the recording")
    let changed = pieces.joined(separator: new)
    do {
      let recording = try AdaptedRecording(try OriginalRecording(Array(changed.utf8)))
      return try RecordingRun(recording, plugins: Copies.plugins()).firstDifference()?.description
    } catch {
      return error.message
    }
  }

  private static func split(_ text: String, at separator: String) -> [String] {
    guard !separator.isEmpty else { return [text] }
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    return parts.map(String.init)
  }

  @Test func theRecordingItselfPasses() throws {
    #expect(try difference() == nil)
    #expect(try difference(event: #""event":"call","name":"attach","arguments":{}"#) == nil)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var old: String
    var new: String
    var message: String
    var testDescription: String { message }
  }

  @Test(arguments: [
    Row(
      old: #""frame":{"x":0,"y":20,"#, new: #""frame":{"x":0,"y":20.000002,"#,
      message: "steps[0] willAppear at 0.0 s: navBar.frame.y: expected 20.000002, got 20"),
    Row(
      old: #""callbacks":[]"#, new: #""callbacks":["didFinishExpanding"]"#,
      message: "steps[0] willAppear at 0.0 s: callbacks: expected [\"didFinishExpanding\"], got []"),
    Row(
      old: #""returned":null"#, new: #""returned":false"#,
      message: "steps[0] willAppear at 0.0 s: returned: expected false, got null"),
    Row(
      old: #""scrollFrame":{"x":0,"y":0,"#, new: #""scrollFrame":{"x":0,"#,
      message: "steps[0] willAppear at 0.0 s: scrollFrame.y: the recording lacks it, got 0"),
    Row(
      old: #""returned":null"#, new: #""returned":null,"mood":1"#,
      message: "steps[0] willAppear at 0.0 s: mood: expected 1, and nothing of that name is shown"),
    Row(
      old: #""targetOffset":null,"#, new: "",
      message: "steps[0] willAppear at 0.0 s: targetOffset: the recording lacks it, got null"),
    Row(
      old: #""statusBarHeight":20,"#, new: #""statusBarHeight":20,"weather":1,"#,
      message: "scene.weather: the adapter does not know this field"),
    Row(
      old: "TLYShyNavBar", new: "TLYShyNavbar",
      message:
        "system: there is no adapter for \"TLYShyNavbar\", there is one for TLYShyNavBar, StretchyHeader, MDCFlexibleHeader"
    ),
    Row(
      old: "header-trace/1", new: "header-trace/9",
      message: "format: expected \"header-trace/1\" or \"neighbor-trace/1\", got \"header-trace/9\""),
    Row(
      old: #""options":{}"#, new: #""options":{"stickyBar":true}"#,
      message:
        "delegates[0].options.stickyBar: there is no such option, expected one of contractionResistance, disable, drawers, expansionResistance, fadeBehavior, hasCustomRefreshControl, stickyExtensionView, stickyNavigationBar, yields"
    ),
    Row(old: "}}]}", new: "}}]", message: "byte"),
  ]) func isTold(_ row: Row) throws {
    let message = try #require(try difference(row.old, row.new))
    #expect(message.hasPrefix(row.message), "\(message)")
  }

  @Test(arguments: [
    (#""event":"willVanish""#, "steps[0].event"),
    (#""event":"layout","tide":1"#, "steps[0].tide"),
    (#""event":"call","name":"explode","arguments":{}"#, "steps[0].name"),
    (#""event":"didEndDragging""#, "steps[0].willDecelerate"),
    (#""event":"didScroll""#, "steps[0].offset"),
  ]) func stepsThatNobodyKnowsAreRefused(_ event: String, _ place: String) throws {
    let message = try #require(try difference(event: event))
    #expect(message.hasPrefix(place), "\(message)")
  }

  @Test func aFileThatIsNotThereFails() {
    #expect(Difference.first(in: "/nowhere.json", plugins: Copies.plugins())?.description == "the file cannot be read")
  }

  @Test func aMissingPluginFails() throws {
    let recording = try #require(Copies.paths.first)
    let difference = Difference.first(in: recording, plugins: PluginRegistry(folders: ["/nowhere"]))
    #expect(difference?.reason.contains("there is no plugin \"") == true)
  }
}
