// SPDX-License-Identifier: MIT
//
// Notices calls into plugins that do not return, on a thread outside the loops: the thread in the call is stuck, and may be the only one.
// Each thread marks its calls (PluginHost/PluginCall.swift). A call that lasts longer than `plugins.deadline` is reported with header,
// plugin and event. With `onStuck = "exit"` the process then ends with a status that service managers restart; else the watchdog waits,
// and reports when the call has returned.
//
//     every half of the deadline:   call 7 ─▶ call 7 ─▶ call 7: pluginStuck ─▶ none, or another: pluginReturned
//
// The service manager's own watchdog is not fed meanwhile (Watchdog.swift).

internal import Clocks
internal import HeaderConfig
internal import HeaderModel
internal import PluginHost
internal import Posix
private import Synchronization

/// Watches the calls into plugins of all threads.
final class CallWatchdog {
  /// The exit status of a process that is stuck in a plugin.
  static let exitStatus: Int32 = 4

  private let settings = Settings()
  private let calls: [PluginCalls]
  private let log: DaemonLog
  /// Gives the service manager a status, on the watching thread.
  private let tell: (@Sendable (String) -> Void)?
  private var thread: RepeatingThread?

  /// Settings that the first thread writes and the watching one reads.
  private final class Settings: Sendable {
    /// The deadline of a call, in nanoseconds.
    let deadline = Atomic(0)
    /// The process ends when a call is stuck.
    let ends = Atomic(false)
  }

  /// A watchdog that does not watch yet.
  init(_ calls: [PluginCalls], _ log: DaemonLog, tell: (@Sendable (String) -> Void)?) {
    self.calls = calls
    self.log = log
    self.tell = tell
  }

  /// Takes settings; the first time it begins to watch. A deadline of 0 ends that, with its thread.
  /// - Throws: why there is no thread.
  func use(_ plugins: Config.Plugins) throws(SystemError) {
    settings.deadline.store(Int(plugins.deadline * 1e9), ordering: .relaxed)
    settings.ends.store(plugins.onStuck == .exit, ordering: .relaxed)
    if plugins.deadline <= 0 {
      thread = nil
    } else if thread == nil {
      // Handed over to the thread, which alone uses it.
      nonisolated(unsafe) let look = Look(calls, log, tell)
      thread = try RepeatingThread { [settings] in
        let deadline = settings.deadline.load(ordering: .relaxed)
        if unsafe look.look(Int64(deadline)), settings.ends.load(ordering: .relaxed) { endProcess(Self.exitStatus) }
        return deadline / 2
      }
    }
  }
}

/// The state of the watching thread.
private final class Look {
  private let calls: [PluginCalls]
  private let log: DaemonLog
  private let tell: (@Sendable (String) -> Void)?
  /// The calls seen last, by thread.
  private var seen: [Seen?]

  private struct Seen {
    /// The number of the outermost call that is under way.
    var turn: UInt
    var since: MonotonicTime
    /// The call that was reported as stuck.
    var call: PluginCall?
  }

  init(_ calls: [PluginCalls], _ log: DaemonLog, _ tell: (@Sendable (String) -> Void)?) {
    self.calls = calls
    self.log = log
    self.tell = tell
    seen = calls.map { _ in nil }
  }

  /// Looks at all threads.
  /// - Returns: whether one has been in a call for longer than the deadline, in nanoseconds, and was reported just now.
  func look(_ deadline: Int64) -> Bool {
    let now = monotonicTime()
    var isStuck = false
    for (index, calls) in calls.enumerated() {
      let turn = calls.turn
      if let last = seen[index], last.turn != turn {
        if let call = last.call { report(call, "pluginReturned", .warning, after: now - last.since) }
        seen[index] = nil
      }
      guard let turn else { continue }
      let last = seen[index] ?? Seen(turn: turn, since: now)
      seen[index] = last
      // The thread's own wait is not exact to the nanosecond.
      guard last.call == nil, now - last.since >= deadline - deadline / 16, let call = calls.names(ofTurn: turn) else {
        continue
      }
      seen[index]?.call = call
      report(call, "pluginStuck", .error, after: now - last.since)
      isStuck = true
    }
    return isStuck
  }

  private func report(_ call: PluginCall, _ what: String, _ level: LogLevel, after nanoseconds: Int64) {
    var facts = [(key: "plugin", value: call.plugin)]
    if let header = call.header { facts.append(("header", header)) }
    if let delegate = call.delegate { facts.append(("delegate", delegate)) }
    facts.append(("function", call.function))
    if let event = call.event { facts.append(("event", event)) }
    let tenths = nanoseconds / 100_000_000
    facts.append(("seconds", "\(tenths / 10).\(tenths % 10)"))
    log.log(level, what, facts)
    let place = call.header.map { " in header \($0)" } ?? ""
    tell?(
      what == "pluginStuck"
        ? "plugin \(call.plugin)\(place) does not return from \(call.event ?? call.function)"
        : "plugin \(call.plugin)\(place) has returned")
  }
}
