// SPDX-License-Identifier: MIT
//
// A tree spoiled in some of its leaves: extremes, NaN and infinity, other types, members that are missing or stand twice.

package import HeaderModel
internal import HeaderTestKit
internal import HeaderTrace

extension Value {
  /// The same tree, spoiled as the bytes choose, as JSON. What no tree can hold, such as 1e999 or NaN, is planted in the text.
  func spoiledText(_ bytes: inout FuzzBytes) -> String {
    var result = self
    for _ in 0..<bytes.below(4) {
      let numbers = result.numberLeaves
      let isNumber = !numbers.isEmpty && bytes.flag()
      let leaf =
        isNumber ? numbers[bytes.below(min(65_536, numbers.count))] : bytes.below(min(65_536, result.leafCount))
      switch bytes.below(8) {
      case 0: result = result.removing(leaf: leaf)
      case 1: result = result.replacing(leaf: leaf, with: bytes.pick(Wild.others))
      case 2, 3: result = result.replacing(leaf: leaf, with: .number(bytes.pick(Wild.numbers)))
      case 4: result = result.doubling(leaf: leaf)
      case 5:
        result = result.replacing(leaf: leaf, with: .planted(bytes.pick(["NaN", "-Infinity", "1e999", "nan", "+1"])))
      case 6: result = result.replacing(leaf: leaf, with: .nested(levels: bytes.below(200)))
      default: result = result.replacing(leaf: leaf, with: .planted(bytes.pick(Wild.texts)))
      }
    }
    return result.textWithPlanted
  }

  /// Lists in lists.
  private static func nested(levels: Int) -> Value { (0..<levels).reduce(.null) { inner, _ in .list([inner]) } }

  private static let mark = "\u{1}"

  /// A text that `textWithPlanted` writes without its quotes.
  package static func planted(_ text: String) -> Value { .text(mark + text) }

  /// As JSON, with what was planted bare.
  package var textWithPlanted: String {
    // The writer escapes the mark; it goes, with the quotes around the text.
    var parts = json.split(separator: #""\u0001"#, omittingEmptySubsequences: false).map(String.init)
    for index in parts.indices.dropFirst() {
      guard let quote = parts[index].firstIndex(of: "\"") else { continue }
      parts[index].remove(at: quote)
    }
    return parts.joined()
  }

  /// The same tree with a member twice: that which holds a leaf.
  func doubling(leaf index: Int) -> Value {
    var left = index
    return doubling(&left)
  }

  private func doubling(_ left: inout Int) -> Value {
    switch self {
    case .list(let list) where !list.isEmpty: return .list(list.map { $0.doubling(&left) })
    case .record(let record) where !record.fields.isEmpty:
      var fields: [Record.Field] = []
      for field in record.fields {
        let before = left
        fields.append(Record.Field(name: field.name, value: field.value.doubling(&left)))
        if before >= 0, left < 0, field.value.isLeaf { fields.append(field) }
      }
      return .record(Record(fields: fields))
    default:
      left -= 1
      return self
    }
  }

  private var isLeaf: Bool {
    switch self {
    case .list(let list): list.isEmpty
    case .record(let record): record.fields.isEmpty
    default: true
    }
  }
}
