// SPDX-License-Identifier: MIT
//
// Readers of single values, each with its sentence for what is expected. A reader returns nil exactly when it has
// complained.

import HeaderModel

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

  /// A text of a given form.
  static func text(_ expectation: String, _ isValid: @escaping @Sendable (String) -> Bool) -> Reader<String> {
    { value, complaints in
      if case .text(let text) = value.content, isValid(text), !text.utf8.contains(0) { return text }
      return refuse(expectation, value, &complaints)
    }
  }

  /// Whether a text has so many bytes, all of them letters and digits of ASCII or one of some signs.
  static func isPlain(_ text: String, _ lengths: ClosedRange<Int>, signs: String) -> Bool {
    lengths.contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: signs.utf8.contains(byte)
        }
      }
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
      return refuse("a number of seconds \(range) \(Int(most))", value, &complaints)
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

  static let absolutePath = text("an absolute path") { $0.hasPrefix("/") }

  /// An absolute path; empty text is none.
  static let folder = optional(absolutePath)

  /// Empty text is none, or the default.
  static func optional(_ read: @escaping Reader<String>) -> Reader<String?> {
    { value, complaints in
      if case .text("") = value.content { return .some(nil) }
      return read(value, &complaints)
    }
  }

  /// An absolute path that fits sockaddr_un: 108 bytes with the zero at its end. Empty text is the default place.
  static let socketPath = optional { value, complaints in
    guard let path = absolutePath(value, &complaints) else { return nil }
    if path.utf8.count <= 107 { return path }
    let message = "expected a path of at most 107 bytes, got \(path.utf8.count) bytes"
    complaints.append(Complaint(position: value.position, message: message))
    return nil
  }

  /// A member, or a table of a member and its headers.
  static let grant: Reader<Grant> = { value, complaints in
    guard case .table(let entries) = value.content else {
      guard case .text(let text) = value.content else {
        return refuse("text: \"uid:N\", \"gid:N\", \"self\", \"any\" or a name; or a table", value, &complaints)
      }
      if let member = Member(text) { return Grant(member) }
      return refuse("\"uid:N\", \"gid:N\", \"self\", \"any\" or a user or group name", value, &complaints)
    }
    let before = complaints.count
    var members: [Member] = []
    var headers: [String]?
    for entry in entries {
      let path = ".\(entry.key)"
      switch entry.key {
      case "user": if let user = complaints.reading(entry.value, at: path, user) { members.append(user) }
      case "group": if let group = complaints.reading(entry.value, at: path, group) { members.append(group) }
      case "headers": headers = complaints.reading(entry.value, at: path, list(of: headerGlob))
      default: complaints.append(.unknown("key", entry, path: path, among: ["user", "group", "headers"]))
      }
    }
    guard complaints.count == before else { return nil }
    guard members.count == 1 else { return refuse("a table with one of user and group", value, &complaints) }
    return Grant(members[0], headers: headers)
  }

  /// A list as of the other roles, or `"publish"`: those of that role.
  static let tuners: Reader<[Grant]?> = { value, complaints in
    if case .text("publish") = value.content { return .some(nil) }
    guard case .list = value.content else { return refuse("a list, or \"publish\"", value, &complaints) }
    return list(of: grant)(value, &complaints).map { .some($0) }
  }

  /// A user alone: a bare name is no group's.
  private static let user: Reader<Member> = { value, complaints in
    if case .text(let text) = value.content, let member = Member(text) {
      switch member {
      case .named(let name): return .userNamed(name)
      case .anyone, .ownUser, .uid: return member
      case .gid, .userNamed, .groupNamed: break
      }
    }
    return refuse("\"uid:N\", \"self\", \"any\" or a user's name", value, &complaints)
  }

  private static let group: Reader<Member> = { value, complaints in
    if case .text(let text) = value.content, let member = Member(text) {
      if case .named(let name) = member { return .groupNamed(name) }
      if case .gid = member { return member }
    }
    return refuse("\"gid:N\" or a group's name", value, &complaints)
  }

  /// A glob of headers' names, in which %U stands for a user's number.
  private static let headerGlob = text("a header's name or glob, such as \"app.*\" or \"user%U.**\"") {
    Names.isGlob(replacing(Grant.userSpecifier, in: $0, with: "0"))
  }

  /// Globs of headers' names, few enough to be labels.
  static let metricsGroups: Reader<[String]> = { value, complaints in
    let glob = text("a header's name or glob, such as \"app.**\"") { Names.isGlob($0) }
    if case .list(let elements) = value.content, elements.count > 32 {
      return refuse("at most 32 globs", value, &complaints)
    }
    return list(of: glob)(value, &complaints)
  }

  /// A count; of connections and headers also a share of their limit.
  static func amount(of quota: Quota) -> Reader<UserQuotas.Amount> {
    { value, complaints in
      let hasShare = quota == .connections || quota == .headers
      // Paced in whole nanoseconds.
      let most = quota == .eventsPerSecond ? 1_000_000_000 : Int(Int64.max >> 16)
      switch value.content {
      case .integer(let number) where (0...Int64(most)).contains(number): return .count(Int(number))
      case .text(let text) where hasShare && text.hasSuffix("%"):
        if let percent = Int(text.dropLast()), (1...100).contains(percent) { return .percent(percent) }
      default: break
      }
      let share = hasShare ? ", or a share of the limit such as \"50%\"" : ""
      return refuse("an integer from 0 (any number) to \(most)\(share)", value, &complaints)
    }
  }

  /// Users with quotas of their own.
  static let quotaExceptions: Reader<[UserQuotas.Exception]> = { value, complaints in
    guard case .table(let entries) = value.content else {
      return refuse("a table of users, each with a table of quotas", value, &complaints)
    }
    let before = complaints.count
    var exceptions: [UserQuotas.Exception] = []
    for entry in entries {
      let path = ".\(entry.key)"
      let amounts = complaints.reading(entry.value, at: path, quotas) ?? [:]
      switch Member(entry.key) {
      case .named(let name):
        exceptions.append(UserQuotas.Exception(name: entry.key, member: .userNamed(name), amounts: amounts))
      case .uid(let user):
        exceptions.append(UserQuotas.Exception(name: entry.key, member: .uid(user), amounts: amounts))
      case .ownUser: exceptions.append(UserQuotas.Exception(name: entry.key, member: .ownUser, amounts: amounts))
      case .anyone, .gid, .userNamed, .groupNamed, nil:
        let message = "expected \"uid:N\", \"self\" or a user's name, got \(quoted(entry.key))"
        complaints.append(Complaint(position: entry.position, path: path, message: message))
      }
    }
    return complaints.count == before ? exceptions : nil
  }

  private static func quotas(_ value: LocatedValue, _ complaints: inout [Complaint]) -> [Quota: UserQuotas.Amount] {
    guard case .table(let entries) = value.content else {
      complaints.append(.expected("a table of quotas", got: value))
      return [:]
    }
    var amounts: [Quota: UserQuotas.Amount] = [:]
    for entry in entries {
      let path = ".\(entry.key)"
      if let quota = Quota(rawValue: entry.key) {
        amounts[quota] = complaints.reading(entry.value, at: path, amount(of: quota))
      } else {
        complaints.append(.unknown("key", entry, path: path, among: Quota.allCases.map(\.rawValue)))
      }
    }
    return amounts
  }

  /// Plugin names, or `["*"]` for all. The star stands alone: beside it, names would say nothing.
  static let pluginsToLoad: Reader<Config.Plugins.Load> = { value, complaints in
    if case .list(let elements) = value.content, elements.count == 1, case .text("*") = elements[0].content {
      return .all
    }
    let name = text("\(aPluginName), or [\"*\"] alone for all", isPluginName)
    return list(of: name)(value, &complaints).map { .named($0) }
  }

  static let pluginName = text(aPluginName, isPluginName)
  private static let aPluginName = "a plugin's name such as \"ShyNavBar\""

  /// A file name without `lib` and `.so`: UpperCamelCase, 1 to 64 bytes, and never a path.
  private static let isPluginName: @Sendable (String) -> Bool = { name in
    Names.isName(name) && name.first.map { ("A"..."Z").contains($0) } ?? false
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
        let path = ".\(entry.key)"
        _ = complaints.reading(LocatedValue(.text(entry.key), at: entry.position), at: path, pluginName)
        settings[entry.key] = complaints.reading(entry.value, at: path, read)
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
      setting.usual = complaints.reading(usual.value, at: ".default", choice) ?? setting.usual
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
        if let setting = complaints.reading(element, at: "[\(index)]", read) { settings.append(setting) }
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

/// A text with all occurrences of another one replaced.
public func replacing(_ part: String, in text: String, with other: String) -> String {
  var (rest, result) = (text[...], "")
  while let first = part.first, let start = rest.firstIndex(of: first) {
    result += rest[..<start]
    rest = rest[start...]
    if rest.hasPrefix(part) {
      result += other
      rest = rest.dropFirst(part.count)
    } else {
      result.append(first)
      rest = rest.dropFirst()
    }
  }
  return result + rest
}
