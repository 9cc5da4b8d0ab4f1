// SPDX-License-Identifier: MIT
//
// The shell: sockets, signals, the clock, the files. It puts the rooms below together and carries out what the services decide; it
// decides nothing about headers itself.
//
//     Loop ─▶ UnixStream ─▶ Connection ─▶ Service ─▶ … ─▶ Connection ─▶ UnixStream
//               (bytes)      (the time)   (decides)                      (bytes)
//
// With several threads (LoopThread.swift) each has these from the loop to the service; the listener, the signals and the files stay with
// the first.
//
// Life: start (config, plugins, socket, headers) → run → SIGTERM or SIGINT: drain, remove the socket, end with 0. SIGHUP reads the config
// anew and keeps the old one when the new one has a mistake. With `plugins.watch` a plugin whose file changes is reloaded in between
// (PluginWatch.swift). A service manager may hand over the socket, and is notified of each of these steps (ServiceManager.swift).

internal import Clocks
private import EventLoop
private import Fanout
private import Glibc
internal import HeaderConfig
private import HeaderHost
internal import HeaderModel
private import HeaderService
internal import Installation
private import PluginHost
private import Posix
private import Shards

/// A running daemon: its threads, sockets, plugins and journal.
public final class Daemon {
  private let options: DaemonOptions
  private let surroundings: Surroundings
  private var loaded: LoadedConfig
  /// Where it listens, for people.
  private let socketName: String
  private let log: DaemonLog
  private let keeper: PluginStore
  private let callWatchdog: CallWatchdog
  private let globalCounters: GlobalCounters
  /// The threads with connections and headers. The first one, which runs the daemon, also has the objects below.
  private let threads: [LoopThread]
  private var lastConnection = 0
  private var loop: Loop { threads[0].loop }
  private var socket: (any ListeningPlace)?
  private var metrics: MetricsServer?
  private var journal: JournalRestorer?
  private let manager: ServiceManager?
  private var roles: PeerRoles
  private var pluginWatch: PluginWatch?
  private var signals: [Box<SignalWatcher>] = []

  /// How long a drain may take before connections that do not read are cut off.
  private static let drainTime: Int64 = 3_000_000_000

  /// Seconds that the daemon may take to notice that it is to stop, to drain, and to end, for each of the three; longer than a drain,
  /// which has its own limit.
  private static let lastResort: UInt32 = 5

  /// Reads the config, loads the plugins, opens the configured headers and listens.
  /// - Throws: why it cannot, in words.
  public init(_ options: DaemonOptions) throws(StartupError) {
    // A file that may not grow any more is an error of write, as a full disk is.
    ignoreSignals([SIGUSR1, SIGUSR2, SIGXFSZ])
    self.options = options
    surroundings = Surroundings()
    loaded = try loadConfig(options, surroundings)
    let config = loaded.config
    let count = options.threads ?? config.threads
    let handed = try HandedSocket.takeAll()
    let place = SocketPath.resolve(
      option: options.socket, environment: surroundings.environment, configured: config.socket.path,
      user: surroundings.user)
    socketName = handed.isEmpty ? place.path : handed.map(\.path).joined(separator: ",")
    log = DaemonLog(level: config.log.level)
    manager = ServiceManager(log)
    roles = PeerRoles(config.roles, config.quotas, limits: config.limits)
    keeper = PluginStore(config, surroundings, threads: count, log: log)
    callWatchdog = CallWatchdog(keeper.registry.calls, log, tell: manager?.teller)
    try watchCalls(config.plugins, callWatchdog)
    let check = ConfigCheck(loaded, surroundings, keeper, loadsPlugins: true)
    guard check.errors.isEmpty else { throw StartupError(check) }
    for error in check.refusedPlugins { log.log(.warning, "pluginRefused", [("reason", sentence(error))]) }
    var settings = ServiceSettings {
      let now = wallClock()
      return WallTime(microseconds: Int64(now.seconds * 1_000_000 + now.nanoseconds / 1000))
    }
    settings.limits = config.limits
    if config.metrics.isServed { settings.metricsGroups = config.metrics.groups }
    settings.processStatistics = { ["memory": .number(Double(residentBytes()))] }
    do {
      let lock = handed.isEmpty ? try prepare(place) : nil
      globalCounters = GlobalCounters(shards: count)
      threads = try Self.threads(count, settings, keeper, globalCounters, log)
      for thread in threads { thread.loop.gatheringPause = config.gathering.map { Int64($0) * 1000 } }
      let reception = Reception(
        accept: { [unowned self] in self.accept($0) }, farewell: Service.refusalWithoutDescriptors,
        isAdministrator: { [unowned self] in self.access(of: $0).hasEverywhere(.admin) })
      if let lock {
        socket = try ListenerSocket(place, lock, config.socket, on: loop, log, reception)
      } else {
        socket = try HandedSockets(handed, backlog: config.socket.backlog, on: loop, log, reception)
      }
      try watchSignals()
    } catch {
      throw StartupError(message: "\(error)")
    }
    if config.metrics.isServed {
      metrics = try MetricsServer(config.metrics, mode: config.socket.mode, on: loop) { [unowned self] done in
        self.threads[0].service.gatherMetrics(at: self.loop.now, done: done)
      }
    }
    let code = [headerdVersion] + keeper.registry.plugins.map { String($0.content, radix: 16) }.sorted()
    journal = try JournalRestorer(
      options.state ?? config.state.directory, config.state, threads, code: code.joined(separator: " "), log)
    if journal == nil { keepEpochs(beside: handed.first?.path ?? place.path) }
    var refusal: HeaderError?
    for header in check.headers { open(header) { refusal = refusal ?? $0 } }
    for thread in threads { thread.finishOpening() }
    if let refusal { throw StartupError(message: sentence(refusal)) }
    // These warnings come only now: a daemon that cannot listen logs its error alone.
    for (folder, reason, _) in check.missingFolders {
      log.log(.warning, "pluginFolderMissing", [("folder", folder), ("reason", reason)])
    }
    warnOfUnknownNames()
    watchPlugins(config.plugins.watch)
  }

