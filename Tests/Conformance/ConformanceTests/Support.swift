// SPDX-License-Identifier: MIT
//
// Where the copied recordings lie, and where the plugins that the build made.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import PluginHost

/// The recordings in this repository.
enum Copies {
  private static let root = #filePath.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" }
  static let folder = root + "/Traces"
  static let paths = Files.recordings(under: folder)
  static let neighborFolder = root + "/Neighbors"
  static let byLaw = Files.recordings(under: root + "/ByLaw")
  static let neighborPage = root + "/NEIGHBORS.md"
  /// Those of the originals, and of each neighbor a few that can be opened and are short.
  static let all = paths + neighbors

  private static let neighbors: [String] = {
    var taken: [String: Int] = [:]
    return Files.recordings(under: neighborFolder).filter { path in
      guard let recording = try? AdaptedRecording(path: path), recording.steps.count <= 60,
        (try? RecordingRun(recording, plugins: plugins())) != nil
      else { return false }
      let system = path.split(separator: "/").dropLast().last.map(String.init) ?? ""
      taken[system, default: 0] += 1
      return taken[system] ?? 0 <= 4
    }
  }()

  /// The plugins lie where the test program does. Both are loaded here, once; from then on a registry is only read, so
  /// that tests may share it across threads. A plugin that cannot be loaded is missed, and told, by each test that needs it.
  private nonisolated(unsafe) static let loaded: PluginRegistry = {
    let plugins = PluginRegistry(folders: [Files.ofThisProgram])
    for name in [
      "ShyNavBar", "StretchyHeader", "FlexibleHeader", "FlexibleHeightBar", "Keyframes", "CollapsingHeader",
      "OriginalDelegate",
    ] { _ = try? plugins.load(name) }
    plugins.presets = presets(in: root + "/../../config/presets").presets
    return plugins
  }()

  /// The loaded plugins.
  static func plugins() -> PluginRegistry { unsafe loaded }
}

/// A run that keeps the text of each state.
struct Story: Equatable {
  /// What was told, state by state.
  var told: [String] = []
  /// What the header showed after each event, whether a state was told or not.
  var shown: [String] = []

  /// Runs a whole recording.
  init(_ recording: AdaptedRecording, _ plugins: PluginRegistry) throws {
    let run = try RecordingRun(recording, plugins: plugins)
    shown.append(run.header.state.text)
    for step in recording.steps {
      for event in step.events { try add(event, to: run.header, mayBeRefused: step.mayBeRefused) }
    }
  }

  init() {}

  mutating func add(_ event: TimedEvent, to header: Header, mayBeRefused: Bool = false) throws {
    var told: [String] = []
    do throws(HeaderError) {
      _ = try header.receive(event.event, at: event.time) { told.append($0.text) }
    } catch {
      guard mayBeRefused, error.name == .callFailed else { throw error }
    }
    self.told += told
    shown.append(header.state.text)
  }
}
