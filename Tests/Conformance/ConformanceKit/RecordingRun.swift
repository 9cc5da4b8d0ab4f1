// SPDX-License-Identifier: MIT
//
// A header with a recording on its way through it, step by step. The same for the runner, which compares what it shows
// with what the original showed, and for property tests, which compare runs with each other.

public import HeaderCore
public import HeaderModel
internal import HeaderTestKit
public import PluginHost

/// One run of a recording.
public final class RecordingRun {
  /// What is run.
  public let recording: AdaptedRecording
  /// The header that it runs on, as it is after the latest step.
  public let header: Header
  private var opening = StepOutcome()

  /// Loads the plugins that are not loaded yet and opens the header.
  /// - Throws: `pluginNotFound`, `pluginRefused`, and what `Header.init` throws.
  public init(_ recording: AdaptedRecording, plugins: PluginRegistry) throws(HeaderError) {
    self.recording = recording
    for name in recording.plugins { try plugins.load(name) }
    let description = try recording.description.taking(plugins.presets)
    header = try Header(description, epoch: 1, provider: plugins, recordsCalls: true)
    opening.append(header.state.happened)
  }

  /// Sends a step's events.
  /// - Parameter told: gets each state that came of it.
  /// - Throws: what `Header.apply` throws, and `behaviorFailed` when a delegate had to be bypassed.
  public func perform(_ step: AdaptedStep, told: (borrowing HeaderState) -> Void = { _ in }) throws(HeaderError)
    -> StepOutcome
  {
    var outcome = step.isOpening ? opening : StepOutcome()
    for event in step.events {
      do throws(HeaderError) {
        let answer = try header.receive(event.event, at: event.time, emit: told)
        if let failure = answer.failure { throw failure }
        outcome.answers.append(answer)
      } catch {
        guard step.mayBeRefused, error.name == .callFailed else { throw error }
        outcome.refusal = error
      }
      outcome.append(header.state.happened)
    }
    return outcome
  }

  /// Runs every step; nil when the header showed what the original showed.
  public func firstDifference() -> Difference? {
    for (index, step) in recording.steps.enumerated() {
      do {
        let outcome = try perform(step)
        let difference = Difference(
          step.expect, step.show(header, outcome), within: recording.tolerance, without: recording.leftOut)
        if let difference {
          return difference.at("steps[\(index)] \(step.title)")
        }
      } catch {
        return Difference(place: "steps[\(index)] \(step.title)", reason: error.message)
      }
    }
    return nil
  }
}

extension Difference {
  /// Runs the recording in a file; nil when the header showed what the original showed. One that cannot be run differs.
  public static func first(in path: String, plugins: PluginRegistry) -> Difference? {
    do {
      return try RecordingRun(AdaptedRecording(path: path), plugins: plugins).firstDifference()
    } catch {
      return Difference(place: "", reason: error.message)
    }
  }
}
