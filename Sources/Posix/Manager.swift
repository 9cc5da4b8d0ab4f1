// SPDX-License-Identifier: MIT
//
// The means by which a service manager and its services find each other: descriptors that a process is started with, and datagrams to a
// named socket.

private import Glibc

/// The number of this process.
public func ownProcess() -> Int32 { getpid() }

/// Takes a variable out of the environment, so that no program started from here inherits it. Not while other threads run.
public func removeEnvironmentValue(_ name: String) { _ = unsafe unsetenv(name) }

/// The kind of a descriptor from another process.
public enum ForeignDescriptor: Equatable, Sendable {
  /// A Unix stream socket that listens; its path, or its abstract name with `@` before it.
  case listening(path: String)
  /// Anything else, or nothing at all.
  case other
}

/// Finds the kind of a descriptor, and makes it close on exec.
public func claimDescriptor(_ descriptor: Int32) -> ForeignDescriptor {
  guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0,
    socketOption(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue),
    socketOption(SO_ACCEPTCONN, of: descriptor) == 1
  else { return .other }
  var address = sockaddr_un()
  var size = socklen_t(MemoryLayout<sockaddr_un>.size)
  let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &size) }
  }
  guard status == 0, address.sun_family == sa_family_t(AF_UNIX) else { return .other }
  let length = Int(size) - MemoryLayout<sa_family_t>.size
  let bytes = unsafe withUnsafeBytes(of: &address.sun_path) { unsafe Array($0.prefix(max(0, length))) }
  if bytes.first == 0 { return .listening(path: "@" + String(decoding: bytes.dropFirst(), as: UTF8.self)) }
  return .listening(path: String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
}

private func socketOption(_ option: Int32, of descriptor: Int32) -> Int32? {
  var value: Int32 = 0
  var size = socklen_t(MemoryLayout<Int32>.size)
  return unsafe getsockopt(descriptor, SOL_SOCKET, option, &value, &size) == 0 ? value : nil
}

/// Sends one datagram to a Unix socket, and waits at most a tenth of a second for room.
/// - Parameter name: its path, or its abstract name with `@` before it; at most `maxSocketPath` bytes.
public func sendDatagram(_ text: String, to name: String) throws(SystemError) {
  guard !name.isEmpty, name.utf8.count <= maxSocketPath else { throw SystemError(code: ENAMETOOLONG) }
  let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  guard descriptor >= 0 else { throw .last }
  defer { close(descriptor) }
  var patience = timeval(tv_sec: 0, tv_usec: 100_000)
  unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  var path = Array(name.utf8)
  if path[0] == UInt8(ascii: "@") { path[0] = 0 }
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
  // Without a NUL at the end, which would be part of an abstract name.
  let size = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
  let bytes = Array(text.utf8)
  let sent = unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      unsafe bytes.withUnsafeBytes {
        unsafe sendto(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL), address, size)
      }
    }
  }
  guard sent >= 0 else { throw .last }
}
