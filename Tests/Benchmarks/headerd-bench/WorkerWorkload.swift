// SPDX-License-Identifier: MIT
//
// A scroll to a header in a worker and what comes of it back, without the two processes and the socket between them.

import HeaderCore
import HeaderModel
import HeaderWorker
import PluginHost

/// Listens, and does nothing.
private final class Listener: RemoteHeaderOwner {
  func emitted(_ state: borrowing HeaderState, of header: UInt32) {}
  func ended(_ result: Result<RemoteOutcome, HeaderError>, of header: UInt32) {}
  func lost(_ header: UInt32, _ error: HeaderError) { preconditionFailure(error.message) }
  func restarted(_ header: UInt32) {}
  func refusedAgain(_ header: UInt32, _ error: HeaderError) {}
  func epochToGoOn(without delegate: String?, in header: UInt32, reason: String) -> Int64 { 2 }
  func logged(_ line: PluginLogLine) {}
  func leaderMoved(_ header: UInt32) {}
  func bypassed(_ delegate: String, of header: UInt32, reason: String) { preconditionFailure(reason) }
}

extension Workload {
  static func worker(_ plugins: PluginRegistry) throws(HeaderError) -> (_ count: Int) -> Void {
    let mirrors = MirrorProvider(plugins.plugins.flatMap(\.behaviors))
    let headers = RemoteHeaders(provider: mirrors)
    let engine = WorkerEngine(provider: plugins, limits: Limits())
    let owner = Listener()
    headers.owner = owner
    var unknown: [UnknownField] = []
    let description = try HeaderDescription(try description(shyNavBar), unknown: &unknown)
    let mirror = try Header(description, epoch: 1, provider: mirrors)
    func exchange() {
      let orders = headers.takeOutput()
      _ = try? unsafe engine.receive(orders.span.bytes)
      let news = engine.takeOutput()
      _ = try? unsafe headers.receive(news.span.bytes)
    }
    headers.open(1, mirror, from: nil)
    exchange()
    headers.apply(.event(ScrollEvent(.willAppear)), at: Instant(seconds: 0), to: 1)
    headers.apply(.event(ScrollEvent(.willBeginDragging)), at: Instant(seconds: 0), to: 1)
    exchange()
    var step = 0
    return { count in
      // Kept by the closure: they know each other weakly.
      withExtendedLifetime(owner) {
        for _ in 0..<count {
          step += 1
          headers.apply(
            .scroll(to: PartialPoint(y: offset(step)), correction: nil), at: Instant(seconds: Double(step) * 0.0083),
            to: 1)
          if step.isMultiple(of: 16) { exchange() }
        }
      }
    }
  }
}
