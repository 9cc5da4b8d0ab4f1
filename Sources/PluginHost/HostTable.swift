// SPDX-License-Identifier: MIT
//
// The functions that a plugin may call, as one table for all instances. Each finds its delegate by the context, checks that it is
// attached, and calls the core's function of the same name (DrawerChain.swift, Header+ScrollViews.swift, Header+Requests.swift), which
// checks the numbers and the owner. The delegate keeps the error; the plugin gets HEADER_FAILED.

internal import CHeaderPlugin
private import Glibc
internal import HeaderCore
internal import HeaderModel

enum HostTable {
  /// Where it lies; made once, never freed.
  static var address: UnsafePointer<header_host> { unsafe UnsafePointer(shared.table) }

  /// Holds the one table. It is written before any other code can see it and only read afterwards, so it may be shared.
  @safe private struct Shared: @unchecked Sendable {
    let table: UnsafeMutablePointer<header_host>

    init() {
      unsafe table = .allocate(capacity: 1)
      unsafe table.initialize(to: header_host())
      unsafe table.pointee.struct_size = UInt32(MemoryLayout<header_host>.size)
      unsafe table.pointee.abi_major = UInt16(HEADER_ABI_MAJOR)
      unsafe table.pointee.abi_minor = UInt16(HEADER_ABI_MINOR)
      unsafe table.pointee.get_extension = { _ in nil }
      unsafe HostTable.fillReading(&table.pointee)
      unsafe HostTable.fillScrollViews(&table.pointee)
      unsafe HostTable.fillChain(&table.pointee)
      unsafe HostTable.fillDrawers(&table.pointee)
      unsafe HostTable.fillElementsAndOutputs(&table.pointee)
      unsafe HostTable.fillTime(&table.pointee)
    }
  }

  private static let shared = Shared()

  // MARK: Reading

  private static func fillReading(_ table: inout header_host) {
    unsafe table.drawer_count = { unsafe read($0, or: 0) { UInt32($0.side?.drawers.count ?? $1.drawers.count) } }
    unsafe table.element_count = { unsafe read($0, or: 0) { UInt32($0.side?.elements.count ?? $1.elements.count) } }
    unsafe table.scroll_view_count = { unsafe read($0, or: 0) { UInt32($1.scrollViews.count) } }
    unsafe table.drawer = { context, index in
      unsafe read(context, or: nil) { unsafe record($0.drawer(index), of: $1.drawers) }
    }
    unsafe table.element = { context, index in
      unsafe read(context, or: nil) { unsafe record($0.element(index), of: $1.elements) }
    }
    unsafe table.scroll_view = { context, index in
      unsafe read(context, or: nil) { delegate, header in
        let records = unsafe delegate.recordsAddress(in: header).pointee
        guard index < records.scrollViewCount, let first = unsafe records.scrollViews else { return nil }
        return unsafe UnsafeRawPointer(first + Int(index)).assumingMemoryBound(to: header_scroll_view.self)
      }
    }
    unsafe table.environment = { context in
      unsafe read(context, or: nil) {
        unsafe $0.recordsAddress(in: $1).pointee.environment.map {
          unsafe UnsafeRawPointer($0).assumingMemoryBound(to: header_environment.self)
        }
      }
    }
    unsafe table.records = { context in
      unsafe read(context, or: nil) {
        unsafe UnsafeRawPointer($0.recordsAddress(in: $1)).assumingMemoryBound(to: header_records.self)
      }
    }
    unsafe table.drawer_name = { context, index in
      unsafe read(context, or: nil) { unsafe $0.name(of: .drawers, at: $0.drawer(index), in: $1) }
    }
    unsafe table.element_name = { context, index in
      unsafe read(context, or: nil) { unsafe $0.name(of: .elements, at: $0.element(index), in: $1) }
    }
    unsafe table.scroll_view_name = { context, index in
      unsafe read(context, or: nil) { unsafe $0.name(of: .scrollViews, at: Int(index), in: $1) }
    }
    unsafe table.hosting = { unsafe read($0, or: nil) { unsafe $0.hosting(of: $1) } }
    unsafe table.tracking_scroll_view = { unsafe read($0, or: -1) { Int32($1.trackingScrollView) } }
    unsafe table.time = { unsafe read($0, or: 0) { $1.now.nanoseconds } }
    unsafe table.get_value = { context, name, value in
      guard let name = unsafe name, let value = unsafe value else {
        return unsafe act(context) { _, _ in
          throw DelegateFailure.failed("it gave no name of a value, or no place for it")
        }
      }
      return unsafe read(context, or: Int32(HEADER_FAILED)) { delegate, header in
        let content = header.value { own in unsafe own.withCString { unsafe strcmp($0, name) == 0 } }
        guard let content else { return Int32(HEADER_REFUSED) }
        unsafe value.pointee = plain(content, delegate)
        return Int32(HEADER_OK)
      }
    }
    unsafe table.follow_changes = { unsafe act($0) { $1.followChanges(by: $0) } }
  }

