// SPDX-License-Identifier: MIT
//
// A daemon in memory: the service with a clock that is turned by hand, an output that keeps what it is given, and clients
// that can stop reading. Everything that is sent comes back at once as lines.

package import Clocks
package import Fanout
internal import Gateway
package import HeaderModel
package import HeaderService
package import HeaderTestKit
import HeaderWire

/// Keeps bytes; a connection that does not read has them queued.
package final class MemoryOutput: ServiceOutput {
  /// One connection's bytes. What is lent is copied as late as may be: when somebody looks, or something comes behind it.
  @safe package final class Pipe: Outbox {
    package var taken: [UInt8] {
      get {
        settle()
        return takenBytes
      }
      set { takenBytes = newValue }
    }
    package var queued: [UInt8] {
      get {
        settle()
        return waitingBytes
      }
      set { waitingBytes = newValue }
    }
    package var reads = true { willSet { settle() } }
    package var isClosed = false
    package var maxQueued = 0
    package let record = MessageRecord()
    private var takenBytes: [UInt8] = []
    private var waitingBytes: [UInt8] = []
    private var lent: [(owner: AnyObject, bytes: UnsafeRawBufferPointer)] = unsafe []

    package var queuedBytes: Int { reads ? 0 : unsafe lent.reduce(waitingBytes.count) { unsafe $0 + $1.bytes.count } }

    package func send(_ bytes: RawSpan) {
      precondition(!isClosed, "nothing is sent after a close")
      settle()
      unsafe bytes.withUnsafeBytes { unsafe take($0) }
    }

    package func offer(_ bytes: RawSpan, lentBy owner: AnyObject?, within bound: Int) -> Bool {
      precondition(!isClosed, "nothing is sent after a close")
      guard hasRoom(for: bytes.byteCount, within: bound) else { return false }
      guard let owner else {
        send(bytes)
        return true
      }
      unsafe bytes.withUnsafeBytes { unsafe lent.append((owner, $0)) }
      maxQueued = max(maxQueued, queuedBytes)
      return true
    }

    private func settle() {
      for index in unsafe lent.indices { unsafe take(lent[index].bytes) }
      unsafe lent = unsafe []
    }

    private func take(_ bytes: UnsafeRawBufferPointer) {
      unsafe record.received(bytes)
      if reads { unsafe takenBytes += bytes } else { unsafe waitingBytes += bytes }
      maxQueued = max(maxQueued, waitingBytes.count)
    }
  }

  package var pipes: [ConnectionID: Pipe] = [:]

  package init() {}

  package func pipe(_ id: ConnectionID) -> Pipe {
    if let pipe = pipes[id] { return pipe }
    let pipe = Pipe()
    pipes[id] = pipe
    return pipe
  }

  package func output(of connection: ConnectionID) -> any Outbox { pipe(connection) }
  package func close(_ connection: ConnectionID) { pipe(connection).isClosed = true }
}

