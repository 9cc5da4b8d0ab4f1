// SPDX-License-Identifier: MIT
//
// Keeps the daemon reachable: it holds the place's lock, listens, and makes the socket's file again when it was deleted, for example by a
// cleaner of /tmp. The kernel reports that the file has changed; the keeper looks up how.
//
//     file gone ─▶ the lock still ours, or free? ─▶ bind anew, log `socketRemade`
//                                       └─ no ────▶ log `socketLost`, look again every second

internal import Clocks
internal import EventLoop
internal import Fanout
internal import HeaderConfig
internal import HeaderModel
internal import Installation

/// The treatment of clients that connect.
struct Reception {
  let accept: (consuming UnixStream) -> Void
  /// The bytes for a client for which there is no descriptor.
  let farewell: [UInt8]
  /// Whether a peer may have one of the last descriptors.
  let isAdministrator: (UnixStream.Peer) -> Bool

  func attach(to listener: borrowing UnixListener, _ log: DaemonLog) {
    listener.accepted = accept
    listener.farewell = farewell
    listener.mayUseReserve = isAdministrator
    listener.failed = { log.log(.error, "acceptFailed", [("reason", "\($0)")]) }
  }
}

/// The daemon's listener and its place.
final class ListenerSocket: ListeningPlace {
  private let place: SocketPath
  private let settings: Config.Socket
  private let loop: Loop
  private let log: DaemonLog
  private let reception: Reception
  private var lock: SocketLockFile?
  private var listener: UnixListener?
  /// The previous listener: clients that have connected to its file are still accepted.
  private var former: UnixListener?
  private var watch: FileWatcher?
  private let retry: EventLoop.Timer
  private var hasToldLoss = false

  /// How long a lost place is left alone, nanoseconds.
  private static let pause: Int64 = 1_000_000_000

  /// Listens.
  /// - Parameter lock: the place's, from `prepare`.
  init(
    _ place: SocketPath, _ lock: SocketLockFile, _ settings: Config.Socket, on loop: Loop, _ log: DaemonLog,
    _ reception: Reception
  ) throws(UVError) {
    self.place = place
    self.lock = lock
    self.settings = settings
    self.loop = loop
    self.log = log
    self.reception = reception
    retry = EventLoop.Timer(on: loop)
    retry.fired = { [unowned self] in self.look() }
    try listen()
  }

  /// Ends it: the file is removed if it is ours, and the place is free for a successor.
  func close() {
    retry.disarm()
    watch = nil
    listener?.removeFile()
    listener = nil
    former = nil
    lock = nil
  }

  private func listen() throws(UVError) {
    let next = try UnixListener(
      path: place.path, mode: settings.mode, backlog: Int32(clamping: settings.backlog), on: loop)
    reception.attach(to: next, log)
    former = listener.take()
    listener = consume next
    do {
      let watch = try FileWatcher(file: place.path, on: loop)
      watch.changed = { [unowned self] _ in self.look() }
      self.watch = consume watch
    } catch {
      watch = nil
      log.log(.warning, "notWatched", [("socket", place.path), ("reason", "\(error)")])
    }
    // What happened between the two is not reported.
    if listener?.hasFile == false { retry.arm(at: loop.now) }
  }

  /// Looks whether the file is still there, and makes it again if not.
  private func look() {
    guard listener != nil, listener?.hasFile == false else { return }
    do {
      if lock?.holds != true {
        // The old listener goes first. Its file is gone anyway, and it must not be in the way of the new one.
        lock = nil
        lock = try prepare(place)
      } else {
        try free(place)
      }
      try listen()
      hasToldLoss = false
      log.log(.warning, "socketRemade", [("socket", place.path), ("reason", "its file was gone")])
    } catch {
      if !hasToldLoss { log.log(.error, "socketLost", [("socket", place.path), ("reason", "\(error)")]) }
      hasToldLoss = true
      retry.arm(at: loop.now + Self.pause)
    }
  }
}
