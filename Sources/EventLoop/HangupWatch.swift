// SPDX-License-Identifier: MIT
//
// Notices that a peer has closed its socket after the stream has read to the end. libuv watches such a stream no more, and can
// watch a descriptor for one handle only; so these are in an epoll of their own, which the kernel makes readable when one of
// them is closed on both sides (EPOLLHUP, which needs no asking for). Half-closed ones rest there and cost nothing.
//
//     peer ends its half        EPOLLRDHUP alone     we may still write
//     peer closes, or dies      EPOLLHUP             nothing that is written will be read

private import CLinux
internal import CUV
internal import Glibc

@safe final class HangupWatch {
  private let box = unsafe HandleBox(uv_poll_t())
  private let descriptor: Int32
  private var streams: [Int32: StreamCore] = [:]

  /// Makes an empty set. The corresponding C function is `epoll_create1`.
  static func descriptor() throws(UVError) -> Int32 {
    let descriptor = linux_hangup_set()
    if descriptor < 0 { throw UVError.last("epoll_create1") }
    return descriptor
  }

  /// Takes ownership of the set.
  init(_ loop: UnsafeMutablePointer<uv_loop_t>, _ descriptor: Int32) {
    self.descriptor = descriptor
    let answer = unsafe uv_poll_init(loop, box.raw, descriptor)
    precondition(answer == 0, "an epoll takes a fresh epoll")
    unsafe box.open(for: self)
    unsafe uv_poll_start(box.raw, Int32(UV_READABLE.rawValue)) { handle, _, _ in
      unsafe withOwner(of: handle, as: HangupWatch.self) { $0.take() }
    }
    // As long as nothing is watched it does not keep the loop.
    unsafe uv_unref(box.handle)
  }

  deinit { _ = Glibc.close(descriptor) }

  /// Watches a stream until `remove`; its `hungUp()` is called once.
  /// - Returns: whether it could be watched.
  func add(_ stream: StreamCore, _ socket: Int32) -> Bool {
    guard linux_hangup_add(descriptor, socket) == 0 else { return false }
    if streams.isEmpty { unsafe uv_ref(box.handle) }
    streams[socket] = stream
    return true
  }

  /// To be called before the descriptor is closed.
  func remove(_ socket: Int32) {
    guard streams.removeValue(forKey: socket) != nil else { return }
    _ = linux_hangup_remove(descriptor, socket)
    if streams.isEmpty { unsafe uv_unref(box.handle) }
  }

  private func take() {
    // As many as one call gives; the rest comes in the next turn.
    unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: Int(linux_hangups_most)) { sockets in
      let count = unsafe linux_hangups(descriptor, sockets.baseAddress)
      for index in 0..<max(0, Int(count)) {
        // One that was closed by the owner of another is not in the table any more.
        unsafe streams[sockets[index]]?.hasHungUp()
      }
    }
  }

  func close() { unsafe box.close() }
}
