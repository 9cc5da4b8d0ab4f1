// SPDX-License-Identifier: MIT
//
// A subscriber's message: the positions of all parts as of one sequence number, and the notices, commands and animations since. Header
// keeps one and updates it in place, so that a state costs no allocation; code that keeps a state copies or encodes it.

/// A named value that a behavior publishes.
public struct NamedValue: Equatable, Sendable {
  /// What such a value may be.
  public enum Content: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
  }

  /// The delegate that owns it.
  public var delegate: Int32
  /// The current value.
  public var content: Content

  /// A value of a delegate.
  public init(delegate: Int32, content: Content) {
    self.delegate = delegate
    self.content = content
  }
}

/// The wished look of the status bar.
public enum StatusBarStyle: String, Sendable, CaseIterable {
  case `default`, lightContent, darkContent
}

/// The header's wishes to its surroundings.
public struct Wants: Equatable, Sendable {
  /// The status bar should be hidden.
  public var prefersStatusBarHidden = false
  /// How the status bar should look; nil: the header does not mind.
  public var preferredStatusBarStyle: StatusBarStyle?
  /// Insets to add to the safe area, points; nil: no wish.
  public var additionalSafeAreaInset: Insets?
  /// The top layout guide's length, points; nil: no wish.
  public var topLayoutGuideLength: Double?

  /// Creates wants without a wish.
  public init() {}

  /// Whether there is no wish.
  @inlinable public var isNothing: Bool {
    !prefersStatusBarHidden && preferredStatusBarStyle == nil && additionalSafeAreaInset == nil
      && topLayoutGuideLength == nil
  }
}

/// Wants, stored apart: few headers have any, and the others pay one word. The storage stays once made, so that wishes that change with
/// every event allocate nothing.
@usableFromInline package struct WantsPlace: Sendable {
  /// Sendable, because only its one owner writes to it.
  @usableFromInline final class Place: @unchecked Sendable {
    var wants: Wants
    init(_ wants: Wants) { self.wants = wants }
  }

  @usableFromInline var place: Place?

  package init() {}

  /// No wish was ever written.
  @inlinable var isUnused: Bool { place == nil }

  package var wants: Wants {
    get { place?.wants ?? Wants() }
    set {
      if isKnownUniquelyReferenced(&place) {
        place?.wants = newValue
      } else if place != nil || !newValue.isNothing {
        place = Place(newValue)
      }
    }
  }
}

/// Keeps a report of a position.
@usableFromInline final class PositionPlace: Sendable {
  let report: PositionReport
  init(_ report: PositionReport) { self.report = report }
}

/// The timing of an animation.
public enum AnimationCurve: Equatable, Sendable {
  case linear, easeIn, easeOut, easeInOut
  /// A damped spring: kilograms, newtons a meter, newton seconds a meter, initial velocity a second.
  case spring(mass: Double, stiffness: Double, damping: Double, initialVelocity: Double)

  /// The word of the protocol.
  public var word: String {
    if case .spring = self { "spring" } else { "\(self)" }
  }

  /// The curves that a word alone describes.
  static let named = [AnimationCurve.linear, .easeIn, .easeOut, .easeInOut].map { ($0.word, $0) }

  /// All words of the protocol.
  public static let words = named.map(\.0) + ["spring"]

  /// The curve that a word alone describes; nil: there is none.
  public init?(named word: String) {
    guard let curve = Self.named.first(where: { $0.0 == word })?.1 else { return nil }
    self = curve
  }
}

/// The names that a header's indexes stand for; replaced as a whole when its structure changes. Headers that are made alike
/// share them.
public final class HeaderNames: Sendable {
  /// In the order of `HeaderState.drawers`.
  public let drawers: [String]
  /// In the order of `HeaderState.scrollViews`.
  public let scrollViews: [String]
  /// In the order of `HeaderState.elements`.
  public let elements: [String]
  /// Delegates in the order of the chain.
  public let delegates: [String]
  /// In the order of `HeaderState.values`.
  public let values: [String]
  /// Whether each value is in points, by its behavior's description.
  public let lengths: [Bool]
  /// For each delegate, the notices that it may post.
  public let notices: [[String]]
  /// The names of drawers, elements and scroll views as C reads them.
  public let texts: NameTexts

  /// The delegate that a notice is of; empty: it is the header's own, and there is none that it is of.
  public func delegate(of notice: HeaderState.Notice) -> String {
    delegates.indices.contains(Int(notice.delegate)) ? delegates[Int(notice.delegate)] : ""
  }

