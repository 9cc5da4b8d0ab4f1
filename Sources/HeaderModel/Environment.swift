// SPDX-License-Identifier: MIT
//
// What surrounds a header. Each part arrives in the description or as a `layout` event; none is looked up, so that a
// recording holds all of it. The fields lie in memory as `header_environment` of header_plugin.h does.

/// The surroundings of a header. Lengths in points.
public struct Environment: Equatable, Sendable {
  /// The window's safe area: status bar, notch, home indicator.
  public var safeAreaInset = Insets()
  /// The top left of header space in the window.
  public var viewOrigin = Point()
  /// The status bar's own height, also while it is hidden.
  public var statusBarHeight: Double = 0
  /// Pixels per point.
  public var screenScale: Double = 1
  /// The second within the minute at header time 0; negative when not known.
  public var clockSecondOfMinute: Double = -1
  /// Whether the application hides the status bar now.
  public var statusBarHidden = false
  /// The header's wish about the status bar is fulfilled at once.
  public var statusBarFollowsHeader = false
  /// Whether the device has a notch or the like, so that the top inset stays when the status bar is hidden.
  public var deviceHasHardwareSafeArea = false
  /// The header is in a window.
  public var visible = true
  /// The controller is presented modally.
  public var presented = false
  /// There is a key window that can be asked for its safe area.
  public var keyWindow = true
  /// VoiceOver reads the screen to its user.
  public var voiceOverRunning = false
  /// The user asked for fewer animations.
  public var reduceMotion = false
  /// The application is an extension, which cannot ask the shared application for its status bar.
  public var appExtension = false
  /// Everything on the screen can be reached by the keyboard alone.
  public var fullKeyboardAccess = false
  /// The user, or the application, wants the header on the screen at all times.
  public var alwaysShown = false
  /// Animations and movements without a finger are to be left out: `reduceMotion`, unless the header asks for the original's behavior.
  /// The engine writes it.
  public package(set) var limitsMotion = false
  /// The height of the keyboard on the screen, from the scroll view's bottom.
  public var keyboardHeight: Double = 0

  /// The defaults of a description.
  public init() {}
}

extension Environment {
  /// Every key, in the order of headerd-headers(7).
  package static let members: [Member<Environment>] = [
    Member("safeAreaInset", \.safeAreaInset, .shape, .safeAreaInset),
    Member("deviceHasHardwareSafeArea", \.deviceHasHardwareSafeArea, .flag, .deviceHasHardwareSafeArea),
    Member("statusBarHeight", \.statusBarHeight, .length, .statusBarHeight),
    Member("statusBarHidden", \.statusBarHidden, .flag, .statusBarHidden),
    Member("statusBarFollowsHeader", \.statusBarFollowsHeader, .flag, .statusBarFollowsHeader),
    Member("screenScale", \.screenScale, .scale, .screenScale),
    Member("viewOrigin", \.viewOrigin, .shape, .viewOrigin),
    Member("visible", \.visible, .flag, .visible),
    Member("presented", \.presented, .flag, .presented),
    Member("keyWindow", \.keyWindow, .flag, .keyWindow),
    Member("voiceOverRunning", \.voiceOverRunning, .flag, .voiceOverRunning),
    Member("reduceMotion", \.reduceMotion, .flag, .reduceMotion),
    Member("appExtension", \.appExtension, .flag, .appExtension),
    Member("fullKeyboardAccess", \.fullKeyboardAccess, .flag, .fullKeyboardAccess),
    Member("alwaysShown", \.alwaysShown, .flag, .alwaysShown),
    Member("keyboardHeight", \.keyboardHeight, .length, .keyboardHeight),
    Member("clockSecondOfMinute", \.clockSecondOfMinute, .clock, .clockSecondOfMinute),
  ]

  /// Reads the surroundings; keys left out have their defaults.
  package init(_ fields: inout FieldReader) throws(HeaderError) {
    self.init()
    try Self.members.read(&fields, into: &self)
  }

  /// Every key; a clock that is not known is null.
  public var value: Value { .record(Self.members.write(self)) }

  /// A user could not reach a header that left the screen.
  package var needsShown: Bool { voiceOverRunning || fullKeyboardAccess || alwaysShown }

  /// The status bar's bottom edge in header space: where the first drawer begins. A presented header has none above it.
  var statusBarBottom: Double {
    statusBarHidden || presented ? 0 : max(0, statusBarHeight - viewOrigin.y)
  }
}
