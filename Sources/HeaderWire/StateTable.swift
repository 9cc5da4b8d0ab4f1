// SPDX-License-Identifier: MIT
//
// The members of the records of a state, one row each. The visitors in StateMembers.swift make of it lines, frames, frames of
// lines, and the schema:
//
//     v.member("alpha", &wire.alpha, drawer().alpha, .unless(1))
//     │         │        │            │               ╰ a line has it unless it is 1; 1 is the schema's default
//     │         │        │            ╰ Drawer.alpha
//     │         │        ╰ header_wire_drawer.alpha
//     │         ╰ its name in lines
//     ╰ the visitor
//
// Rows have the order of the line. The order of a state's parts is in StateTemplate.swift for lines and in
// StateEncoder+Frame.swift for frames; StateTableTests checks both against the tables.

internal import CHeaderWire
internal import HeaderModel

extension header_wire_state {
  /// The members before the drawers, without the header's name.
  @inline(__always)
  static func members<V: StateMembers & ~Copyable>(
    _ v: inout V, _ wire: inout Self, _ state: borrowing HeaderState, _ parts: StateEncoder.Parts
  ) {
    v.member("epoch", &wire.epoch, Count(number: Int(state.epoch)))
    v.member("seq", &wire.seq, Count(number: Int(state.seq)), is: "1 after opening, one more for each state")
    v.member("time", &wire.time, state.time, is: "header time of the event or frame that made it")
    v.flag(
      "snapshot", &wire.flags, HEADER_WIRE_SNAPSHOT, parts.contains(.snapshot), is: "the first one of a subscription")
    v.member(
      "trackingScrollView", &wire.tracking_scroll_view, Place(state.trackingScrollView, of: state.names.scrollViews),
      .only(if: state.scrollViews.count != 1 || state.trackingScrollView != 0), in: .nullable,
      is: "whose events reach the delegates; the only one's if absent")
    v.flag("framesActive", &wire.flags, HEADER_WIRE_FRAMES_ACTIVE, state.framesActive, is: "a motion makes frames")
  }
}

extension header_wire_drawer: NamedRecord {
  static var sample: Drawer { Drawer(frame: Rect()) }

  @inline(__always)
  static func members<V: StateMembers & ~Copyable>(_ v: inout V, _ wire: inout Self, _ drawer: () -> Drawer) {
    v.member("frame", &wire.frame, drawer().drawnFrame, is: "where to draw it, in header space")
    v.member("alpha", &wire.alpha, drawer().alpha, .unless(1))
    v.flag("hidden", &wire.flags, HEADER_WIRE_HIDDEN, drawer().isHidden)
    v.member("zIndex", &wire.z_index, drawer().zIndex, .unless(0))
    v.member("translation", &wire.translation, drawer().translation, .unless(Point()))
  }
}

extension header_wire_scroll_view: NamedRecord {
  static var sample: ScrollView { ScrollView() }

  @inline(__always)
  static func members<V: StateMembers & ~Copyable>(_ v: inout V, _ wire: inout Self, _ view: () -> ScrollView) {
    v.member(
      "contentOffset", &wire.content_offset, view().contentOffset,
      is: "where the content is, the header's own moves included")
    v.member("contentInset", &wire.content_inset, view().contentInset, is: "space around the content")
    v.member(
      "scrollIndicatorInsets", &wire.scroll_indicator_insets, view().scrollIndicatorInsets,
      .unless(view().contentInset), is: "insets of its scroll indicators; the content inset if absent")
    v.member(
      "adjustedContentInset", &wire.adjusted_content_inset, view().adjustedContentInset, .unless(view().contentInset),
      is: "the content inset with the safe area")
    if v.member(
      "frame", &wire.frame, view().frame, .only(if: view().decidesFrame),
      is: "where it is; absent unless a behavior decides it")
    {
      wire.flags |= UInt16(HEADER_WIRE_DECIDES_FRAME)
    }
    if v.member(
      "contentSize", &wire.content_size, view().contentSize, .only(if: view().decidesContentSize),
      is: "the size of its content; absent unless a behavior decides it")
    {
      wire.flags |= UInt16(HEADER_WIRE_DECIDES_CONTENT_SIZE)
    }
    v.member(
      "correction", &wire.correction, view().correction, .steady(unless: Point()),
      is: "the total of the header's own moves of the offset in this epoch")
  }
}

extension header_wire_element: NamedRecord {
  typealias Source = (element: Element, names: HeaderNames)
  static var sample: Source { (Element(drawer: 0, frame: Rect()), .sample) }

