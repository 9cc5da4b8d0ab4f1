// SPDX-License-Identifier: MIT
//
// An in-memory NATS server with the features that bridges use: subjects with wildcards, "no responders" replies, and JetStream
// streams with the expected last sequence per subject. Messages stay in one queue until a test delivers them.

import HeaderModel
import HeaderWire
import NatsBridge
import ServiceTestKit

/// The server. Each connection receives what it subscribed to, in the order in which it was published.
final class NatsInMemory {
  private struct Subscription {
    var pattern: [Substring]
    var wantsHeaders: Bool
    var connection: BusInMemory
  }

  private struct Stream {
    var pattern: [Substring]
    var keepsLastOnly: Bool
    var last: UInt64 = 0
    var messages: [(number: UInt64, subject: String, bytes: [UInt8])] = []
  }

  struct Delivery {
    var connection: BusInMemory
    var subscription: Int
    var message: BusMessage
  }

  private var subscriptions: [Int: Subscription] = [:]
  private var streams: [String: Stream] = [:]
  private var lastSubscription = 0
  private var lastConsumer = 0
  private(set) var queue: [Delivery] = []
  /// Streams refuse messages, as with exhausted storage.
  var isFull = false
  /// Which messages it loses.
  var loses: (BusMessage, BusInMemory?) -> Bool = { _, _ in false }
  /// Which messages it delivers before it stores them.
  var delays: (BusMessage) -> Bool = { _ in false }
  private var delayed: [BusMessage] = []
  /// Subject and payload of every published message.
  private(set) var published: [(subject: String, bytes: [UInt8])] = []

  func takeQueue() -> [Delivery] {
    defer { queue = [] }
    return queue
  }

  /// Stored messages of a subject, oldest first.
  func kept(_ subject: String) -> [[UInt8]] {
    streams.values.flatMap(\.messages).filter { $0.subject == subject }.map(\.bytes)
  }

  // MARK: - Subjects

  private static func matches(_ pattern: [Substring], _ subject: String) -> Bool {
    let tokens = subject.split(separator: ".")
    for (place, part) in pattern.enumerated() {
      if part == ">" { return tokens.count > place }
      guard place < tokens.count, part == "*" || part == tokens[place] else { return false }
    }
    return pattern.count == tokens.count
  }

  func subscribe(_ subject: String, wantsHeaders: Bool, _ connection: BusInMemory) -> Int {
    lastSubscription += 1
    subscriptions[lastSubscription] = Subscription(
      pattern: subject.split(separator: "."), wantsHeaders: wantsHeaders, connection: connection)
    return lastSubscription
  }

  func unsubscribe(_ id: Int) { subscriptions[id] = nil }

  /// Removes the subscriptions of a process that has ended.
  func removeAll(of connection: BusInMemory) {
    subscriptions = subscriptions.filter { $0.value.connection !== connection }
    removeQueued(for: connection)
  }

  func removeQueued(for connection: BusInMemory) { queue.removeAll { $0.connection === connection } }

  /// - Parameters:
  ///   - sender: does not receive its own messages, since bridges connect with no_echo.
  ///   - shown: the subject in the delivered message, where it differs from the one used for routing.
  @discardableResult private func deliver(_ message: BusMessage, from sender: BusInMemory? = nil, shown: String? = nil)
    -> Bool
  {
    let receivers = subscriptions.filter { Self.matches($0.value.pattern, message.subject) }.sorted { $0.key < $1.key }
    for (id, subscription) in receivers
    where !subscription.connection.isCut && (sender == nil || subscription.connection !== sender) {
      var message = message
      message.subject = shown ?? message.subject
      if !subscription.wantsHeaders { message.headers = [:] }
      queue.append(Delivery(connection: subscription.connection, subscription: id, message: message))
    }
    return !receivers.isEmpty
  }

  /// - Parameter sender: nil for a client that is not a bridge.
  func publish(_ message: BusMessage, from sender: BusInMemory? = nil) {
    guard !loses(message, sender) else { return }
    published.append((message.subject, message.bytes))
    if message.subject.hasPrefix("$JS.API.") { return answerJetStream(message) }
    // Subscribers also get what the stream refuses.
    if delays(message) { delayed.append(message) } else { store(message) }
    let wasHeard = deliver(message, from: sender)
    if !wasHeard, stream(of: message) == nil, let reply = message.reply {
      deliver(BusMessage(subject: reply, headers: ["Status": "503"], bytes: []))
    }
  }

  private func stream(of message: BusMessage) -> String? {
    streams.first { Self.matches($0.value.pattern, message.subject) }?.key
  }

  private func store(_ message: BusMessage) {
    guard let stream = stream(of: message), let answer = keep(message, in: stream) else { return }
    reply(to: message, answer)
  }

