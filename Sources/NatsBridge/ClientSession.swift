// SPDX-License-Identifier: MIT
//
// One client of the bridge. Messages for a header of this node go straight to the daemon, over a connection of the client's own.
// Messages for a header elsewhere go to its owner's bridge, which has such a connection there.
//
//     line ──▶ header here ────────────▶ Tunnel ──▶ daemon
//          ├─▶ header elsewhere ───────▶ NATS ──▶ Tunnel at its owner
//          ├─▶ header on its way ──────▶ waits
//          ╰─▶ subscribe ──────────────▶ Tunnel, and StateFeed for headers elsewhere
//
// Inside, all messages are lines. A binary client's frames become lines as they come in, and lines become frames as they go out.

public import Clocks
internal import HeaderModel
internal import HeaderWire
internal import Realm

/// One client of the bridge.
public final class ClientSession {
  let number: Int
  private let bridge: RealmBridge
  private var stream: any LineStream
  /// The same, of a binary client.
  private var frames: FrameStream?
  private var tunnel: Tunnel?
  private var splitter = MessageSplitter(limit: ClientSession.maxLineBytes)
  private(set) var subscriptions: [RemoteSubscription] = []
  /// The subscription whose answer is about to be sent, before its states.
  private var beginning: RemoteSubscription?
  private var isEnded = false

  /// Requests whose answers the bridge rewrites.
  private enum Changed {
    case hello
    case open(isElsewhere: Bool)
    case list(Value)
    case subscribe(Value)
    case unsubscribe(Int)
  }
  private var changed: [[UInt8]: Changed] = [:]
  /// Those of them that the client has sent as notifications, with ids of the bridge.
  private var notifications: Set<[UInt8]> = []
  private var lastNotification = 0

  /// Requests that another bridge has.
  private struct Remote {
    var header: String
    var node: NodeName
    var deadline: MonotonicTime
  }
  private var remote: [[UInt8]: Remote] = [:]
  private var usedNodes: Set<NodeName> = []
  private var opened: Set<String> = []
  /// Headers elsewhere that this client has opened and the owner table here does not have yet, with their epochs.
  private var unlisted: [String: Int64] = [:]

  private struct Waiting {
    /// In the order in which they came.
    var number: Int
    /// nil: it waits for answers.
    var header: String?
    var line: [UInt8]
    var command: Command
    var deadline: MonotonicTime
  }
  /// Lines that wait for their header, by its name, or for answers, by the empty one.
  private var waiting: [String: [Waiting]] = [:]
  private var lastWaiting = 0
  private var waitingBytes = 0
  private var now: MonotonicTime = 0

  static let maxLineBytes = 262_144
  private static let maxWaiting = 1_048_576
  private static let headerPatience: Int64 = 5_000_000_000
  private static let answerPatience: Int64 = 10_000_000_000

  init(_ number: Int, _ bridge: RealmBridge, _ stream: any LineStream, at now: MonotonicTime) {
    (self.number, self.bridge, self.stream, self.now) = (number, bridge, stream, now)
    tunnel = Tunnel(bridge, owner: self, isLocal: true)
  }

  // MARK: - The client's bytes

  /// Reads a piece of the client's input.
  public func received(_ piece: RawSpan, at now: MonotonicTime) {
    self.now = now
    var lines: [[UInt8]] = []
    let isFirst = splitter.encoding == nil
    let problem = unsafe piece.withUnsafeBytes { unsafe cut($0, into: &lines) }
    if isFirst, let reason = bridge.notKept { durability(reason) }
    for line in lines where !isEnded { handle(line) }
    guard let problem, !isEnded else { return }
    answer(.unreadable, HeaderError(.unsupported, problem))
    drain()
    end()
  }

  private func cut(_ bytes: UnsafeRawBufferPointer, into lines: inout [[UInt8]]) -> String? {
    var cursor = 0
    do throws(StreamError) {
      while let message = try unsafe splitter.next(in: bytes, from: &cursor) {
        switch message {
        case .line(let line): unsafe lines.append([UInt8](line))
        case .opening:
          let frames = FrameStream(stream, bridge.handles)
          (stream, self.frames) = (frames, frames)
        case .frame(let frame): if let line = line(of: frame) { lines.append(line) }
        }
      }
      return nil
    } catch {
      return "not the protocol: \(error)"
    }
  }

  /// Returns nil for a frame that was refused.
  private func line(of frame: Frame) -> [UInt8]? {
    do throws(EnvelopeRefusal) {
      return try frame.line(bridge.handles, limit: Self.maxLineBytes)
    } catch {
      frames?.refuse(error)
      return nil
    }
  }

