// SPDX-License-Identifier: MIT
//
// The parameters of requests for one header, read and checked by themselves. Names are looked up when the request is
// performed (RequestHandler.swift). The schema is made from what is read here.

internal import Fanout
internal import HeaderCore
public import HeaderInsight
public import HeaderModel
public import HeaderWire

/// A request for one header that is no event.
public enum HeaderRequest {
  case open(HeaderDescription, replaces: Bool, OpeningState)
  case stopTrace(Int)
  /// For an open header, by its name.
  case header(String, Action)

  /// What is asked of an open header. Delegates of it are named.
  public enum Action {
    case close
    /// Its state, and the parts named in `include`.
    case get(include: [String])
    /// Some keys of a description.
    case configure(Value.Record)
    /// A call, a move, a constraint, its release, or something to be revealed.
    case event(ScrollEvent)
    /// The explanations of its last inputs, and how many are kept from now on (nil: as many as before).
    case explain(keep: Int?, last: Int)
    case startTrace
    case addDelegate(NewDelegate)
    case removeDelegate(String)
    case moveDelegate(String, to: Int)
    case configureDelegate(String, Value.Record)
    case shadow(NewShadow)
    case promote(String)
  }

  /// Reads the parameters of a method.
  /// - Throws: `invalidParams` naming the field.
  public init(_ method: RequestMethod, _ fields: inout FieldReader) throws(HeaderError) {
    switch method {
    case .headerOpen:
      let replaces = try fields.choice("ifExists", [("attach", false), ("replace", true)]) ?? false
      let state = try OpeningState(&fields)
      self = .open(try HeaderDescription(&fields), replaces: replaces, state)
    case .traceStop:
      guard let id = try fields.integer("trace", in: 0...Int(Int32.max)) else {
        throw fields.unexpected("trace", needed: "a recording's number", expected: "integer")
      }
      self = .stopTrace(id)
    default:
      let header = try fields.required(text: "header")
      self = .header(header, try Action(method, &fields))
    }
  }

  /// Explanations that a header keeps at most.
  static let maxExplanations = 256
}

extension HeaderRequest.Action {
  fileprivate init(_ method: RequestMethod, _ fields: inout FieldReader) throws(HeaderError) {
    switch method {
    case .headerClose: self = .close
    case .headerGet:
      self = .get(include: try fields.words("include", of: ["description", "environment", "saved", "position"]))
    case .headerConfigure: self = .configure(try Self.keys(&fields))
    case .headerCall:
      let name = try fields.required(text: "name")
      let delegate = try fields.text("delegate")
      let arguments = try fields.record("arguments") ?? Value.Record()
      self = .event(ScrollEvent(.call(name: name, arguments: arguments, delegate: delegate, report: true)))
    case .headerMove: self = .event(ScrollEvent(.move(try HeaderMove(&fields))))
    case .headerConstrain: self = .event(ScrollEvent(.constrain(try Constraint(&fields, lease: .connection))))
    case .headerRelease:
      let name = try fields.required(text: "name")
      self = .event(ScrollEvent(.release(name: name, style: try fields.motionStyle())))
    case .headerReveal:
      let view = try fields.text("scrollView")
      self = .event(ScrollEvent(.reveal(try Reveal(&fields)), scrollView: view))
    case .headerExplain:
      let (range, most) = (0...HeaderRequest.maxExplanations, HeaderRequest.maxExplanations)
      let keep = try fields.integer("keep", in: range)
      self = .explain(keep: keep, last: try fields.integer("last", in: range) ?? most)
    case .traceStart:
      if let format = try fields.integer("format", in: 0...Int(Int32.max)), format != 1 {
        throw fields.unexpected("format", needed: "1", expected: "1")
      }
      self = .startTrace
    case .delegateAdd: self = .addDelegate(try NewDelegate(&fields))
    case .delegateRemove: self = .removeDelegate(try fields.required(text: "delegate"))
    case .delegateMove:
      let delegate = try fields.required(text: "delegate")
      guard let place = try fields.integer("at", in: 0...Int(Int32.max)) else {
        throw fields.unexpected("at", needed: "a place in the chain, from 0", expected: "integer")
      }
      self = .moveDelegate(delegate, to: place)
    case .delegateShadow: self = .shadow(try NewShadow(&fields))
    case .delegatePromote: self = .promote(try fields.required(text: "delegate"))
    case .delegateConfigure:
      let delegate = try fields.required(text: "delegate")
      guard let options = try fields.record("options") else {
        throw fields.unexpected("options", needed: "an object", expected: "record")
      }
      self = .configureDelegate(delegate, options)
    case .headerOpen, .traceStop, .event, .hello, .ping, .discover, .stats, .headerList, .subscribe, .unsubscribe,
      .pluginList, .pluginLoad, .pluginUnload, .pluginReload:
      preconditionFailure("headerd bug: \(method.rawValue) is performed elsewhere")
    }
  }

