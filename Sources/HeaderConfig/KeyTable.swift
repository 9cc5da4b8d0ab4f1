// SPDX-License-Identifier: MIT
//
// Tables of keys: a row says where a key stands and how it is read. The daemon's table is in Schema.swift, those of the bridges
// beside their settings.

import HeaderModel

/// A row of a table of keys.
protocol ConfigKey: Sendable {
  associatedtype Settings
  /// The table that it stands in; empty for a key before all tables.
  var section: String { get }
  var name: String { get }
  /// Reads the key's value into the settings and returns the mistakes in it.
  var read: @Sendable (LocatedValue, inout Settings) -> [Complaint] { get }
}

/// A row of a bridge's table.
struct BridgeKey<Settings: Sendable>: ConfigKey {
  let section: String
  let name: String
  let read: @Sendable (LocatedValue, inout Settings) -> [Complaint]

  /// A property of the settings, under the key that the file has for it.
  init<Setting: Sendable>(
    _ section: String, _ name: String, _ property: any WritableKeyPath<Settings, Setting> & Sendable,
    _ reader: @escaping Reader<Setting>
  ) {
    self.section = section
    self.name = name
    read = { value, settings in
      var complaints: [Complaint] = []
      if let setting = reader(value, &complaints) { settings[keyPath: property] = setting }
      return complaints
    }
  }
}

extension Array where Element: ConfigKey {
  /// The tables, in the order of the reference.
  var sections: [String] {
    reduce(into: []) { if !$1.section.isEmpty, $0.last != $1.section { $0.append($1.section) } }
  }

  /// Reads one table; complaints come back with the full path of their key.
  func readSection(_ section: LocatedValue.Entry, into settings: inout Element.Settings) -> [Complaint] {
    guard case .table(let entries) = section.value.content else {
      return [.expected("a table", got: section.value, path: section.key)]
    }
    let known = filter { $0.section == section.key }
    return entries.flatMap { entry in
      let path = "\(section.key).\(entry.key)"
      guard let key = known.first(where: { $0.name == entry.key }) else {
        return [Complaint.unknown("key", entry, path: path, among: known.map(\.name))]
      }
      return key.read(entry.value, &settings).map { $0.below(path) }
    }
  }

  /// Reads all tables of a file, and the keys before them.
  /// - Parameters:
  ///   - others: what else may stand there.
  ///   - readOther: reads it.
  func readSections(
    _ root: LocatedValue, into settings: inout Element.Settings, besides others: [String] = [],
    _ readOther: (LocatedValue.Entry, inout Element.Settings) -> [Complaint] = { _, _ in [] }
  ) -> [Complaint] {
    guard case .table(let entries) = root.content else { return [] }
    let sections = sections
    let alone = filter { $0.section.isEmpty }
    return entries.flatMap { entry in
      if others.contains(entry.key) { return readOther(entry, &settings) }
      if sections.contains(entry.key) { return readSection(entry, into: &settings) }
      guard let key = alone.first(where: { $0.name == entry.key }) else {
        let known = sections + others + alone.map(\.name)
        return [Complaint.unknown("table", entry, path: entry.key, among: known)]
      }
      return key.read(entry.value, &settings).map { $0.below(key.name) }
    }
  }
}

/// Reads a whole file.
/// - Parameters:
///   - file: its name for messages.
///   - read: reads the content and returns the mistakes in it, in any order.
/// - Throws: all mistakes, in the order of the file.
func readConfig(
  _ bytes: Span<UInt8>, file: String, _ read: (LocatedValue) -> [Complaint]
) throws(ConfigErrors) {
  let root: LocatedValue
  do throws(SyntaxError) {
    root = try parseTOML(bytes)
  } catch {
    throw ConfigErrors([Diagnostic(file: file, position: error.position, message: error.message)])
  }
  let complaints = read(root).sorted { $0.position < $1.position }
  guard complaints.isEmpty else { throw ConfigErrors(complaints.map { $0.diagnostic(in: file) }) }
}
