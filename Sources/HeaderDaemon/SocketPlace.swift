// SPDX-License-Identifier: MIT
//
// Where the daemon listens: the folder is made and checked, a living daemon is left alone, a stale socket is taken over,
// and what is no socket is never touched.

private import CLinux
private import Glibc
internal import EventLoop
internal import HeaderCore

/// Why the daemon cannot listen at its place.
struct SocketPlaceError: Error {
  var reason: String
}

/// Makes the folder of a socket, if it is the daemon's to make, and frees the path of a stale one.
func prepare(_ place: SocketPath) throws(SocketPlaceError) {
  if let folder = place.folderToMake { try makeFolder(folder, mustBePrivate: place.origin == .temporaryFolder) }
  let state: UnixListener.PathState
  do {
    state = try UnixListener.inspect(path: place.path)
  } catch {
    throw SocketPlaceError(reason: "\(error)")
  }
  switch state {
  case .free: break
  case .answering:
    throw SocketPlaceError(
      reason: "another headerd already listens on \(place.path); stop it, or choose another place with --socket")
  case .stale:
    guard unsafe unlink(place.path) == 0 else {
      throw SocketPlaceError(reason: "\(place.path) is a stale socket and cannot be removed: \(errorText())")
    }
  case .occupied:
    throw SocketPlaceError(
      reason: "\(place.path) exists and is no socket; it is left alone, choose another place with --socket")
  }
}

private func makeFolder(_ folder: String, mustBePrivate: Bool) throws(SocketPlaceError) {
  if unsafe mkdir(folder, 0o700) == 0 { return }
  guard errno == EEXIST else { throw SocketPlaceError(reason: "\(folder) cannot be made: \(errorText())") }
  guard mustBePrivate else { return }
  // Under /tmp anybody could have made it first.
  var status = stat()
  guard unsafe lstat(folder, &status) == 0 else { throw SocketPlaceError(reason: "\(folder): \(errorText())") }
  guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
    throw SocketPlaceError(
      reason: "\(folder) must be a folder of user \(geteuid()) with mode 0700; remove it, or set XDG_RUNTIME_DIR")
  }
}

private func errorText() -> String { unsafe String(cString: strerror(errno)) }
