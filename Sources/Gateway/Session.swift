// SPDX-License-Identifier: MIT
//
// One connection's bytes: cut into messages, each a command that goes its way (Session+Commands.swift). Knows no header.
//
//     greeting ──first byte `{` or white space──▶ JSON Lines ──▶ ended
//         ├── 89 48 44 01 ──▶ frames ──▶ ended
//         ╰── any other first byte, a message over the limit, overflow, drain, the peer's end ──▶ ended
//
// The first byte decides the encoding, for both directions. Input waits while too many answers do: a client that asks and never reads
// stops only itself.

public import Clocks
internal import Fanout
internal import HeaderHost
internal import HeaderModel
internal import HeaderWire
internal import Shards

/// The input of one connection, looked up once. It is valid until the connection has ended, or the service is released.
public protocol ConnectionInput: AnyObject {
  /// Handles bytes that the connection has read.
  func received(_ bytes: RawSpan, at time: MonotonicTime)
  /// All bytes of the connection went to the kernel: what waits goes out.
  func drained(at time: MonotonicTime)
  /// Whether to read on: false while a connection that does not take its answers has too many of them waiting.
  var wantsInput: Bool { get }
}

/// A session's client. It cannot be copied, so that no reference to it is counted for an event.
private struct KnownClient: ~Copyable {
  let client: Client

  @inline(__always)
  func tryHandle(_ scroll: ScrollMessage, _ host: HeaderHost) -> Bool { host.tryHandle(scroll, from: client) }
}

/// One client's side of a connection.
final class Session: DeadlineNode {
  /// The way out to the client.
  let writer: ClientWriter
  /// The gateway owns its sessions, and releases them (`removeAll`) before it goes.
  let gateway: Gateway
  /// The connection as this shard's host knows it; made with its first command for a header here, and kept.
  private var known: KnownClient?
  /// The connection's dealings with other shards; nil if there are none.
  let shards: SessionShards?
  /// Commands that are not done.
  var open = OpenCommands()
  var subscriptions = SessionSubscriptions()
  /// Nothing behind the present command is looked at until that is out of the way.
  var isHeld = false
  /// Queued in the gateway to resume.
  var isNoted = false
  private(set) var hasSpoken: Bool
  private(set) var inputIsOver = false
  private var endIsNoted = false
  /// All commands of the client are done, and it stays for its subscriptions.
  var onlyListens = false
  /// The peer reads no more.
  private(set) var isHungUp = false
  private var decoder: CommandDecoder
  /// Input that waits until the answers before it are taken.
  private var waitingInput: [UInt8] = []
  /// Bytes of unfinished input and open commands, as far as they are charged to the user's account.
  private var chargedInput = 0

  /// - Parameter encoding: how messages are written, of a connection that another thread has read from before.
  init(
    _ connection: SharedConnection, _ outbox: any Outbox, encoding: Encoding? = nil, in gateway: Gateway
  ) {
    self.gateway = gateway
    hasSpoken = encoding != nil
    let gate = gateway.router.hasOthers ? GatedOutbox(outbox, connection) : nil
    shards = gate.map { SessionShards($0) }
    writer = ClientWriter(connection, gate ?? outbox, encoding: encoding ?? .lines, context: gateway.context)
    decoder = CommandDecoder(limit: gateway.context.limits.lineBytes, encoding: encoding)
    super.init(order: connection.id.number)
    writer.owner = self
  }

  var id: ConnectionID { writer.id }
  var isEnded: Bool { writer.isEnded }
  var context: ShardContext { gateway.context }
  /// The client's identity and rights.
  var peer: Peer { writer.connection.peer }
  var account: UserAccount { writer.connection.account }

  /// The connection as this shard's host knows it; nil before its first command for a header here.
  var client: Client? { known?.client }

  /// The same, made if need be.
  func localClient() -> Client {
    if let client { return client }
    let client = gateway.host.connect(writer, origin: self)
    known = KnownClient(client: client)
    return client
  }

  // MARK: - Input

  var wantsInput: Bool { !isEnded && waitingInput.isEmpty && mayRead }

  /// Room for another answer, and nothing in the way.
  private var mayRead: Bool { !isHeld && writer.hasRoom && open.bytes <= context.limits.queueBytes }

