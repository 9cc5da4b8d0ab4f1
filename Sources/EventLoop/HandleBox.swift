// SPDX-License-Identifier: MIT
//
// The memory of one libuv handle, and the thread that leads from a C callback back to the Swift object that owns it.
// The only `Unmanaged` in this room is here.
//
// libuv keeps the address of a handle from its `uv_…_init` until its close callback has run, and wants the memory to
// stay put for exactly that long. So each public handle (`UnixStream`, `Timer`…) is a thin noncopyable value that owns a
// *core*, a class instance, and the core owns a box:
//
//     UnixStream ──▶ StreamCore ──▶ HandleBox ──▶ uv_pipe_t
//                        ▲                           │ data: one retain, from `open` until the close callback
//                        └───────────────────────────┘
//
// - `open` is called once `uv_…_init` has succeeded: from then on the core lives at least until the close callback.
// - `close` calls `uv_close` once, however often it is asked; its callback gives the retain back.
// - The memory goes with the box, hence with the core, hence in or after the close callback, or at once if the handle
//   was never opened. Nobody else frees it.
//
// A box that is never opened just holds memory that must not move, as that of a write request.
//
// A callback may therefore use its core without a retain of its own: libuv never calls one after the close callback.

internal import CUV

/// Pinned memory of one libuv handle, zeroed, then opened, then closed, then freed.
@safe struct HandleBox<Handle>: ~Copyable {
  /// The handle under its own type; valid as long as the box.
  let raw: UnsafeMutablePointer<Handle>

  init(_ zero: Handle) {
    unsafe raw = .allocate(capacity: 1)
    unsafe raw.initialize(to: zero)
  }

  deinit { unsafe raw.deallocate() }

  /// The handle as libuv's base class.
  var handle: UnsafeMutablePointer<uv_handle_t> {
    unsafe UnsafeMutableRawPointer(raw).assumingMemoryBound(to: uv_handle_t.self)
  }

  /// Ties the owner's life to the handle's. Call it once, after the handle's `uv_…_init` has succeeded.
  func open(for owner: AnyObject) {
    precondition(unsafe handle.pointee.data == nil, "a handle is opened once")
    unsafe handle.pointee.data = Unmanaged.passRetained(owner).toOpaque()
  }

  /// Begins to close an opened handle; its owner is released by the close callback, in a later step of the loop.
  func close() {
    guard unsafe handle.pointee.data != nil, unsafe uv_is_closing(handle) == 0 else { return }
    unsafe uv_close(handle) { handle in
      guard let handle = unsafe handle, let owner = unsafe handle.pointee.data else { return }
      unsafe Unmanaged<AnyObject>.fromOpaque(owner).release()
    }
  }
}

/// Calls `body` with the owner of a handle, without retain or release. For C callbacks only.
///
/// libuv puts `data` first in every handle, and the owner was stored there by `HandleBox.open`, so `Owner` must be the
/// class that opened this kind of handle.
@inline(__always)
func withOwner<Owner: AnyObject>(
  of handle: UnsafeMutableRawPointer?, as type: Owner.Type, _ body: (Owner) -> Void
) {
  guard let owner = unsafe handle?.load(as: UnsafeMutableRawPointer?.self) else { return }
  unsafe Unmanaged<Owner>.fromOpaque(owner)._withUnsafeGuaranteedRef { body($0) }
}
