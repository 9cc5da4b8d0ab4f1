// SPDX-License-Identifier: MIT
//
// Messages between the daemon and a worker. Each has a length, a kind, the number of its header, and a payload. Inputs are handled in
// order. Each ends with exactly one `ended`, behind its states. When a header is opened again, the daemon knows the ends of the orders
// that it repeats: of those only the last one's `ended` is sent.
//
//     daemon ─▶ worker   open · scroll · input · save · close
//     worker ─▶ daemon   structure · clientEvent · state · quiet · ended

public import HeaderCore
public import HeaderModel
internal import HeaderWire

/// Kinds of messages to a worker.
enum Order: UInt8, CaseIterable {
  /// Opens a header: the number of orders behind it without reports, its epoch, its metadata, its description, and saved state if any.
  case open = 1
  /// `HeaderInput.scroll`.
  case scroll
  /// Any other input, in its recorded form.
  case input
  /// Asks for the saved state, with or without what belongs to clients.
  case save
  /// Sets `Header.observation`.
  case observe
  /// Asks for the last explanations that are kept, up to a number.
  case explanations
  /// A shadow begins (`Shadow`): the delegate, and the inputs that make it, in their recorded form; none of these: it ends.
  case shadow
  /// `Header.forgetCorrections`.
  case forgetCorrections
  /// Closes the header; no report follows.
  case close
}

/// An order for a header in a worker, as the header's log has it.
public enum HeaderOrder: Sendable {
  /// Apply an input, at header time.
  case input(HeaderInput, at: Instant?)
  /// Save it (`Header.save`), with or without what belongs to clients.
  case save(clients: Bool)
  case observe(Header.Observation)
  /// Report the last explanations that the header keeps, up to a number.
  case explanations(last: Int)
  /// Begin a shadow in which a delegate is another one; without a change, end it.
  case shadow(of: String, [HeaderInput])
  /// `Header.forgetCorrections`.
  case forgetCorrections
}

/// Kinds of messages of a worker.
enum WorkerMessage: UInt8, CaseIterable {
  /// The header has another description than it was opened with, or had since: the next state has all its sections.
  case structure = 1
  /// An event for a client in its chain.
  case clientEvent
  case state
  /// Changed positions that need no state: the reported offset.
  case quiet
  /// The end of an input.
  case ended
  case log
}

/// The outcome of an input, with the header's metadata from then on.
struct Completion {
  var result: Result<RemoteOutcome, HeaderError>
  var rest: MirrorMetadata
}

/// The outcome of an order.
public enum RemoteOutcome: Sendable {
  /// The header is open, with this first state.
  case opened
  /// The input was applied.
  case applied(HeaderOutcome)
  /// The saved state, or the kept explanations.
  case saved(RemoteSave)
}

// MARK: - Endings

extension FieldCoder where Self: ~Copyable {
  mutating func code(_ ending: inout Completion) throws(Malformed) {
    var kind: UInt8 =
      switch ending.result {
      case .success(.opened): 0
      case .success(.applied(.handled)): 1
      case .success(.applied(.decided)): 2
      case .success(.applied(.waiting)): 3
      case .success(.applied(.added)): 4
      case .success(.saved): 5
      case .failure: 6
      }
    try code(&kind)
    switch kind {
    case 0: ending.result = .success(.opened)
    case 1: ending.result = .success(.applied(.handled))
    case 2:
      var answer = if case .success(.applied(.decided(let answer))) = ending.result { answer } else { EventAnswer() }
      try code(&answer)
      ending.result = .success(.applied(.decided(answer)))
    case 3: ending.result = .success(.applied(.waiting))
    case 4:
      var place =
        if case .success(.applied(.added(let place))) = ending.result { UInt8(clamping: place) } else { UInt8(0) }
      try code(&place)
      ending.result = .success(.applied(.added(at: Int(place))))
    case 5:
      var save = if case .success(.saved(let save)) = ending.result { save } else { RemoteSave(bytes: []) }
      try code(&save)
      ending.result = .success(.saved(save))
    case 6:
      var error = if case .failure(let error) = ending.result { error } else { HeaderError.unknown }
      try code(&error)
      ending.result = .failure(error)
    default: try require(false, "there is no ending \(kind)")
    }
    try code(&ending.rest)
  }