  /// Bytes came. The gateway's host and context come as parameters, so that no reference to them is counted.
  func received(_ bytes: UnsafeRawBufferPointer, _ host: HeaderHost, _ context: ShardContext) {
    guard !isEnded, bytes.count > 0 else { return }
    hasSpoken = true
    writer.lastTraffic = context.now
    context.counters.bytesReceived += bytes.count
    if waitingInput.isEmpty, mayRead {
      unsafe consume(bytes, host)
    } else {
      unsafe waitingInput += bytes
      chargeLargeInput()
    }
    if chargedInput > 0 { chargeInput() }
  }

  // MARK: - Memory

  /// Bytes that lie here because a message is not whole, or its turn has not come.
  private var inputBytes: Int { decoder.unfinishedCount + waitingInput.count + open.bytes }

  /// Smaller input is part of the fixed cost of a connection.
  private var isLargeInput: Bool { inputBytes > 4_096 }

  /// Called where input is left over, which hardly a read does.
  private func chargeLargeInput() { if isLargeInput { chargeInput() } }

  /// Counts the input that lies here on the user's account, and ends the connection if that has no memory left for it.
  private func chargeInput() {
    guard !isEnded else { return }
    let bytes = isLargeInput ? inputBytes : 0
    account[.memoryBytes].add(bytes - chargedInput)
    let grows = bytes > chargedInput
    chargedInput = bytes
    if grows { writer.requireMemory(for: "a message of this size", about: .unreadable) }
  }

  /// Ends all charges of the connection.
  func releaseCharges() {
    account[.memoryBytes].add(-chargedInput - subscriptions.bytes)
    account[.subscriptions].add(-subscriptions.count)
    chargedInput = 0
    subscriptions = SessionSubscriptions()
  }

  // MARK: - Input held back

  private func consume(_ bytes: UnsafeRawBufferPointer, _ host: HeaderHost) {
    var cursor = 0
    do throws(StreamError) {
      while !isEnded, cursor < bytes.count || decoder.holdsSpentBytes {
        switch unsafe try decoder.next(in: bytes, from: &cursor) {
        case nil: return chargeLargeInput()
        case .scroll:
          // A scroll has no answer, so it takes no slot.
          if known?.tryHandle(decoder.scroll, host) ?? false { continue }
          handle(decoder.scroll.command)
        case .command: decoder.takeCommand().map(handle)
        case .opening:
          writer.encoding = .frames
          writer.writeFrame { $0.opening() }
        }
        guard isEnded || mayRead else {
          unsafe waitingInput = Array(bytes[cursor...])
          return chargeLargeInput()
        }
      }
    } catch {
      refuse(error)
    }
  }

  /// Takes up the input that was held back, if there is room now.
  func resumeInput() {
    guard !isEnded else { return }
    if !waitingInput.isEmpty, mayRead {
      let input = waitingInput
      waitingInput = []
      unsafe input.withUnsafeBytes { unsafe consume($0, gateway.host) }
    }
    if chargedInput > 0 { chargeInput() }
    if inputIsOver, waitingInput.isEmpty { endInput() }
  }

  /// Hands over the input that was held back.
  func takeWaitingInput() -> [UInt8] {
    defer { waitingInput = [] }
    return waitingInput
  }

  /// Takes input that came with the connection from another thread, behind input that is held back.
  func takeUp(_ input: [UInt8]) {
    waitingInput += input
    resumeInput()
  }

  /// Handles the end of input. An unfinished message is dropped.
  func endOfInput() {
    guard !isEnded else { return }
    inputIsOver = true
    if waitingInput.isEmpty { endInput() }
  }

  /// Ends the connection when all its commands are done, unless it has subscriptions or delegates.
  private func endInput() {
    guard !endIsNoted, !isHeld else { return }
    endIsNoted = true
    noteUnfinished()
    endInputInShards { _ in }
    open.wait(.endOfInput, 0)
    gateway.note(self)
  }

  /// Ends the connection when all its commands are done, because the peer reads no more.
  func hungUp() {
    isHungUp = true
    if onlyListens { writer.end(reason: nil) }
  }

  /// Ends the session because the connection broke.
  func vanish() {
    guard !isEnded else { return }
    if !endIsNoted { noteUnfinished() }
    writer.disconnect()
    gateway.noteEnded(self)
  }

  /// A message that has begun and will not end.
  private func noteUnfinished() {
    let count = decoder.unfinishedCount
    guard count > 0 else { return }
    writer.logWarning(decoder.encoding == .lines ? "unfinishedLine" : "unfinishedFrame", [("bytes", String(count))])
  }

  // MARK: - Streams that make no sense

