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
  }

  /// Writes flags and parts that few states have.
  @inline(never)
  package static func flags(_ state: borrowing HeaderState, _ writer: inout JSONWriter) {
    if state.scrollViews.count != 1 || state.trackingScrollView != 0 {
      writer.key("trackingScrollView")
      writer.name(state.trackingScrollView, of: state.names.scrollViews)
    }
    writer.flag("framesActive", state.framesActive)
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
      element(elements[index], names.elements[index], names, &writer)
    }
  }

  private static func element(_ element: Element, _ name: String, _ names: HeaderNames, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("name", name)
    writer.member("drawer", names.drawers[Int(element.drawer)])
    writer.member("center", element.center)
    writer.member("bounds", element.bounds)
    writer.key("frame")
    if let frame = element.frame { writer.rect(frame) } else { writer.null() }
    if element.transform != .identity {
      writer.key("transform")
      writer.beginArray()
      let transform = element.transform
      row(transform.row1, &writer)
      row(transform.row2, &writer)
      row(transform.row3, &writer)
      row(transform.row4, &writer)
      writer.endArray()
    }
    if element.alpha != 1 { writer.member("alpha", JSONWriter.shortest(element.alpha)) }
    writer.flag("hidden", element.isHidden)
    writer.number("zIndex", element.zIndex, unless: 0)
    writer.number("cornerRadius", element.cornerRadius, unless: 0)
    writer.endObject()
  }

  /// Row by row: an array of the numbers would be an allocation for each such element in each state.
  private static func row(_ row: Transform.Row, _ writer: inout JSONWriter) {
    writer.number(row.m1)
    writer.number(row.m2)
    writer.number(row.m3)
    writer.number(row.m4)
  }

  /// Writes the header's wishes to its surroundings.
  @inline(never)
  package static func wants(_ state: borrowing HeaderState, _ selection: StateSelection?, _ writer: inout JSONWriter) {
    let wants = selection?.chosen(state.wants) ?? state.wants
    if wants.isNothing { return }
    writer.key("wants")
    writer.beginObject()
    writer.flag("prefersStatusBarHidden", wants.prefersStatusBarHidden)
    if let style = wants.preferredStatusBarStyle { writer.member("preferredStatusBarStyle", style.rawValue) }
    if let inset = wants.additionalSafeAreaInset {
      writer.key("additionalSafeAreaInset")
      writer.piece(atMost: ByteCursor.maxShape) { $0.put(inset) }
    }
    if let length = wants.topLayoutGuideLength { writer.member("topLayoutGuideLength", length) }
    writer.endObject()
  }

  /// What holds the header from above its behaviors.
  @inline(never)
  package static func position(_ state: borrowing HeaderState, _ writer: inout JSONWriter) {
    guard state.hasPosition, let report = state.position else { return }
    writer.key("position")
    writer.beginObject()
    writer.member("progress", report.position.progress)
    writer.member("traveled", report.position.traveled)
    writer.member("travel", report.position.travel)
    if let motion = report.motion {
      writer.key("motion")
      writer.integer(motion)
    }
    if !report.constraints.isEmpty {
      writer.key("permitted")
      writer.value([.number(report.permitted.lowerBound), .number(report.permitted.upperBound)])
      writer.key("constraints")
      writer.value(report.constraintsValue)
    }
    if let obstruction = report.obstruction {
      writer.key("obstruction")
      writer.piece(atMost: ByteCursor.maxShape) { $0.put(obstruction) }
    }
    writer.endObject()
  }

  // MARK: - What happened

  /// Writes the notices, commands, animations and calls of a state.
  package static func happened(
    _ state: borrowing HeaderState, _ parts: Parts, _ names: HeaderNames, _ writer: inout JSONWriter
  ) {
    let happened = state.happened
    writer.list("notices", happened.notices.indices) {
      parts.contains(.routine) || !happened.notices[$0].isRoutine
    } _: { writer, index in
      let notice = happened.notices[index]
      writer.notice(
        state.word(for: notice), of: names.delegate(of: notice), notice.arguments, count: 1,
        isRoutine: notice.isRoutine)
    }
    writer.list("commands", happened.commands) { $0.command($1, names) }
    writer.list("animations", happened.animations) { $0.animation($1, names) }
    if parts.contains(.calls) { writer.list("calls", happened.calls) { $0.call($1, names) } }
    if parts.contains(.explanation), let explanation = happened.explanation { writer.explanation(explanation) }
  }
}

extension JSONWriter {
  mutating func explanation(_ explanation: HeaderState.Explained) {
    key("explanation")
    value(.record(explanation.record))
  }
}

extension PositionReport {
  /// The members that a frame has behind a position's numbers.
  package var more: Value.Record {
    var record = Value.Record()
    if !constraints.isEmpty { record["constraints"] = constraintsValue }
    record["obstruction"] = obstruction?.value
    return record
  }

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
