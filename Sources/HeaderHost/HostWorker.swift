// SPDX-License-Identifier: MIT
//
// One worker of a host, for some of its headers: a process with their plugins, and the next process when that one has died.
//
//     orders ─▶ RemoteHeaders ─▶ process ─▶ states ─▶ publish
//                                        ─▶ the end of an order ─▶ at the end of the turn, what follows it
//
// The host never blocks on the process: a plugin that does not return delays its own header, and others in the same process, until the
// deadline of a call.

internal import Clocks
internal import Fanout
internal import HeaderCore
internal import HeaderModel
internal import HeaderWorker

/// A header's place in a worker, which may become another one's.
final class RemoteEngine {
  fileprivate(set) var worker: HostWorker
  let number: UInt32
  /// The header as it is known here.
  private(set) var mirror: Header
  /// The entry whose engine this is; nil: clients do not see its header yet.
  private(set) weak var entry: HeaderEntry?
  /// Runs when the order under way is done; scrolls have none.
  private var continuation: ((Result<RemoteOutcome, HeaderError>) -> Void)?

  fileprivate init(_ worker: HostWorker, _ number: UInt32, _ mirror: Header) {
    self.worker = worker
    self.number = number
    self.mirror = mirror
  }

  /// Sets what runs when the header is open; a header that is refused leaves. Until then no entry holds the engine.
  func whenOpen(_ then: @escaping (Result<Void, HeaderError>) -> Void) {
    continuation = { [self] result in
      if case .failure = result { leave() }
      then(result.map { _ in })
    }
  }

  func send(_ scroll: HeaderInput, at time: Instant?) { worker.headers.apply(scroll, at: time, to: number) }

  /// Sends an order; one order is under way at a time.
  /// - Parameter then: called when it is done, at the end of a later turn.
  func order(_ order: HeaderOrder, then: @escaping (Result<RemoteOutcome, HeaderError>) -> Void) {
    continuation = then
    guard !isLost else { return worker.refuse(self) }
    worker.headers.order(order, of: number)
  }

  /// No process has its header any more.
  var isLost: Bool { worker.headers[number] == nil }

  /// Takes out the continuation of the order under way.
  func takeContinuation() -> ((Result<RemoteOutcome, HeaderError>) -> Void)? { continuation.take() }

  /// Sends an order whose end the caller does not need.
  func send(_ order: HeaderOrder) { worker.headers.order(order, of: number, isOwn: true) }

  /// Makes the worker report what the mirror needs (`Header.observe`) before its next order.
  func observe() { worker.headers.observe(number) }

  /// Makes the engine serve an entry, whose header is a mirror from now on.
  func serve(_ entry: HeaderEntry) throws(HeaderError) {
    try worker.headers.use(entry.header, for: number)
    (self.entry, mirror) = (entry, entry.header)
  }

  func leave() { worker.close(number) }
}

private struct Weak<Object: AnyObject> {
  private(set) weak var object: Object?

  init(_ object: Object) { self.object = object }
}

/// A process for headers, and those that come after it.
final class HostWorker {
  /// The plugins that it has, sorted.
  let plugins: [String]
  let headers: RemoteHeaders
  /// New headers go elsewhere: its plugins are not the present ones.
  var isRetired = false
  /// Its plugins are those of a reload that is under way.
  var isNext = false
  private unowned let host: HeaderHost
  private let launch: any WorkerLaunch
  private let mirrors: MirrorProvider
  private var process: (any WorkerProcess)?
  /// The engines of its headers. Their entries own them.
  private var remotes: [UInt32: Weak<RemoteEngine>] = [:]
  private var lastNumber: UInt32 = 0
  /// The bytes of orders whose end the process has not sent yet.
  private var unread: [UInt8] = []
  private var endedOrders = EndedOrders()
  /// How many orders were begun, and since when that has been so.
  private var progress = (orders: UInt(0), since: MonotonicTime(0))
  /// When the process must have started.
  private var startEnd: MonotonicTime = 0
  /// Calls of plugins in its process when `stats` was last asked to start anew.
  private var usageBefore: [PluginUsageEntry] = []
  private var deaths = WorkerDeaths()
  /// Why the last process died; nil: none has.
  private var lastDeath: String?

