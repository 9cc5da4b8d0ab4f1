// SPDX-License-Identifier: MIT
//
// One compare-and-set, until its outcome is known. A write without an answer may still be carried out later, so it is neither taken as
// done nor simply repeated: the last message of the subject decides.
//
//     put ──stored──▶ done
//      │ ╰─conflict, or no answer──▶ what is there? ──mine──▶ done
//      ╰◀──────what was expected──────╯      ╰───another's──▶ lost

/// A subject that is written by compare-and-set.
public enum Cell: Hashable, Sendable {
  case owner(String)
  case log(String)
  case saved(String)

  /// The header that the message is about.
  public var header: String {
    switch self {
    case .owner(let header), .log(let header), .saved(let header): header
    }
  }
}

/// The last message of a subject; none: 0 and no bytes.
public struct LastMessage: Equatable, Sendable {
  /// The message's number in its stream.
  public var number: UInt64
  /// The message's payload.
  public var bytes: [UInt8]

  /// Creates a message; number 0 means that there is none.
  public init(number: UInt64 = 0, bytes: [UInt8] = []) { (self.number, self.bytes) = (number, bytes) }
}

/// The answer to a request to JetStream.
public enum Answer: Sendable {
  /// The message is stored, with this number.
  case stored(UInt64)
  /// Another message is the last one.
  case conflict
  /// The message is not stored, for this reason: there is no room at present.
  case refused(String)
  /// The last message of the subject.
  case last(LastMessage)
  /// The saved state and the log of a header.
  case history(History)
  /// No answer came: the request may have been carried out, or may be yet.
  case unknown
}

/// The stored records of a header.
public struct History: Equatable, Sendable {
  /// The last saved state.
  public var saved: SavedRecord?
  /// The number of its message; 0: there is none.
  public var savedNumber: UInt64
  /// The log behind the saved state.
  public var log: [LogRecord]
  /// The number of the log's last message; 0: there is none.
  public var tail: UInt64

  /// Creates a header's past; without arguments, an empty one.
  public init(saved: SavedRecord? = nil, savedNumber: UInt64 = 0, log: [LogRecord] = [], tail: UInt64 = 0) {
    (self.saved, self.savedNumber, self.log, self.tail) = (saved, savedNumber, log, tail)
  }

  /// Reads the stored records, and leaves out what no owner can have written: bytes that are no record, records of a far future epoch,
  /// and steps out of order. Every record of an owner continues the one before, and every fence starts anew.
  /// - Parameter tail: the number of the log's last message, whatever it contains.
  /// - Returns: nil as `refused` where everything is as owners write it, else what was left out.
  public static func reading(
    saved: LastMessage, log: [LastMessage], tail: UInt64, maxEpoch: Int64
  ) -> (history: History, refused: [String]) {
    var (history, refused) = (History(savedNumber: saved.number, tail: tail), [String]())
    if saved.number > 0 {
      history.saved = SavedRecord(saved.bytes).flatMap { $0.epoch <= maxEpoch ? $0 : nil }
      if history.saved == nil { refused.append("saved \(saved.number)") }
    }
    var last: LogRecord?
    for message in log {
      guard let record = LogRecord(message.bytes), record.epoch <= maxEpoch, record.follows(last) else {
        refused.append("log \(message.number)")
        continue
      }
      last = record
      history.log.append(record)
    }
    return (history, refused)
  }

  /// The largest epoch in it.
  package var epoch: Int64 { max(saved?.epoch ?? 0, log.map(\.epoch).max() ?? 0) }
}

package struct CheckedWrite: Sendable {
  package let cell: Cell
  package let bytes: [UInt8]
  package let expecting: UInt64
  package var ticket: UInt64
  package private(set) var isAsking = false

  package init(_ cell: Cell, _ bytes: [UInt8], expecting: UInt64, ticket: UInt64) {
    (self.cell, self.bytes, self.expecting, self.ticket) = (cell, bytes, expecting, ticket)
  }

  package enum Outcome {
    case done(UInt64)
    /// Another message was written instead.
    case lost(LastMessage)
    /// Another request is to be sent, now or after a pause.
    case retry(pause: Bool)
  }

  /// Decides from an answer whether the write is done, lost, or has to be tried again.
  package mutating func take(_ answer: Answer) -> Outcome {
    switch answer {
    case .stored(let number): return .done(number)
    case .last(let last) where last.bytes == bytes && last.number > 0: return .done(last.number)
    case .last(let last) where last.number == expecting:
      isAsking = false
      return .retry(pause: false)
    case .last(let last): return .lost(last)
    case .conflict:
      isAsking = true
      return .retry(pause: false)
    case .refused:
      isAsking = false
      return .retry(pause: true)
    case .unknown, .history:
      isAsking = true
      return .retry(pause: true)
    }
  }

  /// The next request to send.
  package var effect: Ownership.Effect {
    isAsking ? .last(ticket: ticket, cell) : .put(ticket: ticket, cell, bytes, expecting: expecting)
  }
}
