// SPDX-License-Identifier: MIT
//
// The loop's own two handles: the end of a turn (`uv_prepare`, which runs just before the loop may block) and the
// promise not to block (`uv_idle`, active while output is due). `Loop.swift` says why it is these two.
//
// The first does not count as a reason to go on running, the second does.

internal import CUV

/// Tells the loop of the end of each turn; keeps it from blocking while asked to.
@safe final class TurnCore {
  unowned var owner: Loop?
  private let end = unsafe HandleBox(uv_prepare_t())
  private let wake = unsafe HandleBox(uv_idle_t())

  init(_ loop: UnsafeMutablePointer<uv_loop_t>) {
    // Of the four calls none can fail.
    unsafe uv_prepare_init(loop, end.raw)
    unsafe uv_idle_init(loop, wake.raw)
    unsafe end.open(for: self)
    unsafe wake.open(for: self)
    unsafe uv_prepare_start(end.raw) { handle in
      unsafe withOwner(of: handle, as: TurnCore.self) { $0.owner?.endTurn() }
    }
    unsafe uv_unref(end.handle)
  }

  /// The loop goes on and does not block until `mayBlock()`.
  func stayAwake() { unsafe uv_idle_start(wake.raw) { _ in } }

  func mayBlock() { unsafe uv_idle_stop(wake.raw) }

  func close() {
    owner = nil
    unsafe end.close()
    unsafe wake.close()
  }
}
