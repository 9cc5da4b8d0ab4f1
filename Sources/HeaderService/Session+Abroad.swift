// SPDX-License-Identifier: MIT
//
// A session among neighbors (Neighbors.swift): which commands go to another service, which are held until all stand still,
// and what a guest tells its home. A command says which header it is for, and the header's name or handle says which
// service has it, so that a command is routed before it is performed.

internal import HeaderCore
internal import HeaderWire

/// What a session knows beside when its service has neighbors.
final class Abroad {
  let link: HomeLink
  let isGuest: Bool

  /// Of a home: the shards where it has guests, one bit each.
  var guests: UInt64 = 0
  /// Of a home: messages that guests have not done yet.
  var underWay = 0
  /// Of a home: names of headers elsewhere that it asked to open.
  var opened: Set<String> = []
  /// Of a home: its input has ended, and all services are to hear of it.
  var isEnding = false

  /// Of a guest: forwarded messages that wait for a client, bytes by ticket.
  var waiting: [Int: Int] = [:]
  /// Of a guest: tickets of the home, each closed when all tickets here up to a number are.
  var barriers: [(upTo: Int, ticket: Int)] = []
  /// Of a guest: what it did and the home was not told.
  var doneMessages = 0
  var doneBytes = 0
  var isReporting = false

  init(_ link: HomeLink, isGuest: Bool) {
    self.link = link
    self.isGuest = isGuest
  }
}

// MARK: - Of a home

extension Session {
  /// What a held message adds to those that wait: more than any limit, so that nothing behind it is looked at.
  static let heldWeight = 1 << 48

  /// Whether the session is a guest here.
  var isGuest: Bool { abroad?.isGuest == true }

  /// Where a command goes that is not performed here.
  enum Destination {
    case shard(Int)
    /// All services together.
    case everyone
  }

  /// Where a command goes; nil: it is performed here.
  func destination(of command: Command) -> Destination? {
    guard let abroad, !abroad.isGuest, let shard = service.neighbors?.shard else { return nil }
    /// The shard of a number that it or a neighbor has given out.
    func holder(of number: Int?) -> Destination? {
      guard let holder = number.flatMap({ shard.holder(of: $0) }), holder != shard.index else { return nil }
      return .shard(holder)
    }
    switch command.method {
    case .headerOpen, .headerClose, .headerGet, .headerConfigure, .headerCall, .event, .delegateAdd, .delegateRemove,
      .delegateMove, .delegateConfigure, .traceStart:
      switch command.header {
      case .name(let name):
        let holder = shard.holder(of: name)
        return holder == shard.index ? nil : .shard(holder)
      case .handle(let handle): return holder(of: Int(exactly: handle))
      case .only: return destinationOfOnlyHeader(shard)
      case .none: return nil
      }
    case .traceStop:
      guard let id = traceNumber(in: command), !recorders.contains(where: { $0.id == id }) else { return nil }
      return holder(of: id)
    case nil:
      guard case .answer(let question, _, _) = command.body, !asked.contains(where: { $0.id == question }) else {
        return nil
      }
      return holder(of: question)
    case .hello, .ping, .stats, .headerList, .subscribe, .unsubscribe, .pluginList, .pluginLoad, .pluginUnload,
      .pluginReload:
      return nil
    }
  }

  private func traceNumber(in command: Command) -> Int? {
    guard case .params(.record(let params)) = command.body, case .number(let number)? = params["trace"] else {
      return nil
    }
    return Int(exactly: number)
  }

  /// Where the only header is that the connection opened, if it opened headers elsewhere.
  private func destinationOfOnlyHeader(_ shard: Shard) -> Destination? {
    guard let abroad, !abroad.opened.isEmpty else { return nil }
    if service.neighbors?.areStill == true {
      guard let name = try? onlyNameAnywhere(), shard.holder(of: name) != shard.index else { return nil }
      return .shard(shard.holder(of: name))
    }
    let isOneHere = opened.contains { service.table[$0] != nil }
    guard !isOneHere, abroad.opened.count == 1, let name = abroad.opened.first else { return .everyone }
    return .shard(shard.holder(of: name))
  }

