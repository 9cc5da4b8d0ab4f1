// SPDX-License-Identifier: MIT
//
// C tables of a plugin from choices. Each table is memory of its own size, so that a reader that goes too far is found by the
// address sanitizer.

internal import CHeaderPlugin
internal import Glibc
internal import HeaderTestKit

/// Where get_factory, which gets no context, finds the factory: one table is read at a time.
nonisolated(unsafe) private var presentFactory: UnsafeRawPointer?

@safe final class TableMaker {
  private var bytes: FuzzBytes
  private var blocks: [UnsafeMutableRawPointer] = unsafe []
  /// Trees that others may share.
  private var trees: [header_value] = unsafe []

  init(_ bytes: FuzzBytes) { self.bytes = bytes }

  deinit {
    while let block = unsafe blocks.popLast() { unsafe block.deallocate() }
    unsafe presentFactory = nil
  }

  func plugin() -> UnsafePointer<header_plugin> {
    var table = unsafe header_plugin()
    unsafe table.name = bytes.below(16) == 0 ? text() : exact("Fuzzed")
    unsafe table.version = bytes.below(16) == 0 ? text() : exact("1.0")
    unsafe table.summary = bytes.below(16) == 0 ? text() : exact("Fuzzed")
    unsafe presentFactory = bytes.below(32) == 0 ? nil : UnsafeRawPointer(factory())
    unsafe table.get_factory = bytes.below(32) == 0 ? nil : { _ in unsafe presentFactory }
    return unsafe UnsafePointer(row([table]))
  }

  private func factory() -> UnsafePointer<header_behavior_factory> {
    var table = unsafe header_behavior_factory()
    let count = 1 + bytes.below(3)
    unsafe table.struct_size = size(of: header_behavior_factory.self)
    unsafe table.count = claimed(count)
    let behaviors = unsafe (0..<count).map { _ in unsafe bytes.below(24) == 0 ? nil : behavior() }
    unsafe table.behaviors = bytes.below(32) == 0 ? nil : UnsafePointer(row(behaviors))
    return unsafe UnsafePointer(row([table]))
  }

  // MARK: - Behaviors

  private func behavior() -> UnsafePointer<header_behavior>? {
    var table = unsafe header_behavior()
    unsafe table.struct_size = size(of: header_behavior.self)
    unsafe table.name = bytes.below(4) == 0 ? text() : exact(bytes.pick(["Alpha", "Beta", "Gamma", "Delta"]))
    unsafe table.summary = bytes.below(16) == 0 ? text() : exact("Does")
    unsafe table.moves = bytes.flag()
    unsafe table.events = bytes.below(8) == 0 ? bytes.bits() : UInt64(bytes.below(65_536))
    unsafe table.option_count = fill(&table.options, option)
    unsafe table.value_count = fill(&table.values, valueDescription)
    unsafe table.call_count = fill(&table.calls, call)
    let notices = unsafe (0..<bytes.below(4)).map { _ in unsafe text() }
    unsafe table.notice_count = claimed(notices.count)
    unsafe table.notices = notices.isEmpty ? nil : UnsafePointer(row(notices))
    unsafe table.saved_version = bytes.below(8) == 0 ? UInt32(truncatingIfNeeded: bytes.bits()) : 1
    unsafe fillFunctions(of: &table)
    return unsafe UnsafePointer(row([table]))
  }

  private func fillFunctions(of table: inout header_behavior) {
    let missing = bytes.below(64)
    unsafe table.create = missing == 1 ? nil : { _, _, _ in nil }
    unsafe table.destroy = missing == 2 ? nil : { _ in }
    unsafe table.set_option = missing == 3 ? nil : { _, _, _ in 0 }
    unsafe table.attach = missing == 4 ? nil : { _ in 0 }
    unsafe table.receive = missing == 5 ? nil : { _, _, _ in 0 }
    unsafe table.call = bytes.below(8) == 0 ? nil : { _, _, _, _ in 0 }
    unsafe table.save = missing == 6 ? nil : { _, _ in 0 }
    unsafe table.restore = missing == 7 ? nil : { _, _ in 0 }
  }

