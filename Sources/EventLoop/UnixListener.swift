// SPDX-License-Identifier: MIT
//
// A listening Unix stream socket: bound to a path by us, or adopted from whoever bound it (systemd, a parent).
//
// Who may connect is settled before anybody can. The mode is given to the socket before `bind`, and Linux makes the file
// with it, less the umask: never wider than asked. Only what the umask took away is given back by `chmod`. Then comes
// `listen`, and until then the kernel refuses every connection. The umask itself, which belongs to all threads, is left
// alone.
//
// The file belongs to the caller. libuv would unlink at close whatever lies at the path by then, perhaps the socket of
// our successor; we bind by ourselves, so libuv knows no path. `removeFile()` removes the file if it is still the one
// that was bound here; nothing else does.
//
// A process that has no descriptor left cannot even tell a newcomer so: libuv then accepts and closes whoever waits, and
// tells nobody. So the last few are kept free of connections: who would take one of them gets the `farewell`, `failed` is
// told, and files can still be opened. The kernel gives the lowest free number, which makes it easy to see.

internal import CUV
internal import Glibc

/// A listening socket. Letting go of it closes it and leaves its file.
public struct UnixListener: ~Copyable {
  private let core: ListenerCore
  private let file: BoundFile?

  /// Binds a path and listens. Nothing is accepted before the loop runs, so set `accepted` after this.
  ///
  /// Throws `ENAMETOOLONG` beyond 107 bytes, `EADDRINUSE` if anything lies at the path, even a dead socket
  /// (`inspect(path:)` tells which).
  /// - Parameters:
  ///   - mode: permission bits of the file; connecting needs the write bit.
  ///   - backlog: connections that may wait to be accepted; the kernel caps it at `net.core.somaxconn`. Those who come
  ///     when they are so many wait in `connect`, or are told `EAGAIN` if they do not wait.
  public init(path: String, mode: UInt32 = 0o600, backlog: Int32 = .max, on loop: Loop) throws(UVError) {
    let (descriptor, file) = try BoundFile.bind(path, mode: mode)
    do {
      core = try ListenerCore.listening(descriptor, backlog, path, on: loop)
    } catch {
      file.remove()
      throw error
    }
    self.file = file
  }

  /// Takes over a bound or already listening socket; the descriptor is ours from the call on, also if it throws.
  public init(adopting descriptor: Int32, backlog: Int32 = .max, on loop: Loop) throws(UVError) {
    core = try ListenerCore.listening(descriptor, backlog, "descriptor \(descriptor)", on: loop)
    file = nil
  }

  deinit { core.close() }

  /// Called with each new connection, not reading yet. A stream that the callback does not keep is closed at once.
  public var accepted: ((consuming UnixStream) -> Void)? {
    get { core.accepted }
    nonmutating set { core.accepted = newValue }
  }

  /// What is sent to a connection that is turned away for want of descriptors.
  public var farewell: [UInt8] {
    get { core.farewell }
    nonmutating set { core.farewell = newValue }
  }

  /// Called when a connection could not be accepted (`EMFILE`: it has been turned away). Listening goes on.
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

  /// What lies at a path that one would like to bind.
  public enum PathState: Equatable, Sendable {
    /// Nothing.
    case free
    /// A socket that somebody listens on.
    case answering
    /// A socket that nobody listens on, left by a process that died.
    case stale
    /// Something that is no socket.
    case occupied
  }

  /// Finds out what lies at a path, by connecting to it if it is a socket. Does not block.
  public static func inspect(path: String) throws(UVError) -> PathState {
    try UnixAddress.check(path, for: "bind")
    guard let found = try BoundFile.status(path) else { return .free }
    if found.st_mode & S_IFMT != S_IFSOCK { return .occupied }
    let descriptor = try UnixAddress.socket()
    defer { _ = Glibc.close(descriptor) }
    let answer = try unsafe UnixAddress.with(path, for: "connect") { address, size in
      unsafe Glibc.connect(descriptor, address, size)
    }
    // EAGAIN: somebody listens, with a full backlog.
    if answer == 0 || errno == EAGAIN { return .answering }
    if errno == ECONNREFUSED { return .stale }
    throw UVError.last("connect", path)
  }
}

// MARK: - The file

/// A socket file that this process made, told from its successors by device and inode.
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

  /// What `lstat` says; nil when there is nothing.
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

/// What libuv calls back for a listener.
@safe private final class ListenerCore {
  private let box = unsafe HandleBox(uv_pipe_t())
  private let loop: Loop
  private let name: String
  private var descriptor: Int32 = -1
  var accepted: ((consuming UnixStream) -> Void)?
  var failed: ((UVError) -> Void)?
  var farewell: [UInt8] = []

  /// Descriptors that no connection gets: a config, a plugin and its copy, a folder to watch, a socket that moves.
  private static let keptDescriptors = 8

  private init(_ loop: Loop, _ name: String) throws(UVError) {
    self.loop = loop
    self.name = name
    try check(unsafe uv_pipe_init(loop.raw, box.raw, 0), "uv_pipe_init")
  }

  static func listening(
    _ descriptor: Int32, _ backlog: Int32, _ name: String, on loop: Loop
  ) throws(UVError) -> ListenerCore {
    let core: ListenerCore
    do {
      core = try ListenerCore(loop, name)
    } catch {
      _ = Glibc.close(descriptor)
      throw error
    }
    unsafe core.box.open(for: core)
    do {
      try core.listen(descriptor, backlog)
    } catch {
      core.close()
      throw error
    }
    return core
  }

  private var stream: UnsafeMutablePointer<uv_stream_t> {
    unsafe UnsafeMutableRawPointer(box.raw).assumingMemoryBound(to: uv_stream_t.self)
  }

  private func listen(_ descriptor: Int32, _ backlog: Int32) throws(UVError) {
    do {
      try check(unsafe uv_pipe_open(box.raw, descriptor), "uv_pipe_open", name)
    } catch {
      _ = Glibc.close(descriptor)
      throw error
    }
    let answer = unsafe uv_listen(stream, backlog) { stream, status in
      unsafe withOwner(of: stream, as: ListenerCore.self) { $0.connected(status) }
    }
    try check(answer, "listen", name)
    self.descriptor = descriptor
    loop.listeners.insert(descriptor)
  }

  private func connected(_ status: Int32) {
    do throws(UVError) {
      try check(status, "accept", name)
      let core = try StreamCore.opened(on: loop)
      // Kept in a stream from here on, so that a failure closes it.
      let stream = UnixStream(core)
      try check(unsafe uv_accept(self.stream, core.stream), "accept", name)
      try turnAwayIfLast(stream)
      accepted?(stream)
    } catch {
      failed?(error)
    }
  }

  /// Throws `EMFILE` for a stream that has one of the last descriptors.
  private func turnAwayIfLast(_ stream: borrowing UnixStream) throws(UVError) {
    var limit = rlimit()
    let descriptor = try stream.descriptor()
    // Asked each time, since it may be changed from outside.
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
      UInt64(descriptor) + UInt64(Self.keptDescriptors) >= limit.rlim_cur
    else { return }
    // Nothing has been sent yet, so there is room for it, or the peer is gone.
    _ = unsafe farewell.withUnsafeBytes {
      unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
    throw UVError(code: -EMFILE, call: "accept", subject: name)
  }

  func close() {
    accepted = nil
    failed = nil
    loop.listeners.remove(descriptor)
    descriptor = -1
    unsafe box.close()
  }
}
