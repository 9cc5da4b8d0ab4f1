// SPDX-License-Identifier: MIT
//
// The daemon without a kernel: its service, its engine and its real plugins between sockets and a clock that a test holds
// in its hand. A socket here has what makes sockets difficult: a buffer of some size between both ends, input that comes
// in pieces, readers that stop, peers that vanish in the middle of a line.

import DaemonTestKit
import HeaderCore
import HeaderService
import PluginHost

/// Both ends of one connection.
final class SimulatedSocket {
  /// Bytes on their way to the service.
  var toService: [UInt8] = []
  /// The client sends no more.
  var isHalfClosed = false
  private var hasToldHalfClose = false
  /// Bytes that the kernel has taken from the service and the client has not read.
  var kernel: [UInt8] = []
  let kernelRoom: Int
  /// Bytes that the kernel had no room for.
  var queue: [UInt8] = []
  /// The service has closed it.
  var isClosed = false
  var mostQueued = 0

  init(kernelRoom: Int) { self.kernelRoom = kernelRoom }

  /// Moves what fits from the queue to the kernel; true if the queue became empty by it.
  func pump() -> Bool {
    guard !queue.isEmpty else { return false }
    let count = min(queue.count, kernelRoom - kernel.count)
    kernel += queue[..<count]
    queue.removeFirst(count)
    return queue.isEmpty
  }

  func tellHalfClose() -> Bool {
    guard isHalfClosed, !hasToldHalfClose, toService.isEmpty else { return false }
    hasToldHalfClose = true
    return true
  }
}

/// What the service asks for: somewhere to put bytes and log lines, and a wall clock.
final class Surroundings: ServiceOutput, ServiceLog {
  /// Nanoseconds.
  var clock: Int64 = 1_000_000_000
  var sockets: [ConnectionID: SimulatedSocket] = [:]
  /// Lines of level `error`: there must not be any.
  private(set) var errors: [String] = []

  func send(_ bytes: RawSpan, to connection: ConnectionID) {
    guard let socket = sockets[connection] else { return }
    precondition(!socket.isClosed, "nothing is sent after a close")
    unsafe bytes.withUnsafeBytes { unsafe socket.queue += $0 }
    _ = socket.pump()
    socket.mostQueued = max(socket.mostQueued, socket.queue.count)
  }

  func queuedBytes(of connection: ConnectionID) -> Int { sockets[connection]?.queue.count ?? 0 }

  func close(_ connection: ConnectionID) { sockets[connection]?.isClosed = true }

  func log(_ level: LogLevel, _ what: String, _ facts: [(key: String, value: String)]) {
    if level >= .error { errors.append("\(what) \(facts.map { "\($0.key)=\($0.value)" }.joined(separator: " "))") }
  }
}

/// The service and all that is around it.
final class World {
  private let surroundings = Surroundings()
  private let service: Service
  let plugins = SimulatedPlugins()

  var clock: Int64 { surroundings.clock }
  var log: [String] { surroundings.errors }

  init(limits: Limits) {
    let surroundings = self.surroundings
    var settings = ServiceSettings { 1_700_000_000_000_000 + surroundings.clock / 1000 }
    settings.limits = limits
    service = Service(settings: settings, plugins: plugins, output: surroundings, log: surroundings)
  }

  // MARK: - What happens to it

  func connect(kernelRoom: Int) -> (ConnectionID, SimulatedSocket) {
    let socket = SimulatedSocket(kernelRoom: kernelRoom)
    let id = service.nextConnection
    surroundings.sockets[id] = socket
    let given = service.connected(Peer(name: "simulated"), at: clock)
    precondition(given == id)
    clear(id)
    return (id, socket)
  }

  /// Gives the service up to so many bytes of what a client has sent, if it wants any.
  func deliver(_ count: Int, of id: ConnectionID) {
    guard let socket = surroundings.sockets[id], !socket.isClosed else { return }
    guard service.wantsInput(id) else { return }
    let piece = Array(socket.toService.prefix(count))
    socket.toService.removeFirst(piece.count)
    if !piece.isEmpty { service.received(unsafe piece.span.bytes, from: id, at: clock) }
    if socket.tellHalfClose() { service.endOfInput(id) }
    clear(id)
  }

  /// The client reads up to so many bytes.
  func read(_ count: Int, from id: ConnectionID) -> [UInt8] {
    guard let socket = surroundings.sockets[id] else { return [] }
    let piece = Array(socket.kernel.prefix(count))
    socket.kernel.removeFirst(piece.count)
    if socket.pump(), !socket.isClosed { service.drained(id, at: clock) }
    clear(id)
    return piece
  }

  /// The client is gone, whatever is under way.
  func vanish(_ id: ConnectionID) {
    surroundings.sockets[id] = nil
    service.disconnected(id)
  }

  /// A connection that the service closed is gone once everything is written.
  private func clear(_ id: ConnectionID) {
    guard let socket = surroundings.sockets[id], socket.isClosed, socket.queue.isEmpty else { return }
    service.disconnected(id)
  }

  /// Time goes by; the service is woken when it wished to be.
  func pass(_ nanoseconds: Int64) {
    let end = clock + nanoseconds
    while let wake = service.nextWake, wake <= end {
      surroundings.clock = max(clock, wake)
      service.tick(at: clock)
    }
    surroundings.clock = end
  }
}

/// The real plugins behind the service's protocol.
final class SimulatedPlugins: PluginControl {
  static let names = ["FlexibleHeader", "FlexibleHeightBar", "OriginalDelegate", "ShyNavBar", "StretchyHeader"]
  let registry = PluginRegistry(folders: [TestFiles.build])
  private var replaced: [String: Plugin] = [:]

  func behavior(named name: String) -> BehaviorDescription? { registry.behavior(named: name) }
  var behaviorNames: [String] { registry.behaviorNames }
  func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
    try registry.makeDelegate(behavior: behavior, name: name)
  }
  var loadedPlugins: [PluginEntry] {
    registry.plugins.map {
      PluginEntry(plugin: $0.name, version: $0.version, abi: $0.abi, path: "", behaviors: $0.behaviors)
    }
  }
  func loadPlugin(_ name: String) throws(HeaderError) -> PluginEntry {
    let plugin = try registry.load(name)
    return PluginEntry(
      plugin: plugin.name, version: plugin.version, abi: plugin.abi, path: "", behaviors: plugin.behaviors)
  }
  func unloadPlugin(_ name: String) throws(HeaderError) { _ = try registry.unload(name) }
  func reloadPlugin(_ name: String) throws(HeaderError) { replaced[name] = try registry.reload(name).old }
  func restorePlugin(_ name: String) {
    if let old = replaced.removeValue(forKey: name) { registry.restore(old) }
  }
}
