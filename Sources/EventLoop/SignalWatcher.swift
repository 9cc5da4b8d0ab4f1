// SPDX-License-Identifier: MIT
//
// One Unix signal, delivered as an ordinary callback on the loop. Several watchers may watch the same signal; the
// process's own way of taking it returns when the last of them goes. While it watches, a watcher keeps its loop running.

internal import CUV
private import Glibc

/// Watches one signal. Letting go of it ends the watch.
public struct SignalWatcher: ~Copyable {
  private let core: SignalCore

  /// Watches from now on. The corresponding C function is `uv_signal_start`.
  /// - Parameter signal: its number, as `SIGTERM`; SIGKILL and SIGSTOP throw `EINVAL`.
  public init(_ signal: Int32, on loop: Loop) throws(UVError) { core = try .watching(signal, on: loop) }

  deinit { core.close() }

  /// Called on the loop once for one or more arrivals of the signal.
  public var received: (() -> Void)? {
    get { core.received }
    nonmutating set { core.received = newValue }
  }
}

/// What libuv calls back for a watcher.
@safe final class SignalCore {
  private let box = unsafe HandleBox(uv_signal_t())
  private let loop: Loop
  var received: (() -> Void)?

  private init(_ loop: Loop) throws(UVError) {
    self.loop = loop
    try check(unsafe uv_signal_init(loop.raw, box.raw), "uv_signal_init")
  }

  static func watching(_ signal: Int32, on loop: Loop) throws(UVError) -> SignalCore {
    let core = try SignalCore(loop)
    unsafe core.box.open(for: core)
    let answer = unsafe uv_signal_start(
      core.box.raw,
      { handle, _ in
        unsafe withOwner(of: handle, as: SignalCore.self) { $0.received?() }
      }, signal)
    if answer < 0 {
      core.close()
      throw UVError(code: answer, call: "uv_signal_start", subject: "\(signal)")
    }
    return core
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

/// Keeps signals from being taken by this thread, for good: they wait until the process ends.
///
/// For a program that is about to end by itself, after its watchers go and each signal would have its first meaning again.
public func holdBackSignals(_ signals: [Int32]) {
  var set = sigset_t()
  unsafe sigemptyset(&set)
  for signal in signals { unsafe sigaddset(&set, signal) }
  unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
}
