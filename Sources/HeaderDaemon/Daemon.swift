// SPDX-License-Identifier: MIT
//
// The shell: sockets, signals, the clock, the files. It wires the rooms below together and carries out what the service
// decides; it decides nothing about headers itself.
//
//     Loop ─▶ UnixStream ─▶ Connection ─▶ Service ─▶ Header ─▶ … ─▶ Service ─▶ Connection ─▶ UnixStream
//               (bytes)      (the time)   (decides)                             (bytes)
//
// Life: start (config, plugins, socket, headers) → run → SIGTERM or SIGINT: drain, remove the socket, end with 0.
// SIGHUP reads the config anew and keeps the old one when the new one has a mistake. With `plugins.watch` a plugin whose
// file changes is reloaded in between (PluginWatch.swift).

private import Glibc
private import EventLoop
internal import HeaderConfig
internal import HeaderCore
internal import HeaderService
private import PluginHost

/// The name and version that the daemon gives itself.
public let headerdVersion = "0.1.0"

/// A running daemon.
public final class Daemon: ConnectionKeeper {
  private let options: DaemonOptions
  private let surroundings: Surroundings
  private var loaded: LoadedConfig
  private let place: SocketPath
  private let log: DaemonLog
  private let keeper: PluginKeeper
  private let wires = Wires()
  private let service: Service
  private let loop: Loop
  private var listener: UnixListener?
  private var roles: PeerRoles
  private var timer: EventLoop.Timer?
  private var pluginWatch: PluginWatch?
  private var signals: [Held<SignalWatcher>] = []
  private var drainDeadline: Int64?

  /// How long a drain may take before connections that do not read are cut off.
  private static let drainTime: Int64 = 3_000_000_000

  /// Reads the config, loads the plugins, opens the configured headers and listens.
  /// - Throws: why it cannot, in words.
  public init(_ options: DaemonOptions) throws(StartupError) {
    self.options = options
    surroundings = Surroundings()
    loaded = try loadConfig(options, surroundings)
    let config = loaded.config
    place = SocketPath.resolve(
      option: options.socket, environment: surroundings.environment, configured: config.socket.path,
      user: surroundings.user)
    log = DaemonLog(level: config.log.level)
    roles = PeerRoles(config.roles)
    keeper = PluginKeeper(
      folders: pluginFolders(
        environment: surroundings.environment, configured: config.plugins.folders, executable: surroundings.executable))
    for error in try loadPlugins(config.plugins.load, into: keeper.registry) {
      log.log(.warning, "pluginRefused", [("reason", sentence(error))])
    }
    let headers = try checkedHeaders(config, keeper.registry)
    var settings = ServiceSettings(wallClockMicroseconds: wallClockMicroseconds)
    settings.limits = config.limits
    settings.server = "headerd \(headerdVersion)"
    let keeper = self.keeper
    settings.statistics = { reset in
      ["memory": .number(Double(residentBytes())), "plugins": keeper.statistics(reset: reset)]
    }
    service = Service(settings: settings, plugins: keeper, output: wires, log: log)
    do {
      try prepare(place)
      loop = try Loop()
      try listen(config)
    } catch let error as SocketPlaceError {
      throw StartupError(message: error.reason)
    } catch {
      throw StartupError(message: "\(error)")
    }
    for header in headers {
      do { try service.open(header) } catch { throw StartupError(message: sentence(error)) }
    }
    warnOfUnknownNames()
    watchPlugins(config.plugins.watch)
  }

  /// Serves until SIGTERM or SIGINT.
  /// - Returns: the exit status.
  public func run() -> Int32 {
    log.log(
      .info, "started",
      [
        ("version", headerdVersion), ("socket", place.path), ("plugins", String(keeper.registry.plugins.count)),
        ("headers", String(service.headerCount)), ("config", loaded.file ?? "defaults"),
      ])
    loop.atEndOfTurn = { [unowned self] in self.endOfTurn() }
    loop.run()
    // From here on the process ends by itself: a second signal would only take its exit status away.
    holdBackSignals([SIGTERM, SIGINT, SIGHUP])
    listener?.removeFile()
    listener = nil
    timer = nil
    pluginWatch = nil
    signals = []
    wires.closeAll()
    loop.atEndOfTurn = nil
    log.log(.info, "stopped", [])
    do {
      try loop.close()
    } catch {
      log.log(.error, "loopNotClosed", [("reason", "\(error)")])
    }
    return 0
  }