  private func option() -> header_option {
    var entry = unsafe header_option()
    unsafe entry.name = name()
    unsafe entry.type = UInt8(bytes.below(14))
    unsafe entry.is_list = bytes.below(4) == 0
    unsafe entry.is_nullable = bytes.flag()
    unsafe entry.unit = bytes.flag() ? nil : text()
    unsafe entry.default_value = bytes.below(4) == 0 ? value(depth: 0) : plain(entry.type)
    unsafe entry.has_minimum = bytes.below(4) == 0
    unsafe entry.has_maximum = bytes.below(4) == 0
    unsafe entry.minimum = bytes.number()
    unsafe entry.maximum = bytes.number()
    let cases = unsafe (0..<bytes.below(4)).map { _ in unsafe bytes.flag() ? exact("a") : text() }
    unsafe entry.case_count = claimed(cases.count)
    unsafe entry.cases = cases.isEmpty ? nil : UnsafePointer(row(cases))
    unsafe entry.meaning = bytes.below(16) == 0 ? text() : exact("Means")
    return unsafe entry
  }

  private func valueDescription() -> header_value_description {
    var entry = unsafe header_value_description()
    unsafe entry.name = name()
    unsafe entry.type = UInt8(bytes.below(6))
    unsafe entry.unit = bytes.flag() ? nil : text()
    unsafe entry.initial = bytes.below(4) == 0 ? value(depth: 0) : plain(entry.type)
    unsafe entry.meaning = bytes.below(16) == 0 ? text() : exact("Means")
    return unsafe entry
  }

  private func call() -> header_call_description {
    var entry = unsafe header_call_description()
    unsafe entry.name = name()
    unsafe entry.argument_count = fill(&entry.arguments, option)
    unsafe entry.meaning = bytes.below(16) == 0 ? text() : exact("Means")
    return unsafe entry
  }

  /// Entries of a list behind each other, each with the size that it says it has; the memory reaches as far as they say.
  private func fill<Entry>(_ list: inout UnsafePointer<Entry>?, _ make: () -> Entry) -> UInt32 {
    let count = bytes.below(4)
    guard count > 0 else { return 0 }
    let size = Int(self.size(of: Entry.self))
    let step = max(MemoryLayout<Entry>.stride, min(size, 8192))
    let memory = unsafe block(count * step, alignment: MemoryLayout<Entry>.alignment)
    for index in 0..<count {
      let place = unsafe memory + index * step
      unsafe place.storeBytes(of: make(), as: Entry.self)
      let own = bytes.below(32) == 0 ? bytes.below(65_536) : size
      unsafe place.storeBytes(of: UInt32(own), as: UInt32.self)
      if index == 0, own != size { unsafe place.storeBytes(of: UInt32(size), as: UInt32.self) }
    }
    unsafe list = bytes.below(32) == 0 ? nil : UnsafePointer(memory.assumingMemoryBound(to: Entry.self))
    return claimed(count)
  }

  // MARK: - Parts

  /// A size that is right, or of a later version, or wrong.
  private func size<Table>(of: Table.Type) -> UInt32 {
    let right = UInt32(MemoryLayout<Table>.size)
    return switch bytes.below(16) {
    case 0: right - 8
    case 1: right + 8
    case 2: right + 1
    case 3: bytes.pick([0, 4096, 4104, UInt32.max])
    default: right
    }
  }

  /// A count that memory bears, or one that no reader may believe.
  private func claimed(_ count: Int) -> UInt32 {
    bytes.below(16) == 0 ? bytes.pick([0, 257, 65_537, UInt32.max]) : UInt32(count)
  }

  private func name() -> UnsafePointer<CChar>? {
    unsafe bytes.below(6) == 0 ? text() : exact(bytes.pick(["speed", "way", "size", "deep", "a.b", "a-b_c9"]))
  }

  private func text() -> UnsafePointer<CChar>? {
    switch bytes.below(8) {
    case 0: return nil
    case 1: return unsafe exact("")
    case 2: return unsafe exact(String(repeating: "n", count: bytes.below(200)))
    case 3: return unsafe exact("ä\u{301}\u{1F600}")
    case 4: return unsafe exact("name")
    default: return unsafe UnsafePointer(row(bytes.some(16).map { CChar(bitPattern: $0) } + [0]))
    }
  }

