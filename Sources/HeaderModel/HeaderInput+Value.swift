// SPDX-License-Identifier: MIT
//
// The recorded form of a header's inputs: the part of a recorded step beside its outcome.
//
//     {"event":"didScroll","time":1.25,"offset":{"y":12.5}}                                   an event as the wire has it
//     {"event":"configure","time":2,"drawers":[…],"frameSource":"live"}                       what is given as `frames`
//     {"event":"addDelegate","time":2,"client":"intercept","name":"guard","options":{},"deadline":0.008,"at":1}
//     {"event":"moveDelegate","time":2,"delegate":"guard","at":0}
//     {"event":"removeDelegate","time":2,"delegate":"guard"}
//     {"event":"reload","time":3,"delegate":"shyNavBar","plugin":"ShyNavBar"}
//     {"event":"unload","time":4,"delegate":"shyNavBar","plugin":"ShyNavBar"}
//     {"event":"lead","time":5,"header":"shop","drawers":{"navBar":{"points":12,"way":44}}}
//     {"event":"bypass","time":5,"delegate":"shyNavBar","reason":"its process crashed"}
//     {"delegate":"guard","answer":{"verdict":"pass"}}                                        an answer; in a step's `asked`
//     {"delegate":"guard","passedOver":"it did not answer within 0.008 s","late":true}
//
// `time` is header time in seconds; where that does not hold it to the nanosecond, `nanoseconds` has it in text. Inputs of a header
// without a time have none.

extension HeaderInput {
  /// An input that is no event, by the word that its recorded form has under `event`.
  public enum Change: String, Sendable {
    case configure, reload, unload, addDelegate, removeDelegate, moveDelegate, bypass, lead
  }

  /// The change that a recorded input is; nil: it is an event.
  public static func change(in recorded: Value.Record) -> Change? {
    guard case .text(let word)? = recorded["event"] else { return nil }
    return Change(rawValue: word)
  }

  /// The recorded form.
  /// - Parameter time: header time at which it was handled; nil: the header has none yet.
  public func recorded(at time: Instant?) -> Value.Record {
    var record: Value.Record
    switch self {
    case .scroll(let offset, let correction):
      record = TimedEvent(ScrollEvent(.didScroll, offset: offset, correction: correction), time: time).value
    case .event(let event): record = TimedEvent(event, time: time).value
    case .configure(var keys):
      // A step has states under `frames`, so that key has another name there.
      let source = keys["frames"]
      keys["frames"] = nil
      if let source { keys["frameSource"] = source }
      record = Self.record(.configure, time, keys)
    case .addDelegate(let wanted, let place):
      guard case .record(var fields) = wanted.value else { return Self.record(.addDelegate, time, [:]) }
      fields["at"] = place.map { .number(Double($0)) }
      record = Self.record(.addDelegate, time, fields)
    case .removeDelegate(let name):
      record = Self.record(.removeDelegate, time, ["delegate": .text(name)])
    case .moveDelegate(let name, let place):
      record = Self.record(.moveDelegate, time, ["delegate": .text(name), "at": .number(Double(place))])
    case .reloadDelegate(let name, let plugin):
      record = Self.record(.reload, time, ["delegate": .text(name), "plugin": .text(plugin)])
    case .unloadDelegate(let name, let plugin):
      record = Self.record(.unload, time, ["delegate": .text(name), "plugin": .text(plugin)])
    case .bypassDelegate(let name, let reason):
      record = Self.record(.bypass, time, ["delegate": .text(name), "reason": .text(reason)])
    case .lead(let news): record = Self.record(.lead, time, news.fields)
    case .answer(let reply): return reply.recorded
    }
    if let time, !time.isExactInSeconds { record["nanoseconds"] = .text(String(time.nanoseconds)) }
    return record
  }

  private static func record(_ change: Change, _ time: Instant?, _ fields: Value.Record) -> Value.Record {
    var record = Value.Record()
    record["event"] = .text(change.rawValue)
    record["time"] = time.map { .number($0.seconds) }
    record.fields += fields.fields
    return record
  }

