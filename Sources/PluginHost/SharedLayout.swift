// SPDX-License-Identifier: MIT
//
// Plugins read the engine's records in place, so the Swift structs and the C structs must lie in memory alike. Swift
// lays out plain structs in the order of their fields with natural alignment, as C does; here that is checked, field by
// field, once when the first plugin is loaded. A mismatch is a bug of headerd and ends the program.

internal import CHeaderPlugin
internal import HeaderCore

/// The check that the core's records and header_plugin.h agree.
public enum SharedLayout {
  /// Every field whose place differs between the two sides; empty when all is well.
  public static var differences: [String] {
    var found: [String] = []
    func same<Swift, C>(
      _ name: String, _ swift: Swift.Type, _ c: C.Type, _ fields: [(String, PartialKeyPath<Swift>, PartialKeyPath<C>)]
    ) {
      if MemoryLayout<Swift>.stride != MemoryLayout<C>.stride { found.append("\(name): size") }
      for (field, swiftPath, cPath) in fields {
        let place = MemoryLayout<Swift>.offset(of: swiftPath)
        if place == nil || place != MemoryLayout<C>.offset(of: cPath) { found.append("\(name).\(field)") }
      }
    }
    same(
      "header_scroll_view", ScrollView.self, header_scroll_view.self,
      [
        ("content_offset", \.contentOffset, \.content_offset),
        ("content_size", \.contentSize, \.content_size),
        ("content_inset", \.contentInset, \.content_inset),
        ("scroll_indicator_insets", \.scrollIndicatorInsets, \.scroll_indicator_insets),
        ("frame", \.frame, \.frame),
        ("viewport", \.viewport, \.viewport),
        ("adjusted_content_inset", \.adjustedContentInset, \.adjusted_content_inset),
        ("correction", \.correction, \.correction),
        ("refresh_control_height", \.refreshControlHeight, \.refresh_control_height),
        ("bounds_animation_duration", \.boundsAnimationDuration, \.bounds_animation_duration),
        ("kind", \.kind, \.kind),
        ("content_inset_adjustment", \.contentInsetAdjustment, \.content_inset_adjustment),
        ("clamping", \.clamping, \.clamping),
        ("is_tracking", \.isTracking, \.is_tracking),
        ("is_dragging", \.isDragging, \.is_dragging),
        ("is_decelerating", \.isDecelerating, \.is_decelerating),
        ("is_animating", \.isAnimating, \.is_animating),
        ("paging_enabled", \.pagingEnabled, \.paging_enabled),
        ("has_refresh_control", \.hasRefreshControl, \.has_refresh_control),
        ("refresh_control_hidden", \.refreshControlHidden, \.refresh_control_hidden),
        ("is_refreshing", \.isRefreshing, \.is_refreshing),
        ("forwards_events", \.forwardsEvents, \.forwards_events),
        ("decides_indicator_insets", \.decidesIndicatorInsets, \.decides_indicator_insets),
        ("decides_frame", \.decidesFrame, \.decides_frame),
        ("decides_content_size", \.decidesContentSize, \.decides_content_size),
      ])
    same(
      "header_environment", Environment.self, header_environment.self,
      [
        ("safe_area_inset", \.safeAreaInset, \.safe_area_inset),
        ("view_origin", \.viewOrigin, \.view_origin),
        ("status_bar_height", \.statusBarHeight, \.status_bar_height),
        ("screen_scale", \.screenScale, \.screen_scale),
        ("clock_second_of_minute", \.clockSecondOfMinute, \.clock_second_of_minute),
        ("status_bar_hidden", \.statusBarHidden, \.status_bar_hidden),
        ("status_bar_follows_header", \.statusBarFollowsHeader, \.status_bar_follows_header),
        ("device_has_hardware_safe_area", \.deviceHasHardwareSafeArea, \.device_has_hardware_safe_area),
        ("visible", \.visible, \.visible),
        ("presented", \.presented, \.presented),
        ("key_window", \.keyWindow, \.key_window),
        ("voice_over_running", \.voiceOverRunning, \.voice_over_running),
        ("reduce_motion", \.reduceMotion, \.reduce_motion),
        ("app_extension", \.appExtension, \.app_extension),
      ])
    same(
      "header_drawer", Drawer.self, header_drawer.self,
      [
        ("center", \.center, \.center),
        ("size", \.size, \.size),
        ("translation", \.translation, \.translation),
        ("minimum_height", \.minimumHeight, \.minimum_height),
        ("maximum_height", \.maximumHeight, \.maximum_height),
        ("alpha", \.alpha, \.alpha),
        ("fade", \.fade, \.fade),
        ("first_element", \.firstElement, \.first_element),
        ("element_count", \.elementCount, \.element_count),
        ("is_hidden", \.isHidden, \.is_hidden),
        ("is_sticky", \.isSticky, \.is_sticky),
      ])
    same(
      "header_element", Element.self, header_element.self,
      [
        ("center", \.center, \.center),
        ("bounds", \.bounds, \.bounds),
        ("transform", \.transform, \.transform),
        ("z_index", \.zIndex, \.z_index),
        ("corner_radius", \.cornerRadius, \.corner_radius),
        ("alpha", \.alpha, \.alpha),
        ("drawer", \.drawer, \.drawer),
        ("is_hidden", \.isHidden, \.is_hidden),
        ("is_changed", \.isChanged, \.is_changed),
      ])
    unsafe same(
      "header_records", HeaderRecords.self, header_records.self,
      [
        ("struct_size", \.structSize, \.struct_size),
        ("tracking_scroll_view", \.trackingScrollView, \.tracking_scroll_view),
        ("time", \.time, \.time),
        ("drawer_count", \.drawerCount, \.drawer_count),
        ("element_count", \.elementCount, \.element_count),
        ("scroll_view_count", \.scrollViewCount, \.scroll_view_count),
        ("drawers", \.drawers, \.drawers),
        ("elements", \.elements, \.elements),
        ("scroll_views", \.scrollViews, \.scroll_views),
        ("environment", \.environment, \.environment),
      ])
    same(
      "header_event", DelegateEvent.self, header_event.self,
      [
        ("kind", \.kind, \.kind),
        ("scroll_view", \.scrollView, \.scroll_view),
        ("depth", \.depth, \.depth),
        ("new_scroll_view", \.newScrollView, \.new_scroll_view),
        ("time", \.time, \.time),
        ("velocity", \.velocity, \.velocity),
        ("target_offset", \.targetOffset, \.target_offset),
        ("delta", \.delta, \.delta),
        ("size", \.size, \.size),
        ("given", \.given, \.given),
        ("changed", \.changed, \.changed),
        ("source", \.source, \.source),
        ("will_decelerate", \.willDecelerate, \.will_decelerate),
      ])
    same(
      "header_answer", DelegateAnswer.self, header_answer.self,
      [
        ("target_offset", \.targetOffset, \.target_offset),
        ("consumed", \.consumed, \.consumed),
        ("returned", \.returned, \.returned),
        ("has_target_offset", \.hasTargetOffset, \.has_target_offset),
        ("has_consumed", \.hasConsumed, \.has_consumed),
        ("has_returned", \.hasReturned, \.has_returned),
        ("ends", \.ends, \.ends),
      ])
    // Enumerations lie as their case's number; the C side has the same numbers by name.
    if DelegateEventKind.allCases.map(\.rawValue) != Array(0..<Int32(DelegateEventKind.allCases.count)) {
      found.append("header_event_kind")
    }
    return found
  }
}
