// SPDX-License-Identifier: MIT
//
// What the daemon and a worker send each other about headers. Each message is its length, its kind, the number of its header, and
// what belongs to it. Inputs are handled in their order; for each there is exactly one `ended`, behind what came of it, but for those
// that follow when a header is opened again and whose ends the daemon knows: of them only the last one's end is told.
//
//     daemon ─▶ worker   open · scroll · input · save · close
//     worker ─▶ daemon   structure · clientEvent · state · quiet · ended

public import HeaderCore
internal import HeaderWire

/// Kinds of messages to a worker.
enum Order: UInt8, CaseIterable {
  /// A header begins here: how many of the orders behind it nothing is said of, its epoch, what is told beside its states, its
  /// description, saved state if any.
  case open = 1
  /// `HeaderInput.scroll`.
  case scroll
  /// Any other input, in its recorded form.
  case input
  /// Its saved state is asked for, with or without what belongs to clients.
  case save
  /// What `Header.observation` is from here on.
  case observe
  /// Asks for the last explanations that are kept, up to a number.
  case explanations
  /// A shadow begins (`Shadow`): the delegate, and the inputs that make it, in their recorded form; none of these: it ends.
  case shadow
  /// `Header.forgetCorrections`.
  case forgetCorrections
  /// It ends here; nothing comes back.
  case close
}

/// What a header in a worker is to do, as it stands in the header's log.
public enum HeaderOrder: Sendable {
  /// Apply an input, at header time.
  case input(HeaderInput, at: Instant?)
  /// Save it (`Header.save`), with or without what belongs to clients.
  case save(clients: Bool)
  /// Set `Header.observation`.
  case observe(Header.Observation)
  /// Tell the last explanations that it keeps, up to a number.
  case explanations(last: Int)
  /// Begin a shadow in which a delegate is another one; without a change, end it.
  case shadow(of: String, [HeaderInput])
  /// `Header.forgetCorrections`.
  case forgetCorrections
}

/// Kinds of messages of a worker.
enum News: UInt8, CaseIterable {
  /// The header has another description than it was opened with, or had since: the next state has all its sections.
  case structure = 1
  /// An event for a client in its chain.
  case clientEvent
  /// A state.
  case state
  /// Positions have changed that are worth no state: the reported offset.
  case quiet
  /// The end of an input.
  case ended
  /// A line for the log.
  case log
}

/// What an input came to, with what is known of the header from then on.
struct Ending {
  var result: Result<RemoteOutcome, HeaderError>
  var rest: MirroredRest
}

/// What an order came to.
public enum RemoteOutcome: Sendable {
  /// The header is open, with this first state.
  case opened
  /// An input was applied.
  case applied(HeaderOutcome)
  /// Its saved state, or the explanations that it keeps.
  case saved(RemoteSave)
}

// MARK: - Endings

extension ByteWriter {
  mutating func put(_ ending: Ending) {
    switch ending.result {
    case .success(.opened): put(UInt8(0))
    case .success(.applied(.handled)): put(UInt8(1))
    case .success(.applied(.decided(let answer))):
      put(UInt8(2))
      put(answer)
    case .success(.applied(.waiting)): put(UInt8(3))
    case .success(.applied(.added(let place))):
      put(UInt8(4))
      put(UInt8(truncatingIfNeeded: place))
    case .success(.saved(let save)):
      put(UInt8(5))
      put(save)
    case .failure(let error):
      put(UInt8(6))
      put(error.wholeValue)
    }
    put(ending.rest)
  }

  private mutating func put(_ rest: MirroredRest) {
    put(optional: rest.now?.nanoseconds)
    put(optional: rest.nextDue?.nanoseconds)
    put(UInt32(rest.bypassed.count))
    for (delegate, reason) in rest.bypassed {
      put(UInt32(delegate))
      put(reason)
    }
    put(rest.question != nil)
    if let question = rest.question {
      put(Int32(question.delegate))
      put(.record(question.event))
    }
    put(rest.failure != nil)
    if let failure = rest.failure { put(failure.wholeValue) }
    put(rest.shadow != nil)
    if let shadow = rest.shadow { put(shadow) }
    put(rest.places != nil)
    if let places = rest.places {
      put(UInt32(places.count))
      for place in places {
        put(place.points)
        put(place.way)
      }
    }
    put(rest.remarks != nil)
    if let remarks = rest.remarks {
      put(remarks.refusal?.wholeValue ?? .null)
      put(UInt32(remarks.unknown.count))
      for field in remarks.unknown {
        put(field.field)
        put(field.hint.map { .text($0) } ?? .null)
      }
    }
  }

