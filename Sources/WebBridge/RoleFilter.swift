// SPDX-License-Identifier: MIT
//
// Refuses what a page may not do, since the daemon sees the bridge's user and not the page's. The daemon's own decoder reads each
// message, so that both understand the same bytes in the same way; permitted messages are forwarded unchanged. A page that has all roles
// is not filtered.
//
//     page ──messages──▶ RoleFilter ──permitted ones──▶ daemon
//       ▲─────notPermitted───╯
//
// With frames the daemon's output may be cut within a frame, and no error can be inserted: a frame that is not permitted ends the
// connection.

public import Fanout
internal import HeaderModel
public import HeaderWire

/// Cuts a page's bytes into messages and forwards those that its roles permit.
public struct RoleFilter: ~Copyable {
  private var splitter: MessageSplitter
  private let peer: Peer

  /// - Parameters:
  ///   - name: the page's, for messages.
  ///   - limit: bytes of a message, as the daemon's `limits.lineBytes`.
  public init(_ roles: Roles, name: String, encoding: Encoding, limit: Int) {
    peer = Peer(name: name, roles: roles)
    // The binary encoding begins with its opening, which the splitter then reads.
    splitter = MessageSplitter(limit: limit, encoding: encoding == .lines ? .lines : nil)
  }

  /// The result of filtering a piece.
  public struct Result {
    /// Messages for the daemon.
    public var permitted: [UInt8] = []
    /// Messages for the page that say what was refused.
    public var refusals: [UInt8] = []
  }

  /// Why a page's connection ends.
  public struct Ending: Error, Sendable {
    /// A sentence for people.
    public let message: String
  }

  /// Reads a piece of the page's input.
  public mutating func read(_ piece: RawSpan) throws(Ending) -> Result {
    var result = Result()
    try unsafe piece.withUnsafeBytes { (bytes) throws(Ending) in try unsafe read(bytes, into: &result) }
    return result
  }

  private mutating func read(_ bytes: UnsafeRawBufferPointer, into result: inout Result) throws(Ending) {
    var cursor = 0
    while let message = try unsafe next(in: bytes, from: &cursor) {
      switch message {
      case .opening: result.permitted += MessageSplitter.openingBytes
      case .line(let line):
        let command = unsafe Command(line: line)
        if let error = refusal(of: command) {
          write(error, command.address, &result.refusals)
        } else {
          unsafe result.permitted += line
          result.permitted.append(0x0A)
        }
      case .frame(let frame):
        if let error = refusal(of: Command(frame: frame)) { throw Ending(message: error.message) }
        unsafe result.permitted += frame.bytes
      }
    }
  }

  private mutating func next(
    in bytes: UnsafeRawBufferPointer, from cursor: inout Int
  ) throws(Ending) -> MessageSplitter.Message? {
    do throws(StreamError) {
      return try unsafe splitter.next(in: bytes, from: &cursor)
    } catch {
      throw Ending(message: "not the protocol: \(error)")
    }
  }

  /// Why a message is not passed on; nil: it is.
  private func refusal(of command: Command) -> HeaderError? {
    do throws(HeaderError) {
      try permit(command)
      return nil
    } catch {
      return error
    }
  }

  /// The daemon itself refuses unknown requests, and answers to questions that it did not ask.
  private func permit(_ command: Command) throws(HeaderError) {
    guard let method = command.method else { return }
    try peer.permit(.method(method))
    switch method {
    case .event: if !peer.access.roles.contains(.tune), command.setsOptions { try permitOptions(of: command.header) }
    case .subscribe: if command.isSet("explain") { try peer.permit(.explainStates) }
    case .stats: if command.isSet("reset") { try peer.permit(.resetStatistics) }
    case .headerOpen, .headerConfigure: if command.follows { try peer.permit(.follow) }
    case .hello, .ping, .discover, .unsubscribe, .headerList, .headerGet, .headerClose, .headerCall, .headerMove,
      .headerConstrain, .headerRelease, .headerReveal, .headerExplain, .delegateAdd, .delegateRemove, .delegateMove,
      .delegateConfigure, .delegateShadow, .delegatePromote, .pluginList, .pluginLoad, .pluginUnload, .pluginReload,
      .traceStart, .traceStop:
      break
    }
  }

  /// The daemon's errors of events name the header.
  private func permitOptions(of header: HeaderTarget) throws(HeaderError) {
    do throws(HeaderError) {
      try peer.permit(.setOptions)
    } catch {
      guard case .name(let name) = header else { throw error }
      var named = error
      named.facts["header"] = .text(name)
      throw named
    }
  }

  private func write(_ error: HeaderError, _ address: ReplyAddress, _ output: inout [UInt8]) {
    var writer = JSONWriter()
    switch address {
    case .request(let id): writer.refusal(id, error)
    case .notification: writer.errorNotification(error)
    case .frame, .unreadable: writer.refusal(nil, error)
    }
    output += writer.copy()
  }
}

extension Command {
  /// Whether an `event` sets options, alone or among others.
  fileprivate var setsOptions: Bool {
    switch body {
    case .event(let timed):
      if case .setOptions = timed.event.kind { return true }
      return false
    case .events(let events):
      var found = false
      // The daemon drops a frame whose sizes do not add up.
      try? events.forEach { record, _ throws(HeaderError) in
        if case .text("setOptions")? = try record.fields(at: Path("params"))["event"] { found = true }
      }
      return found
    case .params(.record(let params)):
      if case .text("setOptions")? = params["event"] { return true }
      guard case .list(let events)? = params["events"] else { return false }
      return events.contains {
        guard case .record(let event) = $0, case .text("setOptions")? = event["event"] else { return false }
        return true
      }
    case .params, .answer, .refused: return false
    }
  }

  /// Whether a parameter is true.
  fileprivate func isSet(_ name: String) -> Bool {
    guard case .params(.record(let params)) = body, case .bool(true)? = params[name] else { return false }
    return true
  }

  /// Whether a description has drawers that follow those of another header.
  fileprivate var follows: Bool {
    guard case .params(.record(let params)) = body, case .list(let drawers)? = params["drawers"] else { return false }
    return drawers.contains {
      guard case .record(let drawer) = $0, case .record(let leader)? = drawer["follow"] else { return false }
      return leader["header"] != nil && leader["header"] != params["header"]
    }
  }
}
