// SPDX-License-Identifier: MIT
//
// The output of a stream, and the end of its life.
//
//     write ──▶ pending ──uv_try_write──▶ kernel           usually: one call a turn, no request
//                  │
//                  └─(kernel full)──▶ inFlight ──uv_write──▶ kernel       else: one request at a time
//
// When the kernel accepts less than everything, the buffers change places: libuv holds `inFlight` until its callback, while `pending` is
// appended to. `pending` is written early when it reaches `eagerSize`, so that a burst of reads in one turn (libuv grants 32) is answered
// from the cache. An error found then is reported at the end of the turn, since no owner is called back from inside its own call.

internal import CUV
internal import Glibc

@safe final class StreamCore {
  private let box = unsafe HandleBox(uv_pipe_t())
  private let loop: Loop

  unowned var owner: (any StreamOwner)?

  private var pending: OutputBuffer
  /// Output that never was in `pending`, because there is nothing before it.
  private var lent = LentOutput()
  /// Made once the kernel takes less than everything; most streams never have one.
  private var backlog: Backlog?
  private var failure: Failure?
  /// The next stream in the loop's list of streams that are due.
  var nextDue: StreamCore?
  private var life = Life.open
  private var isConnecting = false
  private var wantsToRead = false
  private var hasEnded = false
  /// Its descriptor, while the loop watches whether the peer closes the rest of the connection; else −1.
  private var watched: Int32 = -1
  private var isDue = false
  /// Whether bytes were written since `drained` was called last.
  private var owesDrained = false

  /// Output is written before the end of the turn when there is this much of it, in bytes: a little less than a power of
  /// two, so that its memory need not grow to the next one for the last message.
  private static let eagerSize = 60 << 10

  /// What libuv holds, and the request that it holds it by.
  @safe private final class Backlog {
    let request = unsafe HandleBox(uv_write_t())
    var inFlight: OutputBuffer

    init(_ pool: OutputPool) { inFlight = OutputBuffer(pool) }
  }

  /// An error apart, since most streams have none and it is large.
  private final class Failure {
    let error: UVError

    init(_ error: UVError) { self.error = error }
  }

  /// How far the end of our half has come.
  private enum Life: Equatable {
    /// Takes bytes to write.
    case open
    /// Takes no more; ends our half once all is written.
    case finishing(thenClose: Bool)
    /// `uv_shutdown` is on its way.
    case shuttingDown(thenClose: Bool)
    /// Our half has ended; reading may continue.
    case finished
    /// Over: the handle is being closed.
    case closed
  }

  var stream: UnsafeMutablePointer<uv_stream_t> {
    unsafe UnsafeMutableRawPointer(box.raw).assumingMemoryBound(to: uv_stream_t.self)
  }

  // MARK: - Opening

  private init(_ loop: Loop) throws(UVError) {
    self.loop = loop
    pending = OutputBuffer(loop.spareOutput)
    try check(unsafe uv_pipe_init(loop.raw, box.raw, 0), "uv_pipe_init")
    unsafe box.open(for: self)
  }

  static func adopting(_ descriptor: Int32, on loop: Loop) throws(UVError) -> StreamCore {
    do {
      let core = try StreamCore(loop)
      let answer = unsafe uv_pipe_open(core.box.raw, descriptor)
      if answer < 0 { core.close() }
      try check(answer, "uv_pipe_open", "descriptor \(descriptor)")
      return core
    } catch {
      _ = Glibc.close(descriptor)
      throw error
    }
  }

  static func connecting(to path: String, on loop: Loop) throws(UVError) -> StreamCore {
    try UnixAddress.check(path, for: "connect")
    let core = try StreamCore(loop)
    core.isConnecting = true
    let request = UnsafeMutablePointer<uv_connect_t>.allocate(capacity: 1)
    unsafe request.initialize(to: uv_connect_t())
    unsafe uv_pipe_connect(request, core.box.raw, path) { request, status in
      unsafe withOwner(of: request?.pointee.handle, as: StreamCore.self) { $0.connected(status) }
      unsafe request?.deallocate()
    }
    return core
  }

  private func connected(_ status: Int32) {
    isConnecting = false
    if life == .closed { return }
    if status < 0 { return end(UVError(code: status, call: "connect")) }
    if wantsToRead { resumeReading() }
    push()
    settle()
  }

  // MARK: - Reading

  func resumeReading() {
    wantsToRead = true
    if life == .closed || isConnecting || hasEnded { return }
    let answer = unsafe uv_read_start(
      stream,
      { stream, _, buffer in
        unsafe withOwner(of: stream, as: StreamCore.self) { core in
          let room = unsafe core.loop.readBuffer
          unsafe buffer?.pointee = uv_buf_t(
            base: room.baseAddress?.assumingMemoryBound(to: CChar.self), len: room.count)
        }
      },
      { stream, count, _ in
        unsafe withOwner(of: stream, as: StreamCore.self) { $0.read(count) }
      })
    guard answer < 0, answer != UV_EALREADY.rawValue else { return }
    // Not from inside the owner's call.
    if failure == nil { failure = Failure(UVError(code: answer, call: "uv_read_start")) }
    becomeDue()
  }

