// SPDX-License-Identifier: MIT
//
// A header's inputs as functions, for tests: each makes the input and applies it.

public import HeaderCore
public import HeaderModel

/// Offers nothing.
private final class NoBehaviors: BehaviorProvider {
  func behavior(named name: String) -> BehaviorDescription? { nil }
  var behaviorNames: [String] { [] }
  func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
    throw HeaderError(.behaviorNotFound, "there is no behavior \(behavior)")
  }
}

/// Offers one delegate that is made already.
private final class OneDelegate: BehaviorProvider {
  private let delegate: ScrollDelegate

  init(_ delegate: ScrollDelegate) { self.delegate = delegate }

  func behavior(named name: String) -> BehaviorDescription? { delegate.behavior }
  var behaviorNames: [String] { [delegate.behavior.name] }
  func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate { delegate }
}

extension Header {
  /// Applies an event.
  /// - Returns: what was decided; what is known of it so far while the header waits for a client.
  public func receive(
    _ event: ScrollEvent, at time: Instant? = nil, emit: (borrowing HeaderState) -> Void = { _ in }
  ) throws(HeaderError) -> EventAnswer {
    guard case .decided(let answer) = try apply(.event(event), at: time, provider: NoBehaviors(), emit: emit) else {
      return EventAnswer()
    }
    return answer
  }

  /// Lets a delegate join the chain.
  /// - Returns: its place.
  @discardableResult
  public func addDelegate(
    _ wanted: DelegateDescription, at place: Int? = nil, provider: any BehaviorProvider, time: Instant? = nil,
    emit: (borrowing HeaderState) -> Void = { _ in }
  ) throws(HeaderError) -> Int {
    guard case .added(let index) = try apply(.addDelegate(wanted, at: place), at: time, provider: provider, emit: emit)
    else { return -1 }
    return index
  }

  /// Lets the delegate at a place leave the chain.
  public func removeDelegate(
    at index: Int, time: Instant? = nil, emit: (borrowing HeaderState) -> Void = { _ in }
  ) throws(HeaderError) {
    _ = try apply(.removeDelegate(delegates[index].name), at: time, provider: NoBehaviors(), emit: emit)
  }

  /// Gives the delegate at a place another one.
  public func moveDelegate(
    from index: Int, to place: Int, time: Instant? = nil, emit: (borrowing HeaderState) -> Void = { _ in }
  ) throws(HeaderError) {
    _ = try apply(.moveDelegate(delegates[index].name, to: place), at: time, provider: NoBehaviors(), emit: emit)
  }

  /// Lets new code take over the delegate at a place.
  public func replaceDelegate(
    at index: Int, with fresh: ScrollDelegate, emit: (borrowing HeaderState) -> Void = { _ in }
  ) throws(HeaderError) {
    let input = HeaderInput.reloadDelegate(delegates[index].name, plugin: fresh.behavior.plugin)
    _ = try apply(input, provider: OneDelegate(fresh), emit: emit)
  }

  /// Changes what the header is made of.
  /// - Parameter next: the whole description as it shall be.
  public func reconfigure(
    to next: HeaderDescription, at time: Instant? = nil, emit: (borrowing HeaderState) -> Void = { _ in }
  ) throws(HeaderError) {
    guard case .record(let whole) = next.value else { return }
    let keys = ["drawers", "scrollViews", "trackingScrollView", "environment", "frames", "frameRate"]
    let given = Value.Record(fields: whole.fields.filter { keys.contains($0.name) })
    _ = try apply(.configure(given), at: time, provider: NoBehaviors(), emit: emit)
  }

  /// Goes on with the event that waits.
  public func resume(
    _ reply: DelegateReply, unknown: inout [UnknownField], refusal: inout HeaderError?,
    emit: (borrowing HeaderState) -> Void = { _ in }
  ) -> EventAnswer {
    let outcome = try? apply(.answer(reply), provider: NoBehaviors(), emit: emit)
    if let remarks = takeRemarks() {
      unknown += remarks.unknown
      refusal = remarks.refusal
    }
    guard case .decided(let answer)? = outcome else { return EventAnswer() }
    return answer
  }
}