  /// Stores the delayed messages.
  func storeDelayed() {
    for message in delayed { store(message) }
    delayed = []
  }

  private func reply(to message: BusMessage, _ answer: Value) {
    guard let reply = message.reply else { return }
    var writer = JSONWriter()
    writer.value(answer)
    deliver(BusMessage(subject: reply, bytes: writer.copy()))
  }

  // MARK: - JetStream

  private func keep(_ message: BusMessage, in name: String) -> Value? {
    guard var stream = streams[name] else { return nil }
    if isFull { return ["error": ["code": 503, "err_code": 10_023, "description": "insufficient resources"]] }
    if let expected = message.headers["Nats-Expected-Last-Subject-Sequence"] {
      let last = stream.messages.last { $0.subject == message.subject }?.number ?? 0
      guard expected == String(last) else {
        return ["error": ["code": 400, "err_code": 10_071, "description": "wrong last sequence"]]
      }
    }
    if stream.keepsLastOnly { stream.messages.removeAll { $0.subject == message.subject } }
    stream.last += 1
    stream.messages.append((stream.last, message.subject, message.bytes))
    streams[name] = stream
    return ["stream": .text(name), "seq": .number(Double(stream.last))]
  }

  private func answerJetStream(_ message: BusMessage) {
    let words = message.subject.split(separator: ".").map(String.init)
    switch words.dropFirst(2).prefix(2).joined(separator: ".") {
    case "STREAM.CREATE":
      let config = tree(String(decoding: message.bytes, as: UTF8.self))
      if streams[words[4]] == nil {
        streams[words[4]] = Stream(
          pattern: config.at("subjects.0").text.split(separator: "."),
          keepsLastOnly: config.at("max_msgs_per_subject").number == 1)
      }
      reply(to: message, ["config": config])
    case "DIRECT.GET": tellLast(message, in: words[4])
    case "CONSUMER.CREATE": consume(message, words[4])
    default: reply(to: message, ["success": true])
    }
  }

  private func tellLast(_ message: BusMessage, in name: String) {
    guard let reply = message.reply else { return }
    let subject = tree(String(decoding: message.bytes, as: UTF8.self)).at("last_by_subj").text
    let last = streams[name]?.messages.last { $0.subject == subject }
    let headers = last.map { ["Nats-Sequence": String($0.number), "Nats-Subject": subject] } ?? ["Status": "404"]
    deliver(BusMessage(subject: reply, headers: headers, bytes: last?.bytes ?? []))
  }

  private func consume(_ message: BusMessage, _ name: String) {
    guard let stream = streams[name] else { return reply(to: message, ["error": ["description": "no stream"]]) }
    let config = tree(String(decoding: message.bytes, as: UTF8.self)).at("config")
    let pattern = config.at("filter_subject").text.split(separator: ".")
    var chosen = stream.messages.filter { Self.matches(pattern, $0.subject) }
    if case .number(let first) = config.at("opt_start_seq") {
      chosen.removeAll { Double($0.number) < first }
    } else {
      chosen = chosen.filter { one in !chosen.contains { $0.subject == one.subject && $0.number > one.number } }
    }
    lastConsumer += 1
    reply(to: message, ["name": .text("c\(lastConsumer)"), "num_pending": .number(Double(chosen.count))])
    for (place, one) in chosen.enumerated() {
      let acknowledge = "$JS.ACK.\(name).c\(lastConsumer).1.\(one.number).\(place + 1).0.\(chosen.count - place - 1)"
      deliver(
        BusMessage(subject: config.at("deliver_subject").text, reply: acknowledge, bytes: one.bytes),
        shown: one.subject)
    }
  }
}

/// A bridge's connection to the server.
final class BusInMemory: Bus {
  let server: NatsInMemory
  /// While true, messages in both directions are lost.
  var isCut = false { didSet { if isCut { server.removeQueued(for: self) } } }

  init(_ server: NatsInMemory) { self.server = server }

  func publish(_ bytes: [UInt8], to subject: String, reply: String?, headers: [(name: String, value: String)]) {
    guard !isCut else { return }
    let headers = Dictionary(headers.map { ($0.name, $0.value) }) { $1 }
    server.publish(BusMessage(subject: subject, reply: reply, headers: headers, bytes: bytes), from: self)
  }

  func subscribe(_ subject: String, wantsHeaders: Bool) -> Int? {
    server.subscribe(subject, wantsHeaders: wantsHeaders, self)
  }

  func subscribeToAnswers(_ subject: String) -> Int? { subscribe(subject, wantsHeaders: true) }
  func unsubscribe(_ id: Int) { server.unsubscribe(id) }
}
