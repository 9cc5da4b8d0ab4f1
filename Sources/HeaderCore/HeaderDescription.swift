// SPDX-License-Identifier: MIT
//
// What a header is made of: the keys of protocol.md §3.1, the same from the wire, from the config and in a recording.
// Defaults are filled in when it is decoded, so two descriptions that mean the same are equal.

/// A header before there is one.
public struct HeaderDescription: Equatable, Sendable {
  public var header: String
  /// In the order given; at least one.
  public var scrollViews: [ScrollViewDescription]
  /// nil: none.
  public var trackingScrollView: String?
  /// The chain, from the fixed edge outward.
  public var drawers: [DrawerDescription]
  public var environment: Environment
  /// How the application holds the header; behaviors say what they read of it.
  public var hosting: Value.Record
  /// The chain of delegates, first asked first.
  public var delegates: [DelegateDescription]
  public var frames: FrameSource
  /// Frames a second, 1…1000.
  public var frameRate: Double
  public var lifetime: Lifetime

  /// How long a header lives.
  public enum Lifetime: String, Sendable, CaseIterable {
    case daemon, connection
  }

  /// A header with one scroll view named `content` and every default.
  public init(header: String) {
    self.header = header
    scrollViews = [ScrollViewDescription(name: "content")]
    trackingScrollView = "content"
    drawers = []
    environment = Environment()
    hosting = Value.Record()
    delegates = []
    frames = .live
    frameRate = 60
    lifetime = .daemon
  }
}

/// A scroll view of a description.
public struct ScrollViewDescription: Equatable, Sendable {
  public var name: String
  public var viewport: Size
  public var contentSize: Size
  public var contentInset: Insets
  public var scrollIndicatorInsets: Insets
  public var offset: Point
  public var contentInsetAdjustment: ContentInsetAdjustment
  public var kind: ScrollViewKind
  public var pagingEnabled: Bool
  public var refreshControl: RefreshControl?
  public var frame: Rect
  public var forwardsEvents: Bool
  public var clamping: Clamping

  /// The refresh control of a scroll view. Points.
  public struct RefreshControl: Equatable, Sendable {
    public var hidden: Bool
    public var refreshing: Bool
    public var height: Double

    public init(hidden: Bool = false, refreshing: Bool = false, height: Double = 0) {
      self.hidden = hidden
      self.refreshing = refreshing
      self.height = height
    }
  }

  /// A scroll view with every default.
  public init(name: String, viewport: Size = Size(), contentSize: Size? = nil, contentInset: Insets = Insets()) {
    self.name = name
    self.viewport = viewport
    self.contentSize = contentSize ?? Size(width: viewport.width, height: 0)
    self.contentInset = contentInset
    scrollIndicatorInsets = contentInset
    offset = Point(x: -contentInset.left, y: -contentInset.top)
    contentInsetAdjustment = .never
    kind = .scroll
    pagingEnabled = false
    refreshControl = nil
    frame = Rect(origin: Point(), size: viewport)
    forwardsEvents = true
    clamping = .all
  }
}

/// A drawer of a description. Points.
public struct DrawerDescription: Equatable, Sendable {
  public var name: String
  public var height: Double
  public var minimumHeight: Double
  public var maximumHeight: Double
  public var y: Double
  public var width: Double
  public var sticky: Bool
  public var alpha: Double
  public var hidden: Bool
  public var elements: [ElementDescription]

  public init(name: String, height: Double, y: Double, width: Double) {
    self.name = name
    self.height = height
    minimumHeight = 0
    maximumHeight = height
    self.y = y
    self.width = width
    sticky = false
    alpha = 1
    hidden = false
    elements = []
  }
}

/// An element of a description. Points.
public struct ElementDescription: Equatable, Sendable {
  public var name: String
  public var frame: Rect
  public var alpha: Double
  public var hidden: Bool
  public var zIndex: Double
  public var transform: Transform

  public init(name: String, frame: Rect = Rect()) {
    self.name = name
    self.frame = frame
    alpha = 1
    hidden = false
    zIndex = 0
    transform = .identity
  }
}

/// A delegate of a description.
public struct DelegateDescription: Equatable, Sendable {
  /// Its behavior; empty for a client.
  public var behavior: String
  public var name: String
  public var options: Value.Record
  /// A client on the socket in place of a behavior. It lives as long as its connection: only `delegate.add` makes one, and
  /// only recordings write one down.
  public var client: ClientDescription?

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
  public var way: Way
  /// The events that it is told, or asked about.
  public var events: EventSet
  /// Seconds that an event waits for its answer; `intercept` only.
  public var deadline: Double
  /// Names of the values that it has set and of the notices that it has posted so far: a client does not say before which
  /// it will.
  public var values: [String] = []
  public var notices: [String] = []

  /// How it takes part.
  public enum Way: String, Sendable, CaseIterable {
    /// It is told of events after the chain.
    case observe
    /// It is asked in its place in the chain; of nested events it is told.
    case intercept
  }

  /// Seconds that a client has to answer unless it says otherwise: half a frame at 60 frames a second.
  public static let defaultDeadline = 0.008

  public init(_ way: Way, events: EventSet = .all, deadline: Double = Self.defaultDeadline) {
    self.way = way
    self.events = events
    self.deadline = deadline
  }
}
