// SPDX-License-Identifier: MIT
//
// The images that the loader has mapped. None is ever unmapped, so there is one for each content and not one for each
// load, and there is a bound: an image takes five mappings or more, of which the kernel gives a process 65,530
// (vm.max_map_count), and what needs one when they are used up fails anywhere, such as in an allocation.

internal import HeaderCore

/// Mapped libraries by their content.
@safe final class MappedImages {
  /// How many there may be.
  let max: Int
  private var handles: [UInt64: UnsafeMutableRawPointer] = unsafe [:]

  init(max: Int) { self.max = max }

  /// How many there are.
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
}
