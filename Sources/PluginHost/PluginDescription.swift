// SPDX-License-Identifier: MIT
//
// The content of a plugin's table: its name, and its behaviors' descriptions, checked and copied into the core's. The table is untrusted,
// except that its pointers lead to as much memory as it says.

package import CHeaderPlugin
package import HeaderModel

/// A plugin as its table describes it.
@safe package struct PluginDescription {
  let name: String
  let version: String
  let summary: String
  /// The behaviors, in the order of the factory.
  package let behaviors: [BehaviorDescription]
  let tables: [UnsafePointer<header_behavior>]

  /// Reads a table.
  /// - Parameter path: the file that it came from, whose name it must have.
  /// - Throws: `pluginRefused`.
  package init(_ table: UnsafePointer<header_plugin>, path: String) throws(HeaderError) {
    let fileName = Plugin.name(ofFile: path)
    var reader = DescriptionReader(path: path)
    name = try unsafe reader.text(table.pointee.name, "name")
    guard name == fileName else {
      throw .refused(
        path, check: "table", "it calls itself \"\(name)\", expected \"\(fileName)\" after its file's name")
    }
    version = try unsafe reader.text(table.pointee.version, "version")
    summary = try unsafe reader.text(table.pointee.summary, "summary")
    let list = try unsafe Self.factory(table, path)
    var behaviors: [BehaviorDescription] = []
    var tables: [UnsafePointer<header_behavior>] = unsafe []
    for index in list.indices {
      guard let behavior = unsafe list[index] else {
        throw .refused(path, check: "table", "behaviors[\(index)] is missing")
      }
      reader.place = "behaviors[\(index)]"
      behaviors.append(try unsafe reader.behavior(behavior, plugin: name))
      unsafe tables.append(behavior)
    }
    if let twice = Plugin.duplicate(behaviors.map(\.name)) {
      throw .refused(path, check: "table", "it offers behavior \"\(twice)\" twice")
    }
    self.behaviors = behaviors
    unsafe self.tables = tables
  }

  /// The tables of the plugin's behaviors.
  private static func factory(
    _ table: UnsafePointer<header_plugin>, _ path: String
  ) throws(HeaderError) -> UnsafeBufferPointer<UnsafePointer<header_behavior>?> {
    guard let getFactory = unsafe table.pointee.get_factory, let raw = unsafe getFactory(HEADER_BEHAVIOR_FACTORY) else {
      throw .refused(path, check: "table", "it offers no behaviors (no factory \(HEADER_BEHAVIOR_FACTORY))")
    }
    let factory = unsafe raw.assumingMemoryBound(to: header_behavior_factory.self)
    let size = unsafe (given: Int(factory.pointee.struct_size), known: MemoryLayout<header_behavior_factory>.size)
    guard size.given >= size.known else {
      throw .refused(path, check: "table", "its factory's table is \(size.given) bytes, expected \(size.known)")
    }
    let count = unsafe Int(factory.pointee.count)
    guard (1...256).contains(count), let list = unsafe factory.pointee.behaviors else {
      throw .refused(path, check: "table", "its factory has \(count) behaviors, expected 1 to 256")
    }
    return unsafe UnsafeBufferPointer(start: list, count: count)
  }
}
