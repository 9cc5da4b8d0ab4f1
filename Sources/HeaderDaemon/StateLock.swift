// SPDX-License-Identifier: MIT
//
// The lock of a state folder. It counts only as long as its file is the one in the folder: once that is removed, another daemon may make
// one of its own and use the folder.

private import Glibc
private import Locks
private import Posix

/// The right to a state folder. Letting go of it gives it back.
final class StateLock: Sendable {
  /// The path of the folder.
  let folder: String
  private let held: Locked<Held>

  private struct Held {
    var descriptor: Int32
    var identity: FileStatus.Identity
  }

  private var path: String { Self.path(in: folder) }
  private static func path(in folder: String) -> String { "\(folder)/lock" }

  /// Takes the lock of a folder that is there.
  /// - Throws: another daemon has it, or it cannot be had.
  init(of folder: String) throws(StartupError) {
    self.folder = folder
    do throws(SystemError) {
      guard let held = try Self.take(Self.path(in: folder), for: .updating) else {
        throw SystemError(code: EWOULDBLOCK)
      }
      self.held = Locked(held)
    } catch {
      guard error.code != EWOULDBLOCK else {
        throw StartupError(message: "another headerd uses the state folder \(folder)")
      }
      throw StartupError("open", Self.path(in: folder), error)
    }
  }

  deinit { held.withLock { _ = close($0.descriptor) } }

  private static func take(_ path: String, for use: FileUse) throws(SystemError) -> Held? {
    let descriptor = try openFile(path, for: use)
    do throws(SystemError) {
      if try tryLock(descriptor) {
        return Held(descriptor: descriptor, identity: try FileStatus(of: descriptor).identity)
      }
    } catch {
      close(descriptor)
      throw error
    }
    close(descriptor)
    return nil
  }

  /// Why the folder is not this daemon's any more; nil: it is.
  var loss: String? {
    let identity = held.withLock { $0.identity }
    do {
      if try FileStatus(of: path, followsLinks: false).identity == identity { return nil }
      return "\(path) is another file than at the start: another headerd may use the folder"
    } catch {
      return "\(path) is gone: \(error.text)"
    }
  }

  /// Takes the lock again if its file is gone and no other process has made one.
  /// - Returns: why it cannot; nil: it has the lock.
  func regain() -> String? {
    guard let loss else { return nil }
    return held.withLock { held in
      do {
        guard let next = try Self.take(path, for: .creating) else { return loss }
        close(held.descriptor)
        held = next
        return nil
      } catch { return loss }
    }
  }
}
