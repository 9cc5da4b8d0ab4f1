// SPDX-License-Identifier: MIT
//
// One socket: bytes in with the time at which they came, bytes out, and the order in which it ends. The clock is read
// here, once for each piece of input, and from then on time travels as a value.

internal import EventLoop
internal import HeaderService

/// Who keeps connections.
protocol ConnectionKeeper: AnyObject {
  /// Told once, when a connection's socket is closed for whatever reason.
  func gone(_ id: ConnectionID)
}

/// One client's socket and its number in the service.
final class Connection: ConnectionOutput, StreamOwner {
  let id: ConnectionID
  /// What guests at other threads know of it; nil where there is one thread.
  let link: HomeLink?
  private let stream: UnixStream
  private let loop: Loop
  private unowned let service: Service
  private unowned let keeper: any ConnectionKeeper
  private unowned var input: (any ConnectionInput)?
  private var isReading = true
  /// The service waits for the output to be empty.
  private var isAwaited = false

  /// Takes a socket over. Nothing is read before `start`.
  init(
    _ stream: consuming UnixStream, id: ConnectionID, link: HomeLink? = nil, loop: Loop, service: Service,
    keeper: any ConnectionKeeper
  ) {
    self.id = id
    self.link = link
    isAwaited = link != nil
    self.stream = stream
    self.loop = loop
    self.service = service
    self.keeper = keeper
    self.stream.owner = self
  }

  /// Begins to read, once the service knows the connection.
  func start() {
    input = service.input(of: id)
    updateReading(always: true)
  }

  var queuedBytes: Int { stream.queuedBytes }

  func send(_ bytes: RawSpan) { stream.write(bytes) }
  func offer(_ bytes: RawSpan, lentBy owner: AnyObject?, within bound: Int) -> Bool {
    stream.offer(bytes, lentBy: owner, within: bound)
  }

  /// Ends it once everything that was sent is written.
  func closeWhenWritten() { stream.closeWhenWritten() }

  /// Lets go of the socket, which goes on elsewhere.
  func detach() throws(UVError) -> Int32 {
    let descriptor = try stream.detach()
    input = nil
    return descriptor
  }

  /// Ends it at once; its keeper is not told.
  func close() { stream.close() }

  func received(_ bytes: RawSpan) {
    input?.received(bytes, at: loop.now)
    updateReading()
  }

  func ended() { service.endOfInput(id) }

  func closed(_ reason: UVError?) {
    input = nil
    keeper.gone(id)
  }

  func tellWhenDrained() { isAwaited = true }

  /// Mostly nobody waits for it, and it comes after each turn.
  func drained() {
    guard isAwaited || !isReading else { return }
    // Guests always want to know how much of what they sent is left.
    isAwaited = link != nil
    link?.setUnsent(queuedBytes)
    input?.drained(at: loop.now)
    updateReading()
    if let link { service.tellDrained(id, link) }
  }

  /// Sends bytes of a guest.
  func pass(_ bytes: [UInt8]) {
    stream.write(bytes)
    link?.setUnsent(queuedBytes)
    link?.addUnderWay(-bytes.count)
  }

  /// A client that does not take its answers is not read from either.
  func updateReading(always: Bool = false) {
    let wanted = input?.wantsInput ?? false
    guard always || wanted != isReading else { return }
    isReading = wanted
    if wanted { stream.resumeReading() } else { stream.pauseReading() }
  }
}
