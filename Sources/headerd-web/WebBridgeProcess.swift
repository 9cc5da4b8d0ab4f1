// SPDX-License-Identifier: MIT
//
// The process: listeners, the server, signals, and one `Page` for each WebSocket.
//
//     listener ──accept──▶ ConnectionCounts ──▶ WebServer.adopt
//                                                   │ a WebSocket
//                                                   ▼
//                          Admission ◀── admit ── WebServer ──▶ Page ──▶ the daemon's socket

internal import BridgeProgram
internal import Clocks
internal import EventLoop
internal import Fanout
internal import Glibc
internal import HeaderConfig
internal import HeaderModel
internal import Installation
internal import Posix
internal import WebBridge
internal import WebSockets

/// Runs until a signal ends it.
final class WebBridgeProcess {
  private let setup: Setup
  private let loop: Loop
  private let signals: EndSignals
  private var listeners: [Listener] = []
  private var server: WebServer?
  private let admission: Admission
  private var counts: ConnectionCounts
  private var pages: [ObjectIdentifier: Page] = [:]
  private let log = WebLogWriter()
  private let manager = ServiceNotifier()

  /// Bytes that the kernel may hold for a page that does not read: about a second of states.
  private static let sendBuffer: Int32 = 65_536

  init(_ setup: Setup) throws(StartupError) {
    self.setup = setup
    counts = ConnectionCounts(setup.config.limits)
    do throws(UVError) { loop = try Loop() } catch { throw StartupError(message: error.description) }
    signals = try EndSignals(stopping: loop)
    let sockets = try Listener.open(setup)
    let isSecure = setup.config.listen.certificate != nil
    admission = Admission(setup.config, ports: sockets.map(\.port), isSecure: isSecure)
    try serve(sockets)
    tell(sockets, isSecure)
  }

  private func serve(_ sockets: [Listener.Socket]) throws(StartupError) {
    var settings = WebServer.Settings()
    settings.pages = setup.pages
    settings.headers = Self.headers
    if let certificate = setup.config.listen.certificate, let key = setup.config.listen.privateKey {
      settings.tls = (certificate, key)
    }
    settings.connections = setup.config.limits.connections
    settings.idlePing = UInt16(clamping: setup.config.limits.idlePing)
    do throws(WebServer.StartError) {
      server = try WebServer(settings, on: loop, owner: self)
    } catch {
      throw StartupError(message: error.message)
    }
    for socket in sockets {
      do throws(UVError) {
        listeners.append(
          try Listener(
            socket, on: loop, accepted: { [unowned self] in accepted($0) },
            failed: { [unowned self] in log.write("connectionRefused", [("reason", $0.text)]) }))
      } catch {
        throw StartupError(message: error.description)
      }
    }
  }

  /// Pages run their own scripts and styles, connect here, and cannot be framed by others.
  private static let headers = [
    (
      "content-security-policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin"),
  ]

  /// Logs each address, one a line.
  private func tell(_ sockets: [Listener.Socket], _ isSecure: Bool) {
    for socket in sockets {
      let host = socket.address.isAny ? "localhost" : socket.address.inURL
      let token = setup.madeToken.map { "#token=\($0)" } ?? ""
      print("headerd-web \(headerdVersion) serves \(isSecure ? "https" : "http")://\(host):\(socket.port)/\(token)")
    }
    fflush(nil)
    if setup.config.pages.serve, setup.pages == nil { log.write("noPages", [("reason", "no playground is installed")]) }
  }

  func run() -> Int32 {
    signals.runLoop(manager)
    end()
    return 0
  }

  private func end() {
    listeners = []
    for page in pages.values { page.endForShutdown() }
    // One more turn, in which last messages are written.
    let deadline = Timer(on: loop)
    deadline.fired = { [unowned self] in loop.stop() }
    deadline.arm(at: loop.now + 20_000_000)
    loop.run()
    deadline.disarm()
    server?.close()
    // Connections and the library's own handles close in turns of the loop, which ends when the last one has closed; they call back here
    // until then.
    loop.run()
  }

  private func accepted(_ connection: Int32) {
    let address = InternetEnd.peer(of: connection)?.address.description ?? "unknown"
    guard counts.add(address) else {
      close(connection)
      return log.write("connectionRefused", [("address", address), ("reason", "too many connections")])
    }
    prepareForSmallMessages(connection, sendBuffer: Self.sendBuffer)
    if server?.adopt(connection, from: address) != true { counts.remove(address) }
  }
}

extension WebBridgeProcess: WebServerOwner {
  func admit(_ request: WebRequest) -> WebVerdict {
    do throws(Admission.Refusal) {
      let (roles, name) = try admission.roles(origin: request.origin, token: request.token)
      let page = Page(
        roles, name: name, request.encoding, socket: setup.socket, limits: setup.config.limits, on: loop
      ) { [weak self] page, reason in
        self?.pages[ObjectIdentifier(page)] = nil
        guard let reason else { return }
        self?.log.write("pageEnded", [("address", request.address), ("token", name), ("reason", reason)])
      }
      pages[ObjectIdentifier(page)] = page
      return .admitted(page)
    } catch {
      log.write("pageRefused", [("address", request.address), ("reason", error.message)])
      return .refused(status: error.status, reason: error.message)
    }
  }

  func connectionEnded(from address: String) { counts.remove(address) }
}
