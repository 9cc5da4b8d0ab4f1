// SPDX-License-Identifier: MIT
//
// Files of at most so many bytes. In folders with untrusted content another user may have put a link, a FIFO or something endless in a
// file's place.

private import CLinux
private import Glibc

/// Why a file is not read.
public struct FileRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// The error in words.
  public let reason: String
  /// The same for sentences that may be about any error.
  public var description: String { reason }
}

/// All bytes of a regular file. Nothing is waited for.
/// - Parameters:
///   - limit: bytes that it may have.
///   - followsLinks: whether it may be behind a symbolic link.
/// - Throws: it is not there, is something else, or is larger.
public func contents(
  ofRegularFile path: String, atMost limit: Int, followsLinks: Bool = false
) throws(FileRefusal) -> [UInt8] {
  let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
  let file = unsafe open(path, flags)
  guard file >= 0 else {
    throw FileRefusal(reason: errno == ELOOP ? "it is a symbolic link and no file" : SystemError.last.text)
  }
  defer { close(file) }
  do throws(SystemError) {
    let status = try FileStatus(of: file)
    guard status.isRegular else { throw .notRegular }
    return try bytes(of: file, atMost: limit, expected: Int(status.size))
  } catch { throw FileRefusal(error, limit) }
}

/// All bytes of a file of any kind, a pipe too. Links are followed, and writers waited for.
/// - Parameter limit: bytes that it may have.
/// - Throws: it cannot be read, or is larger.
public func contents(ofFile path: String, atMost limit: Int) throws(FileRefusal) -> [UInt8] {
  do throws(SystemError) {
    let file = try openFile(path, for: .reading)
    defer { close(file) }
    return try bytes(of: file, atMost: limit)
  } catch { throw FileRefusal(error, limit) }
}

private func bytes(of file: Int32, atMost limit: Int, expected: Int = 0) throws(SystemError) -> [UInt8] {
  guard expected <= limit else { throw .tooLarge }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(expected)
  while bytes.count <= limit {
    let more = try readSome(from: file)
    if more.isEmpty { return bytes }
    bytes += more
  }
  throw .tooLarge
}

extension FileRefusal {
  fileprivate init(_ error: SystemError, _ limit: Int) {
    switch error {
    case .notRegular: reason = "it is no regular file"
    case .tooLarge: reason = "it is larger than \(limit) bytes"
    default: reason = error.text
    }
  }
}

extension SystemError {
  fileprivate static let notRegular = SystemError(code: -1)
  fileprivate static let tooLarge = SystemError(code: -2)
}

/// Returns free memory to the system, which gaps between allocations would otherwise keep in the process.
public func releaseFreeMemory() { _ = linux_malloc_trim() }
