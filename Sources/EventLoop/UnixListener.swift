// SPDX-License-Identifier: MIT
//
// A listening Unix stream socket: bound to a path by us, or adopted (from systemd, from a parent).
//
// Permissions are set before any client can connect: the mode is given to the socket before `bind`, and Linux makes the file with it,
// less the umask; `chmod` restores what the umask removed. Only then comes `listen`.
//
// The file belongs to the caller. libuv would unlink at close whatever lies at the path by then; since we bind ourselves, libuv knows no
// path. Only `removeFile()` removes the file, if it is still the one bound here.
//
// Without a free descriptor libuv accepts and closes new connections silently. So the last few descriptors are kept free of connections:
// a connection that gets one of them is sent the `farewell` and closed, and `failed` is called. The kernel gives the lowest free number,
// so this is easy to see. Of a few before those only administrators get any.
//
//     0 … for all users … │ 8 for administrators │ 8 for the process's own files │ the limit
//
// A turn accepts a bounded number: a client that connects again and again must not keep the loop from other connections.

internal import CLinux
internal import CUV
internal import Glibc

/// A listening socket. Letting go of it closes it and leaves its file.
public struct UnixListener: ~Copyable {
  private let core: ListenerCore
  private let file: BoundFile?

  /// Binds a path and listens. Nothing is accepted before the loop runs, so set `accepted` after this.
  ///
  /// Throws `ENAMETOOLONG` beyond 107 bytes, `EADDRINUSE` if anything lies at the path, even a dead socket (`inspect(path:)` tells
  /// which).
  /// - Parameters:
  ///   - mode: permission bits of the file; connecting needs the write bit.
  ///   - backlog: connections that may wait to be accepted; the kernel caps it at `net.core.somaxconn`. Clients beyond it wait in
  ///     `connect`, or get `EAGAIN` if they do not wait.
  public init(path: String, mode: UInt32 = 0o600, backlog: Int32 = .max, on loop: Loop) throws(UVError) {
    let (descriptor, file) = try BoundFile.bind(path, mode: mode)
    do {
      core = try ListenerCore(descriptor, backlog, path, on: loop)
    } catch {
      file.remove()
      throw error
    }
    self.file = file
  }

  /// Takes over a bound or already listening socket; the descriptor is ours from the call on, also if it throws.
  public init(adopting descriptor: Int32, backlog: Int32 = .max, on loop: Loop) throws(UVError) {
    core = try ListenerCore(descriptor, backlog, "descriptor \(descriptor)", on: loop)
    file = nil
  }

  deinit { core.close() }

  /// Called with each new connection, not reading yet. A stream that the callback does not keep is closed at once.
  public var accepted: ((consuming UnixStream) -> Void)? {
    get { core.accepted }
    nonmutating set { core.accepted = newValue }
  }

  /// The bytes for a connection that is turned away for want of descriptors.
  public var farewell: [UInt8] {
    get { core.farewell }
    nonmutating set { core.farewell = newValue }
  }

  /// Asked when few descriptors are left: whether a peer may have one of those that are kept for administrators.
  public var mayUseReserve: ((UnixStream.Peer) -> Bool)? {
    get { core.mayUseReserve }
    nonmutating set { core.mayUseReserve = newValue }
  }

  /// Called when a connection could not be accepted (`EMFILE`, `ENFILE`: it has been turned away). The listener keeps listening.
  public var failed: ((UVError) -> Void)? {
    get { core.failed }
    nonmutating set { core.failed = newValue }
  }

  /// The path that was bound; nil for an adopted socket.
  public var path: String? { file?.path }

  /// Stops listening; no callback comes any more. Doing it again, or letting go afterwards, does nothing.
  public func close() { core.close() }

  /// Whether the file at the path is still the one that was bound here; false for an adopted socket.
  public var hasFile: Bool { file?.isThere ?? false }

  /// Removes the socket's file, if the file at the path is still the one that was bound here.
  /// - Returns: whether a file was removed; always false for an adopted socket.
  @discardableResult public func removeFile() -> Bool { file?.remove() ?? false }

