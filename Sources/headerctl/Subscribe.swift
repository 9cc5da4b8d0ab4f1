// SPDX-License-Identifier: MIT
//
// `headerctl subscribe`: states as they come, in the daemon's own bytes, one a line.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderCore
internal import HeaderTrace

func runSubscribe(_ context: Context) throws -> Int32 {
  let invocation = context.invocation
  let client = try context.connect(Interrupts(), needsReader: true)
  let include = (invocation.has(Words.routine) ? ["routine"] : []) + (invocation.has(Words.calls) ? ["calls"] : [])
  try client.subscribe(
    to: invocation.all(Words.glob), mode: (invocation[Words.mode] ?? .every).rawValue, include: include)
  var limit = StateLimit(invocation)
  try listen(client, &limit) { notification in
    switch notification.method {
    case "state":
      context.console.print(line: notification.text)
      return true
    case "gap", "closed":
      if context.isJSON {
        context.console.print(Value.record([notification.method: notification.params]).json)
      } else {
        context.console.complain(sentence(of: notification))
      }
    case "error": context.console.complain(RemoteError(notification.params).description)
    default: break
    }
    return false
  }
  return ExitStatus.done
}

/// A gap or an end in words.
func sentence(of notification: Notification) -> String {
  let params = notification.params
  let name = params["header"]?.asText ?? "?"
  let reason = params["reason"]?.asText ?? "?"
  guard notification.method == "gap" else { return "\(name) closed: \(reason)" }
  guard let from = params["from"]?.asNumber, let to = params["to"]?.asNumber else { return "\(name): gap: \(reason)" }
  return "\(name): gap: states \(shown(from)) to \(shown(to)) are missing: \(reason)"
}

/// When listening ends: after so many states, after so many seconds.
struct StateLimit {
  private var statesLeft: Int?
  private let end: Double?

  init(_ invocation: Invocation) {
    statesLeft = invocation[Words.count]
    end = invocation[Words.seconds].map { steadySeconds() + $0 }
  }

  /// No limit but a time.
  init(seconds: Double?) { end = seconds.map { steadySeconds() + $0 } }

  /// Counts a state.
  mutating func count() { statesLeft = statesLeft.map { $0 - 1 } }

  /// Nothing more is wanted.
  var isReached: Bool { statesLeft == 0 || end.map { steadySeconds() >= $0 } ?? false }

  /// Seconds until the time is over; nil: there is no such time.
  var secondsLeft: Double? { end.map { max(0, $0 - steadySeconds()) } }
}

/// Hands out notifications until the limit, or until a signal says that it is enough.
/// - Parameters:
///   - take: says whether the notification counts.
///   - isOver: asked before each wait; true ends it.
func listen(
  _ client: Client, _ limit: inout StateLimit, _ take: (Notification) throws -> Bool,
  until isOver: () -> Bool = { false }
) throws {
  do {
    while !limit.isReached, !isOver() {
      guard case .message(let message) = try client.next(within: limit.secondsLeft) else { return }
      guard case .notification(let notification) = message else { continue }
      if try take(notification) { limit.count() }
    }
  } catch {
    guard isInterruption(error) else { throw error }
  }
}
