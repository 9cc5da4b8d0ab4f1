// SPDX-License-Identifier: MIT
//
// The C side of a plugin in Swift: tables made from definitions, and functions that find the instance behind `void *`
// and call its methods. A plugin's own file ends with
//
//     @c(header_plugin_entry) public func entry(_ major: UInt16, _ minor: UInt16) -> UnsafeRawPointer? {
//       pluginTable(ShyNavBar.definition, version: "0.1.0", major)
//     }

internal import CHeaderPlugin

/// A behavior's definition, which all its instances share.
final class SharedDefinition {
  let definition: Definition
  init(_ definition: Definition) { self.definition = definition }
}

/// Makes a plugin's table. It stays for good, as the contract demands: the library is never unmapped.
/// - Parameters:
///   - definitions: the behaviors that the plugin offers. Its name is the first one's, which is also the file's.
///   - version: the plugin's own, such as "0.1.0".
///   - summary: one line about the plugin; nil: the first behavior's.
///   - major: the major version of the host's ABI, as the entry is given it.
/// - Returns: the table, or nil when the host speaks another major version.
@safe public func pluginTable(_ definitions: Definition..., version: String, summary: String? = nil, _ major: UInt16)
  -> UnsafeRawPointer?
{
  guard major == HEADER_ABI_MAJOR, let first = definitions.first else { return nil }
  let summary: String = summary ?? first.summary
  let arena = Arena()
  let behaviors = unsafe definitions.map { unsafe Optional(UnsafePointer(arena.row([behaviorTable($0, arena)]))) }
  var factory = unsafe header_behavior_factory()
  unsafe factory.struct_size = UInt32(MemoryLayout<header_behavior_factory>.size)
  unsafe factory.count = UInt32(behaviors.count)
  unsafe factory.behaviors = UnsafePointer(arena.row(behaviors))
  // C gives get_factory no context. So the kit keeps the one factory of this plugin, and all that lies in its arena, in a
  // global that is written once, before the host can call get_factory.
  unsafe Factory.shared.keep(UnsafeRawPointer(arena.row([factory])), in: arena)
  var table = unsafe header_plugin()
  unsafe table.struct_size = UInt32(MemoryLayout<header_plugin>.size)
  unsafe table.abi_major = UInt16(HEADER_ABI_MAJOR)
  unsafe table.abi_minor = UInt16(HEADER_ABI_MINOR)
  unsafe table.name = arena.text(first.name)
  unsafe table.version = arena.text(version)
  unsafe table.summary = arena.text(summary)
  unsafe table.get_factory = { id in
    guard let id = unsafe id, unsafe String(cString: id) == HEADER_BEHAVIOR_FACTORY else { return nil }
    return unsafe Factory.shared.address
  }
  return unsafe UnsafeRawPointer(arena.row([table]))
}

private enum Factory {
  /// Written once by the entry, which the host calls once and before anything else; only read afterwards.
  @safe final class Kept: @unchecked Sendable {
    private(set) var address: UnsafeRawPointer?
    private var arenas: [Arena] = []

    /// The arena stays as long as the library is mapped, which is for good: the host may read the table at any time.
    func keep(_ address: UnsafeRawPointer, in arena: Arena) {
      unsafe self.address = address
      arenas.append(arena)
    }
  }

  static let shared = Kept()
}

// MARK: - Tables

private func optionTable(_ parameter: Parameter, _ arena: Arena) -> header_option {
  var option = unsafe header_option()
  unsafe option.struct_size = UInt32(MemoryLayout<header_option>.size)
  unsafe option.name = arena.text(parameter.name)
  unsafe option.type = parameter.type.rawValue
  unsafe option.is_list = parameter.isList
  unsafe option.is_nullable = parameter.isNullable
  unsafe option.unit = arena.text(parameter.unit)
  unsafe option.default_value = arena.value(parameter.defaultValue)
  unsafe option.has_minimum = parameter.minimum != nil
  unsafe option.has_maximum = parameter.maximum != nil
  unsafe option.minimum = parameter.minimum ?? 0
  unsafe option.maximum = parameter.maximum ?? 0
  unsafe option.cases = arena.texts(parameter.cases)
  unsafe option.case_count = UInt32(parameter.cases.count)
  unsafe option.meaning = arena.text(parameter.meaning)
  return unsafe option
}

