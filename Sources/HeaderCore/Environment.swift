// SPDX-License-Identifier: MIT
//
// What surrounds a header. Each part arrives in the description or as a `layout` event; none is looked up, so that a
// recording holds all of it. The fields lie in memory as `header_environment` of header_plugin.h does.

/// The surroundings of a header. Lengths in points.
public struct Environment: Equatable, Sendable {
  /// What the window keeps free at its edges: status bar, notch, home indicator.
  public var safeAreaInset: Insets
  /// The top left of header space in the window.
  public var viewOrigin: Point
  /// The status bar's own height, also while it is hidden.
  public var statusBarHeight: Double
  /// Pixels a point.
  public var screenScale: Double
  /// The second within the minute at header time 0; negative when not known.
  public var clockSecondOfMinute: Double
  /// Whether the application hides the status bar now.
  public var statusBarHidden: Bool
  /// The header's wish about the status bar is fulfilled at once.
  public var statusBarFollowsHeader: Bool
  /// The device has a notch or the like, so that the top inset stays when the status bar is hidden.
  public var deviceHasHardwareSafeArea: Bool
  /// The header is in a window.
  public var visible: Bool
  /// The controller is presented modally.
  public var presented: Bool
  /// There is a key window that can be asked for its safe area.
  public var keyWindow: Bool
  /// VoiceOver reads the screen to its user.
  public var voiceOverRunning: Bool
  /// The user asked for fewer animations.
  public var reduceMotion: Bool
  /// The application is an extension, which cannot ask the shared application for its status bar.
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

  /// Takes over what a change gives.
  /// - Parameter note: gets each key that is given, and whether its value is another than before.
  mutating func takeOver(_ change: LayoutChange, note: (LayoutKeys, Bool) -> Void = { _, _ in }) {
    func set<Field: Equatable>(_ key: LayoutKeys, _ value: Field?, _ field: inout Field) {
      guard let value else { return }
      note(key, field != value)
      field = value
    }
    set(.safeAreaInset, change.safeAreaInset?.filled(from: safeAreaInset), &safeAreaInset)
    set(.viewOrigin, change.viewOrigin?.filled(from: viewOrigin), &viewOrigin)
    set(.statusBarHeight, change.statusBarHeight, &statusBarHeight)
    set(.statusBarHidden, change.statusBarHidden, &statusBarHidden)
    set(.screenScale, change.screenScale, &screenScale)
    set(.clockSecondOfMinute, change.clockSecondOfMinute, &clockSecondOfMinute)
    set(.statusBarFollowsHeader, change.statusBarFollowsHeader, &statusBarFollowsHeader)
    set(.deviceHasHardwareSafeArea, change.deviceHasHardwareSafeArea, &deviceHasHardwareSafeArea)
    set(.visible, change.visible, &visible)
    set(.presented, change.presented, &presented)
    set(.keyWindow, change.keyWindow, &keyWindow)
    set(.voiceOverRunning, change.voiceOverRunning, &voiceOverRunning)
    set(.reduceMotion, change.reduceMotion, &reduceMotion)
    set(.appExtension, change.appExtension, &appExtension)
  }
}
