// SPDX-License-Identifier: MIT
//
// NatsConnection with a real nats-server: order, headers, disconnects and reconnects.

import Clocks
import DaemonTestKit
import EventLoop
import Foundation
import Nats
import Testing

/// A nats-server on this machine.
private final class Server {
  let process: ChildProcess
  let url: String

  /// - Parameter port: -1 for any free port.
  init(port: Int = -1, _ options: [String] = []) throws {
    // Debian has it where not every user's PATH looks.
    let program = Toolchain.find("nats-server") ?? "/usr/sbin/nats-server"
    process = try ChildProcess(
      program, ["--addr", "127.0.0.1", "--port", String(port)] + options, environment: [:])
    #expect(try process.waitForErrors(containing: "Server is ready"))
    let line = process.errors.split(separator: "\n").first { $0.contains("Listening for client connections") }
    url = "nats://" + String(try #require(line?.split(separator: " ").last))
  }

  var port: Int { Int(url.split(separator: ":").last ?? "") ?? 0 }
}

/// Collects a connection's news, and runs the loop until a condition holds.
private final class Listener {
  let loop: Loop
  private(set) var news: [NatsNews] = []
  private var until: (Listener) -> Bool = { _ in true }

  init(_ loop: Loop) { self.loop = loop }

  func connect(_ servers: [String]) throws -> NatsConnection {
    var settings = NatsSettings()
    settings.servers = servers
    settings.name = "test"
    return try NatsConnection(settings, on: loop) { [unowned self] in
      news.append($0)
      if until(self) { loop.stop() }
    }
  }

  func wait(_ what: String, _ until: @escaping (Listener) -> Bool) {
    guard !until(self) else { return }
    self.until = until
    let watchdog = Timer(on: loop)
    watchdog.fired = { [unowned self] in
      Issue.record("waited for \(what), and got \(news)")
      loop.stop()
    }
    watchdog.arm(at: loop.now + 60_000_000_000)
    loop.run()
    watchdog.disarm()
  }

  var messages: [NatsMessage] {
    news.compactMap { if case .message(let message, _) = $0 { message } else { nil } }
  }
  var connections: Int { news.count { if case .connected = $0 { true } else { false } } }
  var disconnections: Int { news.count { if case .disconnected = $0 { true } else { false } } }
}

private func withListener(_ body: (Listener) throws -> Void) throws {
  let loop = try Loop()
  do {
    let listener = Listener(loop)
    try body(listener)
  }
  try loop.close()
}

private func publish(
  _ connection: NatsConnection, _ text: String, to subject: String, headers: [(name: String, value: String)] = []
) {
  let bytes = Array(text.utf8)
  #expect(connection.publish(unsafe bytes.span.bytes, to: subject, reply: "_INBOX.x", headers: headers))
}

@Suite struct NatsConnectionTests {
  @Test func messagesArriveInOrderWithTheirHeaders() throws {
    let server = try Server()
    try withListener { listener in
      let (sender, receiver) = (try listener.connect([server.url]), try listener.connect([server.url]))
      defer { for one in [sender, receiver] { one.close() } }
      let number = try #require(receiver.subscribe("shop.>", wantsHeaders: true))
      // The server may handle the other connection's first messages before this subscription.
      let marker = try #require(receiver.subscribe("marker", wantsHeaders: false))
      #expect(number != marker)
      listener.wait("both connections") { $0.connections == 2 }
      var sent = 0
      while listener.messages.isEmpty {
        publish(sender, "\(sent)", to: "shop.a", headers: [("Number", "\(sent)"), ("Other", "é")])
        sent += 1
        let turn = Timer(on: listener.loop)
        turn.fired = { listener.loop.stop() }
        turn.arm(at: listener.loop.now + 1_000_000)
        listener.loop.run()
      }
      for index in sent..<sent + 1_000 { publish(sender, "\(index)", to: "shop.b", headers: [("Number", "\(index)")]) }
      listener.wait("all messages") { $0.messages.last?.bytes == Array("\(sent + 999)".utf8) }
      let numbers = listener.messages.compactMap { Int(String(decoding: $0.bytes, as: UTF8.self)) }
      #expect(numbers == Array(numbers[0]..<sent + 1_000))
      #expect(listener.messages.allSatisfy { $0.headers["Number"] == String(decoding: $0.bytes, as: UTF8.self) })
      #expect(listener.messages.first?.headers["Other"] == "é")
      #expect(listener.messages.allSatisfy { $0.reply == "_INBOX.x" })
      receiver.unsubscribe(number)
    }
  }

  @Test func polledMessagesArriveWithPoll() throws {
    let server = try Server()
    try withListener { listener in
      let (sender, receiver) = (try listener.connect([server.url]), try listener.connect([server.url]))
      defer { for one in [sender, receiver] { one.close() } }
      let number = try #require(receiver.subscribePolled("answers"))
      listener.wait("both connections") { $0.connections == 2 }
      let turn = Timer(on: listener.loop)
      turn.fired = {
        publish(sender, "an answer", to: "answers")
        receiver.poll()
        turn.arm(at: listener.loop.now + 1_000_000)
      }
      turn.arm(at: listener.loop.now)
      listener.wait("an answer") { !$0.messages.isEmpty }
      turn.disarm()
      turn.fired = {}
      for case .message(let message, let subscription) in listener.news {
        #expect(message.bytes == Array("an answer".utf8) && subscription == number)
      }
    }
  }

  @Test func aRestartOfTheServerIsReported() throws {
    var server: Server? = try Server()
    let (url, port) = (try #require(server?.url), try #require(server?.port))
    try withListener { listener in
      let connection = try listener.connect([url])
      defer { connection.close() }
      #expect(connection.subscribe("shop.>", wantsHeaders: false) != nil)
      listener.wait("the connection") { $0.connections == 1 }
      server?.process.signal(SIGKILL)
      server = nil
      listener.wait("its end") { $0.disconnections == 1 }
      server = try Server(port: port)
      listener.wait("the next one") { $0.connections == 2 }
    }
  }

  @Test func aMissingServerIsRetried() throws {
    // A port that was free a moment ago.
    let port = try Server().port
    try withListener { listener in
      let connection = try listener.connect(["nats://127.0.0.1:\(port)"])
      defer { connection.close() }
      listener.wait("a word") { !$0.news.isEmpty }
      guard case .refused(let reason)? = listener.news.first else {
        Issue.record("\(listener.news)")
        return
      }
      #expect(reason.contains("127.0.0.1:\(port)"))
      let server = try Server(port: port)
      listener.wait("the server") { $0.connections == 1 }
      withExtendedLifetime(server) {}
    }
  }

  @Test(arguments: ["nats://a:wrong@", "nats://a:wro/ng@", "a:wro/ng@"])
  func aWrongPasswordFailsAtOnceAndIsNotShown(_ beginning: String) throws {
    let server = try Server(["--user", "a", "--pass", "right"])
    try withListener { listener in
      let url = server.url.replacing("nats://", with: beginning)
      let error = #expect(throws: NatsError.self) { _ = try listener.connect([url]) }
      #expect(error?.message.contains("nats.credentials") == true)
      #expect(error?.message.contains("wro") == false)
    }
  }
}
