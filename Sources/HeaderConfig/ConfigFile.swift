// SPDX-License-Identifier: MIT
//
// A config file as far as it could be read: its settings, its mistakes, and the place of every value. Later checks (users, groups,
// plugins, headers) report at the same places, so that all errors of a file are reported at once.

/// A config file with its settings and its mistakes.
public struct ConfigFile: Sendable {
  /// The settings; a key with a mistake has its default.
  public let config: Config
  /// The mistakes of the file itself, in its order.
  public let errors: [Diagnostic]
  /// Whether it is TOML. If it is not, there are no settings, and the one error says where.
  public let isReadable: Bool
  /// The file's name for messages.
  private let file: String
  private let root: LocatedValue

  /// Reads a whole file.
  /// - Parameters:
  ///   - bytes: the file's contents.
  ///   - file: its name for messages.
  public init(bytes: Span<UInt8>, file: String) {
    self.file = file
    var config = Config()
    do throws(SyntaxError) {
      root = try parseTOML(bytes)
      isReadable = true
      errors = Schema.read(root, into: &config, file: file).sorted { $0.position < $1.position }
        .map { $0.diagnostic(in: file) }
    } catch {
      root = LocatedValue(.table([]), at: error.position)
      isReadable = false
      errors = [Diagnostic(file: file, position: error.position, message: error.message)]
    }
    self.config = config
  }

  /// A sentence about the value at a path such as `roles.publish[1]`, at its place in the file. If the file has no such value,
  /// the place is that of the last value on the way to it.
  public func diagnostic(at path: String, _ message: String) -> Diagnostic {
    Diagnostic(file: file, position: root.position(of: path), message: "\(path): \(message)")
  }
}
