// SPDX-License-Identifier: MIT
//
// One thread's part of the daemon: a loop, a service with its share of the headers, and the sockets of the connections that
// have their home here. A daemon has one of them, on its only thread, or several (`threads` in the config):
//
//     thread 0 (listener, signals) ──Arrival──▶ thread 1 ◀──Parcel──▶ thread 2      connections in turn, mail once a turn
//       its shard of the headers                 its shard             its shard
//
// What belongs to one thread is touched by it alone, or by the one for which it stands still (World.swift). Alone there is
// no mailbox, no lock and no second thread.

internal import EventLoop
internal import HeaderService

/// What threads send each other, gathered in one turn.
struct Parcel: Sendable {
  /// A connection that gets its home there.
  struct Arrival: Sendable {
    enum Origin: Sendable {
      /// It was accepted.
      case accepted(Peer, ConnectionID)
      /// It had its home at another thread.
      case moved(MovingConnection)
    }

    let descriptor: Int32
    let origin: Origin
  }

  var arrivals: [Arrival] = []
  /// Before the errands: what a guest says comes before that it is done.
  var bytes: [GuestBytes] = []
  var errands: [Errand] = []

  var isEmpty: Bool { arrivals.isEmpty && bytes.isEmpty && errands.isEmpty }
}

/// A loop with its service and its sockets.
final class LoopThread: Switchboard, ConnectionKeeper {
  /// Which one of them, and which shard of the headers it has.
  let index: Int
  let loop: Loop
  let connections = ConnectionTable()
  let service: Service
  private let log: DaemonLog
  private let world: World?
  private var mailbox: Box<Mailbox<Parcel>>?
  /// By thread; empty when there is one.
  private var doors: [Mailbox<Parcel>.Door] = []
  private var outgoing: [Parcel] = []
  private var timer: EventLoop.Timer?
  private var drainDeadline: Int64?
  private var runner: LoopRunner?

  /// Made by the first thread; none runs yet.
  init(_ shard: Shard, _ settings: ServiceSettings, _ plugins: any PluginControl, _ log: DaemonLog, _ world: World?)
    throws
  {
    index = shard.index
    self.log = log
    self.world = world
    loop = try Loop()
    service = Service(settings: settings, plugins: plugins, output: connections, log: log, shard: shard)
    mailbox = world == nil ? nil : Box(try Mailbox(on: loop))
    let timer = EventLoop.Timer(on: loop)
    timer.fired = { [unowned self] in
      self.service.tick(at: self.loop.now)
      self.log.report(at: self.loop.now)
    }
    self.timer = consume timer
    mailbox?.handle.received = { [unowned self] in self.take($0) }
    loop.atEndOfTurn = { [unowned self] in self.endOfTurn() }
  }

  /// Tells it of all threads, itself among them.
  func join(_ threads: [LoopThread], _ counts: CommonCounts) {
    doors = threads.compactMap { $0.mailbox?.handle.door }
    outgoing = threads.map { _ in Parcel() }
    let services = threads.map { UnownedService(service: $0.service) }
    service.join(
      Neighbors(Shard(index: index, of: threads.count), counts: counts, switchboard: self) { services.map(\.service) })
  }

  private struct UnownedService { unowned let service: Service }

