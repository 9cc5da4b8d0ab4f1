// SPDX-License-Identifier: MIT
//
// What a session is told beside answers, each in the session's own encoding. Everything else that the daemon says – rare
// notifications such as a recording's – is a JSON message in both (`Session.write`).

internal import HeaderCore
internal import HeaderWire

extension Session {
  /// An error: of a notification, of the connection itself, or of something whose id could not be read.
  func tell(_ error: HeaderError, about subject: ErrorSubject) {
    switch (encoding, subject) {
    case (.frames, _): writeFrame { $0.error(error, about: subject) }
    case (.lines, .notification): write { $0.errorNotification(error) }
    case (.lines, .unreadable), (.lines, .request): write { $0.refusal(nil, error) }
    }
  }

  /// A header's present state, positions alone.
  func tellSnapshot(of entry: HeaderEntry, _ way: StateView.Key) {
    let (state, parts) = (entry.header.state, way.parts.union(.snapshot))
    switch way.encoding {
    case .lines: write { StateEncoder.notification(state, parts, way.selection, into: &$0) }
    case .frames:
      writeFrame { StateEncoder.frame(state, handle: entry.handle.number, parts, way.selection, into: &$0) }
    }
  }

  /// States that it does not get.
  func tellGap(_ entry: HeaderEntry, _ range: ClosedRange<Int64>?, _ reason: StaticString) {
    switch encoding {
    case .lines: write { $0.gap(header: entry.name, epoch: entry.epoch, range: range, reason: reason) }
    case .frames:
      writeFrame { $0.gap(handle: entry.handle.number, epoch: entry.epoch, range: range, reason: "\(reason)") }
    }
  }

  /// A header that it listens to is gone.
  func tellClosed(_ entry: HeaderEntry, _ reason: String) {
    let (epoch, seq) = (entry.epoch, entry.header.state.seq)
    switch encoding {
    case .lines: write { $0.closed(header: entry.name, epoch: epoch, seq: seq, reason: reason) }
    case .frames: writeFrame { $0.closed(handle: entry.handle.number, epoch: epoch, seq: seq, reason: reason) }
    }
  }

  /// The connection ends.
  func tellBye(_ reason: String) {
    switch encoding {
    case .lines: write { $0.bye(reason: reason) }
    case .frames: writeFrame { $0.bye(reason: reason) }
    }
  }

  /// It has been silent for long.
  func tellPing() {
    switch encoding {
    case .lines: write { $0.ping() }
    case .frames: writeFrame { $0.ping() }
    }
  }
}

extension FrameWriter {
  /// The answer to a frame of a kind of its own.
  mutating func reply(_ id: UInt64, _ reply: Reply, _ session: Session, warnings: [UnknownField]) {
    switch reply {
    case .welcome(let record):
      welcome(
        id, protocol: 1, roles: session.peer.roles.rawValue, connection: session.id.number, time: session.time,
        result: record, warnings: warnings)
    case .time: pong(id, time: session.time)
    case .event(let answer, let name):
      decided(id, seq: answer.seq, count: 1, warnings: warnings) { $0.decision(answer, name) }
    case .events(let seq, let answers):
      decided(id, seq: seq, count: answers.count, warnings: warnings) { writer in
        for (answer, name) in answers { writer.decision(answer, name) }
      }
    case .opened(let entry, let isNew):
      opened(
        id, handle: entry.handle.number, epoch: entry.epoch, seq: entry.header.state.seq, isNew: isNew,
        warnings: warnings)
    case .subscribed(let matched, let elsewhere, _):
      subscribed(
        id, subscription: matched.subscription.id, matched: matched.count(with: elsewhere), warnings: warnings)
    case .record: done(id, warnings: warnings)
    case .state, .traceBegun: preconditionFailure("these are asked for in JSON frames alone, and answered there")
    case .waits: preconditionFailure("it is answered later")
    }
  }
}
