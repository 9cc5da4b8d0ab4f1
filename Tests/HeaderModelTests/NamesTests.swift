// SPDX-License-Identifier: MIT
//
// The grammar of names and what globs match, as tables; and the matcher against a slow, obvious one on small names.

import HeaderModel
import Testing

@Suite struct NamesTests {
  @Test(arguments: [
    "a", "1", "-", "_", "main", "app.main", "a.b.c", "0.1", String(repeating: "x", count: 128),
  ])
  func `headers may be named`(_ name: String) { #expect(Names.isHeaderName(name)) }

  @Test(arguments: [
    "", ".", "a.", ".a", "a..b", "a b", "ä", "a/b", "a*", "*", "a\n", String(repeating: "x", count: 129), "a.\u{301}",
  ])
  func `headers may not be named`(_ name: String) { #expect(!Names.isHeaderName(name)) }

  @Test(arguments: ["a", "Z", "navBar", "nav-bar_2", "a1", String(repeating: "x", count: 64)])
  func `anything may be named`(_ name: String) { #expect(Names.isName(name)) }

  @Test(arguments: [
    "", "1a", "-a", "_a", "a.b", "a b", "é", "@a", "[", "`", "{", String(repeating: "x", count: 65),
  ])
  func `nothing may be named`(_ name: String) { #expect(!Names.isName(name)) }

  @Test(arguments: ["A", "ShyNavBar", "A1", String(repeating: "X", count: 64)])
  func `behaviors may be named`(_ name: String) { #expect(Names.isBehaviorName(name)) }

  @Test(arguments: [
    "", "a", "shyNavBar", "Shy-Nav", "Shy_Nav", "1A", "É", "A.B", "@", "[", String(repeating: "X", count: 65),
  ])
  func `behaviors may not be named`(_ name: String) { #expect(!Names.isBehaviorName(name)) }

  @Test(arguments: [
    ("shy nav-bar_2", "ShyNavBar2"), ("2x", "X"), ("A", "A"),
    (String(repeating: "x", count: 70), "X" + String(repeating: "x", count: 63)),
  ])
  func `what a behavior may be called instead`(_ text: String, _ name: String) {
    #expect(Names.behaviorName(like: text) == name)
  }

  @Test(arguments: ["", "7", "--", "übung"])
  func `nothing to call a behavior instead`(_ text: String) { #expect(Names.behaviorName(like: text) == nil) }

  @Test func `an option's name may be a sentence`() {
    #expect(Names.isOption(String(repeating: "x", count: 128)))
    #expect(!Names.isOption(String(repeating: "x", count: 129)))
    #expect(!Names.isOption("_a"))
  }

  @Test(arguments: [
    "*", "**", "a", "a.*", "a.**", "**.b", "a*c", "*a*", "a.*.c",
    String(repeating: "*.", count: 63) + "**",
  ])
  func `globs`(_ glob: String) { #expect(Names.isGlob(glob)) }

  @Test(arguments: ["", ".", "a.", "a**", "**a", "***", "a?", "[a]", "a b", "a..*", String(repeating: "a", count: 129)])
  func `no globs`(_ glob: String) { #expect(!Names.isGlob(glob)) }

  /// A glob, what it matches and what it does not.
  struct Row: CustomTestStringConvertible {
    var glob: String
    var matches: [String]
    var misses: [String]
    var testDescription: String { glob }
  }

  @Test(arguments: [
    Row(glob: "main", matches: ["main"], misses: ["Main", "mai", "main2", "main.a", "a.main"]),
    Row(glob: "**", matches: ["a", "a.b", "a.b.c"], misses: []),
    Row(glob: "*", matches: ["a", "main"], misses: ["a.b"]),
    Row(glob: "a.**", matches: ["a.b", "a.b.c"], misses: ["a", "b", "ab", "ab.c"]),
    Row(glob: "**.c", matches: ["a.c", "a.b.c", "c.c"], misses: ["c", "a.c.b"]),
    Row(glob: "a.**.c", matches: ["a.b.c", "a.b.b.c", "a.c.c"], misses: ["a.c", "a.b", "b.a.c"]),
    Row(glob: "a.*", matches: ["a.b", "a.bc"], misses: ["a", "a.b.c"]),
    Row(glob: "a.*.c", matches: ["a.b.c"], misses: ["a.c", "a.b.b.c"]),
    Row(glob: "m*n", matches: ["mn", "main", "mnn"], misses: ["m", "mai", "m.n"]),
    Row(glob: "*a*", matches: ["a", "ba", "ab", "bab"], misses: ["b", "a.b"]),
    Row(glob: "**.**", matches: ["a.b", "a.b.c"], misses: ["a"]),
    Row(glob: "a*.b*", matches: ["a.b", "aa.bb"], misses: ["a", "b.a", "a.b.c"]),
  ])
  func `a glob matches`(_ row: Row) {
    for name in row.matches { #expect(Names.glob(row.glob, matches: name), "\(name)") }
    for name in row.misses { #expect(!Names.glob(row.glob, matches: name), "\(name)") }
  }

  /// Trying every way of dividing the name among so many stars would take longer than anybody waits.
  @Test func `many stars are no work`() {
    let parts = Array(repeating: "a", count: 64).joined(separator: ".")
    #expect(!Names.glob(Array(repeating: "**", count: 42).joined(separator: ".") + ".b", matches: parts))
    #expect(Names.glob(Array(repeating: "**", count: 42).joined(separator: "."), matches: parts))
    let name = String(repeating: "a", count: 128)
    #expect(!Names.glob(String(repeating: "*a", count: 63) + "*b", matches: name))
    #expect(Names.glob(String(repeating: "*a", count: 64), matches: name))
  }

  @Test func `every small glob matches what the obvious matcher says`() {
    let globParts = ["a", "*", "**", "a*", "*b"]
    let nameParts = ["a", "b", "ab"]
    for glob in sequences(of: globParts, upTo: 3) {
      for name in sequences(of: nameParts, upTo: 4) {
        let (g, n) = (glob.joined(separator: "."), name.joined(separator: "."))
        #expect(Names.glob(g, matches: n) == obvious(glob, name), "\(g) \(n)")
      }
    }
  }

  /// All sequences of one to so many parts.
  private func sequences(of parts: [String], upTo count: Int) -> [[String]] {
    var result: [[String]] = []
    var last: [[String]] = [[]]
    for _ in 0..<count {
      last = last.flatMap { start in parts.map { start + [$0] } }
      result += last
    }
    return result
  }

  /// Writes out each `**` as one, two… parts of `*` and compares part by part.
  private func obvious(_ glob: [String], _ name: [String]) -> Bool {
    if let index = glob.firstIndex(of: "**") {
      return (1...4).contains { count in
        obvious(glob[..<index] + Array(repeating: "*", count: count) + glob[(index + 1)...], name)
      }
    }
    return glob.count == name.count
      && zip(glob, name).allSatisfy { part, word in
        switch part {
        case "*": true
        case "a*": word.hasPrefix("a")
        case "*b": word.hasSuffix("b")
        default: part == word
        }
      }
  }
}
