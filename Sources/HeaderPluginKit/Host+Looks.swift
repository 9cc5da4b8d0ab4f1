// SPDX-License-Identifier: MIT
//
// The parts of a header that are about looks and surroundings: where a drawer is drawn, the wishes that the header has of
// the application, and how the application holds the header. Names are for saved states: an index means something only as
// long as the structure of the header stays.

internal import CHeaderPlugin

/// What the status bar should look like.
public enum StatusBarStyle: UInt8, Sendable {
  case `default` = 1
  case lightContent, darkContent
}

/// What the header asks of its surroundings. Points.
public struct Wants: Equatable, Sendable {
  /// The status bar shall be hidden.
  public var prefersStatusBarHidden = false
  /// nil: no wish.
  public var preferredStatusBarStyle: StatusBarStyle?
  /// What the content controller shall add to its safe area; nil: no wish.
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

  /// A scroll view's name.
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

  /// Sets a drawer's alpha, cut to 0…1.
  public func setAlpha(_ alpha: Double, of drawer: Int) {
    _ = unsafe table.pointee.set_drawer_alpha(context, Self.number(drawer), alpha)
  }

  /// Hides or shows a drawer.
  public func setHidden(_ hidden: Bool, _ drawer: Int) {
    _ = unsafe table.pointee.set_drawer_hidden(context, Self.number(drawer), hidden)
  }

  /// Sets a drawer's translation, drawn on top of its frame.
  public func setTranslation(_ translation: Point, of drawer: Int) {
    _ = unsafe table.pointee.set_drawer_translation(context, Self.number(drawer), translation.c)
  }

  // MARK: Wishes

  /// What the header asks of its surroundings. With a status bar that follows the header, a wish about it is fulfilled,
  /// and told as a nested `layout`, before setting it returns. Re-enters.
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
