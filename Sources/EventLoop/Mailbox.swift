// SPDX-License-Identifier: MIT
//
// The way for other threads to a loop. A mailbox belongs to the loop; its `Door` may be copied and sent anywhere.
// Messages are queued under a lock, and the loop is woken once for all that have come meanwhile.
//
//     any thread   Door.post ──▶ [queue, lock] ──uv_async_send──▶ loop   received(message), one by one, in order
//
// `uv_async_send` must not run after `uv_close`: both happen under the lock, and posting to a closed mailbox returns
// false.

internal import CUV
internal import Locks

/// Messages from any thread to a loop. Letting go of it closes its doors; mail not yet delivered is dropped.
public struct Mailbox<Message: Sendable>: ~Copyable {
  private let core: MailCore
  private let shared: SharedMail<Message>
  private let delivery: Delivery<Message>

  /// Opens a mailbox, which keeps its loop running. The corresponding C function is `uv_async_init`.
  public init(on loop: Loop) throws(UVError) {
    let core = try MailCore(loop)
    let shared = unsafe SharedMail<Message>(waking: core.handle)
    let delivery = Delivery<Message>()
    core.woken = { delivery.deliver(shared) }
    self.core = core
    self.shared = shared
    self.delivery = delivery
  }

  deinit {
    shared.close()
    delivery.received = nil
    core.close()
  }

  /// Called on the loop for each message. Messages of one thread come in the order in which it posted them.
  public var received: ((Message) -> Void)? {
    get { delivery.received }
    nonmutating set { delivery.received = newValue }
  }

  /// The side for other threads.
  public var door: Door { Door(shared: shared) }

  /// Where other threads put their messages.
  public struct Door: Sendable {
    let shared: SharedMail<Message>

    /// Queues a message and wakes the loop. From any thread.
    /// - Returns: false if the mailbox has been closed; the message is then dropped.
    @discardableResult public func post(_ message: Message) -> Bool { shared.post(message) }
  }
}

/// The queue that both sides share.
final class SharedMail<Message: Sendable>: Sendable {
  /// Sendable, because its pointer is for `uv_async_send` alone, the one call that libuv allows from any thread.
  @safe private struct Mail: @unchecked Sendable {
    var queue = ContiguousArray<Message>()
    /// Wakes the loop; nil once closed.
    var wake: UnsafeMutablePointer<uv_async_t>?
  }

  private let mail: Locked<Mail>

  init(waking handle: UnsafeMutablePointer<uv_async_t>) { mail = unsafe Locked(Mail(wake: handle)) }

  func post(_ message: Message) -> Bool {
    mail.withLock { mail in
      guard let wake = unsafe mail.wake else { return false }
      mail.queue.append(message)
      if mail.queue.count == 1 { unsafe uv_async_send(wake) }
      return true
    }
  }

  func take() -> ContiguousArray<Message> {
    mail.withLock { mail in
      defer { mail.queue = [] }
      return mail.queue
    }
  }

  func close() {
    mail.withLock { unsafe $0.wake = nil }
    // Outside the lock, since the deinit of a message may do anything.
    _ = take()
  }
}

private final class Delivery<Message: Sendable> {
  var received: ((Message) -> Void)?

  func deliver(_ shared: SharedMail<Message>) {
    // The receiver may close the mailbox in the middle: then it is nil, and the rest is dropped.
    for message in shared.take() { received?(message) }
  }
}

@safe final class MailCore {
  private let box = unsafe HandleBox(uv_async_t())
  private let loop: Loop
  var woken: (() -> Void)?

  var handle: UnsafeMutablePointer<uv_async_t> { unsafe box.raw }

  init(_ loop: Loop) throws(UVError) {
    self.loop = loop
    let answer = unsafe uv_async_init(loop.raw, box.raw) { handle in
      unsafe withOwner(of: handle, as: MailCore.self) { $0.woken?() }
    }
    try check(answer, "uv_async_init")
    unsafe box.open(for: self)
  }

  func close() {
    woken = nil
    unsafe box.close()
  }
}
