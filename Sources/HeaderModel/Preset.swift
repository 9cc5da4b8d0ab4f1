// SPDX-License-Identifier: MIT
//
// Options of a behavior under a name. A description may name one, with single options on top:
//
//     preset = "compose-enter-always", options = {rest = {by = "direction"}}
//     ─▶ all options of the preset but `rest`, and that one as given
//
// A preset is resolved where a description comes in from outside. So an open header, its journal and its recordings have the options
// alone, and do not depend on the preset any more.

/// Options of a behavior under a name.
public struct Preset: Equatable, Sendable {
  /// Lowercase words with `-` between.
  public var name: String
  /// The behavior that the options are for.
  public var behavior: String
  /// A sentence for people about the preset.
  public var summary: String
  /// Options of the behavior.
  public var options: Value.Record

  /// Creates a preset.
  public init(name: String, behavior: String, summary: String, options: Value.Record) {
    self.name = name
    self.behavior = behavior
    self.summary = summary
    self.options = options
  }

  /// As `plugin.list` and `headerctl preset list --json` show it.
  public var value: Value {
    [
      "preset": .text(name), "behavior": .text(behavior), "summary": .text(summary), "options": .record(options),
    ]
  }
}

extension DelegateDescription {
  /// The same with the options of its preset, and no preset.
  /// - Throws: `invalidParams`: there is no such preset of the behavior.
  public func taking(_ presets: @autoclosure () -> [Preset], at path: Path) throws(HeaderError) -> DelegateDescription {
    guard let preset else { return self }
    let known = presets().filter { $0.behavior == behavior }
    guard let found = known.first(where: { $0.name == preset }) else {
      let field = (path + "preset").text
      let names = known.isEmpty ? "it has none" : "it has \(known.map(\.name).joined(separator: ", "))"
      throw HeaderError(
        .invalidParams, "\(field): \(behavior) has no preset \"\(preset)\"; \(names)", field: field, got: .text(preset),
        hint: nearest(to: preset, in: known.map(\.name)).map { "did you mean \"\($0)\"?" })
    }
    var result = self
    result.preset = nil
    // They are not checked yet, and may be as many as a message has room for.
    let names = Set(found.options.fields.lazy.map(\.name))
    result.options = found.options
    for field in options.fields where names.contains(field.name) { result.options[field.name] = field.value }
    result.options.fields += options.fields.filter { !names.contains($0.name) }
    return result
  }
}

extension HeaderDescription {
  /// The same with the options of all presets that its delegates name, and no preset.
  /// - Throws: `invalidParams`: there is no such preset of the behavior.
  public func taking(
    _ presets: @autoclosure () -> [Preset], at path: Path = Path("")
  ) throws(HeaderError) -> HeaderDescription {
    guard delegates.contains(where: { $0.preset != nil }) else { return self }
    var result = self
    for index in delegates.indices {
      result.delegates[index] = try delegates[index].taking(presets(), at: (path + "delegates")[index])
    }
    return result
  }
}
