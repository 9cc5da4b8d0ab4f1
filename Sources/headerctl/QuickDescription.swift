// SPDX-License-Identifier: MIT
//
// A header's description from the most common options:
//
//     main --behavior ShyNavBar --option expansionResistance=100 --drawer navBar:44 --drawer extension:40
//          --viewport 375x667 --content 4000 --inset 64 --status-bar 20

internal import CommandLineKit
internal import HeaderModel
internal import HeaderTrace
internal import HeaderWire

struct QuickDescription {
  let invocation: Invocation

  /// The options that describe a header.
  static let options: [any DeclaresOption] = [
    Words.behavior, Words.preset, Words.option, Words.drawer, Words.viewport, Words.content, Words.inset,
    Words.statusBar, Words.frames,
  ]

  var isEmpty: Bool { !Self.options.contains(where: invocation.has) }

  /// The description, as `header.open` takes it.
  /// - Throws: `CommandError` naming the option.
  func description(of header: String) throws(CommandError) -> Value.Record {
    let (behaviors, options) = (invocation.all(Words.behavior), invocation.all(Words.option))
    guard options.isEmpty || !behaviors.isEmpty else {
      throw .usage("option \"--option\" needs a behavior: --behavior NAME")
    }
    var description = Value.Record()
    description["header"] = .text(header)
    var view = Value.Record()
    view["viewport"] = try invocation[Words.viewport].map { text throws(CommandError) in try Self.size(text).value }
    view["contentSize"] = invocation[Words.content].map { ["height": .number($0)] }
    view["contentInset"] = invocation[Words.inset].map { ["top": .number($0)] }
    description["scrollViews"] = ["content": .record(view)]
    description["environment"] = invocation[Words.statusBar].map { ["statusBarHeight": .number($0)] }
    var list: [Value] = []
    for drawer in invocation.all(Words.drawer) { list.append(try Self.drawer(drawer)) }
    if !list.isEmpty { description["drawers"] = .list(list) }
    var delegates: [Value.Record] = behaviors.map { ["behavior": .text($0)] }
    if let preset = invocation[Words.preset] {
      guard !delegates.isEmpty else { throw .usage("option \"--preset\" needs a behavior: --behavior NAME") }
      delegates[delegates.count - 1]["preset"] = .text(preset)
    }
    if !options.isEmpty { delegates[delegates.count - 1]["options"] = .record(try Self.record(of: options)) }
    if !delegates.isEmpty { description["delegates"] = .list(delegates.map { .record($0) }) }
    description["frames"] = invocation[Words.frames].map { .text($0.rawValue) }
    return description
  }

  /// Options as NAME=VALUE; a value is read as JSON where it is JSON, else as text. Text that begins like a list or a record is taken for
  /// bad JSON and reported.
  static func record(of options: [String]) throws(CommandError) -> Value.Record {
    var record = Value.Record()
    for option in options {
      guard let equals = option.firstIndex(of: "="), equals > option.startIndex else {
        throw .usage("option \"--option\": expected NAME=VALUE, got \"\(option)\"")
      }
      let text = String(option[option.index(after: equals)...])
      do {
        record[String(option[..<equals])] = try Value(json: Array(text.utf8))
      } catch {
        guard text.first == "[" || text.first == "{" else {
          record[String(option[..<equals])] = .text(text)
          continue
        }
        throw .usage(
          "option \"--option\": \(option[...equals])\(text): this is no JSON: column \(error.column) of the value: \(error.reason)"
        )
      }
    }
    return record
  }

  private static func drawer(_ text: String) throws(CommandError) -> Value {
    guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
      let height = Double(text[text.index(after: colon)...]), height.isFinite
    else { throw .usage("option \"--drawer\": expected NAME:HEIGHT, such as navBar:44, got \"\(text)\"") }
    return ["name": .text(String(text[..<colon])), "height": .number(height)]
  }

  private static func size(_ text: String) throws(CommandError) -> Size {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Double(parts[0]), let height = Double(parts[1]), width.isFinite, height.isFinite
    else { throw .usage("option \"--viewport\": expected WIDTHxHEIGHT, such as 375x667, got \"\(text)\"") }
    return Size(width: width, height: height)
  }
}
