// SPDX-License-Identifier: MIT
//
// Listening TCP sockets: those that a service manager hands over (sd_listen_fds(3)), else one of our own.

internal import BridgeProgram
internal import Clocks
internal import EventLoop
internal import Glibc
internal import HeaderConfig
internal import Posix

final class Listener {
  struct Socket {
    var descriptor: Int32
    var address: InternetAddress
    var port: UInt16
  }

  private let socket: Socket
  private let loop: Loop
  private let accepted: (Int32) -> Void
  private let failed: (SystemError) -> Void
  private let pause: Timer
  private var watcher: Box<DescriptorWatcher>?

  /// Connections that are accepted in one turn.
  private static let maxAccepted = 32
  /// Nanoseconds until it is tried again where none could be accepted.
  private static let restTime: Int64 = 100_000_000

  /// The sockets that the process has, or a new one.
  static func open(_ setup: Setup) throws(StartupError) -> [Socket] {
    let handed = try handedOver()
    if !handed.isEmpty { return handed }
    let port = UInt16(setup.config.listen.port)
    do throws(SocketRefusal) {
      let descriptor = try listen(on: setup.address, port: port)
      return [socket(descriptor)].compactMap { $0 }
    } catch {
      throw StartupError(message: "\(error.call) \(setup.address.inURL):\(port): \(error.error.text)")
    }
  }

  private static func socket(_ descriptor: Int32) -> Socket? {
    InternetEnd.own(of: descriptor).map { Socket(descriptor: descriptor, address: $0.address, port: $0.port) }
  }

  private static func handedOver() throws(StartupError) -> [Socket] {
    guard let count = environmentValue("LISTEN_FDS"), environmentValue("LISTEN_PID") == String(ownProcess()) else {
      return []
    }
    for name in ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"] { removeEnvironmentValue(name) }
    guard let count = Int32(count), (0...1024).contains(count) else {
      throw StartupError(message: "LISTEN_FDS: expected a number of descriptors, got \"\(count)\"")
    }
    var sockets: [Socket] = []
    for descriptor in 3..<3 + count {
      guard claimInternetListener(descriptor), let socket = socket(descriptor) else {
        throw StartupError(
          message: "descriptor \(descriptor), handed over by LISTEN_FDS, is no listening TCP socket; "
            + "a .socket unit has ListenStream=ADDRESS:PORT and no Accept=yes")
      }
      sockets.append(socket)
    }
    return sockets
  }

  /// - Parameters:
  ///   - accepted: called with each connection's descriptor, which is the callee's.
  ///   - failed: called when none could be accepted.
  init(
    _ socket: Socket, on loop: Loop, accepted: @escaping (Int32) -> Void, failed: @escaping (SystemError) -> Void
  ) throws(UVError) {
    self.socket = socket
    self.loop = loop
    self.accepted = accepted
    self.failed = failed
    pause = Timer(on: loop)
    try watch()
    pause.fired = { [unowned self] in
      do throws(UVError) { try watch() } catch { rest() }
    }
  }

  private func watch() throws(UVError) {
    let watcher = try DescriptorWatcher(socket.descriptor, on: loop)
    watcher.ready = { [unowned self] in acceptSome() }
    self.watcher = Box(watcher)
  }

  private func acceptSome() {
    for _ in 0..<Self.maxAccepted {
      do throws(SystemError) {
        guard let connection = try acceptConnection(of: socket.descriptor) else { return }
        accepted(connection)
      } catch {
        failed(error)
        return rest()
      }
    }
  }

  /// Stops accepting for a while: without a free descriptor the socket stays readable, and the loop would spin.
  private func rest() {
    watcher = nil
    pause.arm(at: loop.now + Self.restTime)
  }

  deinit {
    watcher = nil
    close(socket.descriptor)
  }
}
