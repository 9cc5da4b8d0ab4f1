// SPDX-License-Identifier: MIT
//
// A plugin's file, copied into memory for processes that load it. Later changes of the file do not affect them, and none of them can
// change the copy, which is sealed before its content is looked at.

private import Glibc
public import HeaderModel

/// The content of a plugin's file.
public final class PluginFile: Sendable {
  /// The plugin's name.
  public let name: String
  /// The path that the file was read from.
  public let path: String
  /// The copy, which can be handed on to another process.
  public let descriptor: Int32
  /// A number for the content.
  public let content: UInt64

  /// Copies a file.
  /// - Throws: `pluginRefused` with the check that failed: `owner`, `permissions`, or `load`: it is not whole.
  public convenience init(_ path: String) throws(HeaderError) { try self.init(path, ownership: .ofThisProcess) }

  /// - Parameter expected: the content that it must have; nil: any.
  init(_ path: String, ownership: PluginOwnership, content expected: UInt64? = nil) throws(HeaderError) {
    let (copy, length) = try LoadedLibrary.copy(path, ownership)
    name = Plugin.name(ofFile: path)
    self.path = path
    descriptor = copy
    content = FileContent.hash(copy, size: length)
    if let objection = FileContent.objection(copy, size: length) { throw .refused(path, check: "load", objection) }
    if let expected, content != expected { throw .changed(path) }
    // As a file that only its owner may read, which every process of that owner takes.
    fchmod(copy, 0o400)
  }

  deinit { close(descriptor) }
}