  static func members<V: StateMembers & ~Copyable>(_ v: inout V, _ wire: inout Self, _ source: () -> Source) {
    let (element, names) = source()
    var nothing: Void = ()
    v.member("drawer", &wire.drawer, Place(element.drawer, of: names.drawers))
    v.member("center", &wire.center, element.center)
    v.member("bounds", &wire.bounds, element.bounds)
    v.member("frame", &wire.frame, element.frame, is: "its frame in the drawer; null: the transform decides")
    let isTransformed = v.member("transform", &nothing, element.transform, .only(if: element.transform != .identity))
    wire.flags |= UInt16(isTransformed ? HEADER_WIRE_HAS_TRANSFORM : HEADER_WIRE_HAS_FRAME)
    v.member("alpha", &wire.alpha, element.alpha, .unless(1))
    v.flag("hidden", &wire.flags, HEADER_WIRE_HIDDEN, element.isHidden)
    v.member("zIndex", &wire.z_index, element.zIndex, .unless(0))
    v.member("cornerRadius", &wire.corner_radius, element.cornerRadius, .unless(0), in: .points)
  }
}

extension header_wire_wants: StateRecord {
  static var sample: Wants { Wants() }

  static func members<V: StateMembers & ~Copyable>(_ v: inout V, _ wire: inout Self, _ wants: () -> Wants) {
    let wants = wants()
    let (style, inset, length) = (
      wants.preferredStatusBarStyle, wants.additionalSafeAreaInset, wants.topLayoutGuideLength
    )
    v.flag("prefersStatusBarHidden", &wire.prefers_status_bar_hidden, 1, wants.prefersStatusBarHidden)
    v.member("preferredStatusBarStyle", &wire.preferred_status_bar_style, style ?? .default, .only(if: style != nil))
    if v.member("additionalSafeAreaInset", &wire.additional_safe_area_inset, inset ?? Insets(), .only(if: inset != nil))
    {
      wire.flags |= UInt16(HEADER_WIRE_WANTS_INSET)
    }
    if v.member(
      "topLayoutGuideLength", &wire.top_layout_guide_length, length ?? 0, .only(if: length != nil), in: .points)
    {
      wire.flags |= UInt16(HEADER_WIRE_WANTS_LENGTH)
    }
  }
}

extension header_wire_position: StateRecord {
  static var sample: PositionReport {
    PositionReport(position: Position(traveled: 0, travel: 0), permitted: 0...1, motion: nil, constraints: [])
  }

  static func members<V: StateMembers & ~Copyable>(
    _ v: inout V, _ wire: inout Self, _ report: () -> PositionReport
  ) {
    let report = report()
    let isHeld = !report.constraints.isEmpty
    var (permitted, covered) = ((0.0, 1.0), header_wire_insets())
    var nothing: Void = ()
    v.member("progress", &wire.progress, report.position.progress)
    v.member("traveled", &wire.traveled, report.position.traveled, in: .points)
    v.member("travel", &wire.travel, report.position.travel, in: .points)
    v.member("motion", &wire.motion, Count(number: report.motion ?? 0), .only(if: report.motion != nil))
    v.member("permitted", &permitted, report.permitted, .only(if: isHeld))
    (wire.permitted_from, wire.permitted_to) = permitted
    v.member("constraints", &nothing, Constraints(value: report.constraintsValue), .only(if: isHeld))
    v.member(
      "obstruction", &covered, report.obstruction ?? Insets(), .only(if: report.obstruction != nil), in: .object,
      is: "how much of the tracking scroll view is covered at each edge")
  }
}

// MARK: - What happened

extension header_wire_notice: StateRecord {
  static var sample: ConflatedLists.Notice { .init(name: "", delegate: "", isRoutine: false) }

  static func members<V: StateMembers & ~Copyable>(
    _ v: inout V, _ wire: inout Self, _ notice: () -> ConflatedLists.Notice
  ) {
    let notice = notice()
    let arguments = notice.arguments ?? [:]
    v.member(
      "name", &wire.name_size, notice.name,
      is: "`delegatePassedOver`, `didArrive` and others of the daemon, or one of the behavior")
    v.member("delegate", &wire.delegate_size, notice.delegate, is: "the delegate that posted it; empty: the daemon")
    v.member("arguments", &wire.arguments_size, arguments, .only(if: !arguments.fields.isEmpty))
    v.member("count", &wire.count, Count(number: notice.count), .unless(Count(number: 1)), is: "equal ones in a row")
    v.flag("routine", &wire.routine, 1, notice.isRoutine, is: "it alone makes no state")
  }
}

extension header_wire_command: StateRecord {
  typealias Source = (command: HeaderState.Command, names: HeaderNames)
  static var sample: Source { (.init(scrollView: 0, name: "", arguments: [:]), .sample) }

  static func members<V: StateMembers & ~Copyable>(_ v: inout V, _ wire: inout Self, _ source: () -> Source) {
    let (command, names) = source()
    v.member("scrollView", &wire.scroll_view_size, names.scrollViews[Int(command.scrollView)], in: .later)
    v.member("name", &wire.name_size, command.name, is: "the action, such as `scrollBy`")
    v.member("arguments", &wire.arguments_size, command.arguments)
  }
}

