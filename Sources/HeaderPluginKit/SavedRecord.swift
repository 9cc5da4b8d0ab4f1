// SPDX-License-Identifier: MIT
//
// A behavior's saved state as a record whose fields are listed once, for `save` and for `restore`:
//
//     func remember(in saved: inout SavedRecord) {
//       saved.field("progress", &progress, in: 0...1)
//       saved.field("last", &last)
//     }
//     save      var saved = SavedRecord(); remember(in: &saved); return saved.value
//     restore   var saved = try SavedRecord(reading: state); remember(in: &saved); try saved.finish()
//
// A missing field leaves the property as it is, so that fields may be added without a new version.

/// A record that is written, or read.
public struct SavedRecord {
  private var given: Fields?
  private var written: [(name: String, value: Value)] = []
  private var refusal: Refusal?

  /// Creates an empty record to write.
  public init() {}

  /// A record to read.
  /// - Throws: when the value is none.
  public init(reading value: Value, at place: String = "saved") throws(Refusal) {
    given = try Fields(value, at: place)
  }

  /// Whether the record is being read.
  public var isReading: Bool { given != nil }

  /// The record that was written.
  public var value: Value { .record(written) }

  /// A field as a value.
  /// - Parameter read: nil: it is no such value.
  public mutating func field<Content>(
    _ name: String, _ content: inout Content, _ write: (Content) -> Value, _ read: (Value) -> Content?
  ) {
    guard let place = given?.place else { return written.append((name, write(content))) }
    guard let value = given?.take(name) else { return }
    if let found = read(value) { return content = found }
    refusal = refusal ?? Refusal("\(place).\(name): a saved state has no such value")
  }

  /// A number, cut to a range.
  public mutating func field(
    _ name: String, _ number: inout Double, in range: ClosedRange<Double> = -Double.infinity...Double.infinity
  ) {
    field(name, &number, { .number($0) }, { $0.number.map { max(range.lowerBound, min(range.upperBound, $0)) } })
  }

  /// A number that may be null.
  public mutating func field(_ name: String, _ number: inout Double?) {
    field(name, &number, { $0.map { .number($0) } ?? .null }, { $0 == .null ? .some(nil) : $0.number })
  }

  /// Writes or reads a flag.
  public mutating func field(_ name: String, _ flag: inout Bool) { field(name, &flag, { .bool($0) }, \.bool) }

  /// Writes or reads a flag that may be null.
  public mutating func field(_ name: String, _ flag: inout Bool?) {
    field(name, &flag, { $0.map { .bool($0) } ?? .null }, { $0 == .null ? .some(nil) : $0.bool })
  }

  /// Writes or reads a word of an enumeration.
  public mutating func field<Choice: RawRepresentable>(_ name: String, _ choice: inout Choice)
  where Choice.RawValue == String {
    field(name, &choice, { .text($0.rawValue) }, { $0.text.flatMap { Choice(rawValue: $0) } })
  }

  /// Writes or reads a list of numbers.
  public mutating func field(_ name: String, _ numbers: inout [Double]) {
    field(name, &numbers, { .list($0.map { .number($0) }) }, { $0.list.map { $0.compactMap(\.number) } })
  }

  /// Writes or reads rows of numbers.
  public mutating func field(_ name: String, _ rows: inout [[Double]]) {
    field(
      name, &rows, { .list($0.map { .list($0.map { .number($0) }) }) },
      { $0.list.map { $0.map { ($0.list ?? []).compactMap(\.number) } } })
  }

  /// A record within it.
  /// - Parameter list: lists its fields; what it does not list stays unread.
  public mutating func record(_ name: String, _ list: (inout SavedRecord) -> Void) {
    var inner = SavedRecord()
    if let place = given?.place {
      guard let value = given?.take(name) else { return }
      guard let fields = try? Fields(value, at: "\(place).\(name)") else {
        return refusal = refusal ?? Refusal("\(place).\(name): a saved state has no such value")
      }
      inner.given = fields
    }
    list(&inner)
    if isReading { refusal = refusal ?? inner.refusal } else { written.append((name, inner.value)) }
  }

  /// Refuses a field that could not be read, and fields that were not read.
  public func finish() throws(Refusal) {
    if let refusal { throw refusal }
    try given?.finish()
  }
}
