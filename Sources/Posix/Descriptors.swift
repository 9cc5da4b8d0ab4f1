// SPDX-License-Identifier: MIT
//
// Files, folders, pipes and Unix sockets by their descriptors, as POSIX has them, for callers without pointers. A call that
// a signal interrupted is made again.

private import CLinux
private import Glibc

/// A system call that failed.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// `errno`.
  public let code: Int32

  /// An error that a call returned.
  public init(code: Int32) { self.code = code }

  /// The error in words: `No such file or directory`.
  public var text: String { unsafe String(cString: strerror(code)) }
  /// The same for sentences that may be about any error.
  public var description: String { text }

  /// The error that the last call of this thread left in `errno`.
  public static var last: SystemError { SystemError(code: errno) }
}

// MARK: - Files and folders

/// The purpose of opening a file.
public enum FileUse: Sendable {
  case reading
  /// The file is emptied, or made with mode 0644.
  case replacing
  /// The file is made with mode 0666; it must not exist.
  case creating
  /// Its lock (`tryLock`) or some of its bytes: it is made with mode 0600 if there is none, and is no link.
  case updating
  /// The file is emptied, or made with mode 0600, and must not be a link.
  case keeping
  /// Bytes of an existing file are changed.
  case changing
}

/// Opens a file, closed on exec.
/// - Returns: a descriptor, which is the caller's.
public func openFile(_ path: String, for use: FileUse) throws(SystemError) -> Int32 {
  let descriptor =
    switch use {
    case .reading: unsafe open(path, O_RDONLY | O_CLOEXEC)
    case .replacing: unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    case .creating: unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    case .updating: unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    case .keeping: unsafe open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    case .changing: unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    }
  guard descriptor >= 0 else { throw .last }
  return descriptor
}

/// Takes a file's lock, which the process has until the descriptor is closed (`flock`).
/// - Returns: false if another process has it.
public func tryLock(_ descriptor: Int32) throws(SystemError) -> Bool {
  if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
  if errno == EWOULDBLOCK { return false }
  throw .last
}

/// Reads once, at most 64 KiB; empty at the end.
/// - Throws: `EAGAIN` where the descriptor does not block and has nothing.
public func readSome(from descriptor: Int32) throws(SystemError) -> [UInt8] {
  var count = -1
  let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, initialized in
    repeat { count = unsafe read(descriptor, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
    initialized = max(0, count)
  }
  guard count >= 0 else { throw .last }
  return bytes
}

/// Reads up to the end.
public func readAll(from descriptor: Int32) throws(SystemError) -> [UInt8] {
  var bytes: [UInt8] = []
  while true {
    let more = try readSome(from: descriptor)
    if more.isEmpty { return bytes }
    bytes += more
  }
}

/// All bytes of a file.
public func contents(ofFile path: String) throws(SystemError) -> [UInt8] {
  let file = try openFile(path, for: .reading)
  defer { close(file) }
  return try readAll(from: file)
}

/// Writes all of the bytes; waits where the descriptor does not block and is full.
public func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
  var rest = bytes[...]
  while !rest.isEmpty {
    do {
      rest = rest.dropFirst(try writeSome(rest, to: descriptor))
    } catch {
      guard error.code == EAGAIN else { throw error }
      _ = waitUntilReady([Wait(descriptor, for: .writing)])
    }
  }
}

/// Writes once.
/// - Returns: how many bytes were written.
/// - Throws: `EAGAIN` where the descriptor does not block and is full.
public func writeSome(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemError) -> Int {
  while true {
    let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    if errno != EINTR { throw .last }
  }
}

/// Writes all of the bytes at a place of a file.
public func writeAll(_ bytes: [UInt8], to descriptor: Int32, at place: Int) throws(SystemError) {
  var rest = bytes[...]
  while !rest.isEmpty {
    let offset = place + bytes.count - rest.count
    let count = unsafe rest.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, offset) }
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw .last }
    rest = rest.dropFirst(count)
  }
}