extension header_wire_animation: StateRecord {
  typealias Source = (animation: HeaderState.Animation, names: HeaderNames)
  static var sample: Source { (.init(delegate: 0, duration: 0, delay: 0, curve: .linear), .sample) }

  static func members<V: StateMembers & ~Copyable>(_ v: inout V, _ wire: inout Self, _ source: () -> Source) {
    let (animation, names) = source()
    var (spring, isSpring) = ((mass: 0.0, stiffness: 0.0, damping: 0.0, initialVelocity: 0.0), false)
    if case .spring(let mass, let stiffness, let damping, let velocity) = animation.curve {
      (spring, isSpring) = ((mass, stiffness, damping, velocity), true)
    }
    v.member("duration", &wire.duration, animation.duration, in: .seconds)
    v.member("delay", &wire.delay, animation.delay, .unless(0), in: .seconds)
    v.member("curve", &wire.curve, animation.curve)
    v.member("mass", &wire.mass, spring.mass, .only(if: isSpring))
    v.member("stiffness", &wire.stiffness, spring.stiffness, .only(if: isSpring))
    v.member("damping", &wire.damping, spring.damping, .only(if: isSpring))
    v.member("initialVelocity", &wire.initial_velocity, spring.initialVelocity, .only(if: isSpring))
    v.member(
      "delegate", &wire.delegate_size, names.delegates[Int(animation.delegate)], is: "the delegate that animates")
  }
}

extension header_wire_call: StateRecord {
  typealias Source = (call: HeaderState.Call, names: HeaderNames)
  static var sample: Source { (.init(delegate: 0, kind: .didScroll, depth: 0), .sample) }

  static func members<V: StateMembers & ~Copyable>(_ v: inout V, _ wire: inout Self, _ source: () -> Source) {
    let (call, names) = source()
    v.member("delegate", &wire.delegate_size, names.delegates[Int(call.delegate)])
    v.member("event", &wire.kind, call.kind, is: "the event's kind")
    v.member("depth", &wire.depth, Count(number: Int(call.depth)))
  }
}

extension HeaderNames {
  fileprivate static var sample: HeaderNames { HeaderState(header: "", epoch: 0).names }
}

// MARK: - Parts

extension JSONSchema {
  static var state: Value {
    var (head, record) = (SchemaMembers(), header_wire_state())
    header_wire_state.members(&head, &record, HeaderState(header: "", epoch: 0), [])
    var parts: Value.Record = [
      "drawers": list(of: SchemaMembers.object(header_wire_drawer(), isNamed: true))
        .meaning("in chain order; an earlier one lies over a later one"),
      "elements": list(of: SchemaMembers.object(header_wire_element(), isNamed: true))
        .meaning("elements that a delegate has changed"),
      "scrollViews": map(of: SchemaMembers.object(header_wire_scroll_view()))
        .meaning("what the header wants of each, by name"),
      "values": map(of: ["type": ["number", "string", "boolean", "null"]]).meaning("what behaviors publish, by name"),
      "wants": SchemaMembers.object(header_wire_wants()).meaning("what the header asks of the application"),
      "position": SchemaMembers.object(header_wire_position())
        .meaning("where the header is; of one that is constrained or was moved by call"),
      "notices": list(of: definition("Notice")).meaning("in the order in which they fired"),
      "commands": list(of: SchemaMembers.object(header_wire_command()))
        .meaning("what the publisher is asked to do"),
      "animations": list(of: SchemaMembers.object(header_wire_animation()))
        .meaning("how renderers get from what is on the screen to this state"),
      "calls": list(of: SchemaMembers.object(header_wire_call())).meaning("delegates that were asked, in order"),
      "noticesLost": count.meaning("entries of these lists that a waiting state had no room for"),
      "explanation": definition("Explanation").meaning("why it is there"),
    ]
    let keyframe = object(["offset": points], optional: Value.Record(fields: Array(parts.fields.prefix(6))))
    let ways: Value.Record = ["reversible": flag, "growing": list(of: keyframe), "shrinking": list(of: keyframe)]
    let dragged = object([:], optional: ways).meaning(
      "the same for a drag that begins there (`willBeginDragging`), where more is known of that than of other scrolls")
    parts["ahead"] = object(
      ["offset": points], optional: Value.Record(fields: ways.fields + [.init(name: "dragged", value: dragged)])
    ).meaning("what the state becomes at other offsets of the tracking scroll view, where that is known")
    return object(
      Value.Record(fields: [.init(name: "header", value: text)] + head.required.fields),
      optional: Value.Record(fields: head.optional.fields + parts.fields))
  }
}
