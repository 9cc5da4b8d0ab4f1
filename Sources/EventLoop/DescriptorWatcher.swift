// SPDX-License-Identifier: MIT
//
// Calls back when a descriptor can be read or written, for sockets of a kind that this room has no stream for, and for owners that read
// and write themselves. A watcher keeps its loop running. It does not own the descriptor; the owner closes it after the watcher is gone.

internal import CUV

/// Watches one descriptor. Letting go of it ends the watch.
public struct DescriptorWatcher: ~Copyable {
  private let core: DescriptorCore

  /// Watches a socket or a pipe from now on, for something to read. The corresponding C function is `uv_poll_start`.
  public init(_ descriptor: Int32, on loop: Loop) throws(UVError) { core = try DescriptorCore(descriptor, loop) }

  deinit { core.close() }

  /// Called on the loop, turn after turn, as long as there is something to read, the other end is closed, or, if that is watched,
  /// there is room to write.
  public var ready: (() -> Void)? {
    get { core.ready }
    nonmutating set { core.ready = newValue }
  }

  /// Whether it watches for room to write, too.
  public func watchRoom(_ watches: Bool) { core.watchRoom(watches) }
}

@safe private final class DescriptorCore {
  private let box = unsafe HandleBox(uv_poll_t())
  private var watchesRoom = false
  var ready: (() -> Void)?

  init(_ descriptor: Int32, _ loop: Loop) throws(UVError) {
    try check(unsafe uv_poll_init(loop.raw, box.raw, descriptor), "uv_poll_init", "descriptor \(descriptor)")
    unsafe box.open(for: self)
    let answer = start()
    if answer < 0 { close() }
    try check(answer, "uv_poll_start", "descriptor \(descriptor)")
  }

  private func start() -> Int32 {
    let events = Int32(UV_READABLE.rawValue) | (watchesRoom ? Int32(UV_WRITABLE.rawValue) : 0)
    return unsafe uv_poll_start(box.raw, events) { handle, _, _ in
      unsafe withOwner(of: handle, as: DescriptorCore.self) { $0.ready?() }
    }
  }

  func watchRoom(_ watches: Bool) {
    guard watches != watchesRoom else { return }
    watchesRoom = watches
    _ = start()
  }

  func close() {
    ready = nil
    unsafe box.close()
  }
}
