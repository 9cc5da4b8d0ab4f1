// SPDX-License-Identifier: MIT
//
// Bytes on their way out of many streams at once. What a thousand subscribers are told is the same, so it is not copied for
// each of them: it lies in one piece of memory, and the kernel reads it from there a thousand times while it is in the
// processor's cache, or once (SpliceFanout.swift).
//
//     owner's memory   │ message │ message │ message │
//     stream 1              ╰────────lent────────╯        all that came since it wrote last
//     stream 2                        ╰───lent───╯
//
// Nothing is lent for longer than a turn: what the kernel has not taken by its end is copied, so that one who does not read
// keeps nobody's memory but his own.

internal import CUV

/// Bytes of somebody who keeps them where they are as long as he is held.
@safe struct LentOutput: ~Copyable {
  /// Held by hand: it is compared at each message, which would count a reference each time.
  private var held: Unmanaged<AnyObject>?
  private(set) var bytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

  deinit { unsafe held?.release() }

  var owner: AnyObject? { unsafe held?.takeUnretainedValue() }
  var count: Int { unsafe bytes.count }
  var isEmpty: Bool { count == 0 }

  /// The bytes in libuv's terms.
  var piece: uv_buf_t {
    let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    return unsafe uv_buf_t(base: UnsafeMutablePointer(mutating: start), len: count)
  }

  /// Takes bytes that follow those that it has, or any if it has none.
  /// - Returns: false if they lie elsewhere.
  mutating func extend(by more: UnsafeRawBufferPointer, of lender: AnyObject) -> Bool {
    if isEmpty {
      unsafe held = Unmanaged.passUnretained(lender).retain()
      unsafe bytes = unsafe more
      return true
    }
    let end = unsafe bytes.baseAddress.map { unsafe $0 + count }
    guard unsafe held?.toOpaque() == Unmanaged.passUnretained(lender).toOpaque(), unsafe end == more.baseAddress else {
      return false
    }
    unsafe bytes = UnsafeRawBufferPointer(start: bytes.baseAddress, count: count + more.count)
    return true
  }

  mutating func removeAll() { self = LentOutput() }
}
