// SPDX-License-Identifier: MIT
//
// A recording in our words: the header to open, and for each step of the original the events that stand for it. Adapters
// rename, convert coordinates and split; they compute no behavior.
//
//     original  scene, options ─▶ HeaderDescription        step ─▶ one event, several, or none
//     ours                        Header ◀─────────────────────── TimedEvent
//                                 state, what happened ─▶ `show` ─▶ in the original's words ─▶ compared with `expect`

public import HeaderCore
public import HeaderModel

/// A recording, ready to be run.
public struct AdaptedRecording: Sendable {
  /// What it shows, in a sentence.
  public var title: String
  /// Plugins that offer the description's behaviors.
  public var plugins: [String]
  /// The header that the steps are for.
  public var description: HeaderDescription
  /// In the order of the recording.
  public var steps: [AdaptedStep]
  /// How near numbers must be.
  public var tolerance = Tolerance()
  /// What is not compared.
  public var leftOut: [LeftOut] = []
}

/// One step of the original.
public struct AdaptedStep: Sendable {
  /// Its event and time, for messages.
  public var title: String
  /// The events that stand for it, in order.
  public var events: [TimedEvent]
  /// What the original showed after it.
  public var expect: Value
  /// The step is the header's opening: it has no events, what happened at opening belongs to it.
  public var isOpening: Bool
  /// The original may refuse it, and `show` says so; a refusal is otherwise a failure of the run.
  public var mayBeRefused = false
  /// What our header shows after the step, in the original's words.
  public var show: @Sendable (Header, StepOutcome) -> Value
}

/// What happened during one step, event after event.
public struct StepOutcome: Sendable {
  /// What delegates told, in the order in which it happened.
  public var notices: [HeaderState.Notice] = []
  /// What the publisher was asked to do, in order.
  public var commands: [HeaderState.Command] = []
  /// The animations that began, in order.
  public var animations: [HeaderState.Animation] = []
  /// Every delegate that was asked, in order.
  public var calls: [HeaderState.Call] = []
  /// What was decided about each event.
  public var answers: [EventAnswer] = []
  /// A delegate refused the call that the step is.
  public var refusal: HeaderError?

  /// Nothing yet.
  public init() {}

  /// Takes over what one event brought about.
  public mutating func append(_ happened: HeaderState.Happened) {
    notices += happened.notices
    commands += happened.commands
    animations += happened.animations
    calls += happened.calls
  }
}

extension AdaptedRecording {
  private typealias Adapter = (system: String, adapt: (OriginalRecording) throws(HeaderError) -> AdaptedRecording)

  private static var adapters: [Adapter] {
    [
      (ShyNavBarAdapter.system, ShyNavBarAdapter.adapt),
      (StretchyHeaderAdapter.system, StretchyHeaderAdapter.adapt),
      (FlexibleHeaderAdapter.system, FlexibleHeaderAdapter.adapt),
      (FlexibleHeightBarAdapter.system, FlexibleHeightBarAdapter.adapt),
      (HeadroomAdapter.system, HeadroomAdapter.adapt),
      (ReactHeadroomAdapter.system, ReactHeadroomAdapter.adapt),
      (ComposeAdapter.system, ComposeAdapter.adapt),
      (ScrollBarAdapter.system, ScrollBarAdapter.adapt),
      (ScrollingNavbarAdapter.system, ScrollingNavbarAdapter.adapt),
      (AppBarAdapter.system, AppBarAdapter.adapt),
      (SliverAdapter.system, SliverAdapter.adapt),
      (BrowserControlsAdapter.system, BrowserControlsAdapter.adapt),
    ]
  }

  /// The systems whose recordings can be adapted.
  public static var systems: [String] { adapters.map(\.system) }

  /// Reads and adapts a file.
  public init(path: String) throws(HeaderError) { try self.init(try OriginalRecording(path: path)) }

  /// Adapts a recording by its system.
  /// - Throws: `unsupported` for a system without an adapter, and whatever the adapter cannot read.
  public init(_ recording: OriginalRecording) throws(HeaderError) {
    guard let adapter = Self.adapters.first(where: { $0.system == recording.system }) else {
      let known = Self.adapters.map(\.system).joined(separator: ", ")
      throw HeaderError(
        .unsupported, "system: there is no adapter for \"\(recording.system)\", there is one for \(known)",
        field: "system", got: .text(recording.system))
    }
    self = try adapter.adapt(recording)
  }
}
