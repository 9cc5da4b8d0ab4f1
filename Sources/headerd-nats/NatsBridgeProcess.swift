// SPDX-License-Identifier: MIT
//
// The process: NATS, the daemon's socket, the socket for clients, signals, and one `RealmBridge` between them.

internal import BridgeProgram
internal import Clocks
internal import EventLoop
internal import HeaderModel
internal import Nats
internal import NatsBridge
internal import Posix

/// Runs until a signal ends it, or something that cannot be mended.
final class NatsBridgeProcess {
  private let setup: Setup
  private let loop: Loop
  private let signals: EndSignals
  private var connections: [NatsConnection] = []
  /// Whether each of the two connections is up.
  private var isThere = [false, false]
  private var bridge: RealmBridge?
  private let ticks: Timer
  private let polls: Timer
  private var isPolling = false
  private var listener: Box<UnixListener>?
  private var clients: [ObjectIdentifier: ClientConnection] = [:]
  private var daemons: [ObjectIdentifier: DaemonConnection] = [:]
  private var failure: String?

  /// Nanoseconds between two checks of due work.
  private static let tick: Int64 = 20_000_000
  /// Nanoseconds until a loop that has nothing else to do looks for answers that are owed.
  private static let poll: Int64 = 500_000

  init(_ setup: Setup) throws(StartupError) {
    self.setup = setup
    do throws(UVError) { loop = try Loop() } catch { throw StartupError(message: error.description) }
    signals = try EndSignals(stopping: loop)
    do throws(UVError) {
      ticks = Timer(on: loop)
      polls = Timer(on: loop)
      try listen()
    } catch {
      throw StartupError(message: error.description)
    }
    let (bus, logBus) = try (NatsBus(connect(0)), NatsBus(connect(1)))
    let bridge = RealmBridge(setup.bridge, bus: bus, logBus: logBus, host: self, at: loop.now)
    self.bridge = bridge
    ticks.fired = { [unowned self] in
      bridge.tick(at: loop.now)
      ticks.arm(at: loop.now + Self.tick)
    }
    ticks.arm(at: loop.now)
    loop.atEndOfTurn = { [unowned self] in takeAnswers(of: bridge) }
    polls.fired = { [unowned self] in isPolling = false }
  }

  private func connect(_ index: Int) throws(StartupError) -> NatsConnection {
    do throws(NatsError) {
      let connection = try NatsConnection(setup.nats, on: loop, numberingFrom: 1 + index << 40) { [unowned self] in
        take($0, of: index)
      }
      connections.append(connection)
      return connection
    } catch {
      throw StartupError(message: error.message)
    }
  }

  /// Takes the answers that have come, at the end of each turn, and as long as some are owed there is a next turn.
  private func takeAnswers(of bridge: RealmBridge) {
    for connection in connections { connection.poll() }
    guard bridge.awaitsAnswers, !isPolling else { return }
    isPolling = true
    polls.arm(at: loop.now + Self.poll)
  }

  private func listen() throws(UVError) {
    if try UnixListener.inspect(path: setup.listen) == .stale { try? removeFile(setup.listen) }
    let listener = try UnixListener(path: setup.listen, mode: setup.mode, on: loop)
    listener.accepted = { [unowned self] stream in accept(stream) }
    self.listener = Box(listener)
  }

  private func accept(_ stream: consuming UnixStream) {
    guard let bridge else { return }
    let client = ClientConnection(stream, on: loop) { [unowned self] in clients[ObjectIdentifier($0)] = nil }
    clients[ObjectIdentifier(client)] = client
    client.begin(bridge.accepted(client, at: loop.now))
  }

  private func take(_ news: NatsNews, of connection: Int) {
    let now = loop.now
    switch news {
    case .message(let message, let subscription):
      bridge?.received(
        BusMessage(
          subject: message.subject, reply: message.reply, headers: message.headers, bytes: message.bytes),
        subscription: subscription, at: now)
    case .connected:
      isThere[connection] = true
      guard isThere == [true, true] else { return }
      log("natsReached", [])
      bridge?.busConnected(at: now)
    case .disconnected:
      let wasThere = isThere == [true, true]
      isThere[connection] = false
      guard wasThere else { return }
      log("natsAway", [])
      bridge?.busDisconnected(at: now)
    case .slow: log("natsSlow", [])
    case .refused(let reason): log("natsRefused", [("reason", reason)])
    case .closed(let reason): fail("NATS: \(reason)")
    }
  }

  func run() throws(StartupError) -> Int32 {
    signals.runLoop(ServiceNotifier())
    end()
    if let failure { throw StartupError(message: failure) }
    return 0
  }

  private func end() {
    bridge?.shutDown(at: loop.now)
    loop.atEndOfTurn = nil
    // One more turn, in which last messages are written.
    ticks.fired = { [unowned self] in loop.stop() }
    ticks.arm(at: loop.now + 20_000_000)
    loop.run()
    for connection in connections { connection.close() }
    listener?.value.removeFile()
    listener = nil
  }
}

private final class NatsBus: Bus {
  private let connection: NatsConnection

  init(_ connection: NatsConnection) { self.connection = connection }

  func publish(_ bytes: [UInt8], to subject: String, reply: String?, headers: [(name: String, value: String)]) {
    connection.publish(unsafe bytes.span.bytes, to: subject, reply: reply, headers: headers)
  }

  func subscribe(_ subject: String, wantsHeaders: Bool) -> Int? {
    connection.subscribe(subject, wantsHeaders: wantsHeaders)
  }

  func subscribeToAnswers(_ subject: String) -> Int? { connection.subscribePolled(subject) }
  func unsubscribe(_ id: Int) { connection.unsubscribe(id) }
}

extension NatsBridgeProcess: BridgeHost {
  func connectDaemon(_ owner: any DaemonOwner) -> any LineStream {
    var id: ObjectIdentifier?
    let connection = DaemonConnection(to: setup.daemon, on: loop, owner: owner) { [unowned self] in
      if let id { daemons[id] = nil }
    }
    id = ObjectIdentifier(connection)
    daemons[ObjectIdentifier(connection)] = connection
    return connection
  }

  func log(_ event: String, _ facts: [(key: String, value: String)]) {
    try? writeAll(Array(logLine("info", event, facts).utf8), to: standardError)
  }

  func fail(_ reason: String) {
    failure = reason
    loop.stop()
  }
}
