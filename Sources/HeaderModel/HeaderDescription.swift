// SPDX-License-Identifier: MIT
//
// The parts of a header: the keys of headerd-headers(7), the same on the wire, in the config and in a recording. Defaults are filled in
// during decoding, so two descriptions that mean the same are equal.

/// A header before there is one.
public struct HeaderDescription: Equatable, Sendable {
  /// The name: dot-separated tokens, at most 128 bytes.
  public var header: String
  /// The scroll views in the order given; at least one.
  public var scrollViews: [ScrollViewDescription] = [ScrollViewDescription(name: "content")]
  /// The name of the tracking scroll view; nil: none.
  public var trackingScrollView: String? = "content"
  /// The chain, from the fixed edge outward.
  public var drawers: [DrawerDescription] = []
  /// What surrounds the header when it is opened.
  public var environment = Environment()
  /// How the application holds the header; behaviors document the keys that they read.
  public var hosting = Value.Record()
  /// The chain of delegates, first asked first.
  public var delegates: [DelegateDescription] = []
  /// The source of frames.
  public var frames: FrameSource = .live
  /// Frames a second, 1…1000.
  public var frameRate: Double = 60
  /// When the header is closed if no client closes it.
  public var lifetime: Lifetime = .daemon
  /// Whether the header stays shown for users who need that.
  public var accessibility: Accessibility = .shown
  /// The header's look when another scroll view tracks.
  public var handOver: HandOverLook = .behavior
  /// The insets of a scroll view that does not track any more.
  public var onLeave: Leaving = .keep
  /// Points beyond its maximum height from which on the release of the header posts a notice; 0: never.
  public var stretchTrigger: Double = 0
  /// Whether header or refresh control takes a pull beyond the beginning of the content first.
  public var refreshOrder: RefreshOrder = .together
  /// Whether states have the part that the header covers, and where section headers pin.
  public var tellsObstruction = false
  /// Which of the two sides is the leading edge.
  public var layoutDirection: LayoutDirection = .leftToRight

  /// Where the header is when it is opened; nil: where its behaviors put it.
  public var initialPosition: HeaderMove.Target?

  /// How long a header lives.
  public enum Lifetime: String, Sendable, CaseIterable {
    case daemon, connection
  }

  /// Places that a `move` finds by name, beside those that behaviors have.
  public var stops: [StopDescription] = []

  /// A header's look when another scroll view tracks.
  public enum HandOverLook: String, Sendable, CaseIterable {
    /// As its behavior says.
    case behavior
    /// The drawer keeps its look.
    case keep
  }

  /// The insets of a scroll view that does not track any more.
  public enum Leaving: String, Sendable, CaseIterable {
    /// The view keeps its insets, unless its behavior changes them.
    case keep
    /// The view gets back the insets that it had before it tracked.
    case restore
  }

  /// The order in which header and refresh control of the scroll view take a pull.
  public enum RefreshOrder: String, Sendable, CaseIterable {
    /// Behaviors see the whole pull, and so does the refresh control.
    case together
    /// Behaviors see the part of a pull beyond the refresh control's height.
    case refreshControlFirst
    /// Behaviors see a pull up to `stretchTrigger`, and the refresh control has the rest.
    case headerFirst
  }

  /// A header's adaptation to users of a screen reader, of the keyboard alone, or of fewer animations.
  public enum Accessibility: String, Sendable, CaseIterable {
    /// It stays shown while the environment says so, and `reduceMotion` is heeded.
    case shown
    /// As in the library that the behavior follows.
    case original
  }

  /// A header with one scroll view named `content` and every default.
  public init(header: String) {
    self.header = header
  }
}

/// A scroll view of a description: a name, and the record that it begins as.
@dynamicMemberLookup public struct ScrollViewDescription: Equatable, Sendable {
  /// A letter, then letters, digits, `_`, `-`; unique within the header.
  public var name: String
  /// The scroll view at opening, the safe area left out.
  public var record = ScrollView()

  /// A scroll view with every default.
  public init(name: String) { self.name = name }

  /// A field of the record.
  public subscript<Field>(dynamicMember field: WritableKeyPath<ScrollView, Field>) -> Field {
    get { record[keyPath: field] }
    set { record[keyPath: field] = newValue }
  }
}