  /// The connection gets the reason, if it can be sent, and ends.
  private func refuse(_ error: StreamError) {
    switch error {
    case .lineTooLong(let limit):
      writer.logWarning("lineTooLong", [("limit", String(limit))])
      refuseSize(error, limit)
    case .frameTooLong(let size, let limit):
      writer.logWarning("frameTooLong", [("size", String(size)), ("limit", String(limit))])
      refuseSize(error, limit)
    case .frameTooShort(let size):
      writer.logWarning("frameTooShort", [("size", String(size))])
      refuseUnreadable("\(error); the connection ends here", "byte", 0)
    case .unknownOpening(let first):
      writer.logWarning("unknownOpening", [("firstByte", String(first))])
      refuseUnreadable("\(error)", "column", 1)
    case .unknownBinary(let place, let byte):
      // The frames that the other end would understand are unknown.
      writer.logWarning("binaryNotSpoken", [("place", String(place)), ("byte", String(byte))])
      writer.end(reason: nil)
    }
  }

  private func refuseSize(_ error: StreamError, _ limit: Int) {
    refuse(.limit("lineBytes", limit, "\(error); the connection ends here"))
  }

  private func refuseUnreadable(_ message: String, _ fact: String, _ place: Int) {
    let facts: Value.Record = [fact: .number(Double(place))]
    refuse(HeaderError(.parseError, message, facts: facts))
  }

  private func refuse(_ error: HeaderError) {
    context.counters.errors += 1
    writer.end(because: error, about: .unreadable)
  }

  // MARK: - Output

  /// Continues when the output is empty: deliveries that waited go out, then later requests are answered.
  func outputIsEmpty() {
    guard !isEnded else { return }
    writer.queueIsEmpty()
    client?.subscriber?.flush()
    gateway.note(self)
  }

  // MARK: - Time

  /// When this connection is looked at again: its greeting is overdue, or it has been silent for long. Times that are set
  /// to less than a millisecond are one: with none at all it would be looked at again and again at the same moment.
  var dueWake: MonotonicTime {
    let wanted = Instant.nanoseconds(hasSpoken ? context.limits.idlePing : context.limits.handshakeTimeout)
    return writer.lastTraffic + max(1_000_000, wanted)
  }

  func wakeIsDue() {
    guard !isEnded, dueWake <= context.now else { return }
    if hasSpoken {
      // A client that has not read earlier bytes learns nothing from a ping; pings must not pile up for it.
      if writer.queuedBytes == 0 { writer.sendPing() } else { writer.lastTraffic = context.now }
    } else {
      writer.logWarning("handshakeTimeout", [])
      writer.end(reason: nil)
    }
  }
}

extension Session: ConnectionInput {
  func received(_ bytes: RawSpan, at time: MonotonicTime) { gateway.received(bytes, by: self, at: time) }
  func drained(at time: MonotonicTime) { gateway.drained(self, at: time) }
}

extension Session: CommandOrigin {
  func commandIsDone(slot: Int) {
    let couldRead = mayRead && waitingInput.isEmpty
    open.close(slot)
    if chargedInput > 0 { chargeInput() }
    // Otherwise nothing is in the way of anything.
    if !couldRead || open.hasWaiting || inputIsOver { gateway.note(self) }
  }
}

extension Session: ClientWriterOwner {
  func writerWillEnd() { shards?.gate.release() }

  func writerEnded() {
    waitingInput = []
    gateway.output.close(id)
    gateway.noteEnded(self)
  }
}

/// A connection's dealings with shards other than its home.
final class SessionShards {
  let gate: GatedOutbox
  /// Shards that know the connection.
  var contacted = ShardSet()
  /// Shards where the client has asked to open headers, its home among them.
  var opened = ShardSet()
  /// The connection's home has been chosen.
  var isPlaced = false

  init(_ gate: GatedOutbox) { self.gate = gate }
}

/// The subscriptions of a connection, by the shards that have a part in them.
struct SessionSubscriptions {
  private var entries: [Int: (shards: ShardSet, bytes: Int, globs: Int)] = [:]
  private var last = 0
  /// Globs in all of them.
  private(set) var globs = 0
  /// Bytes of them that are charged to the user's account.
  private(set) var bytes = 0

  var count: Int { entries.count }

  mutating func add(_ shards: ShardSet, bytes: Int, globs: Int) -> Int {
    last += 1
    entries[last] = (shards, bytes, globs)
    self.bytes += bytes
    self.globs += globs
    return last
  }

  mutating func remove(_ id: Int) -> (shards: ShardSet, bytes: Int)? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    bytes -= entry.bytes
    globs -= entry.globs
    return (entry.shards, entry.bytes)
  }
}
