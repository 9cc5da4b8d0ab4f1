// SPDX-License-Identifier: MIT
//
// Requests of this bridge's clients: where a header is, subscriptions to headers elsewhere, and when an answer may leave.

public import Clocks
internal import HeaderModel
internal import HeaderWire
internal import Realm

enum HeaderPlace: Equatable {
  case here
  case at(NodeName)
  /// No node has it now; one will.
  case onItsWay
  /// NATS is not connected, and this node does not have the header.
  case unreachable
}

extension RealmBridge {
  /// Begins the session of a client that has connected.
  public func accepted(_ stream: any LineStream, at now: MonotonicTime) -> ClientSession {
    self.now = now
    lastSession += 1
    let session = ClientSession(lastSession, self, stream, at: now)
    sessions[lastSession] = session
    return session
  }

  /// The process ends: headers here are free for others at once.
  public func shutDown(at now: MonotonicTime) {
    for session in Array(sessions.values) { session.drain() }
    var lease = lease
    lease.isServing = false
    // A process that has lost the name must not release the lease of its rival.
    if isSetUp, !hasLostName {
      bus.publish(
        lease.bytes, to: subjects.subject(.lease, node: settings.node), reply: nil,
        headers: [(JetStream.expectation, String(leaseNumber))])
    }
    link.close()
  }
}

// MARK: - Sessions and tunnels

extension RealmBridge {
  func place(of header: String, forOpening: Bool) -> HeaderPlace {
    if ownership.isOwned(header) { return .here }
    if ownership.isLeaving(header) || ownership.isBusy(header) {
      if let owner = ownership.owner(of: header), owner != settings.node, nodes.contains(owner) { return .at(owner) }
      if states[header] != nil, !ownership.isLeaving(header) { return .here }
      return isAway ? .unreachable : .onItsWay
    }
    if states[header] == nil, rowsAsked[header] != nil, ownership.owner(of: header) == nil { return .onItsWay }
    guard forOpening, !isAway, let node = ownership.place(of: header), node != settings.node else { return .here }
    return .at(node)
  }

  /// Why this daemon takes no further header; nil: it does, or it has that one.
  func refusalToOpen(_ header: String) -> HeaderError? {
    guard link.recordedCount >= maxHeaders, states[header] == nil else { return nil }
    return HeaderError(
      .limitExceeded,
      "daemon \"\(settings.node.text)\" of the realm has \(link.recordedCount) headers, as many as it can record",
      hint: "limits.traces in its config is to be twice the headers that it may come to have",
      facts: [
        "header": .text(header),
        "limit": ["name": "traces", "value": .number(Double(maxTraces)), "key": "limits.traces"],
      ])
  }

  func isLeaving(_ header: String) -> Bool { ownership.isLeaving(header) && !ownership.isOwned(header) }
  /// An epoch that is larger than all earlier ones of the header.
  func floor(of header: String) -> Int64 { ownership.floor(of: header) }
  /// Another node has announced a header whose row in the owner table was not read yet.
  var isReadingRows: Bool { !rowsAsked.isEmpty }

  func sendEvent(
    _ line: [UInt8], header: String, client: Int, isRequest: Bool, to node: NodeName, isOpening: Bool
  ) {
    if isOpening { return tell(node, line, client: name(ofClient: client), "open") }
    guard let subject = subjects.subject(isRequest ? .request : .event, header: header) else { return }
    bus.publish(
      line, to: subject, reply: nil,
      headers: [(Self.clientName, name(ofClient: client)), (Self.addressee, node.text)])
  }

  private func isElsewhere(_ header: String) -> Bool {
    guard let owner = ownership.owner(of: header) else { return false }
    return owner != settings.node
  }

  /// How many headers elsewhere it matches.
  func matched(_ subscription: RemoteSubscription) -> Int {
    ownership.headers.count { isElsewhere($0) && subscription.matches($0) }
  }

  func begin(_ subscription: RemoteSubscription, for session: ClientSession) {
    for header in ownership.headers where isElsewhere(header) && subscription.matches(header) {
      feed.add(header, subscription, to: session)
    }
  }