private func behaviorTable(_ definition: Definition, _ arena: Arena) -> header_behavior {
  var table = unsafe header_behavior()
  unsafe table.struct_size = UInt32(MemoryLayout<header_behavior>.size)
  unsafe table.name = arena.text(definition.name)
  unsafe table.summary = arena.text(definition.summary)
  unsafe table.moves = definition.moves
  unsafe table.events = definition.events.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
  unsafe table.options = UnsafePointer(arena.row(definition.options.map { unsafe optionTable($0.parameter, arena) }))
  unsafe table.option_count = UInt32(definition.options.count)
  unsafe table.values = UnsafePointer(
    arena.row(
      definition.outputs.values.map { value in
        var entry = unsafe header_value_description()
        unsafe entry.struct_size = UInt32(MemoryLayout<header_value_description>.size)
        unsafe entry.name = arena.text(value.name)
        unsafe entry.type = value.type.rawValue
        unsafe entry.unit = arena.text(value.unit)
        unsafe entry.initial = arena.value(value.initial)
        unsafe entry.meaning = arena.text(value.meaning)
        unsafe entry.cases = arena.texts(value.cases)
        unsafe entry.case_count = UInt32(value.cases.count)
        return unsafe entry
      }))
  unsafe table.value_count = UInt32(definition.outputs.values.count)
  unsafe table.calls = UnsafePointer(
    arena.row(
      definition.calls.map { call in
        var entry = unsafe header_call_description()
        unsafe entry.struct_size = UInt32(MemoryLayout<header_call_description>.size)
        unsafe entry.name = arena.text(call.name)
        unsafe entry.arguments = UnsafePointer(arena.row(call.arguments.map { unsafe optionTable($0, arena) }))
        unsafe entry.argument_count = UInt32(call.arguments.count)
        unsafe entry.meaning = arena.text(call.meaning)
        return unsafe entry
      }))
  unsafe table.call_count = UInt32(definition.calls.count)
  unsafe table.notices = arena.texts(definition.outputs.notices)
  unsafe table.notice_count = UInt32(definition.outputs.notices.count)
  unsafe table.saved_version = UInt32(definition.savedVersion)
  unsafe table.user_data = Unmanaged.passRetained(SharedDefinition(definition)).toOpaque()
  unsafe fillLife(&table)
  unsafe fillEvents(&table)
  return unsafe table
}

// MARK: - Functions

/// Runs a method of the instance behind `self`, without counting a reference: the host keeps it until `destroy`.
private func with<Result>(_ pointer: UnsafeMutableRawPointer, _ body: (Behavior) -> Result) -> Result {
  unsafe Unmanaged<Behavior>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
}

/// The same for a pointer that may be NULL.
func with<Result>(_ pointer: UnsafeMutableRawPointer?, _ body: (Behavior) -> Result) -> Result? {
  unsafe pointer.map { unsafe with($0, body) }
}

/// The same for a function that may refuse: the reason goes to the host.
/// - Parameter body: throws `Refusal` alone. (Swift infers no typed throws for a closure, so it is not declared.)
private func attempt(_ pointer: UnsafeMutableRawPointer?, _ body: (Behavior) throws -> Void) -> Int32 {
  unsafe with(pointer) { behavior in
    do {
      try body(behavior)
      return Int32(HEADER_OK)
    } catch {
      behavior.host.explain((error as? Refusal)?.reason ?? "\(error)")
      return Int32(HEADER_REFUSED)
    }
  } ?? Int32(HEADER_FAILED)
}

/// Runs work that the instance has put off. A dormant one has none, nor further frames.
private func later(_ pointer: UnsafeMutableRawPointer?, _ body: (Behavior) -> Void) -> Int32 {
  unsafe with(pointer) { behavior in
    if behavior.rests { behavior.host.stopFrames() } else { body(behavior) }
    return ended(behavior)
  } ?? Int32(HEADER_FAILED)
}

/// The result of a call in which the instance may have failed; see ``Behavior/fail(_:)``.
private func ended(_ behavior: Behavior) -> Int32 {
  guard let failure = behavior.failure else { return Int32(HEADER_OK) }
  behavior.host.explain(failure)
  return Int32(HEADER_FAILED)
}

private func fillLife(_ table: inout header_behavior) {
  unsafe table.create = { host, context, data in
    // A host before 1.2 lacks functions that this kit calls, and records that it reads.
    guard let host = unsafe host, let data = unsafe data, unsafe Host.reaches(host, past: \.set_drawer_extents) else {
      return nil
    }
    let shared = unsafe Unmanaged<SharedDefinition>.fromOpaque(data).takeUnretainedValue()
    let behavior = shared.definition.type.init(host: unsafe Host(table: host, context: context))
    behavior.shared = shared
    for option in shared.definition.options { option.begin?(behavior) }
    return unsafe Unmanaged.passRetained(behavior).toOpaque()
  }
  unsafe table.destroy = { pointer in
    if let pointer = unsafe pointer { unsafe Unmanaged<Behavior>.fromOpaque(pointer).release() }
  }
  unsafe table.set_option = { pointer, index, value in
    unsafe attempt(pointer) { behavior in
      guard let value = unsafe value, let options = behavior.definition?.options else { return }
      try options[Int(index)].set(behavior, unsafe Value(value.pointee))
    }
  }
  unsafe table.responds = { pointer in
    unsafe with(pointer) { behavior in
      let kinds = behavior.definition?.events ?? []
      return kinds.filter(behavior.responds(to:)).reduce(0) { $0 | 1 << UInt64($1.rawValue) }
    } ?? 0
  }
  unsafe table.attach = { pointer in
    unsafe attempt(pointer) { behavior in
      behavior.host.lookUpRecords()
      try behavior.begin()
    }
  }
  unsafe table.detach = { pointer in unsafe with(pointer) { $0.detach() } }
  unsafe table.save = { pointer, saved in
    unsafe attempt(pointer) { behavior in
      guard let saved = unsafe saved, let definition = behavior.definition else { return }
      let arena = Arena()
      behavior.lent = arena
      unsafe saved.pointee.version = UInt32(definition.savedVersion)
      unsafe saved.pointee.state = UnsafePointer(arena.row([arena.value(behavior.savedState())]))
    }
  }
  unsafe table.restore = { pointer, saved in
    unsafe attempt(pointer) { behavior in
      guard let saved = unsafe saved, let state = unsafe saved.pointee.state else { throw Refusal("there is no state") }
      behavior.host.lookUpRecords()
      try behavior.resume(with: unsafe Value(state.pointee), version: unsafe Int(saved.pointee.version))
    }
  }
}

