// SPDX-License-Identifier: MIT
//
// This shard's part in loading, reloading and unloading plugins. A reload is all or nothing over all shards, in two phases
// that Shards/PluginChanges.swift leads:
//
//     prepare   every header that uses the plugin gets new delegates with the old ones' saved states; they are not in place
//               yet, and what comes for the header waits
//     commit    they take over, between two inputs          abort   they are dropped; nothing was seen of them

internal import Fanout
internal import HeaderCore
public import HeaderModel
internal import HeaderWorker

/// A header with a delegate of a plugin.
public struct DependentHeader: Sendable {
  /// The header's name.
  public let header: String
  /// When it was opened, which orders headers over all shards.
  public let epoch: Int64
  /// The number of its last state.
  public let seq: Int64
  /// The header bypasses a delegate of the plugin that failed.
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
  public func dependents(of plugin: String) -> [DependentHeader] {
    entries(using: plugin).map { DependentHeader($0, of: plugin) }
  }

  /// In the order of opening; those that are being opened are free when they are open.
  private func entries(using plugin: String) -> [HeaderEntry] {
    (table.entries { _ in true } + table.opening.values.sorted { $0.handle < $1.handle })
      .filter { $0.uses(plugin) }
  }

  /// Sees other plugins from now on.
  public func usePlugins(_ handover: PluginHandover) { plugins = handover.plugins }

  /// How much plugins were called on this shard's thread and in its headers' processes.
  public func pluginUsage(reset: Bool) -> [PluginUsageEntry] {
    var usage = plugins.usage(reset: reset)
    usage.add(workers.usage(reset: reset))
    return usage
  }

  /// Makes the new delegates of all headers that use a plugin, and makes the headers wait.
  /// - Parameter then: gets why one of them refuses; nothing is prepared then.
  public func prepareReload(
    of plugin: String, with handover: PluginHandover, then: @escaping (HeaderError?) -> Void
  ) {
    inTurn(entries(using: plugin)) { [unowned self] entry, next in
      whenFree(entry, skippingClients: "plugin \(plugin) is reloaded") { [unowned self] in
        // The header's chain could change until now.
        guard entry.isOpen, entry.uses(plugin) else { return next() }
        prepare(entry, reloading: plugin, handover.plugins) { [unowned self] result in
          switch result {
          case .success(let prepared):
            entry.makeLog().stage = .reloading(prepared)
            schedule(entry)
            next()
          case .failure(let error):
            abortReload()
            var refusal = error.of(header: entry.name)
            refusal.name = .pluginRefused
            then(refusal)
          }
        }
      }
    } then: {
      then(nil)
    }
  }

  /// Makes the new delegates of a header that is free. For a header in a process, a copy is reloaded as the commit will reload the
  /// header. The commit may still be refused, since a bypassed delegate starts anew and may claim what another one has by now.
  private func prepare(
    _ entry: HeaderEntry, reloading plugin: String, _ view: any ShardPlugins,
    then: @escaping (Result<[PreparedDelegate], HeaderError>) -> Void
  ) {
    guard let needed = view.isolating(entry.header.description) ?? entry.remote?.worker.plugins else {
      return then(
        Result { () throws(HeaderError) in
          var delegates: [PreparedDelegate] = []
          for delegate in entry.header.delegates where delegate.behavior.plugin == plugin {
            delegates.append(try entry.header.prepareReload(of: delegate.name, plugin: plugin, provider: view))
          }
          return delegates
        })
    }
    let end = { [unowned self] (refusal: HeaderError?) in
      workers.repeating.remove(entry.name)
      if let refusal { then(.failure(refusal)) } else { then(.success([])) }
    }
    copy(entry, to: needed, view, isNext: true) { [unowned self] copy in
      guard case .success(let copy) = copy else { return end(copy.refusal) }
      workers.repeating.insert(entry.name)
      inTurn(copy.mirror.delegates.filter { $0.behavior.plugin == plugin }) { [unowned self] delegate, next in
        let resume = pause(entry)
        copy.order(.input(.reloadDelegate(delegate.name, plugin: plugin), at: nil)) { result in
          resume {
            guard let refusal = result.refusal else { return next() }
            copy.leave()
            end(refusal)
          }
        }
      } then: {
        copy.leave()
        end(nil)
      }
    }
  }

