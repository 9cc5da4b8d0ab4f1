// SPDX-License-Identifier: MIT
//
// The inputs of a header that are no scroll events: what `header.configure`, `delegate.*`, `plugin.reload` and
// `plugin.unload` did to it. They stand in its one ordered stream, so recordings have them and a replay does them again.
//
//     {"event":"configure","time":2,"drawers":[…],"state":{…}}
//     {"event":"addDelegate","time":2,"client":"intercept","name":"guard","options":{},"deadline":0.008,"at":1}
//     {"event":"moveDelegate","time":2,"delegate":"guard","at":0}
//     {"event":"removeDelegate","time":2,"delegate":"guard"}
//     {"event":"reload","time":3,"delegate":"shyNavBar","plugin":"ShyNavBar"}      the same code takes over, by its saved state
//     {"event":"unload","time":4,"delegate":"shyNavBar","plugin":"ShyNavBar","state":{…}}      it is passed over from here on

internal import HeaderCore

/// An input that is no event.
public enum StructureChange: String, Sendable {
  case configure, reload, unload, addDelegate, removeDelegate, moveDelegate
}

extension Recording.Step {
  /// The change of structure that this step is; nil: it is a scroll event.
  public var structureChange: StructureChange? { StructureChange(rawValue: kind) }
}

extension Replay {
  /// Does to the header what was done to the recorded one.
  func apply(
    _ change: StructureChange, _ step: Recording.Step, _ emit: (borrowing HeaderState) -> Void
  ) throws(HeaderError) {
    switch change {
    case .configure:
      try header.reconfigure(to: try description(changedBy: step.event), at: time(step), emit: emit)
    case .addDelegate:
      let wanted = try DelegateDescription(.record(step.event), at: Path(""))
      try header.addDelegate(wanted, at: place(step), provider: provider, time: time(step), emit: emit)
    case .removeDelegate: header.removeDelegate(at: try delegate(step), time: time(step), emit: emit)
    case .moveDelegate:
      try header.moveDelegate(from: try delegate(step), to: place(step) ?? 0, time: time(step), emit: emit)
    case .reload, .unload:
      let index = try delegate(step)
      let old = header.delegates[index]
      let fresh =
        change == .unload
        ? PassedOver(old) : try provider.makeDelegate(behavior: old.behavior.name, name: old.name)
      try header.replaceDelegate(at: index, with: fresh, emit: emit)
    }
  }

  private func time(_ step: Recording.Step) -> Instant? {
    step.exactTime ?? step.time.map { Instant(seconds: $0) }
  }

  private func place(_ step: Recording.Step) -> Int? { step.event["at"]?.asNumber.flatMap { Int(exactly: $0) } }

  /// The place of the step's delegate in the chain.
  private func delegate(_ step: Recording.Step) throws(HeaderError) -> Int {
    let name = step.event["delegate"]?.asText ?? ""
    guard let index = header.delegates.firstIndex(where: { $0.name == name }) else {
      throw HeaderError(.invalidParams, "delegate: there is no delegate \"\(name)\"", field: "delegate")
    }
    return index
  }

  /// The description of today with the step's keys given anew: lists replace lists; of the environment what is not given
  /// stays as it is.
  private func description(changedBy step: Value.Record) throws(HeaderError) -> HeaderDescription {
    guard case .record(var whole) = header.description.value else { preconditionFailure("a description is a record") }
    for field in step.fields where !["event", "time", "header"].contains(field.name) { whole[field.name] = field.value }
    if case .record(let changes)? = step["environment"], case .record(var environment) = header.environment.value {
      for field in changes.fields { environment[field.name] = field.value }
      whole["environment"] = .record(environment)
    }
    if step["trackingScrollView"] == nil, case .record(let views)? = step["scrollViews"],
      !views.fields.contains(where: { $0.name == header.description.trackingScrollView })
    {
      whole["trackingScrollView"] = nil
    }
    var unknown: [UnknownField] = []
    var next = try HeaderDescription(.record(whole), at: Path(""), unknown: &unknown)
    next.delegates = header.description.delegates
    return next
  }
}

/// Stands in for a delegate whose plugin was unloaded under it: it asks for a layout pass and fails in it, as the daemon's
/// does.
private final class PassedOver: ScrollDelegate {
  init(_ old: ScrollDelegate) { super.init(name: old.name, behavior: old.behavior) }

  override func attach(to header: Header) throws(DelegateFailure) { header.markLayout(by: self) }

  override func restore(_ saved: SavedState, in header: Header) throws(DelegateFailure) { header.markLayout(by: self) }

  override func layout(in header: Header) throws(DelegateFailure) {
    throw .failed("its plugin \(behavior.plugin) was unloaded")
  }
}
