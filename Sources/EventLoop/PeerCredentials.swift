// SPDX-License-Identifier: MIT
//
// The credentials of the process at the other end of a Unix socket, from the kernel.

internal import CUV
internal import Glibc

extension UnixStream {
  /// The process at the other end, as the kernel knew it when the connection was made.
  public struct Peer: Equatable, Sendable {
    /// The process, in our PID namespace; 0 if it has none there.
    public let pid: Int32
    /// The effective user number.
    public let uid: UInt32
    /// The effective group number.
    public let gid: UInt32
    /// The further groups; empty where the system does not report them (Linux before 4.13).
    public let groups: [UInt32]
  }
}

extension UnixStream.Peer {
  /// Asks the kernel. The corresponding C function is `getsockopt` with `SO_PEERCRED` and `SO_PEERGROUPS`.
  init(of descriptor: Int32) throws(UVError) {
    // `struct ucred`, which the Glibc module does not show: pid, uid, gid.
    var credentials: (pid: Int32, uid: UInt32, gid: UInt32) = (0, 0, 0)
    var size = socklen_t(MemoryLayout.size(ofValue: credentials))
    if unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0 {
      throw UVError.last("getsockopt")
    }
    self.init(
      pid: credentials.pid, uid: credentials.uid, gid: credentials.gid, groups: try Self.groups(descriptor))
  }

  /// The peer's supplementary groups. A list that does not fit comes back as its size in bytes.
  private static func groups(_ descriptor: Int32) throws(UVError) -> [UInt32] {
    var groups = [UInt32](repeating: 0, count: 32)
    while true {
      var size = socklen_t(groups.count * MemoryLayout<UInt32>.stride)
      if unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &groups, &size) == 0 {
        return Array(groups[..<(Int(size) / MemoryLayout<UInt32>.stride)])
      }
      let needed = Int(size) / MemoryLayout<UInt32>.stride
      switch errno {
      case ERANGE where needed > groups.count: groups = [UInt32](repeating: 0, count: needed)
      case ENOPROTOOPT: return []
      default: throw UVError.last("getsockopt")
      }
    }
  }
}
