// SPDX-License-Identifier: MIT
//
// One socket: bytes in with the time at which they came, bytes out, and the order in which it ends. The clock is read
// here, once for each piece of input, and from then on time travels as a value.

internal import EventLoop
internal import HeaderService

/// One client's socket and its number in the service.
final class Connection: ConnectionOutput {
  let id: ConnectionID
  /// What guests at other threads know of it; nil where there is one thread.
  let link: HomeLink?
  private let stream: UnixStream
  private let loop: Loop
  private unowned let service: Service
  private var isReading = true

  /// Takes a socket over. Nothing is read before `start`.
  /// - Parameter gone: told once, when the socket is closed for whatever reason.
  init(
    _ stream: consuming UnixStream, id: ConnectionID, link: HomeLink? = nil, loop: Loop, service: Service,
    gone: @escaping (ConnectionID) -> Void
  ) {
    self.id = id
    self.link = link
    self.stream = stream
    self.loop = loop
    self.service = service
    self.stream.received = { [unowned self] in self.received($0) }
    self.stream.ended = { [unowned self] in self.service.endOfInput(self.id) }
    self.stream.drained =
      link.map { link in { [unowned self] in self.drained(link) } } ?? { [unowned self] in self.drained() }
    self.stream.closed = { _ in gone(id) }
  }

  /// Begins to read.
  func start() { updateReading(always: true) }

  var queuedBytes: Int { stream.queuedBytes }

  func send(_ bytes: RawSpan) { stream.write(bytes) }

  /// Ends it once everything that was sent is written.
  func closeWhenWritten() { stream.closeWhenWritten() }

  /// Lets go of the socket, which goes on elsewhere.
  func detach() throws(UVError) -> Int32 { try stream.detach() }

  /// Ends it at once; `gone` is not told.
  func close() { stream.close() }

  private func received(_ bytes: RawSpan) {
    service.received(bytes, from: id, at: loop.now)
    updateReading()
  }

  private func drained() {
    service.drained(id, at: loop.now)
    updateReading()
  }

  /// The same where guests send to it as well: they are told, if they wait for that.
  private func drained(_ link: HomeLink) {
    link.setUnsent(queuedBytes)
    drained()
    service.tellDrained(id, link)
  }

  /// Sends bytes of a guest.
  func pass(_ bytes: [UInt8]) {
    stream.write(bytes)
    link?.setUnsent(queuedBytes)
    link?.addUnderWay(-bytes.count)
  }

  /// A client that does not take its answers is not read from either.
  func updateReading(always: Bool = false) {
    let wanted = service.wantsInput(id)
    guard always || wanted != isReading else { return }
    isReading = wanted
    if wanted { stream.resumeReading() } else { stream.pauseReading() }
  }
}
