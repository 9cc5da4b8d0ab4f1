// SPDX-License-Identifier: MIT
//
// The memory of one libuv handle, and the way from a C callback to the Swift object that owns it. The only `Unmanaged`
// in this room is here.
//
// libuv uses a handle's address from its `uv_…_init` until its close callback has run. So each public handle
// (`UnixStream`, `Timer`…) is a noncopyable value that owns a *core*, a class instance that owns a box:
//
//     UnixStream ──▶ StreamCore ──▶ HandleBox ──▶ uv_pipe_t
//                        ▲                           │ data: one retain, from `open` until the close callback
//                        └───────────────────────────┘
//
// `open`, called after `uv_…_init`, retains the core until the close callback; `close` calls `uv_close` once. The
// memory is freed with the core. A box that is never opened is just pinned memory, as for write requests. A callback
// may use its core without a retain, since libuv never calls one after the close callback.

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

/// Whether the owner of an open handle is of a class.
func isOwned<Owner: AnyObject>(_ handle: UnsafeMutablePointer<uv_handle_t>, by type: Owner.Type) -> Bool {
  guard let owner = unsafe handle.pointee.data else { return false }
  return unsafe Unmanaged<AnyObject>.fromOpaque(owner).takeUnretainedValue() is Owner
}
