// SPDX-License-Identifier: MIT
//
// Listening TCP sockets by numeric addresses, for callers without pointers. Names are not looked up: the address that a program listens
// on should not depend on the answer of a name server.

private import CLinux
private import Glibc

/// A numeric address, IPv4 or IPv6.
public struct InternetAddress: Equatable, Sendable, CustomStringConvertible {
  /// As `inet_ntop` writes it: `127.0.0.1`, `::1`.
  public let description: String
  /// Whether it is one of IPv6.
  public let isSix: Bool

  /// Reads `127.0.0.1` or `::1`, without brackets.
  public init?(_ text: String) {
    var (four, six) = (in_addr(), in6_addr())
    if unsafe inet_pton(AF_INET, text, &four) == 1 {
      isSix = false
      description = text
    } else if unsafe inet_pton(AF_INET6, text, &six) == 1 {
      isSix = true
      description = text.lowercased()
    } else {
      return nil
    }
  }

  /// Whether it stands for all of the machine's addresses.
  public var isAny: Bool { description == "0.0.0.0" || description == "::" }

  /// As it stands in a URL.
  public var inURL: String { isSix ? "[\(description)]" : description }
}

/// Listens on an address; the socket does not block and is closed on exec. One of IPv6 takes no connections of IPv4.
/// - Parameter port: 0: any that is free.
/// - Returns: a descriptor, which is the caller's.
/// - Throws: the call that was refused, and why.
public func listen(on address: InternetAddress, port: UInt16) throws(SocketRefusal) -> Int32 {
  let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
  let descriptor = socket(address.isSix ? AF_INET6 : AF_INET, kind, 0)
  guard descriptor >= 0 else { throw SocketRefusal(call: "socket", error: .last) }
  var yes: Int32 = 1
  let size = socklen_t(MemoryLayout<Int32>.size)
  unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
  if address.isSix { unsafe setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size) }
  guard bindSocket(descriptor, to: address, port: port) == 0 else { throw refused("bind", descriptor) }
  guard Glibc.listen(descriptor, .max) == 0 else { throw refused("listen", descriptor) }
  return descriptor
}

private func refused(_ call: String, _ descriptor: Int32) -> SocketRefusal {
  let refusal = SocketRefusal(call: call, error: .last)
  close(descriptor)
  return refusal
}

private func bindSocket(_ descriptor: Int32, to address: InternetAddress, port: UInt16) -> Int32 {
  func bindSocket<Address>(to address: Address) -> Int32 {
    unsafe withUnsafeBytes(of: address) {
      unsafe bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
    }
  }
  if address.isSix {
    var six = sockaddr_in6()
    six.sin6_family = sa_family_t(AF_INET6)
    six.sin6_port = port.bigEndian
    _ = unsafe inet_pton(AF_INET6, address.description, &six.sin6_addr)
    return bindSocket(to: six)
  }
  var four = sockaddr_in()
  four.sin_family = sa_family_t(AF_INET)
  four.sin_port = port.bigEndian
  _ = unsafe inet_pton(AF_INET, address.description, &four.sin_addr)
  return bindSocket(to: four)
}

/// Accepts a connection that does not block and is closed on exec.
/// - Returns: a descriptor, which the caller owns; nil: no connection waits.
public func acceptConnection(of listener: Int32) throws(SystemError) -> Int32? {
  while true {
    let descriptor = linux_accept(listener)
    if descriptor >= 0 { return descriptor }
    switch errno {
    case EAGAIN: return nil
    case EINTR, ECONNABORTED: continue
    default: throw .last
    }
  }
}

/// Bounds the kernel's send buffer of a connection, and makes small messages go out at once.
public func prepareForSmallMessages(_ connection: Int32, sendBuffer: Int32) {
  var (yes, bytes) = (Int32(1), sendBuffer)
  let size = socklen_t(MemoryLayout<Int32>.size)
  unsafe setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, size)
  unsafe setsockopt(connection, SOL_SOCKET, SO_SNDBUF, &bytes, size)
}

/// The end of a TCP connection or listener.
public struct InternetEnd: Equatable, Sendable {
  /// The numeric address.
  public let address: InternetAddress
  /// The TCP port.
  public let port: UInt16

  /// This end of a socket; nil if it is none of TCP.
  public static func own(of socket: Int32) -> InternetEnd? {
    unsafe end { address, size in unsafe getsockname(socket, address, size) }
  }

  /// The other end of a connection; nil if it is none of TCP, or gone.
  public static func peer(of socket: Int32) -> InternetEnd? {
    unsafe end { address, size in unsafe getpeername(socket, address, size) }
  }

  private static func end(_ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32)
    -> InternetEnd?
  {
    var found = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let status = unsafe withUnsafeMutablePointer(to: &found) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe call($0, &size) }
    }
    guard status == 0 else { return nil }
    let isSix = found.sin6_family == sa_family_t(AF_INET6)
    guard isSix || found.sin6_family == sa_family_t(AF_INET) else { return nil }
    let port = UInt16(bigEndian: found.sin6_port)
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    var six = found.sin6_addr
    let isWritten =
      if isSix {
        unsafe inet_ntop(AF_INET6, &six, &text, socklen_t(text.count)) != nil
      } else {
        unsafe withUnsafePointer(to: &found) { pointer in
          unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            var four = unsafe $0.pointee.sin_addr
            return unsafe inet_ntop(AF_INET, &four, &text, socklen_t(text.count)) != nil
          }
        }
      }
    guard isWritten else { return nil }
    let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return InternetAddress(String(decoding: bytes, as: UTF8.self)).map { InternetEnd(address: $0, port: port) }
  }
}

/// Whether a descriptor from another process is a TCP socket that listens; it is closed on exec and does not block then.
public func claimInternetListener(_ descriptor: Int32) -> Bool {
  var (value, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
  let flags = fcntl(descriptor, F_GETFL)
  guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0, value == 1 else { return false }
  return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    && InternetEnd.own(of: descriptor) != nil && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0
}
