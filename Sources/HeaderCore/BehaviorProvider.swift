// SPDX-License-Identifier: MIT
//
// The engine knows no plugin; PluginHost is the provider in the daemon and in headerctl, tests bring their own.

import HeaderModel

/// The source of behaviors and their instances.
public protocol BehaviorProvider: AnyObject {
  /// The behavior of that name, nil when no loaded plugin offers it.
  func behavior(named name: String) -> BehaviorDescription?
  /// All names, sorted; an error suggests one of them.
  var behaviorNames: [String] { get }
  /// Makes a new instance, whose first call is `ScrollDelegate.attach`.
  /// - Throws: `behaviorNotFound`, or `behaviorFailed` when the plugin makes none.
  func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate
  /// The known presets, sorted by name.
  var presets: [Preset] { get }
}

extension BehaviorProvider {
  /// No presets, unless the provider has some.
  public var presets: [Preset] { [] }
}