  private func exact(_ text: String) -> UnsafePointer<CChar>? {
    unsafe UnsafePointer(row(text.utf8.map { CChar(bitPattern: $0) } + [0]))
  }

  /// A value that fits a type.
  private func plain(_ type: UInt8) -> header_value {
    var result = unsafe header_value()
    switch Int(type) {
    case HEADER_TYPE_NUMBER, HEADER_TYPE_INTEGER: unsafe result.type = UInt8(HEADER_NUMBER)
    case HEADER_TYPE_BOOL: unsafe result.type = UInt8(HEADER_BOOL)
    case HEADER_TYPE_TEXT, HEADER_TYPE_CASE:
      unsafe result.type = UInt8(HEADER_TEXT)
      unsafe result.text = exact("a")
    case HEADER_TYPE_POINT: return unsafe record(["x", "y"])
    case HEADER_TYPE_SIZE: return unsafe record(["width", "height"])
    case HEADER_TYPE_RECT: return unsafe record(["x", "y", "width", "height"])
    case HEADER_TYPE_INSETS: return unsafe record(["top", "left", "bottom", "right"])
    case HEADER_TYPE_COLOR: return unsafe record(["red", "green", "blue", "alpha"])
    case HEADER_TYPE_TRANSFORM:
      unsafe result.type = UInt8(HEADER_LIST)
      unsafe result.count = 16
      unsafe result.items = UnsafePointer(row([header_value](repeating: number(bytes.number()), count: 16)))
    default: unsafe result.type = UInt8(HEADER_RECORD)
    }
    return unsafe result
  }

  private func number(_ number: Double) -> header_value {
    var result = unsafe header_value()
    unsafe result.type = UInt8(HEADER_NUMBER)
    unsafe result.number = number
    return unsafe result
  }

  private func record(_ names: [String]) -> header_value {
    var result = unsafe header_value()
    unsafe result.type = UInt8(HEADER_RECORD)
    unsafe result.count = UInt32(names.count)
    unsafe result.items = UnsafePointer(row(names.map { _ in unsafe number(bytes.flag() ? 0.5 : bytes.number()) }))
    unsafe result.names = UnsafePointer(row(names.map { unsafe exact($0) }))
    return unsafe result
  }

  /// A tree of any kind. Parts may be shared, so that a small table can mean a large tree.
  private func value(depth: Int) -> header_value {
    if unsafe !trees.isEmpty, bytes.below(4) == 0 { return unsafe bytes.pick(trees) }
    var result = unsafe header_value()
    unsafe result.type = UInt8(depth > 6 ? bytes.below(4) : bytes.below(7))
    unsafe result.boolean = bytes.flag()
    unsafe result.number = bytes.number()
    unsafe result.text = text()
    let items = unsafe depth > 6 ? [] : (0..<bytes.below(5)).map { _ in unsafe value(depth: depth + 1) }
    unsafe result.count = items.isEmpty ? (bytes.below(8) == 0 ? UInt32.max : 0) : claimed(items.count)
    if unsafe result.count == 257 || result.count == 65_537 { unsafe result.count = UInt32(items.count) }
    unsafe result.items = items.isEmpty ? nil : UnsafePointer(row(items))
    let names = unsafe items.map { _ in unsafe name() }
    unsafe result.names = bytes.below(16) == 0 ? nil : UnsafePointer(row(names))
    unsafe trees.append(result)
    return unsafe result
  }

  private func row<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
    let memory = unsafe block(
      max(1, elements.count) * MemoryLayout<Element>.stride, alignment: MemoryLayout<Element>.alignment)
    let place = unsafe memory.bindMemory(to: Element.self, capacity: max(1, elements.count))
    for (index, element) in elements.enumerated() { unsafe (place + index).initialize(to: element) }
    return unsafe place
  }

  private func block(_ count: Int, alignment: Int) -> UnsafeMutableRawPointer {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: alignment)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    unsafe blocks.append(memory)
    return unsafe memory
  }
}
