// SPDX-License-Identifier: MIT
//
// Leases of constraints: each holds as long as its connection, or for a time by the daemon's clock. Its end is an input like any other,
// `release`, so that a recording has it. The engine knows nothing of either.
//
//     constrain, lease "connection" ─▶ lease ─▶ the connection ends ─┬─▶ due ─▶ release
//     constrain, lease 30 ──────────▶ lease ─▶ 30 s later ──────────╯
//
// A header that waits for a client releases expired constraints when it resumes.

internal import Clocks
internal import Fanout
internal import HeaderCore
internal import HeaderModel

/// Constraints of one header that end by themselves.
struct Leases {
  private struct Lease {
    var name: String
    /// The number of the connection that it ends with, 0: none.
    var connection = 0
    /// When it ends, by the daemon's clock.
    var due = MonotonicTime.max
  }

  private var leases: [Lease] = []

  var isEmpty: Bool { leases.isEmpty }

  /// When the next one ends.
  var earliest: MonotonicTime? { leases.lazy.map(\.due).min().flatMap { $0 == .max ? nil : $0 } }

  /// A constraint begins, or another of its name takes its place.
  mutating func begin(_ constraint: Constraint, connection: Int, at now: MonotonicTime) {
    end(constraint.name)
    switch constraint.lease {
    case .none: return
    case .connection: leases.append(Lease(name: constraint.name, connection: connection))
    case .seconds(let seconds):
      leases.append(Lease(name: constraint.name, due: now + Instant.nanoseconds(seconds)))
    }
  }

  /// A constraint is released.
  mutating func end(_ name: String) { leases.removeAll { $0.name == name } }

  /// Ends the leases of what is no constraint: it was released, or could not begin.
  mutating func end(but constraints: [Constraint]) {
    let names = Set(constraints.map(\.name))
    leases.removeAll { !names.contains($0.name) }
  }

  /// A connection has ended: what ends with it is due.
  mutating func endConnection(_ number: Int, at now: MonotonicTime) {
    for index in leases.indices where leases[index].connection == number { leases[index].due = now }
  }

  mutating func takeDue(at now: MonotonicTime) -> [String] {
    defer { leases.removeAll { $0.due <= now } }
    return leases.filter { $0.due <= now }.map(\.name)
  }
}

extension HeaderHost {
  /// Notes a constraint's lease, before it begins.
  func noteLease(_ event: ScrollEvent, of entry: HeaderEntry, _ client: Client) {
    guard case .constrain(let constraint) = event.kind else { return }
    if constraint.lease == .connection { client.leased[entry.handle] = entry }
    entry.leases.begin(constraint, connection: client.id.number, at: now)
    schedule(entry)
  }

  /// Ends the leases of what is no constraint. A release may be refused, and a constraint hold that was answered with an error.
  func endUnusedLeases(of entry: HeaderEntry) {
    if !entry.header.isWaiting { entry.leases.end(but: entry.header.constraints) }
  }

  /// Releases the constraints of a connection that has ended.
  func endLeases(of client: Client) {
    for entry in client.leased.values.sorted(by: { $0.handle < $1.handle }) where entry.isOpen {
      entry.leases.endConnection(client.id.number, at: now)
      endDueLeases(of: entry)
    }
    client.leased = [:]
  }

  /// Releases expired constraints; a busy header does it later.
  func endDueLeases(of entry: HeaderEntry) {
    guard entry.isOpen, let earliest = entry.leases.earliest, earliest <= now else { return }
    guard !entry.isBusy else { return schedule(entry) }
    for name in entry.leases.takeDue(at: now) { release(name, of: entry) }
    schedule(entry)
  }

  /// Renews the leases of a restored header: earlier connections are gone, and times start anew.
  func restoreLeases(of entry: HeaderEntry) {
    for constraint in entry.header.constraints {
      entry.leases.begin(constraint, connection: 0, at: now)
      if constraint.lease == .connection { release(constraint.name, of: entry) }
    }
    schedule(entry)
  }

  private func release(_ name: String, of entry: HeaderEntry) {
    entry.leases.end(name)
    context.counters.events += 1
    entry.eventCount += 1
    submit(.event(ScrollEvent(.release(name: name, style: nil))), to: entry)
  }
}

extension HeaderInput {
  /// Whether constraints may be others behind it. Most inputs are scrolls, which leave them as they are.
  var mayEndConstraint: Bool {
    switch self {
    case .scroll, .lead: false
    case .event(let event):
      switch event.kind {
      case .constrain, .release: true
      default: false
      }
    default: true
    }
  }
}
