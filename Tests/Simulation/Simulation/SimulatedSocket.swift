// SPDX-License-Identifier: MIT
//
// A socket has what makes sockets difficult: a buffer of some size between both ends, input that comes in pieces, readers that
// stop, peers that vanish in the middle of a line.

import Fanout
import HeaderService
import HeaderTestKit

/// Both ends of one connection.
final class SimulatedSocket: Outbox {
  /// Bytes on their way to the service.
  var toService: [UInt8] = []
  /// The client sends no more.
  var isHalfClosed = false
  private var hasToldHalfClose = false
  /// Bytes that the kernel has taken from the service and the client has not read.
  var kernel: [UInt8] = []
  private let kernelRoom: Int
  /// Bytes that the kernel had no room for.
  private(set) var queue: [UInt8] = []
  /// The service has closed it.
  var isClosed = false
  private(set) var maxQueued = 0
  /// The service is to hear at the end of the turn that all has gone to the kernel, if it has.
  var hasWritten = false
  /// What is said over it, where that is kept.
  let record: MessageRecord?

  init(kernelRoom: Int, isRecorded: Bool) {
    self.kernelRoom = kernelRoom
    record = isRecorded ? MessageRecord() : nil
  }

  /// Moves what fits from the queue to the kernel; true if the queue became empty by it.
  func pump() -> Bool {
    guard !queue.isEmpty else { return false }
    let count = min(queue.count, kernelRoom - kernel.count)
    kernel += queue[..<count]
    queue.removeFirst(count)
    return queue.isEmpty
  }

  // MARK: - For the service

  func send(_ bytes: RawSpan) {
    precondition(!isClosed, "nothing is sent after a close")
    hasWritten = true
    unsafe bytes.withUnsafeBytes {
      unsafe record?.received($0)
      unsafe queue += $0
    }
    _ = pump()
    maxQueued = max(maxQueued, queue.count)
  }

  var queuedBytes: Int { queue.count }

  /// Nothing is left to tell the service but that the client sends no more.
  var owesHalfClose: Bool { isHalfClosed && !hasToldHalfClose && toService.isEmpty }

  func tellHalfClose() -> Bool {
    guard owesHalfClose else { return false }
    hasToldHalfClose = true
    return true
  }
}
