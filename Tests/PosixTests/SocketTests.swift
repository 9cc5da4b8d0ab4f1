// SPDX-License-Identifier: MIT

import Clocks
import DaemonTestKit
import Foundation
import Posix
import Synchronization
import Testing

@Suite struct SocketTests {
  @Test func waitUntilReadyReportsReadiness() throws {
    let pipe = try makePipe()
    defer { close(pipe.reader) }
    let waits = [Wait(pipe.reader, for: .reading), Wait(pipe.writer, for: .both), Wait(-1, for: .reading)]
    var ready = waitUntilReady(waits, seconds: 0)
    #expect(ready.map(\.canRead) == [false, false, false])
    #expect(ready.map(\.canWrite) == [false, true, false])
    try writeAll([1, 2], to: pipe.writer)
    ready = waitUntilReady(waits)
    #expect(ready[0].canRead)
    #expect(try readSome(from: pipe.reader) == [1, 2])
    close(pipe.writer)
    // The end of the stream counts as readable.
    #expect(waitUntilReady([Wait(pipe.reader, for: .end)])[0].canRead)
    #expect(try readAll(from: pipe.reader).isEmpty)
  }

  @Test func writeAllWaitsForRoom() throws {
    let pipe = try makePipe()
    #expect(fcntl(pipe.writer, F_SETFL, O_NONBLOCK) == 0)
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let writer = Thread {
      try? writeAll(bytes, to: pipe.writer)
      close(pipe.writer)
    }
    writer.start()
    #expect(try readAll(from: pipe.reader) == bytes)
    close(pipe.reader)
  }

  @Test func sendingToAClosedPeerFailsWithoutASignal() throws {
    var ends: [Int32] = [-1, -1]
    #expect(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    close(ends[1])
    defer { close(ends[0]) }
    #expect(throws: SystemError(code: EPIPE)) { try Posix.send([1], to: ends[0]) }
    #expect(receiveSome(from: ends[0]) == [])
  }

  @Test func connectingToAMissingSocketFails() throws {
    let folder = try TemporaryFolder()
    do throws(SocketRefusal) {
      _ = try connectSocket(to: "\(folder.path)/none")
      Issue.record("there is nobody")
    } catch {
      #expect(error.call == "connect" && error.error == SystemError(code: ENOENT))
    }
  }

  @Test(arguments: ["127.0.0.1", "::1", "0.0.0.0", "::", "FE80::1", "10.1.2.3"])
  func numericAddressesAreParsed(_ text: String) throws {
    let address = try #require(InternetAddress(text))
    #expect(address.isSix == text.contains(":"))
    #expect(address.isAny == ["0.0.0.0", "::"].contains(text))
    #expect(address.inURL == (address.isSix ? "[\(text.lowercased())]" : text))
  }

  @Test(arguments: ["", "localhost", "127.0.0", "127.0.0.1:80", "[::1]", "::g", "1.2.3.4.5", " 127.0.0.1"])
  func otherTextIsNoAddress(_ text: String) { #expect(InternetAddress(text) == nil) }

  @Test(arguments: ["127.0.0.1", "::1"]) func aListenerHasItsAddressAndPort(_ text: String) throws {
    let address = try #require(InternetAddress(text))
    let listener = try listen(on: address, port: 0)
    defer { close(listener) }
    let end = try #require(InternetEnd.own(of: listener))
    #expect(end.address == address && end.port > 0)
    #expect(InternetEnd.peer(of: listener) == nil)
    #expect(claimInternetListener(listener))
    #expect(claimDescriptor(listener) == .other)
    // The port is taken.
    do throws(SocketRefusal) {
      close(try listen(on: address, port: end.port))
      Issue.record("two listen on one port")
    } catch { #expect(error.error == SystemError(code: EADDRINUSE)) }
  }

  @Test func inheritedDescriptorsAreClassified() throws {
    let pipe = try makePipe()
    defer { for end in [pipe.reader, pipe.writer] { close(end) } }
    #expect(claimDescriptor(pipe.reader) == .other)
    #expect(!claimInternetListener(pipe.reader))
    #expect(claimDescriptor(-1) == .other)
    #expect(InternetEnd.own(of: pipe.reader) == nil)
  }

  @Test func aDatagramArrives() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/notify"
    let receiver = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(receiver) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let bound = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(receiver, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    try sendDatagram("READY=1", to: path)
    #expect(try readSome(from: receiver) == Array("READY=1".utf8))
    #expect(throws: SystemError(code: ENAMETOOLONG)) { try sendDatagram("", to: String(repeating: "x", count: 108)) }
    #expect(throws: SystemError(code: ECONNREFUSED)) { try sendDatagram("", to: "@headerd-test-nobody-\(getpid())") }
  }

  @Test func aRepeatingThreadStopsWithItsObject() throws {
    let calls = Mutex(0)
    let done = DispatchSemaphore(value: 0)
    do {
      let thread = try RepeatingThread {
        let count = calls.withLock { calls -> Int in
          calls += 1
          return calls
        }
        if count == 3 { done.signal() }
        // Raised to a millisecond.
        return 0
      }
      #expect(done.wait(timeout: .now() + 60) == .success)
      withExtendedLifetime(thread) {}
    }
    // deinit has joined the thread.
    let count = calls.withLock { $0 }
    #expect(calls.withLock { $0 } == count && count >= 3)
  }
}
