// SPDX-License-Identifier: MIT
//
// What a worker says of a plugin arrives as it was said, and whatever else a worker may write is no report and no trap.

import DaemonTestKit
import HeaderModel
import HeaderTestKit
import HeaderWorker
import PluginHost
import Testing

@Suite struct PluginReportTests {
  private static let plugins = [
    "ShyNavBar", "FlexibleHeader", "StretchyHeader", "FlexibleHeightBar", "Keyframes", "OriginalDelegate", "Careless",
  ]

  private static func report(_ name: String) throws -> DescribedPlugin {
    try PluginRegistry(folders: [TestFiles.build]).load(name).described
  }

  @Test(arguments: plugins) func everyPluginArrivesAsItDescribesItself(_ name: String) throws {
    let report = try Self.report(name)
    let answer = PluginReport.decode(PluginReport.encode(.success(report)))
    #expect(answer == .success(report))
  }

  @Test func aRefusalArrivesWhole() throws {
    let error = HeaderError(
      .pluginRefused, "libMine.so: no", field: "options.a", got: .number(7), expected: "eight", hint: "ask again",
      facts: ["check": "table", "limit": ["name": "x", "value": 3]])
    #expect(PluginReport.decode(PluginReport.encode(.failure(error))) == .failure(error))
    #expect(
      PluginReport.decode(PluginReport.encode(.failure(HeaderError(.inUse, "")))) == .failure(HeaderError(.inUse, "")))
  }

  @Test func whatIsNoReportIsNone() throws {
    for text in ["", "{", "null", "[]", "{}", #"{"refused":7}"#, #"{"refused":{"name":"nothing","message":"x"}}"#] {
      #expect(PluginReport.decode(Array(text.utf8)) == nil, "\(text)")
    }
    // What the daemon does not take from a plugin in its own process, it takes from none.
    let many = (0..<70).map { #"{"name":"v\#($0)","type":"number","initial":0,"meaning":"x"}"# }.joined(separator: ",")
    let deep = String(repeating: "list of ", count: 100_000)
    for rest in [
      #""values":[\#(many)]"#, #""options":[{"name":"a","type":"\#(deep)number","meaning":"x"}]"#,
      #""options":[{"name":"a","type":"number","default":"one","meaning":"x"}]"#, #""notices":["a","a"]"#,
    ] {
      let behavior = #"{"behavior":"Mine","summary":"x",\#(rest)}"#
      let report = #"{"plugin":"Mine","version":"1","abi":"1.0","content":"7","behaviors":[\#(behavior)]}"#
      #expect(PluginReport.decode(Array(report.utf8)) == nil, "\(rest.prefix(80))")
    }
    // Spoiled at some bytes, or cut off: it may still be one, and never more than that.
    var random = SplitMix64(seed: 18)
    for name in Self.plugins {
      let whole = PluginReport.encode(.success(try Self.report(name)))
      for _ in 0..<300 {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
        if case .success(let report)? = PluginReport.decode(bytes) {
          #expect(report.behaviors.allSatisfy { Names.isBehaviorName($0.name) })
        }
      }
      #expect(PluginReport.decode(whole.dropLast()) == nil)
    }
  }
}

extension PluginReport {
  fileprivate static func decode(_ bytes: ArraySlice<UInt8>) -> Result<DescribedPlugin, HeaderError>? {
    decode(Array(bytes))
  }
}