  /// Most answers have nothing but a number.
  private mutating func put(_ answer: EventAnswer) {
    put(answer.seq)
    var record = Value.Record()
    record["targetOffset"] = answer.targetOffset.map { ["x": .number($0.x), "y": .number($0.y)] }
    record["returned"] = answer.returned.map { .bool($0) }
    record["consumed"] = answer.consumed.map { ["x": .number($0.x), "y": .number($0.y)] }
    record["residual"] = answer.residual.map { ["x": .number($0.x), "y": .number($0.y)] }
    record["rewrittenBy"] = answer.rewrittenBy.map { .text($0) }
    record["result"] = answer.result
    record["failure"] = answer.failure?.wholeValue
    put(!record.fields.isEmpty)
    if !record.fields.isEmpty { put(.record(record)) }
  }
}

extension ByteReader {
  mutating func logLine() throws(Malformed) -> RemoteLogLine {
    guard let level = LogLevel(number: try number()) else { throw Malformed("there is no such level of the log") }
    var line = RemoteLogLine(level: level, plugin: try text(), behavior: try text(), header: nil, message: "")
    if try flag() { line.header = try text() }
    line.message = try text()
    guard line.plugin.utf8.count + line.behavior.utf8.count < 1024, line.message.utf8.count <= 2048,
      line.header.map({ $0.utf8.count < 1024 }) ?? true
    else { throw Malformed("a line for the log is too long") }
    return line
  }

  mutating func ending(_ shape: StateShape) throws(Malformed) -> Ending {
    let result: Result<RemoteOutcome, HeaderError>
    switch try number(UInt8.self) {
    case 0: result = .success(.opened)
    case 1: result = .success(.applied(.handled))
    case 2: result = .success(.applied(.decided(try answer())))
    case 3: result = .success(.applied(.waiting))
    case 4: result = .success(.applied(.added(at: Int(try number(UInt8.self)))))
    case 5: result = .success(.saved(try save()))
    case 6: result = .failure(try error())
    case let other: throw Malformed("there is no ending \(other)")
    }
    return Ending(result: result, rest: try rest(shape))
  }

  private mutating func error() throws(Malformed) -> HeaderError {
    guard let error = HeaderError(whole: try value()) else { throw Malformed("an error is none") }
    return error
  }

  private mutating func rest(_ shape: StateShape) throws(Malformed) -> MirroredRest {
    var rest = MirroredRest()
    rest.now = try optionalInstant()
    rest.nextDue = try optionalInstant()
    for _ in 0..<(try count(ofAtLeast: 8)) { rest.bypassed.append((Int(try number(UInt32.self)), try text())) }
    if try flag() { rest.question = (Int(try delegate(shape)), try record()) }
    if try flag() { rest.failure = try error() }
    if try flag() { rest.shadow = try value() }
    if try flag() { rest.places = try places(shape) }
    if try flag() {
      var remarks = InputRemarks()
      let refusal = try value()
      if refusal != .null {
        guard let error = HeaderError(whole: refusal) else { throw Malformed("an error is none") }
        remarks.refusal = error
      }
      for _ in 0..<(try count(ofAtLeast: 8)) {
        let field = try text()
        let hint: String? = if case .text(let hint) = try value() { hint } else { nil }
        remarks.unknown.append(UnknownField(field: field, hint: hint))
      }
      rest.remarks = remarks
    }
    return rest
  }

  private mutating func places(_ shape: StateShape) throws(Malformed) -> [LeaderPlace] {
    let count = try count(ofAtLeast: 16)
    guard count == shape.drawers.count else { throw Malformed("there are places of \(count) drawers") }
    var places: [LeaderPlace] = []
    for _ in 0..<count { places.append(LeaderPlace(points: try double(), way: try double())) }
    guard places.allSatisfy(\.isValid) else { throw Malformed("a drawer is nowhere") }
    return places
  }

  private mutating func answer() throws(Malformed) -> EventAnswer {
    var answer = EventAnswer()
    answer.seq = try number()
    guard try flag() else { return answer }
    let record = try record()
    func point(_ name: String) -> Point? {
      guard case .record(let point)? = record[name], case .number(let x)? = point["x"],
        case .number(let y)? = point["y"]
      else { return nil }
      return Point(x: x, y: y)
    }
    answer.targetOffset = point("targetOffset")
    answer.consumed = point("consumed")
    answer.residual = point("residual")
    if case .bool(let returned)? = record["returned"] { answer.returned = returned }
    if case .text(let name)? = record["rewrittenBy"] { answer.rewrittenBy = name }
    if let result = record["result"] { answer.result = result }
    if let failure = record["failure"] {
      guard let error = HeaderError(whole: failure) else { throw Malformed("an error is none") }
      answer.failure = error
    }
    return answer
  }
}