  /// The state of a path before a bind.
  public enum PathState: Equatable, Sendable {
    /// Nothing exists at the path.
    case free
    /// A socket with a listener.
    case answering
    /// A socket without a listener, left by a process that died.
    case stale
    /// Something that is no socket.
    case occupied
  }

  /// Finds the state of a path, by connecting to it if it is a socket. Does not block.
  public static func inspect(path: String) throws(UVError) -> PathState {
    try UnixAddress.check(path, for: "bind")
    guard let found = try BoundFile.status(path) else { return .free }
    if found.st_mode & S_IFMT != S_IFSOCK { return .occupied }
    let descriptor = try UnixAddress.socket()
    defer { _ = Glibc.close(descriptor) }
    let answer = try unsafe UnixAddress.with(path, for: "connect") { address, size in
      unsafe Glibc.connect(descriptor, address, size)
    }
    // EAGAIN: there is a listener, with a full backlog.
    if answer == 0 || errno == EAGAIN { return .answering }
    if errno == ECONNREFUSED { return .stale }
    throw UVError.last("connect", path)
  }
}

// MARK: - The file

/// A socket file that this process made, known among its successors by device and inode.
private struct BoundFile {
  let path: String
  let device: dev_t
  let inode: ino_t

  /// A bound socket that does not listen yet, and its file.
  static func bind(_ path: String, mode: UInt32) throws(UVError) -> (descriptor: Int32, file: BoundFile) {
    let descriptor = try UnixAddress.socket()
    do throws(UVError) {
      if fchmod(descriptor, mode) < 0 { throw UVError.last("fchmod", path) }
      let answer = try unsafe UnixAddress.with(path, for: "bind") { address, size in
        unsafe Glibc.bind(descriptor, address, size)
      }
      if answer < 0 { throw UVError.last("bind", path) }
      guard let made = try status(path) else { throw UVError(code: -ENOENT, call: "bind", subject: path) }
      let file = BoundFile(path: path, device: made.st_dev, inode: made.st_ino)
      if made.st_mode & 0o7777 != mode, unsafe chmod(path, mode) < 0 {
        let error = UVError.last("chmod", path)
        file.remove()
        throw error
      }
      return (descriptor, file)
    } catch {
      _ = Glibc.close(descriptor)
      throw error
    }
  }

  static func status(_ path: String) throws(UVError) -> stat? {
    var found = stat()
    if unsafe lstat(path, &found) == 0 { return found }
    if errno == ENOENT { return nil }
    throw UVError.last("lstat", path)
  }

  var isThere: Bool {
    var found = stat()
    return unsafe lstat(path, &found) == 0 && found.st_dev == device && found.st_ino == inode
  }

  @discardableResult func remove() -> Bool { unsafe isThere && unlink(path) == 0 }
}

// MARK: - The core

@safe private final class ListenerCore {
  private let box = unsafe HandleBox(uv_poll_t())
  private let loop: Loop
  private let name: String
  private var descriptor: Int32
  /// Given up for a moment to turn a connection away when there is no other descriptor; -1 if it could not be had back.
  private var spare: Int32 = -1
  var accepted: ((consuming UnixStream) -> Void)?
  var failed: ((UVError) -> Void)?
  var mayUseReserve: ((UnixStream.Peer) -> Bool)?
  var farewell: [UInt8] = []

  /// Descriptors that no connection gets: a config, a plugin and its copy, a folder to watch, a socket that moves.
  private static let keptDescriptors = 8
  /// Descriptors before those that administrators alone get.
  private static let reservedDescriptors = 8
  /// Connections that are accepted in one turn.
  private static let maxAccepted = 32

  init(_ descriptor: Int32, _ backlog: Int32, _ name: String, on loop: Loop) throws(UVError) {
    self.loop = loop
    self.name = name
    self.descriptor = descriptor
    do throws(UVError) {
      try listen(backlog)
    } catch {
      close()
      throw error
    }
  }

