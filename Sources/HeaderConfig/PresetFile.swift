// SPDX-License-Identifier: MIT
//
// Preset files: NAME.toml in a folder of presets.
//
//     behavior = "CollapsingHeader"
//     summary = "What it does, in a sentence."
//
//     [options]
//     consumes = "whole"
//
// Options that the behavior does not know are reported where the preset is used, as if they had been given there.

public import HeaderModel

extension Preset {
  /// Reads a preset's file.
  /// - Parameters:
  ///   - bytes: the file's contents.
  ///   - file: its path, for messages; its last part without `.toml` is the preset's name.
  /// - Throws: all that is wrong with it.
  public init(bytes: Span<UInt8>, file: String) throws(ConfigErrors) {
    let last = file.split(separator: "/").last.map(String.init) ?? file
    let name = last.hasSuffix(".toml") ? String(last.dropLast(5)) : last
    var preset = Preset(name: name, behavior: "", summary: "", options: Value.Record())
    try readConfig(bytes, file: file) { root in
      guard Names.isName(name) else {
        let message = "a preset's name is a letter, then letters, digits, _ and -, at most 64 bytes"
        return [Complaint(position: root.position, message: message)]
      }
      return preset.read(root)
    }
    self = preset
  }

  private mutating func read(_ root: LocatedValue) -> [Complaint] {
    guard case .table(let entries) = root.content else { return [] }
    var complaints: [Complaint] = []
    for entry in entries {
      switch entry.key {
      case "behavior": behavior = complaints.reading(entry.value, at: entry.key, Schema.pluginName) ?? behavior
      case "summary":
        if case .text(let text) = entry.value.content {
          summary = text
        } else {
          complaints.append(.expected("a sentence", got: entry.value, path: entry.key))
        }
      case "options":
        if case .record(let record) = plainValue(of: entry.value, path: entry.key, &complaints) {
          options = record
        } else {
          complaints.append(.expected("a table", got: entry.value, path: entry.key))
        }
      default:
        complaints.append(
          .unknown("key", entry, path: entry.key, among: ["behavior", "summary", "options"]))
      }
    }
    if behavior.isEmpty, complaints.isEmpty {
      complaints.append(Complaint(position: root.position, message: "behavior: it is missing"))
    }
    return complaints
  }
}

/// The presets in some folders, and the mistakes in other files.
public struct PresetShelf: Sendable {
  /// Sorted by name; of two of one name the one in the earlier folder.
  public private(set) var presets: [Preset] = []
  /// The mistakes in files that were left out.
  public private(set) var problems: [Diagnostic] = []

  /// Reads all files of the folders.
  /// - Parameters:
  ///   - folders: the first one winning; they need not exist.
  ///   - names: the names in a folder, none when there is no such folder.
  ///   - read: the contents of a file; nil when it is no regular one, cannot be read or is too large.
  public init(folders: [String], names: (String) -> [String], read: (String) -> [UInt8]?) {
    for folder in folders {
      for name in names(folder).sorted() where name.hasSuffix(".toml") && !name.hasPrefix(".") {
        let path = "\(folder)/\(name)"
        guard let bytes = read(path) else {
          let start = LocatedValue.Position(line: 1, column: 1)
          let message = "the file is no regular file, cannot be read, or is larger than \(Config.largestFile) bytes"
          problems.append(Diagnostic(file: path, position: start, message: message))
          continue
        }
        do {
          let preset = try Preset(bytes: bytes.span, file: path)
          if !presets.contains(where: { $0.name == preset.name }) { presets.append(preset) }
        } catch {
          problems += error.diagnostics
        }
      }
    }
    presets.sort { $0.name < $1.name }
  }
}