  // MARK: - Running

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
    connections.closeAll()
    loop.atEndOfTurn = nil
  }

  /// Sends everybody away; ends when they are gone, or at the deadline. All threads stand still.
  func drain(until deadline: Int64) {
    service.drain()
    drainDeadline = deadline
  }

  var isDraining: Bool { drainDeadline != nil }

  /// Once a turn, before output is written: when does something happen by itself next?
  private func endOfTurn() {
    connections.clearRetired()
    if let world { meetOthers(world) }
    for id in service.takeUnblocked() { connections.readAgain(id) }
    if let drainDeadline {
      if connections.isEmpty || loop.now >= drainDeadline { return loop.stop() }
      timer?.arm(at: drainDeadline)
    } else if let wake = earliest(service.nextWake, log.nextReport) {
      timer?.arm(at: wake)
    } else {
      timer?.disarm()
    }
  }

  private func earliest(_ one: Int64?, _ other: Int64?) -> Int64? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  // MARK: - Connections

  /// Takes a connection whose home is here.
  func adopt(_ stream: consuming UnixStream, _ peer: HeaderService.Peer, as id: ConnectionID) {
    let link = world.map { _ in HomeLink(home: index) }
    let connection = add(stream, id, link)
    service.connected(peer, as: id, link, at: loop.now)
    connection.start()
  }

  private func add(_ stream: consuming UnixStream, _ id: ConnectionID, _ link: HomeLink?) -> Connection {
    let connection = Connection(stream, id: id, link: link, loop: loop, service: service, keeper: self)
    connections.add(connection)
    return connection
  }

  /// Takes a connection's socket away from it; nil when that fails, and it stays.
  private func detach(_ id: ConnectionID) -> Int32? {
    guard let descriptor = try? connections[id]?.detach() else { return nil }
    connections.retire(id)
    return descriptor
  }

  func gone(_ id: ConnectionID) {
    service.disconnected(id)
    // The stream is still telling us: it may go only after this turn.
    connections.retire(id)
  }

  /// Gives a connection to another thread.
  func give(_ arrival: Parcel.Arrival, to index: Int) { outgoing[index].arrivals.append(arrival) }

  // MARK: - Other threads

  /// Has it look whether somebody wants it to stand still. From any thread.
  func wake() { mailbox?.handle.door.post(Parcel()) }

  private func meetOthers(_ world: World) {
    if service.holdsMessages, !isDraining {
      _ = world.still(for: index) { service.performHeld(at: loop.now) }
      // What its end has let through has another turn to wait for: the others want to work as well.
      if service.holdsMessages { wake() }
    }
    service.takeMoves(detach) { descriptor, connection, shard in
      outgoing[shard].arrivals.append(Parcel.Arrival(descriptor: descriptor, origin: .moved(connection)))
    }
    world.standIfWanted()
    sendOutgoing()
  }

  /// Sends what was gathered for other threads.
  func sendOutgoing() {
    service.reportToHomes()
    connections.takeGuestBytes { bytes, home in outgoing[home].bytes.append(bytes) }
    connections.waitForHomes(index) { send(.drained($0), to: index) }
    for index in outgoing.indices where !outgoing[index].isEmpty {
      doors[index].post(outgoing[index])
      outgoing[index] = Parcel()
    }
  }

  /// Takes what others have sent.
  /// - Returns: whether there was something.
  func deliverMail() -> Bool { mailbox?.handle.deliver() ?? false }

  private func take(_ parcel: Parcel) {
    for arrival in parcel.arrivals { adopt(arrival) }
    for bytes in parcel.bytes { send(bytes) }
    for errand in parcel.errands { service.take(errand, at: loop.now) }
  }

  private func adopt(_ arrival: Parcel.Arrival) {
    do {
      let stream = try UnixStream(adopting: arrival.descriptor, on: loop)
      switch arrival.origin {
      case .accepted(let peer, let id): adopt(stream, peer, as: id)
      case .moved(let moved):
        let connection = add(stream, moved.id, service.link(of: moved))
        service.takeIn(moved, at: loop.now)
        connection.start()
      }
    } catch {
      log.log(.error, "acceptFailed", [("reason", "\(error)")])
    }
  }

  /// Sends a guest's bytes to its connection.
  private func send(_ guest: GuestBytes) {
    guard let connection = connections[guest.connection] else { return }
    connection.pass(guest.bytes)
    service.passedOn(guest.connection, at: loop.now)
    if guest.closes { service.endedByGuest(guest.connection) }
  }

  func send(_ errand: Errand, to shard: Int) { outgoing[shard].errands.append(errand) }

  func guestOutput(of connection: ConnectionID, _ link: HomeLink) -> any ConnectionOutput {
    connections.addGuest(connection, link)
  }

  func guestLeft(_ connection: ConnectionID) { connections.removeGuest(connection) }
}
