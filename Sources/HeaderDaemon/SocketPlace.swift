// SPDX-License-Identifier: MIT
//
// Prepares the place where the daemon listens: makes and checks the folder, refuses to replace a living daemon, takes over a stale
// socket, and never touches a file that is no socket.

private import Glibc
internal import EventLoop
internal import HeaderModel
package import Installation
private import Posix

/// Makes the folder of a socket, if it is the daemon's to make, takes the place's lock and frees the path of a stale socket.
/// - Returns: the lock, to be held as long as the place.
@discardableResult
package func prepare(_ place: SocketPath) throws(StartupError) -> SocketLockFile {
  if let folder = place.folderToMake { try makeFolder(folder, mustBePrivate: place.origin == .temporaryFolder) }
  // Where no socket can be, there is no file to be made beside it either.
  _ = try state(of: place)
  guard let lock = try SocketLockFile(of: place.path) else { throw taken(place) }
  try free(place)
  return lock
}

private func taken(_ place: SocketPath) -> StartupError {
  StartupError(
    message: "another headerd already listens on \(place.path); stop it, or choose another place with --socket")
}

/// - Throws: for a place that cannot be used, whether it is locked or not.
private func state(of place: SocketPath) throws(StartupError) -> UnixListener.PathState {
  let state: UnixListener.PathState
  do { state = try UnixListener.inspect(path: place.path) } catch { throw StartupError(message: "\(error)") }
  guard state != .occupied else {
    throw StartupError(
      message: "\(place.path) exists and is no socket; it is left alone, choose another place with --socket")
  }
  return state
}

/// Frees the path of a stale socket. For the holder of the place's lock.
func free(_ place: SocketPath) throws(StartupError) {
  switch try state(of: place) {
  case .free, .occupied: break
  case .answering: throw taken(place)
  case .stale:
    do {
      try removeFile(place.path)
    } catch {
      guard error.code == ENOENT else {
        throw StartupError(message: "\(place.path) is a stale socket and cannot be removed: \(error.text)")
      }
    }
  }
}

private func makeFolder(_ folder: String, mustBePrivate: Bool) throws(StartupError) {
  do {
    return try makePrivateFolder(folder)
  } catch {
    guard error.code == EEXIST else { throw StartupError(message: "\(folder) cannot be made: \(error.text)") }
  }
  guard mustBePrivate else { return }
  // Under /tmp any user could have made it first.
  do {
    let status = try FileStatus(of: folder, followsLinks: false)
    if status.isFolder, status.owner == geteuid(), status.permissions & 0o077 == 0 { return }
  } catch {
    throw StartupError(message: "\(folder): \(error.text)")
  }
  throw StartupError(
    message: "\(folder) must be a folder of user \(geteuid()) with mode 0700; remove it, or set XDG_RUNTIME_DIR")
}