  /// Whether a command is performed elsewhere, or by all services together; it is then on its way.
  func isRouted(_ command: Command) -> Bool {
    switch destination(of: command) {
    case nil:
      guard let method = command.method else { return false }
      return isForEveryone(method, command)
    case .shard(let shard)?:
      if command.method == .headerOpen, case .name(let name) = command.header { abroad?.opened.insert(name) }
      if !moves(to: shard, with: .command(command)) { forward(.command(command), to: shard) }
      return true
    case .everyone?:
      hold(.command(command))
      return true
    }
  }

  func forward(_ content: LaterMessage.Content, to shard: Int) {
    guard let abroad, let neighbors = service.neighbors else { return }
    abroad.guests |= 1 << UInt64(shard)
    abroad.underWay += 1
    deferredBytes += content.count
    let message = ForwardedMessage(
      connection: id, peer: peer, link: abroad.link, encoding: encoding, clientName: clientName, content: content)
    neighbors.switchboard.send(.message(message), to: shard)
  }

  /// Whether a message concerns all services, which do not stand still yet, or takes the connection elsewhere; it is then
  /// seen to.
  private func isForEveryone(_ method: RequestMethod, _ command: Command) -> Bool {
    guard let neighbors = service.neighbors, !neighbors.areStill, let abroad, !abroad.isGuest else { return false }
    switch method {
    case .headerList, .stats, .pluginLoad, .pluginUnload, .pluginReload: break
    case .subscribe:
      if case .params(let params) = command.body, let shard = onlyHolder(toSubscribe: params, neighbors.shard) {
        // What concerns this service alone, or another one to which it may move, needs nobody else.
        if shard == neighbors.shard.index { return false }
        if moves(to: shard, with: .command(command)) { return true }
      }
    case .unsubscribe: if abroad.guests == 0 { return false }
    // Behind what guests have said: whoever heard of a state elsewhere finds it before the answer.
    case .ping: if abroad.guests == 0 { return false }
    case .hello, .headerOpen, .headerClose, .headerGet, .headerConfigure, .headerCall, .event, .pluginList, .traceStart,
      .traceStop, .delegateAdd, .delegateRemove, .delegateMove, .delegateConfigure:
      return false
    }
    hold(.command(command))
    return true
  }

  /// The shard of all headers that a subscription names; nil where it has patterns or names of several.
  private func onlyHolder(toSubscribe params: Value, _ shard: Shard) -> Int? {
    guard case .record(let fields) = params else { return nil }
    let names: [Value]
    switch fields["headers"] {
    case .text(let name): names = [.text(name)]
    case .list(let list): names = list
    default: return nil
    }
    var holder: Int?
    for case .text(let name) in names {
      guard Names.isHeaderName(name), holder == nil || holder == shard.holder(of: name) else { return nil }
      holder = shard.holder(of: name)
    }
    return holder
  }

  /// Keeps a message until all services stand still, and reads nothing behind it until then.
  func hold(_ content: LaterMessage.Content) {
    guard let neighbors = service.neighbors else { return }
    let message: LaterMessage
    if let serving = service.serving, serving.session === self {
      serving.isParked = true
      message = LaterMessage(self, content, ticket: serving.ticket, arrivedAt: serving.arrivedAt)
      message.isCleared = true
    } else {
      message = LaterMessage(self, content, ticket: openTicket(), arrivedAt: service.now)
    }
    message.isLoose = true
    deferredBytes += message.count + Self.heldWeight
    neighbors.held.append(message)
  }

  /// Whether something that came before a held message still waits for a client, here or at a neighbor; the message is
  /// then kept behind it.
  func waitsForGuests(before message: LaterMessage) -> Bool {
    if case .endOfInput = message.content {
      for guest in guests { guest.endsInput() }
    }
    for guest in guests where !guest.openTickets.isEmpty {
      let place = openTickets.firstIndex(of: message.ticket) ?? openTickets.count
      lastTicket += 1
      openTickets.insert(lastTicket, at: place)
      guest.abroad?.barriers.append((guest.lastTicket, lastTicket))
    }
    guard openTickets.first != message.ticket else { return false }
    message.isCleared = true
    later.append(message)
    return true
  }

