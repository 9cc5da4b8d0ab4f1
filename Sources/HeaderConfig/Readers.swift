// SPDX-License-Identifier: MIT
//
// Readers of single values, each with its sentence for what is expected. A reader returns nil exactly when it has
// complained.

import HeaderCore

/// Reads one value, or complains and returns nil.
typealias Reader<Setting> = @Sendable (LocatedValue, inout [Complaint]) -> Setting?

private func refuse<Setting>(
  _ expectation: String, _ value: LocatedValue, _ complaints: inout [Complaint]
) -> Setting? {
  complaints.append(.expected(expectation, got: value))
  return nil
}

extension Schema {
  static let bool: Reader<Bool> = { value, complaints in
    if case .bool(let setting) = value.content { return setting }
    return refuse("true or false", value, &complaints)
  }

  /// An integer in a range; the common range from 1 is called "positive" as long as that says enough.
  static func count(_ range: ClosedRange<Int>) -> Reader<Int> {
    { value, complaints in
      if case .integer(let number) = value.content, let setting = Int(exactly: number), range.contains(setting) {
        return setting
      }
      var expectation = "an integer from \(range.lowerBound) to \(range.upperBound)"
      if range == 1...2_147_483_647 {
        let isTooLarge = if case .integer(let number) = value.content { number > 0 } else { false }
        expectation = isTooLarge ? "an integer of at most 2147483647" : "a positive integer"
      }
      return refuse(expectation, value, &complaints)
    }
  }

  /// `"auto"` (nil), `"off"` (0), or microseconds.
  static let gathering: Reader<Int?> = { value, complaints in
    switch value.content {
    case .text("auto"): return .some(nil)
    case .text("off"): return .some(0)
    case .integer(let number) where (1...10_000).contains(number): return .some(Int(number))
    default:
      return refuse("\"auto\", \"off\" or an integer from 1 to 10000", value, &complaints)
    }
  }

