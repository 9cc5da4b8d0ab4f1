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
    func same<Swift, C>(_ name: String, _ swift: Swift.Type, _ c: C.Type, _ fields: [(String, Int?, Int?)]) {
      if MemoryLayout<Swift>.stride != MemoryLayout<C>.stride { found.append("\(name): size") }
      for (field, left, right) in fields where left == nil || left != right { found.append("\(name).\(field)") }
    }
    same("header_scroll_view", ScrollView.self, header_scroll_view.self, [
      ("content_offset", at(\ScrollView.contentOffset), at(\header_scroll_view.content_offset)),
      ("content_size", at(\ScrollView.contentSize), at(\header_scroll_view.content_size)),
      ("content_inset", at(\ScrollView.contentInset), at(\header_scroll_view.content_inset)),
      ("scroll_indicator_insets", at(\ScrollView.scrollIndicatorInsets), at(\header_scroll_view.scroll_indicator_insets)),
      ("frame", at(\ScrollView.frame), at(\header_scroll_view.frame)),
      ("viewport", at(\ScrollView.viewport), at(\header_scroll_view.viewport)),
      ("adjusted_content_inset", at(\ScrollView.adjustedContentInset), at(\header_scroll_view.adjusted_content_inset)),
      ("correction", at(\ScrollView.correction), at(\header_scroll_view.correction)),
      ("refresh_control_height", at(\ScrollView.refreshControlHeight), at(\header_scroll_view.refresh_control_height)),
      ("bounds_animation_duration", at(\ScrollView.boundsAnimationDuration), at(\header_scroll_view.bounds_animation_duration)),
      ("kind", at(\ScrollView.kind), at(\header_scroll_view.kind)),
      ("content_inset_adjustment", at(\ScrollView.contentInsetAdjustment), at(\header_scroll_view.content_inset_adjustment)),
      ("clamping", at(\ScrollView.clamping), at(\header_scroll_view.clamping)),
      ("is_tracking", at(\ScrollView.isTracking), at(\header_scroll_view.is_tracking)),
      ("is_dragging", at(\ScrollView.isDragging), at(\header_scroll_view.is_dragging)),
      ("is_decelerating", at(\ScrollView.isDecelerating), at(\header_scroll_view.is_decelerating)),
      ("is_animating", at(\ScrollView.isAnimating), at(\header_scroll_view.is_animating)),
      ("paging_enabled", at(\ScrollView.pagingEnabled), at(\header_scroll_view.paging_enabled)),
      ("has_refresh_control", at(\ScrollView.hasRefreshControl), at(\header_scroll_view.has_refresh_control)),
      ("refresh_control_hidden", at(\ScrollView.refreshControlHidden), at(\header_scroll_view.refresh_control_hidden)),
      ("is_refreshing", at(\ScrollView.isRefreshing), at(\header_scroll_view.is_refreshing)),
      ("forwards_events", at(\ScrollView.forwardsEvents), at(\header_scroll_view.forwards_events)),
      ("decides_indicator_insets", at(\ScrollView.decidesIndicatorInsets), at(\header_scroll_view.decides_indicator_insets)),
      ("decides_frame", at(\ScrollView.decidesFrame), at(\header_scroll_view.decides_frame)),
      ("decides_content_size", at(\ScrollView.decidesContentSize), at(\header_scroll_view.decides_content_size)),
    ])
    same("header_environment", Environment.self, header_environment.self, [
      ("safe_area_inset", at(\Environment.safeAreaInset), at(\header_environment.safe_area_inset)),
      ("view_origin", at(\Environment.viewOrigin), at(\header_environment.view_origin)),
      ("status_bar_height", at(\Environment.statusBarHeight), at(\header_environment.status_bar_height)),
      ("screen_scale", at(\Environment.screenScale), at(\header_environment.screen_scale)),
      ("clock_second_of_minute", at(\Environment.clockSecondOfMinute), at(\header_environment.clock_second_of_minute)),
      ("status_bar_hidden", at(\Environment.statusBarHidden), at(\header_environment.status_bar_hidden)),
      ("status_bar_follows_header", at(\Environment.statusBarFollowsHeader), at(\header_environment.status_bar_follows_header)),
      ("device_has_hardware_safe_area", at(\Environment.deviceHasHardwareSafeArea),
        at(\header_environment.device_has_hardware_safe_area)),
      ("visible", at(\Environment.visible), at(\header_environment.visible)),
      ("presented", at(\Environment.presented), at(\header_environment.presented)),
      ("key_window", at(\Environment.keyWindow), at(\header_environment.key_window)),
      ("voice_over_running", at(\Environment.voiceOverRunning), at(\header_environment.voice_over_running)),
      ("reduce_motion", at(\Environment.reduceMotion), at(\header_environment.reduce_motion)),
      ("app_extension", at(\Environment.appExtension), at(\header_environment.app_extension)),
    ])
    same("header_drawer", Drawer.self, header_drawer.self, [
      ("center", at(\Drawer.center), at(\header_drawer.center)),
      ("size", at(\Drawer.size), at(\header_drawer.size)),
      ("translation", at(\Drawer.translation), at(\header_drawer.translation)),
      ("minimum_height", at(\Drawer.minimumHeight), at(\header_drawer.minimum_height)),
      ("maximum_height", at(\Drawer.maximumHeight), at(\header_drawer.maximum_height)),
      ("alpha", at(\Drawer.alpha), at(\header_drawer.alpha)),
      ("fade", at(\Drawer.fade), at(\header_drawer.fade)),
      ("first_element", at(\Drawer.firstElement), at(\header_drawer.first_element)),
      ("element_count", at(\Drawer.elementCount), at(\header_drawer.element_count)),
      ("is_hidden", at(\Drawer.isHidden), at(\header_drawer.is_hidden)),
      ("is_sticky", at(\Drawer.isSticky), at(\header_drawer.is_sticky)),
    ])
    same("header_element", Element.self, header_element.self, [
      ("center", at(\Element.center), at(\header_element.center)),
      ("bounds", at(\Element.bounds), at(\header_element.bounds)),
      ("transform", at(\Element.transform), at(\header_element.transform)),
      ("z_index", at(\Element.zIndex), at(\header_element.z_index)),
      ("corner_radius", at(\Element.cornerRadius), at(\header_element.corner_radius)),
      ("alpha", at(\Element.alpha), at(\header_element.alpha)),
      ("drawer", at(\Element.drawer), at(\header_element.drawer)),
      ("is_hidden", at(\Element.isHidden), at(\header_element.is_hidden)),
      ("is_changed", at(\Element.isChanged), at(\header_element.is_changed)),
    ])
    same("header_event", DelegateEvent.self, header_event.self, [
      ("kind", at(\DelegateEvent.kind), at(\header_event.kind)),
      ("scroll_view", at(\DelegateEvent.scrollView), at(\header_event.scroll_view)),
      ("depth", at(\DelegateEvent.depth), at(\header_event.depth)),
      ("new_scroll_view", at(\DelegateEvent.newScrollView), at(\header_event.new_scroll_view)),
      ("time", at(\DelegateEvent.time), at(\header_event.time)),
      ("velocity", at(\DelegateEvent.velocity), at(\header_event.velocity)),
      ("target_offset", at(\DelegateEvent.targetOffset), at(\header_event.target_offset)),
      ("delta", at(\DelegateEvent.delta), at(\header_event.delta)),
      ("size", at(\DelegateEvent.size), at(\header_event.size)),
      ("given", at(\DelegateEvent.given), at(\header_event.given)),
      ("changed", at(\DelegateEvent.changed), at(\header_event.changed)),
      ("source", at(\DelegateEvent.source), at(\header_event.source)),
      ("will_decelerate", at(\DelegateEvent.willDecelerate), at(\header_event.will_decelerate)),
    ])
    same("header_answer", DelegateAnswer.self, header_answer.self, [
      ("target_offset", at(\DelegateAnswer.targetOffset), at(\header_answer.target_offset)),
      ("consumed", at(\DelegateAnswer.consumed), at(\header_answer.consumed)),
      ("returned", at(\DelegateAnswer.returned), at(\header_answer.returned)),
      ("has_target_offset", at(\DelegateAnswer.hasTargetOffset), at(\header_answer.has_target_offset)),
      ("has_consumed", at(\DelegateAnswer.hasConsumed), at(\header_answer.has_consumed)),
      ("has_returned", at(\DelegateAnswer.hasReturned), at(\header_answer.has_returned)),
      ("ends", at(\DelegateAnswer.ends), at(\header_answer.ends)),
    ])
    // Enumerations lie as their case's number; the C side has the same numbers by name.
    if DelegateEventKind.allCases.map(\.rawValue) != Array(0..<Int32(DelegateEventKind.allCases.count)) {
      found.append("header_event_kind")
    }
    return found
  }

  private static func at<Root, Field>(_ path: KeyPath<Root, Field>) -> Int? { MemoryLayout<Root>.offset(of: path) }
}