  // MARK: Scroll views

  private static func fillScrollViews(_ table: inout header_host) {
    unsafe table.set_content_offset = { context, view, offset in
      unsafe act(context) {
        try $1.setContentOffset($0.real(offset: Point(offset), Int(view), in: $1), of: Int(view), by: $0)
      }
    }
    unsafe table.set_tracking_scroll_view = { context, view in
      unsafe act(context) { try $1.setTrackingScrollView(Int(view), by: $0) }
    }
    unsafe table.move_silently = { context, view, offset in
      unsafe act(context) {
        try $1.moveSilently(to: $0.real(offset: Point(offset), Int(view), in: $1), Int(view), by: $0)
      }
    }
    unsafe table.set_content_inset = { context, view, inset in
      unsafe act(context) { try $1.setContentInset($0.real(insets: Insets(inset)), of: Int(view), by: $0) }
    }
    unsafe table.set_scroll_indicator_insets = { context, view, insets in
      unsafe act(context) { try $1.setScrollIndicatorInsets($0.real(insets: Insets(insets)), of: Int(view), by: $0) }
    }
    unsafe table.set_scroll_view_frame = { context, view, frame in
      unsafe act(context) { try $1.setFrame(Rect(frame), ofScrollView: Int(view), by: $0) }
    }
    unsafe table.set_content_size = { context, view, size in
      unsafe act(context) { try $1.setContentSize(Size(size), of: Int(view), by: $0) }
    }
  }

  // MARK: Drawers

  private static func fillChain(_ table: inout header_host) {
    unsafe table.claim_drawer = { context, drawer in
      unsafe act(context) {
        guard $0.mayClaim else { throw DelegateFailure.failed("it claimed a drawer outside of attach and restore") }
        try $1.claimDrawer($0.drawer(drawer), by: $0)
      }
    }
    unsafe table.drawer_is_free = { context, drawer in
      unsafe read(context, or: false) { $1.isFree($0.drawer(drawer), for: $0) }
    }
    unsafe table.set_chain = { context, chain in
      unsafe act(context) {
        let chain = try unsafe require(chain, or: "it gave no chain")
        guard let policy = unsafe ChainPolicy(chain.pointee) else {
          throw DelegateFailure.failed("its chain has an unknown end")
        }
        try $1.setChain(policy, by: $0)
      }
    }
    unsafe table.get_chain = { context, chain in
      unsafe act(context) {
        unsafe try require(chain, or: "it gave no place for the chain").pointee = header_chain($1.chain(of: $0))
      }
    }
    unsafe table.follow_tail = { context, difference in
      unsafe act(context) {
        let found = try $1.followTail(by: $0)
        if found == 0, $1.trackingScrollView >= 0, $1.chain(of: $0).tail < 0 { $0.warnOfMissingTail() }
        unsafe difference?.pointee = found
      }
    }
    unsafe table.move_drawer = { context, drawer, center in
      unsafe act(context) { try $1.moveDrawer($0.drawer(drawer), to: Point(center), by: $0) }
    }
    unsafe table.move_chain = { context, drawer, distance, residual in
      unsafe act(context) {
        let left = try $1.moveChain(from: $0.drawer(drawer), by: distance, by: $0)
        unsafe residual?.pointee = left
      }
    }
    unsafe table.expand = { context, drawer in unsafe act(context) { try $1.expand(from: $0.drawer(drawer), by: $0) } }
    unsafe table.contract = { context, drawer in
      unsafe act(context) { try $1.contract(from: $0.drawer(drawer), by: $0) }
    }
    unsafe table.expanded_center = { context, drawer in unsafe center(context, drawer) { $0.expandedCenter(of: $1) } }
    unsafe table.contracted_center = { context, drawer in unsafe center(context, drawer) { $0.contractedCenter(of: $1) }
    }
  }

