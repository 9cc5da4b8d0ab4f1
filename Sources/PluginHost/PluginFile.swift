// SPDX-License-Identifier: MIT
//
// A plugin's file, copied into memory for processes that load it: what becomes of the file does not concern them.

private import Glibc
internal import HeaderCore

/// The content of a plugin's file.
public final class PluginFile: Sendable {
  /// The plugin's name.
  public let name: String
  /// Where the file was.
  public let path: String
  /// The copy, which can be handed on to another process.
  public let descriptor: Int32

  /// Copies a file.
  /// - Parameter expected: the content that it must have.
  /// - Throws: `pluginRefused`.
  init(
    _ path: String, name: String, ownership: PluginOwnership, content expected: UInt64
  ) throws(HeaderError) {
    let (copy, length) = try LoadedLibrary.copy(path, ownership)
    self.name = name
    self.path = path
    descriptor = copy
    guard FileContent.hash(copy, size: length) == expected else { throw .changed(path) }
    // As a file that only its owner may read, which every process of that owner takes.
    fchmod(copy, 0o400)
  }

  deinit { close(descriptor) }
}