  /// The guests of this home; only while all services stand still.
  var guests: [Session] {
    guard let abroad, abroad.guests != 0, let neighbors = service.neighbors else { return [] }
    return neighbors.services.filter { $0 !== service }.compactMap { $0.sessions[id] }
  }

  /// Guests have done messages that were handed on.
  func guestsDid(_ messages: Int, _ bytes: Int) {
    let hadRoom = hasRoom
    abroad?.underWay -= messages
    deferredBytes -= bytes
    if !hadRoom || waitsForRoom { service.freedSessions.append(self) }
  }

  /// Everything that came before the end of the input is done, in all services.
  func inputHasEnded() {
    // It had to wait for a client: now for all services once more.
    guard service.neighbors?.areStill == true else { return hold(.endOfInput) }
    for session in guests + [self] {
      guard session.subscriptions.isEmpty, session.recorders.isEmpty, session.delegates.isEmpty else { return }
    }
    end(reason: nil)
  }

  /// The connection is over; its guests leave.
  func dismissGuests() {
    guard let abroad, let neighbors = service.neighbors, abroad.guests != 0 else { return }
    for shard in 0..<neighbors.shard.count where abroad.guests & (1 << UInt64(shard)) != 0 {
      neighbors.switchboard.send(.ended(id), to: shard)
    }
    abroad.guests = 0
  }

  /// The only header that it opened, where some of those that it asked for are elsewhere; only while all services stand
  /// still.
  /// - Returns: its name; nil: it is for this service alone to say.
  func onlyNameAnywhere() throws(HeaderError) -> String? {
    guard let abroad, !abroad.isGuest, !abroad.opened.isEmpty, service.neighbors?.areStill == true else { return nil }
    let guests = guests
    abroad.opened = guests.reduce(into: []) { $0.formUnion($1.opened) }
    let all = (guests + [self]).flatMap { session in
      session.opened.count > 8
        ? Array(session.opened) : session.opened.filter { session.service.table[$0] != nil }
    }
    guard all.count == 1, let name = all.first else { throw .noOnlyHeader(all.count) }
    return name
  }
}

// MARK: - Of a guest

extension Session {
  /// Handles a message that its home handed on.
  func handleForwarded(_ content: LaterMessage.Content) {
    let ticket = lastTicket
    if !isEnded { handle(content) }
    if lastTicket != ticket, openTickets.contains(lastTicket) {
      abroad?.waiting[lastTicket] = content.count
    } else {
      forwardedIsDone(content.count)
    }
  }

  private func forwardedIsDone(_ bytes: Int) {
    guard let abroad else { return }
    abroad.doneMessages += 1
    abroad.doneBytes += bytes
    guard !abroad.isReporting else { return }
    abroad.isReporting = true
    service.reporting.append(self)
  }

  /// Something that waited is done.
  func guestHasClosed(_ ticket: Int) {
    guard let abroad, abroad.isGuest else { return }
    if let bytes = abroad.waiting.removeValue(forKey: ticket) { forwardedIsDone(bytes) }
    while let barrier = abroad.barriers.first, openTickets.allSatisfy({ $0 > barrier.upTo }) {
      abroad.barriers.removeFirst()
      service.neighbors?.switchboard.send(.ticketDone(id, ticket: barrier.ticket), to: abroad.link.home)
    }
  }
}

extension HeaderError {
  /// An event without a header, of a connection that opened none or several.
  static func noOnlyHeader(_ count: Int) -> HeaderError {
    let reason = count == 0 ? "this connection has opened none" : "this connection has opened \(count)"
    return HeaderError(
      .invalidParams, "params.header: it is missing, and \(reason)", field: "params.header",
      expected: "a header's name")
  }
}
