// SPDX-License-Identifier: MIT
//
// Writes the same bytes to many sockets with one copy into the kernel: a pipe holds pages, `tee` makes a second pipe
// refer to them, `splice` passes them on to a socket. Used when three streams or more write the same 16 to 64 KiB of
// lent bytes one after the other.
//
//     bytes ──write──▶ original ──tee──▶ copy ──splice──▶ socket       each stream but the last
//                      original ────────splice──────────▶ socket       the last one
//
// The number of streams is predicted: as many as wrote the bytes before. A wrong prediction costs one more copy, or a
// new pipe. `make bench-end-to-end` shows the gain in the rows 1 → 16 and 1 → 256.

private import CLinux
private import Glibc

/// Writes the same bytes to many descriptors. It holds on to the bytes' owner from the first one to the last, at most until
/// the end of the turn.
@safe final class SpliceFanout {
  /// Fewer bytes are copied about as quickly.
  static let leastBytes = 16 << 10
  /// More do not fit into a pipe of the default size.
  private static let maxBytes = 64 << 10
  /// For fewer streams there is nothing to gain.
  private static let leastStreams = 3

  /// The bytes written last, and the number of streams that wrote them; retained while they are in the pipe.
  private var present = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  private var streams = 0
  /// How many streams wrote the bytes before.
  private var expected = 0
  private var owner: AnyObject?
  private var original: KernelPipe?
  private var copy: KernelPipe?
  /// The kernel does not do it for such descriptors.
  private var isRefused = false

  /// Writes as much as the descriptor takes now.
  /// - Parameter descriptor: a socket that does not block.
  /// - Returns: how many bytes; nil if they are to be written in the usual way, which finds out about errors, too.
  func write(_ lent: borrowing LentOutput, to descriptor: Int32) -> Int? {
    let bytes = unsafe lent.bytes
    if unsafe bytes.baseAddress != present.baseAddress || bytes.count != present.count {
      endGroup()
      unsafe present = unsafe bytes
    }
    streams += 1
    guard expected >= Self.leastStreams, bytes.count <= Self.maxBytes, !isRefused else { return nil }
    if streams == 1 {
      guard unsafe fill(bytes) else { return nil }
      owner = lent.owner
    }
    guard owner != nil else { return nil }
    let taken = streams < expected ? copied(to: descriptor) : moved(to: descriptor)
    if streams == expected { endGroup() }
    return taken
  }

  /// Forgets the bytes: others may come to lie in their place.
  func endGroup() {
    if streams == 0 { return }
    // Streams that were expected and did not come have left it full.
    if owner != nil, streams < expected { original = nil }
    expected = streams
    streams = 0
    owner = nil
    unsafe present = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  private func fill(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if original == nil { original = KernelPipe() }
    if copy == nil { copy = KernelPipe() }
    guard let pipe = original?.writer, copy != nil else { return false }
    if unsafe Glibc.write(pipe, bytes.baseAddress, bytes.count) == bytes.count { return true }
    original = nil
    return false
  }

  private func copied(to descriptor: Int32) -> Int? {
    guard let source = original?.reader, let target = copy?.writer, let reader = copy?.reader else { return nil }
    if unsafe linux_tee(source, target, present.count) != present.count {
      copy = KernelPipe()
      return nil
    }
    let taken = splice(reader, to: descriptor)
    if unsafe taken != present.count { copy = KernelPipe() }
    return taken
  }

  private func moved(to descriptor: Int32) -> Int? {
    guard let reader = original?.reader else { return nil }
    let taken = splice(reader, to: descriptor)
    if unsafe taken != present.count { original = nil }
    return taken
  }

  /// Moves a pipe's bytes to a descriptor, as many as it takes; nil for any other error than a full descriptor.
  private func splice(_ pipe: Int32, to descriptor: Int32) -> Int? {
    var taken = 0
    while unsafe taken < present.count {
      let count = unsafe linux_splice(pipe, descriptor, present.count - taken)
      if count > 0 {
        taken += count
      } else if count < 0, errno == EINTR {
        continue
      } else {
        if count < 0, errno == EINVAL || errno == ENOSYS { isRefused = true }
        return taken > 0 || (count < 0 && errno == EAGAIN) ? taken : nil
      }
    }
    return taken
  }
}

/// A pipe of this process alone, which does not block.
private struct KernelPipe: ~Copyable {
  let reader: Int32
  let writer: Int32

  /// Nil when there are too many descriptors.
  init?() {
    var (reader, writer) = (Int32(-1), Int32(-1))
    guard unsafe linux_pipe(&reader, &writer) == 0 else { return nil }
    (self.reader, self.writer) = (reader, writer)
  }

  deinit {
    close(reader)
    close(writer)
  }
}
