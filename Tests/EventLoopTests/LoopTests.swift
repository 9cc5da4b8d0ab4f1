// SPDX-License-Identifier: MIT
//
// The loop itself and its smaller handles: leaks are reported, other threads get in by the mailbox, signals and files
// are seen.

import Clocks
import DaemonTestKit
import EventLoop
import Glibc
import Testing

@Suite struct LoopTests {
  @Test func anEmptyLoopEndsAtOnce() throws {
    let loop = try Loop()
    loop.run()
    try loop.close()
    try loop.close()
  }

  @Test func aForgottenLoopClosesItself() throws {
    let weakly = Weak(try Loop())
    #expect(weakly.object == nil)
  }

  @Test func openHandlesAreNamed() throws {
    let loop = try Loop()
    do {
      let watcher = try SignalWatcher(SIGUSR2, on: loop)
      let (one, other) = try descriptorPair()
      let stream = try UnixStream(adopting: one, on: loop)
      _ = close(other)
      let error = #expect(throws: UVError.self) { try loop.close() }
      #expect(error?.description == "uv_loop_close signal, pipe: resource busy or locked (EBUSY)")
      watcher.received = nil
      stream.close()
    }
    try loop.close()
  }

  @Test func theClockIsSteady() throws {
    try withLoop { loop in
      let before = loop.now
      #expect(loop.now >= before)
    }
  }

  @Test func errorsSayWhatWasTried() {
    let error = UVError(code: -ENOENT, call: "connect", subject: "/x")
    #expect(error.description == "connect /x: no such file or directory (ENOENT)")
    #expect(UVError(code: -99999, call: "f").text == "Unknown system error -99999")
  }

  // MARK: - Pauses

  @Test func aPauseEndsForASignal() throws {
    try pausing { loop, other in
      let watcher = try SignalWatcher(SIGWINCH, on: loop)
      watcher.received = { loop.stop() }
      other.happened = { _ in kill(getpid(), SIGWINCH) }
      loop.run()
    }
  }

  @Test func aPauseEndsForANewConnection() throws {
    let directory = try TemporaryFolder()
    try pausing { loop, other in
      let listener = try UnixListener(path: directory("s"), on: loop)
      listener.accepted = { _ in loop.stop() }
      var client: End?
      other.happened = { _ in client = try? End(UnixStream(connectingTo: directory("s"), on: loop)) }
      loop.run()
      client?.stream = nil
    }
  }

  @Test func aPauseEndsForATimer() throws {
    try pausing { loop, other in
      let timer = Timer(on: loop)
      timer.fired = { loop.stop() }
      other.happened = { _ in timer.arm(at: loop.now + millisecond) }
      loop.run()
    }
  }

  /// Lends a loop that pauses longer than the watchdog waits, and a stream that reads something with its first turns.
  private func pausing(_ body: (Loop, End) throws -> Void) throws {
    try withLoop(seconds: 20) { loop in
      loop.gatheringPause = 3_600_000 * millisecond
      let (one, other) = try End.pair(on: loop)
      one.write("x")
      try body(loop, other)
      #expect(other.text == "x")
      other.happened = { _ in }
      one.stream = nil
      other.stream = nil
    }
  }

  // MARK: - Other doors

  @Test func mailComesFromOtherThreadsInOrder() throws {
    try withLoop { loop in
      let mailbox = try Mailbox<(sender: Int, number: Int)>(on: loop)
      var next = [0, 0, 0]
      mailbox.received = { message in
        #expect(next[message.sender] == message.number)
        next[message.sender] += 1
        if next == [1000, 1000, 1000] { loop.stop() }
      }
      let door = mailbox.door
      let threads = (0..<3).map { sender in
        Thread { for number in 0..<1000 { door.post((sender, number)) } }
      }
      loop.run()
      for thread in threads { thread.join() }
      #expect(next == [1000, 1000, 1000])
    }
  }

  @Test func aClosedMailboxSaysSo() throws {
    let loop = try Loop()
    let opened = try Mailbox<Int>(on: loop)
    let door = opened.door
    var mailbox: Mailbox<Int>? = consume opened
    // Posting races with closing: nothing may break, and afterwards the door is shut.
    let thread = Thread { while door.post(1) {} }
    var count = 0
    mailbox?.received = { _ in
      count += 1
      mailbox = nil
    }
    loop.run()
    thread.join()
    #expect(count == 1, "mail behind the closing message is dropped")
    #expect(!door.post(2))
    try loop.close()
  }

  @Test func signalsArrive() throws {
    try withLoop { loop in
      let watcher = try SignalWatcher(SIGUSR1, on: loop)
      var count = 0
      watcher.received = {
        count += 1
        loop.stop()
      }
      _ = kill(getpid(), SIGUSR1)
      loop.run()
      #expect(count == 1)
      #expect(throws: UVError(code: -EINVAL, call: "uv_signal_start", subject: "9")) {
        _ = try SignalWatcher(SIGKILL, on: loop)
      }
    }
  }

  @Test func aRenameIntoADirectoryIsSeen() throws {
    let (directory, elsewhere) = (try TemporaryFolder(), try TemporaryFolder())
    try elsewhere.write("x", to: "new")
    try withLoop { loop in
      let watcher = try FileWatcher(directory: directory.path, on: loop)
      var changes: [FileWatcher.Change] = []
      watcher.changed = {
        changes.append($0)
        loop.stop()
      }
      #expect(unsafe rename(elsewhere("new"), directory("plugin.so")) == 0)
      loop.run()
      #expect(changes.first?.name == "plugin.so" && changes.first?.kind == .renamed)
      let missing = directory("missing")
      #expect(throws: UVError(code: -ENOENT, call: "uv_fs_event_start", subject: missing)) {
        _ = try FileWatcher(directory: missing, on: loop)
      }
    }
  }
}

/// A plain thread.
private final class Thread {
  private var handle = pthread_t()

  init(_ work: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
      let work: @Sendable () -> Void
      init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    unsafe pthread_create(
      &handle, nil,
      { box in
        if let box = unsafe box { unsafe Unmanaged<Box>.fromOpaque(box).takeRetainedValue().work() }
        return nil
      }, Unmanaged.passRetained(Box(work)).toOpaque())
  }

  func join() { pthread_join(handle, nil) }
}
