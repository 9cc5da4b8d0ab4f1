// SPDX-License-Identifier: MIT
//
// One thread's part of the daemon: a loop, a service with its share of the headers, and the sockets of its connections. A
// daemon has one of them, on its only thread, or several (`threads` in the config):
//
//     thread 0 (listener, signals) ◀──mail──▶ thread 1 ◀──mail──▶ thread 2          once a turn
//       its shard of the headers               its shard           its shard
//
// What belongs to one thread is touched by it alone. Threads send each other messages and never wait for each other. Alone
// there is no mailbox, no lock and no second thread.

internal import Clocks
internal import EventLoop
internal import Fanout
internal import Gateway
internal import HeaderHost
internal import HeaderJournal
internal import HeaderModel
internal import HeaderService
private import Posix
internal import Shards

/// What threads send each other.
enum ThreadMail: Sendable {
  /// A connection that moves here with its first header.
  case connection(DetachedSocket, MovingConnection)
  case message(ShardMessage)
}

/// A loop with its service and its sockets.
final class LoopThread {
  /// Which one of them, and which shard of the headers it has.
  let index: Int
  let loop: Loop
  let service: Service
  private let connections = ConnectionTable()
  private let post: ThreadPost?
  private let log: DaemonLog
  private var mailbox: Box<Mailbox<[ThreadMail]>>?
  private var timer: EventLoop.Timer?
  /// When connections that do not read are cut off; nil as long as the daemon serves.
  private var drainDeadline: MonotonicTime?
  /// The threads that have no connections left.
  private var emptyThreads: Set<Int> = []
  private var runner: LoopRunner?
  private var journalFiles: JournalFiles?
  private var epochs: EpochFile?
  private var notedEpoch: Int64 = 0
  private var isFinishing = false
  /// The loop runs for `finishOpening` alone.
  private var isStarting = false

  /// Made by the first thread; none runs yet.
  init(
    _ shard: Shard, _ settings: ServiceSettings, _ plugins: any ShardPlugins, _ control: (any PluginControl)?,
    _ globalCounters: GlobalCounters, _ log: DaemonLog
  ) throws {
    index = shard.index
    self.log = log
    loop = try Loop()
    post = shard.count > 1 ? ThreadPost(shard.count) : nil
    service = Service(
      settings: settings, plugins: plugins, control: control, output: connections, log: log, shard: shard,
      globalCounters: globalCounters, transport: post)
    mailbox = post == nil ? nil : Box(try Mailbox(on: loop))
    let timer = EventLoop.Timer(on: loop)
    timer.fired = { [unowned self] in
      self.service.tick(at: self.loop.now)
      self.log.report(at: self.loop.now)
    }
    self.timer = consume timer
    mailbox?.value.received = { [unowned self] in self.take($0) }
    loop.atEndOfTurn = { [unowned self] in self.endOfTurn() }
  }

  /// Gives it the way to all threads, itself among them.
  func join(_ threads: [LoopThread]) { post?.doors = threads.compactMap { $0.mailbox?.value.door } }

  /// Opens this shard's journal and records its headers there.
  func keepJournal(
    in folder: JournalFolder, _ settings: JournalSettings, _ numbers: JournalNumbers
  ) {
    let files = JournalFiles(in: folder.lock, on: loop)
    files.finished = { [unowned self] in self.service.journalFinished($0, at: self.loop.now) }
    journalFiles = files
    let journal = ShardJournal(
      shard: index, settings: settings, numbers: numbers, disk: files, takingOver: folder.stored, at: loop.now)
    service.host.keep(journal, after: folder.stored.lastEpoch)
  }

  /// Begins behind the epochs of a file, and notes those of this thread there.
  func keepEpochs(in file: EpochFile) {
    epochs = file
    service.host.begin(after: file.last)
  }

  /// Notes the last epoch for a later start, before any client sees it.
  private func noteEpoch() {
    guard let epochs, service.host.lastEpoch != notedEpoch else { return }
    notedEpoch = service.host.lastEpoch
    do throws(SystemError) { try epochs.note(notedEpoch, ofThread: index) } catch {
      log.log(.warning, "epochsNotKept", [("reason", error.text)])
      self.epochs = nil
    }
  }

  // MARK: - Running

  /// Runs its loop until the headers that processes are opening are open, or refused. Before its thread is started.
  func finishOpening() {
    isStarting = true
    while service.host.isOpening { loop.run() }
    isStarting = false
  }

  /// Starts a thread of its own.
  func start() throws(StartupError) {
    do {
      runner = try LoopRunner(loop)
    } catch {
      throw StartupError(message: "a thread cannot be started: \(error)")
    }
  }

  /// Waits for the end of its own thread, if it has one.
  func waitForEnd() { runner?.wait() }