  /// Names in these orders.
  /// - Parameter lengths: which values are in points; nil: none.
  /// - Parameter old: the names before; texts that are the same stay where they are.
  public init(
    drawers: [String], scrollViews: [String], elements: [String], delegates: [String], values: [String],
    lengths: [Bool]? = nil, notices: [[String]], after old: HeaderNames? = nil
  ) {
    if let old, old.drawers == drawers, old.scrollViews == scrollViews, old.elements == elements {
      texts = old.texts
    } else {
      texts = NameTexts(drawers: drawers, elements: elements, scrollViews: scrollViews)
    }
    self.drawers = drawers
    self.scrollViews = scrollViews
    self.elements = elements
    self.delegates = delegates
    self.values = values
    self.lengths = lengths ?? values.map { _ in false }
    self.notices = notices
  }
}

/// One state of a header.
public struct HeaderState: Sendable {
  /// The header's name.
  public let header: String
  /// The names behind the indexes in this state.
  public var names: HeaderNames
  /// Which life of the header: microseconds since 1970 at opening, strictly increasing.
  public var epoch: Int64
  /// 1 is the state after opening.
  public var seq: Int64 = 0
  /// Header time of the event or frame that made it.
  public var time: Instant = Instant(nanoseconds: 0)
  /// The drawers in chain order, from the fixed edge outward.
  public var drawers: [Drawer] = []
  /// The scroll views in the order of the description.
  public var scrollViews: [ScrollView] = []
  /// The elements in the order of their drawers, back to front within each; also unchanged ones.
  public var elements: [Element] = []
  /// The delegates' values, in the order of the chain and of their behaviors' lists.
  public var values: [NamedValue] = []
  /// The header's wishes to its surroundings.
  public var wants: Wants {
    get { wantsPlace.wants }
    set { wantsPlace.wants = newValue }
  }
  /// Whether there may be any; quicker to ask than `wants`.
  @inlinable public var hasWants: Bool { !wantsPlace.isUnused }
  @usableFromInline var wantsPlace = WantsPlace()
  /// What holds the header's position from above its behaviors; nil: nothing does.
  public var position: PositionReport? {
    get { positionPlace?.report }
    set { positionPlace = newValue.map { PositionPlace($0) } }
  }
  /// Whether something does; quicker to ask than `position`.
  @inlinable public var hasPosition: Bool { positionPlace != nil }
  /// Stored apart: few headers have one, and the others pay one word.
  @usableFromInline var positionPlace: PositionPlace?
  /// Index of the tracking scroll view, −1 for none.
  public var trackingScrollView: Int32 = -1
  /// Frames are running.
  public var framesActive = false
  /// What happened with this state; empty in snapshots.
  public var happened = Happened()

  /// An empty state before the first one.
  package init(header: String, epoch: Int64) {
    self.header = header
    names = HeaderNames(drawers: [], scrollViews: [], elements: [], delegates: [], values: [], notices: [])
    self.epoch = epoch
  }

  /// Lists that belong to one state alone.
  public struct Happened: Sendable {
    /// What delegates posted, in the order in which it happened.
    public var notices: ContiguousArray<Notice> = []
    /// Commands to the publisher, in order.
    public var commands: ContiguousArray<Command> = []
    /// The animations that began, in order.
    public var animations: ContiguousArray<Animation> = []
    /// Every delegate that was asked, in order; filled in only when `Header.recordsCalls` is set.
    public var calls: ContiguousArray<Call> = []
    /// Why the state was sent; filled in only on request (`Header.observe`).
    public var explanation: Explained?

    /// Creates a record of no happenings.
    public init() {}

    @inlinable package mutating func clear() {
      guard !isEmpty else { return }
      notices.removeAll(keepingCapacity: true)
      commands.removeAll(keepingCapacity: true)
      animations.removeAll(keepingCapacity: true)
      calls.removeAll(keepingCapacity: true)
      explanation = nil
    }

    /// Whether nothing happened.
    @inlinable public var isEmpty: Bool {
      notices.isEmpty && commands.isEmpty && animations.isEmpty && calls.isEmpty && explanation == nil
    }

    /// Whether something happened that is worth a state by itself.
    @inlinable package var isMeaningful: Bool {
      !commands.isEmpty || !animations.isEmpty || notices.contains { !$0.isRoutine }
    }
  }

