// SPDX-License-Identifier: MIT
//
// Answers to requests for headers, in both encodings.

internal import Fanout
internal import HeaderCore
internal import HeaderModel
internal import HeaderWire

/// The answer to a request.
enum Reply {
  case record(Value.Record)
  case event(EventAnswer, EventName)
  case events(seq: Int64, [(answer: EventAnswer, name: EventName)])
  /// A header's present state and the parts asked for.
  case state(HeaderEntry, Value.Record)
  /// A header that is announced to its subscribers behind the answer.
  case opened(HeaderEntry, isNew: Bool)
  /// A recording, which begins behind the answer.
  case traceBegun(TraceRecorder)

  static var nothing: Reply { .record(Value.Record()) }

  /// The reply with a delegate's answer to a call, beside other fields.
  static func result(of answer: EventAnswer, _ fields: Value.Record) -> Reply {
    var reply = fields
    if case .record(let result)? = answer.result { for field in result.fields { reply[field.name] = field.value } }
    return .record(reply)
  }

  /// The number of a header's last state.
  static func seq(of entry: HeaderEntry) -> Reply { .record(["seq": .number(Double(entry.header.state.seq))]) }
}

extension ClientWriter {
  /// Sends the answer to a request.
  func answer(_ address: ReplyAddress, _ reply: Reply, _ unknown: [UnknownField]) {
    answer(address, unknown, result: { $0.reply(reply) }, frame: { $0.reply($1, reply, warnings: $2) })
  }
}

extension JSONWriter {
  /// The result of a request.
  fileprivate mutating func reply(_ reply: Reply) {
    switch reply {
    case .record(let record): value(.record(record))
    case .event(let answer, let name): eventAnswer(answer, name)
    case .events(let seq, let answers):
      beginObject()
      key("seq")
      integer(Int(seq))
      key("results")
      beginArray()
      for (answer, name) in answers { eventAnswer(answer, name) }
      endArray()
      endObject()
    case .state(let entry, let more):
      beginObject()
      key("state")
      StateEncoder.object(entry.header.state, .positionsOnly, into: &self)
      key("digest")
      integer(Int(entry.opened.digest))
      for field in more.fields {
        key(named: field.name)
        value(field.value)
      }
      endObject()
    case .opened(let entry, let isNew):
      value([
        "header": .text(entry.name), "handle": .number(Double(entry.handle.number)),
        "epoch": .number(Double(entry.epoch)), "created": .bool(isNew),
        "seq": .number(Double(entry.header.state.seq)), "digest": .number(Double(entry.opened.digest)),
      ])
    case .traceBegun(let recorder): value(["trace": .number(Double(recorder.id))])
    }
  }

  private mutating func eventAnswer(_ answer: EventAnswer, _ name: EventName) {
    beginObject()
    key("seq")
    integer(Int(answer.seq))
    if let target = answer.targetOffset {
      key("targetOffset")
      value(target.value)
    }
    if let returned = answer.returned {
      key("returned")
      bool(returned)
    }
    if name == .willEndDragging {
      key("rewrittenBy")
      if let delegate = answer.rewrittenBy { string(delegate) } else { null() }
    }
    if let consumed = answer.consumed, let residual = answer.residual {
      key("consumed")
      value(consumed.value)
      key("residual")
      value(residual.value)
    }
    if [.call, .move, .constrain, .release, .reveal].contains(name) {
      key("returned")
      value(answer.result ?? .null)
    }
    endObject()
  }
}

extension FrameWriter {
  /// The answer to a frame of a kind of its own.
  fileprivate mutating func reply(_ id: UInt64, _ reply: Reply, warnings: [UnknownField]) {
    switch reply {
    case .event(let answer, let name):
      decided(id, seq: answer.seq, count: 1, warnings: warnings) { $0.decision(answer, name) }
    case .events(let seq, let answers):
      decided(id, seq: seq, count: answers.count, warnings: warnings) { writer in
        for (answer, name) in answers { writer.decision(answer, name) }
      }
    case .opened(let entry, let isNew):
      opened(
        id, handle: entry.handle.number, epoch: entry.epoch, seq: entry.header.state.seq, isNew: isNew,
        digest: entry.opened.digest, warnings: warnings)
    case .record: done(id, warnings: warnings)
    case .state, .traceBegun: preconditionFailure("headerd bug: these are asked for and answered in JSON frames alone")
    }
  }
}