  /// A time, written as an integer or a number.
  /// - Parameter orNone: 0 is taken, too.
  static func seconds(atMost most: Double, orNone: Bool = false) -> Reader<Double> {
    { value, complaints in
      let seconds: Double? =
        switch value.content {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
      if let seconds, seconds > 0 || (orNone && seconds == 0), seconds <= most { return seconds }
      let range = orNone ? "from 0 to" : "greater than 0 and at most"
      complaints.append(.expected("a number of seconds \(range) \(Int(most))", got: value))
      return nil
    }
  }

  /// Permission bits as octal text: TOML's own integers would be read as decimal, and 600 is not 0600.
  static let mode: Reader<UInt32> = { value, complaints in
    if case .text(let text) = value.content, text.utf8.allSatisfy({ (0x30...0x37).contains($0) }),
      let mode = UInt32(text, radix: 8), mode <= 0o777
    {
      return mode
    }
    return refuse("permission bits as octal text, such as \"0600\"", value, &complaints)
  }

  static let absolutePath: Reader<String> = { value, complaints in
    if case .text(let path) = value.content, path.hasPrefix("/"), !path.utf8.contains(0) { return path }
    return refuse("an absolute path", value, &complaints)
  }

  /// An absolute path; empty text is none.
  static let folder: Reader<String?> = { value, complaints in
    if case .text("") = value.content { return .some(nil) }
    return absolutePath(value, &complaints)
  }

  /// An absolute path that fits sockaddr_un: 108 bytes with the zero at its end. Empty text is the default place.
  static let socketPath: Reader<String?> = { value, complaints in
    if case .text("") = value.content { return .some(nil) }
    guard let path = absolutePath(value, &complaints) else { return nil }
    if path.utf8.count <= 107 { return path }
    let message = "expected a path of at most 107 bytes, got \(path.utf8.count) bytes"
    complaints.append(Complaint(position: value.position, message: message))
    return nil
  }

  static let member: Reader<Member> = { value, complaints in
    guard case .text(let text) = value.content else {
      return refuse("text: \"uid:N\", \"gid:N\", \"self\", \"any\" or a name", value, &complaints)
    }
    if let member = Member(text) { return member }
    return refuse("\"uid:N\", \"gid:N\", \"self\", \"any\" or a user or group name", value, &complaints)
  }

  /// Plugin names, or `["*"]` for all. The star stands alone: beside it, names would say nothing.
  static let pluginsToLoad: Reader<Config.Plugins.Load> = { value, complaints in
    if case .list(let elements) = value.content, elements.count == 1, case .text("*") = elements[0].content {
      return .all
    }
    return list(of: pluginName)(value, &complaints).map { .named($0) }
  }

  /// A file name without `lib` and `.so`: UpperCamelCase, 1 to 64 bytes, and never a path.
  static let pluginName: Reader<String> = { value, complaints in
    if case .text(let name) = value.content, Names.isName(name), let first = name.first, ("A"..."Z").contains(first) {
      return name
    }
    return refuse("a plugin's name such as \"ShyNavBar\", or [\"*\"] alone for all", value, &complaints)
  }

  /// A table whose keys are plugins' names.
  static func byPlugin<Element>(_ read: @escaping Reader<Element>) -> Reader<[String: Element]> {
    { value, complaints in
      guard case .table(let entries) = value.content else {
        return refuse("a table with plugins' names as keys", value, &complaints)
      }
      let before = complaints.count
      var settings: [String: Element] = [:]
      for entry in entries {
        var found: [Complaint] = []
        _ = pluginName(LocatedValue(.text(entry.key), at: entry.position), &found)
        settings[entry.key] = read(entry.value, &found)
        complaints += found.map {
          Complaint(position: $0.position, path: ".\(entry.key)\($0.path)", message: $0.message)
        }
      }
      return complaints.count == before ? settings : nil
    }
  }

  /// The same with `default`, the way of all others.
  static let isolation: Reader<Config.Plugins.Isolation> = { value, complaints in
    guard case .table(let entries) = value.content else {
      return refuse("a table with plugins' names and default as keys", value, &complaints)
    }
    var setting = Config.Plugins.Isolation()
    let named = LocatedValue(.table(entries.filter { $0.key != "default" }), at: value.position)
    if let usual = entries.first(where: { $0.key == "default" }) {
      var found: [Complaint] = []
      if let way: Config.Plugins.Isolation.Way = choice(usual.value, &found) { setting.usual = way }
      complaints += found.map { Complaint(position: $0.position, path: ".default\($0.path)", message: $0.message) }
    }
    guard let plugins = byPlugin(choice)(named, &complaints) as [String: Config.Plugins.Isolation.Way]? else {
      return nil
    }
    setting.plugins = plugins
    return complaints.isEmpty ? setting : nil
  }

  static func list<Element>(of read: @escaping Reader<Element>) -> Reader<[Element]> {
    { value, complaints in
      guard case .list(let elements) = value.content else {
        return refuse("a list", value, &complaints)
      }
      let before = complaints.count
      var settings: [Element] = []
      for (index, element) in elements.enumerated() {
        var found: [Complaint] = []
        if let setting = read(element, &found) { settings.append(setting) }
        complaints += found.map { Complaint(position: $0.position, path: "[\(index)]\($0.path)", message: $0.message) }
      }
      return complaints.count == before ? settings : nil
    }
  }

  static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ value: LocatedValue, _ complaints: inout [Complaint]
  ) -> Choice? {
    let names = Choice.allCases.map(\.rawValue)
    var complaint = Complaint.expected("one of \(names.map(quoted).joined(separator: ", "))", got: value)
    if case .text(let text) = value.content {
      if let choice = Choice(rawValue: text) { return choice }
      if let hint = nearest(to: text, in: names) { complaint.message += ". Did you mean \"\(hint)\"?" }
    }
    complaints.append(complaint)
    return nil
  }
}
