// SPDX-License-Identifier: MIT
//
// One header's way out: its deliveries, the templates and shared memory of its messages, and its recent states.

public import HeaderCore
internal import HeaderModel
public import HeaderWire

/// One life of a header: never used twice.
public struct HeaderHandle: Hashable, Comparable, Sendable {
  /// The number that OPENED, NAMES and `header.list` give.
  public let number: Int

  /// A handle of that number.
  public init(number: Int) { self.number = number }

  /// The left one was given out earlier by its shard.
  public static func < (left: HeaderHandle, right: HeaderHandle) -> Bool { left.number < right.number }
}

/// The fan-out's record of one header; the owner of the header adds its own in a subclass. It sleeps while the header has nothing to do
/// by itself.
@safe open class HeaderChannel: DeadlineNode {
  /// The header whose states are sent.
  public final let header: Header
  /// Deliveries to its subscribers, in the order of subscription.
  final var deliveries = DeliveryRow()
  /// How many of them want to know which delegates were called.
  final var deliveriesWithCalls: Int32 = 0
  /// How many of them want to know why.
  final var deliveriesWithExplanations: Int32 = 0
  /// How many of them want to know also where the content alone has moved.
  final var deliveriesWithOffsets: Int32 = 0
  /// How many of them want to know how states go on.
  final var deliveriesWithAhead: Int32 = 0
  /// How its last state goes on; nil: nobody has asked, or it is not known.
  public final var ahead: StateAhead? {
    didSet {
      for (view, template) in templates where view.parts.contains(.ahead) { template.ahead = ahead }
    }
  }
  /// A snapshot that says how states go on was sent without that.
  public final var owesAhead = false
  /// Who scrolls its content by a notification, while that is handled.
  public final var scroller: Subscriber?
  /// The offsets that these were sent last; empty unless there are any.
  final var sentOffsets: [Point] = []
  /// The kept states include the calls of delegates.
  final var keepsCalls = false
  /// The header has not been closed.
  public final var isOpen = true
  /// Memory for messages that go to several subscribers, by view: nearly always one.
  private final var shared: [SharedMessages] = []
  /// The values of the state sent last: changes of texts and bools are kept for subscribers that are behind.
  final var publishedValues: [NamedValue] = []
  /// States for subscribers that resume; nil until a subscriber says that it may.
  final var recent: RecentStates?
  /// Its states' lines, by view: nearly always one, and none until one is written.
  private final var templates: [(view: StateProjection, template: StateTemplate)] = []
  /// Its last state as it was sent to readers on a grid, by view.
  private final var sentPlaces: [(view: StateProjection, places: SentPlaces)] = []

  /// Creates a channel without subscribers.
  public init(handle: HeaderHandle, header: Header) {
    self.header = header
    super.init(order: handle.number)
  }

  /// The header's number in frames.
  public final var handle: HeaderHandle { HeaderHandle(number: order) }
  /// The header's name.
  public final var name: String { header.name }
  /// When it was opened; a later life of the same name has a greater one.
  public final var epoch: Int64 { header.state.epoch }
  /// How many connections get its states.
  public final var subscriberCount: Int { deliveries.count }

  /// Its last state as it is now, with nothing that happened: the content may have moved since.
  final var presentState: HeaderState {
    var state = header.state
    state.happened = HeaderState.Happened()
    state.time = header.now
    return state
  }

  /// Somebody shows the content, too: an event that makes no state concerns it.
  @inline(__always)
  public final var isMirrored: Bool { deliveriesWithOffsets > 0 }

  /// Somebody wants to know how states go on.
  @inline(__always)
  public final var isPredicted: Bool { deliveriesWithAhead > 0 }

  /// Whether a handle is its own.
  @inline(__always)
  public final func isNumbered(_ handle: UInt64) -> Bool { UInt64(order) == handle }

  /// The template of its states' lines for a way of reading.
  final func template(for view: StateProjection) -> Unmanaged<StateTemplate> {
    if let index = templates.firstIndex(where: { $0.view === view }) {
      return unsafe Unmanaged.passUnretained(templates[index].template)
    }
    // Views without subscriptions are dropped when the next one comes.
    templates.removeAll { $0.view.users == 0 }
    let new = StateTemplate(view.key.selection, on: view.key.grid)
    new.ahead = ahead(for: view)
    templates.append((view, new))
    return unsafe Unmanaged.passUnretained(new)
  }

  /// Its last state as it was sent to readers on a view's grid.
  final func sentPlaces(of view: StateProjection) -> SentPlaces {
    if let known = sentPlaces.first(where: { $0.view === view }) { return known.places }
    sentPlaces.removeAll { $0.view.users == 0 }
    let new = SentPlaces()
    sentPlaces.append((view, new))
    return new
  }

  /// How its last state goes on, for a view; nil if the view does not ask for that.
  final func ahead(for view: StateProjection) -> StateAhead? { view.parts.contains(.ahead) ? ahead : nil }

  /// Takes a delivery out, in constant time.
  final func remove(_ delivery: Delivery) {
    deliveries.remove(delivery)
    if !isShared { shared = [] }
  }

  /// Whether its states go to several connections.
  final var isShared: Bool { deliveries.count > 1 }

  /// Keeps a message for all its receivers.
  final func share(_ message: UnsafeRawBufferPointer, _ view: StateProjection) -> StateMessage {
    if let index = shared.firstIndex(where: { $0.view === view }) { return unsafe shared[index].append(message) }
    shared.removeAll { $0.view.users == 0 }
    shared.append(SharedMessages(view))
    return unsafe shared[shared.count - 1].append(message)
  }

  /// Keeps the offsets of a state, if somebody wants them.
  /// - Returns: whether they are others than before.
  @discardableResult
  final func rememberOffsets(of state: borrowing HeaderState) -> Bool {
    let offsets = isMirrored ? state.scrollViews.map(\.contentOffset) : []
    defer { sentOffsets = offsets }
    return sentOffsets != offsets
  }

  /// Keeps the values of a state, in place.
  final func rememberValues(of state: borrowing HeaderState) {
    if publishedValues.count != state.values.count { publishedValues = state.values }
    for index in publishedValues.indices where publishedValues[index] != state.values[index] {
      publishedValues[index] = state.values[index]
    }
  }
}