  /// The given keys of a description; their content is read with the rest of the description.
  private static func keys(_ fields: inout FieldReader) throws(HeaderError) -> Value.Record {
    var given = Value.Record()
    for name in Header.configurableKeys { given[name] = fields.value(name) }
    guard !given.fields.isEmpty else {
      let stray = fields.unknown.first
      throw HeaderError(
        .invalidParams,
        "params: nothing to configure; give drawers, scrollViews, trackingScrollView, environment, frames or frameRate",
        field: stray?.field ?? "params", hint: stray?.hint.map { "did you mean \"\($0)\"?" })
    }
    return given
  }
}

/// A behavior, or the client itself, that joins a chain.
public struct NewDelegate {
  let options: Value.Record
  let place: Int?
  let name: String?
  let preset: String?
  let kind: Kind
  /// For a behavior: the edge that it belongs to.
  let edge: Edge?

  enum Kind {
    case behavior(String)
    case client(ClientDescription, hasDeadline: Bool)
  }

  init(_ fields: inout FieldReader) throws(HeaderError) {
    options = try fields.record("options") ?? Value.Record()
    place = try fields.integer("at", in: 0...Int(Int32.max))
    let behavior = try fields.text("behavior")
    preset = try fields.text("preset")
    edge = try fields.choice("edge", Edge.self)
    name = try fields.text("name", Names.form)
    if let name, !Names.isName(name) {
      throw fields.unexpected(
        "name", needed: "a name: a letter, then letters, digits, _ and -, at most 64 bytes", expected: "name")
    }
    if let client = try ClientDescription(&fields) {
      guard behavior == nil else {
        throw HeaderError(
          .invalidParams, "params.client: a delegate is a behavior or a client, both are given",
          field: "params.client")
      }
      guard preset == nil else {
        throw HeaderError(
          .invalidParams, "params.preset: it belongs to a behavior, a client has none", field: "params.preset")
      }
      kind = .client(client, hasDeadline: fields.has("deadline"))
      return
    }
    guard let behavior else {
      throw fields.unexpected("behavior", needed: "a behavior's name, or client", expected: "text")
    }
    for field in ["events", "deadline"] where fields.has(field) {
      throw HeaderError(
        .invalidParams, "params.\(field): it belongs to a client, a behavior says itself what it hears",
        field: "params.\(field)", hint: "leave it out, or give client in place of behavior")
    }
    kind = .behavior(behavior)
  }
}

/// The header of an event, and whether there are several events. The events themselves are read one by one as they are handled.
public struct EventParameters {
  let header: String?
  let list: [Value]?

  private static let singleFields = [
    "event", "time", "scrollView", "offset", "correction", "isTracking", "isDragging", "isDecelerating",
  ]

  init(_ fields: inout FieldReader) throws(HeaderError) {
    header = try fields.text("header")
    for name in Self.singleFields where fields.has("events") && fields.has(name) {
      throw HeaderError(
        .invalidParams,
        "params.\(name): an event's fields stand beside events; put them into the list, or send one event",
        field: "params.\(name)")
    }
    list = try fields.list("events", count: 1...Int.max)
  }
}

extension DecoderProbe {
  /// The fields of each kind of event.
  /// - Parameter isRequest: the event stands among the parameters of `event`, not in a list of several.
  public static func notesOfEvents(isRequest: Bool) -> [(word: String, notes: FieldNotes)] {
    let variants = variants(of: "event", EventName.allCases.map(\.rawValue)) { fields throws(HeaderError) in
      var unknown: [UnknownField] = []
      if isRequest { _ = try EventParameters(&fields) }
      _ = try TimedEvent(fields, unknown: &unknown)
    }
    for (_, notes) in variants { notes.keep(only: notes.members.map(\.name).filter { $0 != "events" }) }
    return variants
  }

  /// What `delegate.add` takes of a client, or of a behavior.
  public static func notesOfNewDelegates(client: Bool) -> FieldNotes {
    let found = notes(ofHeaderRequest: .delegateAdd)
    let others = client ? ["behavior", "preset", "edge"] : ["client", "events", "deadline"]
    found.keep(
      only: found.members.map(\.name).filter { !others.contains($0) }, required: [client ? "client" : "behavior"])
    return found
  }

  /// The parameters of a request for one header; for `event` those of several events.
  public static func notes(ofHeaderRequest method: RequestMethod) -> FieldNotes {
    switch method {
    case .event:
      let found = notes(with: ["events": [["event": "advance"]]]) { fields throws(HeaderError) in
        _ = try EventParameters(&fields)
        _ = try fields.records("events", definition: "Event", count: 1...Int.max) { _ throws(HeaderError) in }
      }
      found.keep(only: ["header", "events"])
      return found
    case .headerConfigure:
      // The content of the keys is read with the description that they change.
      let found = notes { fields throws(HeaderError) in
        _ = try fields.required(text: "header")
        _ = try HeaderDescription(&fields)
      }
      found.keep(only: ["header"] + Header.configurableKeys)
      return found
    default: return notes { fields throws(HeaderError) in _ = try HeaderRequest(method, &fields) }
    }
  }
}
