// SPDX-License-Identifier: MIT

private import CLinux
private import Glibc

/// A file in memory that other programs of the same user can open by its path while this process has it.
public final class MemoryFile {
  private let descriptor: Int32

  /// A file with this content.
  public init(_ bytes: [UInt8]) throws(SystemError) {
    descriptor = unsafe linux_memfd_create("headerd-file")
    guard descriptor >= 0 else { throw .last }
    try writeAll(bytes, to: descriptor)
  }

  deinit { close(descriptor) }

  /// Where it can be opened.
  public var path: String { "/proc/\(getpid())/fd/\(descriptor)" }
}
