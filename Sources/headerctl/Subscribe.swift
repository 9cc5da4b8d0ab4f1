// SPDX-License-Identifier: MIT
//
// `headerctl subscribe`: states as they come, in the daemon's own bytes, one a line.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderModel
internal import HeaderTrace

func runSubscribe(_ context: Context) throws -> Int32 {
  let invocation = context.invocation
  let points = try resumePoints(invocation.all(Words.resumeFrom))
  let parts = invocation.all(Words.fields).flatMap { $0.split(separator: ",").map(String.init) }
  let rate = invocation[Words.maxRate]
  let mode = invocation[Words.mode] ?? (rate == nil ? .every : .latest)
  guard rate == nil || mode == .latest else {
    throw CommandError.usage("option \"--max-rate\": with --mode every each state comes; leave one of them out")
  }
  let client = try context.connect(Interrupts(), needsReader: true)
  let include =
    (invocation.has(Words.routine) ? ["routine"] : []) + (invocation.has(Words.calls) ? ["calls"] : [])
    + (invocation.has(Words.offsets) ? ["contentOffset"] : [])
  try client.subscribe(
    to: invocation.all(Words.glob), mode: mode.rawValue, include: include, maxRate: rate ?? 0,
    fields: invocation[Words.fields] == nil ? nil : parts, grid: invocation[Words.grid],
    explain: invocation.has(Words.explain),
    resumeFrom: points.fields.isEmpty && !invocation.has(Words.resumable) ? nil : points)
  try reportMissing(invocation.all(Words.glob), client, context)
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

/// Reports names without an open header. The state of a header that opens in between comes first.
func reportMissing(_ globs: [String], _ client: Client, _ context: Context) throws {
  for name in globs where Names.isHeaderName(name) {
    let answer = try client.answer(to: "header.list", ["match": .text(name)])
    guard case .success(let result) = answer.result, result.list("headers").isEmpty else { continue }
    context.console.complain("no header \"\(name)\" yet; waiting for it")
  }
}

private func resumePoints(_ texts: [String]) throws(CommandError) -> Value.Record {
  var points = Value.Record()
  for text in texts {
    let words = text.split(separator: ":", omittingEmptySubsequences: false)
    guard words.count == 3, Names.isHeaderName(String(words[0])), let epoch = Int(words[1]), let seq = Int(words[2]),
      epoch >= 0, seq >= 0
    else {
      throw .usage(
        "option \"--resume-from\": expected HEADER:EPOCH:SEQ, such as main:1763690400000001:41, got \"\(text)\"")
    }
    points[String(words[0])] = ["epoch": .number(Double(epoch)), "seq": .number(Double(seq))]
  }
  return points
}

func sentence(of notification: Notification) -> String {
  let params = notification.params
  let (name, reason) = (params.text("header"), params.text("reason"))
  guard notification.method == "gap" else { return "\(name) closed: \(reason)" }
  guard let from = params["from"]?.asNumber, let to = params["to"]?.asNumber else { return "\(name): gap: \(reason)" }
  return "\(name): gap: states \(shown(from)) to \(shown(to)) are missing: \(reason)"
}

/// When listening ends: after a number of states or of seconds.
struct StateLimit {
  private var statesLeft: Int?
  private let end: Double?

  init(_ invocation: Invocation) {
    statesLeft = invocation[Words.count]
    end = invocation[Words.seconds].map { steadySeconds() + $0 }
  }

  /// No limit but a time.
  init(seconds: Double?) { end = seconds.map { steadySeconds() + $0 } }

  mutating func count() { statesLeft = statesLeft.map { $0 - 1 } }

  /// Whether the wanted states have come or the time is over.
  var isReached: Bool { statesLeft == 0 || end.map { steadySeconds() >= $0 } ?? false }

  /// Seconds until the time is over; nil: there is no limit.
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
