// SPDX-License-Identifier: MIT
//
// What an entry has only with clients in its header's chain. Hardly a header ever has any; whoever has none pays for one word.

internal import HeaderCore

/// What clients in a header's chain bring with them.
final class ClientSide {
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
    get { clientSide?.clients ?? [:] }
    _modify { yield &makeClientSide().clients }
  }

  /// Events that such a client was not told because it does not read.
  var lost: [String: Int] {
    get { clientSide?.lost ?? [:] }
    _modify { yield &makeClientSide().lost }
  }

  /// The client that is asked, and the events that wait for it.
  var question: AskedClient? {
    get { clientSide?.question }
    set { makeClientSide().question = newValue }
  }
  var work: EventWork? {
    get { clientSide?.work }
    set { makeClientSide().work = newValue }
  }

  /// Questions whose answers are late and not there yet, by delegate.
  var owing: [String: Int] {
    get { clientSide?.owing ?? [:] }
    _modify { yield &makeClientSide().owing }
  }

  /// What waits until the header does not.
  var queue: [LaterMessage] {
    get { clientSide?.queue ?? [] }
    _modify { yield &makeClientSide().queue }
  }

  /// Why clients are not asked just now.
  var hurry: String? {
    get { clientSide?.hurry }
    set { makeClientSide().hurry = newValue }
  }
}
