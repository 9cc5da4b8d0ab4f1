// SPDX-License-Identifier: MIT
//
// A daemon locks a file beside its socket, PATH.lock, before it looks at the socket. A stale socket is found by connecting to it, and
// then removed; in between another daemon may have made it its own. The kernel releases the lock when the process ends, for whatever
// reason.
//
// The holder of the lock removes the file. So a lock counts only if its file is still the one at the path.

private import Glibc
private import Posix

/// The right to listen at a place. Letting go of it gives it back.
package final class SocketLockFile {
  private let path: String
  private let descriptor: Int32

  /// Takes the lock; nil when another process has it.
  /// - Parameter socket: the socket's path.
  init?(of socket: String) throws(StartupError) {
    path = socket + ".lock"
    while true {
      let file = try Self.open(path, of: socket)
      do {
        guard try tryLock(file) else {
          close(file)
          return nil
        }
      } catch {
        close(file)
        throw StartupError("flock", path, error)
      }
      if Self.isFile(file, at: path) {
        descriptor = file
        return
      }
      // The holder has removed the file in between.
      close(file)
    }
  }

  private static func open(_ path: String, of socket: String) throws(StartupError) -> Int32 {
    do {
      return try openFile(path, for: .updating)
    } catch {
      // Without the folder the socket cannot be bound either, which says more.
      let isNowhere = error.code == ENOENT || error.code == ENOTDIR
      throw StartupError(isNowhere ? "bind" : "open", isNowhere ? socket : path, error)
    }
  }

  /// Whether the file is still there, so that others see that it is locked.
  var holds: Bool { Self.isFile(descriptor, at: path) }

  private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    guard let mine = try? FileStatus(of: descriptor) else { return false }
    return (try? FileStatus(of: path, followsLinks: false))?.identity == mine.identity
  }

  deinit {
    if holds { try? removeFile(path) }
    close(descriptor)
  }
}
