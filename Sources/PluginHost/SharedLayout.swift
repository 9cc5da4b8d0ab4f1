// SPDX-License-Identifier: MIT
//
// Plugins read the engine's records in place, so the Swift and C structs must have the same layout. Swift lays out
// plain structs in the order of their fields with natural alignment, as C does. This is checked field by field when the
// first plugin is loaded; a mismatch is a bug of headerd and ends the program.

internal import CHeaderPlugin
internal import HeaderCore

/// The check that the core's records and header_plugin.h agree.
public enum SharedLayout {
  /// Every field whose place differs between the two sides; empty when all is well.
  public static var differences: [String] {
    // Enumerations lie as their case's number; the C side has the same numbers by name.
    let kinds = DelegateEventKind.allCases.map(\.rawValue)
    let hasSameKinds = kinds == Array(0..<Int32(kinds.count))
    return recordDifferences + eventDifferences + (hasSameKinds ? [] : ["header_event_kind"])
  }

  private static func compare<Swift, C>(
    _ swift: Swift.Type, _ c: C.Type, _ fields: [(PartialKeyPath<Swift>, PartialKeyPath<C>)]
  ) -> [String] {
    let moved = fields.filter { swiftPath, cPath in
      let place = MemoryLayout<Swift>.offset(of: swiftPath)
      return place == nil || place != MemoryLayout<C>.offset(of: cPath)
    }
    let hasSameSize = MemoryLayout<Swift>.stride == MemoryLayout<C>.stride
    return (hasSameSize ? [] : ["size of \(c)"]) + moved.map { "\($0.1)" }
  }

  private static var recordDifferences: [String] {
    var found = compare(
      ScrollView.self, header_scroll_view.self,
      [
        (\.contentOffset, \.content_offset), (\.contentSize, \.content_size), (\.contentInset, \.content_inset),
        (\.scrollIndicatorInsets, \.scroll_indicator_insets), (\.frame, \.frame), (\.viewport, \.viewport),
        (\.adjustedContentInset, \.adjusted_content_inset), (\.correction, \.correction),
        (\.refreshControlHeight, \.refresh_control_height), (\.boundsAnimationDuration, \.bounds_animation_duration),
        (\.kind, \.kind), (\.contentInsetAdjustment, \.content_inset_adjustment), (\.clamping, \.clamping),
        (\.isTracking, \.is_tracking), (\.isDragging, \.is_dragging), (\.isDecelerating, \.is_decelerating),
        (\.isAnimating, \.is_animating), (\.pagingEnabled, \.paging_enabled),
        (\.hasRefreshControl, \.has_refresh_control), (\.refreshControlHidden, \.refresh_control_hidden),
        (\.isRefreshing, \.is_refreshing), (\.forwardsEvents, \.forwards_events),
        (\.decidesIndicatorInsets, \.decides_indicator_insets), (\.decidesFrame, \.decides_frame),
        (\.decidesContentSize, \.decides_content_size),
      ])
    found += compare(
      Environment.self, header_environment.self,
      [
        (\.safeAreaInset, \.safe_area_inset), (\.viewOrigin, \.view_origin), (\.statusBarHeight, \.status_bar_height),
        (\.screenScale, \.screen_scale), (\.clockSecondOfMinute, \.clock_second_of_minute),
        (\.statusBarHidden, \.status_bar_hidden), (\.statusBarFollowsHeader, \.status_bar_follows_header),
        (\.deviceHasHardwareSafeArea, \.device_has_hardware_safe_area), (\.visible, \.visible),
        (\.presented, \.presented), (\.keyWindow, \.key_window), (\.voiceOverRunning, \.voice_over_running),
        (\.reduceMotion, \.reduce_motion), (\.appExtension, \.app_extension),
      ])
    found += compare(
      Drawer.self, header_drawer.self,
      [
        (\.center, \.center), (\.size, \.size), (\.translation, \.translation), (\.minimumHeight, \.minimum_height),
        (\.maximumHeight, \.maximum_height), (\.alpha, \.alpha), (\.fade, \.fade), (\.firstElement, \.first_element),
        (\.elementCount, \.element_count), (\.isHidden, \.is_hidden), (\.isSticky, \.is_sticky),
      ])
    found += compare(
      Element.self, header_element.self,
      [
        (\.center, \.center), (\.bounds, \.bounds), (\.transform, \.transform), (\.zIndex, \.z_index),
        (\.cornerRadius, \.corner_radius), (\.alpha, \.alpha), (\.drawer, \.drawer), (\.isHidden, \.is_hidden),
        (\.isChanged, \.is_changed),
      ])
    unsafe found += compare(
      HeaderRecords.self, header_records.self,
      [
        (\.structSize, \.struct_size), (\.trackingScrollView, \.tracking_scroll_view), (\.time, \.time),
        (\.drawerCount, \.drawer_count), (\.elementCount, \.element_count), (\.scrollViewCount, \.scroll_view_count),
        (\.drawers, \.drawers), (\.elements, \.elements), (\.scrollViews, \.scroll_views),
        (\.environment, \.environment),
      ])
    return found
  }

  private static var eventDifferences: [String] {
    var found = compare(
      DelegateEvent.self, header_event.self,
      [
        (\.kind, \.kind), (\.scrollView, \.scroll_view), (\.depth, \.depth), (\.newScrollView, \.new_scroll_view),
        (\.time, \.time), (\.velocity, \.velocity), (\.targetOffset, \.target_offset), (\.delta, \.delta),
        (\.size, \.size), (\.given, \.given), (\.changed, \.changed), (\.source, \.source),
        (\.willDecelerate, \.will_decelerate),
      ])
    found += compare(
      DelegateAnswer.self, header_answer.self,
      [
        (\.targetOffset, \.target_offset), (\.consumed, \.consumed), (\.returned, \.returned),
        (\.hasTargetOffset, \.has_target_offset), (\.hasConsumed, \.has_consumed), (\.hasReturned, \.has_returned),
        (\.ends, \.ends),
      ])
    return found
  }
}
