// SPDX-License-Identifier: MIT
//
// Changes in a directory (inotify) and Unix signals as callbacks on the loop. A file replaced by renaming is one
// `renamed` with its new name; one written in place is one or more `changed`. By the time of the callback it may have
// changed again. Subdirectories are not watched. Several watchers may watch one signal; the previous disposition
// returns with the last of them. A watcher keeps its loop running.

internal import CUV
private import Glibc

// MARK: - Files

/// Watches the entries of one directory. Letting go of it ends the watch.
public struct FileWatcher: ~Copyable {
  private let core: FileCore

  /// Something that happened to an entry.
  public struct Change: Equatable, Sendable {
    /// The entry's name in the directory, nil when the kernel did not say. Bytes that are no UTF-8 come as U+FFFD.
    public let name: String?
    /// What kind of change it was.
    public let kind: Kind

    /// The changes that libuv distinguishes.
    public enum Kind: Sendable {
      /// Made, removed, or renamed into, out of or within the directory.
      case renamed
      /// The file's content or its attributes changed.
      case changed
    }
  }

  /// Watches from now on. The corresponding C function is `uv_fs_event_start`.
  public init(directory: String, on loop: Loop) throws(UVError) { core = try FileCore(directory, loop) }

  /// Watches one file, which must be readable; a file that takes its place later is not watched.
  public init(file: String, on loop: Loop) throws(UVError) { core = try FileCore(file, loop) }

  deinit { core.close() }

  /// Called on the loop for each change, in the order of the kernel.
  public var changed: ((Change) -> Void)? {
    get { core.changed }
    nonmutating set { core.changed = newValue }
  }

  /// Called when the watch itself failed.
  public var failed: ((UVError) -> Void)? {
    get { core.failed }
    nonmutating set { core.failed = newValue }
  }
}

@safe final class FileCore {
  private let box = unsafe HandleBox(uv_fs_event_t())
  private let loop: Loop
  private let directory: String
  var changed: ((FileWatcher.Change) -> Void)?
  var failed: ((UVError) -> Void)?

  init(_ directory: String, _ loop: Loop) throws(UVError) {
    self.loop = loop
    self.directory = directory
    try check(unsafe uv_fs_event_init(loop.raw, box.raw), "uv_fs_event_init")
    unsafe box.open(for: self)
    let answer = unsafe uv_fs_event_start(
      box.raw,
      { handle, name, events, status in
        unsafe withOwner(of: handle, as: FileCore.self) { core in
          let name = unsafe name.map { unsafe String(cString: $0) }
          core.happened(name, UInt32(bitPattern: events), status)
        }
      }, directory, 0)
    if answer < 0 { close() }
    try check(answer, "uv_fs_event_start", directory)
  }

  private func happened(_ name: String?, _ events: UInt32, _ status: Int32) {
    if status < 0 {
      failed?(UVError(code: status, call: "uv_fs_event", subject: directory))
      return
    }
    changed?(.init(name: name, kind: events & UV_RENAME.rawValue != 0 ? .renamed : .changed))
  }

  func close() {
    changed = nil
    failed = nil
    unsafe box.close()
  }
}

// MARK: - Signals

/// Watches one signal. Letting go of it ends the watch.
public struct SignalWatcher: ~Copyable {
  private let core: SignalCore

  /// Watches from now on. The corresponding C function is `uv_signal_start`.
  /// - Parameter signal: its number, as `SIGTERM`; SIGKILL and SIGSTOP throw `EINVAL`.
  public init(_ signal: Int32, on loop: Loop) throws(UVError) { core = try SignalCore(signal, loop) }

  deinit { core.close() }

  /// Called on the loop once for one or more arrivals of the signal.
  public var received: (() -> Void)? {
    get { core.received }
    nonmutating set { core.received = newValue }
  }
}

@safe final class SignalCore {
  private let box = unsafe HandleBox(uv_signal_t())
  private let loop: Loop
  var received: (() -> Void)?

  init(_ signal: Int32, _ loop: Loop) throws(UVError) {
    self.loop = loop
    try check(unsafe uv_signal_init(loop.raw, box.raw), "uv_signal_init")
    unsafe box.open(for: self)
    let answer = unsafe uv_signal_start(
      box.raw,
      { handle, _ in
        unsafe withOwner(of: handle, as: SignalCore.self) { $0.received?() }
      }, signal)
    if answer < 0 { close() }
    try check(answer, "uv_signal_start", "\(signal)")
  }

  func close() {
    received = nil
    unsafe box.close()
  }
}

/// Has signals that mean nothing to a program do nothing to it; the first meaning of most is its end.
public func ignoreSignals(_ signals: [Int32]) {
  for number in signals { _ = signal(number, SIG_IGN) }
}

/// Blocks signals in this thread, for good: they wait until the process ends.
///
/// For a program that is about to end, when its watchers are gone and each signal would have its default action again.
public func holdBackSignals(_ signals: [Int32]) {
  var set = sigset_t()
  unsafe sigemptyset(&set)
  for signal in signals { unsafe sigaddset(&set, signal) }
  unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
}
