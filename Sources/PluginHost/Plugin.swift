// SPDX-License-Identifier: MIT
//
// A loaded plugin: its C descriptions, checked and copied into the core's (DescriptionReader.swift). A plugin with a
// wrong description is refused as a whole.

internal import CHeaderPlugin
public import HeaderCore

/// One plugin as loaded.
@safe public final class Plugin {
  /// Its name, UpperCamelCase: the same in its table and in its file's name.
  public let name: String
  /// The plugin's own version.
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
  /// How much the plugin was called since the last reset, by thread.
  public let usages: [PluginUsage]

  /// Loads and reads a plugin.
  /// - Parameter expected: the content that it must have; nil: any.
  /// - Throws: `pluginRefused`, `limitExceeded`.
  init(
    path: String, ownership: PluginOwnership, images: MappedImages, threads: [PluginCalls], content expected: UInt64?
  ) throws(HeaderError) {
    usages = threads.map { PluginUsage($0) }
    let library = try threads[0].load(path) { () throws(HeaderError) in
      try LoadedLibrary(path: path, ownership: ownership, images: images, content: expected)
    }
    self.path = path
    content = library.content
    let table = unsafe library.table
    let fileName = Self.name(ofFile: path)
    var reader = DescriptionReader(path: path)
    name = try unsafe reader.text(table.pointee.name, "name")
    guard name == fileName else {
      throw .refused(
        path, check: "table", "it calls itself \"\(name)\", expected \"\(fileName)\" after its file's name")
    }
    version = try unsafe reader.text(table.pointee.version, "version")
    summary = try unsafe reader.text(table.pointee.summary, "summary")
    abi = unsafe "\(table.pointee.abi_major).\(table.pointee.abi_minor)"
    guard let getFactory = unsafe table.pointee.get_factory, let raw = unsafe getFactory(HEADER_BEHAVIOR_FACTORY) else {
      throw .refused(path, check: "table", "it offers no behaviors (no factory \(HEADER_BEHAVIOR_FACTORY))")
    }
    let factory = unsafe raw.assumingMemoryBound(to: header_behavior_factory.self)
    let factorySize = unsafe (
      given: Int(factory.pointee.struct_size), known: MemoryLayout<header_behavior_factory>.size
    )
    guard factorySize.given >= factorySize.known else {
      throw .refused(
        path, check: "table", "its factory's table is \(factorySize.given) bytes, expected \(factorySize.known)")
    }
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
    shared = behaviors.map(SharedBehavior.init)
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