  // MARK: - Listening

  private func listen(_ config: Config) throws {
    let listener = try UnixListener(
      path: place.path, mode: config.socket.mode, backlog: Int32(clamping: config.socket.backlog), on: loop)
    listener.accepted = { [unowned self] stream in self.accept(stream) }
    listener.failed = { [unowned self] error in self.log.log(.error, "acceptFailed", [("reason", "\(error)")]) }
    self.listener = consume listener
    let timer = EventLoop.Timer(on: loop)
    timer.fired = { [unowned self] in self.service.tick(at: self.loop.now) }
    self.timer = consume timer
    try watch(SIGTERM) { [unowned self] in self.stop("SIGTERM") }
    try watch(SIGINT) { [unowned self] in self.stop("SIGINT") }
    try watch(SIGHUP) { [unowned self] in self.rereadConfig() }
  }

  private func watch(_ signal: Int32, _ act: @escaping () -> Void) throws {
    let watcher = try SignalWatcher(signal, on: loop)
    watcher.received = act
    signals.append(Held(watcher))
  }

  private func accept(_ stream: consuming UnixStream) {
    let peer: UnixStream.Peer
    do {
      peer = try stream.peer()
    } catch {
      log.log(.warning, "peerUnknown", [("reason", "\(error)")])
      stream.close()
      return
    }
    let client = HeaderService.Peer(
      name: "uid=\(peer.uid) pid=\(peer.pid)", roles: roles.roles(user: peer.uid, groups: [peer.gid] + peer.groups))
    let id = service.nextConnection
    let connection = Connection(stream, id: id, loop: loop, service: service, keeper: self)
    wires.add(connection)
    let given = service.connected(client, at: loop.now)
    precondition(given == id, "headerd bug: the service numbered a connection otherwise than it said")
    connection.start()
  }

  func gone(_ id: ConnectionID) {
    service.disconnected(id)
    // The stream is still telling us: it may go only after this turn.
    wires.retire(id)
  }

  /// Once a turn, before output is written: when does something happen by itself next?
  private func endOfTurn() {
    wires.clearRetired()
    for id in service.takeUnblocked() { wires.readAgain(id) }
    if let drainDeadline {
      if wires.isEmpty || loop.now >= drainDeadline { return loop.stop() }
      timer?.arm(at: drainDeadline)
    } else if let wake = service.nextWake {
      timer?.arm(at: wake)
    } else {
      timer?.disarm()
    }
  }

  // MARK: - Signals

  private func stop(_ signal: String) {
    guard drainDeadline == nil else { return }
    log.log(.info, "stopping", [("signal", signal), ("connections", String(service.connectionCount))])
    listener?.removeFile()
    listener = nil
    pluginWatch = nil
    service.drain()
    drainDeadline = loop.now + Self.drainTime
  }

