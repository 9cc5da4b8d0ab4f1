// SPDX-License-Identifier: MIT
//
// Processes that never come to an end of anything, and never fall silent: what waits for them is refused in the end.

import Clocks
import Fanout
import Gateway
import HeaderCore
import HeaderHost
import HeaderModel
import HeaderService
import HeaderTestKit
import HeaderWorker
import Testing

@Suite struct EndlessWorkerTests {
  /// It has something to say in each turn; in one in ten it dies.
  private final class Talker: WorkerProcess {
    private weak var owner: (any WorkerProcessOwner)?
    private let isMortal: Bool
    private var words = 0
    var ordersBegun: UInt = 0
    var running: WorkerFault? { isMortal ? WorkerFault(header: 1, order: 0, delegate: 0) : nil }
    var usage: [PluginUsageEntry] { [] }

    init(_ owner: any WorkerProcessOwner, isMortal: Bool) {
      self.owner = owner
      self.isMortal = isMortal
    }

    func send(_ bytes: [UInt8]) {}
    func kill() { owner = nil }

    func talk() {
      ordersBegun += 1
      words += 1
      if isMortal, words == 10 { owner?.ended("it crashed") } else { owner?.received(Self.line) }
    }

    /// A line for the log: no level, no texts.
    private static let line: [UInt8] = [19, 0, 0, 0, 6] + [UInt8](repeating: 0, count: 18)
  }

  private final class Launch: WorkerLaunch {
    let deadline: Int64 = 1_000_000_000
    let headers = 4
    let isMortal: Bool
    var started: [Talker] = []

    init(isMortal: Bool) { self.isMortal = isMortal }

    func start(for owner: any WorkerProcessOwner) -> any WorkerProcess {
      started.append(Talker(owner, isMortal: isMortal))
      return started[started.count - 1]
    }
  }

  private final class Plugins: PluginControl, ShardPlugins {
    let launched: Launch
    private let description = BehaviorDescription(
      name: "Endless", plugin: "Endless", summary: "Never ends", moves: true, events: .all)

    init(_ launched: Launch) { self.launched = launched }

    func behavior(named name: String) -> BehaviorDescription? { name == "Endless" ? description : nil }
    var behaviorNames: [String] { ["Endless"] }
    func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
      throw HeaderError(.pluginRefused, "not here")
    }
    func isIsolated(_ behavior: String) -> Bool { true }
    func launch(_ plugins: [String]) -> any WorkerLaunch { launched }
    func usage(reset: Bool) -> [PluginUsageEntry] { [] }
    func plugins(forShard index: Int) -> any ShardPlugins { self }
    var loadedPlugins: [PluginEntry] { [] }
    func loadPlugin(_ name: String) throws(HeaderError) -> PluginEntry { throw HeaderError(.pluginNotFound, name) }
    func unloadPlugin(_ name: String) {}
    func isUnchanged(_ plugin: String) -> Bool { false }
    func reloadPlugin(_ name: String) {}
    func restorePlugin(_ name: String) {}
  }

  private final class NoOutput: ServiceOutput, ServiceLog, Outbox {
    var queuedBytes: Int { 0 }
    func send(_ bytes: RawSpan) {}
    func output(of connection: ConnectionID) -> any Outbox { self }
    func close(_ connection: ConnectionID) {}
    func log(_ level: LogLevel, _ what: String, _ facts: [(key: String, value: String)]) {}
  }

  @Test(arguments: [false, true]) func itIsGivenUp(isMortal: Bool) {
    let launch = Launch(isMortal: isMortal)
    let output = NoOutput()
    let service = Service(
      settings: ServiceSettings { 1_763_690_400_000_000 }, plugins: Plugins(launch), output: output, log: output)
    var description = HeaderDescription.bench
    description.delegates = [DelegateDescription(behavior: "Endless")]
    var refusal: HeaderError?
    var clock: MonotonicTime = 0
    service.open(description) { refusal = $0 }
    while refusal == nil, clock < 600_000_000_000 {
      clock += 100_000_000
      service.tick(at: clock)
      launch.started.last?.talk()
      service.endTurn()
    }
    #expect(refusal?.name == .behaviorFailed && !service.host.isOpening)
    #expect(launch.started.count > 1 && launch.started.count < 20)
    #expect(service.nextWake == nil)
  }
}
