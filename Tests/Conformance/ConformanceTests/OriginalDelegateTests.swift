// SPDX-License-Identifier: MIT
//
// The test plugin in plain C, through dlopen: that it is asked what it says it implements, and answers as described.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import PluginHost
import Testing

@Suite struct OriginalDelegateTests {
  private func header(methods: [String], options: Value.Record = Value.Record()) throws -> Header {
    let plugins = Copies.plugins()
    try plugins.load("OriginalDelegate")
    var options = options
    options["methods"] = .list(methods.map { .text($0) })
    var description = HeaderDescription(header: "trace")
    description.delegates = [DelegateDescription(behavior: "OriginalDelegate", options: options)]
    return try Header(description, epoch: 1, provider: plugins, recordsCalls: true)
  }

  @Test func isAskedOnlyWhatItImplements() throws {
    let header = try header(methods: ["didScroll", "shouldScrollToTop"])
    _ = try header.receive(ScrollEvent(.didScroll, offset: PartialPoint(y: 3)))
    #expect(header.state.happened.calls.map(\.kind) == [.didScroll])
    _ = try header.receive(ScrollEvent(.willBeginDragging))
    #expect(header.state.happened.calls.isEmpty)
  }

  @Test func addsTenToTheTarget() throws {
    let header = try header(methods: ["willEndDragging"])
    let answer = try header.receive(
      ScrollEvent(.willEndDragging(velocity: Point(), targetOffset: PartialPoint(x: 1, y: 50))))
    #expect(answer.targetOffset == Point(x: 1, y: 60))
    #expect(answer.rewrittenBy == "originalDelegate")
  }

  @Test(arguments: [nil, true, false]) func answersShouldScrollToTop(_ answer: Bool?) throws {
    var options = Value.Record()
    options["shouldScrollToTop"] = answer.map { .bool($0) }
    let header = try header(methods: ["shouldScrollToTop"], options: options)
    #expect(try header.receive(ScrollEvent(.shouldScrollToTop)).returned == (answer ?? true))
  }

  @Test func refusesAMethodThatIsNone() {
    #expect(throws: HeaderError.self) { try header(methods: ["didExplode"]) }
  }
}