  /// Nanoseconds until a process comes to its first order.
  private static let startTime: Int64 = 4_000_000_000
  /// How often it is tried to start a process in place of one that has died.
  private static let maxStarts = 3

  /// Starts a process.
  /// - Parameter view: the plugins as it has them.
  init(_ plugins: [String], of host: HeaderHost, _ view: any ShardPlugins, isNext: Bool) throws(HeaderError) {
    self.plugins = plugins
    self.isNext = isNext
    self.host = host
    launch = try view.launch(plugins)
    mirrors = MirrorProvider(view.behaviorNames.compactMap { view.behavior(named: $0) })
    headers = RemoteHeaders(provider: mirrors)
    headers.owner = self
    process = try launch.start(for: self)
    startEnd = host.now + Self.startTime
  }

  /// Starts a process for headers of another worker.
  private init(for others: HostWorker) throws(HeaderError) {
    (plugins, host, launch, mirrors) = (others.plugins, others.host, others.launch, others.mirrors)
    headers = RemoteHeaders(provider: mirrors)
    isRetired = true
    lastDeath = others.lastDeath
    headers.owner = self
    process = try launch.start(for: self)
    (progress, startEnd) = ((0, host.now), host.now + Self.startTime)
  }

  var count: Int { headers.count }

  /// Whether more of them have to go elsewhere.
  var isFull: Bool { count >= launch.headers }

  // MARK: - Headers

  /// Opens a header; `RemoteEngine.whenOpen` gets the outcome.
  func open(_ description: HeaderDescription, epoch: Int64, from saved: Value?) throws(HeaderError) -> RemoteEngine {
    let mirror = try Header(description, epoch: epoch, provider: mirrors, limits: host.limits)
    lastNumber += 1
    let remote = RemoteEngine(self, lastNumber, mirror)
    remotes[remote.number] = Weak(remote)
    headers.open(remote.number, mirror, from: saved)
    return remote
  }

  fileprivate func close(_ number: UInt32) {
    headers.close(number)
    remotes[number] = nil
    flush()
  }

  private func entry(_ number: UInt32) -> HeaderEntry? { remotes[number]?.object?.entry }

  // MARK: - Orders

  /// Hands queued orders to the process; at the end of a turn.
  func flush() {
    let bytes = headers.takeOutput()
    guard !bytes.isEmpty else { return }
    noteProgress()
    process?.send(bytes)
  }

  // MARK: - Progress

  /// When to check that the process makes progress; `.max`: it has nothing to do.
  var nextLook: MonotonicTime {
    process == nil || headers.openOrders == 0 || launch.deadline == .max ? .max : progress.since + launch.deadline
  }

  /// How many orders the process has begun with. It may say anything: those that have ended it has begun with, and no more than it was
  /// given. So it gets on no more often than there are open ones.
  private var ordersBegun: UInt {
    guard let process else { return 0 }
    let ended = UInt(max(0, headers.givenOrders - headers.openOrders))
    return min(max(process.ordersBegun, ended), UInt(headers.givenOrders))
  }

  private func noteProgress() {
    let begun = ordersBegun
    if begun > progress.orders || headers.openOrders == 0 || progress.since == 0 { progress = (begun, host.now) }
  }

  /// Ends a process that does not get on.
  func look() {
    guard nextLook <= host.now else { return }
    let begun = ordersBegun
    if begun > progress.orders { return noteProgress() }
    // One that has begun with nothing may still be starting, and a busy machine is no fault of its.
    if begun == 0, host.now < startEnd { progress.since = host.now } else { stop() }
  }

  /// Ends its process, for good.
  func end() {
    process?.kill()
    loseProcess()
    for remote in remotes.values { _ = remote.object?.takeContinuation() }
  }

  private func loseProcess() {
    host.workers.pastUsage.add(usage(reset: false))
    usageBefore = []
    process = nil
  }

  /// How much the plugins were called in the present process.
  func usage(reset: Bool) -> [PluginUsageEntry] {
    guard let present = process?.usage else { return [] }
    let usage = present.map { entry in
      usageBefore.first { $0.plugin == entry.plugin }.map(entry.since) ?? entry
    }
    if reset { usageBefore = present }
    return usage
  }

