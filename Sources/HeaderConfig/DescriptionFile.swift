// SPDX-License-Identifier: MIT
//
// A TOML file from which a header is opened by hand: `[[header]]` tables as in headerd.toml(5), whose other tables are ignored, or the
// keys of one description at the top.

internal import HeaderModel

/// The headers that a TOML file describes.
public struct DescriptionFile: Sendable {
  /// The headers in the order of the file, with unique names.
  public let headers: [ConfiguredHeader]

  /// Reads a whole file.
  /// - Parameters:
  ///   - bytes: the file's contents.
  ///   - file: its name for messages.
  /// - Throws: all that is wrong with it as TOML and as a config; descriptions are not decoded.
  public init(bytes: Span<UInt8>, file: String) throws(ConfigErrors) {
    var headers: [ConfiguredHeader] = []
    try readConfig(bytes, file: file) { root in
      guard Self.isOneDescription(root) else {
        var config = Config()
        let complaints = Schema.read(root, into: &config, file: file)
        headers = config.headers
        return complaints
      }
      var complaints: [Complaint] = []
      let value = plainValue(of: root, &complaints)
      headers = [ConfiguredHeader(value: value, source: root, path: "", file: file)]
      // Paths are made for values below others: ".drawers[0]".
      return complaints.map { Complaint(position: $0.position, path: String($0.path.dropFirst()), message: $0.message) }
    }
    self.headers = headers
  }

  /// Whether the file is one description: its key `header` is a name, where a config has a list of headers.
  private static func isOneDescription(_ root: LocatedValue) -> Bool {
    guard case .table(let entries) = root.content else { return false }
    guard let header = entries.first(where: { $0.key == Schema.headerSection }) else { return true }
    if case .text = header.value.content { return true }
    return false
  }
}

extension ConfiguredHeader {
  /// The mistakes of the description itself, as far as it is decoded without its behaviors.
  public var mistakes: [Diagnostic] { diagnostics(of: DescriptionTrial(value)) }

  /// All that a trial of this description has found, in the order of the file.
  public func diagnostics(of trial: DescriptionTrial) -> [Diagnostic] {
    (trial.errors.map(diagnostic(for:)) + trial.unknown.map(diagnostic(for:))).sorted { $0.position < $1.position }
  }
}
