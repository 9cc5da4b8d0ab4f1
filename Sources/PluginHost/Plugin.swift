// SPDX-License-Identifier: MIT
//
// A loaded plugin: its C descriptions checked and copied into the core's. A plugin that describes itself badly is refused
// as a whole, with the place in its description and what is wrong there, before any header sees it.

internal import CHeaderPlugin
public import HeaderCore

/// One plugin as loaded.
@safe public final class Plugin {
  public let name: String
  /// The plugin's own version.
  public let version: String
  public let summary: String
  /// `1.0`.
  public let abi: String
  /// The file it came from.
  public let path: String
  public let behaviors: [BehaviorDescription]
  let tables: [UnsafePointer<header_behavior>]
  /// How much the plugin was called since the last reset.
  public internal(set) var usage = Usage()

  /// How often a plugin's instances were called, and how long that took.
  public struct Usage: Equatable, Sendable {
    public var calls = 0
    /// Estimated from one call in 64, since reading the clock costs more than a call.
    var sampledNanoseconds: Int64 = 0
    var samples = 0

    /// Seconds spent in the plugin, nested calls included.
    public var seconds: Double {
      samples == 0 ? 0 : Double(sampledNanoseconds) / Double(samples) * Double(calls) / 1e9
    }
  }

  /// Sets the counters to zero.
  public func resetUsage() { usage = Usage() }

  /// Loads and reads a plugin.
  /// - Throws: `pluginRefused`.
  init(path: String, ownership: PluginOwnership) throws(HeaderError) {
    let library = try LoadedLibrary(path: path, ownership: ownership)
    self.path = path
    let table = unsafe library.table
    let fileName = Self.name(ofFile: path)
    var reader = DescriptionReader(path: path)
    name = try unsafe reader.text(table.pointee.name, "name")
    guard name == fileName else {
      throw .refused(path, check: "table", "it calls itself \"\(name)\", expected \"\(fileName)\" after its file's name")
    }
    version = try unsafe reader.text(table.pointee.version, "version")
    summary = try unsafe reader.text(table.pointee.summary, "summary")
    abi = unsafe "\(table.pointee.abi_major).\(table.pointee.abi_minor)"
    guard let getFactory = unsafe table.pointee.get_factory, let raw = unsafe getFactory(HEADER_BEHAVIOR_FACTORY) else {
      throw .refused(path, check: "table", "it offers no behaviors (no factory \(HEADER_BEHAVIOR_FACTORY))")
    }
    let factory = unsafe raw.assumingMemoryBound(to: header_behavior_factory.self)
    let count = unsafe Int(factory.pointee.count)
    guard (1...256).contains(count), let list = unsafe factory.pointee.behaviors else {
      throw .refused(path, check: "table", "its factory has \(count) behaviors, expected 1 to 256")
    }
    var behaviors: [BehaviorDescription] = []
    var tables: [UnsafePointer<header_behavior>] = unsafe []
    for index in 0..<count {
      guard let behavior = unsafe list[index] else {
        throw .refused(path, check: "table", "behaviors[\(index)] is missing")
      }
      reader.place = "behaviors[\(index)]"
      behaviors.append(try unsafe reader.behavior(behavior, plugin: name))
      unsafe tables.append(behavior)
    }
    if let twice = Self.duplicate(behaviors.map(\.name)) {
      throw .refused(path, check: "table", "it offers behavior \"\(twice)\" twice")
    }
    self.behaviors = behaviors
    unsafe self.tables = tables
  }

  /// `ShyNavBar` of `/…/libShyNavBar.so`.
  public static func name(ofFile path: String) -> String {
    var name = path.split(separator: "/").last.map(String.init) ?? path
    if name.hasPrefix("lib") { name.removeFirst(3) }
    if name.hasSuffix(".so") { name.removeLast(3) }
    return name
  }

  static func duplicate(_ names: [String]) -> String? {
    var seen = Set<String>()
    return names.first { !seen.insert($0).inserted }
  }
}