/// Keeps log lines as text; those of level `debug`, which tell what is usual, apart.
package final class MemoryLog: ServiceLog {
  package var lines: [String] = []
  package var debugLines: [String] = []

  package init() {}

  package func log(_ level: LogLevel, _ what: String, _ facts: [(key: String, value: String)]) {
    let line = ([level.rawValue, what] + facts.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
    if level == .debug { debugLines.append(line) } else { lines.append(line) }
  }
}

/// The service and everything around it.
package final class TestDaemon {
  package static let second: Int64 = 1_000_000_000
  package let output = MemoryOutput()
  package let log = MemoryLog()
  package let plugins = TestPlugins()
  package let service: Service
  package var clock: MonotonicTime = 81_250_000_000

  package init(_ adjust: (inout ServiceSettings) -> Void = { _ in }) {
    var settings = ServiceSettings { 1_763_690_400_000_000 }
    adjust(&settings)
    service = Service(settings: settings, plugins: plugins, output: output, log: log)
  }

  package func connect(_ roles: Roles = .all) -> TestClient { connect(Peer(name: "test", roles: roles)) }

  package func connect(_ peer: Peer) -> TestClient { TestClient(self, service.connected(peer, at: clock)) }

  /// Lets it do what waits for its turn now.
  package func settle() {
    while service.nextWake == clock {
      service.tick(at: clock)
      endTurn()
    }
  }

  /// The end of a turn, and of those in which processes say what they have done.
  package func endTurn() {
    guard !plugins.isolated.isEmpty else { return }
    service.endTurn()
    while !plugins.workers.areSlow, plugins.workers.work() { service.endTurn() }
  }

  /// Lets time pass, waking the service whenever it wishes.
  /// - Parameter look: called after each wake, at its time.
  package func pass(_ seconds: Double, _ look: () -> Void = {}) {
    let end = clock + Int64(seconds * 1e9)
    while let wake = service.nextWake, wake <= end {
      clock = max(clock, wake)
      service.tick(at: clock)
      endTurn()
      look()
    }
    clock = end
  }

  /// A client with header `main` open: ShyNavBar on two drawers, 44 and 40.
  @discardableResult package func publisher(
    _ name: String = "main", _ more: String = "", behavior: String = "ShyNavBar"
  ) -> TestClient {
    let client = connect()
    client.send(Self.open(name, more, behavior: behavior))
    return client
  }

  package static func open(_ name: String, _ more: String = "", behavior: String = "ShyNavBar") -> String {
    """
    {"id":0,"method":"header.open","params":{"header":"\(name)",\
    "scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},\
    "environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],\
    "delegates":[{"behavior":"\(behavior)"}]\(more)}}
    """
  }

  package static func scroll(_ name: String, _ time: Double, _ y: Double) -> String {
    "{\"method\":\"event\",\"params\":{\"header\":\"\(name)\",\"event\":\"didScroll\",\"time\":\(time),\"offset\":{\"y\":\(y)}}}"
  }
}

/// One connection, as its other end sees it.
package final class TestClient {
  package let daemon: TestDaemon
  package let id: ConnectionID
  private var cursor = 0

  package init(_ daemon: TestDaemon, _ id: ConnectionID) {
    self.daemon = daemon
    self.id = id
  }

  package var pipe: MemoryOutput.Pipe { daemon.output.pipe(id) }
  package var isClosed: Bool { pipe.isClosed }

  /// Sends a line and returns what came back.
  @discardableResult package func send(_ line: String) -> [String] { send(Array((line + "\n").utf8)) }

  @discardableResult package func send(_ bytes: [UInt8]) -> [String] {
    pipe.record.sent(bytes)
    daemon.service.received(unsafe bytes.span.bytes, from: id, at: daemon.clock)
    daemon.endTurn()
    return received()
  }

  /// Whole lines that came since the last look.
  package func received() -> [String] {
    let lines = pipe.taken[cursor...].split(separator: 10)
    cursor = pipe.taken.count
    return lines.map { String(decoding: $0, as: UTF8.self) }
  }

  /// All that ever came.
  package var transcript: [UInt8] { pipe.taken }

  package var allLines: [String] { transcript.split(separator: 10).map { String(decoding: $0, as: UTF8.self) } }

  package func stopReading() { pipe.reads = false }

  /// Takes everything that is queued, again and again, as a reader that came back does.
  package func resumeReading() {
    pipe.reads = true
    pipe.taken += pipe.queued
    pipe.queued = []
    daemon.service.drained(id, at: daemon.clock)
  }

  /// Takes what is queued once and reads on no further.
  package func takeOnce() {
    pipe.taken += pipe.queued
    pipe.queued = []
    daemon.service.drained(id, at: daemon.clock)
  }

  package func hangUp() { daemon.service.disconnected(id) }
}

// MARK: - Looking into lines

/// The tree of a line.
package func tree(_ line: String) -> Value {
  let bytes = Array(line.utf8)
  do {
    return try unsafe bytes.withUnsafeBytes { try unsafe JSONReader.document($0) }
  } catch {
    preconditionFailure("no JSON: \(error) in \(line)")
  }
}

extension Value {
  /// The value at a path such as `params.drawers.0.frame.y`; null where there is none.
  package func at(_ path: String) -> Value {
    var value = self
    for part in path.split(separator: ".") {
      switch value {
      case .record(let record): value = record[String(part)] ?? .null
      case .list(let list):
        guard let index = Int(part), list.indices.contains(index) else { return .null }
        value = list[index]
      default: return .null
      }
    }
    return value
  }

  package var number: Double {
    if case .number(let number) = self { return number }
    return .nan
  }

  package var text: String {
    if case .text(let text) = self { return text }
    return ""
  }

  package var list: [Value] {
    if case .list(let list) = self { return list }
    return []
  }
}

extension [String] {
  /// The lines of one notification's kind, as trees.
  package func notifications(_ method: String) -> [Value] { map(tree).filter { $0.at("method") == .text(method) } }

  package var states: [Value] { notifications("state").map { $0.at("params") } }

  /// The sequence numbers of the states.
  package var seqs: [Int] { states.map { Int($0.at("seq").number) } }

  /// The answers and what they hold.
  package var results: [Value] {
    map(tree).filter { $0.at("method") == .null && $0.at("error") == .null }.map { $0.at("result") }
  }
  package var errors: [Value] { map(tree).filter { $0.at("error") != .null }.map { $0.at("error") } }
}
