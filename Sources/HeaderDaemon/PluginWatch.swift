// SPDX-License-Identifier: MIT
//
// Hot reload (`plugins.watch = true`): the folders in which a loaded plugin's file may be replaced are watched; a file that was left
// alone for a while (QuietFiles.swift) and holds another content than the loaded one is reloaded. It is the content that counts: `touch`,
// or a build that made the same bytes, changes nothing.
//
// The plugin folders are watched, since a file may appear in one before the folder of the present file; and so is the folder that the
// file really lies in, since a plugin folder may hold links into a build. A missing folder (a build starts by removing it) is awaited in
// the nearest existing one above it.

internal import Clocks
internal import EventLoop
internal import HeaderModel
internal import PluginHost
private import Posix

/// Watches the files of the loaded plugins.
final class PluginWatch {
  /// How long a file has to be left alone before it is read: 150 ms.
  private static let quiet: Int64 = 150_000_000

  private let loop: Loop
  private let registry: PluginRegistry
  private let timer: EventLoop.Timer
  private var files = QuietFiles(quiet: quiet)
  private var folders: [String: WatchedFolder] = [:]
  private var unwatchable: Set<String> = []
  /// Where each plugin's file really lies, or lay when it was last there.
  private var places: [String: String] = [:]
  private var isStale = true
  /// A loaded plugin's file holds something new.
  private let reload: (String) -> Void
  /// A folder cannot be watched: which, and why. Reported once for each.
  private let complain: (String, String) -> Void

  /// Watches from the loop's next turn on.
  init(
    _ registry: PluginRegistry, on loop: Loop, reload: @escaping (String) -> Void,
    complain: @escaping (String, String) -> Void
  ) {
    self.loop = loop
    self.registry = registry
    self.reload = reload
    self.complain = complain
    timer = EventLoop.Timer(on: loop)
    timer.fired = { [unowned self] in self.act() }
    timer.arm(at: loop.now)
  }

  /// Plugins were loaded or unloaded, or the folders are others.
  func lookAgain() {
    isStale = true
    timer.arm(at: loop.now)
  }

  // MARK: - Changes

  private func happened(_ change: FileWatcher.Change, in path: String) {
    guard let folder = folders[path] else { return }
    if let name = change.name, let plugins = folder.files[name] {
      for plugin in plugins { files.changed(plugin, look(plugin), at: loop.now) }
      // The entry may be a link that leads elsewhere now.
      if change.kind == .renamed { isStale = true }
    } else {
      // The folder's own end comes under its own name. Another one may have taken its place and even its number.
      if change.name == path.split(separator: "/").last.map(String.init) { folder.isGone = true }
      if folder.isGone || change.name.map(folder.awaited.contains) ?? true { isStale = true }
    }
    if isStale { timer.arm(at: loop.now) } else { armForQuiet() }
  }

  private func act() {
    if isStale { watchWhatIsWanted() }
    for plugin in files.due(at: loop.now, look: look) where registry.fileIsNew(of: plugin) { reload(plugin) }
    if isStale { timer.arm(at: loop.now) } else { armForQuiet() }
  }

  private func armForQuiet() {
    if let due = files.nextDue { timer.arm(at: due) } else { timer.disarm() }
  }

  private func look(_ plugin: String) -> FileLooks? {
    guard let path = registry.reloadableFile(of: plugin), let status = try? FileStatus(of: path) else { return nil }
    return FileLooks(
      device: status.identity.device, file: status.identity.number, size: status.size, written: status.written)
  }

  // MARK: - Folders

  /// Which folders matter now, and which file names in them stand for which plugins.
  private var wanted: [String: [String: Set<String>]] {
    var found: [String: [String: Set<String>]] = [:]
    for plugin in registry.plugins.map(\.name) {
      for folder in registry.folders { found[folder, default: [:]]["lib\(plugin).so", default: []].insert(plugin) }
      guard let real = places[plugin], let slash = real.lastIndex(of: "/") else { continue }
      let name = String(real[real.index(after: slash)...])
      found[slash == real.startIndex ? "/" : String(real[..<slash]), default: [:]][name, default: []].insert(plugin)
    }
    return found
  }

  private func watchWhatIsWanted() {
    isStale = false
    for plugin in registry.plugins { places[plugin.name] = realPath(plugin.path) ?? places[plugin.name] }
    var plan = wanted
    var awaited: [String: Set<String>] = [:]
    let missing = plan.keys.filter { HeaderDaemon.folder(at: $0) == nil }
    for path in missing.sorted() {
      guard let (above, name) = nearestFolder(above: path) else { continue }
      plan[above] = plan[above] ?? [:]
      awaited[above, default: []].insert(name)
    }
    var next: [String: WatchedFolder] = [:]
    for (path, names) in plan {
      guard let folder = watch(path) else {
        // Gone since the plan was made: then something above it has to be watched.
        if !missing.contains(path), HeaderDaemon.folder(at: path) == nil { isStale = true }
        continue
      }
      // What happened before the watch began was not reported.
      for plugin in Set(names.filter { folder.files[$0.key] != $0.value }.values.joined()) {
        files.changed(plugin, look(plugin), at: loop.now)
      }
      folder.files = names
      folder.awaited = awaited[path] ?? []
      next[path] = folder
    }
    folders = next
    // Changes while the watches began were not reported either.
    for (above, names) in awaited where names.contains(where: { HeaderDaemon.folder(at: "\(above)/\($0)") != nil }) {
      isStale = true
    }
  }

  /// The watch on a folder, kept if it is still the same folder; nil when it does not exist or cannot be watched.
  private func watch(_ path: String) -> WatchedFolder? {
    guard let identity = HeaderDaemon.folder(at: path) else { return nil }
    if let present = folders[path], !present.isGone, present.identity == identity { return present }
    do {
      let watcher = try FileWatcher(directory: path, on: loop)
      watcher.changed = { [unowned self] change in self.happened(change, in: path) }
      unwatchable.remove(path)
      return WatchedFolder(watcher, identity)
    } catch {
      if HeaderDaemon.folder(at: path) != nil, unwatchable.insert(path).inserted { complain(path, "\(error)") }
      return nil
    }
  }

  /// The nearest folder above a missing one, and the name that has to appear in it.
  private func nearestFolder(above path: String) -> (path: String, name: String)? {
    var path = path[...]
    while let slash = path.lastIndex(of: "/"), path.count > 1 {
      let name = path[path.index(after: slash)...]
      path = slash == path.startIndex ? "/" : path[..<slash]
      if HeaderDaemon.folder(at: String(path)) != nil { return (String(path), String(name)) }
    }
    return nil
  }
}

private final class WatchedFolder {
  private let watcher: FileWatcher
  let identity: FileStatus.Identity
  /// The plugins that each file name in it stands for.
  var files: [String: Set<String>] = [:]
  /// The names of folders that are wanted and not there yet.
  var awaited: Set<String> = []
  /// The folder was removed or renamed; the watch reports nothing more.
  var isGone = false

  init(_ watcher: consuming FileWatcher, _ identity: FileStatus.Identity) {
    self.watcher = watcher
    self.identity = identity
  }
}

/// The identity of the folder at a path.
private func folder(at path: String) -> FileStatus.Identity? {
  guard let status = try? FileStatus(of: path), status.isFolder else { return nil }
  return status.identity
}
