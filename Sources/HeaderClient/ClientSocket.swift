// SPDX-License-Identifier: MIT
//
// A connected Unix stream socket: one owner, closed with it. Reads and writes never wait; whoever has nothing to do
// waits in poll(2), for the socket and for whatever else may wake it.

private import Glibc

/// A client's end of the socket.
struct ClientSocket: ~Copyable {
  let descriptor: Int32

  /// What became of an attempt to read or write.
  enum Progress: Equatable {
    case bytes(Int)
    /// Nothing now; wait.
    case later
    /// The other side is gone.
    case ended
  }

  /// Takes over a descriptor that is connected already.
  init(taking descriptor: Int32) {
    self.descriptor = descriptor
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Connects to a path.
  init(path: String) throws(ClientError) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let limit = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard path.utf8.count <= limit else { throw .pathTooLong(path: path, limit: limit) }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Self.failure("socket", path) }
    let status = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else {
      let error = Self.failure("connect", path)
      close(descriptor)
      throw error
    }
    self.init(taking: descriptor)
  }

  deinit { close(descriptor) }

  /// Reads what is there.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Progress {
    while true {
      let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .ended }
      if errno == EINTR { continue }
      return errno == EAGAIN || errno == EWOULDBLOCK ? .later : .ended
    }
  }

  /// Writes as much as the other side takes now.
  func write(_ bytes: UnsafeRawBufferPointer) -> Progress {
    while true {
      let count = unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      if count >= 0 { return .bytes(count) }
      if errno == EINTR { continue }
      return errno == EAGAIN || errno == EWOULDBLOCK ? .later : .ended
    }
  }

  /// Closes the writing half: the daemon answers what it has and then closes its own.
  func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  private static func failure(_ call: String, _ path: String) -> ClientError {
    let code = errno
    let reason = unsafe String(cString: strerror(code))
    switch code {
    case ENOENT, ECONNREFUSED, ENOTDIR, ENOTSOCK: return .noDaemon(path: path, reason: reason)
    case EACCES, EPERM: return .notPermitted(path: path)
    default: return .system(call: call, path: path, reason: reason)
    }
  }
}

/// Seconds on a clock that never goes back; its origin means nothing.
public func steadySeconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
