// SPDX-License-Identifier: MIT
//
// What the engine knows about behaviors before there is one: a description of each, and somebody who makes them. The
// engine knows no plugin; PluginHost is the provider in the daemon and in headerctl, tests bring their own.

/// What a plugin says about one of its behaviors.
public struct BehaviorDescription: Equatable, Sendable {
  /// UpperCamelCase, unique among the loaded plugins.
  public var name: String
  /// The plugin that offers it.
  public var plugin: String
  public var summary: String
  /// It moves drawers: two such behaviors need to be told who yields.
  public var moves: Bool
  /// What its instances respond to at most.
  public var events: EventSet
  public var options: [OptionSchema]
  public var values: [ValueDescription]
  public var calls: [CallDescription]
  /// Names of the notices that it posts, by their number.
  public var notices: [String]
  /// Version of the state that it saves.
  public var savedVersion: Int

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

  /// The name that its delegate has unless told otherwise: `ShyNavBar` → `shyNavBar`.
  public var defaultDelegateName: String { Self.lowerCamelCase(name) }

  /// UpperCamelCase to lowerCamelCase.
  public static func lowerCamelCase(_ name: String) -> String {
    name.prefix(1).lowercased() + name.dropFirst()
  }
}

/// A named value that a behavior tells about itself.
public struct ValueDescription: Equatable, Sendable {
  public var name: String
  public var type: OptionType
  public var unit: String?
  public var initial: NamedValue.Content
  public var meaning: String

  public init(name: String, type: OptionType, unit: String? = nil, initial: NamedValue.Content, meaning: String) {
    self.name = name
    self.type = type
    self.unit = unit
    self.initial = initial
    self.meaning = meaning
  }
}

/// A call that a behavior answers, with its arguments.
public struct CallDescription: Equatable, Sendable {
  public var name: String
  public var arguments: [OptionSchema]
  public var meaning: String

  public init(name: String, arguments: [OptionSchema] = [], meaning: String) {
    self.name = name
    self.arguments = arguments
    self.meaning = meaning
  }
}

/// What a delegate gives to be born again: after a reload, in a replay.
public struct SavedState: Equatable, Sendable {
  public var version: Int
  public var state: Value

  public init(version: Int, state: Value) {
    self.version = version
    self.state = state
  }
}

/// Where behaviors come from.
public protocol BehaviorProvider: AnyObject {
  /// The behavior of that name, nil when no loaded plugin offers it.
  func behavior(named name: String) -> BehaviorDescription?
  /// All names, sorted: what an error offers instead.
  var behaviorNames: [String] { get }
  /// A new instance; it has heard nothing yet (`ScrollDelegate.attach` is its first call).
  /// - Throws: `behaviorNotFound`, or `behaviorFailed` when the plugin makes none.
  func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate
}
