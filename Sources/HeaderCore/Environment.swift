// SPDX-License-Identifier: MIT
//
// What surrounds a header. Each part arrives in the description or as a `layout` event; none is looked up, so that a
// recording holds all of it. The fields lie in memory as `header_environment` of header_plugin.h does.

/// The surroundings of a header. Lengths in points.
public struct Environment: Equatable, Sendable {
  public var safeAreaInset: Insets
  /// The top left of header space in the window.
  public var viewOrigin: Point
  /// The status bar's own height, also while it is hidden.
  public var statusBarHeight: Double
  /// Pixels a point.
  public var screenScale: Double
  /// The second within the minute at header time 0; negative when not known.
  public var clockSecondOfMinute: Double
  public var statusBarHidden: Bool
  /// The header's wish about the status bar is fulfilled at once.
  public var statusBarFollowsHeader: Bool
  public var deviceHasHardwareSafeArea: Bool
  /// The header is in a window.
  public var visible: Bool
  /// The controller is presented modally.
  public var presented: Bool
  public var keyWindow: Bool
  public var voiceOverRunning: Bool
  public var reduceMotion: Bool
  public var appExtension: Bool

  /// The defaults of a description.
  public init() {
    safeAreaInset = Insets()
    viewOrigin = Point()
    statusBarHeight = 0
    screenScale = 1
    clockSecondOfMinute = -1
    statusBarHidden = false
    statusBarFollowsHeader = false
    deviceHasHardwareSafeArea = false
    visible = true
    presented = false
    keyWindow = true
    voiceOverRunning = false
    reduceMotion = false
    appExtension = false
  }
}
