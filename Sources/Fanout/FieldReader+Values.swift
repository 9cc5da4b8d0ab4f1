// SPDX-License-Identifier: MIT
//
// Fields of a kind that several requests have.

public import HeaderCore

extension FieldReader {
  /// A glob, nil when it is not there.
  public mutating func glob(_ name: String) throws(HeaderError) -> String? {
    guard let glob = try text(name) else { return nil }
    guard Names.isGlob(glob) else {
      throw unexpected(
        name, needed: "a header's name or a glob (* within a part, ** across parts)", expected: "glob")
    }
    return glob
  }

  /// A record inside the parameters.
  public mutating func record(_ name: String) throws(HeaderError) -> Value.Record? {
    switch value(name) {
    case nil: return nil
    case .record(let record): return record
    default: throw unexpected(name, needed: "an object", expected: "record")
    }
  }

  /// A list of words, each one of those that are known.
  public mutating func words(_ name: String, of known: [String]) throws(HeaderError) -> [String] {
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
