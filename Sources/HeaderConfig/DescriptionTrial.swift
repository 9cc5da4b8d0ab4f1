// SPDX-License-Identifier: MIT
//
// All mistakes of one description. The decoder and the engine stop at the first one, which is right for a request. Here the value with
// the mistake is replaced by one that they accept, and the description is tried again, until nothing is wrong any more:
//
//     height = "tall" ─▶ noted, replaced by 1 ─▶ behavior = "ShyNavbar" ─▶ noted, that delegate left out ─▶ opens
//
// A description with replaced values is never opened for good. Where no replacement is accepted, the rest of that header is not checked.

public import HeaderModel

/// A description, decoded and opened for trial.
public struct DescriptionTrial {
  /// Opens a description for trial.
  public typealias Open = (HeaderDescription) throws(HeaderError) -> Void

  /// The mistakes, in the order in which they were found.
  public private(set) var errors: [HeaderError] = []
  /// Unknown keys of the description.
  public var unknown: [UnknownField] { decoded ?? [] }

  /// For each delegate that is still there its place in the description.
  private var delegates: [Int]
  /// The unknown keys of the first description that could be decoded: later ones lack delegates.
  private var decoded: [UnknownField]?

  /// The most mistakes that are looked for: a person does not read more at once.
  private static let most = 100

  /// Tries a description.
  /// - Parameters:
  ///   - value: as plain data.
  ///   - open: opens a decoded description for trial; there is no mistake when it opens the first one.
  public init(_ value: Value, open: Open = { _ in }) {
    if case .record(let record) = value, case .list(let list)? = record["delegates"] {
      delegates = Array(list.indices)
    } else {
      delegates = []
    }
    var value = value
    while errors.count < Self.most, let error = attempt(value, open) {
      errors.append(asGiven(error))
      guard let next = mended(value, after: error, open) else { break }
      value = next
    }
  }

  /// Decodes and opens a description; returns the first mistake.
  private mutating func attempt(_ value: Value, _ open: Open) -> HeaderError? {
    do throws(HeaderError) {
      var unknown: [UnknownField] = []
      let description = try HeaderDescription(value, at: Path(""), unknown: &unknown)
      if decoded == nil { decoded = unknown }
      try open(description)
      return nil
    } catch {
      return error
    }
  }

  // MARK: - Continuing after a mistake

  /// The description with something else in place of the mistake; nil if nothing is taken there.
  private mutating func mended(_ value: Value, after error: HeaderError, _ open: Open) -> Value? {
    guard let field = error.field, !field.isEmpty else { return nil }
    let candidates: [Value?] = [nil, 1, 0, true, "x", .list([]), .record(Value.Record())]
    for candidate in candidates {
      guard let next = value.replacing(field[...], by: candidate) else { continue }
      guard let second = attempt(next, open) else { return next }
      // A mistake within the replacement, or caused by it, would not be the user's.
      let place = second.field ?? ""
      if !place.isEmpty, !place.hasPrefix(field), !field.hasPrefix(place) { return next }
    }
    return withoutDelegate(value, field)
  }

  /// The description without the delegate that a path leads into.
  private mutating func withoutDelegate(_ value: Value, _ field: String) -> Value? {
    guard case .record(var record) = value, case .list(var list)? = record["delegates"] else { return nil }
    guard let index = list.indices.first(where: { field.hasPrefix("delegates[\($0)]") }) else { return nil }
    list.remove(at: index)
    delegates.remove(at: index)
    record["delegates"] = .list(list)
    return .record(record)
  }

  /// An error with the delegates' places as the description has them.
  private func asGiven(_ error: HeaderError) -> HeaderError {
    guard let field = error.field else { return error }
    for (index, place) in delegates.enumerated() where index != place && field.hasPrefix("delegates[\(index)]") {
      let own = "delegates[\(place)]" + field.dropFirst("delegates[\(index)]".count)
      var error = error
      if error.message.hasPrefix(field) { error.message = own + error.message.dropFirst(field.count) }
      error.field = own
      return error
    }
    return error
  }
}

extension Value {
  /// Replaces the value at a path such as `drawers[0].height`, which may be new at its end; nil takes a record's field out.
  /// - Returns: nil for a path that leads nowhere, and for taking out a field that does not exist.
  fileprivate func replacing(_ path: Substring, by new: Value?) -> Value? {
    if path.isEmpty { return new }
    switch self {
    case .list(var elements):
      for index in elements.indices where path.hasPrefix("[\(index)]") {
        guard let element = elements[index].replacing(path.dropFirst("[\(index)]".count), by: new) else { return nil }
        elements[index] = element
        return .list(elements)
      }
      return nil
    case .record(var record):
      let path = path.first == "." ? path.dropFirst() : path
      let fitting = record.fields.filter { field in
        path.hasPrefix(field.name) && [nil, ".", "["].contains(path.dropFirst(field.name.count).first)
      }
      // Names may contain points: of several that fit, the longest wins.
      guard let field = fitting.max(by: { $0.name.count < $1.name.count }) else {
        guard let new, !path.contains("."), !path.contains("[") else { return nil }
        record[String(path)] = new
        return .record(record)
      }
      let rest = path.dropFirst(field.name.count)
      if rest.isEmpty {
        record[field.name] = new
      } else {
        guard let value = field.value.replacing(rest, by: new) else { return nil }
        record[field.name] = value
      }
      return .record(record)
    case .null, .bool, .number, .text: return nil
    }
  }
}