/// A drawer of a description. Points.
public struct DrawerDescription: Equatable, Sendable {
  /// A letter, then letters, digits, `_`, `-`; unique within the header.
  public var name: String
  /// The height at opening, in points.
  public var height: Double
  /// The least height that a behavior gives it, in points; 0 unless given.
  public var minimumHeight: Double = 0
  /// The height of the fully expanded drawer, in points; `height` unless given.
  public var maximumHeight: Double
  /// The top edge in header space; that of the edge before it unless given.
  public var y: Double
  /// Points; the tracking scroll view's width unless given.
  public var width: Double
  /// Whether the drawer takes no movement.
  public var sticky = false
  /// 0…1.
  public var alpha: Double = 1
  /// Whether the drawer is not drawn.
  public var hidden = false
  /// −100…100: higher ones are drawn over lower ones; of equal ones the earlier is.
  public var zIndex: Int8 = 0
  /// The drawer's elements, back to front.
  public var elements: [ElementDescription] = []
  /// The edge that it hangs on; `y`, `height` and `width` are in its terms (EdgeLens).
  public var edge: Edge = .top
  /// Which movement of the content hides it and the others of its edge.
  public var direction = EdgeDirection.content
  /// The drawer that it follows; nil: it moves with the chain.
  public var follow: Following?

  /// A drawer with a place and every other default.
  public init(name: String, height: Double, y: Double, width: Double) {
    self.name = name
    self.height = height
    maximumHeight = height
    self.y = y
    self.width = width
  }
}

/// An element of a description. Points.
public struct ElementDescription: Equatable, Sendable {
  /// A letter, then letters, digits, `_`, `-`; unique within the header.
  public var name: String
  /// The frame in the drawer's coordinates.
  public var frame: Rect
  /// 0…1.
  public var alpha: Double = 1
  /// Whether the element is not drawn.
  public var hidden = false
  /// Higher ones are drawn in front of lower ones within the drawer.
  public var zIndex: Double = 0
  /// Applied about the center of the frame.
  public var transform: Transform = .identity

  /// An element with every default.
  public init(name: String, frame: Rect = Rect()) {
    self.name = name
    self.frame = frame
  }
}

/// A named place of a description.
public struct StopDescription: Equatable, Sendable {
  /// A letter, then letters, digits, `_`, `-`; unique within the description, and neither `expanded` nor `collapsed`.
  public var name: String
  /// Where it is; not another stop's name.
  public var target: HeaderMove.Target

  /// The stops that every header has: fully expanded, and fully collapsed.
  public static let everywhere = ["expanded", "collapsed"]
  /// The same, as names that are taken.
  static let reserved = Set(everywhere)

  /// Creates a stop at a target.
  public init(name: String, target: HeaderMove.Target) {
    self.name = name
    self.target = target
  }
}

/// A delegate of a description.
public struct DelegateDescription: Equatable, Sendable {
  /// The behavior's name, UpperCamelCase; a loaded plugin offers it. Empty for a client.
  public var behavior: String
  /// Its own name, unique within the header; the behavior's in lowerCamelCase unless given.
  public var name: String
  /// The options that were given; the others keep their defaults.
  public var options: Value.Record
  /// The preset that the options come on top of. A header that is open has none: its options are the preset's with those
  /// that were given.
  public var preset: String?
  /// A client on the socket in place of a behavior. It lives as long as its connection: only `delegate.add` makes one, and
  /// only recordings write one down.
  public var client: ClientDescription?
  /// The edge that it belongs to: it sees the header as if that were the top, and moves the drawers that hang there. nil: that
  /// of the first drawer.
  public var edge: Edge?

  /// A delegate with its behavior's name and no options by default.
  public init(behavior: String, name: String? = nil, options: Value.Record = Value.Record()) {
    self.behavior = behavior
    self.name = name ?? BehaviorDescription.lowerCamelCase(behavior)
    self.options = options
  }

  /// A client under a name.
  public init(client: ClientDescription, name: String, options: Value.Record = Value.Record()) {
    behavior = ""
    self.name = name
    self.options = options
    self.client = client
  }
}

/// How a client takes part in a chain.
public struct ClientDescription: Equatable, Sendable {
  /// Whether it observes or is asked.
  public var way: Way
  /// The events that it gets, or is asked about.
  public var events: EventSet
  /// Seconds that an event waits for its answer; `intercept` only.
  public var deadline: Double
  /// Names of the values that it has set so far: a client does not announce them.
  public var values: [String] = []
  /// Names of the notices that it has posted so far.
  public var notices: [String] = []

  /// How the client takes part.
  public enum Way: String, Sendable, CaseIterable {
    /// It gets events after the chain.
    case observe
    /// It is asked at its place in the chain; nested events it only receives.
    case intercept
  }

  /// Seconds that a client has to answer unless it says otherwise: half a frame at 60 frames a second.
  public static let defaultDeadline = 0.008

  /// A client that has set and posted nothing yet.
  public init(_ way: Way, events: EventSet = .all, deadline: Double = Self.defaultDeadline) {
    self.way = way
    self.events = events
    self.deadline = deadline
  }
}

/// The source of a header's frames.
public enum FrameSource: String, Sendable, CaseIterable {
  /// Frames come at their computed times, by the daemon's clock.
  case live
  /// Frames have the same computed times, but run only when a later event arrives.
  case events
  /// A frame comes with each `advance` with a `frameDuration`.
  case manual
}