  private func stop() {
    let isStarting = ordersBegun == 0
    let seconds = Double(launch.deadline + (isStarting ? Self.startTime : 0)) / 1e9
    process?.kill()
    died("it did not \(isStarting ? "start" : "return") within \(Value.number(seconds).brief) s")
  }

  private var pluginNames: String { plugins.joined(separator: ", ") }

  /// Replaces a process that died by another one that resumes its headers, or by two, if one of several headers kills it.
  private func died(_ reason: String) {
    let fault = process?.running
    lastDeath = reason
    loseProcess()
    (unread, endedOrders) = ([], EndedOrders())
    host.workers.deaths += 1
    logDeath(fault, reason)
    let suspicion = headers.noteDeath(fault, reason: "its process died: \(reason)", at: host.now)
    deaths.note(suspicion, at: host.now)
    do throws(HeaderError) {
      // Where there is no other process they stay together.
      if let some = deaths.headersToMove(suspicion, of: headers.numbers) { _ = moveOut(some) }
      let delegates = remotes.values.reduce(0) { $0 + ($1.object?.entry?.header.delegates.count ?? 0) }
      if count == 1, deaths.areTooMany(for: delegates) {
        throw HeaderError(.behaviorFailed, "one process after the other has died: \(reason)")
      }
      process = try startAgain()
      (progress, startEnd) = ((0, host.now), host.now + Self.startTime)
      try headers.reopen()
    } catch {
      giveUp(error)
    }
    flush()
  }

  private func logDeath(_ fault: WorkerFault?, _ reason: String) {
    let entry = fault.flatMap { self.entry($0.header) }
    var facts = [("plugins", pluginNames), ("reason", reason)]
    if let entry { facts.append(("header", entry.name)) }
    if let entry, let place = fault?.delegate, entry.header.delegates.indices.contains(place) {
      facts.append(("delegate", entry.header.delegates[place].name))
    }
    if let event = fault.flatMap({ headers.name(of: $0) }) { facts.append(("event", event)) }
    host.context.log.log(.error, "workerDied", facts)
  }

  /// Moves some headers to a process of their own.
  /// - Returns: false: no process could be started.
  private func moveOut(_ numbers: [UInt32]) -> Bool {
    guard let other = try? HostWorker(for: self) else { return false }
    for number in numbers { move(number, to: other) }
    isRetired = true
    deaths.noteSplit()
    other.deaths = deaths
    host.workers.add(other)
    host.context.log.log(
      .warning, "workerSplit",
      [("plugins", pluginNames), ("headers", String(count)), ("moved", String(other.count))])
    other.begin()
    return true
  }

  private func move(_ number: UInt32, to other: HostWorker) {
    guard let header = headers.release(number) else { return }
    other.headers.take(header)
    other.remotes[number] = remotes.removeValue(forKey: number)
    other.remotes[number]?.object?.worker = other
  }

  /// Makes the process open the headers that were moved here.
  private func begin() {
    do throws(HeaderError) { try headers.reopen() } catch { giveUp(error) }
    flush()
  }

  /// A second attempt may succeed where the first lacked something, such as a descriptor; without it the headers would be lost.
  private func startAgain() throws(HeaderError) -> any WorkerProcess {
    for _ in 1..<Self.maxStarts {
      if let process = try? launch.start(for: self) { return process }
    }
    return try launch.start(for: self)
  }

  /// There is no process: its headers end.
  private func giveUp(_ error: HeaderError) {
    host.context.log.log(.error, "workerGivenUp", [("plugins", pluginNames), ("reason", error.message)])
    isRetired = true
    for number in remotes.keys.sorted() { lose(number, error) }
  }

  fileprivate func refuse(_ remote: RemoteEngine) {
    let error = HeaderError(.behaviorFailed, "the process of \(pluginNames) does not stay alive")
    host.workers.events.append(.ended(remote, .failure(error), failure: nil))
  }

  private func lose(_ number: UInt32, _ error: HeaderError) {
    guard let remote = remotes[number]?.object else { return }
    if remote.entry?.isOpen ?? false {
      host.context.log.log(.error, "headerLost", [("header", remote.mirror.name), ("reason", error.message)])
    }
    host.workers.events.append(.lost(remote, error))
  }
}

