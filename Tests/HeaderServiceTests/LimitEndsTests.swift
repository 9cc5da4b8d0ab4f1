// SPDX-License-Identifier: MIT
//
// Each limit at the ends of what the config takes: a header lives with it, or is refused by its name.

import HeaderModel
import HeaderService
import ServiceTestKit
import Testing

@Suite struct LimitEndsTests {
  /// One limit at one of its ends.
  struct End: CustomTestStringConvertible, Sendable {
    var entry: Limits.Entry
    var value: Double
    var testDescription: String { "\(entry.name) = \(value)" }

    func set(_ limits: inout Limits) {
      switch entry.kind {
      case .count(let path, _): limits[keyPath: path] = Int(value)
      case .seconds(let path, _): limits[keyPath: path] = value
      }
    }
  }

  static let ends = Limits.entries.flatMap { entry in
    switch entry.kind {
    case .count(_, let range): [range.lowerBound, range.upperBound].map { End(entry: entry, value: Double($0)) }
    case .seconds(_, let most): [Double.leastNormalMagnitude, 1e-9, most].map { End(entry: entry, value: $0) }
    }
  }

  @Test(arguments: ends) func areLivedWith(_ end: End) {
    let daemon = TestDaemon { end.set(&$0.limits) }
    let client = daemon.publisher()
    client.send(#"{"id":1,"method":"subscribe","params":{"headers":"**","mode":"every","resumeFrom":{}}}"#)
    let late = daemon.connect()
    late.send(#"{"id":2,"method":"delegate.add","params":{"header":"main","client":"intercept","name":"guard"}}"#)
    late.send(#"{"id":3,"method":"trace.start","params":{"header":"main"}}"#)
    for step in 1...20 where !client.isClosed {
      client.send(TestDaemon.scroll("main", Double(step), Double(step * 7 % 50)))
      if step % 5 == 0, !client.isClosed { client.send(Chains.drag(step, Double(step))) }
      if step % 7 == 0 { daemon.pass(1e-7) }
    }
    if !client.isClosed { client.send(TestDaemon.scroll("main", 8e9, 3)) }
  }

  @Test(arguments: [1, 3]) func aBatchMayHaveAsManyEventsAsALimitSays(_ most: Int) {
    let daemon = TestDaemon { $0.limits.batchEvents = most }
    let client = daemon.publisher()
    for count in [most, most + 1] {
      let events = (1...count).map { #"{"event":"didScroll","time":\#($0),"offset":{"y":\#(10 * $0)}}"# }
      let lines = client.send(
        #"{"id":1,"method":"event","params":{"header":"main","events":[\#(events.joined(separator: ","))]}}"#)
      #expect(lines.results.count == (count > most ? 0 : 1) && lines.errors.count == (count > most ? 1 : 0), "\(lines)")
    }
  }
}
