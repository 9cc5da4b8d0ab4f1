// SPDX-License-Identifier: MIT
//
// The daemon under a service manager, by systemd's two protocols and without its library. sd_listen_fds(3): sockets that the manager
// listens on are descriptors 3 and up of the process, counted by LISTEN_FDS, and meant for it if LISTEN_PID is its number. sd_notify(3):
// lines of KEY=VALUE go as a datagram to the socket that NOTIFY_SOCKET names.
//
//     manager ──LISTEN_FDS──▶ HandedSockets ─▶ the connections that wait
//     manager ◀──READY=1, RELOADING=1, STOPPING=1, STATUS=…, WATCHDOG=1── ServiceManager

internal import Clocks
internal import EventLoop
internal import HeaderModel
private import Posix

/// A place where connections come from.
protocol ListeningPlace: AnyObject {
  func close()
}

// MARK: - Sockets

/// A listening socket of the manager's.
struct HandedSocket: Equatable {
  var descriptor: Int32
  var path: String

  /// The first descriptor that a manager hands over.
  private static let first: Int32 = 3

  /// The sockets that this process was started with; none without a manager. A second call finds none.
  /// - Throws: which of them is no listening Unix stream socket.
  static func takeAll() throws(StartupError) -> [HandedSocket] {
    let process = environmentValue("LISTEN_PID")
    guard let count = environmentValue("LISTEN_FDS"), process == String(ownProcess()) else { return [] }
    for name in ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"] { removeEnvironmentValue(name) }
    guard let count = Int32(count), count >= 0, count <= 1024 else {
      throw StartupError(message: "LISTEN_FDS: expected a number of descriptors, got \"\(count)\"")
    }
    var sockets: [HandedSocket] = []
    for descriptor in first..<first + count {
      guard case .listening(let path) = claimDescriptor(descriptor) else {
        throw StartupError(
          message: "descriptor \(descriptor), handed over by LISTEN_FDS, is no listening Unix stream socket; "
            + "a .socket unit has ListenStream=PATH and no Accept=yes")
      }
      sockets.append(HandedSocket(descriptor: descriptor, path: path))
    }
    return sockets
  }
}

/// Listeners on the manager's sockets. Their files are the manager's: they are neither made, watched nor removed here, and a client that
/// connects while no daemon runs waits for the next one.
final class HandedSockets: ListeningPlace {
  private var listeners: [Box<UnixListener>] = []

  init(
    _ sockets: [HandedSocket], backlog: Int, on loop: Loop, _ log: DaemonLog, _ reception: Reception
  ) throws(UVError) {
    for socket in sockets {
      let listener = try UnixListener(adopting: socket.descriptor, backlog: Int32(clamping: backlog), on: loop)
      reception.attach(to: listener, log)
      listeners.append(Box(listener))
    }
  }

  func close() { listeners = [] }
}

// MARK: - Notifications

/// Sends notifications to the service manager; without a manager there are none.
final class ServiceManager {
  private let socket: String
  private let log: DaemonLog
  private let watchdogMicroseconds: Int64?
  private var watchdog: Watchdog?
  private var hasToldFailure = false

  /// Finds the manager that started this process; nil if it wants no notifications. A second call finds none.
  init?(_ log: DaemonLog) {
    guard let socket = environmentValue("NOTIFY_SOCKET"), let first = socket.first, first == "/" || first == "@" else {
      return nil
    }
    self.socket = socket
    self.log = log
    let isMeant = environmentValue("WATCHDOG_PID").map { $0 == String(ownProcess()) } ?? true
    let time = environmentValue("WATCHDOG_USEC").flatMap { Int64($0) } ?? 0
    // A day at most: it may be told more often than it asks for.
    watchdogMicroseconds = isMeant && time > 0 ? min(time, 86_400_000_000) : nil
    for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { removeEnvironmentValue(name) }
  }

  /// Reports that the daemon serves, or that it has read its config anew.
  func ready(_ status: String) { tell("READY=1\nSTATUS=\(status)") }

  /// Reports that the config is being read anew; `ready` ends it.
  func reloading() {
    tell("RELOADING=1\nMONOTONIC_USEC=\(monotonicTime().nanoseconds / 1000)\nSTATUS=reading the config")
  }

  /// Gives it a status, from any thread.
  var teller: @Sendable (String) -> Void { { [socket] in try? sendDatagram("STATUS=\($0)", to: socket) } }

  /// Reports that the daemon takes no connections any more.
  func stopping(_ status: String) { tell("STOPPING=1\nSTATUS=\(status)") }

  /// Begins to report regularly that all threads turn, if the manager wants that. Call it before they run.
  func watch(_ loops: [Loop]) throws(UVError) {
    guard let watchdogMicroseconds, let own = loops.first else { return }
    watchdog = try Watchdog(
      on: own, others: Array(loops.dropFirst()), every: watchdogMicroseconds * 1000 / 2,
      { [unowned self] in self.tell("WATCHDOG=1") })
  }

  /// The loops are about to be closed.
  func endWatch() { watchdog = nil }

  private func tell(_ text: String) {
    do {
      try sendDatagram(text, to: socket)
    } catch {
      if !hasToldFailure { log.log(.warning, "managerNotTold", [("socket", socket), ("reason", error.text)]) }
      hasToldFailure = true
    }
  }
}
