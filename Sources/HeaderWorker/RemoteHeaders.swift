// SPDX-License-Identifier: MIT
//
// The daemon's side: orders for headers whose engine is in a worker, and their mirrors, updated from the worker's messages. Pure: bytes
// out, bytes in. RemoteHeaders+Deaths.swift handles the death of a worker.

public import HeaderCore
public import HeaderModel
internal import HeaderWire

/// Gets the outcomes of orders to workers that may die.
public protocol RemoteHeaderOwner: AnyObject {
  /// A state of a header, which the mirror has now, too. Each is reported once, whatever workers do.
  func emitted(_ state: borrowing HeaderState, of header: UInt32)
  /// An order was carried out; the mirror is up to date.
  func ended(_ result: Result<RemoteOutcome, HeaderError>, of header: UInt32)
  /// The mirror has new places of drawers that other headers follow.
  func leaderMoved(_ header: UInt32)
  /// A behavior has written to the log.
  func logged(_ line: PluginLogLine)
  /// No worker can have a header any more.
  func lost(_ header: UInt32, _ error: HeaderError)
  /// A new worker has refused to open one of several headers again. The owner tries it in a worker of its own.
  func refusedAgain(_ header: UInt32, _ error: HeaderError)
  /// A new worker has reached another state of a header, in a new epoch; the mirror has it now.
  func restarted(_ header: UInt32)
  /// A delegate is bypassed from here on, since processes have died of it.
  func bypassed(_ delegate: String, of header: UInt32, reason: String)
  /// A header's states will be others than were reported.
  /// - Parameter delegate: is bypassed before an order that was acknowledged, since processes have died of repeating it; nil: none is.
  /// - Returns: the epoch in which the header continues.
  func epochToGoOn(without delegate: String?, in header: UInt32, reason: String) -> Int64
}

/// The headers of a worker, and of those that come after it.
public final class RemoteHeaders {
  /// Gets the outcomes of orders.
  public weak var owner: (any RemoteHeaderOwner)?
  let provider: MirrorProvider
  var headers: [UInt32: RemoteHeader] = [:]
  /// The one that the last message was about: the next one often is about it, too.
  private var latest: RemoteHeader?
  private var writer = ByteWriter()
  /// The order that was written last.
  private var frame: [UInt8] = []
  /// Orders that were not taken out yet.
  var output: [UInt8] = []
  /// Orders without a reported end, with those that are repeated.
  public internal(set) var openOrders = 0
  /// Orders without a reported end whose headers have left.
  var ownerlessOrders = 0
  /// Orders that were given to the present worker, also those that have no end.
  public internal(set) var givenOrders = 0

  /// Events that one order may have clients be sent.
  private static let maxClientEvents = 65_536

  /// Creates a set without headers.
  public init(provider: MirrorProvider) { self.provider = provider }

  /// A header's mirror; nil for a number that is not in use.
  public subscript(header: UInt32) -> Header? { headers[header]?.mirror }

  /// The headers that it has.
  public var count: Int { headers.count }

  /// The headers' numbers, ascending.
  public var numbers: [UInt32] { headers.keys.sorted() }

  private func header(_ number: UInt32) -> RemoteHeader? {
    if let latest, latest.number == number { return latest }
    latest = headers[number]
    return latest
  }

  // MARK: - Orders

