// SPDX-License-Identifier: MIT
//
// An event on its way through the chain: names are resolved to indexes, the record of the scroll view already has it. Its fields lie in
// memory as `header_event` and `header_answer` of header_plugin.h do, so that a plugin gets the very same bytes.

/// An event that a delegate may receive. The numbers are those of `header_event_kind` and never change.
public enum DelegateEventKind: Int32, Sendable, CaseIterable {
  case willBeginDragging = 0
  case didScroll = 1
  case willEndDragging = 2
  case didEndDragging = 3
  case willBeginDecelerating = 4
  case didEndDecelerating = 5
  case didEndScrollingAnimation = 6
  case shouldScrollToTop = 7
  case didScrollToTop = 8
  case didChangeAdjustedContentInset = 9
  case willScroll = 10
  case didOverscroll = 11
  case willFling = 12
  case layout = 13
  case willAppear = 14
  case didAppear = 15
  case willDisappear = 16
  case didDisappear = 17
  case didBecomeActive = 18
  case willTransition = 19
  case transition = 20
  case didTransition = 21
  case willChangeTrackingScrollView = 22
  case setTrackingScrollView = 23
  /// A scroll view's offset was written, tracked or not, also with the value that it had.
  case didWriteContentOffset = 24
  /// A `layout` event has given a scroll view another viewport and, when it tracks, the drawers its width; the rest follows.
  case didResize = 25

  /// The word for it on the wire.
  public var word: String { Self.words[Int(rawValue)] }

  private static let words = allCases.map { "\($0)" }

  /// The kind for a word of the protocol; nil for any other word.
  public init?(word: String) {
    guard let kind = Self.kindsByWord[word] else { return nil }
    self = kind
  }

  private static let kindsByWord = Dictionary(uniqueKeysWithValues: allCases.map { ($0.word, $0) })

  /// The kind for an event's name; nil for events that delegates do not receive as such.
  package init?(_ name: EventName) { self.init(word: name.rawValue) }
}

/// A set of kinds of events, such as those that a delegate responds to.
public struct EventSet: OptionSet, Sendable {
  /// One bit for each kind: 1 << its number.
  public var rawValue: UInt64
  /// Creates the set of the kinds whose bits are set.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The set of one kind.
  @inlinable public init(_ kind: DelegateEventKind) { rawValue = 1 << UInt64(kind.rawValue) }

  /// Every kind that stands for an event of the publisher's.
  public static let all = EventSet(rawValue: (1 << UInt64(DelegateEventKind.didWriteContentOffset.rawValue)) - 1)

  /// Kinds that the engine makes itself, for delegates that ask for them.
  public static let made: EventSet = [EventSet(.didWriteContentOffset), EventSet(.didResize)]

  /// The kinds in it, in the order of their numbers.
  public var kinds: [DelegateEventKind] { DelegateEventKind.allCases.filter { contains(EventSet($0)) } }
}

/// The given keys of a `layout` event, one bit a key; the numbers are those of `header_layout_key`.
public struct LayoutKeys: OptionSet, Sendable {
  /// One bit for each key, as in `header_layout_key`.
  public var rawValue: UInt64
  /// Creates the set of the keys whose bits are set.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// ``Environment/safeAreaInset``.
  public static let safeAreaInset = LayoutKeys(rawValue: 1 << 0)
  /// ``Environment/viewOrigin``.
  public static let viewOrigin = LayoutKeys(rawValue: 1 << 1)
  /// ``Environment/statusBarHeight``.
  public static let statusBarHeight = LayoutKeys(rawValue: 1 << 2)
  /// ``Environment/statusBarHidden``; also when a wish about the status bar was fulfilled at once.
  public static let statusBarHidden = LayoutKeys(rawValue: 1 << 3)
  /// ``Environment/screenScale``.
  public static let screenScale = LayoutKeys(rawValue: 1 << 4)
  /// ``Environment/clockSecondOfMinute``.
  public static let clockSecondOfMinute = LayoutKeys(rawValue: 1 << 5)
  /// ``Environment/statusBarFollowsHeader``.
  public static let statusBarFollowsHeader = LayoutKeys(rawValue: 1 << 6)
  /// ``Environment/deviceHasHardwareSafeArea``.
  public static let deviceHasHardwareSafeArea = LayoutKeys(rawValue: 1 << 7)
  /// ``Environment/visible``.
  public static let visible = LayoutKeys(rawValue: 1 << 8)
  /// ``Environment/presented``.
  public static let presented = LayoutKeys(rawValue: 1 << 9)
  /// ``Environment/keyWindow``.
  public static let keyWindow = LayoutKeys(rawValue: 1 << 10)
  /// ``Environment/voiceOverRunning``.
  public static let voiceOverRunning = LayoutKeys(rawValue: 1 << 11)
  /// ``Environment/reduceMotion``.
  public static let reduceMotion = LayoutKeys(rawValue: 1 << 12)
  /// ``Environment/appExtension``.
  public static let appExtension = LayoutKeys(rawValue: 1 << 13)
  /// ``ScrollView/viewport`` of the event's scroll view.
  public static let viewport = LayoutKeys(rawValue: 1 << 14)
  /// Drawers or elements, by name; which of them, the records have.
  public static let drawers = LayoutKeys(rawValue: 1 << 15)
  /// ``ScrollView/contentSize`` of the event's scroll view.
  public static let contentSize = LayoutKeys(rawValue: 1 << 16)
  /// ``ScrollView/frame`` of the event's scroll view.
  public static let frame = LayoutKeys(rawValue: 1 << 17)
  /// ``ScrollView/scrollIndicatorInsets`` of the event's scroll view.
  public static let scrollIndicatorInsets = LayoutKeys(rawValue: 1 << 18)
  /// ``ScrollView/contentInsetAdjustment`` of the event's scroll view.
  public static let contentInsetAdjustment = LayoutKeys(rawValue: 1 << 19)
  /// ``ScrollView/kind`` of the event's scroll view.
  public static let kind = LayoutKeys(rawValue: 1 << 20)
  /// ``ScrollView/pagingEnabled`` of the event's scroll view.
  public static let pagingEnabled = LayoutKeys(rawValue: 1 << 21)
  /// The refresh control of the event's scroll view: whether there is one, its height, whether it is hidden or
  /// refreshing.
  public static let refreshControl = LayoutKeys(rawValue: 1 << 22)
  /// ``ScrollView/forwardsEvents`` of the event's scroll view.
  public static let forwardsEvents = LayoutKeys(rawValue: 1 << 23)
  /// ``ScrollView/clamping`` of the event's scroll view.
  public static let clamping = LayoutKeys(rawValue: 1 << 24)
  /// ``ScrollView/contentInset`` of the event's scroll view.
  public static let contentInset = LayoutKeys(rawValue: 1 << 25)
  /// ``ScrollView/boundsAnimationDuration`` of the event's scroll view.
  public static let boundsAnimationDuration = LayoutKeys(rawValue: 1 << 26)
  /// ``ScrollView/contentOffset`` of the event's scroll view.
  public static let offset = LayoutKeys(rawValue: 1 << 27)
  /// A layout pass was asked for.
  public static let pass = LayoutKeys(rawValue: 1 << 28)
  /// The lists of drawers or scroll views were replaced (`header.configure`): addresses read before are void.
  public static let structure = LayoutKeys(rawValue: 1 << 29)
  /// ``Environment/fullKeyboardAccess``.
  public static let fullKeyboardAccess = LayoutKeys(rawValue: 1 << 30)
  /// ``Environment/alwaysShown``.
  public static let alwaysShown = LayoutKeys(rawValue: 1 << 31)
  /// ``Environment/keyboardHeight``.
  public static let keyboardHeight = LayoutKeys(rawValue: 1 << 32)
}

