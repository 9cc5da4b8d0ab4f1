// SPDX-License-Identifier: MIT
//
// Copies a plugin's descriptions of its behaviors into the core's. An error names the place in the description, what was
// found there, and what was expected.
//
// Entries of options, values and calls give their own size: a plugin of a later minor version has longer ones, whose
// additional fields are skipped.

internal import CHeaderPlugin
internal import HeaderModel

struct DescriptionReader {
  let path: String
  var place = ""

  init(path: String) { self.path = path }

  private func wrong(_ what: String, _ why: String) -> HeaderError {
    .refused(path, check: "table", "\(place.isEmpty ? "" : "\(place).")\(what) \(why)")
  }

  func text(_ pointer: UnsafePointer<CChar>?, _ what: String) throws(HeaderError) -> String {
    guard let pointer = unsafe pointer, let text = unsafe String(validatingCString: pointer), !text.isEmpty else {
      throw wrong(what, "is missing, empty or not UTF-8")
    }
    return text
  }

  private func name(_ pointer: UnsafePointer<CChar>?, _ what: String) throws(HeaderError) -> String {
    let text = try unsafe text(pointer, what)
    guard Names.isName(text) else { throw notAName(text, what, bytes: 64) }
    return text
  }

  private func notAName(_ text: String, _ what: String, bytes: Int) -> HeaderError {
    wrong(what, "is \"\(text)\", expected a letter, then letters, digits, _, -, at most \(bytes) in all")
  }

  private func optionalText(_ pointer: UnsafePointer<CChar>?, _ what: String) throws(HeaderError) -> String? {
    unsafe pointer == nil ? nil : try unsafe text(pointer, what)
  }

  mutating func behavior(_ pointer: UnsafePointer<header_behavior>, plugin: String) throws(HeaderError)
    -> BehaviorDescription
  {
    let table = unsafe pointer.pointee
    let minimum = unsafe MemoryLayout<header_behavior>.size
    guard unsafe Int(table.struct_size) >= minimum else {
      throw wrong("struct_size", "is \(unsafe table.struct_size), expected at least \(minimum)")
    }
    let name = try unsafe name(table.name, "name")
    guard Names.isBehaviorName(name) else { throw wrong("name", "is \"\(name)\", expected UpperCamelCase") }
    place = name
    let isWhole =
      unsafe table.create != nil && table.destroy != nil && table.set_option != nil
      && table.attach != nil && table.receive != nil
    guard isWhole else {
      throw wrong("functions", "lack one of create, destroy, set_option, attach, receive")
    }
    guard unsafe (table.save == nil) == (table.restore == nil) else { throw wrong("save", "and restore go together") }
    let savedVersion = unsafe table.saved_version
    guard unsafe table.save == nil || (1...UInt32(Int32.max)).contains(savedVersion) else {
      throw wrong("saved_version", "is \(savedVersion), expected 1 to \(Int32.max)")
    }
    let unknown = unsafe table.events & ~EventSet.all.union(.made).rawValue
    guard unknown == 0 else {
      throw wrong("events", "has bits that this ABI does not know: \(String(unknown, radix: 16))")
    }
    let options = try unsafe options(table.options, table.option_count, "options")
    let values = try unsafe described(
      table.values, table.value_count, most: 64, least: MemoryLayout<header_value_description>.offset(of: \.cases),
      "values", name: \.name, valueDescription)
    let calls = try unsafe described(table.calls, table.call_count, "calls", name: \.name, call)
    guard unsafe calls.isEmpty || table.call != nil else {
      throw wrong("calls", "are described, but there is no call function")
    }
    let notices = try unsafe notices(table.notices, table.notice_count)
    return BehaviorDescription(
      name: name, plugin: plugin, summary: try unsafe text(table.summary, "summary"), moves: unsafe table.moves,
      events: unsafe EventSet(rawValue: table.events), options: options, values: values, calls: calls, notices: notices,
      savedVersion: Int(savedVersion))
  }

