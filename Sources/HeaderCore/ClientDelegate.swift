// SPDX-License-Identifier: MIT
//
// A client on the socket as a member of the chain. The engine cannot call it; so what it is to be told goes into a list
// that whoever drives the header takes out (`takeTold`), and when it is asked, the event is parked as a value, and the
// header waits until somebody resumes it with the client's answer, or without (Header+Waiting.swift).

/// Stands in the chain for a client.
final class ClientDelegate: ScrollDelegate {
  let description: ClientDescription

  init(_ description: ClientDescription, name: String) {
    self.description = description
    super.init(
      name: name,
      behavior: BehaviorDescription(
        name: "client", plugin: "", summary: "A client on the socket", moves: true, events: description.events,
        options: [Self.yields],
        values: description.values.map {
          ValueDescription(name: $0, type: .record, initial: .null, meaning: "Set by a client")
        },
        notices: description.notices))
  }

  private static let yields = OptionSchema(
    name: "yields", type: .bool, defaultValue: false,
    meaning: "Leaves alone what another delegate owns, instead of a conflict")

  override var listens: EventSet { description.events }

  /// Who only observes is never asked.
  override var responds: EventSet { description.way == .intercept ? behavior.events : [] }

  override func receive(_ event: PassingEvent, _ answer: inout DelegateAnswer, in header: Header)
    throws(DelegateFailure)
  {
    guard header.mayAsk, event.depth == 0 else { return }
    header.isWaiting = true
    answer.ends = true
  }
}

/// What a client is told of an event.
public struct ToldEvent: Sendable {
  /// The delegate's place in the chain.
  public let delegate: Int
  /// The event's fields as the wire has them (headerd-protocol(7), EVENTS), `time` and `depth` included.
  public let event: Value.Record
}

extension Header {
  /// Takes out what clients are to be told; to be called when a state is emitted, before it is told, and after each input.
  public func takeTold() -> ContiguousArray<ToldEvent> {
    let taken = told
    told.removeAll()
    return taken
  }

  /// Who is told and who is asked, after the chain has changed.
  func updateListeners() {
    hasListeners = proxy.slots.contains { !$0.delegate.listens.isEmpty }
    hasInterceptors = proxy.slots.contains { ($0.delegate as? ClientDelegate)?.description.way == .intercept }
  }

  /// Tells the clients of an event that has been through the chain: as those after the last delegate would see it.
  @inline(never)
  func tellListeners(of event: borrowing DelegateEvent) {
    let kind = EventSet(event.kind)
    // Who was asked about it knows it.
    let isTopLevel = event.depth == 0
    let wasAsked = mayAsk && isTopLevel
    var fields: Value.Record?
    for (index, slot) in proxy.slots.enumerated() {
      guard slot.isActive, slot.delegate.listens.contains(kind), !(wasAsked && slot.responds.contains(kind)) else {
        continue
      }
      if fields == nil { fields = self.fields(of: event) }
      if let fields { told.append(ToldEvent(delegate: index, event: fields)) }
    }
  }

  /// An event as the wire has it. A `layout` has what was given, as it is now.
  func fields(of event: borrowing DelegateEvent) -> Value.Record {
    var record = Value.Record()
    record["event"] = .text(event.kind.word)
    record["time"] = .number(Instant(nanoseconds: event.time).seconds)
    let view = Int(event.scrollView)
    switch event.kind {
    case .willChangeTrackingScrollView, .setTrackingScrollView:
      let new = Int(event.newScrollView)
      record["scrollView"] = new >= 0 ? .text(description.scrollViews[new].name) : .null
    default:
      if view >= 0 {
        record["scrollView"] = .text(description.scrollViews[view].name)
        record["offset"] = scrollViews[view].contentOffset.value
      }
    }
    switch event.kind {
    case .willEndDragging:
      if event.velocity != Point() { record["velocity"] = event.velocity.value }
      record["targetOffset"] = event.targetOffset.value
    case .didEndDragging: record["willDecelerate"] = .bool(event.willDecelerate)
    case .willScroll, .didOverscroll:
      record["delta"] = event.delta.value
      record["source"] = .text(event.source.word)
    case .willFling: record["velocity"] = event.delta.value
    case .willTransition: record["size"] = event.size.value
    case .layout: addLayout(event.given, view, to: &record)
    default: break
    }
    if event.depth > 0 { record["depth"] = .number(Double(event.depth)) }
    return record
  }

  private func addLayout(_ given: LayoutKeys, _ view: Int, to record: inout Value.Record) {
    if case .record(let surroundings) = environment.value {
      let keys: [(LayoutKeys, String)] = [
        (.safeAreaInset, "safeAreaInset"), (.viewOrigin, "viewOrigin"), (.statusBarHeight, "statusBarHeight"),
        (.statusBarHidden, "statusBarHidden"), (.screenScale, "screenScale"),
        (.clockSecondOfMinute, "clockSecondOfMinute"), (.statusBarFollowsHeader, "statusBarFollowsHeader"),
        (.deviceHasHardwareSafeArea, "deviceHasHardwareSafeArea"), (.visible, "visible"), (.presented, "presented"),
        (.keyWindow, "keyWindow"), (.voiceOverRunning, "voiceOverRunning"), (.reduceMotion, "reduceMotion"),
        (.appExtension, "appExtension"),
      ]
      for (key, name) in keys where given.contains(key) { record[name] = surroundings[name] }
    }
    if given.contains(.drawers) {
      record["drawers"] = .list(
        drawers.indices.map { index in
          let frame = drawers[index].frame
          return [
            "name": .text(description.drawers[index].name), "y": .number(frame.origin.y),
            "width": .number(frame.size.width), "height": .number(frame.size.height),
          ]
        })
    }
    if given.contains(.pass) { record["pass"] = true }
    guard view >= 0 else { return }
    let scrollView = scrollViews[view]
    if given.contains(.viewport) { record["viewport"] = scrollView.viewport.value }
    if given.contains(.contentSize) { record["contentSize"] = scrollView.contentSize.value }
    if given.contains(.frame) { record["frame"] = scrollView.frame.value }
    if given.contains(.scrollIndicatorInsets) {
      record["scrollIndicatorInsets"] = scrollView.scrollIndicatorInsets.value
    }
    if given.contains(.contentInset) { record["contentInset"] = scrollView.contentInset.value }
    if given.contains(.contentInsetAdjustment) {
      record["contentInsetAdjustment"] = .text(scrollView.contentInsetAdjustment.word)
    }
    if given.contains(.kind) { record["kind"] = .text(scrollView.kind.word) }
    if given.contains(.pagingEnabled) { record["pagingEnabled"] = .bool(scrollView.pagingEnabled) }
    if given.contains(.forwardsEvents) { record["forwardsEvents"] = .bool(scrollView.forwardsEvents) }
    if given.contains(.clamping) { record["clamping"] = .text(scrollView.clamping.word) }
    if given.contains(.boundsAnimationDuration) {
      record["boundsAnimationDuration"] = .number(scrollView.boundsAnimationDuration)
    }
    if given.contains(.refreshControl) {
      record["refreshControl"] =
        scrollView.hasRefreshControl
        ? [
          "hidden": .bool(scrollView.refreshControlHidden), "refreshing": .bool(scrollView.isRefreshing),
          "height": .number(scrollView.refreshControlHeight),
        ] : .null
    }
  }
}
