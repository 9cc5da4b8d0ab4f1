// SPDX-License-Identifier: MIT
//
// A tree as JSON over several lines, for people: what fits stays on one line.

internal import HeaderModel
internal import HeaderTrace

extension Value {
  /// The tree as JSON, two blanks a level, without a line end.
  var indentedJSON: String { indentedJSON(at: 0, after: 0) }

  private static let columns = 100

  /// - Parameters:
  ///   - level: how deep the tree stands.
  ///   - used: the columns before it on its first line.
  private func indentedJSON(at level: Int, after used: Int) -> String {
    let whole = json
    if used + whole.count <= Self.columns { return whole }
    func block(_ open: String, _ items: [String], _ close: String) -> String {
      let margin = String(repeating: " ", count: 2 * level)
      return "\(open)\n" + items.map { "\(margin)  \($0)" }.joined(separator: ",\n") + "\n\(margin)\(close)"
    }
    switch self {
    case .list(let elements) where !elements.isEmpty:
      return block("[", elements.map { $0.indentedJSON(at: level + 1, after: 2 * level + 3) }, "]")
    case .record(let record) where !record.fields.isEmpty:
      let items = record.fields.map { field in
        let name = Value.text(field.name).json
        return "\(name): \(field.value.indentedJSON(at: level + 1, after: 2 * level + name.count + 5))"
      }
      return block("{", items, "}")
    case .null, .bool, .number, .text, .list, .record: return whole
    }
  }
}
