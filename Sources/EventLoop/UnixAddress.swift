// SPDX-License-Identifier: MIT
//
// Paths as socket addresses. The kernel takes at most 107 bytes and a NUL; libuv 1.44 cuts a longer path off without a
// word and would bind another file, so every path passes here first. The empty path (Linux then makes up a name) and a
// path with a NUL in it are refused as well.

internal import Glibc

enum UnixAddress {
  /// The longest path in bytes, without the NUL at its end.
  static let pathMax = 107

  /// Throws `ENAMETOOLONG` or `EINVAL` for a path that cannot be an address.
  static func check(_ path: String, for call: String) throws(UVError) {
    if path.utf8.count > pathMax { throw UVError(code: -ENAMETOOLONG, call: call, subject: path) }
    if path.isEmpty || path.utf8.contains(0) { throw UVError(code: -EINVAL, call: call, subject: path) }
  }

  /// Calls `bind` or `connect`, passed as `body`, with the path's address; what it returns, comes back.
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
