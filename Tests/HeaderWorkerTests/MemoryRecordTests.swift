// SPDX-License-Identifier: MIT
//
// Records that processes send each other as they lie in memory: the table of their fields has each one, where it is, and what may
// stand in it.

import HeaderCore
import HeaderModel
import Testing

extension MemoryRecord {
  /// Whether each field has what its table permits.
  var hasValidMemory: Bool {
    unsafe withUnsafeBytes(of: self) { bytes in
      Self.memory.fields.allSatisfy { offset, form in
        switch form {
        case .numbers(let count):
          (0..<count).allSatisfy {
            unsafe bytes.loadUnaligned(fromByteOffset: offset + 8 * $0, as: Double.self).isFinite
          }
        case .alpha: (0...1).contains(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Float.self))
        case .integer, .small: true
        case .flags(let count): (offset..<offset + count).allSatisfy { unsafe bytes[$0] <= 1 }
        case .word(let count): unsafe bytes[offset] < count
        }
      }
    }
  }
}

@Suite struct MemoryRecordTests {
  /// The sizes of the stored properties in the order of their declaration, in text.
  private func sizes(of record: Any) -> [String] {
    Mirror(reflecting: record).children.map { property in "\(size(of: property.value))" }
  }

  private func size<Field>(of _: Field) -> Int { MemoryLayout<Field>.size }

  private func check<Record: MemoryRecord>(_ record: Record) {
    let fields = Record.memory.fields
    #expect(fields.map { "\($0.form.size)" } == sizes(of: record), "\(Record.self)")
    for (field, next) in zip(fields, fields.dropFirst()) { #expect(field.offset + field.form.size <= next.offset) }
    #expect(Record.memory.runs.map(\.form.size).reduce(0, +) == fields.map(\.form.size).reduce(0, +))
    #expect(_isPOD(Record.self) && record.hasValidMemory)
  }

  @Test func theTableHasEachStoredProperty() {
    check(Drawer(frame: Rect(x: 0, y: 0, width: 320, height: 44)))
    check(Element(drawer: 0, frame: Rect()))
    check(ScrollView())
  }
}