  func pauseReading() {
    wantsToRead = false
    if life != .closed { unsafe uv_read_stop(stream) }
  }

  /// What `uv_read_cb` says: a number of bytes in the loop's buffer, 0 for nothing this time, or an error.
  private func read(_ count: Int) {
    if count > 0 {
      loop.counters.bytesRead += count
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count]).bytes
      owner?.received(bytes)
    } else if count == Int(UV_EOF.rawValue) {
      hasEnded = true
      owner?.ended()
      watchForHangup()
    } else if count < 0 {
      end(UVError(code: Int32(count), call: "read"))
    }
  }

  /// The peer has ended its half; that it closes the rest is to be noticed as well. If it has, the kernel says so at once.
  private func watchForHangup() {
    guard life != .closed, watched < 0, let socket = try? descriptor("epoll_ctl") else { return }
    if loop.hangups.add(self, socket) { watched = socket }
  }

  /// The peer has closed both halves.
  func hasHungUp() {
    endWatch()
    owner?.hungUp()
  }

  private func endWatch() {
    guard watched >= 0 else { return }
    loop.hangups.remove(watched)
    watched = -1
  }

  // MARK: - Writing

  var queuedBytes: Int { pending.count + lent.count + (backlog?.inFlight.capacity ?? 0) }

  var unreadBytes: Int {
    var bytes: Int32 = 0
    guard let socket = try? descriptor("ioctl"), unsafe ioctl(socket, UInt(TIOCOUTQ), &bytes) == 0 else { return 0 }
    return Int(bytes)
  }

  func write(_ bytes: RawSpan) -> Bool {
    guard life == .open, failure == nil else { return false }
    keepLent()
    pending.append(bytes, growth: growth)
    appended()
    return true
  }

  private func write(_ bytes: RawSpan, lentBy owner: AnyObject) {
    guard life == .open, failure == nil else { return }
    let mayLend = pending.isEmpty && !isInFlight && !isConnecting
    let isLent = unsafe mayLend && bytes.withUnsafeBytes { unsafe lent.extend(by: $0, of: owner) }
    if !isLent {
      keepLent()
      pending.append(bytes, growth: growth)
    }
    appended()
  }

  func offer(_ bytes: RawSpan, lentBy owner: AnyObject?, within bound: Int) -> Bool {
    // The bytes continue the lent ones: nothing else is queued, and they will be written in any case.
    if let owner, !lent.isEmpty, life == .open, lent.count + bytes.byteCount < min(bound, Self.eagerSize),
      unsafe bytes.withUnsafeBytes({ unsafe lent.extend(by: $0, of: owner) })
    {
      return true
    }
    let queued = queuedBytes
    guard queued == 0 || queued + bytes.byteCount <= bound else { return false }
    if let owner { write(bytes, lentBy: owner) } else { _ = write(bytes) }
    return true
  }

  /// Copies lent bytes that are not written yet, because other output follows them, or the kernel is full.
  private func keepLent(without written: Int = 0) {
    if lent.isEmpty { return }
    if written < lent.count { pending.append(unsafe UnsafeRawBufferPointer(rebasing: lent.bytes[written...]).bytes) }
    lent.removeAll()
  }

  private var isInFlight: Bool { backlog.map { !$0.inFlight.isEmpty } ?? false }

  /// How `pending` grows: behind what libuv holds much may pile up.
  private var growth: Int { isInFlight ? OutputBuffer.largeGrowth : OutputBuffer.smallGrowth }

  private func appended() {
    owesDrained = true
    if pending.count + lent.count >= Self.eagerSize { push() }
    becomeDue()
  }

  /// Makes the loop call `writeDue()` at the end of this turn, unless a callback of libuv's will do its work.
  private func becomeDue() {
    if isDue || isConnecting || (isInFlight && failure == nil) { return }
    isDue = true
    loop.outputDue(self)
  }

  func writeDue() {
    isDue = false
    if life == .closed { return }
    push()
    settle()
  }

  /// Moves as much of the output to the kernel as it takes now. Makes no callback; an error is left in `failure`.
  private func push() {
    if isConnecting || failure != nil || isInFlight || (pending.isEmpty && lent.isEmpty) { return }
    loop.counters.writes += 1
    let taken = writeShared() ?? write()
    if lent.isEmpty { pending.removeFirst(taken) } else { keepLent(without: taken) }
    if failure == nil, !pending.isEmpty { request() }
  }

  private func write() -> Int {
    var piece = unsafe lent.isEmpty ? pending.piece : lent.piece
    let answer = unsafe uv_try_write(stream, &piece, 1)
    if answer < 0, answer != UV_EAGAIN.rawValue { failure = Failure(UVError(code: answer, call: "write")) }
    return max(0, Int(answer))
  }

  /// Writes bytes that other streams write as well; nil: they are to be written in the usual way.
  private func writeShared() -> Int? {
    guard lent.count >= SpliceFanout.leastBytes, let socket = try? descriptor("splice") else { return nil }
    let taken = loop.sharing.write(lent, to: socket)
    if taken != nil { loop.counters.sharedWrites += 1 }
    return taken
  }

  /// Leaves pending output to libuv, which writes it when the kernel has room.
  private func request() {
    let backlog = self.backlog ?? Backlog(loop.spareOutput)
    self.backlog = backlog
    swap(&pending, &backlog.inFlight)
    var piece = unsafe backlog.inFlight.piece
    let answer = unsafe uv_write(backlog.request.raw, stream, &piece, 1) { request, status in
      unsafe withOwner(of: request?.pointee.handle, as: StreamCore.self) { $0.written(status) }
    }
    if answer < 0 {
      backlog.inFlight.removeAll()
      failure = Failure(UVError(code: answer, call: "write"))
    }
  }

  private func written(_ status: Int32) {
    backlog?.inFlight.removeAll()
    if life == .closed { return }
    if status < 0, failure == nil { failure = Failure(UVError(code: status, call: "write")) }
    push()
    settle()
  }

  /// Reports the progress of writing to the owner, from outside its own calls, and takes the next step to the end.
  private func settle() {
    if let failure { return end(failure.error) }
    if !pending.isEmpty || isInFlight { return }
    if owesDrained {
      owesDrained = false
      owner?.drained()
    }
    // The owner may have written or closed in `drained`.
    if case .finishing(let thenClose) = life, pending.isEmpty, !isInFlight { shutDown(thenClose) }
  }

  // MARK: - Ending

  func finish(thenClose: Bool) {
    if thenClose, life != .closed { pauseReading() }
    switch life {
    case .open, .finishing(thenClose: false):
      life = .finishing(thenClose: thenClose)
      becomeDue()
    case .shuttingDown(thenClose: false):
      life = .shuttingDown(thenClose: thenClose)
    case .finished:
      // `settle` closes it at the end of the turn: our half has ended already, and ending it again does no harm.
      if thenClose {
        life = .finishing(thenClose: true)
        becomeDue()
      }
    case .finishing(thenClose: true), .shuttingDown(thenClose: true), .closed: break
    }
  }

  private func shutDown(_ thenClose: Bool) {
    life = .shuttingDown(thenClose: thenClose)
    let request = UnsafeMutablePointer<uv_shutdown_t>.allocate(capacity: 1)
    unsafe request.initialize(to: uv_shutdown_t())
    let answer = unsafe uv_shutdown(request, stream) { request, _ in
      unsafe withOwner(of: request?.pointee.handle, as: StreamCore.self) { $0.hasShutDown() }
      unsafe request?.deallocate()
    }
    if answer < 0 {
      // The half has ended before: by an earlier `finish()`, or because the peer has closed.
      unsafe request.deallocate()
      hasShutDown()
    }
  }

  private func hasShutDown() {
    guard case .shuttingDown(let thenClose) = life else { return }
    life = .finished
    if thenClose { end(nil) }
  }

  private func end(_ reason: UVError?) {
    if life == .closed { return }
    let owner = self.owner
    close()
    owner?.closed(reason)
  }

  func detach() throws(UVError) -> (descriptor: Int32, unsent: [UInt8]) {
    if isInFlight || isConnecting { throw UVError(code: UV_EBUSY.rawValue, call: "detach") }
    let descriptor = try descriptor("fcntl")
    // libuv closes its own descriptor with the handle; the connection lives on in the second one.
    let second = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    if second < 0 { throw UVError.last("fcntl") }
    keepLent()
    let unsent = pending.copy
    pending.removeAll()
    close()
    return (second, unsent)
  }

  func close() {
    life = .closed
    owner = nil
    endWatch()
    lent.removeAll()
    unsafe box.close()
  }

  // MARK: - The peer

  /// - Parameter call: the call that the descriptor is for.
  func descriptor(_ call: String) throws(UVError) -> uv_os_fd_t {
    var descriptor: uv_os_fd_t = -1
    try check(unsafe uv_fileno(box.handle, &descriptor), call)
    return descriptor
  }

  func peer() throws(UVError) -> UnixStream.Peer { try UnixStream.Peer(of: try descriptor("getsockopt")) }
}