  /// Lets go of everything; its thread has ended.
  func close() {
    timer = nil
    mailbox = nil
    service.host.endWorkers()
    connections.closeAll()
    loop.atEndOfTurn = nil
  }

  /// Disconnects all clients; ends when all threads' connections are gone, or at the deadline.
  func drain(_ reason: String, until deadline: MonotonicTime) {
    guard drainDeadline == nil else { return }
    drainDeadline = deadline
    service.drain(reason)
  }

  var isDraining: Bool { drainDeadline != nil }

  /// Ends a turn, before output is written, and sets the timer for the next thing that is due.
  private func endOfTurn() {
    connections.clearRetired()
    if let post {
      service.gateway.takeMoves(detach) { post.send(.connection($0, $1), to: $2) }
    }
    service.endTurn()
    noteEpoch()
    for id in service.gateway.takeUnblocked() { connections.updateReading(of: id) }
    if let drainDeadline {
      noteEmpty()
      if emptyThreads.count == service.shard.count, !isFinishing {
        isFinishing = true
        service.host.journal?.finish()
        service.endTurn()
      }
      if (isFinishing && service.host.journal?.isIdle ?? true) || loop.now >= drainDeadline { loop.stop() }
      timer?.arm(at: min(drainDeadline, service.nextWake ?? .max))
    } else if let wake = earliest(service.nextWake, log.nextReport) {
      timer?.arm(at: wake)
    } else {
      timer?.disarm()
    }
    post?.flush()
    if isStarting, !service.host.isOpening { loop.stop() }
  }

  /// Lets the other threads know that there are no connections here any more: they may still have some.
  private func noteEmpty() {
    guard connections.isEmpty, emptyThreads.insert(index).inserted, let post else { return }
    for other in 0..<service.shard.count where other != index { post.post(.drained(shard: index), to: other) }
  }

  private func earliest(_ one: MonotonicTime?, _ other: MonotonicTime?) -> MonotonicTime? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  // MARK: - Connections

  /// Takes a connection that was accepted.
  func adopt(_ stream: consuming UnixStream, _ peer: Peer, as id: ConnectionID) {
    let connection = add(stream, id)
    service.connected(peer, as: id, at: loop.now)
    connection.start()
  }

  private func add(_ stream: consuming UnixStream, _ id: ConnectionID) -> Connection {
    let connection = Connection(stream, id: id, of: self)
    connections.add(connection)
    return connection
  }

  /// Takes a connection's socket away from it; nil when that fails, and it stays.
  private func detach(_ id: ConnectionID) -> DetachedSocket? {
    guard let socket = try? connections[id]?.detach() else { return nil }
    connections.retire(id)
    return socket
  }

  /// Called once, when a connection's socket is closed for whatever reason.
  func gone(_ id: ConnectionID) {
    service.disconnected(id)
    // The stream is still calling: it may go only after this turn.
    connections.retire(id)
  }

  // MARK: - Other threads

  /// Sends a message to this or another thread.
  func send(_ message: ShardMessage, to index: Int) {
    if let post, index != self.index {
      post.post(message, to: index)
    } else {
      handle(message)
      service.endReceiving()
    }
  }

  private func take(_ mail: [ThreadMail]) {
    for item in mail {
      switch item {
      case .connection(let socket, let moved): takeIn(socket, moved)
      case .message(let message): handle(message)
      }
    }
    service.endReceiving()
  }

  private func handle(_ message: ShardMessage) {
    switch message {
    case .drain(let reason, let deadline): drain(reason, until: deadline)
    case .drained(let shard): emptyThreads.insert(shard)
    default: service.receive(message, at: loop.now)
    }
  }

  private func takeIn(_ socket: DetachedSocket, _ moved: MovingConnection) {
    do {
      let connection = add(try UnixStream(adopting: socket.descriptor, on: loop), moved.id)
      if !socket.unsent.isEmpty { connection.send(unsafe socket.unsent.span.bytes) }
      service.takeIn(moved, at: loop.now)
      connection.start()
    } catch {
      log.log(.error, "acceptFailed", [("reason", "\(error)")])
    }
  }
}

/// One thread's mail to the others, gathered in one turn.
private final class ThreadPost: ShardTransport {
  var doors: [Mailbox<[ThreadMail]>.Door] = []
  private var outgoing: [[ThreadMail]]

  init(_ count: Int) { outgoing = [[ThreadMail]](repeating: [], count: count) }

  func post(_ message: ShardMessage, to shard: Int) { send(.message(message), to: shard) }

  func send(_ mail: ThreadMail, to shard: Int) { outgoing[shard].append(mail) }

  /// Sends the mail that was gathered for the other threads.
  func flush() {
    for index in outgoing.indices where !outgoing[index].isEmpty {
      doors[index].post(outgoing[index])
      outgoing[index] = []
    }
  }
}