  private static func threads(
    _ count: Int, _ settings: ServiceSettings, _ keeper: PluginStore, _ globalCounters: GlobalCounters,
    _ log: DaemonLog
  ) throws -> [LoopThread] {
    let threads = try (0..<count).map { index in
      try LoopThread(
        Shard(index: index, of: count), settings, keeper.plugins(forShard: index), index == 0 ? keeper : nil,
        globalCounters,
        log)
    }
    for thread in threads { thread.join(threads) }
    keeper.places.all = threads.map { thread in
      WorkerSpawner(on: thread.loop, log: log) { [unowned thread] in thread.service.workerSpeaks(at: thread.loop.now) }
    }
    return threads
  }

  /// Opens a header of the config. A restored one with another description starts anew.
  private func open(_ header: HeaderDescription, then: @escaping (HeaderError?) -> Void) {
    let service = thread(of: header).service
    service.open(header) { [log, isKept = journal != nil] refusal in
      guard let refusal, isKept, refusal.name == .headerExists else { return then(refusal) }
      log.log(.warning, "headerReplaced", [("header", header.header), ("reason", refusal.message)])
      service.open(header, replacing: true, then: then)
    }
  }

  /// Keeps epochs growing over starts without a journal. A daemon that cannot do so serves nevertheless.
  /// - Parameter socket: its path; an abstract one has no place for a file.
  private func keepEpochs(beside socket: String) {
    guard socket.first != "@" else { return }
    do throws(StartupError) {
      let file = try EpochFile(beside: socket, threads: threads.count)
      if let damage = file.damage { log.log(.warning, "epochsDamaged", [("reason", damage)]) }
      for thread in threads { thread.keepEpochs(in: file) }
    } catch {
      log.log(.warning, "epochsNotKept", [("reason", error.message)])
    }
  }

  /// The thread that a header belongs to.
  private func thread(of header: HeaderDescription) -> LoopThread {
    threads[threads[0].service.shard.holder(of: header.header)]
  }

  /// Serves until SIGTERM or SIGINT.
  /// - Returns: the exit status.
  /// - Throws: why a second thread cannot be started.
  public func run() throws(StartupError) -> Int32 {
    let headers = threads.reduce(0) { $0 + $1.service.headerCount }
    var facts = [
      (key: "version", value: headerdVersion), ("socket", socketName),
      ("plugins", String(keeper.registry.plugins.count)),
      ("headers", String(headers)), ("config", loaded.file ?? "defaults"),
    ]
    if threads.count > 1 { facts.append(("threads", String(threads.count))) }
    do throws(StartupError) {
      try startThreads()
    } catch {
      // A client that looks for a daemon must not find a socket.
      socket?.close()
      throw error
    }
    log.log(.info, "started", facts)
    manager?.ready("serving on \(socketName), \(headers) headers at start")
    loop.run()
    ShutdownTimer.restart()
    // The process is ending: a second signal would only change its exit status.
    holdBackSignals([SIGTERM, SIGINT, SIGHUP])
    closeDoors()
    signals = []
    for thread in threads { thread.waitForEnd() }
    manager?.endWatch()
    journal?.end(threads)
    for thread in threads { thread.close() }
    log.reportAll()
    log.log(.info, "stopped", [])
    for thread in threads {
      do {
        try thread.loop.close()
      } catch {
        log.log(.error, "loopNotClosed", [("reason", "\(error)")])
      }
    }
    return 0
  }

  private func startThreads() throws(StartupError) {
    do {
      try manager?.watch(threads.map(\.loop))
    } catch {
      throw StartupError(message: "the service manager's watchdog cannot be served: \(error)")
    }
    for thread in threads.dropFirst() { try thread.start() }
  }