  private func listen(_ backlog: Int32) throws(UVError) {
    let flags = fcntl(descriptor, F_GETFL)
    guard Glibc.listen(descriptor, backlog) == 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 else {
      throw UVError.last("listen", name)
    }
    try check(unsafe uv_poll_init(loop.raw, box.raw, descriptor), "uv_poll_init", name)
    unsafe box.open(for: self)
    let answer = unsafe uv_poll_start(box.raw, Int32(UV_READABLE.rawValue)) { handle, _, _ in
      unsafe withOwner(of: handle, as: ListenerCore.self) { $0.acceptSome() }
    }
    try check(answer, "uv_poll_start", name)
    loop.listeners.insert(descriptor)
    openSpare()
  }

  private func openSpare() { unsafe spare = open("/dev/null", O_RDONLY | O_CLOEXEC) }

  /// Accepts waiting connections. The rest is accepted in the next turn: libuv calls again as long as one waits.
  private func acceptSome() {
    if spare < 0 { openSpare() }
    var count = 0
    while descriptor >= 0, count < Self.maxAccepted {
      count += 1
      let connection = linux_accept(descriptor)
      if connection >= 0 {
        welcome(connection)
      } else {
        let error = UVError.last("accept", name)
        switch -error.code {
        case EAGAIN: return
        case EINTR, ECONNABORTED: continue
        case EMFILE where spare >= 0, ENFILE where spare >= 0: turnAwayWithSpare(error)
        default:
          failed?(error)
          return
        }
      }
    }
  }

  private func welcome(_ connection: Int32) {
    var limit = rlimit()
    // Asked each time, since it may be changed from outside.
    let left =
      unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
      ? limit.rlim_cur - min(rlim_t(connection), limit.rlim_cur) : .max
    if left <= Self.keptDescriptors
      || (left <= Self.keptDescriptors + Self.reservedDescriptors && !hasReserve(connection))
    {
      return turnAway(connection, UVError(code: -EMFILE, call: "accept", subject: name))
    }
    do throws(UVError) {
      accepted?(UnixStream(try StreamCore.adopting(connection, on: loop)))
    } catch {
      failed?(error)
    }
  }

  private func hasReserve(_ connection: Int32) -> Bool {
    guard let mayUseReserve, let peer = try? UnixStream.Peer(of: connection) else { return false }
    return mayUseReserve(peer)
  }

  /// Turns away a waiting connection, since this process (`EMFILE`) or the system (`ENFILE`) has no descriptor left for it.
  private func turnAwayWithSpare(_ error: UVError) {
    _ = Glibc.close(spare)
    let connection = linux_accept(descriptor)
    if connection >= 0 { turnAway(connection, error) } else { failed?(error) }
    openSpare()
  }

  private func turnAway(_ connection: Int32, _ error: UVError) {
    // Nothing has been sent yet, so there is room for it, or the peer has closed.
    _ = unsafe farewell.withUnsafeBytes {
      unsafe send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
    _ = Glibc.close(connection)
    failed?(error)
  }

  func close() {
    accepted = nil
    failed = nil
    mayUseReserve = nil
    unsafe box.close()
    guard descriptor >= 0 else { return }
    loop.listeners.remove(descriptor)
    _ = Glibc.close(descriptor)
    if spare >= 0 { _ = Glibc.close(spare) }
    (descriptor, spare) = (-1, -1)
  }
}

// MARK: - The address

enum UnixAddress {
  /// The longest path in bytes, without the NUL at its end.
  static let maxPath = 107

  /// Throws `ENAMETOOLONG` or `EINVAL` for a path that cannot be an address.
  static func check(_ path: String, for call: String) throws(UVError) {
    if path.utf8.count > maxPath { throw UVError(code: -ENAMETOOLONG, call: call, subject: path) }
    if path.isEmpty || path.utf8.contains(0) { throw UVError(code: -EINVAL, call: call, subject: path) }
  }

  /// Calls `body`, such as `bind` or `connect`, with the path's address, and returns its result.
  static func with(
    _ path: String, for call: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(UVError) -> Int32 {
    try check(path, for: call)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    return unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe body(address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// A new stream socket that does not block and is closed on exec.
  static func socket() throws(UVError) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = Glibc.socket(AF_UNIX, kind, 0)
    if descriptor < 0 { throw UVError.last("socket") }
    return descriptor
  }
}
