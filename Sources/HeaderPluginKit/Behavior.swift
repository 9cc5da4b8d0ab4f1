// SPDX-License-Identifier: MIT
//
// The base class of behaviors in Swift: override the events that it responds to, and ask the host for changes. It is a
// class because calls nest: writing an offset calls the same instance with a nested didScroll.

/// A behavior's instance within one header.
open class Behavior {
  /// The header's functions and records.
  public internal(set) final var host: Host
  /// Set before the first call; see Entry.swift.
  final var shared: SharedDefinition?
  final var definition: Definition? { shared?.definition }
  /// Holds the memory that was lent to the host last; valid until the next call.
  final var lent: Arena?
  /// The option of that name: it claims only what no other delegate claims (Yielding.swift).
  public internal(set) final var yields = false
  /// The behavior is dormant: it yielded a drawer that it needs, and receives no events until drawers are replaced and it gets them.
  public internal(set) final var rests = false
  /// The behavior has claimed its drawers once. From then on it has a state to resume, also while it is dormant or restored.
  public internal(set) final var hasBegun = false
  /// The reason of a failure; see ``fail(_:)``.
  final var failure: String?

  /// Makes an instance with default options. The host's functions may be used from `attach` on.
  public required init(host: Host) { self.host = host }

  /// Reports a failure with its reason. The host bypasses the behavior when the event, frame, timer or other work ends, and logs the
  /// reason.
  public final func fail(_ reason: String) { failure = failure ?? reason }

  /// The header is made: claim drawers, take up your place.
  open func attach() throws(Refusal) {}

  /// The instance is about to be destroyed. No call follows.
  open func detach() {}

  /// Whether this instance responds to an event of its definition, asked after options are set.
  open func responds(to kind: EventKind) -> Bool { true }

  // MARK: UIScrollViewDelegate

  open func willBeginDragging(_ event: Event) {}
  open func didScroll(_ event: Event) {}
  /// A didScroll without a movement on the screen: rows came or went above the visible part. Forget the remembered offset, and move
  /// nothing.
  open func contentDidChange(_ event: Event) {}
  /// Returns where the content shall come to rest; nil leaves it as it is.
  open func willEndDragging(_ event: Event) -> Point? { nil }
  open func didEndDragging(_ event: Event, willDecelerate: Bool) {}
  open func willBeginDecelerating(_ event: Event) {}
  open func didEndDecelerating(_ event: Event) {}
  open func didEndScrollingAnimation(_ event: Event) {}
  open func shouldScrollToTop(_ event: Event) -> Bool { true }
  open func didScrollToTop(_ event: Event) {}
  open func didChangeAdjustedContentInset(_ event: Event) {}

  // MARK: Nested scrolling

  /// How much of `event.delta` the header takes before the content moves: points in the offset's sign, for each axis of the offer's sign
  /// and at most as much; else the host bypasses the behavior. The content may be carried along (`Host.carry`). A behavior that answers
  /// with its `didScroll` arithmetic finds the bookkeeping in `NestedScroll`.
  open func willScroll(_ event: Event) -> Point { Point() }
  /// How much of `event.delta`, which the content left over, the header takes.
  open func didOverscroll(_ event: Event) -> Point { Point() }
  /// How much of a fling's velocity, `event.velocity` in points per millisecond, the header takes.
  open func willFling(_ event: Event) -> Point { Point() }

  // MARK: Geometry and life

  open func layout(_ event: Event) {}
  open func willAppear(_ event: Event) {}
  open func didAppear(_ event: Event) {}
  open func willDisappear(_ event: Event) {}
  open func didDisappear(_ event: Event) {}
  open func didBecomeActive(_ event: Event) {}
  open func willTransition(_ event: Event) {}
  open func transition(_ event: Event) {}
  open func didTransition(_ event: Event) {}
  open func willChangeTrackingScrollView(_ event: Event) {}
  open func setTrackingScrollView(_ event: Event) {}
  /// A scroll view's offset was written, tracked or not, by a delegate or the host, also with the value that it had.
  open func didWriteContentOffset(_ event: Event) {}
  /// A scroll view has another viewport, `event.size`, and when it tracks the drawers its width; `layout` is still to come.
  open func didResize(_ event: Event) {}

  // MARK: Time

  /// The layout pass that `host.markLayout()` asked for.
  open func layoutPass() {}
  /// One frame. `duration` is in seconds.
  open func frame(duration: Double) {}
  open func timer(_ token: UInt64) {}
  /// An announced animation has ended, by the clock.
  open func completion(_ token: UInt64) {}
  open func afterEvent(_ token: UInt64) {}

  // MARK: Position

  /// How its drawers can be brought to a position by call, and held by constraints.
  open var positioning: Positioning { .none }
  /// Where it is: `traveled` of `travel`, in points from fully expanded. Of `own` positioning.
  open var position: Position { Position(traveled: 0, travel: 0) }
  /// Goes to a position at once, and stays there until something moves it; points. Of `own` positioning.
  open func move(to traveled: Double) {}
  /// From now on it stays within a range of progress and goes there at once; `0...1`: it is free, and where its law has it. Of
  /// `own` positioning.
  open func permit(_ range: ClosedRange<Double>) {}
  /// Names of places on the way, beside `expanded` and `collapsed`, with their progress.
  open var stops: [(name: String, progress: Double)] { [] }

  /// The place of one of its drawers. Used with `own` positioning; the default reads the drawer's frame, which does not account for a
  /// part that stays visible above the edge.
  open func place(of drawer: Int) -> DrawerPlace {
    let record = host.drawer(drawer)
    let top = drawer > 0 ? host.drawer(drawer - 1).frame.maxY : 0
    let shown = max(0, min(record.size.height, record.frame.maxY + record.translation.y - top))
    return DrawerPlace(
      gone: record.maximumHeight - shown, collapse: max(0, record.maximumHeight - record.minimumHeight), shift: 0)
  }
  /// The position at which one of its drawers is gone by some points, on the way from the present positions. Used with `own` positioning;
  /// the default is that of a drawer that moves alone.
  open func position(where drawer: Int, isGone points: Double) -> Double { points }

  // MARK: Being born again

  /// All that the instance remembers beyond its options and the header's records.
  open func save() -> Value { .null }

  /// Takes over an instance's saved state, in place of `attach`: claim drawers again, change nothing else.
  open func restore(_ state: Value, version: Int) throws(Refusal) {}
}
