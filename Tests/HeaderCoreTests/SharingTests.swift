// SPDX-License-Identifier: MIT
//
// Headers that are made alike keep once what is equal; nobody may see it.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct SharingTests {
  /// A header made like another one, with probes of its own.
  static func twin(of bench: Bench, _ change: (inout HeaderDescription) -> Void = { _ in }) throws -> Header {
    var description = bench.header.description
    description.header = "twin"
    change(&description)
    return try Header(description, epoch: 8, provider: bench.provider, like: bench.header)
  }

  static func moveFirstDrawer(_ probe: Probe, _ header: Header) throws {
    try header.setFrame(Rect(x: 0, y: -12, width: 320, height: 44), ofDrawer: 0, by: probe)
    try header.setValue(0, .number(5), by: probe)
  }

  static func act(in header: Header) throws {
    try #require(header.delegates[0] as? Probe).acting = moveFirstDrawer
    _ = try header.receive(ScrollEvent(.call(name: "act", arguments: Value.Record(), delegate: "a")))
  }

  @Test func `headers that are made alike have a name and positions of their own`() throws {
    let bench = try Bench(prepare: ReconfigureTests.owner)
    let twin = try Self.twin(of: bench)
    let third = try Self.twin(of: bench)
    #expect(twin.state.names === bench.state.names)
    #expect((twin.name, twin.state.header) == ("twin", "twin"))
    #expect(bench.state.header == bench.header.name)

    try bench.act(at: 0, Self.moveFirstDrawer)
    #expect(bench.state.drawers[0].frame.origin.y == -12)
    #expect(bench.state.values[0].content == .number(5))
    try Self.act(in: third)
    #expect(third.state.drawers[0].frame.origin.y == -12)
    #expect(twin.state.drawers[0].frame.origin.y == 0)
    #expect(twin.state.values[0].content == .number(0))
    #expect((twin.state.seq, bench.state.seq, third.state.seq) == (1, 2, 2))
  }

  @Test func `a header of other drawers has names of its own`() throws {
    let bench = try Bench(prepare: ReconfigureTests.owner)
    let other = try Self.twin(of: bench) { $0.drawers[0].name = "other" }
    #expect(other.state.names !== bench.state.names)
    #expect(other.state.names.drawers == ["other", "extension"])
    #expect(bench.state.names.drawers == ["navBar", "extension"])
  }

  @Test func `names lie where C can read them until the structure changes`() throws {
    let bench = try Bench(prepare: ReconfigureTests.owner)
    let texts = bench.state.names.texts
    func text(_ list: NameTexts.List, _ index: Int) -> String? {
      unsafe bench.state.names.texts.text(of: list, at: index).map { unsafe String(cString: $0) }
    }
    #expect([text(.drawers, 0), text(.drawers, 1), text(.drawers, 2)] == ["navBar", "extension", nil])
    #expect([text(.scrollViews, 0), text(.scrollViews, -1), text(.elements, 0)] == ["content", nil, nil])

    _ = try ReconfigureTests.configure(bench) { $0.drawers[0].height = 50 }
    #expect(bench.state.names.texts === texts)
    _ = try ReconfigureTests.configure(bench) { $0.drawers[1].name = "search" }
    #expect(bench.state.names.texts !== texts)
    #expect([text(.drawers, 0), text(.drawers, 1)] == ["navBar", "search"])
  }
}