  /// Reads the config file anew. A mistake in it keeps the old one; what only a restart can change is named.
  private func rereadConfig() {
    let next: LoadedConfig
    let headers: [HeaderDescription]
    do throws(StartupError) {
      next = try loadConfig(options, surroundings)
      headers = try checkedHeaders(next.config, keeper.registry)
    } catch {
      for line in error.message.split(separator: "\n") {
        log.log(.error, "configRefused", [("reason", String(line)), ("kept", "the old one")])
      }
      return
    }
    let restart = Config.changesNeedingRestart(from: loaded.config, to: next.config)
    for header in headers where !loaded.config.headers.contains(where: { $0.name == header.header }) {
      do {
        try service.open(header)
      } catch {
        log.log(.error, "headerRefused", [("header", header.header), ("reason", sentence(error))])
      }
    }
    var limits = next.config.limits
    limits.connections = loaded.config.limits.connections
    limits.headers = loaded.config.limits.headers
    service.settings.limits = limits
    log.level = next.config.log.level
    roles = PeerRoles(next.config.roles)
    keeper.registry.folders = pluginFolders(
      environment: surroundings.environment, configured: next.config.plugins.folders,
      executable: surroundings.executable)
    watchPlugins(next.config.plugins.watch)
    loaded = next
    warnOfUnknownNames()
    var facts = [(key: "config", value: next.file ?? "defaults")]
    if !restart.isEmpty { facts.append(("needsRestart", restart.joined(separator: ","))) }
    log.log(restart.isEmpty ? .info : .warning, "configRead", facts)
  }

  // MARK: - Hot reload

  /// Begins to watch the plugins' files, or ends it.
  private func watchPlugins(_ isWanted: Bool) {
    guard isWanted else {
      pluginWatch = nil
      keeper.changed = nil
      return
    }
    if let pluginWatch { return pluginWatch.lookAgain() }
    pluginWatch = PluginWatch(
      keeper.registry, on: loop, reload: { [unowned self] in self.reloadChanged($0) },
      complain: { [unowned self] folder, reason in
        self.log.log(.warning, "notWatched", [("folder", folder), ("reason", reason)])
      })
    keeper.changed = { [unowned self] in self.pluginWatch?.lookAgain() }
  }

  /// A plugin's file holds something new.
  private func reloadChanged(_ plugin: String) {
    do throws(HeaderError) {
      let headers = try service.reloadPlugin(plugin, at: loop.now)
      log.log(.info, "pluginReloaded", [("plugin", plugin), ("headers", String(headers.count))])
    } catch {
      log.log(.warning, "pluginRefused", [("plugin", plugin), ("reason", sentence(error)), ("kept", "the old one")])
    }
  }

  private func warnOfUnknownNames() {
    for name in roles.unknownNames {
      log.log(.warning, "unknownMember", [("name", name), ("reason", "there is no user or group of that name")])
    }
  }
}

/// The sockets behind the service's connections.
private final class Wires: ServiceOutput {
  private var connections: [ConnectionID: Connection] = [:]
  private var retired: [Connection] = []

  var isEmpty: Bool { connections.isEmpty }

  func add(_ connection: Connection) { connections[connection.id] = connection }

  func retire(_ id: ConnectionID) {
    if let connection = connections.removeValue(forKey: id) { retired.append(connection) }
  }

  func readAgain(_ id: ConnectionID) { connections[id]?.updateReading() }

  func clearRetired() { if !retired.isEmpty { retired.removeAll() } }

  func closeAll() {
    for connection in connections.values { connection.close() }
    connections = [:]
    retired = []
  }

  func send(_ bytes: RawSpan, to connection: ConnectionID) { connections[connection]?.send(bytes) }
  func queuedBytes(of connection: ConnectionID) -> Int { connections[connection]?.queuedBytes ?? 0 }
  func close(_ connection: ConnectionID) { connections[connection]?.closeWhenWritten() }
  func output(of connection: ConnectionID) -> any ConnectionOutput {
    guard let output = connections[connection] else {
      preconditionFailure("headerd bug: the service is told of a connection before the wires are")
    }
    return output
  }
}

/// A noncopyable handle in an array's place.
private final class Held<Handle: ~Copyable> {
  let handle: Handle
  init(_ handle: consuming Handle) { self.handle = handle }
}

private func wallClockMicroseconds() -> Int64 {
  var now = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &now)
  return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
}

/// Resident memory in bytes, 0 when the system does not say.
private func residentBytes() -> Int {
  let file = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return 0 }
  defer { close(file) }
  var text = [UInt8](repeating: 0, count: 128)
  let count = unsafe text.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
  let fields = String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
  return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
}
