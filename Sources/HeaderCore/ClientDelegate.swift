// SPDX-License-Identifier: MIT
//
// A client on the socket as a member of the chain. The engine cannot call it. So its events go into a list that the header's owner takes
// out (`takeClientEvents`). When it is asked, the event is parked as a value, and the header waits until its owner resumes it with the
// client's answer, or without (ClientTurn.swift).

import HeaderModel

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

  /// A client that only observes is never asked.
  override var responds: EventSet { description.way == .intercept ? behavior.events : [] }

  override func receive(_ event: PassingEvent, _ answer: inout DelegateAnswer, in header: Header)
    throws(DelegateFailure)
  {
    guard header.proxy.mayAsk, event.depth == 0 else { return }
    header.proxy.isWaiting = true
    answer.ends = true
  }
}

extension DelegateEvent {
  /// The event as on the wire. A `layout` has its given keys with their present values.
  func fields(in header: Header) -> Value.Record {
    var record = Value.Record()
    record["event"] = .text(kind.word)
    record["time"] = .number(Instant(nanoseconds: time).seconds)
    let view = Int(scrollView)
    switch kind {
    case .willChangeTrackingScrollView, .setTrackingScrollView:
      let new = Int(newScrollView)
      record["scrollView"] = new >= 0 ? .text(header.description.scrollViews[new].name) : .null
    default:
      if view >= 0 {
        record["scrollView"] = .text(header.description.scrollViews[view].name)
        record["offset"] = header.scrollViews[view].contentOffset.value
      }
    }
    switch kind {
    case .willEndDragging:
      if velocity != Point() { record["velocity"] = velocity.value }
      record["targetOffset"] = targetOffset.value
    case .didEndDragging: record["willDecelerate"] = .bool(willDecelerate)
    case .willScroll, .didOverscroll:
      record["delta"] = delta.value
      record["source"] = .text(source.word)
    case .willFling: record["velocity"] = delta.value
    case .willTransition: record["size"] = size.value
    case .layout: addLayout(view, to: &record, header)
    default: break
    }
    if depth > 0 { record["depth"] = .number(Double(depth)) }
    return record
  }

  private func addLayout(_ view: Int, to record: inout Value.Record, _ header: Header) {
    for member in Environment.members where given.contains(member.key) {
      record[member.name] = member.write(header.environment)
    }
    if given.contains(.drawers) {
      record["drawers"] = .list(
        header.drawers.indices.map { index in
          let frame = header.drawers[index].frame
          return [
            "name": .text(header.description.drawers[index].name), "y": .number(frame.origin.y),
            "width": .number(frame.size.width), "height": .number(frame.size.height),
          ]
        })
    }
    if given.contains(.pass) { record["pass"] = true }
    guard view >= 0 else { return }
    for member in ScrollView.members where given.contains(member.key) {
      record[member.name] = member.write(header.scrollViews[view])
    }
  }
}