private func fillEvents(_ table: inout header_behavior) {
  unsafe table.receive = { pointer, event, answer in
    guard let pointer = unsafe pointer, let event = unsafe event, let answer = unsafe answer else {
      return Int32(HEADER_FAILED)
    }
    return unsafe with(pointer) { behavior in
      unsafe deliver(Event(record: event), to: behavior, answer)
      return ended(behavior)
    }
  }
  unsafe table.call = { pointer, index, arguments, result in
    unsafe attempt(pointer) { behavior in
      guard let definition = behavior.definition, let arguments = unsafe arguments else { return }
      guard !behavior.rests else {
        throw Refusal("it is dormant: it yields, and another delegate has the drawers that it needs")
      }
      let value = try definition.calls[Int(index)].perform(behavior, unsafe Value(arguments.pointee))
      let arena = Arena()
      behavior.lent = arena
      unsafe result?.pointee = arena.value(value)
    }
  }
  unsafe table.layout = { pointer in unsafe later(pointer) { $0.layoutPass() } }
  unsafe table.frame = { pointer, duration in unsafe later(pointer) { $0.frame(duration: duration) } }
  unsafe table.timer = { pointer, token in unsafe later(pointer) { $0.timer(token) } }
  unsafe table.completion = { pointer, token in unsafe later(pointer) { $0.completion(token) } }
  unsafe table.after_event = { pointer, token in unsafe later(pointer) { $0.afterEvent(token) } }
  unsafe table.get_extension = { pointer, id in
    unsafe pointer.flatMap { unsafe with($0) { unsafe extensionTable(of: $0, id) } }
  }
}

private func deliver(_ event: Event, to behavior: Behavior, _ answer: UnsafeMutablePointer<header_answer>) {
  guard !behavior.rests else { return behavior.wake(event) }
  guard let kind = EventKind(rawValue: unsafe event.record.pointee.kind) else { return }
  func consume(_ consumed: Point) {
    unsafe answer.pointee.consumed = consumed.c
    unsafe answer.pointee.has_consumed = true
  }
  switch kind {
  case .willBeginDragging: behavior.willBeginDragging(event)
  case .didScroll where unsafe Int(event.record.pointee.reason) == HEADER_REASON_CONTENT:
    behavior.contentDidChange(event)
  case .didScroll: behavior.didScroll(event)
  case .willEndDragging:
    if let target = behavior.willEndDragging(event) {
      unsafe answer.pointee.target_offset = target.c
      unsafe answer.pointee.has_target_offset = true
      unsafe answer.pointee.returned = true
      unsafe answer.pointee.has_returned = true
    }
  case .didEndDragging: behavior.didEndDragging(event, willDecelerate: unsafe event.record.pointee.will_decelerate)
  case .willBeginDecelerating: behavior.willBeginDecelerating(event)
  case .didEndDecelerating: behavior.didEndDecelerating(event)
  case .didEndScrollingAnimation: behavior.didEndScrollingAnimation(event)
  case .shouldScrollToTop:
    unsafe answer.pointee.returned = behavior.shouldScrollToTop(event)
    unsafe answer.pointee.has_returned = true
  case .didScrollToTop: behavior.didScrollToTop(event)
  case .didChangeAdjustedContentInset: behavior.didChangeAdjustedContentInset(event)
  case .willScroll: consume(behavior.willScroll(event))
  case .didOverscroll: consume(behavior.didOverscroll(event))
  case .willFling: consume(behavior.willFling(event))
  case .layout: behavior.layout(event)
  case .willAppear: behavior.willAppear(event)
  case .didAppear: behavior.didAppear(event)
  case .willDisappear: behavior.willDisappear(event)
  case .didDisappear: behavior.didDisappear(event)
  case .didBecomeActive: behavior.didBecomeActive(event)
  case .willTransition: behavior.willTransition(event)
  case .transition: behavior.transition(event)
  case .didTransition: behavior.didTransition(event)
  case .willChangeTrackingScrollView: behavior.willChangeTrackingScrollView(event)
  case .setTrackingScrollView: behavior.setTrackingScrollView(event)
  case .didWriteContentOffset: behavior.didWriteContentOffset(event)
  case .didResize: behavior.didResize(event)
  }
}
