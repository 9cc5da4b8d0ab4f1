// SPDX-License-Identifier: MIT
//
// Recordings of the originals by their paths.

public import HeaderCore
public import HeaderOriginals

extension OriginalRecording {
  /// Reads a file.
  /// - Throws: `parseError`, `invalidParams` naming the field.
  public init(path: String) throws(HeaderError) {
    guard let bytes = Files.read(path) else { throw HeaderError(.parseError, "the file cannot be read") }
    try self.init(bytes)
  }
}

extension AdaptedRecording {
  /// Reads and adapts a file.
  public init(path: String) throws(HeaderError) { try self.init(try OriginalRecording(path: path)) }
}