  /// Takes out the orders for the worker.
  public func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }

  /// Opens a header in the worker: `mirror` was made with the same description and a `MirrorProvider`.
  public func open(_ number: UInt32, _ mirror: Header, from saved: Value?) {
    let header = RemoteHeader(number, mirror, from: saved.map(RemoteSave.init), provider)
    header.observation = mirror.observation
    add(header)
    sendOpening(of: header, mirror)
  }

  func add(_ header: RemoteHeader) { (headers[header.number], latest) = (header, nil) }

  /// Makes the worker open a header as its log begins, without reports of some orders behind that.
  func sendOpening(of header: RemoteHeader, _ mirror: Header) {
    write(.open, header.number) { writer in
      writer.put(UInt32(header.present.silentOrders))
      writer.put(mirror.state.epoch)
      var observation = mirror.observation
      writer.put { writer throws(Malformed) in try writer.code(&observation) }
      writer.put(header.log.description.recorded)
      writer.put(header.log.saved != nil)
      if let saved = header.log.saved { writer.put(saved) }
    }
    send(of: header)
  }

  /// Replaces a header's mirror and brings the new one up to date from the old one.
  public func use(_ mirror: Header, for number: UInt32) throws(HeaderError) {
    guard let header = headers[number], header.mirror !== mirror else { return }
    try mirror.mirror(header.mirror.description, provider: provider)
    mirror.mirror(header.mirror.state)
    mirror.mirror(header.mirror.rest)
    header.mirror = mirror
  }

  /// Applies an input in the worker.
  public func apply(_ input: HeaderInput, at time: Instant?, to number: UInt32) {
    order(.input(input, at: time), of: number)
  }

  /// Sends an order for a header. A worker that dies loses the shadow, which may have killed it.
  /// - Parameter isOwn: the owner does not wait for its end, which is not reported.
  public func order(_ order: HeaderOrder, of number: UInt32, isOwn: Bool = false) {
    guard let header = header(number) else {
      write(order, number)
      return send(of: nil)
    }
    observe(header)
    write(order, number)
    var ticket = isOwn ? ReplayLog.Ticket.none : .owner
    switch order {
    case .shadow(_, let change): header.hasShadow = !change.isEmpty
    case .save(clients: true): ticket = .save(isOwn: isOwn)
    case .input, .save, .observe, .explanations, .forgetCorrections: break
    }
    header.log.append(frame, ticket)
    send(of: header)
    if header.log.takeSave() { self.order(.save(clients: true), of: number, isOwn: true) }
  }

  /// Makes the worker report what a header's mirror needs (`Header.observe`).
  public func observe(_ number: UInt32) { if let header = header(number) { observe(header) } }

  private func observe(_ header: RemoteHeader) {
    guard header.mirror.observation != header.observation else { return }
    header.observation = header.mirror.observation
    order(.observe(header.observation), of: header.number, isOwn: true)
  }

  /// The bytes of an order that is not given.
  func bytes(of order: HeaderOrder, _ number: UInt32) -> [UInt8] {
    write(order, number)
    return frame
  }

  private func write(_ order: HeaderOrder, _ number: UInt32) {
    switch order {
    case .input(.scroll(let offset, let correction), let time):
      writeScroll(to: offset, correction, isAnswered: false, at: time, number)
    case .input(.event(let event), let time) where event.isPlainScroll:
      writeScroll(to: event.offset ?? PartialPoint(), event.correction, isAnswered: true, at: time, number)
    case .input(let input, let time):
      let isAnswer = if case .answer = input { true } else { false }
      write(.input, number) { writer in
        writer.put(optional: time?.nanoseconds)
        writer.put(isAnswer)
        writer.put(.record(input.recorded(at: time ?? Instant(nanoseconds: 0))))
      }
    case .save(let clients): write(.save, number) { $0.put(clients) }
    case .observe(var observation):
      write(.observe, number) { $0.put { writer throws(Malformed) in try writer.code(&observation) } }
    case .explanations(let last): write(.explanations, number) { $0.put(UInt32(clamping: last)) }
    case .shadow(let delegate, let change):
      write(.shadow, number) { writer in
        writer.put(delegate)
        writer.put(.list(change.map { .record($0.recorded(at: Instant(nanoseconds: 0))) }))
      }
    case .forgetCorrections: write(.forgetCorrections, number) { _ in }
    }
  }

  private func writeScroll(
    to offset: PartialPoint, _ correction: PartialPoint?, isAnswered: Bool, at time: Instant?, _ number: UInt32
  ) {
    write(.scroll, number) { writer in
      writer.put(optional: time?.nanoseconds)
      writer.put(optional: offset.x)
      writer.put(optional: offset.y)
      writer.put(correction != nil)
      if let correction {
        writer.put(optional: correction.x)
        writer.put(optional: correction.y)
      }
      writer.put(isAnswered)
    }
  }

  @inline(__always)
  private func write(_ order: Order, _ number: UInt32, _ body: (inout ByteWriter) -> Void) {
    writer.cut(to: 0)
    writer.frame { writer in
      writer.put(order.rawValue)
      writer.put(number)
      body(&writer)
    }
    writer.copy(from: 0, to: &frame)
  }

  /// Queues the order that was encoded last for the worker.
  /// - Parameter header: its header; nil: a header that has left.
  private func send(of header: RemoteHeader?) {
    output += frame
    count(orders: 1, of: header)
  }

  func count(orders: Int, of header: RemoteHeader?) {
    givenOrders += orders
    openOrders += orders
    if let header { header.present.openOrders += orders } else { ownerlessOrders += orders }
  }

  /// Lets go of a header.
  public func close(_ number: UInt32) {
    forget(number)
    write(.close, number) { _ in }
    // The order has no end.
    output += frame
    givenOrders += 1
  }

  /// Lets go of a header that the worker does not have.
  public func forget(_ number: UInt32) {
    latest = nil
    guard let header = headers.removeValue(forKey: number) else { return }
    endSilence(of: header)
    ownerlessOrders += header.present.openOrders
  }

  /// Stops counting the orders that the worker does not report: they are done, or the header has left.
  private func endSilence(of header: RemoteHeader) {
    openOrders -= header.present.silentOrders
    header.present.openOrders -= header.present.silentOrders
    header.present.silentOrders = 0
  }

  // MARK: - Messages of the worker

  /// Takes all whole messages at the beginning of some bytes, of orders that have ended.
  /// - Returns: how many bytes those were.
  /// - Throws: what is wrong with a message: then the worker is not trusted any more.
  public func receive(_ bytes: RawSpan) throws(Malformed) -> Int {
    try readMessages(bytes) { (reader) throws(Malformed) in try take(&reader) }
  }

  private func take(_ reader: inout ByteReader) throws(Malformed) {
    guard let news = WorkerMessage(rawValue: try reader.number()) else { throw Malformed("there is no such message") }
    let number: UInt32 = try reader.number()
    if news == .log {
      owner?.logged(try reader.logLine())
      return
    }
    let known = header(number)
    try count(news, of: known)
    guard let header = known else {
      // The header was closed while the message was on its way.
      reader.skipRest()
      return
    }
    reader.shape = header.shape
    switch news {
    case .log: break
    case .structure: try takeStructure(of: header, &reader)
    case .clientEvent:
      var delegate = Int32(0)
      try reader.code(delegate: &delegate)
      try take(ClientEvent(delegate: Int(delegate), event: try reader.record()), of: header)
    case .state, .quiet: try takeState(of: header, isEmitted: news == .state, &reader)
    case .ended: try takeEnd(of: header, &reader)
    }
  }

  /// Each message belongs to an order under way.
  private func count(_ news: WorkerMessage, of header: RemoteHeader?) throws(Malformed) {
    guard (header?.present.openOrders ?? ownerlessOrders) > 0 else { throw Malformed("it was ordered nothing") }
    guard news == .ended else { return }
    openOrders -= 1
    if let header { header.present.openOrders -= 1 } else { ownerlessOrders -= 1 }
  }

  private func takeEnd(of header: RemoteHeader, _ reader: inout ByteReader) throws(Malformed) {
    guard header.present.next == nil else { throw Malformed("no state follows a description") }
    if header.present.hasAnswered, try reader.isPlainEnding() {
      header.target.mirror(now: try reader.optionalInstant(), nextDue: try reader.optionalInstant())
      return try noteEnd(.success(.applied(.handled)), of: header)
    }
    var ending = Completion(result: .success(.opened), rest: MirrorMetadata())
    try reader.code(&ending)
    if !header.present.hasAnswered, header.present.catchUpMirror != nil, case .failure(let error) = ending.result {
      // The worker does not have the header, and refuses the orders since.
      return refused(header, error)
    }
    header.present.hasAnswered = true
    switch ending.result {
    case .success(.opened): header.present.hasHeader = true
    case .failure(let error) where error.name == .headerNotFound && header.present.hasHeader:
      // A plugin has written into the worker's memory.
      throw Malformed("it does not have header \"\(header.mirror.name)\", which it opened")
    default: break
    }
    header.target.mirror(ending.rest)
    if ending.rest.places != nil, header.present.catchUpMirror == nil { owner?.leaderMoved(header.number) }
    try noteEnd(ending.result, of: header)
  }

  private func noteEnd(_ result: Result<RemoteOutcome, HeaderError>, of header: RemoteHeader) throws(Malformed) {
    guard header.present.suppressedEnds > 0 else {
      catchUp(header)
      return ended(result, header)
    }
    header.present.suppressedEnds -= 1
    guard header.present.suppressedEnds == 0 else { return }
    endSilence(of: header)
    guard header.present.isRestarting || header.target.state.seq == header.mirror.state.seq else {
      throw differs(header)
    }
    catchUp(header)
  }

  /// The orders that were reported come to other states now: a plugin has written into the memory of the worker before this one, or does
  /// not do the same twice. The next worker does not need to come to what was reported.
  private func differs(_ header: RemoteHeader) -> Malformed {
    let reason = "the orders of header \"\(header.mirror.name)\" come to other states than in the process before it"
    if header.nextEpoch == nil {
      header.nextEpoch = owner?.epochToGoOn(without: nil, in: header.number, reason: reason)
    }
    return Malformed(reason)
  }

  /// An order has come to its end, for the first time.
  private func ended(_ result: Result<RemoteOutcome, HeaderError>, _ header: RemoteHeader) {
    guard header.wasOpened else {
      header.wasOpened = true
      owner?.ended(result, of: header.number)
      return
    }
    guard let ticket = header.log.acknowledge() else { return }
    (header.deathsOfOrder, header.deathsOfReopening) = (0, 0)
    switch ticket {
    case .owner: owner?.ended(result, of: header.number)
    case .none: break
    case .bypass(let delegate, let reason): owner?.bypassed(delegate, of: header.number, reason: reason)
    case .save(let isOwn):
      if !isOwn { owner?.ended(result, of: header.number) }
      // A save does not have the event of a header that waits for a client.
      guard case .success(.saved(let save)) = result, !header.mirror.isWaiting else { return }
      header.log.begin(from: save, header.mirror.description)
    }
  }

  private func take(_ event: ClientEvent, of header: RemoteHeader) throws(Malformed) {
    guard header.present.catchUpMirror == nil else { return }
    guard header.mirror.clientEventCount + (header.present.next?.events.count ?? 0) < Self.maxClientEvents else {
      throw Malformed("an order has too many events for clients")
    }
    if header.present.next != nil { header.present.next?.events.append(event) } else { header.mirror.mirror(event) }
  }

  /// Brings the mirror up to date from a new worker that has reached the old one's state, and uses that worker's messages from here on.
  private func catchUp(_ header: RemoteHeader) {
    guard let other = header.present.catchUpMirror else { return }
    header.present.catchUpMirror = nil
    try? header.mirror.mirror(other.description, provider: provider)
    header.mirror.mirror(other.state)
    header.mirror.mirror(other.rest)
    owner?.leaderMoved(header.number)
    guard header.present.isRestarting else { return }
    (header.present.isRestarting, header.nextEpoch) = (false, nil)
    owner?.restarted(header.number)
  }

  private func takeStructure(of header: RemoteHeader, _ reader: inout ByteReader) throws(Malformed) {
    let value = try reader.value()
    do throws(HeaderError) {
      var unknown: [UnknownField] = []
      let description = try HeaderDescription(value, at: Path(""), unknown: &unknown, isRecorded: true)
      guard description.header == header.mirror.name else { throw HeaderError(.invalidParams, "it is another header") }
      header.shape = StateShape(of: description, provider)
      header.present.next = (description, header.present.next?.events ?? [])
    } catch {
      throw Malformed("a description is refused: \(error.message)")
    }
  }

  /// Puts a description in force together with its first state, so that a reader never sees one without the other.
  private func takeNext(of header: RemoteHeader, _ target: Header) throws(Malformed) {
    guard let next = header.present.next.take() else { return }
    do throws(HeaderError) {
      try target.mirror(next.description, provider: provider)
    } catch {
      throw Malformed("a description is refused: \(error.message)")
    }
    for event in next.events { target.mirror(event) }
  }

  private func takeState(of header: RemoteHeader, isEmitted: Bool, _ reader: inout ByteReader) throws(Malformed) {
    let target = header.target
    let before = target.state.seq
    let isWhole = header.present.next != nil || !header.present.hasAnswered
    // Read into a copy, so that a malformed message changes nothing.
    var next = target.state
    try reader.read(into: &next, header.shape, isWhole: isWhole, &header.spare)
    // The last order that was reported comes behind those of which nothing is said.
    guard header.present.suppressedEnds > 0 || next.seq == before + (isEmitted ? 1 : 0) || !header.present.hasAnswered
    else {
      throw Malformed("seq \(next.seq) follows \(before)")
    }
    // The state has the names of the description.
    if header.present.next != nil {
      try takeNext(of: header, target)
      next.names = target.state.names
    }
    target.mirror(swapping: &next)
    // States that an earlier worker has sent are not reported again.
    guard isEmitted, header.present.suppressedEnds == 0 else { return }
    catchUp(header)
    header.mirror.lendState { owner?.emitted($0, of: header.number) }
  }
}