  /// The keys of a recorded `configure`. Older recordings have `frames` under its own name; a list is of the step's states.
  public static func configuration(recorded: Value.Record) -> Value.Record {
    var keys = recorded
    for name in ["event", "time", "nanoseconds", "frameSource"] { keys[name] = nil }
    if keys["frames"]?.list != nil { keys["frames"] = nil }
    if let source = recorded["frameSource"] { keys["frames"] = source }
    return keys
  }

  /// Reads the recorded form of an input that is no answer.
  /// - Parameters:
  ///   - time: takes header time, nil when none is recorded.
  ///   - unknown: takes the fields that no such event has.
  /// - Throws: `invalidParams` naming the field.
  public init(
    recorded: Value.Record, time: inout Instant?, unknown: inout [UnknownField], alsoKnown: [String] = []
  ) throws(HeaderError) {
    var fields = FieldReader(recorded, at: Path(""))
    var exact: Instant?
    if case .text(let digits)? = recorded["nanoseconds"], let nanoseconds = Int64(digits) {
      exact = Instant(nanoseconds: nanoseconds)
    }
    guard let change = Self.change(in: recorded) else {
      let timed = try TimedEvent(.record(recorded), at: Path(""), unknown: &unknown, alsoKnown: alsoKnown)
      time = exact ?? timed.time
      self = .event(timed.event)
      return
    }
    let rounded = try fields.time("time")
    time = exact ?? rounded
    switch change {
    case .configure: self = .configure(Self.configuration(recorded: recorded))
    case .addDelegate:
      let place = try fields.integer("at", in: 0...Int(Int32.max))
      self = .addDelegate(try DelegateDescription(.record(recorded), at: Path("")), at: place)
    case .removeDelegate: self = .removeDelegate(try fields.required(text: "delegate"))
    case .moveDelegate:
      let place = try fields.integer("at", in: 0...Int(Int32.max)) ?? 0
      self = .moveDelegate(try fields.required(text: "delegate"), to: place)
    case .reload:
      self = .reloadDelegate(try fields.required(text: "delegate"), plugin: try fields.text("plugin") ?? "")
    case .bypass:
      self = .bypassDelegate(
        try fields.required(text: "delegate"), reason: try fields.text("reason") ?? "the recording does not say why")
    case .lead: self = .lead(try LeaderNews(&fields))
    case .unload:
      self = .unloadDelegate(try fields.required(text: "delegate"), plugin: try fields.text("plugin") ?? "")
    }
  }
}

extension DelegateReply {
  /// The recorded form, without the delegate's name, which the waiting event has.
  var recorded: Value.Record {
    switch self {
    case .answer(let answer): ["answer": answer]
    case .passedOver(let reason): ["passedOver": .text(reason)]
    case .late(let reason): ["passedOver": .text(reason), "late": true]
    }
  }

  /// The recorded form in a step's `asked`, with the name of the delegate that was asked.
  public func recorded(of delegate: String) -> Value.Record {
    var record: Value.Record = ["delegate": .text(delegate)]
    record.fields += recorded.fields
    return record
  }

  /// Reads the recorded form; refuses anything else.
  public init(recorded: Value.Record) {
    if let answer = recorded["answer"] {
      self = .answer(answer)
      return
    }
    var reason = "the recording does not say why"
    if case .text(let text)? = recorded["passedOver"] { reason = text }
    self = recorded["late"] == true ? .late(reason) : .passedOver(reason)
  }
}

extension EventAnswer {
  /// The answer as recordings have it: the members for a kind of event, without `seq`; empty if there are none.
  public func recorded(of kind: EventName) -> Value.Record {
    var record = Value.Record()
    record["targetOffset"] = targetOffset?.value
    record["returned"] = returned.map { .bool($0) } ?? result
    if kind == .willEndDragging { record["rewrittenBy"] = rewrittenBy.map { .text($0) } ?? .null }
    record["consumed"] = consumed?.value
    record["residual"] = residual?.value
    return record
  }
}
