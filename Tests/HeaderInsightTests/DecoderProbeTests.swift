// SPDX-License-Identifier: MIT

import HeaderInsight
import HeaderModel
import Testing

@Suite struct DecoderProbeTests {
  private enum Shape: String, CaseIterable { case circle, box }

  @Test func findsMembersAndWhatIsRequired() {
    let notes = DecoderProbe.notes { fields throws(HeaderError) in
      _ = try fields.required(text: "name")
      _ = try fields.number("alpha", in: 0...1, of: "")
      _ = try fields.bool("hidden")
    }
    #expect(notes.members.map(\.name) == ["name", "alpha", "hidden"])
    #expect(notes.rules == rules(["name"]))
    #expect(notes["alpha"]?.forms == [.number(0...1, unit: "")])
  }

  @Test func findsWhatGoesWithAChoice() {
    let notes = DecoderProbe.notes { fields throws(HeaderError) in
      guard let shape = try fields.choice("shape", Shape.self) else {
        throw fields.unexpected("shape", needed: "a shape", expected: "case")
      }
      switch shape {
      case .circle: _ = try fields.required(number: "radius")
      case .box:
        _ = try fields.required(number: "width")
        _ = try fields.number("height")
      }
    }
    var wanted = rules(["shape"])
    wanted.conditions = [
      .init(member: "shape", word: "circle", required: ["radius"], known: ["shape", "radius"]),
      .init(member: "shape", word: "box", required: ["width"], known: ["shape", "width", "height"]),
    ]
    #expect(notes.rules == wanted)
  }

  @Test func looksIntoWhatOnlyOneWordAsksFor() throws {
    let notes = DecoderProbe.notes { fields throws(HeaderError) in
      guard try fields.choice("shape", Shape.self) == .box else { return }
      _ = try fields.records("sides") { side throws(HeaderError) in
        _ = try side.required(text: "name")
        _ = try side.number("width")
      }
    }
    let side = try #require(notes["sides"]?.items)
    #expect(side.members.map(\.name) == ["name", "width"])
    #expect(side.rules == rules(["name"]))
  }

  @Test func findsAlternatives() {
    let notes = DecoderProbe.notes { fields throws(HeaderError) in
      let first = try fields.text("first")
      let second = try fields.text("second")
      guard first != nil || second != nil else {
        throw fields.unexpected("first", needed: "a text, or second", expected: "text")
      }
    }
    #expect(notes.rules.required == [])
    #expect(notes.rules.oneOf == [["first", "second"]])
  }

  @Test func looksIntoRecordsAndLists() throws {
    let notes = DecoderProbe.notes { fields throws(HeaderError) in
      _ = try fields.records("rows") { row throws(HeaderError) in
        _ = try row.required(text: "name")
        _ = try row.point("center")
      }
      _ = try fields.records("byName", named: Names.form) { _ throws(HeaderError) in
      } _: { _, entry throws(HeaderError) in
        _ = try entry.integer("count", in: 0...9)
      }
    }
    let row = try #require(notes["rows"]?.items)
    #expect(row.rules == rules(["name"]))
    #expect(row["center"]?.definition == "Point")
    let entries = try #require(notes["byName"]?.entries)
    #expect(entries.name == Names.form)
    #expect(entries.notes["count"]?.forms == [.integer(0...9)])
  }

  @Test func notesThatAreLetGoOfAreGone() {
    weak var center: FieldNotes?
    do {
      let notes = DecoderProbe.notes { fields throws(HeaderError) in _ = try fields.point("center") }
      center = notes["center"]
      #expect(center?.definition == "Point")
      withExtendedLifetime(notes) {}
    }
    #expect(center == nil)
  }

  private func rules(_ required: [String]) -> MemberRules {
    var rules = MemberRules()
    rules.required = required
    return rules
  }
}