/// Looks through a worker's output for the ends of orders. The output of an unfinished order is not reported: the worker may die of that
/// order, and the next worker bypass a delegate before it. It may come in small pieces, so nothing is looked at twice.
public struct EndedOrders {
  /// How far the bytes were looked through that are left.
  private var place = 0
  /// The last message there belongs to an order that has not ended.
  private var isOpen = false

  /// Bytes that a worker may say of one order.
  private static let maxOrderBytes = 1 << 24

  /// Nothing has come yet.
  public init() {}

  /// Looks through the output as far as it has come.
  /// - Parameter bytes: those that were left by the call before, and further ones.
  /// - Returns: how many bytes at the beginning belong to orders that have ended. The caller takes them; the others are left.
  /// - Throws: what is wrong with a message.
  public mutating func count(in bytes: RawSpan) throws(Malformed) -> Int {
    var end = 0
    while bytes.byteCount - place >= 4 {
      let length = Int(UInt32(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt32.self)))
      guard length > 0, length <= Self.maxOrderBytes else { throw Malformed("a message has \(length) bytes") }
      guard bytes.byteCount - place - 4 >= length else { break }
      let news = WorkerMessage(rawValue: unsafe bytes.unsafeLoad(fromByteOffset: place + 4, as: UInt8.self))
      place += 4 + length
      switch news {
      case .structure, .clientEvent, .state, .quiet: isOpen = true
      case .ended: isOpen = false
      case .log, nil: break
      }
      if !isOpen || news == nil { end = place }
    }
    place -= end
    guard place <= Self.maxOrderBytes else { throw Malformed("of one order it says \(place) bytes") }
    return end
  }
}