/// Waits until a file's bytes are on the disk (`fdatasync`).
public func syncData(_ descriptor: Int32) throws(SystemError) {
  while fdatasync(descriptor) != 0 { if errno != EINTR { throw .last } }
}

/// Waits until the names in a folder are on the disk.
public func syncFolder(_ path: String) throws(SystemError) {
  let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard descriptor >= 0 else { throw .last }
  defer { close(descriptor) }
  while fsync(descriptor) != 0 { if errno != EINTR { throw .last } }
}

/// Cuts a file off behind a number of bytes.
public func truncateFile(_ descriptor: Int32, to size: Int) throws(SystemError) {
  guard ftruncate(descriptor, size) == 0 else { throw .last }
}

/// The part of a file in memory that is sealed against changes through any descriptor (`memfd_create(2)`).
public enum FileSeal: Sendable {
  /// Its size: a process that reads it through a mapping finds all of it there.
  case size
  /// The file's size and its bytes.
  case content
}

/// Seals a file in memory, for good.
public func seal(_ descriptor: Int32, _ what: FileSeal) throws(SystemError) {
  guard linux_seal(descriptor, what == .content ? 1 : 0) == 0 else { throw .last }
}

/// The names in a folder, in no order, without `.` and `..`.
public func names(inFolder path: String) throws(SystemError) -> [String] {
  guard let directory = unsafe opendir(path) else { throw .last }
  defer { unsafe closedir(directory) }
  var names: [String] = []
  while let entry = unsafe readdir(directory) {
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
      unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
    }
    if name != "." && name != ".." { names.append(name) }
  }
  return names
}

/// Makes a folder and those above it, unless they are there.
public func makeFolder(_ path: String) throws(SystemError) {
  for end in path.indices.dropFirst() where path[end] == "/" { _ = unsafe mkdir(String(path[..<end]), 0o777) }
  guard unsafe mkdir(path, 0o777) == 0 || errno == EEXIST else { throw .last }
}

/// Makes one folder, for its owner alone.
/// - Throws: `EEXIST` if there is something at the path.
public func makePrivateFolder(_ path: String) throws(SystemError) {
  guard unsafe mkdir(path, 0o700) == 0 else { throw .last }
}

/// Removes a file, or a socket's.
public func removeFile(_ path: String) throws(SystemError) {
  guard unsafe unlink(path) == 0 else { throw .last }
}

/// Gives a file another name; one of that name is replaced.
public func renameFile(_ path: String, to name: String) throws(SystemError) {
  guard unsafe rename(path, name) == 0 else { throw .last }
}

/// The kernel's record of a file.
public struct FileStatus: Sendable {
  /// Which file it is, whatever its path: one that was removed and made again is another one.
  public struct Identity: Equatable, Sendable {
    /// The device of the file.
    public let device: UInt64
    /// The inode number.
    public let number: UInt64
  }

  /// Device and inode of the file.
  public let identity: Identity
  /// Whether it is a folder.
  public let isFolder: Bool
  /// Whether it is a regular file.
  public let isRegular: Bool
  /// The permission bits of the file.
  public let permissions: UInt32
  /// The user that owns it.
  public let owner: UInt32
  /// The size in bytes.
  public let size: Int64
  /// When its content was written last, in nanoseconds since 1970.
  public let written: Int64

  private init(_ status: stat) {
    identity = Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    isRegular = status.st_mode & S_IFMT == S_IFREG
    permissions = status.st_mode & 0o7777
    owner = status.st_uid
    size = Int64(status.st_size)
    written = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
  }

  /// The status of the file at a path.
  /// - Parameter followsLinks: the file that a symbolic link leads to, not the link.
  public init(of path: String, followsLinks: Bool = true) throws(SystemError) {
    var status = stat()
    let answer = unsafe followsLinks ? stat(path, &status) : lstat(path, &status)
    guard answer == 0 else { throw .last }
    self.init(status)
  }