  private static func fillDrawers(_ table: inout header_host) {
    unsafe table.set_drawer_frame = { context, drawer, frame in
      unsafe act(context) { try $1.setFrame(Rect(frame), ofDrawer: $0.drawer(drawer), by: $0) }
    }
    unsafe table.set_drawer_center = { context, drawer, center, size in
      unsafe act(context) { try $1.setCenter(Point(center), size: Size(size), ofDrawer: $0.drawer(drawer), by: $0) }
    }
    unsafe table.set_drawer_extents = { context, first, count, extents in
      unsafe act(context) {
        guard count > 0 else { return }
        let start = unsafe UnsafeRawPointer(try require(extents, or: "it gave no extents of drawers"))
        let extents = unsafe UnsafeBufferPointer(
          start: start.assumingMemoryBound(to: DrawerExtent.self), count: Int(count))
        try unsafe $1.setExtents(extents.span, from: $0.drawer(first), by: $0)
      }
    }
    unsafe table.set_drawer_sticky = { context, drawer, sticky in
      unsafe act(context) { try $1.setSticky(sticky, ofDrawer: $0.drawer(drawer), by: $0) }
    }
    unsafe table.set_drawer_fade = { context, drawer, fade in
      unsafe act(context) {
        guard let kind = DrawerFade(rawValue: Int32(fade)) else {
          throw DelegateFailure.failed("it set the unknown fade \(fade)")
        }
        try $1.setFade(kind, ofDrawer: $0.drawer(drawer), by: $0)
      }
    }
    unsafe table.set_drawer_alpha = { context, drawer, alpha in
      unsafe act(context) { try $1.setAlpha(alpha, ofDrawer: $0.drawer(drawer), by: $0) }
    }
    unsafe table.set_drawer_hidden = { context, drawer, hidden in
      unsafe act(context) { try $1.setHidden(hidden, ofDrawer: $0.drawer(drawer), by: $0) }
    }
    unsafe table.set_drawer_z_index = { context, drawer, zIndex in
      unsafe act(context) { try $1.setZIndex(zIndex, ofDrawer: $0.drawer(drawer), by: $0) }
    }
    unsafe table.set_drawer_translation = { context, drawer, translation in
      unsafe act(context) { try $1.setTranslation(Point(translation), ofDrawer: $0.drawer(drawer), by: $0) }
    }
    unsafe table.set_drawer_heights = { context, drawer, minimum, maximum in
      unsafe act(context) { try $1.setHeights(minimum: minimum, maximum: maximum, ofDrawer: $0.drawer(drawer), by: $0) }
    }
  }

  // MARK: Elements, values, wishes, notices, commands