/// An event as a delegate gets it.
public struct DelegateEvent: Sendable {
  /// What happened; it decides which of the other fields have a meaning.
  public var kind: DelegateEventKind
  /// Index of the scroll view; −1 when the event is none's.
  public var scrollView: Int32
  /// 0 for an event from outside, 1… for one that a delegate's own write brought about.
  public var depth: Int32 = 0
  /// For the two events of a change of the tracking scroll view: the index of the new one, −1 for none.
  public var newScrollView: Int32 = -1
  /// Header time in nanoseconds.
  public var time: Int64 = 0
  /// The velocity in points per millisecond, in the offset's sign.
  public var velocity = Point()
  /// willEndDragging: as rewritten by the delegates before.
  public var targetOffset = Point()
  /// Nested scrolling: the offer in points.
  public var delta = Point()
  /// willTransition: the size to come.
  public var size = Size()
  /// layout: the given keys.
  public var given: LayoutKeys = []
  /// layout: the keys of `given` whose values differ from before.
  public var changed: LayoutKeys = []
  /// Nested scrolling: what moves the content.
  public var source: ScrollSource = .drag
  /// didEndDragging: whether the content keeps moving by itself.
  public var willDecelerate = false
  /// didScroll: what moved the content.
  public var reason: ScrollReason = .unsaid

  /// An event of a scroll view, with nothing else given.
  @inlinable public init(_ kind: DelegateEventKind, scrollView: Int32 = -1) {
    self.kind = kind
    self.scrollView = scrollView
  }
}

/// An event as it lies with the chain while a delegate handles it; valid until `receive` returns. Its fields are read in
/// place: copying them for each delegate would cost more than the call.
@safe @dynamicMemberLookup public struct PassingEvent {
  /// The event's memory, valid during the call.
  public let address: UnsafePointer<DelegateEvent>

  @inlinable package init(_ address: UnsafePointer<DelegateEvent>) { unsafe self.address = unsafe address }

  /// A field of the event.
  @inlinable public subscript<Field>(dynamicMember field: KeyPath<DelegateEvent, Field>) -> Field {
    unsafe address.pointee[keyPath: field]
  }
}

/// A delegate's answer to an event.
public struct DelegateAnswer: Sendable {
  /// willEndDragging: where the content shall come to rest.
  public var targetOffset = Point()
  /// Nested scrolling: how much of the offer was taken (points, or points per millisecond).
  public var consumed = Point()
  /// The answer to `shouldScrollToTop`, or willEndDragging's "I rewrote it".
  public var returned = false
  /// `targetOffset` is an answer; allowed for willEndDragging alone.
  public var hasTargetOffset = false
  /// `consumed` is an answer; allowed in nested scrolling alone.
  public var hasConsumed = false
  /// `returned` is an answer.
  public var hasReturned = false
  /// Later delegates are not asked.
  public var ends = false

  /// An answer that leaves the event as it is.
  public init() {}

  /// There is nothing in it.
  @inlinable package var isSilent: Bool { !hasTargetOffset && !hasConsumed && !hasReturned && !ends }
}
