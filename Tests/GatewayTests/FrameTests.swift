// SPDX-License-Identifier: MIT
//
// Conversations in frames, byte by byte: what is sent and what comes back, as files of hexadecimal digits with each
// frame's kind in front. Read, and rewritten with SNAP_UPDATE=1, as the other golden files are.
//
//     > EVENT          4000 0000 0200 0000 …        32 bytes a line
//     < DECIDED        …
//     < (closed)

import Fanout
import Foundation
import HeaderJournal
import HeaderModel
import HeaderService
import ServiceTestKit
import Testing

@Suite struct FrameTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
    "Golden")

  /// One conversation: its name, and what it does.
  struct Conversation: Sendable, CustomTestStringConvertible {
    var name: String
    var play: @Sendable (inout Transcript) -> Void
    var testDescription: String { name }
  }

  static let conversations: [Conversation] = [
    Conversation(name: "greeting") { talk in
      talk.send(
        FrameBuilder.frame(4) {
          $0.u64(1)
          $0.u32(1)
          $0.u32(0)
          $0.text("demo 0.1")
        })
      talk.send(FrameBuilder.frame(5) { $0.u64(2) })
      talk.send(
        FrameBuilder.frame(4) {
          $0.u64(3)
          $0.u32(2)
          $0.u32(0)
        })
      talk.daemon.pass(31)
      talk.receive()
      talk.send(FrameBuilder.json(["id": "text", "method": "ping"]))
      talk.daemon.service.drain()
      talk.receive()
    },
    Conversation(name: "states") { talk in
      talk.send(FrameBuilder.request(7, 1, #"{"headers":"**","include":["routine","calls"]}"#))
      talk.send(FrameBuilder.request(6, 2, Transcript.painted))
      for (step, y) in [10.0, 200].enumerated() {
        talk.send(
          FrameBuilder.event(["event": "didScroll", "time": .number(1 + Double(step)), "offset": ["y": .number(y)]]))
      }
      talk.send(
        FrameBuilder.frame(8) {
          $0.u64(3)
          $0.u64(1)
        })
      talk.send(FrameBuilder.request(7, 4, #"{"headers":"main"}"#))
      talk.send(
        FrameBuilder.frame(9) {
          $0.u64(5)
          $0.u64(1)
        })
    },
    Conversation(name: "events") { talk in
      talk.send(FrameBuilder.request(6, 1, Transcript.shy))
      let end: Value = ["event": "willEndDragging", "time": 1.5, "velocity": ["y": 0.8], "targetOffset": ["y": 210]]
      talk.send(FrameBuilder.event(end, id: 2, handle: 1))
      talk.send(FrameBuilder.events([["event": "didScroll", "offset": ["y": 4], "time": 2], end], id: 3, handle: 1))
      talk.send(
        FrameBuilder.event(["event": "call", "time": 3, "name": "expand", "arguments": ["animated": true]], id: 4))
      talk.send(
        FrameBuilder.event(["event": "shouldScrollToTop", "time": 3, "scrollView": "content", "speed": 3], id: 5))
      talk.send(FrameBuilder.event(["event": "layout", "time": 3, "contentInset": ["top": 10], "pass": true], id: 6))
    },
    Conversation(name: "asked") { talk in
      talk.send(FrameBuilder.request(6, 1, Transcript.shy))
      talk.send(
        FrameBuilder.json([
          "id": 2, "method": "delegate.add", "params": ["header": "main", "client": "intercept", "name": "guard"],
        ]))
      talk.send(FrameBuilder.event(["event": "didScroll", "offset": ["y": 4], "time": 1], id: 3, handle: 1))
      let end: Value = ["event": "willEndDragging", "time": 2, "targetOffset": ["y": 210]]
      talk.send(FrameBuilder.events([end, ["event": "didScroll", "offset": ["y": 5]]], id: 4, handle: 1))
      talk.send(FrameBuilder.frame(5) { $0.u64(5) })
      talk.send(FrameBuilder.json(["id": "d1", "result": ["verdict": "pass"]]))
      talk.send(FrameBuilder.json(["id": "d2", "result": ["verdict": "rewrite", "targetOffset": ["y": 99]]]))
      talk.send(FrameBuilder.json(["id": "d1", "result": ["verdict": "pass"]]))
    },
    Conversation(name: "frames-active") { talk in
      talk.send(FrameBuilder.request(7, 1, #"{"headers":"**","fields":["values"]}"#))
      talk.send(FrameBuilder.request(6, 2, Transcript.shy.replacingOccurrences(of: "ShyNavBar", with: "Ticker")))
      talk.send(FrameBuilder.event(["event": "didEndDragging", "time": 1, "willDecelerate": false], id: 3))
      talk.send(FrameBuilder.event(["event": "advance", "time": 1.02], id: 4))
    },
    Conversation(name: "errors") { talk in
      talk.send(FrameBuilder.request(6, 1, Transcript.shy))
      talk.send(FrameBuilder.request(6, 2, #"{"header":"#))
      talk.send(FrameBuilder.request(6, 3, #"{"header":"other","drawers":[{"name":"a","height":1e999}]}"#))
      talk.send(FrameBuilder.event(["event": "didScroll", "offset": ["y": 2e9]], id: 4, handle: 1))
      talk.send(FrameBuilder.event(["event": "didScroll", "offset": ["y": 1]], id: 0, handle: 77))
      talk.send(
        FrameBuilder.events(
          [["event": "willAppear"], ["event": "didEndDragging"], ["event": "didAppear"]], id: 5, handle: 1))
      talk.send(
        FrameBuilder.frame(3) {
          $0.u64(6)
          $0.u64(1)
          $0.u64(0)
        })
      talk.send(FrameBuilder.frame(77) { $0.u64(7) })
      talk.send(FrameBuilder.frame(5))
      talk.send(
        FrameBuilder.frame(5) {
          $0.u64(8)
          $0.u64(8)
        })
      talk.send(FrameBuilder.frame(1) { $0.text("[]") })
      talk.send(FrameBuilder.frame(1) { $0.text(#"{"method":"header.clos"}"#) })
      talk.send([7, 0, 0, 0, 5, 0, 0, 0])
    },
    Conversation(name: "too-long") { talk in
      talk.daemon.service.context.limits.lineBytes = 100
      talk.reconnect()
      talk.send(FrameBuilder.frame(1) { $0.text(String(repeating: " ", count: 101)) })
    },
    Conversation(name: "a-gap") { talk in
      talk.daemon.service.context.limits.queueBytes = 1
      talk.send(FrameBuilder.request(7, 1, #"{"headers":"main","mode":"every"}"#))
      let publisher = talk.daemon.publisher()
      talk.receive()
      talk.client.stopReading()
      for y in 1...5 { publisher.send(TestDaemon.scroll("main", Double(y), Double(y) * 2)) }
      talk.client.resumeReading()
      talk.receive()
    },
    Conversation(name: "gathered") { talk in
      talk.daemon.service.context.limits.queueBytes = 1
      talk.send(FrameBuilder.request(7, 1, #"{"headers":"main","include":["calls"]}"#))
      let publisher = talk.daemon.connect()
      publisher.send(TestDaemon.open("main", #","frames":"events""#, behavior: "Scripted"))
      talk.receive()
      talk.client.stopReading()
      for words in ["a", "phase=a on=true", "b b", "! >"] {
        publisher.send(
          #"{"method":"header.call","params":{"header":"main","name":"say","arguments":{"words":"\#(words)"}}}"#)
      }
      talk.client.resumeReading()
      talk.receive()
    },
    Conversation(name: "ahead") { talk in
      talk.send(FrameBuilder.request(6, 1, Transcript.shy))
      talk.send(FrameBuilder.request(7, 2, #"{"headers":"main","mode":"every","predict":true}"#))
      talk.daemon.pass(0.01)
      talk.receive()
      talk.send(FrameBuilder.event(["event": "willBeginDragging", "time": 1]))
      talk.send(FrameBuilder.event(["event": "didScroll", "time": 1.02, "offset": ["y": 12]]))
      talk.daemon.pass(0.01)
      talk.receive()
    },
  ]

  @Test(arguments: conversations) func bytesAsWritten(_ conversation: Conversation) throws {
    var transcript = Transcript()
    conversation.play(&transcript)
    let url = Self.folder.appendingPathComponent("frames/\(conversation.name).hex")
    if ProcessInfo.processInfo.environment["SNAP_UPDATE"] == "1" {
      try transcript.text.write(to: url, atomically: true, encoding: .utf8)
    }
    let kept = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    let told = transcript.text.split(separator: "\n")
    for (wanted, line) in zip(kept, told) { #expect(line == wanted) }
    #expect(kept.count == told.count)
  }

  /// Every kind of frame that a daemon sends stands in one of the files.
  @Test func noKindIsMissing() {
    var told = ""
    for conversation in Self.conversations {
      var transcript = Transcript()
      conversation.play(&transcript)
      told += transcript.text
    }
    for (name, _) in Transcript.kinds { #expect(told.contains("< \(name) ") || told.contains("> \(name) "), "\(name)") }
  }
}

/// A conversation of one client that speaks frames, written down.
struct Transcript {
  let daemon = TestDaemon()
  var client: TestClient
  private(set) var text = ""
  private var seen = 0
  private var isOpen = false
  private var wasClosed = false

  init() {
    daemon.plugins.kinds.append(TestPlugins.Kind(description: Painter.description, make: Painter.init))
    client = daemon.connect()
    send(FrameBuilder.opening)
  }

  /// Begins anew, for limits that hold for a connection from its beginning.
  mutating func reconnect() {
    client = daemon.connect()
    (text, seen, isOpen) = ("", 0, false)
    send(FrameBuilder.opening)
  }

  mutating func send(_ bytes: [UInt8]) {
    write(">", bytes)
    client.send(bytes)
    receive()
  }

  mutating func receive() {
    var rest = client.transcript[seen...]
    seen = client.transcript.count
    if !isOpen, rest.count >= 4 {
      write("<", Array(rest.prefix(4)))
      rest = rest.dropFirst(4)
      isOpen = true
    }
    while rest.count >= 4 {
      var head = FrameBytes(Array(rest.prefix(4)))
      let size = head.u32()
      write("<", Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    if client.isClosed, !wasClosed {
      text += "< (closed)\n"
      wasClosed = true
    }
  }

  static let kinds: KeyValuePairs = [
    "JSON": 0x01, "EVENT": 0x02, "EVENTS": 0x03, "HELLO": 0x04, "PING": 0x05, "OPEN": 0x06, "SUBSCRIBE": 0x07,
    "UNSUBSCRIBE": 0x08, "CLOSE": 0x09, "DECIDED": 0x82, "WELCOME": 0x84, "PONG": 0x85, "OPENED": 0x86,
    "SUBSCRIBED": 0x87, "DONE": 0x88, "ERROR": 0x90, "NAMES": 0x91, "STATE": 0x92, "GAP": 0x93, "CLOSED": 0x94,
    "BYE": 0x95,
  ]

  private mutating func write(_ direction: String, _ bytes: [UInt8]) {
    let kind = bytes.count >= 8 ? Int(bytes[4]) : 0
    let name = bytes.count == 4 ? "opening" : Self.kinds.first { $0.value == kind }?.key ?? "\(kind)"
    text += "\(direction) \(name) (\(bytes.count) bytes)\n"
    for start in stride(from: 0, to: bytes.count, by: 32) {
      let row = bytes[start..<min(start + 32, bytes.count)]
      let hex = row.map { String(format: "%02x", $0) }
      let groups = stride(from: 0, to: hex.count, by: 4).map { hex[$0..<min($0 + 4, hex.count)].joined() }
      let shown = String(decoding: row.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
      let columns = groups.joined(separator: " ")
      text += "    \(columns)\(String(repeating: " ", count: 73 - columns.count))\(shown)\n"
    }
  }

  static let painted =
    #"{"header":"main","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000}}},"environment":{"clockSecondOfMinute":0},"drawers":[{"name":"navBar","height":44,"elements":[{"name":"title","frame":{"x":1,"y":2,"width":30,"height":4.5}}]}],"delegates":[{"behavior":"Painter"}],"frames":"events"}"#
  static let shy =
    #"{"header":"main","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000}}},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"ShyNavBar"}],"frames":"events","frameRat":1}"#
}
