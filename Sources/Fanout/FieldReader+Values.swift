// SPDX-License-Identifier: MIT
//
// Fields of a kind that several requests have.

public import HeaderModel

extension FieldReader {
  /// A glob, nil when it is not there.
  public mutating func glob(_ name: String) throws(HeaderError) -> String? {
    guard let value = value(name, as: [Names.globForm]) else { return nil }
    guard case .text(let glob) = value else { throw unexpected(name, needed: "a text", expected: "text") }
    guard Names.isGlob(glob) else {
      throw unexpected(
        name, needed: "a header's name or a glob (* within a part, ** across parts)", expected: "glob")
    }
    return glob
  }

  /// A list of words, each one of those that are known.
  public mutating func words(_ name: String, of known: [String]) throws(HeaderError) -> [String] {
    note(itemsOf: name, [.word(known)])
    var words: [String] = []
    for (index, value) in (try list(name) ?? []).enumerated() {
      guard case .text(let word) = value, known.contains(word) else {
        let needed = "one of " + known.map { "\"\($0)\"" }.joined(separator: ", ")
        var guess: String?
        if case .text(let word) = value { guess = nearest(to: word, in: known).map { "did you mean \"\($0)\"?" } }
        throw .unexpected(value, at: (path + name)[index], needed: needed, expected: "case", hint: guess)
      }
      words.append(word)
    }
    return words
  }
}
