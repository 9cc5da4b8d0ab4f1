// SPDX-License-Identifier: MIT
//
// This shard's part in loading, reloading and unloading plugins. A reload is all or nothing over all shards, in two phases
// that Shards/PluginChanges.swift leads:
//
//     prepare   every header that uses the plugin gets new delegates with the old ones' saved states; they are not in place
//               yet, and what comes for the header waits
//     commit    they take over, between two inputs          abort   they are dropped; nothing was seen of them

internal import Fanout
public import HeaderCore
internal import HeaderWorker

/// A header with a delegate of a plugin.
public struct PluginUser: Sendable {
  /// The header's name.
  public let header: String
  /// When it was opened, which orders headers over all shards.
  public let epoch: Int64
  /// The number of its last state.
  public let seq: Int64
  /// It passes over such a delegate.
  public let isBypassed: Bool
  /// Why a delegate of it keeps the old code after a reload.
  public let refusal: HeaderError?

  init(_ entry: HeaderEntry, of plugin: String, refusal: HeaderError? = nil) {
    self.refusal = refusal
    header = entry.name
    epoch = entry.epoch
    seq = entry.header.state.seq
    isBypassed = entry.header.delegates.indices.contains {
      entry.header.delegates[$0].behavior.plugin == plugin && entry.header.isBypassed($0)
    }
  }
}

extension HeaderHost {
  /// The headers with a delegate of a plugin, in the order of opening.
  public func users(of plugin: String) -> [PluginUser] { entries(using: plugin).map { PluginUser($0, of: plugin) } }

  private func entries(using plugin: String) -> [HeaderEntry] {
    table.entries { $0.header.delegates.contains { $0.behavior.plugin == plugin } }
  }

  /// Sees other plugins from now on.
  public func usePlugins(_ handover: PluginHandover) { plugins = handover.plugins }

  /// How much plugins were called on this shard's thread and in its headers' processes.
  public func pluginUsage(reset: Bool) -> [PluginUsageEntry] {
    var usage = plugins.usage(reset: reset)
    usage.add(workers.usage(reset: reset))
    return usage
  }

  /// Makes the new delegates of all headers that use a plugin, and has the headers wait.
  /// - Throws: why one of them refuses; nothing is prepared then.
  public func prepareReload(of plugin: String, with handover: PluginHandover) throws(HeaderError) {
    let entries = entries(using: plugin)
    for entry in entries { hurry(entry, "plugin \(plugin) is reloaded") }
    workers.retire(plugin)
    for entry in entries {
      // What another one has waited for may have ended a connection, and so begun an input of this one.
      hurry(entry, "plugin \(plugin) is reloaded")
      guard entry.isOpen else { continue }
      let log = entry.makeLog()
      log.stage = .reloading(.delegates([]))
      schedule(entry)
      do {
        log.stage = .reloading(try prepare(entry, reloading: plugin, handover.plugins))
      } catch {
        abortReload()
        var refusal = error.of(header: entry.name)
        refusal.name = .pluginRefused
        throw refusal
      }
    }
  }

  /// What takes over in a header.
  private func prepare(
    _ entry: HeaderEntry, reloading plugin: String, _ view: any ShardPlugins
  ) throws(HeaderError) -> Replacement {
    if let seat = try prepareSeat(for: entry, reloading: plugin, view) { return .seat(seat) }
    var delegates: [PreparedDelegate] = []
    for delegate in entry.header.delegates where delegate.behavior.plugin == plugin {
      delegates.append(try entry.header.prepareReload(of: delegate.name, plugin: plugin, provider: view))
    }
    return .delegates(delegates)
  }

  /// A place in a worker with the plugins of a view; nil: the header needs none.
  private func prepareSeat(
    for entry: HeaderEntry, reloading plugin: String, _ view: any ShardPlugins
  ) throws(HeaderError) -> WorkerSeat? {
    let description = entry.header.description
    let needed = view.isolating(description)
    guard let needed = needed ?? entry.seat?.worker.plugins else { return nil }
    let worker = try workers.worker(for: needed, view)
    let saved = try entry.save()
    let copy = try worker.open(description, epoch: entry.epoch, from: saved)
    workers.repeating = entry.name
    defer { workers.repeating = nil }
    try tryReload(of: plugin, in: copy)
    return try worker.open(description, epoch: entry.epoch, from: saved)
  }

