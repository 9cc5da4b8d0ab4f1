// SPDX-License-Identifier: MIT
//
// One socket: bytes in with the time at which they came, bytes out, and the order in which it ends. The clock is read
// here, once for each piece of input, and from then on time travels as a value.

internal import Clocks
internal import EventLoop
internal import Fanout
internal import Gateway
internal import HeaderHost
internal import HeaderService

/// A connection's socket on its way to another thread.
struct DetachedSocket: Sendable {
  let descriptor: Int32
  /// Output that was not written, which comes before any other.
  let unsent: [UInt8]
}

/// One client's socket and its number in the service.
final class Connection: Outbox, StreamOwner {
  let id: ConnectionID
  private let stream: UnixStream
  private let loop: Loop
  private unowned let service: Service
  private unowned let thread: LoopThread
  private unowned var input: (any ConnectionInput)?
  private var isReading = true
  /// The service waits for the output to be empty.
  private var isAwaited = false
  /// Other threads send to it as well, and may wait for the output to be empty.
  private let isShared: Bool
  private var sent = SentMarks()

  /// Takes a socket over. Nothing is read before `start`.
  init(_ stream: consuming UnixStream, id: ConnectionID, of thread: LoopThread) {
    self.id = id
    self.stream = stream
    loop = thread.loop
    service = thread.service
    self.thread = thread
    isShared = thread.service.shard.count > 1
    self.stream.owner = self
  }

  /// Begins to read, once the service knows the connection.
  func start() {
    input = service.input(of: id)
    updateReading(always: true)
  }

  var queuedBytes: Int { stream.queuedBytes }

  func send(_ bytes: RawSpan) {
    stream.write(bytes)
    if sent.add(bytes.byteCount) { sent.mark(at: loop.now) }
  }

  func offer(_ bytes: RawSpan, lentBy owner: AnyObject?, within bound: Int) -> Bool {
    guard stream.offer(bytes, lentBy: owner, within: bound) else { return false }
    if sent.add(bytes.byteCount) { sent.mark(at: loop.now) }
    return true
  }

  func backlog(at now: MonotonicTime) -> Backlog {
    let queued = stream.queuedBytes
    return Backlog(queuedBytes: queued, age: sent.age(ofUnread: queued + stream.unreadBytes, at: now))
  }

  /// Ends it once everything that was sent is written.
  func closeWhenWritten() { stream.closeWhenWritten() }

  /// Releases the socket, so that another thread can adopt it.
  func detach() throws(UVError) -> DetachedSocket {
    let (descriptor, unsent) = try stream.detach()
    input = nil
    return DetachedSocket(descriptor: descriptor, unsent: unsent)
  }

  /// Ends it at once; its thread is not told.
  func close() { stream.close() }

  func received(_ bytes: RawSpan) {
    input?.received(bytes, at: loop.now)
    updateReading()
  }

  func ended() { service.endOfInput(id) }
  func hungUp() { service.hungUp(id) }

  func closed(_ reason: UVError?) {
    input = nil
    thread.gone(id)
  }

  func notifyWhenDrained() { isAwaited = true }

  /// Called at the end of each turn in which output went out; usually no session waits for it.
  func drained() {
    if isShared { service.gateway.notifyShards(ofDrained: id) }
    guard isAwaited || !isReading else { return }
    isAwaited = false
    input?.drained(at: loop.now)
    updateReading()
  }

  /// A client that does not take its answers is not read from either.
  func updateReading(always: Bool = false) {
    let wanted = input?.wantsInput ?? false
    guard always || wanted != isReading else { return }
    isReading = wanted
    if wanted { stream.resumeReading() } else { stream.pauseReading() }
  }
}
