// SPDX-License-Identifier: MIT
//
// What a header was asked and has not done yet. One thing is under way at a time; what comes meanwhile queues in order.
//
//     command ─▶ idle: performed in the call
//          ╰───▶ else: queue ─▶ running ─▶ performed ─▶ … ─▶ idle
//                                │   ▲
//                                ╰─▶ asking · sent · scrolling · reloading
//
// Most headers never have a log: their engine is here, and each command is done in the call that brings it.

internal import Fanout
internal import HeaderCore
internal import HeaderWire

/// Who waits for a command.
struct Ticket {
  let client: Client
  /// What the client's origin knows the command by.
  let slot: Int
  /// When the command was read, by the daemon's clock.
  let readAt: Int64
}

/// What is under way in a header.
enum HeaderStage {
  /// Nothing, and nothing is queued: commands are performed in the call.
  case idle
  /// The queue is handled in the present call, or what has ended a wait is.
  case running
  /// The present event of a command waits for a client.
  case asking(EventWork, AskedClient)
  /// The header's process has an input.
  case sent(SentInput)
  /// The header's process has plain scrolls, whose senders wait for no answer. More of them may follow.
  case scrolling(Queue<Ticket>)
  /// The plugin is being reloaded.
  case reloading(Replacement)
}

/// A question under way.
struct AskedClient {
  let id: Int
  let name: String
  /// When it is late, by the daemon's clock.
  let due: Int64
}

/// An input that a process has.
enum SentInput {
  /// The present event of a command.
  case event(EventWork)
  /// The answer to it, or none, of the client with this name.
  case answer(EventWork, String)
  /// One that no command is for.
  case own(HeaderInput)
}

/// What takes over when a reload is committed.
enum Replacement {
  /// Instances of the new code.
  case delegates([PreparedDelegate])
  /// A place in a process with the new code.
  case seat(WorkerSeat)
}

/// A client in a chain.
struct ChainClient {
  let client: Client
  /// Events that it was not sent because it does not read.
  var lost = 0
  /// The question that it has not answered in time, and still owes the answer to.
  var owing: Int?
}

/// What a header was asked and has not done, and what few headers have besides.
final class HeaderLog {
  var stage = HeaderStage.idle
  /// Commands behind that.
  var queue = Queue<(command: Command, ticket: Ticket)>()
  /// Inputs that no command is for. They come before the queue.
  var own: [HeaderInput] = []
  /// Why clients are not asked at present.
  var hurry: String?
  /// The clients in the chain, by delegate.
  var clients: [String: ChainClient] = [:]
  /// The same header with something else in its chain, without effect.
  var shadow: HeaderShadow?
  /// The place of the engine in a process; nil: it is here.
  var seat: WorkerSeat?

  private static let mostScrolls = 64

  var isIdle: Bool { if case .idle = stage { true } else { false } }
  var isRunning: Bool { if case .running = stage { true } else { false } }
  /// The process has an input that the present event waits for.
  var isSent: Bool { if case .sent = stage { true } else { false } }
  /// Events need more than to be handed to the engine.
  var standsAside: Bool { !isIdle || seat != nil || shadow != nil }
  /// Whether one more scroll may be sent to the process.
  var takesScroll: Bool {
    guard seat != nil, queue.isEmpty else { return false }
    if case .scrolling(let sent) = stage { return sent.count < Self.mostScrolls }
    return isIdle
  }

  /// Notes a scroll that was sent.
  func append(scroll ticket: Ticket) {
    var scrolls = Queue<Ticket>()
    if case .scrolling(let sent) = stage { scrolls = sent }
    // The queue is changed in place.
    stage = .running
    scrolls.append(ticket)
    stage = .scrolling(scrolls)
  }

  /// Takes out the scroll that was sent first; nil: none was. After the last one the header runs.
  func popScroll() -> Ticket? {
    guard case .scrolling(var scrolls) = stage else { return nil }
    stage = .running
    let ticket = scrolls.popFirst()
    if !scrolls.isEmpty { stage = .scrolling(scrolls) }
    return ticket
  }

  /// A delegate is bypassed while an event waits: before the answer that the process has, if it has one.
  func noteBypass(of delegate: String, _ reason: String) {
    let note: Value = ["delegate": .text(delegate), "bypassed": .text(reason)]
    switch stage {
    case .asking(let work, _), .sent(.event(let work)): work.asked.append(note)
    case .sent(.answer(let work, _)): work.asked.insert(note, at: work.asked.count - 1)
    case .idle, .running, .sent(.own), .scrolling, .reloading: break
    }
  }
}
