// SPDX-License-Identifier: MIT
//
// What an entry has only with clients in its header's chain. Hardly a header ever has any; whoever has none pays for one word.

internal import HeaderCore

/// What clients in a header's chain bring with them.
final class Guests {
  var clients: [String: Session] = [:]
  var lost: [String: Int] = [:]
  var question: AskedClient?
  var work: EventWork?
  var owing: [String: Int] = [:]
  var queue: [LaterMessage] = []
  var hurry: String?
}

extension HeaderEntry {
  /// The connections of the clients in its chain, by delegate.
  var clients: [String: Session] {
    get { guests?.clients ?? [:] }
    _modify { yield &makeGuests().clients }
  }

  /// Events that such a client was not told because it does not read.
  var lost: [String: Int] {
    get { guests?.lost ?? [:] }
    _modify { yield &makeGuests().lost }
  }

  /// The client that is asked, and the events that wait for it.
  var question: AskedClient? {
    get { guests?.question }
    set { makeGuests().question = newValue }
  }
  var work: EventWork? {
    get { guests?.work }
    set { makeGuests().work = newValue }
  }

  /// Questions whose answers are late and not there yet, by delegate.
  var owing: [String: Int] {
    get { guests?.owing ?? [:] }
    _modify { yield &makeGuests().owing }
  }

  /// What waits until the header does not.
  var queue: [LaterMessage] {
    get { guests?.queue ?? [] }
    _modify { yield &makeGuests().queue }
  }

  /// Why clients are not asked just now.
  var hurry: String? {
    get { guests?.hurry }
    set { makeGuests().hurry = newValue }
  }
}
