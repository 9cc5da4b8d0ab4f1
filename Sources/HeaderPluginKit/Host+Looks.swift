// SPDX-License-Identifier: MIT
//
// Looks, surroundings, names, and other behaviors' values. Names are for saved states: an index is only valid until the structure of the
// header changes.

internal import CHeaderPlugin

/// The wished look of the status bar.
public enum StatusBarStyle: UInt8, Sendable {
  case `default` = 1
  case lightContent, darkContent
}

/// The header's wishes to its surroundings. Lengths are in points.
public struct Wants: Equatable, Sendable {
  /// The status bar shall be hidden.
  public var prefersStatusBarHidden = false
  /// The wished style of the status bar; nil: no wish.
  public var preferredStatusBarStyle: StatusBarStyle?
  /// The inset that the content controller shall add to its safe area; nil: no wish.
  public var additionalSafeAreaInset: Insets?
  /// How long the content controller's top layout guide shall be; nil: no wish.
  public var topLayoutGuideLength: Double?

  init(_ wants: header_wants) {
    prefersStatusBarHidden = wants.prefers_status_bar_hidden
    preferredStatusBarStyle = StatusBarStyle(rawValue: wants.preferred_status_bar_style)
    if wants.has_additional_safe_area_inset { additionalSafeAreaInset = Insets(wants.additional_safe_area_inset) }
    if wants.has_top_layout_guide_length { topLayoutGuideLength = wants.top_layout_guide_length }
  }

  var c: header_wants {
    var wants = header_wants()
    wants.struct_size = UInt32(MemoryLayout<header_wants>.size)
    wants.prefers_status_bar_hidden = prefersStatusBarHidden
    wants.preferred_status_bar_style = preferredStatusBarStyle?.rawValue ?? UInt8(HEADER_STYLE_NONE)
    wants.has_additional_safe_area_inset = additionalSafeAreaInset != nil
    wants.additional_safe_area_inset = (additionalSafeAreaInset ?? Insets()).c
    wants.has_top_layout_guide_length = topLayoutGuideLength != nil
    wants.top_layout_guide_length = topLayoutGuideLength ?? 0
    return wants
  }
}

extension Host {
  // MARK: Names and holding

  /// The name of a drawer; empty for an index that does not exist.
  public func drawerName(_ index: Int) -> String {
    unsafe table.pointee.drawer_name(context, Self.number(index)).map { unsafe String(cString: $0) } ?? ""
  }

  /// A drawer's place by its name.
  public func drawer(named name: String) -> Int? { (0..<drawerCount).first { drawerName($0) == name } }

  /// The name of a scroll view; empty for an index that does not exist.
  public func scrollViewName(_ index: Int) -> String {
    unsafe table.pointee.scroll_view_name(context, Self.number(index)).map { unsafe String(cString: $0) } ?? ""
  }

  /// The scroll view of a name.
  public func scrollView(named name: String) -> Int? { (0..<scrollViewCount).first { scrollViewName($0) == name } }

  /// How the application holds the header: the description's `hosting`.
  public var hosting: Value { unsafe table.pointee.hosting(context).map { unsafe Value($0.pointee) } ?? .record([]) }

  // MARK: Drawers

  /// Sets a drawer's center and size, as UIKit stores them. Not a move: nothing goes along.
  public func setCenter(_ center: Point, size: Size, of drawer: Int) {
    _ = unsafe table.pointee.set_drawer_center(context, Self.number(drawer), center.c, size.c)
  }

  /// Sets the top edges and heights of drawers; x and width stay. Not a move. Cheaper than ``setCenter(_:size:of:)`` of each one.
  /// - Parameters:
  ///   - drawers: which ones.
  ///   - extents: those of the header's drawers, from the first one on; at least up to the end of `drawers`.
  public func setExtents(of drawers: Range<Int>, _ extents: [Extent]) {
    let chosen = extents.span.extracting(drawers)
    unsafe chosen.withUnsafeBufferPointer { chosen in
      unsafe chosen.withMemoryRebound(to: header_extent.self) { chosen in
        _ = unsafe table.pointee.set_drawer_extents(
          context, Self.number(drawers.lowerBound), UInt32(chosen.count), chosen.baseAddress)
      }
    }
  }

  /// Sets a drawer's alpha, cut to 0…1.
  public func setAlpha(_ alpha: Double, of drawer: Int) {
    _ = unsafe table.pointee.set_drawer_alpha(context, Self.number(drawer), alpha)
  }

  /// Hides or shows a drawer.
  public func setHidden(_ hidden: Bool, _ drawer: Int) {
    _ = unsafe table.pointee.set_drawer_hidden(context, Self.number(drawer), hidden)
  }

  /// Sets which drawers a drawer is drawn over: higher ones over lower ones, of equal ones the earlier; −100…100.
  public func setZIndex(_ zIndex: Int, _ drawer: Int) {
    _ = unsafe table.pointee.set_drawer_z_index(context, Self.number(drawer), Int8(clamping: zIndex))
  }

  /// Sets a drawer's translation, drawn on top of its frame.
  public func setTranslation(_ translation: Point, of drawer: Int) {
    _ = unsafe table.pointee.set_drawer_translation(context, Self.number(drawer), translation.c)
  }

  /// Publishes the bounds of a drawer's height; the behavior keeps them, others read them.
  public func setHeights(minimum: Double, maximum: Double, of drawer: Int) {
    _ = unsafe table.pointee.set_drawer_heights(context, Self.number(drawer), minimum, maximum)
  }

  // MARK: Following others

  /// From now on `layoutPass` is also called after everything else is done, in each event in which something changed.
  public func followChanges() { _ = unsafe table.pointee.follow_changes(context) }

  /// A named value of whichever delegate has it; nil when there is none of that name.
  public func value(named name: String) -> Value? {
    var value = unsafe header_value()
    let found = unsafe name.withCString { unsafe table.pointee.get_value(context, $0, &value) }
    return found == HEADER_OK ? unsafe Value(value) : nil
  }

  /// The same for a value that is a number, or a truth as 0 or 1; nil also when it is something else.
  public func number(named name: String) -> Double? {
    var value = unsafe header_value()
    let found = unsafe name.withCString { unsafe table.pointee.get_value(context, $0, &value) }
    guard found == HEADER_OK else { return nil }
    switch unsafe Int(value.type) {
    case HEADER_NUMBER: return unsafe value.number
    case HEADER_BOOL: return unsafe value.boolean ? 1 : 0
    default: return nil
    }
  }

  // MARK: Wishes

  /// The header's wishes to its surroundings. If the status bar follows the header, a wish about it is fulfilled, and sent as a nested
  /// `layout`, before the setter returns. Re-enters.
  public var wants: Wants {
    get {
      var record = header_wants()
      record.struct_size = UInt32(MemoryLayout<header_wants>.size)
      _ = unsafe table.pointee.get_wants(context, &record)
      return Wants(record)
    }
    nonmutating set {
      var record = newValue.c
      _ = unsafe table.pointee.set_wants(context, &record)
    }
  }
}