  /// A notice of a delegate or of the header itself.
  public struct Notice: Equatable, Sendable {
    /// Index of the delegate that posted it, or that is bypassed.
    public var delegate: Int32
    /// The notice's name.
    public var name: Name
    /// The behavior's own facts; nil: none.
    public var arguments: Value.Record?
    /// A repeat with nothing changed between, or one that its behavior calls routine: sent only on request (`include`).
    public var isRoutine: Bool

    /// Creates a notice that came from another process.
    public init(delegate: Int32, name: Name, arguments: Value.Record?, isRoutine: Bool) {
      self.delegate = delegate
      self.name = name
      self.arguments = arguments
      self.isRoutine = isRoutine
    }

    /// The word for it among a header's names.
    public func word(in names: HeaderNames) -> String {
      switch name {
      case .behavior(let number): names.notices[Int(delegate)][Int(number)]
      case .delegatePassedOver: "delegatePassedOver"
      case .delegateOnlyObserves: "delegateOnlyObserves"
      case .didArrive: "didArrive"
      case .wasInterrupted: "wasInterrupted"
      case .didTriggerStretch: "didTriggerStretch"
      case .didOscillate: "didOscillate"
      case .didLoseLeader: "didLoseLeader"
      }
    }

    /// Names of notices.
    public enum Name: Equatable, Sendable {
      /// One of the behavior's notices, by number.
      case behavior(Int32)
      /// The delegate failed and is bypassed, or a client did not answer and the event continued without it.
      case delegatePassedOver
      /// A client has missed too many deadlines in a row; it is no longer asked.
      case delegateOnlyObserves
      /// A motion that was asked for has come to its end.
      case didArrive
      /// A motion that was asked for goes no further: something else has moved the header.
      case wasInterrupted
      /// A finger let go of a header that was stretched beyond its trigger.
      case didTriggerStretch
      /// The header went back and forth without a finger.
      case didOscillate
      /// A header that drawers of this one follow leads no more: they stay where they are.
      case didLoseLeader

      /// Whether the header itself says it: of a delegate, or of none.
      public var isOfHeader: Bool {
        switch self {
        case .behavior, .delegatePassedOver, .delegateOnlyObserves: false
        case .didArrive, .wasInterrupted, .didTriggerStretch, .didOscillate, .didLoseLeader: true
        }
      }
    }
  }

  /// Something asked of the publisher.
  public struct Command: Equatable, Sendable {
    /// Index of the scroll view that it is for.
    public var scrollView: Int32
    /// `scrollRectToVisible`, `flashScrollIndicators`…
    public var name: String
    /// The command's arguments: `rect`, `animated`…
    public var arguments: Value.Record

    /// Creates a command that came from another process.
    public init(scrollView: Int32, name: String, arguments: Value.Record) {
      self.scrollView = scrollView
      self.name = name
      self.arguments = arguments
    }
  }

  /// An animation that began; the state already has the final values. Seconds.
  public struct Animation: Equatable, Sendable {
    /// Index of the delegate that announced it.
    public var delegate: Int32
    /// Seconds, 0…86400, without the delay.
    public var duration: Double
    /// Seconds before it begins, 0 or more.
    public var delay: Double
    /// How it gets from the old values to the new ones.
    public var curve: AnimationCurve

    /// Creates an animation that came from another process.
    public init(delegate: Int32, duration: Double, delay: Double, curve: AnimationCurve) {
      self.delegate = delegate
      self.duration = duration
      self.delay = delay
      self.curve = curve
    }
  }

  /// A delegate that was asked.
  public struct Call: Equatable, Sendable {
    /// Index of the delegate.
    public var delegate: Int32
    /// The kind of the event.
    public var kind: DelegateEventKind
    /// 0 for an event from outside, 1… for one that a delegate's own write brought about.
    public var depth: Int32

    /// Creates a call that came from another process.
    public init(delegate: Int32, kind: DelegateEventKind, depth: Int32) {
      self.delegate = delegate
      self.kind = kind
      self.depth = depth
    }
  }

  /// Why a state is there, as JSON has it. In a place of its own: hardly a state has one.
  public final class Explained: Sendable {
    /// An explanation (`Explanation.value`) with the inputs before it that made no state.
    public let record: Value.Record

    /// Creates an explanation that came from another process.
    public init(_ record: Value.Record) { self.record = record }
  }
}
