// SPDX-License-Identifier: MIT
//
// What a behavior saved is taken over by the version that it knows, and by no other: another version's state may have the
// same fields with other meanings.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import PluginHost
import Testing

@Suite struct SavedVersionTests {
  private static let bar: Value = ["name": "bar", "height": 44, "elements": [["name": "title"]]]

  /// A header with one behavior of every plugin's.
  static let all: [ComposedHeader] = [
    member("ShyNavBar"), member("FlexibleHeader"), member("StretchyHeader"), member("CollapsingHeader"),
    member("FlexibleHeightBar", ["definer": "facebook"]),
    member(
      "Keyframes",
      [
        "tracks": [
          [
            "element": "title", "drawer": "bar", "by": "collapse",
            "keys": [["progress": 0], ["progress": 1, "alpha": 0]],
          ]
        ]
      ]),
  ]

  private static func member(_ behavior: String, _ options: Value = [:]) -> ComposedHeader {
    ComposedHeader(title: behavior, drawers: [bar], delegates: [.init(behavior: behavior, options: options)])
  }

  /// A header's saved state with the version of its first delegate's set.
  private static func saved(_ header: Header, version: Double) throws -> Value {
    guard case .record(var saved) = try header.save(), case .list(var delegates)? = saved["delegates"],
      case .record(var first)? = delegates.first
    else { throw HeaderError(.internalError, "the saved header has no delegates") }
    #expect(first["version"] == 1)
    first["version"] = .number(version)
    delegates[0] = .record(first)
    saved["delegates"] = .list(delegates)
    return .record(saved)
  }

  @Test func `every plugin is among them`() {
    let plugins = BuiltPlugins.names.filter { !["Careless", "Faulty", "OriginalDelegate"].contains($0) }
    #expect(Self.all.map(\.title).sorted() == plugins.sorted())
  }

  @Test(arguments: all) func `a state of another version is refused`(_ composed: ComposedHeader) throws {
    let header = try composed.open()
    for (time, event) in RandomScroll(seed: 7, gestures: 4).events { _ = try header.receive(event, at: time) }
    func reborn(_ version: Double) throws -> Header {
      try Header(
        header.description, epoch: 2, provider: BuiltPlugins.registry(), saved: Self.saved(header, version: version))
    }
    #expect(try reborn(1).sight == header.sight)
    for version in [0.0, 2, 99] {
      let error = #expect(throws: HeaderError.self) { _ = try reborn(version) }
      #expect(error?.message.contains("version \(Int(version))") == true, "\(error?.message ?? "")")
    }
  }
}
