// SPDX-License-Identifier: MIT
//
// The page of what CollapsingHeader does as its neighbors do it: how many recordings of each system pass as a whole, which do not
// and why, and which fields are not compared. Made from a run of the recordings; a test holds the page against one.

private import HeaderModel
public import PluginHost

/// How the recordings of the neighbors fared.
public struct NeighborPage: Sendable {
  /// One recording.
  public struct Row: Sendable {
    /// Its system's folder.
    public var system: String
    /// Its file's name.
    public var file: String
    /// What it shows.
    public var title: String
    /// The first difference; nil: it passes as a whole.
    public var difference: String?
  }

  /// In the order of the files.
  public private(set) var rows: [Row] = []
  private var leftOut: [(system: String, fields: [LeftOut])] = []

  /// Runs all recordings under a folder.
  public init(folder: String, plugins: PluginRegistry) {
    for path in Files.recordings(under: folder) {
      let parts = path.split(separator: "/").suffix(2).map(String.init)
      var row = Row(system: parts.first ?? "", file: parts.last ?? path, title: "", difference: nil)
      do {
        let original = try OriginalRecording(path: path)
        row.title = original.title
        let recording = try AdaptedRecording(original)
        if !leftOut.contains(where: { $0.system == row.system }) { leftOut.append((row.system, recording.leftOut)) }
        row.difference = try RecordingRun(recording, plugins: plugins).firstDifference()?.description
      } catch {
        row.difference = error.message
      }
      rows.append(row)
    }
  }

  /// The systems, in the order of their folders.
  public var systems: [String] {
    var found: [String] = []
    for row in rows where found.last != row.system { found.append(row.system) }
    return found
  }

  /// How many of a system's recordings there are, and how many pass.
  public func count(of system: String) -> (all: Int, passed: Int) {
    let own = rows.filter { $0.system == system }
    return (own.count, own.filter { $0.difference == nil }.count)
  }

  /// Why recordings do not pass, by system and the first part of the file's name; a row without one is a defect.
  private static let reasons = [
    "app-bar-layout/13": "Our drawers have no minimum height above their height: the description is refused.",
    "compose-top-app-bar/19":
      "Before the bar is measured Compose has the most negative float for a limit; a drawer's height is a length.",
  ]

  /// The reason why a recording does not pass.
  public static func reason(_ row: Row) -> String? { reasons["\(row.system)/\(row.file.prefix { $0 != "-" })"] }

  /// The page.
  public var text: String {
    var lines = [
      "# What passes of the neighbors' recordings", "",
      "Made by `make manual` from a run of all recordings in `Tests/Conformance/Neighbors`; do not edit. Each is run with the behavior",
      "CollapsingHeader and a preset (`config/presets`), by an adapter that renames and computes nothing. A recording passes if every",
      "field of every step is within the recording's own tolerance, but for the fields below that no header shows.", "",
      "| system | recordings | pass as a whole |", "| --- | ---: | ---: |",
    ]
    for system in systems {
      let (all, passed) = count(of: system)
      lines.append("| \(system) | \(all) | \(passed) |")
    }
    lines += ["", "## Those that do not pass", "", "| recording | first difference | reason |", "| --- | --- | --- |"]
    for row in rows {
      guard let difference = row.difference else { continue }
      let reason = Self.reason(row) ?? "A defect."
      lines.append("| \(row.system)/\(row.file.dropLast(5)) | \(difference) | \(reason) |")
    }
    lines += ["", "## Fields that are not compared", "", "| system | field | reason |", "| --- | --- | --- |"]
    for (system, fields) in leftOut {
      for field in fields { lines.append("| \(system) | `\(field.name)` | \(field.reason) |") }
    }
    lines.append("| all | `internal` | what the original keeps to itself |")
    lines += ["", "## The laws, one by one", "", "| system | law | CollapsingHeader |", "| --- | --- | --- |"]
    for (system, laws) in NeighborLaw.all {
      for law in laws { lines.append("| \(system) | \(law.text) | \(law.place.text) |") }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
