// SPDX-License-Identifier: MIT
//
// The daemon's side: orders for headers whose engine is in a worker, and their mirrors, brought up to date with what the worker
// says. Pure: bytes out, bytes in.

public import HeaderCore
internal import HeaderWire

/// Gets what comes of orders.
public protocol RemoteHeaderOwner: AnyObject {
  /// A state of a header, which the mirror has now, too.
  func emitted(_ state: borrowing HeaderState, of header: UInt32)
  /// An order was carried out; the mirror is up to date.
  func ended(_ result: Result<RemoteOutcome, HeaderError>, of header: UInt32)
  /// The mirror knows anew where the drawers of a header are that other ones follow.
  func led(_ header: UInt32)
  /// A behavior has written to the log.
  func logged(_ line: RemoteLogLine)
  /// A new worker could not open a header again that the one before it had, and will refuse what it was ordered since: who gets this
  /// lets go of it (`forget`).
  func lost(_ header: UInt32, _ error: HeaderError)
  /// A new worker has come to its own state of a header, in another epoch; the mirror has it now.
  func restarted(_ header: UInt32)
}

extension RemoteHeaderOwner {
  /// Nobody follows.
  public func led(_ header: UInt32) {}
}

/// A line that a behavior in a worker writes to the log.
public struct RemoteLogLine: Equatable, Sendable {
  /// How much it matters.
  public var level: LogLevel
  /// The plugin.
  public var plugin: String
  /// Its behavior.
  public var behavior: String
  /// The header; nil in create and destroy.
  public var header: String?
  /// What it says, at most 2 KiB.
  public var message: String

  /// A line from its parts.
  public init(level: LogLevel, plugin: String, behavior: String, header: String?, message: String) {
    self.level = level
    self.plugin = plugin
    self.behavior = behavior
    self.header = header
    self.message = message
  }
}

/// The headers of one worker.
public final class RemoteHeaders {
  /// Gets what comes of orders.
  public weak var owner: (any RemoteHeaderOwner)?
  private let provider: MirrorProvider
  private var mirrors: [UInt32: Mirror] = [:]
  private var writer = ByteWriter()
  /// Orders whose ends have not come.
  public private(set) var openOrders = 0
  /// Orders that were given to the present worker, also those that have no end.
  public private(set) var givenOrders = 0

  private final class Mirror {
    var header: Header
    var shape: StateShape
    var spare = SpareRecords()
    /// While a new worker catches up: the header as that worker has it. Nobody sees it.
    var shadow: Header?
    /// The new worker's orders are others than the old one's were: it need not come to where that was.
    var isRestarting = false
    /// How many endings of orders are dropped: they were told before.
    var told = 0
    /// Orders between the first and the last of those, of which the worker says nothing.
    var silent = 0
    /// The worker has opened it.
    var isOpen = false
    /// Its orders whose ends have not come: without one the worker has nothing to say of it.
    var openOrders = 0
    /// A description that comes into force with the state that follows it, and what clients are to be sent then.
    var next: (description: HeaderDescription, events: [ClientEvent])?

    init(_ header: Header, _ provider: MirrorProvider) {
      (self.header, shape) = (header, StateShape(of: header.description, provider))
    }
  }

  /// Orders of headers that were let go of, whose ends have not come.
  private var ownerlessOrders = 0
  /// Events that one order may have clients be sent.
  private static let mostClientEvents = 65_536

  /// No headers.
  public init(provider: MirrorProvider) { self.provider = provider }

  /// A header's mirror.
  public subscript(header: UInt32) -> Header? { mirrors[header]?.header }

  /// Whether the worker has a header and has come to where the one before it was.
  public func hasCaughtUp(_ header: UInt32) -> Bool { mirrors[header].map { $0.isOpen && $0.told == 0 } ?? false }

  // MARK: - Orders

  /// Takes out the orders that were given.
  public func takeOutput() -> [UInt8] { writer.take() }

  /// Has a header opened: `mirror` was made with the same description and a `MirrorProvider`.
  public func open(_ header: UInt32, _ mirror: Header, from saved: Value?) {
    open(header, mirror, from: saved.map(RemoteSave.init))
  }

  func open(_ header: UInt32, _ mirror: Header, from saved: RemoteSave?) {
    mirrors[header] = Mirror(mirror, provider)
    orderOpening(header, mirror, saved)
  }

