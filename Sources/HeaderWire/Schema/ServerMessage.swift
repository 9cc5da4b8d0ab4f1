// SPDX-License-Identifier: MIT
//
// The messages that the daemon sends by itself, with a line about each and the schema of its parameters.

public import HeaderModel

/// A message of the daemon's that is no answer.
public enum ServerMessage: String, CaseIterable, Sendable {
  case state, gap, closed, error, ping, bye, trace, durability
  case delegateEvent = "delegate.event"
  case delegateAsk = "delegate.ask"

  /// A line about the message.
  public var summary: String {
    switch self {
    case .state: "a header's complete state"
    case .gap: "states are missing"
    case .closed: "a header is gone"
    case .error: "a notification was refused"
    case .ping: "after a silence; needs no answer"
    case .bye: "why the daemon ends the connection"
    case .trace: "one step of a recording"
    case .durability: "whether changes reach the disk"
    case .delegateEvent: "an event, after the chain"
    case .delegateAsk: "an event, as a request"
    }
  }

  /// The receivers of the message, in a word.
  public var recipients: String {
    switch self {
    case .state, .gap, .closed: "subscribers"
    case .error, .ping, .bye: "anyone"
    case .durability: "all"
    case .trace: "recorders"
    case .delegateEvent, .delegateAsk: "delegates"
    }
  }

  /// The schema of its parameters; nil: it has none.
  public var paramsSchema: Value? {
    typealias Schema = JSONSchema
    let (text, count) = (Schema.text, Schema.count)
    switch self {
    case .state: return Schema.definition("State")
    case .gap:
      return Schema.object(
        ["header": text, "epoch": count, "reason": Schema.words(["overflow", "tooOld", "newEpoch"])],
        optional: ["from": count, "to": count])
    case .closed:
      let reasons = Schema.words(["closed", "replaced", "connection", "failed"])
      return Schema.object(["header": text, "epoch": count, "seq": count, "reason": reasons])
    case .error: return Schema.definition("Error")
    case .ping: return nil
    case .bye: return Schema.object(["reason": Schema.words(["draining", "overflow"])])
    case .durability: return Schema.object(["durable": Schema.bool], optional: ["header": text, "reason": text])
    case .trace:
      // A step has the members of its input beside these; before the header's first event it has no time.
      let step: Value = [
        "type": "object",
        "properties": [
          "event": text.meaning("the event, or the change, with its members"),
          "time": Schema.seconds.meaning("header time; absent before the header's first event"),
          "nanoseconds": text.meaning("the same time, where a number does not hold it"),
          "asked": Schema.list(of: Schema.record).meaning(
            "by client delegates: `delegate` and `answer`, or `passedOver` with the reason (`late`: its deadline had passed), or `bypassed` with the reason"
          ),
          "result": Schema.record.meaning("what it was answered beside `seq`"),
          "error": Schema.definition("Error").meaning("in place of `result`: why it was refused; only time advanced"),
          "state": Schema.definition("State").meaning("the last state that it made"),
          "frames": Schema.list(of: Schema.definition("State")).meaning("the states before that one"),
        ],
        "required": ["event"],
      ]
      return Schema.object(
        ["trace": count.meaning("the recording's number")],
        optional: [
          "description": Schema.record.meaning("in the first: of the header"),
          "saved": Schema.record.meaning("in the first: the header's state"),
          "step": step.meaning("one input"), "ended": text.meaning("in the last: the reason"),
          "steps": count.meaning("in the last: how many there were"),
        ])
    case .delegateEvent:
      return Schema.object(
        ["header": text, "delegate": text, "event": Schema.definition("DelegateEvent")], optional: ["lost": count])
    case .delegateAsk:
      return Schema.object([
        "header": text, "delegate": text, "deadline": Schema.seconds, "event": Schema.definition("DelegateEvent"),
      ])
    }
  }
}

extension RequestMethod {
  /// A line about the method.
  public var summary: String {
    switch self {
    case .hello: "roles, capabilities, limits"
    case .ping: "an answer after all before it"
    case .discover: "the schema of the protocol"
    case .stats: "counters"
    case .headerOpen: "opens a header or attaches to it"
    case .headerClose: "closes it"
    case .headerConfigure: "changes drawers and scroll views"
    case .headerCall: "calls a behavior"
    case .headerMove: "brings a header to a position"
    case .headerConstrain: "keeps a header within bounds"
    case .headerRelease: "ends a constraint"
    case .headerReveal: "shows a part of the content"
    case .headerExplain: "why it did what it did"
    case .headerList: "the open headers"
    case .headerGet: "state and description of one"
    case .event: "one scroll event, or several"
    case .subscribe: "asks for states"
    case .unsubscribe: "ends a subscription"
    case .delegateAdd: "adds a behavior, or this client"
    case .delegateRemove: "removes one"
    case .delegateMove: "moves one"
    case .delegateConfigure: "sets options of one"
    case .delegateShadow: "tries others beside it"
    case .delegatePromote: "takes these over"
    case .pluginList: "plugins and their behaviors"
    case .pluginLoad: "loads one"
    case .pluginUnload: "unloads one"
    case .pluginReload: "loads its file anew"
    case .traceStart: "records a header"
    case .traceStop: "ends that"
    }
  }
}
