// SPDX-License-Identifier: MIT
//
// Listeners: paths, modes, files in the way, adopted sockets.

import DaemonTestKit
import EventLoop
import Glibc
import Testing

@Suite struct ListenerTests {
  private func mode(_ path: String) -> UInt32 {
    var found = stat()
    return unsafe lstat(path, &found) == 0 ? found.st_mode & 0o7777 : 0
  }

  @Test(arguments: [0o600, 0o660, 0o666, 0o777] as [UInt32])
  func theFileHasItsMode(_ wanted: UInt32) throws {
    let directory = try TemporaryFolder()
    try withLoop { loop in
      let listener = try UnixListener(path: directory("s"), mode: wanted, on: loop)
      #expect(mode(directory("s")) == wanted)
      #expect(listener.path == directory("s"))
    }
  }

  @Test func aLongPathIsRefusedAndNotCut() throws {
    let directory = try TemporaryFolder()
    try withLoop { loop in
      let longest = directory(String(repeating: "x", count: 107 - directory.path.utf8.count - 1))
      _ = try UnixListener(path: longest, on: loop)
      for bind in [true, false] {
        let error = #expect(throws: UVError.self) {
          if bind { _ = try UnixListener(path: longest + "y", on: loop) }
          if !bind { _ = try UnixStream(connectingTo: longest + "y", on: loop) }
        }
        #expect(error?.name == "ENAMETOOLONG")
        #expect(error?.subject == longest + "y")
      }
      for path in ["", "/tmp/a\0b"] {
        #expect(throws: UVError(code: -EINVAL, call: "bind", subject: path)) {
          _ = try UnixListener(path: path, on: loop)
        }
      }
    }
  }

  @Test func aFileInTheWayIsNamed() throws {
    let directory = try TemporaryFolder()
    try directory.write("", to: "file")
    try withLoop { loop in
      let path = directory("s")
      #expect(try UnixListener.inspect(path: path) == .free)
      do {
        let first = try UnixListener(path: path, on: loop)
        #expect(try UnixListener.inspect(path: path) == .answering)
        first.close()
      }
      #expect(try UnixListener.inspect(path: path) == .stale)
      #expect(try UnixListener.inspect(path: directory("file")) == .occupied)
      let error = #expect(throws: UVError.self) { _ = try UnixListener(path: path, on: loop) }
      #expect(error?.description == "bind \(path): address already in use (EADDRINUSE)")
      #expect(try UnixListener.inspect(path: path) == .stale, "the failed attempt removed nothing")
    }
  }

  @Test func onlyTheFileThatWasBoundIsRemoved() throws {
    let directory = try TemporaryFolder()
    try withLoop { loop in
      let first = try UnixListener(path: directory("s"), on: loop)
      #expect(unsafe rename(directory("s"), directory("kept")) == 0)
      let second = try UnixListener(path: directory("s"), on: loop)
      let firstRemoved = first.removeFile()
      #expect(!firstRemoved)
      #expect(try UnixListener.inspect(path: directory("s")) == .answering)
      let removed = [second.removeFile(), second.removeFile()]
      #expect(removed == [true, false])
      #expect(try UnixListener.inspect(path: directory("s")) == .free)
    }
  }

  @Test func adoptsAListeningSocket() throws {
    let directory = try TemporaryFolder()
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: directory("s").utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let answer = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, size) }
    }
    try #require(answer == 0)
    try #require(listen(descriptor, 5) == 0)
    try withLoop { loop in
      do {
        let listener = try UnixListener(adopting: descriptor, on: loop)
        listener.accepted = { _ in loop.stop() }
        let client = End(try UnixStream(connectingTo: directory("s"), on: loop))
        loop.run()
        #expect(client.closings.isEmpty)
        let removed = listener.removeFile()
        #expect(!removed)
      }
      #expect(try UnixListener.inspect(path: directory("s")) == .stale, "an adopted socket's file stays")
    }
  }

  @Test func whatIsNoSocketIsNotAdopted() throws {
    try withLoop { loop in
      let descriptor = unsafe open("/dev/null", O_RDONLY)
      #expect(throws: UVError.self) { _ = try UnixListener(adopting: descriptor, on: loop) }
      #expect(throws: UVError.self) { _ = try UnixListener(adopting: -1, on: loop) }
    }
  }

  @Test func mayBeClosedWhileAccepting() throws {
    let directory = try TemporaryFolder()
    try withLoop { loop in
      let listener = try UnixListener(path: directory("s"), on: loop)
      let clients = try (0..<3).map { _ in End(try UnixStream(connectingTo: directory("s"), on: loop)) }
      var accepted = 0
      listener.accepted = { _ in
        accepted += 1
        listener.close()
        loop.stop()
      }
      loop.run()
      #expect(accepted == 1)
      #expect(clients.count == 3)
    }
  }
}