  /// Reloads a copy of a header, as the commit will reload the header: what is restored may refuse it all the same, as a delegate
  /// that was bypassed begins anew and may want what another one has by now.
  private func tryReload(of plugin: String, in copy: WorkerSeat) throws(HeaderError) {
    defer { copy.leave() }
    for delegate in copy.mirror.delegates where delegate.behavior.plugin == plugin {
      _ = try copy.perform(.input(.reloadDelegate(delegate.name, plugin: plugin), at: nil))
    }
  }

  /// Puts the prepared delegates in place; what has waited goes on. One may still be refused: where a header has two delegates
  /// of the plugin, the second one is made again behind the first.
  /// - Returns: the headers that go on with the new code.
  public func commitReload(of plugin: String, with handover: PluginHandover) -> [PluginUser] {
    plugins = handover.plugins
    var refusals: [HeaderHandle: HeaderError] = [:]
    for entry in entries(using: plugin) {
      var prepared: [PreparedDelegate] = []
      do throws(HeaderError) {
        switch entry.log?.stage {
        case .reloading(.delegates(let delegates)): prepared = delegates
        case .reloading(.seat(let seat)):
          entry.log?.stage = .reloading(.delegates([]))
          try take(seat, for: entry)
        default:
          // It was opened in between. What has waited for it may have closed it.
          hurry(entry, "plugin \(plugin) is reloaded")
          guard entry.isOpen else { continue }
          if entry.seat != nil { try take(prepareSeat(for: entry, reloading: plugin, plugins), for: entry) }
        }
      } catch {
        refusals[entry.handle] = refuse(error, entry, "the header goes on with the old code")
        continue
      }
      if entry.seat != nil { workers.repeating = entry.name }
      defer { workers.repeating = nil }
      for (index, delegate) in entry.header.delegates.filter({ $0.behavior.plugin == plugin }).enumerated() {
        do {
          // A header that was opened in between has nothing prepared: its delegate is made now.
          try change(
            entry, .reloadDelegate(delegate.name, plugin: plugin),
            prepared: index < prepared.count ? prepared[index] : nil)
        } catch {
          let refusal = refuse(
            error, entry, "delegate \"\(delegate.name)\" goes on with the old code, all others with the new")
          refusals[entry.handle] = refusals[entry.handle] ?? refusal
        }
      }
    }
    let users = entries(using: plugin).map { PluginUser($0, of: plugin, refusal: refusals[$0.handle]) }
    workers.endReload()
    release()
    return users
  }

  private func refuse(_ error: HeaderError, _ entry: HeaderEntry, _ hint: String) -> HeaderError {
    context.log.log(.error, "reloadRefused", [("header", entry.name), ("reason", error.message)])
    var refusal = error.of(header: entry.name)
    refusal.name = .pluginRefused
    refusal.hint = hint
    return refusal
  }

  /// Drops what was prepared; what has waited goes on with the old code.
  public func abortReload() {
    workers.takeBack()
    release()
  }

  private func release() {
    for entry in table.entries(where: \.isBusy) {
      guard let log = entry.log, case .reloading(let replacement) = log.stage else { continue }
      drop(replacement, of: log)
      run(entry, log)
    }
    workers.clear()
  }

  /// Drops what was prepared for a header, which may run now.
  func drop(_ replacement: Replacement, of log: HeaderLog) {
    log.stage = .running
    if case .seat(let seat) = replacement { seat.leave() }
  }

  /// Sees a plugin no more. Its delegates are taken out of the way: each is replaced by one that fails at once, so that the
  /// header bypasses it, says so with the notice `delegatePassedOver`, and goes on with the others.
  /// - Parameter force: also when headers use it; otherwise nothing is changed then.
  /// - Returns: the headers that use it.
  public func unload(_ plugin: String, with handover: PluginHandover, force: Bool) -> [PluginUser] {
    let entries = entries(using: plugin)
    let users = entries.map { PluginUser($0, of: plugin) }
    guard force || users.isEmpty else { return users }
    plugins = handover.plugins
    for entry in entries {
      hurry(entry, "plugin \(plugin) is unloaded")
      for delegate in entry.header.delegates where delegate.behavior.plugin == plugin && entry.isOpen {
        do {
          try change(entry, .unloadDelegate(delegate.name, plugin: plugin))
        } catch {
          context.log.log(.error, "unloadRefused", [("header", entry.name), ("reason", error.message)])
        }
      }
    }
    return users
  }
}
