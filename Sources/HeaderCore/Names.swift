// SPDX-License-Identifier: MIT
//
// The grammar of names (protocol.md §1). Headers' names are dot-separated tokens so that they map to subjects of a
// message bus; all other names are plain identifiers.

/// Checks names and matches globs.
public enum Names {
  /// 1–128 bytes of letters, digits, `_`, `-`, in parts joined by `.`.
  public static func isHeaderName(_ name: String) -> Bool {
    let bytes = name.utf8
    guard (1...128).contains(bytes.count) else { return false }
    var partIsEmpty = true
    for byte in bytes {
      if byte == UInt8(ascii: ".") {
        if partIsEmpty { return false }
        partIsEmpty = true
      } else {
        guard isWordByte(byte) else { return false }
        partIsEmpty = false
      }
    }
    return !partIsEmpty
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

  /// The name of a behavior that somebody may have meant: the words of a text, each with a capital. Nil when there is none,
  /// or the text is not ASCII.
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
    return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
      part == "**" || (!part.isEmpty && !part.contains("**") && part.utf8.allSatisfy { isWordByte($0) || $0 == UInt8(ascii: "*") })
    }
  }

  /// Whether a header's name matches a glob: `*` within a part, `**` one or more parts (`a.**` is `a.b` and deeper, not `a`).
  public static func glob(_ glob: String, matches name: String) -> Bool {
    if glob == "**" || glob == name { return true }
    let parts = glob.split(separator: ".", omittingEmptySubsequences: false)
    return match(parts[...], name.split(separator: ".", omittingEmptySubsequences: false)[...])
  }

  private static func match(_ glob: ArraySlice<Substring>, _ name: ArraySlice<Substring>) -> Bool {
    guard let first = glob.first else { return name.isEmpty }
    guard let part = name.first else { return false }
    if first == "**" { return match(glob.dropFirst(), name.dropFirst()) || match(glob, name.dropFirst()) }
    return matchPart(Array(first.utf8)[...], Array(part.utf8)[...]) && match(glob.dropFirst(), name.dropFirst())
  }

  private static func matchPart(_ glob: ArraySlice<UInt8>, _ part: ArraySlice<UInt8>) -> Bool {
    guard let first = glob.first else { return part.isEmpty }
    if first == UInt8(ascii: "*") {
      return matchPart(glob.dropFirst(), part) || (!part.isEmpty && matchPart(glob, part.dropFirst()))
    }
    return part.first == first && matchPart(glob.dropFirst(), part.dropFirst())
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
