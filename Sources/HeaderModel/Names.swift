// SPDX-License-Identifier: MIT
//
// The grammar of names (headerd-connection(7), NAMES). Headers' names are dot-separated tokens so that they map to
// subjects of a message bus; all other names are plain identifiers.

/// Checks names and matches globs.
public enum Names {
  /// What `isName` takes, for the schema.
  public static let form = FieldForm.text(pattern: "^[A-Za-z][A-Za-z0-9_-]*$", atMost: 64)
  /// What `isHeaderName` takes.
  public static let headerForm = FieldForm.text(pattern: "^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$", atMost: 128)
  /// What `isGlob` takes.
  public static let globForm = FieldForm.text(
    pattern: "^(\\*\\*?|\\*?([A-Za-z0-9_-]\\*?)+)(\\.(\\*\\*?|\\*?([A-Za-z0-9_-]\\*?)+))*$", atMost: 128)

  /// 1–128 bytes of letters, digits, `_`, `-`, in parts joined by `.`.
  public static func isHeaderName(_ name: String) -> Bool {
    let (bytes, dot) = (name.utf8, UInt8(ascii: "."))
    return (1...128).contains(bytes.count) && bytes.first != dot && bytes.last != dot
      && bytes.allSatisfy { isWordByte($0) || $0 == dot }
      && !zip(bytes, bytes.dropFirst()).contains { $0 == dot && $1 == dot }
  }

  /// Letters, digits, `_`, `-`, 1 to 64 bytes: realms, their nodes, parts of subjects.
  public static func isToken(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(isWordByte)
  }

  /// A letter, then letters, digits, `_`, `-`, at most 64 bytes: drawers, elements, scroll views, delegates, values.
  public static func isName(_ name: String) -> Bool { isName(name, of: 64) }

  /// The same in at most 128 bytes: options and arguments, which some libraries call by whole sentences.
  public static func isOption(_ name: String) -> Bool { isName(name, of: 128) }

  private static func isName(_ name: String, of bytes: Int) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= bytes else { return false }
    return isLetter(first) && name.utf8.allSatisfy(isWordByte)
  }

  /// UpperCamelCase: an ASCII capital, then letters and digits, at most 64 bytes. The names of behaviors, and so of the
  /// plugins that `headerctl plugin new` makes.
  public static func isBehaviorName(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= 64 else { return false }
    return isLetter(first) && first & 0x20 == 0 && name.utf8.allSatisfy(isLetterOrDigit)
  }

  /// A suggested name for a behavior: the words of a text, each with a capital. Nil when there is none, or the text is not ASCII.
  public static func behaviorName(like text: String) -> String? {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    var name = ""
    var beginsWord = true
    for byte in text.utf8.prefix(256) {
      guard isLetterOrDigit(byte) else {
        beginsWord = true
        continue
      }
      guard !name.isEmpty || isLetter(byte) else { continue }
      name.unicodeScalars.append(Unicode.Scalar(beginsWord && isLetter(byte) ? byte & ~0x20 : byte))
      beginsWord = false
    }
    name = String(name.prefix(64))
    return isBehaviorName(name) ? name : nil
  }

  /// A header's name in which `*` stands for any run within a part and `**` for one or more whole parts.
  public static func isGlob(_ text: String) -> Bool {
    guard (1...128).contains(text.utf8.count) else { return false }
    let star = UInt8(ascii: "*")
    return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
      part == "**"
        || (!part.isEmpty && part.utf8.allSatisfy { isWordByte($0) || $0 == star }
          && !zip(part.utf8, part.utf8.dropFirst()).contains { $0 == star && $1 == star })
    }
  }

  /// Whether a header's name matches a glob: `*` within a part, `**` one or more parts (`a.**` is `a.b` and deeper, not `a`).
  ///
  /// The time is at most the product of both lengths, whatever a client asks for: of the stars before a mismatch only the
  /// last one is tried longer, since what stands before it has matched as early as it can.
  public static func glob(_ glob: String, matches name: String) -> Bool {
    if glob == "**" || glob == name { return true }
    let globs = glob.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return matches(globs, parts, isStar: { $0.elementsEqual("**".utf8) }, starTakesOne: true) { glob, part in
      matches(glob, part, isStar: { $0 == UInt8(ascii: "*") }, starTakesOne: false, one: ==)
    }
  }

  /// - Parameters:
  ///   - starTakesOne: a star stands for at least one element; else it may stand for none.
  ///   - one: whether an element of the glob matches one of the name.
  private static func matches<Glob: Collection, Text: Collection>(
    _ glob: Glob, _ text: Text, isStar: (Glob.Element) -> Bool, starTakesOne: Bool,
    one: (Glob.Element, Text.Element) -> Bool
  ) -> Bool {
    var (index, place) = (glob.startIndex, text.startIndex)
    var lastStar: (index: Glob.Index, place: Text.Index)?
    while place < text.endIndex {
      if index < glob.endIndex, isStar(glob[index]) {
        // The asterisk matches more than this if need be.
        index = glob.index(after: index)
        if starTakesOne { place = text.index(after: place) }
        lastStar = (index, place)
      } else if index < glob.endIndex, one(glob[index], text[place]) {
        (index, place) = (glob.index(after: index), text.index(after: place))
      } else if let star = lastStar {
        (index, place) = (star.index, text.index(after: star.place))
        lastStar = (index, place)
      } else {
        return false
      }
    }
    while !starTakesOne, index < glob.endIndex, isStar(glob[index]) { index = glob.index(after: index) }
    return index == glob.endIndex
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
  }
}
