// SPDX-License-Identifier: MIT
//
// A loaded plugin: its C descriptions, checked and copied into the core's (DescriptionReader.swift). A plugin with a
// wrong description is refused as a whole.

internal import CHeaderPlugin
public import HeaderModel

/// A loaded plugin: its descriptions and its code.
@safe public final class Plugin {
  /// Its name, UpperCamelCase: the same in its table and in its file's name.
  public let name: String
  /// The plugin's own version, as it states it.
  public let version: String
  /// What it is for, in a sentence for people.
  public let summary: String
  /// `1.0`.
  public let abi: String
  /// The file it came from.
  public let path: String
  /// What it offers, in the order of its factory.
  public var behaviors: [BehaviorDescription] { shared.map(\.description) }
  /// The same, for its delegates.
  let shared: [SharedBehavior]
  /// A number for the content of its file.
  public let content: UInt64
  let tables: [UnsafePointer<header_behavior>]
  /// The plugin's file, if it is not loaded here.
  let isolatedFile: PluginFile?
  /// Whether the plugin is not loaded here.
  public var isIsolated: Bool { isolatedFile != nil }
  /// How much the plugin was called since the last reset, by thread.
  public let usages: [PluginUsage]

  /// Loads and reads a plugin from a copy of its file that is open already.
  /// - Throws: `pluginRefused`, `limitExceeded`.
  init(
    path: String, copy: Int32, content: UInt64, images: MappedImages, threads: [PluginCalls]
  ) throws(HeaderError) {
    let library = try threads[0].load(path) { () throws(HeaderError) in
      try LoadedLibrary(path: path, images: images, copy: copy, content: content)
    }
    usages = threads.map { PluginUsage($0) }
    self.path = path
    self.content = content
    let read = try unsafe PluginDescription(library.table, path: path)
    name = read.name
    version = read.version
    summary = read.summary
    abi = unsafe "\(library.table.pointee.abi_major).\(library.table.pointee.abi_minor)"
    shared = read.behaviors.map(SharedBehavior.init)
    unsafe tables = read.tables
    isolatedFile = nil
  }

  /// A plugin that is not loaded here: its behaviors' delegates do nothing.
  init(_ described: DescribedPlugin, _ file: PluginFile, threads: [PluginCalls]) {
    usages = threads.map { PluginUsage($0) }
    path = file.path
    content = described.content
    name = described.name
    version = described.version
    summary = ""
    abi = described.abi
    shared = described.behaviors.map(SharedBehavior.init)
    unsafe tables = []
    isolatedFile = file
  }

  /// The plugin as another process is told of it.
  public var described: DescribedPlugin {
    DescribedPlugin(name: name, version: version, abi: abi, content: content, behaviors: behaviors)
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
