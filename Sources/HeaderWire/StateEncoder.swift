// SPDX-License-Identifier: MIT
//
// The rare parts of a header's state as JSON (headerd-states(7)), straight from the header's record into the
// writer's bytes. StateTemplate.swift writes the state itself, and asks for these where a state has them.
//
//     {"jsonrpc":"2.0","method":"state","params":{"header":"main","epoch":…,"seq":58,…,"values":{…},"notices":[…]}}⏎
//                                                 ╰──────────────── positions ────────────────╯╰─── what happened ──╯
//                                                                                              ╰ `lists`: where it begins
//
// An absent field has its default, so most states are short. Positions do not depend on the subscription; lists do (routine
// notices, calls). A waiting state that gathers the lists of the states it replaced keeps the newest positions byte for byte
// (ConflatedLists.swift). Therefore the encoder returns where the lists begin.

internal import CHeaderWire
package import HeaderModel

/// Writes states as JSON and as frames.
public enum StateEncoder {
  /// The parts that a reader asked for, and whether this is its first state of the header.
  public struct Parts: OptionSet, Hashable, Sendable {
    /// One bit for each part.
    public var rawValue: UInt8
    /// Creates the set of the parts whose bits are set.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// States include routine notices.
    public static let routine = Parts(rawValue: 1)
    /// The delegates that were asked.
    public static let calls = Parts(rawValue: 2)
    /// The first state of a subscription: positions alone, nothing happened.
    public static let snapshot = Parts(rawValue: 4)
    /// Positions alone, as `header.get` shows them.
    public static let positionsOnly = Parts(rawValue: 8)
    /// Why the state is there.
    public static let explanation = Parts(rawValue: 16)
    /// Also where the content alone has moved: not a part of a state, but a reason for one.
    public static let contentOffset = Parts(rawValue: 32)
    /// How it goes on.
    public static let ahead = Parts(rawValue: 64)
  }

  /// Writes flags and parts that few states have.
  @inline(never)
  package static func flags(_ state: borrowing HeaderState, _ writer: inout JSONWriter) {
    if state.scrollViews.count != 1 || state.trackingScrollView != 0 {
      writer.key("trackingScrollView")
      Place<Int16>(state.trackingScrollView, of: state.names.scrollViews).write(to: &writer)
    }
    guard state.framesActive else { return }
    writer.key("framesActive")
    writer.bool(true)
  }

  /// The elements that a delegate has changed, of those that are chosen.
  @inline(never)
  package static func elements(
    _ state: borrowing HeaderState, _ chosen: StateSelection.Choice, _ names: HeaderNames, _ writer: inout JSONWriter
  ) {
    let elements = state.elements
    writer.list("elements", elements.indices) {
      elements[$0].isChanged && chosen.includes(names.elements[$0])
    } _: { writer, index in
      writer.object(header_wire_element(), (elements[index], names), named: names.elements[index])
    }
  }

  @inline(never)
  package static func wants(_ state: borrowing HeaderState, _ selection: StateSelection?, _ writer: inout JSONWriter) {
    let wants = selection?.chosen(state.wants) ?? state.wants
    if wants.isNothing { return }
    writer.key("wants")
    writer.object(header_wire_wants(), wants)
  }

  /// What holds the header from above its behaviors.
  @inline(never)
  package static func position(_ state: borrowing HeaderState, _ writer: inout JSONWriter) {
    guard state.hasPosition, let report = state.position else { return }
    writer.key("position")
    writer.object(header_wire_position(), report)
  }

  // MARK: - What happened

  /// Whether something happened that subscribers with these parts are sent.
  package static func hasNews(_ happened: HeaderState.Happened, _ parts: Parts) -> Bool {
    !happened.commands.isEmpty || !happened.animations.isEmpty
      || happened.notices.contains { parts.contains(.routine) || !$0.isRoutine }
      || parts.contains(.calls) && !happened.calls.isEmpty
      || parts.contains(.explanation) && happened.explanation != nil
  }

  package static func happened(
    _ state: borrowing HeaderState, _ parts: Parts, _ names: HeaderNames, _ writer: inout JSONWriter
  ) {
    let happened = state.happened
    writer.list("notices", happened.notices) {
      parts.contains(.routine) || !$0.isRoutine
    } _: {
      $0.object(header_wire_notice(), ConflatedLists.Notice($1, names))
    }
    writer.list("commands", happened.commands) { $0.object(header_wire_command(), ($1, names)) }
    writer.list("animations", happened.animations) { $0.object(header_wire_animation(), ($1, names)) }
    if parts.contains(.calls) { writer.list("calls", happened.calls) { $0.object(header_wire_call(), ($1, names)) } }
    if parts.contains(.explanation), let explanation = happened.explanation {
      writer.member("explanation", .record(explanation.record))
    }
  }
}

extension PositionReport {
  /// The constraints that hold the header, as states have them.
  package var constraintsValue: Value {
    .list(
      constraints.map { constraint in
        var row: Value.Record = ["name": .text(constraint.name), "permitted": constraint.permittedValue]
        // The engine's own ranks above every priority.
        if constraint.priority != 0, Constraint.priorities.contains(constraint.priority) {
          row["priority"] = .number(Double(constraint.priority))
        }
        row["holder"] = constraint.holder.map { .text($0) }
        return .record(row)
      })
  }
}
