// SPDX-License-Identifier: MIT
//
// Starts the program headerd-worker for the headers of one thread, and carries the bytes between the two.
//
//     orders ─▶ socket ─▶ headerd-worker serve ─▶ socket ─▶ WorkerProcessOwner
//
// The loop calls back when there are bytes to read.

internal import EventLoop
internal import HeaderConfig
internal import HeaderHost
internal import HeaderModel
internal import HeaderWorker
private import Locks
internal import PluginHost
internal import Posix

/// Where processes are started for one thread.
final class WorkerSpawner {
  /// The loop of the headers' thread.
  let loop: Loop
  /// Called before a process's bytes are passed on.
  let willReceive: () -> Void
  /// Gets lines that processes print; nil: they are dropped.
  let log: DaemonLog?

  init(on loop: Loop, log: DaemonLog?, willReceive: @escaping () -> Void) {
    self.loop = loop
    self.log = log
    self.willReceive = willReceive
  }
}

/// Those of all threads, and the config by which they start processes.
final class WorkerSpawners {
  /// Set before any thread runs, and not changed then.
  var all: [WorkerSpawner] = []
  private let present: Locked<Config>

  init(_ config: Config) { present = Locked(config) }

  /// The config in force. The first thread changes it, each thread reads it.
  var config: Config {
    get { present.withLock { $0 } }
    set { present.withLock { $0 = newValue } }
  }
}

/// Starts processes with the same plugins.
final class WorkerProgram: WorkerLaunch {
  private let files: [PluginFile]
  private let program: String
  private let config: Config
  private let place: WorkerSpawner

  init(_ files: [PluginFile], _ program: String, _ config: Config, at place: WorkerSpawner) {
    self.files = files
    self.program = program
    self.config = config
    self.place = place
  }

  var deadline: Int64 { config.plugins.deadline > 0 ? Instant.nanoseconds(config.plugins.deadline) : .max }
  var headers: Int { config.plugins.headersPerProcess }

  func start(for owner: any WorkerProcessOwner) throws(HeaderError) -> any WorkerProcess {
    let readable = files.flatMap { config.plugins.readable[$0.name] ?? [] }
    let arguments =
      ["serve", String(config.plugins.processMemory), config.limits.text] + files.map(\.name)
      + (readable.isEmpty ? [] : ["--"] + readable)
    do {
      let page = try SharedPage()
      let started = try startProgram(
        program, arguments, environment: PluginTrialProcess.environment,
        descriptors: [page.descriptor] + files.map(\.descriptor)
      ) { [place] in place.loop.runInBackground($0) {} }
      return try RunningWorker(started, page, files.map(\.name), owner, at: place)
    } catch {
      let names = files.map(\.name).joined(separator: ", ")
      throw HeaderError(.behaviorFailed, "the process of \(names) cannot be started: \(error)")
    }
  }
}

/// A process that runs headers.
private final class RunningWorker: WorkerProcess {
  private let program: StartedProgram
  private let page: SharedPage
  /// The plugins' names, in the order of their files.
  private let plugins: [String]
  private weak var owner: (any WorkerProcessOwner)?
  private let place: WorkerSpawner
  private var watcher: DescriptorWatcher?
  private let printed: PrintedLines
  /// Bytes that the socket has not taken yet.
  private var unsent: [UInt8] = []
  private var isKilled = false

  init(
    _ program: StartedProgram, _ page: SharedPage, _ plugins: [String], _ owner: any WorkerProcessOwner,
    at place: WorkerSpawner
  ) throws {
    self.program = program
    self.page = page
    self.plugins = plugins
    self.owner = owner
    self.place = place
    printed = PrintedLines(from: program.printed, on: place.loop) { line in
      place.log?.printed(line, by: plugins)
    }
    let watcher = try DescriptorWatcher(program.socket, on: place.loop)
    watcher.ready = { [unowned self] in
      self.place.willReceive()
      self.exchange()
    }
    self.watcher = consume watcher
  }

  // The watchers go before the descriptors and the loop.
  deinit { kill() }

  /// A plugin can write anything to the page, so it is only reported.
  var ordersBegun: UInt { page.ordersBegun }
  var running: WorkerFault? {
    page.running.map { WorkerFault(header: $0.header, order: $0.order, delegate: $0.delegate) }
  }

  var usage: [PluginUsageEntry] {
    plugins.enumerated().compactMap { index, plugin in
      page.usage(index).map { PluginUsageEntry(plugin: plugin, calls: $0.calls, samples: $0.samples) }
    }
  }

  func send(_ bytes: [UInt8]) {
    unsent += bytes
    write()
  }

  func kill() {
    isKilled = true
    watcher = nil
    program.kill()
    printed.finish()
  }

  private func write() {
    while !unsent.isEmpty {
      // The end of the process is noticed by reading.
      guard let count = try? Posix.send(unsent, to: program.socket) else { break }
      unsent.removeFirst(count)
    }
    watcher?.watchRoom(!unsent.isEmpty)
  }

  private func exchange() {
    write()
    // The owner may release this process.
    let (this, owner) = (self, self.owner)
    // As many at once as libuv reads from a stream, so that others have their turn.
    for _ in 0..<32 {
      guard let bytes = receiveSome(from: this.program.socket) else { return }
      guard !bytes.isEmpty else { return this.end(owner) }
      owner?.received(bytes)
      if this.isKilled || bytes.count < 65_536 { return }
    }
  }

  private func end(_ owner: (any WorkerProcessOwner)?) {
    // A process that has closed its socket may still live, so it is killed; one that is ending keeps its status.
    program.kill()
    watcher = nil
    printed.finish()
    owner?.ended(words(for: program.takeEnd()))
  }

  private func words(for reason: ProgramEnd.Reason) -> String {
    switch reason {
    case .exited(let status): "it ended with status \(status)"
    case .killed(let signal): "it crashed: \(signalText(signal))"
    case .tookTooLong, .wroteTooMuch: "it was stopped"
    case .notStarted(let error): "it cannot be started: \(program.path): \(error)"
    }
  }
}
