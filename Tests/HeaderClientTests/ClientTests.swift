// SPDX-License-Identifier: MIT
//
// A client on one end of a socket pair, a test on the other. Nothing waits for time: what is to come is written before
// it is waited for.

import Foundation
import HeaderClient
import HeaderModel
import HeaderTrace
import Testing

@Suite struct ClientTests {
  /// The daemon's end.
  private final class Peer {
    private(set) var descriptor: Int32
    let client: Client

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      descriptor = ends[0]
      client = Client(takingDescriptor: ends[1])
    }

    deinit { hangUp() }

    func hangUp() {
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }

    func say(_ text: String) {
      let bytes = Array(text.utf8)
      let count = unsafe write(descriptor, bytes, bytes.count)
      #expect(count == bytes.count)
    }

    /// What the client has said.
    func heard() -> String {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }
  }

  @Test func aCallWaitsForItsAnswerAndKeepsTheRest() throws {
    let peer = try Peer()
    peer.say(
      #"{"method":"state","params":{"seq":1}}"# + "\n" + #"{"method":"ping"}"#
        + "\n{\"id\":1,\"result\":{\"time\":5}}\n")
    peer.say(#"{"method":"state","params":{"seq":2}}"# + "\n")
    #expect(try peer.client.call("ping") == ["time": 5])
    #expect(peer.heard() == "{\"id\":1,\"method\":\"ping\"}\n")
    // In the order in which they came; the daemon's ping is not among them.
    for seq in 1...2 {
      guard case .message(.notification(let state)) = try peer.client.next() else {
        return #expect(Bool(false), "none")
      }
      #expect(state.params == ["seq": .number(Double(seq))])
    }
    guard case .timeout = try peer.client.next(within: 0) else { return #expect(Bool(false), "something") }
  }

  @Test func linesComeInPieces() throws {
    let peer = try Peer()
    peer.say(#"{"method":"sta"#)
    guard case .timeout = try peer.client.next(within: 0) else { return #expect(Bool(false), "half a line") }
    peer.say(#"te","params":{}}"# + "\r\n\n")
    guard case .message(.notification(let state)) = try peer.client.next() else { return #expect(Bool(false), "none") }
    #expect(state.method == "state")
  }

  @Test func refusalsAreThrown() throws {
    let peer = try Peer()
    peer.say(
      #"{"id":1,"error":{"code":-32001,"message":"there is no header","data":{"name":"headerNotFound"}}}"# + "\n")
    let error = #expect(throws: ClientError.self) { try peer.client.call("header.get", ["header": "x"]) }
    #expect(error?.description == "there is no header")
    peer.say(#"{"id":2,"result":{"subscription":1,"matched":0}}"# + "\n")
    #expect(try peer.client.subscribe(to: ["a", "b.*"], mode: "every", include: ["calls"])["subscription"] == 1)
    #expect(peer.heard().hasSuffix(#""params":{"headers":["a","b.*"],"mode":"every","include":["calls"]}}"# + "\n"))
  }

  @Test func theEndComesAfterWhatWasSaid() throws {
    let peer = try Peer()
    peer.say(#"{"method":"state","params":{}}"# + "\n" + #"{"method":"bye","params":{"reason":"draining"}}"# + "\n")
    peer.hangUp()
    for method in ["state", "bye"] {
      guard case .message(.notification(let message)) = try peer.client.next() else {
        return #expect(Bool(false), "none")
      }
      #expect(message.method == method)
    }
    #expect(throws: ClientError.ended(goodbye: "draining")) { try peer.client.next() }
    #expect(throws: ClientError.ended(goodbye: "draining")) { try peer.client.send("ping") }
  }

  @Test func whoWritesToNobodyIsTold() throws {
    let peer = try Peer()
    peer.hangUp()
    #expect(throws: ClientError.ended(goodbye: nil)) { try peer.client.call("ping") }
  }

  @Test func patienceEnds() throws {
    let peer = try Peer()
    peer.client.patience = 0
    #expect(throws: ClientError.timeout(method: "ping", seconds: 0)) { try peer.client.call("ping") }
  }

  @Test func otherDescriptorsWakeIt() throws {
    let peer = try Peer()
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    defer { close(ends[0]) }
    #expect(unsafe write(ends[1], "x", 1) == 1)
    guard case .readable = try peer.client.next(watching: ends[0]) else { return #expect(Bool(false), "not woken") }
    // A signal ends every wait, also a call's.
    peer.client.interruptDescriptor = ends[0]
    #expect(throws: ClientError.interrupted) { try peer.client.next() }
    #expect(throws: ClientError.interrupted) { try peer.client.call("ping") }
    close(ends[1])
  }

  @Test func aReaderThatGoesAwayEndsWaits() throws {
    let peer = try Peer()
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    defer { close(ends[1]) }
    peer.client.outputDescriptor = ends[1]
    guard case .timeout = try peer.client.next(within: 0) else { return #expect(Bool(false), "somebody reads") }
    close(ends[0])
    #expect(throws: ClientError.interrupted) { try peer.client.next() }
  }

  @Test func muchIsWrittenWhileMuchComes() throws {
    let peer = try Peer()
    // More than the socket holds: the other side reads only while it is written to.
    let request = Value.record(
      Value.Record(fields: [.init(name: "x", value: .text(String(repeating: "y", count: 4000)))]))
    let reader = peer.descriptor
    let count = 400
    let thread = Thread {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      var lines = 0
      while lines < count {
        let got = unsafe recv(reader, &bytes, bytes.count, 0)
        guard got > 0 else { return }
        for byte in bytes[..<got] where byte == 0x0A {
          lines += 1
          let answer = Array("{\"id\":\(lines),\"result\":{}}\n".utf8)
          _ = unsafe send(reader, answer, answer.count, Int32(MSG_NOSIGNAL))
        }
      }
    }
    thread.start()
    for _ in 0..<count { try peer.client.send("event", request) }
    for number in 1...count {
      guard case .message(.answer(let answer)) = try peer.client.next(within: 60) else {
        return #expect(Bool(false), "no answer \(number)")
      }
      #expect(answer.number.value == number)
    }
    #expect(peer.client.unansweredCount == 0)
  }

  @Test func placesWithoutADaemon() {
    #expect(throws: ClientError.noDaemon(path: "/nowhere/socket", reason: "No such file or directory")) {
      try Client(path: "/nowhere/socket")
    }
    let long = "/" + String(repeating: "x", count: 107)
    #expect(throws: ClientError.pathTooLong(path: long, limit: 107)) { try Client(path: long) }
  }
}
