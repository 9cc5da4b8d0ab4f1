// SPDX-License-Identifier: MIT
//
// A client's connection to the daemon, whether the client is here or at another bridge. The client's messages are forwarded unchanged.
// Answers that confirm a change wait until JetStream has it, and so do the lines behind them.

internal import HeaderModel
internal import HeaderWire

/// Receives the daemon's lines from a tunnel.
protocol TunnelOwner: AnyObject {
  /// A line of the daemon's, without its end.
  func tunnel(said line: [UInt8])
  func tunnelIsGone()
}

/// An answer that waits until its change is durable.
final class HeldAnswer {
  let header: String
  let id: [UInt8]
  /// The header's epoch at the change, and the steps that the log must have of it; nil: not known yet.
  var epoch: Int64?
  var steps: Int?
  /// A header was closed: the table must say so.
  let isClosing: Bool
  /// The client is connected to this node, and gets a notice when answers mean less.
  let isLocal: Bool

  init(_ header: String, id: [UInt8], isClosing: Bool, isLocal: Bool) {
    (self.header, self.id, self.isClosing, self.isLocal) = (header, id, isClosing, isLocal)
  }
}

/// Whether a change is durable.
enum Keeping {
  /// The change is durable, or the client knows that answers do not mean that.
  case kept
  case pending
  /// The outcome is unknown, for this reason.
  case lost(String)
}

final class Tunnel {
  private let bridge: RealmBridge
  private weak var owner: (any TunnelOwner)?
  private let isLocal: Bool
  private var stream: (any LineStream)?
  private var requests: [[UInt8]: (header: String, isClosing: Bool)] = [:]
  private var output: [(line: [UInt8], held: HeldAnswer?)] = []

  init(_ bridge: RealmBridge, owner: any TunnelOwner, isLocal: Bool) {
    (self.bridge, self.owner, self.isLocal) = (bridge, owner, isLocal)
    stream = bridge.host.connectDaemon(self)
    // The daemon ends a connection that says nothing; this one may be for states of other daemons alone.
    send(Array(#"{"method":"ping"}"#.utf8))
  }

  func setReading(_ isOn: Bool) { stream?.setReading(isOn) }

  /// Sends a line to the daemon.
  /// - Parameter request: set for a request whose answer means that a header has changed.
  func send(_ line: [UInt8], request: (id: [UInt8], header: String, isClosing: Bool)? = nil) {
    if let request { requests[request.id] = (request.header, request.isClosing) }
    stream?.write(line + [0x0A])
  }

  func close() {
    stream?.close()
    stream = nil
  }

  /// Lets go of what may leave.
  /// - Returns: whether something still waits.
  @discardableResult func pump() -> Bool {
    var count = 0
    loop: for (line, held) in output {
      guard let held else {
        owner?.tunnel(said: line)
        count += 1
        continue
      }
      switch bridge.keeping(held) {
      case .kept: owner?.tunnel(said: line)
      case .lost(let why): owner?.tunnel(said: Self.refusal(held, why))
      case .pending: break loop
      }
      count += 1
    }
    output.removeFirst(count)
    return !output.isEmpty
  }

  private static func refusal(_ held: HeldAnswer, _ why: String) -> [UInt8] {
    HeaderError.unanswered(held.header, " \(why); it may have been done or not").line(for: .raw(held.id))
  }
}

extension Tunnel: DaemonOwner {
  func received(_ line: [UInt8]) {
    guard case .answer(let id) = DaemonLine(line), let request = requests.removeValue(forKey: id) else {
      return pass(line)
    }
    // A refusal changed nothing.
    if Self.isRefusal(line, id) { return pass(line) }
    let held = HeldAnswer(request.header, id: id, isClosing: request.isClosing, isLocal: isLocal)
    output.append((line, held))
    bridge.keep(held, of: self)
  }

  private func pass(_ line: [UInt8]) {
    if output.isEmpty { owner?.tunnel(said: line) } else { output.append((line, nil)) }
  }

  private static func isRefusal(_ line: [UInt8], _ id: [UInt8]) -> Bool {
    let start = #"{"jsonrpc":"2.0","id":"#.utf8.count + id.count
    return line.dropFirst(start).starts(with: #","error":"#.utf8)
  }

  func daemonIsGone() {
    stream = nil
    owner?.tunnelIsGone()
  }
}

extension HeaderError {
  /// A request for a header without an answer.
  /// - Parameter why: the sentence behind the header's name.
  static func unanswered(_ header: String, _ why: String) -> HeaderError {
    HeaderError(.deadlineExceeded, "header \"\(header)\"\(why)", facts: ["header": .text(header)])
  }

  /// The refusal of a request, without a line end.
  /// - Parameter id: nil: which request is not known.
  func line(for id: RequestID?) -> [UInt8] {
    var writer = JSONWriter()
    writer.refusal(id, self)
    return writer.copy().dropLast()
  }
}