/// Copies C descriptions and says where one is wrong.
struct DescriptionReader {
  let path: String
  /// Where in the description we are.
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
    guard name.first?.isUppercase == true else { throw wrong("name", "is \"\(name)\", expected UpperCamelCase") }
    place = name
    let isWhole = unsafe table.create != nil && table.destroy != nil && table.set_option != nil
      && table.attach != nil && table.receive != nil
    guard isWhole else {
      throw wrong("functions", "lack one of create, destroy, set_option, attach, receive")
    }
    guard unsafe (table.save == nil) == (table.restore == nil) else { throw wrong("save", "and restore go together") }
    let unknown = unsafe table.events & ~EventSet.all.union(.made).rawValue
    guard unknown == 0 else { throw wrong("events", "has bits that this ABI does not know: \(String(unknown, radix: 16))") }
    let options = try unsafe options(table.options, table.option_count, "options")
    let values = try unsafe values(table.values, table.value_count)
    let calls = try unsafe calls(table.calls, table.call_count)
    var notices: [String] = []
    for index in unsafe 0..<Int(table.notice_count) {
      notices.append(try unsafe self.name(table.notices?[index], "notices[\(index)]"))
    }
    return BehaviorDescription(
      name: name, plugin: plugin, summary: try unsafe text(table.summary, "summary"), moves: unsafe table.moves,
      events: unsafe EventSet(rawValue: table.events), options: options, values: values, calls: calls, notices: notices,
      savedVersion: unsafe Int(table.saved_version))
  }

  private func options(_ list: UnsafePointer<header_option>?, _ count: UInt32, _ what: String) throws(HeaderError)
    -> [OptionSchema]
  {
    guard count <= 256, unsafe count == 0 || list != nil else { throw wrong(what, "are missing or more than 256") }
    var result: [OptionSchema] = []
    for index in 0..<Int(count) {
      guard let list = unsafe list else { break }
      result.append(try unsafe option(list[index], "\(what)[\(index)]"))
    }
    if let twice = Plugin.duplicate(result.map(\.name)) { throw wrong(what, "name \"\(twice)\" twice") }
    return result
  }

  private func option(_ option: header_option, _ what: String) throws(HeaderError) -> OptionSchema {
    let name = try unsafe text(option.name, "\(what).name")
    guard Names.isOption(name) else { throw notAName(name, "\(what).name", bytes: 128) }
    let what = name
    guard let plain = unsafe Self.type(option.type) else {
      throw wrong(what, "has the unknown type \(unsafe option.type)")
    }
    var cases: [String] = []
    for index in unsafe 0..<Int(option.case_count) {
      cases.append(try unsafe text(option.cases?[index], "\(what).cases[\(index)]"))
    }
    guard plain != .case || !cases.isEmpty else { throw wrong(what, "is a case without cases") }
    let schema = OptionSchema(
      name: name, type: unsafe option.is_list ? .list(of: plain) : plain,
      unit: try unsafe optionalText(option.unit, "\(what).unit"),
      defaultValue: try unsafe value(option.default_value, "\(what).default_value"),
      minimum: unsafe option.has_minimum ? option.minimum : nil,
      maximum: unsafe option.has_maximum ? option.maximum : nil, cases: cases,
      meaning: try unsafe text(option.meaning, "\(what).meaning"), isNullable: unsafe option.is_nullable)
    do {
      try schema.check(schema.defaultValue, at: Path(name))
    } catch {
      throw wrong(what, "has a default that it does not allow itself: \(error.message)")
    }
    return schema
  }

  private func values(_ list: UnsafePointer<header_value_description>?, _ count: UInt32) throws(HeaderError)
    -> [ValueDescription]
  {
    guard count <= 64, unsafe count == 0 || list != nil else { throw wrong("values", "are missing or more than 64") }
    var result: [ValueDescription] = []
    for index in 0..<Int(count) {
      guard let entry = unsafe list?[index] else { break }
      let name = try unsafe name(entry.name, "values[\(index)].name")
      guard let type = unsafe Self.type(entry.type), [.number, .bool, .text, .case].contains(type) else {
        throw wrong(name, "has type \(unsafe entry.type), expected number, bool, text or case")
      }
      guard let initial = NamedValue.Content(try unsafe value(entry.initial, name)) else {
        throw wrong(name, "has an initial value that is a list or record")
      }
      result.append(
        ValueDescription(
          name: name, type: type, unit: try unsafe optionalText(entry.unit, "\(name).unit"), initial: initial,
          meaning: try unsafe text(entry.meaning, "\(name).meaning")))
    }
    if let twice = Plugin.duplicate(result.map(\.name)) { throw wrong("values", "name \"\(twice)\" twice") }
    return result
  }

  private func calls(_ list: UnsafePointer<header_call_description>?, _ count: UInt32) throws(HeaderError)
    -> [CallDescription]
  {
    guard count <= 256, unsafe count == 0 || list != nil else { throw wrong("calls", "are missing or more than 256") }
    var result: [CallDescription] = []
    for index in 0..<Int(count) {
      guard let entry = unsafe list?[index] else { break }
      let name = try unsafe name(entry.name, "calls[\(index)].name")
      result.append(
        CallDescription(
          name: name, arguments: try unsafe options(entry.arguments, entry.argument_count, "\(name).arguments"),
          meaning: try unsafe text(entry.meaning, "\(name).meaning")))
    }
    if let twice = Plugin.duplicate(result.map(\.name)) { throw wrong("calls", "name \"\(twice)\" twice") }
    return result
  }

  private func value(_ value: header_value, _ what: String) throws(HeaderError) -> Value {
    do {
      return try unsafe Value(value)
    } catch {
      throw wrong(what, "is malformed: \(error.reason)")
    }
  }

  private static func type(_ type: UInt8) -> OptionType? {
    switch Int(type) {
    case HEADER_TYPE_NUMBER: .number
    case HEADER_TYPE_INTEGER: .integer
    case HEADER_TYPE_BOOL: .bool
    case HEADER_TYPE_TEXT: .text
    case HEADER_TYPE_CASE: .case
    case HEADER_TYPE_COLOR: .color
    case HEADER_TYPE_POINT: .point
    case HEADER_TYPE_SIZE: .size
    case HEADER_TYPE_RECT: .rect
    case HEADER_TYPE_INSETS: .insets
    case HEADER_TYPE_TRANSFORM: .transform
    case HEADER_TYPE_RECORD: .record
    default: nil
    }
  }
}