  private func orderOpening(_ header: UInt32, _ mirror: Header, _ saved: RemoteSave?, silent: Int = 0) {
    write(.open, header) { writer in
      writer.put(UInt32(silent))
      writer.put(mirror.state.epoch)
      writer.put(mirror.observation)
      writer.put(mirror.description.recorded)
      writer.put(saved != nil)
      if let saved { writer.put(saved) }
    }
  }

  /// The delegates of a header as the worker has them, which may still be on its way to where the one before it was.
  func delegates(of header: UInt32) -> [ScrollDelegate] {
    let mirror = mirrors[header]
    return (mirror?.shadow ?? mirror?.header)?.delegates ?? []
  }

  /// Goes on with another mirror of a header, which is brought up to date from the present one.
  public func use(_ mirror: Header, for header: UInt32) throws(HeaderError) {
    guard let present = mirrors[header]?.header, present !== mirror else { return }
    try mirror.mirror(present.description, provider: provider)
    mirror.mirror(present.state)
    mirror.mirror(present.rest)
    mirrors[header]?.header = mirror
  }

  /// Has a header opened again in another worker, from a save; the orders since that save follow, those that were told of
  /// already first. Meanwhile the mirror stays as it is.
  /// - Parameters:
  ///   - description: as it was at the save.
  ///   - told: the orders, with this one, whose endings are dropped.
  ///   - epoch: of a header whose orders that were told of are others now; nil: it comes to where it was.
  public func reopen(
    _ header: UInt32, _ description: HeaderDescription, from saved: RemoteSave?, told: Int, epoch: Int64? = nil
  ) throws(HeaderError) {
    guard let mirror = mirrors[header]?.header else { return }
    let shadow = try Header(
      description, epoch: epoch ?? mirror.state.epoch, provider: provider, limits: mirror.limits)
    shadow.observe { $0 = mirror.observation }
    mirrors[header]?.shadow = shadow
    mirrors[header]?.isRestarting = epoch != nil
    // Of all that was told the opening and the last order say where the header is.
    mirrors[header]?.told = min(told, 2)
    mirrors[header]?.silent = max(0, told - 2)
    mirrors[header]?.isOpen = false
    mirrors[header]?.shape = StateShape(of: shadow.description, provider)
    mirrors[header]?.next = nil
    orderOpening(header, shadow, saved, silent: max(0, told - 2))
  }

  /// Forgets orders that nobody has taken out: who should have taken them is gone.
  public func dropOutput() {
    writer.cut(to: 0)
    (openOrders, ownerlessOrders, givenOrders) = (0, 0, 0)
    for mirror in mirrors.values { (mirror.openOrders, mirror.silent) = (0, 0) }
  }

  /// Takes in a header that other ones have let go of; `reopen` has the worker open it.
  func take(_ mirror: Header, as header: UInt32) { mirrors[header] = Mirror(mirror, provider) }

  /// Has an input applied.
  public func apply(_ input: HeaderInput, at time: Instant?, to header: UInt32) {
    switch input {
    case .scroll(let offset, let correction):
      return scroll(to: offset, correction, isAnswered: false, at: time, header)
    case .event(let event) where event.isPlainScroll:
      return scroll(to: event.offset ?? PartialPoint(), event.correction, isAnswered: true, at: time, header)
    default: break
    }
    var isAnswer = false
    if case .answer = input { isAnswer = true }
    let record = input.recorded(at: time ?? Instant(nanoseconds: 0))
    write(.input, header) { writer in
      writer.put(optional: time?.nanoseconds)
      writer.put(isAnswer)
      writer.put(.record(record))
    }
  }