  /// Puts the prepared delegates in place and resumes what has waited. A delegate may still be refused: where a header has two delegates
  /// of the plugin, the second one is made again behind the first.
  /// - Parameter then: gets the headers that use the plugin, which continue with the new code.
  public func commitReload(
    of plugin: String, with handover: PluginHandover, then: @escaping ([DependentHeader]) -> Void
  ) {
    plugins = handover.plugins
    workers.endReload(of: plugin)
    var dependents: [DependentHeader] = []
    inTurn(entries(using: plugin)) { [unowned self] entry, next in
      let commit = { [unowned self] (prepared: [PreparedDelegate]) in
        reload(plugin, in: entry, with: prepared) { [unowned self] refusal in
          if entry.isOpen { dependents.append(DependentHeader(entry, of: plugin, refusal: refusal)) }
          if let log = entry.log, case .reloading = log.stage { endReload(of: entry, log) }
          next()
        }
      }
      if case .reloading(let prepared) = entry.log?.stage { return commit(prepared) }
      // The header was opened in between, and nothing is prepared for it. A command that has waited may have closed it.
      whenFree(entry, skippingClients: "plugin \(plugin) is reloaded") {
        if entry.isOpen { commit([]) } else { next() }
      }
    } then: { [unowned self] in
      workers.clear()
      then(dependents)
    }
  }

  /// Reloads a header's delegates of a plugin.
  /// - Parameter end: gets why a delegate of the header keeps the old code.
  private func reload(
    _ plugin: String, in entry: HeaderEntry, with prepared: [PreparedDelegate],
    _ end: @escaping (HeaderError?) -> Void
  ) {
    var (refusal, prepared) = (HeaderError?.none, prepared[...])
    let reload = { [unowned self] in
      inTurn(entry.header.delegates.filter { $0.behavior.plugin == plugin }) { [unowned self] delegate, next in
        change(entry, .reloadDelegate(delegate.name, plugin: plugin), prepared: prepared.popFirst()) {
          [unowned self] result in
          if case .failure(let error) = result {
            let hint = "delegate \"\(delegate.name)\" goes on with the old code, all others with the new"
            let latest = refuse(error, entry, hint)
            refusal = refusal ?? latest
          }
          next()
        }
      } then: { [unowned self] in
        workers.repeating.remove(entry.name)
        end(refusal)
      }
    }
    guard let needed = plugins.isolating(entry.header.description) ?? entry.remote?.worker.plugins else {
      return reload()
    }
    workers.repeating.insert(entry.name)
    move(entry, to: needed) { [unowned self] result in
      guard case .failure(let error) = result else { return reload() }
      workers.repeating.remove(entry.name)
      end(refuse(error, entry, "the header goes on with the old code"))
    }
  }

  private func refuse(_ error: HeaderError, _ entry: HeaderEntry, _ hint: String) -> HeaderError {
    context.log.log(.error, "reloadRefused", [("header", entry.name), ("reason", error.message)])
    var refusal = error.of(header: entry.name)
    refusal.name = .pluginRefused
    refusal.hint = hint
    return refusal
  }

  /// Drops the prepared delegates. Waiting commands continue with the old code.
  public func abortReload() {
    workers.endReload()
    for entry in table.entries(where: \.isBusy) {
      if let log = entry.log, case .reloading = log.stage { endReload(of: entry, log) }
    }
    workers.clear()
  }

  /// Ends a header's reload and resumes what has waited for it.
  func endReload(of entry: HeaderEntry, _ log: HeaderLog) {
    log.stage = .running
    run(entry, log)
  }

  /// Unloads a plugin. Each of its delegates is replaced by one that fails at once, so that the header bypasses it, says so with the
  /// notice `delegatePassedOver`, and continues with the others.
  /// - Parameters:
  ///   - force: also when headers use the plugin; otherwise nothing is changed then.
  ///   - then: gets the headers that use the plugin.
  public func unload(
    _ plugin: String, with handover: PluginHandover, force: Bool, then: @escaping ([DependentHeader]) -> Void
  ) {
    let entries = entries(using: plugin)
    let dependents = entries.map { DependentHeader($0, of: plugin) }
    guard force || dependents.isEmpty else { return then(dependents) }
    plugins = handover.plugins
    inTurn(entries) { [unowned self] entry, next in
      whenFree(entry, skippingClients: "plugin \(plugin) is unloaded") { [unowned self] in
        guard entry.isOpen else { return next() }
        inTurn(entry.header.delegates.filter { $0.behavior.plugin == plugin }) { [unowned self] delegate, next in
          change(entry, .unloadDelegate(delegate.name, plugin: plugin)) { [unowned self] result in
            if case .failure(let error) = result {
              context.log.log(.error, "unloadRefused", [("header", entry.name), ("reason", error.message)])
            }
            next()
          }
        } then: {
          next()
        }
      }
    } then: {
      then(dependents)
    }
  }
}