  private mutating func code(_ rest: inout MirrorMetadata) throws(Malformed) {
    try code(&rest.now)
    try code(&rest.nextDue)
    try code(&rest.bypassed, ofAtLeast: 8, (delegate: 0, reason: "")) { coder, bypassed throws(Malformed) in
      var delegate = Int32(truncatingIfNeeded: bypassed.delegate)
      try coder.code(delegate: &delegate)
      bypassed.delegate = Int(delegate)
      try coder.code(&bypassed.reason)
    }
    try code(&rest.question, (delegate: 0, event: [:])) { coder, question throws(Malformed) in
      var delegate = Int32(truncatingIfNeeded: question.delegate)
      try coder.code(delegate: &delegate)
      question.delegate = Int(delegate)
      try coder.code(&question.event)
    }
    try code(&rest.failure)
    try code(&rest.shadow, .null) { coder, shadow throws(Malformed) in try coder.code(&shadow) }
    try code(&rest.places, []) { coder, places throws(Malformed) in
      try coder.code(&places, ofAtLeast: 16, LeaderPlace(points: 0, way: 0)) { coder, place throws(Malformed) in
        try coder.code(&place.points)
        try coder.code(&place.way)
        try coder.require(place.isValid, "a drawer is nowhere")
      }
      try coder.require(
        places.count == coder.shape?.drawers.count ?? places.count, "there are places of \(places.count) drawers")
    }
    try code(&rest.remarks, InputRemarks()) { coder, remarks throws(Malformed) in
      try coder.code(&remarks.refusal)
      try coder.code(&remarks.unknown, ofAtLeast: 5, UnknownField(field: "", hint: nil)) {
        coder, field throws(Malformed) in
        try coder.code(&field.field)
        try coder.code(&field.hint, "") { coder, hint throws(Malformed) in try coder.code(&hint) }
      }
    }
  }

  private mutating func code(_ answer: inout EventAnswer) throws(Malformed) {
    try code(&answer.seq)
    try code(&answer.targetOffset)
    try code(&answer.returned, false) { coder, returned throws(Malformed) in try coder.code(&returned) }
    try code(&answer.consumed)
    try code(&answer.residual)
    // Few answers have any of these.
    var isRare = answer.rewrittenBy != nil || answer.result != nil || answer.hasFailure
    try code(&isRare)
    guard isRare else { return }
    try code(&answer.rewrittenBy, "") { coder, name throws(Malformed) in try coder.code(&name) }
    try code(&answer.result, .null) { coder, result throws(Malformed) in try coder.code(&result) }
    try code(&answer.failure)
  }

  private mutating func code(_ instant: inout Instant?) throws(Malformed) {
    try code(&instant, Instant(nanoseconds: 0)) { coder, instant throws(Malformed) in try coder.code(&instant) }
  }

  private mutating func code(_ point: inout Point?) throws(Malformed) {
    try code(&point, Point()) { coder, point throws(Malformed) in try coder.code(&point) }
  }

  private mutating func code(_ error: inout HeaderError?) throws(Malformed) {
    try code(&error, .unknown) { coder, error throws(Malformed) in try coder.code(&error) }
  }
}

/// The first byte of the usual end of an order, where others have the kind of outcome: an input was handled, and only the header's times
/// have changed.
private let plainEnding: UInt8 = 7

extension ByteWriter {
  mutating func putPlainEnding(of header: Header) {
    put(plainEnding)
    put(optional: header.hasTime ? header.now.nanoseconds : nil)
    put(optional: header.nextDue?.nanoseconds)
  }
}

extension ByteReader {
  /// Whether such an ending follows: its times are next.
  mutating func isPlainEnding() throws(Malformed) -> Bool {
    var ahead = self
    guard try ahead.number(UInt8.self) == plainEnding else { return false }
    self = ahead
    return true
  }
}

extension HeaderError {
  /// An error to read into.
  fileprivate static var unknown: HeaderError { HeaderError(.internalError, "") }
}

extension ByteReader {
  mutating func logLine() throws(Malformed) -> PluginLogLine {
    guard let level = LogLevel(number: try number()) else { throw Malformed("there is no such level of the log") }
    var line = PluginLogLine(level: level, plugin: try text(), behavior: try text(), header: nil, message: "")
    if try flag() { line.header = try text() }
    line.message = try text()
    guard line.plugin.utf8.count + line.behavior.utf8.count < 1024, line.message.utf8.count <= 2048,
      line.header.map({ $0.utf8.count < 1024 }) ?? true
    else { throw Malformed("a line for the log is too long") }
    return line
  }
}
