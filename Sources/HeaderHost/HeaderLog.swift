// SPDX-License-Identifier: MIT
//
// Commands of a header that are not done yet. One thing is under way at a time; commands that come meanwhile queue in order.
//
//     command ─▶ idle: performed in the call
//          ╰───▶ else: queue ─▶ running ─▶ performed ─▶ … ─▶ idle
//                                │   ▲
//                                ╰─▶ asking · sent · scrolling · reloading
//
// Most headers never have a log: their engine is in this process, and each command is done within its call.

internal import Clocks
internal import Fanout
internal import HeaderCore
internal import HeaderModel
internal import HeaderWire

/// A client that waits for a command.
struct Ticket {
  let client: Client
  /// The origin's slot for the command.
  let slot: Int
  /// When the command was read, by the daemon's clock.
  let readAt: MonotonicTime
}

/// The activity of a header.
enum HeaderStage {
  /// Nothing, and nothing is queued: commands are performed in the call.
  case idle
  /// The queue is handled in the present call, or a wait has just ended.
  case running
  /// The present event of a command waits for a client.
  case asking(EventWork, AskedClient)
  /// A process carries out an order, for the present event of a command or for anything else; `HeaderHost.pause` has the continuation.
  case sent(EventWork?)
  /// The header's process has plain scrolls, whose senders expect no answer. More of them may follow.
  case scrolling(Queue<Ticket>)
  /// The plugin is being reloaded: instances of the new code that take over, but for those in a process.
  case reloading([PreparedDelegate])
}

/// A client that was asked, and by when it has to answer.
struct AskedClient {
  let id: Int
  let name: String
  /// When it is late, by the daemon's clock.
  let due: MonotonicTime
}

/// What waits in a log.
enum Submission {
  case command(Command, Ticket)
  /// Anything else that is to be done once the header is free.
  case act(() -> Void)
}

/// A client in a chain.
struct ChainClient {
  let client: Client
  /// Events that it was not sent because it does not read.
  var lost = 0
  /// The question that it has not answered in time, and still owes the answer to.
  var owing: Int?
}

/// Commands of a header that are not done, and other things that few headers have.
final class HeaderLog {
  var stage = HeaderStage.idle
  /// What waits behind that.
  var queue = Queue<Submission>()
  /// Inputs that no command is for. They come before the queue.
  var own: [HeaderInput] = []
  /// Why clients are not asked until it is idle.
  var skipReason: String?
  /// The clients in the chain, by delegate.
  var clients: [String: ChainClient] = [:]
  /// The same header with something else in its chain, without effect.
  var shadow: HeaderShadow?
  /// How the header goes on, as it was said last (Forecast.swift).
  var forecast = Forecast()
  /// It stands among `Trials`.
  var waitsForTrial = false
  /// The place of the engine in a process; nil: it is here.
  var remote: RemoteEngine?

  private static let maxScrolls = 64

  var isIdle: Bool { if case .idle = stage { true } else { false } }
  var isRunning: Bool { if case .running = stage { true } else { false } }
  /// Something waits for a process.
  var isSent: Bool { if case .sent = stage { true } else { false } }
  /// Events need more than to be handed to the engine.
  var needsGeneralPath: Bool { !isIdle || remote != nil || shadow != nil }
  /// Whether one more scroll may be sent to the process.
  var takesScroll: Bool {
    guard remote != nil, queue.isEmpty else { return false }
    if case .scrolling(let sent) = stage { return sent.count < Self.maxScrolls }
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

  /// A delegate is bypassed while an event waits.
  func noteBypass(of delegate: String, _ reason: String) {
    switch stage {
    case .asking(let work, _), .sent(let work?):
      work.asked.append(["delegate": .text(delegate), "bypassed": .text(reason)])
    case .idle, .running, .sent, .scrolling, .reloading: break
    }
  }
}
