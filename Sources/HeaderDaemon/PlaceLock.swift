// SPDX-License-Identifier: MIT
//
// Who listens at a place holds the lock of a file beside the socket, PATH.lock, from before it looks at the socket. A stale
// socket can only be told by trying it and then removing it, and between the two another daemon may have made it its own.
// The kernel gives the lock back when the process ends, however that happens.
//
// The file is removed by whoever holds its lock. So a lock counts only if its file is still the one at the path.

private import EventLoop
private import Glibc

/// The right to listen at a place. Letting go of it gives it back.
final class PlaceLock {
  private let path: String
  private let descriptor: Int32

  /// Takes the lock; nil when another process has it.
  /// - Parameter socket: the socket's path.
  init?(of socket: String) throws(SocketPlaceError) {
    path = socket + ".lock"
    while true {
      let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
      guard file >= 0 else {
        // Without the folder the socket cannot be bound either, which says more.
        let isNowhere = errno == ENOENT || errno == ENOTDIR
        let error = UVError(
          code: -errno, call: isNowhere ? "bind" : "open", subject: isNowhere ? socket : path)
        throw SocketPlaceError(reason: "\(error)")
      }
      guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
        let reason = errno
        close(file)
        if reason == EWOULDBLOCK { return nil }
        throw SocketPlaceError(reason: "\(UVError(code: -reason, call: "flock", subject: path))")
      }
      if Self.isFile(file, at: path) {
        descriptor = file
        return
      }
      // Its holder has removed it in between.
      close(file)
    }
  }

  /// Whether the file is still there, so that others see that it is locked.
  var holds: Bool { Self.isFile(descriptor, at: path) }

  private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var (mine, there) = (stat(), stat())
    return unsafe fstat(descriptor, &mine) == 0 && lstat(path, &there) == 0 && mine.st_dev == there.st_dev
      && mine.st_ino == there.st_ino
  }

  deinit {
    if holds { unsafe unlink(path) }
    close(descriptor)
  }
}
