// SPDX-License-Identifier: MIT
//
// Messages that go to several connections lie one behind the other in memory that does not move. Connections borrow what they have not
// written yet, in place of a copy each (`LentOutput` in EventLoop). Once no connection holds the memory, it is used again from its
// beginning, usually at the end of each turn.

/// A piece of memory that is filled from its beginning to its end.
@safe final class SharedSendBuffer {
  private let memory: UnsafeMutableRawBufferPointer
  private var count = 0

  init(room: Int) { unsafe memory = .allocate(byteCount: room, alignment: 16) }

  deinit { unsafe memory.deallocate() }

  /// Puts bytes behind those that are there; nil if there is no room for them.
  func append(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard unsafe memory.count - count >= bytes.count else { return nil }
    let place = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + bytes.count])
    unsafe place.copyMemory(from: bytes)
    count += bytes.count
    return UnsafeRawBufferPointer(place)
  }

  func removeAll() { count = 0 }
}

/// One header's messages in one view.
@safe struct SharedMessages {
  let view: StateProjection
  private var buffer = SharedSendBuffer(room: SharedMessages.firstRoom)
  private var room = SharedMessages.firstRoom
  private static let firstRoom = 4096
  /// More than a stream gathers before it writes.
  private static let maxRoom = 65_536

  init(_ view: StateProjection) { self.view = view }

  /// Keeps a message for all its receivers.
  mutating func append(_ message: UnsafeRawBufferPointer) -> StateMessage {
    if isKnownUniquelyReferenced(&buffer) { buffer.removeAll() }
    if let kept = unsafe buffer.append(message) {
      return unsafe StateMessage(bytes: kept, buffer: .passUnretained(buffer))
    }
    room = max(min(2 * room, Self.maxRoom), message.count)
    buffer = SharedSendBuffer(room: room)
    guard let kept = unsafe buffer.append(message) else { preconditionFailure("there is room for one message") }
    return unsafe StateMessage(bytes: kept, buffer: .passUnretained(buffer))
  }
}

/// A state's message, good until the state has been sent.
@safe struct StateMessage {
  var bytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  /// The buffer that keeps the bytes for longer; nil: none does.
  var buffer: Unmanaged<SharedSendBuffer>?
}
