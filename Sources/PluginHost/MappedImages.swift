// SPDX-License-Identifier: MIT
//
// The images that the loader has mapped: one for each content, never unmapped, and limited in number. An image takes at
// least five mappings of the 65,530 that the kernel allows a process (vm.max_map_count); once they are used up, any
// allocation can fail.

internal import CHeaderPlugin
internal import HeaderModel

@safe final class MappedImages {
  let max: Int
  private var handles: [UInt64: UnsafeMutableRawPointer] = unsafe [:]
  private var tables: [UInt64: UnsafePointer<header_plugin>] = unsafe [:]

  init(max: Int) { self.max = max }

  var count: Int { unsafe handles.count }

  /// The loader's handle of a content, mapped by `open` if there is none yet.
  /// - Throws: `limitExceeded`, and what `open` throws.
  func handle(
    _ content: UInt64, _ path: String, _ open: () throws(HeaderError) -> UnsafeMutableRawPointer
  ) throws(HeaderError) -> UnsafeMutableRawPointer {
    if let present = unsafe handles[content] { return unsafe present }
    guard count < max else {
      throw HeaderError(
        .limitExceeded,
        "\(path): \(max) copies of plugins are loaded, and one stays loaded as long as the daemon lives",
        hint: "restart the daemon to load another version",
        facts: ["limit": ["name": "pluginCopies", "value": .number(Double(max))]])
    }
    let handle = try unsafe open()
    unsafe handles[content] = handle
    return unsafe handle
  }

  /// The table of a mapped content, which `ask` asks its entry for if it has not been asked successfully yet. So no instance of
  /// a library runs while its entry does.
  func table(
    of content: UInt64, _ ask: () throws(HeaderError) -> UnsafePointer<header_plugin>
  ) throws(HeaderError) -> UnsafePointer<header_plugin> {
    if let present = unsafe tables[content] { return unsafe present }
    let table = try unsafe ask()
    unsafe tables[content] = table
    return unsafe table
  }
}
