// SPDX-License-Identifier: MIT
//
// A client's connection to the daemon, whether the client is here or at another gateway. What the client sends is passed on as it
// is; answers that say that something was done wait until JetStream has it, and what is behind them waits as well.

internal import HeaderModel
internal import HeaderWire

/// Whoever has a tunnel.
protocol TunnelOwner: AnyObject {
  /// A line of the daemon's, without its end.
  func tunnel(said line: [UInt8])
  func tunnelIsGone()
}

/// An answer that waits.
final class HeldAnswer {
  let header: String
  let id: [UInt8]
  /// The life of the header in which it was done, and the steps that the log must have of it; nil: it is not known yet.
  var epoch: Int64?
  var steps: Int?
  /// A header was closed: the table must say so.
  let isClosing: Bool
  /// Its client is here, and is told when answers mean less.
  let isLocal: Bool

  init(_ header: String, id: [UInt8], isClosing: Bool, isLocal: Bool) {
    (self.header, self.id, self.isClosing, self.isLocal) = (header, id, isClosing, isLocal)
  }
}

/// What tells whether answers may leave.
protocol AnswerKeeper: AnyObject {
  func keep(_ answer: HeldAnswer, of tunnel: Tunnel)
  func keeping(_ answer: HeldAnswer) -> Keeping
}

/// What became of what was done.
enum Keeping {
  /// It is kept, or its client knows that answers do not mean that.
  case kept
  case pending
  /// It may have been done or not; why.
  case lost(String)
}

final class Tunnel {
  private let keeper: any AnswerKeeper
  private weak var owner: (any TunnelOwner)?
  private let isLocal: Bool
  private var stream: (any LineStream)?
  private var requests: [[UInt8]: (header: String, isClosing: Bool)] = [:]
  private var output: [(line: [UInt8], held: HeldAnswer?)] = []

  init(_ keeper: any AnswerKeeper, _ host: any GatewayHost, owner: any TunnelOwner, isLocal: Bool) {
    (self.keeper, self.owner, self.isLocal) = (keeper, owner, isLocal)
    stream = host.connectDaemon(self)
    // The daemon ends a connection that says nothing; this one may be for states of other daemons alone.
    send(Array(#"{"method":"ping"}"#.utf8))
  }

  var queuedBytes: Int { stream?.queuedBytes ?? 0 }

  func setReading(_ isOn: Bool) { stream?.setReading(isOn) }

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
      switch keeper.keeping(held) {
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
    var writer = JSONWriter()
    writer.refusal(
      .raw(held.id),
      HeaderError(
        .deadlineExceeded,
        "header \"\(held.header)\" \(why); it may have been done or not",
        facts: ["header": .text(held.header)]))
    return writer.copy().dropLast()
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
    keeper.keep(held, of: self)
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