  private func scroll(
    to offset: PartialPoint, _ correction: PartialPoint?, isAnswered: Bool, at time: Instant?, _ header: UInt32
  ) {
    write(.scroll, header) { writer in
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

  /// Orders anything of a header.
  public func order(_ order: HeaderOrder, of header: UInt32) {
    switch order {
    case .input(let input, let time): apply(input, at: time, to: header)
    case .save(let clients): write(.save, header) { $0.put(clients) }
    case .observe(let observation): write(.observe, header) { $0.put(observation) }
    case .explanations(let last): write(.explanations, header) { $0.put(UInt32(clamping: last)) }
    case .shadow(let delegate, let change):
      write(.shadow, header) { writer in
        writer.put(delegate)
        writer.put(.list(change.map { .record($0.recorded(at: Instant(nanoseconds: 0))) }))
      }
    case .forgetCorrections: write(.forgetCorrections, header) { _ in }
    }
  }

  /// Lets go of a header.
  public func close(_ header: UInt32) {
    forget(header)
    write(.close, header) { _ in }
  }

  /// Lets go of a header that the worker does not have.
  public func forget(_ header: UInt32) {
    guard let mirror = mirrors.removeValue(forKey: header) else { return }
    endSilence(of: mirror)
    ownerlessOrders += mirror.openOrders
  }

  /// Orders of which the worker says nothing are carried out, or nobody waits for them any more.
  private func endSilence(of mirror: Mirror) {
    openOrders -= mirror.silent
    mirror.openOrders -= mirror.silent
    mirror.silent = 0
  }

  private func write(_ order: Order, _ header: UInt32, _ body: (inout ByteWriter) -> Void) {
    writer.frame { writer in
      writer.put(order.rawValue)
      writer.put(header)
      body(&writer)
    }
    givenOrders += 1
    guard order != .close else { return }
    openOrders += 1
    if let mirror = mirrors[header] { mirror.openOrders += 1 } else { ownerlessOrders += 1 }
  }

  // MARK: - What comes back

  /// How many bytes at the beginning of what a worker says belong to orders that have come to their end. What it says of one that has
  /// not is not to be told to anybody: it may die of it, and the next worker bypass a delegate before it.
  /// - Throws: what is wrong with a message.
  public static func bytesOfEndedOrders(in bytes: RawSpan) throws(Malformed) -> Int {
    var (end, place, isOpen) = (0, 0, false)
    while bytes.byteCount - place >= 4 {
      let length = Int(UInt32(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt32.self)))
      guard length > 0, length <= mostOfOrder else { throw Malformed("a message has \(length) bytes") }
      guard bytes.byteCount - place - 4 >= length else { break }
      let news = News(rawValue: unsafe bytes.unsafeLoad(fromByteOffset: place + 4, as: UInt8.self))
      place += 4 + length
      switch news {
      case .structure, .clientEvent, .state, .quiet: isOpen = true
      case .ended: isOpen = false
      case .log, nil: break
      }
      if !isOpen || news == nil { end = place }
    }
    guard place - end <= mostOfOrder else { throw Malformed("of one order it says \(place - end) bytes") }
    return end
  }

  /// Bytes that a worker may say of one order.
  private static let mostOfOrder = 1 << 24

  /// Takes all whole messages at the beginning of some bytes.
  /// - Returns: how many bytes those were.
  /// - Throws: what is wrong with a message: then nothing that the worker says is to be believed.
  public func receive(_ bytes: RawSpan) throws(Malformed) -> Int {
    try readMessages(bytes) { (reader) throws(Malformed) in try take(&reader) }
  }

  private func take(_ reader: inout ByteReader) throws(Malformed) {
    guard let news = News(rawValue: try reader.number()) else { throw Malformed("there is no such message") }
    let number: UInt32 = try reader.number()
    if news == .log {
      owner?.logged(try reader.logLine())
      return
    }
    let known = mirrors[number]
    try count(news, of: known)
    guard let mirror = known else {
      // It was closed while this was on its way.
      reader.skipRest()
      return
    }
    let target = mirror.shadow ?? mirror.header
    switch news {
    case .log: break
    case .structure: try takeStructure(of: target, number, &reader)
    case .clientEvent:
      let event = ClientEvent(delegate: Int(try reader.delegate(mirror.shape)), event: try reader.record())
      try take(event, of: mirror)
    case .state, .quiet: try takeState(of: mirror, number, isEmitted: news == .state, &reader)
    case .ended:
      guard mirror.next == nil else { throw Malformed("no state follows a description") }
      let ending = try reader.ending(mirror.shape)
      if !mirror.isOpen, mirror.shadow != nil, case .failure(let error) = ending.result {
        // The worker has none of it, and refuses what was ordered since. The owner lets go of it.
        owner?.lost(number, error)
        return
      }
      mirror.isOpen = true
      target.mirror(ending.rest)
      if ending.rest.places != nil, target === mirror.header { owner?.led(number) }
      guard mirror.told > 0 else {
        catchUp(number, always: true)
        owner?.ended(ending.result, of: number)
        return
      }
      mirror.told -= 1
      if mirror.told == 0 { endSilence(of: mirror) }
      catchUp(number, always: false)
    }
  }

  /// What is said belongs to an order.
  private func count(_ news: News, of mirror: Mirror?) throws(Malformed) {
    guard (mirror?.openOrders ?? ownerlessOrders) > 0 else { throw Malformed("it was ordered nothing") }
    guard news == .ended else { return }
    openOrders -= 1
    if let mirror { mirror.openOrders -= 1 } else { ownerlessOrders -= 1 }
  }

  private func take(_ event: ClientEvent, of mirror: Mirror) throws(Malformed) {
    guard mirror.shadow == nil else { return }
    guard mirror.header.clientEventCount + (mirror.next?.events.count ?? 0) < Self.mostClientEvents else {
      throw Malformed("an order has too many events for clients")
    }
    if mirror.next != nil { mirror.next?.events.append(event) } else { mirror.header.mirror(event) }
  }

  /// A new worker that has come to where the old one was: the mirror is brought up to date from it, and goes on with it.
  private func catchUp(_ number: UInt32, always: Bool) {
    guard let mirror = mirrors[number], let shadow = mirror.shadow, mirror.told == 0,
      always || mirror.isRestarting || shadow.state.seq >= mirror.header.state.seq
    else { return }
    mirror.shadow = nil
    try? mirror.header.mirror(shadow.description, provider: provider)
    mirror.header.mirror(shadow.state)
    mirror.header.mirror(shadow.rest)
    owner?.led(number)
    guard mirror.isRestarting else { return }
    mirror.isRestarting = false
    owner?.restarted(number)
  }

  private func takeStructure(of mirror: Header, _ number: UInt32, _ reader: inout ByteReader) throws(Malformed) {
    let value = try reader.value()
    do throws(HeaderError) {
      var unknown: [UnknownField] = []
      let description = try HeaderDescription(value, at: Path(""), unknown: &unknown, isRecorded: true)
      guard description.header == mirror.name else { throw HeaderError(.invalidParams, "it is another header") }
      mirrors[number]?.shape = StateShape(of: description, provider)
      let events = mirrors[number]?.next?.events ?? []
      mirrors[number]?.next = (description, events)
    } catch {
      throw Malformed("a description is refused: \(error.message)")
    }
  }

  /// A description comes into force with its first state, so that nobody sees one without the other.
  private func takeNext(of mirror: Mirror, _ target: Header) throws(Malformed) {
    guard let next = mirror.next else { return }
    mirror.next = nil
    do throws(HeaderError) {
      try target.mirror(next.description, provider: provider)
    } catch {
      throw Malformed("a description is refused: \(error.message)")
    }
    for event in next.events { target.mirror(event) }
  }

  private func takeState(
    of mirror: Mirror, _ number: UInt32, isEmitted: Bool, _ reader: inout ByteReader
  ) throws(Malformed) {
    let target = mirror.shadow ?? mirror.header
    let before = target.state.seq
    // Read into a copy: what is malformed changes nothing.
    var next = target.state
    try reader.read(into: &next, mirror.shape, isWhole: mirror.next != nil || !mirror.isOpen, &mirror.spare)
    // The last order that was told of comes behind those of which nothing is said.
    guard mirror.told > 0 || next.seq == before + (isEmitted ? 1 : 0) || !mirror.isOpen else {
      throw Malformed("seq \(next.seq) follows \(before)")
    }
    // It has the names of the description.
    if mirror.next != nil {
      try takeNext(of: mirror, target)
      next.names = target.state.names
    }
    target.mirror(next)
    // What a worker before this one has told already is not told again.
    guard isEmitted, mirror.shadow == nil || (!mirror.isRestarting && next.seq > mirror.header.state.seq) else {
      return
    }
    if mirror.shadow != nil {
      guard mirror.told == 0 else { throw Malformed("seq \(next.seq) was not there before") }
      catchUp(number, always: false)
    }
    owner?.emitted(mirror.header.state, of: number)
  }
}