  private func handle(_ line: [UInt8]) {
    let command = unsafe line.withUnsafeBytes { unsafe Command(line: $0) }
    if let refusal = command.refusal { return answer(command.address, refusal) }
    switch command.method {
    case nil, .discover, .stats: tunnel?.send(line)
    case .hello: send(line, command, changing: .hello)
    case .ping, .headerList:
      // The command waits until nothing that was sent before it is open.
      performOrWait(line, command, isTurn: isUpToDate)
    case .subscribe, .unsubscribe: performOrWait(line, command, isTurn: unlisted.isEmpty)
    default: route(line, command)
    }
  }

  /// Nothing that was sent is open, and the owner table has all that this client was answered.
  private var isUpToDate: Bool { waiting.isEmpty && hasAllAnswers }

  private var hasAllAnswers: Bool { remote.isEmpty && unlisted.isEmpty && !bridge.isReadingRows }

  private func performOrWait(_ line: [UInt8], _ command: Command, isTurn: Bool) {
    if isTurn { perform(line, command) } else { wait(line, command, patience: Self.answerPatience) }
  }

  private func perform(_ line: [UInt8], _ command: Command) {
    guard case .params(let params) = command.body else { return tunnel?.send(line) ?? () }
    switch command.method {
    case .headerList: send(line, command, changing: .list(params))
    case .subscribe: send(line, command, changing: .subscribe(params))
    case .unsubscribe:
      let id = params["subscription"]?.wholeNumber.map { Int(clamping: $0) }
      send(line, command, changing: .unsubscribe(id ?? -1))
    default: tunnel?.send(line)
    }
  }

  // MARK: - Ways

  private func header(of command: Command) -> String? {
    if case .only = command.header { opened.count == 1 ? opened.first : nil } else { command.headerName }
  }

  private func route(_ line: [UInt8], _ command: Command) {
    guard let header = header(of: command) else { return tunnel?.send(line) ?? () }
    // What waits for a header goes first.
    if waiting[header] != nil { return wait(line, command) }
    tryToRoute(line, command, header)
  }

  private func tryToRoute(_ line: [UInt8], _ command: Command, _ header: String) {
    let isOpening = command.method == .headerOpen
    switch bridge.place(of: header, forOpening: isOpening) {
    case .here:
      if isOpening, let refusal = bridge.refusalToOpen(header) { return answer(command.address, refusal) }
      sendHere(line, command, header)
    case .at(let node): sendAway(line, command, header, node)
    case .onItsWay: wait(line, command)
    case .unreachable:
      answer(
        command.address, .unanswered(header, " is with another daemon of the realm, and NATS does not answer"))
    }
  }

  private func sendHere(_ line: [UInt8], _ command: Command, _ header: String) {
    if command.method == .headerOpen { opens(header, command, isElsewhere: false) }
    let line = command.method == .headerOpen ? Self.opening(line, after: bridge.floor(of: header)) : line
    guard case .request(let id) = command.address, !command.isReading else {
      return tunnel?.send(line) ?? ()
    }
    tunnel?.send(line, request: (id.bytes, header, command.method == .headerClose))
  }

  /// A header's new epoch is behind all that the realm has seen of it.
  static func opening(_ line: [UInt8], after epoch: Int64) -> [UInt8] {
    guard epoch > 0 else { return line }
    return changing("params", of: line) { params in
      if params["after"] == nil { params["after"] = .number(Double(epoch)) }
    }
  }

  private func opens(_ header: String, _ command: Command, isElsewhere: Bool) {
    opened.insert(header)
    if case .request(let id) = command.address { changed[id.bytes] = .open(isElsewhere: isElsewhere) }
  }

  private func sendAway(_ line: [UInt8], _ command: Command, _ header: String, _ node: NodeName) {
    if command.method == .headerOpen { opens(header, command, isElsewhere: true) }
    usedNodes.insert(node)
    var line = line
    var isRequest = false
    if case .request(let id) = command.address {
      isRequest = true
      remote[id.bytes] = Remote(header: header, node: node, deadline: now + Self.answerPatience)
    }
    if case .only = command.header { line = changing("params", of: line) { $0["header"] = .text(header) } }
    bridge.sendEvent(
      line, header: header, client: number, isRequest: isRequest, to: node, isOpening: command.method == .headerOpen)
  }

