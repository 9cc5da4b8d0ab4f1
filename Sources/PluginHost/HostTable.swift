// SPDX-License-Identifier: MIT
//
// The functions that a plugin may call, as one table for all instances. Each finds its delegate by the context, checks
// that it is attached, and calls the core's function of the same name (Header+Actions.swift, Header+Requests.swift), which
// checks the numbers and the owner. What goes wrong is remembered by the delegate; the plugin is told HEADER_FAILED.

internal import CHeaderPlugin
internal import HeaderCore

/// The table that every instance is given.
enum HostTable {
  /// Where it lies; made once, never freed.
  static var address: UnsafePointer<header_host> { unsafe UnsafePointer(shared.table) }

  /// Holds the one table. It is written before anybody can see it and only read afterwards, so it may be shared.
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
      unsafe HostTable.fillLooks(&table.pointee)
      unsafe HostTable.fillTime(&table.pointee)
      unsafe HostTable.fillFollowing(&table.pointee)
      unsafe table.pointee.explain = { context, reason in
        guard let context = unsafe context, let reason = unsafe reason else { return }
        let text = unsafe String(validatingCString: reason) ?? "(a reason that is not UTF-8)"
        unsafe Unmanaged<PluginDelegate>.fromOpaque(UnsafeRawPointer(context))._withUnsafeGuaranteedRef {
          $0.explain(text)
        }
      }
    }
  }

  private static let shared = Shared()

  // MARK: The way back

  /// Runs a change for the instance behind a context.
  static func act(
    _ context: OpaquePointer?, _ body: (PluginDelegate, Header) throws(DelegateFailure) -> Void
  ) -> Int32 {
    guard let context = unsafe context else { return Int32(HEADER_FAILED) }
    return unsafe Unmanaged<PluginDelegate>.fromOpaque(UnsafeRawPointer(context))._withUnsafeGuaranteedRef { delegate in
      guard let header = unsafe delegate.actingHeader else {
        delegate.breaks(.failed("it used a function of the host before attach"))
        return Int32(HEADER_FAILED)
      }
      return unsafe header._withUnsafeGuaranteedRef { header in
        do throws(DelegateFailure) {
          if !delegate.mayAct(in: header), let objection = delegate.objection(in: header) { throw objection }
          try body(delegate, header)
          return Int32(HEADER_OK)
        } catch {
          delegate.breaks(error)
          if case .conflict = error { return Int32(HEADER_REFUSED) }
          return Int32(HEADER_FAILED)
        }
      }
    }
  }

  /// Reads something for the instance behind a context; nil before it is attached.
  static func read<Result>(_ context: OpaquePointer?, _ body: (PluginDelegate, Header) -> Result) -> Result? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<PluginDelegate>.fromOpaque(UnsafeRawPointer(context))._withUnsafeGuaranteedRef { delegate in
      guard let header = unsafe delegate.actingHeader else { return nil }
      return unsafe header._withUnsafeGuaranteedRef { body(delegate, $0) }
    }
  }

  /// A table of the plugin's must have all that this ABI reads.
  private static func requireWhole<Table>(_ size: UInt32, _ type: Table.Type, _ what: String) throws(DelegateFailure) {
    guard size >= MemoryLayout<Table>.size else {
      throw .failed("struct_size of \(what) is \(size), expected at least \(MemoryLayout<Table>.size)")
    }
  }

  /// An argument tree of a plugin's; NULL is an empty record.
  private static func record(_ pointer: UnsafePointer<header_value>?, _ what: String) throws(DelegateFailure)
    -> Value.Record?
  {
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

  // MARK: Reading

  private static func fillReading(_ table: inout header_host) {
    unsafe table.drawer_count = { unsafe HostTable.read($0) { UInt32($1.drawers.count) } ?? 0 }
    unsafe table.element_count = { unsafe HostTable.read($0) { UInt32($1.elements.count) } ?? 0 }
    unsafe table.scroll_view_count = { unsafe HostTable.read($0) { UInt32($1.scrollViews.count) } ?? 0 }
    unsafe table.drawer = { context, index in
      unsafe HostTable.read(context) { _, header -> UnsafePointer<header_drawer>? in
        guard header.drawers.indices.contains(Int(index)) else { return nil }
        return unsafe UnsafeRawPointer(header.drawers.address(of: Int(index))).assumingMemoryBound(
          to: header_drawer.self)
      } ?? nil
    }
    unsafe table.element = { context, index in
      unsafe HostTable.read(context) { _, header -> UnsafePointer<header_element>? in
        guard header.elements.indices.contains(Int(index)) else { return nil }
        return unsafe UnsafeRawPointer(header.elements.address(of: Int(index))).assumingMemoryBound(
          to: header_element.self)
      } ?? nil
    }
    unsafe table.scroll_view = { context, index in
      unsafe HostTable.read(context) { _, header -> UnsafePointer<header_scroll_view>? in
        guard header.scrollViews.indices.contains(Int(index)) else { return nil }
        return unsafe UnsafeRawPointer(header.scrollViews.address(of: Int(index)))
          .assumingMemoryBound(to: header_scroll_view.self)
      } ?? nil
    }
    unsafe table.environment = { context in
      unsafe HostTable.read(context) { _, header -> UnsafePointer<header_environment>? in
        unsafe header.recordsAddress.pointee.environment.map {
          unsafe UnsafeRawPointer($0).assumingMemoryBound(to: header_environment.self)
        }
      } ?? nil
    }
    unsafe table.records = { context in
      unsafe HostTable.read(context) { _, header -> UnsafePointer<header_records>? in
        unsafe UnsafeRawPointer(header.recordsAddress).assumingMemoryBound(to: header_records.self)
      } ?? nil
    }
    unsafe table.drawer_name = { context, index in
      unsafe HostTable.read(context) { delegate, header -> UnsafePointer<CChar>? in
        unsafe delegate.name(of: .drawers, at: Int(index), in: header)
      } ?? nil
    }
    unsafe table.element_name = { context, index in
      unsafe HostTable.read(context) { delegate, header -> UnsafePointer<CChar>? in
        unsafe delegate.name(of: .elements, at: Int(index), in: header)
      } ?? nil
    }
    unsafe table.scroll_view_name = { context, index in
      unsafe HostTable.read(context) { delegate, header -> UnsafePointer<CChar>? in
        unsafe delegate.name(of: .scrollViews, at: Int(index), in: header)
      } ?? nil
    }
    unsafe table.hosting = { context in
      unsafe HostTable.read(context) { delegate, header -> UnsafePointer<header_value>? in
        unsafe delegate.hosting(of: header)
      } ?? nil
    }
    unsafe table.tracking_scroll_view = { unsafe HostTable.read($0) { Int32($1.trackingScrollView) } ?? -1 }
    unsafe table.time = { unsafe HostTable.read($0) { $1.now.nanoseconds } ?? 0 }
  }

  // MARK: Scroll views

  private static func fillScrollViews(_ table: inout header_host) {
    unsafe table.set_content_offset = { context, view, offset in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        try header.setContentOffset(Point(offset), of: Int(view), by: delegate)
      }
    }
    unsafe table.move_silently = { context, view, offset in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        try header.moveSilently(to: Point(offset), Int(view), by: delegate)
      }
    }
    unsafe table.set_content_inset = { context, view, inset in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        try header.setContentInset(Insets(inset), of: Int(view), by: delegate)
      }
    }
    unsafe table.set_scroll_indicator_insets = { context, view, insets in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        try header.setScrollIndicatorInsets(Insets(insets), of: Int(view), by: delegate)
      }
    }
    unsafe table.set_scroll_view_frame = { context, view, frame in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        try header.setFrame(Rect(frame), ofScrollView: Int(view), by: delegate)
      }
    }
    unsafe table.set_content_size = { context, view, size in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        try header.setContentSize(Size(size), of: Int(view), by: delegate)
      }
    }
  }

  // MARK: Drawers

  private static func fillChain(_ table: inout header_host) {
    unsafe table.claim_drawer = { context, drawer in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        guard delegate.mayClaim else { throw .failed("it claimed a drawer outside of attach and restore") }
        try header.claimDrawer(Int(drawer), by: delegate)
      }
    }
    unsafe table.set_chain = { context, chain in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        guard let chain = unsafe chain else { throw .failed("it gave no chain") }
        guard let policy = unsafe ChainPolicy(chain.pointee) else { throw .failed("its chain has an unknown end") }
        try header.setChain(policy, by: delegate)
      }
    }
    unsafe table.get_chain = { context, chain in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        guard let chain = unsafe chain else { throw .failed("it gave no place for the chain") }
        unsafe chain.pointee = header_chain(header.chain)
      }
    }
    unsafe table.follow_tail = { context, difference in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        let found = try header.followTail(by: delegate)
        if let difference = unsafe difference { unsafe difference.pointee = found }
      }
    }
    unsafe table.move_drawer = { context, drawer, center in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        try header.moveDrawer(Int(drawer), to: Point(center), by: delegate)
      }
    }
    unsafe table.move_chain = { context, drawer, distance, residual in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        let left = try header.moveChain(from: Int(drawer), by: distance, by: delegate)
        if let residual = unsafe residual { unsafe residual.pointee = left }
      }
    }
    unsafe table.expand = { context, drawer in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        try header.expand(from: Int(drawer), by: delegate)
      }
    }
    unsafe table.contract = { context, drawer in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        try header.contract(from: Int(drawer), by: delegate)
      }
    }
    unsafe table.expanded_center = { context, drawer in
      unsafe HostTable.read(context) { _, header in
        guard header.drawers.indices.contains(Int(drawer)) else { return header_point() }
        return header_point(header.expandedCenter(of: Int(drawer)))
      } ?? header_point()
    }
    unsafe table.contracted_center = { context, drawer in
      unsafe HostTable.read(context) { _, header in
        guard header.drawers.indices.contains(Int(drawer)) else { return header_point() }
        return header_point(header.contractedCenter(of: Int(drawer)))
      } ?? header_point()
    }
  }

  private static func fillDrawers(_ table: inout header_host) {
    unsafe table.set_drawer_frame = { context, drawer, frame in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        try header.setFrame(Rect(frame), ofDrawer: Int(drawer), by: delegate)
      }
    }
    unsafe table.set_drawer_center = { context, drawer, center, size in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        try header.setCenter(Point(center), size: Size(size), ofDrawer: Int(drawer), by: delegate)
      }
    }
    unsafe table.set_drawer_sticky = { context, drawer, sticky in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        try header.setSticky(sticky, ofDrawer: Int(drawer), by: delegate)
      }
    }
    unsafe table.set_drawer_fade = { context, drawer, fade in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        guard let kind = DrawerFade(rawValue: Int32(fade)) else { throw .failed("it set the unknown fade \(fade)") }
        try header.setFade(kind, ofDrawer: Int(drawer), by: delegate)
      }
    }
    unsafe table.set_drawer_alpha = { context, drawer, alpha in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        try header.setAlpha(alpha, ofDrawer: Int(drawer), by: delegate)
      }
    }
    unsafe table.set_drawer_hidden = { context, drawer, hidden in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        try header.setHidden(hidden, ofDrawer: Int(drawer), by: delegate)
      }
    }
    unsafe table.set_drawer_translation = { context, drawer, translation in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        try header.setTranslation(Point(translation), ofDrawer: Int(drawer), by: delegate)
      }
    }
    unsafe table.set_drawer_heights = { context, drawer, minimum, maximum in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        try header.setHeights(minimum: minimum, maximum: maximum, ofDrawer: Int(drawer), by: delegate)
      }
    }
  }

  // MARK: Elements, values, wishes, what happened

  private static func fillLooks(_ table: inout header_host) {
    unsafe table.set_element = { context, index, look in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        guard let look = unsafe look else { throw .failed("it gave no look for an element") }
        let element = unsafe UnsafeRawPointer(look).assumingMemoryBound(to: Element.self).pointee
        try header.setElement(Int(index), element, by: delegate)
      }
    }
    unsafe table.set_value = { context, number, value in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        guard let value = unsafe value else { throw .failed("it gave no value") }
        try header.setValue(Int(number), try unsafe HostTable.content(value.pointee), by: delegate)
      }
    }
    unsafe table.get_wants = { context, wants in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        guard let wants = unsafe wants else { throw .failed("it gave no place for the wishes") }
        unsafe wants.pointee = header_wants(header.wants)
      }
    }
    unsafe table.set_wants = { context, wants in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        guard let wants = unsafe wants else { throw .failed("it gave no wishes") }
        try HostTable.requireWhole(unsafe wants.pointee.struct_size, header_wants.self, "its wishes")
        guard let wishes = unsafe Wants(wants.pointee) else { throw .failed("it wished an unknown status bar style") }
        try header.setWants(wishes, by: delegate)
      }
    }
    unsafe table.post = { context, number, arguments, routine in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        let record = try unsafe HostTable.record(arguments, "the notice's arguments")
        try header.post(Int(number), record, isRoutine: routine, by: delegate)
      }
    }
    unsafe table.command = { context, view, name, arguments in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        guard let name = unsafe name, let text = unsafe String(validatingCString: name) else {
          throw .failed("it gave a command without a name")
        }
        let record = try unsafe HostTable.record(arguments, "the command's arguments") ?? Value.Record()
        try header.command(text, record, for: Int(view), by: delegate)
      }
    }
  }

  /// A value of one of the four plain types. Numbers may be anything here: the core checks them.
  private static func content(_ value: header_value) throws(DelegateFailure) -> NamedValue.Content {
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

  // MARK: Time

  private static func fillTime(_ table: inout header_host) {
    unsafe table.animate = { context, animation in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        guard let pointer = unsafe animation else { throw .failed("it gave no animation") }
        try HostTable.requireWhole(unsafe pointer.pointee.struct_size, header_animation.self, "its animation")
        let animation = unsafe pointer.pointee
        guard let curve = AnimationCurve(animation) else { throw .failed("it gave an unknown curve") }
        try header.animate(
          duration: animation.duration, delay: animation.delay, curve: curve,
          token: animation.has_completion ? animation.token : nil, by: delegate)
      }
    }
    unsafe table.start_frames = { context in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in header.startFrames(by: delegate) }
    }
    unsafe table.stop_frames = { context in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in header.stopFrames(by: delegate) }
    }
    unsafe table.frames_are_active = { context in
      unsafe HostTable.read(context) { $1.framesAreActive(of: $0) } ?? false
    }
    unsafe table.start_timer = { context, token, delay in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        try header.startTimer(token, after: delay, by: delegate)
      }
    }
    unsafe table.cancel_timer = { context, token in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        header.cancelTimer(token, by: delegate)
      }
    }
    unsafe table.mark_layout = { context in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in header.markLayout(by: delegate) }
    }
    unsafe table.after_event = { context, token in
      unsafe HostTable.act(context) { (delegate, header) throws(DelegateFailure) in
        try header.afterEvent(token, by: delegate)
      }
    }
  }
}