  func realmRows(_ glob: String?) -> [Value] {
    ownership.headers.filter { header in isElsewhere(header) && (glob.map { Names.glob($0, matches: header) } ?? true) }
      .sorted().compactMap { header in
        ownership.owner(of: header).map { owner in
          [
            "header": .text(header), "handle": .number(Double(handles.handle(of: header))), "owner": .text(owner.text),
            "epoch": .number(Double(floor(of: header))),
          ]
        }
      }
  }

  func ended(_ session: ClientSession) {
    feed.remove(session)
    sessions[session.number] = nil
  }
}

extension RealmBridge {
  func keep(_ answer: HeldAnswer, of tunnel: Tunnel) {
    held[ObjectIdentifier(tunnel)] = tunnel
    answer.epoch = states[answer.header]?.epoch
    // The barrier's end comes behind everything that the daemon has sent of the header so far.
    link.barrier { [self] in
      if answer.epoch == nil { answer.epoch = states[answer.header]?.epoch }
      let isOwned = answer.epoch != nil && answer.epoch == ownership.epoch(of: answer.header)
      answer.steps = isOwned ? ownership.receivedSteps(of: answer.header) ?? 0 : 0
      ownership.flush(answer.header, at: now)
      perform()
      pumpHeld()
    }
  }

  func keeping(_ answer: HeldAnswer) -> Keeping {
    guard let steps = answer.steps else { return .pending }
    if isAway { return answer.isLocal ? .kept : .pending }
    let keeping = keeping(answer, steps)
    guard case .pending = keeping, let notKept else { return keeping }
    return answer.isLocal ? .kept : .lost("is not kept (\(notKept))")
  }

  func keeping(_ answer: HeldAnswer, _ steps: Int) -> Keeping {
    if answer.isClosing { return ownership.isBusy(answer.header) ? .pending : .kept }
    // A change in an earlier life may not be part of the next one.
    let isGone = Keeping.lost("went to another daemon of the realm before this was kept")
    guard let epoch = answer.epoch else { return isGone }
    if ownership.epoch(of: answer.header) == epoch { return (kept[answer.header] ?? -1) >= steps ? .kept : .pending }
    return states[answer.header]?.epoch == epoch ? .pending : isGone
  }
}

extension Command {
  /// Why its method is not for a realm; nil: it is.
  var refusal: HeaderError? {
    guard let method else { return nil }
    switch method {
    case .pluginList, .pluginLoad, .pluginUnload, .pluginReload, .traceStart, .traceStop:
      return HeaderError(
        .unsupported, "\(method.rawValue) is for one daemon: ask the daemon's own socket, not the realm's",
        facts: ["capability": "local"])
    case .delegateAdd:
      guard case .params(let params) = body, params["client"] != nil else { return nil }
      return HeaderError(
        .unsupported,
        "delegate.add: a client can be a delegate at the daemon's own socket alone, where it is not waited "
          + "for across the network", field: "params.client", facts: ["capability": "clientDelegates"])
    default: return nil
    }
  }

  /// Whether its method is for one header and for nothing else, whatever its parameters name.
  var isForOneHeader: Bool {
    guard let method else { return false }
    switch method {
    case .event, .headerOpen, .headerClose, .headerGet, .headerConfigure, .headerCall, .headerMove, .headerConstrain,
      .headerRelease, .headerReveal, .headerExplain, .delegateAdd, .delegateRemove, .delegateMove, .delegateConfigure,
      .delegateShadow, .delegatePromote:
      return true
    case .hello, .ping, .stats, .discover, .headerList, .subscribe, .unsubscribe, .pluginList, .pluginLoad,
      .pluginUnload, .pluginReload, .traceStart, .traceStop:
      return false
    }
  }

  /// Whether the method only reads, so that its answer confirms no change.
  var isReading: Bool { method == .headerGet || method == .headerExplain }

  /// The header that it is for, if it names one.
  var headerName: String? {
    if case .name(let name) = header { return name }
    if case .params(let params) = body, case .text(let name)? = params["header"] { return name }
    return nil
  }
}