  private func wait(_ line: [UInt8], _ command: Command, patience: Int64 = ClientSession.headerPatience) {
    guard waitingBytes + line.count <= Self.maxWaiting else {
      return answer(
        command.address, HeaderError(.rateExceeded, "too much waits for headers that go from one daemon to another"))
    }
    lastWaiting += 1
    keep(
      Waiting(
        number: lastWaiting, header: header(of: command), line: line, command: command, deadline: now + patience))
  }

  /// Sends waiting commands that can be sent now.
  func retryWaiting(at now: MonotonicTime) {
    self.now = now
    if !unlisted.isEmpty { unlisted = unlisted.filter { bridge.floor(of: $0.key) < $0.value } }
    if !waiting.isEmpty {
      let all = waiting.values.joined().sorted { $0.number < $1.number }
      waiting = [:]
      routeWaiting(all)
    }
    for (id, request) in remote where request.deadline <= now { fail(id, request, "did not answer in time") }
  }

  /// The same as soon as something is new of one header, or an answer has come (nil), without a look at what waits for other headers.
  func retryWaiting(for header: String?, at now: MonotonicTime) {
    self.now = now
    if let header {
      if let epoch = unlisted[header], bridge.floor(of: header) >= epoch { unlisted[header] = nil }
      if let items = waiting.removeValue(forKey: header) { routeWaiting(items) }
    }
    if waiting.count == 1, hasAllAnswers, let items = waiting.removeValue(forKey: "") { routeWaiting(items) }
  }

  private func routeWaiting(_ items: [Waiting]) {
    for item in items {
      waitingBytes -= item.line.count
      let isLate = item.deadline <= now
      guard let header = item.header else {
        if isLate { unlisted = [:] }
        if isUpToDate || isLate { perform(item.line, item.command) } else { keep(item) }
        continue
      }
      let isOpening = item.command.method == .headerOpen
      if isLate {
        answer(item.command.address, .unanswered(header, " has no owner in the realm at the moment"))
      } else if waiting[header] != nil || bridge.place(of: header, forOpening: isOpening) == .onItsWay {
        keep(item)
      } else {
        tryToRoute(item.line, item.command, header)
      }
    }
  }

  private func keep(_ item: Waiting) {
    waiting[item.header ?? "", default: []].append(item)
    waitingBytes += item.line.count
  }

  /// Handles a line that another bridge has sent back, since it no longer has the header.
  func sentBack(_ line: [UInt8]) {
    let command = unsafe line.withUnsafeBytes { unsafe Command(line: $0) }
    if case .request(let id) = command.address {
      guard remote.removeValue(forKey: id.bytes) != nil else { return }
    }
    wait(line, command)
  }

  /// Fails the requests that were sent to a node that is gone: their outcome is unknown.
  func lost(_ node: NodeName) {
    for (id, request) in remote where request.node == node {
      fail(id, request, "is gone; it may have been done or not")
    }
  }

  /// Handles a header that has moved to another node than the one that was asked.
  func ownerChanged(_ header: String, to node: NodeName) {
    for (id, request) in remote where request.header == header && request.node != node {
      fail(id, request, "has given it to another one; it may have been done or not")
    }
  }

  private func fail(_ id: [UInt8], _ request: Remote, _ what: String) {
    remote[id] = nil
    answer(.request(.raw(id)), .unanswered(request.header, ": its daemon \"\(request.node.text)\" \(what)"))
  }

  // MARK: - To the client

  private func answer(_ address: ReplyAddress, _ error: HeaderError) {
    var writer = JSONWriter()
    switch address {
    case .request(let id):
      changed[id.bytes] = nil
      writer.refusal(id, error)
    case .notification: writer.errorNotification(error)
    case .frame, .unreadable: writer.refusal(nil, error)
    }
    stream.write(writer.copy())
  }

  private func send(_ line: [UInt8], _ command: Command, changing change: Changed) {
    if case .request(let id) = command.address { changed[id.bytes] = change }
    tunnel?.send(command.address == .notification ? asRequest(line, change) : line)
  }

  /// A notification with an id: headers elsewhere are subscribed to behind the daemon's answer.
  private func asRequest(_ line: [UInt8], _ change: Changed) -> [UInt8] {
    guard case .record(var message)? = json(line) else { return line }
    lastNotification += 1
    let id = Value.text("headerd-nats-\(lastNotification)")
    message["id"] = id
    changed[id.jsonBytes] = change
    notifications.insert(id.jsonBytes)
    return Value.record(message).jsonBytes
  }