  private static func fillElementsAndOutputs(_ table: inout header_host) {
    unsafe table.claim_element = { context, element in
      unsafe act(context) {
        guard $0.mayClaim || $0.isAsked else {
          throw DelegateFailure.failed("it claimed an element outside of attach, restore, set_option and call")
        }
        try $1.claimElement($0.element(element), by: $0)
      }
    }
    unsafe table.element_is_free = { context, element in
      unsafe read(context, or: false) { $1.isElementFree($0.element(element), for: $0) }
    }
    unsafe table.set_element = { context, index, look in
      unsafe act(context) {
        let look = try unsafe require(look, or: "it gave no look for an element")
        let element = unsafe UnsafeRawPointer(look).assumingMemoryBound(to: Element.self).pointee
        try $1.setElement($0.element(index), element, by: $0)
      }
    }
    unsafe table.get_described_element = { context, index, look in
      unsafe act(context) {
        let look = try unsafe require(look, or: "it gave no place for an element")
        let element = try $1.describedElement($0.element(index))
        unsafe UnsafeMutableRawPointer(look).assumingMemoryBound(to: Element.self).pointee = element
      }
    }
    unsafe table.set_value = { context, number, value in
      unsafe act(context) {
        let value = try unsafe require(value, or: "it gave no value")
        try $1.setValue(Int(number), try unsafe content(value.pointee), by: $0)
      }
    }
    unsafe table.get_wants = { context, wants in
      unsafe act(context) {
        unsafe try require(wants, or: "it gave no place for the wishes").pointee = header_wants($0.wants(of: $1))
      }
    }
    unsafe table.set_wants = { context, wants in
      unsafe act(context) {
        let wants = try unsafe require(wants, or: "it gave no wishes")
        try requireWhole(unsafe wants.pointee.struct_size, header_wants.self, "its wishes")
        guard let wishes = unsafe Wants(wants.pointee) else {
          throw DelegateFailure.failed("it wished an unknown status bar style")
        }
        try $1.setWants($0.real(wishes, in: $1), by: $0)
      }
    }
    unsafe table.post = { context, number, arguments, routine in
      unsafe act(context) {
        let arguments = try unsafe record(arguments, "the notice's arguments")
        try $1.post(Int(number), arguments, isRoutine: routine, by: $0)
      }
    }
    unsafe table.command = { context, view, name, arguments in
      unsafe act(context) {
        guard let name = unsafe name, let text = unsafe String(validatingCString: name) else {
          throw DelegateFailure.failed("it gave a command without a name")
        }
        let arguments = try unsafe record(arguments, "the command's arguments") ?? Value.Record()
        try $1.command(text, $0.real(arguments, Int(view), in: $1), for: Int(view), by: $0)
      }
    }
    unsafe table.explain = { context, reason in
      guard let context = unsafe context, let reason = unsafe reason else { return }
      let text = unsafe String(validatingCString: reason) ?? "(a reason that is not UTF-8)"
      unsafe Unmanaged<PluginDelegate>.fromOpaque(UnsafeRawPointer(context))._withUnsafeGuaranteedRef {
        $0.explain(text)
      }
    }
    unsafe table.note_resistance = { context, drawer, wanted, left in
      unsafe act(context) {
        $1.noteResistance(wanted, left: left, drawer: drawer < 0 ? nil : $0.drawer(UInt32(drawer)))
      }
    }
    unsafe table.note_movement = { context, distance, taken in
      unsafe act(context) { $1.noteMovement(distance, taken: taken) }
    }
    unsafe table.note_part = { context, drawer, wanted, taken, rule in
      unsafe act(context) {
        $1.notePart(of: $0.drawer(drawer), wanted, taken: taken, rule: explanationRule(rule))
      }
    }
    unsafe table.log = { context, level, message in
      guard let context = unsafe context, let message = unsafe message else { return }
      unsafe Unmanaged<PluginDelegate>.fromOpaque(UnsafeRawPointer(context))._withUnsafeGuaranteedRef {
        unsafe $0.writeLog(level, message)
      }
    }
  }

  // MARK: Time

  private static func fillTime(_ table: inout header_host) {
    unsafe table.animate = { context, animation in
      unsafe act(context) {
        let pointer = try unsafe require(animation, or: "it gave no animation")
        try requireWhole(unsafe pointer.pointee.struct_size, header_animation.self, "its animation")
        let animation = unsafe pointer.pointee
        guard let curve = AnimationCurve(animation) else { throw DelegateFailure.failed("it gave an unknown curve") }
        try $1.animate(
          duration: animation.duration, delay: animation.delay, curve: curve,
          token: animation.has_completion ? animation.token : nil, by: $0)
      }
    }
    unsafe table.start_frames = { unsafe act($0) { $1.startFrames(by: $0) } }
    unsafe table.stop_frames = { unsafe act($0) { $1.stopFrames(by: $0) } }
    unsafe table.frames_are_active = { unsafe read($0, or: false) { $1.framesAreActive(of: $0) } }
    unsafe table.start_timer = { context, token, delay in
      unsafe act(context) { try $1.startTimer(token, after: delay, by: $0) }
    }
    unsafe table.cancel_timer = { context, token in unsafe act(context) { $1.cancelTimer(token, by: $0) } }
    unsafe table.mark_layout = { unsafe act($0) { $1.markLayout(by: $0) } }
    unsafe table.after_event = { context, token in unsafe act(context) { try $1.afterEvent(token, by: $0) } }
  }
}

// MARK: - From a context to its delegate

/// Runs a change for the instance behind a context.
/// - Parameter body: throws `DelegateFailure` alone. (Swift infers no typed throws for a closure, so it is not declared.)
private func act(_ context: OpaquePointer?, _ body: (PluginDelegate, Header) throws -> Void) -> Int32 {
  guard let context = unsafe context else { return Int32(HEADER_FAILED) }
  return unsafe Unmanaged<PluginDelegate>.fromOpaque(UnsafeRawPointer(context))._withUnsafeGuaranteedRef { delegate in
    guard let header = unsafe delegate.actingHeader else {
      delegate.noteViolation(.failed("it used a function of the host before attach"))
      return Int32(HEADER_FAILED)
    }
    return unsafe header._withUnsafeGuaranteedRef { header in
      do {
        if !delegate.mayAct(in: header), let objection = delegate.objection(in: header) { throw objection }
        try body(delegate, header)
        header.refresh(for: delegate)
        return Int32(HEADER_OK)
      } catch {
        guard let failure = error as? DelegateFailure else { preconditionFailure("headerd bug: \(error)") }
        delegate.noteViolation(failure)
        if case .conflict = failure { return Int32(HEADER_REFUSED) }
        return Int32(HEADER_FAILED)
      }
    }
  }
}