  private static func padded<Entry>(_ entry: UnsafeRawPointer, _ size: Int) -> Entry {
    let (known, alignment) = (MemoryLayout<Entry>.stride, MemoryLayout<Entry>.alignment)
    return unsafe withUnsafeTemporaryAllocation(byteCount: known, alignment: alignment) { bytes in
      unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
      unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(start: entry, count: min(size, known)))
      return unsafe bytes.load(as: Entry.self)
    }
  }

  private func notices(_ list: UnsafePointer<UnsafePointer<CChar>?>?, _ count: UInt32) throws(HeaderError) -> [String] {
    guard count <= 256, unsafe count == 0 || list != nil else { throw wrong("notices", "are missing or more than 256") }
    var result: [String] = []
    for index in 0..<Int(count) { result.append(try unsafe name(list?[index], "notices[\(index)]")) }
    if let twice = Plugin.duplicate(result) { throw wrong("notices", "name \"\(twice)\" twice") }
    return result
  }

  /// Reads the entries of a list, each of which begins with its own size. What one of an earlier minor version does not have yet is
  /// zero. No two may have the same name.
  private func described<Entry, Description>(
    _ list: UnsafePointer<Entry>?, _ count: UInt32, most: Int = 256, least: Int? = nil, _ what: String,
    name: (Description) -> String, _ read: (Entry, _ place: String) throws(HeaderError) -> Description
  ) throws(HeaderError) -> [Description] {
    guard count > 0 else { return [] }
    guard count <= most, let list = unsafe list else { throw wrong(what, "are missing or more than \(most)") }
    let bytes = unsafe UnsafeRawPointer(list)
    let step = unsafe Int(bytes.load(as: UInt32.self))
    let (least, alignment) = (least ?? MemoryLayout<Entry>.stride, MemoryLayout<Entry>.alignment)
    var result: [Description] = []
    for index in 0..<Int(count) {
      let entry = unsafe bytes + index * step
      let size = unsafe Int(entry.load(as: UInt32.self))
      let place = "\(what)[\(index)].struct_size"
      guard size >= least else { throw wrong(place, "is \(size), expected at least \(least)") }
      guard size <= 4096 else { throw wrong(place, "is \(size), expected at most 4096") }
      guard size % alignment == 0 else { throw wrong(place, "is \(size), expected a multiple of \(alignment)") }
      guard size == step else { throw wrong(place, "is \(size), expected \(step) as the first one has") }
      result.append(try read(unsafe Self.padded(entry, size), "\(what)[\(index)]"))
    }
    if let twice = Plugin.duplicate(result.map(name)) { throw wrong(what, "name \"\(twice)\" twice") }
    return result
  }

  private func options(
    _ list: UnsafePointer<header_option>?, _ count: UInt32, _ what: String
  ) throws(HeaderError) -> [OptionSchema] {
    try unsafe described(list, count, what, name: \.name, option)
  }

  private func option(_ option: header_option, _ what: String) throws(HeaderError) -> OptionSchema {
    let name = try unsafe text(option.name, "\(what).name")
    guard Names.isOption(name) else { throw notAName(name, "\(what).name", bytes: 128) }
    let what = name
    guard let plain = unsafe Self.type(option.type) else {
      throw wrong(what, "has the unknown type \(unsafe option.type)")
    }
    let cases = try unsafe cases(option.cases, option.case_count, what)
    guard plain != .case || !cases.isEmpty else { throw wrong(what, "is a case without cases") }
    let minimum = unsafe option.has_minimum ? option.minimum : nil
    let maximum = unsafe option.has_maximum ? option.maximum : nil
    for bound in [minimum, maximum].compactMap({ $0 }) where !bound.isFinite {
      throw wrong(what, "has a bound of \(Value.number(bound).brief), expected a finite number")
    }
    if let minimum, let maximum, minimum > maximum {
      throw wrong(
        what,
        "has a range from \(Value.number(minimum).brief) to \(Value.number(maximum).brief), expected the smaller bound first"
      )
    }
    let schema = OptionSchema(
      name: name, type: unsafe option.is_list ? .list(of: plain) : plain,
      unit: try unsafe optionalText(option.unit, "\(what).unit"),
      defaultValue: try unsafe value(option.default_value, "\(what).default_value"),
      minimum: minimum, maximum: maximum, cases: cases,
      meaning: try unsafe text(option.meaning, "\(what).meaning"), isNullable: unsafe option.is_nullable)
    do {
      try schema.check(schema.defaultValue, at: Path(name))
    } catch {
      throw wrong(what, "has a default that it does not allow itself: \(error.message)")
    }
    return schema
  }

  private func cases(
    _ list: UnsafePointer<UnsafePointer<CChar>?>?, _ count: UInt32, _ what: String
  ) throws(HeaderError) -> [String] {
    guard count <= 256 else { throw wrong(what, "has more than 256 cases") }
    var cases: [String] = []
    for index in 0..<Int(count) { cases.append(try unsafe text(list?[index], "\(what).cases[\(index)]")) }
    if let twice = Plugin.duplicate(cases) { throw wrong(what, "has the case \"\(twice)\" twice") }
    return cases
  }

  private func valueDescription(
    _ entry: header_value_description, _ place: String
  ) throws(HeaderError) -> ValueDescription {
    let name = try unsafe name(entry.name, "\(place).name")
    guard let type = unsafe Self.type(entry.type), [.number, .bool, .text, .case].contains(type) else {
      throw wrong(name, "has type \(unsafe entry.type), expected number, bool, text or case")
    }
    guard let initial = NamedValue.Content(try unsafe value(entry.initial, name)) else {
      throw wrong(name, "has an initial value that is a list or record")
    }
    return ValueDescription(
      name: name, type: type, unit: try unsafe optionalText(entry.unit, "\(name).unit"),
      cases: try unsafe cases(entry.cases, entry.case_count, name), initial: initial,
      meaning: try unsafe text(entry.meaning, "\(name).meaning"))
  }

  private func call(_ entry: header_call_description, _ place: String) throws(HeaderError) -> CallDescription {
    let name = try unsafe name(entry.name, "\(place).name")
    return CallDescription(
      name: name, arguments: try unsafe options(entry.arguments, entry.argument_count, "\(name).arguments"),
      meaning: try unsafe text(entry.meaning, "\(name).meaning"))
  }

  private func value(_ value: header_value, _ what: String) throws(HeaderError) -> Value {
    do {
      return try unsafe Value(value)
    } catch {
      throw wrong(what, "is malformed: \(error.reason)")
    }
  }

  /// The types in the order of their numbers, HEADER_TYPE_NUMBER and so on.
  private static let types: [OptionType] = [
    .number, .integer, .bool, .text, .case, .color, .point, .size, .rect, .insets, .transform, .record,
  ]

  private static func type(_ type: UInt8) -> OptionType? { types.indices.contains(Int(type)) ? types[Int(type)] : nil }
}