  /// What another bridge says to this client.
  func said(remotely line: [UInt8]) {
    switch DaemonLine(line) {
    case .answer(let id):
      if remote.removeValue(forKey: id) == nil { return }
      send(changed.removeValue(forKey: id).map { change(line, $0) } ?? line)
      retryWaiting(for: nil, at: bridge.now)
    case .other: send(line)
    case .state, .closed, .trace: return
    }
  }

  /// Sends a whole line without its end.
  func send(_ line: [UInt8]) { stream.write(line + [0x0A]) }

  /// Bytes that the client's socket has not taken.
  var unreadBytes: Int { stream.queuedBytes }

  /// Sets whether answers mean that a change is durable; the client is notified once its encoding is known.
  /// - Parameter reason: why they do not; nil: they do.
  func durability(_ reason: String?) {
    guard splitter.encoding != nil else { return }
    var params: Value.Record = ["durable": .bool(reason == nil)]
    params["reason"] = reason.map { .text($0) }
    var writer = JSONWriter()
    writer.notification("durability") { $0.value(.record(params)) }
    stream.write(writer.copy())
  }

  private func change(_ line: [UInt8], _ change: Changed) -> [UInt8] {
    changing("result", of: line) { self.change(&$0, change) }
  }

  private func change(_ result: inout Value.Record, _ change: Changed) {
    switch change {
    case .hello:
      if case .list(let names)? = result["capabilities"] {
        result["capabilities"] = .list(names.filter { !["clientDelegates", "trace"].contains($0) })
      }
    case .open(let isElsewhere):
      guard case .text(let header)? = result["header"] else { return }
      if isElsewhere, let epoch = result["epoch"]?.wholeNumber, bridge.floor(of: header) < epoch {
        unlisted[header] = epoch
      }
      result["handle"] = .number(Double(bridge.handles.handle(of: header)))
    case .list(let params):
      guard case .list(let rows)? = result["headers"] else { return }
      let glob: String? = if case .text(let glob)? = params["match"] { glob } else { nil }
      let own = rows.map { row -> Value in
        guard case .record(var record) = row, case .text(let header)? = record["header"] else { return row }
        record["owner"] = .text(bridge.settings.node.text)
        record["handle"] = .number(Double(bridge.handles.handle(of: header)))
        return .record(record)
      }
      result["headers"] = .list(own + bridge.realmRows(glob))
    case .subscribe(let params):
      guard let id = result["subscription"]?.wholeNumber, let matched = result["matched"]?.wholeNumber else { return }
      let subscription = RemoteSubscription(id: Int(clamping: id), params)
      subscriptions.append(subscription)
      beginning = subscription
      result["matched"] = .number(Double(matched) + Double(bridge.matched(subscription)))
    case .unsubscribe(let id):
      subscriptions.removeAll { $0.id == id }
      bridge.feed.remove(self, subscription: id)
    }
  }

  // MARK: - The end

  /// Ends the session, on either side's initiative.
  public func end() {
    guard !isEnded else { return }
    isEnded = true
    tunnel?.close()
    tunnel = nil
    stream.close()
    for node in usedNodes { bridge.tell(node, [], client: bridge.name(ofClient: number), "end") }
    bridge.ended(self)
  }

  /// Notifies the client that the process or its connection to the daemon ends.
  public func drain() {
    var writer = JSONWriter()
    writer.bye(reason: "draining")
    stream.write(writer.copy())
  }

  /// Resumes reading the daemon's lines, since the client has read its own.
  public func drained() { tunnel?.setReading(true) }
}

extension ClientSession: TunnelOwner {
  func tunnel(said line: [UInt8]) {
    switch DaemonLine(line) {
    case .closed(let header) where bridge.isLeaving(header): return
    case .answer(let id):
      guard let change = changed.removeValue(forKey: id) else { break }
      let answer = self.change(line, change)
      if notifications.remove(id) == nil {
        send(answer)
      } else if let error = json(line)?["error"] {
        var writer = JSONWriter()
        writer.notification("error") { $0.value(error) }
        stream.write(writer.copy())
      }
      if let subscription = beginning {
        beginning = nil
        bridge.begin(subscription, for: self)
      }
      return
    default: break
    }
    send(line)
    // A slow client's lines stay in the daemon's queue, so that the daemon treats it as any slow subscriber.
    if unreadBytes > RemoteDelivery.maxLatestBytes { tunnel?.setReading(false) }
  }

  func tunnelIsGone() {
    drain()
    end()
  }
}
