// SPDX-License-Identifier: MIT
//
// One end of a Unix stream connection.
//
// Reading. All streams of a loop read into one 64 KiB buffer, lent to `received` during the call. A new stream does not
// read: set its owner, then call `resumeReading()`.
//
// Writing. `write` appends to the stream's output; at the end of the turn everything goes to the kernel in one call
// (StreamCore.swift). It never blocks, never calls back from inside, and never refuses for lack of room: watch
// `queuedBytes` and `drained`.
//
// The end. Either half of a connection may end first:
//
//     the peer ends its half       `ended`; we may still write
//     the peer closes the rest     `hungUp`, behind `ended`: nothing that is written will be read
//     `finish()`                   our half ends behind the last byte written; we may still read
//     `closeWhenWritten()`         our half ends so, then the connection: `closed(nil)`
//     an error                     the connection is over, what was queued is lost: `closed(error)`
//     `close()`, or letting go     over at once, without a callback
//
// The owner is never called from inside a call to the stream, and may then do anything, also release the stream. While
// reading is paused, a peer that goes away is noticed by writing only.

internal import CUV

/// The owner of a stream. It must release the stream, or close it, before it goes itself.
public protocol StreamOwner: AnyObject {
  /// The bytes of one read, 1 to 65,536 of them. They are valid during the call only.
  func received(_ bytes: RawSpan)
  /// The peer has ended its half: nothing more will be received. Writing continues as before.
  func ended()
  /// The peer has closed both halves, and will read nothing. Called at most once, behind `ended`, in a later turn.
  func hungUp()
  /// All that was written has gone to the kernel: called once after each time the queue was filled.
  func drained()
  /// The connection has ended: nil after `closeWhenWritten()`, else why. Called at most once, and not after `close()`.
  func closed(_ reason: UVError?)
}

/// A connection over a Unix socket. Letting go of it closes it.
public struct UnixStream: ~Copyable {
  private let core: StreamCore

  init(_ core: StreamCore) { self.core = core }

  /// Takes over a connected stream socket; the descriptor is ours from the call on, also if it throws.
  public init(adopting descriptor: Int32, on loop: Loop) throws(UVError) {
    core = try StreamCore.adopting(descriptor, on: loop)
  }

  /// Begins to connect to a listener. Reading and writing may be asked for at once and begin when it is done.
  ///
  /// Throws for a path that cannot be an address (`ENAMETOOLONG` beyond 107 bytes). A missing listener is reported later, by `closed`
  /// (`ENOENT`, `ECONNREFUSED`).
  public init(connectingTo path: String, on loop: Loop) throws(UVError) {
    core = try StreamCore.connecting(to: path, on: loop)
  }

  deinit { core.close() }

  /// Receives the stream's callbacks; not retained.
  public var owner: (any StreamOwner)? {
    get { core.owner }
    nonmutating set { core.owner = newValue }
  }

  // MARK: - Reading

  /// Starts or resumes reading.
  public func resumeReading() { core.resumeReading() }

  /// Stops reading; the kernel's buffer fills and the peer comes to a stop. `received` is not called from now on.
  public func pauseReading() { core.pauseReading() }

  // MARK: - Writing

  /// Appends bytes to the output, which goes out at the end of this turn.
  /// - Returns: false if this stream takes no more (finished, failed or closed); the bytes are then dropped.
  @discardableResult public func write(_ bytes: RawSpan) -> Bool { core.write(bytes) }

  /// Appends an array's bytes, as `write(_: RawSpan)` does.
  @discardableResult public func write(_ bytes: [UInt8]) -> Bool { core.write(unsafe bytes.span.bytes) }

  /// Appends bytes if the queue stays within `bound` bytes with them, or if it is empty.
  /// - Parameter owner: keeps the bytes where they are as long as it is held itself. They are not copied if the kernel takes them by the
  ///   end of this turn; that pays where the same bytes go to many streams. nil: they are copied.
  /// - Returns: whether there was room. A stream that takes no more drops them, as `write` does.
  public func offer(_ bytes: RawSpan, lentBy owner: AnyObject?, within bound: Int) -> Bool {
    core.offer(bytes, lentBy: owner, within: bound)
  }

  /// Memory of bytes that were written here and that the kernel has not taken yet: at least their number, 0 for none.
  public var queuedBytes: Int { core.queuedBytes }

  /// Memory of bytes that the kernel has and the peer has not read, with the kernel's overhead.
  public var unreadBytes: Int { core.unreadBytes }

  // MARK: - Ending

  /// Ends our half of the connection once all that was written has gone. Reading continues.
  public func finish() { core.finish(thenClose: false) }

  /// Stops reading, writes the queue, ends the connection and calls `closed(nil)`.
  ///
  /// Unread bytes of the peer are dropped; Linux then reports `ECONNRESET` to the peer in place of the end, behind all our bytes. A peer
  /// that does not read delays this for as long as it likes; the owner can end it by releasing the stream.
  public func closeWhenWritten() { core.finish(thenClose: true) }

  /// Ends the connection now; the queue is dropped and no callback comes any more. A second call does nothing.
  public func close() { core.close() }

  /// Releases the connection without ending it, so that another loop may adopt it; no callback comes any more.
  /// - Returns: a descriptor of the connection, which the caller owns, and the output that was not written, which the adopter writes
  ///   first.
  /// - Throws: `EBUSY` while libuv writes; the stream then stays as it was.
  public func detach() throws(UVError) -> (descriptor: Int32, unsent: [UInt8]) { try core.detach() }

  // MARK: - The peer

  /// The credentials of the peer, as of the time when it connected. The corresponding C function is `getsockopt` with `SO_PEERCRED` and
  /// `SO_PEERGROUPS`.
  public func peer() throws(UVError) -> Peer { try core.peer() }
}