  /// The status of an open file.
  public init(of descriptor: Int32) throws(SystemError) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .last }
    self.init(status)
  }
}

/// A path without links and dots; nil if there is nothing at it.
public func realPath(_ path: String) -> String? {
  guard let real = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(real) }
  return unsafe String(cString: real)
}

/// Whether there is something at a path.
public func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

/// Whether a file may be read.
public func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

/// Where a symbolic link leads; nil if it cannot be read.
public func target(ofLink path: String) -> String? {
  let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, initialized in
    let count = unsafe buffer.withMemoryRebound(to: CChar.self) { buffer in
      unsafe buffer.baseAddress.map { unsafe readlink(path, $0, buffer.count) } ?? -1
    }
    initialized = max(0, count)
  }
  return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
}

// MARK: - Waiting

/// A descriptor to wait for.
public struct Wait: Sendable {
  /// The events to wait for; the end counts in all of them.
  public enum Event: Sendable { case reading, writing, both, end }

  fileprivate let entry: (descriptor: Int32, events: Int16)

  /// - Parameter descriptor: -1 is never ready.
  public init(_ descriptor: Int32, for event: Event) {
    let events =
      switch event {
      case .reading: POLLIN
      case .writing: POLLOUT
      case .both: POLLIN | POLLOUT
      case .end: Int32(0)
      }
    entry = (descriptor, Int16(events))
  }
}

/// Waits until one of the descriptors is ready, a signal comes, or the time is over (nil: forever).
/// - Returns: for each, whether it can be read or has ended, and whether it can be written.
public func waitUntilReady(_ waits: [Wait], seconds: Double? = nil) -> [(canRead: Bool, canWrite: Bool)] {
  var entries = waits.map { pollfd(fd: $0.entry.descriptor, events: $0.entry.events, revents: 0) }
  // Rounded up, so that waiting for the last half millisecond does not become polling.
  let milliseconds = seconds.map { Int32(min(1e9, ($0 * 1000).rounded(.up))) } ?? -1
  guard unsafe poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return waits.map { _ in (false, false) } }
  return entries.map { ($0.revents & ~Int16(POLLOUT) != 0, $0.revents & Int16(POLLOUT) != 0) }
}

// MARK: - Pipes and sockets

/// A pipe of the caller's.
public func makePipe() throws(SystemError) -> (reader: Int32, writer: Int32) {
  var ends: [Int32] = [-1, -1]
  guard unsafe pipe(&ends) == 0 else { throw .last }
  return (ends[0], ends[1])
}

/// Bytes that the path of a Unix socket has at most.
public let maxSocketPath = 107

/// Connects to a Unix stream socket.
/// - Parameter path: at most `maxSocketPath` bytes.
/// - Returns: a descriptor, which is the caller's.
/// - Throws: the error, and the call that was refused.
public func connectSocket(to path: String) throws(SocketRefusal) -> Int32 {
  precondition(path.utf8.count <= maxSocketPath, "the path fits into an address")
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  guard descriptor >= 0 else { throw SocketRefusal(call: "socket", error: .last) }
  let status = unsafe withUnsafePointer(to: address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  guard status == 0 else {
    let refusal = SocketRefusal(call: "connect", error: .last)
    close(descriptor)
    throw refusal
  }
  return descriptor
}

/// Why a socket could not be connected.
public struct SocketRefusal: Error {
  /// `socket` or `connect`.
  public let call: String
  /// The error of the call.
  public let error: SystemError
}

/// Sends as many bytes as a socket that does not block takes now; a closed peer is an error and no signal.
/// - Returns: how many.
/// - Throws: `EAGAIN` if it takes none now.
public func send(_ bytes: [UInt8], to socket: Int32) throws(SystemError) -> Int {
  while true {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count >= 0 { return count }
    if errno != EINTR { throw .last }
  }
}