/// Reads something for the instance behind a context; `nothing` before it is attached.
private func read<Result>(
  _ context: OpaquePointer?, or nothing: Result, _ body: (PluginDelegate, Header) -> Result
) -> Result {
  guard let context = unsafe context else { return nothing }
  return unsafe Unmanaged<PluginDelegate>.fromOpaque(UnsafeRawPointer(context))._withUnsafeGuaranteedRef { delegate in
    guard let header = unsafe delegate.actingHeader else { return nothing }
    return unsafe header._withUnsafeGuaranteedRef { body(delegate, $0) }
  }
}

private func explanationRule(_ rule: UInt8) -> Explanation.Rule? {
  switch Int(rule) {
  case HEADER_RULE_EXPANDED: .expanded
  case HEADER_RULE_CONTRACTED: .contracted
  case HEADER_RULE_STICKY: .sticky
  case HEADER_RULE_CONSTRAINT: .constraint
  case HEADER_RULE_RESISTANCE: .resistance
  case HEADER_RULE_TOP: .top
  default: nil
  }
}

/// A place of a drawer's; (0, 0) for one that there is none of.
private func center(_ context: OpaquePointer?, _ drawer: UInt32, _ place: (Header, Int) -> Point) -> header_point {
  unsafe read(context, or: header_point()) { delegate, header in
    let index = delegate.drawer(drawer)
    return header.drawers.indices.contains(index) ? header_point(place(header, index)) : header_point()
  }
}

// MARK: - What plugins hand over

/// A pointer that must not be NULL.
private func require<Pointer>(_ pointer: Pointer?, or complaint: String) throws(DelegateFailure) -> Pointer {
  guard let pointer else { throw .failed(complaint) }
  return pointer
}

/// A table of the plugin's must have all that this ABI reads.
private func requireWhole<Table>(_ size: UInt32, _ type: Table.Type, _ what: String) throws(DelegateFailure) {
  guard size >= MemoryLayout<Table>.size else {
    throw .failed("struct_size of \(what) is \(size), expected at least \(MemoryLayout<Table>.size)")
  }
}

/// A record of the engine's as C sees it (SharedLayout.swift); nil for an index that nothing has.
private func record<Record, C>(_ index: Int, of records: borrowing FixedBuffer<Record>) -> UnsafePointer<C>? {
  guard records.indices.contains(index) else { return nil }
  return unsafe UnsafeRawPointer(records.address(of: index)).assumingMemoryBound(to: C.self)
}

/// An argument tree of a plugin's; NULL is an empty record.
private func record(
  _ pointer: UnsafePointer<header_value>?, _ what: String
) throws(DelegateFailure) -> Value.Record? {
  guard let pointer = unsafe pointer else { return nil }
  let value: Value
  do throws(MalformedValue) {
    value = try unsafe Value(pointer.pointee)
  } catch {
    throw .failed("\(what) are malformed: \(error.reason)")
  }
  guard case .record(let record) = value else { throw .failed("\(what) are no record") }
  return record
}

/// A value of one of the four plain types. Numbers may be anything here: the core checks them.
private func content(_ value: header_value) throws(DelegateFailure) -> NamedValue.Content {
  if unsafe Int(value.type) == HEADER_NUMBER { return unsafe .number(value.number) }
  do throws(MalformedValue) {
    guard let content = NamedValue.Content(try unsafe Value(value)) else {
      throw MalformedValue(reason: "it is a list or record")
    }
    return content
  } catch {
    throw .failed("it set a malformed value: \(error.reason)")
  }
}

/// A value without memory of its own, but for a text, which the delegate keeps.
private func plain(_ content: NamedValue.Content, _ delegate: PluginDelegate) -> header_value {
  var value = unsafe header_value()
  switch content {
  case .null: unsafe value.type = UInt8(HEADER_NULL)
  case .bool(let bool):
    unsafe value.type = UInt8(HEADER_BOOL)
    unsafe value.boolean = bool
  case .number(let number):
    unsafe value.type = UInt8(HEADER_NUMBER)
    unsafe value.number = number
  case .text: unsafe value = unsafe delegate.lend(content.value).pointee
  }
  return unsafe value
}
