// SPDX-License-Identifier: MIT
//
// The description of a behavior, known before there is an instance of it.

/// A plugin's description of one of its behaviors.
public struct BehaviorDescription: Equatable, Sendable {
  /// UpperCamelCase, unique among the loaded plugins.
  public var name: String
  /// The plugin that offers it.
  public var plugin: String
  /// A sentence for people about the behavior; `plugin.list` and `headerctl plugin info` show it.
  public var summary: String
  /// The behavior moves drawers: of two such behaviors one must yield.
  public var moves: Bool
  /// The most events that its instances may respond to.
  public var events: EventSet
  /// The options, in the order in which they are set.
  public var options: [OptionSchema]
  /// The named values that it publishes, by the number with which its instances set them.
  public var values: [ValueDescription]
  /// The calls that it answers, by the number with which its instances are asked.
  public var calls: [CallDescription]
  /// Names of the notices that it posts, by their number.
  public var notices: [String]
  /// Version of the state that it saves.
  public var savedVersion: Int

  /// A description as a plugin gives it; PluginHost has checked names, types and defaults.
  public init(
    name: String, plugin: String, summary: String, moves: Bool, events: EventSet, options: [OptionSchema] = [],
    values: [ValueDescription] = [], calls: [CallDescription] = [], notices: [String] = [], savedVersion: Int = 1
  ) {
    self.name = name
    self.plugin = plugin
    self.summary = summary
    self.moves = moves
    self.events = events
    self.options = options
    self.values = values
    self.calls = calls
    self.notices = notices
    self.savedVersion = savedVersion
  }

  /// UpperCamelCase to lowerCamelCase: the name that a behavior's delegate has by default.
  public static func lowerCamelCase(_ name: String) -> String {
    name.prefix(1).lowercased() + name.dropFirst()
  }
}

/// A behavior's description, kept once for all its delegates.
public final class SharedBehavior: Sendable {
  /// The description that the plugin gave.
  public let description: BehaviorDescription

  /// Creates the shared box of a description.
  public init(_ description: BehaviorDescription) { self.description = description }
}

/// A named value that a behavior publishes.
public struct ValueDescription: Equatable, Sendable {
  /// A letter, then letters, digits, `_`, `-`; unique among the values of one header.
  public var name: String
  /// `number`, `integer`, `bool`, `text` or `case`.
  public var type: OptionType
  /// `points`, `seconds`…; nil when it has none.
  public var unit: String?
  /// The values of a `case`; empty where its behavior does not say.
  public var cases: [String]
  /// The value until the behavior sets it.
  public var initial: NamedValue.Content
  /// A sentence for people about the value.
  public var meaning: String

  /// A value as its behavior describes it.
  public init(
    name: String, type: OptionType, unit: String? = nil, cases: [String] = [], initial: NamedValue.Content,
    meaning: String
  ) {
    self.name = name
    self.type = type
    self.unit = unit
    self.cases = cases
    self.initial = initial
    self.meaning = meaning
  }
}

/// A call that a behavior answers, with its arguments.
public struct CallDescription: Equatable, Sendable {
  /// What `header.call` and the `call` event name.
  public var name: String
  /// The arguments, against which a call is checked before the behavior sees it.
  public var arguments: [OptionSchema]
  /// A sentence for people about the call.
  public var meaning: String

  /// A call as its behavior describes it.
  public init(name: String, arguments: [OptionSchema] = [], meaning: String) {
    self.name = name
    self.arguments = arguments
    self.meaning = meaning
  }
}

/// The state that a delegate gives to a new instance: after a reload, in a replay.
public struct SavedState: Equatable, Sendable {
  /// The behavior's `savedVersion` when the state was saved, so that newer code can recognize older states.
  public var version: Int
  /// The behavior's own tree, at most `Limits.savedBytes` as JSON. Only the behavior reads it.
  public var state: Value

  /// A state together with the version of the code that gave it.
  public init(version: Int, state: Value) {
    self.version = version
    self.state = state
  }
}

/// A plugin as it describes itself, found out in another process.
public struct DescribedPlugin: Equatable, Sendable {
  /// The plugin's name.
  public var name: String
  /// The plugin's own version.
  public var version: String
  /// `1.0`.
  public var abi: String
  /// A number for the content of its file.
  public var content: UInt64
  /// The behaviors that the plugin offers.
  public var behaviors: [BehaviorDescription]

  /// What another process has found out.
  public init(name: String, version: String, abi: String, content: UInt64, behaviors: [BehaviorDescription]) {
    self.name = name
    self.version = version
    self.abi = abi
    self.content = content
    self.behaviors = behaviors
  }
}