  // MARK: - Listening

  private func watchSignals() throws {
    try watch(SIGTERM) { [unowned self] in self.stop("SIGTERM") }
    try watch(SIGINT) { [unowned self] in self.stop("SIGINT") }
    try watch(SIGHUP) { [unowned self] in self.rereadConfig() }
    ShutdownTimer.install(
      seconds: Self.lastResort,
      before: "time=",
      after:
        " level=error event=stopTimedOut reason=\"it was asked to stop and did nothing for \(Self.lastResort) s: a plugin "
        + "does not return, or the machine is too slow; what waited for clients is lost\"")
  }

  private func watch(_ signal: Int32, _ act: @escaping () -> Void) throws {
    let watcher = try SignalWatcher(signal, on: loop)
    watcher.received = act
    signals.append(Box(watcher))
  }

  private func access(of peer: UnixStream.Peer) -> Access {
    roles.access(user: peer.uid, groups: [peer.gid] + peer.groups)
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
    let client = Peer(
      name: "uid=\(peer.uid) pid=\(peer.pid)", user: peer.uid,
      access: access(of: peer), quotas: roles.quotas(of: peer.uid))
    lastConnection += 1
    threads[0].adopt(stream, client, as: ConnectionID(number: lastConnection))
  }

  /// Takes no connection and no change of a plugin's file any more.
  private func closeDoors() {
    socket?.close()
    socket = nil
    metrics?.close()
    metrics = nil
    pluginWatch = nil
  }

  // MARK: - Signals

  private func stop(_ signal: String) {
    guard !threads[0].isDraining else { return }
    ShutdownTimer.restart()
    closeDoors()
    manager?.stopping("draining \(globalCounters.connections) connections")
    log.log(.info, "stopping", [("signal", signal), ("connections", String(globalCounters.connections))])
    for thread in threads {
      threads[0].send(.drain(reason: "draining", deadline: loop.now + Self.drainTime), to: thread.index)
    }
  }

  /// Reads the config file anew. A mistake in it keeps the old one; changed keys that need a restart are logged.
  private func rereadConfig() {
    guard !threads[0].isDraining else { return }
    manager?.reloading()
    let next: LoadedConfig
    let check: ConfigCheck
    do throws(StartupError) {
      next = try loadConfig(options, surroundings)
      check = ConfigCheck(next, surroundings, keeper, loadsPlugins: false)
      guard check.errors.isEmpty else { throw StartupError(check) }
    } catch {
      for line in error.message.split(separator: "\n") {
        log.log(.error, "configRefused", [("reason", String(line)), ("kept", "the old one")])
      }
      manager?.ready("the config has a mistake, the old one is in force")
      return
    }
    let restart = Config.changesNeedingRestart(from: loaded.config, to: next.config)
    let known = Set(loaded.config.headers.map(\.name))
    let new = check.headers.filter { !known.contains($0.header) }
    var limits = next.config.limits
    limits.connections = loaded.config.limits.connections
    limits.headers = loaded.config.limits.headers
    log.level = next.config.log.level
    roles = PeerRoles(next.config.roles, next.config.quotas, limits: limits)
    keeper.use(next.config, surroundings)
    watchPlugins(next.config.plugins.watch)
    do throws(StartupError) { try watchCalls(next.config.plugins, callWatchdog) } catch {
      log.log(.error, "callsNotWatched", [("reason", error.message)])
    }
    loaded = next
    warnOfUnknownNames()
    var facts = [(key: "config", value: next.file ?? "defaults")]
    if !restart.isEmpty { facts.append(("needsRestart", restart.joined(separator: ","))) }
    threads[0].service.configure(limits, headers: new, at: loop.now) { [log, manager, socketName] in
      log.log(restart.isEmpty ? .info : .warning, "configRead", facts)
      manager?.ready("serving on \(socketName)")
    }
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
    let log = log
    threads[0].service.reloadPlugin(plugin, at: loop.now) { result in
      switch result {
      case .success(let headers):
        log.log(.info, "pluginReloaded", [("plugin", plugin), ("headers", String(headers))])
      case .failure(let error):
        log.log(.warning, "pluginRefused", [("plugin", plugin), ("reason", sentence(error)), ("kept", "the old one")])
      }
    }
  }

  private func warnOfUnknownNames() {
    for name in roles.unknownNames {
      log.log(.warning, "unknownMember", [("name", name), ("reason", "there is no user or group of that name")])
    }
  }
}

/// Has calls into plugins watched as the config says.
/// - Throws: why there is no thread for it.
private func watchCalls(_ plugins: Config.Plugins, _ watchdog: CallWatchdog) throws(StartupError) {
  do throws(SystemError) { try watchdog.use(plugins) } catch {
    throw StartupError(message: "calls of plugins cannot be watched: no thread can be started: \(error.text)")
  }
}
