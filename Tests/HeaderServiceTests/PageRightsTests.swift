// SPDX-License-Identifier: MIT
//
// headerd-web refuses its pages what the daemon would refuse a client with their roles, in the same words: every method, and every
// parameter that needs another role than its method, with every set of roles.

import Fanout
import HeaderModel
import HeaderWire
import ServiceTestKit
import Testing
import WebBridge

@Suite struct PageRightsTests {
  private static let header = #""header":"main""#
  private static let leads = #"{"name":"navBar","height":44,"follow":{"header":"other","drawer":"bar"}}"#
  private static let followsItsOwn = #"{"name":"navBar","height":44,"follow":{"header":"main","drawer":"bar"}}"#

  /// By method, its parameters and those that need more.
  private static let requests: [(method: RequestMethod, params: [String])] = RequestMethod.allCases.map { method in
    let more: [String] =
      switch method {
      case .event:
        [
          #"{\#(header),"event":"didScroll","offset":{"y":3}}"#, #"{\#(header),"event":"setOptions","options":{}}"#,
          #"{\#(header),"events":[{"event":"willAppear"},{"event":"setOptions","options":{}}]}"#,
        ]
      case .subscribe:
        [
          #"{"headers":"main"}"#, #"{"headers":"main","explain":true}"#, #"{"headers":["**"],"explain":true}"#,
          #"{"headers":"main","explain":false}"#,
        ]
      case .stats: [#"{"reset":true}"#, #"{"reset":false}"#]
      case .headerOpen: [#"{"header":"new"}"#, #"{"header":"new","drawers":[\#(leads)]}"#]
      case .headerConfigure: [leads, followsItsOwn].map { #"{\#(header),"drawers":[\#($0)]}"# }
      default: []
      }
    return (method, [#"{\#(header)}"#] + more)
  }

  private static var lines: [String] {
    requests.flatMap { method, params in
      params.flatMap { params in
        [
          #"{"id":1,"method":"\#(method.rawValue)","params":\#(params)}"#,
          #"{"method":"\#(method.rawValue)","params":\#(params)}"#,
        ]
      }
    }
  }

  private static func isRefusal(_ answer: String) -> Bool {
    ["error.data.name", "params.data.name"].contains { tree(answer).at($0) == .text("notPermitted") }
  }

  @Test(arguments: 0..<UInt8(16)) func thoseOfAClient(_ bits: UInt8) throws {
    let roles = Roles(rawValue: bits)
    var refusals = 0
    for line in Self.lines {
      let daemon = TestDaemon()
      daemon.publisher("main")
      daemon.publisher("other")
      let client = daemon.connect(roles)
      // The daemon has done the events before, and tells which one it was; here none is passed on.
      let answers = client.send(line).filter(Self.isRefusal).map { $0.replacing(#","index":1"#, with: "") }
      var filter = RoleFilter(roles, name: "test", encoding: .lines, limit: 4096)
      let bytes = Array("\(line)\n".utf8)
      let result = try unsafe filter.read(bytes.span.bytes)
      let refused = String(decoding: result.refusals, as: UTF8.self).split(separator: "\n").map(String.init)
      #expect(refused == answers, "\(roles.words) \(line)")
      #expect(result.permitted == (refused.isEmpty ? bytes : []), "\(roles.words) \(line)")
      refusals += refused.count
    }
    #expect((refusals == 0) == (roles == .all))
  }
}