extension HostWorker: WorkerProcessOwner {
  func received(_ bytes: [UInt8]) {
    noteProgress()
    var whole = bytes
    if !unread.isEmpty {
      // In place: of one order it may say much, in small pieces.
      swap(&whole, &unread)
      whole += bytes
    }
    unread = []
    do throws(Malformed) {
      let end = try unsafe endedOrders.count(in: whole.span.bytes)
      if end == 0 { unread = whole } else if end < whole.count { unread = Array(whole[end...]) }
      _ = try unsafe headers.receive(whole.span.extracting(..<end).bytes)
      // The process is idle: its time counts from the next order on.
      if headers.openOrders == 0 { progress.since = 0 }
    } catch {
      process?.kill()
      died("its process sent what cannot be read: \(error.reason)")
    }
  }

  func ended(_ reason: String) { died(reason) }
}

extension HostWorker: RemoteHeaderOwner {
  func emitted(_ state: borrowing HeaderState, of header: UInt32) {
    if let entry = entry(header), entry.isOpen { host.publish(state, of: entry) }
  }

  func leaderMoved(_ header: UInt32) { if let entry = entry(header) { host.markLeaderChanged(entry) } }

  func ended(_ result: Result<RemoteOutcome, HeaderError>, of header: UInt32) {
    deaths.noteProgress()
    guard let remote = remotes[header]?.object else { return }
    host.workers.events.append(.ended(remote, result, failure: remote.mirror.hasFailure ? remote.mirror.failure : nil))
  }

  func epochToGoOn(without delegate: String?, in header: UInt32, reason: String) -> Int64 {
    if let delegate, let entry = entry(header) { logBypass(of: delegate, in: entry, reason) }
    return host.nextEpoch()
  }

  func restarted(_ header: UInt32) {
    guard let entry = entry(header) else { return }
    // The mirror's present question is none that the host has asked.
    guard !entry.header.isWaiting else {
      let reason = "it cannot go on in the middle of a question to a client"
      return lose(header, HeaderError(.behaviorFailed, reason))
    }
    host.context.log.log(.error, "headerRestarted", [("header", entry.name), ("epoch", String(entry.epoch))])
    host.fanout.restart(entry)
    entry.endRecordings(reason: "restarted")
    host.workers.events.append(.restarted(entry))
  }

  private func logBypass(of delegate: String, in entry: HeaderEntry, _ reason: String) {
    host.context.log.log(
      .error, "delegateBypassed", [("header", entry.name), ("delegate", delegate), ("reason", reason)])
  }

  func bypassed(_ delegate: String, of header: UInt32, reason: String) {
    guard let entry = entry(header) else { return }
    logBypass(of: delegate, in: entry, reason)
    let input = HeaderInput.bypassDelegate(delegate, reason: reason)
    if entry.isRecorded { host.record(input, of: entry, at: entry.header.now) }
    // In the middle of an event it belongs to that event's step, which is recorded when the event has come to its end.
    guard !entry.header.isWaiting else { entry.log?.noteBypass(of: delegate, reason); return }
    for recorder in entry.recorders { recorder.step(input) }
  }

  func lost(_ header: UInt32, _ error: HeaderError) { lose(header, error) }

  func refusedAgain(_ header: UInt32, _ error: HeaderError) {
    guard !moveOut([header]) else { return }
    _ = headers.release(header)
    lost(header, error)
  }

  func logged(_ line: PluginLogLine) {
    let repeating = host.workers.repeating
    if line.header.map(repeating.contains) ?? !repeating.isEmpty { return }
    host.context.log.log(line.level, "pluginLog", line.facts)
  }
}

extension RemoteOutcome {
  /// The outcome of an input.
  var outcome: HeaderOutcome { if case .applied(let outcome) = self { outcome } else { .handled } }

  /// A saved state, or explanations.
  func value() throws(HeaderError) -> Value {
    guard case .saved(let saved) = self else { throw HeaderError(.behaviorFailed, "the worker has not sent it") }
    return try saved.value()
  }
}
