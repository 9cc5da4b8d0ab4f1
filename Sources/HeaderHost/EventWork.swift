// SPDX-License-Identifier: MIT

internal import Clocks
internal import Fanout
internal import HeaderCore
internal import HeaderModel
internal import HeaderWire

/// A command that was performed, with the facts that its answer needs.
struct PerformedCommand {
  let ticket: Ticket
  let address: ReplyAddress
  /// Fields of the command that the protocol does not know.
  let unknown: [UnknownField]
  /// How many records the journal had before it.
  let recordsBefore: Int

  init(_ handler: borrowing RequestHandler) {
    ticket = handler.ticket
    address = handler.command.address
    unknown = handler.unknown
    recordsBefore = handler.recordsBefore
  }
}

/// The event or batch of a command for a header with clients that are asked, as far as it has come.
final class EventWork {
  let command: PerformedCommand
  let entry: HeaderEntry
  let path: Path
  let isBatch: Bool
  let keepsAnswers: Bool
  /// The command has waited in the header's queue.
  private let wasQueued: Bool
  var events: [TimedEvent]
  var next = 0
  /// Why the event behind the last one is none.
  var end: HeaderError?
  /// Why the present event could not be handled, which ends the command.
  private(set) var refusal: HeaderError?
  var answers: [(answer: EventAnswer, name: EventName)] = []
  var failure: HeaderError?
  /// What clients answered to the present event, for recordings.
  var asked: [Value] = []
  /// The publisher's clock, if the present event is the first of its connection for the header and a worker has it.
  var firstClock: PublisherClock?

  init(
    _ events: [TimedEvent], for handler: RequestHandler, of entry: HeaderEntry, at path: Path, isBatch: Bool,
    keepsAnswers: Bool
  ) {
    self.events = events
    command = PerformedCommand(handler)
    self.entry = entry
    self.path = path
    self.isBatch = isBatch
    self.keepsAnswers = keepsAnswers
    wasQueued = entry.log?.isRunning == true
  }

  /// Whether the command, or an event of it, had to wait.
  var hasWaited: Bool { wasQueued || next > 0 }
  var client: Client { command.ticket.client }
  var readAt: MonotonicTime { command.ticket.readAt }
  var isAtEnd: Bool { next == events.count }
  var event: ScrollEvent { events[next].event }
  var eventPath: Path { isBatch ? path[next] : path }

  func refuse(_ error: HeaderError) {
    refusal = isBatch ? error.of(header: entry.name).at(index: next) : error
  }

  /// Takes the answer to the present event and continues with the next.
  func take(_ answer: EventAnswer) {
    if keepsAnswers || !isBatch { answers.append((answer, event.kind.name)) }
    if failure == nil, let failed = answer.failure {
      let failure = failed.of(header: entry.name)
      self.failure = isBatch ? failure.at(index: next) : failure
    }
    next += 1
    asked = []
  }

  func reply() throws(HeaderError) -> Reply {
    if let end { throw end }
    if let failure { throw failure }
    guard !isBatch, let only = answers.first else { return .events(seq: entry.header.state.seq, answers) }
    return .event(only.answer, only.name)
  }
}
