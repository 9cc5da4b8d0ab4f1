// SPDX-License-Identifier: MIT
//
// Tells when a descriptor can be read, for those whose sockets are of a kind that this room has no stream for. A watcher keeps
// its loop running; the descriptor stays its owner's, who closes it after the watcher is gone.

internal import CUV

/// Watches one descriptor. Letting go of it ends the watch.
public struct ReadableWatcher: ~Copyable {
  private let core: ReadableCore

  /// Watches from now on. The corresponding C function is `uv_poll_start`.
  public init(_ descriptor: Int32, on loop: Loop) throws(UVError) { core = try .watching(descriptor, on: loop) }

  deinit { core.close() }

  /// Called on the loop, turn after turn, as long as there is something to read.
  public var readable: (() -> Void)? {
    get { core.readable }
    nonmutating set { core.readable = newValue }
  }
}

@safe private final class ReadableCore {
  private let box = unsafe HandleBox(uv_poll_t())
  var readable: (() -> Void)?

  static func watching(_ descriptor: Int32, on loop: Loop) throws(UVError) -> ReadableCore {
    let core = ReadableCore()
    try check(unsafe uv_poll_init(loop.raw, core.box.raw, descriptor), "uv_poll_init", "descriptor \(descriptor)")
    unsafe core.box.open(for: core)
    let answer = unsafe uv_poll_start(core.box.raw, Int32(UV_READABLE.rawValue)) { handle, _, _ in
      unsafe withOwner(of: handle, as: ReadableCore.self) { $0.readable?() }
    }
    if answer < 0 { core.close() }
    try check(answer, "uv_poll_start", "descriptor \(descriptor)")
    return core
  }

  func close() {
    readable = nil
    unsafe box.close()
  }
}
