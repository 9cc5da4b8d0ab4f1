// SPDX-License-Identifier: MIT
//
// Opens headers of the config with isolated plugins for trial, in processes like those that they will be in: only the plugin itself can
// say what it refuses.

internal import Clocks
internal import EventLoop
internal import HeaderCore
internal import HeaderHost
internal import HeaderModel
internal import HeaderWorker

/// Opens headers for trial. Each row of plugins has one process for all of its headers, as long as it lives.
final class IsolatedTrial {
  private let plugins: any ShardPlugins
  private let loop: Loop
  private let mirrors: MirrorProvider
  private var processes: [[String]: TrialProcess] = [:]

  /// - Parameters:
  ///   - plugins: a view that starts its processes on a loop.
  ///   - loop: that loop, which nothing else runs.
  init(_ plugins: any ShardPlugins, on loop: Loop) {
    self.plugins = plugins
    self.loop = loop
    mirrors = MirrorProvider(plugins.behaviorNames.compactMap { plugins.behavior(named: $0) })
  }

  /// Opens a header, if one of its plugins is isolated.
  /// - Throws: the error with which the daemon would refuse it.
  func open(_ description: HeaderDescription) throws(HeaderError) {
    guard let needed = plugins.isolating(description) else { return }
    let process: TrialProcess
    if let present = processes[needed], present.isAlive {
      process = present
    } else {
      process = try TrialProcess(of: needed, try plugins.launch(needed), mirrors, on: loop)
      processes[needed] = process
    }
    try process.open(description, mirrors)
  }
}

/// A process that opens headers, and the caller that waits for it.
private final class TrialProcess {
  /// The plugins' names, for messages.
  private let plugins: String
  private let headers: RemoteHeaders
  private let loop: Loop
  private var process: (any WorkerProcess)?
  private let deadline: Int64
  private var unread: [UInt8] = []
  private var last: UInt32 = 0
  private var result: Result<RemoteOutcome, HeaderError>?

  /// Nanoseconds that a process may take until it comes to its plugins, and all in all where calls may take any time.
  private static let patience = (start: Int64(4_000_000_000), most: Int64(60_000_000_000))

  init(
    of plugins: [String], _ launch: any WorkerLaunch, _ mirrors: MirrorProvider, on loop: Loop
  ) throws(HeaderError) {
    self.loop = loop
    self.plugins = plugins.joined(separator: ", ")
    headers = RemoteHeaders(provider: mirrors)
    deadline = launch.deadline == .max ? Self.patience.most : launch.deadline + Self.patience.start
    headers.owner = self
    process = try launch.start(for: self)
  }

  var isAlive: Bool { process != nil }

  func open(_ description: HeaderDescription, _ mirrors: MirrorProvider) throws(HeaderError) {
    guard let process else { return }
    last += 1
    result = nil
    headers.open(last, try Header(description, epoch: 1, provider: mirrors), from: nil)
    defer { headers.close(last) }
    process.send(headers.takeOutput())
    let timer = EventLoop.Timer(on: loop)
    timer.fired = { [unowned loop] in loop.stop() }
    timer.arm(at: loop.now + deadline)
    // The process's messages, its end and the timer stop the loop.
    loop.run()
    guard let result else {
      stop()
      let seconds = Value.number(Double(deadline) / 1e9).brief
      throw HeaderError(.behaviorFailed, "the process of \(plugins) did not open it within \(seconds) s")
    }
    _ = try result.get()
  }

  private func stop() {
    process?.kill()
    process = nil
  }

  private func fail(_ reason: String) {
    stop()
    loop.stop()
    result = .failure(HeaderError(.behaviorFailed, reason))
  }
}

extension TrialProcess: WorkerProcessOwner {
  func received(_ bytes: [UInt8]) {
    unread += bytes
    do throws(Malformed) {
      let whole = unread
      let count = try unsafe headers.receive(whole.span.bytes)
      unread.removeFirst(count)
    } catch {
      fail("the process of \(plugins) sent what cannot be read: \(error.reason)")
    }
  }

  func ended(_ reason: String) { fail("the process of \(plugins) died: \(reason)") }
}

extension TrialProcess: RemoteHeaderOwner {
  func emitted(_ state: borrowing HeaderState, of header: UInt32) {}
  func logged(_ line: PluginLogLine) {}
  func ended(_ result: Result<RemoteOutcome, HeaderError>, of header: UInt32) {
    guard header == last else { return }
    self.result = result
    loop.stop()
  }
  func lost(_ header: UInt32, _ error: HeaderError) { headers.forget(header) }
  func restarted(_ header: UInt32) {}
  func refusedAgain(_ header: UInt32, _ error: HeaderError) {}
  func bypassed(_ delegate: String, of header: UInt32, reason: String) {}
  func epochToGoOn(without delegate: String?, in header: UInt32, reason: String) -> Int64 { 1 }
  func leaderMoved(_ header: UInt32) {}
}
